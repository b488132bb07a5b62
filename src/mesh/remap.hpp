#pragma once
// Transfer between two meshes of the same planet, any pair of frequencies (the climate grid is the coarse one).
// coarsen: area-weighted mean over the fine cells whose centre is nearest to the coarse centre, through exact sums, so
// that its bits do not depend on either partition. refine: linear in the spherical triangle of three coarse centres.
#include <span>
#include <vector>

#include "core/types.hpp"
#include "mesh/mesh.hpp"

namespace craton {

class Remap {
 public:
  /// Keeps references: both meshes must outlive it. Collective.
  Remap(const Mesh& fine, const Mesh& coarse);

  /// coarse(c) = sum(area * fine) / sum(area); owned coarse cells only. A coarse cell without fine cells (coarse grid
  /// finer than the fine one) takes the value of the nearest fine cell. Collective.
  void coarsen(const ConstArray<double>& fine, const Array<double>& coarse) const;

  /// The three coarse cells around each owned fine cell: index into a table of fetched values, and weights (sum 1).
  /// fetch() brings `components` values per needed coarse cell into a table (index * components + c). Collective.
  struct Stencil {
    std::int32_t index[3];
    float weight[3];
  };
  const std::vector<Stencil>& stencils() const { return stencils_; }
  void fetch(const ConstArray<double>& coarse, int components, std::vector<double>& table) const;
  /// Linear interpolation of a one-component coarse field to owned fine cells. Collective.
  void refine(const ConstArray<double>& coarse, const Array<double>& fine) const;

 private:
  std::vector<std::int64_t> find_parents();
  void find_stencils(const std::vector<std::int64_t>& parent);
  void find_orphans();
  std::vector<double> sum_by_parent(const ConstArray<double>& fine) const;

  const Mesh& fine_;
  const Mesh& coarse_;
  std::vector<std::int64_t> parents_;       // coarse global ids nearest to owned fine cells, sorted
  std::vector<std::int32_t> parent_index_;  // owned fine cell -> index into parents_
  std::vector<double> area_sum_;            // owned coarse cell -> area of its fine cells
  std::vector<Stencil> stencils_;
  std::vector<std::int64_t> needed_;  // coarse global ids fetched by this rank, sorted
  par::GatherPlan gather_;
  std::vector<LocalId> orphan_coarse_;  // owned coarse cells without a fine cell
  par::GatherPlan orphans_;
};

}  // namespace craton
