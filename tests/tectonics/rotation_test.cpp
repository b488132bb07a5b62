// Crust that rides on a rigid plate.
#include <gtest/gtest.h>

#include <cstdio>

#include "core/hash.hpp"
#include "tectonics/plate_world.hpp"

using namespace craton;
using test::PlateWorld;

namespace {

PlateWorld::Crust cap(Vec3 p) {
  return {0, p.z > std::cos(40 * constants::degree), 50e6};
}

}  // namespace

// mission: G2
TEST(RigidRotation, keeps_a_continent_over_1000_random_steps) {
  PlateWorld world(par::Comm(MPI_COMM_WORLD), 24, test::constant_motion());
  world.lay(1, cap);
  const std::int64_t parcels = world.parcel_count();
  constexpr int steps = 1000, window = 100;
  double first = 0, last = 0;
  for (int k = 0; k < steps; ++k) {
    const auto draw = [k](std::uint64_t i) {
      return uniform01(random_bits(3, RandomStream::test, static_cast<std::uint64_t>(k), i)) - 0.5;
    };
    world.turn(0, {draw(0), draw(1), draw(2)}, 0.05 + 0.4 * (0.5 + draw(3)));
    world.step();
    if (k < window) first += world.continental_area() / window;
    if (k >= steps - window) last += world.continental_area() / window;
  }
  EXPECT_EQ(world.parcel_count(), parcels) << "a hole was filled, or a parcel was lost";
  const double drift = std::abs(last / first - 1);
  if (world.mesh.comm().is_root()) std::printf("continental area: drift %.5f %% in 1000 steps\n", 100 * drift);
  EXPECT_LT(drift, 1e-3);
  EXPECT_EQ(world.state.ledger.whole_run(Balance::rock).turnover_m3, 0.0);
}

TEST(RigidRotation, returns_every_field_after_a_full_turn) {
  PlateWorld world(par::Comm(MPI_COMM_WORLD), 16, test::constant_motion());
  world.lay(1, [](Vec3 p) { return PlateWorld::Crust{0, p.x + 0.3 * p.y > 0.4, 1e6 * std::floor(60 + 50 * p.z)}; });
  const double circumference_m = 2 * constants::pi * world.mesh.radius_m();
  world.step();  // at rest: the grid shows the parcels
  const auto thickness = world.state.real(fields::crust_thickness_m);
  const std::vector<double> before(thickness.data(), thickness.data() + world.mesh.n_owned());
  world.turn(0, {0.3, -0.5, 0.8}, circumference_m / 48e6);
  for (int k = 0; k < 47; ++k) world.step();
  std::int64_t moved = 0;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) moved += thickness(c) != before[static_cast<std::size_t>(c)];
  EXPECT_GT(world.mesh.comm().sum(moved), 0) << "nothing moved";
  world.step();
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) EXPECT_EQ(thickness(c), before[static_cast<std::size_t>(c)]);
}

// mission: G14
TEST(RigidRotation, of_two_plates_together_makes_no_boundary) {
  PlateWorld world(par::Comm(MPI_COMM_WORLD), 20, test::constant_motion());
  world.lay(2, [](Vec3 p) { return PlateWorld::Crust{p.x > 0 ? 1 : 0, p.y > 0, 50e6}; });
  for (const int plate : {0, 1}) world.turn(plate, {0.2, 0.5, 1}, 0.08);
  const double volume = world.continental_volume();
  const std::int64_t parcels = world.parcel_count();
  for (int k = 0; k < 40; ++k) {
    world.step();
    const auto kind = world.state.read(fields::boundary_kind);
    const auto thickness = world.state.read(fields::crust_thickness_m);
    for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
      ASSERT_EQ(kind(c), tectonics::interior);
      ASSERT_TRUE(thickness(c) == 35000 || thickness(c) == 7000) << thickness(c);
    }
  }
  EXPECT_EQ(world.parcel_count(), parcels);
  EXPECT_EQ(world.continental_volume(), volume);
}
