// The landscape in which incision keeps up with uplift.
#include <gtest/gtest.h>

#include <cstdio>

#include "core/hash.hpp"
#include "surface/surface_world.hpp"

using namespace craton;
using test::SurfaceWorld;

// mission: U6
TEST(SteadyState, has_the_slopes_of_the_stream_power_law) {
  constexpr double uplift = 1e-4, area_scale = 1e12, slope_scale = 1e-3;
  for (const double n : {0.7, 1.0, 1.5, 2.0}) {
    config::Surface p;
    p.slope_exponent = n;
    p.erosion_by = "area";
    p.deposition_factor = 0;
    const double m = p.concavity * n;
    p.erodibility = uplift / (std::pow(area_scale, m) * std::pow(slope_scale, n));
    SurfaceWorld world(par::Comm(MPI_COMM_WORLD), 20, p);
    const auto is_land = [](Vec3 at) { return at.x > -0.2 || at.z > 0.8; };
    const auto z = world.state.real(fields::elevation_m);
    for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
      const auto id = static_cast<std::uint64_t>(raw(world.mesh.global(c)));
      z(c) = is_land(world.mesh.position()(c)) ? 1 + uniform01(random_bits(1, RandomStream::test, 0, id)) : -1000.0;
    }
    world.fill(fields::uplift_rate_m_per_yr, [&](Vec3 at) { return is_land(at) ? uplift : 0.0; });
    for (const double dt_yr : {4e6, 1e6, 2e5}) {
      for (int k = 0; k < 300; ++k) {
        world.fill(fields::erosion_m, [](Vec3) { return 0.0; });
        world.run(dt_yr, 2);
      }
    }
    world.run(1.0, 1);  // receivers and areas of the final surface
    const auto area = world.state.read(fields::drainage_area_m2);
    const auto slot = world.state.read(fields::receiver_slot);
    world.state.refresh(fields::elevation_m);
    double worst = 0;
    std::int64_t cells = 0;
    for (LocalId c = 0; c < world.mesh.n_owned(); ++c) {
      if (slot(c) < 0) continue;
      const LocalId receiver = world.mesh.neighbours()(c, slot(c));
      const double base = std::max(z(receiver), 0.0);
      const double slope = (z(c) - base) / static_cast<double>(world.mesh.distance_m()(c, slot(c)));
      const double law = std::pow(uplift / p.erodibility, 1 / n) * std::pow(area(c), -m / n);
      worst = std::max(worst, std::abs(slope / law - 1));
      ++cells;
    }
    worst = world.mesh.comm().max(worst);
    cells = world.mesh.comm().sum(cells);
    if (world.mesh.comm().is_root()) {
      std::printf("steady state, n = %.1f: slopes off by at most %.1e in %lld cells\n", n, worst,
                  static_cast<long long>(cells));
    }
    EXPECT_GT(cells, 1000);
    EXPECT_LE(worst, 1e-6) << "n = " << n;
  }
}
