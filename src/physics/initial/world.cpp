#include "physics/initial/world.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/constants.hpp"
#include "core/noise.hpp"
#include "physics/initial/continents.hpp"
#include "physics/initial/plate_layout.hpp"
#include "physics/isostasy/heights.hpp"
#include "physics/isostasy/isostasy_pass.hpp"
#include "physics/isostasy/sea_level.hpp"
#include "state/fields.hpp"

namespace craton::initial {

namespace {

constexpr double old_crust_yr = 2.0e9;
constexpr double least_thickness_m = 1000;
constexpr double pelagic_m_per_yr = 3.0e-6;  // sediment on the deep floor, 3 m per million years

struct CrustFields {
  Array<double> thickness, sediment, continental, age, orogeny_age;

  explicit CrustFields(const State& state)
      : thickness(state.real(fields::crust_thickness_m)),
        sediment(state.real(fields::sediment_m)),
        continental(state.real(fields::continental_fraction)),
        age(state.real(fields::crust_age_yr)),
        orogeny_age(state.real(fields::orogeny_age_yr)) {}
};

Kokkos::RangePolicy<ExecutionSpace> owned(const State& state) {
  return Kokkos::RangePolicy<ExecutionSpace>(0, static_cast<std::size_t>(state.mesh().n_owned()));
}

void lay_continents(const State& state, const config::Parameters& p) {
  const Continents continents(p.initial, isostasy::HeightLaw(p.tectonics), p.seed);
  const CrustFields crust(state);
  const ConstArray<Vec3> position = state.mesh().position();
  Kokkos::parallel_for(
      "craton::initial::lay_continents", owned(state), KOKKOS_LAMBDA(const LocalId c) {
        const ContinentalCrust here = continents.at(position(c));
        crust.continental(c) = here.continental;
        crust.thickness(c) = here.thickness_m;
        crust.sediment(c) = here.sediment_m;
        crust.age(c) = here.age_yr;
        crust.orogeny_age(c) = here.orogeny_age_yr;
      });
  Kokkos::fence();
}

// One continental plate whose crust is as thick as its relief demands.
void lay_relief(const State& state, const config::Parameters& p) {
  const isostasy::HeightLaw law(p.tectonics);
  const CrustFields crust(state);
  const ConstArray<Vec3> position = state.mesh().position();
  const noise::Fractal hills{
      p.seed, RandomStream::relief_noise, 0, 1 / (p.initial.relief_size_deg * constants::degree), 10, 0.5};
  const double mean_m = p.initial.relief_height_m;
  const double amplitude_m = p.initial.kind == "noise" ? 2 * p.initial.relief_amplitude_m : 0.0;
  Kokkos::parallel_for(
      "craton::initial::lay_relief", owned(state), KOKKOS_LAMBDA(const LocalId c) {
        const double height = mean_m + (amplitude_m > 0 ? amplitude_m * noise::fbm(hills, position(c)) : 0.0);
        const double thickness = law.continental_thickness_m(height);
        crust.continental(c) = 1;
        crust.thickness(c) = thickness > least_thickness_m ? thickness : least_thickness_m;
        crust.sediment(c) = 0;
        crust.age(c) = old_crust_yr;
        crust.orogeny_age(c) = old_crust_yr;
      });
  Kokkos::fence();
}

// A cell whose plate none of its neighbours shares joins the plate that most of them share (ties: lower number).
void join_single_cells(State& state) {
  state.mark_written(fields::plate);
  state.refresh(fields::plate);
  const Mesh& mesh = state.mesh();
  const Array<std::int32_t> plate = state.integer(fields::plate);
  std::vector<std::pair<LocalId, std::int32_t>> changes;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const auto count_around = [&](std::int32_t p) {
      int count = 0;
      for (int s = 0; s < mesh.neighbour_count()(c); ++s) count += plate(mesh.neighbours()(c, s)) == p;
      return count;
    };
    if (count_around(plate(c)) > 0) continue;
    std::int32_t best = plate(mesh.neighbours()(c, 0));
    for (int s = 1; s < mesh.neighbour_count()(c); ++s) {
      const std::int32_t p = plate(mesh.neighbours()(c, s));
      const int difference = count_around(p) - count_around(best);
      if (difference > 0 || (difference == 0 && p < best)) best = p;
    }
    changes.emplace_back(c, best);
  }
  for (const auto& [c, best] : changes) plate(c) = best;
  state.mark_written(fields::plate);
}

// Plates and, where crust is oceanic, its age from the distance to the ridge; the two kinds of crust blend at margins.
void lay_plates(State& state, const config::Parameters& p) {
  const PlateLayout layout(p.initial, p.seed, p.planet.radius_m);
  const Mesh& mesh = state.mesh();
  const CrustFields crust(state);
  const Array<std::int32_t> plate = state.integer(fields::plate);
  const double limit_yr = p.initial.ocean_age_limit_yr;
  const double reach_m = p.initial.spreading_rate_m_per_yr * limit_yr;
  GlobalId hint{0};
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const PlateLayout::Place place = layout.at(mesh.position()(c), hint);
    plate(c) = place.plate;
    const double f = crust.continental(c);
    const double age_yr = limit_yr * std::tanh(place.ridge_rad * mesh.radius_m() / reach_m);
    crust.thickness(c) = f * crust.thickness(c) + (1 - f) * p.tectonics.isostasy_oceanic_thickness_m;
    crust.sediment(c) = f * crust.sediment(c) + (1 - f) * pelagic_m_per_yr * age_yr;
    if (f < 0.5) {
      crust.age(c) = age_yr;
      crust.orogeny_age(c) = age_yr;
    }
  }
  join_single_cells(state);
  state.crust.plates.assign(static_cast<std::size_t>(layout.count()), Plate{});
  for (std::size_t k = 0; k < state.crust.plates.size(); ++k) {
    state.crust.plates[k].euler_rad_per_yr = layout.euler_rad_per_yr()[k];
  }
}

void make_parcels(State& state) {
  const Mesh& mesh = state.mesh();
  const CrustFields crust(state);
  const ConstArray<double> elevation = state.read(fields::elevation_m);
  const ConstArray<std::int32_t> plate = state.read(fields::plate);
  state.crust.parcels.resize(static_cast<std::size_t>(mesh.n_owned()));
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    Parcel& parcel = state.crust.parcels[static_cast<std::size_t>(c)];
    parcel = Parcel{};
    parcel.id = raw(mesh.global(c));
    parcel.cell = parcel.id;
    parcel.frame_position = mesh.position()(c);
    parcel.area_m2 = mesh.area_m2()(c);
    parcel.thickness_m = crust.thickness(c);
    parcel.sediment_m = crust.sediment(c);
    parcel.continental = crust.continental(c);
    parcel.birth_yr = -crust.age(c);
    parcel.orogeny_yr = -crust.orogeny_age(c);
    parcel.elevation_m = elevation(c);
    parcel.plate = plate(c);
  }
}

void show_velocities(State& state) {
  if (!state.has(fields::plate_velocity_east_m_per_yr.id) || !state.has(fields::plate_velocity_north_m_per_yr.id))
    return;
  const Mesh& mesh = state.mesh();
  const Array<double> east = state.real(fields::plate_velocity_east_m_per_yr);
  const Array<double> north = state.real(fields::plate_velocity_north_m_per_yr);
  const ConstArray<std::int32_t> plate = state.read(fields::plate);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const Vec3 p = mesh.position()(c);
    const Vec3 v = mesh.radius_m() * cross(state.crust.plates[static_cast<std::size_t>(plate(c))].euler_rad_per_yr, p);
    east(c) = dot(v, east_at(p));
    north(c) = dot(v, north_at(p));
  }
  state.mark_written(fields::plate_velocity_east_m_per_yr);
  state.mark_written(fields::plate_velocity_north_m_per_yr);
}

void pour_water(State& state, const config::Initial& p) {
  const Mesh& mesh = state.mesh();
  const ConstArray<double> elevation = state.read(fields::elevation_m);
  Globals& g = state.globals;
  if (p.water == "land_fraction") {
    const double level = isostasy::sea_level_for_land(mesh, elevation, p.land_fraction);
    g.water_volume_m3 = mesh.comm().sum(isostasy::local_water_m3(mesh, elevation, level));
  } else {
    g.water_volume_m3 = p.water_volume_m3;
  }
  g.sea_level_m = isostasy::sea_level_for_volume(mesh, elevation, g.water_volume_m3, 0.0);
}

}  // namespace

void make_world(State& state, const config::Parameters& p) {
  state.globals = Globals{};
  state.globals.seed = p.seed;
  const bool many_plates = p.initial.kind == "plates" || p.initial.kind == "voronoi";
  state.mesh().comm().together([&] {
    if (many_plates) {
      lay_continents(state, p);
    } else {
      lay_relief(state, p);
    }
  });
  if (many_plates) {
    lay_plates(state, p);
  } else {
    Kokkos::deep_copy(state.integer(fields::plate), 0);
    state.crust.plates.assign(1, Plate{});
  }
  isostasy::settle_elevation(state, p.tectonics);
  make_parcels(state);
  show_velocities(state);
  for (const RealField key : {fields::uplift_rate_m_per_yr, fields::erosion_m, fields::deposition_m}) {
    if (state.has(key.id)) Kokkos::deep_copy(state.real(key), 0.0);
  }
  if (state.has(fields::boundary_kind.id)) Kokkos::deep_copy(state.integer(fields::boundary_kind), 0);
  for (const FieldId id : state.fields()) state.mark_written(id);
  pour_water(state, p.initial);
}

}  // namespace craton::initial
