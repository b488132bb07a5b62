#pragma once
// Noise on the sphere (or anywhere in R3): gradient noise on a cubic lattice (Perlin 2002: quintic fade) whose
// gradients come from the hash of core/hash.hpp, and sums of octaves of it. A value depends on seed, stream, layer and
// place only, so the same seed gives the same world at any resolution and on any number of ranks.
//
//   n(p)      = 2.2 * sum over the 8 corners of fade * dot(g, p - corner), g uniform in the cube [-1, 1]^3
//   fbm(p)    = sum_k gain^k n_k(2^k f p) / sqrt(sum_k gain^2k)         standard deviation about 0.5, mean 0
//   ridged(p) = sum_k gain^k (1 - |n_k|)^2 / sum_k gain^k               0 .. 1, 1 on the crests
//
// Octaves are shifted against each other by hash: unshifted, all would vanish on common lattice points. Local.
#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>

#include "core/hash.hpp"
#include "core/vec3.hpp"

namespace craton::noise {

KOKKOS_INLINE_FUNCTION double fade(double t) {
  return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

/// 3 t^2 - 2 t^3 between the edges, 0 below and 1 above.
KOKKOS_INLINE_FUNCTION double smoothstep(double edge0, double edge1, double x) {
  const double t = x <= edge0 ? 0.0 : (x >= edge1 ? 1.0 : (x - edge0) / (edge1 - edge0));
  return t * t * (3.0 - 2.0 * t);
}

/// Component k (0, 1, 2) of a gradient: 21 bits each, in [-1, 1).
KOKKOS_INLINE_FUNCTION double component(std::uint64_t bits, int k) {
  return static_cast<double>((bits >> (21 * k)) & 0x1fffffULL) * 0x1.0p-20 - 1.0;
}

/// Gradient noise with the given key, lattice spacing 1; about -1 .. 1, standard deviation about 0.5.
KOKKOS_INLINE_FUNCTION double gradient_noise(std::uint64_t key, Vec3 p) {
  const double fx = std::floor(p.x), fy = std::floor(p.y), fz = std::floor(p.z);
  const Vec3 in{p.x - fx, p.y - fy, p.z - fz};
  const Vec3 s{fade(in.x), fade(in.y), fade(in.z)};
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int a = corner & 1, b = (corner >> 1) & 1, c = corner >> 2;
    const auto ix = static_cast<std::uint64_t>(static_cast<std::int64_t>(fx) + a) & 0x1fffffULL;
    const auto iy = static_cast<std::uint64_t>(static_cast<std::int64_t>(fy) + b) & 0x1fffffULL;
    const auto iz = static_cast<std::uint64_t>(static_cast<std::int64_t>(fz) + c) & 0x1fffffULL;
    const std::uint64_t bits = mix64(key ^ (ix | (iy << 21) | (iz << 42)));
    const double weight = (a ? s.x : 1 - s.x) * (b ? s.y : 1 - s.y) * (c ? s.z : 1 - s.z);
    sum +=
        weight * (component(bits, 0) * (in.x - a) + component(bits, 1) * (in.y - b) + component(bits, 2) * (in.z - c));
  }
  return 2.2 * sum;
}

/// What a sum of octaves needs; a small value, copied into kernels. layer tells noises of one stream apart.
struct Fractal {
  std::uint64_t seed = 0;
  RandomStream stream = RandomStream::test;
  int layer = 0;
  double frequency = 1;  // lattice cells per unit length (per radian on the unit sphere) of the first octave
  int octaves = 1;
  double gain = 0.5;  // amplitude of an octave relative to the one before, whose wavelength is twice as long

  KOKKOS_INLINE_FUNCTION std::uint64_t key(int octave) const {
    return random_bits(seed, stream, static_cast<std::uint64_t>(layer), static_cast<std::uint64_t>(octave));
  }
  KOKKOS_INLINE_FUNCTION double octave(int k, Vec3 p) const {
    const std::uint64_t bits = key(k);
    const double f = std::ldexp(frequency, k);
    const Vec3 shift{512 * component(bits, 0), 512 * component(bits, 1), 512 * component(bits, 2)};
    return gradient_noise(bits, f * p + shift);
  }
};

KOKKOS_INLINE_FUNCTION double fbm(const Fractal& f, Vec3 p) {
  double sum = 0, power = 0, amplitude = 1;
  for (int k = 0; k < f.octaves; ++k) {
    sum += amplitude * f.octave(k, p);
    power += amplitude * amplitude;
    amplitude *= f.gain;
  }
  return sum / std::sqrt(power);
}

KOKKOS_INLINE_FUNCTION double ridged(const Fractal& f, Vec3 p) {
  double sum = 0, total = 0, amplitude = 1;
  for (int k = 0; k < f.octaves; ++k) {
    const double n = std::fabs(f.octave(k, p));
    const double crest = n < 1 ? 1 - n : 0.0;
    sum += amplitude * crest * crest;
    total += amplitude;
    amplitude *= f.gain;
  }
  return sum / total;
}

/// The unit vector p moved by a noise vector (layers layer, layer + 1, layer + 2) of standard deviation
/// amplitude_rad / 2 per component, and put back on the sphere.
KOKKOS_INLINE_FUNCTION Vec3 warped(Fractal f, Vec3 p, double amplitude_rad) {
  Vec3 shift;
  shift.x = fbm(f, p);
  ++f.layer;
  shift.y = fbm(f, p);
  ++f.layer;
  shift.z = fbm(f, p);
  return normalized(p + amplitude_rad * shift);
}

}  // namespace craton::noise
