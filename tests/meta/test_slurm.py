#!/usr/bin/python3
"""Logic of slurm/craton.sbatch with stand-ins for sbatch, squeue, srun and the program: no scheduler is needed."""
import os
import pathlib
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The program: writes status.json and a checkpoint as told by environment variables, and ends with FAKE_CODE.
FAKE_CRATON = r"""#!/bin/bash
echo "$*" >>"$LOGS/craton"
run=""
while [ $# -gt 0 ]; do [ "$1" = --out ] && run="$2"; shift; done
status() {
  mkdir -p "$run"
  printf '{\n  "state": "%s",\n  "reason": "%s",\n  "heartbeat": "%s"\n}\n' "$1" "$2" "$(date +%s.%N)" >"$run/status.json"
}
commit() { mkdir -p "$run/checkpoints/ckpt-$1"; touch "$run/checkpoints/ckpt-$1/COMMITTED"; }
stop=""
sleep "${FAKE_START_S:-0}"  # a signal kills it while it starts, as it would kill the real one
trap 'echo "USR1 $(date +%s.%N)" >>"$LOGS/signals"; stop="signal USR1"' USR1
trap 'echo TERM >>"$LOGS/signals"; stop="signal TERM, INT or XCPU"' TERM
[ -n "${FAKE_NO_STATUS:-}" ] || status running ""
for _ in $(seq $((${FAKE_WAIT_S:-0} * 10))); do
  sleep 0.1
  if [ -n "$stop" ]; then
    sleep 1  # the step in progress
    [ -n "${FAKE_MUTE:-}" ] && exit 1
    commit 00007
    status stopped "$stop"
    exit 10
  fi
done
[ -n "${FAKE_COMMIT:-}" ] && commit "$FAKE_COMMIT"
[ -n "${FAKE_STATE:-}" ] && status "$FAKE_STATE" "${FAKE_REASON:-}"
exit "${FAKE_CODE:-0}"
"""
FAKE = {
    "sbatch": '#!/bin/bash\necho "$*" >>"$LOGS/sbatch"\n',
    "scancel": '#!/bin/bash\necho "$*" >>"$LOGS/scancel"\n',
    "squeue": '#!/bin/bash\ncase "$*" in *TimeLeft*) echo "${FAKE_LEFT:-4:00}" ;; *TimeLimit*) echo 4:00:00 ;; esac\n',
    "srun": '#!/bin/bash\ncase "$*" in *--mpi=list*) echo "${FAKE_MPI:-none pmi2}"; exit ;; esac\n'
    'echo "$*" >>"$LOGS/srun"\nwhile [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"\n',
    # The real one returns 1 when TERM ended the program in good order, and passes USR1 on.
    "mpirun": '#!/bin/bash\necho "$*" >>"$LOGS/mpirun"\nwhile [ "$1" != ./craton ]; do shift; done\n'
    '"$@" & p=$!\ntrap \'kill -USR1 $p\' USR1\nterm=0; trap \'term=1; kill -TERM $p\' TERM\n'
    "wait $p; code=$?; while kill -0 $p 2>/dev/null; do wait $p; code=$?; done\n"
    "[ $code -gt 128 ] && { wait $p; code=$?; }\n[ $term -eq 1 ] && exit 1\nexit $code\n",
}


class JobScript(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("bin", "logs", "slurm"):
            (self.folder / name).mkdir()
        for name, text in FAKE.items():
            self.write(self.folder / "bin" / name, text)
        self.write(self.folder / "craton", FAKE_CRATON)
        shutil.copy(ROOT / "slurm" / "craton.sbatch", self.folder / "slurm")
        self.run_folder = self.folder / "run"

    @staticmethod
    def write(path, text):
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def start(self, **extra):
        environment = dict(
            os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}", LOGS=str(self.folder / "logs"),
            SLURM_SUBMIT_DIR=str(self.folder), SLURM_JOB_ID="11", SLURM_JOB_NAME="planet", SLURM_NTASKS="4",
            SLURM_JOB_NUM_NODES="2", SLURM_CPUS_PER_TASK="2", CRATON_CONFIG="a.yaml", CRATON_RUN=str(self.run_folder),
            CRATON_PROGRAM="./craton", **extra)
        return subprocess.Popen(["bash", str(self.folder / "slurm" / "craton.sbatch")], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def job(self, **extra):
        process = self.start(**extra)
        self.output, _ = process.communicate(timeout=60)
        return process.returncode

    def log(self, name):
        path = self.folder / "logs" / name
        return path.read_text().splitlines() if path.exists() else []

    def wait_for(self, condition):
        for _ in range(200):
            if condition():
                return
            time.sleep(0.05)
        self.fail("the program did not start")

    def running(self):
        return (self.run_folder / "status.json").exists()

    def test_a_stopped_run_submits_the_next_job_which_resumes(self):
        code = self.job(FAKE_STATE="stopped", FAKE_REASON="wall time is nearly used up", FAKE_CODE="10", FAKE_COMMIT="00003")
        self.assertEqual(code, 0, self.output)
        self.assertEqual(len(self.log("sbatch")), 1)
        for option in ("--ntasks=4", "--nodes=2", "--job-name=planet", "--time=4:00:00", "slurm/craton.sbatch"):
            self.assertIn(option, self.log("sbatch")[0])
        self.assertNotIn("--resume", self.log("craton")[0])
        self.job(FAKE_STATE="finished", FAKE_COMMIT="00009")
        self.assertIn("--resume=auto", self.log("craton")[1])
        self.assertEqual(len(self.log("sbatch")), 1)

    def test_the_time_left_is_passed_as_walltime(self):
        self.job(FAKE_STATE="finished", FAKE_LEFT="1-02:03:04")
        self.assertIn("--walltime 26:03:04", self.log("craton")[0])
        self.job(FAKE_STATE="finished", FAKE_LEFT="5:06")
        self.assertIn("--walltime 0:05:06", self.log("craton")[1])
        self.job(FAKE_STATE="finished", FAKE_LEFT="UNLIMITED")
        self.assertNotIn("--walltime", self.log("craton")[2])

    def test_a_finished_run_ends_the_chain(self):
        self.assertEqual(self.job(FAKE_STATE="finished", CRATON_CHAIN="1", CRATON_RESUBMIT="0"), 0)
        self.assertEqual(self.log("sbatch"), [])
        self.assertIn("--state=PENDING", self.log("scancel")[0])

    def test_a_failed_run_submits_nothing_and_returns_its_code(self):
        self.assertEqual(self.job(FAKE_STATE="failed", FAKE_CODE="5", FAKE_COMMIT="00003"), 5)
        # mpirun does not always return the program's code.
        self.assertEqual(self.job(FAKE_STATE="failed", FAKE_CODE="1", FAKE_COMMIT="00004"), 1)
        self.assertEqual(self.log("sbatch"), [])

    def test_a_program_that_never_wrote_its_status_is_judged_by_its_code(self):
        self.job(FAKE_STATE="stopped", FAKE_REASON="signal USR1", FAKE_CODE="10", FAKE_COMMIT="00003")
        self.assertEqual(self.job(FAKE_NO_STATUS="1", FAKE_CODE="8"), 8, "a status of the job before must not count")
        self.assertEqual(len(self.log("sbatch")), 1)

    def test_a_killed_program_goes_on_as_long_as_checkpoints_come(self):
        self.assertEqual(self.job(FAKE_CODE="137", FAKE_COMMIT="00003"), 0)
        self.assertEqual(len(self.log("sbatch")), 1)

    def test_two_jobs_without_progress_end_the_chain(self):
        stopped = dict(FAKE_STATE="stopped", FAKE_REASON="signal USR1", FAKE_CODE="10")
        self.assertEqual(self.job(**stopped), 0)
        self.assertEqual(len(self.log("sbatch")), 1)
        self.assertEqual(self.job(**stopped), 10)
        self.assertEqual(len(self.log("sbatch")), 1)
        self.assertIn("no new checkpoint", self.output)

    def test_progress_forgives_an_idle_job(self):
        stopped = dict(FAKE_STATE="stopped", FAKE_REASON="signal USR1", FAKE_CODE="10")
        self.job(**stopped)
        self.job(FAKE_COMMIT="00008", **stopped)
        self.assertEqual(self.job(**stopped), 0)
        self.assertEqual(len(self.log("sbatch")), 3)

    def test_checkpoints_without_marker_are_no_progress(self):
        (self.run_folder / "checkpoints" / "ckpt-00005").mkdir(parents=True)
        (self.run_folder / "checkpoints" / "ckpt-00006.part-11").mkdir(parents=True)
        self.job(FAKE_STATE="finished")
        self.assertNotIn("--resume", self.log("craton")[0])

    def test_a_stop_that_the_user_asked_for_submits_nothing(self):
        self.assertEqual(self.job(FAKE_STATE="stopped", FAKE_REASON="control/stop was found", FAKE_CODE="10", FAKE_COMMIT="00003"), 10)
        self.assertEqual(self.log("sbatch"), [])

    def test_usr1_reaches_the_program_once(self):
        for launcher in ("none pmi2", "none pmix pmi2"):
            with self.subTest(launcher=launcher):
                shutil.rmtree(self.run_folder, ignore_errors=True)
                (self.folder / "logs" / "signals").unlink(missing_ok=True)
                process = self.start(FAKE_WAIT_S="30", FAKE_MPI=launcher)
                self.wait_for(self.running)
                process.send_signal(signal.SIGUSR1)
                self.wait_for(lambda: self.log("signals"))
                process.send_signal(signal.SIGUSR1)
                self.output, _ = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 0, self.output)
                self.assertEqual(len(self.log("signals")), 1)
                self.assertIn("ended with code 10, state 'stopped'", self.output)
        self.assertEqual(len(self.log("sbatch")), 2)
        self.assertEqual(len(self.log("mpirun")), 1)
        self.assertEqual(len(self.log("srun")), 1)

    def test_usr1_waits_until_the_program_runs(self):
        process = self.start(FAKE_WAIT_S="30", FAKE_START_S="2")
        self.wait_for(lambda: self.log("craton"))
        self.assertFalse(self.running())
        began = time.time()
        process.send_signal(signal.SIGUSR1)
        self.output, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, self.output)
        self.assertGreater(float(self.log("signals")[0].split()[1]), began + 1.5)

    def test_usr1_long_before_the_limit_is_ignored(self):
        process = self.start(FAKE_WAIT_S="2", FAKE_LEFT="3:00:00", FAKE_STATE="finished")
        self.wait_for(self.running)
        process.send_signal(signal.SIGUSR1)
        self.output, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0, self.output)
        self.assertEqual(self.log("signals"), [])

    def test_a_cancelled_job_stops_the_program_in_good_order_and_submits_nothing(self):
        process = self.start(FAKE_WAIT_S="30")
        self.wait_for(self.running)
        process.send_signal(signal.SIGTERM)
        self.output, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 10, self.output)
        self.assertEqual(self.log("signals"), ["TERM"])
        self.assertEqual(self.log("sbatch"), [])

    def test_a_cancelled_job_submits_nothing_even_if_the_program_could_not_say_so(self):
        process = self.start(FAKE_WAIT_S="30", FAKE_MUTE="1")
        self.wait_for(self.running)
        process.send_signal(signal.SIGTERM)
        self.output, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 10, self.output)
        self.assertEqual(self.log("sbatch"), [])

    def test_a_missing_program_is_one_sentence_and_an_error(self):
        (self.folder / "craton").unlink()
        self.assertEqual(self.job(), 2)
        self.assertIn("there is no program ./craton", self.output)


class Helpers(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, script, *arguments, **extra):
        return subprocess.run([str(ROOT / "slurm" / script), *arguments], text=True, capture_output=True,
                              env=dict(os.environ, **extra), timeout=20, check=False)

    def test_stop_and_checkpoint_leave_their_request(self):
        (self.folder / "status.json").write_text("{}")
        for name in ("stop", "checkpoint"):
            self.assertEqual(self.call(f"{name}-now.sh", str(self.folder)).returncode, 0)
            self.assertTrue((self.folder / "control" / name).exists())

    def test_stop_refuses_what_is_no_run(self):
        result = self.call("stop-now.sh", str(self.folder))
        self.assertEqual(result.returncode, 2)
        self.assertIn("not a run directory", result.stderr)
        self.assertFalse((self.folder / "control").exists())

    def test_chain_submits_n_jobs_that_submit_none(self):
        log = self.folder / "log"
        fake = self.folder / "sbatch"
        fake.write_text(f'#!/bin/bash\necho "$CRATON_RESUBMIT $*" >>"{log}"\n')
        fake.chmod(0o755)
        result = self.call("chain.sh", "3", "--nodes=2", PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(log.read_text().splitlines(), ["0 --export=ALL --nodes=2 slurm/craton.sbatch"] * 3)

    def test_chain_wants_a_count(self):
        self.assertEqual(self.call("chain.sh", "many").returncode, 2)


if __name__ == "__main__":
    unittest.main()
