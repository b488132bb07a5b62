#include "physics/isostasy/sea_level.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/constants.hpp"
#include "core/error.hpp"

namespace craton::isostasy {

namespace {

struct Flooded {
  double volume_m3, area_m2;
};

Flooded flood(const Mesh& mesh, const ConstArray<double>& z, double s) {
  std::array<ExactSum, 2> sums;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (z(c) >= s) continue;
    sums[0] += mesh.area_m2()(c) * (s - z(c));
    sums[1] += mesh.area_m2()(c);
  }
  mesh.comm().sum(std::span<ExactSum>(sums));
  return {sums[0].value(), sums[1].value()};
}

double lowest(const Mesh& mesh, const ConstArray<double>& z) {
  double low = std::numeric_limits<double>::max();
  for (LocalId c = 0; c < mesh.n_owned(); ++c) low = std::min(low, z(c));
  return mesh.comm().min(low);
}

double highest(const Mesh& mesh, const ConstArray<double>& z) {
  double high = std::numeric_limits<double>::lowest();
  for (LocalId c = 0; c < mesh.n_owned(); ++c) high = std::max(high, z(c));
  return mesh.comm().max(high);
}

}  // namespace

ExactSum local_water_m3(const Mesh& mesh, const ConstArray<double>& elevation_m, double sea_level_m) {
  ExactSum sum;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (elevation_m(c) < sea_level_m) sum += mesh.area_m2()(c) * (sea_level_m - elevation_m(c));
  }
  return sum;
}

double sea_level_for_volume(const Mesh& mesh, const ConstArray<double>& z, double volume_m3, double guess_m) {
  if (volume_m3 <= 0) return lowest(mesh, z);
  double s = guess_m;
  Flooded f = flood(mesh, z, s);
  if (f.area_m2 <= 0) {
    // The guess is dry: start where all is flooded and the water over the highest cell alone would be enough.
    const double top = highest(mesh, z);
    const double planet_m2 = 4 * constants::pi * mesh.radius_m() * mesh.radius_m();
    s = std::max(top + volume_m3 / planet_m2, std::nextafter(top, std::numeric_limits<double>::infinity()));
    f = flood(mesh, z, s);
  }
  constexpr int limit = 200;
  for (int k = 0; k < limit; ++k) {
    if (std::abs(f.volume_m3 - volume_m3) <= 1e-14 * volume_m3) return s;
    const double next = s - (f.volume_m3 - volume_m3) / f.area_m2;
    if (next == s) return s;
    const Flooded g = flood(mesh, z, next);
    // Above the root every step falls; one that rises after the first is round-off.
    if (k > 0 && next > s) {
      return std::abs(g.volume_m3 - volume_m3) < std::abs(f.volume_m3 - volume_m3) ? next : s;
    }
    s = next;
    f = g;
  }
  throw Error(ExitCode::numerical, "sea level: no level holds the volume of water", true);
}

double sea_level_for_land(const Mesh& mesh, const ConstArray<double>& z, double land_fraction) {
  double low = lowest(mesh, z);
  double high = std::nextafter(highest(mesh, z), std::numeric_limits<double>::infinity());
  const double whole = flood(mesh, z, high).area_m2, sea = (1 - land_fraction) * whole;
  if (whole <= sea) return high;
  while (high - low > 1e-6) {
    const double middle = 0.5 * (low + high);
    (flood(mesh, z, middle).area_m2 <= sea ? low : high) = middle;
  }
  return low;
}

}  // namespace craton::isostasy
