#pragma once
// Which of two oceanic plates goes under where they meet: the one whose floor along their common boundary is older on
// average (a tie: the larger number). One answer for a pair of plates, so that a trench does not change sides from cell
// to cell. A function of the grid alone.
#include <cstdint>
#include <vector>

#include "state/state.hpp"

namespace craton::tectonics {

class Polarity {
 public:
  /// From plate, crust_age_yr and continental_fraction, all with one halo layer. Collective.
  void find(const State& state);
  bool goes_under(std::int32_t plate, std::int32_t other) const;

 private:
  std::size_t index(std::int32_t a, std::int32_t b) const {
    return static_cast<std::size_t>(row_[static_cast<std::size_t>(a)]) * alive_ +
           static_cast<std::size_t>(row_[static_cast<std::size_t>(b)]);
  }
  std::size_t alive_ = 0;
  std::vector<std::int32_t> row_;          // by plate
  std::vector<std::int64_t> age_, count_;  // [a][b]: sums over cells of a beside b, age in 1000 yr
};

}  // namespace craton::tectonics
