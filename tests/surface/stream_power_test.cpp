// The implicit step of one cell: its root for any exponent, and a soft cover over rock.
#include "physics/surface/stream_power.hpp"

#include <gtest/gtest.h>

#include <limits>

using namespace craton::surface;

TEST(ImplicitDrop, solves_its_equation_for_any_exponent_and_size) {
  for (const double n : {0.2, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0}) {
    for (const double drop : {1e-9, 1e-3, 1.0, 37.0, 9000.0}) {
      for (const double k : {1e-12, 1e-4, 1.0, 1e3, 1e12}) {
        const double x = implicit_drop_m(drop, k, n);
        ASSERT_GE(x, 0);
        ASSERT_LE(x, drop);
        const double residual = x + k * std::pow(x, n) - drop;
        EXPECT_LE(std::abs(residual), 1e-14 * drop * (1 + n)) << "n " << n << " drop " << drop << " k " << k;
      }
    }
  }
}

TEST(ImplicitDrop, ends_between_base_and_ground_for_the_most_extreme_numbers) {
  constexpr double tiny = std::numeric_limits<double>::min(), huge = std::numeric_limits<double>::max();
  for (const double n : {0.2, 0.7, 1.0, 1.5, 5.0}) {
    for (const double drop : {tiny, 1.0, 1e300, huge}) {
      for (const double k : {tiny, 1.0, 1e300, huge, std::numeric_limits<double>::infinity()}) {
        const double x = implicit_drop_m(drop, k, n);
        EXPECT_TRUE(x >= 0 && x <= drop) << "n " << n << " drop " << drop << " k " << k << " x " << x;
      }
    }
  }
}

TEST(ImplicitDrop, falls_with_strength_and_rises_with_height) {
  for (const double n : {0.5, 1.0, 1.7}) {
    double before = 100;
    for (double k = 1e-6; k < 1e6; k *= 3) {
      const double x = implicit_drop_m(100, k, n);
      EXPECT_LT(x, before);
      EXPECT_GT(implicit_drop_m(101, k, n), x);
      before = x;
    }
  }
}

TEST(ImplicitDrop, leaves_alone_what_nothing_cuts) {
  EXPECT_EQ(implicit_drop_m(12.0, 0.0, 1.5), 12.0);
  EXPECT_EQ(implicit_drop_m(0.0, 3.0, 1.5), 0.0);
  EXPECT_EQ(implicit_drop_m(-2.0, 3.0, 1.5), -2.0);
}

TEST(ImplicitLayeredDrop, lies_between_bare_rock_and_endless_cover) {
  for (const double n : {0.7, 1.0, 2.0}) {
    const double rock = implicit_drop_m(100, 0.01, n), soft = implicit_drop_m(100, 0.05, n);
    double before = rock;
    for (const double cover : {0.0, 0.1, 1.0, 10.0, 50.0, 1000.0}) {
      const double x = implicit_layered_drop_m(100, 0.01, n, cover, 5);
      EXPECT_LE(x, before * (1 + 1e-12)) << "n " << n << " cover " << cover;  // more cover, more erosion
      EXPECT_GE(x, soft * (1 - 1e-12)) << "n " << n << " cover " << cover;
      before = x;
    }
    EXPECT_EQ(implicit_layered_drop_m(100, 0.01, n, 1000.0, 5), soft);
    EXPECT_EQ(implicit_layered_drop_m(100, 0.01, n, 0.0, 5), rock);
    EXPECT_EQ(implicit_layered_drop_m(100, 0.01, n, 10.0, 1), rock);
  }
}

TEST(ImplicitLayeredDrop, has_no_step_where_the_cover_is_just_cut_through) {
  for (const double n : {0.7, 1.0, 2.0}) {
    const double cut = 100 - implicit_drop_m(100, 0.05, n);
    const double above = implicit_layered_drop_m(100, 0.01, n, cut * (1 + 1e-9), 5);
    const double below = implicit_layered_drop_m(100, 0.01, n, cut * (1 - 1e-9), 5);
    EXPECT_NEAR(above, below, 1e-6) << "n " << n;
  }
}
