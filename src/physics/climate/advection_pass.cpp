// The wind carries the heat of sea and land along before it is lost: with t = T - zonal mean, t0 that of
// climate.energy,
//   U . grad(t) = (t0 - t) / tau
// so that western coasts in the westerlies are mild and eastern ones harsh. The zonal mean stays that of the energy
// balance. Upwind in the form of an average, t = (sum in_s t_s + t0 / tau) / (sum in_s + 1 / tau), in_s = l_s / a
// max(-U . n_s, 0): no new extremes. A fixed number of Jacobi sweeps.
#include "physics/climate/kernels.hpp"
#include "physics/climate/passes.hpp"
#include "physics/climate/zonal.hpp"

namespace craton::climate {

namespace {
constexpr int sweeps = 40;
constexpr double seconds_per_day = 86400.0;
}  // namespace

AdvectionPass::AdvectionPass(Setting setting)
    : ClimatePass(std::move(setting),
                  {.name = "climate.advection",
                   .fields = {reads(fields::wind_east_m_per_s, 1), reads(fields::wind_north_m_per_s, 1),
                              updates(fields::air_temperature_c)},
                   .books = {},
                   .global = true}) {}

void AdvectionPass::run(State& state, const StepInfo&) {
  const Mesh& mesh = state.climate_mesh();
  const LocalId n = mesh.n_owned();
  const auto temperature = state.real(fields::air_temperature_c);
  const auto wind_east = state.read(fields::wind_east_m_per_s), wind_north = state.read(fields::wind_north_m_per_s);
  const auto position = mesh.position();
  const auto area = mesh.area_m2();
  const auto edge = mesh.edge_m();
  const auto slots = mesh.neighbours();
  const ZonalMeans zonal(mesh, temperature);
  const int bands = zonal.bands();
  const Array<double> table = zonal.table();
  const double rate = 1.0 / (climate().heat_carry_days * seconds_per_day);

  Array<double> source("craton::climate::anomaly_source", static_cast<std::size_t>(n) * months);
  Array<float> inflow("craton::climate::anomaly_inflow", static_cast<std::size_t>(n) * 6 * months);
  Array<double> now("craton::climate::anomaly", static_cast<std::size_t>(mesh.n_all()) * months);
  Array<double> next("craton::climate::anomaly_next", static_cast<std::size_t>(mesh.n_all()) * months);
  for_cells(
      "craton::climate.advection::set_anomaly", n, KOKKOS_LAMBDA(LocalId c) {
        const Vec3 p = position(c), east = east_at(p), north = north_at(p);
        const ZonalPlace place = zonal_place(to_lon_lat(p).lat_rad, bands);
        for (int m = 0; m < months; ++m) {
          source(c * months + m) = temperature(c * months + m) - zonal_value(table, place, m);
          now(c * months + m) = source(c * months + m);
        }
        for (int s = 0; s < 6; ++s) {
          const LocalId other = slots(c, s);
          if (other == no_cell) continue;
          const Vec3 q = position(other), normal = normalized(q - p), east_q = east_at(q), north_q = north_at(q);
          const double per_area = static_cast<double>(edge(c, s)) / area(c);
          for (int m = 0; m < months; ++m) {
            const LocalId i = c * months + m, j = other * months + m;
            const double speed = 0.5 * (wind_east(i) * dot(east, normal) + wind_north(i) * dot(north, normal) +
                                        wind_east(j) * dot(east_q, normal) + wind_north(j) * dot(north_q, normal));
            inflow((c * 6 + s) * months + m) = static_cast<float>(per_area * std::fmax(-speed, 0.0));
          }
        }
      });
  for (int k = 0; k < sweeps; ++k) {
    mesh.refresh_halo(now, months);
    const Array<double> from = now, to = next;
    for_cells(
        "craton::climate.advection::carry_anomaly", n, KOKKOS_LAMBDA(LocalId c) {
          double sum[months], weight[months];
          for (int m = 0; m < months; ++m) {
            sum[m] = rate * source(c * months + m);
            weight[m] = rate;
          }
          for (int s = 0; s < 6; ++s) {
            const LocalId other = slots(c, s);
            if (other == no_cell) continue;
            for (int m = 0; m < months; ++m) {
              const double w = static_cast<double>(inflow((c * 6 + s) * months + m));
              sum[m] += w * from(other * months + m);
              weight[m] += w;
            }
          }
          for (int m = 0; m < months; ++m) to(c * months + m) = sum[m] / weight[m];
        });
    std::swap(now, next);
  }
  const Array<double> carried = now;
  for_cells(
      "craton::climate.advection::add_anomaly", n, KOKKOS_LAMBDA(LocalId c) {
        for (int m = 0; m < months; ++m)
          temperature(c * months + m) += carried(c * months + m) - source(c * months + m);
      });
  mark_written(state);
}

}  // namespace craton::climate
