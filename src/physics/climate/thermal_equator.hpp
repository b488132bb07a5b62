#pragma once
// The latitude that the belts follow through the year.
#include "physics/climate/kernels.hpp"
#include "physics/climate/zonal.hpp"

namespace craton::climate {

struct MonthlyLatitude {
  double rad[months];
};

/// The rising branch lags behind and moves less than the warmest zone: 0.6 of its latitude, at most 0.8 cell widths
/// (on Earth 5 to 10 degrees each way). Local: the zonal means are the same on every rank.
inline MonthlyLatitude thermal_equators(const ZonalMeans& temperature, double cell_width_rad) {
  constexpr double warm_zone_k = 3.0, share = 0.6, limit = 0.8;
  MonthlyLatitude result{};
  for (int m = 0; m < months; ++m) {
    const double latitude = share * temperature.thermal_equator_rad(m, warm_zone_k);
    const double bound = limit * std::fmin(cell_width_rad, 0.25 * constants::pi);
    result.rad[m] = std::fmin(bound, std::fmax(-bound, latitude));
  }
  return result;
}

}  // namespace craton::climate
