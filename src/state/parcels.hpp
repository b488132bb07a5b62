#pragma once
// Crust rides on parcels, plates are rigid rotations. A parcel keeps its place in its plate's own frame for its whole
// life, so that transport does not blur: position now = rotate(plate.orientation, frame_position).
#include <cstdint>
#include <vector>

#include "core/exact_sum.hpp"
#include "core/types.hpp"
#include "core/vec3.hpp"

namespace craton {

struct Parcel {
  std::int64_t id = 0;     // unique and independent of the partition: (birth step) * cell count + (birth cell)
  std::int64_t cell = 0;   // global id of the grid cell that it is in; the owner of that cell holds the parcel
  Vec3 frame_position;     // unit vector in the frame of the plate
  double area_m2 = 0;      // of the cell in which it was born; rock volume = area * (thickness + sediment)
  double thickness_m = 0;  // crystalline crust
  double sediment_m = 0;   // solid sediment on it
  double continental = 0;  // 0 oceanic .. 1 continental
  double birth_yr = 0;     // model time at which the crust formed; negative = before the start
  double orogeny_yr = 0;   // model time of the last thickening at a margin
  double elevation_m =
      0;  // height of the surface that it carries; what passes change on the grid returns as increments
  std::int32_t plate = 0;
  std::int32_t reserved = 0;
};

struct Plate {
  Quaternion orientation;  // plate frame -> planet
  Vec3 euler_rad_per_yr;   // rotation vector in the planet's frame
  std::int64_t birth_yr = 0;
  std::int32_t alive = 1;
  std::int32_t reserved = 0;
};

/// Parcels of the cells that this rank owns, sorted by (cell, id); the plate table is the same on every rank.
struct Crust {
  std::vector<Parcel> parcels;
  std::vector<Plate> plates;

  /// Solid volume of crust and sediment on this rank, m^3: the stock of Balance::rock.
  ExactSum rock_m3() const {
    ExactSum sum;
    for (const Parcel& p : parcels) {
      sum += p.area_m2 * p.thickness_m;
      sum += p.area_m2 * p.sediment_m;
    }
    return sum;
  }
};

}  // namespace craton
