#pragma once
// A planet with given heights, on which surface passes are run one by one.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "config/parameters.hpp"
#include "core/hash.hpp"
#include "core/noise.hpp"
#include "mesh/mesh.hpp"
#include "physics/surface/passes.hpp"
#include "physics/surface/surface.hpp"
#include "state/fields.hpp"
#include "state/pass.hpp"
#include "state/state.hpp"

namespace craton::test {

using Heights = std::function<double(Vec3)>;
using Cut = std::function<Partition(const GeodesicGrid&, int)>;

inline Partition usual_cut(const GeodesicGrid& grid, int ranks) {
  return Partition(grid, ranks);
}
/// Even ranks own nothing (of one rank, all).
inline Partition gappy_cut(const GeodesicGrid& grid, int ranks) {
  std::vector<std::int64_t> first;
  for (int r = 0; r <= ranks; ++r) first.push_back(grid.cell_count() * (r / 2) / std::max(1, ranks / 2));
  if (ranks % 2 == 1) first.back() = grid.cell_count();
  return Partition(grid, first);
}

class SurfaceWorld {
 public:
  SurfaceWorld(const par::Comm& comm, std::int64_t frequency, const config::Surface& parameters,
               const Cut& cut = usual_cut)
      : mesh(comm, frequency, 6.371e6, 2, cut),
        climate(comm, 4, 6.371e6, 2),
        passes(surface::make_surface_passes(parameters)),
        state(mesh, climate, fields_of()) {}

  void fill(RealField key, const Heights& value) {
    const auto field = state.real(key);
    for (LocalId c = 0; c < mesh.n_owned(); ++c) field(c) = value(mesh.position()(c));
    state.mark_written(key);
  }

  /// Runs the first passes of routing, incision, creep, marine.
  void run(double dt_yr, std::size_t count = 4) {
    for (std::size_t k = 0; k < count; ++k) run_pass(k, dt_yr);
  }
  void run_pass(std::size_t k, double dt_yr) {
    StepInfo info;
    info.dt_yr = dt_yr;
    Pass& pass = *passes[k];
    refresh_halos_for(state, pass.contract());
    pass.run(state, info);
    mark_written_by(state, pass.contract());
  }
  /// Closes the books and returns what a process booked.
  void close_books() { state.ledger.close(mesh.comm()); }
  double booked(Balance balance, const char* process) const {
    return state.ledger.last_step(balance).booked_m3.at(process);
  }

  /// Exact sum over all cells.
  double sum(const std::function<double(LocalId)>& term) const {
    ExactSum total;
    for (LocalId c = 0; c < mesh.n_owned(); ++c) total += term(c);
    return mesh.comm().sum(total);
  }
  double volume(RealField key) const {
    const auto field = state.read(key);
    return sum([&](LocalId c) { return field(c) * mesh.area_m2()(c); });
  }
  bool is_land(LocalId c) const { return state.read(fields::elevation_m)(c) >= state.globals.sea_level_m; }
  /// Receiver of an owned cell after routing, or no_cell.
  LocalId receiver(LocalId c) const {
    const std::int32_t slot = state.read(fields::receiver_slot)(c);
    return slot < 0 ? no_cell : mesh.neighbours()(c, slot);
  }

  Mesh mesh, climate;
  std::vector<std::unique_ptr<Pass>> passes;

 private:
  std::vector<FieldId> fields_of() const {
    std::vector<const Pass*> all;
    for (const auto& pass : passes) all.push_back(pass.get());
    return declared_fields(all);
  }

 public:
  State state;
};

/// Rough hills about 0 with many pits.
inline Heights rough(std::uint64_t seed, double amplitude_m) {
  return [=](Vec3 at) {
    return amplitude_m * noise::fbm(noise::Fractal{seed, RandomStream::test, 0, 3.0, 6, 0.7}, at);
  };
}

}  // namespace craton::test
