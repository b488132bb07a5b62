#pragma once
// The plates of a new world as functions on the sphere: plate, motion, and distance to the ridge. The layout is that of
// the reference sphere; the place asked for is first moved by noise (boundary_roughness_deg), which turns the sides of
// the reference cells into fractal lines without moving them far. Nothing depends on the planet's mesh. Local.
#include <cstdint>
#include <vector>

#include "config/parameters.hpp"
#include "physics/initial/reference_sphere.hpp"

namespace craton::initial {

class PlateLayout {
 public:
  PlateLayout(const config::Initial& parameters, std::uint64_t seed, double radius_m);

  int count() const { return count_; }
  const std::vector<Vec3>& euler_rad_per_yr() const { return euler_; }

  struct Place {
    std::int32_t plate;
    double ridge_rad;  // angle to the nearest diverging boundary of this plate; infinite if it has none
  };
  /// hint: a cell of the reference sphere nearby, updated; makes runs of neighbouring places fast.
  Place at(Vec3 p, GlobalId& hint) const;

 private:
  struct Side {
    Vec3 from, to;  // an arc between two plates
  };
  struct Link {
    std::int32_t ridge, next;
  };
  static double distance_rad(Vec3 p, const Side& side);
  void find_ridges();
  void spread_ridges();

  ReferenceSphere sphere_;
  std::uint64_t seed_;
  double roughness_rad_;
  int count_;
  std::vector<Vec3> seeds_;  // of the Voronoi kind, else empty
  std::vector<std::int32_t> plate_;
  std::vector<Vec3> euler_;
  std::vector<Side> ridges_;
  // By cell: the nearest ridge within its plate, and the chain of ridges that are its own sides; -1 where there is
  // none.
  std::vector<std::int32_t> nearest_ridge_, first_link_;
  std::vector<Link> links_;
};

}  // namespace craton::initial
