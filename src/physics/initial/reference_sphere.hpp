#pragma once
// A geodesic grid of fixed frequency on which plates are laid out, the same for every mesh and on every rank: 92,162
// cells, 75 km on Earth. Its size does not grow with the planet's mesh; it lives while the world is made.
#include <array>
#include <vector>

#include "grid/geodesic_grid.hpp"

namespace craton::initial {

struct ReferenceSphere {
  static constexpr std::int64_t frequency = 96;

  ReferenceSphere();
  std::int32_t size() const { return static_cast<std::int32_t>(position.size()); }

  GeodesicGrid grid;
  std::vector<Vec3> position;
  std::vector<std::array<std::int32_t, 6>> neighbours;  // the first count[c] of them
  std::vector<std::int8_t> count;
};

}  // namespace craton::initial
