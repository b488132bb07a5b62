// Gaps become new ocean floor. A gap is closed from its rims inwards, one ring of cells a round, so that each side
// takes its half and the ridge runs along the middle.
#include <algorithm>
#include <cmath>

#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"

namespace craton::tectonics {

namespace {

/// The plate that holds most neighbours of a gap (ties: smallest number), or -1.
std::int32_t majority_around(const Mesh& mesh, const Array<std::int32_t>& plate, LocalId c) {
  std::int32_t best = -1;
  int best_count = 0;
  for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
    const std::int32_t p = plate(mesh.neighbours()(c, s));
    if (p < 0) continue;
    int count = 0;
    for (int t = 0; t < mesh.neighbour_count()(c); ++t) count += plate(mesh.neighbours()(c, t)) == p;
    if (count > best_count || (count == best_count && p < best)) {
      best = p;
      best_count = count;
    }
  }
  return best;
}

}  // namespace

// ring: n_all, zero before; 1 for gap cells beside the rim, 2 behind them, ... Returns the number of rings.
std::int64_t MarginsPass::close_rings(State& state, const Array<std::int32_t>& ring) const {
  const Mesh& mesh = state.mesh();
  const auto plate = state.integer(fields::plate);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) plate(c) = owner_[static_cast<std::size_t>(c)];
  std::vector<LocalId> open;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (plate(c) < 0) open.push_back(c);
  }
  std::int32_t round = 0;
  for (mesh.refresh_halo(plate); mesh.comm().any(!open.empty()); mesh.refresh_halo(plate)) {
    ++round;
    std::vector<std::pair<LocalId, std::int32_t>> closed;
    std::vector<LocalId> rest;
    for (const LocalId c : open) {
      const std::int32_t p = majority_around(mesh, plate, c);
      if (p >= 0) {
        closed.emplace_back(c, p);
      } else {
        rest.push_back(c);
      }
    }
    for (const auto& [c, p] : closed) {
      plate(c) = p;
      ring(c) = round;
    }
    open = std::move(rest);
  }
  return round;
}

// Floor of the outer rings left the ridge earlier in the step than floor in the middle: birth goes evenly from the
// begin of the step at the rim to its end at the innermost ring of the same gap.
ExactSum MarginsPass::fill_gaps(State& state, const StepInfo& step) {
  const Mesh& mesh = state.mesh();
  const Array<std::int32_t> ring("craton::tectonics::ring", static_cast<std::size_t>(mesh.n_all()));
  const Array<std::int32_t> depth("craton::tectonics::depth", static_cast<std::size_t>(mesh.n_all()));
  const std::int64_t rings = close_rings(state, ring);
  std::vector<LocalId> filled;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    depth(c) = ring(c);
    if (ring(c) > 0) filled.push_back(c);
  }
  mesh.refresh_halo(ring);
  for (std::int64_t r = rings - 1; r >= 1; --r) {
    mesh.refresh_halo(depth);
    for (const LocalId c : filled) {
      if (ring(c) != r) continue;
      for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
        const LocalId n = mesh.neighbours()(c, s);
        if (ring(n) == r + 1) depth(c) = std::max(depth(c), depth(n));
      }
    }
  }
  const auto plate = state.integer(fields::plate);
  const double height_m = heights_.height_m({parameters_.isostasy_oceanic_thickness_m, 0, 0, 0});
  ExactSum made;
  reserve_parcels(state.crust.parcels, filled.size());
  for (const LocalId c : filled) {
    Parcel p;
    p.id = (step.step + 1) * mesh.global_count() + raw(mesh.global(c));
    p.cell = raw(mesh.global(c));
    p.plate = plate(c);
    p.frame_position =
        rotate(conjugate(state.crust.plates[static_cast<std::size_t>(p.plate)].orientation), mesh.position()(c));
    p.area_m2 = mesh.area_m2()(c);
    p.thickness_m = parameters_.isostasy_oceanic_thickness_m;
    p.birth_yr = static_cast<double>(step.begin_yr) + step.dt_yr * ring(c) / depth(c);
    p.orogeny_yr = p.birth_yr;
    p.elevation_m = height_m;
    made += p.area_m2 * p.thickness_m;
    state.crust.parcels.push_back(p);
  }
  sort_parcels(state.crust.parcels);
  return made;
}

}  // namespace craton::tectonics
