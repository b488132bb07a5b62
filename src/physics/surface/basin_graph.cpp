#include "physics/surface/basin_graph.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "core/error.hpp"

namespace craton::surface {

namespace {

using Node = std::int32_t;
constexpr Node sea_node = 0;
constexpr std::int32_t no_link = -1;

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), Node{0}); }
  /// False if the two were in one set already. A set is named by its smallest node.
  bool unite(Node a, Node b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    return true;
  }
  Node find(Node a) {
    while (parent_[static_cast<std::size_t>(a)] != a) {
      Node& up = parent_[static_cast<std::size_t>(a)];
      up = parent_[static_cast<std::size_t>(up)];  // path halving
      a = up;
    }
    return a;
  }

 private:
  std::vector<Node> parent_;
};

struct Proposal {
  std::int64_t set, target;
  LinkKey key;
  int rank;           // of the proposer
  std::int32_t link;  // there
};
struct Question {
  std::int64_t about;  // a set or basin of the rank that is asked
  int rank;            // that asks
  std::int32_t place;  // where the answer belongs there
};
struct Answer {
  std::int32_t place;
  std::int64_t value;
};
}  // namespace

LinkKey key_of(const BasinLink& l) {
  return {l.height_m, std::min(l.cell_a, l.cell_b), std::max(l.cell_a, l.cell_b)};
}

bool operator<(const LinkKey& left, const LinkKey& right) {
  return std::tie(left.height_m, left.first, left.second) < std::tie(right.height_m, right.first, right.second);
}

bool is_lower(const BasinLink& left, const BasinLink& right) {
  return left.height_m != right.height_m ? left.height_m < right.height_m : key_of(left) < key_of(right);
}

/// What a rank holds while the tree grows. Nodes: the sea, its own basins, and the basins of other ranks at the far end
/// of their links.
struct BasinGraph::Nodes {
  std::vector<std::int64_t> basins;  // by node
  std::size_t own_end = 1;           // nodes before this are the sea and own basins
  std::vector<BasinLink> links;
  std::vector<std::pair<Node, Node>> ends;  // of each link
  std::vector<std::int32_t> open;           // links whose ends are in different sets
  std::vector<bool> is_tree;                // by link, chosen here

  DisjointSets sets{1};            // inside the rank
  std::vector<std::int64_t> name;  // of the set across ranks, by node; of own nodes only at the root of their inner set
  std::unordered_map<std::int64_t, std::int64_t> parent;  // of sets that this rank leads and that are not the sea's

  bool is_own(Node node) const { return node != sea_node && static_cast<std::size_t>(node) < own_end; }
  Node node_of(std::int64_t basin) const {
    const auto own = basins.begin() + static_cast<std::ptrdiff_t>(own_end);
    auto at = std::lower_bound(basins.begin(), own, basin);
    if (at == own || *at != basin) at = std::lower_bound(own, basins.end(), basin);
    return static_cast<Node>(at - basins.begin());
  }
  std::int64_t name_of(Node node) {
    return name[static_cast<std::size_t>(static_cast<std::size_t>(node) < own_end ? sets.find(node) : node)];
  }
};

/// Ranks that want to know the names of own basins.
struct BasinGraph::Subscriptions {
  std::vector<Question> asked;
};

// Each link goes to the owners of its two basins.
std::vector<BasinLink> BasinGraph::to_owners(const std::vector<BasinLink>& links) {
  Letters<BasinLink> letters;
  std::vector<BasinLink> own;
  for (const BasinLink& l : links) {
    int sent_to = -1;
    for (const std::int64_t basin : {l.basin_a, l.basin_b}) {
      if (basin == sea_basin) continue;
      const int owner = post_.owner_of(basin);
      if (owner == sent_to) continue;
      sent_to = owner;
      if (owner == post_.comm().rank()) {
        own.push_back(l);
      } else {
        letters.add(owner, l);
      }
    }
  }
  if (post_.comm().size() == 1) return own;
  const std::vector<BasinLink> arrived = post_.exchange(letters.take());
  own.insert(own.end(), arrived.begin(), arrived.end());
  return own;
}

std::vector<BasinLink> BasinGraph::spanning_tree(std::vector<BasinLink> found, std::int64_t root) {
  for (BasinLink& l : found) {
    if (l.basin_a == root) l.basin_a = sea_basin;
    if (l.basin_b == root) l.basin_b = sea_basin;
  }
  Nodes nodes;
  nodes.links = to_owners(found);
  found = {};

  std::vector<std::int64_t> own, others;
  for (const BasinLink& l : nodes.links) {
    for (const std::int64_t basin : {l.basin_a, l.basin_b}) {
      if (basin != sea_basin) (post_.owner_of(basin) == post_.comm().rank() ? own : others).push_back(basin);
    }
  }
  nodes.basins.push_back(sea_basin);
  for (std::vector<std::int64_t>* list : {&own, &others}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
    nodes.basins.insert(nodes.basins.end(), list->begin(), list->end());
    if (list == &own) nodes.own_end = nodes.basins.size();
    *list = {};
  }
  nodes.ends.reserve(nodes.links.size());
  for (const BasinLink& l : nodes.links) nodes.ends.emplace_back(nodes.node_of(l.basin_a), nodes.node_of(l.basin_b));
  nodes.open.resize(nodes.links.size());
  std::iota(nodes.open.begin(), nodes.open.end(), std::int32_t{0});
  nodes.is_tree.assign(nodes.links.size(), false);
  nodes.sets = DisjointSets(nodes.basins.size());

  grow_inside(nodes);
  if (post_.comm().size() > 1) grow_across(nodes);
  std::int64_t lost = 0;
  for (std::size_t k = 1; k < nodes.own_end; ++k) {
    const auto node = static_cast<Node>(k);
    lost += post_.comm().size() > 1 ? nodes.name_of(node) != sea_basin : nodes.sets.find(node) != sea_node;
  }
  post_.comm().together([&] { require(lost == 0, "a basin has no pass towards the sea"); });

  std::vector<BasinLink> chosen;
  for (std::size_t k = 0; k < nodes.links.size(); ++k) {
    if (nodes.is_tree[k]) chosen.push_back(nodes.links[k]);
  }
  if (post_.comm().size() == 1) return chosen;
  std::vector<BasinLink> tree = to_owners(chosen);
  // Both sides may have chosen a link.
  std::sort(tree.begin(), tree.end(), is_lower);
  const auto is_same = [](const BasinLink& a, const BasinLink& b) { return !is_lower(a, b) && !is_lower(b, a); };
  tree.erase(std::unique(tree.begin(), tree.end(), is_same), tree.end());
  return tree;
}

// Sets of own basins, each over its lowest link, until every lowest link leads to another rank. All links of own basins
// are here, so that the lowest of a set is known without asking.
void BasinGraph::grow_inside(Nodes& nodes) const {
  std::vector<std::int32_t> lowest(nodes.own_end);
  for (bool has_grown = true; has_grown;) {
    std::fill(lowest.begin(), lowest.end(), no_link);
    std::size_t kept = 0;
    for (const std::int32_t k : nodes.open) {
      const BasinLink& link = nodes.links[static_cast<std::size_t>(k)];
      const auto [node_a, node_b] = nodes.ends[static_cast<std::size_t>(k)];
      const Node a = nodes.sets.find(node_a), b = nodes.sets.find(node_b);
      if (a == b) continue;
      nodes.open[kept++] = k;
      for (const Node node : {a, b}) {
        if (!nodes.is_own(node)) continue;
        std::int32_t& best = lowest[static_cast<std::size_t>(node)];
        if (best == no_link || is_lower(link, nodes.links[static_cast<std::size_t>(best)])) best = k;
      }
    }
    nodes.open.resize(kept);
    has_grown = false;
    for (const std::int32_t k : lowest) {
      if (k == no_link) continue;
      const auto [a, b] = nodes.ends[static_cast<std::size_t>(k)];
      const auto is_other = [&](Node node) { return static_cast<std::size_t>(node) >= nodes.own_end; };
      if (is_other(a) || is_other(b) || !nodes.sets.unite(a, b)) continue;
      nodes.is_tree[static_cast<std::size_t>(k)] = true;
      has_grown = true;
    }
  }
}

void BasinGraph::grow_across(Nodes& nodes) {
  nodes.name = nodes.basins;
  const Subscriptions subscriptions = subscribe(nodes);
  publish(subscriptions, nodes);
  while (propose(nodes)) {
    follow(nodes);
    rename(nodes);
    publish(subscriptions, nodes);
  }
}

// Asks once for the names of the basins of other ranks; their owners keep the questions.
BasinGraph::Subscriptions BasinGraph::subscribe(const Nodes& nodes) {
  Letters<Question> letters;
  for (std::size_t k = nodes.own_end; k < nodes.basins.size(); ++k) {
    letters.add(post_.owner_of(nodes.basins[k]), {nodes.basins[k], post_.comm().rank(), static_cast<std::int32_t>(k)});
  }
  return {post_.exchange(letters.take())};
}

void BasinGraph::publish(const Subscriptions& subscriptions, Nodes& nodes) {
  Letters<Answer> letters;
  for (const Question& q : subscriptions.asked) {
    letters.add(q.rank, {q.place, nodes.name_of(nodes.node_of(q.about))});
  }
  for (const Answer& a : post_.exchange(letters.take())) nodes.name[static_cast<std::size_t>(a.place)] = a.value;
}

// Each set that is not the sea's chooses its lowest link. False on all ranks when there is no such set.
bool BasinGraph::propose(Nodes& nodes) {
  std::unordered_map<std::int64_t, Proposal> best;  // by set
  std::size_t kept = 0;
  for (const std::int32_t k : nodes.open) {
    const auto [a, b] = nodes.ends[static_cast<std::size_t>(k)];
    const std::int64_t set_a = nodes.name_of(a), set_b = nodes.name_of(b);
    if (set_a == set_b) continue;
    nodes.open[kept++] = k;
    const LinkKey key = key_of(nodes.links[static_cast<std::size_t>(k)]);
    const auto offer = [&](Node node, std::int64_t set, std::int64_t target) {
      if (!nodes.is_own(node) || set == sea_basin) return;
      const auto [at, is_new] = best.try_emplace(set, Proposal{set, target, key, post_.comm().rank(), k});
      if (!is_new && key < at->second.key) at->second = {set, target, key, post_.comm().rank(), k};
    };
    offer(a, set_a, set_b);
    offer(b, set_b, set_a);
  }
  nodes.open.resize(kept);
  if (!post_.comm().any(!best.empty())) return false;

  Letters<Proposal> letters;
  for (const auto& [set, proposal] : best) letters.add(post_.owner_of(set), proposal);
  std::unordered_map<std::int64_t, Proposal> chosen;
  for (const Proposal& p : post_.exchange(letters.take())) {
    const auto [at, is_new] = chosen.try_emplace(p.set, p);
    if (!is_new && p.key < at->second.key) at->second = p;
  }
  nodes.parent.clear();
  Letters<std::int32_t> winners;
  for (const auto& [set, proposal] : chosen) {
    nodes.parent[set] = proposal.target;
    winners.add(proposal.rank, proposal.link);
  }
  for (const std::int32_t link : post_.exchange(winners.take())) nodes.is_tree[static_cast<std::size_t>(link)] = true;
  return true;
}

// Leaders follow the chosen links: parent becomes the last set of the chain, the sea or the smaller of two sets that
// chose one another.
void BasinGraph::follow(Nodes& nodes) {
  std::vector<std::int64_t> moving;  // sets whose end is not known yet
  for (const auto& [set, parent] : nodes.parent) {
    if (parent != sea_basin) moving.push_back(set);
  }
  for (bool is_first = true; post_.comm().any(!moving.empty()); is_first = false) {
    Letters<Question> questions;
    for (std::size_t k = 0; k < moving.size(); ++k) {
      const std::int64_t parent = nodes.parent.at(moving[k]);
      questions.add(post_.owner_of(parent), {parent, post_.comm().rank(), static_cast<std::int32_t>(k)});
    }
    Letters<Answer> answers;
    for (const Question& q : post_.exchange(questions.take())) {
      const auto at = nodes.parent.find(q.about);
      answers.add(q.rank, {q.place, at == nodes.parent.end() ? q.about : at->second});
    }
    std::vector<std::int64_t> still;
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const Answer& a : post_.exchange(answers.take())) {
      const std::int64_t set = moving[static_cast<std::size_t>(a.place)], parent = nodes.parent.at(set);
      if (is_first && a.value == set) {
        if (set < parent)
          found.emplace_back(set, set);  // else the parent ends here itself
        else
          found.emplace_back(set, parent);
        continue;
      }
      if (a.value == parent) continue;  // the parent is an end
      found.emplace_back(set, a.value);
      if (a.value != sea_basin) still.push_back(set);
    }
    for (const auto& [set, parent] : found) nodes.parent[set] = parent;
    moving = std::move(still);
  }
}

// Holders of a set ask its leader what it is called now.
void BasinGraph::rename(Nodes& nodes) {
  std::map<std::int64_t, std::vector<Node>> holders;
  for (std::size_t k = 1; k < nodes.own_end; ++k) {
    const auto node = static_cast<Node>(k);
    if (nodes.sets.find(node) == node && nodes.name[k] != sea_basin) holders[nodes.name[k]].push_back(node);
  }
  Letters<Question> questions;
  std::vector<const std::vector<Node>*> places;
  for (const auto& [set, list] : holders) {
    questions.add(post_.owner_of(set), {set, post_.comm().rank(), static_cast<std::int32_t>(places.size())});
    places.push_back(&list);
  }
  Letters<Answer> answers;
  for (const Question& q : post_.exchange(questions.take())) {
    const auto at = nodes.parent.find(q.about);
    answers.add(q.rank, {q.place, at == nodes.parent.end() ? q.about : at->second});
  }
  for (const Answer& a : post_.exchange(answers.take())) {
    for (const Node node : *places[static_cast<std::size_t>(a.place)])
      nodes.name[static_cast<std::size_t>(node)] = a.value;
  }
}

namespace {

Outlet way_out_of_a(const BasinLink& l) {
  return {l.cell_a, l.cell_b, l.basin_a, l.basin_b, l.height_m, l.height_m, l.basin_a};
}
Outlet way_out_of_b(const BasinLink& l) {
  return {l.cell_b, l.cell_a, l.basin_b, l.basin_a, l.height_m, l.height_m, l.basin_b};
}

}  // namespace

// The sea is reached over the links to it.
std::vector<Outlet> BasinGraph::outlets(const std::vector<BasinLink>& tree) {
  std::vector<Outlet> starts;
  for (const BasinLink& l : tree) {
    if (l.basin_b == sea_basin && post_.owner_of(l.basin_a) == post_.comm().rank()) starts.push_back(way_out_of_a(l));
    if (l.basin_a == sea_basin && post_.owner_of(l.basin_b) == post_.comm().rank()) starts.push_back(way_out_of_b(l));
  }
  return outlets_from(starts, tree);
}

// Breadth first: each basin drains over the link by which it was reached.
std::vector<Outlet> BasinGraph::outlets_from(const std::vector<Outlet>& starts, const std::vector<BasinLink>& tree) {
  std::vector<std::int64_t> basins;
  for (const Outlet& o : starts) basins.push_back(o.basin);
  for (const BasinLink& l : tree) {
    for (const std::int64_t basin : {l.basin_a, l.basin_b}) {
      if (basin != sea_basin && post_.owner_of(basin) == post_.comm().rank()) basins.push_back(basin);
    }
  }
  std::sort(basins.begin(), basins.end());
  basins.erase(std::unique(basins.begin(), basins.end()), basins.end());
  const auto index_of = [&](std::int64_t basin) {
    const auto at = std::lower_bound(basins.begin(), basins.end(), basin);
    return at != basins.end() && *at == basin ? at - basins.begin() : std::ptrdiff_t{-1};
  };

  // Links by own basin.
  std::vector<std::size_t> begin(basins.size() + 1, 0);
  std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> ends;
  ends.reserve(tree.size());
  for (const BasinLink& l : tree) {
    ends.emplace_back(l.basin_a == sea_basin ? -1 : index_of(l.basin_a),
                      l.basin_b == sea_basin ? -1 : index_of(l.basin_b));
    for (const std::ptrdiff_t at : {ends.back().first, ends.back().second}) {
      if (at >= 0) ++begin[static_cast<std::size_t>(at) + 1];
    }
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::size_t> links(begin.back()), next(begin.begin(), begin.end() - 1);
  for (std::size_t k = 0; k < tree.size(); ++k) {
    for (const std::ptrdiff_t at : {ends[k].first, ends[k].second}) {
      if (at >= 0) links[next[static_cast<std::size_t>(at)]++] = k;
    }
  }

  std::vector<Outlet> found(basins.size());
  std::vector<bool> is_reached(basins.size(), false);
  std::vector<std::size_t> queue;
  Letters<Outlet> letters;
  const auto reach = [&](const Outlet& o) {
    const std::ptrdiff_t at = index_of(o.basin);
    if (at < 0) {
      letters.add(post_.owner_of(o.basin), o);
    } else if (!is_reached[static_cast<std::size_t>(at)]) {
      is_reached[static_cast<std::size_t>(at)] = true;
      found[static_cast<std::size_t>(at)] = o;
      queue.push_back(static_cast<std::size_t>(at));
    }
  };
  for (const Outlet& o : starts) reach(o);
  for (;;) {
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const std::size_t basin = queue[at];
      for (std::size_t k = begin[basin]; k < begin[basin + 1]; ++k) {
        const BasinLink& l = tree[links[k]];
        const bool is_a = l.basin_a == basins[basin];
        if ((is_a ? l.basin_b : l.basin_a) == found[basin].next_basin) continue;  // the way that it came
        Outlet o = is_a ? way_out_of_b(l) : way_out_of_a(l);
        if (found[basin].level_m >= o.height_m) {
          o.level_m = found[basin].level_m;
          o.lake = found[basin].lake;
        }
        reach(o);
      }
    }
    queue.clear();
    if (post_.comm().size() == 1) break;
    const auto sent = letters.take();
    if (!post_.comm().any(!sent.empty())) break;
    for (const Outlet& o : post_.exchange(sent)) reach(o);
  }
  const bool is_whole = std::all_of(is_reached.begin(), is_reached.end(), [](bool reached) { return reached; });
  post_.comm().together([&] { require(is_whole, "a basin of the spanning tree is not reached from the sea"); });
  return found;
}

}  // namespace craton::surface
