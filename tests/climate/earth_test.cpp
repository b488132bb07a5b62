// The climate of the real Earth's relief against the Vienna map of Koppen classes. The data are not part of the
// project: CRATON_EARTH_DATA names their folder, and without it the test says so and is skipped.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "climate_world.hpp"
#include "physics/climate/koppen.hpp"

namespace craton {
namespace {

constexpr int rows = 360, columns = 720;

template <class T>
std::vector<T> read_grid(const std::string& file, const char* name, hid_t type) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  require(f >= 0, "the Earth data file opens");
  const hid_t d = H5Dopen2(f, name, H5P_DEFAULT);
  require(d >= 0, "the Earth data set exists");
  std::vector<T> values(rows * columns);
  require(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, "the Earth data read");
  H5Dclose(d);
  H5Fclose(f);
  return values;
}

std::size_t pixel(Vec3 p) {
  const LonLat place = to_lon_lat(p);
  const int row = std::clamp(static_cast<int>((place.lat_rad / constants::degree + 90.0) * 2.0), 0, rows - 1);
  const int column = std::clamp(static_cast<int>((place.lon_rad / constants::degree + 180.0) * 2.0), 0, columns - 1);
  return static_cast<std::size_t>(row * columns + column);
}

struct Score {
  double group = 0, exact = 0;                       // shares of the land of both map and mesh
  double lost = 0;                                   // share of the map's land that the mesh counts as sea
  std::array<std::array<double, 5>, 5> confusion{};  // [map][model], per cent of land
};

// Over all land north of a latitude.
Score compare(test::ClimateWorld& world, const std::vector<unsigned char>& map, double south_deg = -90) {
  const auto koppen = world.state().read(fields::koppen);
  Score score;
  double land = 0, lost = 0;
  GlobalId near{0};
  for (int row = 0; row < rows; ++row) {
    const double latitude = (row + 0.5) / 2.0 - 90.0, area = std::cos(latitude * constants::degree);
    if (latitude < south_deg) continue;
    for (int column = 0; column < columns; ++column) {
      const int truth = map[static_cast<std::size_t>(row * columns + column)];
      if (truth < 1 || truth > 30) continue;
      const Vec3 p = to_vector({((column + 0.5) / 2.0 - 180.0) * constants::degree, latitude * constants::degree});
      near = world.mesh().grid().locate_from(p, near);
      const int model = koppen(world.mesh().local(near));
      if (model == 0) {  // a coast that the mesh counts as sea
        lost += area;
        continue;
      }
      land += area;
      const auto a = static_cast<std::size_t>(climate::koppen_group(truth) - 'A');
      const auto b = static_cast<std::size_t>(climate::koppen_group(model) - 'A');
      score.confusion[a][b] += 100.0 * area;
      if (a == b) score.group += area;
      if (truth == model) score.exact += area;
    }
  }
  score.lost = lost / (land + lost);
  score.group /= land;
  score.exact /= land;
  for (auto& row : score.confusion) {
    for (double& share : row) share /= land;
  }
  return score;
}

void print_zones(test::ClimateWorld& world) {
  std::printf(" lat   T    Tjan  Tjul  rain  Pjan  Pjul  u    v    ujan ujul  p   evap\n");
  for (int latitude = -85; latitude <= 85; latitude += 10) {
    const auto zone = [&](LocalId c) { return std::abs(world.latitude_deg(c) - latitude) < 5.0; };
    double t = 0, rain = 0, u = 0, v = 0, p = 0, e = 0;
    for (int m = 0; m < 12; ++m) {
      t += world.climate_mean(fields::air_temperature_c, m, zone) / 12;
      rain += world.climate_mean(fields::rain_m_per_yr, m, zone) / 12;
      e += world.climate_mean(fields::evaporation_m_per_yr, m, zone) / 12;
      u += world.climate_mean(fields::wind_east_m_per_s, m, zone) / 12;
      v += world.climate_mean(fields::wind_north_m_per_s, m, zone) / 12;
      p += world.climate_mean(fields::pressure_pa, m, zone) / 12;
    }
    const double day = 1000 / 365.25;
    std::printf("%4d %6.1f %6.1f %6.1f %5.2f %5.2f %5.2f %5.1f %5.1f %5.1f %5.1f %6.1f %5.2f\n", latitude, t,
                world.climate_mean(fields::air_temperature_c, 0, zone),
                world.climate_mean(fields::air_temperature_c, 6, zone), rain * day,
                world.climate_mean(fields::rain_m_per_yr, 0, zone) * day,
                world.climate_mean(fields::rain_m_per_yr, 6, zone) * day, u, v,
                world.climate_mean(fields::wind_east_m_per_s, 0, zone),
                world.climate_mean(fields::wind_east_m_per_s, 6, zone), p / 100, e * day);
  }
}

void print_places(test::ClimateWorld& world, const std::vector<unsigned char>& map) {
  struct Place {
    const char* name;
    double lat, lon;
  };
  const Place places[] = {
      {"Singapore", 1.4, 103.8}, {"Manaus", -3.1, -60},      {"Kinshasa", -4.3, 15.3}, {"Sahara", 23, 10},
      {"Arabia", 22, 48},        {"India", 20, 78},          {"London", 51.5, -0.5},   {"Rome", 42, 12.8},
      {"Moscow", 55.7, 37.6},    {"Yakutsk", 62, 129.7},     {"Beijing", 40, 116.4},   {"Shanghai", 31, 121},
      {"New York", 41, -74.2},   {"Atlanta", 33.7, -84},     {"Phoenix", 33.4, -112},  {"Seattle", 47.5, -122},
      {"Denver", 39.7, -105},    {"Buenos Aires", -35, -59}, {"Atacama", -23, -69},    {"Perth", -31.9, 116.2},
      {"Alice", -23.7, 133.9},   {"Tibet", 33, 88},          {"Gobi", 43, 105},        {"Greenland", 72, -40},
      {"Vostok", -78, 106},      {"Kazakhstan", 48, 68},     {"Sydney", -33.8, 150.8}};
  for (const Place& place : places) {
    const Vec3 p = to_vector({place.lon * constants::degree, place.lat * constants::degree});
    const LocalId c = world.mesh().local(world.mesh().grid().locate(p));
    State& s = world.state();
    std::printf("%-12s map %-4s model %-4s T %6.1f (%6.1f %6.1f) P %5.2f m h %5.0f\n", place.name,
                std::string(climate::koppen_name(map[pixel(p)])).c_str(),
                std::string(climate::koppen_name(s.read(fields::koppen)(c))).c_str(), s.read(fields::temperature_c)(c),
                s.read(fields::temperature_coldest_c)(c), s.read(fields::temperature_warmest_c)(c),
                s.read(fields::precipitation_m_per_yr)(c), s.read(fields::elevation_m)(c));
  }
}

TEST(EarthClimate, main_koppen_classes_agree_with_the_vienna_map) {
  const char* folder = std::getenv("CRATON_EARTH_DATA");
  if (folder == nullptr) GTEST_SKIP() << "CRATON_EARTH_DATA is not set; it names the folder of the Earth data";
  const auto relief = read_grid<short>(std::string(folder) + "/relief_0p5deg.nc", "elev_mean", H5T_NATIVE_SHORT);
  const auto map =
      read_grid<unsigned char>(std::string(folder) + "/koppen_geiger_0p5deg.nc", "koppen", H5T_NATIVE_UCHAR);
  const auto elevation = [&](Vec3 p) { return static_cast<double>(relief[pixel(p)]); };

  test::ClimateWorld world(MPI_COMM_SELF, 128, 64, config::Planet{}, config::Climate{}, elevation);
  Timers timers;
  world.run(&timers);
  for (const auto& [phase, time] : timers.phases()) std::printf("%-24s %6.2f s\n", phase.c_str(), time.seconds);
  print_zones(world);
  print_places(world, map);
  const auto everywhere = [](LocalId) { return true; };
  double temperature = 0, rain = 0;
  for (int m = 0; m < 12; ++m) {
    temperature += world.climate_mean(fields::air_temperature_c, m, everywhere) / 12;
    rain += world.climate_mean(fields::rain_m_per_yr, m, everywhere) / 12;
  }
  const Score score = compare(world, map);
  for (std::size_t a = 0; a < 5; ++a) {
    std::printf("map %c:", static_cast<char>('A' + a));
    for (const double share : score.confusion[a]) std::printf(" %5.1f", share);
    std::printf("\n");
  }
  std::printf("sea-level mean %.2f C, rain %.3f m/yr; Koppen main class %.1f %%, exact class %.1f %% of land\n",
              temperature, rain, 100 * score.group, 100 * score.exact);
  double polar_map = 0, polar_model = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    polar_map += score.confusion[4][k];
    polar_model += score.confusion[k][4];
  }
  std::printf("polar classes: %.1f %% of land, on the map %.1f %%\n", polar_model, polar_map);
  EXPECT_NEAR(polar_model, polar_map, 10);
  const Score without_antarctica = compare(world, map, -60);
  std::printf("without Antarctica: main class %.1f %%, exact class %.1f %%\n", 100 * without_antarctica.group,
              100 * without_antarctica.exact);
  std::printf("not compared: %.1f %% of the map's land, sea on the mesh\n", 100 * score.lost);
  EXPECT_GT(score.group, 0.719);
  EXPECT_GT(score.exact, 0.382);
  EXPECT_NEAR(temperature, 15.0, 3.0);
  EXPECT_NEAR(rain, 1.0, 0.3);
}

}  // namespace
}  // namespace craton
