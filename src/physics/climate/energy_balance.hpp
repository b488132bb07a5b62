#pragma once
// Diffusive energy balance of the surface on one mesh (North, Cahalan, Coakley 1981, Rev. Geophys. 19, eq. 32):
//   C dT/dt = Q - (A + B T) + D lap(T)
// T surface air temperature reduced to sea level, degree Celsius; C heat capacity, J m-2 K-1; Q absorbed sunlight, W
// m-2; A, B outgoing long-wave radiation, W m-2 and W m-2 K-1; D, W m-2 K-1; lap the Laplacian on the unit sphere, as
// fluxes through the Voronoi edges: (lap T)_i = R^2 / a_i sum_j l_ij / d_ij (T_j - T_i), symmetric, so heat is
// conserved.
//
// Steps are implicit (BDF2, order 2, damps all scales). Each system diag(s) - D lap is solved by a Chebyshev iteration
// on the Jacobi-scaled operator; its bounds (Gershgorin, over the whole planet) and length depend on the planet alone,
// never on the partition, so every rank count gives the same bits.
#include "mesh/mesh.hpp"
#include "physics/climate/kernels.hpp"

namespace craton::climate {

class EnergyBalance {
 public:
  struct Coefficients {
    double outgoing_a_w_m2 = 0, outgoing_b_w_m2_k = 0;
    double diffusion_w_m2_k = 0;  // at the equator
    double pole_share = 1;        // D = diffusion (1 - (1 - pole_share) sin^2(lat))
  };
  /// capacity_floor_j_m2_k: a lower bound of C in all later steps, the same on all ranks. The mesh outlives it.
  EnergyBalance(const Mesh& mesh, Coefficients coefficients, double capacity_floor_j_m2_k);

  /// One step of dt_s: from before_c (t - dt) and now_c (t) to now_c (t + dt); before_c becomes the old now_c.
  /// absorbed and capacity: owned cells, at t + dt. Halos are refreshed inside. Collective.
  void step(Array<double>& before_c, Array<double>& now_c, const ConstArray<double>& absorbed_w_m2,
            const ConstArray<double>& capacity_j_m2_k, double dt_s);
  /// The steady state for fixed absorbed sunlight to the given reduction of the first error. Collective.
  void solve_steady(const Array<double>& temperature_c, const ConstArray<double>& absorbed_w_m2, double reduction);

 private:
  // Reduces the error of (diag(shift_) - D lap) x = rhs_ by `reduction`, given the least shift on the planet.
  void solve(const Array<double>& x, double least_shift, double reduction);

  const Mesh& mesh_;
  Coefficients coefficients_;
  double capacity_floor_;
  SlotArray<double> weight_;      // D R^2 l / (a d), 0 in unused slots
  SlotArray<LocalId> neighbour_;  // own cell in unused slots
  Array<double> weight_sum_, shift_, rhs_, update_, next_;
  double largest_weight_sum_ = 0;  // over the planet
};

}  // namespace craton::climate
