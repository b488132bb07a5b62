#!/usr/bin/env python3
"""A failure of one rank ends the job with that rank's code and message in under 10 s."""
import subprocess
import sys
import time

mpiexec, program = sys.argv[1:]
begin = time.monotonic()
done = subprocess.run([mpiexec, "-n", "3", program], capture_output=True, text=True, timeout=50, check=False)
seconds = time.monotonic() - begin
said = f"exit {done.returncode} after {seconds:.1f} s\n{done.stdout}{done.stderr}"
assert done.returncode == 70, said
assert done.stderr.count("craton: error: rank 2: internal error: lonely") == 1, said
assert seconds < 10, said
