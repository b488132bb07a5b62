#pragma once
// What the outside world asks of a run: signals, the wall-time limit, files in control/. All ranks get the same answer
// in the same step.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "io/run_directory.hpp"
#include "par/comm.hpp"

namespace craton {

struct Decision {
  bool checkpoint = false;
  bool snapshot = false;
  bool stop = false;
  std::string reason;  // why it stops; the same on all ranks
};

/// Catches USR1 (checkpoint and stop), USR2 (checkpoint, go on), TERM, INT and XCPU (checkpoint and stop; the second
/// one stops without a checkpoint; the third one exits at once). Restores the old handlers at the end.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
};

class Requests {
 public:
  Requests(const par::Comm& comm, const io::RunDirectory& directory, std::optional<double> walltime_s);
  /// After each step: what to do now. step_s is the duration of the step, checkpoint_s the measured cost of one (0
  /// while unknown). Collective.
  Decision poll(double step_s, double checkpoint_s);

 private:
  const par::Comm& comm_;
  const io::RunDirectory& directory_;
  std::optional<double> walltime_s_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double longest_step_s_ = 0;
};

}  // namespace craton
