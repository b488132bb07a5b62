#include "app/build_facts.hpp"

#include <hdf5.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>

#include "app/build_flags.hpp"
#include "core/build_info.hpp"

namespace craton::app {

namespace {

std::string kokkos_text() {
  const std::string version = std::to_string(KOKKOS_VERSION / 10000) + '.' +
                              std::to_string(KOKKOS_VERSION / 100 % 100) + '.' + std::to_string(KOKKOS_VERSION % 100);
  return version + ", kernels on " + Kokkos::DefaultExecutionSpace::name() + ", host " +
         Kokkos::DefaultHostExecutionSpace::name();
}

std::string mpi_text() {
  char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0, major = 0, minor = 0;
  MPI_Get_library_version(library, &length);
  MPI_Get_version(&major, &minor);
  const std::string name(library);
  return name.substr(0, name.find_first_of(",\n")) + ", standard " + std::to_string(major) + '.' +
         std::to_string(minor);
}

std::string hdf5_text() {
  unsigned major = 0, minor = 0, release = 0;
  if (H5get_libversion(&major, &minor, &release) < 0) return "unknown";
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(release) + ", parallel";
}

}  // namespace

std::string version_text() {
  return std::string("craton ") + build_version() + " (" + build_git_hash() + ")\n";
}

std::string build_info_text() {
  return version_text() + "compiler   " + CRATON_COMPILER + "\nbuild type " + CRATON_BUILD_TYPE + "\nflags      " +
         CRATON_FLAGS + "\nKokkos     " + kokkos_text() + "\nMPI        " + mpi_text() + "\nHDF5       " + hdf5_text() +
         '\n';
}

}  // namespace craton::app
