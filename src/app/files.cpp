#include "app/commands.hpp"
#include "io/commands.hpp"

namespace craton::app {

int look_at_files(const par::Comm& comm, const CommandLine& line) {
  const std::string& path = line.paths.front();
  switch (line.command) {
    case Command::checkpoint_list:
      return io::list_checkpoints(comm, path);
    case Command::checkpoint_verify:
      return io::verify_checkpoint(comm, path);
    case Command::hash:
      return io::print_hash(comm, path, line.verify);
    case Command::diff:
      return io::diff(comm, path, line.paths.back());
    case Command::status:
      return io::print_status(comm, path);
    default:
      throw Error(ExitCode::internal, "no command about files");
  }
}

}  // namespace craton::app
