#include "core/exact_sum.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "core/int128.hpp"

namespace craton {

namespace {
constexpr int bias_bits = 1074;  // weight of bit 0 is 2^-1074, the smallest denormal
constexpr std::int64_t carry_limit = std::int64_t{1} << 28;
}  // namespace

void ExactSum::add(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff);
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 0x7ff) {
    ++words_[limb_count];
    return;
  }
  if (exponent != 0) mantissa |= std::uint64_t{1} << 52;
  if (mantissa == 0) return;
  const int shift = exponent == 0 ? 0 : exponent - 1;
  const auto limb = static_cast<std::size_t>(shift / 32);
  const auto wide = static_cast<UnsignedInt128>(mantissa) << (shift % 32);  // at most 53 + 31 bits: three limbs
  const auto low = static_cast<std::int64_t>(static_cast<std::uint64_t>(wide) & 0xffffffffULL);
  const auto middle = static_cast<std::int64_t>(static_cast<std::uint64_t>(wide >> 32) & 0xffffffffULL);
  const auto high = static_cast<std::int64_t>(static_cast<std::uint64_t>(wide >> 64));
  const std::int64_t sign = (bits >> 63) != 0 ? -1 : 1;
  words_[limb] += sign * low;
  words_[limb + 1] += sign * middle;
  words_[limb + 2] += sign * high;
  if (++pending_ >= carry_limit) normalize();
}

void ExactSum::add(const ExactSum& other) {
  ExactSum copy = other;
  copy.normalize();
  for (std::size_t k = 0; k < words_.size(); ++k) words_[k] += copy.words_[k];
  // A normalised limb is below 2^32, as much as one term adds.
  if (++pending_ >= carry_limit) normalize();
}

void ExactSum::subtract(const ExactSum& other) {
  ExactSum negative = other;
  for (std::size_t k = 0; k < limb_count; ++k) negative.words_[k] = -negative.words_[k];
  add(negative);
}

void ExactSum::normalize() {
  std::int64_t carry = 0;
  for (std::size_t k = 0; k + 1 < limb_count; ++k) {
    const std::int64_t total = words_[k] + carry;
    carry = total >> 32;  // arithmetic: rounds towards minus infinity, so limbs are 0 .. 2^32 - 1
    words_[k] = total & 0xffffffffLL;
  }
  words_[limb_count - 1] += carry;
  pending_ = 0;
}

double ExactSum::value() const {
  if (words_[limb_count] != 0) return std::numeric_limits<double>::quiet_NaN();
  ExactSum copy = *this;
  copy.normalize();
  const bool negative = copy.words_[limb_count - 1] < 0;
  if (negative) {
    for (std::size_t k = 0; k < limb_count; ++k) copy.words_[k] = -copy.words_[k];
    copy.normalize();
  }
  std::size_t top = limb_count;
  while (top > 0 && copy.words_[top - 1] == 0) --top;
  if (top == 0) return 0.0;
  // The three leading limbs hold at least 65 significant bits; what lies below only decides the rounding (sticky bit).
  UnsignedInt128 head = 0;
  const std::size_t taken = top < 3 ? top : 3;
  for (std::size_t k = 0; k < taken; ++k) {
    head = (head << 32) | static_cast<std::uint64_t>(copy.words_[top - 1 - k]);
  }
  bool sticky = false;
  for (std::size_t k = 0; k + taken < top; ++k) sticky = sticky || copy.words_[k] != 0;
  int exponent = static_cast<int>(top - taken) * 32 - bias_bits;
  int drop = 0;
  while ((head >> drop) >= (static_cast<UnsignedInt128>(1) << 64)) ++drop;
  if (drop > 0) {
    sticky = sticky || (head & ((static_cast<UnsignedInt128>(1) << drop) - 1)) != 0;
    head >>= drop;
    exponent += drop;
  }
  auto bits = static_cast<std::uint64_t>(head);
  // 64 -> 53 bits to nearest even by hand: a conversion would not see the sticky bit.
  int excess = 64 - std::countl_zero(bits) - 53;
  if (excess > 0) {
    const std::uint64_t rest = bits & ((std::uint64_t{1} << excess) - 1), half = std::uint64_t{1} << (excess - 1);
    bits >>= excess;
    if (rest > half || (rest == half && (sticky || (bits & 1) != 0))) ++bits;
    exponent += excess;
  }
  const double magnitude = std::ldexp(static_cast<double>(bits), exponent);
  return negative ? -magnitude : magnitude;
}

}  // namespace craton
