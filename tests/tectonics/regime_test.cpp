// Which kind of boundary a relative motion makes, and the solution of the torque balance's angles.
#include <gtest/gtest.h>

#include <cmath>

#include "core/constants.hpp"
#include "physics/tectonics/passes.hpp"

using namespace craton;
using tectonics::edge_regime;
using tectonics::Regime;

namespace {

/// Motion of the other side at an angle to the fault, which runs along y; the other side lies towards +x.
Vec3 motion(double angle_deg, double sign) {
  return {sign * std::sin(angle_deg * constants::degree), std::cos(angle_deg * constants::degree), 0};
}
constexpr double limit = 35 * constants::degree;
const Vec3 normal{1, 0, 0};

}  // namespace

// mission: G24
TEST(EdgeRegime, is_transform_up_to_the_angle_and_by_sign_beyond) {
  for (const double angle : {0.0, 10.0, 34.9}) {
    EXPECT_EQ(edge_regime(normal, motion(angle, 1), limit), Regime::transform) << angle;
    EXPECT_EQ(edge_regime(normal, motion(angle, -1), limit), Regime::transform) << angle;
  }
  for (const double angle : {35.1, 60.0, 90.0}) {
    EXPECT_EQ(edge_regime(normal, motion(angle, 1), limit), Regime::divergent) << angle;
    EXPECT_EQ(edge_regime(normal, motion(angle, -1), limit), Regime::convergent) << angle;
  }
}

TEST(EdgeRegime, follows_its_parameter) {
  EXPECT_EQ(edge_regime(normal, motion(30, 1), 20 * constants::degree), Regime::divergent);
  EXPECT_EQ(edge_regime(normal, motion(30, 1), 40 * constants::degree), Regime::transform);
}

TEST(EdgeRegime, is_still_without_relative_motion) {
  EXPECT_EQ(edge_regime(normal, {}, limit), Regime::still);
}

TEST(EdgeRegime, is_the_same_from_both_sides) {
  for (double angle = 1; angle < 90; angle += 7) {
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 v = motion(angle, sign);
      EXPECT_EQ(edge_regime(normal, v, limit), edge_regime(-normal, -v, limit));
    }
  }
}
