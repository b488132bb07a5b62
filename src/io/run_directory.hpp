#pragma once
// The directory of a run: creation, lock, configuration, status, events, provenance, requests of the user, time series.
// Layout in docs/design/files.md. Rank 0 writes; functions marked Root do nothing on other ranks.
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "par/comm.hpp"

namespace craton::io {

enum class StartMode {
  create,  // refused where checkpoints exist: the user must say --resume or --fresh
  resume,  // continues in place
  fresh,   // an old directory is moved aside to <run>.old-<N>, never deleted
};

/// What status.json says; the job scripts judge by it.
struct Status {
  std::string state;   // "starting", "running", "finished", "stopped" (resumable), "failed"
  std::string reason;  // "" or why it stopped or failed
  int exit_code = -1;  // -1 while running
  std::int64_t step = 0, time_yr = 0, end_yr = 0;
  double eta_s = -1;  // -1 while unknown
  double steps_per_s = 0, myr_per_wall_hour = 0;
  double resident_bytes = 0;  // summed over ranks
  std::string last_checkpoint, state_hash, job_id;
  int ranks = 1;
  int attempt = 1;
};

using Value = std::variant<std::int64_t, double, bool, std::string>;
using Record = std::vector<std::pair<std::string, Value>>;  // a flat JSON object, in order

class RunDirectory {
 public:
  /// Makes or opens the directory and locks it. Errors: Error(directory_in_use) if another process holds the lock,
  /// Error(usage) for create where checkpoints exist, Error(no_checkpoint) for resume where no directory exists,
  /// Error(io). Collective.
  RunDirectory(const par::Comm& comm, const std::string& path, StartMode mode);
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  const std::string& path() const { return path_; }
  int attempt() const { return attempt_; }  // 1 for the first start in this directory
  std::string log_path() const;             // log/run.<attempt>.log

  /// Collective.
  void write_configuration(const std::string& input_yaml, const std::string& resolved_yaml) const;
  /// Adds the wall time of the start and the attempt. Collective.
  void write_provenance(const Record& facts) const;

  // Reports must not end a run: where they cannot be written, the log has a warning.
  void write_status(const Status& status) const;                            // Root; adds the heartbeat; atomic
  void append_event(const std::string& kind, const Record& details) const;  // Root; one line of events.jsonl

  /// Root: true once if the user made control/<name> (stop, checkpoint, snapshot); the file is removed. The caller
  /// broadcasts the answer.
  bool take_request(const std::string& name) const;

 private:
  par::Comm comm_;
  std::string path_;
  bool root_;
  int attempt_ = 1;
  int lock_ = -1;
};

/// series/diagnostics.csv: a header line of names (units in the names), then one line per step with 17 digits.
class TimeSeries {
 public:
  /// Rank 0 opens the file; rows of steps after keep_through_step are cut off (-1: starts anew). An existing file with
  /// other columns is moved aside. Collective.
  TimeSeries(const par::Comm& comm, const std::string& run_dir, std::vector<std::string> columns,
             std::int64_t keep_through_step);
  /// Collective. Errors: Error(io).
  void append(std::int64_t step, std::int64_t time_yr, const std::vector<double>& values) const;

 private:
  par::Comm comm_;
  std::string path_;
  std::size_t columns_;
};

/// Replaces a file as a whole: readers see the old text or the new one. Synced to disk. Errors: Error(io). Local.
void atomic_write(const std::string& path, const std::string& text);
/// Errors: Error(io). Local.
std::string read_text(const std::string& path, std::size_t limit_bytes = std::size_t{64} << 20);
/// status.json of a run: empty state if there is none. Local.
Status read_status(const std::string& run_dir);
/// Whether the run has at least one committed checkpoint. Local.
bool has_checkpoints(const std::string& run_dir);

}  // namespace craton::io
