#pragma once
// Steepest descent: the receiver of a land cell is the strictly lower neighbour n with the largest slope
//   (z_c - max(z_n, sea level)) / distance,
// equal slopes by the smaller global id (O'Callaghan and Mark 1984, with the distances of the hexagons). The sea counts
// with its surface, so that a river enters it by the nearest cell and not by the deepest. Sea: z < sea level.
#include "mesh/mesh.hpp"
#include "physics/surface/flow_network.hpp"

namespace craton::surface {

struct ReceiverCounts {
  std::int64_t land = 0, pits = 0;  // on this rank
};

/// Fills slots of owned cells: 0..5, no_receiver for a land cell without a lower neighbour, base_level for the sea.
/// Needs elevation in one halo layer. Local.
ReceiverCounts find_receivers(const FlowNetwork& network, const ConstArray<double>& elevation_m, double sea_level_m);

}  // namespace craton::surface
