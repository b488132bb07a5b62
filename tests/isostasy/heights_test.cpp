// Depth of the ocean floor and Airy heights against published figures and against the balance of pressures.
#include "physics/isostasy/heights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace craton::isostasy {
namespace {

TEST(OceanDepth, gdh1_has_its_published_depths) {
  const double ages_myr[] = {10, 50, 100, 150}, depths_m[] = {3754, 5035, 5498, 5613};
  for (int k = 0; k < 4; ++k) {
    const double depth = gdh1_depth_m(1e6 * ages_myr[k]);
    EXPECT_NEAR(depth, depths_m[k], 0.6);
    std::printf("GDH1: %.0f Myr %.1f m (%.0f)\n", ages_myr[k], depth, depths_m[k]);
  }
  EXPECT_EQ(gdh1_depth_m(0), 2600);
}

TEST(OceanDepth, parsons_and_sclater_has_its_published_depths) {
  EXPECT_EQ(parsons_sclater_depth_m(0), 2500);
  EXPECT_DOUBLE_EQ(parsons_sclater_depth_m(25e6), 2500 + 350 * 5.0);
  EXPECT_DOUBLE_EQ(parsons_sclater_depth_m(100e6), 6400 - 3200 * std::exp(-100 / 62.8));
  EXPECT_NEAR(parsons_sclater_depth_m(1e9), 6400, 1);
}

TEST(OceanDepth, both_laws_deepen_with_age_and_have_the_small_steps_of_their_sources) {
  for (int t = 0; t < 300; ++t) {
    if (t != 19) {
      EXPECT_LT(gdh1_depth_m(1e6 * t), gdh1_depth_m(1e6 * (t + 1))) << t;
    }
    if (t != 69) {
      EXPECT_LT(parsons_sclater_depth_m(1e6 * t), parsons_sclater_depth_m(1e6 * (t + 1))) << t;
    }
  }
  // Where the published branches meet, they differ by 14 m down and 78 m up.
  EXPECT_NEAR(gdh1_depth_m(20e6) - gdh1_depth_m(20e6 - 1),
              5651 - 2473 * std::exp(-0.556) - 2600 - 365 * std::sqrt(20.0), 0.1);
  EXPECT_NEAR(parsons_sclater_depth_m(70e6) - parsons_sclater_depth_m(70e6 - 1), -78, 0.1);
}

// Pressure under a column down to a depth in the mantle, per unit gravity: what is in balance is equal.
double load(const config::Tectonics& p, const Column& c, double height, double floor_m, bool continental) {
  const double crust = continental ? p.isostasy_continental_density_kg_m3 : p.isostasy_oceanic_density_kg_m3;
  const double water = std::max(0.0, -height) * constants::sea_water_density_kg_m3;
  const double mantle_m = height - c.sediment_m - c.thickness_m + floor_m;
  return water + c.sediment_m * p.isostasy_sediment_density_kg_m3 + c.thickness_m * crust +
         mantle_m * p.isostasy_mantle_density_kg_m3;
}

TEST(Heights, columns_press_alike_on_the_mantle) {
  const config::Tectonics p;
  const HeightLaw law(p);
  constexpr double floor_m = 150000;
  for (const bool continental : {true, false}) {
    const double age = 60e6, f = continental ? 1 : 0;
    const Column reference{continental ? 35000.0 : 7000.0, 0, f, age};
    const double expected = load(p, reference, law.height_m(reference), floor_m, continental);
    for (const double thickness : {5000.0, 12000.0, 30000.0, 45000.0, 70000.0}) {
      for (const double sediment : {0.0, 800.0, 6000.0}) {
        const Column c{thickness, sediment, f, age};
        EXPECT_NEAR(load(p, c, law.height_m(c), floor_m, continental) / expected, 1, 1e-12)
            << thickness << " " << sediment << " " << continental;
      }
    }
  }
}

TEST(Heights, reference_crust_and_bare_ocean_floor_stand_where_they_are_told_to) {
  const config::Tectonics p;
  const HeightLaw law(p);
  EXPECT_NEAR(law.height_m({35000, 0, 1, 2e9}), 500, 1e-9);
  EXPECT_NEAR(law.height_m({7000, 0, 0, 100e6}), -gdh1_depth_m(100e6), 1e-9);
  // Airy above water: dz = dT (rho_m - rho_c) / rho_m.
  EXPECT_NEAR(law.height_m({45000, 0, 1, 2e9}) - 500, 10000 * (3300 - 2830) / 3300.0, 1e-9);
  EXPECT_NEAR(law.height_m({65000, 0, 1, 2e9}), 4772.7, 0.1);
  config::Tectonics other = p;
  other.isostasy_ocean_depth = "parsons_sclater";
  EXPECT_NEAR(HeightLaw(other).height_m({7000, 0, 0, 9e6}), -3550, 1e-9);
}

TEST(Heights, thickness_of_a_height_is_the_inverse) {
  const HeightLaw law{config::Tectonics{}};
  for (const double height : {-3000.0, -100.0, 0.0, 0.5, 840.0, 6000.0}) {
    EXPECT_NEAR(law.height_m({law.continental_thickness_m(height), 0, 1, 0}), height, 1e-8);
  }
}

}  // namespace
}  // namespace craton::isostasy
