#pragma once
// Vectors in R3 and unit quaternions. Right-handed: x through (lat 0, lon 0), y through (0, 90 E), z through the north
// pole. All functions are usable in kernels.
#include <Kokkos_Core.hpp>
#include <cmath>

namespace craton {

struct Vec3 {
  double x = 0, y = 0, z = 0;
};

KOKKOS_INLINE_FUNCTION Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
KOKKOS_INLINE_FUNCTION Vec3 operator-(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
KOKKOS_INLINE_FUNCTION Vec3 operator-(Vec3 a) {
  return {-a.x, -a.y, -a.z};
}
KOKKOS_INLINE_FUNCTION Vec3 operator*(double s, Vec3 a) {
  return {s * a.x, s * a.y, s * a.z};
}
KOKKOS_INLINE_FUNCTION Vec3 operator*(Vec3 a, double s) {
  return s * a;
}
KOKKOS_INLINE_FUNCTION Vec3 operator/(Vec3 a, double s) {
  return {a.x / s, a.y / s, a.z / s};
}
KOKKOS_INLINE_FUNCTION bool operator==(Vec3 a, Vec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
KOKKOS_INLINE_FUNCTION double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
KOKKOS_INLINE_FUNCTION Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
KOKKOS_INLINE_FUNCTION double norm(Vec3 a) {
  return std::sqrt(dot(a, a));
}
KOKKOS_INLINE_FUNCTION Vec3 normalized(Vec3 a) {
  return a / norm(a);
}
/// Angle between two vectors of any length, radians; accurate near 0 and pi.
KOKKOS_INLINE_FUNCTION double angle_between(Vec3 a, Vec3 b) {
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

struct LonLat {
  double lon_rad = 0, lat_rad = 0;
};
KOKKOS_INLINE_FUNCTION Vec3 to_vector(LonLat p) {
  return {std::cos(p.lat_rad) * std::cos(p.lon_rad), std::cos(p.lat_rad) * std::sin(p.lon_rad), std::sin(p.lat_rad)};
}
KOKKOS_INLINE_FUNCTION LonLat to_lon_lat(Vec3 p) {
  return {std::atan2(p.y, p.x), std::atan2(p.z, std::sqrt(p.x * p.x + p.y * p.y))};
}
/// Unit vectors east and north at the unit vector p; at the poles east is +y (the limit along lon 0).
KOKKOS_INLINE_FUNCTION Vec3 east_at(Vec3 p) {
  const double r = std::sqrt(p.x * p.x + p.y * p.y);
  return r > 0 ? Vec3{-p.y / r, p.x / r, 0} : Vec3{0, 1, 0};
}
KOKKOS_INLINE_FUNCTION Vec3 north_at(Vec3 p) {
  return cross(p, east_at(p));
}

/// Unit quaternion w + xi + yj + zk; rotations compose as (a * b) = first b, then a.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};
KOKKOS_INLINE_FUNCTION Quaternion operator*(Quaternion a, Quaternion b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
KOKKOS_INLINE_FUNCTION Quaternion conjugate(Quaternion q) {
  return {q.w, -q.x, -q.y, -q.z};
}
KOKKOS_INLINE_FUNCTION Quaternion normalized(Quaternion q) {
  const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w / n, q.x / n, q.y / n, q.z / n};
}
/// Rotation by angle_rad about the unit vector axis, counter-clockwise seen from its tip.
KOKKOS_INLINE_FUNCTION Quaternion rotation_about(Vec3 axis, double angle_rad) {
  const double s = std::sin(0.5 * angle_rad);
  return {std::cos(0.5 * angle_rad), s * axis.x, s * axis.y, s * axis.z};
}
KOKKOS_INLINE_FUNCTION Vec3 rotate(Quaternion q, Vec3 v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2.0 * cross(u, v);
  return v + q.w * t + cross(u, t);
}

}  // namespace craton
