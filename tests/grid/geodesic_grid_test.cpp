#include "grid/geodesic_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "core/constants.hpp"
#include "core/exact_sum.hpp"
#include "core/hash.hpp"
#include "grid/block_curve.hpp"
#include "grid/partition.hpp"

using namespace craton;

namespace {

Vec3 random_point(std::uint64_t k) {
  const double z = 2 * uniform01(random_bits(7, RandomStream::test, 0, k)) - 1;
  const double lon = 2 * constants::pi * uniform01(random_bits(7, RandomStream::test, 1, k)), r = std::sqrt(1 - z * z);
  return {r * std::cos(lon), r * std::sin(lon), z};
}

}  // namespace

class EveryGrid : public testing::TestWithParam<int> {};

TEST_P(EveryGrid, ids_and_lattice_points_are_inverse) {
  const GeodesicGrid grid(GetParam());
  for (std::int64_t k = 0; k < grid.cell_count(); ++k) EXPECT_EQ(raw(grid.id(grid.lattice(GlobalId{k}))), k);
}

TEST_P(EveryGrid, neighbours_are_mutual_ordered_and_twelve_cells_are_pentagons) {
  const GeodesicGrid grid(GetParam());
  int pentagons = 0;
  for (std::int64_t k = 0; k < grid.cell_count(); ++k) {
    const NeighbourList around = grid.neighbours(GlobalId{k});
    const Vec3 p = grid.position(GlobalId{k});
    pentagons += around.count == 5;
    EXPECT_EQ(around.count == 5, grid.is_pentagon(GlobalId{k}));
    std::set<GlobalId> distinct;
    for (int s = 0; s < around.count; ++s) {
      const GlobalId a = around.id[static_cast<std::size_t>(s)];
      const GlobalId b = around.id[static_cast<std::size_t>((s + 1) % around.count)];
      distinct.insert(a);
      const NeighbourList back = grid.neighbours(a);
      EXPECT_TRUE(std::find(back.id.begin(), back.id.begin() + back.count, GlobalId{k}) !=
                  back.id.begin() + back.count);
      EXPECT_TRUE(std::find(back.id.begin(), back.id.begin() + back.count, b) != back.id.begin() + back.count);
      EXPECT_GT(dot(p, cross(grid.position(a), grid.position(b))), 0) << "cell " << k << " slot " << s;
    }
    EXPECT_EQ(distinct.size(), static_cast<std::size_t>(around.count));
  }
  EXPECT_EQ(pentagons, 12);
}

TEST_P(EveryGrid, no_centre_is_nearer_to_a_cell_corner_than_its_own_three) {
  const GeodesicGrid grid(GetParam());
  for (std::int64_t k = 0; k < grid.cell_count(); ++k) {
    const CellShape shape = grid.shape(GlobalId{k});
    for (int s = 0; s < (grid.is_pentagon(GlobalId{k}) ? 5 : 6); ++s) {
      const Vec3 corner = shape.corner[static_cast<std::size_t>(s)];
      const double own = dot(corner, grid.position(GlobalId{k}));
      EXPECT_LE(dot(corner, grid.position(grid.locate(corner))), own + 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Frequencies, EveryGrid, testing::Values(2, 3, 4, 5, 16, 17, 33));

// mission: G1
TEST(GeodesicGrid, areas_sum_to_the_sphere_and_are_nearly_equal) {
  for (const int n : {2, 5, 64, 127, 256, 1024}) {
    const GeodesicGrid grid(n);
    ExactSum sum;
    double smallest = 1e9, largest = 0, smallest_hexagon = 1e9, largest_hexagon = 0;
    for (std::int64_t k = 0; k < grid.cell_count(); ++k) {
      const double a = grid.shape(GlobalId{k}).area_sr;
      sum += a;
      smallest = std::min(smallest, a);
      largest = std::max(largest, a);
      if (!grid.is_pentagon(GlobalId{k})) {
        smallest_hexagon = std::min(smallest_hexagon, a);
        largest_hexagon = std::max(largest_hexagon, a);
      }
    }
    const double error = std::abs(sum.value() / (4 * constants::pi) - 1);
    std::printf("n %4d: area sum error %.2e, max/min all cells %.4f, hexagons %.4f\n", n, error, largest / smallest,
                largest_hexagon / smallest_hexagon);
    EXPECT_LT(error, 1e-12);
    if (n >= 64) {
      EXPECT_LE(largest / smallest, 1.25);
    }
  }
}

TEST(GeodesicGrid, locates_a_million_random_points) {
  const GeodesicGrid grid(512);
  const int count = 1000000;
  int not_nearest = 0;
  for (int k = 0; k < count; ++k) {
    const Vec3 p = random_point(static_cast<std::uint64_t>(k));
    const GlobalId cell = grid.locate(p);
    // Independent check: p lies inside the Voronoi polygon, on the inner side of all its edges.
    const double own = dot(p, grid.position(cell));
    const NeighbourList around = grid.neighbours(cell);
    for (int s = 0; s < around.count; ++s) {
      not_nearest += dot(p, grid.position(around.id[static_cast<std::size_t>(s)])) > own;
    }
  }
  std::printf("%d random points at n = 512: %d in the wrong cell\n", count, not_nearest);
  EXPECT_EQ(not_nearest, 0);
}

TEST(GeodesicGrid, locates_like_a_search_of_all_cells) {
  const GeodesicGrid grid(9);
  for (std::uint64_t k = 0; k < 2000; ++k) {
    const Vec3 p = random_point(k);
    std::int64_t nearest = 0;
    for (std::int64_t c = 1; c < grid.cell_count(); ++c) {
      if (dot(p, grid.position(GlobalId{c})) > dot(p, grid.position(GlobalId{nearest}))) nearest = c;
    }
    EXPECT_EQ(raw(grid.locate(p)), nearest);
    EXPECT_EQ(raw(grid.locate_from(p, GlobalId{0})), nearest);
  }
}

TEST(GeodesicGrid, refuses_frequencies_outside_its_range) {
  EXPECT_THROW(GeodesicGrid(1), std::invalid_argument);
  EXPECT_THROW(GeodesicGrid(30001), std::invalid_argument);
}

TEST(Partition, ranges_cover_the_planet_and_some_ranks_may_own_nothing) {
  const GeodesicGrid grid(5);
  for (const int ranks : {1, 2, 3, 7, 16, 64}) {
    const Partition partition(grid, ranks);
    EXPECT_EQ(partition.begin(0), 0);
    EXPECT_EQ(partition.end(ranks - 1), grid.cell_count());
    for (std::int64_t k = 0; k < grid.cell_count(); ++k) {
      const int r = partition.owner(GlobalId{k});
      EXPECT_GE(k, partition.begin(r));
      EXPECT_LT(k, partition.end(r));
    }
  }
}

TEST(Partition, shares_are_even_to_a_block) {
  const GeodesicGrid grid(64);
  const Partition partition(grid, 7);
  for (int r = 0; r < 7; ++r) {
    EXPECT_NEAR(static_cast<double>(partition.end(r) - partition.begin(r)),
                static_cast<double>(grid.cell_count()) / 7.0, 258);
  }
}

TEST(Partition, patches_are_compact) {
  // Perimeter cells of a rank's patch against those of a square of the same area.
  const GeodesicGrid grid(64);
  const Partition partition(grid, 16);
  for (int r = 0; r < 16; ++r) {
    std::int64_t border = 0;
    for (std::int64_t k = partition.begin(r); k < partition.end(r); ++k) {
      const NeighbourList around = grid.neighbours(GlobalId{k});
      bool outside = false;
      for (int s = 0; s < around.count; ++s)
        outside = outside || partition.owner(around.id[static_cast<std::size_t>(s)]) != r;
      border += outside;
    }
    EXPECT_LT(static_cast<double>(border),
              2.5 * 4 * std::sqrt(static_cast<double>(partition.end(r) - partition.begin(r))));
  }
}
