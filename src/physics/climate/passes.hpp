#pragma once
// The climate passes. Each reads and writes only what its contract lists; equations stand with the implementations.
#include <memory>

#include "config/parameters.hpp"
#include "physics/climate/levels.hpp"
#include "state/fields.hpp"
#include "state/pass.hpp"

namespace craton::climate {

/// What all passes of one planet share.
struct Setting {
  config::Planet planet;
  config::Climate climate;
  std::shared_ptr<SharedLevels> levels;
};

class ClimatePass : public Pass {
 public:
  ClimatePass(Setting setting, PassContract contract) : setting_(std::move(setting)), contract_(std::move(contract)) {}
  const PassContract& contract() const override { return contract_; }

 protected:
  const config::Planet& planet() const { return setting_.planet; }
  const config::Climate& climate() const { return setting_.climate; }
  const Levels& levels(const State& state) const { return setting_.levels->of(state.climate_mesh()); }
  /// Tells the state that everything in the contract that this pass writes has changed.
  void mark_written(State& state) const;

 private:
  Setting setting_;
  PassContract contract_;
};

/// Height above sea (0 over sea) and land fraction as area means of the fine mesh.
class BoundaryPass final : public ClimatePass {
 public:
  explicit BoundaryPass(Setting setting);
  void run(State& state, const StepInfo& step) override;
};

/// Monthly mean sunlight.
class InsolationPass final : public ClimatePass {
 public:
  explicit InsolationPass(Setting setting);
  void run(State& state, const StepInfo& step) override;
};

/// Monthly temperature reduced to sea level.
class EnergyPass final : public ClimatePass {
 public:
  explicit EnergyPass(Setting setting);
  void run(State& state, const StepInfo& step) override;
};

/// Monthly pressure: belts about the thermal equator and thermal highs and lows.
class PressurePass final : public ClimatePass {
 public:
  explicit PressurePass(Setting setting);
  void run(State& state, const StepInfo& step) override;
};

/// Monthly wind from pressure, rotation and friction.
class WindPass final : public ClimatePass {
 public:
  explicit WindPass(Setting setting);
  void run(State& state, const StepInfo& step) override;
};

/// What the wind carries of the warmth of sea and land.
class AdvectionPass final : public ClimatePass {
 public:
  explicit AdvectionPass(Setting setting);
  void run(State& state, const StepInfo& step) override;
};

/// Monthly evaporation and large-scale rain from the balance of water vapour.
class MoisturePass final : public ClimatePass {
 public:
  explicit MoisturePass(Setting setting);
  void run(State& state, const StepInfo& step) override;
};

/// Temperature, rain, runoff and Koppen class on the fine mesh.
class DownscalePass final : public ClimatePass {
 public:
  explicit DownscalePass(Setting setting);
  void run(State& state, const StepInfo& step) override;
};

}  // namespace craton::climate
