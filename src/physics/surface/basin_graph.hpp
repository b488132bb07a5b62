#pragma once
// The graph of basins: nodes are pits (all sea is one node), links are the lowest passes between them. The minimum
// spanning tree gives each basin the pass over which its water leaves: on the way to the root along the tree no pass is
// higher than it must be (Cordonnier, Bovy and Braun 2019, section 3). Pure and Local.
#include <cstdint>
#include <vector>

namespace craton::surface {

/// Node of everything that drains to the sea. Pits are named by their global id.
inline constexpr std::int64_t sea_basin = -1;

/// Two neighbouring cells in different basins. Links are ordered by height, then by the smaller and the larger cell, so
/// that the tree is unique.
struct BasinLink {
  double height_m = 0;  // the higher of the two cells
  std::int64_t cell_a = 0, cell_b = 0;
  std::int64_t basin_a = 0, basin_b = 0;
};
bool is_lower(const BasinLink& left, const BasinLink& right);

/// The pass of one basin: its last cell, and the cell beyond.
struct Outlet {
  std::int64_t cell = 0, beyond = 0;
};

/// The outlet of every basin but the root. Links may repeat. Error(internal) if a basin has no way to the root.
std::vector<Outlet> find_outlets(std::vector<BasinLink> links, std::int64_t root);

}  // namespace craton::surface
