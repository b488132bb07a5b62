#pragma once
// A sum of doubles that is exact until it is rounded once at the end, so that its bits do not depend on the order of
// the terms, on the number of ranks or on threads (a Kulisch accumulator: fixed point over the whole range of double).
//
// Errors: a term that is not finite makes the sum NaN.
#include <array>
#include <cstddef>
#include <cstdint>

namespace craton {

class ExactSum {
 public:
  // 2^-1074 ... 2^1023 in limbs of 32 bits, each in a signed 64-bit word: 2^31 additions fit before a carry is due.
  static constexpr int limb_count = 68;

  void add(double value);
  void add(const ExactSum& other);
  void subtract(const ExactSum& other);
  /// The sum rounded once; ties to even within one unit in the last place.
  double value() const;

  /// Carries propagated, so that up to 2^30 accumulators may be added limb by limb (an MPI sum of int64).
  void normalize();
  std::array<std::int64_t, limb_count + 1>& words() { return words_; }

  ExactSum& operator+=(double value) {
    add(value);
    return *this;
  }

 private:
  // The last word counts the terms that were not finite.
  std::array<std::int64_t, limb_count + 1> words_{};
  std::int64_t pending_ = 0;
};

}  // namespace craton
