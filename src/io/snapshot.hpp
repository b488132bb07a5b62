#pragma once
// Output for viewers: one VTKHDF UnstructuredGrid (version 1.0) file per snapshot with float32 values of every
// Show::output field on Voronoi polygons, the geometry stored once in output/mesh, and one file to open,
// output/planet.hdf.series. Climate fields go to output/climate/climate-<step>.h5 as [cells, months].
//
// Polygons are grouped in pieces of fixed ranges of global ids (the same on any rank count); points are shared inside a
// piece. Points are in kilometres. Files appear under their name only when complete.
// Errors: Error(io) on all ranks.
#include <cstdint>
#include <string>
#include <vector>

#include "state/state.hpp"

namespace craton::io {

struct SnapshotOptions {
  std::string git_hash;
  std::int64_t piece_cells = 65536;                   // about that many polygons per piece
  std::size_t transfer_bytes = std::size_t{1} << 30;  // largest piece of one HDF5 transfer
};

class SnapshotWriter {
 public:
  /// Writes the mesh file if this mesh has none yet. Entries of an existing series that are newer than the state's step
  /// are dropped (they will be written again). Collective.
  SnapshotWriter(const State& state, std::string run_dir, SnapshotOptions options = {});

  /// Path of the new snapshot. Derived fields are written as they are: the caller has computed them. Collective.
  std::string write(const State& state);

  /// The one file to open in ParaView.
  std::string series_path() const;

 private:
  struct Entry {
    std::string name;
    double time_myr = 0;
  };
  void write_mesh(const Mesh& mesh) const;
  void write_surface(const State& state, const std::string& path) const;
  void write_climate(const State& state, const std::string& path) const;
  void load_series(double now_myr);
  void write_series() const;

  std::string run_dir_, mesh_name_;
  SnapshotOptions options_;
  std::vector<Entry> entries_;  // of the series, ordered by time; rank 0
};

}  // namespace craton::io
