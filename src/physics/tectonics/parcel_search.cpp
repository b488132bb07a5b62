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
  state_ = &state;
  const std::vector<Parcel>& parcels = state.crust.parcels;
  begin_.assign(static_cast<std::size_t>(mesh_.n_owned()) + 1, 0);
  for (const Parcel& p : parcels) ++begin_[static_cast<std::size_t>(mesh_.local(GlobalId{p.cell})) + 1];
  for (std::size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];

  std::vector<std::pair<int, std::vector<Parcel>>> outgoing;
  for (const auto& [rank, cells] : subscribers_) {
    outgoing.push_back({rank, {}});
    for (const LocalId c : cells) {
      const auto inside = in_cell(c);
      outgoing.back().second.insert(outgoing.back().second.end(), inside.begin(), inside.end());
    }
  }
  halo_ = par::exchange_items(mesh_.comm(), outgoing);
  std::stable_sort(halo_.begin(), halo_.end(), [&](const Parcel& a, const Parcel& b) {
    return mesh_.local(GlobalId{a.cell}) < mesh_.local(GlobalId{b.cell});
  });
  halo_begin_.assign(static_cast<std::size_t>(mesh_.n_all() - mesh_.n_owned()) + 1, 0);
  for (const Parcel& p : halo_) {
    ++halo_begin_[static_cast<std::size_t>(mesh_.local(GlobalId{p.cell}) - mesh_.n_owned()) + 1];
  }
  for (std::size_t k = 1; k < halo_begin_.size(); ++k) halo_begin_[k] += halo_begin_[k - 1];
}

std::span<const Parcel> ParcelSearch::in_cell(LocalId c) const {
  const bool is_own = c < mesh_.n_owned();
  const auto& begin = is_own ? begin_ : halo_begin_;
  const auto k = static_cast<std::size_t>(is_own ? c : c - mesh_.n_owned());
  const Parcel* first = (is_own ? state_->crust.parcels.data() : halo_.data()) + begin[k];
  return {first, static_cast<std::size_t>(begin[k + 1] - begin[k])};
}

int ParcelSearch::nearest_by_plate(LocalId c, double reach, Nearest (&found)[max_plates]) const {
  int count = 0;
  const Vec3 centre = mesh_.position()(c);
  const Plate* plates = state_->crust.plates.data();
  const auto visit = [&](LocalId cell) {
    if (cell == no_cell) return;
    for (const Parcel& p : in_cell(cell)) {
      const double d = norm(rotate(plates[p.plate].orientation, p.frame_position) - centre);
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

const Parcel* ParcelSearch::nearest_of_plate(LocalId c, double reach, std::int32_t plate) const {
  Nearest found[max_plates];
  const int count = nearest_by_plate(c, reach, found);
  for (int k = 0; k < count; ++k) {
    if (found[k].plate == plate) return found[k].parcel;
  }
  return nullptr;
}

}  // namespace craton::tectonics
