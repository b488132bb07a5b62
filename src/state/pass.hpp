#pragma once
// A pass is one piece of physics. Its contract lists the fields that it reads (with the halo depth that it looks into),
// updates (reads and writes) and overwrites; from that come allocation, halo refreshes, guards and start-up errors.
#include <cstdint>
#include <string>
#include <vector>

#include "core/timer.hpp"
#include "state/state.hpp"

namespace craton {

enum class Access { read, update, overwrite };

struct FieldAccess {
  FieldId field;
  Access access;
  int halo = 0;  // layers of halo that must hold the owners' values before the pass runs
};

template <class T>
FieldAccess reads(FieldKey<T> key, int halo = 0) {
  return {key.id, Access::read, halo};
}
template <class T>
FieldAccess updates(FieldKey<T> key, int halo = 0) {
  return {key.id, Access::update, halo};
}
template <class T>
FieldAccess overwrites(FieldKey<T> key) {
  return {key.id, Access::overwrite, 0};
}

struct PassContract {
  std::string name;  // "surface.incision": the YAML switch, the timer and the kernel label
  std::vector<FieldAccess> fields;
  std::vector<Balance> books;  // balances that it books into
  bool global = false;         // talks beyond its halo (routing, parcels): says so here
};

struct StepInfo {
  std::int64_t step = 0;      // index of the tectonic step
  std::int64_t begin_yr = 0;  // model time at its begin (of the sub-step, inside one)
  double dt_yr = 0;           // length of the step or sub-step
  int substep = 0;
  int substep_count = 1;
  Timers* timers = nullptr;  // for phases inside a pass; may be null
};

class Pass {
 public:
  virtual ~Pass() = default;
  virtual const PassContract& contract() const = 0;
  /// Collective. Reads halos only as deep as declared; afterwards owned values of what it writes are valid, halos
  /// stale.
  virtual void run(State& state, const StepInfo& step) = 0;
};

/// Brings the halos that a pass looks into up to date: before every run of a pass. Collective.
void refresh_halos_for(State& state, const PassContract& contract);
/// Says that what a pass writes has changed: after every run of a pass.
void mark_written_by(State& state, const PassContract& contract);

/// Field ids of a list of passes, for State's constructor.
std::vector<FieldId> declared_fields(const std::vector<const Pass*>& passes);
/// Error(internal) naming the pass and field: read before anyone wrote it, two passes overwrite it, halo deeper than
/// the mesh's.
void check_contracts(const std::vector<const Pass*>& passes, int mesh_halo_depth, std::span<const FieldId> initialised);

}  // namespace craton
