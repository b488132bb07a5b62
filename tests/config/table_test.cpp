// Properties that hold for every parameter of the table.
#include "config/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "config/load.hpp"

namespace craton::config {
namespace {

std::string assignment(const Entry& e, const std::string& value) {
  return e.block.empty() ? std::string(e.name) + ": " + value
                         : std::string(e.block) + ":\n  " + std::string(e.name) + ": " + value;
}

/// Whether one value of one parameter is refused for being out of its range (or of its type's).
bool is_refused(const Entry& e, const std::string& value) {
  const auto faults = check_text("p.yaml", assignment(e, value)).faults;
  return std::any_of(faults.begin(), faults.end(), [](const Fault& f) { return f.kind != FaultKind::inconsistent; });
}

TEST(Table, every_entry_is_complete) {
  std::set<std::string> keys;
  for (const Entry& e : table()) {
    EXPECT_TRUE(keys.insert(e.key()).second) << e.key() << " is there twice";
    EXPECT_FALSE(e.text.empty()) << e.key();
    EXPECT_EQ(e.text.find_first_of("\n\r\t"), std::string_view::npos) << e.key();
    const bool is_number = e.type == Type::real || e.type == Type::integer;
    EXPECT_EQ(e.unit.empty(), !is_number) << e.key() << ": a number has a unit, \"1\" if it is pure";
    EXPECT_EQ(find_entry(e.block, e.name), &e);
  }
}

TEST(Table, every_block_of_the_input_is_known) {
  EXPECT_THAT(blocks(), testing::ElementsAre("planet", "mesh", "time", "initial", "tectonics", "surface", "climate",
                                             "output", "checkpoint", "log"));
}

TEST(Table, names_end_in_their_unit) {
  for (const Entry& e : table()) {
    for (const auto& [unit, ending] : {std::pair<std::string_view, std::string_view>{"m", "_m"},
                                       {"yr", "_yr"},
                                       {"s", "_s"},
                                       {"degree", "_deg"},
                                       {"K", "_k"},
                                       {"km", "_km"}}) {
      EXPECT_TRUE(e.unit != unit || e.name.ends_with(ending)) << e.key() << " in " << e.unit;
    }
  }
}

TEST(Table, smallest_and_largest_values_are_accepted_and_the_next_ones_refused) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Entry& e : table()) {
    if (e.type == Type::real) {
      EXPECT_LT(e.min_real, e.max_real) << e.key();
      EXPECT_FALSE(is_refused(e, format_number(e.min_real))) << e.key();
      EXPECT_FALSE(is_refused(e, format_number(e.max_real))) << e.key();
      EXPECT_TRUE(is_refused(e, format_number(std::nextafter(e.min_real, -infinity)))) << e.key();
      EXPECT_TRUE(is_refused(e, format_number(std::nextafter(e.max_real, infinity)))) << e.key();
    } else if (e.type == Type::integer) {
      EXPECT_LT(e.min_integer, e.max_integer) << e.key();
      EXPECT_FALSE(is_refused(e, std::to_string(e.min_integer))) << e.key();
      EXPECT_FALSE(is_refused(e, std::to_string(e.max_integer))) << e.key();
      if (e.min_integer > std::numeric_limits<std::int64_t>::min()) {
        EXPECT_TRUE(is_refused(e, std::to_string(e.min_integer - 1))) << e.key();
      }
      const auto above = static_cast<std::uint64_t>(e.max_integer) + 1;
      EXPECT_TRUE(is_refused(e, std::to_string(above))) << e.key();
    }
  }
}

TEST(Table, every_choice_is_accepted_and_no_other_word) {
  for (const Entry& e : table()) {
    if (e.type != Type::choice) continue;
    for (const auto word : split_choices(e.choices)) EXPECT_FALSE(is_refused(e, std::string(word))) << e.key();
    EXPECT_TRUE(is_refused(e, "no_such_choice")) << e.key();
    EXPECT_TRUE(is_refused(e, "\"\"")) << e.key();
  }
}

TEST(Table, a_value_set_is_the_value_got) {
  for (const Entry& e : table()) {
    Parameters p;
    const Value value = e.type == Type::real      ? Value(e.max_real)
                        : e.type == Type::integer ? Value(e.max_integer)
                        : e.type == Type::flag    ? Value(!std::get<bool>(e.get(p)))
                                                  : Value(std::string("word"));
    e.set(p, value);
    EXPECT_EQ(e.get(p), value) << e.key();
    for (const Entry& other : table()) {
      const bool is_kept = other.get(p) == other.get(Parameters{});
      EXPECT_TRUE(&other == &e || is_kept) << e.key() << " also set " << other.key();
    }
  }
}

TEST(Table, numbers_read_back_as_the_same_bits) {
  for (const double value :
       {0.1, 1.0 / 3.0, 1e-300, 5e-324, 1.7976931348623157e308, 2.5e8, 123456789.123456789, 1e15, 1e-4}) {
    EXPECT_EQ(std::strtod(format_number(value).c_str(), nullptr), value) << format_number(value);
  }
  EXPECT_EQ(format_number(2.5e8), "250000000");
  EXPECT_EQ(format_number(1e-5), "1.0e-05");
}

}  // namespace
}  // namespace craton::config
