// Sediment is booked to the last grain, and creep follows the exact solution.
#include <gtest/gtest.h>

#include <cstdio>

#include "core/noise.hpp"
#include "surface/surface_world.hpp"

using namespace craton;
using test::SurfaceWorld;

namespace {

double rough(Vec3 at) {
  const noise::Fractal f{9, RandomStream::test, 0, 3.0, 6, 0.7};
  return 3000 * noise::fbm(f, at);
}

}  // namespace

// mission: G6
TEST(Sediment, is_conserved_from_the_mountains_to_the_sea) {
  SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 24, {});
  world.fill(fields::elevation_m, rough);
  world.fill(fields::runoff_m_per_yr, [](Vec3) { return 0.5; });
  world.fill(fields::sediment_m, [](Vec3) { return 10.0; });
  for (int k = 0; k < 10; ++k) {
    world.run(2e5);
    world.state.ledger.close(world.mesh.comm());
  }
  EXPECT_LE(world.state.ledger.worst_step(Balance::sediment), 1e-12);
  const auto erosion = world.state.read(fields::erosion_m), deposition = world.state.read(fields::deposition_m);
  const auto z = world.state.read(fields::elevation_m);
  const double eroded = world.sum([&](LocalId c) { return erosion(c) * world.mesh.area_m2()(c); });
  const double laid = world.sum([&](LocalId c) { return deposition(c) * world.mesh.area_m2()(c); });
  EXPECT_GT(eroded, 0);
  EXPECT_NEAR(laid / eroded, 1, 1e-12);
  // Heights changed by just that.
  double worst_m = 0;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    worst_m = std::max(worst_m, std::abs(z(c) - (rough(world.mesh.position()(c)) + deposition(c) - erosion(c))));
  }
  EXPECT_LE(world.mesh.comm().max(worst_m), 1e-8);
}

TEST(Sediment, does_not_fill_the_sea_above_its_surface) {
  config::Surface p;
  p.erodibility *= 10;
  p.creep_m2_per_yr = 0;
  p.marine_creep_m2_per_yr = 0;
  SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 24, p);
  world.fill(fields::elevation_m, [](Vec3 at) { return rough(at) - 1500; });
  world.fill(fields::runoff_m_per_yr, [](Vec3) { return 0.5; });
  const auto z = world.state.read(fields::elevation_m);
  std::vector<char> was_sea(static_cast<std::size_t>(world.mesh.n_owned()));
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) was_sea[static_cast<std::size_t>(c)] = z(c) < 0;
  for (int k = 0; k < 10; ++k) world.run(2e5);
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    EXPECT_TRUE(z(c) < 0 || !was_sea[static_cast<std::size_t>(c)]) << "cell " << raw(world.mesh.global(c));
  }
}

// mission: G23
TEST(Creep, decays_a_spherical_harmonic_at_the_exact_rate) {
  double error[2];
  int index = 0;
  for (const std::int64_t frequency : {16, 32}) {
    config::Surface p;
    p.erodibility = 0;
    p.creep_m2_per_yr = 1e6;
    SurfaceWorld world(par::Comm(MPI_COMM_WORLD), frequency, p);
    world.state.globals.sea_level_m = -1e5;
    const auto harmonic = [](Vec3 at) { return 500 * (3 * at.z * at.z - 1); };  // degree 2
    world.fill(fields::elevation_m, harmonic);
    const double radius = world.mesh.radius_m(), time_yr = 2e6;
    world.run(time_yr, 1);
    for (int k = 0; k < 4; ++k) world.passes[2]->run(world.state, {.dt_yr = time_yr / 4});
    const auto z = world.state.read(fields::elevation_m);
    const double left = world.sum([&](LocalId c) { return z(c) * harmonic(world.mesh.position()(c)); }) /
                        world.sum([&](LocalId c) {
                          const double h = harmonic(world.mesh.position()(c));
                          return h * h;
                        });
    const double exact = std::exp(-6 * p.creep_m2_per_yr * time_yr / (radius * radius));
    error[index++] = std::abs(std::log(left) / std::log(exact) - 1);
  }
  if (par::Comm(MPI_COMM_WORLD).is_root()) std::printf("decay rate off by %.2e, %.2e\n", error[0], error[1]);
  EXPECT_LT(error[1], 5e-3);
  EXPECT_LT(error[1], 0.4 * error[0]);
}
