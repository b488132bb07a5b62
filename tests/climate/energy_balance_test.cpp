// The energy balance against its exact solution (North 1975): with absorbed sunlight
//   Q = (1 - a) S0 / 4 (1 + s2 P2(x)),  x = sin(latitude),  P2 = (3 x^2 - 1) / 2,
// the steady state of D lap(T) - A - B T + Q = 0 is T = ((1 - a) S0 / 4 (1 + s2 P2 / (1 + 6 D / B)) - A) / B.
#include "physics/climate/energy_balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include "physics/climate/orbit.hpp"

namespace craton::climate {
namespace {

double p2(double x) {
  return 0.5 * (3 * x * x - 1);
}

struct Case {
  double albedo, s0, s2, a, b, d;
  double absorbed(double x) const { return (1 - albedo) * s0 / 4 * (1 + s2 * p2(x)); }
  double mean() const { return ((1 - albedo) * s0 / 4 - a) / b; }
  double amplitude() const { return (1 - albedo) * s0 / 4 * s2 / (1 + 6 * d / b) / b; }
  double exact(double x) const { return mean() + amplitude() * p2(x); }
};

constexpr Case example{0.3, 1360, -0.48, 210, 2, 0.55};
constexpr Case cases[] = {example, {0.25, 1500, -0.3, 230, 1.6, 0.9}, {0.35, 1361, 0.2, 190, 2.4, 0.1}};

Array<double> filled(const std::string& name, LocalId count, const std::function<double(LocalId)>& value) {
  Array<double> field(name, static_cast<std::size_t>(count));
  for (LocalId c = 0; c < count; ++c) field(c) = value(c);
  return field;
}

Array<double> sunlight(const Mesh& mesh, const Case& k) {
  return filled("test::absorbed", mesh.n_owned(), [&](LocalId c) { return k.absorbed(mesh.position()(c).z); });
}

// From a uniform temperature far from the answer.
Array<double> steady_state(const Mesh& mesh, const Case& k) {
  EnergyBalance balance(mesh, {k.a, k.b, k.d, 1.0}, 1.0);
  Array<double> temperature = filled("test::temperature", mesh.n_all(), [](LocalId) { return 50.0; });
  balance.solve_steady(temperature, sunlight(mesh, k), 1e-8);
  return temperature;
}

double largest_error(const Mesh& mesh, const Case& k, const Array<double>& temperature) {
  double error = 0;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    error = std::max(error, std::abs(temperature(c) - k.exact(mesh.position()(c).z)));
  }
  return mesh.comm().max(error);
}

TEST(EnergyBalance, steady_state_is_the_exact_solution_within_two_hundredths_of_a_kelvin) {
  const par::Comm comm(MPI_COMM_WORLD);
  const Mesh mesh(comm, 64, 6.371e6, 1);
  for (const Case& k : cases) {
    const double error = largest_error(mesh, k, steady_state(mesh, k));
    if (comm.is_root()) {
      std::printf("energy balance: largest error %.4f K (mean %.2f, P2 %.2f degree Celsius)\n", error, k.mean(),
                  k.amplitude());
    }
    EXPECT_LT(error, 0.02);
  }
  EXPECT_NEAR(example.mean(), 14.00, 0.005);
  EXPECT_NEAR(example.amplitude(), -21.55, 0.02);
}

TEST(EnergyBalance, error_falls_with_the_square_of_the_spacing) {
  const par::Comm comm(MPI_COMM_WORLD);
  const Mesh coarse(comm, 16, 6.371e6, 1), fine(comm, 32, 6.371e6, 1);
  const double on_coarse = largest_error(coarse, example, steady_state(coarse, example));
  const double on_fine = largest_error(fine, example, steady_state(fine, example));
  if (comm.is_root()) std::printf("energy balance: order %.2f\n", std::log2(on_coarse / on_fine));
  EXPECT_GT(std::log2(on_coarse / on_fine), 1.5);
}

TEST(EnergyBalance, every_bit_is_that_of_one_rank) {
  const par::Comm comm(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const Mesh mesh(comm, 24, 6.371e6, 1), whole(self, 24, 6.371e6, 1);
  const Array<double> here = steady_state(mesh, example), there = steady_state(whole, example);
  std::int64_t different = 0;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) different += here(c) != there(whole.local(mesh.global(c)));
  EXPECT_EQ(comm.sum(different), 0);
}

TEST(EnergyBalance, steps_follow_the_exact_relaxation_to_second_order) {
  // T = exact + c exp(-t / tau) on a uniform anomaly, tau = C / B.
  const par::Comm comm(MPI_COMM_WORLD);
  const Mesh mesh(comm, 16, 6.371e6, 1);
  const double capacity = 1e8, tau = capacity / example.b;
  const auto error_with = [&](int steps) {
    const double dt = 0.5 * tau / steps;
    EnergyBalance balance(mesh, {example.a, example.b, 0.0, 1.0}, capacity);
    const Array<double> heat = filled("test::capacity", mesh.n_owned(), [&](LocalId) { return capacity; });
    const Array<double> absorbed = filled("test::absorbed", mesh.n_owned(), [&](LocalId) { return example.a; });
    Array<double> before = filled("test::before", mesh.n_all(), [&](LocalId) { return 10 * std::exp(dt / tau); });
    Array<double> now = filled("test::now", mesh.n_all(), [](LocalId) { return 10.0; });
    for (int k = 0; k < steps; ++k) balance.step(before, now, absorbed, heat, dt);
    return mesh.comm().max(mesh.n_owned() > 0 ? std::abs(now(0) - 10 * std::exp(-0.5)) : 0.0);
  };
  const double order = std::log2(error_with(8) / error_with(16));
  if (comm.is_root()) std::printf("energy balance: order in time %.2f\n", order);
  EXPECT_GT(order, 1.7);
}

// Ice line: latitude of the coldest bare cell and the warmest icy one, after a start from 12 - 40 P2.
struct IceEdge {
  double bare_deg, icy_deg;
};
IceEdge ice_edge(const Mesh& mesh, double s0) {
  constexpr double a0 = 0.3, a2 = 0.078, icy = 0.62, freezing_c = -10, capacity = 4.1813e6 * 10, year_s = 31557600;
  constexpr int steps_per_year = 24, years = 60;
  config::Planet planet;
  planet.solar_constant_w_m2 = s0;
  const Array<double> sun = filled("test::sun", mesh.n_owned(), [&](LocalId c) {
    double sum = 0;
    for (int d = 0; d < 73; ++d) sum += daily_insolation_w_m2(sun_at(planet, (d + 0.5) / 73), mesh.position()(c).z);
    return sum / 73;
  });
  EnergyBalance balance(mesh, {210, 2, 0.555, 1.0}, capacity);
  const auto start = [&](LocalId c) { return 12 - 40 * p2(mesh.position()(c).z); };
  Array<double> before = filled("test::before", mesh.n_all(), start), now = filled("test::now", mesh.n_all(), start);
  const Array<double> heat = filled("test::capacity", mesh.n_owned(), [&](LocalId) { return capacity; });
  for (int k = 0; k < years * steps_per_year; ++k) {
    const Array<double> absorbed = filled("test::absorbed", mesh.n_owned(), [&](LocalId c) {
      return (1 - (now(c) < freezing_c ? icy : a0 + a2 * p2(mesh.position()(c).z))) * sun(c);
    });
    balance.step(before, now, absorbed, heat, year_s / steps_per_year);
  }
  IceEdge edge{0, 90};
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const double latitude = std::abs(to_lon_lat(mesh.position()(c)).lat_rad) / constants::degree;
    if (now(c) < freezing_c) {
      edge.icy_deg = std::min(edge.icy_deg, latitude);
    } else {
      edge.bare_deg = std::max(edge.bare_deg, latitude);
    }
  }
  return {mesh.comm().max(edge.bare_deg), mesh.comm().min(edge.icy_deg)};
}

TEST(EnergyBalance, ice_albedo_has_its_edge_at_70_degrees_and_a_snowball_under_a_faint_sun) {
  const par::Comm comm(MPI_COMM_WORLD);
  const Mesh mesh(comm, 24, 6.371e6, 1);
  const IceEdge edge = ice_edge(mesh, 1365.2), faint = ice_edge(mesh, 1200);
  if (comm.is_root()) {
    std::printf("energy balance: ice edge between %.1f and %.1f degrees; S0 = 1200: ice from %.1f degrees\n",
                edge.icy_deg, edge.bare_deg, faint.icy_deg);
  }
  EXPECT_NEAR(0.5 * (edge.bare_deg + edge.icy_deg), 70, 2);
  EXPECT_LT(faint.icy_deg, 3);
  EXPECT_EQ(faint.bare_deg, 0);
}

}  // namespace
}  // namespace craton::climate
