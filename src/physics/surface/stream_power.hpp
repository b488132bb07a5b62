#pragma once
// One cell of the implicit stream power law (Braun and Willett 2013; n other than 1 as in Campforts et al. 2017):
//   dz/dt = -K A^m S^n,   S = (z - base) / distance,   base fixed at the end of the step.
// With x = z - base the backward Euler step is  x + k x^n = drop,  k = dt K A^m / distance^n,  drop = x before.
#include <cmath>

#include "core/types.hpp"

namespace craton::surface {

/// The root x in [0, drop] of x + k x^n = drop; drop >= 0, k >= 0, n > 0. Newton's method inside a bracket that only
/// shrinks, with bisection where a Newton step would leave it, so that it ends for every input.
KOKKOS_INLINE_FUNCTION double implicit_drop_m(double drop_m, double k, double n) {
  if (!(drop_m > 0) || k == 0) return drop_m;
  if (n == 1) return drop_m / (1 + k);
  double low = 0, high = drop_m;
  double x = drop_m / (1 + k * std::pow(drop_m, n - 1));
  for (int iteration = 0; iteration < 200; ++iteration) {
    if (!(x > low && x < high)) x = 0.5 * (low + high);
    const double power = std::pow(x, n - 1), f = x + k * power * x - drop_m;
    if (f == 0) return x;
    (f > 0 ? high : low) = x;
    const double step = f / (1 + n * k * power), next = x - step;
    if (std::fabs(step) <= 4e-16 * x || high - low <= 4e-16 * high) return std::fmin(std::fmax(next, low), high);
    x = next;
  }
  return x;
}

/// The same for sediment_m of a cover that is `softer` times easier to cut, over rock. The cover goes first, in the part
/// of the step that it takes; the rock has the rest.
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
