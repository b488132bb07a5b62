// Every cell of a small planet has five or six neighbours, twelve of them five.
#include <cstdint>
#include <cstdio>

#include "grid/geodesic_grid.hpp"

int main() {
  const craton::GeodesicGrid grid(4);
  int pentagons = 0;
  for (std::int64_t k = 0; k < grid.cell_count(); ++k) {
    if (grid.neighbours(craton::GlobalId{k}).count == 5) ++pentagons;
  }
  std::printf("%d pentagons\n", pentagons);
  return pentagons == 12 ? 0 : 1;
}
