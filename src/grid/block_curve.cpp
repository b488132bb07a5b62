#include "grid/block_curve.hpp"

#include <algorithm>

namespace craton {

namespace {

// Hilbert curve of a square whose side is a power of two: position along the curve -> (row, column). Hilbert 1891; the
// bit form of Warren, Hacker's Delight, chapter 16.
std::pair<std::int64_t, std::int64_t> hilbert_cell(std::int64_t side, std::int64_t d) {
  std::int64_t x = 0, y = 0;
  for (std::int64_t s = 1; s < side; s *= 2) {
    const std::int64_t rx = 1 & (d / 2), ry = 1 & (d ^ rx);
    if (ry == 0) {
      if (rx == 1) {
        x = s - 1 - x;
        y = s - 1 - y;
      }
      std::swap(x, y);
    }
    x += s * rx;
    y += s * ry;
    d /= 4;
  }
  return {x, y};
}

}  // namespace

BlockCurve::BlockCurve(std::int64_t n) : n_(n), blocks_((n + edge - 1) / edge) {
  std::int64_t side = 1;
  while (side < blocks_) side *= 2;
  rank_of_.assign(static_cast<std::size_t>(blocks_ * blocks_), 0);
  begin_.push_back(0);
  for (std::int64_t d = 0; d < side * side; ++d) {
    const auto [row, column] = hilbert_cell(side, d);
    if (row >= blocks_ || column >= blocks_) continue;
    rank_of_[static_cast<std::size_t>(row * blocks_ + column)] = static_cast<std::int32_t>(block_of_.size());
    block_of_.push_back(static_cast<std::int32_t>(row * blocks_ + column));
    const std::int64_t height = std::min(edge, n - row * edge), width = std::min(edge, n - column * edge);
    begin_.push_back(begin_.back() + height * width);
  }
}

std::int64_t BlockCurve::index(std::int64_t a, std::int64_t b) const {
  const std::int64_t row = a / edge, column = b / edge;
  const auto rank = static_cast<std::size_t>(rank_of_[static_cast<std::size_t>(row * blocks_ + column)]);
  const std::int64_t width = std::min(edge, n_ - column * edge);
  return begin_[rank] + (a - row * edge) * width + (b - column * edge);
}

std::pair<std::int64_t, std::int64_t> BlockCurve::cell(std::int64_t index) const {
  const auto after = std::upper_bound(begin_.begin(), begin_.end(), index);
  const auto rank = static_cast<std::size_t>(after - begin_.begin()) - 1;
  const std::int64_t row = block_of_[rank] / blocks_, column = block_of_[rank] % blocks_;
  const std::int64_t width = std::min(edge, n_ - column * edge), rest = index - begin_[rank];
  return {row * edge + rest / width, column * edge + rest % width};
}

}  // namespace craton
