#include "driver/simulation.hpp"

#include <cmath>
#include <cstdlib>

#include "core/log.hpp"
#include "physics/initial/world.hpp"
#include "state/monitor.hpp"
#include "state/state_hash.hpp"

namespace craton {

namespace {

constexpr int halo_layers = 2;

std::vector<FieldId> saved_fields() {
  std::vector<FieldId> ids;
  for (FieldId id = 0; id < field_count(); ++id) {
    if (field_info(id).kind == Kind::saved) ids.push_back(id);
  }
  return ids;
}

}  // namespace

std::int64_t climate_frequency(const config::Parameters& parameters) {
  const std::int64_t n = parameters.mesh.frequency;
  if (parameters.mesh.climate_frequency > 0) return parameters.mesh.climate_frequency;
  // Logarithmic distance: half and double the spacing are equally far off.
  constexpr double wanted_m = 1.0e5;
  std::int64_t best = n;
  const auto misfit = [&](std::int64_t d) {
    return std::abs(std::log(mean_spacing_m(d, parameters.planet.radius_m) / wanted_m));
  };
  for (std::int64_t d = 4; d <= n; ++d) {
    if (n % d == 0 && misfit(d) < misfit(best)) best = d;
  }
  return best;
}

Simulation::Simulation(const par::Comm& comm, const config::Parameters& parameters)
    : parameters_(parameters),
      mesh_(comm, parameters.mesh.frequency, parameters.planet.radius_m, halo_layers),
      climate_mesh_(comm, climate_frequency(parameters), parameters.planet.radius_m, halo_layers),
      schedule_(make_schedule(parameters)) {
  std::vector<FieldId> fields = declared_fields(schedule_.in_order());
  const std::vector<FieldId> saved = saved_fields();
  fields.insert(fields.end(), saved.begin(), saved.end());
  check_contracts(schedule_.in_order(), halo_layers, saved);
  state_ = std::make_unique<State>(mesh_, climate_mesh_, fields);
  state_->globals.seed = parameters.seed;
}

void Simulation::make_world() {
  {
    const ScopedTimer timer(timers_, "initial world");
    initial::make_world(*state_, parameters_);
  }
  const StepInfo info{0, 0, 0.0, 0, 1, &timers_};
  run_passes(schedule_.sea, info);
  run_passes(schedule_.climate, info);
  run_pass(*schedule_.surface.front(), info);  // rivers of the first moment
  state_->ledger = Ledger{};                   // the books open with the first step
  check_all(*state_, "the initial world");
}

void Simulation::step() {
  State& state = *state_;
  const auto dt_yr = std::llround(parameters_.time.tectonic_step_yr);
  const auto substeps = static_cast<int>(parameters_.surface.substeps);
  StepInfo info{state.globals.step, state.globals.time_yr, static_cast<double>(dt_yr), 0, substeps, &timers_};

  state.ledger.stock_before(Balance::rock, state.crust.rock_m3());
  run_passes(schedule_.crust, info);
  run_passes(schedule_.sea, info);
  if (climate_is_due()) run_passes(schedule_.climate, info);
  StepInfo part = info;
  part.dt_yr = info.dt_yr / substeps;
  for (part.substep = 0; part.substep < substeps; ++part.substep) run_passes(schedule_.surface, part);
  run_passes(schedule_.settle, info);
  state.ledger.stock_after(Balance::rock, state.crust.rock_m3());
  state.ledger.close(mesh_.comm());

  ++state.globals.step;
  state.globals.time_yr += dt_yr;
}

bool Simulation::finished() const {
  return static_cast<double>(state_->globals.time_yr) >= parameters_.time.end_yr;
}

bool Simulation::climate_is_due() const {
  const Globals& g = state_->globals;
  return static_cast<double>(g.time_yr) - g.climate_age_yr >= parameters_.climate.interval_yr;
}

void Simulation::run_passes(const PassList& passes, const StepInfo& info) {
  for (const auto& pass : passes) run_pass(*pass, info);
  if (&passes == &schedule_.climate) state_->globals.climate_age_yr = static_cast<double>(info.begin_yr);
}

void Simulation::run_pass(Pass& pass, const StepInfo& info) {
  const PassContract& contract = pass.contract();
  {
    const ScopedTimer timer(timers_, "halo exchange");
    refresh_halos_for(*state_, contract);
  }
  {
    const ScopedTimer timer(timers_, contract.name);
    pass.run(*state_, info);
  }
  mark_written_by(*state_, contract);
  const ScopedTimer timer(timers_, "guards");
  check_after(pass, *state_, info);
  if (parameters_.log.hash_every_pass) {
    log::info(log::format("step %lld.%d %s: state %s", static_cast<long long>(info.step), info.substep,
                          contract.name.c_str(), to_hex(state_hash(*state_).whole).c_str()));
  }
}

}  // namespace craton
