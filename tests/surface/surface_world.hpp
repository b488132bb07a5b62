#pragma once
// A planet with given heights, on which surface passes are run one by one.
#include <functional>
#include <memory>
#include <vector>

#include "config/parameters.hpp"
#include "core/constants.hpp"
#include "mesh/mesh.hpp"
#include "physics/surface/passes.hpp"
#include "physics/surface/surface.hpp"
#include "state/fields.hpp"
#include "state/pass.hpp"
#include "state/state.hpp"

namespace craton::test {

class SurfaceWorld {
 public:
  SurfaceWorld(const par::Comm& comm, std::int64_t frequency, const config::Surface& parameters)
      : mesh(comm, frequency, 6.371e6, 2),
        climate(comm, 4, 6.371e6, 2),
        passes(surface::make_surface_passes(parameters)),
        state(mesh, climate, fields_of()) {}

  void fill(RealField key, const std::function<double(Vec3)>& value) {
    const auto field = state.real(key);
    for (LocalId c = 0; c < mesh.n_owned(); ++c) field(c) = value(mesh.position()(c));
    state.mark_written(key);
  }

  /// Runs the first passes of routing, incision, creep, marine.
  void run(double dt_yr, std::size_t count = 4) {
    StepInfo info;
    info.dt_yr = dt_yr;
    for (std::size_t k = 0; k < count; ++k) {
      Pass& pass = *passes[k];
      std::vector<FieldId> needed;
      for (const FieldAccess& a : pass.contract().fields) {
        if (a.halo > 0) needed.push_back(a.field);
      }
      state.refresh_halos(needed);
      pass.run(state, info);
      for (const FieldAccess& a : pass.contract().fields) {
        if (a.access != Access::read) state.mark_written(a.field);
      }
    }
  }

  double sum(const std::function<double(LocalId)>& term) const {
    ExactSum total;
    for (LocalId c = 0; c < mesh.n_owned(); ++c) total += term(c);
    return mesh.comm().sum(total);
  }
  bool is_land(LocalId c) const { return state.read(fields::elevation_m)(c) >= state.globals.sea_level_m; }

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

}  // namespace craton::test
