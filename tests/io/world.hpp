#pragma once
// A small planet with every catalogue field, several parcels per cell and values that depend on ids alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include "core/hash.hpp"
#include "par/comm.hpp"
#include "state/fields.hpp"
#include "state/state.hpp"
#include "state/state_hash.hpp"

namespace craton::test {

using Cut = std::function<Partition(const GeodesicGrid&, int)>;

inline Partition usual_cut(const GeodesicGrid& grid, int ranks) {
  return Partition(grid, ranks);
}
/// Random cuts: some ranks own nothing, rank 0 among them for odd variants.
inline Cut uneven_cut(std::uint64_t variant) {
  return [variant](const GeodesicGrid& grid, int ranks) {
    std::vector<std::int64_t> first(static_cast<std::size_t>(ranks) + 1, 0);
    for (std::size_t r = 1; r < first.size(); ++r) {
      const std::uint64_t bits = random_bits(variant, RandomStream::test, 0, r);
      first[r] = static_cast<std::int64_t>(uniform01(bits) * static_cast<double>(grid.cell_count()));
    }
    if (ranks > 1 && variant % 2 == 1) first[1] = 0;
    first.back() = grid.cell_count();
    std::sort(first.begin(), first.end());
    for (std::size_t r = 2; r + 1 < first.size() && variant % 3 == 0; r += 2) first[r] = first[r - 1];
    return Partition(grid, first);
  };
}

inline std::vector<FieldId> all_fields() {
  std::vector<FieldId> list;
  for (FieldId id = 0; id < field_count(); ++id) list.push_back(id);
  return list;
}

struct World {
  Mesh mesh, climate;
  State state;
  World(const par::Comm& comm, std::int64_t frequency, const Cut& cut, std::vector<FieldId> fields = all_fields(),
        double radius_m = 6.371e6)
      : mesh(comm, frequency, radius_m, 2, cut),
        climate(comm, frequency / 2, radius_m, 2, cut),
        state(mesh, climate, fields) {}
};

inline double value_of(std::uint64_t salt, std::uint64_t stream, std::int64_t id) {
  return 1e4 * (uniform01(random_bits(salt, stream + 5000, 7, static_cast<std::uint64_t>(id))) - 0.5);
}

inline void fill(State& state, std::int64_t step, std::uint64_t salt = 1) {
  for (const FieldId id : state.fields()) {
    const FieldInfo& info = field_info(id);
    const Mesh& mesh = state.mesh_of(id);
    for (LocalId c = 0; c < mesh.n_owned(); ++c) {
      for (int k = 0; k < info.components; ++k) {
        const double v = value_of(salt, static_cast<std::uint64_t>(id), raw(mesh.global(c)) * 16 + k);
        const auto at =
            static_cast<std::size_t>(c) * static_cast<std::size_t>(info.components) + static_cast<std::size_t>(k);
        if (info.is_integer) {
          state.integer(IntegerField{id})(at) = static_cast<std::int32_t>(v);
        } else {
          state.real(RealField{id})(at) = v;
        }
      }
    }
  }
  state.crust.parcels.clear();
  const Mesh& mesh = state.mesh();
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const std::int64_t cell = raw(mesh.global(c));
    for (std::int64_t k = 0; k < cell % 4; ++k) {
      Parcel p;
      p.id = (3 - k) * 100000 + cell;
      p.cell = cell;
      p.frame_position = mesh.position()(c);
      p.area_m2 = value_of(salt, 900, p.id);
      p.thickness_m = value_of(salt, 901, p.id);
      p.sediment_m = value_of(salt, 902, p.id);
      p.continental = value_of(salt, 903, p.id);
      p.birth_yr = value_of(salt, 904, p.id);
      p.orogeny_yr = value_of(salt, 905, p.id);
      p.elevation_m = value_of(salt, 906, p.id);
      p.plate = static_cast<std::int32_t>(cell % 7);
      state.crust.parcels.push_back(p);
    }
  }
  std::sort(state.crust.parcels.begin(), state.crust.parcels.end(),
            [](const Parcel& a, const Parcel& b) { return a.cell != b.cell ? a.cell < b.cell : a.id < b.id; });
  state.crust.plates.assign(7, Plate{});
  for (std::size_t k = 0; k < 7; ++k) {
    state.crust.plates[k].orientation.x = value_of(salt, 910, static_cast<std::int64_t>(k));
    state.crust.plates[k].euler_rad_per_yr.z = value_of(salt, 911, static_cast<std::int64_t>(k));
    state.crust.plates[k].birth_yr = static_cast<std::int64_t>(k) * 1000;
    state.crust.plates[k].alive = k == 3 ? 0 : 1;
  }
  state.globals = {salt, step, step * 1000000, 12.25, 1.3e18 + 0.1, 5.5e6};
}

/// A directory of this test's own, removed afterwards. Collective.
class Scratch {
 public:
  explicit Scratch(const par::Comm& comm) : comm_(comm) {
    std::string name = (std::filesystem::temp_directory_path() / ("craton-io-" + std::to_string(::getpid()))).string();
    name += '-';
    name += std::to_string(counter++);
    comm_.broadcast(name);
    path_ = name;
    if (comm_.is_root()) std::filesystem::create_directories(path_);
    comm_.barrier();
  }
  ~Scratch() {
    comm_.barrier();
    std::error_code ignored;
    if (comm_.is_root()) std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string run() const { return path_ + "/run"; }
  const std::string& path() const { return path_; }

 private:
  static inline int counter = 0;
  par::Comm comm_;
  std::string path_;
};

/// Runs body on the first `ranks` ranks with a communicator of their own; the others wait.
inline void on_first(const par::Comm& comm, int ranks, const std::function<void(const par::Comm&)>& body) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(comm.handle(), comm.rank() < ranks ? 0 : 1, comm.rank(), &part);
  {
    const par::Comm own(part);
    if (comm.rank() < ranks) body(own);
  }
  MPI_Comm_free(&part);
  comm.barrier();
}

inline par::Comm world() {
  return par::Comm(MPI_COMM_WORLD);
}

}  // namespace craton::test
