#include <array>

#include "physics/surface/passes.hpp"
#include "state/fields.hpp"

namespace craton::surface {

MarinePass::MarinePass(const config::Surface& parameters, SharedRivers rivers)
    : SurfacePass({.name = "surface.marine",
                   .fields = {updates(fields::elevation_m, 1), updates(fields::erosion_m),
                              updates(fields::deposition_m)},
                   .books = {Balance::sediment},
                   .global = true},
                  parameters, std::move(rivers)) {}

void MarinePass::run(State& state, const StepInfo& step) {
  const Mesh& mesh = state.mesh();
  const config::Surface& p = parameters();
  if (!diffusion_) diffusion_.emplace(mesh, p.marine_creep_m2_per_yr, Diffusion::Domain::sea);
  if (!cascade_) cascade_.emplace(mesh);
  const FlowNetwork& network = rivers().network;
  const auto load = rivers().load_m3;
  const auto z = state.real(fields::elevation_m), deposition = state.real(fields::deposition_m);
  const auto area = mesh.area_m2();

  const MarineRules rules{state.globals.sea_level_m, p.wave_base_m, p.marine_slope, p.marine_rounds};
  ExactSum laid;
  laid.subtract(cascade_->settle(network, z, deposition, load, rules));
  state.ledger.book(Balance::sediment, "sea_deposits", laid);

  // What found no room near the coast drifts to the open sea; the outlet of a world without sea keeps what it has.
  const double base = rules.sea_level_m - rules.wave_base_m;
  std::array<ExactSum, 3> sums;  // load adrift, area of deep sea, area of all sea
  ExactSum in_sinks;
  const auto lay = [&](LocalId c, double rise) {
    z(c) += rise;
    deposition(c) += rise;
  };
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (network.is_land(c)) {
      if (load(c) > 0) {
        lay(c, load(c) / area(c));
        in_sinks += -load(c);
      }
    } else {
      sums[0] += load(c);
      sums[2] += area(c);
      if (z(c) < base) sums[1] += area(c);
    }
    load(c) = 0;
  }
  mesh.comm().sum(std::span<ExactSum>(sums));
  const double adrift = sums[0].value(), deep = sums[1].value(), sea = deep > 0 ? deep : sums[2].value();
  ExactSum far;
  if (adrift > 0) {
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      if (network.is_land(c) || (deep > 0 && z(c) >= base)) continue;
      const double rise = adrift / sea;
      lay(c, rise);
      far += -rise * area(c);
    }
  }
  state.ledger.book(Balance::sediment, "far_deposits", far);
  state.ledger.book(Balance::sediment, "sink_deposits", in_sinks);
  state.ledger.book(Balance::sediment, "sea_creep", diffusion_->run(state, network, load, step.dt_yr));
}

}  // namespace craton::surface
