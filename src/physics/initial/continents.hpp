#pragma once
// Continental crust as a function on the sphere. A noise value v(p) orders all places; u = part of the sphere with a
// higher value, from a fixed sample of 20,000 places, so that the continental area is what was asked for at any
// resolution:
//   s = (F - u) / F          0 at the edge of the crust, 1 at the heart of the continents; F = continental_fraction
//   f = smoothstep(-0.04, 0.04, s)                                                  continental fraction
//   T = margin + (shelf - margin) smoothstep(0, 0.12, s) + (craton - shelf) smoothstep(0.15, 0.7, s) + detail + orogens
// shelf: the thickness that stands 100 m under water. Orogens are crests of ridged noise in a few regions. A copy is
// usable in kernels.
#include <cstdint>

#include "config/parameters.hpp"
#include "core/noise.hpp"
#include "core/types.hpp"
#include "physics/isostasy/heights.hpp"

namespace craton::initial {

/// Crust of a place as far as continents decide it; ages in years before the start.
struct ContinentalCrust {
  double continental = 0, thickness_m = 0, sediment_m = 0, age_yr = 0, orogeny_age_yr = 0;
};

class Continents {
 public:
  Continents(const config::Initial& parameters, const isostasy::HeightLaw& law, std::uint64_t seed);

  /// Part of the sphere with a higher value of v than at p.
  KOKKOS_INLINE_FUNCTION double area_above(Vec3 p) const { return 1 - rank_of(value(p)); }

  KOKKOS_INLINE_FUNCTION ContinentalCrust at(Vec3 p) const {
    ContinentalCrust crust;
    if (fraction_ <= 0) return crust;
    const double s = (fraction_ - area_above(p)) / fraction_;
    crust.continental = noise::smoothstep(-0.04, 0.04, s);
    if (crust.continental <= 0) return crust;
    const double crest = noise::smoothstep(0.6, 0.9, noise::ridged(ranges_, p)) *
                         noise::smoothstep(-0.1, 0.4, noise::fbm(ranges_where_, p)) * noise::smoothstep(0.2, 0.5, s);
    const double detail = detail_m_ * 2 * noise::fbm(detail_, p) * noise::smoothstep(0.05, 0.3, s);
    const double thickness = margin_m_ + (shelf_m_ - margin_m_) * noise::smoothstep(0, 0.12, s) +
                             (craton_m_ - shelf_m_) * noise::smoothstep(0.15, 0.7, s) + detail + orogen_m_ * crest;
    crust.thickness_m = thickness > least_thickness_m ? thickness : least_thickness_m;
    // Sediment lies thick on the outer shelf, thin inside, not at all on old mountains.
    crust.sediment_m = (100 + 700 * (1 - noise::smoothstep(0.1, 0.4, s))) * (1 - crest);
    const double old = noise::smoothstep(-1.0, 1.0, noise::fbm(ranges_where_, -p));
    crust.age_yr = 1.0e9 + 2.0e9 * old;
    crust.orogeny_age_yr = crest > 0.1 ? 3.0e8 : crust.age_yr;
    return crust;
  }

 private:
  static constexpr int table_size = 2001;
  static constexpr double least_thickness_m = 5000;

  KOKKOS_INLINE_FUNCTION double value(Vec3 p) const {
    return noise::fbm(outline_, noise::warped(bend_, p, 0.35 / outline_.frequency));
  }

  /// Part of the sphere with a lower value, by linear interpolation in the table of quantiles.
  KOKKOS_INLINE_FUNCTION double rank_of(double v) const {
    int low = 0, high = table_size - 1;
    if (v <= quantile_(low)) return 0;
    if (v >= quantile_(high)) return 1;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (quantile_(middle) <= v) {
        low = middle;
      } else {
        high = middle;
      }
    }
    const double width = quantile_(high) - quantile_(low);
    return (low + (width > 0 ? (v - quantile_(low)) / width : 0.0)) / (table_size - 1);
  }

  noise::Fractal outline_, bend_, detail_, ranges_, ranges_where_;
  double fraction_, margin_m_, shelf_m_, craton_m_, orogen_m_, detail_m_;
  Array<const double> quantile_;  // owned by this object
};

}  // namespace craton::initial
