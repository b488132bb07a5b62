#!/usr/bin/python3
"""What the documentation names exists: links, scripts, sources, presets; the mission's rows name real tests.

usage: test_docs.py BUILD_FOLDER
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 and not sys.argv[-1].startswith("-") else None
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "slurm").glob("*.md")])
# Made by a run or a build, so not in a fresh clone.
MADE = ("build/", "runs/", "output/", "checkpoints/", "series/", "control/", "snapshots/", "mesh/")


def mission_marks():
    """Row id -> files of tests that carry `mission: <row>`."""
    marks = {}
    for path in (ROOT / "tests").rglob("*"):
        if path.suffix in (".cpp", ".py") and path != pathlib.Path(__file__).resolve():
            for rows in re.findall(r"(?://|#) mission: ([A-Z]\d+(?:, ?[A-Z]\d+)*)", path.read_text(encoding="utf-8")):
                for row in re.split(r", ?", rows):
                    marks.setdefault(row, set()).add(path.relative_to(ROOT).as_posix())
    return marks


class Documentation(unittest.TestCase):
    def test_every_link_leads_to_a_file(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
                if re.match(r"[a-z]+:", target) or target.startswith("#"):
                    continue
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((page.parent / target.split("#")[0]).exists())

    def test_every_path_in_code_marks_exists(self):
        pattern = re.compile(r"(?<![\w/.])((?:scripts|src|tests|slurm|docs|input|cmake|spack)/[\w./-]+)")
        for page in PAGES:
            for path in pattern.findall(page.read_text(encoding="utf-8")):
                path = path.rstrip(".,:;-")
                with self.subTest(page=page.name, path=path):
                    self.assertTrue((ROOT / path).exists())

    def test_every_script_answers_to_help(self):
        for name in ("setup", "setup-kokkos", "build", "test", "quickstart", "check-format", "check-layering"):
            result = subprocess.run([str(ROOT / "scripts" / name), "--help"], text=True, capture_output=True, timeout=20,
                                    check=False)
            with self.subTest(script=name):
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("usage:", result.stdout)

    def test_the_readme_picture_is_small(self):
        self.assertLess((ROOT / "docs" / "images" / "quickstart.png").stat().st_size, 300_000)

    def test_presets_are_those_that_the_guide_lists(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        names = {p["name"] for p in presets["configurePresets"] if not p.get("hidden")}
        table = (ROOT / "docs" / "developer_guide.md").read_text().split("| preset | for |")[1].split("\n\n")[0]
        listed = {name.strip() for row in re.findall(r"^\| ([a-z, ]+) \|", table, re.M) for name in row.split(",")}
        self.assertEqual(names, listed)
        for kind in ("buildPresets", "testPresets"):
            self.assertEqual(names, {p["name"] for p in presets[kind] if not p.get("hidden")})


class Mission(unittest.TestCase):
    def setUp(self):
        text = (ROOT / "docs" / "mission.md").read_text(encoding="utf-8")
        self.rows = {cells[0]: cells for cells in
                     ([c.strip() for c in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| "))}

    def test_every_marked_test_is_named_by_its_row(self):
        for row, files in mission_marks().items():
            with self.subTest(row=row, files=sorted(files)):
                self.assertIn(row, self.rows)
                for file in files:
                    self.assertIn(file, " ".join(self.rows[row]))

    def test_every_test_that_a_row_names_exists(self):
        for row, cells in self.rows.items():
            for file in re.findall(r"tests/[\w/.-]+\.(?:cpp|py)", " ".join(cells)):
                with self.subTest(row=row, file=file):
                    self.assertTrue((ROOT / file).exists())


@unittest.skipUnless(BUILD and (BUILD / "CTestTestfile.cmake").exists(), "no build folder was given")
class CTest(unittest.TestCase):
    def test_every_recipe_of_the_documentation_is_a_valid_input(self):
        craton = BUILD / "bin" / "craton"
        count = 0
        for page in PAGES:
            for text in re.findall(r"^```yaml\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
                count += 1
                with self.subTest(page=page.name, text=text), tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                    file.write(text)
                    file.flush()
                    result = subprocess.run([str(craton), "validate", file.name], text=True, capture_output=True, timeout=60,
                                            check=False)
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertGreater(count, 5)

    def test_names_begin_with_a_level(self):
        listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=BUILD, text=True, capture_output=True, check=True)
        names = [test["name"] for test in json.loads(listed.stdout)["tests"]]
        self.assertGreater(len(names), 0)
        for name in names:
            with self.subTest(name=name):
                self.assertRegex(name, r"^(meta|unit|mpi|physics|convergence|system|perf)\.[\w.-]+$")


if __name__ == "__main__":
    unittest.main()
