#include <algorithm>
#include <array>
#include <limits>

#include "physics/surface/passes.hpp"
#include "state/fields.hpp"

namespace craton::surface {

MarinePass::MarinePass(const config::Surface& parameters, SharedRivers rivers)
    : SurfacePass(
          {.name = "surface.marine",
           .fields = {updates(fields::elevation_m, 1), updates(fields::erosion_m), updates(fields::deposition_m)},
           .books = {Balance::sediment},
           .global = true},
          parameters, std::move(rivers)) {}

namespace {

constexpr int most_rounds = 200;
constexpr double round_off = 1e-14;

}  // namespace

void MarinePass::run(State& state, const StepInfo& step) {
  const Mesh& mesh = state.mesh();
  const config::Surface& p = parameters();
  if (!diffusion_) diffusion_.emplace(mesh, p.marine_creep_m2_per_yr, Diffusion::Domain::sea);
  if (!cascade_) cascade_.emplace(mesh);
  const FlowNetwork& network = rivers().network;
  const auto load = rivers().load_m3;
  const auto z = state.real(fields::elevation_m), deposition = state.real(fields::deposition_m);

  const MarineRules rules{state.globals.sea_level_m, p.wave_base_m, p.marine_slope, p.marine_rounds};
  ExactSum laid;
  laid.subtract(cascade_->settle(network, z, deposition, load, rules));
  state.ledger.book(Balance::sediment, "sea_deposits", laid);
  state.ledger.book(Balance::sediment, "sink_deposits", fill_sink(state));
  state.ledger.book(Balance::sediment, "far_deposits", spread_rest(state));
  state.ledger.book(Balance::sediment, "sea_creep", diffusion_->run(state, network, load, step.dt_yr));
}

// The outlet of a world without sea keeps what brings it up to its lowest neighbour.
ExactSum MarinePass::fill_sink(State& state) const {
  const Mesh& mesh = state.mesh();
  const FlowNetwork& network = rivers().network;
  const auto load = rivers().load_m3;
  const auto z = state.real(fields::elevation_m), deposition = state.real(fields::deposition_m);
  mesh.refresh_halo(z);
  ExactSum laid;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (!network.is_land(c) || load(c) <= 0) continue;
    double lowest = std::numeric_limits<double>::infinity();
    for (int s = 0; s < mesh.neighbour_count()(c); ++s) lowest = std::min(lowest, z(mesh.neighbours()(c, s)));
    const double taken = std::min(load(c), std::max(0.0, lowest - z(c)) * mesh.area_m2()(c));
    z(c) += taken / mesh.area_m2()(c);
    deposition(c) += taken / mesh.area_m2()(c);
    load(c) -= taken;
    laid += -taken;
  }
  return laid;
}

// What found no room near the coast drifts to the open sea: the same thickness everywhere, up to the wave base; when
// all sea is full, up to its surface; and what no sea can hold, over the whole planet. The thickness t of a stage
// solves
//   sum of area min(t, room) = load,
// concave in t, so that Newton's method from t = 0 rises to it and ends when no more cells fill up on the way.
ExactSum MarinePass::spread_rest(State& state) const {
  const Mesh& mesh = state.mesh();
  const FlowNetwork& network = rivers().network;
  const auto load = rivers().load_m3;
  const auto z = state.real(fields::elevation_m), deposition = state.real(fields::deposition_m);
  const auto area = mesh.area_m2();
  ExactSum local;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    local += load(c);
    load(c) = 0;
  }
  double rest = mesh.comm().sum(local);
  const double sea_level = state.globals.sea_level_m, unlimited = std::numeric_limits<double>::infinity();
  ExactSum laid;
  for (const double top : {sea_level - parameters().wave_base_m, sea_level, unlimited}) {
    const auto room = [&](LocalId c) {
      if (top == unlimited) return unlimited;
      return network.is_land(c) ? 0.0 : std::max(0.0, top - z(c));
    };
    double thickness = 0, left = rest;
    for (int round = 0; left > 0; ++round) {
      std::array<ExactSum, 2> sums;  // area with room above the thickness, volume below it
      for (LocalId c = 0; c < mesh.n_owned(); ++c) {
        const double r = room(c);
        if (r > thickness) sums[0] += area(c);
        sums[1] += area(c) * std::min(r, thickness);
      }
      mesh.comm().sum(std::span<ExactSum>(sums));
      const double open = sums[0].value();
      left = rest - sums[1].value();
      if (!(open > 0) || left <= rest * round_off || round == most_rounds) break;
      thickness += left / open;
    }
    ExactSum here;
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      const double rise = std::min(room(c), thickness);
      if (rise <= 0) continue;
      z(c) += rise;
      deposition(c) += rise;
      here += -rise * area(c);
    }
    laid.add(here);
    if (left <= rest * round_off) break;
    rest = left;
  }
  return laid;
}

}  // namespace craton::surface
