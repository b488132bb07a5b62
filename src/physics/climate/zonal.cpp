#include "physics/climate/zonal.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace craton::climate {

namespace {
// |value| < 2^12 and weights up to 2^11 leave 2^40 to share between the fraction and the number of cells.
constexpr double value_scale = 65536.0;
constexpr double weight_scale = 1024.0;
}  // namespace

ZonalMeans::ZonalMeans(const Mesh& mesh, const ConstArray<double>& field)
    : bands_(static_cast<int>(std::clamp<std::int64_t>(mesh.grid().frequency() * 3 / 2, 6, 72))) {
  const double mean_area =
      4.0 * constants::pi * mesh.radius_m() * mesh.radius_m() / static_cast<double>(mesh.global_count());
  const std::size_t stride = 13;
  std::vector<std::int64_t> sum(stride * static_cast<std::size_t>(bands_), 0);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const double latitude = std::asin(std::clamp(mesh.position()(c).z, -1.0, 1.0));
    const int band = std::clamp(static_cast<int>((latitude / constants::pi + 0.5) * bands_), 0, bands_ - 1);
    const auto weight = static_cast<std::int64_t>(std::llround(weight_scale * mesh.area_m2()(c) / mean_area));
    std::int64_t* row = sum.data() + stride * static_cast<std::size_t>(band);
    for (int m = 0; m < 12; ++m)
      row[m] += weight * static_cast<std::int64_t>(std::llround(value_scale * field(c * 12 + m)));
    row[12] += weight;
  }
  mesh.comm().sum(std::span<std::int64_t>(sum));
  mean_.resize(12 * static_cast<std::size_t>(bands_));
  const auto full = [&](int b) { return sum[stride * static_cast<std::size_t>(b) + 12] > 0; };
  for (int b = 0; b < bands_; ++b) {
    // An empty band (a very coarse mesh) takes its neighbour's values.
    int source = b;
    for (int d = 1; !full(source) && d < bands_; ++d) {
      if (b - d >= 0 && full(b - d))
        source = b - d;
      else if (b + d < bands_ && full(b + d))
        source = b + d;
    }
    const std::int64_t* row = sum.data() + stride * static_cast<std::size_t>(source);
    for (int m = 0; m < 12; ++m) {
      mean_[static_cast<std::size_t>(b * 12 + m)] =
          static_cast<double>(row[m]) / value_scale / static_cast<double>(row[12]);
    }
  }
}

double ZonalMeans::latitude_rad(int band) const {
  return ((band + 0.5) / bands_ - 0.5) * constants::pi;
}

Array<double> ZonalMeans::table() const {
  Array<double> result("craton::climate::zonal_table", mean_.size());
  std::copy(mean_.begin(), mean_.end(), result.data());
  return result;
}

double ZonalMeans::thermal_equator_rad(int month, double width) const {
  double warmest = mean(0, month);
  for (int b = 1; b < bands_; ++b) warmest = std::max(warmest, mean(b, month));
  double sum = 0, weight = 0;
  for (int b = 0; b < bands_; ++b) {
    const double w = std::cos(latitude_rad(b)) * std::exp((mean(b, month) - warmest) / width);
    sum += w * latitude_rad(b);
    weight += w;
  }
  return sum / weight;
}

}  // namespace craton::climate
