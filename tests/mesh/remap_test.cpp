#include "mesh/remap.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace craton;

namespace {

double smooth(Vec3 p) {
  return 1.0 + p.x * p.y + 0.5 * p.z - 0.2 * p.x;
}

Array<double> sampled(const Mesh& mesh) {
  Array<double> a("test::field", static_cast<std::size_t>(mesh.n_all()));
  for (LocalId c = 0; c < mesh.n_all(); ++c) a(c) = smooth(mesh.position()(c));
  return a;
}

}  // namespace

class EveryRatio : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(EveryRatio, a_smooth_field_survives_both_ways) {
  const par::Comm comm(MPI_COMM_WORLD);
  const Mesh fine(comm, GetParam().first, 1.0, 1), coarse(comm, GetParam().second, 1.0, 1);
  const Remap remap(fine, coarse);
  const Array<double> on_coarse("test::coarse", static_cast<std::size_t>(coarse.n_all()));
  const Array<double> on_fine("test::fine", static_cast<std::size_t>(fine.n_all()));
  remap.coarsen(sampled(fine), on_coarse);
  const double spacing = std::max(coarse.spacing_m(), fine.spacing_m());
  for (LocalId c = 0; c < coarse.n_owned(); ++c) EXPECT_NEAR(on_coarse(c), smooth(coarse.position()(c)), spacing);
  remap.refine(sampled(coarse), on_fine);
  for (LocalId c = 0; c < fine.n_owned(); ++c) {
    EXPECT_NEAR(on_fine(c), smooth(fine.position()(c)), coarse.spacing_m() * coarse.spacing_m());
  }
}

TEST_P(EveryRatio, the_bits_are_those_of_one_rank) {
  const par::Comm world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
  const Mesh fine(world, GetParam().first, 1.0, 1), coarse(world, GetParam().second, 1.0, 1);
  const Mesh fine_alone(self, GetParam().first, 1.0, 1), coarse_alone(self, GetParam().second, 1.0, 1);
  const Remap remap(fine, coarse), alone(fine_alone, coarse_alone);
  const Array<double> a("test::a", static_cast<std::size_t>(coarse.n_all()));
  const Array<double> b("test::b", static_cast<std::size_t>(coarse_alone.n_all()));
  remap.coarsen(sampled(fine), a);
  alone.coarsen(sampled(fine_alone), b);
  for (LocalId c = 0; c < coarse.n_owned(); ++c) EXPECT_EQ(a(c), b(coarse_alone.local(coarse.global(c))));
}

TEST_P(EveryRatio, coarsening_keeps_a_constant) {
  const par::Comm comm(MPI_COMM_WORLD);
  const Mesh fine(comm, GetParam().first, 1.0, 1), coarse(comm, GetParam().second, 1.0, 1);
  const Remap remap(fine, coarse);
  const Array<double> constant("test::constant", static_cast<std::size_t>(fine.n_all()));
  const Array<double> out("test::out", static_cast<std::size_t>(coarse.n_all()));
  Kokkos::deep_copy(constant, -7.25);
  remap.coarsen(constant, out);
  for (LocalId c = 0; c < coarse.n_owned(); ++c) EXPECT_NEAR(out(c), -7.25, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Ratios, EveryRatio,
                         testing::Values(std::pair{32, 8}, std::pair{16, 16}, std::pair{30, 7}, std::pair{6, 20}));
