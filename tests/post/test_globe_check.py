"""render-globe --check can fail: copies of a planet with one fault each. Exits 77 where ParaView is not installed.

usage: test_globe_check.py PLANET
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import synthetic_run

PLANET = sys.argv[1]


def check(path, *options):
    program = os.path.join(synthetic_run.ROOT, "scripts", "render-globe")
    return subprocess.run([program, path, "--check", "--size", "300", *options], text=True, capture_output=True,
                          timeout=200, check=False)


class GlobeCheck(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.copy = os.path.join(self.folder.name, "planet")
        shutil.copytree(os.path.join(PLANET, "output"), os.path.join(self.copy, "output"))
        with open(os.path.join(self.copy, "output", "planet.hdf.series"), encoding="utf-8") as file:
            self.series = json.load(file)
        self.last = os.path.join(self.copy, "output", self.series["files"][-1]["name"])

    def expect(self, text, *options):
        result = check(self.copy, *options)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(text, result.stderr)

    def test_a_field_with_a_wrong_unit(self):
        with h5py.File(self.last, "r+") as file:
            file["VTKHDF/CellData/temperature_c"].attrs["units"] = "K"
        self.expect("temperature_c is in 'K', not in degree_Celsius")

    def test_a_missing_field(self):
        with h5py.File(self.last, "r+") as file:
            del file["VTKHDF/CellData/koppen"]
        self.expect("has no field koppen")

    def test_a_planet_of_one_height(self):
        with h5py.File(self.last, "r+") as file:
            data = file["VTKHDF/CellData/height_above_sea_m"]
            data[...] = np.full(data.shape, -3000, dtype=np.float32)
        self.expect("all heights are -3000")

    def test_a_field_that_is_not_there(self):
        self.expect("no field nonsense", "--field", "nonsense")


if __name__ == "__main__":
    if not (shutil.which("pvbatch") and shutil.which("Xvfb")):
        print("skipped: pvbatch or Xvfb is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
