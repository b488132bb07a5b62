// The grid as the parcels show it, and what kind of boundary runs where plates meet.
#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"

namespace craton::tectonics {

void MarginsPass::write_grid(State& state, double now_yr) {
  const Mesh& mesh = state.mesh();
  const auto plate = state.integer(fields::plate);
  const auto thickness = state.real(fields::crust_thickness_m), sediment = state.real(fields::sediment_m);
  const auto continental = state.real(fields::continental_fraction), age = state.real(fields::crust_age_yr);
  const auto orogeny = state.real(fields::orogeny_age_yr), z = state.real(fields::elevation_m);
  const auto east = state.real(fields::plate_velocity_east_m_per_yr);
  const auto north = state.real(fields::plate_velocity_north_m_per_yr);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const auto k = static_cast<std::size_t>(c);
    const Parcel* shown = shown_[k];
    require(shown != nullptr, "a gap in the crust was left open");
    plate(c) = owner_[k];
    thickness(c) = shown->thickness_m;
    sediment(c) = shown->sediment_m;
    continental(c) = shown->continental;
    age(c) = std::max(now_yr - shown->birth_yr, 0.0);
    orogeny(c) = std::max(now_yr - shown->orogeny_yr, 0.0);
    z(c) = shown->elevation_m;
    const Vec3 at = mesh.position()(c);
    const Vec3 v = plate_velocity(state.crust.plates[static_cast<std::size_t>(owner_[k])], at, mesh.radius_m());
    east(c) = dot(v, east_at(at));
    north(c) = dot(v, north_at(at));
  }
  mesh.refresh_halo(plate);
  mesh.refresh_halo(continental);
  mesh.refresh_halo(age);
}

Regime edge_regime(Vec3 normal, Vec3 relative, double transform_angle_rad) {
  const double across = dot(relative, normal), speed = norm(relative);
  if (speed == 0) return Regime::still;
  const double along = std::sqrt(std::max(speed * speed - across * across, 0.0));
  if (std::atan2(std::abs(across), along) <= transform_angle_rad) return Regime::transform;
  return across > 0 ? Regime::divergent : Regime::convergent;
}

namespace {

// Direction from the plate of c to the plate of its neighbour d. Edges of hexagons zigzag about the boundary, so all
// edges of the two cells between these plates count, by their length. Odd in (c, d): each term has its mirror image.
Vec3 boundary_normal(const Mesh& mesh, const ConstArray<std::int32_t>& plate, LocalId c, LocalId d) {
  const auto edges_of = [&](LocalId from, std::int32_t to) {
    Vec3 sum;
    for (int s = 0; s < mesh.neighbour_count()(from); ++s) {
      const LocalId n = mesh.neighbours()(from, s);
      if (plate(n) != to) continue;
      sum = sum + static_cast<double>(mesh.edge_m()(from, s)) * normalized(mesh.position()(n) - mesh.position()(from));
    }
    return sum;
  };
  return normalized(edges_of(c, plate(d)) - edges_of(d, plate(c)));
}

}  // namespace

Boundary MarginsPass::kind_of_edge(const State& state, LocalId c, int slot) const {
  const Mesh& mesh = state.mesh();
  const auto plate = state.read(fields::plate);
  const auto continental = state.read(fields::continental_fraction);
  const LocalId d = mesh.neighbours()(c, slot);
  if (plate(d) == plate(c)) return interior;
  const Vec3 middle = normalized(mesh.position()(c) + mesh.position()(d));
  const Vec3 relative =
      plate_velocity(state.crust.plates[static_cast<std::size_t>(plate(d))], middle, mesh.radius_m()) -
      plate_velocity(state.crust.plates[static_cast<std::size_t>(plate(c))], middle, mesh.radius_m());
  const double limit_rad = parameters_.transform_angle_deg * constants::degree;
  switch (edge_regime(boundary_normal(mesh, plate, c, d), relative, limit_rad)) {
    case Regime::still:
      return interior;
    case Regime::divergent:
      return divergent;
    case Regime::transform:
      return transform;
    case Regime::convergent:
      break;
  }
  const bool land = continental(c) >= 0.5, other = continental(d) >= 0.5;
  if (land && other) return collision;
  if (land != other) return land ? over_riding : going_under;
  return polarity_.goes_under(plate(c), plate(d)) ? going_under : over_riding;
}

void MarginsPass::classify(State& state) {
  const Mesh& mesh = state.mesh();
  const auto kind = state.integer(fields::boundary_kind);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    // The kind with the longest edge about the cell; ties to the smaller number.
    double length[6] = {};
    for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
      length[kind_of_edge(state, c, s)] += static_cast<double>(mesh.edge_m()(c, s));
    }
    std::int32_t best = interior;
    for (std::int32_t k = 1; k < 6; ++k) {
      if (length[k] > (best == interior ? 0.0 : length[best])) best = k;
    }
    kind(c) = best;
  }
}

}  // namespace craton::tectonics
