// Sunlight at the top of the atmosphere against exact and published values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "physics/climate/orbit.hpp"

namespace craton::climate {
namespace {

config::Planet tilted(double obliquity_deg, double eccentricity = 0) {
  config::Planet planet;
  planet.obliquity_deg = obliquity_deg;
  planet.eccentricity = eccentricity;
  return planet;
}

constexpr int days = 4000;

double annual_mean(const config::Planet& planet, double sine_of_latitude) {
  double sum = 0;
  for (int d = 0; d < days; ++d) sum += daily_insolation_w_m2(sun_at(planet, (d + 0.5) / days), sine_of_latitude);
  return sum / days;
}

// Midpoints in the sine of latitude are midpoints in area.
double global_mean(const config::Planet& planet) {
  constexpr int zones = 400;
  double sum = 0;
  for (int k = 0; k < zones; ++k) sum += annual_mean(planet, -1.0 + 2.0 * (k + 0.5) / zones);
  return sum / zones;
}

TEST(Insolation, annual_means_at_equator_and_poles_are_the_exact_ones) {
  for (const double obliquity : {0.0, 23.44, 60.0}) {
    const config::Planet planet = tilted(obliquity);
    const double tilt = std::sin(obliquity * constants::degree), s0 = planet.solar_constant_w_m2;
    // Pole: S0 sin(obliquity) / pi; equator: 2 S0 / pi^2 times the complete elliptic integral of the second kind.
    const double pole = s0 * tilt / constants::pi;
    const double equator = 2 * s0 / (constants::pi * constants::pi) * std::comp_ellint_2(tilt);
    EXPECT_NEAR(annual_mean(planet, 1.0), pole, 1e-3);
    EXPECT_NEAR(annual_mean(planet, -1.0), pole, 1e-3);
    EXPECT_NEAR(annual_mean(planet, 0.0), equator, 1e-3);
    std::printf("insolation, obliquity %.2f: equator %.3f (exact %.3f), pole %.3f (exact %.3f) W/m2\n", obliquity,
                annual_mean(planet, 0.0), equator, annual_mean(planet, 1.0), pole);
  }
}

TEST(Insolation, global_annual_mean_is_a_quarter_of_the_flux_of_the_orbit) {
  EXPECT_NEAR(global_mean(tilted(23.44)), 1361.0 / 4, 0.01);
  // An eccentric orbit gets 1 / sqrt(1 - e^2) times as much.
  EXPECT_NEAR(global_mean(tilted(23.44, 0.3)), 1361.0 / 4 / std::sqrt(1 - 0.09), 0.02);
  std::printf("insolation: global mean %.4f W/m2, S/4 = %.4f\n", global_mean(tilted(23.44)), 1361.0 / 4);
}

TEST(Insolation, earth_of_the_published_table_has_its_maximum_and_mean) {
  config::Planet planet = tilted(23.446, 0.017236);
  planet.solar_constant_w_m2 = 1365.2;
  planet.perihelion_deg = 281.37;
  // The table's places and days: 500 latitudes from pole to pole, 365 days from the first to the last of the year.
  double largest = 0, sum = 0, weight = 0;
  for (int d = 0; d < 365; ++d) {
    const Sun sun = sun_at(planet, d / 364.0);
    for (int k = 0; k < 500; ++k) {
      const double latitude = constants::pi * (k / 499.0 - 0.5);
      const double q = daily_insolation_w_m2(sun, std::sin(latitude));
      largest = std::max(largest, q);
      sum += q * std::cos(latitude);
      weight += std::cos(latitude);
    }
  }
  std::printf("insolation: daily maximum %.3f (562.033), mean %.3f (341.384) W/m2\n", largest, sum / weight);
  EXPECT_NEAR(largest, 562.033, 0.01);
  EXPECT_NEAR(sum / weight, 341.384, 0.005);
}

TEST(Insolation, poles_get_more_than_the_equator_beyond_54_degrees_of_tilt) {
  EXPECT_LT(annual_mean(tilted(53), 1.0), annual_mean(tilted(53), 0.0));
  EXPECT_GT(annual_mean(tilted(55), 1.0), annual_mean(tilted(55), 0.0));
}

TEST(Insolation, polar_night_is_dark_and_perihelion_is_brightest) {
  const config::Planet planet = tilted(23.44, 0.2);
  const double june = 80 / 365.2422 + 0.25;
  EXPECT_EQ(daily_insolation_w_m2(sun_at(tilted(23.44), june), -0.99), 0.0);
  double brightest = 0, faintest = 1e9;
  for (int d = 0; d < days; ++d) {
    const double flux = sun_at(planet, (d + 0.5) / days).flux_w_m2;
    brightest = std::max(brightest, flux);
    faintest = std::min(faintest, flux);
  }
  EXPECT_NEAR(brightest, 1361.0 / (0.8 * 0.8), 0.1);
  EXPECT_NEAR(faintest, 1361.0 / (1.2 * 1.2), 0.1);
}

}  // namespace
}  // namespace craton::climate
