#include "config/table.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace craton::config {

namespace {

constexpr std::array<std::string_view, 10> block_names = {"planet",  "mesh",    "time",   "initial",    "tectonics",
                                                          "surface", "climate", "output", "checkpoint", "log"};

#define CRATON_TEXT_OF_2(x) #x
#define CRATON_TEXT_OF(x) CRATON_TEXT_OF_2(x)
#define CRATON_ACCESS(name_, Stored)                                        \
  [](const Parameters& p) -> Value { return Value(p.CRATON_BLOCK.name_); }, \
      [](Parameters& p, const Value& v) { p.CRATON_BLOCK.name_ = std::get<Stored>(v); }
#define CRATON_REAL(name_, default_, min_, max_, unit_, change_, text_)                                        \
  {CRATON_TEXT_OF(CRATON_BLOCK), #name_, Type::real, unit_, min_, max_, 0, 0, "", ChangeClass::change_, text_, \
   CRATON_ACCESS(name_, double)},
#define CRATON_INT(name_, default_, min_, max_, unit_, change_, text_) \
  {CRATON_TEXT_OF(CRATON_BLOCK),                                       \
   #name_,                                                             \
   Type::integer,                                                      \
   unit_,                                                              \
   0.0,                                                                \
   0.0,                                                                \
   min_,                                                               \
   max_,                                                               \
   "",                                                                 \
   ChangeClass::change_,                                               \
   text_,                                                              \
   CRATON_ACCESS(name_, std::int64_t)},
#define CRATON_FLAG(name_, default_, change_, text_)                                                      \
  {CRATON_TEXT_OF(CRATON_BLOCK), #name_, Type::flag, "", 0.0, 0.0, 0, 0, "", ChangeClass::change_, text_, \
   CRATON_ACCESS(name_, bool)},
#define CRATON_CHOICE(name_, default_, choices_, change_, text_)                                                      \
  {CRATON_TEXT_OF(CRATON_BLOCK),     #name_, Type::choice, "", 0.0, 0.0, 0, 0, choices_, ChangeClass::change_, text_, \
   CRATON_ACCESS(name_, std::string)},
#define CRATON_TEXT(name_, default_, change_, text_)                                                          \
  {CRATON_TEXT_OF(CRATON_BLOCK),     #name_, Type::text, "", 0.0, 0.0, 0, 0, "", ChangeClass::change_, text_, \
   CRATON_ACCESS(name_, std::string)},

const Entry entries[] = {
    {"", "seed", Type::integer, "1", 0.0, 0.0, 0, std::numeric_limits<std::int64_t>::max(), "", ChangeClass::Fixed,
     "seed of every random number; the same seed gives the same continents at any mesh.frequency",
     [](const Parameters& p) -> Value { return static_cast<std::int64_t>(p.seed); },
     [](Parameters& p, const Value& v) { p.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(v)); }},
#define CRATON_BLOCK planet
#include "config/parameters/planet.def"
#undef CRATON_BLOCK
#define CRATON_BLOCK mesh
#include "config/parameters/mesh.def"
#undef CRATON_BLOCK
#define CRATON_BLOCK time
#include "config/parameters/time.def"
#undef CRATON_BLOCK
#define CRATON_BLOCK initial
#include "config/parameters/initial.def"
#undef CRATON_BLOCK
#define CRATON_BLOCK tectonics
#include "config/parameters/tectonics.def"
#undef CRATON_BLOCK
#define CRATON_BLOCK surface
#include "config/parameters/surface.def"
#undef CRATON_BLOCK
#define CRATON_BLOCK climate
#include "config/parameters/climate.def"
#undef CRATON_BLOCK
#define CRATON_BLOCK output
#include "config/parameters/output.def"
#undef CRATON_BLOCK
#define CRATON_BLOCK checkpoint
#include "config/parameters/checkpoint.def"
#undef CRATON_BLOCK
#define CRATON_BLOCK log
#include "config/parameters/log.def"
#undef CRATON_BLOCK
};

std::string quote(std::string_view text) {
  constexpr const char* hex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += std::string("\\u00") + hex[byte >> 4] + hex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string Entry::key() const {
  return block.empty() ? std::string(name) : std::string(block) + '.' + std::string(name);
}

std::span<const Entry> table() {
  return entries;
}

std::span<const std::string_view> blocks() {
  return block_names;
}

const Entry* find_entry(std::string_view block, std::string_view name) {
  for (const Entry& entry : entries) {
    if (entry.block == block && entry.name == name) return &entry;
  }
  return nullptr;
}

const char* type_name(Type type) {
  switch (type) {
    case Type::real:
      return "real";
    case Type::integer:
      return "integer";
    case Type::flag:
      return "flag";
    case Type::choice:
      return "choice";
    case Type::text:
      return "text";
  }
  return "";
}

const char* change_name(ChangeClass change) {
  switch (change) {
    case ChangeClass::Free:
      return "free";
    case ChangeClass::Physics:
      return "physics";
    case ChangeClass::Fixed:
      return "fixed";
  }
  return "";
}

std::vector<std::string_view> split_choices(std::string_view choices) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t bar = choices.find('|');
    words.push_back(choices.substr(0, bar));
    if (bar == std::string_view::npos) return words;
    choices.remove_prefix(bar + 1);
  }
}

std::string format_number(double value) {
  // Plain digits where they are readable; a scientific number has a point and a signed exponent, as readers of YAML 1.1
  // need it to see a number.
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e15);
  std::array<char, 64> buffer{};
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
  std::string digits(buffer.data(), end);
  const std::size_t exponent = digits.find('e');
  if (!plain && exponent != std::string::npos && digits.find('.') == std::string::npos) digits.insert(exponent, ".0");
  return digits;
}

std::string format_value(const Value& value, Type type) {
  switch (type) {
    case Type::real:
      return format_number(std::get<double>(value));
    case Type::integer:
      return std::to_string(std::get<std::int64_t>(value));
    case Type::flag:
      return std::get<bool>(value) ? "true" : "false";
    case Type::choice:
      return std::get<std::string>(value);
    case Type::text:
      return quote(std::get<std::string>(value));
  }
  return {};
}

std::string allowed_text(const Entry& entry) {
  const std::string unit = entry.unit.empty() || entry.unit == "1" ? "" : ' ' + std::string(entry.unit);
  switch (entry.type) {
    case Type::real:
      return format_number(entry.min_real) + " to " + format_number(entry.max_real) + unit;
    case Type::integer:
      return std::to_string(entry.min_integer) + " to " + std::to_string(entry.max_integer) + unit;
    case Type::flag:
      return "true or false";
    case Type::choice: {
      std::string words;
      for (const auto word : split_choices(entry.choices)) words += (words.empty() ? "" : ", ") + std::string(word);
      return "one of " + words;
    }
    case Type::text:
      return {};
  }
  return {};
}

}  // namespace craton::config
