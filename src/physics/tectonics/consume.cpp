// Crust that leaves the surface: ocean floor sinks and is booked, continents give their volume to the belt above them.
#include <algorithm>
#include <cmath>

#include "core/hash.hpp"
#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"

namespace craton::tectonics {

namespace {

/// More parcels of one plate than this in a cell come from welded plates that had lain over each other.
constexpr int most_in_a_cell = 3;

/// Floor that has escaped for so long, far from any boundary or enclosed by continents, founders where it is.
constexpr double trapped_yr = 80e6, trapped_life_yr = 5e6;

bool is_beside_boundary(const Mesh& mesh, const ConstArray<std::int32_t>& plate, LocalId c, std::int32_t own) {
  if (plate(c) != own) return true;
  for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
    if (plate(mesh.neighbours()(c, s)) != own) return true;
  }
  return false;
}

}  // namespace

// Old floor beside a plate boundary founders: the trench rolls back into it, and what opens behind becomes new floor.
// Also thins out cells that hold too many parcels of a plate. Returns what is lost, negative, m^3.
ExactSum MarginsPass::founder(State& state, const StepInfo& step) const {
  const Mesh& mesh = state.mesh();
  const auto plate = state.read(fields::plate);
  std::vector<Parcel>& parcels = state.crust.parcels;
  const double now_yr = static_cast<double>(step.begin_yr) + step.dt_yr;
  const double share = std::min(1.0, parameters_.rollback_m_per_yr * step.dt_yr / mesh.spacing_m());
  const double trapped_share = std::min(1.0, step.dt_yr / trapped_life_yr);
  ExactSum lost;
  std::size_t kept = 0, cell_begin = 0;
  for (std::size_t k = 0; k < parcels.size(); ++k) {
    const Parcel p = parcels[k];
    if (kept == 0 || parcels[kept - 1].cell != p.cell) cell_begin = kept;
    const double volume = p.area_m2 * p.thickness_m + p.area_m2 * p.sediment_m;
    const double excess_yr = is_continental(p) ? 0 : now_yr - p.birth_yr - parameters_.founder_age_yr;
    const bool is_trapped = excess_yr > trapped_yr;
    if (is_trapped || (excess_yr > 0 && is_beside_boundary(mesh, plate, mesh.local(GlobalId{p.cell}), p.plate))) {
      // All parcels of a cell go together.
      const std::uint64_t bits = random_bits(state.globals.seed, RandomStream::foundering,
                                             static_cast<std::uint64_t>(step.step), static_cast<std::uint64_t>(p.cell));
      if (uniform01(bits) < (is_trapped ? std::max(share, trapped_share) : share)) {
        lost += -volume;
        continue;
      }
    }
    int alike = 0;
    for (std::size_t j = cell_begin; j < kept; ++j) alike += parcels[j].plate == p.plate;
    if (alike >= most_in_a_cell) {
      Parcel& into = parcels[kept - 1];
      if (is_continental(p) && into.plate == p.plate) {
        const double crust = p.area_m2 * p.thickness_m;
        add_rock(into, crust, p.continental * crust, p.area_m2 * p.sediment_m);
        continue;
      }
      if (!is_continental(p)) {
        lost += -volume;
        continue;
      }
    }
    parcels[kept++] = p;
  }
  parcels.resize(kept);
  return lost;
}

// A parcel is under another plate when neither its cell nor any neighbour belongs to its own. Returns what is lost.
ExactSum MarginsPass::consume(State& state, double now_yr) {
  const Mesh& mesh = state.mesh();
  const auto plate = state.read(fields::plate);
  std::vector<Parcel>& parcels = state.crust.parcels;
  Kokkos::deep_copy(thickening_m3_, 0.0);
  ExactSum lost;
  std::vector<Gift> gifts;
  std::vector<std::size_t> gone;
  for (std::size_t k = 0; k < parcels.size(); ++k) {
    const Parcel& p = parcels[k];
    const LocalId c = mesh.local(GlobalId{p.cell});
    bool is_under = plate(c) != p.plate;
    for (int s = 0; s < mesh.neighbour_count()(c); ++s)
      is_under = is_under && plate(mesh.neighbours()(c, s)) != p.plate;
    if (!is_under) continue;
    const Parcel* above = shown_[static_cast<std::size_t>(c)];
    gone.push_back(k);
    const double crust = p.area_m2 * p.thickness_m, sediment = p.area_m2 * p.sediment_m;
    Gift gift{above->cell, above->id, 0, 0, sediment};
    if (!is_continental(p)) {
      gift.sediment_m3 = parameters_.accretion_fraction * sediment;
      lost += -crust;
      lost += -(sediment - gift.sediment_m3);
    } else if (is_continental(*above)) {
      thickening_m3_(c) += crust;  // parcels of a cell come in the order of their ids
    } else {
      gift.crust_m3 = crust;
      gift.continental_m3 = p.continental * crust;
    }
    if (gift.crust_m3 > 0 || gift.sediment_m3 > 0) gifts.push_back(gift);
  }
  std::size_t kept = 0, next = 0;
  for (std::size_t k = 0; k < parcels.size(); ++k) {
    if (next < gone.size() && gone[next] == k) {
      ++next;
    } else {
      parcels[kept++] = parcels[k];
    }
  }
  parcels.resize(kept);
  deliver(state, gifts, now_yr);
  return lost;
}

}  // namespace craton::tectonics
