#pragma once
// Which plate each cell of the reference sphere belongs to.
//
// Growth: first-passage percolation. Plate k leaves its seed at time t_k; to pass from a cell to its neighbour takes
//   t = |p - q| slow(p, q) (0.35 + 0.65 E),   E exponential with mean 1 by hash of the edge, slow a smooth noise,
// and a cell belongs to the plate that arrives first. With E alone this is random aggregation (Eden growth; Richardson
// 1973, Hammersley and Welsh 1965). Large plates start at once; each small one starts when the part f_k of the time in
// which the others reach its seed is over, so that it stays small and none is empty. Ties: lower plate number.
// Voronoi: the seed nearest by great circle.
//
// Everything is Local and the same on every rank.
#include <cstdint>
#include <vector>

#include "config/parameters.hpp"
#include "physics/initial/reference_sphere.hpp"

namespace craton::initial {

/// Seeds by hash: count points, each the farthest from those before among a few random ones, or plainly random.
std::vector<Vec3> spread_seeds(std::uint64_t seed, int count);
std::vector<Vec3> random_seeds(std::uint64_t seed, int count);

/// Index of the seed nearest to p; ties: lower index.
std::int32_t nearest_seed(const std::vector<Vec3>& seeds, Vec3 p);

std::vector<std::int32_t> grow_plates(const ReferenceSphere& sphere, const config::Initial& parameters,
                                      std::uint64_t seed);
std::vector<std::int32_t> voronoi_plates(const ReferenceSphere& sphere, const std::vector<Vec3>& seeds);

}  // namespace craton::initial
