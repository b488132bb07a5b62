#pragma once
// Sea level and volume of water over a surface: V(s) = sum over cells of area max(0, s - z). V is convex, increasing
// and piecewise linear, so Newton's method from any s above the root falls to it monotonically and ends exactly when
// the set of wet cells no longer changes. All sums are exact, so every rank count gives the same bits.
#include "core/exact_sum.hpp"
#include "core/types.hpp"
#include "mesh/mesh.hpp"

namespace craton::isostasy {

/// This rank's part of V(s), m^3. Local.
ExactSum local_water_m3(const Mesh& mesh, const ConstArray<double>& elevation_m, double sea_level_m);

/// s with V(s) = volume_m3 to 1e-13 of the volume (round-off of s); the lowest point for no water. guess_m: any finite
/// number, e.g. the level of the step before. Collective.
double sea_level_for_volume(const Mesh& mesh, const ConstArray<double>& elevation_m, double volume_m3, double guess_m);

/// The highest s, to 1e-6 m, at which at least the fraction land_fraction of the planet's area has z >= s. Collective.
double sea_level_for_land(const Mesh& mesh, const ConstArray<double>& elevation_m, double land_fraction);

}  // namespace craton::isostasy
