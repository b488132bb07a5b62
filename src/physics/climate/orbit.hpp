#pragma once
// Sunlight at the top of the atmosphere from the orbit and the tilt. Pure and Local.
//
// Kepler: M = E - e sin E, tan(nu / 2) = sqrt((1 + e) / (1 - e)) tan(E / 2); solar longitude lambda = nu + perihelion.
// Declination sin d = sin(obliquity) sin(lambda); flux at the planet S = S0 (a / r)^2 with r / a = 1 - e cos E.
// Daily mean Q = S / pi (h sin(lat) sin(d) + cos(lat) cos(d) sin h), cos h = -tan(lat) tan(d), h in [0, pi]
// (Berger 1978, J. Atmos. Sci. 35, eq. 8).
// Time t is the fraction of the year; month 1 begins at t = 0 and the northward equinox is at t = 80 / 365.2422.
#include <Kokkos_Core.hpp>

#include "config/parameters.hpp"
#include "core/constants.hpp"

namespace craton::climate {

/// Where the star stands at one time of the year.
struct Sun {
  double flux_w_m2 = 0;  // on a surface that faces it
  double sin_declination = 0;
};

Sun sun_at(const config::Planet& planet, double year_fraction);

/// Mean over a day, W m-2, at the sine of latitude x.
KOKKOS_INLINE_FUNCTION double daily_insolation_w_m2(Sun sun, double x) {
  const double cos_declination = std::sqrt(std::fmax(0.0, 1.0 - sun.sin_declination * sun.sin_declination));
  const double cos_latitude = std::sqrt(std::fmax(0.0, 1.0 - x * x));
  const double up = x * sun.sin_declination, across = cos_latitude * cos_declination;
  // Polar day and night are the ends of the clamp; where both factors vanish (a pole at equinox) Q is 0 either way.
  const double cos_h = across > 0 ? std::fmin(1.0, std::fmax(-1.0, -up / across)) : (up > 0 ? -1.0 : 1.0);
  const double h = std::acos(cos_h);
  return sun.flux_w_m2 / constants::pi * (h * up + across * std::sqrt(std::fmax(0.0, 1.0 - cos_h * cos_h)));
}

}  // namespace craton::climate
