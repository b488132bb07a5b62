// Guarantees of a new world, on any number of ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "new_world.hpp"
#include "physics/isostasy/heights.hpp"
#include "state/monitor.hpp"
#include "state/state_hash.hpp"

namespace craton {
namespace {

using test::NewWorld;
using test::with_seed;

constexpr std::array<const char*, 4> kinds = {"plates", "voronoi", "flat", "noise"};

config::Parameters of_kind(const char* kind, std::uint64_t seed = 5) {
  config::Parameters p = with_seed(seed);
  p.initial.kind = kind;
  return p;
}

// mission: G20
TEST(NewWorld, has_the_hash_of_one_rank_and_passes_the_guards) {
  for (const char* kind : kinds) {
    NewWorld some(MPI_COMM_WORLD, 24, of_kind(kind)), one(MPI_COMM_SELF, 24, of_kind(kind));
    EXPECT_EQ(to_hex(state_hash(some.state).whole), to_hex(state_hash(one.state).whole)) << kind;
    EXPECT_NO_THROW(check_all(some.state, "the test")) << kind;
  }
}

TEST(NewWorld, of_another_seed_is_another_world) {
  NewWorld a(MPI_COMM_WORLD, 16, with_seed(1)), b(MPI_COMM_WORLD, 16, with_seed(2)),
      again(MPI_COMM_WORLD, 16, with_seed(1));
  EXPECT_NE(state_hash(a.state).whole, state_hash(b.state).whole);
  EXPECT_EQ(state_hash(a.state).whole, state_hash(again.state).whole);
  EXPECT_GT(a.area_fraction([&](LocalId c) {
    return (a.state.read(fields::continental_fraction)(c) >= 0.5) !=
           (b.state.read(fields::continental_fraction)(c) >= 0.5);
  }),
            0.2);
}

TEST(NewWorld, has_the_same_continents_ages_and_motions_at_any_frequency) {
  NewWorld coarse(MPI_COMM_WORLD, 16, with_seed(3)), fine(MPI_COMM_WORLD, 64, with_seed(3));
  for (std::size_t k = 0; k < coarse.state.crust.plates.size(); ++k) {
    EXPECT_EQ(coarse.state.crust.plates[k].euler_rad_per_yr, fine.state.crust.plates[k].euler_rad_per_yr);
  }
  // Each coarse centre is a fine centre: compare where both are on this rank, and count what was compared.
  NewWorld whole(MPI_COMM_SELF, 16, with_seed(3));
  std::int64_t compared = 0, other_crust = 0, other_plate = 0;
  for (LocalId c = 0; c < fine.mesh.n_owned(); ++c) {
    const Vec3 p = fine.mesh.position()(c);
    const LocalId at = whole.mesh.local(whole.mesh.grid().locate(p));
    if (norm(whole.mesh.position()(at) - p) > 1e-9) continue;
    ++compared;
    const auto differs = [&](RealField field, double scale) {
      return std::abs(fine.state.read(field)(c) - whole.state.read(field)(at)) > 1e-6 * scale;
    };
    other_crust += differs(fields::continental_fraction, 1) || differs(fields::crust_thickness_m, 1e4) ||
                   differs(fields::elevation_m, 1e3);
    other_plate += fine.state.read(fields::plate)(c) != whole.state.read(fields::plate)(at);
  }
  compared = fine.comm().sum(compared);
  other_crust = fine.comm().sum(other_crust);
  other_plate = fine.comm().sum(other_plate);
  if (fine.comm().is_root()) {
    std::printf("new world: %lld common places of n = 16 and 64: crust differs at %lld, plate at %lld\n",
                static_cast<long long>(compared), static_cast<long long>(other_crust),
                static_cast<long long>(other_plate));
  }
  EXPECT_GE(compared, 10 * 16 * 16);
  EXPECT_EQ(other_crust, 0);
  EXPECT_LE(other_plate, compared / 100) << "only single cells that joined a neighbour";
}

TEST(NewWorld, shares_of_land_and_of_continent_are_those_asked_for_at_any_frequency) {
  for (const std::int64_t frequency : {24, 48}) {
    for (const double land : {0.29, 0.1}) {
      config::Parameters p = with_seed(7);
      p.initial.land_fraction = land;
      NewWorld world(MPI_COMM_WORLD, frequency, p);
      const double level = world.state.globals.sea_level_m;
      const double dry =
          world.area_fraction([&](LocalId c) { return world.state.read(fields::elevation_m)(c) >= level; });
      const double crust =
          world.area_fraction([&](LocalId c) { return world.state.read(fields::continental_fraction)(c) >= 0.5; });
      EXPECT_NEAR(dry, land, 1e-3);
      EXPECT_NEAR(crust, p.initial.continental_fraction, 0.01);
      if (world.comm().is_root()) {
        std::printf("new world: n = %lld, land %.4f for %.2f, continental crust %.4f for %.2f, sea level %.0f m\n",
                    static_cast<long long>(frequency), dry, land, crust, p.initial.continental_fraction, level);
      }
    }
  }
}

TEST(NewWorld, has_the_plates_asked_for_without_a_cell_alone) {
  for (const char* kind : {"plates", "voronoi"}) {
    for (const int count : {2, 14, 40}) {
      config::Parameters p = of_kind(kind, 11);
      p.initial.plate_count = count;
      NewWorld world(MPI_COMM_WORLD, 32, p);
      const auto plate = world.state.read(fields::plate);
      world.state.refresh(fields::plate);
      std::vector<std::int64_t> cells(static_cast<std::size_t>(count));
      std::int64_t alone = 0;
      for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
        ASSERT_GE(plate(c), 0);
        ASSERT_LT(plate(c), count);
        ++cells[static_cast<std::size_t>(plate(c))];
        bool has_company = false;
        for (int s = 0; s < world.mesh.neighbour_count()(c); ++s) {
          has_company = has_company || plate(world.mesh.neighbours()(c, s)) == plate(c);
        }
        alone += !has_company;
      }
      world.comm().sum(std::span<std::int64_t>(cells));
      EXPECT_EQ(world.comm().sum(alone), 0) << kind << " " << count;
      for (std::size_t k = 0; k < cells.size(); ++k) EXPECT_GT(cells[k], 0) << kind << " " << count << " plate " << k;
      EXPECT_EQ(world.state.crust.plates.size(), static_cast<std::size_t>(count));
    }
  }
}

TEST(NewWorld, has_one_parcel_at_the_centre_of_each_cell_that_carries_what_the_cell_shows) {
  NewWorld world(MPI_COMM_WORLD, 24, with_seed(5));
  const State& s = world.state;
  ASSERT_EQ(s.crust.parcels.size(), static_cast<std::size_t>(world.mesh.n_owned()));
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    const Parcel& p = s.crust.parcels[static_cast<std::size_t>(c)];
    EXPECT_EQ(p.cell, raw(world.mesh.global(c)));
    EXPECT_EQ(p.id, p.cell);
    EXPECT_EQ(p.area_m2, world.mesh.area_m2()(c));
    EXPECT_EQ(p.frame_position, world.mesh.position()(c));
    EXPECT_EQ(p.thickness_m, s.read(fields::crust_thickness_m)(c));
    EXPECT_EQ(p.sediment_m, s.read(fields::sediment_m)(c));
    EXPECT_EQ(p.elevation_m, s.read(fields::elevation_m)(c));
    EXPECT_EQ(p.plate, s.read(fields::plate)(c));
    EXPECT_EQ(p.birth_yr, -s.read(fields::crust_age_yr)(c));
  }
}

TEST(NewWorld, surface_is_in_isostatic_balance_and_the_sea_holds_its_water) {
  config::Parameters p = with_seed(5);
  p.initial.water = "volume";
  NewWorld world(MPI_COMM_WORLD, 24, p);
  const isostasy::HeightLaw law(p.tectonics);
  ExactSum water;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    const isostasy::Column column{
        world.state.read(fields::crust_thickness_m)(c), world.state.read(fields::sediment_m)(c),
        world.state.read(fields::continental_fraction)(c), world.state.read(fields::crust_age_yr)(c)};
    const double z = world.state.read(fields::elevation_m)(c);
    EXPECT_EQ(z, law.height_m(column));
    water += world.mesh.area_m2()(c) * std::max(0.0, world.state.globals.sea_level_m - z);
  }
  EXPECT_NEAR(world.comm().sum(water) / p.initial.water_volume_m3, 1, 1e-12);
}

TEST(NewWorld, plates_have_the_speed_asked_for_and_no_net_rotation) {
  const config::Parameters p = with_seed(9);
  NewWorld world(MPI_COMM_WORLD, 48, p);
  ExactSum x, y, z, square, area;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    const Vec3 r = world.mesh.position()(c);
    const auto k = static_cast<std::size_t>(world.state.read(fields::plate)(c));
    const Vec3 v = p.planet.radius_m * cross(world.state.crust.plates[k].euler_rad_per_yr, r);
    const Vec3 turn = cross(r, v);
    const double a = world.mesh.area_m2()(c);
    x += a * turn.x;
    y += a * turn.y;
    z += a * turn.z;
    square += a * dot(v, v);
    area += a;
    EXPECT_NEAR(std::hypot(world.state.read(fields::plate_velocity_east_m_per_yr)(c),
                           world.state.read(fields::plate_velocity_north_m_per_yr)(c)),
                norm(v), 1e-12);
  }
  const double whole = world.comm().sum(area);
  const double net = 1.5 / whole * norm({world.comm().sum(x), world.comm().sum(y), world.comm().sum(z)});
  const double rms = std::sqrt(world.comm().sum(square) / whole);
  if (world.comm().is_root()) std::printf("new world: rms speed %.4f m/yr, net rotation %.5f m/yr\n", rms, net);
  EXPECT_NEAR(rms, p.initial.plate_speed_m_per_yr, 0.01 * rms);
  EXPECT_LT(net, 0.01 * rms);
}

TEST(NewWorld, ocean_floor_ages_away_from_its_ridges) {
  const config::Parameters p = with_seed(5);
  NewWorld world(MPI_COMM_WORLD, 48, p);
  ExactSum age, area;
  double oldest = 0, youngest = 1e12;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    if (world.state.read(fields::continental_fraction)(c) >= 0.5) continue;
    const double t = world.state.read(fields::crust_age_yr)(c);
    age += world.mesh.area_m2()(c) * t;
    area += world.mesh.area_m2()(c);
    oldest = std::max(oldest, t);
    youngest = std::min(youngest, t);
  }
  const double mean = world.comm().sum(age) / world.comm().sum(area);
  oldest = world.comm().max(oldest);
  youngest = world.comm().min(youngest);
  if (world.comm().is_root()) {
    std::printf("new world: ocean floor %.1f to %.1f, mean %.1f Myr\n", 1e-6 * youngest, 1e-6 * oldest, 1e-6 * mean);
  }
  EXPECT_LT(youngest, 3e6);
  EXPECT_LE(oldest, p.initial.ocean_age_limit_yr);
  EXPECT_GT(mean, 30e6);
  EXPECT_LT(mean, 110e6);
}

TEST(NewWorld, flat_and_noise_worlds_have_the_relief_asked_for) {
  config::Parameters p = of_kind("flat");
  p.initial.relief_height_m = 750;
  NewWorld flat(MPI_COMM_WORLD, 16, p);
  for (LocalId c = 0; c < flat.mesh.n_owned(); ++c) EXPECT_NEAR(flat.state.read(fields::elevation_m)(c), 750, 1e-6);
  p.initial.kind = "noise";
  p.initial.relief_amplitude_m = 300;
  NewWorld hills(MPI_COMM_WORLD, 32, p);
  ExactSum sum, square, area;
  for (LocalId c = 0; c < hills.mesh.n_owned(); ++c) {
    const double a = hills.mesh.area_m2()(c), d = hills.state.read(fields::elevation_m)(c) - 750;
    sum += a * d;
    square += a * d * d;
    area += a;
  }
  const double whole = hills.comm().sum(area), mean = hills.comm().sum(sum) / whole;
  const double deviation = std::sqrt(hills.comm().sum(square) / whole - mean * mean);
  EXPECT_NEAR(mean, 0, 60);
  EXPECT_NEAR(deviation, 300, 60);
}

}  // namespace
}  // namespace craton
