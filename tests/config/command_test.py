#!/usr/bin/env python3
"""The command as a whole: reference in docs, inputs, usage errors. Each case is one function."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys


class Bench:
    def __init__(self, craton, mpiexec, root):
        self.craton, self.mpiexec, self.root = craton, mpiexec, pathlib.Path(root)

    def call(self, *args, ranks=1, expect=0, env=None):
        launcher = [] if ranks == 1 else [self.mpiexec, "-n", str(ranks)]
        done = subprocess.run([*launcher, self.craton, *map(str, args)], capture_output=True, text=True, timeout=50,
                              check=False, env={**os.environ, **(env or {})})
        said = f"{' '.join(map(str, args))} on {ranks} ranks: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        assert done.returncode == expect, said
        return done.stdout, done.stderr


def reference_in_docs_is_current(b):
    made, _ = b.call("params", "--md")
    kept = (b.root / "docs/parameters.md").read_text(encoding="utf-8")
    assert made == kept, "docs/parameters.md is old: make it with craton params --md > docs/parameters.md"


def inputs_are_valid(b):
    paths = sorted((b.root / "input").glob("*.yaml"))
    assert {"quickstart.yaml", "earthlike.yaml", "highres.yaml"} <= {p.name for p in paths}
    for path in paths:
        out, err = b.call("validate", path)
        assert out == "" and err == "", f"{path.name}: validate is silent on a valid file"
    assert b.call("validate", paths[0], ranks=4) == ("", "")


def resolved_defaults_are_valid(b):
    out, _ = b.call("params")
    path = pathlib.Path(f"defaults.{os.getpid()}.yaml")
    path.write_text(out, encoding="utf-8")
    try:
        assert b.call("validate", path) == ("", "")
    finally:
        path.unlink()


def json_lists_every_parameter(b):
    listed = json.loads(b.call("params", "--json")[0])["parameters"]
    keys = {p["key"] for p in listed}
    assert {"seed", "mesh.frequency", "time.end_yr", "time.tectonic_step_yr", "output.interval_yr",
            "checkpoint.interval_yr", "planet.radius_m", "planet.obliquity_deg"} <= keys
    for p in listed:
        assert {"key", "type", "unit", "default", "class", "text"} <= set(p), p
        if p["type"] in ("real", "integer"):
            assert p["minimum"] <= p["default"] <= p["maximum"], p
        if p["type"] == "choice":
            assert p["default"] in p["choices"], p


def version_and_build_info_name_the_program(b):
    assert re.match(r"craton \d+\.\d+\.\d+ \(\S+\)\n$", b.call("--version")[0])
    info, _ = b.call("--build-info")
    for word in ("compiler", "flags", "Kokkos", "MPI", "HDF5"):
        assert re.search(rf"^{word} +\S", info, re.M), info


def usage_errors_are_said_once_and_exit_2(b):
    for args, message in ((("run", "p.yaml", "--unitl", "3"), "did you mean --until?"), (("rnu",), "did you mean run?"),
                          (("run",), "input is required"), ((), "needs a command")):
        for ranks in (1, 4):
            out, err = b.call(*args, ranks=ranks, expect=2)
            assert out == "" and message in err and err.count("craton: error: ") == 1, err


def missing_input_is_exit_2(b):
    for ranks in (1, 3):
        _, err = b.call("run", "missing.yaml", ranks=ranks, expect=2)
        assert err.count("craton: error: missing.yaml: cannot be read: No such file or directory") == 1, err


def singletons_are_exit_8(b):
    quickstart = b.root / "input/quickstart.yaml"
    _, err = b.call("run", quickstart, expect=8, env={"SLURM_NTASKS": "4"})
    assert "SLURM_NTASKS is 4" in err
    _, err = b.call("run", quickstart, expect=8, env={"SLURM_NTASKS": "4", "SLURM_PROCID": "2"})
    assert err == "", "only one of the singletons speaks"
    b.call("validate", quickstart, env={"SLURM_NTASKS": "4"})


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("case")
    arguments.add_argument("--craton", required=True)
    arguments.add_argument("--mpiexec", required=True)
    arguments.add_argument("--root", required=True)
    options = arguments.parse_args()
    globals()[options.case](Bench(options.craton, options.mpiexec, options.root))


if __name__ == "__main__":
    sys.exit(main())
