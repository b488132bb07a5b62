// Plates of a new world as regions on the sphere: areas, boundaries and seams.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "core/constants.hpp"
#include "physics/initial/continents.hpp"
#include "physics/initial/plate_growth.hpp"
#include "physics/initial/plate_layout.hpp"

namespace craton::initial {
namespace {

config::Initial of_kind(const char* kind) {
  config::Initial p;
  p.kind = kind;
  return p;
}

std::vector<std::int32_t> plates_on(const GeodesicGrid& grid, const PlateLayout& layout) {
  std::vector<std::int32_t> plates;
  GlobalId hint{0};
  for (std::int64_t c = 0; c < grid.cell_count(); ++c)
    plates.push_back(layout.at(grid.position(GlobalId{c}), hint).plate);
  return plates;
}

// Cells that touch another plate.
double boundary_cells(const GeodesicGrid& grid, const std::vector<std::int32_t>& plates) {
  double count = 0;
  for (std::int64_t c = 0; c < grid.cell_count(); ++c) {
    const NeighbourList around = grid.neighbours(GlobalId{c});
    bool is_edge = false;
    for (int s = 0; s < around.count; ++s) {
      is_edge = is_edge || plates[static_cast<std::size_t>(raw(around.id[static_cast<std::size_t>(s)]))] !=
                               plates[static_cast<std::size_t>(c)];
    }
    count += is_edge;
  }
  return count;
}

// Box dimension: boundary cells grow with frequency to this power.
double dimension(const PlateLayout& layout) {
  const GeodesicGrid coarse(32), fine(256);
  return std::log(boundary_cells(fine, plates_on(fine, layout)) / boundary_cells(coarse, plates_on(coarse, layout))) /
         std::log(256.0 / 32.0);
}

// mission: G20, G26
TEST(PlateLayout, boundaries_of_grown_plates_are_fractal_and_those_of_voronoi_plates_are_lines) {
  double grown = 0, polygons = 0;
  constexpr int seeds = 2;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    grown += dimension(PlateLayout(of_kind("plates"), seed, 6.371e6)) / seeds;
    polygons += dimension(PlateLayout(of_kind("voronoi"), seed, 6.371e6)) / seeds;
  }
  std::printf("plates: boundary dimension %.3f grown, %.3f Voronoi\n", grown, polygons);
  EXPECT_GT(grown, 1.05);
  EXPECT_LT(grown, 1.3);
  EXPECT_NEAR(polygons, 1, 0.05);
}

// mission: G12
TEST(PlateLayout, voronoi_plates_are_those_of_the_nearest_craton_by_great_circle) {
  const PlateLayout layout(of_kind("voronoi"), 4, 6.371e6);
  const std::vector<Vec3> cratons = random_seeds(4, layout.count());
  const GeodesicGrid grid(40);
  GlobalId hint{0};
  std::vector<double> cells(cratons.size());
  for (std::int64_t c = 0; c < grid.cell_count(); ++c) {
    const Vec3 p = grid.position(GlobalId{c});
    const auto plate = static_cast<std::size_t>(layout.at(p, hint).plate);
    for (const Vec3 q : cratons) ASSERT_LE(angle_between(p, cratons[plate]), angle_between(p, q) + 1e-12);
    cells[plate] += 4 * constants::pi / static_cast<double>(grid.cell_count());
  }
  std::sort(cells.rbegin(), cells.rend());
  std::printf("plates: Voronoi areas");
  for (const double a : cells) std::printf(" %.3f", a);
  std::printf(" sr\n");
  EXPECT_GT(cells.back(), 0);
}

TEST(PlateLayout, grown_plates_are_of_unequal_size_and_hold_together) {
  const GeodesicGrid grid(64);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PlateLayout layout(of_kind("plates"), seed, 6.371e6);
    const std::vector<std::int32_t> plates = plates_on(grid, layout);
    std::vector<std::int64_t> cells(static_cast<std::size_t>(layout.count())), largest_piece(cells.size());
    for (const std::int32_t k : plates) ++cells[static_cast<std::size_t>(k)];
    std::vector<char> seen(plates.size(), 0);
    for (std::size_t c = 0; c < plates.size(); ++c) {
      if (seen[c]) continue;
      std::vector<std::size_t> piece{c};
      seen[c] = 1;
      for (std::size_t k = 0; k < piece.size(); ++k) {
        const NeighbourList around = grid.neighbours(GlobalId{static_cast<std::int64_t>(piece[k])});
        for (int s = 0; s < around.count; ++s) {
          const auto next = static_cast<std::size_t>(raw(around.id[static_cast<std::size_t>(s)]));
          if (seen[next] || plates[next] != plates[c]) continue;
          seen[next] = 1;
          piece.push_back(next);
        }
      }
      auto& best = largest_piece[static_cast<std::size_t>(plates[c])];
      best = std::max(best, static_cast<std::int64_t>(piece.size()));
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
      EXPECT_GE(static_cast<double>(largest_piece[k]), 0.97 * static_cast<double>(cells[k]))
          << "seed " << seed << " plate " << k;
    }
    std::sort(cells.rbegin(), cells.rend());
    EXPECT_GT(cells.front(), 4 * cells.back()) << "seed " << seed;
  }
}

TEST(PlateLayout, has_no_seam_where_longitudes_begin_and_at_the_poles) {
  // Crust and plates change no more across the date line and the poles than across other lines.
  const config::Initial parameters;
  const Continents continents(parameters, isostasy::HeightLaw(config::Tectonics{}), 6);
  constexpr double step = 1e-7;
  for (int k = 1; k < 180; ++k) {
    const double lat = (k - 90) * constants::degree;
    const ContinentalCrust west = continents.at(to_vector({constants::pi - step, lat}));
    const ContinentalCrust east = continents.at(to_vector({-constants::pi + step, lat}));
    EXPECT_NEAR(west.thickness_m, east.thickness_m, 5);
    EXPECT_NEAR(west.continental, east.continental, 1e-3);
  }
  for (const double pole : {1.0, -1.0}) {
    const ContinentalCrust at = continents.at({0, 0, pole});
    for (int k = 0; k < 12; ++k) {
      const double lon = 30 * k * constants::degree;
      EXPECT_NEAR(continents.at(normalized(Vec3{step * std::cos(lon), step * std::sin(lon), pole})).thickness_m,
                  at.thickness_m, 5);
    }
  }
}

TEST(PlateLayout, spread_seeds_lie_farther_apart_than_random_ones) {
  const auto closest = [](const std::vector<Vec3>& seeds) {
    double least = 10;
    for (std::size_t a = 0; a < seeds.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) least = std::min(least, angle_between(seeds[a], seeds[b]));
    }
    return least;
  };
  double spread = 0, random = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    spread += closest(spread_seeds(seed, 14)) / 10;
    random += closest(random_seeds(seed, 14)) / 10;
  }
  EXPECT_GT(spread, 2 * random);
}

}  // namespace
}  // namespace craton::initial
