#pragma once
// Height of the solid surface above the reference level (the initial sea level) in local isostatic balance: pure
// functions, usable in kernels. Local.
//
// Symbols: T crystalline thickness, S sediment thickness, f continental fraction, a crust age; rho_m mantle, rho_w sea
// water, rho_s sediment, rho_c continental, rho_o oceanic crust. Heights "wet" are those under water; a surface that
// stands out of the water carries no load of it and stands at rho = (rho_m - rho_w) / rho_m of its wet height (Airy;
// Turcotte and Schubert 2002, section 2.2):
//   continental: z_wet = h_ref / rho + (T - T_ref) (rho_m - rho_c) / (rho_m - rho_w)
//   oceanic:     z_wet = -depth(a)   + (T - T_oc)  (rho_m - rho_o) / (rho_m - rho_w)
//   both:        + S (rho_m - rho_s) / (rho_m - rho_w)
//   z_wet = f continental + (1 - f) oceanic;   z = z_wet where z_wet < 0, else rho z_wet
// depth(a): GDH1 (Stein and Stein 1992, eq. 6): 2600 + 365 sqrt(t), t < 20 Myr, then 5651 - 2473 exp(-0.0278 t); or
// Parsons and Sclater (1977): 2500 + 350 sqrt(t), t < 70 Myr, then 6400 - 3200 exp(-t / 62.8). t in Myr, metres.
#include <Kokkos_Core.hpp>
#include <cmath>

#include "config/parameters.hpp"
#include "core/constants.hpp"

namespace craton::isostasy {

enum class DepthLaw { gdh1, parsons_sclater };

KOKKOS_INLINE_FUNCTION double gdh1_depth_m(double age_yr) {
  const double t = 1e-6 * age_yr;
  return t < 20 ? 2600 + 365 * std::sqrt(t) : 5651 - 2473 * std::exp(-0.0278 * t);
}

KOKKOS_INLINE_FUNCTION double parsons_sclater_depth_m(double age_yr) {
  const double t = 1e-6 * age_yr;
  return t < 70 ? 2500 + 350 * std::sqrt(t) : 6400 - 3200 * std::exp(-t / 62.8);
}

/// A column of crust.
struct Column {
  double thickness_m = 0;
  double sediment_m = 0;
  double continental = 0;
  double age_yr = 0;
};

/// The balance with its densities; a small value, copied into kernels.
struct HeightLaw {
  double reference_thickness_m, reference_height_m, oceanic_thickness_m;
  double air_ratio;                                         // rho of the header
  double continental_slope, oceanic_slope, sediment_slope;  // d z_wet / d thickness
  DepthLaw depth_law;

  explicit HeightLaw(const config::Tectonics& p)
      : reference_thickness_m(p.isostasy_reference_thickness_m),
        reference_height_m(p.isostasy_reference_height_m),
        oceanic_thickness_m(p.isostasy_oceanic_thickness_m),
        depth_law(p.isostasy_ocean_depth == "gdh1" ? DepthLaw::gdh1 : DepthLaw::parsons_sclater) {
    const double mantle = p.isostasy_mantle_density_kg_m3;
    const double contrast = mantle - constants::sea_water_density_kg_m3;
    air_ratio = contrast / mantle;
    continental_slope = (mantle - p.isostasy_continental_density_kg_m3) / contrast;
    oceanic_slope = (mantle - p.isostasy_oceanic_density_kg_m3) / contrast;
    sediment_slope = (mantle - p.isostasy_sediment_density_kg_m3) / contrast;
  }

  KOKKOS_INLINE_FUNCTION double ocean_depth_m(double age_yr) const {
    return depth_law == DepthLaw::gdh1 ? gdh1_depth_m(age_yr) : parsons_sclater_depth_m(age_yr);
  }

  KOKKOS_INLINE_FUNCTION double height_m(const Column& c) const {
    const double continental =
        reference_height_m / air_ratio + (c.thickness_m - reference_thickness_m) * continental_slope;
    const double oceanic = (c.thickness_m - oceanic_thickness_m) * oceanic_slope - ocean_depth_m(c.age_yr);
    const double wet = c.continental * continental + (1 - c.continental) * oceanic + c.sediment_m * sediment_slope;
    return wet < 0 ? wet : air_ratio * wet;
  }

  /// Thickness of bare continental crust that stands at the given height; may be negative for a depth below reach.
  KOKKOS_INLINE_FUNCTION double continental_thickness_m(double height_m) const {
    const double wet = height_m < 0 ? height_m : height_m / air_ratio;
    return reference_thickness_m + (wet - reference_height_m / air_ratio) / continental_slope;
  }
};

}  // namespace craton::isostasy
