// Rivers: every drop finds the sea over the lowest passes, and finds it the same way on any number of ranks.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <queue>

#include "surface/surface_world.hpp"

using namespace craton;
using test::Heights;
using test::SurfaceWorld;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double dot_with(Vec3 at, Vec3 place) {
  return dot(at, normalized(place));
}
/// A round hill or hollow: height at its middle, zero beyond `radius` (of the unit sphere).
double mound(Vec3 at, Vec3 place, double radius, double height) {
  const double d = std::acos(std::min(1.0, dot_with(at, place)));
  return d < radius ? height * (1 - d / radius) : 0;
}

struct Terrain {
  const char* name;
  Heights height;
  double sea_level_m = 0;
};

const std::vector<Terrain>& terrains() {
  static const std::vector<Terrain> list = {
      {"rough land with many pits", [](Vec3 at) { return test::rough(5, 2000)(at) + 200; }},
      {"a closed basin under sea level behind mountains",
       [](Vec3 at) {
         return at.z < 0.2 ? -3000.0 : 500 + 1000 * at.z + mound(at, {0, 0, 1}, 0.5, -1400);
       }},
      {"basins in basins",
       [](Vec3 at) {
         return (at.x < -0.3 ? -3000.0 : 2000.0 + 100 * at.x) + mound(at, {1, 0, 0}, 0.9, -1500) +
                mound(at, {1, 0.3, 0}, 0.25, -400) + mound(at, {1, -0.3, 0}, 0.25, -300) +
                mound(at, {1, 0, 0.4}, 0.2, 300);
       }},
      {"a plateau without any slope", [](Vec3 at) { return at.x > 0 ? 100.0 : -100.0; }},
      {"terraces with flat basins",
       [](Vec3 at) { return 300 * std::floor(test::rough(3, 5)(at) + 0.4) + (at.y < -0.7 ? -3000 : 0); }},
      {"islands of single cells in one ocean", [](Vec3 at) { return test::rough(8, 1500)(at) - 900; }},
      {"one lake in a world of land",
       [](Vec3 at) {
         return test::rough(4, 800)(at) + 3000 - mound(at, {0, 1, 0}, 0.2, 4500);
       }},
      {"a world without sea", test::rough(5, 2000), -1e5},
      {"a flat world without sea", [](Vec3) { return 7.0; }, -1e5},
      {"a world without land", [](Vec3) { return -3000.0; }},
  };
  return list;
}

void lay(SurfaceWorld& world, const Terrain& terrain) {
  world.state.globals.sea_level_m = terrain.sea_level_m;
  world.fill(fields::elevation_m, terrain.height);
  world.fill(fields::runoff_m_per_yr, [](Vec3 at) { return 0.3 + 0.2 * at.z; });
  world.fill(fields::uplift_rate_m_per_yr, [](Vec3 at) { return 1e-4 * (1 + at.y); });
  world.fill(fields::sediment_m, [](Vec3) { return 30.0; });
}

/// Surface of the water over the filled terrain: priority flood from the sea, or from the lowest cell of a world
/// without (Barnes, Lehman and Mulla 2014). For a mesh on one rank.
std::vector<double> flooded(const SurfaceWorld& world) {
  using Entry = std::pair<double, LocalId>;
  const auto z = world.state.read(fields::elevation_m);
  const LocalId cells = world.mesh.n_owned();
  std::vector<double> water(static_cast<std::size_t>(cells), infinite);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
  LocalId lowest = 0;
  const auto start = [&](LocalId c) {
    water[static_cast<std::size_t>(c)] = z(c);
    front.emplace(z(c), c);
  };
  for (LocalId c = 0; c < cells; ++c) {
    if (!world.is_land(c)) start(c);
    if (z(c) < z(lowest)) lowest = c;
  }
  if (front.empty()) start(lowest);
  while (!front.empty()) {
    const auto [level, c] = front.top();
    front.pop();
    for (int s = 0; s < world.mesh.neighbour_count()(c); ++s) {
      const LocalId n = world.mesh.neighbours()(c, s);
      double& w = water[static_cast<std::size_t>(n)];
      if (w != infinite) continue;
      w = std::max(level, z(n));
      front.emplace(w, n);
    }
  }
  return water;
}

/// Owned values of every field of one world are those of the other world, which holds all cells on each rank.
void expect_same_bits(const SurfaceWorld& shared, const SurfaceWorld& alone, const char* name) {
  std::int64_t different = 0;
  for (LocalId c = 0; c < shared.mesh.n_owned(); ++c) {
    const LocalId there = alone.mesh.local(shared.mesh.global(c));
    for (const FieldId id : shared.state.fields()) {
      const FieldInfo& info = field_info(id);
      if (info.is_integer) {
        const IntegerField key{id};
        different += shared.state.read(key)(c) != alone.state.read(key)(there);
      } else {
        const double a = shared.state.read(RealField{id})(c), b = alone.state.read(RealField{id})(there);
        different += std::memcmp(&a, &b, sizeof a) != 0;
      }
    }
  }
  EXPECT_EQ(shared.mesh.comm().sum(different), 0) << name;
}

class Routing : public ::testing::Test {
 protected:
  par::Comm all{MPI_COMM_WORLD}, self{MPI_COMM_SELF};
};

}  // namespace

// mission: R2
TEST_F(Routing, brings_every_drop_to_the_sea_out_of_every_depression) {
  for (const Terrain& t : terrains()) {
    SurfaceWorld world(all, 20, {}, test::gappy_cut);
    lay(world, t);
    world.run(1e5, 1);
    world.close_books();
    const double land = world.sum([&](LocalId c) { return world.is_land(c) ? world.mesh.area_m2()(c) : 0.0; });
    const double sea = world.sum([&](LocalId c) { return world.is_land(c) ? 0.0 : world.mesh.area_m2()(c); });
    const double sinks =
        world.sum([&](LocalId c) { return world.is_land(c) && world.receiver(c) == no_cell ? 1.0 : 0.0; });
    EXPECT_EQ(sinks, sea > 0 ? 0 : 1) << t.name;
    // The areas that leave the land add up to the land.
    const auto drained = world.state.read(fields::drainage_area_m2);
    const double left = world.sum([&](LocalId c) {
      if (!world.is_land(c)) return drained(c) - world.mesh.area_m2()(c);
      return world.receiver(c) == no_cell ? drained(c) : 0.0;
    });
    EXPECT_NEAR(left, land, 1e-13 * (land + sea)) << t.name;
    const double runoff = world.booked(Balance::water, "runoff");
    EXPECT_NEAR(world.booked(Balance::water, sea > 0 ? "to_sea" : "to_sinks"), -runoff, 1e-13 * runoff) << t.name;
    EXPECT_EQ(world.booked(Balance::water, sea > 0 ? "to_sinks" : "to_sea"), 0) << t.name;
    EXPECT_LE(world.state.ledger.last_step(Balance::water).relative(), 1e-13) << t.name;
  }
}

// mission: R2
TEST_F(Routing, leaves_each_basin_over_its_lowest_pass_and_goes_uphill_only_under_water) {
  for (const Terrain& t : terrains()) {
    SurfaceWorld world(self, 20, {});
    lay(world, t);
    world.run(1e5, 1);
    const auto z = world.state.read(fields::elevation_m);
    const std::vector<double> water = flooded(world);
    std::int64_t wrong = 0, uphill_on_dry_land = 0;
    for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
      double highest = z(c);
      LocalId steps = 0;
      for (LocalId r = world.receiver(c); r != no_cell && steps <= world.mesh.n_owned();
           r = world.receiver(r), ++steps) {
        highest = std::max(highest, z(r));
      }
      ASSERT_LE(steps, world.mesh.n_owned()) << t.name << ": a circle";
      wrong += highest != water[static_cast<std::size_t>(c)];
      const LocalId r = world.receiver(c);
      uphill_on_dry_land += r != no_cell && z(r) > z(c) && !(water[static_cast<std::size_t>(c)] > z(c));
    }
    EXPECT_EQ(wrong, 0) << t.name;
    EXPECT_EQ(uphill_on_dry_land, 0) << t.name;
  }
}

TEST_F(Routing, follows_the_steepest_descent_where_there_is_one) {
  SurfaceWorld world(self, 20, {});
  lay(world, terrains()[0]);
  world.run(1e5, 1);
  const auto z = world.state.read(fields::elevation_m);
  const std::vector<double> water = flooded(world);
  std::int64_t steepest = 0, others = 0, under_water = 0;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    if (!world.is_land(c)) continue;
    double best = 0, taken = 0;
    for (int s = 0; s < world.mesh.neighbour_count()(c); ++s) {
      const LocalId n = world.mesh.neighbours()(c, s);
      const double slope = (z(c) - std::max(z(n), 0.0)) / static_cast<double>(world.mesh.distance_m()(c, s));
      best = std::max(best, slope);
      if (n == world.receiver(c)) taken = slope;
    }
    (taken >= best * (1 - 1e-15) ? steepest : others) += 1;
    under_water += water[static_cast<std::size_t>(c)] > z(c);
  }
  // Only the paths from pits to their passes are turned; each of their cells lies under water or just before the pass.
  EXPECT_GT(steepest, 1000);
  EXPECT_LT(others, under_water);
}

// mission: R2
TEST_F(Routing, and_all_that_follows_it_have_the_bits_of_one_rank) {
  for (const Terrain& t : terrains()) {
    const bool is_first = &t == &terrains().front();
    SurfaceWorld alone(self, 20, {}), shared(all, 20, {}), gappy(all, 20, {}, test::gappy_cut);
    for (SurfaceWorld* world : {&alone, &shared, &gappy}) {
      lay(*world, t);
      for (int k = 0; k < (is_first ? 10 : 2); ++k) world->run(2e5);
    }
    expect_same_bits(shared, alone, t.name);
    expect_same_bits(gappy, alone, t.name);
  }
}

TEST_F(Routing, of_a_world_without_land_changes_nothing) {
  SurfaceWorld world(all, 12, {});
  lay(world, terrains().back());
  world.fill(fields::uplift_rate_m_per_yr, [](Vec3) { return 0.0; });
  world.run(1e5);
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) EXPECT_EQ(world.state.read(fields::elevation_m)(c), -3000.0);
}
