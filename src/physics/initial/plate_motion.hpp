#pragma once
// Random first motions of the plates. Axes are uniform on the sphere and rates 0.5 .. 1.5 by hash; then the net
// rotation
//   w_net = 3 / (8 pi) * integral of r x (w(r) x r) dA
// is taken out and all are scaled so that the root mean square of |w x r| is the wanted speed. Local.
#include <cstdint>
#include <vector>

#include "physics/initial/reference_sphere.hpp"

namespace craton::initial {

/// Euler vectors, rad per year, of plates 0 .. count - 1, given the plate of each cell of the reference sphere. A
/// single plate stands still.
std::vector<Vec3> random_motions(const ReferenceSphere& sphere, const std::vector<std::int32_t>& plates, int count,
                                 std::uint64_t seed, double rms_speed_m_per_yr, double radius_m);

}  // namespace craton::initial
