#pragma once
// Parcels near a cell, of this rank and of its neighbours.
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "state/state.hpp"

namespace craton::tectonics {

/// What a cell needs to know of a parcel: a copy, for owned cells and two halo layers.
struct Candidate {
  Vec3 position;  // now, in the planet's frame
  std::int64_t id = 0, cell = 0;
  double thickness_m = 0, sediment_m = 0, continental = 0, birth_yr = 0, orogeny_yr = 0, elevation_m = 0;
  std::int32_t plate = 0, reserved = 0;
};

class ParcelSearch {
 public:
  /// Which ranks hold which owned cells in their halo; depends on the mesh alone. Collective.
  explicit ParcelSearch(const Mesh& mesh);
  /// Copies the parcels of this rank and fetches those of the halo. Collective.
  void refresh(const State& state);
  /// Parcels in a local cell, sorted by id.
  std::span<const Candidate> in_cell(LocalId c) const;

  struct Nearest {
    std::int32_t plate = -1;
    const Candidate* parcel = nullptr;
    double distance = 0;  // chord on the unit sphere
  };
  static constexpr int max_plates = 8;
  /// For each plate with a parcel within reach of the centre of c (own cell and ring), the nearest parcel (ties by id);
  /// sorted by plate. Valid for cells through halo layer 1. Returns how many.
  int nearest_by_plate(LocalId c, double reach, Nearest (&found)[max_plates]) const;
  /// The same for one plate; null if there is none.
  const Candidate* nearest_of_plate(LocalId c, double reach, std::int32_t plate) const;

 private:
  const Mesh& mesh_;
  std::vector<std::pair<int, std::vector<LocalId>>> subscribers_;  // rank -> owned cells in its halo
  std::vector<Candidate> items_;
  std::vector<std::int64_t> begin_;  // by local cell
};

}  // namespace craton::tectonics
