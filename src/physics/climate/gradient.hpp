#pragma once
// Gradient of a cell field on the Voronoi mesh: grad q = 1 / (2 a) sum_s l_s (q_s - q) n_s, n_s the unit vector in the
// tangent plane towards neighbour s; exact for linear fields on regular cells. As weights per slot in east and north.
// Pure and Local.
#include "mesh/mesh.hpp"

namespace craton::climate {

struct GradientWeights {
  double east[6] = {}, north[6] = {};  // m^-1; 0 in unused slots
};

struct GradientGeometry {
  ConstArray<Vec3> position;
  ConstArray<double> area_m2;
  ConstSlotArray<LocalId> neighbours;
  ConstSlotArray<float> edge_m;

  explicit GradientGeometry(const Mesh& mesh)
      : position(mesh.position()), area_m2(mesh.area_m2()), neighbours(mesh.neighbours()), edge_m(mesh.edge_m()) {}

  KOKKOS_INLINE_FUNCTION GradientWeights weights(LocalId c) const {
    GradientWeights w;
    const Vec3 p = position(c), east = east_at(p), north = north_at(p);
    for (int s = 0; s < 6; ++s) {
      const LocalId other = neighbours(c, s);
      if (other == no_cell) continue;
      const double x = dot(position(other), east), y = dot(position(other), north);
      const double scale = static_cast<double>(edge_m(c, s)) / (2.0 * area_m2(c) * std::sqrt(x * x + y * y));
      w.east[s] = scale * x;
      w.north[s] = scale * y;
    }
    return w;
  }
};

}  // namespace craton::climate
