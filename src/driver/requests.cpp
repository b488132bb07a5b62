#include "driver/requests.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "core/log.hpp"

namespace craton {

namespace {

// Set by the handler, read between steps. A signal handler may touch nothing else.
volatile std::sig_atomic_t asked_to_stop = 0;         // USR1
volatile std::sig_atomic_t asked_for_checkpoint = 0;  // USR2
volatile std::sig_atomic_t asked_to_end = 0;          // TERM, INT, XCPU: how often

constexpr std::array watched{SIGUSR1, SIGUSR2, SIGTERM, SIGINT, SIGXCPU};
std::array<struct sigaction, watched.size()> previous;

extern "C" void on_signal(int number) {
  if (number == SIGUSR1) {
    asked_to_stop = 1;
  } else if (number == SIGUSR2) {
    asked_for_checkpoint = 1;
  } else {
    asked_to_end = asked_to_end + 1;
    if (asked_to_end >= 3) _exit(static_cast<int>(ExitCode::stopped_resumable));
  }
}

}  // namespace

SignalWatch::SignalWatch() {
  asked_to_stop = 0;
  asked_for_checkpoint = 0;
  asked_to_end = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &action, &previous[k]);
}

SignalWatch::~SignalWatch() {
  for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &previous[k], nullptr);
}

Requests::Requests(const par::Comm& comm, const io::RunDirectory& directory, std::optional<double> walltime_s)
    : comm_(comm), directory_(directory), walltime_s_(walltime_s) {}

Decision Requests::poll(double step_s, double checkpoint_s) {
  longest_step_s_ = std::max(longest_step_s_, step_s);
  // A signal may have reached some ranks only, and files and clocks are rank 0's: the largest answer counts for all.
  enum { stop_signal, checkpoint_signal, end_signals, stop_file, checkpoint_file, snapshot_file, out_of_time, count };
  std::array<double, count> asked{};
  asked[stop_signal] = asked_to_stop;
  asked[checkpoint_signal] = asked_for_checkpoint;
  asked[end_signals] = asked_to_end;
  asked_for_checkpoint = 0;
  if (comm_.is_root()) {
    asked[stop_file] = directory_.take_request("stop");
    asked[checkpoint_file] = directory_.take_request("checkpoint");
    asked[snapshot_file] = directory_.take_request("snapshot");
    if (walltime_s_) {
      const double used = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
      asked[out_of_time] = *walltime_s_ - used < 1.5 * longest_step_s_ + 2.0 * checkpoint_s + 60.0;
    }
  }
  comm_.max(std::span(asked));

  Decision d;
  d.snapshot = asked[snapshot_file] > 0;
  d.checkpoint = asked[checkpoint_signal] > 0 || asked[checkpoint_file] > 0;
  if (asked[out_of_time] > 0) d.reason = "wall time is nearly used up";
  if (asked[stop_file] > 0) d.reason = "control/stop was found";
  if (asked[stop_signal] > 0) d.reason = "signal USR1";
  if (asked[end_signals] > 0) d.reason = "signal TERM, INT or XCPU";
  d.stop = !d.reason.empty();
  d.checkpoint = d.checkpoint || d.stop;
  if (asked[end_signals] >= 2) {
    d.checkpoint = false;
    d.reason = "second signal TERM, INT or XCPU: no checkpoint of this step";
  }
  return d;
}

}  // namespace craton
