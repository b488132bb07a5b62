# SPDX-License-Identifier: BSD-3-Clause
from spack.package import *


class Craton(CMakePackage):
    """Distributed planet simulator: tectonics, landscape and climate on a hexagonal sphere.

    From a checkout:  spack repo add spack && spack develop --path $PWD craton@main && spack install craton
    """

    maintainers = []
    license("BSD-3-Clause")

    version("main")
    version("0.1.0")

    variant("tests", default=False, description="Build the tests")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi@3:")
    depends_on("hdf5@1.10.7: +mpi")
    depends_on("kokkos@3.4:5 +serial")
    depends_on("yaml-cpp@0.6.3:")
    depends_on("spdlog")
    depends_on("cli11")
    depends_on("nlohmann-json@3:")
    depends_on("googletest +gmock", when="+tests", type="build")

    generator("ninja")

    def cmake_args(self):
        return [self.define_from_variant("BUILD_TESTING", "tests")]
