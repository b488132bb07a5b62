#include "par/gather_plan.hpp"

#include <cstring>
#include <map>

#include "par/exchange.hpp"

namespace craton::par {

GatherPlan::GatherPlan(const Comm& comm, std::span<const std::int64_t> needed, std::span<const LocalId> target,
                       const std::function<int(std::int64_t)>& owner_of,
                       const std::function<LocalId(std::int64_t)>& index_of)
    : comm_(&comm) {
  std::map<int, std::pair<std::vector<std::int64_t>, std::vector<LocalId>>> wanted;  // by owner: keys, targets
  for (std::size_t k = 0; k < needed.size(); ++k) {
    const int owner = owner_of(needed[k]);
    if (owner == comm.rank()) {
      self_source_.push_back(index_of(needed[k]));
      self_target_.push_back(target[k]);
      continue;
    }
    wanted[owner].first.push_back(needed[k]);
    wanted[owner].second.push_back(target[k]);
  }
  std::vector<Message> requests;
  recv_begin_.push_back(0);
  for (const auto& [owner, list] : wanted) {
    Message m{owner, std::vector<std::byte>(list.first.size() * sizeof(std::int64_t))};
    std::memcpy(m.bytes.data(), list.first.data(), m.bytes.size());
    requests.push_back(std::move(m));
    recv_ranks_.push_back(owner);
    recv_index_.insert(recv_index_.end(), list.second.begin(), list.second.end());
    recv_begin_.push_back(static_cast<std::int64_t>(recv_index_.size()));
  }
  send_begin_.push_back(0);
  for (const Message& m : exchange(comm, std::move(requests))) {
    send_ranks_.push_back(m.rank);
    for (std::size_t at = 0; at < m.bytes.size(); at += sizeof(std::int64_t)) {
      std::int64_t key = 0;
      std::memcpy(&key, m.bytes.data() + at, sizeof key);
      send_index_.push_back(index_of(key));
    }
    send_begin_.push_back(static_cast<std::int64_t>(send_index_.size()));
  }
}

void GatherPlan::gather(std::span<const Channel> channels) const {
  if (comm_ == nullptr) return;
  Kokkos::fence();
  std::size_t item = 0;
  for (const Channel& c : channels) item += c.item_bytes;
  std::vector<std::byte> outgoing(send_index_.size() * item), incoming(recv_index_.size() * item);
  std::vector<MPI_Request> requests(recv_ranks_.size() + send_ranks_.size());
  constexpr int tag = 72;
  for (std::size_t r = 0; r < recv_ranks_.size(); ++r) {
    const auto at = static_cast<std::size_t>(recv_begin_[r]), end = static_cast<std::size_t>(recv_begin_[r + 1]);
    MPI_Irecv(incoming.data() + at * item, static_cast<int>((end - at) * item), MPI_BYTE, recv_ranks_[r], tag,
              comm_->handle(), &requests[r]);
  }
  for (std::size_t r = 0; r < send_ranks_.size(); ++r) {
    const auto at = static_cast<std::size_t>(send_begin_[r]), end = static_cast<std::size_t>(send_begin_[r + 1]);
    std::byte* to = outgoing.data() + at * item;
    for (const Channel& c : channels) {
      const auto* from = static_cast<const std::byte*>(c.source);
      for (std::size_t k = at; k < end; ++k, to += c.item_bytes) {
        std::memcpy(to, from + static_cast<std::size_t>(send_index_[k]) * c.item_bytes, c.item_bytes);
      }
    }
    MPI_Isend(outgoing.data() + at * item, static_cast<int>((end - at) * item), MPI_BYTE, send_ranks_[r], tag,
              comm_->handle(), &requests[recv_ranks_.size() + r]);
  }
  for (const Channel& c : channels) {
    const auto* from = static_cast<const std::byte*>(c.source);
    auto* to = static_cast<std::byte*>(c.target);
    for (std::size_t k = 0; k < self_source_.size(); ++k) {
      std::memcpy(to + static_cast<std::size_t>(self_target_[k]) * c.item_bytes,
                  from + static_cast<std::size_t>(self_source_[k]) * c.item_bytes, c.item_bytes);
    }
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (std::size_t r = 0; r < recv_ranks_.size(); ++r) {
    const auto at = static_cast<std::size_t>(recv_begin_[r]), end = static_cast<std::size_t>(recv_begin_[r + 1]);
    const std::byte* from = incoming.data() + at * item;
    for (const Channel& c : channels) {
      auto* to = static_cast<std::byte*>(c.target);
      for (std::size_t k = at; k < end; ++k, from += c.item_bytes) {
        std::memcpy(to + static_cast<std::size_t>(recv_index_[k]) * c.item_bytes, from, c.item_bytes);
      }
    }
  }
}

}  // namespace craton::par
