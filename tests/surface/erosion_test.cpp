// What erosion must never do, over many steps.
#include <gtest/gtest.h>

#include <cstdio>

#include "surface/surface_world.hpp"

using namespace craton;
using test::SurfaceWorld;

namespace {

double land_fraction(const SurfaceWorld& world) {
  const double land = world.sum([&](LocalId c) { return world.is_land(c) ? world.mesh.area_m2()(c) : 0.0; });
  return land / world.sum([&](LocalId c) { return world.mesh.area_m2()(c); });
}

}  // namespace

// mission: R6
TEST(Erosion, of_a_thousand_steps_digs_no_hole_and_drowns_no_land) {
  config::Surface p;
  p.creep_m2_per_yr = 0;
  SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 12, p);
  world.fill(fields::elevation_m, [](Vec3 at) { return test::rough(5, 2500)(at) - 500; });
  world.fill(fields::runoff_m_per_yr, [](Vec3) { return 0.5; });
  const double land_before = land_fraction(world);
  const auto z = world.state.read(fields::elevation_m), erosion = world.state.read(fields::erosion_m);
  std::int64_t cut_under_base = 0, low_at_first = -1, low = 0;
  std::vector<double> before(static_cast<std::size_t>(world.mesh.n_owned()));
  for (int step = 0; step < 1000; ++step) {
    for (std::size_t c = 0; c < before.size(); ++c) before[c] = erosion(c);
    world.run(2e5, 2);
    world.state.refresh(fields::elevation_m);
    low = 0;
    for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
      const LocalId receiver = world.receiver(c);
      if (receiver == no_cell || z(c) >= std::max(z(receiver), 0.0)) continue;
      ++low;
      cut_under_base += erosion(c) > before[static_cast<std::size_t>(c)];
    }
    low = world.mesh.comm().sum(low);
    if (low_at_first < 0) low_at_first = low;
    world.run_pass(2, 2e5);
    world.run_pass(3, 2e5);
  }
  const double land_after = land_fraction(world);
  if (world.mesh.comm().is_root()) {
    std::printf("1000 steps: land %.4f to %.4f, cells under their receiver %lld to %lld\n", land_before, land_after,
                static_cast<long long>(low_at_first), static_cast<long long>(low));
  }
  EXPECT_EQ(world.mesh.comm().sum(cut_under_base), 0);
  EXPECT_LE(low, low_at_first);
  EXPECT_GE(land_after, land_before - 1e-12);
  EXPECT_LE(land_after, land_before + 0.1);
}

TEST(Erosion, by_discharge_equals_erosion_by_area_at_the_reference_runoff) {
  config::Surface by_area, by_discharge;
  by_area.erosion_by = "area";
  by_discharge.erosion_by = "discharge";
  const par::Comm comm(MPI_COMM_WORLD);
  SurfaceWorld a(comm, 16, by_area), b(comm, 16, by_discharge), dry(comm, 16, by_discharge);
  for (SurfaceWorld* world : {&a, &b, &dry}) {
    world->fill(fields::elevation_m, test::rough(2, 3000));
    const double runoff = world == &dry ? 0 : by_discharge.reference_runoff_m_per_yr;
    world->fill(fields::runoff_m_per_yr, [=](Vec3) { return runoff; });
    for (int k = 0; k < 3; ++k) world->run(1e5, 2);
  }
  for (LocalId c = 0; c < a.mesh.n_owned(); ++c) {
    EXPECT_NEAR(a.state.read(fields::elevation_m)(c), b.state.read(fields::elevation_m)(c), 1e-9);
    EXPECT_EQ(dry.state.read(fields::erosion_m)(c), 0);
  }
  EXPECT_GT(a.volume(fields::erosion_m), 0);
}

TEST(Erosion, is_faster_where_sediment_covers_the_rock) {
  const par::Comm comm(MPI_COMM_WORLD);
  SurfaceWorld bare(comm, 16, {}), covered(comm, 16, {});
  for (SurfaceWorld* world : {&bare, &covered}) {
    world->fill(fields::elevation_m, test::rough(2, 3000));
    world->fill(fields::runoff_m_per_yr, [](Vec3) { return 0.3; });
    const double cover = world == &covered ? 1e4 : 0;
    world->fill(fields::sediment_m, [=](Vec3) { return cover; });
    world->run(1e4, 2);
  }
  const double ratio = covered.volume(fields::erosion_m) / bare.volume(fields::erosion_m);
  EXPECT_GT(ratio, 1.5);  // of the factor 2, less what saturates
  EXPECT_LE(ratio, 2);
}
