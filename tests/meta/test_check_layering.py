#!/usr/bin/python3
"""scripts/check-layering finds each kind of fault, in small trees made for it."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check-layering"


def check(files):
    """Exit code and output for a tree with these files under src/."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / "src" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        result = subprocess.run([str(SCRIPT), "--root", folder], text=True, capture_output=True, check=False)
        return result.returncode, result.stdout


class Layering(unittest.TestCase):
    def refused(self, name, text, message):
        code, output = check({name: text})
        self.assertEqual(code, 1, output)
        self.assertIn(f"src/{name}:1: ", output)
        self.assertIn(message, output)

    def accepted(self, name, text):
        code, output = check({name: text})
        self.assertEqual(code, 0, output)

    def test_an_arrow_against_the_direction_is_refused(self):
        for folder, header in [("core", "state/state.hpp"), ("grid", "par/comm.hpp"), ("par", "grid/partition.hpp"),
                               ("mesh", "state/state.hpp"), ("state", "io/checkpoint.hpp"), ("state", "config/load.hpp"),
                               ("config", "mesh/mesh.hpp"), ("io", "physics/surface/routing.hpp"), ("io", "driver/run.hpp"),
                               ("driver", "app/commands.hpp"), ("physics/surface", "io/checkpoint.hpp"),
                               ("physics/surface", "physics/climate/wind.hpp"), ("physics/surface", "config/load.hpp"),
                               ("physics/isostasy", "physics/tectonics/motion.hpp"),
                               ("physics/climate", "driver/schedule.hpp")]:
            with self.subTest(folder=folder, header=header):
                self.refused(f"{folder}/a.cpp", f'#include "{header}"\n', f'may not include "{header}"')

    def test_an_arrow_in_the_direction_is_accepted(self):
        for folder, header in [("app", "driver/run.hpp"), ("driver", "physics/surface/routing.hpp"), ("io", "state/state.hpp"),
                               ("io", "config/load.hpp"), ("physics/surface", "config/parameters.hpp"),
                               ("physics/tectonics", "physics/isostasy/heights.hpp"), ("state", "mesh/mesh.hpp"),
                               ("mesh", "par/comm.hpp"), ("config", "core/error.hpp"), ("grid", "grid/partition.hpp")]:
            with self.subTest(folder=folder, header=header):
                self.accepted(f"{folder}/a.cpp", f'#include "{header}"\n')

    def test_mpi_is_called_in_par_io_and_app_alone(self):
        self.refused("driver/a.cpp", "int f() { return MPI_Barrier(c); }\n", "may not call MPI")
        self.refused("state/a.cpp", "#include <mpi.h>\n", "may not call MPI")
        self.accepted("par/a.cpp", "int f() { return MPI_Barrier(c); }\n")
        self.accepted("driver/a.cpp", "// MPI_Barrier is not called here\n")

    def test_the_world_communicator_belongs_to_the_application(self):
        self.refused("par/a.cpp", "auto c = MPI_COMM_WORLD;\n", "belongs to src/app")
        self.accepted("app/a.cpp", "auto c = MPI_COMM_WORLD;\n")

    def test_a_kernel_without_its_label_is_refused(self):
        self.refused("core/a.cpp", "void f() { Kokkos::parallel_for(n, g); }\n", "label")
        self.refused("core/a.cpp", 'void f() { Kokkos::parallel_reduce("sum", n, g, s); }\n', "label")
        self.accepted("core/a.cpp", 'void f() { Kokkos::parallel_for(\n  "craton::surface::move_rock", n, g); }\n')

    def test_a_wrapper_passes_its_label_on(self):
        self.accepted("core/a.cpp", "void f(const char* label) { Kokkos::parallel_for(label, n, g); }\n")
        self.accepted("core/a.cpp", 'void f() { for_cells("craton::climate.wind::turn_wind", n, g); }\n')
        self.refused("core/a.cpp", 'void f() { for_cells("wind", n, g); }\n', "label")

    def test_unfinished_work_and_sentinels_are_refused(self):
        self.refused("core/a.cpp", "int a;  // TODO later\n", "unfinished")
        self.refused("core/a.cpp", "double none = -999.0;\n", "sentinel")

    def test_a_header_without_pragma_once_is_refused(self):
        self.refused("core/a.hpp", "int f();\n", "pragma once")

    def test_globbing_is_refused(self):
        self.refused("core/CMakeLists.txt", "file(GLOB sources *.cpp)\n", "globbed")

    def test_a_folder_without_a_layer_is_refused(self):
        self.refused("extra/a.cpp", "int a;\n", "no place in the layers")

    def test_an_empty_tree_is_an_error(self):
        self.assertEqual(check({})[0], 1)


if __name__ == "__main__":
    unittest.main()
