#pragma once
// Physical constants and the conversions between the solid Earth's units (m, yr) and SI. The only home of both.
namespace craton::constants {

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double degree = pi / 180.0;
inline constexpr double seconds_per_year = 31557600.0;  // Julian year
inline constexpr double kelvin_at_0_celsius = 273.15;
inline constexpr double stefan_boltzmann_w_m2_k4 = 5.670374419e-8;
inline constexpr double water_density_kg_m3 = 1000.0;
inline constexpr double sea_water_density_kg_m3 = 1030.0;
inline constexpr double latent_heat_vaporisation_j_kg = 2.5e6;
inline constexpr double dry_air_gas_constant_j_kg_k = 287.04;
inline constexpr double vapour_gas_constant_j_kg_k = 461.5;
inline constexpr double air_heat_capacity_j_kg_k = 1004.0;

}  // namespace craton::constants
