#pragma once
// The belts that the overturning cells draw about the thermal equator. Pure and Local.
#include "config/parameters.hpp"
#include "core/constants.hpp"
#include "core/types.hpp"

namespace craton::climate {

/// Width of the overturning cell, radians: belt_width_deg at Earth's day and radius, growing with the square root of
/// day length and falling with that of the radius, between the angular-momentum limit of Held and Hou (1980, J. Atmos.
/// Sci. 37, eq. 16: proportional to 1 / (Omega a)) and the baroclinic one (weaker). At most 90 degrees: one cell per
/// hemisphere.
inline double belt_width_rad(const config::Planet& planet, const config::Climate& climate) {
  const double scale = std::sqrt(planet.day_s / 86164.1 * (6371000.0 / planet.radius_m));
  return constants::degree * std::fmin(90.0, std::fmax(8.0, climate.belt_width_deg * scale));
}

/// Latitude counted from the thermal equator and stretched so that the poles stay in place, 0 ... pi / 2.
KOKKOS_INLINE_FUNCTION double belt_latitude_rad(double latitude_rad, double thermal_equator_rad) {
  const double quarter = 0.5 * constants::pi;
  return latitude_rad > thermal_equator_rad
             ? quarter * (latitude_rad - thermal_equator_rad) / (quarter - thermal_equator_rad)
             : quarter * (thermal_equator_rad - latitude_rad) / (quarter + thermal_equator_rad);
}

/// +1 where air rises (thermal equator, subpolar belt), -1 where it sinks (subtropics, pole).
KOKKOS_INLINE_FUNCTION double belt_ascent(double belt_latitude_rad, double width_rad) {
  return std::cos(constants::pi * belt_latitude_rad / width_rad);
}

}  // namespace craton::climate
