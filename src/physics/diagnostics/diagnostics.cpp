#include "physics/diagnostics/diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/log.hpp"
#include "state/fields.hpp"

namespace craton {

namespace {

// The sums of one pass over the cells; one reduction takes them all.
enum Sum : std::size_t {
  area,
  land_area,
  land_height,
  sea_depth,
  continental_area,
  ocean_area,
  ocean_age,
  speed,
  temperature,
  rain,
  rain_on_land,
  koppen_a,
  koppen_b,
  koppen_c,
  koppen_d,
  koppen_e,
  to_sea,
  eroded,
  laid_down,
  sum_count
};
enum Greatest : std::size_t { height, depth, age, discharge, drainage, greatest_count };

struct Collected {
  std::array<ExactSum, sum_count> sums;
  std::array<double, greatest_count> greatest;
  std::array<std::int64_t, Hypsometry::bins> bin_m2{};  // whole square metres add up exactly
  std::vector<std::int64_t> plate_m2;
  std::int64_t parcels = 0;

  Collected() { greatest.fill(std::numeric_limits<double>::lowest()); }
  double value(Sum s) const { return sums[s].value(); }
};

// A field, or zero where no pass declares it.
class Optional {
 public:
  Optional(const State& state, RealField key) : values_(state.has(key.id) ? state.read(key) : ConstArray<double>{}) {}
  double operator()(LocalId c) const { return values_.extent(0) > 0 ? values_(c) : 0.0; }

 private:
  ConstArray<double> values_;
};

// Group A .. E of a class of fields.def (1 .. 30), as an index of Sum.
Sum koppen_group(std::int32_t koppen) {
  if (koppen <= 3) return koppen_a;
  if (koppen <= 7) return koppen_b;
  if (koppen <= 16) return koppen_c;
  return koppen <= 28 ? koppen_d : koppen_e;
}

void collect_surface(const State& state, Collected& all) {
  const Mesh& mesh = state.mesh();
  const double sea_level = state.globals.sea_level_m;
  const ConstArray<double> z = state.read(fields::elevation_m);
  const ConstArray<double> continental = state.read(fields::continental_fraction);
  const ConstArray<double> crust_age = state.read(fields::crust_age_yr);
  const Optional erosion(state, fields::erosion_m), deposition(state, fields::deposition_m);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const double a = mesh.area_m2()(c), h = z(c) - sea_level;
    all.sums[area] += a;
    all.bin_m2[static_cast<std::size_t>(Hypsometry::bin_of(h))] += std::llround(a);
    if (h >= 0) {
      all.sums[land_area] += a;
      all.sums[land_height] += a * h;
    } else {
      all.sums[sea_depth] += a * -h;
    }
    all.greatest[height] = std::max(all.greatest[height], h);
    all.greatest[depth] = std::max(all.greatest[depth], -h);
    if (continental(c) >= 0.5) {
      all.sums[continental_area] += a;
    } else {
      all.sums[ocean_area] += a;
      all.sums[ocean_age] += a * crust_age(c);
      all.greatest[age] = std::max(all.greatest[age], crust_age(c));
    }
    all.sums[eroded] += a * erosion(c);
    all.sums[laid_down] += a * deposition(c);
  }
}

void collect_plates(const State& state, Collected& all) {
  const Mesh& mesh = state.mesh();
  const ConstArray<std::int32_t> plate = state.read(fields::plate);
  const std::vector<Plate>& plates = state.crust.plates;
  all.plate_m2.assign(plates.size(), 0);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const auto k = static_cast<std::size_t>(plate(c));
    if (k >= plates.size()) continue;
    const double a = mesh.area_m2()(c);
    all.plate_m2[k] += std::llround(a);
    all.sums[speed] += a * mesh.radius_m() * norm(cross(plates[k].euler_rad_per_yr, mesh.position()(c)));
  }
  all.parcels = static_cast<std::int64_t>(state.crust.parcels.size());
}

void collect_climate(const State& state, Collected& all) {
  const Mesh& mesh = state.mesh();
  const ConstArray<double> z = state.read(fields::elevation_m);
  const Optional warmth(state, fields::temperature_c), precipitation(state, fields::precipitation_m_per_yr);
  const bool has_koppen = state.has(fields::koppen.id);
  const ConstArray<std::int32_t> koppen = has_koppen ? state.read(fields::koppen) : ConstArray<std::int32_t>{};
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const double a = mesh.area_m2()(c);
    all.sums[temperature] += a * warmth(c);
    all.sums[rain] += a * precipitation(c);
    if (z(c) < state.globals.sea_level_m) continue;
    all.sums[rain_on_land] += a * precipitation(c);
    if (has_koppen && koppen(c) > 0) all.sums[koppen_group(koppen(c))] += a;
  }
}

// Rivers end where the receiver of a land cell lies below sea level, on this rank or on another. Collective.
void collect_rivers(const State& state, Collected& all) {
  if (!state.has(fields::receiver_slot.id) || !state.has(fields::discharge_m3_per_yr.id)) return;
  const Mesh& mesh = state.mesh();
  const double sea_level = state.globals.sea_level_m;
  const Array<double> z("craton::diagnostics::elevation", static_cast<std::size_t>(mesh.n_all()));
  Kokkos::deep_copy(z, state.read(fields::elevation_m));
  mesh.refresh_halo(z);
  const ConstArray<double> flow = state.read(fields::discharge_m3_per_yr);
  const Optional upstream(state, fields::drainage_area_m2);
  const ConstArray<std::int32_t> slot = state.read(fields::receiver_slot);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (z(c) < sea_level) continue;
    all.greatest[discharge] = std::max(all.greatest[discharge], flow(c));
    all.greatest[drainage] = std::max(all.greatest[drainage], upstream(c));
    if (slot(c) >= 0 && z(mesh.neighbours()(c, slot(c))) < sea_level) all.sums[to_sea] += flow(c);
  }
}

void reduce(const par::Comm& comm, Collected& all) {
  comm.sum(std::span<ExactSum>(all.sums));
  comm.max(std::span<double>(all.greatest));
  std::vector<std::int64_t> whole(all.bin_m2.begin(), all.bin_m2.end());
  whole.insert(whole.end(), all.plate_m2.begin(), all.plate_m2.end());
  whole.push_back(all.parcels);
  comm.sum(std::span<std::int64_t>(whole));
  std::copy_n(whole.begin(), all.bin_m2.size(), all.bin_m2.begin());
  std::copy_n(whole.begin() + Hypsometry::bins, all.plate_m2.size(), all.plate_m2.begin());
  all.parcels = whole.back();
}

int greatest_bin(const Hypsometry& h, int begin, int end) {
  const auto first = h.area_m2.begin();
  return static_cast<int>(std::max_element(first + begin, first + end) - first);
}

void find_modes(Diagnostics& d) {
  const int split = Hypsometry::bin_of(hypsometry_split_m);
  const int low = greatest_bin(d.hypsometry, 0, split), high = greatest_bin(d.hypsometry, split, Hypsometry::bins);
  d.ocean_mode_m = Hypsometry::middle_m(low);
  d.land_mode_m = Hypsometry::middle_m(high);
  const auto at = [&](int bin) { return d.hypsometry.area_m2[static_cast<std::size_t>(bin)]; };
  const double lesser = std::min(at(low), at(high));
  double saddle = lesser;
  for (int b = low; b <= high; ++b) saddle = std::min(saddle, at(b));
  d.hypsometry_saddle_ratio = lesser > 0 ? saddle / lesser : 1.0;
}

double mean(double sum, double weight) {
  return weight > 0 ? sum / weight : 0.0;
}

Diagnostics summarise(const State& state, const Collected& all) {
  Diagnostics d;
  const double whole = all.value(area), land = all.value(land_area);
  const auto greatest = [&](Greatest g) { return std::max(all.greatest[g], 0.0); };
  d.sea_level_m = state.globals.sea_level_m;
  d.land_fraction = mean(land, whole);
  d.land_height_mean_m = mean(all.value(land_height), land);
  d.height_max_m = all.greatest[height];
  d.ocean_depth_mean_m = mean(all.value(sea_depth), whole - land);
  d.ocean_depth_max_m = greatest(depth);
  d.continental_area_fraction = mean(all.value(continental_area), whole);
  d.ocean_age_mean_yr = mean(all.value(ocean_age), all.value(ocean_area));
  d.ocean_age_max_yr = greatest(age);
  for (std::size_t k = 0; k < all.plate_m2.size(); ++k) {
    if (state.crust.plates[k].alive != 0 && static_cast<double>(all.plate_m2[k]) > 1e-3 * whole) d.plate_count += 1;
  }
  d.plate_speed_mean_m_per_yr = mean(all.value(speed), whole);
  d.temperature_mean_c = mean(all.value(temperature), whole);
  d.precipitation_mean_m_per_yr = mean(all.value(rain), whole);
  d.precipitation_land_m_per_yr = mean(all.value(rain_on_land), land);
  d.koppen_a_land_fraction = mean(all.value(koppen_a), land);
  d.koppen_b_land_fraction = mean(all.value(koppen_b), land);
  d.koppen_c_land_fraction = mean(all.value(koppen_c), land);
  d.koppen_d_land_fraction = mean(all.value(koppen_d), land);
  d.koppen_e_land_fraction = mean(all.value(koppen_e), land);
  d.discharge_to_sea_m3_per_yr = all.value(to_sea);
  d.discharge_max_m3_per_yr = greatest(discharge);
  d.drainage_area_max_m2 = greatest(drainage);
  d.erosion_m3 = all.value(eroded);
  d.deposition_m3 = all.value(laid_down);
  d.parcel_count = static_cast<double>(all.parcels);
  for (std::size_t b = 0; b < all.bin_m2.size(); ++b) {
    d.hypsometry.area_m2[b] = static_cast<double>(all.bin_m2[b]);
  }
  find_modes(d);
  return d;
}

struct Entry {
  const char *name, *unit, *text;
};
constexpr Entry entries[] = {
#define CRATON_DIAGNOSTIC(name, unit, text) {#name, unit, text},
#include "physics/diagnostics/diagnostics.def"
#undef CRATON_DIAGNOSTIC
};

}  // namespace

int Hypsometry::bin_of(double height_m) {
  const double k = std::floor((height_m - lowest_m) / width_m);
  return static_cast<int>(std::clamp(k, 0.0, static_cast<double>(bins - 1)));
}

Diagnostics compute_diagnostics(const State& state) {
  Collected all;
  collect_surface(state, all);
  collect_plates(state, all);
  collect_climate(state, all);
  collect_rivers(state, all);
  reduce(state.mesh().comm(), all);
  return summarise(state, all);
}

std::vector<std::string> diagnostic_columns() {
  std::vector<std::string> names;
  for (const Entry& e : entries) names.emplace_back(e.name);
  return names;
}

std::vector<double> diagnostic_values(const Diagnostics& d) {
  return {
#define CRATON_DIAGNOSTIC(name, ...) d.name,
#include "physics/diagnostics/diagnostics.def"
#undef CRATON_DIAGNOSTIC
  };
}

std::string diagnostics_markdown() {
  std::string table = "| column | unit | meaning |\n|---|---|---|\n";
  for (const Entry& e : entries) table += log::format("| `%s` | %s | %s |\n", e.name, e.unit, e.text);
  return table;
}

std::string diagnostics_summary(const Diagnostics& d) {
  std::string text;
  text += log::format("land         %.1f %% of the planet, mean height %.0f m, highest %.0f m\n", 100 * d.land_fraction,
                      d.land_height_mean_m, d.height_max_m);
  text += log::format("sea          level %+.1f m, mean depth %.0f m, deepest %.0f m\n", d.sea_level_m,
                      d.ocean_depth_mean_m, d.ocean_depth_max_m);
  text += log::format("hypsometry   modes at %.0f and %.0f m, saddle %.2f: %s\n", d.land_mode_m, d.ocean_mode_m,
                      d.hypsometry_saddle_ratio, d.has_two_modes() ? "two modes" : "one mode");
  text += log::format("ocean floor  mean age %.1f Myr, oldest %.1f Myr\n", 1e-6 * d.ocean_age_mean_yr,
                      1e-6 * d.ocean_age_max_yr);
  text += log::format("plates       %.0f, mean speed %.2f cm/yr\n", d.plate_count, 100 * d.plate_speed_mean_m_per_yr);
  text += log::format("climate      mean %.1f degC, rain %.2f m/yr, on land %.2f m/yr\n", d.temperature_mean_c,
                      d.precipitation_mean_m_per_yr, d.precipitation_land_m_per_yr);
  text += log::format("Koppen       A %.1f  B %.1f  C %.1f  D %.1f  E %.1f %% of land\n",
                      100 * d.koppen_a_land_fraction, 100 * d.koppen_b_land_fraction, 100 * d.koppen_c_land_fraction,
                      100 * d.koppen_d_land_fraction, 100 * d.koppen_e_land_fraction);
  text += log::format("rivers       %.3e m3/yr to the sea, largest %.3e m3/yr from %.3e km2\n",
                      d.discharge_to_sea_m3_per_yr, d.discharge_max_m3_per_yr, 1e-6 * d.drainage_area_max_m2);
  return text;
}

}  // namespace craton
