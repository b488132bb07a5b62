#pragma once
// A planet with nothing but relief and climate, for tests.
#include <functional>
#include <memory>
#include <vector>

#include "physics/climate/climate.hpp"
#include "physics/climate/kernels.hpp"
#include "state/fields.hpp"
#include "state/monitor.hpp"

namespace craton::test {

class ClimateWorld {
 public:
  /// relief(unit vector) is the elevation in metres; the sea stands at 0. Collective on comm.
  ClimateWorld(MPI_Comm comm, std::int64_t frequency, std::int64_t climate_frequency, config::Planet planet,
               config::Climate climate, const std::function<double(Vec3)>& relief)
      : comm_(comm),
        mesh_(comm_, frequency, planet.radius_m, 2),
        climate_mesh_(comm_, climate_frequency, planet.radius_m, 2),
        passes_(climate::make_climate_passes(planet, climate)),
        state_(mesh_, climate_mesh_, fields_of(passes_)) {
    const auto elevation = state_.real(fields::elevation_m);
    for (LocalId c = 0; c < mesh_.n_owned(); ++c) elevation(c) = relief(mesh_.position()(c));
    state_.mark_written(fields::elevation_m);
  }

  /// Runs all passes as the driver does; guards after each. Collective.
  void run(Timers* timers = nullptr) {
    StepInfo step;
    step.timers = timers;
    for (const auto& pass : passes_) {
      refresh_halos_for(state_, pass->contract());
      {
        Timers unused;
        const ScopedTimer timer(timers ? *timers : unused, pass->contract().name);
        pass->run(state_, step);
      }
      mark_written_by(state_, pass->contract());
      check_after(*pass, state_, step);
    }
  }

  State& state() { return state_; }
  const Mesh& mesh() const { return mesh_; }
  const Mesh& climate_mesh() const { return climate_mesh_; }

  /// Area mean of a climate field in one month over the cells that `where` accepts. Collective.
  double climate_mean(RealField field, int month, const std::function<bool(LocalId)>& where) {
    const auto values = state_.read(field);
    const int components = field_info(field.id).components;
    ExactSum sum, area;
    for (LocalId c = 0; c < climate_mesh_.n_owned(); ++c) {
      if (!where(c)) continue;
      sum.add(climate_mesh_.area_m2()(c) * values(c * components + month));
      area.add(climate_mesh_.area_m2()(c));
    }
    return comm_.sum(sum) / comm_.sum(area);
  }
  double latitude_deg(LocalId climate_cell) const {
    return to_lon_lat(climate_mesh_.position()(climate_cell)).lat_rad / constants::degree;
  }

 private:
  static std::vector<FieldId> fields_of(const std::vector<std::unique_ptr<Pass>>& passes) {
    std::vector<const Pass*> list;
    for (const auto& p : passes) list.push_back(p.get());
    return declared_fields(list);
  }

  par::Comm comm_;
  Mesh mesh_, climate_mesh_;
  std::vector<std::unique_ptr<Pass>> passes_;
  State state_;
};

inline double flat_sea(Vec3) {
  return -4000.0;
}

}  // namespace craton::test
