#pragma once
// A new planet of a given seed and frequency, for tests.
#include <functional>
#include <vector>

#include "physics/initial/world.hpp"
#include "state/fields.hpp"

namespace craton::test {

inline std::vector<FieldId> all_cell_fields() {
  std::vector<FieldId> ids;
  for (FieldId id = 0; id < field_count(); ++id) {
    if (field_info(id).location == Location::cell) ids.push_back(id);
  }
  return ids;
}

inline config::Parameters with_seed(std::uint64_t seed) {
  config::Parameters p;
  p.seed = seed;
  return p;
}

class NewWorld {
 public:
  /// Collective on comm.
  NewWorld(MPI_Comm comm, std::int64_t frequency, const config::Parameters& parameters)
      : comm_(comm), mesh(comm_, frequency, parameters.planet.radius_m, 2), state(mesh, mesh, all_cell_fields()) {
    initial::make_world(state, parameters);
  }
  /// Part of the planet whose cells are in. Collective.
  double area_fraction(const std::function<bool(LocalId)>& is_in) const {
    ExactSum in, all;
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      all += mesh.area_m2()(c);
      if (is_in(c)) in += mesh.area_m2()(c);
    }
    return comm().sum(in) / comm().sum(all);
  }
  const par::Comm& comm() const { return mesh.comm(); }

 private:
  par::Comm comm_;

 public:
  Mesh mesh;
  State state;
};

}  // namespace craton::test
