#pragma once
// Errors that end a run: a sentence for the user and the exit code of the process.
#include <stdexcept>
#include <string>

namespace craton {

enum class ExitCode : int {
  finished = 0,
  usage = 2,
  bad_input = 3,
  no_checkpoint = 4,
  numerical = 5,
  io = 6,
  memory = 7,
  launcher = 8,
  directory_in_use = 9,
  stopped_resumable = 10,
  internal = 70,
};

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// Throws Error(internal) with file and line where an invariant of the program does not hold. Checked in every build.
void require(bool condition, const char* what);

}  // namespace craton
