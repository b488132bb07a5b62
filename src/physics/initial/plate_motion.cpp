#include "physics/initial/plate_motion.hpp"

#include "core/constants.hpp"
#include "core/hash.hpp"

namespace craton::initial {

std::vector<Vec3> random_motions(const ReferenceSphere& sphere, const std::vector<std::int32_t>& plates, int count,
                                 std::uint64_t seed, double rms_speed_m_per_yr, double radius_m) {
  std::vector<Vec3> euler(static_cast<std::size_t>(count));
  if (count < 2) return euler;
  const auto draw = [seed](std::size_t plate, std::uint64_t k) {
    return uniform01(random_bits(seed, RandomStream::plate_motion, static_cast<std::uint64_t>(plate), k));
  };
  for (std::size_t k = 0; k < euler.size(); ++k) {
    const double z = 2 * draw(k, 0) - 1, lon = 2 * constants::pi * draw(k, 1), r = std::sqrt(1 - z * z);
    euler[k] = (0.5 + draw(k, 2)) * Vec3{r * std::cos(lon), r * std::sin(lon), z};
  }
  // Cells of the reference sphere count alike: their areas differ too little to matter here.
  const double cells = static_cast<double>(plates.size());
  Vec3 net;
  for (std::size_t c = 0; c < plates.size(); ++c) {
    const Vec3 r = sphere.position[c];
    net = net + cross(r, cross(euler[static_cast<std::size_t>(plates[c])], r));
  }
  for (Vec3& w : euler) w = w - (1.5 / cells) * net;
  double square = 0;
  for (std::size_t c = 0; c < plates.size(); ++c) {
    const Vec3 v = cross(euler[static_cast<std::size_t>(plates[c])], sphere.position[c]);
    square += dot(v, v);
  }
  const double rms = std::sqrt(square / cells);
  const double scale = rms > 0 ? rms_speed_m_per_yr / (radius_m * rms) : 0.0;
  for (Vec3& w : euler) w = scale * w;
  return euler;
}

}  // namespace craton::initial
