#include "grid/partition.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/int128.hpp"
#include "grid/block_curve.hpp"

namespace craton {

Partition::Partition(const GeodesicGrid& grid, int ranks) {
  if (ranks < 1) throw std::invalid_argument("a partition needs at least one rank");
  // Block borders of the planet: the curve's table repeated for ten rhombi, shifted by the north pole at id 0.
  const std::vector<std::int64_t>& begin = grid.curve().block_begin();
  const auto blocks = static_cast<std::int64_t>(begin.size()) - 1;
  const std::int64_t per_rhombus = begin.back(), total = 10 * blocks, cells = grid.cell_count();
  const auto border = [&](std::int64_t block) {
    return block == 0 ? 0 : 1 + (block / blocks) * per_rhombus + begin[static_cast<std::size_t>(block % blocks)];
  };
  first_.push_back(0);
  std::int64_t block = 0;
  for (int r = 1; r < ranks; ++r) {
    const auto target = static_cast<std::int64_t>(static_cast<Int128>(cells) * r / ranks);
    while (block < total && border(block) < target) ++block;
    // The nearer of the two borders around the ideal cut.
    std::int64_t cut = block;
    if (block > 0 && target - border(block - 1) < border(block) - target) cut = block - 1;
    first_.push_back(std::max(first_.back(), cut >= total ? cells : border(cut)));
  }
  first_.push_back(cells);
}

Partition::Partition(const GeodesicGrid& grid, std::vector<std::int64_t> first) : first_(std::move(first)) {
  if (first_.size() < 2 || first_.front() != 0 || first_.back() != grid.cell_count() ||
      !std::is_sorted(first_.begin(), first_.end())) {
    throw std::invalid_argument("partition: starts must rise from 0 to the cell count");
  }
}

int Partition::owner(GlobalId id) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), raw(id));
  return static_cast<int>(after - first_.begin()) - 1;
}

}  // namespace craton
