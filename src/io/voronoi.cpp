#include "io/voronoi.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace craton::io {

Pieces::Pieces(std::int64_t cells, std::int64_t cells_per_piece)
    : cells_(cells), count_(std::max<std::int64_t>(1, (cells + cells_per_piece / 2) / cells_per_piece)) {}

std::int64_t Pieces::piece_of(std::int64_t cell) const {
  std::int64_t piece = std::min(count_ - 1, cell * count_ / cells_);
  while (begin(piece) > cell) --piece;
  while (begin(piece + 1) <= cell) ++piece;
  return piece;
}

namespace {

/// The cell that owns corner s of a cell with these neighbours, inside the cell's piece.
std::int64_t owner_of_corner(std::int64_t cell, const NeighbourList& around, int s, std::int64_t begin,
                             std::int64_t end) {
  std::int64_t owner = cell;
  for (const int k : {s, (s + 1) % around.count}) {
    const std::int64_t other = raw(around.id[static_cast<std::size_t>(k)]);
    if (other >= begin && other < end) owner = std::min(owner, other);
  }
  return owner;
}

/// Which of the points of `owner` is the corner that it shares with cells a and b.
std::int64_t rank_of_corner(const GeodesicGrid& grid, std::int64_t owner, std::int64_t a, std::int64_t b,
                            std::int64_t begin, std::int64_t end) {
  const NeighbourList around = grid.neighbours(GlobalId{owner});
  std::int64_t rank = 0;
  for (int s = 0; s < around.count; ++s) {
    const std::int64_t x = raw(around.id[static_cast<std::size_t>(s)]);
    const std::int64_t y = raw(around.id[static_cast<std::size_t>((s + 1) % around.count)]);
    if ((x == a && y == b) || (x == b && y == a)) return rank;
    if (owner_of_corner(owner, around, s, begin, end) == owner) ++rank;
  }
  throw Error(ExitCode::internal, "internal error: a corner is not among its owner's");
}

}  // namespace

Polygons make_polygons(const Mesh& mesh, const Pieces& pieces, double scale) {
  const par::Comm& comm = mesh.comm();
  const GeodesicGrid& grid = mesh.grid();
  const auto piece_count = static_cast<std::size_t>(pieces.count());
  Polygons out;
  out.points.assign(piece_count, 0);
  out.connectivity.assign(piece_count, 0);
  for (std::int64_t p = 0; p < pieces.count(); ++p) out.cells.push_back(pieces.begin(p + 1) - pieces.begin(p));

  // 1. The points that each owned cell owns, in slot order.
  const LocalId owned = mesh.n_owned();
  Array<std::int64_t> base("craton::io::point_base", static_cast<std::size_t>(mesh.n_all()));
  std::int64_t points = 0, corners = 0;
  for (LocalId c = 0; c < owned; ++c) {
    const std::int64_t id = raw(mesh.global(c));
    const std::int64_t piece = pieces.piece_of(id), begin = pieces.begin(piece), end = pieces.begin(piece + 1);
    const NeighbourList around = grid.neighbours(GlobalId{id});
    const CellShape shape = grid.shape(GlobalId{id});
    base(c) = points;
    for (int s = 0; s < around.count; ++s) {
      if (owner_of_corner(id, around, s, begin, end) != id) continue;
      const Vec3 x = scale * shape.corner[static_cast<std::size_t>(s)];
      for (const double value : {x.x, x.y, x.z}) out.coordinates.push_back(static_cast<float>(value));
      ++points;
      ++out.points[static_cast<std::size_t>(piece)];
    }
    corners += around.count;
    out.connectivity[static_cast<std::size_t>(piece)] += around.count;
  }

  // 2. Numbers over the whole planet: ranks follow each other in the order of global ids.
  out.first_point = comm.exclusive_scan(points);
  out.total_points = comm.sum(points);
  out.first_connectivity = comm.exclusive_scan(corners);
  out.total_connectivity = comm.sum(corners);
  comm.sum(std::span(out.points));
  comm.sum(std::span(out.connectivity));
  std::vector<std::int64_t> piece_point(piece_count + 1, 0), piece_corner(piece_count + 1, 0);
  for (std::size_t p = 0; p < piece_count; ++p) {
    piece_point[p + 1] = piece_point[p] + out.points[p];
    piece_corner[p + 1] = piece_corner[p] + out.connectivity[p];
  }
  for (LocalId c = 0; c < owned; ++c) base(c) += out.first_point;
  mesh.refresh_halo(base);

  // 3. Polygons: the owner of a corner is the cell or one of its neighbours, so its base is at hand.
  const std::int64_t first = mesh.partition().begin(comm.rank());
  out.total_offsets = mesh.global_count() + pieces.count();
  out.first_offset = owned > 0 ? first + pieces.piece_of(first) : out.total_offsets;
  out.corner_ids.reserve(static_cast<std::size_t>(corners));
  out.offsets.reserve(static_cast<std::size_t>(owned) + 2);
  std::int64_t at = out.first_connectivity;
  for (LocalId c = 0; c < owned; ++c) {
    const std::int64_t id = raw(mesh.global(c));
    const std::int64_t piece = pieces.piece_of(id), begin = pieces.begin(piece), end = pieces.begin(piece + 1);
    const auto p = static_cast<std::size_t>(piece);
    const NeighbourList around = grid.neighbours(GlobalId{id});
    out.offsets.push_back(at - piece_corner[p]);
    for (int s = 0; s < around.count; ++s) {
      const std::int64_t a = raw(around.id[static_cast<std::size_t>(s)]);
      const std::int64_t b = raw(around.id[static_cast<std::size_t>((s + 1) % around.count)]);
      const std::int64_t owner = owner_of_corner(id, around, s, begin, end);
      const std::int64_t x = owner == a ? id : a, y = owner == b ? id : b;
      const LocalId local = mesh.local(GlobalId{owner});
      require(local != no_cell, "the owner of a corner is in the halo");
      out.corner_ids.push_back(base(local) + rank_of_corner(grid, owner, x, y, begin, end) - piece_point[p]);
    }
    at += around.count;
    if (id + 1 == end) out.offsets.push_back(at - piece_corner[p]);
  }
  return out;
}

}  // namespace craton::io
