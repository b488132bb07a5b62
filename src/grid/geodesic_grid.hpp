#pragma once
// The geodesic hexagon grid of frequency n: 10 n^2 + 2 cells, 12 of them pentagons, ids in O(1) without tables of the
// mesh.
//
// The icosahedron's 20 faces pair up to ten rhombi of n x n cells; two cells more are the poles. A rhombus has corners
// A (origin), B (along i), C (along j), D (far); it owns the lattice points i = 1..n, j = 0..n-1. Northern rhombus k
// has A = north pole, southern rhombus k has D = south pole. A vertex lies at
//   p = normalize(sin(w u) A + sin(w v) B + sin(w t) C),  u + v + t = 1,
// with w the edge angle of the icosahedron; edges are great circles cut in equal parts, triangle areas differ by 1.19.
// Cells are the spherical Voronoi polygons of the vertices; corners are circumcentres.
//
// Global ids follow the block curve (block_curve.hpp), so that any contiguous range of ids is a compact patch:
// north pole = 0, then the rhombi in an order in which each touches the one before, south pole last.
// Everything here is pure and Local.
#include <array>
#include <cstdint>
#include <memory>

#include "core/types.hpp"
#include "core/vec3.hpp"

namespace craton {

class BlockCurve;

/// A lattice point in its owner's numbering. rhombus 0..4 northern, 5..9 southern; poles have rhombus = -1 (north), -2.
struct LatticePoint {
  int rhombus = 0;
  std::int64_t i = 1, j = 0;
  bool operator==(const LatticePoint&) const = default;
};

struct NeighbourList {
  std::array<GlobalId, 6> id;  // counter-clockwise seen from outside
  int count = 0;               // 6, or 5 for a pentagon
};

/// The Voronoi polygon of a cell on the unit sphere. Corner s lies between neighbours s and s + 1 (mod count), so the
/// edge shared with neighbour s runs from corner s - 1 to corner s.
struct CellShape {
  std::array<Vec3, 6> corner{};
  double area_sr = 0;
};
/// Corners are circumcentres, the same bits from each of the three cells; neighbour[s] is the position of around.id[s].
CellShape cell_shape(GlobalId cell, Vec3 centre, const NeighbourList& around, const std::array<Vec3, 6>& neighbour);

class GeodesicGrid {
 public:
  /// frequency n >= 2. Errors: std::invalid_argument below 2 or above 30000.
  explicit GeodesicGrid(std::int64_t frequency);
  ~GeodesicGrid();
  GeodesicGrid(const GeodesicGrid&) = delete;
  GeodesicGrid& operator=(const GeodesicGrid&) = delete;

  std::int64_t frequency() const { return n_; }
  std::int64_t cell_count() const { return 10 * n_ * n_ + 2; }
  const BlockCurve& curve() const { return *curve_; }

  GlobalId id(LatticePoint p) const;
  LatticePoint lattice(GlobalId id) const;
  /// Unit vector of the cell centre; the same bits on every rank.
  Vec3 position(GlobalId id) const;
  NeighbourList neighbours(GlobalId id) const;
  bool is_pentagon(GlobalId id) const;

  /// The cell whose centre is nearest to the unit vector p (ties: smallest id). start: a cell nearby, if one is known.
  GlobalId locate(Vec3 p) const;
  GlobalId locate_from(Vec3 p, GlobalId start) const;

  CellShape shape(GlobalId id) const;

 private:
  Vec3 lattice_position(int rhombus, std::int64_t i, std::int64_t j) const;
  LatticePoint canonical(int rhombus, std::int64_t i, std::int64_t j) const;

  std::int64_t n_;
  std::unique_ptr<BlockCurve> curve_;
};

/// Mean distance between neighbouring centres of a grid of frequency n on a sphere of radius_m: sqrt(2 A / sqrt 3).
double mean_spacing_m(std::int64_t frequency, double radius_m);

}  // namespace craton
