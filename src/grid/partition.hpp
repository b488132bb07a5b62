#pragma once
// Which rank owns which cells: contiguous ranges of global ids cut at block borders, P + 1 numbers in all.
#include <cstdint>
#include <functional>
#include <vector>

#include "grid/geodesic_grid.hpp"

namespace craton {

class Partition {
 public:
  /// Equal numbers of blocks, weighted by cells. Ranks beyond the number of blocks own nothing.
  Partition(const GeodesicGrid& grid, int ranks);
  /// Explicit starts: first[r] .. first[r + 1] belong to rank r; size ranks + 1. For tests and measured weights.
  Partition(const GeodesicGrid& grid, std::vector<std::int64_t> first);

  int rank_count() const { return static_cast<int>(first_.size()) - 1; }
  int owner(GlobalId id) const;
  std::int64_t begin(int rank) const { return first_[static_cast<std::size_t>(rank)]; }
  std::int64_t end(int rank) const { return first_[static_cast<std::size_t>(rank) + 1]; }

 private:
  std::vector<std::int64_t> first_;
};

}  // namespace craton
