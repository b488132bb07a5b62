#include <gtest/gtest.h>

#include <cmath>

#include "core/constants.hpp"
#include "core/hash.hpp"
#include "mesh/mesh.hpp"
#include "par/exchange.hpp"

using namespace craton;

namespace {

par::Comm world() {
  return par::Comm(MPI_COMM_WORLD);
}

void expect_ghosts_equal_owners(const Mesh& mesh) {
  Array<std::int64_t> id("test::id", static_cast<std::size_t>(mesh.n_all()));
  Array<double> triple("test::triple", 3 * static_cast<std::size_t>(mesh.n_all()));
  for (LocalId c = 0; c < mesh.n_all(); ++c) id(c) = -1;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    id(c) = raw(mesh.global(c));
    for (int k = 0; k < 3; ++k) triple(3 * c + k) = static_cast<double>(3 * raw(mesh.global(c)) + k);
  }
  mesh.refresh_halo(id);
  mesh.refresh_halo(triple, 3);
  for (LocalId c = 0; c < mesh.n_all(); ++c) {
    EXPECT_EQ(id(c), raw(mesh.global(c)));
    for (int k = 0; k < 3; ++k) EXPECT_EQ(triple(3 * c + k), static_cast<double>(3 * id(c) + k));
  }
}

}  // namespace

TEST(Halo, every_ghost_equals_its_owner) {
  for (const int n : {4, 5, 16, 33}) {
    for (const int depth : {1, 2, 3}) {
      const Mesh mesh(world(), n, 1000.0, depth);
      expect_ghosts_equal_owners(mesh);
    }
  }
}

TEST(Halo, works_when_random_ranks_own_nothing) {
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    const Mesh mesh(world(), 12, 1.0, 2, [trial](const GeodesicGrid& grid, int ranks) {
      std::vector<std::int64_t> first{0};
      for (int r = 1; r < ranks; ++r) {
        const auto bits = random_bits(trial, RandomStream::test, 2, static_cast<std::uint64_t>(r));
        // One in two ranks starts where the one before did; rank 0 owns nothing in some trials.
        const std::int64_t next = bits % 2 == 0 ? first.back() : std::max(first.back(), grid.cell_count() * r / ranks);
        first.push_back(next);
      }
      first.push_back(grid.cell_count());
      return Partition(grid, first);
    });
    expect_ghosts_equal_owners(mesh);
  }
}

TEST(Halo, cells_within_depth_minus_one_know_all_their_neighbours) {
  const Mesh mesh(world(), 16, 1.0, 2);
  for (LocalId c = 0; c < mesh.n_through_layer(1); ++c) {
    for (int s = 0; s < mesh.neighbour_count()(c); ++s) EXPECT_NE(mesh.neighbours()(c, s), no_cell);
  }
}

TEST(MeshGeometry, areas_sum_to_the_sphere_on_any_rank_count) {
  const double radius = 6371000.0;
  const Mesh mesh(world(), 48, radius, 1);
  ExactSum sum;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) sum += mesh.area_m2()(c);
  const double total = mesh.comm().sum(sum);
  EXPECT_NEAR(total / (4 * constants::pi * radius * radius), 1.0, 1e-12);
}

TEST(MeshGeometry, values_are_those_of_a_mesh_on_one_rank) {
  const Mesh whole(par::Comm(MPI_COMM_SELF), 20, 5.0, 1), part(world(), 20, 5.0, 2);
  for (LocalId c = 0; c < part.n_all(); ++c) {
    const LocalId w = whole.local(part.global(c));
    EXPECT_EQ(part.area_m2()(c), whole.area_m2()(w));
    EXPECT_TRUE(part.position()(c) == whole.position()(w));
    for (int s = 0; s < part.neighbour_count()(c); ++s) {
      EXPECT_EQ(part.distance_m()(c, s), whole.distance_m()(w, s));
      EXPECT_EQ(part.edge_m()(c, s), whole.edge_m()(w, s));
    }
  }
}

TEST(MeshGeometry, both_sides_of_an_edge_hold_the_same_bits) {
  const Mesh mesh(world(), 16, 6.4e6, 2);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
      const LocalId d = mesh.neighbours()(c, s);
      int back = -1;
      for (int t = 0; t < mesh.neighbour_count()(d); ++t) {
        if (mesh.neighbours()(d, t) == c) back = t;
      }
      ASSERT_GE(back, 0);
      EXPECT_EQ(mesh.distance_m()(c, s), mesh.distance_m()(d, back));
      EXPECT_EQ(mesh.edge_m()(c, s), mesh.edge_m()(d, back));
    }
  }
}

TEST(Exchange, delivers_every_item_to_its_rank_in_order_of_source) {
  const par::Comm comm = world();
  std::vector<std::pair<int, std::vector<int>>> outgoing;
  for (int r = comm.rank() % 2; r < comm.size(); r += 2) outgoing.push_back({r, {comm.rank(), r}});
  const std::vector<int> got = par::exchange_items(comm, outgoing);
  std::vector<int> expected;
  for (int source = 0; source < comm.size(); ++source) {
    if (source % 2 == comm.rank() % 2) expected.insert(expected.end(), {source, comm.rank()});
  }
  EXPECT_EQ(got, expected);
}

TEST(Reductions, do_not_depend_on_who_holds_which_term) {
  const par::Comm comm = world();
  ExactSum mine, all;
  for (std::uint64_t k = 0; k < 5000; ++k) {
    const double term = std::ldexp(uniform01(random_bits(3, RandomStream::test, 0, k)) - 0.5, static_cast<int>(k % 90));
    all += term;
    if (static_cast<int>(mix64(k) % static_cast<std::uint64_t>(comm.size())) == comm.rank()) mine += term;
  }
  EXPECT_EQ(comm.sum(mine), all.value());
}

TEST(Agreement, a_failure_on_one_rank_is_an_error_on_all) {
  const par::Comm comm = world();
  const int last = comm.size() - 1;
  try {
    comm.together([&] {
      if (comm.rank() == last) throw Error(ExitCode::io, "disk of the last rank is full");
    });
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::io);
    EXPECT_STREQ(e.what(), "disk of the last rank is full");
  }
}
