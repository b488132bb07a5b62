#!/usr/bin/python3
"""System tests: whole runs of craton on a small planet, judged by exit codes, hashes and files."""
import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

WORLD = """
seed: 7
mesh: {frequency: 16}
time: {end_yr: 6.0e6, tectonic_step_yr: 1.0e6}
climate: {interval_yr: 3.0e6}
output: {interval_yr: 3.0e6}
checkpoint: {interval_yr: 1.0e6, keep: 20}
log: {level: warning}
"""


class Bench:
    """Runs the program in a folder of its own and remembers nothing else."""

    def __init__(self, craton, mpiexec, work):
        self.craton, self.mpiexec, self.work = craton, mpiexec, pathlib.Path(work)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.world = self.work / "world.yaml"
        self.world.write_text(WORLD)

    def command(self, args, ranks):
        program = [self.craton, *map(str, args)]
        return program if ranks == 0 else [self.mpiexec, "-n", str(ranks), *program]

    def call(self, *args, ranks=1, expect=0, env=None, timeout=300):
        done = subprocess.run(self.command(args, ranks), capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, **(env or {})})
        assert done.returncode == expect, (
            f"{' '.join(map(str, args))} on {ranks} ranks: exit {done.returncode}, not {expect}\n{done.stdout}\n{done.stderr}")
        return done.stdout + done.stderr

    def start(self, *args, ranks=1):
        return subprocess.Popen(self.command(args, ranks), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, name, *args, ranks=1, expect=0, env=None):
        self.call("run", self.world, "--out", self.work / name, *args, ranks=ranks, expect=expect, env=env)
        return self.work / name

    def hash(self, run):
        return hash_of(self.call("hash", run, ranks=0))

    def status(self, run):
        return json.loads((run / "status.json").read_text())


def hash_of(text):
    first = text.split()[0]
    assert re.fullmatch(r"[0-9a-f]{16}", first), f"not a hash: {first}"
    return first


def checkpoints(run):
    return sorted(p.parent.name for p in (run / "checkpoints").glob("ckpt-*/COMMITTED"))


# mission: R2
def same_hash_on_any_rank_count(b):
    hashes = {n: b.hash(b.run(f"np{n}", ranks=n)) for n in (1, 2, 3, 4, 8)}
    print(hashes)
    assert len(set(hashes.values())) == 1, hashes
    other = b.hash(b.run("other-seed", "--set", "seed=8"))
    assert other != hashes[1], "another seed gives the same planet"


def same_hash_on_any_thread_count(b):
    hashes = {}
    for threads in (1, 2):
        hashes[threads] = b.hash(b.run(f"t{threads}", env={"OMP_NUM_THREADS": str(threads)}))
    assert len(set(hashes.values())) == 1, hashes


def same_hash_after_stop_and_resume(b):
    straight = b.run("straight", ranks=2)
    wanted = b.hash(straight)
    ranks = {1: 3, 2: 1, 3: 4, 4: 2, 5: 7}
    steps = [int(name.split("-")[1]) for name in checkpoints(straight)]
    assert steps == [1, 2, 3, 4, 5, 6], steps
    for step in steps[:-1]:
        copy = b.work / f"from{step}"
        shutil.copytree(straight, copy)
        b.call("run", b.world, "--out", copy, f"--resume={step}", ranks=ranks[step])
        assert b.hash(copy) == wanted, f"resumed at step {step} on {ranks[step]} ranks"
    stopped = b.run("stopped", "--until", "2Myr", ranks=3, expect=10)
    b.run("stopped", "--resume", "--until", "4Myr", ranks=1, expect=10)
    b.run("stopped", "--resume", ranks=2)
    assert b.hash(stopped) == wanted


def until_stops_with_code_10(b):
    run = b.run("run", "--until", "2Myr", ranks=2, expect=10)
    assert b.status(run)["state"] == "stopped"
    assert checkpoints(run)[-1].endswith("2"), checkpoints(run)


def finished_run_is_already_complete(b):
    run = b.run("run")
    before = b.hash(run)
    text = b.call("run", b.world, "--out", run, "--resume", "--set", "log.level=info", ranks=2)
    assert "already complete" in text, text
    assert b.hash(run) == before


def existing_run_needs_resume_or_fresh(b):
    run = b.run("run", "--until", "1Myr", expect=10)
    text = b.call("run", b.world, "--out", run, ranks=2, expect=2)
    assert "--resume" in text and "--fresh" in text, text
    b.run("run", "--fresh")
    assert list(b.work.glob("run.old-*")), "old data is gone"


def damaged_checkpoint_falls_back_to_the_one_before(b):
    run = b.run("run", "--until", "3Myr", expect=10)
    newest = run / "checkpoints" / checkpoints(run)[-1] / "state.h5"
    data = bytearray(newest.read_bytes())
    data[len(data) // 2] ^= 1
    newest.write_bytes(data)
    wanted = b.hash(b.run("straight"))
    text = b.call("run", b.world, "--out", run, "--resume", ranks=3)
    assert newest.parent.name in text, f"rejection is not reported: {text}"
    assert b.hash(run) == wanted


def no_valid_checkpoint_is_exit_4(b):
    run = b.run("run", "--until", "2Myr", expect=10)
    for marker in (run / "checkpoints").glob("ckpt-*/COMMITTED"):
        marker.unlink()
    b.call("run", b.world, "--out", run, "--resume", ranks=2, expect=4)


def second_process_is_refused(b):
    first = b.start("run", b.world, "--out", b.work / "run", "--set", "time.end_yr=4.0e8")
    wait_for(lambda: (b.work / "run" / "status.json").exists(), first)
    try:
        b.call("run", b.world, "--out", b.work / "run", "--resume", ranks=2, expect=9)
    finally:
        first.kill()
        first.wait()


def wait_for(condition, process, seconds=60):
    end = time.time() + seconds
    while not condition():
        assert process.poll() is None, f"program ended early: {process.communicate()[0]}"
        assert time.time() < end, "waited too long"
        time.sleep(0.05)


def signals_leave_a_checkpoint(b):
    for number, name in ((signal.SIGUSR1, "usr1"), (signal.SIGTERM, "term"), (signal.SIGINT, "int")):
        run = b.work / name
        process = b.start("run", b.world, "--out", run, "--set", "time.end_yr=4.0e8", "--set", "checkpoint.interval_yr=0",
                          ranks=2 if number == signal.SIGUSR1 else 0)
        wait_for(lambda: (run / "series" / "diagnostics.csv").exists()
                 and len((run / "series" / "diagnostics.csv").read_text().splitlines()) > 3, process)
        process.send_signal(number)
        code = process.wait(timeout=60)
        assert code == 10, f"{name}: exit {code}\n{process.communicate()[0]}"
        assert b.status(run)["state"] == "stopped"
        assert len(checkpoints(run)) == 1, checkpoints(run)
        step = int(checkpoints(run)[0].split("-")[1])
        b.call("run", b.world, "--out", run, "--resume", "--set", f"time.end_yr={step + 1}.0e6", ranks=2)
        straight = b.run(f"{name}-straight", "--set", f"time.end_yr={step + 1}.0e6")
        assert b.hash(run) == b.hash(straight), "checkpoint of a signal differs from a straight run"


def walltime_stops_in_time(b):
    run = b.run("run", "--walltime", "0:01:01", "--set", "time.end_yr=4.0e8", ranks=2, expect=10)
    assert "wall time" in b.status(run)["reason"], b.status(run)
    assert checkpoints(run)


def control_files_are_obeyed(b):
    run = b.work / "run"
    process = b.start("run", b.world, "--out", run, "--set", "time.end_yr=4.0e8", "--set", "checkpoint.interval_yr=0", ranks=2)
    wait_for(lambda: (run / "series" / "diagnostics.csv").exists(), process)
    (run / "control").mkdir(exist_ok=True)
    (run / "control" / "checkpoint").touch()
    wait_for(lambda: checkpoints(run), process)
    (run / "control" / "stop").touch()
    assert process.wait(timeout=60) == 10
    assert "control/stop" in b.status(run)["reason"]


def changed_physics_needs_permission(b):
    run = b.run("run", "--until", "2Myr", expect=10)
    change = ("--set", "planet.obliquity_deg=40")
    text = b.call("run", b.world, "--out", run, "--resume", *change, ranks=2, expect=2)
    assert "planet.obliquity_deg" in text and "--allow-change" in text, text
    text = b.call("run", b.world, "--out", run, "--resume", "--allow-change", "--set", "planet.radius_m=5.0e6", expect=2)
    assert "planet.radius_m" in text, text
    b.run("run", "--resume", "--allow-change", *change)


def guard_is_exit_5_and_keeps_checkpoints(b):
    # A star seventy times too bright leaves the range of the insolation; what was saved stays.
    run = b.run("run", "--until", "3Myr", expect=10)
    kept = checkpoints(run)
    text = b.call("run", b.world, "--out", run, "--resume", "--allow-change", "--set", "planet.solar_constant_w_m2=1.0e5",
                  ranks=2, expect=5)
    for part in ("insolation_w_m2", "cell", "lon", "lat", "pass climate"):
        assert part in text, text
    assert checkpoints(run) == kept
    assert b.status(run)["state"] == "failed"
    b.run("run", "--resume")


def books_close(b):
    run = b.run("run", "--set", "time.end_yr=2.0e7", "--set", "checkpoint.interval_yr=0", ranks=2)
    books = json.loads((run / "books.json").read_text())
    for name in ("rock", "sediment", "water"):
        book = books[name]
        print(name, book["turnover_m3"], book["relative"], book["worst_step"])
        assert book["turnover_m3"] > 0, f"nothing was booked as {name}"
        assert book["relative"] <= 1e-10 and book["worst_step"] <= 1e-10, book


def every_rank_count_ends_with_the_same_code(b):
    for ranks in (1, 3, 8):
        b.call("run", b.work / "missing.yaml", ranks=ranks, expect=2)
        b.call("run", b.world, "--no-such-flag", ranks=ranks, expect=2)


def singletons_of_a_launcher_are_refused(b):
    b.call("run", b.world, "--out", b.work / "run", ranks=0, expect=8, env={"SLURM_NTASKS": "4", "SLURM_JOB_ID": "1"})


def more_ranks_than_blocks(b):
    small = ("--set", "mesh.frequency=6", "--set", "time.end_yr=2.0e6")
    assert b.hash(b.run("np1", *small)) == b.hash(b.run("np16", *small, ranks=16))


def series_has_no_duplicate_after_resume(b):
    run = b.run("run", "--until", "5Myr", expect=10)
    b.run("run", "--resume=3", ranks=2)
    with open(run / "series" / "diagnostics.csv", encoding="utf-8") as file:
        steps = [int(row["step"]) for row in csv.DictReader(file)]
    assert steps == list(range(7)), steps
    series = json.loads((run / "output" / "planet.hdf.series").read_text())
    times = [f["time"] for f in series["files"]]
    assert times == sorted(set(times)) and times == [0, 3, 6], times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case")
    parser.add_argument("--craton", required=True)
    parser.add_argument("--mpiexec", default="mpirun")
    parser.add_argument("--work", required=True)
    args = parser.parse_args()
    globals()[args.case](Bench(args.craton, args.mpiexec, args.work))
    print(f"{args.case}: passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
