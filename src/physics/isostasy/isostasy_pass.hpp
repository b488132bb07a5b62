#pragma once
// Pass tectonics.isostasy: the rate at which the surface moves towards its isostatic height over the step,
//   uplift_rate = (z* - z) / dt,   z* of heights.hpp,
// which the surface sub-steps apply. It opens the step's account of the surface: erosion and deposition become 0.
// A step of no length has no uplift. Local.
#include "config/parameters.hpp"
#include "physics/isostasy/heights.hpp"
#include "state/pass.hpp"

namespace craton {

class IsostasyPass : public Pass {
 public:
  explicit IsostasyPass(const config::Tectonics& parameters);
  const PassContract& contract() const override { return contract_; }
  void run(State& state, const StepInfo& step) override;

 private:
  PassContract contract_;
  isostasy::HeightLaw law_;
};

namespace isostasy {

/// elevation_m of owned cells = isostatic height: the surface of a world at rest. Local.
void settle_elevation(State& state, const config::Tectonics& parameters);

}  // namespace isostasy

}  // namespace craton
