// The spanning tree of basins, on graphs small enough to solve by hand.
#include "physics/surface/basin_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"

using namespace craton;
using namespace craton::surface;

namespace {

/// By the basin of the cell: a cell of basin b is named 10 b + k here.
std::map<std::int64_t, std::int64_t> spills(std::vector<BasinLink> links, std::int64_t root) {
  std::map<std::int64_t, std::int64_t> found;
  const par::Comm self{MPI_COMM_SELF};
  BasinGraph graph(self, [](std::int64_t) { return 0; });
  for (const Outlet& o : graph.outlets(graph.spanning_tree(std::move(links), root))) {
    EXPECT_TRUE(found.emplace(o.cell, o.beyond).second);
  }
  return found;
}

}  // namespace

TEST(BasinGraph, spills_over_the_passes_that_are_lowest_all_the_way) {
  // 3 -> 1 -> 2 -> sea, although basin 1 has a pass of its own to the sea.
  const std::vector<BasinLink> links = {
      {12, 11, 5, 1, sea_basin}, {10, 21, 6, 2, sea_basin}, {5, 12, 22, 1, 2}, {3, 31, 13, 3, 1}};
  const std::map<std::int64_t, std::int64_t> expected = {{31, 13}, {12, 22}, {21, 6}};
  EXPECT_EQ(spills(links, sea_basin), expected);
}

TEST(BasinGraph, does_not_depend_on_the_order_or_repetition_of_links) {
  std::vector<BasinLink> links = {{7, 11, 21, 1, 2}, {7, 22, 12, 2, 1},        {7, 13, 31, 1, 3},
                                  {7, 23, 32, 2, 3}, {7, 5, 33, sea_basin, 3}, {7, 14, 6, 1, sea_basin}};
  const auto first = spills(links, sea_basin);
  EXPECT_EQ(first.size(), 3U);
  links.push_back(links[0]);
  links.push_back({7, 21, 11, 2, 1});  // the first one from the other side
  const auto by_cells = [](const BasinLink& a, const BasinLink& b) {
    return std::pair(a.cell_a, a.cell_b) < std::pair(b.cell_a, b.cell_b);
  };
  std::sort(links.begin(), links.end(), by_cells);
  do {
    ASSERT_EQ(spills(links, sea_basin), first);
  } while (std::next_permutation(links.begin(), links.end(), by_cells) && links.size() < 9);
}

TEST(BasinGraph, may_have_a_pit_as_its_root) {
  const std::map<std::int64_t, std::int64_t> expected = {{21, 11}};
  EXPECT_EQ(spills({{4, 11, 21, 1, 2}}, 1), expected);
  EXPECT_TRUE(spills({}, 1).empty());
}

TEST(BasinGraph, without_a_way_to_the_root_is_an_error) {
  EXPECT_THROW(spills({{4, 11, 21, 1, 2}}, sea_basin), Error);
}
