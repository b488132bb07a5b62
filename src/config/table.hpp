#pragma once
// The table of parameters: a second reading of parameters/*.def. Checks, reference, resolved file, hash and the
// comparison on resume all walk it; none of them knows a parameter by name. All functions are Local.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/parameters.hpp"

namespace craton::config {

enum class Type { real, integer, flag, choice, text };

/// What a resumed run may change: Free always, Physics with --allow-change, Fixed never.
enum class ChangeClass { Free, Physics, Fixed };

using Value = std::variant<double, std::int64_t, bool, std::string>;

struct Entry {
  std::string_view block;  // "" for a key of the top level
  std::string_view name;
  Type type;
  std::string_view unit;                  // "1" for a pure number, "" for flags, choices and texts
  double min_real, max_real;              // of Type::real
  std::int64_t min_integer, max_integer;  // of Type::integer
  std::string_view choices;               // "a|b|c", of Type::choice
  ChangeClass change;
  std::string_view text;
  Value (*get)(const Parameters&);
  void (*set)(Parameters&, const Value&);

  std::string key() const;  // block.name
};

/// Every parameter, in the order of the .def files.
std::span<const Entry> table();
/// Names of the blocks in the order of the input; "" (the top level) is not among them.
std::span<const std::string_view> blocks();
/// The entry of a key inside a block, or nullptr.
const Entry* find_entry(std::string_view block, std::string_view name);

const char* type_name(Type type);
const char* change_name(ChangeClass change);
std::vector<std::string_view> split_choices(std::string_view choices);

/// Shortest text that reads back as the same bits.
std::string format_number(double value);
/// As in a YAML file: texts are in double quotes.
std::string format_value(const Value& value, Type type);
/// "0.1 to 100 m s-2", "one of a, b, c", "true or false"; "" for texts.
std::string allowed_text(const Entry& entry);

}  // namespace craton::config
