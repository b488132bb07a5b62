// craton: starts MPI and Kokkos, hands over to one command, and ends on all ranks with one exit code.
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "app/commands.hpp"
#include "app/launch.hpp"
#include "core/log.hpp"

namespace {

using namespace craton;

int with_kokkos(const par::Comm& comm, const app::CommandLine& line, const std::string& command_line) {
  std::vector<std::string> arguments = app::kokkos_arguments(line.threads);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  const Kokkos::ScopeGuard kokkos(count, pointers.data());
  return line.command == app::Command::run ? app::run(comm, line, command_line) : app::look_at_files(comm, line);
}

int run_command(const app::LauncherWorld& launcher, int argc, char** argv) {
  const par::Comm comm(MPI_COMM_WORLD);
  const app::CommandLine line = app::parse_command_line({argv + 1, argv + argc});
  switch (line.command) {
    case app::Command::print:
      if (comm.is_root()) std::fputs(line.text.c_str(), stdout);
      return 0;
    case app::Command::params:
      return app::params(comm, line);
    case app::Command::validate:
      return app::validate(comm, line);
    default:
      break;
  }
  if (line.command == app::Command::run) app::check_launcher(launcher, comm.size());
  std::string command_line = "craton";
  for (int k = 1; k < argc; ++k) command_line += std::string(" ") + argv[k];
  return with_kokkos(comm, line, command_line);
}

app::Ending ending_of_command(const app::LauncherWorld& launcher, int argc, char** argv) {
  const auto failed = [](ExitCode code, const std::string& message) {
    return app::Ending{true, static_cast<int>(code), message};
  };
  try {
    return {false, run_command(launcher, argc, argv), {}};
  } catch (const Error& error) {
    return failed(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return failed(ExitCode::memory, "not enough memory; use more nodes or a smaller mesh.frequency");
  } catch (const std::exception& error) {
    return failed(ExitCode::internal, std::string("internal error: ") + error.what());
  } catch (...) {
    return failed(ExitCode::internal, "internal error: unknown exception");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const app::LauncherWorld launcher = app::launcher_world();
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm last_word = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &last_word);
  app::Ending ending = ending_of_command(launcher, argc, argv);
  craton::log::flush();
  const bool said_by_another = ending.code == static_cast<int>(ExitCode::launcher) && !launcher.speaks;
  if (said_by_another) ending.failed = false;
  const int code = app::end_together(last_word, ending);
  MPI_Comm_free(&last_word);
  MPI_Finalize();
  return code;
}
