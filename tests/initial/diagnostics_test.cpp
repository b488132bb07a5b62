// The row of figures of a planet whose fields are known functions of place.
#include "physics/diagnostics/diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/constants.hpp"
#include "state/fields.hpp"

namespace craton {
namespace {

std::vector<FieldId> all_cell_fields() {
  std::vector<FieldId> ids;
  for (FieldId id = 0; id < field_count(); ++id) {
    if (field_info(id).location == Location::cell) ids.push_back(id);
  }
  return ids;
}

// Northern cap z > 0.4 (30 % of the planet) stands 1000 m above, the rest 4000 m under a sea level of 150 m.
struct CapWorld {
  par::Comm comm;
  Mesh mesh;
  State state;
  explicit CapWorld(MPI_Comm parent) : comm(parent), mesh(comm, 48, 6.371e6, 2), state(mesh, mesh, all_cell_fields()) {
    state.globals.sea_level_m = 150;
    state.crust.plates.resize(3);
    state.crust.plates[0].alive = state.crust.plates[1].alive = 1;
    state.crust.plates[2].alive = 0;
    state.crust.plates[0].euler_rad_per_yr = {0, 0, 0.05 / mesh.radius_m()};
    state.crust.plates[1].euler_rad_per_yr = {0, 0, 0.05 / mesh.radius_m()};
    state.crust.parcels.resize(static_cast<std::size_t>(2 * mesh.n_owned()));
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      const Vec3 p = mesh.position()(c);
      const bool land = p.z > 0.4;
      state.real(fields::elevation_m)(c) = land ? 1150 : -3850;
      state.real(fields::continental_fraction)(c) = land ? 1 : 0;
      state.real(fields::crust_age_yr)(c) = land ? 2e9 : 50e6 * (1 - p.z);
      state.real(fields::temperature_c)(c) = 10 - 20 * p.z * p.z;
      state.real(fields::precipitation_m_per_yr)(c) = land ? 0.5 : 1.2;
      state.integer(fields::koppen)(c) = land ? (p.z > 0.7 ? 29 : 14) : 0;
      state.integer(fields::plate)(c) = p.x > 0 ? 0 : 1;
      state.real(fields::erosion_m)(c) = land ? 2 : 0;
      state.real(fields::deposition_m)(c) = land ? 0 : 0.5;
      state.real(fields::discharge_m3_per_yr)(c) = land ? 1e9 : 7e9;
      state.real(fields::drainage_area_m2)(c) = land ? 2e10 : 3e10;
      state.integer(fields::receiver_slot)(c) = -1;
      if (!land) continue;
      for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
        if (mesh.position()(mesh.neighbours()(c, s)).z <= 0.4) state.integer(fields::receiver_slot)(c) = s;
      }
    }
    for (const FieldId id : state.fields()) state.mark_written(id);
  }
};

TEST(Diagnostics, of_a_known_planet_are_the_exact_ones) {
  CapWorld world(MPI_COMM_WORLD);
  const Diagnostics d = compute_diagnostics(world.state);
  const double edge = 0.01;  // a row of cells on the edge of the cap
  EXPECT_EQ(d.sea_level_m, 150);
  EXPECT_NEAR(d.land_fraction, 0.3, edge);
  EXPECT_NEAR(d.land_height_mean_m, 1000, 1e-9);
  EXPECT_EQ(d.height_max_m, 1000);
  EXPECT_NEAR(d.ocean_depth_mean_m, 4000, 1e-9);
  EXPECT_EQ(d.ocean_depth_max_m, 4000);
  EXPECT_EQ(d.land_mode_m, 1125);
  EXPECT_EQ(d.ocean_mode_m, -3875);
  EXPECT_EQ(d.hypsometry_saddle_ratio, 0);
  EXPECT_TRUE(d.has_two_modes());
  EXPECT_NEAR(d.continental_area_fraction, 0.3, edge);
  EXPECT_NEAR(d.ocean_age_mean_yr, 50e6 * 1.3, 1e6);  // mean of z over -1 .. 0.4 is -0.3
  EXPECT_NEAR(d.ocean_age_max_yr, 100e6, 0.1e6);
  EXPECT_EQ(d.plate_count, 2);
  EXPECT_NEAR(d.plate_speed_mean_m_per_yr, 0.05 * constants::pi / 4, 1e-5);  // mean of the sine of colatitude
  EXPECT_NEAR(d.temperature_mean_c, 10 - 20 / 3.0, 0.01);
  EXPECT_NEAR(d.precipitation_mean_m_per_yr, 0.3 * 0.5 + 0.7 * 1.2, edge);
  EXPECT_NEAR(d.precipitation_land_m_per_yr, 0.5, 1e-12);
  EXPECT_NEAR(d.koppen_e_land_fraction, 0.5, 3 * edge);
  EXPECT_NEAR(d.koppen_c_land_fraction + d.koppen_e_land_fraction, 1, 1e-12);
  EXPECT_EQ(d.koppen_a_land_fraction + d.koppen_b_land_fraction + d.koppen_d_land_fraction, 0);
  const double planet = 4 * constants::pi * 6.371e6 * 6.371e6;
  EXPECT_NEAR(d.erosion_m3 / planet, 2 * d.land_fraction, 1e-9);
  EXPECT_NEAR(d.deposition_m3 / planet, 0.5 * (1 - d.land_fraction), 1e-9);
  EXPECT_EQ(d.parcel_count, 2.0 * static_cast<double>(world.mesh.global_count()));
}

TEST(Diagnostics, rivers_count_where_they_leave_the_land) {
  CapWorld world(MPI_COMM_WORLD);
  const Diagnostics d = compute_diagnostics(world.state);
  std::int64_t mouths = 0;
  for (LocalId c = 0; c < world.mesh.n_owned(); ++c) mouths += world.state.read(fields::receiver_slot)(c) >= 0;
  mouths = world.comm.sum(mouths);
  ASSERT_GT(mouths, 50);
  EXPECT_EQ(d.discharge_to_sea_m3_per_yr, 1e9 * static_cast<double>(mouths));
  EXPECT_EQ(d.discharge_max_m3_per_yr, 1e9) << "discharge of the sea does not count";
  EXPECT_EQ(d.drainage_area_max_m2, 2e10);
}

TEST(Diagnostics, have_the_bits_of_one_rank) {
  CapWorld some(MPI_COMM_WORLD), one(MPI_COMM_SELF);
  const std::vector<double> a = diagnostic_values(compute_diagnostics(some.state));
  const std::vector<double> b = diagnostic_values(compute_diagnostics(one.state));
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0);
}

TEST(Diagnostics, of_a_planet_without_sea_or_without_land_are_finite) {
  for (const double height : {500.0, -500.0}) {
    CapWorld world(MPI_COMM_WORLD);
    Kokkos::deep_copy(world.state.real(fields::elevation_m), 150 + height);
    const Diagnostics d = compute_diagnostics(world.state);
    for (const double value : diagnostic_values(d)) EXPECT_TRUE(std::isfinite(value));
    EXPECT_EQ(d.land_fraction, height > 0 ? 1 : 0);
    EXPECT_FALSE(d.has_two_modes());
    EXPECT_EQ(d.ocean_depth_max_m, height > 0 ? 0 : 500);
  }
}

TEST(Diagnostics, table_has_a_unique_name_for_each_value) {
  const std::vector<std::string> names = diagnostic_columns();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(diagnostic_values(Diagnostics{}).size(), names.size());
  for (const std::string& name : names) EXPECT_NE(diagnostics_markdown().find("`" + name + "`"), std::string::npos);
  EXPECT_NE(diagnostics_summary(Diagnostics{}).find("land"), std::string::npos);
}

}  // namespace
}  // namespace craton
