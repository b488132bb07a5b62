#include "physics/surface/receivers.hpp"

namespace craton::surface {

namespace {

// Slopes are compared by cross-multiplication, which spares a division per neighbour. Slots follow the global mesh, so
// that the order of comparisons, and with it every rounding, is the same on any partition.
KOKKOS_INLINE_FUNCTION std::int8_t steepest_slot(LocalId c, const ConstArray<double>& z,
                                                 const ConstSlotArray<LocalId>& neighbours,
                                                 const ConstSlotArray<float>& distance,
                                                 const ConstArray<std::int64_t>& id, double sea_level_m) {
  const double here = z(c);
  int best = no_receiver;
  double best_drop = 0, best_distance = 1;
  for (int s = 0; s < 6; ++s) {
    const LocalId n = neighbours(c, s);
    if (n == no_cell || !(z(n) < here)) continue;
    const double drop = here - (z(n) < sea_level_m ? sea_level_m : z(n)), d = distance(c, s);
    const double mine = drop * best_distance, other = best_drop * d;
    if (best == no_receiver || mine > other || (mine == other && id(n) < id(neighbours(c, best)))) {
      best = s;
      best_drop = drop;
      best_distance = d;
    }
  }
  return static_cast<std::int8_t>(best);
}

}  // namespace

ReceiverCounts find_receivers(const FlowNetwork& network, const ConstArray<double>& elevation_m, double sea_level_m) {
  const Mesh& mesh = network.mesh();
  const auto slot = network.slots();
  const auto neighbours = mesh.neighbours();
  const auto distance = mesh.distance_m();
  const auto id = mesh.global_ids();
  ReceiverCounts counts;
  Kokkos::parallel_reduce(
      "craton::surface.routing::find_receivers", Kokkos::RangePolicy<ExecutionSpace>(0, mesh.n_owned()),
      KOKKOS_LAMBDA(const LocalId c, std::int64_t& land, std::int64_t& pits) {
        std::int8_t found = base_level;
        if (!(elevation_m(c) < sea_level_m)) {
          found = steepest_slot(c, elevation_m, neighbours, distance, id, sea_level_m);
          ++land;
          pits += found == no_receiver;
        }
        slot(c) = found;
      },
      counts.land, counts.pits);
  Kokkos::fence();
  return counts;
}

}  // namespace craton::surface
