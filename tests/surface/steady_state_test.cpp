// The landscape in which incision keeps up with uplift.
#include <gtest/gtest.h>

#include <cstdio>

#include "surface/surface_world.hpp"

using namespace craton;
using test::SurfaceWorld;

namespace {

constexpr double uplift_m_per_yr = 1e-4;

config::Surface law_of(double n) {
  config::Surface p;
  p.slope_exponent = n;
  p.erosion_by = "area";
  p.deposition_factor = 0;
  // A slope of 1e-3 where 1e12 m2 drain.
  p.erodibility = uplift_m_per_yr / (std::pow(1e12, p.concavity * n) * std::pow(1e-3, n));
  return p;
}

bool is_continent(Vec3 at) {
  return at.x > -0.2 || at.z > 0.8;
}

/// A continent that rises from just above the sea until its heights change no more.
void settle(SurfaceWorld& world) {
  const auto z = world.state.real(fields::elevation_m);
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
    const auto id = static_cast<std::uint64_t>(raw(world.mesh.global(c)));
    z(c) = is_continent(world.mesh.position()(c)) ? 1 + uniform01(random_bits(1, RandomStream::test, 0, id)) : -1000.0;
  }
  world.state.mark_written(fields::elevation_m);
  world.fill(fields::uplift_rate_m_per_yr, [](Vec3 at) { return is_continent(at) ? uplift_m_per_yr : 0.0; });
  for (int k = 0; k < 210; ++k) {
    world.fill(fields::erosion_m, [](Vec3) { return 0.0; });
    world.fill(fields::deposition_m, [](Vec3) { return 0.0; });
    // Divides wander for ever by a cell here and there: the network is kept while the heights settle.
    if (k < 60) world.run_pass(0, 4e6);
    world.run_pass(1, 4e6);
  }
  world.state.refresh(fields::elevation_m);
}

}  // namespace

// mission: U6
TEST(SteadyState, has_the_slopes_of_the_stream_power_law) {
  for (const double n : {0.7, 1.0, 1.5, 2.0}) {
    const config::Surface p = law_of(n);
    SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 20, p);
    settle(world);
    const auto z = world.state.read(fields::elevation_m), area = world.state.read(fields::drainage_area_m2);
    double worst = 0;
    std::int64_t cells = 0;
    for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
      const LocalId receiver = world.receiver(c);
      if (receiver == no_cell) continue;
      const double distance = world.mesh.distance_m()(c, world.state.read(fields::receiver_slot)(c));
      const double slope = (z(c) - std::max(z(receiver), world.state.globals.sea_level_m)) / distance;
      const double law = std::pow(uplift_m_per_yr / p.erodibility, 1 / n) * std::pow(area(c), -p.concavity);
      worst = std::max(worst, std::abs(slope / law - 1));
      ++cells;
    }
    worst = world.mesh.comm().max(worst);
    cells = world.mesh.comm().sum(cells);
    if (world.mesh.comm().is_root()) {
      std::printf("steady state n=%.1f: largest relative error %.1e in %lld cells\n", n, worst,
                  static_cast<long long>(cells));
    }
    EXPECT_GT(cells, 2000);
    EXPECT_LE(worst, 1e-6) << "n = " << n;
  }
}
