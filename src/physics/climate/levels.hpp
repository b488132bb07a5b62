#pragma once
// Ever coarser meshes below the climate mesh. The steady solvers converge the planetary scales where that is cheap and
// hand the result upwards, so that a fixed, small number of sweeps suffices on every level.
//
// Level 0 is the climate mesh; level k has a quarter of the frequency of level k - 1, at least 8.
#include <memory>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/remap.hpp"

namespace craton::climate {

class Levels {
 public:
  /// Collective. The mesh outlives the levels.
  explicit Levels(const Mesh& climate_mesh);

  int count() const { return static_cast<int>(coarser_.size()) + 1; }
  const Mesh& mesh(int level) const { return level == 0 ? top_ : *coarser_[static_cast<std::size_t>(level) - 1]; }

  /// A field with `components` values per cell from a level to the next coarser one, and back by linear interpolation.
  /// Owned cells only; components at most 12. Collective.
  Array<double> coarsened(const ConstArray<double>& field, int components, int from_level) const;
  Array<double> refined(const ConstArray<double>& field, int components, int from_level) const;

 private:
  const Mesh& top_;
  std::vector<std::unique_ptr<Mesh>> coarser_;
  std::vector<std::unique_ptr<Remap>> remap_;  // [k]: level k (fine) <-> level k + 1 (coarse)
};

/// The levels of a climate mesh, built at the first request and shared by the passes. Collective.
class SharedLevels {
 public:
  const Levels& of(const Mesh& climate_mesh);

 private:
  const Mesh* built_for_ = nullptr;
  std::unique_ptr<Levels> levels_;
};

}  // namespace craton::climate
