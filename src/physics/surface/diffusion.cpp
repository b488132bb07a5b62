#include "physics/surface/diffusion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "state/fields.hpp"

namespace craton::surface {

namespace {

double conductance(const Mesh& mesh, LocalId c, int slot) {
  return static_cast<double>(mesh.edge_m()(c, slot)) / static_cast<double>(mesh.distance_m()(c, slot));
}

}  // namespace

Diffusion::Diffusion(const Mesh& mesh, double diffusivity_m2_per_yr, Domain domain)
    : mesh_(mesh),
      diffusivity_(diffusivity_m2_per_yr),
      stable_yr_(std::numeric_limits<double>::infinity()),
      domain_(domain),
      gain_m3_(static_cast<std::size_t>(mesh.n_owned())) {
  if (diffusivity_ <= 0) return;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    double sum = 0;
    for (int s = 0; s < mesh.neighbour_count()(c); ++s) sum += conductance(mesh, c, s);
    stable_yr_ = std::min(stable_yr_, mesh.area_m2()(c) / (diffusivity_ * sum));
  }
  stable_yr_ = mesh.comm().min(stable_yr_);
}

int Diffusion::step_count(double dt_yr) const {
  return diffusivity_ > 0 ? static_cast<int>(std::ceil(dt_yr / (0.5 * stable_yr_))) : 0;
}

ExactSum Diffusion::run(State& state, const FlowNetwork& network, const Array<double>& load_m3, double dt_yr) {
  ExactSum lost;
  const int steps = step_count(dt_yr);
  if (steps == 0) return lost;
  const auto z = state.real(fields::elevation_m);
  const auto erosion = state.real(fields::erosion_m), deposition = state.real(fields::deposition_m);
  const auto neighbours = mesh_.neighbours();
  const auto area = mesh_.area_m2();
  const double sea_level = state.globals.sea_level_m, factor = diffusivity_ * dt_yr / steps;
  const bool on_land = domain_ == Domain::land;
  std::vector<LocalId> cells;
  std::vector<double> before;
  for (LocalId c = 0; c < mesh_.n_owned(); ++c) {
    if (network.is_land(c) != on_land) continue;
    cells.push_back(c);
    before.push_back(z(c));
  }
  // Volume that flows from land cell c over the coast; the same bits on the rank of either side.
  const auto over_coast = [&](LocalId land, LocalId c, int slot) {
    return factor * conductance(mesh_, c, slot) * std::max(0.0, z(land) - sea_level);
  };
  for (int k = 0; k < steps; ++k) {
    mesh_.refresh_halo(z);
    for (const LocalId c : cells) {
      double gain = 0;
      for (int s = 0; s < mesh_.neighbour_count()(c); ++s) {
        const LocalId n = neighbours(c, s);
        if (network.is_land(n) == on_land) {
          gain += factor * conductance(mesh_, c, s) * (z(n) - z(c));
        } else if (on_land) {
          gain -= over_coast(c, c, s);
        }
      }
      gain_m3_[static_cast<std::size_t>(c)] = gain;
    }
    for (LocalId c = 0; on_land && c < mesh_.n_owned(); ++c) {
      if (network.is_land(c)) continue;
      for (int s = 0; s < mesh_.neighbour_count()(c); ++s) {
        if (network.is_land(neighbours(c, s))) load_m3(c) += over_coast(neighbours(c, s), c, s);
      }
    }
    for (const LocalId c : cells) {
      z(c) += gain_m3_[static_cast<std::size_t>(c)] / area(c);
      lost += -gain_m3_[static_cast<std::size_t>(c)];
    }
  }
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const LocalId c = cells[k];
    const double change = z(c) - before[k];
    (change < 0 ? erosion(c) : deposition(c)) += std::abs(change);
  }
  return lost;
}

}  // namespace craton::surface
