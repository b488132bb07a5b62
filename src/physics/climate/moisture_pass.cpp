// The vapour balance on all levels (moisture.hpp), then a factor per month that makes the planet's rain equal to its
// evaporation exactly: what the sweeps leave open is spread over all rain. The year's evaporation is booked here, the
// rain where it reaches the ground (climate.downscale).
#include "physics/climate/belts.hpp"
#include "physics/climate/moisture.hpp"
#include "physics/climate/passes.hpp"

namespace craton::climate {

namespace {

constexpr int coarsest_sweeps = 200;
constexpr int finer_sweeps = 60;

MoistureInput coarsened(const Levels& level, const MoistureInput& fine, int from_level) {
  return {level.coarsened(fine.land_fraction, 1, from_level),
          level.coarsened(fine.height_m, 1, from_level),
          level.coarsened(fine.annual_insolation_w_m2, 1, from_level),
          level.coarsened(fine.temperature_c, months, from_level),
          level.coarsened(fine.anomaly_k, months, from_level),
          level.coarsened(fine.wind_east_m_s, months, from_level),
          level.coarsened(fine.wind_north_m_s, months, from_level)};
}

}  // namespace

MoisturePass::MoisturePass(Setting setting)
    : ClimatePass(std::move(setting),
                  {.name = "climate.moisture",
                   .fields = {reads(fields::climate_land_fraction), reads(fields::climate_height_m, 1),
                              reads(fields::insolation_w_m2), reads(fields::air_temperature_c),
                              reads(fields::wind_east_m_per_s, 1), reads(fields::wind_north_m_per_s, 1),
                              overwrites(fields::rain_m_per_yr), overwrites(fields::evaporation_m_per_yr)},
                   .books = {Balance::water},
                   .global = true}) {}

void MoisturePass::run(State& state, const StepInfo&) {
  const Levels& level = levels(state);
  const Mesh& mesh = state.climate_mesh();
  const LocalId n = mesh.n_owned();

  // 1. Inputs on every level, the coarsest last.
  Array<double> annual("craton::climate::annual_insolation", static_cast<std::size_t>(mesh.n_all()));
  const auto insolation = state.read(fields::insolation_w_m2);
  for_cells(
      "craton::climate.moisture::average_year", n, KOKKOS_LAMBDA(LocalId c) {
        double sum = 0;
        for (int m = 0; m < months; ++m) sum += insolation(c * months + m);
        annual(c) = sum / months;
      });
  const auto temperature = state.real(fields::air_temperature_c);
  const ZonalMeans zonal(mesh, temperature);
  const MonthlyLatitude equator = thermal_equators(zonal, belt_width_rad(planet(), climate()));
  Array<double> anomaly("craton::climate::moisture_anomaly", static_cast<std::size_t>(mesh.n_all()) * months);
  const Array<double> table = zonal.table();
  const int bands = zonal.bands();
  const auto position = mesh.position();
  for_cells(
      "craton::climate.moisture::set_anomaly", n, KOKKOS_LAMBDA(LocalId c) {
        const ZonalPlace place = zonal_place(to_lon_lat(position(c)).lat_rad, bands);
        for (int m = 0; m < months; ++m)
          anomaly(c * months + m) = temperature(c * months + m) - zonal_value(table, place, m);
      });
  std::vector<MoistureInput> input = {{state.real(fields::climate_land_fraction), state.real(fields::climate_height_m),
                                       annual, temperature, anomaly, state.real(fields::wind_east_m_per_s),
                                       state.real(fields::wind_north_m_per_s)}};
  for (int k = 0; k + 1 < level.count(); ++k) input.push_back(coarsened(level, input.back(), k));

  // 2. Upwards, each level starting from the column of the one below.
  const auto evaporation = state.real(fields::evaporation_m_per_yr), rain = state.real(fields::rain_m_per_yr);
  Array<double> vapour;
  for (int k = level.count() - 1; k >= 0; --k) {
    const MoistureBalance balance(level.mesh(k), planet(), climate(), input[static_cast<std::size_t>(k)], equator);
    const bool coarsest = k == level.count() - 1;
    vapour = coarsest ? balance.first_guess() : level.refined(vapour, months, k + 1);
    balance.relax(vapour, coarsest ? coarsest_sweeps : finer_sweeps);
    if (k == 0) balance.evaluate(vapour, evaporation, rain);
  }

  // 3. Metres a year, and rain = evaporation over the planet in every month.
  const auto area = mesh.area_m2();
  std::vector<ExactSum> sums(2 * months);
  for (LocalId c = 0; c < n; ++c) {
    for (int m = 0; m < months; ++m) {
      sums[static_cast<std::size_t>(m)].add(area(c) * evaporation(c * months + m));
      sums[static_cast<std::size_t>(months + m)].add(area(c) * rain(c * months + m));
    }
  }
  mesh.comm().sum(std::span<ExactSum>(sums));
  const double to_metres = constants::seconds_per_year / constants::water_density_kg_m3;
  ExactSum booked;
  for (int m = 0; m < months; ++m) {
    const double up = sums[static_cast<std::size_t>(m)].value(),
                 down = sums[static_cast<std::size_t>(months + m)].value();
    const double factor = down > 0 ? to_metres * up / down : 0.0;
    for_cells(
        "craton::climate.moisture::close_budget", n, KOKKOS_LAMBDA(LocalId c) {
          evaporation(c * months + m) *= to_metres;
          rain(c * months + m) *= factor;
        });
  }
  for (LocalId c = 0; c < n; ++c) {
    double sum = 0;
    for (int m = 0; m < months; ++m) sum += evaporation(c * months + m);
    booked.add(area(c) * sum / months);
  }
  state.ledger.book(Balance::water, "evaporation", booked);
  mark_written(state);
}

}  // namespace craton::climate
