#include "config/scalar.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/nearest.hpp"

namespace craton::config {

namespace {

using Result = std::variant<Value, ScalarFault>;

std::string shown(const std::string& text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool is_decimal(const std::string& text) {
  std::size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - first;
  };
  std::size_t mantissa = digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    mantissa += digits();
  }
  if (mantissa == 0) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

bool names_no_number(const std::string& text) {
  std::string word = lower(text);
  if (word.starts_with('-') || word.starts_with('+')) word.erase(0, 1);
  if (word.starts_with('.')) word.erase(0, 1);
  return word == "inf" || word == "infinity" || word == "nan";
}

ScalarFault wrong_type(const Entry& entry, const std::string& text, bool quoted, const char* wanted) {
  std::string what =
      "needs " + std::string(wanted) + ", got " + (quoted ? "the quoted text \"" : "\"") + shown(text) + '"';
  const std::string allowed = allowed_text(entry);
  if (!allowed.empty() && entry.type != Type::flag) what += "; allowed: " + allowed;
  return {FaultKind::wrong_type, what};
}

ScalarFault out_of_range(const Entry& entry, const std::string& text, bool below) {
  return {FaultKind::out_of_range, shown(text) + " is " + (below ? "below the smallest" : "above the largest") +
                                       " value; allowed: " + allowed_text(entry)};
}

Result read_real(const Entry& entry, const std::string& text, bool quoted) {
  if (!quoted && names_no_number(text)) {
    return ScalarFault{FaultKind::not_finite, shown(text) + " is not finite; allowed: " + allowed_text(entry)};
  }
  if (quoted || !is_decimal(text)) return wrong_type(entry, text, quoted, "a number");
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  double value = 0;
  if (std::from_chars(first, text.data() + text.size(), value).ec != std::errc{}) {
    return ScalarFault{FaultKind::not_finite,
                       shown(text) + " is no number of double precision; allowed: " + allowed_text(entry)};
  }
  if (value < entry.min_real || value > entry.max_real) return out_of_range(entry, text, value < entry.min_real);
  if (entry.unit == "yr" && value != std::floor(value)) {
    return ScalarFault{FaultKind::not_whole,
                       shown(text) + " is no whole number of years; allowed: " + allowed_text(entry)};
  }
  return Value(value == 0 ? 0.0 : value);  // -0 would be another configuration by its bits
}

Result read_integer(const Entry& entry, const std::string& text, bool quoted) {
  if (quoted || (!is_decimal(text) && !names_no_number(text))) {
    return wrong_type(entry, text, quoted, "a whole number");
  }
  if (text.find_first_not_of("+-0123456789") != std::string::npos) {
    return ScalarFault{FaultKind::not_whole, "needs a whole number written with digits only, got \"" + shown(text) +
                                                 "\"; allowed: " + allowed_text(entry)};
  }
  const char* first = text.data() + (text.starts_with('+') ? 1 : 0);
  std::int64_t value = 0;
  const bool overflow = std::from_chars(first, text.data() + text.size(), value).ec != std::errc{};
  const bool below = overflow ? text.starts_with('-') : value < entry.min_integer;
  if (overflow || below || value > entry.max_integer) return out_of_range(entry, text, below);
  return Value(value);
}

Result read_flag(const Entry& entry, const std::string& text, bool quoted) {
  const std::string word = quoted ? std::string() : lower(text);
  if (word == "true") return Value(true);
  if (word == "false") return Value(false);
  return wrong_type(entry, text, quoted, "true or false");
}

Result read_choice(const Entry& entry, const std::string& text) {
  std::vector<std::string> words;
  for (const auto word : split_choices(entry.choices)) words.emplace_back(word);
  if (std::find(words.begin(), words.end(), text) != words.end()) return Value(text);
  std::string what = '"' + shown(text) + "\" is no choice; allowed: " + allowed_text(entry);
  const std::string near = nearest(lower(text), words);
  if (!near.empty()) what += "; did you mean " + near + "?";
  return ScalarFault{FaultKind::out_of_range, what};
}

}  // namespace

std::variant<Value, ScalarFault> read_scalar(const Entry& entry, const std::string& text, bool quoted) {
  switch (entry.type) {
    case Type::real:
      return read_real(entry, text, quoted);
    case Type::integer:
      return read_integer(entry, text, quoted);
    case Type::flag:
      return read_flag(entry, text, quoted);
    case Type::choice:
      return read_choice(entry, text);
    case Type::text:
      return Value(text);
  }
  return ScalarFault{FaultKind::wrong_type, "has no type"};
}

}  // namespace craton::config
