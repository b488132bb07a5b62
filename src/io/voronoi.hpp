#pragma once
// The Voronoi polygons of the cells as VTK wants them: pieces of fixed ranges of global ids, points shared inside a
// piece, numbered in the order of the cells that own them. Everything is a function of global ids, so that the file is
// the same on any rank count; a rank holds only its own part.
//
// The corner s of a cell lies between its neighbours s and s + 1, so three cells share it. In each piece it belongs to
// the smallest global id among those of the three that lie in the piece.
#include <cstdint>
#include <vector>

#include "mesh/mesh.hpp"

namespace craton::io {

/// Pieces of nearly equal size: piece p holds global ids begin(p) .. begin(p + 1) - 1.
class Pieces {
 public:
  Pieces(std::int64_t cells, std::int64_t cells_per_piece);
  std::int64_t count() const { return count_; }
  std::int64_t begin(std::int64_t piece) const { return cells_ * piece / count_; }
  std::int64_t piece_of(std::int64_t cell) const;

 private:
  std::int64_t cells_, count_;
};

struct Polygons {
  // By piece, the same on every rank.
  std::vector<std::int64_t> points, connectivity, cells;
  // This rank's rows: where they start in the whole table, and how many the whole table has.
  std::int64_t first_point = 0, total_points = 0;
  std::int64_t first_connectivity = 0, total_connectivity = 0;
  std::int64_t first_offset = 0, total_offsets = 0;
  std::vector<float> coordinates;        // 3 per owned point
  std::vector<std::int64_t> corner_ids;  // piece-local point ids, cell after cell
  std::vector<std::int64_t> offsets;     // piece-local; one more than cells per piece
};

/// scale: length of the planet's radius in the units of the points. Collective.
Polygons make_polygons(const Mesh& mesh, const Pieces& pieces, double scale);

}  // namespace craton::io
