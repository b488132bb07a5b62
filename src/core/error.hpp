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
  /// agreed: every rank throws this error at the same place, so that all can leave cleanly; otherwise the others may be
  /// waiting for this rank and the program must abort.
  Error(ExitCode code, const std::string& message, bool agreed = false)
      : std::runtime_error(message), code_(code), agreed_(agreed) {}
  ExitCode code() const { return code_; }
  bool agreed() const { return agreed_; }

 private:
  ExitCode code_;
  bool agreed_;
};

/// Throws Error(internal) with file and line where an invariant of the program does not hold. Checked in every build.
void require(bool condition, const char* what);

}  // namespace craton
