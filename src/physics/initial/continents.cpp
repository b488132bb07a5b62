#include "physics/initial/continents.hpp"

#include <algorithm>
#include <vector>

#include "core/constants.hpp"

namespace craton::initial {

namespace {

/// Bare crust that stands shelf_depth_m under water with the shelf's sediment on it.
double shelf_thickness_m(const isostasy::HeightLaw& law) {
  constexpr double shelf_depth_m = 100, shelf_sediment_m = 500;
  return law.continental_thickness_m(-shelf_depth_m) - shelf_sediment_m * law.sediment_slope / law.continental_slope;
}

}  // namespace

Continents::Continents(const config::Initial& parameters, const isostasy::HeightLaw& law, std::uint64_t seed)
    : fraction_(parameters.continental_fraction),
      margin_m_(parameters.margin_thickness_m),
      shelf_m_(std::max(parameters.margin_thickness_m, shelf_thickness_m(law))),
      craton_m_(std::max(parameters.craton_thickness_m, shelf_m_)),
      orogen_m_(parameters.orogen_thickness_m),
      detail_m_(parameters.crust_detail_m) {
  const double frequency = 1 / (parameters.continent_size_deg * constants::degree);
  outline_ = {seed, RandomStream::continent_noise, 0, frequency, 12, parameters.coast_roughness};
  bend_ = {seed, RandomStream::continent_noise, 1, 1.5 * frequency, 3, 0.5};
  detail_ = {seed, RandomStream::crust_detail, 0, 8.0, 9, 0.55};
  ranges_ = {seed, RandomStream::crust_detail, 1, 2.5, 4, 0.4};
  ranges_where_ = {seed, RandomStream::crust_detail, 2, 1.5, 2, 0.5};

  // Fibonacci's spiral: equal areas, no rows (Swinbank and Purser 2006).
  constexpr int per_interval = 10, count = (table_size - 1) * per_interval;
  const double golden_angle = constants::pi * (3 - std::sqrt(5.0));
  std::vector<double> values(count);
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (2.0 * k + 1) / count, r = std::sqrt(1 - z * z), lon = golden_angle * k;
    values[static_cast<std::size_t>(k)] = value({r * std::cos(lon), r * std::sin(lon), z});
  }
  std::sort(values.begin(), values.end());
  const Array<double> quantile("craton::initial::quantile", table_size);
  for (int k = 0; k < table_size; ++k) {
    quantile(k) = values[static_cast<std::size_t>(std::min(k * per_interval, count - 1))];
  }
  quantile_ = quantile;
}

}  // namespace craton::initial
