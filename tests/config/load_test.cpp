// What the reader of the input accepts and refuses.
#include "config/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace craton::config {
namespace {

using testing::HasSubstr;

std::vector<Fault> faults_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return check_text("p.yaml", text, overrides).faults;
}

/// The only fault of a text.
void expect_fault(const std::string& text, FaultKind kind, int line, int column, const std::string& what) {
  const auto faults = faults_of(text);
  ASSERT_EQ(faults.size(), 1U) << check_text("p.yaml", text).report;
  EXPECT_EQ(faults[0].kind, kind) << faults[0].what;
  EXPECT_EQ(faults[0].line, line) << text;
  EXPECT_EQ(faults[0].column, column) << text;
  EXPECT_THAT(faults[0].what, HasSubstr(what));
}

TEST(Load, an_empty_text_gives_all_defaults) {
  for (const char* text :
       {"", "\n", "# only a comment\n", "---\n", "{}", "mesh:\ntime: {}\n", "\xef\xbb\xbfseed: 1\n"}) {
    const Loaded loaded = check_text("p.yaml", text);
    EXPECT_TRUE(loaded.faults.empty()) << text << loaded.report;
    EXPECT_EQ(loaded.parameters.mesh.frequency, Parameters{}.mesh.frequency);
  }
}

TEST(Load, values_of_every_type_arrive) {
  const Parameters p = load_text("p.yaml",
                                 "seed: 7\nplanet: {radius_m: 3.4e6, obliquity_deg: +25}\nmesh:\n  frequency: 96\n"
                                 "log: {level: debug, hash_every_pass: true}\n");
  EXPECT_EQ(p.seed, 7U);
  EXPECT_EQ(p.planet.radius_m, 3.4e6);
  EXPECT_EQ(p.planet.obliquity_deg, 25.0);
  EXPECT_EQ(p.mesh.frequency, 96);
  EXPECT_EQ(p.log.level, "debug");
  EXPECT_TRUE(p.log.hash_every_pass);
}

TEST(Load, all_faults_come_in_one_report_in_the_order_of_the_file) {
  const Loaded loaded =
      check_text("p.yaml", "seed: x\nmesh:\n  frequency: 1\n  frequenzy: 2\ntimes: {}\n", {"log.level=loud"});
  ASSERT_EQ(loaded.faults.size(), 5U) << loaded.report;
  EXPECT_EQ(loaded.faults[0].kind, FaultKind::wrong_type);
  EXPECT_EQ(loaded.faults[1].kind, FaultKind::out_of_range);
  EXPECT_EQ(loaded.faults[2].kind, FaultKind::unknown_key);
  EXPECT_EQ(loaded.faults[3].kind, FaultKind::unknown_key);
  EXPECT_EQ(loaded.faults[4].source, 1);
}

TEST(Load, a_message_has_place_key_range_source_line_and_caret) {
  EXPECT_EQ(check_text("p.yaml", "planet:\n  radius_m: 5\n").report,
            "p.yaml:2:13: error: planet.radius_m: 5 is below the smallest value; allowed: 100000 to 100000000 m\n"
            "    radius_m: 5\n"
            "              ^\n");
  EXPECT_EQ(check_text("p.yaml", "", {"planet.radus_m=5"}).report,
            "--set:1:8: error: planet.radus_m: unknown key; did you mean radius_m?\n"
            "  planet.radus_m=5\n"
            "         ^\n");
}

TEST(Load, columns_count_characters_not_bytes) {
  const auto faults = faults_of("planet: {\"größe\": 1, radius_m: 5}\n");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[1].column, 32);
}

TEST(Load, unknown_names_come_with_the_nearest_known_one) {
  expect_fault("mehs: {}", FaultKind::unknown_key, 1, 1, "did you mean mesh?");
  expect_fault("planet: {obliquity: 1}", FaultKind::unknown_key, 1, 10, "did you mean obliquity_deg?");
  expect_fault("mesh: {radius_m: 1}", FaultKind::unknown_key, 1, 8, "did you mean planet.radius_m?");
  expect_fault("qqqqqqqqqqqq: 1", FaultKind::unknown_key, 1, 1, "allowed: seed, planet, mesh");
}

TEST(Load, an_unknown_block_is_one_fault_whatever_it_holds) {
  expect_fault("mehs: {a: {b: [1, {c: 2}]}, a: 3}", FaultKind::unknown_key, 1, 1, "mesh");
}

TEST(Load, duplicates_name_the_first_line) {
  expect_fault("mesh:\n  frequency: 8\n  frequency: 16\n", FaultKind::duplicate_key, 3, 3, "first on line 2");
  expect_fault("seed: 1\nseed: 1\n", FaultKind::duplicate_key, 2, 1, "first on line 1");
  expect_fault("mesh: {frequency: 8}\nmesh: {frequency: 8}\n", FaultKind::duplicate_key, 2, 1, "first on line 1");
}

TEST(Load, wrong_types_are_refused) {
  expect_fault("planet: {radius_m: big}", FaultKind::wrong_type, 1, 20, "needs a number");
  expect_fault("planet: {radius_m: \"6e6\"}", FaultKind::wrong_type, 1, 20, "quoted");
  expect_fault("planet: {radius_m: 0x10}", FaultKind::wrong_type, 1, 20, "needs a number");
  expect_fault("planet: {radius_m: 6_000_000}", FaultKind::wrong_type, 1, 20, "needs a number");
  expect_fault("planet: {radius_m: 6e}", FaultKind::wrong_type, 1, 20, "needs a number");
  expect_fault("planet: {radius_m: '.'}", FaultKind::wrong_type, 1, 20, "needs a number");
  expect_fault("planet: {radius_m: [1]}", FaultKind::wrong_type, 1, 20, "got a list");
  expect_fault("planet: {radius_m: {a: 1}}", FaultKind::wrong_type, 1, 20, "got a map");
  expect_fault("planet: {radius_m: ~}", FaultKind::wrong_type, 1, 10, "has no value");
  expect_fault("planet:\n  radius_m:\n  day_s: 86400\n", FaultKind::wrong_type, 2, 3, "has no value");
  expect_fault("mesh: {frequency: many}", FaultKind::wrong_type, 1, 19, "needs a whole number");
  expect_fault("log: {hash_every_pass: yes}", FaultKind::wrong_type, 1, 24, "needs true or false");
  expect_fault("log: {hash_every_pass: 'true'}", FaultKind::wrong_type, 1, 24, "needs true or false");
}

TEST(Load, numbers_are_finite) {
  for (const char* text : {".nan", ".NaN", ".inf", "-.inf", "+.Inf", "inf", "nan", "Infinity", "1e999", "-1e999"}) {
    expect_fault(std::string("planet: {radius_m: ") + text + "}", FaultKind::not_finite, 1, 20, "allowed: ");
  }
}

TEST(Load, integers_have_no_fraction_and_no_exponent) {
  for (const char* text : {"64.5", "64.0", "6.4e1", "1e2", ".nan"}) {
    expect_fault(std::string("mesh: {frequency: ") + text + "}", FaultKind::not_whole, 1, 19, "digits only");
  }
}

TEST(Load, integers_beyond_64_bits_are_out_of_range) {
  expect_fault("seed: 9223372036854775808", FaultKind::out_of_range, 1, 7, "above");
  expect_fault("seed: -9223372036854775809", FaultKind::out_of_range, 1, 7, "below");
  EXPECT_EQ(load_text("p.yaml", "seed: 9223372036854775807").seed, 9223372036854775807U);
}

TEST(Load, model_times_are_whole_years) {
  expect_fault("output: {interval_yr: 1000000.5}", FaultKind::not_whole, 1, 23, "whole number of years");
}

TEST(Load, the_step_divides_the_end_and_the_intervals_that_are_given) {
  expect_fault("time: {end_yr: 1.0e7, tectonic_step_yr: 3.0e6}", FaultKind::inconsistent, 1, 16, "no multiple");
  expect_fault("time: {tectonic_step_yr: 3.0e6}", FaultKind::inconsistent, 1, 26, "does not divide time.end_yr");
  expect_fault("time: {end_yr: 6.0e6, tectonic_step_yr: 3.0e6}\noutput: {interval_yr: 4.0e6}", FaultKind::inconsistent,
               2, 23, "no multiple");
  EXPECT_TRUE(faults_of("time: {end_yr: 6.0e6, tectonic_step_yr: 3.0e6}").empty());
}

TEST(Load, the_climate_grid_is_nested_in_the_mesh) {
  expect_fault("mesh: {frequency: 64, climate_frequency: 48}", FaultKind::inconsistent, 1, 42, "divisor");
  EXPECT_TRUE(faults_of("mesh: {frequency: 64, climate_frequency: 32}").empty());
}

TEST(Load, structure_is_blocks_of_keys) {
  expect_fault("mesh: 64", FaultKind::structure, 1, 7, "is a block of keys");
  expect_fault("mesh: [1]", FaultKind::structure, 1, 7, "is a block of keys");
  expect_fault("mesh:\n  frequency:64\n", FaultKind::structure, 2, 3, "blank missing after the colon");
  expect_fault("- 1", FaultKind::structure, 1, 1, "must hold blocks");
  expect_fault("just words", FaultKind::structure, 1, 1, "must hold blocks");
  expect_fault("mesh: {[1]: 2}", FaultKind::structure, 1, 8, "a key must be a name");
}

TEST(Load, what_is_not_yaml_is_said_with_its_place) {
  expect_fault("mesh: {frequency: 64\n", FaultKind::syntax, 2, 1, "not YAML");
  expect_fault("mesh:\n\tfrequency: 64\n", FaultKind::syntax, 2, 1, "a tab indents this line");
  expect_fault("seed: *nothing", FaultKind::syntax, 1, 7, "not YAML");
  EXPECT_TRUE(faults_of("mesh:\n\t# a comment after a tab\n\t\n  frequency: 64\n").empty());
}

TEST(Load, anchors_aliases_tags_and_second_documents_are_refused) {
  const auto faults = faults_of("output: {interval_yr: &a 1.0e7}\ncheckpoint: {interval_yr: *a}\n");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].kind, FaultKind::unsupported);
  EXPECT_EQ(faults[1].kind, FaultKind::unsupported);
  expect_fault("mesh: {frequency: !!int 64}", FaultKind::unsupported, 1, 19, "tags");
  expect_fault("seed: 1\n---\nseed: 2\n", FaultKind::unsupported, 2, 1, "second document");
}

TEST(Load, a_billion_laughs_is_refused_at_once) {
  std::string text = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string before(1, static_cast<char>(c - 1));
    text += std::string(1, c) + ": &" + c + " [*" + before + ", *" + before + ", *" + before + ", *" + before + "]\n";
  }
  const auto faults = faults_of(text);
  EXPECT_GE(faults.size(), 10U);
}

TEST(Load, size_depth_and_encoding_have_limits) {
  expect_fault(std::string(max_input_bytes + 1, '#'), FaultKind::unreadable, 1, 1, "1 MiB");
  EXPECT_TRUE(faults_of(std::string(max_input_bytes, '#')).empty());
  const auto nested = [](std::size_t depth) {
    return "a: " + std::string(depth - 1, '[') + std::string(depth - 1, ']');
  };
  EXPECT_EQ(faults_of(nested(max_input_depth)).back().kind, FaultKind::unknown_key);
  EXPECT_EQ(faults_of(nested(max_input_depth + 1)).back().kind, FaultKind::unreadable);
  EXPECT_EQ(faults_of(nested(400000)).back().kind, FaultKind::unreadable);
  for (const char* bytes : {"\x80", "\xc0\xaf", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"}) {
    expect_fault(std::string("seed: 1 # ") + bytes, FaultKind::unreadable, 1, 11, "UTF-8");
  }
  expect_fault("seed: 1\x1b[31m", FaultKind::unreadable, 1, 8, "control character");
  expect_fault(std::string("seed: 1\0", 8), FaultKind::unreadable, 1, 8, "control character");
  EXPECT_TRUE(faults_of("seed: 1 # € 🌍\r\n").empty());
}

TEST(Load, a_file_full_of_faults_gives_a_bounded_report) {
  std::string text;
  for (int k = 0; k < 20000; ++k) text += "key_" + std::to_string(k) + ": 1\n";
  const Loaded loaded = check_text("p.yaml", text);
  EXPECT_EQ(loaded.faults.size(), 20000U);
  EXPECT_THAT(loaded.report, HasSubstr("p.yaml: 19900 more errors"));
  EXPECT_LT(loaded.report.size(), 100000U);
}

TEST(Load, overrides_go_through_the_same_checks) {
  EXPECT_EQ(load_text("p.yaml", "mesh: {frequency: 8}", {"mesh.frequency=16", "seed=3"}).mesh.frequency, 16);
  EXPECT_EQ(load_text("p.yaml", "", {"mesh.frequency=16", "mesh.frequency=32"}).mesh.frequency, 32);
  const auto faults =
      faults_of("", {"mesh.frequency=1", "mesh=3", "nothing", "=3", "mesh.frequency=", "a.b=1", "mesh.freq.x=1"});
  ASSERT_EQ(faults.size(), 7U);
  EXPECT_EQ(faults[0].kind, FaultKind::out_of_range);
  EXPECT_EQ(faults[0].column, 16);
  EXPECT_EQ(faults[1].kind, FaultKind::structure);
  EXPECT_EQ(faults[2].kind, FaultKind::structure);
  EXPECT_EQ(faults[3].kind, FaultKind::structure);
  EXPECT_EQ(faults[4].kind, FaultKind::wrong_type);
  EXPECT_EQ(faults[5].kind, FaultKind::unknown_key);
  EXPECT_EQ(faults[6].kind, FaultKind::unknown_key);
}

TEST(Load, an_override_mends_a_pair_that_does_not_fit) {
  EXPECT_FALSE(faults_of("time: {end_yr: 1.0e7, tectonic_step_yr: 3.0e6}").empty());
  EXPECT_TRUE(faults_of("time: {end_yr: 1.0e7, tectonic_step_yr: 3.0e6}", {"time.end_yr=9000000"}).empty());
}

TEST(Load, a_file_that_cannot_be_read_is_a_usage_error) {
  for (const std::string& path : {std::string("no/such/file.yaml"), std::filesystem::temp_directory_path().string()}) {
    try {
      read_input(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
      EXPECT_THAT(error.what(), HasSubstr("cannot be read"));
    }
  }
}

TEST(Load, a_file_reads_like_its_text) {
  const auto path =
      std::filesystem::temp_directory_path() / ("craton_load_test_" + std::to_string(::getpid()) + ".yaml");
  std::ofstream(path) << "mesh: {frequency: 24}\n";
  EXPECT_EQ(load(path.string()).mesh.frequency, 24);
  EXPECT_THROW(load(path.string(), {"mesh.frequency=x"}), Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace craton::config
