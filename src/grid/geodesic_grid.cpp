#include "grid/geodesic_grid.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "grid/block_curve.hpp"

namespace craton {

namespace {

struct Corners {
  Vec3 a, b, c, d;
};

// Vertices of the icosahedron with two of them at the poles. Upper ring at latitude atan(1/2), longitudes 72 k; lower
// ring mirrored, longitudes 72 k + 36.
Vec3 upper(int k) {
  const double lon = 72.0 * constants::degree * k, z = 1.0 / std::sqrt(5.0), r = 2.0 / std::sqrt(5.0);
  return {r * std::cos(lon), r * std::sin(lon), z};
}
Vec3 lower(int k) {
  const double lon = 72.0 * constants::degree * k + 36.0 * constants::degree;
  const double z = -1.0 / std::sqrt(5.0), r = 2.0 / std::sqrt(5.0);
  return {r * std::cos(lon), r * std::sin(lon), z};
}

struct Face {
  int rhombus;
  bool far;  // false: triangle A B C, true: triangle D C B
  Vec3 centre;
  Vec3 row[3];  // rows of the inverse of the matrix of corners: coordinates of p = row . p
};

// Twenty faces and ten rhombi, the same for every frequency.
struct Icosahedron {
  std::array<Corners, 10> rhombus;
  std::array<Face, 20> face;

  Icosahedron() {
    for (int k = 0; k < 5; ++k) {
      const int next = (k + 1) % 5;
      rhombus[static_cast<std::size_t>(k)] = {Vec3{0, 0, 1}, upper(k), upper(next), lower(k)};
      rhombus[static_cast<std::size_t>(k + 5)] = {upper(next), lower(k), lower(next), Vec3{0, 0, -1}};
    }
    for (int r = 0; r < 10; ++r) {
      const Corners& q = rhombus[static_cast<std::size_t>(r)];
      face[static_cast<std::size_t>(2 * r)] = make_face(r, false, q.a, q.b, q.c);
      face[static_cast<std::size_t>(2 * r + 1)] = make_face(r, true, q.d, q.c, q.b);
    }
  }

  static Face make_face(int r, bool far, Vec3 a, Vec3 b, Vec3 c) {
    const double volume = dot(a, cross(b, c));
    return {r, far, normalized(a + b + c), {cross(b, c) / volume, cross(c, a) / volume, cross(a, b) / volume}};
  }
};

const Icosahedron& icosahedron() {
  static const Icosahedron instance;
  return instance;
}

const double edge_angle = std::atan(2.0);

// Rhombi along the curve: each touches the one before, the south pole's neighbours come last.
constexpr std::array<int, 10> curve_rhombus{0, 5, 6, 1, 2, 7, 8, 3, 4, 9};
constexpr std::array<int, 10> curve_place{0, 3, 4, 7, 8, 1, 2, 5, 6, 9};

constexpr int north_pole = -1, south_pole = -2;

int wrap5(int k) {
  return (k + 5) % 5;
}

}  // namespace

GeodesicGrid::GeodesicGrid(std::int64_t frequency) : n_(frequency) {
  if (n_ < 2 || n_ > 30000) throw std::invalid_argument("grid frequency must lie in 2 .. 30000");
  curve_ = std::make_unique<BlockCurve>(n_);
}

GeodesicGrid::~GeodesicGrid() = default;

GlobalId GeodesicGrid::id(LatticePoint p) const {
  if (p.rhombus == north_pole) return GlobalId{0};
  if (p.rhombus == south_pole) return GlobalId{cell_count() - 1};
  const std::int64_t place = curve_place[static_cast<std::size_t>(p.rhombus)];
  return GlobalId{1 + place * n_ * n_ + curve_->index(p.i - 1, p.j)};
}

LatticePoint GeodesicGrid::lattice(GlobalId id) const {
  const std::int64_t k = raw(id);
  if (k == 0) return {north_pole, 0, 0};
  if (k == cell_count() - 1) return {south_pole, 0, 0};
  const std::int64_t place = (k - 1) / (n_ * n_);
  const auto [row, column] = curve_->cell((k - 1) % (n_ * n_));
  return {curve_rhombus[static_cast<std::size_t>(place)], row + 1, column};
}

// Owner's numbering of a lattice point at most one step outside the closed rhombus; see docs/design/mesh.md, "Seams".
LatticePoint GeodesicGrid::canonical(int rhombus, std::int64_t i, std::int64_t j) const {
  for (int hop = 0; hop < 4; ++hop) {
    const bool north = rhombus < 5;
    const int k = rhombus % 5;
    if (i >= 1 && i <= n_ && j >= 0 && j < n_) return {rhombus, i, j};
    if (north) {
      if (i == 0 && j == 0) return {north_pole, 0, 0};
      if (j < 0) {
        rhombus = wrap5(k - 1), j = i - 1, i = 1;
      } else if (i > n_) {
        rhombus = wrap5(k - 1) + 5, i = 1;
      } else if (i == 0) {
        rhombus = wrap5(k + 1), i = j, j = 0;
      } else {
        rhombus = k + 5, j = 0;
      }
    } else {
      if (i == n_ && j == n_) return {south_pole, 0, 0};
      if (j < 0) {
        rhombus = k, j = n_ - 1;
      } else if (i > n_) {
        rhombus = wrap5(k - 1) + 5, i = j + 1, j = n_ - 1;
      } else if (i == 0 && j < n_) {
        rhombus = wrap5(k + 1), i = n_;
      } else {
        rhombus = wrap5(k + 1) + 5, j = i, i = n_;
        if (j == 0) return {rhombus, n_, 0};
      }
    }
  }
  throw Error(ExitCode::internal, "internal error: lattice point beyond the seams");
}

Vec3 GeodesicGrid::lattice_position(int rhombus, std::int64_t i, std::int64_t j) const {
  if (rhombus == north_pole) return {0, 0, 1};
  if (rhombus == south_pole) return {0, 0, -1};
  const Corners& q = icosahedron().rhombus[static_cast<std::size_t>(rhombus)];
  const double step = edge_angle / static_cast<double>(n_);
  const auto weight = [&](std::int64_t count) { return std::sin(step * static_cast<double>(count)); };
  if (i + j <= n_) return normalized(weight(n_ - i - j) * q.a + weight(i) * q.b + weight(j) * q.c);
  return normalized(weight(i + j - n_) * q.d + weight(n_ - j) * q.b + weight(n_ - i) * q.c);
}

Vec3 GeodesicGrid::position(GlobalId id) const {
  const LatticePoint p = lattice(id);
  return lattice_position(p.rhombus, p.i, p.j);
}

NeighbourList GeodesicGrid::neighbours(GlobalId cell) const {
  NeighbourList list;
  const LatticePoint p = lattice(cell);
  if (p.rhombus == north_pole || p.rhombus == south_pole) {
    const bool north = p.rhombus == north_pole;
    for (int k = 0; k < 5; ++k) {
      // Counter-clockwise from outside: eastwards at the north pole, westwards at the south pole.
      list.id[static_cast<std::size_t>(k)] = north ? id({k, 1, 0}) : id({9 - k, n_, n_ - 1});
    }
    list.count = 5;
    return list;
  }
  constexpr std::array<std::pair<int, int>, 6> step{{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}};
  for (const auto& [di, dj] : step) {
    const GlobalId other = id(canonical(p.rhombus, p.i + di, p.j + dj));
    // At a pentagon two steps lead to the same cell; they are next to each other in the order.
    const bool seen =
        list.count > 0 && (list.id[static_cast<std::size_t>(list.count - 1)] == other || list.id[0] == other);
    if (!seen) list.id[static_cast<std::size_t>(list.count++)] = other;
  }
  return list;
}

bool GeodesicGrid::is_pentagon(GlobalId cell) const {
  const LatticePoint p = lattice(cell);
  return p.rhombus < 0 || (p.i == n_ && p.j == 0);
}

GlobalId GeodesicGrid::locate(Vec3 p) const {
  const Icosahedron& ico = icosahedron();
  const Face* face = &ico.face[0];
  for (const Face& f : ico.face) {
    if (dot(f.centre, p) > dot(face->centre, p)) face = &f;
  }
  // p = s (sin(w u) A + sin(w v) B + sin(w t) C): find s from u + v + t = 1 by Newton's method.
  const double x[3] = {dot(face->row[0], p), dot(face->row[1], p), dot(face->row[2], p)};
  double s = 1.0;
  for (int iteration = 0; iteration < 4; ++iteration) {
    double sum = -edge_angle, slope = 0;
    for (const double c : x) {
      const double y = std::clamp(s * c, -0.999, 0.999);
      sum += std::asin(y);
      slope += c / std::sqrt(1.0 - y * y);
    }
    s -= sum / slope;
  }
  const double count = static_cast<double>(n_);
  const auto coordinate = [&](double c) { return count * std::asin(std::clamp(s * c, -1.0, 1.0)) / edge_angle; };
  const std::int64_t v = std::clamp<std::int64_t>(std::llround(coordinate(x[1])), 0, n_);
  const std::int64_t t = std::clamp<std::int64_t>(std::llround(coordinate(x[2])), 0, n_ - v);
  // Near triangle: corner A at (0, 0), B along i, C along j. Far triangle D C B: D at (n, n), C at i = 0, B at j = 0.
  const std::int64_t i = face->far ? n_ - v : v, j = face->far ? n_ - t : t;
  return locate_from(p, id(canonical(face->rhombus, i, j)));
}

GlobalId GeodesicGrid::locate_from(Vec3 p, GlobalId start) const {
  GlobalId best = start;
  double closeness = dot(p, position(best));
  // Greedy descent reaches the nearest site on a Delaunay mesh (Bose and Morin 2004).
  while (true) {
    const NeighbourList around = neighbours(best);
    GlobalId next = best;
    for (int s = 0; s < around.count; ++s) {
      const GlobalId other = around.id[static_cast<std::size_t>(s)];
      const double d = dot(p, position(other));
      if (d > closeness || (d == closeness && other < next)) {
        closeness = d;
        next = other;
      }
    }
    if (next == best) return best;
    best = next;
  }
}

namespace {

// Circumcentre of three cells, from the smallest id on, so that all three cells compute the same bits.
Vec3 circumcentre(std::array<std::pair<GlobalId, Vec3>, 3> cells) {
  std::sort(cells.begin(), cells.end(), [](const auto& l, const auto& r) { return l.first < r.first; });
  const Vec3 a = cells[0].second;
  const Vec3 normal = normalized(cross(cells[1].second - a, cells[2].second - a));
  return dot(normal, a) < 0 ? -normal : normal;
}

}  // namespace

CellShape cell_shape(GlobalId cell, Vec3 centre, const NeighbourList& around, const std::array<Vec3, 6>& neighbour) {
  CellShape shape;
  const auto count = static_cast<std::size_t>(around.count);
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t next = (s + 1) % count;
    shape.corner[s] =
        circumcentre({{{cell, centre}, {around.id[s], neighbour[s]}, {around.id[next], neighbour[next]}}});
  }
  for (std::size_t s = 0; s < count; ++s) {
    const Vec3 a = centre, b = shape.corner[s], c = shape.corner[(s + 1) % count];
    // Solid angle after van Oosterom and Strackee (1983); the triple product from differences keeps its digits.
    const double triple = dot(a, cross(b - a, c - a));
    shape.area_sr += 2.0 * std::atan2(triple, 1.0 + dot(a, b) + dot(b, c) + dot(c, a));
  }
  return shape;
}

CellShape GeodesicGrid::shape(GlobalId cell) const {
  const NeighbourList around = neighbours(cell);
  std::array<Vec3, 6> neighbour{};
  for (std::size_t s = 0; s < static_cast<std::size_t>(around.count); ++s) neighbour[s] = position(around.id[s]);
  return cell_shape(cell, position(cell), around, neighbour);
}

double mean_spacing_m(std::int64_t frequency, double radius_m) {
  const double cells = 10.0 * static_cast<double>(frequency) * static_cast<double>(frequency) + 2.0;
  return std::sqrt(2.0 * 4.0 * constants::pi * radius_m * radius_m / cells / std::sqrt(3.0));
}

}  // namespace craton
