"""craton-post as users call it, on a synthetic planet: which pictures there are, what is on them, what errors say."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import numpy as np
import synthetic_run
from PIL import Image

from craton_post import maps, palettes, projection
from craton_post.run import Run

PROGRAM = os.path.join(synthetic_run.ROOT, "scripts", "craton-post")


def post(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, timeout=200, check=False)


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.run_dir = os.path.join(cls.folder.name, "planet")
        synthetic_run.make(cls.run_dir)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def out(self, name):
        path = os.path.join(self.folder.name, name)
        shutil.rmtree(path, ignore_errors=True)
        return path

    def test_maps_draws_each_map_and_names_the_files(self):
        out = self.out("all")
        result = post("maps", self.run_dir, "--width", 500, "--out", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        names = sorted(os.listdir(out))
        self.assertEqual(sorted(os.path.basename(line) for line in result.stdout.split()), names)
        self.assertEqual({name.split("-")[0] for name in names}, set(maps.MAPS))
        for name in names:
            with self.subTest(picture=name), Image.open(os.path.join(out, name)) as image:
                self.assertEqual(image.width, 500)
                pixels = np.asarray(image.convert("RGB")).reshape(-1, 3)
                self.assertGreater(len(np.unique(pixels // 16, axis=0)), 15)
                self.assertGreater(pixels.std(axis=0).max(), 15)

    def test_every_projection_is_drawn_when_asked(self):
        out = self.out("projections")
        result = post("maps", self.run_dir, "--width", 300, "--fields", "elevation", "--projection", "all",
                      "--out", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(os.listdir(out)), [f"elevation-{name}-00010.png" for name in sorted(projection.NAMES)])

    def test_land_and_sea_lie_where_they_are(self):
        run = Run(self.run_dir)
        scene = maps.Scene(run, run.snapshots()[0])
        view = maps.View(scene, projection.Equirectangular(), 400)
        raster = view.spread(view.height)
        self.assertGreater(raster[100, 200], 0)  # longitude 0
        self.assertLess(raster[100, 5], -5000)   # the other side
        exact = np.average(scene.height >= 0, weights=scene.mesh.area_m2)
        latitude = np.radians(90 - (np.arange(200) + 0.5) * 0.9)
        drawn = np.average(raster >= 0, weights=np.repeat(np.cos(latitude)[:, None], 400, axis=1))
        self.assertAlmostEqual(drawn, exact, delta=0.02)

    def test_the_sea_is_blue_and_land_is_not(self):
        colour = palettes.Hypsometric()(np.array([-5000.0, -1.0, 1.0, 3000.0]))
        self.assertTrue((colour[:2, 2] > colour[:2, 0]).all())
        self.assertTrue((colour[2:, 2] < np.maximum(colour[2:, 0], colour[2:, 1])).all())

    def test_light_comes_from_the_north_west(self):
        run = Run(self.run_dir)
        scene = maps.Scene(run, run.snapshots()[0])
        scene.height = 3000 - 8000 * np.abs(scene.mesh.centres[:, 1])  # a ridge along longitude 0
        view = maps.View(scene, projection.Equirectangular(), 400)
        shade = view.spread(view.shade)
        self.assertGreater(shade[100, 190], shade[100, 210] + 0.2)

    def test_neighbouring_plates_differ_in_colour(self):
        run = Run(self.run_dir)
        snapshot = run.snapshots()[0]
        colours = palettes.plate_colours(run.mesh(snapshot), snapshot.read("plate"))
        self.assertGreater(np.abs(colours[0] - colours[1]).max(), 0.05)

    def test_the_sheet_is_small(self):
        path = os.path.join(self.folder.name, "sheet.png")
        self.assertEqual(post("sheet", self.run_dir, "--out", path).returncode, 0)
        self.assertLess(os.path.getsize(path), 300_000)
        self.assertEqual(post("sheet", self.run_dir, "--out", path, "--largest-kb", 60).returncode, 0)
        self.assertLess(os.path.getsize(path), 60_000)

    def test_the_report_links_pictures_that_exist(self):
        result = post("report", self.run_dir, "--width", 300)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(os.path.join(self.run_dir, "report.html"), encoding="utf-8") as file:
            page = file.read()
        links = re.findall(r'src="([^"]+)"', page)
        self.assertEqual(len(links), len(maps.MAPS) + 4)
        for link in links:
            self.assertFalse(os.path.isabs(link))
            self.assertTrue(os.path.isfile(os.path.join(self.run_dir, link)), link)
        self.assertIn("28.0", page)  # land of the last whole line, in per cent
        self.assertIn("seed 77", page)

    def test_steps_are_chosen_by_number(self):
        out = self.out("steps")
        choice = ("--width", 300, "--fields", "rain", "--out", out)
        self.assertEqual(post("maps", self.run_dir, "--step", "0", *choice).returncode, 0)
        self.assertEqual(os.listdir(out), ["rain-mollweide-00000.png"])
        self.assertEqual(post("maps", self.run_dir, "--step", "all", *choice).returncode, 0)
        self.assertEqual(len(os.listdir(out)), 2)
        result = post("maps", self.run_dir, "--step", "5", *choice)
        self.assertEqual(result.returncode, 3)
        self.assertIn("it has 0, 10", result.stderr)

    def test_errors_are_one_sentence(self):
        empty = os.path.join(self.folder.name, "empty")
        os.makedirs(empty, exist_ok=True)
        cases = (
            (("maps", os.path.join(self.folder.name, "none")), 3, "no run directory"),
            (("maps", empty), 3, "no snapshots"), (("series", empty), 3, "no snapshots"),
            (("maps", self.run_dir, "--fields", "elevatoin"), 2, "did you mean elevation"),
            (("maps", self.run_dir, "--fields", ","), 2, "names no map"),
            (("maps", self.run_dir, "--fields", "rain", "--out", os.path.join(PROGRAM, "x")), 6, "cannot write"))
        for arguments, code, text in cases:
            with self.subTest(arguments=arguments):
                result = post(*arguments)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(text, result.stderr)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1)

    def test_a_damaged_snapshot_is_named(self):
        damaged = os.path.join(self.folder.name, "damaged")
        shutil.copytree(self.run_dir, damaged)
        path = os.path.join(damaged, "output", "snapshots", "snap-00010.hdf")
        with open(path, "r+b") as file:
            file.truncate(100)
        result = post("maps", damaged)
        self.assertEqual(result.returncode, 3)
        self.assertIn("snap-00010.hdf is not a snapshot", result.stderr)

    def test_a_map_without_its_field_is_left_out_or_refused(self):
        dry = os.path.join(self.folder.name, "dry")
        if not os.path.isdir(dry):
            synthetic_run.make(dry, frequency=4, leave_out=("koppen",), series=False)
        result = post("maps", dry, "--width", 300)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("no map koppen", result.stdout)
        result = post("maps", dry, "--fields", "koppen")
        self.assertEqual(result.returncode, 3)
        self.assertIn("koppen", result.stderr)


if __name__ == "__main__":
    unittest.main()
