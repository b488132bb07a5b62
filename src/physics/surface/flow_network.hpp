#pragma once
// The rivers of the planet: which neighbour each cell drains to, and an order in which every donor stands before its
// receiver, cut into rounds so that it holds across ranks.
//
// In round r a rank visits each cell whose donors are all known: those on the rank, and those whose values came with
// the messages of rounds before r. After the round the values of cells that drain to another rank go there. The number
// of rounds is the largest number of rank crossings along a river, the same on every rank. The schedule is made once
// per routing (FlowNetwork::schedule) and swept in both directions:
//   downstream: donors before receivers; a cell sums its donors in slot order, so that the bits of the sum do not
//               depend on the partition;
//   upstream:   receivers before donors, with the messages of the schedule reversed.
// Cells that are swept are land. Sea cells are base level; they hold what reached them after a downstream sweep in
// their donors (for_donors).
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.hpp"
#include "mesh/mesh.hpp"
#include "par/exchange.hpp"

namespace craton::surface {

/// Codes in the slot array beside 0..5.
inline constexpr std::int8_t no_receiver = -1;  // a pit; after depressions are resolved only the outlet of a dry world
inline constexpr std::int8_t base_level = -2;   // sea

class FlowNetwork {
 public:
  /// Keeps a reference to the mesh. Local.
  explicit FlowNetwork(const Mesh& mesh);

  const Mesh& mesh() const { return mesh_; }
  /// Receiver slot or code per cell, extent n_all. Layer 1 of the halo must hold the owners' values before schedule().
  const Array<std::int8_t>& slots() const { return slot_; }

  bool is_land(LocalId c) const { return slot_(c) != base_level; }
  LocalId receiver(LocalId c) const { return slot_(c) < 0 ? no_cell : neighbours_(c, slot_(c)); }
  /// Slot of c that leads to its neighbour n.
  std::int8_t slot_towards(LocalId c, LocalId n) const;
  bool has_donors(LocalId c) const { return donors_(c) != 0; }
  /// Calls body(donor) for the donors of an owned cell in slot order.
  template <class Body>
  void for_donors(LocalId c, const Body& body) const {
    for (unsigned rest = donors_(c); rest != 0; rest &= rest - 1) body(neighbours_(c, std::countr_zero(rest)));
  }

  /// Builds donors and the schedule, and accumulates on the way: each value array (extent n_all) holds a cell's own
  /// contribution before, and that of all land upstream and its own after; halo donors hold their final values. Sea
  /// cells keep their own contribution. Error(internal) if the receivers have a cycle. Collective.
  void schedule(std::span<double* const> values);

  int round_count() const { return static_cast<int>(round_begin_.size()) - 1; }
  std::size_t land_count() const { return order_.size(); }

  /// visit(c) for each land cell, donors first. carried: arrays of extent n_all, of which the values of donors on other
  /// ranks are in the halo when their receiver is visited, and after the sweep for sea cells. Collective.
  template <class Visit>
  void sweep_downstream(std::span<double* const> carried, const Visit& visit) const {
    for (int r = 0; r < round_count(); ++r) {
      const std::size_t end = round_begin_[static_cast<std::size_t>(r) + 1];
      for (std::size_t k = round_begin_[static_cast<std::size_t>(r)]; k < end; ++k) visit(order_[k]);
      if (r + 1 < round_count()) send_downstream(r, carried);
    }
  }
  /// visit(c) for each land cell, receivers first; receivers on other ranks have their carried values in the halo.
  /// Values of sea cells must be set before. Collective.
  template <class Visit>
  void sweep_upstream(std::span<double* const> carried, const Visit& visit) const {
    for (int r = round_count() - 1; r >= 0; --r) {
      if (r + 1 < round_count()) send_upstream(r, carried);
      const std::size_t begin = round_begin_[static_cast<std::size_t>(r)];
      for (std::size_t k = round_begin_[static_cast<std::size_t>(r) + 1]; k-- > begin;) visit(order_[k]);
    }
  }

 private:
  /// Cells whose values go to or come from one rank after a round, in the same order on both sides.
  struct Shipment {
    int rank;
    std::vector<LocalId> cells;
  };
  struct Round {
    std::vector<Shipment> out, in;  // out: owned donors; in: the same donors in the receiving rank's halo
  };

  void find_halo_owners();
  void walk_leaves(std::span<double* const> values);
  void walk_from(LocalId start, std::span<double* const> values);
  void ship_round(std::span<double* const> values, std::vector<LocalId>& starts);
  void send_downstream(int round, std::span<double* const> carried) const;
  void send_upstream(int round, std::span<double* const> carried) const;

  const Mesh& mesh_;
  ConstSlotArray<LocalId> neighbours_;
  Array<std::uint32_t> reverse_;  // owned cells, three bits per slot
  Array<std::int8_t> slot_;       // n_all
  Array<std::uint8_t> donors_;    // owned cells, bit s: the neighbour in slot s drains here
  Array<std::uint8_t> waiting_;   // owned cells, donors not yet visited
  std::vector<LocalId> order_;
  std::vector<std::size_t> round_begin_;
  std::vector<Round> rounds_;                  // messages after each round but the last
  std::vector<int> halo_ranks_;                // ranks that own cells of the halo
  std::vector<std::int32_t> halo_owner_;       // halo cell -> index into halo_ranks_
  std::vector<std::vector<LocalId>> leaving_;  // while scheduling: cells of this round that drain to halo_ranks_[k]
};

}  // namespace craton::surface
