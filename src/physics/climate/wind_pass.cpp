// Steady balance of pressure gradient, Coriolis force and linear friction r (finite on the equator, where f = 0):
//   r u - f v = -dp/dx / rho,  r v + f u = -dp/dy / rho
//   u = (-r dp/dx - f dp/dy) / (rho (r^2 + f^2)),  v = (-r dp/dy + f dp/dx) / (rho (r^2 + f^2))
// f = 2 Omega sin(lat). Land and relief raise r: they slow the wind and turn it towards low pressure. East and north
// are the directions that the air moves to. Fast winds meet turbulent friction, which keeps them below speed_limit.
#include "physics/climate/gradient.hpp"
#include "physics/climate/kernels.hpp"
#include "physics/climate/passes.hpp"

namespace craton::climate {

namespace {
constexpr double air_density_kg_m3 = 1.2;
constexpr double reference_slope = 0.02;
constexpr double speed_limit_m_s = 80.0;
}  // namespace

WindPass::WindPass(Setting setting)
    : ClimatePass(std::move(setting),
                  {.name = "climate.wind",
                   .fields = {reads(fields::pressure_pa, 1), reads(fields::climate_height_m, 1),
                              reads(fields::climate_land_fraction), overwrites(fields::wind_east_m_per_s),
                              overwrites(fields::wind_north_m_per_s)},
                   .books = {},
                   .global = false}) {}

void WindPass::run(State& state, const StepInfo&) {
  const Mesh& mesh = state.climate_mesh();
  const GradientGeometry geometry(mesh);
  const auto pressure = state.read(fields::pressure_pa);
  const auto height = state.read(fields::climate_height_m);
  const auto land = state.read(fields::climate_land_fraction);
  const auto east = state.real(fields::wind_east_m_per_s), north = state.real(fields::wind_north_m_per_s);
  const double twice_rotation = 4.0 * constants::pi / planet().day_s;
  const double sea_drag = climate().sea_drag_per_s, land_drag = climate().land_drag_per_s;
  const double relief_drag = climate().relief_drag_per_s;

  for_cells(
      "craton::climate.wind::balance_forces", mesh.n_owned(), KOKKOS_LAMBDA(LocalId c) {
        const GradientWeights w = geometry.weights(c);
        double slope_east = 0, slope_north = 0;
        double px[months] = {}, py[months] = {};
        for (int s = 0; s < 6; ++s) {
          const LocalId other = geometry.neighbours(c, s);
          if (other == no_cell) continue;
          slope_east += w.east[s] * (height(other) - height(c));
          slope_north += w.north[s] * (height(other) - height(c));
          for (int m = 0; m < months; ++m) {
            const double step = pressure(other * months + m) - pressure(c * months + m);
            px[m] += w.east[s] * step;
            py[m] += w.north[s] * step;
          }
        }
        const double slope = std::sqrt(slope_east * slope_east + slope_north * slope_north);
        const double r = sea_drag + land(c) * (land_drag - sea_drag) + relief_drag * slope / reference_slope;
        const double f = twice_rotation * geometry.position(c).z;
        const double scale = 1.0 / (air_density_kg_m3 * (r * r + f * f));
        for (int m = 0; m < months; ++m) {
          const double u = scale * (-r * px[m] - f * py[m]), v = scale * (-r * py[m] + f * px[m]);
          const double limit = 1.0 / std::sqrt(1.0 + (u * u + v * v) / (speed_limit_m_s * speed_limit_m_s));
          east(c * months + m) = limit * u;
          north(c * months + m) = limit * v;
        }
      });
  mark_written(state);
}

}  // namespace craton::climate
