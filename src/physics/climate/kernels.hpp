#pragma once
// How the climate launches its kernels, and the few formulas that several of its passes share.
#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/types.hpp"
#include "core/vec3.hpp"

namespace craton::climate {

inline constexpr int months = 12;

/// Runs body(cell) for 0 <= cell < count and waits for it. Local.
template <class Body>
void for_cells(const char* label, LocalId count, const Body& body) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace>(0, count), body);
  Kokkos::fence();
}

/// Saturation vapour pressure over water, Pa (Magnus form; Bolton 1980, eq. 10), bounded to the range in which the
/// formula means something.
KOKKOS_INLINE_FUNCTION double saturation_pressure_pa(double temperature_c) {
  const double t = std::fmin(std::fmax(temperature_c, -90.0), 150.0);
  return 611.2 * std::exp(17.67 * t / (t + 243.5));
}
/// Density of saturated vapour, kg m-3.
KOKKOS_INLINE_FUNCTION double saturation_density_kg_m3(double temperature_c) {
  const double kelvin = std::fmax(temperature_c, -90.0) + constants::kelvin_at_0_celsius;
  return saturation_pressure_pa(temperature_c) / (constants::vapour_gas_constant_j_kg_k * kelvin);
}

/// Wind as a vector in space from its components at the unit vector p.
KOKKOS_INLINE_FUNCTION Vec3 wind_vector(Vec3 p, double east, double north) {
  return east * east_at(p) + north * north_at(p);
}

}  // namespace craton::climate
