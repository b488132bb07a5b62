#include "config/config.hpp"

#include <algorithm>
#include <array>

#include "core/hash.hpp"

namespace craton::config {

namespace {

std::string yaml_comment(const Entry& entry) {
  std::string comment = "  # ";
  if (!entry.unit.empty() && entry.unit != "1") comment += std::string(entry.unit) + "; ";
  if (entry.type == Type::choice) comment += allowed_text(entry) + "; ";
  return comment + std::string(entry.text) + '\n';
}

std::string yaml_line(const Entry& entry, const Parameters& parameters, const char* indent) {
  const std::string value = format_value(entry.get(parameters), entry.type);
  return indent + std::string(entry.name) + ": " + value + yaml_comment(entry);
}

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string json_value(const Value& value, Type type) {
  return type == Type::choice ? json_quote(std::get<std::string>(value)) : format_value(value, type);
}

std::string json_entry(const Entry& e, const Parameters& defaults) {
  std::string out = "    {\"key\": " + json_quote(e.key()) + ", \"block\": " + json_quote(e.block) +
                    ", \"name\": " + json_quote(e.name) + ", \"type\": \"" + type_name(e.type) +
                    "\", \"unit\": " + json_quote(e.unit) + ", \"default\": " + json_value(e.get(defaults), e.type);
  if (e.type == Type::real) {
    out += ", \"minimum\": " + format_number(e.min_real) + ", \"maximum\": " + format_number(e.max_real);
  } else if (e.type == Type::integer) {
    out += ", \"minimum\": " + std::to_string(e.min_integer) + ", \"maximum\": " + std::to_string(e.max_integer);
  } else if (e.type == Type::choice) {
    std::string words;
    for (const auto word : split_choices(e.choices)) words += (words.empty() ? "" : ", ") + json_quote(word);
    out += ", \"choices\": [" + words + ']';
  }
  return out + ", \"class\": \"" + change_name(e.change) + "\", \"text\": " + json_quote(e.text) + '}';
}

std::string markdown_range(const Entry& e) {
  switch (e.type) {
    case Type::real:
      return format_number(e.min_real) + " … " + format_number(e.max_real);
    case Type::integer:
      return std::to_string(e.min_integer) + " … " + std::to_string(e.max_integer);
    case Type::choice: {
      std::string words;
      for (const auto word : split_choices(e.choices)) words += (words.empty() ? "`" : ", `") + std::string(word) + '`';
      return words;
    }
    case Type::flag:
    case Type::text:
      return "";
  }
  return "";
}

std::string markdown_row(const Entry& e, const Parameters& defaults) {
  std::string text;
  for (const char c : e.text) {
    if (c == '|') text += '\\';
    text += c;
  }
  return "| `" + std::string(e.name) + "` | " + type_name(e.type) + " | " + std::string(e.unit) + " | `" +
         format_value(e.get(defaults), e.type) + "` | " + markdown_range(e) + " | " + change_name(e.change) + " | " +
         text + " |\n";
}

constexpr const char* markdown_header =
    "| key | type | unit | default | range | on resume | meaning |\n|---|---|---|---|---|---|---|\n";

}  // namespace

std::string to_yaml(const Parameters& parameters) {
  std::string out;
  for (const Entry& e : table()) {
    if (e.block.empty()) out += yaml_line(e, parameters, "");
  }
  for (const std::string_view block : blocks()) {
    std::string lines;
    for (const Entry& e : table()) {
      if (e.block == block) lines += yaml_line(e, parameters, "  ");
    }
    out += '\n' + std::string(block) + (lines.empty() ? ": {}\n" : ":\n") + lines;
  }
  return out;
}

std::string params_json() {
  const Parameters defaults;
  std::string out = "{\n  \"format\": 1,\n  \"parameters\": [\n";
  bool first = true;
  for (const Entry& e : table()) {
    out += (first ? "" : ",\n") + json_entry(e, defaults);
    first = false;
  }
  return out + "\n  ]\n}\n";
}

std::string params_markdown() {
  const Parameters defaults;
  std::string out =
      "# Parameters\n\n"
      "Made by `craton params --md` from `src/config/parameters/*.def`; change it there. On resume: *free* keys may\n"
      "change, *physics* keys need `--allow-change`, *fixed* keys never change.\n\n## top level\n\n";
  out += markdown_header;
  for (const Entry& e : table()) {
    if (e.block.empty()) out += markdown_row(e, defaults);
  }
  for (const std::string_view block : blocks()) {
    std::string rows;
    for (const Entry& e : table()) {
      if (e.block == block) rows += markdown_row(e, defaults);
    }
    if (!rows.empty()) out += "\n## " + std::string(block) + "\n\n" + markdown_header + rows;
  }
  return out;
}

std::string config_hash(const Parameters& parameters) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const Entry& e : table()) {
    for (const char c : e.key() + '=' + format_value(e.get(parameters), e.type) + '\n') {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
  }
  hash = mix64(hash);
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4)
    *digit = "0123456789abcdef"[hash & 15];
  return digits;
}

std::vector<Difference> differences(const Parameters& old_parameters, const Parameters& new_parameters) {
  std::vector<Difference> found;
  for (const Entry& e : table()) {
    const Value old_value = e.get(old_parameters), new_value = e.get(new_parameters);
    if (old_value == new_value) continue;
    found.push_back({e.key(), format_value(old_value, e.type), format_value(new_value, e.type), e.change});
  }
  return found;
}

std::string differences_table(const std::vector<Difference>& rows) {
  if (rows.empty()) return {};
  std::vector<std::array<std::string, 4>> cells = {{"key", "old", "new", "class"}};
  for (const Difference& d : rows) cells.push_back({d.key, d.old_value, d.new_value, change_name(d.change)});
  std::array<std::size_t, 4> widths{};
  for (const auto& row : cells) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string out;
  for (const auto& row : cells) {
    for (std::size_t c = 0; c + 1 < row.size(); ++c) out += row[c] + std::string(widths[c] - row[c].size() + 2, ' ');
    out += row.back() + '\n';
  }
  return out;
}

}  // namespace craton::config
