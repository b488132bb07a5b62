#pragma once
// The graph of basins, spread over the ranks: nodes are pits (all sea is one node), links are the lowest passes between
// them. The minimum spanning tree gives each basin the pass over which its water leaves: on the way to the root along
// the tree no pass is higher than it must be (Cordonnier, Bovy and Braun 2019, section 3).
//
// A basin belongs to the rank that owns its pit, which holds the links of its basins and nothing else. The tree is
// found as in Boruvka 1926: the lowest link out of a set of basins belongs to the tree. Sets inside a rank grow without
// messages; what is left is one node per set, and sets that span ranks grow in rounds, halving in number at least:
//   1. holders of a set propose its lowest link to the set's leader, who takes the lowest of all;
//   2. leaders follow the chosen links to the end (pointer jumping); two sets that chose one another end in the
//   smaller;
//   3. holders ask for the name of the new set, and tell those who have links to it.
// Then the tree is walked from the sea outwards, across ranks by messages. Bytes per rank fall with the number of
// ranks.
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "physics/surface/basin_post.hpp"

namespace craton::surface {

/// Node of everything that drains to the sea. Pits are named by their global id.
inline constexpr std::int64_t sea_basin = -1;

/// Two neighbouring cells in different basins. Links are ordered by height, then by the smaller and the larger cell, so
/// that the tree is unique.
struct BasinLink {
  double height_m = 0;  // the higher of the two cells
  std::int64_t cell_a = 0, cell_b = 0;
  std::int64_t basin_a = 0, basin_b = 0;
};
bool is_lower(const BasinLink& left, const BasinLink& right);

/// What the order of links is made of.
struct LinkKey {
  double height_m = 0;
  std::int64_t first = 0, second = 0;  // cells, the smaller first
  friend bool operator==(const LinkKey&, const LinkKey&) = default;
};
bool operator<(const LinkKey& left, const LinkKey& right);
LinkKey key_of(const BasinLink& link);

/// The pass of one basin towards the root: its last cell, and the cell beyond.
struct Outlet {
  std::int64_t cell = no_outlet, beyond = no_outlet;
  std::int64_t basin = 0, next_basin = no_outlet;
  double height_m = 0;
  double level_m = 0;     // of the full lake that the basin is part of: the highest pass on the way to the root
  std::int64_t lake = 0;  // named by the basin over whose pass the lake spills

  static constexpr std::int64_t no_outlet = -2;  // of a basin that drains nowhere
};

class BasinGraph {
 public:
  /// Keeps a reference to the comm. Local.
  BasinGraph(const par::Comm& comm, BasinPost::OwnerOf owner_of) : post_(comm, std::move(owner_of)) {}

  /// The links of the minimum spanning tree at one or both basins of this rank. links: found by this rank, each link on
  /// one rank only. root: sea_basin, or the basin that stands for it in a world without. Error(internal) if a basin has
  /// no way to the root. Collective.
  std::vector<BasinLink> spanning_tree(std::vector<BasinLink> links, std::int64_t root);

  /// The outlet of every basin of this rank but the root, from the links of the tree as spanning_tree gives them.
  /// Collective.
  std::vector<Outlet> outlets(const std::vector<BasinLink>& tree);
  /// The same for a forest: basins of this rank whose outlets are known, and the links over which others reach them.
  /// Collective.
  std::vector<Outlet> outlets_from(const std::vector<Outlet>& starts, const std::vector<BasinLink>& tree);

  BasinPost& post() { return post_; }
  const BasinPost& post() const { return post_; }

 private:
  struct Nodes;
  struct Subscriptions;
  std::vector<BasinLink> to_owners(const std::vector<BasinLink>& links);
  void grow_inside(Nodes& nodes) const;
  void grow_across(Nodes& nodes);
  Subscriptions subscribe(const Nodes& nodes);
  void publish(const Subscriptions& subscriptions, Nodes& nodes);
  bool propose(Nodes& nodes);
  void follow(Nodes& nodes);
  void rename(Nodes& nodes);

  BasinPost post_;
};

}  // namespace craton::surface
