#include "physics/climate/climate.hpp"

#include "physics/climate/passes.hpp"

namespace craton::climate {

void ClimatePass::mark_written(State& state) const {
  for (const FieldAccess& a : contract_.fields) {
    if (a.access != Access::read) state.mark_written(a.field);
  }
}

std::vector<std::unique_ptr<Pass>> make_climate_passes(const config::Planet& planet, const config::Climate& climate) {
  const Setting setting{planet, climate, std::make_shared<SharedLevels>()};
  std::vector<std::unique_ptr<Pass>> passes;
  passes.push_back(std::make_unique<BoundaryPass>(setting));
  passes.push_back(std::make_unique<InsolationPass>(setting));
  passes.push_back(std::make_unique<EnergyPass>(setting));
  passes.push_back(std::make_unique<PressurePass>(setting));
  passes.push_back(std::make_unique<WindPass>(setting));
  passes.push_back(std::make_unique<AdvectionPass>(setting));
  passes.push_back(std::make_unique<MoisturePass>(setting));
  passes.push_back(std::make_unique<DownscalePass>(setting));
  return passes;
}

}  // namespace craton::climate
