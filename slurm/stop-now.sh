#!/usr/bin/env bash
# Asks a run to write a checkpoint, stop and submit no next job. It acts after the step in progress.
#   slurm/stop-now.sh RUN      RUN is the run directory, for example runs/highres
set -euo pipefail

if [ $# -ne 1 ] || [ ! -e "$1/status.json" ]; then
  sed -n '2,3s/^# \{0,1\}//p' "$0" >&2
  [ $# -eq 1 ] && echo "$1 is not a run directory: it has no status.json" >&2
  exit 2
fi
mkdir -p "$1/control"
touch "$1/control/stop"
echo "asked: the run acts after its present step (craton status $1 shows it)"
