#include "physics/tectonics/parcel_search.hpp"

#include <algorithm>
#include <map>

#include "par/exchange.hpp"

namespace craton::tectonics {

namespace {

struct Subscription {
  std::int64_t cell;
  int rank;
};

}  // namespace

ParcelSearch::ParcelSearch(const Mesh& mesh) : mesh_(mesh) {
  std::map<int, std::vector<Subscription>> wanted;
  for (LocalId c = mesh.n_owned(); c < mesh.n_all(); ++c) {
    wanted[mesh.owner(mesh.global(c))].push_back({raw(mesh.global(c)), mesh.comm().rank()});
  }
  const std::vector<std::pair<int, std::vector<Subscription>>> outgoing(wanted.begin(), wanted.end());
  std::map<int, std::vector<LocalId>> by_rank;
  for (const auto& [cell, rank] : par::exchange_items(mesh.comm(), outgoing)) {
    by_rank[rank].push_back(mesh.local(GlobalId{cell}));
  }
  subscribers_.assign(by_rank.begin(), by_rank.end());
}

void ParcelSearch::refresh(const State& state) {
  const std::vector<Parcel>& parcels = state.crust.parcels;
  std::vector<Candidate> own;
  own.reserve(parcels.size());
  std::vector<std::int64_t> own_begin(static_cast<std::size_t>(mesh_.n_owned()) + 1, 0);
  for (const Parcel& p : parcels) {
    const Quaternion& q = state.crust.plates[static_cast<std::size_t>(p.plate)].orientation;
    own.push_back({rotate(q, p.frame_position), p.id, p.cell, p.thickness_m, p.sediment_m, p.continental, p.birth_yr,
                   p.orogeny_yr, p.elevation_m, p.plate, 0});
    ++own_begin[static_cast<std::size_t>(mesh_.local(GlobalId{p.cell})) + 1];
  }
  for (std::size_t k = 1; k < own_begin.size(); ++k) own_begin[k] += own_begin[k - 1];

  std::vector<std::pair<int, std::vector<Candidate>>> outgoing;
  for (const auto& [rank, cells] : subscribers_) {
    outgoing.push_back({rank, {}});
    for (const LocalId c : cells) {
      const auto k = static_cast<std::size_t>(c);
      outgoing.back().second.insert(outgoing.back().second.end(), own.begin() + own_begin[k], own.begin() + own_begin[k + 1]);
    }
  }
  std::vector<Candidate> halo = par::exchange_items(mesh_.comm(), outgoing);
  std::vector<std::pair<LocalId, std::size_t>> order;
  for (std::size_t k = 0; k < halo.size(); ++k) order.emplace_back(mesh_.local(GlobalId{halo[k].cell}), k);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  items_ = std::move(own);
  begin_ = std::move(own_begin);
  begin_.resize(static_cast<std::size_t>(mesh_.n_all()) + 1, begin_.back());
  std::size_t at = 0;
  for (LocalId c = mesh_.n_owned(); c < mesh_.n_all(); ++c) {
    for (; at < order.size() && order[at].first == c; ++at) items_.push_back(halo[order[at].second]);
    begin_[static_cast<std::size_t>(c) + 1] = static_cast<std::int64_t>(items_.size());
  }
}

std::span<const Candidate> ParcelSearch::in_cell(LocalId c) const {
  const auto first = static_cast<std::size_t>(begin_[static_cast<std::size_t>(c)]);
  return {items_.data() + first, static_cast<std::size_t>(begin_[static_cast<std::size_t>(c) + 1]) - first};
}

int ParcelSearch::nearest_by_plate(LocalId c, double reach, Nearest (&found)[max_plates]) const {
  int count = 0;
  const Vec3 centre = mesh_.position()(c);
  const auto visit = [&](LocalId cell) {
    if (cell == no_cell) return;
    for (const Candidate& p : in_cell(cell)) {
      const double d = norm(p.position - centre);
      if (d > reach) continue;
      int k = 0;
      while (k < count && found[k].plate != p.plate) ++k;
      if (k == count) {
        if (count == max_plates) continue;
        found[count++] = {p.plate, &p, d};
      } else if (d < found[k].distance || (d == found[k].distance && p.id < found[k].parcel->id)) {
        found[k] = {p.plate, &p, d};
      }
    }
  };
  visit(c);
  for (int s = 0; s < mesh_.neighbour_count()(c); ++s) visit(mesh_.neighbours()(c, s));
  std::sort(found, found + count, [](const Nearest& a, const Nearest& b) { return a.plate < b.plate; });
  return count;
}

const Candidate* ParcelSearch::nearest_of_plate(LocalId c, double reach, std::int32_t plate) const {
  Nearest found[max_plates];
  const int count = nearest_by_plate(c, reach, found);
  for (int k = 0; k < count; ++k) {
    if (found[k].plate == plate) return found[k].parcel;
  }
  return nullptr;
}

}  // namespace craton::tectonics
