// Two sweeps over the flow network.
//
// Upstream (receivers first). With w the surface of the ground or of the water over it,
//   w(sea) = max(z, sea level),   w(c) = max(z(c), w(r) + e distance),
// a cell above w(r) is cut by stream power towards w(r); one that is not lies under a lake or in the sediment of one
// and is not cut. The slope e is far below any river's: it makes filled lakes drain to their outlet.
//
// Downstream (donors first). The load Q of a cell is that of its donors and what was cut in it. A cell under w fills up
// to w. Any other lays down D = G Q_out a / A of it (a its area, A its drainage area: erosion and deposition of Davy
// and Lague 2009 in the form of Yuan et al. 2019), implicitly with Q_out = Q - D, but not above its lowest donor.
#include <algorithm>
#include <limits>

#include "physics/surface/passes.hpp"
#include "physics/surface/stream_power.hpp"
#include "state/fields.hpp"

namespace craton::surface {

namespace {
constexpr double lake_floor_slope = 1e-7;
}

IncisionPass::IncisionPass(const config::Surface& parameters, SharedRivers rivers)
    : SurfacePass({.name = "surface.incision",
                   .fields = {updates(fields::elevation_m), updates(fields::erosion_m), updates(fields::deposition_m),
                              reads(fields::uplift_rate_m_per_yr), reads(fields::sediment_m),
                              reads(fields::drainage_area_m2), reads(fields::discharge_m3_per_yr)},
                   .books = {Balance::sediment},
                   .global = true},
                  parameters, std::move(rivers)) {}

void IncisionPass::run(State& state, const StepInfo& step) {
  const Mesh& mesh = state.mesh();
  const auto slot = rivers().network.slots();
  const auto fill = rivers().fill_m, load = rivers().load_m3;
  const auto elevation = state.real(fields::elevation_m);
  const auto uplift = state.read(fields::uplift_rate_m_per_yr);
  const double dt_yr = step.dt_yr, sea_level = state.globals.sea_level_m;
  Kokkos::parallel_for(
      "craton::surface.incision::lift_rock", Kokkos::RangePolicy<ExecutionSpace>(0, mesh.n_owned()),
      KOKKOS_LAMBDA(const LocalId c) {
        elevation(c) += uplift(c) * dt_yr;
        load(c) = 0;
        // The outlet of a world without sea is its own base level.
        fill(c) = slot(c) == base_level && elevation(c) < sea_level ? sea_level : elevation(c);
      });
  Kokkos::fence();
  state.ledger.book(Balance::sediment, "erosion", cut(state, dt_yr));
  state.ledger.book(Balance::sediment, "river_deposits", carry(state));
}

ExactSum IncisionPass::cut(State& state, double dt_yr) const {
  const FlowNetwork& network = rivers().network;
  const auto slot = network.slots();
  const auto fill = rivers().fill_m, load = rivers().load_m3;
  const auto neighbours = state.mesh().neighbours();
  const auto distance = state.mesh().distance_m();
  const auto area = state.mesh().area_m2();
  const auto elevation = state.real(fields::elevation_m), erosion = state.real(fields::erosion_m);
  const auto deposition = state.read(fields::deposition_m), sediment = state.read(fields::sediment_m);
  const config::Surface& p = parameters();
  const bool by_area = p.erosion_by == "area";
  const auto supply = state.read(by_area ? fields::drainage_area_m2 : fields::discharge_m3_per_yr);
  const double per_supply = by_area ? 1.0 : 1.0 / p.reference_runoff_m_per_yr;
  const double n = p.slope_exponent, m = p.concavity * n, softer = p.sediment_erodibility_factor;
  const double strength = p.erodibility * dt_yr;

  ExactSum total;
  double* const carried[] = {fill.data()};
  network.sweep_upstream(carried, [&](LocalId c) {
    const int s = slot(c);
    if (s < 0) return;
    const double base = fill(neighbours(c, s)), d = distance(c, s), before = elevation(c);
    double after = before;
    if (before > base && supply(c) > 0) {
      const double slope_scale = n == 1 ? d : std::pow(d, n);
      const double k = strength * std::pow(supply(c) * per_supply, m) / slope_scale;
      const double cover = std::max(0.0, sediment(c) + deposition(c) - erosion(c));
      after = std::min(before, base + implicit_layered_drop_m(before - base, k, n, cover, softer));
      elevation(c) = after;
      erosion(c) += before - after;
      load(c) = (before - after) * area(c);
      total += load(c);
    }
    fill(c) = std::max(after, base + lake_floor_slope * d);
  });
  return total;
}

ExactSum IncisionPass::carry(State& state) const {
  const Mesh& mesh = state.mesh();
  const FlowNetwork& network = rivers().network;
  const auto slot = network.slots();
  const auto fill = rivers().fill_m, load = rivers().load_m3;
  const auto area = mesh.area_m2();
  const auto elevation = state.real(fields::elevation_m), deposition = state.real(fields::deposition_m);
  const auto drained = state.read(fields::drainage_area_m2);
  const double factor = parameters().deposition_factor;

  ExactSum total;
  double* const carried[] = {load.data(), elevation.data()};
  network.sweep_downstream(carried, [&](LocalId c) {
    double lowest_donor = std::numeric_limits<double>::infinity(), here = load(c);
    network.for_donors(c, [&](LocalId donor) {
      here += load(donor);
      lowest_donor = std::min(lowest_donor, elevation(donor));
    });
    double laid = 0, top = elevation(c);
    if (here > 0 && slot(c) >= 0) {
      if (top < fill(c)) {
        const double room = (fill(c) - top) * area(c);
        laid = std::min(here, room);
        top = laid < room ? top + laid / area(c) : fill(c);
      } else if (factor > 0) {
        const double share = factor * area(c) / drained(c);
        const double wanted = here * share / (1 + share);
        laid = std::min(wanted, std::max(0.0, lowest_donor - top) * area(c));
        top += laid / area(c);
      }
    }
    load(c) = here - laid;
    if (laid == 0) return;
    elevation(c) = top;
    deposition(c) += laid / area(c);
    total += -laid;
  });
  // What the rivers bring to the sea; nothing stays under way on land but in the outlet of a world without sea.
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (network.is_land(c) || !network.has_donors(c)) continue;
    double sum = 0;
    network.for_donors(c, [&](LocalId donor) { sum += load(donor); });
    load(c) = sum;
  }
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (slot(c) >= 0) load(c) = 0;
  }
  return total;
}

}  // namespace craton::surface
