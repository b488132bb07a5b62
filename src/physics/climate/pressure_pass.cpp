// p = p0 - P (0.6 + 0.8 sin^2 s) cos(pi s / w) - k (T - zonal mean T)
// s latitude from the thermal equator of the month, w width of the overturning cell (belts.hpp): low at the thermal
// equator, high in the subtropics, low below the polar front; k makes warm land a low and cold land a high.
#include "physics/climate/belts.hpp"
#include "physics/climate/kernels.hpp"
#include "physics/climate/passes.hpp"
#include "physics/climate/thermal_equator.hpp"
#include "physics/climate/zonal.hpp"

namespace craton::climate {

namespace {
constexpr double mean_pressure_pa = 101325.0;
constexpr double tropical_share = 0.6;  // of the amplitude: the belts deepen polewards
}  // namespace

PressurePass::PressurePass(Setting setting)
    : ClimatePass(std::move(setting), {.name = "climate.pressure",
                                       .fields = {reads(fields::air_temperature_c), overwrites(fields::pressure_pa)},
                                       .books = {},
                                       .global = true}) {}

void PressurePass::run(State& state, const StepInfo&) {
  const Mesh& mesh = state.climate_mesh();
  const auto temperature = state.read(fields::air_temperature_c);
  const auto pressure = state.real(fields::pressure_pa);
  const auto position = mesh.position();
  const ZonalMeans zonal(mesh, temperature);
  const MonthlyLatitude equator = thermal_equators(zonal, belt_width_rad(planet(), climate()));
  const double width = belt_width_rad(planet(), climate());
  const double belt = climate().belt_pressure_pa, thermal = climate().thermal_pressure_pa_k;
  const int bands = zonal.bands();
  const Array<double> table = zonal.table();

  for_cells(
      "craton::climate.pressure::add_belts", mesh.n_owned(), KOKKOS_LAMBDA(LocalId c) {
        const double latitude = to_lon_lat(position(c)).lat_rad;
        const ZonalPlace place = zonal_place(latitude, bands);
        for (int m = 0; m < months; ++m) {
          const double mean = zonal_value(table, place, m);
          const double s = belt_latitude_rad(latitude, equator.rad[m]);
          const double amplitude = belt * (tropical_share + (1.0 - tropical_share) * 2.0 * std::sin(s) * std::sin(s));
          pressure(c * months + m) =
              mean_pressure_pa - amplitude * belt_ascent(s, width) - thermal * (temperature(c * months + m) - mean);
        }
      });
  mark_written(state);
}

}  // namespace craton::climate
