# Every dependency comes from find_package; scripts/setup installs them on Debian.
find_package(MPI REQUIRED COMPONENTS C CXX)

set(HDF5_PREFER_PARALLEL ON)
find_package(HDF5 REQUIRED COMPONENTS C)
if(NOT HDF5_IS_PARALLEL)
  message(FATAL_ERROR "Craton needs an HDF5 built with MPI (Debian: libhdf5-openmpi-dev); found a serial one")
endif()
add_library(craton_hdf5 INTERFACE)
target_include_directories(craton_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
target_link_libraries(craton_hdf5 INTERFACE ${HDF5_C_LIBRARIES} MPI::MPI_C)
target_compile_definitions(craton_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})

# A Kokkos that the user names (Kokkos_ROOT, CMAKE_PREFIX_PATH) or that the system has comes first; the one that
# scripts/setup builds from Debian's source package is the fallback.
set(CRATON_KOKKOS_CACHE "$ENV{HOME}/.cache/craton/kokkos-3.4" CACHE PATH "Kokkos built by scripts/setup")
find_package(Kokkos CONFIG QUIET)
if(NOT Kokkos_FOUND)
  find_package(Kokkos REQUIRED CONFIG PATHS "${CRATON_KOKKOS_CACHE}" NO_DEFAULT_PATH)
endif()
if(Kokkos_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "Craton needs Kokkos 3.4 or newer; found ${Kokkos_VERSION} in ${Kokkos_DIR}")
endif()
message(STATUS "Kokkos ${Kokkos_VERSION} (${Kokkos_DEVICES}) from ${Kokkos_DIR}")

find_package(yaml-cpp REQUIRED)
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
