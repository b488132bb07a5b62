#pragma once
// Sparse all-to-some exchange of byte buffers.
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "par/comm.hpp"

namespace craton::par {

struct Message {
  int rank = 0;  // destination when sent, source when received
  std::vector<std::byte> bytes;
};

/// Sends each message to its rank (own rank allowed) and returns what arrived, sorted by source rank. At most one
/// message per destination; messages may be empty. Collective.
std::vector<Message> exchange(const Comm& comm, std::vector<Message> outgoing);

/// As exchange, for vectors of a trivially copyable type: outgoing[r] goes to rank r (map rank -> items). Collective.
/// The result is the items in order of source rank.
template <class T>
std::vector<T> exchange_items(const Comm& comm, const std::vector<std::pair<int, std::vector<T>>>& outgoing) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<Message> messages;
  for (const auto& [rank, items] : outgoing) {
    Message m{rank, std::vector<std::byte>(items.size() * sizeof(T))};
    if (!items.empty()) std::memcpy(m.bytes.data(), items.data(), m.bytes.size());
    messages.push_back(std::move(m));
  }
  std::vector<T> result;
  for (const Message& m : exchange(comm, std::move(messages))) {
    const std::size_t old = result.size(), count = m.bytes.size() / sizeof(T);
    result.resize(old + count);
    if (count > 0) std::memcpy(result.data() + old, m.bytes.data(), m.bytes.size());
  }
  return result;
}

}  // namespace craton::par
