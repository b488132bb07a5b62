#include "physics/initial/plate_layout.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "core/constants.hpp"
#include "core/noise.hpp"
#include "physics/initial/plate_growth.hpp"
#include "physics/initial/plate_motion.hpp"

namespace craton::initial {

namespace {

constexpr std::int32_t none = -1;
// A boundary whose motion is nearer than this to its own direction is a transform, not a ridge.
const double sine_of_transform = std::sin(35 * constants::degree);

}  // namespace

PlateLayout::PlateLayout(const config::Initial& parameters, std::uint64_t seed, double radius_m)
    : seed_(seed),
      roughness_rad_(parameters.kind == "plates" ? parameters.boundary_roughness_deg * constants::degree : 0.0),
      count_(static_cast<int>(parameters.plate_count)) {
  if (parameters.kind == "voronoi") {
    seeds_ = random_seeds(seed, count_);
    plate_ = voronoi_plates(sphere_, seeds_);
  } else {
    plate_ = grow_plates(sphere_, parameters, seed);
  }
  euler_ = random_motions(sphere_, plate_, count_, seed, parameters.plate_speed_m_per_yr, radius_m);
  nearest_ridge_.assign(plate_.size(), none);
  first_link_.assign(plate_.size(), none);
  find_ridges();
  spread_ridges();
}

double PlateLayout::distance_rad(Vec3 p, const Side& side) {
  const Vec3 normal = cross(side.from, side.to);
  const bool within = dot(cross(normal, side.from), p) >= 0 && dot(cross(side.to, normal), p) >= 0;
  const double n = norm(normal);
  if (within && n > 0) return std::asin(std::min(1.0, std::abs(dot(normal, p)) / n));
  return std::min(angle_between(p, side.from), angle_between(p, side.to));
}

// The sides along which two plates part.
void PlateLayout::find_ridges() {
  for (std::int32_t cell = 0; cell < sphere_.size(); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    const auto sides = static_cast<std::size_t>(sphere_.count[c]);
    for (std::size_t s = 0; s < sides; ++s) {
      const auto other = static_cast<std::size_t>(sphere_.neighbours[c][s]);
      if (other < c || plate_[other] == plate_[c]) continue;
      const Vec3 across = sphere_.position[other] - sphere_.position[c];
      const Vec3 slip =
          cross(euler_[static_cast<std::size_t>(plate_[other])] - euler_[static_cast<std::size_t>(plate_[c])],
                sphere_.position[c] + sphere_.position[other]);
      if (dot(slip, across) <= sine_of_transform * norm(slip) * norm(across)) continue;
      const CellShape shape = sphere_.grid.shape(GlobalId{cell});
      const auto ridge = static_cast<std::int32_t>(ridges_.size());
      ridges_.push_back({shape.corner[(s + sides - 1) % sides], shape.corner[s]});
      for (const std::size_t at : {c, other}) {
        links_.push_back({ridge, first_link_[at]});
        first_link_[at] = static_cast<std::int32_t>(links_.size()) - 1;
      }
    }
  }
}

// Nearest ridge of each cell within its plate: fronts run from the ridges and carry the side that they started from.
void PlateLayout::spread_ridges() {
  using Arrival = std::tuple<double, std::int32_t, std::int32_t>;  // distance, ridge, cell
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> heap;
  const auto push = [&](std::int32_t ridge, std::int32_t cell) {
    const double d =
        distance_rad(sphere_.position[static_cast<std::size_t>(cell)], ridges_[static_cast<std::size_t>(ridge)]);
    heap.push({d, ridge, cell});
  };
  for (std::int32_t cell = 0; cell < sphere_.size(); ++cell) {
    for (std::int32_t k = first_link_[static_cast<std::size_t>(cell)]; k != none;
         k = links_[static_cast<std::size_t>(k)].next) {
      push(links_[static_cast<std::size_t>(k)].ridge, cell);
    }
  }
  std::vector<bool> done(plate_.size(), false);
  while (!heap.empty()) {
    const auto [distance, ridge, cell] = heap.top();
    heap.pop();
    const auto c = static_cast<std::size_t>(cell);
    if (done[c]) continue;
    done[c] = true;
    nearest_ridge_[c] = ridge;
    for (std::size_t s = 0; s < static_cast<std::size_t>(sphere_.count[c]); ++s) {
      const std::int32_t next = sphere_.neighbours[c][s];
      const auto n = static_cast<std::size_t>(next);
      if (!done[n] && plate_[n] == plate_[c]) push(ridge, next);
    }
  }
}

PlateLayout::Place PlateLayout::at(Vec3 p, GlobalId& hint) const {
  if (roughness_rad_ > 0) {
    // Octaves of decreasing slope keep the map from folding at small scales, which would tear plates apart.
    const noise::Fractal roughness{seed_, RandomStream::relief_noise, 2, 9.0, 7, 0.45};
    p = noise::warped(roughness, p, roughness_rad_);
  }
  hint = sphere_.grid.locate_from(p, hint);
  const auto c = static_cast<std::size_t>(raw(hint));
  Place place{seeds_.empty() ? plate_[c] : nearest_seed(seeds_, p), std::numeric_limits<double>::infinity()};
  const auto try_ridge = [&](std::int32_t ridge) {
    place.ridge_rad = std::min(place.ridge_rad, distance_rad(p, ridges_[static_cast<std::size_t>(ridge)]));
  };
  const auto look = [&](std::size_t cell) {
    if (plate_[cell] != place.plate || nearest_ridge_[cell] == none) return;
    try_ridge(nearest_ridge_[cell]);
    for (std::int32_t k = first_link_[cell]; k != none; k = links_[static_cast<std::size_t>(k)].next) {
      try_ridge(links_[static_cast<std::size_t>(k)].ridge);
    }
  };
  look(c);
  for (std::size_t s = 0; s < static_cast<std::size_t>(sphere_.count[c]); ++s) {
    look(static_cast<std::size_t>(sphere_.neighbours[c][s]));
  }
  return place;
}

}  // namespace craton::initial
