"""Grows a small planet and draws it: the files are as craton-post reads them.

usage: test_real_run.py CRATON FOLDER [LAUNCHER...]; the planet stays in FOLDER
"""
import os
import shutil
import subprocess
import sys
import unittest

import numpy as np
import synthetic_run

from craton_post import maps, rivers
from craton_post.run import Run

CRATON, FOLDER, *LAUNCHER = sys.argv[1:]
INPUT = """seed: 5
mesh:
  frequency: 20
time:
  end_yr: 2.0e6
  tectonic_step_yr: 1.0e6
output:
  interval_yr: 1.0e6
"""


class RealRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        os.makedirs(FOLDER)
        path = os.path.join(FOLDER, "input.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(INPUT)
        done = subprocess.run([*LAUNCHER, CRATON, "run", path, "--out", FOLDER], text=True, capture_output=True,
                              timeout=250, check=False)
        if done.returncode != 0:
            raise AssertionError(f"craton run ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")

    def test_snapshots_and_mesh_are_read(self):
        run = Run(FOLDER)
        self.assertEqual([snapshot.step for snapshot in run.snapshots("all")], [0, 1, 2])
        mesh = run.mesh(run.snapshots()[0])
        self.assertEqual(mesh.count, 10 * 20 ** 2 + 2)
        self.assertEqual((mesh.degree == 5).sum(), 12)
        self.assertAlmostEqual(mesh.area_m2.sum() / (4 * np.pi * mesh.radius_m ** 2), 1, places=6)
        nearest = np.linalg.norm(mesh.centres[mesh.neighbours[:, 0]] - mesh.centres, axis=1) * mesh.radius_m
        self.assertLess(nearest.max(), 1.5 * mesh.spacing_m)
        self.assertEqual(run.seed(), "5")

    def test_the_rivers_that_are_found_carry_the_drainage_areas(self):
        run = Run(FOLDER)
        snapshot = run.snapshots()[0]
        mesh, height = run.mesh(snapshot), snapshot.read("height_above_sea_m").astype(float)
        area = snapshot.read("drainage_area_m2").astype(float)
        receiver = rivers.receivers(mesh, area, height)
        total = mesh.area_m2.copy()
        for cell in np.argsort(area):
            if receiver[cell] >= 0:
                total[receiver[cell]] += total[cell]
        right = np.abs(total - area) < 1e-5 * area
        self.assertGreater(right[height >= 0].mean(), 0.97)

    def test_every_map_is_drawn_with_nothing_left_out(self):
        program = os.path.join(synthetic_run.ROOT, "scripts", "craton-post")
        for arguments in (("report", FOLDER, "--width", "600"), ("sheet", FOLDER)):
            done = subprocess.run([program, *arguments], text=True, capture_output=True, timeout=200, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("no ", done.stdout.replace(FOLDER, ""))
        drawn = set(os.listdir(Run(FOLDER).maps_dir()))
        self.assertLessEqual({f"{name}-mollweide-00002.png" for name in maps.MAPS}, drawn)
        self.assertLessEqual({"sheet.png", "series.png", "hypsometry.png"}, drawn)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
