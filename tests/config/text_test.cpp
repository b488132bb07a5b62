// Resolved file, reference, hash, comparison, nearest names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/config.hpp"
#include "config/nearest.hpp"

namespace craton::config {
namespace {

using testing::HasSubstr;

/// Parameters that differ from the defaults everywhere.
Parameters changed() {
  Parameters p;
  for (const Entry& e : table()) {
    switch (e.type) {
      case Type::real:
        e.set(p, e.unit == "yr" ? e.max_real : e.min_real + (e.max_real - e.min_real) / 3.0);
        break;
      case Type::integer:
        e.set(p, e.max_integer);
        break;
      case Type::flag:
        e.set(p, !std::get<bool>(e.get(p)));
        break;
      case Type::choice:
        e.set(p, std::string(split_choices(e.choices).back()));
        break;
      case Type::text:
        e.set(p, std::string("a \"quoted\" \\ text: # ü"));
        break;
    }
  }
  return p;
}

TEST(Resolved, defaults_read_back_without_fault) {
  const Loaded loaded = check_text("resolved.yaml", to_yaml(Parameters{}));
  EXPECT_EQ(loaded.report, "");
  EXPECT_TRUE(differences(Parameters{}, loaded.parameters).empty());
}

TEST(Resolved, any_parameters_read_back_bit_for_bit) {
  const Parameters p = changed();
  const Loaded loaded = check_text("resolved.yaml", to_yaml(p));
  for (const Fault& f : loaded.faults) EXPECT_EQ(f.kind, FaultKind::inconsistent) << f.key << ": " << f.what;
  EXPECT_EQ(differences_table(differences(p, loaded.parameters)), "");
  EXPECT_EQ(config_hash(p), config_hash(loaded.parameters));
}

TEST(Resolved, every_key_stands_with_its_unit) {
  const std::string yaml = to_yaml(Parameters{});
  for (const Entry& e : table()) EXPECT_THAT(yaml, HasSubstr(std::string(e.name) + ": "));
  EXPECT_THAT(yaml, HasSubstr("radius_m: 6371000  # m; radius of the planet\n"));
}

TEST(Reference, markdown_and_json_name_every_parameter) {
  const std::string markdown = params_markdown(), json = params_json();
  for (const Entry& e : table()) {
    EXPECT_THAT(markdown, HasSubstr("| `" + std::string(e.name) + "` | "));
    EXPECT_THAT(json, HasSubstr("{\"key\": \"" + e.key() + "\", "));
  }
}

TEST(Hash, depends_on_every_parameter_and_on_nothing_else) {
  const std::string hash = config_hash(Parameters{});
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(hash, config_hash(load_text("p.yaml", "mesh: {frequency: 64}")));
  const Parameters other = changed();
  for (const Entry& e : table()) {
    if (e.get(other) == e.get(Parameters{})) continue;  // a choice of one word
    Parameters p;
    e.set(p, e.get(other));
    EXPECT_NE(config_hash(p), hash) << e.key();
  }
}

TEST(Differences, list_key_old_new_and_class) {
  Parameters now;
  now.mesh.frequency = 128;
  now.planet.gravity_m_s2 = 3.7;
  now.output.interval_yr = 5.0e6;
  const auto rows = differences(Parameters{}, now);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].key, "planet.gravity_m_s2");
  EXPECT_EQ(rows[0].change, ChangeClass::Physics);
  EXPECT_EQ(rows[1].key, "mesh.frequency");
  EXPECT_EQ(rows[1].change, ChangeClass::Fixed);
  EXPECT_EQ(rows[2].change, ChangeClass::Free);
  EXPECT_EQ(differences_table(rows),
            "key                  old       new      class\n"
            "planet.gravity_m_s2  9.81      3.7      physics\n"
            "mesh.frequency       64        128      fixed\n"
            "output.interval_yr   10000000  5000000  free\n");
}

TEST(Nearest, counts_inserted_deleted_replaced_and_swapped_letters) {
  EXPECT_EQ(edit_distance("mesh", "mesh"), 0);
  EXPECT_EQ(edit_distance("mehs", "mesh"), 1);
  EXPECT_EQ(edit_distance("", "mesh"), 4);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Nearest, is_the_closest_name_or_none) {
  const std::vector<std::string> names = {"radius_m", "gravity_m_s2", "day_s", "obliquity_deg"};
  EXPECT_EQ(nearest("raduis_m", names), "radius_m");
  EXPECT_EQ(nearest("obliquity", names), "obliquity_deg");
  EXPECT_EQ(nearest("gravity", names), "gravity_m_s2");
  EXPECT_EQ(nearest("volcano", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), names), "");
}

}  // namespace
}  // namespace craton::config
