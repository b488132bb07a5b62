#include "app/launch.hpp"

#include <Kokkos_Core.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "core/error.hpp"

namespace craton::app {

namespace {

constexpr std::chrono::seconds patience{5};

void print_error(const std::string& message) {
  std::fprintf(stderr, "craton: error: %s\n", message.c_str());
  std::fflush(stderr);
}

/// False if the others did not come in time.
bool wait_for(MPI_Request& request, bool with_limit) {
  const auto begin = std::chrono::steady_clock::now();
  int done = 0;
  while (true) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return true;
    if (with_limit && std::chrono::steady_clock::now() - begin > patience) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace

LauncherWorld launcher_world() {
  for (const char* variable : {"SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"}) {
    const char* value = std::getenv(variable);
    const int processes = value == nullptr ? 1 : std::atoi(value);
    if (processes <= 1) continue;
    const char* task = std::getenv("SLURM_PROCID");
    return {processes, variable, task == nullptr || std::atoi(task) == 0};
  }
  return {};
}

void check_launcher(const LauncherWorld& launcher, int world_size) {
  if (world_size > 1 || launcher.processes <= 1) return;
  throw Error(ExitCode::launcher, launcher.variable + " is " + std::to_string(launcher.processes) +
                                      " but MPI sees one process: launcher and MPI library do not fit; use mpirun -n " +
                                      std::to_string(launcher.processes) + " or srun --mpi=pmix, or unset " +
                                      launcher.variable + " for a run on one process");
}

std::vector<std::string> kokkos_arguments(int threads) {
  std::vector<std::string> arguments = {"craton", "--kokkos-disable-warnings"};
  if (threads == 0 && std::getenv("OMP_NUM_THREADS") == nullptr && std::getenv("KOKKOS_NUM_THREADS") == nullptr)
    threads = 1;
#if KOKKOS_VERSION >= 30700
  const char* flag = "--kokkos-num-threads=";
#else
  const char* flag = "--kokkos-threads=";
#endif
  if (threads > 0) arguments.push_back(flag + std::to_string(threads));
  return arguments;
}

int end_together(MPI_Comm comm, const Ending& ending) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int mine[2] = {ending.failed ? 1 : 0, ending.code};
  std::vector<int> all(2 * static_cast<std::size_t>(size));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(mine, 2, MPI_INT, all.data(), 2, MPI_INT, comm, &request);
  if (!wait_for(request, ending.failed)) {
    print_error("rank " + std::to_string(rank) + ": " + ending.message);
    MPI_Abort(comm, ending.code);
  }
  for (int k = 0; k < size; ++k) {
    if (all[2 * static_cast<std::size_t>(k)] == 0) continue;
    if (k == rank) print_error(ending.message);
    return all[2 * static_cast<std::size_t>(k) + 1];
  }
  return ending.code;
}

}  // namespace craton::app
