#pragma once
// Order of the cells of one rhombus along a space-filling curve of blocks: blocks of 16 x 16 cells (fewer at the far
// edges) along a Hilbert curve, row by row inside a block. All ten rhombi share this table; its size is (n/16)^2.
#include <cstdint>
#include <utility>
#include <vector>

namespace craton {

class BlockCurve {
 public:
  static constexpr std::int64_t edge = 16;
  explicit BlockCurve(std::int64_t n);

  /// Position in [0, n^2) of the cell in row a, column b (0 <= a, b < n), and back.
  std::int64_t index(std::int64_t a, std::int64_t b) const;
  std::pair<std::int64_t, std::int64_t> cell(std::int64_t index) const;
  /// First index of each block in curve order, and n^2 at the end.
  const std::vector<std::int64_t>& block_begin() const { return begin_; }

 private:
  std::int64_t n_, blocks_;
  std::vector<std::int64_t> begin_;     // by rank on the curve
  std::vector<std::int32_t> rank_of_;   // (block row, block column) -> rank on the curve
  std::vector<std::int32_t> block_of_;  // rank -> block row * blocks + block column
};

}  // namespace craton
