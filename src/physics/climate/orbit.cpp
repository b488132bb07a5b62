#include "physics/climate/orbit.hpp"

#include <cmath>

namespace craton::climate {

namespace {

constexpr double equinox_year_fraction = 80.0 / 365.2422;

double eccentric_from_true(double true_anomaly, double e) {
  return 2.0 * std::atan2(std::sqrt(1.0 - e) * std::sin(0.5 * true_anomaly),
                          std::sqrt(1.0 + e) * std::cos(0.5 * true_anomaly));
}

// Bisection then Newton: Newton alone may leave for eccentricities near 1.
double eccentric_from_mean(double mean_anomaly, double e) {
  const double m = std::remainder(mean_anomaly, 2.0 * constants::pi);
  double low = m - e - 1e-9, high = m + e + 1e-9;
  for (int k = 0; k < 10; ++k) {
    const double middle = 0.5 * (low + high);
    (middle - e * std::sin(middle) < m ? low : high) = middle;
  }
  double anomaly = 0.5 * (low + high);
  for (int k = 0; k < 6; ++k) {
    anomaly -= (anomaly - e * std::sin(anomaly) - m) / (1.0 - e * std::cos(anomaly));
  }
  return anomaly;
}

}  // namespace

Sun sun_at(const config::Planet& planet, double year_fraction) {
  const double e = planet.eccentricity;
  const double perihelion = planet.perihelion_deg * constants::degree;
  const double at_equinox = eccentric_from_true(-perihelion, e);
  const double mean =
      at_equinox - e * std::sin(at_equinox) + 2.0 * constants::pi * (year_fraction - equinox_year_fraction);
  const double anomaly = eccentric_from_mean(mean, e);
  const double true_anomaly =
      2.0 * std::atan2(std::sqrt(1.0 + e) * std::sin(0.5 * anomaly), std::sqrt(1.0 - e) * std::cos(0.5 * anomaly));
  const double distance = 1.0 - e * std::cos(anomaly);
  return {planet.solar_constant_w_m2 / (distance * distance),
          std::sin(planet.obliquity_deg * constants::degree) * std::sin(true_anomaly + perihelion)};
}

}  // namespace craton::climate
