#pragma once
// A fixed pattern of values that ranks need from other ranks, set up once and used for many fields: the halo is one,
// the remap between grids another. One message per neighbour and call, whatever the number of fields.
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/types.hpp"
#include "par/comm.hpp"

namespace craton::par {

/// One array that takes part in an exchange: components values of element_bytes per item, stored item by item.
struct Channel {
  const void* source = nullptr;  // indexed by the owner's item index
  void* target = nullptr;        // indexed by the target index given to the plan
  std::size_t item_bytes = 0;    // bytes of one item, all components
};

class GatherPlan {
 public:
  GatherPlan() = default;
  /// needed[k] is a key; owner_of(key) its rank; the owner's item index is index_of(key) evaluated on the owner; values
  /// arrive at target[k]. Keys owned by this rank are copied locally. Collective.
  GatherPlan(const Comm& comm, std::span<const std::int64_t> needed, std::span<const LocalId> target,
             const std::function<int(std::int64_t)>& owner_of, const std::function<LocalId(std::int64_t)>& index_of);

  /// Fetches all channels. source and target may be the same array. Collective.
  void gather(std::span<const Channel> channels) const;

  /// Bytes that this rank sends per item byte, and the number of ranks that it talks to.
  std::int64_t items_sent() const { return static_cast<std::int64_t>(send_index_.size()); }
  int neighbour_count() const { return static_cast<int>(send_ranks_.size()); }

 private:
  Comm const* comm_ = nullptr;
  std::vector<int> send_ranks_, recv_ranks_;
  std::vector<std::int64_t> send_begin_, recv_begin_;  // offsets into the index lists, one more than ranks
  std::vector<LocalId> send_index_, recv_index_;
  std::vector<LocalId> self_source_, self_target_;
};

}  // namespace craton::par
