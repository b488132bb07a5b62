#include "physics/surface/depressions.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "core/log.hpp"
#include "par/exchange.hpp"

namespace craton::surface {

namespace {

constexpr std::int32_t untagged = -1;
constexpr std::int64_t unknown_basin = -2;
constexpr std::int32_t sea_tag = 0;

/// The lowest link between each pair of basins. Open addressing on the pair of tags: most look-ups hit a pair that is
/// there already.
class LowestLinks {
 public:
  explicit LowestLinks(std::size_t expected) {
    std::size_t size = 64;
    while (size < 2 * expected) size *= 2;
    slots_.assign(size, empty);
  }

  struct Link {
    std::int32_t tag_a, tag_b;
    double height_m;
    LocalId cell_a, cell_b;
  };

  /// The link of a pair of tags; a new one has infinite height.
  Link& at(std::int32_t a, std::int32_t b) {
    if (2 * links_.size() >= slots_.size()) grow();
    std::int32_t& slot = slots_[find(a, b)];
    if (slot == empty) {
      slot = static_cast<std::int32_t>(links_.size());
      links_.push_back({a, b, std::numeric_limits<double>::infinity(), no_cell, no_cell});
    }
    return links_[static_cast<std::size_t>(slot)];
  }
  const std::vector<Link>& links() const { return links_; }

 private:
  static constexpr std::int32_t empty = -1;

  std::size_t find(std::int32_t a, std::int32_t b) const {
    const auto key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) | static_cast<std::uint32_t>(b);
    std::size_t at = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 20) & (slots_.size() - 1);
    while (slots_[at] != empty) {
      const Link& l = links_[static_cast<std::size_t>(slots_[at])];
      if (l.tag_a == a && l.tag_b == b) break;
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), empty);
    for (std::size_t k = 0; k < links_.size(); ++k) {
      slots_[find(links_[k].tag_a, links_[k].tag_b)] = static_cast<std::int32_t>(k);
    }
  }

  std::vector<std::int32_t> slots_;
  std::vector<Link> links_;
};

}  // namespace

Depressions::Depressions(FlowNetwork& network)
    : network_(network),
      mesh_(network.mesh()),
      graph_(mesh_.comm(), [&mesh = network.mesh()](std::int64_t pit) { return mesh.owner(GlobalId{pit}); }) {
  const auto neighbours = mesh_.neighbours();
  for (LocalId c = 0; c < mesh_.n_owned(); ++c) {
    for (int s = 0; s < 6; ++s) {
      if (neighbours(c, s) < mesh_.n_owned()) continue;
      rim_.push_back(c);
      break;
    }
  }
}

std::int64_t Depressions::resolve(const ConstArray<double>& elevation_m, double sea_level_m,
                                  const ReceiverCounts& counts) {
  std::int64_t totals[] = {counts.land, counts.pits};
  mesh_.comm().sum(std::span(totals));
  const auto [land, pits] = totals;
  const bool has_sea = land < mesh_.global_count();
  const std::int64_t pits_at_end = has_sea ? 0 : 1;
  if (pits > pits_at_end) {
    const std::int64_t root = find_root(elevation_m, has_sea);
    tag_.assign(static_cast<std::size_t>(mesh_.n_all()), untagged);
    label_owned();
    label_across_ranks();
    std::map<int, std::vector<Outlet>> by_owner;
    for (const Outlet& o : graph_.outlets(graph_.spanning_tree(find_links(elevation_m, sea_level_m), root))) {
      by_owner[mesh_.owner(GlobalId{o.cell})].push_back(o);
    }
    turn_paths(par::exchange_items<Outlet>(mesh_.comm(), {by_owner.begin(), by_owner.end()}));
  }
  mesh_.refresh_halo(network_.slots());
  return pits;
}

std::int64_t Depressions::find_root(const ConstArray<double>& elevation_m, bool has_sea) const {
  if (has_sea) return sea_basin;
  double lowest_m = std::numeric_limits<double>::infinity();
  for (LocalId c = 0; c < mesh_.n_owned(); ++c) lowest_m = std::min(lowest_m, elevation_m(c));
  lowest_m = mesh_.comm().min(lowest_m);
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (LocalId c = 0; c < mesh_.n_owned(); ++c) {
    if (elevation_m(c) == lowest_m) first = std::min(first, raw(mesh_.global(c)));
  }
  return mesh_.comm().min(first);
}

// Follows receivers to a cell whose end is known, then marks the way. Ends: the sea, a pit, or a halo cell, whose own
// end label_across_ranks finds out.
void Depressions::label_owned() {
  basin_.assign(1, sea_basin);
  for (LocalId c = mesh_.n_owned(); c < mesh_.n_all(); ++c) {
    tag_[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(basin_.size());
    basin_.push_back(unknown_basin);
  }
  for (LocalId start = 0; start < mesh_.n_owned(); ++start) {
    std::int32_t tag = untagged;
    for (LocalId c = start; tag == untagged; c = network_.receiver(c)) {
      tag = tag_[static_cast<std::size_t>(c)];
      if (tag != untagged) break;
      if (!network_.is_land(c)) {
        tag = sea_tag;
      } else if (network_.receiver(c) == no_cell) {
        tag = static_cast<std::int32_t>(basin_.size());
        basin_.push_back(raw(mesh_.global(c)));
      }
    }
    for (LocalId c = start; c != no_cell && tag_[static_cast<std::size_t>(c)] == untagged; c = network_.receiver(c)) {
      tag_[static_cast<std::size_t>(c)] = tag;
    }
  }
}

// Owners publish what they know of their rim until every halo cell has a basin: as many rounds as a descent crosses
// ranks.
void Depressions::label_across_ranks() {
  if (mesh_.comm().size() == 1) return;
  if (label_.extent(0) == 0) {
    label_ = Array<std::int64_t>("craton::surface::label", static_cast<std::size_t>(mesh_.n_all()));
  }
  // Deeper layers of the halo are beside no owned cell, and no link needs them.
  const LocalId end = mesh_.n_through_layer(1);
  for (bool is_open = true; mesh_.comm().any(is_open);) {
    for (const LocalId c : rim_) label_(c) = basin_[static_cast<std::size_t>(tag_[static_cast<std::size_t>(c)])];
    mesh_.refresh_halo(label_);
    is_open = false;
    for (LocalId c = mesh_.n_owned(); c < end; ++c) {
      basin_[static_cast<std::size_t>(tag_[static_cast<std::size_t>(c)])] = label_(c);
      is_open = is_open || label_(c) == unknown_basin;
    }
  }
  merge_labels();
}

// Several tags may mean one basin now; the smallest tag stands for all of them.
void Depressions::merge_labels() {
  std::unordered_map<std::int64_t, std::int32_t> first;
  std::vector<std::int32_t> merged(basin_.size());
  for (std::size_t k = 0; k < basin_.size(); ++k) {
    merged[k] = first.try_emplace(basin_[k], static_cast<std::int32_t>(k)).first->second;
  }
  for (std::int32_t& tag : tag_) tag = merged[static_cast<std::size_t>(tag)];
}

/// Global ids of two cells, the smaller first.
std::pair<std::int64_t, std::int64_t> Depressions::cell_pair(LocalId a, LocalId b) const {
  const std::int64_t first = raw(mesh_.global(a)), second = raw(mesh_.global(b));
  return {std::min(first, second), std::max(first, second)};
}

std::vector<BasinLink> Depressions::find_links(const ConstArray<double>& elevation_m, double sea_level_m) const {
  const auto neighbours = mesh_.neighbours();
  LowestLinks lowest(4 * basin_.size());
  for (LocalId c = 0; c < mesh_.n_owned(); ++c) {
    if (!network_.is_land(c)) continue;
    const std::int32_t here = tag_[static_cast<std::size_t>(c)];
    for (int s = 0; s < 6; ++s) {
      const LocalId n = neighbours(c, s);
      if (n == no_cell || tag_[static_cast<std::size_t>(n)] == here) continue;
      // A pair of land cells is looked at from its larger cell, by the rank that owns it; a land cell looks at the sea.
      if (!(elevation_m(n) < sea_level_m) && mesh_.global(n) > mesh_.global(c)) continue;
      const std::int32_t there = tag_[static_cast<std::size_t>(n)];
      const double height_m = std::max(elevation_m(c), elevation_m(n));
      LowestLinks::Link& link = here < there ? lowest.at(here, there) : lowest.at(there, here);
      if (height_m > link.height_m) continue;
      const auto [a, b] = here < there ? std::pair{c, n} : std::pair{n, c};
      const bool is_first = height_m < link.height_m || link.cell_a == no_cell;
      if (is_first || cell_pair(a, b) < cell_pair(link.cell_a, link.cell_b)) {
        link.height_m = height_m;
        link.cell_a = a;
        link.cell_b = b;
      }
    }
  }
  std::vector<BasinLink> links;
  links.reserve(lowest.links().size());
  for (const LowestLinks::Link& l : lowest.links()) {
    links.push_back({l.height_m, raw(mesh_.global(l.cell_a)), raw(mesh_.global(l.cell_b)),
                     basin_[static_cast<std::size_t>(l.tag_a)], basin_[static_cast<std::size_t>(l.tag_b)]});
  }
  return links;
}

// Turns the receivers of each basin from its pass to its pit; where the path leaves the rank, its rest goes to the next
// owner. Paths lie in different trees and do not touch.
void Depressions::turn_paths(std::vector<Outlet> starts) {
  const auto slot = network_.slots();
  for (bool is_first = true; is_first || mesh_.comm().any(!starts.empty()); is_first = false) {
    std::map<int, std::vector<Outlet>> rest;
    for (const Outlet& o : starts) {
      LocalId c = mesh_.local(GlobalId{o.cell}), beyond = mesh_.local(GlobalId{o.beyond});
      while (c != no_cell && c < mesh_.n_owned()) {
        const LocalId next = network_.receiver(c);
        slot(c) = network_.slot_towards(c, beyond);
        beyond = c;
        c = next;
      }
      if (c == no_cell) continue;
      const std::int64_t id = raw(mesh_.global(c));
      rest[mesh_.owner(GlobalId{id})].push_back({.cell = id, .beyond = raw(mesh_.global(beyond))});
    }
    starts = par::exchange_items<Outlet>(mesh_.comm(), {rest.begin(), rest.end()});
  }
}

}  // namespace craton::surface
