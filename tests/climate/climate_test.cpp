// The whole chain of climate passes on a planet with one continent in the north and a long meridional ridge on it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "climate_world.hpp"

namespace craton {
namespace {

constexpr double ridge_lon_deg = -15, ridge_height_m = 3000;

// Land from 12 to 62 degrees north and 55 degrees to each side of lon 0, a gaussian ridge along lon -15.
double relief(Vec3 p) {
  const LonLat at = to_lon_lat(p);
  const double lat = at.lat_rad / constants::degree, lon = at.lon_rad / constants::degree;
  if (lat < 12 || lat > 62 || std::abs(lon) > 55) return -4000;
  const double across = (lon - ridge_lon_deg) / 4;
  return 200 + ridge_height_m * std::exp(-across * across);
}

struct Box {
  double south, north, west, east;
  bool holds(Vec3 p) const {
    const LonLat at = to_lon_lat(p);
    const double lat = at.lat_rad / constants::degree, lon = at.lon_rad / constants::degree;
    return lat >= south && lat <= north && lon >= west && lon <= east;
  }
};

class OneContinent : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    world_ = std::make_unique<test::ClimateWorld>(MPI_COMM_WORLD, 48, 24, config::Planet{}, config::Climate{}, relief);
    world_->run();
  }
  static void TearDownTestSuite() { world_.reset(); }

  test::ClimateWorld& world() { return *world_; }
  const par::Comm& comm() { return world().mesh().comm(); }

  // Area mean of a fine field in a box.
  double mean(RealField field, const Box& box) {
    const auto values = world().state().read(field);
    ExactSum sum, area;
    for (LocalId c = 0; c < world().mesh().n_owned(); ++c) {
      if (!box.holds(world().mesh().position()(c))) continue;
      sum += world().mesh().area_m2()(c) * values(c);
      area += world().mesh().area_m2()(c);
    }
    return comm().sum(sum) / comm().sum(area);
  }
  double monthly_mean(RealField field, int month, const Box& box) {
    return world().climate_mean(field, month,
                                [&](LocalId c) { return box.holds(world().climate_mesh().position()(c)); });
  }
  void say(const std::string& text) {
    if (comm().is_root()) std::printf("%s\n", text.c_str());
  }

 private:
  static std::unique_ptr<test::ClimateWorld> world_;
};
std::unique_ptr<test::ClimateWorld> OneContinent::world_;

// mission: C15
TEST_F(OneContinent, windward_slopes_are_wetter_than_lee_slopes) {
  const Box west{35, 55, -25, -17}, east{35, 55, -13, -5};
  const double west_rain = mean(fields::precipitation_m_per_yr, west);
  const double east_rain = mean(fields::precipitation_m_per_yr, east);
  double wind = 0;
  for (int m = 0; m < 12; ++m) wind += monthly_mean(fields::wind_east_m_per_s, m, {35, 55, -25, -5}) / 12;
  EXPECT_GT(wind, 0.2) << "westerlies";
  EXPECT_GT(west_rain, 1.3 * east_rain);
  // Where the trades blow from the east the wet side is the other one.
  const double trade_west = mean(fields::precipitation_m_per_yr, {13, 22, -25, -17});
  const double trade_east = mean(fields::precipitation_m_per_yr, {13, 22, -13, -5});
  double trade_wind = 0;
  for (int m = 0; m < 12; ++m) trade_wind += monthly_mean(fields::wind_east_m_per_s, m, {13, 22, -25, -5}) / 12;
  EXPECT_LT(trade_wind, -0.2) << "trades";
  EXPECT_GT(trade_east, trade_west);
  char text[200];
  std::snprintf(text, sizeof text, "rain on the ridge: westerlies %.2f m/yr windward, %.2f lee; trades %.2f and %.2f",
                west_rain, east_rain, trade_east, trade_west);
  say(text);
}

TEST_F(OneContinent, temperature_falls_with_latitude_and_height) {
  double before = 1e9;
  for (int south = 0; south < 90; south += 10) {
    const double lat = south, t = 0.5 * (mean(fields::temperature_c, {lat, lat + 10.0, 100, 180}) +
                                         mean(fields::temperature_c, {-lat - 10.0, -lat, 100, 180}));
    EXPECT_LT(t, before) << "poleward of " << south << " degrees";
    before = t;
  }
  const Box crest{20, 55, ridge_lon_deg - 1.5, ridge_lon_deg + 1.5};
  const double drop =
      0.5 * (mean(fields::temperature_c, {20, 55, -28, -25}) + mean(fields::temperature_c, {20, 55, -5, -2})) -
      mean(fields::temperature_c, crest);
  const double height = mean(fields::elevation_m, crest) - 200;
  EXPECT_NEAR(drop / height, config::Climate{}.lapse_rate_k_m, 0.15 * config::Climate{}.lapse_rate_k_m);
}

TEST_F(OneContinent, seasons_are_stronger_on_land_and_opposite_across_the_equator) {
  const auto swing = [&](const Box& box) {
    return monthly_mean(fields::air_temperature_c, 6, box) - monthly_mean(fields::air_temperature_c, 0, box);
  };
  const double land = swing({40, 60, 0, 45}), sea = swing({40, 60, 120, 170}), south = swing({-60, -40, 120, 170});
  EXPECT_GT(land, 2 * sea);
  EXPECT_GT(sea, 0);
  EXPECT_LT(south, 0);
}

// mission: C6
TEST_F(OneContinent, monsoon_reverses_on_the_eastern_coast_and_bends_the_trades_on_the_southern_one) {
  const Box land{25, 50, 0, 40}, sea{25, 50, 110, 170}, east{25, 45, 45, 65}, south{11, 20, -5, 45},
      open{11, 20, 110, 180};
  const auto high = [&](int m) {
    return monthly_mean(fields::pressure_pa, m, land) - monthly_mean(fields::pressure_pa, m, sea);
  };
  const auto northward = [&](int m, const Box& box) { return monthly_mean(fields::wind_north_m_per_s, m, box); };
  EXPECT_LT(high(6), -100) << "a low over warm land in July";
  EXPECT_GT(high(0), 100) << "a high over cold land in January";
  EXPECT_GT(northward(6, east), 0.5) << "from the sea, clockwise about the high over it";
  EXPECT_LT(northward(0, east), -0.5) << "from the cold land";
  EXPECT_GT(northward(6, south) - northward(6, open), 0.5);
  EXPECT_LT(northward(0, south) - northward(0, open), -0.5);
  char text[250];
  std::snprintf(
      text, sizeof text,
      "monsoon: land minus sea %.0f Pa in July, %.0f in January; northward wind on the eastern coast %.1f and %.1f, on "
      "the southern %.1f and %.1f m/s",
      high(6), high(0), northward(6, east), northward(0, east), northward(6, south), northward(0, south));
  say(text);
}

TEST_F(OneContinent, wind_is_moderate_everywhere_also_on_the_equator) {
  const auto east = world().state().read(fields::wind_east_m_per_s),
             north = world().state().read(fields::wind_north_m_per_s);
  double fastest = 0, on_equator = 0;
  for (LocalId c = 0; c < world().climate_mesh().n_owned(); ++c) {
    for (int m = 0; m < 12; ++m) {
      const double speed = std::hypot(east(c * 12 + m), north(c * 12 + m));
      ASSERT_TRUE(std::isfinite(speed));
      fastest = std::max(fastest, speed);
      if (std::abs(world().latitude_deg(c)) < 3) on_equator = std::max(on_equator, speed);
    }
  }
  fastest = comm().max(fastest);
  on_equator = comm().max(on_equator);
  EXPECT_LT(fastest, 40);
  EXPECT_GT(on_equator, 0);
  EXPECT_LT(on_equator, 20);
  char text[100];
  std::snprintf(text, sizeof text, "wind: fastest %.1f m/s, on the equator %.1f m/s", fastest, on_equator);
  say(text);
}

TEST_F(OneContinent, rain_falls_in_belts_and_its_mean_is_that_of_a_planet_like_earth) {
  const auto rain = [&](double south, double north) {
    return 0.5 * (mean(fields::precipitation_m_per_yr, {south, north, 90, 180}) +
                  mean(fields::precipitation_m_per_yr, {-north, -south, 90, 180}));
  };
  const double equator = rain(0, 10), subtropics = rain(20, 30), storms = rain(45, 60);
  const double planet = mean(fields::precipitation_m_per_yr, {-90, 90, -180, 180});
  EXPECT_GT(equator, 1.5 * subtropics);
  EXPECT_GT(storms, 1.1 * subtropics);
  EXPECT_NEAR(planet, 0.986, 0.35);  // 2.70 mm a day on Earth
  char text[160];
  std::snprintf(text, sizeof text,
                "rain over sea: equator %.2f, subtropics %.2f, 45 to 60 degrees %.2f, planet %.2f m/yr", equator,
                subtropics, storms, planet);
  say(text);
}

TEST_F(OneContinent, water_books_close_to_round_off) {
  test::ClimateWorld fresh(MPI_COMM_WORLD, 32, 16, config::Planet{}, config::Climate{}, relief);
  fresh.run();
  fresh.state().ledger.close(fresh.mesh().comm());
  const BalanceReport& water = fresh.state().ledger.last_step(Balance::water);
  ASSERT_GT(water.turnover_m3, 1e14);
  EXPECT_LE(water.relative(), 1e-10);
  char text[100];
  std::snprintf(text, sizeof text, "water: residual %.1e of %.3e m3", water.relative(), water.turnover_m3);
  say(text);
}

TEST_F(OneContinent, runoff_is_between_nothing_and_rain_and_classes_are_on_land_only) {
  State& s = world().state();
  for (LocalId c = 0; c < world().mesh().n_owned(); ++c) {
    const bool is_land = s.read(fields::elevation_m)(c) >= 0;
    EXPECT_GE(s.read(fields::runoff_m_per_yr)(c), 0);
    EXPECT_LE(s.read(fields::runoff_m_per_yr)(c), s.read(fields::precipitation_m_per_yr)(c));
    EXPECT_EQ(s.read(fields::koppen)(c) > 0, is_land);
    EXPECT_LE(s.read(fields::temperature_coldest_c)(c), s.read(fields::temperature_c)(c));
    EXPECT_LE(s.read(fields::temperature_c)(c), s.read(fields::temperature_warmest_c)(c));
  }
}

// Cells of this rank whose bits differ from those of a run on one rank, by field.
std::int64_t differing(test::ClimateWorld& some, test::ClimateWorld& one) {
  std::int64_t different = 0;
  for (const FieldId id : some.state().fields()) {
    const FieldInfo& info = field_info(id);
    const Mesh &mesh = some.state().mesh_of(id), &whole = one.state().mesh_of(id);
    std::int64_t here = 0;
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      const auto at = static_cast<std::size_t>(c * info.components);
      const auto from = static_cast<std::size_t>(whole.local(mesh.global(c)) * info.components);
      const auto components = static_cast<std::size_t>(info.components);
      here += info.is_integer
                  ? std::memcmp(some.state().integer({id}).data() + at, one.state().integer({id}).data() + from,
                                components * sizeof(std::int32_t)) != 0
                  : std::memcmp(some.state().real({id}).data() + at, one.state().real({id}).data() + from,
                                components * sizeof(double)) != 0;
    }
    EXPECT_EQ(here, 0) << info.name;
    different += here;
  }
  return some.mesh().comm().sum(different);
}

TEST(Climate, every_bit_of_every_field_is_that_of_one_rank_also_in_a_second_run) {
  test::ClimateWorld some(MPI_COMM_WORLD, 32, 16, config::Planet{}, config::Climate{}, relief);
  test::ClimateWorld one(MPI_COMM_SELF, 32, 16, config::Planet{}, config::Climate{}, relief);
  for (int k = 0; k < 2; ++k) {
    some.run();
    one.run();
    EXPECT_EQ(differing(some, one), 0);
  }
}

TEST(Climate, a_planet_without_sunlight_or_sea_still_has_a_climate) {
  config::Planet dark;
  dark.solar_constant_w_m2 = 1;
  test::ClimateWorld frozen(MPI_COMM_WORLD, 16, 8, dark, config::Climate{}, relief);
  EXPECT_NO_THROW(frozen.run());
  test::ClimateWorld dry(MPI_COMM_WORLD, 16, 8, config::Planet{}, config::Climate{}, [](Vec3) { return 500.0; });
  EXPECT_NO_THROW(dry.run());
}

}  // namespace
}  // namespace craton
