#include "state/pass.hpp"

#include <algorithm>
#include <set>

#include "core/error.hpp"

namespace craton {

void refresh_halos_for(State& state, const PassContract& contract) {
  std::vector<FieldId> needed;
  for (const FieldAccess& a : contract.fields) {
    if (a.halo > 0) needed.push_back(a.field);
  }
  state.refresh_halos(needed);
}

void mark_written_by(State& state, const PassContract& contract) {
  for (const FieldAccess& a : contract.fields) {
    if (a.access != Access::read) state.mark_written(a.field);
  }
}

std::vector<FieldId> declared_fields(const std::vector<const Pass*>& passes) {
  std::set<FieldId> ids;
  for (const Pass* pass : passes) {
    for (const FieldAccess& a : pass->contract().fields) ids.insert(a.field);
  }
  return {ids.begin(), ids.end()};
}

void check_contracts(const std::vector<const Pass*>& passes, int mesh_halo_depth,
                     std::span<const FieldId> initialised) {
  std::set<FieldId> written(initialised.begin(), initialised.end());
  std::string faults;
  const auto fault = [&](const Pass& pass, FieldId field, const std::string& what) {
    faults += "pass " + pass.contract().name + ", field " + field_info(field).name + ": " + what + "\n";
  };
  for (const Pass* pass : passes) {
    std::set<FieldId> mentioned;
    for (const FieldAccess& a : pass->contract().fields) {
      if (!mentioned.insert(a.field).second) fault(*pass, a.field, "declared twice");
      if (a.access != Access::overwrite && !written.contains(a.field))
        fault(*pass, a.field, "read before any pass writes it");
      if (a.halo > mesh_halo_depth) {
        fault(*pass, a.field,
              "needs " + std::to_string(a.halo) + " halo layers, the mesh has " + std::to_string(mesh_halo_depth));
      }
    }
    for (const FieldAccess& a : pass->contract().fields) {
      if (a.access != Access::read) written.insert(a.field);
    }
  }
  if (!faults.empty()) throw Error(ExitCode::internal, "the schedule of passes is inconsistent:\n" + faults);
}

}  // namespace craton
