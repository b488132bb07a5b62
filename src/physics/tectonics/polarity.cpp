#include "physics/tectonics/polarity.hpp"

#include <cmath>

#include "state/fields.hpp"

namespace craton::tectonics {

void Polarity::find(const State& state) {
  const Mesh& mesh = state.mesh();
  const auto plate = state.read(fields::plate);
  const auto age = state.read(fields::crust_age_yr), continental = state.read(fields::continental_fraction);
  row_.assign(state.crust.plates.size(), 0);
  alive_ = 0;
  for (std::size_t p = 0; p < row_.size(); ++p) {
    if (state.crust.plates[p].alive != 0) row_[p] = static_cast<std::int32_t>(alive_++);
  }
  // Whole numbers, so that the sums do not depend on their order.
  std::vector<std::int64_t> sums(2 * alive_ * alive_, 0);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    if (continental(c) >= 0.5) continue;
    for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
      const std::int32_t other = plate(mesh.neighbours()(c, s));
      if (other == plate(c)) continue;
      sums[2 * index(plate(c), other)] += std::llround(1e-3 * age(c));
      ++sums[2 * index(plate(c), other) + 1];
    }
  }
  mesh.comm().sum(std::span<std::int64_t>(sums));
  age_.resize(alive_ * alive_);
  count_.resize(alive_ * alive_);
  for (std::size_t k = 0; k < age_.size(); ++k) {
    age_[k] = sums[2 * k];
    count_[k] = sums[2 * k + 1];
  }
}

bool Polarity::goes_under(std::int32_t plate, std::int32_t other) const {
  const std::size_t mine = index(plate, other), theirs = index(other, plate);
  if (count_[mine] == 0 || count_[theirs] == 0) return plate > other;
  const double here = static_cast<double>(age_[mine]) / static_cast<double>(count_[mine]);
  const double there = static_cast<double>(age_[theirs]) / static_cast<double>(count_[theirs]);
  return here != there ? here > there : plate > other;
}

}  // namespace craton::tectonics
