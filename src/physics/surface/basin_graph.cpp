#include "physics/surface/basin_graph.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"

namespace craton::surface {

namespace {

using Node = std::int32_t;

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), Node{0}); }
  /// False if the two were in one set already.
  bool unite(Node a, Node b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    return true;
  }

 private:
  Node find(Node a) {
    while (parent_[static_cast<std::size_t>(a)] != a) {
      Node& up = parent_[static_cast<std::size_t>(a)];
      up = parent_[static_cast<std::size_t>(up)];  // path halving
      a = up;
    }
    return a;
  }
  std::vector<Node> parent_;
};

struct TreeEdge {
  std::int32_t link;
  Node a, b;
};

std::vector<std::int64_t> sorted_basins(const std::vector<BasinLink>& links, std::int64_t root) {
  std::vector<std::int64_t> basins{root};
  basins.reserve(2 * links.size() + 1);
  for (const BasinLink& l : links) {
    basins.push_back(l.basin_a);
    basins.push_back(l.basin_b);
  }
  std::sort(basins.begin(), basins.end());
  basins.erase(std::unique(basins.begin(), basins.end()), basins.end());
  return basins;
}

// Kruskal 1956 on sorted links.
std::vector<TreeEdge> spanning_tree(const std::vector<BasinLink>& links, const std::vector<std::int64_t>& basins) {
  const auto node_of = [&](std::int64_t basin) {
    return static_cast<Node>(std::lower_bound(basins.begin(), basins.end(), basin) - basins.begin());
  };
  DisjointSets sets(basins.size());
  std::vector<TreeEdge> tree;
  tree.reserve(basins.size());
  for (std::size_t k = 0; k < links.size() && tree.size() + 1 < basins.size(); ++k) {
    const Node a = node_of(links[k].basin_a), b = node_of(links[k].basin_b);
    if (sets.unite(a, b)) tree.push_back({static_cast<std::int32_t>(k), a, b});
  }
  require(tree.size() + 1 == basins.size(), "a basin has no pass towards the sea");
  return tree;
}

}  // namespace

bool is_lower(const BasinLink& left, const BasinLink& right) {
  if (left.height_m != right.height_m) return left.height_m < right.height_m;
  const auto [left_first, left_second] = std::minmax(left.cell_a, left.cell_b);
  const auto [right_first, right_second] = std::minmax(right.cell_a, right.cell_b);
  if (left_first != right_first) return left_first < right_first;
  return left_second < right_second;
}

std::vector<Outlet> find_outlets(std::vector<BasinLink> links, std::int64_t root) {
  std::sort(links.begin(), links.end(), is_lower);
  const std::vector<std::int64_t> basins = sorted_basins(links, root);
  const std::vector<TreeEdge> tree = spanning_tree(links, basins);

  // Edges by node, then breadth first from the root: each basin drains over the edge by which it was reached.
  std::vector<std::int32_t> begin(basins.size() + 1, 0), edges(2 * tree.size());
  for (const TreeEdge& e : tree) {
    ++begin[static_cast<std::size_t>(e.a) + 1];
    ++begin[static_cast<std::size_t>(e.b) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t k = 0; k < tree.size(); ++k) {
    for (const Node node : {tree[k].a, tree[k].b}) {
      edges[static_cast<std::size_t>(next[static_cast<std::size_t>(node)]++)] = static_cast<std::int32_t>(k);
    }
  }
  std::vector<Outlet> outlets;
  outlets.reserve(tree.size());
  std::vector<bool> is_reached(basins.size(), false);
  std::vector<Node> queue{static_cast<Node>(std::lower_bound(basins.begin(), basins.end(), root) - basins.begin())};
  is_reached[static_cast<std::size_t>(queue.front())] = true;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const auto node = static_cast<std::size_t>(queue[at]);
    for (std::int32_t k = begin[node]; k < begin[node + 1]; ++k) {
      const TreeEdge& e = tree[static_cast<std::size_t>(edges[static_cast<std::size_t>(k)])];
      const Node other = static_cast<std::size_t>(e.a) == node ? e.b : e.a;
      if (is_reached[static_cast<std::size_t>(other)]) continue;
      is_reached[static_cast<std::size_t>(other)] = true;
      queue.push_back(other);
      const BasinLink& link = links[static_cast<std::size_t>(e.link)];
      outlets.push_back(other == e.a ? Outlet{link.cell_a, link.cell_b} : Outlet{link.cell_b, link.cell_a});
    }
  }
  return outlets;
}

}  // namespace craton::surface
