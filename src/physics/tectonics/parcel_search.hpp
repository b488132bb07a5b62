#pragma once
// Parcels near a cell, of this rank and of its neighbours. Own parcels are seen where they are, not copied: after a
// change of the list of parcels or of plates, refresh before the next question.
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "state/state.hpp"

namespace craton::tectonics {

class ParcelSearch {
 public:
  /// Finds which ranks hold which owned cells in their halo; depends on the mesh alone. Collective.
  explicit ParcelSearch(const Mesh& mesh);
  /// Looks at the parcels of this rank and fetches those of the halo. Collective.
  void refresh(const State& state);
  /// Parcels in a local cell, sorted by id.
  std::span<const Parcel> in_cell(LocalId c) const;

  struct Nearest {
    std::int32_t plate = -1;
    const Parcel* parcel = nullptr;
    double distance = 0;  // chord on the unit sphere
  };
  static constexpr int max_plates = 8;
  /// For each plate with a parcel within reach (chord) of the centre of c, in its own cell or ring: the nearest parcel,
  /// ties by id; sorted by plate. For cells through halo layer 1. Returns how many.
  int nearest_by_plate(LocalId c, double reach, Nearest (&found)[max_plates]) const;
  /// The same for one plate; null if there is none.
  const Parcel* nearest_of_plate(LocalId c, double reach, std::int32_t plate) const;

 private:
  const Mesh& mesh_;
  std::vector<std::pair<int, std::vector<LocalId>>> subscribers_;  // rank -> owned cells in its halo
  const State* state_ = nullptr;
  std::vector<Parcel> halo_;
  std::vector<std::int32_t> begin_;  // owned cells: into the rank's parcels; n_owned + 1
  std::vector<std::int32_t> halo_begin_;
};

}  // namespace craton::tectonics
