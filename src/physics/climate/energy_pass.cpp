// Seasonal energy balance (energy_balance.hpp) with
//   Q = (1 - albedo) S,  albedo = a0 + a2 P2(sin lat), over snow and ice a_ice (North, Mengel, Short 1983, J. Geophys.
//   Res. 88), chosen by the temperature of the surface, T - lapse rate * height;
//   C = rho c_w (f d_land + (1 - f) d_sea), f the fraction of land and sea ice.
// Twenty-four steps a year; the coarsest level runs spin_up_yr years, the others two each, the last of which gives the
// monthly means.
#include "physics/climate/energy_balance.hpp"
#include "physics/climate/orbit.hpp"
#include "physics/climate/passes.hpp"

namespace craton::climate {

namespace {

constexpr int steps_per_month = 2;
constexpr int steps_per_year = months * steps_per_month;
constexpr int years_per_level = 2;
constexpr double water_heat_capacity_j_m3_k = 4181.3 * constants::water_density_kg_m3;

// The share of a surface at the given temperature that snow or ice covers.
KOKKOS_INLINE_FUNCTION double ice_share(double surface_c, double limit_c, double ramp_k) {
  if (ramp_k <= 0) return surface_c < limit_c ? 1.0 : 0.0;
  return std::fmin(1.0, std::fmax(0.0, (limit_c - surface_c) / ramp_k + 0.5));
}

struct Column {
  Array<const double> land, height_m;  // of coarser levels held by nobody else
};

// Absorbed sunlight and heat capacity of the owned cells at one time.
void set_forcing(const Mesh& mesh, const config::Climate& climate, Sun sun, const Column& column,
                 const Array<double>& temperature_c, const Array<double>& absorbed, const Array<double>& capacity) {
  const auto position = mesh.position();
  const double a0 = climate.albedo_base, a2 = climate.albedo_p2, a_ice = climate.albedo_ice;
  const double limit = climate.ice_temperature_c, ramp = climate.ice_ramp_k, lapse = climate.lapse_rate_k_m;
  const double land_layer = climate.land_layer_m, sea_layer = std::max(climate.sea_layer_m, climate.land_layer_m);
  const auto land = column.land, height = column.height_m;
  for_cells(
      "craton::climate.energy::set_forcing", mesh.n_owned(), KOKKOS_LAMBDA(LocalId c) {
        const double x = position(c).z;
        const double ice = ice_share(temperature_c(c) - lapse * height(c), limit, ramp);
        const double bare = a0 + a2 * 0.5 * (3.0 * x * x - 1.0);
        const double albedo = std::fmin(1.0, std::fmax(0.0, bare + ice * (std::fmax(a_ice, bare) - bare)));
        absorbed(c) = (1.0 - albedo) * daily_insolation_w_m2(sun, x);
        const double open_sea = (1.0 - land(c)) * (1.0 - ice);
        capacity(c) = water_heat_capacity_j_m3_k * (land_layer + open_sea * (sea_layer - land_layer));
      });
}

}  // namespace

EnergyPass::EnergyPass(Setting setting)
    : ClimatePass(std::move(setting), {.name = "climate.energy",
                                       .fields = {reads(fields::climate_height_m), reads(fields::climate_land_fraction),
                                                  updates(fields::air_temperature_c)},
                                       .books = {},
                                       .global = true}) {}

void EnergyPass::run(State& state, const StepInfo&) {
  const Levels& level = levels(state);
  const int top = 0, bottom = level.count() - 1;
  std::vector<Column> column = {{state.real(fields::climate_land_fraction), state.real(fields::climate_height_m)}};
  const auto monthly = state.real(fields::air_temperature_c);

  // 1. The end of the last year that was computed, or the annual balance without ice at the first call.
  const LocalId n = state.climate_mesh().n_owned();
  Array<double> now("craton::climate::temperature", static_cast<std::size_t>(state.climate_mesh().n_all()));
  double largest = 0;
  for (LocalId c = 0; c < n; ++c) largest = std::max(largest, std::abs(monthly(c * months + months - 1)));
  const bool cold_start = state.mesh().comm().max(largest) == 0;
  for (LocalId c = 0; c < n; ++c) {
    const double x = state.climate_mesh().position()(c).z;
    now(c) = cold_start ? 12.0 - 40.0 * 0.5 * (3.0 * x * x - 1.0)
                        : 0.5 * (monthly(c * months + months - 1) + monthly(c * months));
  }
  if (cold_start) {
    const double mean =
        (0.25 * (1.0 - climate().albedo_base) * planet().solar_constant_w_m2 - climate().outgoing_a_w_m2) /
        climate().outgoing_b_w_m2_k;
    for (LocalId c = 0; c < n; ++c) now(c) += mean - 12.0;
  }

  // 2. Down to the coarsest level.
  for (int k = top; k < bottom; ++k) {
    const Column fine = column.back();
    column.push_back({level.coarsened(fine.land, 1, k), level.coarsened(fine.height_m, 1, k)});
    now = level.coarsened(now, 1, k);
  }

  // 3. Up again, each level starting from the one below.
  std::vector<Sun> sun;
  for (int s = 0; s < steps_per_year; ++s) sun.push_back(sun_at(planet(), (s + 1.0) / steps_per_year));
  const double dt_s = planet().year_s / steps_per_year;
  const double floor_capacity = water_heat_capacity_j_m3_k * climate().land_layer_m;
  Array<double> before("craton::climate::temperature_before", now.extent(0));
  Kokkos::deep_copy(before, now);
  for (int k = bottom; k >= top; --k) {
    const Mesh& mesh = level.mesh(k);
    if (k < bottom) {
      now = level.refined(now, 1, k + 1);
      before = level.refined(before, 1, k + 1);
    }
    EnergyBalance balance(mesh,
                          {climate().outgoing_a_w_m2, climate().outgoing_b_w_m2_k, climate().heat_diffusion_w_m2_k,
                           climate().heat_diffusion_pole_share},
                          floor_capacity);
    Array<double> absorbed("craton::climate::absorbed", static_cast<std::size_t>(mesh.n_owned()));
    Array<double> capacity("craton::climate::capacity", static_cast<std::size_t>(mesh.n_owned()));
    const auto years =
        static_cast<int>((k == bottom ? climate().spin_up_yr : 0) + (k == bottom && k > top ? 0 : years_per_level));
    for (int year = 0; year < years; ++year) {
      const bool record = k == top && year == years - 1;
      if (record) Kokkos::deep_copy(monthly, 0.0);
      for (int s = 0; s < steps_per_year; ++s) {
        const int m = s / steps_per_month;
        // Trapezoids over the month, so that its mean is centred.
        const auto sample = [&](double weight) {
          const Array<double> t = now;
          for_cells(
              "craton::climate.energy::average_month", mesh.n_owned(),
              KOKKOS_LAMBDA(LocalId c) { monthly(c * months + m) += weight * t(c); });
        };
        if (record) sample(0.5 / steps_per_month);
        set_forcing(mesh, climate(), sun[static_cast<std::size_t>(s)], column[static_cast<std::size_t>(k)], now,
                    absorbed, capacity);
        balance.step(before, now, absorbed, capacity, dt_s);
        if (record) sample(0.5 / steps_per_month);
      }
    }
  }
  mark_written(state);
}

}  // namespace craton::climate
