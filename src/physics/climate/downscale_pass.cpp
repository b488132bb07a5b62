// From the climate mesh to the fine mesh, cell by cell, without storing twelve months there.
//   T = interpolated sea-level T - lapse rate * height above sea
//   P = interpolated rain * (1 + k tanh(w / w0)),  w = wind . grad(height): more on slopes that face the wind, less
//       behind them; then one factor for the planet, so that all rain is the evaporation of climate.moisture
//   land evaporation by Turc (1954): P / sqrt(0.9 + (P / L)^2), L = 300 + 25 T + 0.05 T^3 (mm/yr, T annual mean)
//   runoff = P - evaporation over land, 0 over sea
#include "physics/climate/gradient.hpp"
#include "physics/climate/kernels.hpp"
#include "physics/climate/koppen.hpp"
#include "physics/climate/passes.hpp"

namespace craton::climate {

namespace {

constexpr double slope_speed_m_s = 0.05;

// The climate of one fine cell.
struct Months {
  double temperature_c[months] = {};
  double rain_m_per_yr[months] = {};
};

// Values of the climate cells that this rank's fine cells need.
struct Tables {
  Array<double> temperature, rain, east, north;
};

Array<double> fetched(const Remap& remap, const ConstArray<double>& field) {
  std::vector<double> table;
  remap.fetch(field, months, table);
  Array<double> result("craton::climate::downscale_table", table.size());
  std::copy(table.begin(), table.end(), result.data());
  return result;
}

struct Downscaler {
  GradientGeometry geometry;
  ConstArray<double> elevation;
  Array<Remap::Stencil> stencils;
  Tables table;
  double sea_level, lapse, orographic;

  KOKKOS_INLINE_FUNCTION double height(LocalId c) const { return std::fmax(elevation(c) - sea_level, 0.0); }

  KOKKOS_INLINE_FUNCTION Months operator()(LocalId c) const {
    const GradientWeights w = geometry.weights(c);
    const double own = height(c);
    double slope_east = 0, slope_north = 0;
    for (int s = 0; s < 6; ++s) {
      const LocalId other = geometry.neighbours(c, s);
      if (other == no_cell) continue;
      slope_east += w.east[s] * (height(other) - own);
      slope_north += w.north[s] * (height(other) - own);
    }
    Months result;
    double lift[months] = {};
    for (int v = 0; v < 3; ++v) {
      const LocalId at = stencils(c).index[v] * months;
      const double share = static_cast<double>(stencils(c).weight[v]);
      for (int m = 0; m < months; ++m) {
        result.temperature_c[m] += share * table.temperature(at + m);
        result.rain_m_per_yr[m] += share * table.rain(at + m);
        lift[m] += share * (table.east(at + m) * slope_east + table.north(at + m) * slope_north);
      }
    }
    for (int m = 0; m < months; ++m) {
      result.temperature_c[m] -= lapse * own;
      result.rain_m_per_yr[m] *= 1.0 + orographic * std::tanh(lift[m] / slope_speed_m_s);
    }
    return result;
  }
};

// Turc: where L <= 0 the cold keeps all water.
KOKKOS_INLINE_FUNCTION double land_evaporation_m_per_yr(double rain_m_per_yr, double mean_c) {
  const double limit = (300.0 + 25.0 * mean_c + 0.05 * mean_c * mean_c * mean_c) / 1000.0;
  if (limit <= 0) return 0.0;
  const double ratio = rain_m_per_yr / limit;
  return std::fmin(rain_m_per_yr, rain_m_per_yr / std::sqrt(0.9 + ratio * ratio));
}

// Rain of the planet in a year, m3, from a rate per cell times a factor.
double yearly_volume_m3(const Mesh& mesh, const ConstArray<double>& rain_m_per_yr, ExactSum& local) {
  for (LocalId c = 0; c < mesh.n_owned(); ++c) local.add(mesh.area_m2()(c) * rain_m_per_yr(c));
  return mesh.comm().sum(local);
}

}  // namespace

DownscalePass::DownscalePass(Setting setting)
    : ClimatePass(
          std::move(setting),
          {.name = "climate.downscale",
           .fields = {reads(fields::elevation_m, 1), reads(fields::air_temperature_c), reads(fields::rain_m_per_yr),
                      reads(fields::wind_east_m_per_s), reads(fields::wind_north_m_per_s),
                      overwrites(fields::temperature_c), overwrites(fields::temperature_coldest_c),
                      overwrites(fields::temperature_warmest_c), overwrites(fields::precipitation_m_per_yr),
                      overwrites(fields::runoff_m_per_yr), overwrites(fields::koppen)},
           .books = {Balance::water},
           .global = true}) {}

void DownscalePass::run(State& state, const StepInfo&) {
  const Mesh& mesh = state.mesh();
  const Mesh& coarse = state.climate_mesh();
  const Remap& remap = state.remap();
  const LocalId n = mesh.n_owned();
  Array<Remap::Stencil> stencils("craton::climate::downscale_stencils", static_cast<std::size_t>(n));
  std::copy(remap.stencils().begin(), remap.stencils().end(), stencils.data());
  const Downscaler downscale{
      GradientGeometry(mesh),
      state.read(fields::elevation_m),
      stencils,
      {fetched(remap, state.read(fields::air_temperature_c)), fetched(remap, state.read(fields::rain_m_per_yr)),
       fetched(remap, state.read(fields::wind_east_m_per_s)), fetched(remap, state.read(fields::wind_north_m_per_s))},
      state.globals.sea_level_m,
      climate().lapse_rate_k_m,
      climate().orographic_strength};

  // 1. Rain before the planet's factor.
  const auto precipitation = state.real(fields::precipitation_m_per_yr);
  for_cells(
      "craton::climate.downscale::raise_rain", n, KOKKOS_LAMBDA(LocalId c) {
        const Months year = downscale(c);
        double sum = 0;
        for (int m = 0; m < months; ++m) sum += year.rain_m_per_yr[m];
        precipitation(c) = sum / months;
      });
  Array<double> annual("craton::climate::annual_rain", static_cast<std::size_t>(coarse.n_owned()));
  const auto rain = state.read(fields::rain_m_per_yr);
  for_cells(
      "craton::climate.downscale::average_rain", coarse.n_owned(), KOKKOS_LAMBDA(LocalId c) {
        double sum = 0;
        for (int m = 0; m < months; ++m) sum += rain(c * months + m);
        annual(c) = sum / months;
      });
  ExactSum raised, wanted, fallen;
  const double raised_m3 = yearly_volume_m3(mesh, precipitation, raised);
  const double factor = raised_m3 > 0 ? yearly_volume_m3(coarse, annual, wanted) / raised_m3 : 0.0;

  // 2. The year of each cell.
  const auto mean = state.real(fields::temperature_c), coldest = state.real(fields::temperature_coldest_c),
             warmest = state.real(fields::temperature_warmest_c), runoff = state.real(fields::runoff_m_per_yr);
  const auto koppen = state.integer(fields::koppen);
  const auto elevation = state.read(fields::elevation_m);
  const double sea_level = state.globals.sea_level_m;
  const double month_mm = 1000.0 * planet().year_s / constants::seconds_per_year / months;
  const KoppenOptions options{climate().koppen_cd_limit == "zero" ? 0.0 : -3.0, climate().koppen_e_first};
  for_cells(
      "craton::climate.downscale::classify_year", n, KOKKOS_LAMBDA(LocalId c) {
        Months year = downscale(c);
        double sum = 0, low = year.temperature_c[0], high = low;
        for (int m = 0; m < months; ++m) {
          const double t = year.temperature_c[m];
          sum += t;
          low = std::fmin(low, t);
          high = std::fmax(high, t);
          year.rain_m_per_yr[m] *= factor * month_mm;  // mm in the month from here on
        }
        const bool is_land = elevation(c) >= sea_level;
        mean(c) = sum / months;
        coldest(c) = low;
        warmest(c) = high;
        precipitation(c) *= factor;
        runoff(c) = is_land ? precipitation(c) - land_evaporation_m_per_yr(precipitation(c), mean(c)) : 0.0;
        koppen(c) = is_land ? koppen_class(year.temperature_c, year.rain_m_per_yr, options) : 0;
      });
  for (LocalId c = 0; c < n; ++c) fallen.add(-mesh.area_m2()(c) * precipitation(c));
  state.ledger.book(Balance::water, "rain", fallen);
  mark_written(state);
}

}  // namespace craton::climate
