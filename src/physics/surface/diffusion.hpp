#pragma once
// Creep: linear diffusion of height over the cells of one domain, land or sea,
//   a_c dz_c/dt = sum over neighbours of D l (h_n - h_c) / d,
// a area, l length of the common edge, d distance between centres (finite volumes on the Voronoi cells). Land also
// loses volume over the coast to a sea whose height is the sea level; the sea gives nothing back. Explicit steps of
// half the largest stable length, as many on every rank.
#include "core/exact_sum.hpp"
#include "mesh/mesh.hpp"
#include "physics/surface/flow_network.hpp"
#include "state/state.hpp"

namespace craton::surface {

class Diffusion {
 public:
  enum class Domain { land, sea };

  /// Keeps a reference to the mesh. Collective.
  Diffusion(const Mesh& mesh, double diffusivity_m2_per_yr, Domain domain);

  /// Changes elevation_m of the domain, adds the net change to erosion_m or deposition_m, and what crossed the coast to
  /// load_m3 (n_all) of sea cells. Needs the network's slots in one halo layer; refreshes elevation_m there. Returns
  /// the volume that this rank's cells of the domain lost. Collective.
  ExactSum run(State& state, const FlowNetwork& network, const Array<double>& load_m3, double dt_yr);

  int step_count(double dt_yr) const;

 private:
  const Mesh& mesh_;
  double diffusivity_;
  double stable_yr_;  // largest stable explicit step
  Domain domain_;
  std::vector<double> gain_m3_;  // by owned cell, one explicit step
};

}  // namespace craton::surface
