#pragma once
// What the user sees while a run goes on: progress lines, status.json, the summary at the end.
#include <chrono>
#include <string>

#include "core/timer.hpp"
#include "driver/simulation.hpp"
#include "io/run_directory.hpp"

namespace craton {

class Progress {
 public:
  Progress(const par::Comm& comm, const Simulation& simulation, const io::RunDirectory& directory);

  /// After each step: a log line when the last one is older than some seconds (or it is the last step), status.json
  /// when it is older than ten. Collective.
  void after_step(const Simulation& simulation, const std::string& last_checkpoint, bool last);
  /// status.json with a final or intermediate state. Root.
  void write_status(const Simulation& simulation, const std::string& state, const std::string& reason, int exit_code);
  void add_io(double seconds) { io_s_ += seconds; }
  void set_hash(const std::string& hash) { hash_ = hash; }
  double elapsed_s() const;
  double io_share() const;

 private:
  double myr_per_hour(const Simulation& simulation) const;
  double eta_s(const Simulation& simulation) const;

  const par::Comm& comm_;
  const io::RunDirectory& directory_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double first_time_yr_;
  std::int64_t first_step_;
  double last_line_s_ = -1e9, last_status_s_ = -1e9;
  double io_s_ = 0, resident_bytes_ = 0;
  std::string last_checkpoint_, hash_;
};

/// Largest resident memory, summed over ranks, bytes. Collective.
double total_peak_bytes(const par::Comm& comm);
/// A table of phases: share, seconds, calls; the slowest rank's times. Collective.
std::string timer_table(const par::Comm& comm, const Timers& timers);
/// Residuals of the books, one line per balance.
std::string ledger_table(const Ledger& ledger);

}  // namespace craton
