#include "app/commands.hpp"
#include "driver/simulation.hpp"

namespace craton::app {

int run(const par::Comm& comm, const CommandLine& line, const std::string& command_line) {
  const Input input = read_input(comm, line);
  if (!input.valid()) return static_cast<int>(ExitCode::usage);
  RunOptions options;
  options.input_path = line.input;
  options.input_text = input.text;
  options.out = line.out;
  options.parameters = input.loaded.parameters;
  options.resume = line.resume;
  options.resume_from = line.resume_from;
  options.fresh = line.fresh;
  options.allow_change = line.allow_change;
  options.until_yr = line.until_yr;
  options.walltime_s = line.walltime_s;
  options.command_line = command_line;
  return static_cast<int>(craton::run(comm, options));
}

}  // namespace craton::app
