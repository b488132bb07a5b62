// Ridges, trenches and collisions, on any number of ranks.
#include <gtest/gtest.h>

#include <cstdio>

#include "physics/initial/world.hpp"
#include "state/state_hash.hpp"
#include "tectonics/plate_world.hpp"

using namespace craton;
using test::PlateWorld;

namespace {

par::Comm everyone() {
  return par::Comm(MPI_COMM_WORLD);
}

/// Two hemispheres of ocean that part along the meridian of 0 and meet along that of 180 degrees.
void lay_two_oceans(PlateWorld& world) {
  world.lay(2, [](Vec3 p) { return PlateWorld::Crust{p.y > 0 ? 1 : 0, false, p.y > 0 ? 40e6 : 60e6}; });
  world.turn(0, {0, 0, -1}, 0.05);
  world.turn(1, {0, 0, 1}, 0.05);
}

double rock_residual(const PlateWorld& world) {
  return world.state.ledger.worst_step(Balance::rock);
}

}  // namespace

TEST(Margins, make_floor_of_age_zero_at_the_ridge_that_ages_away_from_it) {
  PlateWorld world(everyone(), 24, test::constant_motion());
  lay_two_oceans(world);
  for (int k = 0; k < 30; ++k) world.step();
  // On the equator the floor at an angle a from the ridge left it a R / 5 cm/yr ago.
  const auto age = world.state.read(fields::crust_age_yr);
  double worst_yr = 0;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    const LonLat at = to_lon_lat(world.mesh.position()(c));
    if (std::abs(at.lat_rad) > 0.1 || std::abs(at.lon_rad) > 0.2) continue;
    const double expected_yr = std::abs(at.lon_rad) * world.mesh.radius_m() / 0.05;
    worst_yr = std::max(worst_yr, std::abs(age(c) - expected_yr));
  }
  worst_yr = world.mesh.comm().max(worst_yr);
  const double cell_yr = world.mesh.spacing_m() / 0.05;
  if (world.mesh.comm().is_root()) std::printf("age of floor: off by at most %.2f cells\n", worst_yr / cell_yr);
  EXPECT_LT(worst_yr, 1.5 * cell_yr);
  EXPECT_LE(rock_residual(world), 1e-12);
}

TEST(Margins, consume_the_older_floor_and_keep_the_area) {
  PlateWorld world(everyone(), 24, test::constant_motion());
  lay_two_oceans(world);
  for (int k = 0; k < 40; ++k) world.step();
  const auto plate = world.state.read(fields::plate);
  const double planet = world.area_where([](LocalId) { return true; });
  const double younger = world.area_where([&](LocalId c) { return plate(c) == 1; });
  // Plate 1 gains at the ridge and, being younger at the trench, does not lose there.
  EXPECT_GT(younger, 0.5 * planet * 1.05);
  const auto& books = world.state.ledger.whole_run(Balance::rock).booked_m3;
  EXPECT_GT(books.at("spreading"), 0);
  EXPECT_LT(books.at("subduction"), 0);
  EXPECT_LT(std::abs(static_cast<double>(world.parcel_count()) / static_cast<double>(world.mesh.global_count()) - 1),
            0.15);
  EXPECT_LE(rock_residual(world), 1e-12);
}

// mission: G22
TEST(Margins, collide_continents_without_losing_volume_over_a_belt_that_does_not_depend_on_spacing) {
  double width_m[2] = {0, 0};
  int index = 0;
  for (const std::int64_t frequency : {48, 96}) {
    config::Tectonics parameters = test::constant_motion();
    parameters.collision_width_m = 4e5;
    PlateWorld world(everyone(), frequency, parameters);
    world.lay(2, [](Vec3 p) { return PlateWorld::Crust{p.y > 0 ? 1 : 0, p.x > 0.5, 40e6}; });
    world.turn(0, {0, 0, 1}, 0.04);
    world.turn(1, {0, 0, -1}, 0.04);
    const double volume = world.continental_volume();
    for (int k = 0; k < 10; ++k) world.step();
    EXPECT_NEAR(world.continental_volume() / volume, 1, 1e-12);
    EXPECT_LE(rock_residual(world), 1e-12);
    // Standard deviation of the added thickness across the belt, near the equator.
    ExactSum weight, square;
    const auto thickness = world.state.read(fields::crust_thickness_m);
    for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
      const LonLat at = to_lon_lat(world.mesh.position()(c));
      if (std::abs(at.lat_rad) > 0.3 || thickness(c) < 35000.001) continue;
      const double added = (thickness(c) - 35000) * world.mesh.area_m2()(c), y_m = at.lon_rad * world.mesh.radius_m();
      weight += added;
      square += added * y_m * y_m;
    }
    width_m[index] = std::sqrt(world.mesh.comm().sum(square) / world.mesh.comm().sum(weight));
    ++index;
  }
  if (par::Comm(MPI_COMM_WORLD).is_root()) {
    std::printf("width of a belt: %.0f km at n = 48, %.0f km at n = 96\n", 1e-3 * width_m[0], 1e-3 * width_m[1]);
  }
  EXPECT_GT(width_m[1], 3.5e5);
  EXPECT_NEAR(width_m[0] / width_m[1], 1, 0.15);
}

TEST(Margins, grow_arcs_behind_the_trench_on_the_plate_above) {
  config::Tectonics parameters = test::constant_motion();
  parameters.arc_growth_m2_per_yr = 30;
  PlateWorld world(everyone(), 48, parameters);
  lay_two_oceans(world);
  for (int k = 0; k < 5; ++k) world.step();
  EXPECT_GT(world.state.ledger.whole_run(Balance::rock).booked_m3.at("arc"), 0);
  const auto thickness = world.state.read(fields::crust_thickness_m);
  const auto plate = world.state.read(fields::plate);
  const double thick = world.area_where([&](LocalId c) { return thickness(c) > 7200 && plate(c) == 1; });
  const double wrong = world.area_where([&](LocalId c) { return thickness(c) > 7200 && plate(c) == 0; });
  EXPECT_GT(thick, 0);
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(rock_residual(world), 1e-12);
}

TEST(Margins, give_the_same_bits_as_one_rank_with_rifts_welds_and_rollback) {
  config::Parameters p;
  p.seed = 11;
  p.initial.plate_count = 9;
  p.tectonics.rift_interval_yr = 5.0e6;
  p.tectonics.founder_age_yr = 40.0e6;
  PlateWorld shared(everyone(), 20, p.tectonics), alone(par::Comm(MPI_COMM_SELF), 20, p.tectonics);
  std::int64_t reorganised = 0;
  for (PlateWorld* world : {&shared, &alone}) {
    initial::make_world(world->state, p);
    for (int k = 0; k < 25; ++k) world->step(2e6);
    reorganised = 0;
    for (const Plate& plate : world->state.crust.plates) reorganised += plate.birth_yr > 0 || plate.alive == 0;
    EXPECT_LE(rock_residual(*world), 1e-12);
  }
  EXPECT_GT(reorganised, 0) << "the test should see plates come and go";
  EXPECT_EQ(state_hash(shared.state).whole, state_hash(alone.state).whole);
}
