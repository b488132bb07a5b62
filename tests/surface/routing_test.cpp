// Rivers: every drop finds the sea, and finds it the same way on any number of ranks.
#include <gtest/gtest.h>

#include "core/noise.hpp"
#include "state/state_hash.hpp"
#include "surface/surface_world.hpp"

using namespace craton;
using test::SurfaceWorld;

namespace {

/// Rough land with many pits about an ocean of some 40 %.
double rough(Vec3 at) {
  const noise::Fractal f{5, RandomStream::test, 0, 3.0, 6, 0.7};
  return 2000 * noise::fbm(f, at) + 200;
}

void lay_rough_world(SurfaceWorld& world, const std::function<double(Vec3)>& height) {
  world.fill(fields::elevation_m, height);
  world.fill(fields::runoff_m_per_yr, [](Vec3 at) { return 0.3 + 0.2 * at.z; });
  world.fill(fields::uplift_rate_m_per_yr, [](Vec3 at) { return 1e-4 * (1 + at.y); });
  world.fill(fields::sediment_m, [](Vec3) { return 30.0; });
}

double water(const SurfaceWorld& world, const char* process) {
  return world.state.ledger.last_step(Balance::water).booked_m3.at(process);
}

}  // namespace

// mission: R2
TEST(Routing, brings_all_runoff_to_the_sea_out_of_every_depression) {
  SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 24, {});
  lay_rough_world(world, rough);
  world.run(1e5, 1);
  const auto slot = world.state.read(fields::receiver_slot);
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    EXPECT_EQ(slot(c) >= 0, world.is_land(c)) << "cell " << raw(world.mesh.global(c));
  }
  world.state.ledger.close(world.mesh.comm());
  EXPECT_GT(water(world, "runoff"), 0);
  EXPECT_NEAR(water(world, "to_sea") / water(world, "runoff"), -1, 1e-12);
  EXPECT_EQ(water(world, "to_sinks"), 0);
  // Drainage areas of mouths add up to the land.
  const auto drained = world.state.read(fields::drainage_area_m2);
  const double land = world.sum([&](LocalId c) { return world.is_land(c) ? world.mesh.area_m2()(c) : 0.0; });
  const double arrived =
      world.sum([&](LocalId c) { return world.is_land(c) ? 0.0 : drained(c) - world.mesh.area_m2()(c); });
  EXPECT_NEAR(arrived / land, 1, 1e-12);
}

// mission: R1
TEST(Routing, and_erosion_give_the_same_bits_as_one_rank) {
  SurfaceWorld shared(par::Comm(MPI_COMM_WORLD), 24, {}), alone(par::Comm(MPI_COMM_SELF), 24, {});
  for (SurfaceWorld* world : {&shared, &alone}) {
    lay_rough_world(*world, rough);
    for (int k = 0; k < 8; ++k) world->run(2e5);
  }
  EXPECT_EQ(state_hash(shared.state).whole, state_hash(alone.state).whole);
  EXPECT_EQ(raw(shared.mesh.global(0)) >= 0, true);
}

TEST(Routing, of_a_world_without_sea_ends_in_its_lowest_cell) {
  SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 12, {});
  world.state.globals.sea_level_m = -1e5;
  lay_rough_world(world, rough);
  world.run(1e5);
  const auto slot = world.state.read(fields::receiver_slot);
  const double outlets = world.sum([&](LocalId c) { return slot(c) < 0 ? 1.0 : 0.0; });
  EXPECT_EQ(outlets, 1);
  world.state.ledger.close(world.mesh.comm());
  EXPECT_NEAR(water(world, "to_sinks") / water(world, "runoff"), -1, 1e-12);
}

TEST(Routing, of_a_world_without_land_does_nothing) {
  SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 12, {});
  lay_rough_world(world, [](Vec3) { return -3000.0; });
  world.fill(fields::uplift_rate_m_per_yr, [](Vec3) { return 0.0; });
  world.run(1e5);
  const auto z = world.state.read(fields::elevation_m);
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) EXPECT_EQ(z(c), -3000.0);
}

TEST(Routing, crosses_flats) {
  SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 16, {});
  lay_rough_world(world, [](Vec3 at) { return at.x > 0 ? 100.0 : -100.0; });
  world.run(1e5, 1);
  const auto slot = world.state.read(fields::receiver_slot);
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) EXPECT_EQ(slot(c) >= 0, world.is_land(c));
}
