#pragma once
// Koppen-Geiger class of a cell from twelve monthly means (Peel, Finlayson, McMahon 2007, Hydrol. Earth Syst. Sci. 11,
// table 1). Summer is the warmer of the halves October-March and April-September, so that the hemisphere does not
// matter. Pure and Local; usable in kernels. Ids as in the catalogue: 0 sea, 1 Af ... 30 EF.
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string_view>

namespace craton::climate {

struct KoppenOptions {
  double cold_limit_c = 0.0;  // coldest month that parts C from D: 0 (Peel) or -3 (Koppen)
  bool polar_before_dry = false;
};

/// "Af" for 1 ... "EF" for 30, "sea" for 0.
std::string_view koppen_name(std::int32_t id);
/// The id of a class name; 0 for none.
std::int32_t koppen_id(std::string_view name);
/// 'A' ... 'E' for 1 ... 30; '-' for the sea.
char koppen_group(std::int32_t id);

namespace detail {

struct KoppenYear {
  double mean_c = 0, coldest_c = 1e300, warmest_c = -1e300, rain_mm = 0, driest_mm = 1e300;
  double summer_mm = 0, winter_mm = 0;
  double summer_driest_mm = 1e300, summer_wettest_mm = 0, winter_driest_mm = 1e300, winter_wettest_mm = 0;
  int months_above_10 = 0;
};

KOKKOS_INLINE_FUNCTION bool in_april_to_september(int month) {
  return month >= 3 && month <= 8;
}

KOKKOS_INLINE_FUNCTION KoppenYear summarise(const double* temperature_c, const double* rain_mm) {
  KoppenYear y;
  double april = 0, october = 0;
  for (int m = 0; m < 12; ++m) {
    const double t = temperature_c[m];
    y.mean_c += t / 12.0;
    if (t < y.coldest_c) y.coldest_c = t;
    if (t > y.warmest_c) y.warmest_c = t;
    if (t > 10.0) ++y.months_above_10;
    y.rain_mm += rain_mm[m];
    if (rain_mm[m] < y.driest_mm) y.driest_mm = rain_mm[m];
    (in_april_to_september(m) ? april : october) += t;
  }
  const bool summer_is_april = april >= october;
  for (int m = 0; m < 12; ++m) {
    const bool summer = in_april_to_september(m) == summer_is_april;
    const double p = rain_mm[m];
    double& total = summer ? y.summer_mm : y.winter_mm;
    double& driest = summer ? y.summer_driest_mm : y.winter_driest_mm;
    double& wettest = summer ? y.summer_wettest_mm : y.winter_wettest_mm;
    total += p;
    if (p < driest) driest = p;
    if (p > wettest) wettest = p;
  }
  return y;
}

/// 0 (a), 1 (b), 2 (c), 3 (d): warmth of summer and cold of winter in C and D.
KOKKOS_INLINE_FUNCTION int warmth(const KoppenYear& y, bool is_d) {
  if (y.warmest_c >= 22.0) return 0;
  if (y.months_above_10 >= 4) return 1;
  return is_d && y.coldest_c < -38.0 ? 3 : 2;
}

/// 0 (s), 1 (w), 2 (f): season of rain in C and D. A cell that meets both rules has the one with more rain in the wet
/// half.
KOKKOS_INLINE_FUNCTION int rain_season(const KoppenYear& y) {
  const bool s = y.summer_driest_mm < 40.0 && y.summer_driest_mm < y.winter_wettest_mm / 3.0;
  const bool w = y.winter_driest_mm < y.summer_wettest_mm / 10.0;
  if (s && w) return y.summer_mm > y.winter_mm ? 1 : 0;
  return s ? 0 : (w ? 1 : 2);
}

}  // namespace detail

/// temperature_c and rain_mm: twelve values, January first; rain in mm per month.
KOKKOS_INLINE_FUNCTION std::int32_t koppen_class(const double* temperature_c, const double* rain_mm,
                                                 KoppenOptions options = {}) {
  const detail::KoppenYear y = detail::summarise(temperature_c, rain_mm);
  const bool polar = y.warmest_c <= 10.0;
  const std::int32_t polar_class = y.warmest_c <= 0.0 ? 30 : 29;
  if (polar && options.polar_before_dry) return polar_class;
  double threshold = 2.0 * y.mean_c + 14.0;
  if (y.winter_mm >= 0.7 * y.rain_mm) {
    threshold = 2.0 * y.mean_c;
  } else if (y.summer_mm >= 0.7 * y.rain_mm) {
    threshold = 2.0 * y.mean_c + 28.0;
  }
  if (y.rain_mm < 10.0 * threshold) {
    const std::int32_t first = y.rain_mm < 5.0 * threshold ? 4 : 6;
    return first + (y.mean_c >= 18.0 ? 0 : 1);
  }
  if (polar) return polar_class;
  if (y.coldest_c >= 18.0) {
    if (y.driest_mm >= 60.0) return 1;
    return y.driest_mm >= 100.0 - y.rain_mm / 25.0 ? 2 : 3;
  }
  const int season = detail::rain_season(y);
  if (y.coldest_c > options.cold_limit_c) return 8 + 3 * season + detail::warmth(y, false);
  return 17 + 4 * season + detail::warmth(y, true);
}

}  // namespace craton::climate
