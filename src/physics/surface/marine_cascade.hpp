#pragma once
// Where the load of rivers comes to rest. Load enters sea cells at the coast and goes from cell to cell. A cell fills
// up to
//   top = min(sea level - wave base, lowest sea neighbour + steepest marine slope * distance)
// so that deltas build out as a shelf with a slope before it; what does not fit goes on to the neighbour that is
// nearest to room, counted in cells (ties: the deepest, then the smaller global id). Cells that turn out full raise
// their distance as the load meets them (learning real-time search, Korf 1990), and distances are measured anew now and
// then; load that no way leads out for (a full bay) stays where it is. All cells that hold load act at once, so that
// nothing depends on the partition.
#include <vector>

#include "core/exact_sum.hpp"
#include "mesh/mesh.hpp"
#include "physics/surface/flow_network.hpp"

namespace craton::surface {

struct MarineRules {
  double sea_level_m, wave_base_m, slope;
  std::int64_t rounds;
};

class MarineCascade {
 public:
  /// Keeps a reference to the mesh. Local.
  explicit MarineCascade(const Mesh& mesh);

  /// Moves load_m3 (n_all) of sea cells into elevation and deposition until none can move or the rounds are spent.
  /// Returns what was laid down on this rank. Collective.
  ExactSum settle(const FlowNetwork& network, const Array<double>& elevation_m, const Array<double>& deposition_m,
                  const Array<double>& load_m3, const MarineRules& rules);

 private:
  double top_of(const FlowNetwork& network, const Array<double>& elevation_m, LocalId c,
                const MarineRules& rules) const;
  void measure_hops(const FlowNetwork& network, const Array<double>& elevation_m, const MarineRules& rules);
  int best_slot(const FlowNetwork& network, const Array<double>& elevation_m, LocalId c) const;

  const Mesh& mesh_;
  Array<std::int32_t> hops_;    // n_all: cells to the nearest room, at least
  Array<std::int32_t> onward_;  // n_all: slot that load leaves by in this round, or -1
  Array<double> leaving_m3_;    // n_all
};

}  // namespace craton::surface
