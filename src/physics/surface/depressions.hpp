#pragma once
// Gives every pit a way to the sea. Each land cell is labelled by the pit at the end of its descent, the lowest pass
// between two basins joins them in a graph, the graph's minimum spanning tree says over which pass each basin spills,
// and the receivers from that pass down to the pit are turned round ("carve": Cordonnier, Bovy and Braun 2019).
// Afterwards
//   w(c) = max(z(c), w(receiver(c)))
// is the surface of the filled terrain, and only cells under it (z < w) drain to a higher cell.
//
// A world without sea has one outlet, its lowest cell (ties by global id).
//
// Labels and turned paths cross ranks by messages; the graph is spread over the ranks (basin_graph.hpp).
#include <cstdint>
#include <utility>
#include <vector>

#include "mesh/mesh.hpp"
#include "physics/surface/basin_graph.hpp"
#include "physics/surface/flow_network.hpp"
#include "physics/surface/receivers.hpp"

namespace craton::surface {

class Depressions {
 public:
  /// Keeps a reference to the network. Local.
  explicit Depressions(FlowNetwork& network);

  /// Changes the slots of owned cells so that every land cell drains to the sea, and refreshes layer 1 of their halo.
  /// elevation needs one halo layer. Returns the number of pits on all ranks. Collective.
  std::int64_t resolve(const ConstArray<double>& elevation_m, double sea_level_m, const ReceiverCounts& counts);

  /// What the basin graph cost this rank since the start.
  const Traffic& traffic() const { return graph_.post().traffic(); }

 private:
  std::int64_t find_root(const ConstArray<double>& elevation_m, bool has_sea) const;
  void label_owned();
  void label_across_ranks();
  void merge_labels();
  std::pair<std::int64_t, std::int64_t> cell_pair(LocalId a, LocalId b) const;
  std::vector<BasinLink> find_links(const ConstArray<double>& elevation_m, double sea_level_m) const;
  void turn_paths(std::vector<Outlet> starts);

  FlowNetwork& network_;
  const Mesh& mesh_;
  BasinGraph graph_;
  std::vector<std::int32_t> tag_;    // n_all: index into basin_
  std::vector<std::int64_t> basin_;  // by tag: sea_basin or the pit's global id
  std::vector<LocalId> rim_;         // owned cells beside the halo
  Array<std::int64_t> label_;        // n_all: what crosses ranks while labelling
};

}  // namespace craton::surface
