#include "physics/surface/stream_power.hpp"

#include <gtest/gtest.h>

using namespace craton::surface;

// mission: R6
TEST(ImplicitDrop, solves_its_equation_for_any_exponent_and_size) {
  for (const double n : {0.2, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0}) {
    for (const double drop : {1e-9, 1e-3, 1.0, 37.0, 9000.0}) {
      for (const double k : {1e-12, 1e-4, 1.0, 1e3, 1e12}) {
        const double x = implicit_drop_m(drop, k, n);
        ASSERT_GE(x, 0);
        ASSERT_LE(x, drop);
        const double residual = x + k * std::pow(x, n) - drop;
        EXPECT_LE(std::abs(residual), 1e-12 * drop * (1 + n)) << "n " << n << " drop " << drop << " k " << k;
      }
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
      EXPECT_LE(x, before * (1 + 1e-12)) << "more cover, more erosion";
      EXPECT_GE(x, soft * (1 - 1e-12));
      before = x;
    }
    EXPECT_EQ(implicit_layered_drop_m(100, 0.01, n, 1000.0, 5), soft);
  }
}
