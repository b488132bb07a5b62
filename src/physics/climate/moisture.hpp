#pragma once
// Steady balance of water vapour W (kg m-2, a column) in each of twelve months on one mesh:
//   div(U W) - div(K g grad(W / g)) = E - P
//   E = wet e (W_s - W),  e = C_E (|U| + gust) / H, limited by the sunlight that can evaporate water,
//   wet = 1 over sea; over land p / (p + e (W_s - W)) with p the mean of the month's and the year's rain: land returns
//   at most its rain (Budyko 1974);
//   P = F W / tau (W / W_s)^4,  F > 1 where air rises (belts, columns warmer than their zone, slopes against the wind),
//   < 1
//     where it sinks
// W_s = H rho_s(T at the surface): saturation; H scale height; g = exp(-height / H). Upwind fluxes, so W stays
// positive. Jacobi sweeps with a Newton step for P; each is a function of the last iterate alone, so ranks do not
// matter.
#include "config/parameters.hpp"
#include "mesh/mesh.hpp"
#include "physics/climate/thermal_equator.hpp"

namespace craton::climate {

/// Inputs on one mesh; arrays of extent n_all (* 12), owned values valid. climate.wind and climate.boundary give them.
struct MoistureInput {
  Array<double> land_fraction, height_m, annual_insolation_w_m2;  // one value per cell
  Array<double> temperature_c, anomaly_k;       // twelve; at sea level, and its difference from the zonal mean
  Array<double> wind_east_m_s, wind_north_m_s;  // twelve
};

class MoistureBalance {
 public:
  /// Refreshes the halos of the inputs. Collective. The mesh outlives it.
  MoistureBalance(const Mesh& mesh, const config::Planet& planet, const config::Climate& climate,
                  const MoistureInput& input, const MonthlyLatitude& thermal_equator);

  /// 0.7 of saturation: a first guess. Local.
  Array<double> first_guess() const;
  /// Improves the vapour column (n_all * 12) by a fixed number of sweeps. Collective.
  void relax(Array<double>& vapour_kg_m2, int sweeps) const;
  /// Rates in kg m-2 s-1 (mm per second) for owned cells. Local.
  void evaluate(const ConstArray<double>& vapour_kg_m2, const Array<double>& evaporation,
                const Array<double>& rain) const;

 private:
  void set_local(const config::Planet& planet, const config::Climate& climate, const MoistureInput& input,
                 const MonthlyLatitude& thermal_equator);
  void set_transport(const config::Planet& planet, const config::Climate& climate, const MoistureInput& input);

  const Mesh& mesh_;
  SlotArray<LocalId> neighbour_;  // own cell in unused slots
  Array<float> inflow_;           // s-1 per cell, slot, month
  Array<double> outflow_;         // s-1 per cell and month
  Array<double> saturation_;      // W_s, kg m-2
  Array<double> exchange_;        // e, s-1
  Array<double> rain_rate_;       // F / tau, s-1
  Array<double> land_;            // fraction
};

}  // namespace craton::climate
