#pragma once
// Means over bands of latitude in fixed point, so that the order of the cells and the number of ranks do not matter.
#include <vector>

#include "core/constants.hpp"
#include "mesh/mesh.hpp"

namespace craton::climate {

/// Where a latitude lies between the centres of bands of equal width, for linear interpolation.
struct ZonalPlace {
  int low = 0;
  double share = 0;  // of band low + 1
};
KOKKOS_INLINE_FUNCTION ZonalPlace zonal_place(double latitude_rad, int bands) {
  const double place = std::fmin(std::fmax((latitude_rad / constants::pi + 0.5) * bands - 0.5, 0.0), bands - 1.0);
  const int low = place < bands - 2 ? static_cast<int>(place) : bands - 2;
  return {low, place - low};
}
/// From a table of bands * 12 months.
KOKKOS_INLINE_FUNCTION double zonal_value(const Array<double>& table, ZonalPlace place, int month) {
  return (1.0 - place.share) * table(place.low * 12 + month) + place.share * table((place.low + 1) * 12 + month);
}

/// Zonal means of a field with twelve months; bands of equal width in latitude, from south to north.
class ZonalMeans {
 public:
  /// field: owned cells, twelve values each, |value| < 2^12. Collective.
  ZonalMeans(const Mesh& mesh, const ConstArray<double>& field);

  int bands() const { return bands_; }
  double latitude_rad(int band) const;
  double mean(int band, int month) const { return mean_[static_cast<std::size_t>(band * 12 + month)]; }
  /// Latitude of the warmest zone: the mean of latitude weighted by cos(lat) exp((T - T_max) / width).
  double thermal_equator_rad(int month, double width) const;
  /// The means for kernels, bands * 12.
  Array<double> table() const;

 private:
  int bands_;
  std::vector<double> mean_;
};

}  // namespace craton::climate
