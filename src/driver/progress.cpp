#include "driver/progress.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/log.hpp"

namespace craton {

namespace {

constexpr double line_interval_s = 5.0, status_interval_s = 10.0;

std::string duration(double seconds) {
  if (seconds < 0) return "unknown";
  const auto whole = static_cast<long long>(seconds + 0.5);
  if (whole < 60) return log::format("%lld s", whole);
  if (whole < 3600) return log::format("%lld min %02lld s", whole / 60, whole % 60);
  return log::format("%lld h %02lld min", whole / 3600, whole / 60 % 60);
}

}  // namespace

Progress::Progress(const par::Comm& comm, const Simulation& simulation, const io::RunDirectory& directory)
    : comm_(comm),
      directory_(directory),
      first_time_yr_(static_cast<double>(simulation.state().globals.time_yr)),
      first_step_(simulation.state().globals.step) {}

double Progress::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

double Progress::io_share() const {
  return io_s_ / std::max(elapsed_s(), 1e-9);
}

double Progress::myr_per_hour(const Simulation& simulation) const {
  const double done_yr = static_cast<double>(simulation.state().globals.time_yr) - first_time_yr_;
  return done_yr / 1e6 / std::max(elapsed_s(), 1e-9) * 3600.0;
}

double Progress::eta_s(const Simulation& simulation) const {
  const double rate = myr_per_hour(simulation);
  if (rate <= 0) return -1;
  const double left_yr = simulation.parameters().time.end_yr - static_cast<double>(simulation.state().globals.time_yr);
  return std::max(left_yr, 0.0) / 1e6 / rate * 3600.0;
}

void Progress::after_step(const Simulation& simulation, const std::string& last_checkpoint, bool last) {
  last_checkpoint_ = last_checkpoint;
  resident_bytes_ = total_peak_bytes(comm_);
  if (!comm_.is_root()) return;
  const Globals& g = simulation.state().globals;
  const double now = elapsed_s();
  if (last || now - last_line_s_ >= line_interval_s) {
    last_line_s_ = now;
    const double end = simulation.parameters().time.end_yr;
    log::info(
        log::format("step %lld  %.4g Myr  %.1f %%  dt %.3g Myr  %.2f steps/s  %.0f Myr/h  %.0f MB  I/O %.1f %%  ETA %s",
                    static_cast<long long>(g.step), static_cast<double>(g.time_yr) / 1e6,
                    end > 0 ? 100.0 * static_cast<double>(g.time_yr) / end : 100.0,
                    simulation.parameters().time.tectonic_step_yr / 1e6,
                    static_cast<double>(g.step - first_step_) / std::max(now, 1e-9), myr_per_hour(simulation),
                    resident_bytes_ / 1e6, 100.0 * io_share(), duration(eta_s(simulation)).c_str()));
  }
  if (now - last_status_s_ >= status_interval_s) {
    last_status_s_ = now;
    write_status(simulation, "running", "", -1);
  }
}

void Progress::write_status(const Simulation& simulation, const std::string& state, const std::string& reason,
                            int exit_code) {
  if (!comm_.is_root()) return;
  const Globals& g = simulation.state().globals;
  io::Status status;
  status.state = state;
  status.reason = reason;
  status.exit_code = exit_code;
  status.step = g.step;
  status.time_yr = g.time_yr;
  status.end_yr = static_cast<std::int64_t>(simulation.parameters().time.end_yr);
  status.eta_s = state == "running" ? eta_s(simulation) : 0;
  status.steps_per_s = static_cast<double>(g.step - first_step_) / std::max(elapsed_s(), 1e-9);
  status.myr_per_wall_hour = myr_per_hour(simulation);
  status.resident_bytes = resident_bytes_;
  status.last_checkpoint = last_checkpoint_;
  status.state_hash = hash_;
  const char* job = std::getenv("SLURM_JOB_ID");
  status.job_id = job != nullptr ? job : "";
  status.ranks = comm_.size();
  status.attempt = directory_.attempt();
  directory_.write_status(status);
}

double total_peak_bytes(const par::Comm& comm) {
  return static_cast<double>(comm.sum(static_cast<std::int64_t>(peak_resident_bytes())));
}

std::string timer_table(const par::Comm& comm, const Timers& timers) {
  // Every rank runs the same passes, so the phases agree; the slowest rank sets the pace.
  std::vector<std::string> names;
  std::vector<double> slowest;
  for (const auto& [name, time] : timers.phases()) {
    names.push_back(name);
    slowest.push_back(time.seconds);
  }
  comm.max(std::span(slowest));
  double total = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].find('/') == std::string::npos) total += slowest[k];
  }
  std::string table = "phase                          seconds   share     calls\n";
  for (std::size_t k = 0; k < names.size(); ++k) {
    table += log::format("%-28s %9.2f  %5.1f %%  %8ld\n", names[k].c_str(), slowest[k],
                         100.0 * slowest[k] / std::max(total, 1e-9), timers.phases().at(names[k]).calls);
  }
  return table;
}

std::string ledger_table(const Ledger& ledger) {
  std::string table = "books        turnover, m3   residual, m3   whole run   worst step\n";
  for (int b = 0; b < balance_count; ++b) {
    const auto balance = static_cast<Balance>(b);
    const BalanceReport& r = ledger.whole_run(balance);
    table += log::format("%-12s %12.4e   %12.4e   %9.1e   %10.1e\n", balance_name(balance), r.turnover_m3,
                         r.residual_m3, r.relative(), ledger.worst_step(balance));
  }
  return table;
}

}  // namespace craton
