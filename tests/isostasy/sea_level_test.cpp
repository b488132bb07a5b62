// Sea level from a volume and from a share of land, and the two passes, on 1 and 4 ranks.
#include "physics/isostasy/sea_level.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "core/noise.hpp"
#include "physics/isostasy/isostasy_pass.hpp"
#include "physics/isostasy/sea_level_pass.hpp"
#include "state/fields.hpp"

namespace craton {
namespace {

// Hills of up to some kilometres about two levels.
double relief(Vec3 p, std::uint64_t seed) {
  const noise::Fractal hills{seed, RandomStream::relief_noise, 0, 1.5, 8, 0.55};
  const double v = noise::fbm(hills, p);
  return (v > 0.1 ? 400 : -4200) + 3000 * v;
}

Array<double> surface(const Mesh& mesh, std::uint64_t seed) {
  Array<double> z("test::elevation", static_cast<std::size_t>(mesh.n_all()));
  for (LocalId c = 0; c < mesh.n_all(); ++c) z(c) = relief(mesh.position()(c), seed);
  return z;
}

class SeaLevel : public ::testing::Test {
 protected:
  double volume(const Array<double>& z, double level) const {
    return comm.sum(isostasy::local_water_m3(mesh, z, level));
  }
  double land(const Array<double>& z, double level) const {
    ExactSum dry, all;
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      all += mesh.area_m2()(c);
      if (z(c) >= level) dry += mesh.area_m2()(c);
    }
    return comm.sum(dry) / comm.sum(all);
  }
  par::Comm comm{MPI_COMM_WORLD};
  Mesh mesh{comm, 40, 6.371e6, 1};
};

// mission: E5
TEST_F(SeaLevel, holds_the_volume_from_any_first_guess) {
  double worst = 0;
  for (const std::uint64_t seed : {1, 2}) {
    const Array<double> z = surface(mesh, seed);
    // A pond, Earth's oceans, and a planet flooded from pole to pole.
    for (const double wanted : {1e12, 1.335e18, 8e18}) {
      for (const double guess : {-20000.0, 0.0, 3e4}) {
        const double level = isostasy::sea_level_for_volume(mesh, z, wanted, guess);
        worst = std::max(worst, std::abs(volume(z, level) / wanted - 1));
      }
    }
  }
  if (comm.is_root()) std::printf("sea level: largest error of the volume %.1e\n", worst);
  EXPECT_LT(worst, 1e-12);
}

TEST_F(SeaLevel, has_the_bits_of_one_rank) {
  const par::Comm self(MPI_COMM_SELF);
  const Mesh whole(self, 40, 6.371e6, 1);
  const double here = isostasy::sea_level_for_volume(mesh, surface(mesh, 3), 1.335e18, 0);
  const double there = isostasy::sea_level_for_volume(whole, surface(whole, 3), 1.335e18, 0);
  EXPECT_EQ(std::memcmp(&here, &there, sizeof here), 0);
  const double land_here = isostasy::sea_level_for_land(mesh, surface(mesh, 3), 0.29);
  const double land_there = isostasy::sea_level_for_land(whole, surface(whole, 3), 0.29);
  EXPECT_EQ(std::memcmp(&land_here, &land_there, sizeof land_here), 0);
}

TEST_F(SeaLevel, rises_with_water_and_lies_at_the_lowest_point_without_it) {
  const Array<double> z = surface(mesh, 1);
  double low = 1e9;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) low = std::min(low, z(c));
  EXPECT_EQ(isostasy::sea_level_for_volume(mesh, z, 0, 0), comm.min(low));
  double before = -1e9;
  for (double wanted = 1e16; wanted < 1e19; wanted *= 3) {
    const double level = isostasy::sea_level_for_volume(mesh, z, wanted, 0);
    EXPECT_GT(level, before);
    before = level;
  }
}

TEST_F(SeaLevel, for_a_share_of_land_leaves_that_share_dry_within_a_cell) {
  const Array<double> z = surface(mesh, 2);
  const double cell = 1.3 / static_cast<double>(mesh.global_count());
  for (const double wanted : {0.05, 0.29, 0.6, 0.95}) {
    const double found = land(z, isostasy::sea_level_for_land(mesh, z, wanted));
    EXPECT_GE(found, wanted - 1e-12);
    EXPECT_LT(found, wanted + cell);
    if (comm.is_root()) std::printf("sea level: land %.5f for %.2f\n", found, wanted);
  }
  EXPECT_EQ(land(z, isostasy::sea_level_for_land(mesh, z, 1)), 1);
  EXPECT_EQ(land(z, isostasy::sea_level_for_land(mesh, z, 0)), 0);
}

TEST_F(SeaLevel, pass_fills_the_basins_and_closes_its_book) {
  SeaLevelPass pass;
  State state(mesh, mesh, declared_fields({&pass}));
  Kokkos::deep_copy(state.real(fields::elevation_m), surface(mesh, 4));
  state.globals.water_volume_m3 = 1.335e18;
  pass.run(state, StepInfo{});
  state.ledger.close(comm);
  EXPECT_LE(state.ledger.last_step(Balance::sea).relative(), 1e-12);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const double h = state.read(fields::elevation_m)(c) - state.globals.sea_level_m;
    EXPECT_EQ(state.read(fields::height_above_sea_m)(c), h);
    EXPECT_EQ(state.read(fields::water_depth_m)(c), std::max(0.0, -h));
  }
}

TEST_F(SeaLevel, isostasy_pass_moves_the_surface_to_its_balance_in_one_step_and_opens_the_account) {
  const config::Tectonics parameters;
  IsostasyPass pass(parameters);
  State state(mesh, mesh, declared_fields({&pass}));
  const isostasy::HeightLaw law(parameters);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const double f = mesh.position()(c).z > 0 ? 1 : 0;
    state.real(fields::continental_fraction)(c) = f;
    state.real(fields::crust_thickness_m)(c) = f > 0 ? 40000 : 7000;
    state.real(fields::crust_age_yr)(c) = 80e6;
    state.real(fields::elevation_m)(c) = 100;
    state.real(fields::erosion_m)(c) = state.real(fields::deposition_m)(c) = 5;
  }
  StepInfo step;
  step.dt_yr = 2e6;
  pass.run(state, step);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const double f = mesh.position()(c).z > 0 ? 1 : 0;
    const double target = law.height_m({f > 0 ? 40000.0 : 7000.0, 0, f, 80e6});
    EXPECT_NEAR(100 + 2e6 * state.read(fields::uplift_rate_m_per_yr)(c), target, 1e-9);
    EXPECT_EQ(state.read(fields::erosion_m)(c), 0);
    EXPECT_EQ(state.read(fields::deposition_m)(c), 0);
  }
  isostasy::settle_elevation(state, parameters);
  pass.run(state, step);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) EXPECT_EQ(state.read(fields::uplift_rate_m_per_yr)(c), 0);
}

}  // namespace
}  // namespace craton
