// The life of a run: directory, world or checkpoint, the loop, the end. Everything that writes is called from here.
#include <chrono>
#include <cmath>

#include "config/config.hpp"
#include "core/build_info.hpp"
#include "core/log.hpp"
#include "driver/books.hpp"
#include "driver/progress.hpp"
#include "driver/requests.hpp"
#include "driver/resume.hpp"
#include "driver/simulation.hpp"
#include "io/checkpoint.hpp"
#include "io/run_directory.hpp"
#include "io/snapshot.hpp"
#include "physics/diagnostics/diagnostics.hpp"
#include "state/monitor.hpp"
#include "state/state_hash.hpp"

namespace craton {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

io::StartMode start_mode(const RunOptions& options) {
  if (options.fresh) return io::StartMode::fresh;
  return options.resume ? io::StartMode::resume : io::StartMode::create;
}

/// True when the step that ends at time_yr crossed a multiple of interval_yr.
bool crossed(std::int64_t time_yr, double dt_yr, double interval_yr) {
  if (interval_yr <= 0) return false;
  const auto now = static_cast<double>(time_yr);
  return std::floor(now / interval_yr) > std::floor((now - dt_yr) / interval_yr);
}

class Runner {
 public:
  Runner(const par::Comm& comm, const RunOptions& options)
      : comm_(comm), options_(options), directory_(comm, options.out.string(), start_mode(options)) {}

  ExitCode run() {
    start_log();
    const auto begin = Clock::now();
    simulation_ = std::make_unique<Simulation>(comm_, options_.parameters);
    if (options_.resume && !resume()) return ExitCode::finished;
    write_first_files();
    if (!options_.resume) simulation_->make_world();
    log::info(log::format("%lld cells, %d ranks, ready after %.1f s",
                          static_cast<long long>(simulation_->mesh().global_count()), comm_.size(),
                          seconds_since(begin)));
    open_output();
    progress_->write_status(*simulation_, "running", "", -1);
    if (!options_.resume) {
      record_step();
      write_snapshot();
    }
    return loop();
  }

  void fail(const Error& error) {
    if (progress_) progress_->write_status(*simulation_, "failed", error.what(), static_cast<int>(error.code()));
    directory_.append_event("failed",
                            {{"code", std::int64_t{static_cast<int>(error.code())}}, {"message", error.what()}});
  }

 private:
  void start_log() {
    const std::string& level = options_.parameters.log.level;
    const log::Level chosen = level == "debug"     ? log::Level::debug
                              : level == "warning" ? log::Level::warning
                              : level == "error"   ? log::Level::error
                                                   : log::Level::info;
    log::start(chosen, comm_.is_root(), comm_.is_root() ? directory_.log_path() : std::string{});
  }

  void write_first_files() {
    resolved_ = config::to_yaml(options_.parameters);
    directory_.write_configuration(options_.input_text, resolved_);
    directory_.write_provenance({{"version", build_version()},
                                 {"git_hash", build_git_hash()},
                                 {"command", options_.command_line},
                                 {"input", options_.input_path},
                                 {"config_hash", config::config_hash(options_.parameters)},
                                 {"ranks", std::int64_t{comm_.size()}}});
    directory_.append_event(
        "start", {{"attempt", std::int64_t{directory_.attempt()}}, {"step", simulation_->state().globals.step}});
  }

  /// Fills the state from a checkpoint; false if that run was complete already.
  bool resume() {
    const std::string from = io::find_checkpoint(comm_, directory_.path(), options_.resume_from);
    std::string before;
    comm_.together([&] {
      if (comm_.is_root()) before = io::read_manifest(from).config_yaml;
    });
    comm_.broadcast(before);
    check_parameters(options_.parameters, before, options_.allow_change);
    const io::CheckpointInfo info = io::read_checkpoint(simulation_->state(), from);
    resumed_step_ = info.step;
    last_checkpoint_ = info.name;
    log::info(log::format("resumed from %s at %.6g Myr, state %s", info.name.c_str(),
                          static_cast<double>(info.time_yr) / 1e6, info.state_hash.c_str()));
    if (!simulation_->finished()) return true;
    log::info(log::format("already complete: %s has reached time.end_yr = %.6g", directory_.path().c_str(),
                          options_.parameters.time.end_yr));
    return false;
  }

  void open_output() {
    progress_ = std::make_unique<Progress>(comm_, *simulation_, directory_);
    io::SnapshotOptions options;
    options.git_hash = build_git_hash();
    snapshots_ = std::make_unique<io::SnapshotWriter>(simulation_->state(), directory_.path(), options);
    series_ = std::make_unique<io::TimeSeries>(comm_, directory_.path(), diagnostic_columns(), resumed_step_);
  }

  ExitCode loop() {
    const SignalWatch watch;
    Requests requests(comm_, directory_, options_.walltime_s);
    const config::Parameters& p = options_.parameters;
    while (!simulation_->finished()) {
      const auto begin = Clock::now();
      simulation_->step();
      const double step_s = seconds_since(begin);
      const Globals& g = simulation_->state().globals;
      const bool last = simulation_->finished();
      Decision decision = requests.poll(step_s, checkpoint_s_);
      if (!last && !decision.stop && options_.until_yr && g.time_yr >= *options_.until_yr) {
        decision.stop = decision.checkpoint = true;
        decision.reason = "--until is reached";
      }
      record_step();
      if (last || decision.snapshot || crossed(g.time_yr, p.time.tectonic_step_yr, p.output.interval_yr))
        write_snapshot();
      if (last || decision.checkpoint || crossed(g.time_yr, p.time.tectonic_step_yr, p.checkpoint.interval_yr)) {
        write_checkpoint();
      }
      progress_->after_step(*simulation_, last_checkpoint_, last || decision.stop);
      if (decision.stop && !last) return stop(decision.reason);
    }
    if (last_checkpoint_.empty() || simulation_->state().globals.step == 0) {
      write_checkpoint();  // a run of no steps: the world as made
    }
    return finish();
  }

  void record_step() {
    const ScopedTimer timer(simulation_->timers(), "diagnostics");
    const Diagnostics d = compute_diagnostics(simulation_->state());
    const Globals& g = simulation_->state().globals;
    series_->append(g.step, g.time_yr, diagnostic_values(d));
    diagnostics_ = d;
  }

  void write_snapshot() {
    const ScopedTimer timer(simulation_->timers(), "snapshots");
    const auto begin = Clock::now();
    snapshots_->write(simulation_->state());
    progress_->add_io(seconds_since(begin));
  }

  void write_checkpoint() {
    const ScopedTimer timer(simulation_->timers(), "checkpoints");
    const auto begin = Clock::now();
    check_all(simulation_->state(), "before a checkpoint");
    io::CheckpointOptions options;
    options.git_hash = build_git_hash();
    options.config_yaml = resolved_;
    options.resumed_from_step = resumed_step_;
    const io::CheckpointInfo info =
        io::write_checkpoint(simulation_->state(), options_.parameters, directory_.path(), options);
    last_checkpoint_ = info.name;
    hash_ = info.state_hash;
    checkpoint_s_ = seconds_since(begin);
    progress_->add_io(checkpoint_s_);
    progress_->set_hash(hash_);
    directory_.append_event("checkpoint",
                            {{"name", info.name}, {"state_hash", info.state_hash}, {"seconds", checkpoint_s_}});
  }

  ExitCode stop(const std::string& reason) {
    progress_->write_status(*simulation_, "stopped", reason, static_cast<int>(ExitCode::stopped_resumable));
    directory_.append_event("stopped", {{"reason", reason}});
    log::info("stopped: " + reason + "; go on with: craton run " + options_.input_path + " --out " + directory_.path() +
              " --resume");
    return ExitCode::stopped_resumable;
  }

  ExitCode finish() {
    progress_->write_status(*simulation_, "finished", "", 0);
    directory_.append_event("finished", {{"state_hash", hash_}});
    comm_.together([&] {
      if (comm_.is_root()) io::atomic_write(directory_.path() + "/books.json", books_json(simulation_->state().ledger));
    });
    const std::string times = timer_table(comm_, simulation_->timers());
    const double bytes = total_peak_bytes(comm_);
    const auto cells = static_cast<double>(simulation_->mesh().global_count());
    std::string warnings;
    for (const auto& [kind, count] : log::warning_counts()) warnings += log::format("%s x %d  ", kind.c_str(), count);
    log::info("finished\n" + times + ledger_table(simulation_->state().ledger) + diagnostics_summary(diagnostics_) +
              log::format("wall time    %.1f s, I/O %.1f %%\n", progress_->elapsed_s(), 100 * progress_->io_share()) +
              log::format("peak memory  %.0f MB, %.0f bytes per cell\n", bytes / 1e6, bytes / cells) + "warnings     " +
              (warnings.empty() ? "none" : warnings) + "\n" + "state hash   " + hash_ + "\n" + "open         " +
              snapshots_->series_path() + "  (ParaView)\n" + "pictures     scripts/craton-post maps " +
              directory_.path());
    return ExitCode::finished;
  }

  const par::Comm& comm_;
  const RunOptions& options_;
  io::RunDirectory directory_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Progress> progress_;
  std::unique_ptr<io::SnapshotWriter> snapshots_;
  std::unique_ptr<io::TimeSeries> series_;
  Diagnostics diagnostics_;
  std::string resolved_, last_checkpoint_, hash_;
  std::int64_t resumed_step_ = -1;
  double checkpoint_s_ = 0;
};

}  // namespace

ExitCode run(const par::Comm& comm, const RunOptions& options) {
  Runner runner(comm, options);
  try {
    return runner.run();
  } catch (const Error& error) {
    runner.fail(error);
    throw;
  }
}

}  // namespace craton
