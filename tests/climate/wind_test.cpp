// The wind of a given pressure against the exact balance of gradient, Coriolis force and friction on a sphere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "climate_world.hpp"
#include "physics/climate/passes.hpp"

namespace craton {
namespace {

struct Wind {
  double east, north;
};

// p = p0 + g sin(lat) over open sea: dp/dy = g cos(lat) / R, dp/dx = 0.
constexpr double slope_pa = 3000;

class GivenPressure : public ::testing::Test {
 protected:
  GivenPressure() : mesh(comm, 32, planet.radius_m, 2), state(mesh, mesh, declared_fields({&pass})) {
    const auto pressure = state.real(fields::pressure_pa);
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      for (int m = 0; m < climate::months; ++m) {
        pressure(c * climate::months + m) = 101325 + slope_pa * mesh.position()(c).z;
      }
    }
    state.mark_written(fields::pressure_pa);
    state.refresh(fields::pressure_pa, fields::climate_height_m);
    pass.run(state, StepInfo{});
  }
  Wind exact(LocalId c) const {
    const double x = mesh.position()(c).z, gradient = slope_pa * std::sqrt(1 - x * x) / planet.radius_m;
    const double r = parameters.sea_drag_per_s, f = 4 * constants::pi / planet.day_s * x;
    const double scale = gradient / (1.2 * (r * r + f * f));
    const Wind free{-f * scale, -r * scale};
    const double limit = 1 / std::sqrt(1 + (free.east * free.east + free.north * free.north) / (80.0 * 80.0));
    return {limit * free.east, limit * free.north};
  }
  Wind found(LocalId c) const {
    const LocalId at = c * climate::months + 3;
    return {state.read(fields::wind_east_m_per_s)(at), state.read(fields::wind_north_m_per_s)(at)};
  }

  par::Comm comm{MPI_COMM_WORLD};
  config::Planet planet;
  config::Climate parameters;
  climate::WindPass pass{{planet, parameters, nullptr}};
  Mesh mesh;
  State state;
};

// mission: C7
TEST_F(GivenPressure, wind_crosses_the_isobars_at_the_angle_of_friction_and_rotation) {
  double error = 0, largest = 0, equator_angle = 90, middle_angle = 0;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const Wind w = found(c), e = exact(c);
    error = std::max(error, std::hypot(w.east - e.east, w.north - e.north));
    largest = std::max(largest, std::hypot(e.east, e.north));
    const double latitude = std::abs(to_lon_lat(mesh.position()(c)).lat_rad) / constants::degree;
    const double angle = std::atan2(std::abs(w.north), std::abs(w.east)) / constants::degree;
    if (latitude < 0.5) equator_angle = std::min(equator_angle, angle);
    if (latitude > 44 && latitude < 46) middle_angle = std::max(middle_angle, angle);
  }
  error = comm.max(error) / comm.max(largest);
  equator_angle = comm.min(equator_angle);
  middle_angle = comm.max(middle_angle);
  if (comm.is_root()) {
    std::printf(
        "wind: largest error %.2f %% of the fastest; angle to isobars %.1f at the equator, %.1f at 45 degrees\n",
        100 * error, equator_angle, middle_angle);
  }
  EXPECT_LT(error, 0.02);
  EXPECT_GT(equator_angle, 80);
  EXPECT_LT(middle_angle, 12);
}

TEST_F(GivenPressure, wind_blows_towards_low_pressure_with_the_low_on_its_left_in_the_north) {
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const double z = mesh.position()(c).z;
    if (std::abs(z) > 0.98) continue;
    EXPECT_LT(found(c).north, 0) << "pressure rises northwards, air moves south";
    if (z > 0.1) {
      EXPECT_LT(found(c).east, 0);
    }
    if (z < -0.1) {
      EXPECT_GT(found(c).east, 0);
    }
  }
}

// mission: C8
TEST_F(GivenPressure, wind_of_a_tilted_high_keeps_its_azimuth_free_of_the_directions_of_the_cells) {
  // A high in lon 30, lat 20 degrees: every cell has its own way of lying to the gradient.
  const Vec3 top = to_vector({30 * constants::degree, 20 * constants::degree});
  const auto pressure = state.real(fields::pressure_pa);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    for (int m = 0; m < climate::months; ++m) {
      pressure(c * climate::months + m) = 101325 + slope_pa * dot(top, mesh.position()(c));
    }
  }
  state.mark_written(fields::pressure_pa);
  state.refresh(fields::pressure_pa);
  pass.run(state, StepInfo{});

  double largest = 0;
  ExactSum along,
      cells;  // mean of cos 6 (azimuth - way to the first neighbour), found less exact: the pull of the cells
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const Vec3 p = mesh.position()(c), east = east_at(p), north = north_at(p);
    const double px = dot(top, east), py = dot(top, north);
    if (mesh.neighbour_count()(c) != 6 || std::hypot(px, py) < 0.1) continue;
    const double r = parameters.sea_drag_per_s, f = 4 * constants::pi / planet.day_s * p.z;
    const double exact_azimuth = std::atan2(-r * py + f * px, -r * px - f * py);
    const double azimuth = std::atan2(found(c).north, found(c).east);
    const Vec3 q = mesh.position()(mesh.neighbours()(c, 0));
    const double way = std::atan2(dot(q, north), dot(q, east));
    largest = std::max(largest, std::abs(std::remainder(azimuth - exact_azimuth, 2 * constants::pi)));
    along += std::cos(6 * (azimuth - way)) - std::cos(6 * (exact_azimuth - way));
    cells += 1.0;
  }
  largest = comm.max(largest) / constants::degree;
  const double pull = comm.sum(along) / comm.sum(cells);
  if (comm.is_root())
    std::printf("wind: largest error of azimuth %.2f degrees, pull of the cells %.1e\n", largest, pull);
  EXPECT_LT(largest, 3);
  EXPECT_LT(std::abs(pull), 0.01);
}

}  // namespace
}  // namespace craton
