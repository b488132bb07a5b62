// Sediment is booked to the last grain, settles under water, and creep follows the exact solution.
#include <gtest/gtest.h>

#include <cstdio>

#include "surface/surface_world.hpp"

using namespace craton;
using test::SurfaceWorld;

namespace {

double volume_of(const Array<double>& load, const SurfaceWorld& world) {
  return world.sum([&](LocalId c) { return load(c); });
}

}  // namespace

// mission: G6
TEST(Sediment, is_conserved_from_the_mountains_to_the_sea) {
  struct Case {
    const char* name;
    double offset_m, sea_level_m, creep;
  };
  for (const Case& a : {Case{"half land", 0, 0, 0.1}, Case{"strong creep", 0, 0, 1e5}, Case{"little sea", 2500, 0, 0.1},
                        Case{"no sea", 0, -1e5, 0.1}, Case{"an island", -2000, 0, 0.1}}) {
    config::Surface p;
    p.creep_m2_per_yr = p.marine_creep_m2_per_yr = a.creep;
    SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 20, p);
    world.state.globals.sea_level_m = a.sea_level_m;
    const auto height = [&](Vec3 at) { return test::rough(9, 3000)(at) + a.offset_m; };
    world.fill(fields::elevation_m, height);
    world.fill(fields::runoff_m_per_yr, [](Vec3) { return 0.5; });
    world.fill(fields::sediment_m, [](Vec3) { return 10.0; });
    for (int k = 0; k < 5; ++k) {
      world.run(2e5);
      world.close_books();
    }
    EXPECT_LE(world.state.ledger.worst_step(Balance::sediment), 1e-13) << a.name;
    const double eroded = world.volume(fields::erosion_m), laid = world.volume(fields::deposition_m);
    EXPECT_GT(eroded, 0) << a.name;
    EXPECT_NEAR(laid / eroded, 1, 1e-12) << a.name;
    if (world.mesh.comm().is_root()) {
      std::printf("sediment, %s: laid down / eroded - 1 = %.1e, worst residual of a step %.1e\n", a.name,
                  laid / eroded - 1, world.state.ledger.worst_step(Balance::sediment));
    }
    // Heights changed by just that.
    const auto erosion = world.state.read(fields::erosion_m), deposition = world.state.read(fields::deposition_m);
    const auto z = world.state.read(fields::elevation_m);
    double worst_m = 0;
    for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
      worst_m = std::max(worst_m, std::abs(z(c) - height(world.mesh.position()(c)) - deposition(c) + erosion(c)));
    }
    EXPECT_LE(world.mesh.comm().max(worst_m), 1e-8) << a.name;
  }
}

TEST(Sediment, does_not_fill_the_sea_above_its_surface) {
  struct Case {
    const char* name;
    double offset_m, dt_yr;
  };
  for (const Case& a : {Case{"wide sea", -1500, 2e6}, Case{"narrow sea", 300, 1e5}}) {
    config::Surface p;
    p.wave_base_m = 20;
    SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 20, p);
    world.fill(fields::elevation_m, [&](Vec3 at) { return test::rough(9, 3000)(at) + a.offset_m; });
    world.fill(fields::runoff_m_per_yr, [](Vec3) { return 0.5; });
    const auto z = world.state.read(fields::elevation_m);
    double highest = -1e9, most = 0;
    std::vector<char> is_sea(static_cast<std::size_t>(world.mesh.n_owned()));
    for (int k = 0; k < 10; ++k) {
      for (LocalId c = 0; c < world.mesh.n_owned(); ++c) is_sea[static_cast<std::size_t>(c)] = z(c) < 0;
      world.run(a.dt_yr);
      for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
        if (!is_sea[static_cast<std::size_t>(c)]) continue;
        highest = std::max(highest, z(c));
        most = std::max(most, world.state.read(fields::deposition_m)(c));
      }
    }
    highest = world.mesh.comm().max(highest);
    most = world.mesh.comm().max(most);
    if (world.mesh.comm().is_root()) {
      std::printf("sea floor, %s: up to %.1f m of deposits, top at %.2f m\n", a.name, most, highest);
    }
    EXPECT_LE(highest, 1e-9) << a.name;
    EXPECT_GT(most, 100) << a.name;
  }
}

TEST(Sediment, that_no_sea_can_hold_spreads_and_does_not_pile_up) {
  config::Surface p;
  p.erodibility *= 100;
  p.deposition_factor = 0;
  for (const double sea_level_m : {-2500.0, -1e5}) {  // ponds, and no sea at all
    SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 16, p);
    world.state.globals.sea_level_m = sea_level_m;
    world.fill(fields::elevation_m, test::rough(9, 3000));
    world.fill(fields::runoff_m_per_yr, [](Vec3) { return 0.5; });
    const auto z = world.state.read(fields::elevation_m);
    const auto top = [&] {
      double found = -1e9;
      for (LocalId c = 0; c < world.mesh.n_owned(); ++c) found = std::max(found, z(c));
      return world.mesh.comm().max(found);
    };
    const double before = top();
    for (int k = 0; k < 10; ++k) {
      world.run(2e5);
      world.close_books();
    }
    EXPECT_LE(top(), before);
    EXPECT_LE(world.state.ledger.worst_step(Balance::sediment), 1e-13);
    EXPECT_LT(world.booked(Balance::sediment, "far_deposits"), 0);
  }
}

TEST(Marine, load_of_a_river_builds_a_shelf_with_a_slope_before_it) {
  const config::Surface p;
  SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 32, p);
  const Vec3 mouth{1, 0, 0};
  world.fill(fields::elevation_m, [](Vec3) { return -600.0; });
  world.run(1.0, 1);
  surface::FlowNetwork network(world.mesh);
  Kokkos::deep_copy(network.slots(), surface::base_level);
  surface::MarineCascade cascade(world.mesh);
  const auto z = world.state.real(fields::elevation_m), laid_m = world.state.real(fields::deposition_m);
  const auto size = static_cast<std::size_t>(world.mesh.n_all());
  const Array<double> load("test::load", size);
  std::vector<LocalId> mouths;
  double nearest = 2;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c)
    nearest = std::min(nearest, norm(world.mesh.position()(c) - mouth));
  nearest = world.mesh.comm().min(nearest);
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    if (norm(world.mesh.position()(c) - mouth) == nearest) mouths.push_back(c);
  }
  const surface::MarineRules rules{0, p.wave_base_m, 0.001, 10000};
  double brought = 0, laid = 0;
  for (int k = 0; k < 40; ++k) {
    for (const LocalId c : mouths) load(c) = 5e13;
    brought += volume_of(load, world);
    laid += world.mesh.comm().sum(cascade.settle(network, z, laid_m, load, rules));
  }
  EXPECT_NEAR(laid, brought, 1e-12 * brought);
  EXPECT_NEAR(world.volume(fields::deposition_m), brought, 1e-12 * brought);
  EXPECT_EQ(volume_of(load, world), 0);
  world.mesh.refresh_halo(z);
  std::int64_t shelf = 0, delta = 0;
  double highest = -1e9;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    EXPECT_LE(z(c), -p.wave_base_m + 1e-9);
    shelf += z(c) > -p.wave_base_m - 0.1;
    highest = std::max(highest, z(c));
    delta += laid_m(c) > 0;
    for (int s = 0; s < world.mesh.neighbour_count()(c); ++s) {
      const double rise = z(c) - z(world.mesh.neighbours()(c, s));
      EXPECT_LE(rise, rules.slope * static_cast<double>(world.mesh.distance_m()(c, s)) + 1e-9);
    }
  }
  shelf = world.mesh.comm().sum(shelf);
  delta = world.mesh.comm().sum(delta);
  highest = world.mesh.comm().max(highest);
  if (world.mesh.comm().is_root()) {
    std::printf("delta of %lld cells, %lld of them shelf, top at %.4f m\n", static_cast<long long>(delta),
                static_cast<long long>(shelf), highest);
  }
  EXPECT_GE(shelf, 7);
  EXPECT_GT(delta, shelf);
}

// mission: G23
TEST(Creep, decays_a_spherical_harmonic_at_the_exact_rate) {
  double error[2];
  int index = 0;
  for (const std::int64_t frequency : {16, 32}) {
    config::Surface p;
    p.creep_m2_per_yr = 1e6;
    SurfaceWorld world(par::Comm(MPI_COMM_WORLD), frequency, p);
    world.state.globals.sea_level_m = -1e5;
    const auto harmonic = [](Vec3 at) { return 500 * (3 * at.z * at.z - 1); };  // degree 2
    world.fill(fields::elevation_m, harmonic);
    const double radius = world.mesh.radius_m(), time_yr = 2e6;
    world.run(1.0, 1);
    for (int k = 0; k < 4; ++k) world.run_pass(2, time_yr / 4);
    const auto z = world.state.read(fields::elevation_m);
    const auto mean_with_harmonic = [&](const auto& value) {
      return world.sum(
          [&](LocalId c) { return value(c) * harmonic(world.mesh.position()(c)) * world.mesh.area_m2()(c); });
    };
    const double left = mean_with_harmonic([&](LocalId c) { return z(c); }) /
                        mean_with_harmonic([&](LocalId c) { return harmonic(world.mesh.position()(c)); });
    const double exact = std::exp(-6 * p.creep_m2_per_yr * time_yr / (radius * radius));
    error[index++] = std::abs(std::log(left) / std::log(exact) - 1);
  }
  if (par::Comm(MPI_COMM_WORLD).is_root()) std::printf("decay rate off by %.2e, %.2e\n", error[0], error[1]);
  EXPECT_LT(error[1], 5e-3);
  EXPECT_LT(error[1], 0.4 * error[0]);
}

TEST(Creep, over_the_coast_brings_to_the_sea_what_the_land_loses) {
  config::Surface p;
  p.creep_m2_per_yr = 1e5;
  p.marine_creep_m2_per_yr = 0;
  SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 16, p);
  world.fill(fields::elevation_m, [](Vec3 at) { return at.z > 0.3 ? 800.0 : -2000.0; });
  world.run(1e5, 1);
  world.run_pass(2, 1e5);
  const double lost = world.volume(fields::erosion_m) - world.volume(fields::deposition_m);
  world.run_pass(3, 1e5);
  world.close_books();
  EXPECT_GT(lost, 0);
  EXPECT_NEAR(world.booked(Balance::sediment, "creep"), lost, 1e-12 * lost);
  EXPECT_NEAR(world.booked(Balance::sediment, "sea_deposits") + world.booked(Balance::sediment, "far_deposits"), -lost,
              1e-12 * lost);
}
