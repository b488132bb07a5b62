#pragma once
// Small worlds of plates, and the part of the step that concerns them.
#include <cmath>
#include <functional>

#include "config/parameters.hpp"
#include "core/constants.hpp"
#include "mesh/mesh.hpp"
#include "physics/isostasy/isostasy_pass.hpp"
#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"
#include "state/pass.hpp"
#include "state/state.hpp"

namespace craton::test {

/// A planet whose crust is told by place, with passes that are run one by one.
class PlateWorld {
 public:
  PlateWorld(const par::Comm& comm, std::int64_t frequency, const config::Tectonics& parameters)
      : mesh(comm, frequency, 6.371e6, 2),
        climate(comm, 4, 6.371e6, 2),
        margins_(parameters),
        isostasy_(parameters),
        state(mesh, climate, fields_of()) {}

  struct Crust {
    std::int32_t plate = 0;
    bool is_continental = false;
    double age_yr = 50e6;
  };
  void lay(int plates, const std::function<Crust(Vec3)>& crust_at) {
    state.globals.seed = 7;
    state.crust.plates.assign(static_cast<std::size_t>(plates), Plate{});
    state.crust.parcels.clear();
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      const Crust crust = crust_at(mesh.position()(c));
      Parcel p;
      p.id = p.cell = raw(mesh.global(c));
      p.frame_position = mesh.position()(c);
      p.area_m2 = mesh.area_m2()(c);
      p.thickness_m = crust.is_continental ? 35000 : 7000;
      p.sediment_m = crust.is_continental ? 0 : 100;
      p.continental = crust.is_continental ? 1 : 0;
      p.birth_yr = p.orogeny_yr = -crust.age_yr;
      p.plate = crust.plate;
      state.crust.parcels.push_back(p);
      state.integer(fields::plate)(c) = crust.plate;
      state.real(fields::continental_fraction)(c) = p.continental;
      state.real(fields::crust_age_yr)(c) = crust.age_yr;
    }
    for (const FieldId id : state.fields()) state.mark_written(id);
  }
  /// Turns a plate at the given surface speed about an axis.
  void turn(int plate, Vec3 axis, double speed_m_per_yr) {
    state.crust.plates[static_cast<std::size_t>(plate)].euler_rad_per_yr =
        (speed_m_per_yr / mesh.radius_m()) * normalized(axis);
  }

  void step(double dt_yr = 1e6) {
    StepInfo info;
    info.step = state.globals.step;
    info.begin_yr = state.globals.time_yr;
    info.dt_yr = dt_yr;
    state.ledger.stock_before(Balance::rock, state.crust.rock_m3());
    for (Pass* pass : {static_cast<Pass*>(&motion_), static_cast<Pass*>(&margins_), static_cast<Pass*>(&isostasy_),
                       static_cast<Pass*>(&settle_)}) {
      refresh_halos_for(state, pass->contract());
      pass->run(state, info);
      mark_written_by(state, pass->contract());
    }
    state.ledger.stock_after(Balance::rock, state.crust.rock_m3());
    state.ledger.close(mesh.comm());
    ++state.globals.step;
    state.globals.time_yr += std::llround(dt_yr);
  }

  std::int64_t parcel_count() const { return mesh.comm().sum(static_cast<std::int64_t>(state.crust.parcels.size())); }
  double area_where(const std::function<bool(LocalId)>& is_in) const {
    ExactSum sum;
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      if (is_in(c)) sum += mesh.area_m2()(c);
    }
    return mesh.comm().sum(sum);
  }
  double continental_area() const {
    const auto continental = state.read(fields::continental_fraction);
    return area_where([&](LocalId c) { return continental(c) >= 0.5; });
  }
  double continental_volume() const {
    ExactSum sum;
    for (const Parcel& p : state.crust.parcels) sum += p.area_m2 * p.thickness_m * p.continental;
    return mesh.comm().sum(sum);
  }

  Mesh mesh, climate;

 private:
  std::vector<FieldId> fields_of() const { return declared_fields({&motion_, &margins_, &isostasy_, &settle_}); }
  tectonics::MotionPass motion_;
  tectonics::MarginsPass margins_;
  IsostasyPass isostasy_;
  tectonics::SettlePass settle_;

 public:
  State state;
};

inline config::Tectonics constant_motion() {
  config::Tectonics p;
  p.motion = "constant";
  p.arc_growth_m2_per_yr = 0;
  p.rollback_m_per_yr = 0;
  p.founder_age_yr = 1e10;  // floor stays, however long the test runs
  return p;
}

}  // namespace craton::test
