// Plate motions from a balance of torques (Forsyth and Uyeda 1975), each divided by the drag coefficient of the mantle:
//   M w = T,   M = R^2 sum_cells a k (1 - r r^T) + R^2 sum_collisions c l t t^T,   t = r x d
//   T = R sum_edges l f (r x d) + R sum_collisions c l t (d . v_other)
// w rotation vector, a area, k 1 or the continental drag, l length of an edge, d its direction towards the other plate.
// f: slab pull on the sinking plate, suction on the one above, ridge push away from the ridge. The motion of the other
// side of a collision is that of the step before. Plates take up the balance with a relaxation time.
#include <array>
#include <cmath>
#include <vector>

#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"

namespace craton::tectonics {

namespace {

/// Sums of one plate: torque, and the upper half of M (xx, yy, zz, xy, xz, yz).
constexpr std::size_t terms = 9;

class TorqueSums {
 public:
  explicit TorqueSums(std::size_t plates) : sums_(terms * plates) {}
  void add_torque(std::int32_t plate, Vec3 t) {
    ExactSum* s = of(plate);
    s[0] += t.x;
    s[1] += t.y;
    s[2] += t.z;
  }
  /// weight (one - a a^T) with one = 1 or 0: drag of an area; -weight a a^T with one = 0.
  void add_resistance(std::int32_t plate, double weight, double one, Vec3 a) {
    ExactSum* s = of(plate);
    s[3] += weight * (one - a.x * a.x);
    s[4] += weight * (one - a.y * a.y);
    s[5] += weight * (one - a.z * a.z);
    s[6] += weight * (-a.x * a.y);
    s[7] += weight * (-a.x * a.z);
    s[8] += weight * (-a.y * a.z);
  }
  void reduce(const par::Comm& comm) { comm.sum(std::span<ExactSum>(sums_)); }
  std::array<double, terms> values(std::size_t plate) const {
    std::array<double, terms> v;
    for (std::size_t k = 0; k < terms; ++k) v[k] = sums_[terms * plate + k].value();
    return v;
  }

 private:
  ExactSum* of(std::int32_t plate) { return &sums_[terms * static_cast<std::size_t>(plate)]; }
  std::vector<ExactSum> sums_;
};

/// Solution of M w = T by Cramer's rule; zero if M is singular (a plate without cells).
Vec3 solve(const std::array<double, terms>& v) {
  const Vec3 a{v[3], v[6], v[7]}, b{v[6], v[4], v[8]}, c{v[7], v[8], v[5]}, t{v[0], v[1], v[2]};
  const double det = dot(a, cross(b, c));
  if (!(std::abs(det) > 0)) return {};
  // M is symmetric, so its rows are its columns.
  return {dot(t, cross(b, c)) / det, dot(a, cross(t, c)) / det, dot(a, cross(b, t)) / det};
}

}  // namespace

void MarginsPass::balance_torques(State& state, const StepInfo& step) const {
  const Mesh& mesh = state.mesh();
  const auto plate = state.read(fields::plate);
  const auto continental = state.read(fields::continental_fraction), age = state.read(fields::crust_age_yr);
  std::vector<Plate>& plates = state.crust.plates;
  const double radius = mesh.radius_m();
  const auto pull = [&](LocalId c) {
    constexpr double old_yr = 80e6;
    return parameters_.slab_pull_m2_per_yr * std::sqrt(std::min(age(c), 2 * old_yr) / old_yr);
  };
  TorqueSums sums(plates.size());
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const Vec3 here = mesh.position()(c);
    const bool land = continental(c) >= 0.5;
    const double drag = mesh.area_m2()(c) * (land ? parameters_.continental_drag : 1.0);
    sums.add_resistance(plate(c), radius * radius * drag, 1.0, here);
    for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
      const Boundary kind = kind_of_edge(state, c, s);
      if (kind == interior || kind == transform) continue;
      const LocalId n = mesh.neighbours()(c, s);
      const Vec3 there = mesh.position()(n), middle = normalized(here + there), towards = normalized(there - here);
      const Vec3 arm = cross(middle, towards);
      const double length = static_cast<double>(mesh.edge_m()(c, s));
      double force = 0;
      if (kind == divergent) {
        force = -parameters_.ridge_push_m2_per_yr;
      } else if (kind == going_under) {
        force = pull(c);
      } else if (kind == over_riding) {
        force = parameters_.trench_suction * pull(n);
      } else {
        const double resistance = parameters_.collision_drag_m * length;
        const Vec3 other = plate_velocity(plates[static_cast<std::size_t>(plate(n))], middle, radius);
        sums.add_resistance(plate(c), -radius * radius * resistance, 0.0, arm);
        sums.add_torque(plate(c), radius * resistance * dot(towards, other) * arm);
      }
      sums.add_torque(plate(c), radius * length * force * arm);
    }
  }
  sums.reduce(mesh.comm());
  const double taken_up = 1 - std::exp(-step.dt_yr / parameters_.motion_relaxation_yr);
  for (std::size_t p = 0; p < plates.size(); ++p) {
    if (plates[p].alive == 0) continue;
    Vec3& w = plates[p].euler_rad_per_yr;
    w = w + taken_up * (solve(sums.values(p)) - w);
    const double speed = radius * norm(w);
    if (speed > parameters_.speed_limit_m_per_yr) w = (parameters_.speed_limit_m_per_yr / speed) * w;
  }
}

}  // namespace craton::tectonics
