#pragma once
// One cell of the implicit stream power law (Braun and Willett 2013; n other than 1 as in Campforts et al. 2017):
//   dz/dt = -K A^m S^n,   S = (z - base) / distance,   base fixed at the end of the step.
// With x = z - base the backward Euler step is  x + k x^n = drop,  k = dt K A^m / distance^n,  drop = x before.
#include <cmath>

#include "core/types.hpp"

namespace craton::surface {

/// The root t of a t + b t^p = drop; a, b, drop > 0, p >= 1. The left side is convex and rises, so Newton's method from
/// above falls to the root without fail, and ends where rounding stops it.
KOKKOS_INLINE_FUNCTION double convex_root(double a, double b, double p, double drop) {
  double t = std::fmin(drop / a, std::pow(drop / b, 1 / p));
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double power = b * std::pow(t, p - 1);
    const double next = t - (a * t + power * t - drop) / (a + p * power);
    if (!(next < t)) break;
    t = next;
  }
  return t;
}

/// The root x in [0, drop] of x + k x^n = drop; drop >= 0, k >= 0, n > 0. For n < 1 in the unknown x^n, which makes the
/// equation convex again.
KOKKOS_INLINE_FUNCTION double implicit_drop_m(double drop_m, double k, double n) {
  if (!(drop_m > 0) || k == 0) return drop_m;
  if (n == 1) return drop_m / (1 + k);
  const double x = n > 1 ? convex_root(1.0, k, n, drop_m) : std::pow(convex_root(k, 1.0, 1 / n, drop_m), 1 / n);
  return std::fmin(std::fmax(x, 0.0), drop_m);
}

/// The same for sediment_m of a cover that is `softer` times easier to cut, over rock. The cover goes first, in the
/// part of the step that it takes; the rock has the rest.
KOKKOS_INLINE_FUNCTION double implicit_layered_drop_m(double drop_m, double k, double n, double sediment_m,
                                                      double softer) {
  if (!(sediment_m > 0) || softer == 1) return implicit_drop_m(drop_m, k, n);
  const double through_cover = implicit_drop_m(drop_m, k * softer, n);
  if (drop_m - through_cover <= sediment_m) return through_cover;
  const double top = drop_m - sediment_m;
  const double spent = sediment_m / (k * softer * std::pow(top, n));
  return implicit_drop_m(top, k * std::fmax(0.0, 1 - spent), n);
}

}  // namespace craton::surface
