#!/bin/sh
# Runs a command that must fail with the given text: expect_failure.sh TEXT COMMAND ...
text="$1"
shift
output="$("$@" 2>&1)" && { echo "it passed, and must not: $*"; exit 1; }
case "$output" in
  *"$text"*) exit 0 ;;
esac
echo "it failed, but not with '$text':"
echo "$output"
exit 1
