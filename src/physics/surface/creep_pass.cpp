#include "physics/surface/passes.hpp"
#include "state/fields.hpp"

namespace craton::surface {

CreepPass::CreepPass(const config::Surface& parameters, SharedRivers rivers)
    : SurfacePass(
          {.name = "surface.creep",
           .fields = {updates(fields::elevation_m, 1), updates(fields::erosion_m), updates(fields::deposition_m)},
           .books = {Balance::sediment},
           .global = true},
          parameters, std::move(rivers)) {}

void CreepPass::run(State& state, const StepInfo& step) {
  if (!diffusion_) diffusion_.emplace(state.mesh(), parameters().creep_m2_per_yr, Diffusion::Domain::land);
  const ExactSum lost = diffusion_->run(state, rivers().network, rivers().load_m3, step.dt_yr);
  state.ledger.book(Balance::sediment, "creep", lost);
}

}  // namespace craton::surface
