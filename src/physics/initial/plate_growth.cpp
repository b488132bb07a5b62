#include "physics/initial/plate_growth.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/noise.hpp"

namespace craton::initial {

namespace {

Vec3 random_point(std::uint64_t seed, std::uint64_t plate, std::uint64_t candidate) {
  const double z = 2 * uniform01(random_bits(seed, RandomStream::plate_seed, plate, 2 * candidate)) - 1;
  const double lon =
      2 * constants::pi * uniform01(random_bits(seed, RandomStream::plate_seed, plate, 2 * candidate + 1));
  const double r = std::sqrt(1 - z * z);
  return normalized(Vec3{r * std::cos(lon), r * std::sin(lon), z});
}

// The race: who reached a cell first, and when.
struct Front {
  std::vector<double> time;
  std::vector<std::int32_t> plate;
};

class Race {
 public:
  Race(const ReferenceSphere& sphere, std::uint64_t seed) : sphere_(sphere), seed_(seed) {
    const noise::Fractal slowness{seed, RandomStream::relief_noise, 1, 2.5, 4, 0.5};
    slow_.resize(sphere.position.size());
    for (std::size_t c = 0; c < slow_.size(); ++c) slow_[c] = std::exp(noise::fbm(slowness, sphere.position[c]));
    front.time.assign(slow_.size(), std::numeric_limits<double>::infinity());
    front.plate.assign(slow_.size(), std::numeric_limits<std::int32_t>::max());
  }

  void start(std::int32_t plate, std::int32_t cell, double time) { offer(time, plate, cell); }

  void finish() {
    while (!heap_.empty()) {
      const auto [time, plate, cell] = heap_.top();
      heap_.pop();
      const auto c = static_cast<std::size_t>(cell);
      if (time != front.time[c] || plate != front.plate[c]) continue;  // reached sooner since
      for (std::size_t s = 0; s < static_cast<std::size_t>(sphere_.count[c]); ++s) {
        const std::int32_t next = sphere_.neighbours[c][s];
        offer(time + passage(cell, next), plate, next);
      }
    }
  }

  Front front;

 private:
  void offer(double time, std::int32_t plate, std::int32_t cell) {
    const auto c = static_cast<std::size_t>(cell);
    if (std::tie(time, plate) >= std::tie(front.time[c], front.plate[c])) return;
    front.time[c] = time;
    front.plate[c] = plate;
    heap_.push({time, plate, cell});
  }

  double passage(std::int32_t a, std::int32_t b) const {
    const auto low = static_cast<std::uint64_t>(std::min(a, b)), high = static_cast<std::uint64_t>(std::max(a, b));
    const double u = uniform01(random_bits(seed_, RandomStream::plate_growth, low + 1, high));
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    return norm(sphere_.position[i] - sphere_.position[j]) * (slow_[i] + slow_[j]) * (0.35 - 0.65 * std::log1p(-u));
  }

  using Arrival = std::tuple<double, std::int32_t, std::int32_t>;
  const ReferenceSphere& sphere_;
  const std::uint64_t seed_;
  std::vector<double> slow_;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> heap_;
};

// Starts plate late, but not so early that it covers the seed of a plate before it.
void start_late(Race& race, const std::vector<std::int32_t>& seeds, std::int32_t plate, double part) {
  const Front before = race.front;
  const std::int32_t seed = seeds[static_cast<std::size_t>(plate)];
  const double reached = before.time[static_cast<std::size_t>(seed)];
  for (int attempt = 0; attempt < 40; ++attempt) {
    race.start(plate, seed, part * reached);
    race.finish();
    bool all_there = true;
    for (std::int32_t k = 0; k <= plate; ++k) {
      all_there = all_there && race.front.plate[static_cast<std::size_t>(seeds[static_cast<std::size_t>(k)])] == k;
    }
    if (all_there) return;
    race.front = before;
    part = 0.5 * (1 + part);
  }
  throw Error(ExitCode::numerical, "initial.plate_count: so many plates do not fit on the planet", true);
}

}  // namespace

std::vector<Vec3> spread_seeds(std::uint64_t seed, int count) {
  std::vector<Vec3> chosen;
  for (int k = 0; k < count; ++k) {
    Vec3 best;
    double best_distance = -1;
    for (int candidate = 0; candidate < 10; ++candidate) {
      const Vec3 p = random_point(seed, static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(candidate));
      double distance = std::numeric_limits<double>::infinity();
      for (const Vec3 q : chosen) distance = std::min(distance, norm(p - q));
      if (distance > best_distance) {
        best = p;
        best_distance = distance;
      }
    }
    chosen.push_back(best);
  }
  return chosen;
}

std::vector<Vec3> random_seeds(std::uint64_t seed, int count) {
  std::vector<Vec3> seeds;
  for (int k = 0; k < count; ++k) seeds.push_back(random_point(seed, static_cast<std::uint64_t>(k), 0));
  return seeds;
}

std::int32_t nearest_seed(const std::vector<Vec3>& seeds, Vec3 p) {
  std::int32_t best = 0;
  double best_cosine = -2;
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    const double cosine = dot(seeds[k], p);
    if (cosine > best_cosine) {
      best = static_cast<std::int32_t>(k);
      best_cosine = cosine;
    }
  }
  return best;
}

std::vector<std::int32_t> grow_plates(const ReferenceSphere& sphere, const config::Initial& parameters,
                                      std::uint64_t seed) {
  const auto plates = static_cast<std::int32_t>(parameters.plate_count);
  std::vector<std::int32_t> seeds;
  for (const Vec3 p : spread_seeds(seed, plates))
    seeds.push_back(static_cast<std::int32_t>(raw(sphere.grid.locate(p))));
  const std::int32_t large = std::clamp(
      static_cast<std::int32_t>(std::lround(parameters.large_plate_fraction * plates)), std::int32_t{1}, plates);
  Race race(sphere, seed);
  for (std::int32_t k = 0; k < large; ++k) race.start(k, seeds[static_cast<std::size_t>(k)], 0.0);
  race.finish();
  for (std::int32_t k = large; k < plates; ++k) {
    const double u = uniform01(random_bits(seed, RandomStream::plate_growth, 0, static_cast<std::uint64_t>(k)));
    start_late(race, seeds, k, 0.2 + 0.7 * u);
  }
  return race.front.plate;
}

std::vector<std::int32_t> voronoi_plates(const ReferenceSphere& sphere, const std::vector<Vec3>& seeds) {
  std::vector<std::int32_t> plates;
  plates.reserve(sphere.position.size());
  for (const Vec3 p : sphere.position) plates.push_back(nearest_seed(seeds, p));
  return plates;
}

}  // namespace craton::initial
