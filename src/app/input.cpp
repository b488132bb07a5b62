#include <cstdio>

#include "app/commands.hpp"

namespace craton::app {

Input read_input(const par::Comm& comm, const CommandLine& line) {
  Input input;
  comm.together([&] {
    if (comm.is_root()) input.text = config::read_input(line.input);
  });
  comm.broadcast(input.text);
  input.loaded = config::check_text(line.input, input.text, line.overrides);
  if (comm.is_root()) std::fputs(input.loaded.report.c_str(), stderr);
  return input;
}

int validate(const par::Comm& comm, const CommandLine& line) {
  return static_cast<int>(read_input(comm, line).valid() ? ExitCode::finished : ExitCode::usage);
}

}  // namespace craton::app
