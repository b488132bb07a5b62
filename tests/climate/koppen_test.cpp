// Golden cases of the Koppen classes: all thirty, from years that meet one rule each, and the edges of every rule of
// Peel, Finlayson and McMahon (2007, table 1) from both sides.
#include "physics/climate/koppen.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "core/constants.hpp"

namespace craton::climate {
namespace {

using Year = std::array<double, 12>;

// Coldest in January, warmest in July, straight between.
Year northern(double cold, double warm) {
  Year t{};
  for (int m = 0; m < 12; ++m) {
    const int k = m <= 6 ? m : 12 - m;
    t[static_cast<std::size_t>(m)] = k == 6 ? warm : cold + (warm - cold) * k / 6.0;
  }
  return t;
}
Year even(double value) {
  Year y{};
  y.fill(value);
  return y;
}
// One amount in October to March, another in April to September.
Year halves(double october_to_march, double april_to_september) {
  Year y = even(october_to_march);
  for (std::size_t m = 3; m <= 8; ++m) y[m] = april_to_september;
  return y;
}
Year with(Year y, std::size_t month, double value) {
  y[month] = value;
  return y;
}
Year half_a_year_later(const Year& y) {
  Year result{};
  for (std::size_t m = 0; m < 12; ++m) result[(m + 6) % 12] = y[m];
  return result;
}
std::string name_of(const Year& t, const Year& p, KoppenOptions options = {}) {
  return std::string(koppen_name(koppen_class(t.data(), p.data(), options)));
}

struct Golden {
  const char* name;
  Year temperature_c, rain_mm;
};

const Golden golden[] = {
    {"Af", even(26), even(180)},
    {"Am", northern(25, 28), with(even(220), 0, 30)},  // 30 < 60, 100 - 2450 / 25 = 2
    {"Aw", northern(20, 28), halves(10, 180)},         // 1140 mm: 100 - 45.6 = 54.4
    {"BWh", northern(14, 34), even(2)},
    {"BWk", northern(-12, 24), even(4)},       // 48 < 5 * (2 * 6 + 14) = 130
    {"BSh", northern(16, 32), halves(5, 65)},  // 420 < 10 * 76, > 5 * 76
    {"BSk", northern(-10, 24), even(18)},      // 216 < 10 * 28, > 5 * 28
    {"Csa", northern(7, 26), halves(100, 20)},
    {"Csb", northern(6, 20), halves(110, 25)},
    {"Csc", northern(2, 14), with(halves(110, 25), 6, 20)},
    {"Cwa", northern(8, 28), halves(15, 200)},
    {"Cwb", northern(8, 20), halves(12, 160)},
    {"Cwc", northern(1, 12.5), halves(8, 110)},
    {"Cfa", northern(3, 26), even(100)},
    {"Cfb", northern(4, 18), even(60)},
    {"Cfc", northern(1, 11), even(80)},
    {"Dsa", northern(-6, 25), halves(90, 20)},
    {"Dsb", northern(-6, 20), halves(90, 20)},
    {"Dsc", northern(-14, 13), halves(90, 20)},
    {"Dsd", northern(-44, 14), halves(60, 15)},
    {"Dwa", northern(-6, 27), halves(9, 120)},
    {"Dwb", northern(-8, 21), halves(6, 95)},
    {"Dwc", northern(-24, 14), halves(5, 75)},
    {"Dwd", northern(-45, 15), halves(3, 45)},
    {"Dfa", northern(-5, 24), even(80)},
    {"Dfb", northern(-6, 20), even(55)},
    {"Dfc", northern(-14, 13), even(45)},
    {"Dfd", northern(-42, 15), even(25)},
    {"ET", northern(-26, 5), even(20)},
    {"EF", northern(-60, -20), even(10)},
};

TEST(Koppen, all_thirty_golden_years_have_their_class_in_both_hemispheres) {
  std::array<int, 31> seen{};
  for (const Golden& g : golden) {
    EXPECT_EQ(name_of(g.temperature_c, g.rain_mm), g.name);
    EXPECT_EQ(name_of(half_a_year_later(g.temperature_c), half_a_year_later(g.rain_mm)), g.name);
    ++seen[static_cast<std::size_t>(koppen_id(g.name))];
  }
  int right = 0;
  for (std::size_t id = 1; id <= 30; ++id) right += seen[id] == 1;
  EXPECT_EQ(right, 30);
  std::printf("Koppen: %d of 30 classes reached\n", right);
}

struct Station {
  const char* name;
  const char* expected;
  Year temperature_c, rain_mm;
};

// Rounded climate normals, far from the edges of their classes.
const Station stations[] = {
    {"Singapore",
     "Af",
     {26.8, 27.3, 27.9, 28.2, 28.6, 28.5, 28.2, 28.1, 28.0, 27.9, 27.2, 26.8},
     {222, 105, 151, 164, 164, 135, 147, 149, 134, 168, 253, 334}},
    {"Mumbai", "Aw", {24, 25, 27, 29, 30, 29, 28, 27, 28, 29, 28, 25}, {1, 1, 0, 1, 12, 530, 800, 520, 330, 80, 10, 2}},
    {"Cairo", "BWh", {14, 15, 18, 22, 25, 28, 28, 28, 27, 24, 19, 15}, {5, 4, 4, 1, 1, 0, 0, 0, 0, 1, 4, 6}},
    {"Ulan Bator", "BSk", {-21, -16, -7, 2, 10, 16, 18, 16, 9, 1, -11, -19}, {2, 2, 3, 8, 13, 42, 58, 52, 26, 6, 4, 3}},
    {"Rome",
     "Csa",
     {8, 8.5, 11, 13.5, 18, 22, 25, 25, 21.5, 17, 12, 9},
     {67, 73, 58, 81, 53, 34, 19, 37, 73, 113, 115, 81}},
    {"Hong Kong",
     "Cwa",
     {16.3, 16.8, 19, 22.6, 26, 28, 28.8, 28.6, 27.7, 25.5, 21.8, 18},
     {25, 54, 82, 175, 305, 456, 376, 432, 328, 101, 38, 27}},
    {"Atlanta",
     "Cfa",
     {6, 8, 12, 17, 21, 25, 27, 26, 23, 17, 12, 7},
     {107, 119, 122, 85, 93, 100, 134, 99, 114, 87, 104, 99}},
    {"London", "Cfb", {5, 5, 8, 10, 13, 16, 19, 18, 16, 12, 8, 6}, {55, 41, 42, 44, 49, 45, 45, 50, 49, 69, 59, 55}},
    {"Moscow", "Dfb", {-7, -7, -1, 7, 14, 17, 19, 17, 11, 6, -1, -5}, {52, 41, 35, 37, 49, 80, 85, 82, 68, 71, 55, 52}},
    {"Oymyakon",
     "Dwd",
     {-46, -43, -32, -14, 3, 12, 15, 11, 3, -15, -36, -45},
     {6, 5, 4, 4, 10, 34, 41, 38, 21, 11, 10, 7}},
    {"Barrow", "ET", {-25, -26, -25, -17, -6, 2, 5, 4, 0, -8, -17, -22}, {4, 4, 3, 4, 4, 8, 25, 27, 18, 11, 6, 4}},
    {"Vostok",
     "EF",
     {-32, -44, -58, -65, -66, -65, -67, -68, -66, -57, -43, -32},
     {1, 0, 2, 2, 3, 2, 2, 2, 2, 2, 1, 1}},
};

TEST(Koppen, known_places_have_their_known_classes) {
  for (const Station& s : stations) EXPECT_EQ(name_of(s.temperature_c, s.rain_mm), s.expected) << s.name;
}

TEST(Koppen, dry_threshold_follows_the_season_of_rain) {
  const Year t = even(15);                         // A to E aside: coldest 15, warmest 15
  EXPECT_EQ(name_of(t, even(439.0 / 12)), "BSk");  // 10 * (2 * 15 + 14) = 440
  EXPECT_EQ(name_of(t, even(441.0 / 12)), "Cfb");
  EXPECT_EQ(name_of(t, even(219.0 / 12)), "BWk");
  EXPECT_EQ(name_of(t, even(221.0 / 12)), "BSk");
  const Year warm_summer = northern(10, 20);                                        // mean 15
  EXPECT_EQ(name_of(warm_summer, halves(0.25 * 579 / 6, 0.75 * 579 / 6))[0], 'B');  // 10 * (30 + 28) = 580
  EXPECT_EQ(name_of(warm_summer, halves(0.25 * 581 / 6, 0.75 * 581 / 6))[0], 'C');
  EXPECT_EQ(name_of(warm_summer, halves(0.75 * 299 / 6, 0.25 * 299 / 6))[0], 'B');  // 10 * 30 = 300
  EXPECT_EQ(name_of(warm_summer, halves(0.75 * 301 / 6, 0.25 * 301 / 6))[0], 'C');
}

TEST(Koppen, edges_of_the_warm_and_cold_groups_lie_where_the_table_says) {
  const Year rain = even(150);
  EXPECT_EQ(name_of(northern(18.0, 28), rain), "Af");
  EXPECT_EQ(name_of(northern(17.9, 28), rain), "Cfa");
  EXPECT_EQ(name_of(northern(0.1, 22.0), rain), "Cfa");
  EXPECT_EQ(name_of(northern(0.1, 21.9), rain), "Cfb");
  EXPECT_EQ(name_of(northern(0.0, 21.9), rain), "Dfb");
  EXPECT_EQ(name_of(northern(-38.0, 10.1), rain), "Dfc");
  EXPECT_EQ(name_of(northern(-38.1, 10.1), rain), "Dfd");
  EXPECT_EQ(name_of(northern(-38.1, 10.0), rain), "ET");
  EXPECT_EQ(name_of(northern(-38.1, 0.1), rain), "ET");
  EXPECT_EQ(name_of(northern(-38.1, 0.0), rain), "EF");
}

TEST(Koppen, driest_month_parts_the_tropical_classes) {
  const Year t = even(25);
  EXPECT_EQ(name_of(t, with(even(160), 0, 60)), "Af");
  EXPECT_EQ(name_of(t, with(even(160), 0, 59)), "Am");  // 100 - 1819 / 25 = 27.2
  EXPECT_EQ(name_of(t, with(even(160), 0, 29)), "Am");  // 100 - 1789 / 25 = 28.4
  EXPECT_EQ(name_of(t, with(even(160), 0, 28)), "Aw");  // 100 - 1788 / 25 = 28.5
}

TEST(Koppen, cold_limit_and_order_of_groups_are_options) {
  const Year mild = northern(-2, 18);
  EXPECT_EQ(name_of(mild, even(70)), "Dfb");
  EXPECT_EQ(name_of(mild, even(70), {.cold_limit_c = -3.0}), "Cfb");
  const Year cold_desert = northern(-10, 9);
  EXPECT_EQ(name_of(cold_desert, even(2)), "BWk");
  EXPECT_EQ(name_of(cold_desert, even(2), {.polar_before_dry = true}), "ET");
}

TEST(Koppen, sine_year_of_the_source_is_a_mild_sea_climate_under_the_minus_three_rule) {
  // y = A sin(pi (m - phase) / 6) + D: 32 to 57 degree Fahrenheit, 256 to 461 mm, phases 10 and 4 put winter in July.
  Year t{}, p{};
  for (int m = 1; m <= 12; ++m) {
    const double s = std::sin(constants::pi * (m - 10) / 6), r = std::sin(constants::pi * (m - 4) / 6);
    t[static_cast<std::size_t>(m - 1)] = (12.5 * s + 44.5 - 32.0) / 1.8;
    p[static_cast<std::size_t>(m - 1)] = 102.5 * r + 358.5;
  }
  EXPECT_NEAR(t[6], 0.0, 1e-9);
  EXPECT_NEAR(p[6], 461.0, 1e-9);
  EXPECT_EQ(name_of(t, p, {.cold_limit_c = -3.0}), "Cfb");
}

TEST(Koppen, names_and_numbers_are_inverse) {
  for (std::int32_t id = 1; id <= 30; ++id) {
    EXPECT_EQ(koppen_id(koppen_name(id)), id);
    EXPECT_EQ(koppen_group(id), koppen_name(id)[0]);
  }
  EXPECT_EQ(koppen_id("Xyz"), 0);
  EXPECT_EQ(koppen_group(0), '-');
}

}  // namespace
}  // namespace craton::climate
