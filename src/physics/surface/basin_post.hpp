#pragma once
// Messages about basins: who owns one, items by rank, and what all that costs.
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "par/comm.hpp"
#include "par/exchange.hpp"

namespace craton::surface {

/// What messages cost this rank so far, those to itself left out.
struct Traffic {
  std::int64_t bytes = 0;      // sent and received
  std::int64_t exchanges = 0;  // the same on every rank
};

/// Items by the rank that they go to.
template <class T>
class Letters {
 public:
  void add(int rank, const T& item) { by_rank_[rank].push_back(item); }
  std::vector<std::pair<int, std::vector<T>>> take() {
    std::vector<std::pair<int, std::vector<T>>> all;
    for (auto& [rank, items] : by_rank_) all.emplace_back(rank, std::move(items));
    by_rank_.clear();
    return all;
  }

 private:
  std::map<int, std::vector<T>> by_rank_;
};

class BasinPost {
 public:
  using OwnerOf = std::function<int(std::int64_t)>;  // rank of a cell by its global id; sees only pits

  /// Keeps a reference to comm. Local.
  BasinPost(const par::Comm& comm, OwnerOf owner_of) : comm_(comm), owner_of_(std::move(owner_of)) {}

  const par::Comm& comm() const { return comm_; }
  int owner_of(std::int64_t pit) const { return owner_of_(pit); }

  /// What arrives, in order of source rank. Collective.
  template <class T>
  std::vector<T> exchange(std::vector<std::pair<int, std::vector<T>>> outgoing) {
    ++traffic_.exchanges;
    if (comm_.size() == 1) return outgoing.empty() ? std::vector<T>{} : std::move(outgoing.front().second);
    std::int64_t items = 0;
    for (const auto& [rank, list] : outgoing) {
      const auto count = static_cast<std::int64_t>(list.size());
      items += rank == comm_.rank() ? -count : count;  // own ones arrive too
    }
    std::vector<T> arrived = par::exchange_items<T>(comm_, outgoing);
    traffic_.bytes += (items + static_cast<std::int64_t>(arrived.size())) * static_cast<std::int64_t>(sizeof(T));
    return arrived;
  }

  const Traffic& traffic() const { return traffic_; }

 private:
  const par::Comm& comm_;
  OwnerOf owner_of_;
  Traffic traffic_;
};

}  // namespace craton::surface
