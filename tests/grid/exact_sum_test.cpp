#include "core/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/hash.hpp"
#include "core/vec3.hpp"

using craton::ExactSum;

namespace {

std::vector<double> rough_terms(std::size_t count) {
  std::vector<double> terms;
  for (std::size_t k = 0; k < count; ++k) {
    const auto bits = craton::random_bits(5, craton::RandomStream::test, 0, k);
    terms.push_back(std::ldexp(craton::uniform01(bits) - 0.5, static_cast<int>(bits % 200) - 100));
  }
  return terms;
}

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double t : terms) sum += t;
  return sum.value();
}

}  // namespace

TEST(ExactSum, does_not_depend_on_the_order_of_the_terms) {
  std::vector<double> terms = rough_terms(10000);
  const double forward = sum_of(terms);
  std::reverse(terms.begin(), terms.end());
  EXPECT_EQ(forward, sum_of(terms));
  std::sort(terms.begin(), terms.end());
  EXPECT_EQ(forward, sum_of(terms));
  // A plain sum does depend on it: the terms are rough enough to tell.
  EXPECT_NE(std::accumulate(terms.begin(), terms.end(), 0.0), std::accumulate(terms.rbegin(), terms.rend(), 0.0));
}

TEST(ExactSum, keeps_small_terms_beside_huge_ones) {
  EXPECT_EQ(sum_of({1e300, 1.0, -1e300}), 1.0);
  EXPECT_EQ(sum_of({1e300, std::numeric_limits<double>::denorm_min(), -1e300}),
            std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(sum_of({-1e-300, -2.5}), -2.5);
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({-3.0, 1.0}), -2.0);
}

TEST(ExactSum, rounds_to_nearest_even_once) {
  EXPECT_EQ(sum_of({1.0, 0x1p-53}), 1.0);                      // tie to even
  EXPECT_EQ(sum_of({1.0, 0x1p-53, 0x1p-200}), 1.0 + 0x1p-52);  // just above the tie
  EXPECT_EQ(sum_of({1.0 + 0x1p-52, 0x1p-53}), 1.0 + 0x1p-51);  // tie to even, upwards
}

TEST(ExactSum, joined_parts_equal_the_whole) {
  const std::vector<double> terms = rough_terms(3000);
  ExactSum a, b;
  for (std::size_t k = 0; k < terms.size(); ++k) (k % 3 == 0 ? a : b) += terms[k];
  a.add(b);
  EXPECT_EQ(a.value(), sum_of(terms));
  a.subtract(b);
  a.subtract(a);
  EXPECT_EQ(a.value(), 0.0);
}

TEST(ExactSum, a_term_that_is_not_finite_makes_nan) {
  EXPECT_TRUE(std::isnan(sum_of({1.0, std::numeric_limits<double>::infinity()})));
}

TEST(Hash, uniform_numbers_fill_the_unit_interval_evenly) {
  std::vector<int> bin(16, 0);
  const int count = 160000;
  for (int k = 0; k < count; ++k) {
    const double u =
        craton::uniform01(craton::random_bits(1, craton::RandomStream::test, 3, static_cast<std::uint64_t>(k)));
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++bin[static_cast<std::size_t>(u * 16)];
  }
  double chi_square = 0;
  for (const int b : bin) chi_square += (b - count / 16.0) * (b - count / 16.0) / (count / 16.0);
  EXPECT_LT(chi_square, 37.7);  // 99.9 % of a chi-square with 15 degrees of freedom
}

TEST(Quaternion, ten_thousand_small_rotations_return_to_the_start) {
  using namespace craton;
  const Vec3 axis = normalized(Vec3{1, 2, 3}), start = normalized(Vec3{-1, 0.3, 0.2});
  const int steps = 10000;
  Quaternion q;
  for (int k = 0; k < steps; ++k) q = normalized(rotation_about(axis, 2 * M_PI / steps) * q);
  EXPECT_LT(norm(rotate(q, start) - start), 1e-12);
  const Vec3 quarter = rotate(rotation_about({0, 0, 1}, M_PI / 2), {1, 0, 0});
  EXPECT_LT(norm(quarter - Vec3{0, 1, 0}), 1e-15);
}
