#pragma once
// All that the planet is at one time: fields on the surface mesh and on the climate mesh, the crust, a few numbers, the
// books. Fields exist from construction if some pass declares them; halos are refreshed only where stale.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "mesh/mesh.hpp"
#include "mesh/remap.hpp"
#include "state/field.hpp"
#include "state/ledger.hpp"
#include "state/parcels.hpp"

namespace craton {

/// Numbers of the state that belong to no cell. All are saved and hashed.
struct Globals {
  std::uint64_t seed = 0;
  std::int64_t step = 0;     // tectonic steps done
  std::int64_t time_yr = 0;  // model time
  double sea_level_m = 0;
  double water_volume_m3 = 0;  // water in the oceans
  double climate_age_yr = 0;   // model time of the last climate pass
};

class State {
 public:
  /// Allocates the given fields (duplicates allowed), all zero. The meshes outlive the state.
  State(const Mesh& mesh, const Mesh& climate_mesh, std::span<const FieldId> fields);

  const Mesh& mesh() const { return mesh_; }
  const Mesh& climate_mesh() const { return climate_mesh_; }
  const Mesh& mesh_of(FieldId id) const;
  /// Transfer between the two meshes.
  const Remap& remap() const { return *remap_; }

  bool has(FieldId id) const;
  std::vector<FieldId> fields() const;  // in catalogue order

  /// Arrays of extent n_all * components of the field's mesh. Error(internal) for a field that no pass declared.
  Array<double> real(RealField key) const;
  Array<std::int32_t> integer(IntegerField key) const;
  ConstArray<double> read(RealField key) const { return real(key); }
  ConstArray<std::int32_t> read(IntegerField key) const { return integer(key); }

  /// Says that owned values changed, so that the halo is stale.
  void mark_written(FieldId id) { stale_[static_cast<std::size_t>(id)] = true; }
  template <class T>
  void mark_written(FieldKey<T> key) {
    mark_written(key.id);
  }
  /// Refreshes those of the fields whose halo is stale, one message per neighbour for all. Collective; staleness must
  /// agree between ranks (it does when ranks run the same passes).
  void refresh_halos(std::span<const FieldId> fields);
  template <class... T>
  void refresh(FieldKey<T>... keys) {
    const FieldId ids[] = {keys.id...};
    refresh_halos(ids);
  }

  Globals globals;
  Crust crust;
  Ledger ledger;

 private:
  const Mesh& mesh_;
  const Mesh& climate_mesh_;
  std::unique_ptr<Remap> remap_;
  std::vector<Array<double>> real_;
  std::vector<Array<std::int32_t>> integer_;
  std::vector<bool> present_, stale_;
};

}  // namespace craton
