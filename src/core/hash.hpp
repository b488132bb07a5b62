#pragma once
// Counter-based randomness: a value is a function of (seed, pass, step, id) and of nothing else, so that it does not
// depend on rank, thread or order. The mixer is the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>

namespace craton {

KOKKOS_INLINE_FUNCTION constexpr std::uint64_t mix64(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Hash of a seed, a stream (one constant per use, see RandomStream), a step and an id.
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t step,
                                                           std::uint64_t id) {
  return mix64(mix64(mix64(mix64(seed) ^ stream) ^ step) ^ id);
}

/// Uniform in [0, 1) with 53 bits.
KOKKOS_INLINE_FUNCTION constexpr double uniform01(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

/// Names the uses of randomness, so that no two of them share numbers.
enum class RandomStream : std::uint64_t {
  plate_seed = 1,
  plate_growth,
  plate_motion,
  continent_noise,
  relief_noise,
  crust_detail,
  rifting,
  routing_jitter,
  foundering,
  test = 1000
};
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t random_bits(std::uint64_t seed, RandomStream stream, std::uint64_t step,
                                                           std::uint64_t id) {
  return random_bits(seed, static_cast<std::uint64_t>(stream), step, id);
}

}  // namespace craton
