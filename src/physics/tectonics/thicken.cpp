// Crust that grows: belts of collision, volcanic arcs, and thick crust that flows apart.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "par/exchange.hpp"
#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"

namespace craton::tectonics {

namespace {

constexpr double orogeny_m = 50;         // growth in one step that counts as an orogeny
constexpr double metamorphic_m = 10000;  // sediment deeper than this becomes crystalline
constexpr double thickest_arc_m = 55000;
constexpr double overflow_factor = 1.1;  // of the collapse thickness
constexpr int overflow_rounds = 60;
constexpr double given_up_variance = 3.6;  // of the places in which sinking parcels are given up, spacing^2

void harden(Parcel& p) {
  if (p.sediment_m <= metamorphic_m) return;
  p.thickness_m += p.sediment_m - metamorphic_m;
  p.sediment_m = metamorphic_m;
}

}  // namespace

void deliver(State& state, const std::vector<Gift>& gifts, double now_yr) {
  const Mesh& mesh = state.mesh();
  std::map<int, std::vector<Gift>> by_rank;
  for (const Gift& g : gifts) by_rank[mesh.owner(GlobalId{g.cell})].push_back(g);
  const std::vector<std::pair<int, std::vector<Gift>>> outgoing(by_rank.begin(), by_rank.end());
  std::vector<Gift> received = par::exchange_items(mesh.comm(), outgoing);
  const auto key = [](const Gift& g) {
    return std::tie(g.cell, g.parcel, g.crust_m3, g.continental_m3, g.sediment_m3);
  };
  std::sort(received.begin(), received.end(), [&](const Gift& a, const Gift& b) { return key(a) < key(b); });
  std::vector<Parcel>& parcels = state.crust.parcels;
  for (std::size_t k = 0; k < received.size();) {
    Gift sum = received[k++];
    for (; k < received.size() && received[k].parcel == sum.parcel && received[k].cell == sum.cell; ++k) {
      sum.crust_m3 += received[k].crust_m3;
      sum.continental_m3 += received[k].continental_m3;
      sum.sediment_m3 += received[k].sediment_m3;
    }
    Parcel& to = find_parcel(parcels, sum.cell, sum.parcel);
    add_rock(to, sum.crust_m3, sum.continental_m3, sum.sediment_m3);
    if (sum.crust_m3 > orogeny_m * to.area_m2) to.orogeny_yr = now_yr;
  }
}

// Deep sediment turns into crystalline crust; crust above the limit leaves its parcel and spreads like that of a
// collision.
bool MarginsPass::collapse(State& state, double limit_m) {
  const Mesh& mesh = state.mesh();
  bool any = false;
  for (Parcel& p : state.crust.parcels) {
    harden(p);
    if (p.thickness_m <= limit_m) continue;
    thickening_m3_(mesh.local(GlobalId{p.cell})) += p.area_m2 * (p.thickness_m - limit_m);
    p.thickness_m = limit_m;
    any = true;
  }
  return mesh.comm().any(any);
}

// Diffusion between neighbouring cells of the domain, in explicit steps of 1/7 per edge, which move a volume by a
// variance of 3/7 spacing^2 along each axis. The number of steps follows from the width in metres, less the spread of
// the places in which sinking parcels are given up, so that a belt is as wide on a fine mesh as on a coarse one. Only
// cells that hold some of the volume are visited.
void MarginsPass::spread_thickening(State& state, double least_continental) {
  const Mesh& mesh = state.mesh();
  const auto continental = state.real(fields::continental_fraction);
  const auto neighbours = mesh.neighbours();
  const double widths = parameters_.collision_width_m / mesh.spacing_m();
  const auto steps = static_cast<int>(std::ceil(std::max(1.0, (widths * widths - given_up_variance) * 7.0 / 3.0)));
  const auto is_inside = [&](LocalId c) { return continental(c) >= least_continental; };
  std::vector<LocalId> active;
  std::vector<char> is_active(static_cast<std::size_t>(mesh.n_owned()), 0);
  const auto activate = [&](LocalId c) {
    if (c == no_cell || c >= mesh.n_owned() || is_active[static_cast<std::size_t>(c)] || !is_inside(c)) return;
    is_active[static_cast<std::size_t>(c)] = 1;
    active.push_back(c);
  };
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (thickening_m3_(c) > 0) activate(c);
  }
  std::vector<double> change;
  for (int k = 0; k < steps; ++k) {
    mesh.refresh_halo(thickening_m3_);
    for (std::size_t a = 0, end = active.size(); a < end; ++a) {
      for (int s = 0; s < mesh.neighbour_count()(active[a]); ++s) activate(neighbours(active[a], s));
    }
    for (LocalId h = mesh.n_owned(); h < mesh.n_through_layer(1); ++h) {
      if (!(thickening_m3_(h) > 0) || !is_inside(h)) continue;
      for (int s = 0; s < mesh.neighbour_count()(h); ++s) activate(neighbours(h, s));
    }
    change.assign(active.size(), 0.0);
    for (std::size_t a = 0; a < active.size(); ++a) {
      const LocalId c = active[a];
      for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
        const LocalId n = neighbours(c, s);
        if (is_inside(n)) change[a] += (thickening_m3_(n) - thickening_m3_(c)) / 7.0;
      }
    }
    for (std::size_t a = 0; a < active.size(); ++a) thickening_m3_(active[a]) += change[a];
  }
}

// Where thick crust has no continent about it that could take it, it builds out over the ocean floor, as often as it
// takes until no crust is too thick: a plateau grows from its middle outwards.
void MarginsPass::overflow(State& state, double now_yr) {
  for (int round = 0; round < overflow_rounds; ++round) {
    Kokkos::deep_copy(thickening_m3_, 0.0);
    if (!collapse(state, parameters_.collapse_thickness_m * overflow_factor)) return;
    spread_thickening(state, 0.0);
    std::vector<Gift> gifts;
    for (LocalId c = 0; c < state.mesh().n_owned(); ++c) {
      const Parcel* to = shown_[static_cast<std::size_t>(c)];
      const double crust = thickening_m3_(c);
      if (crust > 0) gifts.push_back({to->cell, to->id, crust, crust, 0});
    }
    deliver(state, gifts, now_yr);
  }
}

// Metres from the nearest trench, within the over-riding plate, on owned cells; infinity beyond the limit.
std::vector<double> MarginsPass::distance_from_trench(const State& state, double limit_m) const {
  const Mesh& mesh = state.mesh();
  const auto plate = state.read(fields::plate);
  const auto kind = state.read(fields::boundary_kind);
  constexpr double far = std::numeric_limits<double>::infinity();
  const Array<double> distance("craton::tectonics::trench_distance", static_cast<std::size_t>(mesh.n_all()));
  Kokkos::deep_copy(distance, far);
  std::vector<LocalId> changed;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (kind(c) != over_riding) continue;
    distance(c) = 0;
    changed.push_back(c);
  }
  // The shortest path does not depend on the order in which cells are improved; only the number of rounds does.
  const auto improve_from = [&](LocalId c, std::vector<LocalId>& next) {
    for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
      const LocalId n = mesh.neighbours()(c, s);
      if (n == no_cell || n >= mesh.n_owned() || plate(n) != plate(c)) continue;
      const double through = distance(c) + static_cast<double>(mesh.distance_m()(c, s));
      if (through > limit_m || through >= distance(n)) continue;
      distance(n) = through;
      next.push_back(n);
    }
  };
  bool any = mesh.comm().any(!changed.empty());
  while (any) {
    while (!changed.empty()) {
      std::vector<LocalId> next;
      for (const LocalId c : changed) improve_from(c, next);
      changed = std::move(next);
    }
    mesh.refresh_halo(distance);
    for (LocalId h = mesh.n_owned(); h < mesh.n_through_layer(1); ++h) {
      if (distance(h) < far) improve_from(h, changed);
    }
    any = mesh.comm().any(!changed.empty());
  }
  return {distance.data(), distance.data() + mesh.n_owned()};
}

// Hands the spread volume and the magma of arcs to the parcels that the cells show. Returns the volume of magma.
ExactSum MarginsPass::grow(State& state, const StepInfo& step, double now_yr) {
  const Mesh& mesh = state.mesh();
  const auto thickness = state.read(fields::crust_thickness_m);
  const double near_m = parameters_.arc_near_m, far_m = std::max(parameters_.arc_far_m, near_m + mesh.spacing_m());
  const double arc_m = parameters_.arc_growth_m2_per_yr * step.dt_yr / (far_m - near_m);
  std::vector<double> distance(static_cast<std::size_t>(mesh.n_owned()), 0.0);
  if (arc_m > 0) distance = distance_from_trench(state, far_m);
  ExactSum magma;
  std::vector<Gift> gifts;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const auto k = static_cast<std::size_t>(c);
    double erupted = 0;
    if (arc_m > 0 && distance[k] >= near_m && distance[k] <= far_m && thickness(c) < thickest_arc_m) {
      erupted = arc_m * mesh.area_m2()(c);
      magma += erupted;
    }
    const double crust = thickening_m3_(c) + erupted;
    if (crust > 0) gifts.push_back({shown_[k]->cell, shown_[k]->id, crust, crust, 0});
  }
  deliver(state, gifts, now_yr);
  return magma;
}

}  // namespace craton::tectonics
