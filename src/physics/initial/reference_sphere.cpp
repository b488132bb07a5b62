#include "physics/initial/reference_sphere.hpp"

namespace craton::initial {

ReferenceSphere::ReferenceSphere() : grid(frequency) {
  const auto cells = static_cast<std::size_t>(grid.cell_count());
  position.resize(cells);
  neighbours.resize(cells);
  count.resize(cells);
  for (std::size_t c = 0; c < cells; ++c) {
    const GlobalId id{static_cast<std::int64_t>(c)};
    position[c] = grid.position(id);
    const NeighbourList around = grid.neighbours(id);
    count[c] = static_cast<std::int8_t>(around.count);
    for (std::size_t s = 0; s < static_cast<std::size_t>(around.count); ++s) {
      neighbours[c][s] = static_cast<std::int32_t>(raw(around.id[s]));
    }
  }
}

}  // namespace craton::initial
