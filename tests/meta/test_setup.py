#!/usr/bin/python3
"""scripts/setup and scripts/setup-kokkos without touching the system: missing packages, sources lists, a given Kokkos."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
RELEASE = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
CODENAME = RELEASE.get("VERSION_CODENAME", "").strip('"')

DEB822 = f"""Types: deb
# a comment
URIs: http://archive.example/debian
Suites: {CODENAME} {CODENAME}-updates
Components: main
Signed-By: /usr/share/keyrings/a.gpg

Types: deb
URIs: http://archive.example/security
Suites: {CODENAME}-security
Components: main

Enabled: no
Types: deb
URIs: http://disabled.example/debian
Suites: {CODENAME}
Components: main

Types: deb
URIs: http://other.example
Suites: nodistro
Components: main
"""
ONE_LINE = f"""deb [arch=amd64 signed-by=/a.gpg] http://archive.example/debian {CODENAME} main contrib
# deb http://commented.example/debian {CODENAME} main
deb-src http://source.example/debian {CODENAME} main
deb http://archive.example/debian {CODENAME}-updates main
deb http://other.example/tool {CODENAME} stable
deb http://archive.example/debian stable contrib main
"""


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, script, *arguments, **extra):
        environment = dict(os.environ, **extra)
        environment = {key: value for key, value in environment.items() if value is not None}
        return subprocess.run([str(SCRIPTS / script), *arguments], text=True, capture_output=True, env=environment,
                              timeout=60, check=False)

    def fake(self, name, text):
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def sources(self, **files):
        (self.folder / "apt" / "sources.list.d").mkdir(parents=True)
        for name, text in files.items():
            (self.folder / "apt" / name.replace("__", "/").replace("_", ".")).write_text(text)
        return self.call("setup-kokkos", "--print-sources", CRATON_APT_FOLDER=str(self.folder / "apt")).stdout

    @unittest.skipUnless(CODENAME, "this system has no release name")
    def test_a_deb822_list_gives_the_source_entries_of_this_release(self):
        output = self.sources(**{"sources.list.d__debian_sources": DEB822})
        self.assertEqual(output.count("Types: deb-src"), 1, output)
        self.assertIn("URIs: http://archive.example/debian\n", output)
        self.assertIn("Signed-By: /usr/share/keyrings/a.gpg", output)

    @unittest.skipUnless(CODENAME, "this system has no release name")
    def test_an_old_style_list_gives_the_source_entries_of_this_release(self):
        output = self.sources(sources_list=ONE_LINE)
        self.assertEqual(output.split("\n")[:-1], [
            f"deb-src [arch=amd64 signed-by=/a.gpg] http://archive.example/debian {CODENAME} main contrib",
            "deb-src http://archive.example/debian stable contrib main"])

    def test_a_missing_package_without_root_or_sudo_is_a_clear_sentence(self):
        self.fake("dpkg-query", "#!/bin/bash\nexit 1\n")
        self.fake("id", "#!/bin/bash\necho 1000\n")
        for tool in ("bash", "env", "dirname", "basename", "nproc", "grep", "awk", "sed", "sort", "find", "tr", "cat"):
            (self.folder / "bin" / tool).symlink_to(shutil.which(tool))
        result = self.call("setup", PATH=str(self.folder / "bin"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no sudo", result.stderr)
        self.assertIn("libopenmpi-dev", result.stderr)

    def test_check_names_what_is_missing(self):
        self.fake("dpkg-query", '#!/bin/bash\nshift 2\nfor p in "$@"; do [ $p = cmake ] || echo "$p installed"; done\n')
        result = self.call("setup", "--check", PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing packages: cmake\n", result.stdout)

    def test_a_kokkos_that_the_user_names_comes_first(self):
        config = self.folder / "given" / "lib" / "cmake" / "Kokkos"
        config.mkdir(parents=True)
        (config / "KokkosConfig.cmake").touch()
        for variable in ("Kokkos_ROOT", "CMAKE_PREFIX_PATH"):
            result = self.call("setup-kokkos", "--check", **{variable: str(self.folder / "given")})
            self.assertEqual(result.returncode, 0)
            self.assertIn(str(config), result.stdout)

    def test_no_kokkos_at_all_is_noticed(self):
        result = self.call("setup-kokkos", "--check", HOME=str(self.folder), Kokkos_ROOT=None, CMAKE_PREFIX_PATH=None)
        if "using the Kokkos" in result.stdout:
            self.skipTest("this system has a Kokkos of its own")
        self.assertEqual(result.returncode, 1)

    def test_an_unknown_option_is_refused(self):
        for script in ("setup", "setup-kokkos", "build", "quickstart", "check-format"):
            result = self.call(script, "--no-such-option")
            self.assertNotEqual(result.returncode, 0, script)
            self.assertIn("--no-such-option", result.stderr, script)

    def test_a_badly_formatted_file_is_refused(self):
        path = self.folder / "a.cpp"
        path.write_text("int   f( ){return 1 ;}\n")
        result = self.call("check-format", str(path))
        if result.returncode == 77:
            self.skipTest("there is no clang-format 14")
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()
