#pragma once
// Start and end of the process among its ranks.
#include <mpi.h>

#include <string>
#include <vector>

namespace craton::app {

/// Processes that the launcher says it started, and the variable that says so; 1 without a launcher. To be called
/// before MPI_Init, which may set such variables itself. Local.
struct LauncherWorld {
  int processes = 1;
  std::string variable;
  bool speaks = true;  // false on all but one of N processes that do not know of each other
};
LauncherWorld launcher_world();

/// Errors: Error(launcher) where a launcher started several processes but MPI sees one: N singletons. Local.
void check_launcher(const LauncherWorld& launcher, int world_size);

/// Arguments for Kokkos::initialize: threads per rank, 0 = OMP_NUM_THREADS or 1 (so that several ranks on a node do not
/// fight for its cores). Local.
std::vector<std::string> kokkos_arguments(int threads);

/// How a rank ended.
struct Ending {
  bool failed = false;
  int code = 0;
  std::string message;
};

/// All ranks end with one code: that of the lowest rank that failed, whose message is printed once. A rank that fails
/// while others wait for it elsewhere gives them 5 s, then ends the job by MPI_Abort with its own code. comm is not
/// used for anything else. Collective.
int end_together(MPI_Comm comm, const Ending& ending);

}  // namespace craton::app
