#include "physics/surface/passes.hpp"
#include "physics/surface/receivers.hpp"
#include "state/fields.hpp"

namespace craton::surface {

RoutingPass::RoutingPass(const config::Surface& parameters, SharedRivers rivers)
    : SurfacePass(
          {.name = "surface.routing",
           .fields = {reads(fields::elevation_m, 1), reads(fields::runoff_m_per_yr), overwrites(fields::receiver_slot),
                      overwrites(fields::drainage_area_m2), overwrites(fields::discharge_m3_per_yr)},
           .books = {Balance::water},
           .global = true},
          parameters, std::move(rivers)) {}

void RoutingPass::run(State& state, const StepInfo& step) {
  const Mesh& mesh = state.mesh();
  std::optional<Rivers>& shared = rivers_slot();
  if (!shared || &shared->network.mesh() != &mesh) shared.emplace(mesh);
  FlowNetwork& network = shared->network;
  const auto elevation = state.read(fields::elevation_m);
  const double sea_level = state.globals.sea_level_m;
  shared->depressions.resolve(elevation, sea_level, find_receivers(network, elevation, sea_level));

  const auto runoff = state.read(fields::runoff_m_per_yr);
  const auto slot = network.slots();
  const auto area = mesh.area_m2();
  const auto receiver_slot = state.integer(fields::receiver_slot);
  const auto drained = state.real(fields::drainage_area_m2);
  const auto discharge = state.real(fields::discharge_m3_per_yr);
  Kokkos::parallel_for(
      "craton::surface.routing::start_accumulation", Kokkos::RangePolicy<ExecutionSpace>(0, mesh.n_owned()),
      KOKKOS_LAMBDA(const LocalId c) {
        receiver_slot(c) = slot(c) < 0 ? -1 : slot(c);
        drained(c) = area(c);
        discharge(c) = slot(c) == base_level ? 0.0 : runoff(c) * area(c);
      });
  Kokkos::fence();
  ExactSum made, to_sea, to_sinks;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) made += discharge(c) * step.dt_yr;

  double* const values[] = {drained.data(), discharge.data()};
  network.schedule(values);

  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (slot(c) == no_receiver) to_sinks += -discharge(c) * step.dt_yr;
    if (slot(c) != base_level || !network.has_donors(c)) continue;
    network.for_donors(c, [&](LocalId donor) {
      drained(c) += drained(donor);
      discharge(c) += discharge(donor);
    });
    to_sea += -discharge(c) * step.dt_yr;
  }
  state.ledger.book(Balance::water, "runoff", made);
  state.ledger.book(Balance::water, "to_sea", to_sea);
  state.ledger.book(Balance::water, "to_sinks", to_sinks);
}

}  // namespace craton::surface
