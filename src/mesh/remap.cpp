#include "mesh/remap.hpp"

#include <algorithm>
#include <cmath>

#include "core/int128.hpp"
#include "par/exchange.hpp"

namespace craton {

namespace {

// A partial sum of one coarse cell in fixed point. The quantum comes from the largest term on any rank, so the
// integers, and with them the sum, do not depend on who added them.
struct Partial {
  std::int64_t cell = 0;
  std::int64_t high = 0;
  std::uint64_t low = 0;
};

// Terms are scaled to below 2^60: a relative error of 1e-18 of the largest term, and room for 2^67 terms in 128 bits.
constexpr int term_bits = 60;

}  // namespace

Remap::Remap(const Mesh& fine, const Mesh& coarse) : fine_(fine), coarse_(coarse) {
  find_stencils(find_parents());
  find_orphans();
  Array<double> ones("craton::remap::ones", static_cast<std::size_t>(fine.n_owned()));
  Kokkos::deep_copy(ones, 1.0);
  area_sum_ = sum_by_parent(ones);
}

std::vector<std::int64_t> Remap::find_parents() {
  const LocalId n = fine_.n_owned();
  std::vector<std::int64_t> parent(static_cast<std::size_t>(n));
  for (LocalId c = 0; c < n; ++c) {
    const Vec3 p = fine_.position()(c);
    const auto k = static_cast<std::size_t>(c);
    parent[k] = raw(c == 0 ? coarse_.grid().locate(p) : coarse_.grid().locate_from(p, GlobalId{parent[k - 1]}));
  }
  parents_ = parent;
  std::sort(parents_.begin(), parents_.end());
  parents_.erase(std::unique(parents_.begin(), parents_.end()), parents_.end());
  parent_index_.resize(parent.size());
  for (std::size_t k = 0; k < parent.size(); ++k) {
    parent_index_[k] =
        static_cast<std::int32_t>(std::lower_bound(parents_.begin(), parents_.end(), parent[k]) - parents_.begin());
  }
  return parent;
}

namespace {

struct Triangle {
  GlobalId cell[3];
  double weight[3];
};

// The triangle of a coarse cell and two of its neighbours that holds p, with the barycentric weights of p.
Triangle enclosing_triangle(const GeodesicGrid& grid, GlobalId nearest, Vec3 p) {
  const NeighbourList around = grid.neighbours(nearest);
  const Vec3 a = grid.position(nearest);
  Triangle best{};
  double best_inside = -2.0;
  for (int s = 0; s < around.count; ++s) {
    const GlobalId second = around.id[static_cast<std::size_t>(s)];
    const GlobalId third = around.id[static_cast<std::size_t>((s + 1) % around.count)];
    const Vec3 b = grid.position(second), c = grid.position(third);
    const double w[3] = {dot(p, cross(b, c)), dot(p, cross(c, a)), dot(p, cross(a, b))};
    const double total = w[0] + w[1] + w[2];
    const double inside = std::min({w[0], w[1], w[2]}) / total;
    if (inside > best_inside) {
      best_inside = inside;
      best = {{nearest, second, third}, {w[0] / total, w[1] / total, w[2] / total}};
    }
  }
  double total = 0;
  for (double& w : best.weight) total += (w = std::max(w, 0.0));
  for (double& w : best.weight) w /= total;
  return best;
}

}  // namespace

void Remap::find_stencils(const std::vector<std::int64_t>& parent) {
  const LocalId n = fine_.n_owned();
  std::vector<std::int64_t> cells(3 * static_cast<std::size_t>(n));
  stencils_.resize(static_cast<std::size_t>(n));
  for (LocalId c = 0; c < n; ++c) {
    const auto k = static_cast<std::size_t>(c);
    const Triangle t = enclosing_triangle(coarse_.grid(), GlobalId{parent[k]}, fine_.position()(c));
    for (std::size_t v = 0; v < 3; ++v) {
      cells[3 * k + v] = raw(t.cell[v]);
      stencils_[k].weight[v] = static_cast<float>(t.weight[v]);
    }
  }
  needed_ = cells;
  std::sort(needed_.begin(), needed_.end());
  needed_.erase(std::unique(needed_.begin(), needed_.end()), needed_.end());
  for (std::size_t k = 0; k < cells.size(); ++k) {
    stencils_[k / 3].index[k % 3] =
        static_cast<std::int32_t>(std::lower_bound(needed_.begin(), needed_.end(), cells[k]) - needed_.begin());
  }
  std::vector<LocalId> target(needed_.size());
  for (std::size_t k = 0; k < target.size(); ++k) target[k] = static_cast<LocalId>(k);
  gather_ = par::GatherPlan(
      coarse_.comm(), needed_, target, [this](std::int64_t key) { return coarse_.owner(GlobalId{key}); },
      [this](std::int64_t key) { return coarse_.local(GlobalId{key}); });
}

void Remap::find_orphans() {
  // Which owned coarse cells are some fine cell's parent is known to the ranks of those fine cells.
  std::vector<std::pair<int, std::vector<std::int64_t>>> outgoing;
  for (const std::int64_t cell : parents_) {
    const int owner = coarse_.owner(GlobalId{cell});
    if (outgoing.empty() || outgoing.back().first != owner) outgoing.push_back({owner, {}});
    outgoing.back().second.push_back(cell);
  }
  std::vector<bool> has_child(static_cast<std::size_t>(coarse_.n_owned()), false);
  for (const std::int64_t cell : par::exchange_items(coarse_.comm(), outgoing)) {
    has_child[static_cast<std::size_t>(coarse_.local(GlobalId{cell}))] = true;
  }
  std::vector<std::int64_t> nearest;
  std::vector<LocalId> target;
  for (LocalId c = 0; c < coarse_.n_owned(); ++c) {
    if (has_child[static_cast<std::size_t>(c)]) continue;
    orphan_coarse_.push_back(c);
    nearest.push_back(raw(fine_.grid().locate(coarse_.position()(c))));
    target.push_back(c);
  }
  orphans_ = par::GatherPlan(
      fine_.comm(), nearest, target, [this](std::int64_t key) { return fine_.owner(GlobalId{key}); },
      [this](std::int64_t key) { return fine_.local(GlobalId{key}); });
}

std::vector<double> Remap::sum_by_parent(const ConstArray<double>& fine) const {
  const ConstArray<double> area = fine_.area_m2();
  double largest = 0;
  for (LocalId c = 0; c < fine_.n_owned(); ++c) largest = std::max(largest, std::abs(area(c) * fine(c)));
  largest = fine_.comm().max(largest);
  int exponent = 0;
  std::frexp(largest, &exponent);
  const int shift = largest > 0 ? term_bits - exponent : 0;

  std::vector<Int128> sums(parents_.size(), 0);
  for (LocalId c = 0; c < fine_.n_owned(); ++c) {
    const auto k = static_cast<std::size_t>(parent_index_[static_cast<std::size_t>(c)]);
    sums[k] += static_cast<std::int64_t>(std::ldexp(area(c) * fine(c), shift));
  }
  std::vector<std::pair<int, std::vector<Partial>>> outgoing;
  for (std::size_t k = 0; k < parents_.size(); ++k) {
    const int owner = coarse_.owner(GlobalId{parents_[k]});
    if (outgoing.empty() || outgoing.back().first != owner) outgoing.push_back({owner, {}});
    outgoing.back().second.push_back(
        {parents_[k], static_cast<std::int64_t>(sums[k] >> 64), static_cast<std::uint64_t>(sums[k])});
  }
  std::vector<Int128> total(static_cast<std::size_t>(coarse_.n_owned()), 0);
  for (const Partial& p : par::exchange_items(coarse_.comm(), outgoing)) {
    total[static_cast<std::size_t>(coarse_.local(GlobalId{p.cell}))] +=
        (static_cast<Int128>(p.high) << 64) + static_cast<Int128>(p.low);
  }
  std::vector<double> result(total.size());
  for (std::size_t k = 0; k < total.size(); ++k) result[k] = std::ldexp(static_cast<double>(total[k]), -shift);
  return result;
}

void Remap::coarsen(const ConstArray<double>& fine, const Array<double>& coarse) const {
  Kokkos::fence();
  const std::vector<double> sums = sum_by_parent(fine);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (area_sum_[k] > 0) coarse(static_cast<LocalId>(k)) = sums[k] / area_sum_[k];
  }
  const par::Channel channel{fine.data(), coarse.data(), sizeof(double)};
  orphans_.gather(std::span(&channel, 1));
}

void Remap::fetch(const ConstArray<double>& coarse, int components, std::vector<double>& table) const {
  table.resize(needed_.size() * static_cast<std::size_t>(components));
  const par::Channel channel{coarse.data(), table.data(), sizeof(double) * static_cast<std::size_t>(components)};
  gather_.gather(std::span(&channel, 1));
}

void Remap::refine(const ConstArray<double>& coarse, const Array<double>& fine) const {
  std::vector<double> table;
  fetch(coarse, 1, table);
  for (LocalId c = 0; c < fine_.n_owned(); ++c) {
    const Stencil& s = stencils_[static_cast<std::size_t>(c)];
    double value = 0;
    for (std::size_t v = 0; v < 3; ++v)
      value += static_cast<double>(s.weight[v]) * table[static_cast<std::size_t>(s.index[v])];
    fine(c) = value;
  }
}

}  // namespace craton
