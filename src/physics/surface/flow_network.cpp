#include "physics/surface/flow_network.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"

namespace craton::surface {

namespace {

/// Appends the bytes of a value.
template <class T>
std::byte* put(std::byte* to, const T& value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}
template <class T>
const std::byte* get(const std::byte* from, T& value) {
  std::memcpy(&value, from, sizeof value);
  return from + sizeof value;
}

/// Three bits per slot: the slot of the neighbour that leads back here.
void find_reverse_slots(const Mesh& mesh, const Array<std::uint32_t>& reverse) {
  const auto neighbours = mesh.neighbours();
  Kokkos::parallel_for(
      "craton::surface.routing::find_reverse_slots", Kokkos::RangePolicy<ExecutionSpace>(0, mesh.n_owned()),
      KOKKOS_LAMBDA(const LocalId c) {
        std::uint32_t packed = 0;
        for (unsigned s = 0; s < 6; ++s) {
          const LocalId n = neighbours(c, s);
          for (std::uint32_t back = 0; n != no_cell && back < 6; ++back) {
            if (neighbours(n, back) == c) packed |= back << (3 * s);
          }
        }
        reverse(c) = packed;
      });
  Kokkos::fence();
}

/// Bit s of donors(c): the neighbour in slot s drains to c; waiting: the number of such neighbours.
void find_donors(const Mesh& mesh, const Array<std::uint32_t>& reverse, const Array<std::int8_t>& slot,
                 const Array<std::uint8_t>& donors, const Array<std::uint8_t>& waiting) {
  const auto neighbours = mesh.neighbours();
  Kokkos::parallel_for(
      "craton::surface.routing::find_donors", Kokkos::RangePolicy<ExecutionSpace>(0, mesh.n_owned()),
      KOKKOS_LAMBDA(const LocalId c) {
        unsigned mask = 0, count = 0;
        const std::uint32_t back = reverse(c);
        for (unsigned s = 0; s < 6; ++s) {
          const LocalId n = neighbours(c, s);
          const bool drains_here = n != no_cell && slot(n) == static_cast<std::int8_t>((back >> (3 * s)) & 7U);
          mask |= static_cast<unsigned>(drains_here) << s;
          count += static_cast<unsigned>(drains_here);
        }
        donors(c) = static_cast<std::uint8_t>(mask);
        waiting(c) = static_cast<std::uint8_t>(count);
      });
  Kokkos::fence();
}

}  // namespace

FlowNetwork::FlowNetwork(const Mesh& mesh)
    : mesh_(mesh),
      neighbours_(mesh.neighbours()),
      reverse_("craton::surface::reverse_slot", static_cast<std::size_t>(mesh.n_owned())),
      slot_("craton::surface::slot", static_cast<std::size_t>(mesh.n_all())),
      donors_("craton::surface::donors", static_cast<std::size_t>(mesh.n_owned())),
      waiting_("craton::surface::waiting", static_cast<std::size_t>(mesh.n_owned())),
      round_begin_(1, 0) {
  find_reverse_slots(mesh_, reverse_);
  find_halo_owners();
}

void FlowNetwork::find_halo_owners() {
  for (LocalId c = mesh_.n_owned(); c < mesh_.n_all(); ++c) halo_ranks_.push_back(mesh_.owner(mesh_.global(c)));
  const std::vector<int> owners = halo_ranks_;
  std::sort(halo_ranks_.begin(), halo_ranks_.end());
  halo_ranks_.erase(std::unique(halo_ranks_.begin(), halo_ranks_.end()), halo_ranks_.end());
  for (const int rank : owners) {
    const auto at = std::lower_bound(halo_ranks_.begin(), halo_ranks_.end(), rank);
    halo_owner_.push_back(static_cast<std::int32_t>(at - halo_ranks_.begin()));
  }
  leaving_.resize(halo_ranks_.size());
}

std::int8_t FlowNetwork::slot_towards(LocalId c, LocalId n) const {
  for (int s = 0; s < 6; ++s) {
    if (neighbours_(c, s) == n) return static_cast<std::int8_t>(s);
  }
  throw Error(ExitCode::internal, "a receiver is no neighbour of its donor");
}

void FlowNetwork::schedule(std::span<double* const> values) {
  find_donors(mesh_, reverse_, slot_, donors_, waiting_);
  order_.clear();
  order_.reserve(static_cast<std::size_t>(mesh_.n_owned()));
  round_begin_.assign(1, 0);
  rounds_.clear();
  walk_leaves(values);
  round_begin_.push_back(order_.size());
  const auto is_leaving = [&] {
    return std::any_of(leaving_.begin(), leaving_.end(), [](const auto& list) { return !list.empty(); });
  };
  std::vector<LocalId> starts;
  while (mesh_.comm().any(is_leaving())) {
    ship_round(values, starts);
    for (const LocalId c : starts) walk_from(c, values);
    round_begin_.push_back(order_.size());
  }
  std::int64_t unvisited = 0;
  for (LocalId c = 0; c < mesh_.n_owned(); ++c) unvisited += is_land(c);
  unvisited -= static_cast<std::int64_t>(order_.size());
  mesh_.comm().together([&] { require(unvisited == 0, "receivers of the flow network form a cycle"); });
}

void FlowNetwork::walk_leaves(std::span<double* const> values) {
  for (LocalId c = 0; c < mesh_.n_owned(); ++c) {
    if (donors_(c) == 0 && is_land(c)) walk_from(c, values);
  }
}

// From a cell whose donors are all known, downstream for as long as this was the last donor that a receiver waited for.
void FlowNetwork::walk_from(LocalId start, std::span<double* const> values) {
  for (LocalId c = start;;) {
    order_.push_back(c);
    for (double* const v : values) {
      double total = v[c];
      for_donors(c, [&](LocalId donor) { total += v[donor]; });
      v[c] = total;
    }
    const LocalId next = receiver(c);
    if (next == no_cell) return;
    if (next >= mesh_.n_owned()) {
      leaving_[static_cast<std::size_t>(halo_owner_[static_cast<std::size_t>(next - mesh_.n_owned())])].push_back(c);
      return;
    }
    if (--waiting_(next) != 0 || !is_land(next)) return;
    c = next;
  }
}

// Sends the finished cells that drain to other ranks, with their ids: this is where the receiving side learns which of
// its halo cells the messages of this round hold. starts: owned cells that waited only for what came.
void FlowNetwork::ship_round(std::span<double* const> values, std::vector<LocalId>& starts) {
  Round& round = rounds_.emplace_back();
  const std::size_t item = sizeof(std::int64_t) + values.size() * sizeof(double);
  std::vector<par::Message> messages;
  for (std::size_t k = 0; k < leaving_.size(); ++k) {
    if (leaving_[k].empty()) continue;
    par::Message m{halo_ranks_[k], std::vector<std::byte>(leaving_[k].size() * item)};
    std::byte* to = m.bytes.data();
    for (const LocalId c : leaving_[k]) {
      to = put(to, raw(mesh_.global(c)));
      for (const double* v : values) to = put(to, v[c]);
    }
    messages.push_back(std::move(m));
    round.out.push_back({halo_ranks_[k], std::move(leaving_[k])});
    leaving_[k].clear();
  }
  starts.clear();
  for (const par::Message& m : par::exchange(mesh_.comm(), std::move(messages))) {
    Shipment& in = round.in.emplace_back(Shipment{m.rank, {}});
    const std::byte* const end = m.bytes.data() + m.bytes.size();
    for (const std::byte* from = m.bytes.data(); from != end;) {
      std::int64_t id = 0;
      from = get(from, id);
      const LocalId donor = mesh_.local(GlobalId{id});
      for (double* v : values) from = get(from, v[donor]);
      in.cells.push_back(donor);
      const LocalId next = receiver(donor);
      if (--waiting_(next) == 0 && is_land(next)) starts.push_back(next);
    }
  }
}

void FlowNetwork::send_downstream(int round, std::span<double* const> carried) const {
  const Round& plan = rounds_[static_cast<std::size_t>(round)];
  std::vector<par::Message> messages;
  for (const Shipment& out : plan.out) {
    par::Message m{out.rank, std::vector<std::byte>(out.cells.size() * carried.size() * sizeof(double))};
    std::byte* to = m.bytes.data();
    for (const LocalId c : out.cells) {
      for (const double* v : carried) to = put(to, v[c]);
    }
    messages.push_back(std::move(m));
  }
  const auto arrived = par::exchange(mesh_.comm(), std::move(messages));
  for (std::size_t k = 0; k < arrived.size(); ++k) {
    const std::byte* from = arrived[k].bytes.data();
    for (const LocalId donor : plan.in[k].cells) {
      for (double* v : carried) from = get(from, v[donor]);
    }
  }
}

void FlowNetwork::send_upstream(int round, std::span<double* const> carried) const {
  const Round& plan = rounds_[static_cast<std::size_t>(round)];
  std::vector<par::Message> messages;
  for (const Shipment& in : plan.in) {
    par::Message m{in.rank, std::vector<std::byte>(in.cells.size() * carried.size() * sizeof(double))};
    std::byte* to = m.bytes.data();
    for (const LocalId donor : in.cells) {
      for (const double* v : carried) to = put(to, v[receiver(donor)]);
    }
    messages.push_back(std::move(m));
  }
  const auto arrived = par::exchange(mesh_.comm(), std::move(messages));
  for (std::size_t k = 0; k < arrived.size(); ++k) {
    const std::byte* from = arrived[k].bytes.data();
    for (const LocalId donor : plan.out[k].cells) {
      for (double* v : carried) from = get(from, v[receiver(donor)]);
    }
  }
}

}  // namespace craton::surface
