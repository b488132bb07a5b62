#!/usr/bin/env python3
"""Every file of input/invalid: exit code 2, one message per expected fault with file:line:col, the source line and a caret.

The first comment lines of each file say what is expected: `# expect: <regular expression>`, one per fault in the order
of the report, for the text behind the file's name: `3:13: error: planet.radius_m: ...`.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

LAUNCH_LIMIT_S = 1.0  # one rank; the best of three, because the machine may be busy


def expectations(path):
    lines = path.read_bytes().decode("utf-8", errors="replace").split("\n")
    return [m.group(1) for m in (re.match(r"# expect: (.*)$", line) for line in lines) if m]


def run(command):
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    return done, time.monotonic() - begin


def problems(craton, mpiexec, ranks, path, wanted):
    launcher = [] if ranks == 1 else [mpiexec, "-n", str(ranks)]
    command = launcher + [craton, "validate", str(path)]
    done, seconds = run(command)
    for _ in range(2):
        if ranks > 1 or seconds < LAUNCH_LIMIT_S:
            break
        seconds = min(seconds, run(command)[1])
    found = []
    if done.returncode != 2:
        found.append(f"exit code {done.returncode}, not 2")
    if ranks == 1 and seconds >= LAUNCH_LIMIT_S:
        found.append(f"took {seconds:.2f} s")
    if ranks == 1 and done.stdout:
        found.append("wrote to standard output")
    lines = done.stderr.decode("utf-8").split("\n")
    heads = [k for k, line in enumerate(lines) if re.match(re.escape(str(path)) + r":\d+:\d+: error: ", line)]
    messages = [lines[k][len(str(path)) + 1:] for k in heads]
    if len(messages) != len(wanted):
        found.append(f"{len(messages)} messages, not {len(wanted)}")
    for pattern, message in zip(wanted, messages):
        if not re.search(pattern, message):
            found.append(f"'{message}' does not match '{pattern}'")
    for k in heads:
        if not re.fullmatch(r" +\^", lines[k + 2]):
            found.append(f"no caret under the source line of '{lines[k]}'")
    if ranks == 1 and len(lines) != 3 * len(heads) + 1:
        found.append("more lines than the messages have")
    return found + ([done.stderr.decode("utf-8", errors="replace")] if found else [])


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--craton", required=True)
    arguments.add_argument("--mpiexec", default="mpiexec")
    arguments.add_argument("--ranks", type=int, default=1)
    arguments.add_argument("--inputs", type=pathlib.Path, required=True)
    options = arguments.parse_args()
    failed = 0
    paths = sorted(options.inputs.glob("*.yaml"))
    cases = [(path, expectations(path)) for path in paths]
    with tempfile.TemporaryDirectory() as folder:
        large = pathlib.Path(folder) / "larger_than_a_mebibyte.yaml"
        large.write_text("seed: 1\n" + "#" * (1 << 20) + "\n", encoding="utf-8")
        cases.append((large, [r"^1:1: error: larger than 1 MiB; allowed: "]))
        for path, wanted in cases:
            found = problems(options.craton, options.mpiexec, options.ranks, path, wanted)
            if not wanted:
                found.append("has no '# expect:' line")
            failed += bool(found)
            for text in found:
                print(f"{path.name}: {text}")
    print(f"{len(cases)} files, {failed} not as expected")
    return 1 if failed or len(paths) < 15 else 0


if __name__ == "__main__":
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    sys.exit(main())
