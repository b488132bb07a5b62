#include "physics/climate/kernels.hpp"
#include "physics/climate/orbit.hpp"
#include "physics/climate/passes.hpp"

namespace craton::climate {

BoundaryPass::BoundaryPass(Setting setting)
    : ClimatePass(std::move(setting), {.name = "climate.boundary",
                                       .fields = {reads(fields::elevation_m), overwrites(fields::climate_height_m),
                                                  overwrites(fields::climate_land_fraction)},
                                       .books = {},
                                       .global = true}) {}

void BoundaryPass::run(State& state, const StepInfo&) {
  const LocalId n = state.mesh().n_owned();
  const double sea_level = state.globals.sea_level_m;
  const auto elevation = state.read(fields::elevation_m);
  Array<double> height("craton::climate::height", static_cast<std::size_t>(n));
  Array<double> land("craton::climate::land", static_cast<std::size_t>(n));
  for_cells(
      "craton::climate.boundary::measure_land", n, KOKKOS_LAMBDA(LocalId c) {
        height(c) = std::fmax(elevation(c) - sea_level, 0.0);
        land(c) = elevation(c) < sea_level ? 0.0 : 1.0;
      });
  state.remap().coarsen(height, state.real(fields::climate_height_m));
  const auto fraction = state.real(fields::climate_land_fraction);
  state.remap().coarsen(land, fraction);
  // A mean of ones may round to just above one.
  for_cells(
      "craton::climate.boundary::bound_fraction", state.climate_mesh().n_owned(),
      KOKKOS_LAMBDA(LocalId c) { fraction(c) = std::fmin(1.0, std::fmax(0.0, fraction(c))); });
  mark_written(state);
}

InsolationPass::InsolationPass(Setting setting)
    : ClimatePass(std::move(setting), {.name = "climate.insolation",
                                       .fields = {overwrites(fields::insolation_w_m2)},
                                       .books = {},
                                       .global = false}) {}

void InsolationPass::run(State& state, const StepInfo&) {
  constexpr int samples = 8;  // midpoints within a month
  const Mesh& mesh = state.climate_mesh();
  const auto position = mesh.position();
  const auto insolation = state.real(fields::insolation_w_m2);
  for (int m = 0; m < months; ++m) {
    Sun sun[samples];
    for (int k = 0; k < samples; ++k) sun[k] = sun_at(planet(), (m + (k + 0.5) / samples) / months);
    for_cells(
        "craton::climate.insolation::average_month", mesh.n_owned(), KOKKOS_LAMBDA(LocalId c) {
          double sum = 0;
          for (int k = 0; k < samples; ++k) sum += daily_insolation_w_m2(sun[k], position(c).z);
          insolation(c * months + m) = sum / samples;
        });
  }
  mark_written(state);
}

}  // namespace craton::climate
