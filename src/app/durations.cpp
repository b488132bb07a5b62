// Times on the command line.
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/command_line.hpp"
#include "core/error.hpp"

namespace craton::app {

namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Whole number of at most 9 digits.
std::optional<std::int64_t> digits(std::string_view text) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// "[D-]H:M:S" or "M:S" in seconds.
std::optional<double> clock_s(std::string_view text) {
  std::int64_t days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto given = digits(text.substr(0, dash));
    if (!given) return std::nullopt;
    days = *given;
    text.remove_prefix(dash + 1);
  }
  std::int64_t total = 0;
  int parts = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    const auto part = digits(text.substr(0, colon));
    const bool too_large = part && parts > 0 && *part > 59;
    if (!part || too_large || ++parts > 3) return std::nullopt;
    total = total * 60 + *part;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (parts < 2 || (days > 0 && parts < 3)) return std::nullopt;
  return static_cast<double>(days * 86400 + total);
}

}  // namespace

std::int64_t parse_model_time_yr(const std::string& text) {
  constexpr double longest_yr = 2.0e10;
  struct Unit {
    std::string_view name, power;
  };
  constexpr std::array<Unit, 4> units = {{{"kyr", "e3"}, {"Myr", "e6"}, {"Gyr", "e9"}, {"yr", ""}}};
  std::string decimal = text;
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.name)) continue;
    decimal = text.substr(0, text.size() - unit.name.size());
    while (decimal.ends_with(' ')) decimal.pop_back();
    // The power goes into the decimal text, so that 20.3Myr is rounded once and is whole.
    const bool has_power = decimal.find_first_of("eE") != std::string::npos;
    if (has_power && !unit.power.empty()) decimal.clear();
    if (!decimal.empty()) decimal += unit.power;
    break;
  }
  const auto years = number(decimal);
  if (!years || *years != std::floor(*years) || *years <= 0 || *years > longest_yr) {
    throw Error(ExitCode::usage,
                "--until: needs a whole number of years above 0 and up to 20 Gyr, such as 20Myr, 500kyr or "
                "2000000; got \"" +
                    text + '"');
  }
  return static_cast<std::int64_t>(*years);
}

std::optional<double> parse_wall_time_s(const std::string& text) {
  if (text == "UNLIMITED") return std::nullopt;
  std::optional<double> seconds = clock_s(text);
  if (!seconds) {
    constexpr std::array<std::pair<std::string_view, double>, 4> units = {
        {{"min", 60.0}, {"h", 3600.0}, {"s", 1.0}, {"", 1.0}}};
    for (const auto& [name, factor] : units) {
      if (!std::string_view(text).ends_with(name)) continue;
      if (const auto value = number(std::string_view(text).substr(0, text.size() - name.size())))
        seconds = *value * factor;
      break;
    }
  }
  if (!seconds || *seconds <= 0) {
    throw Error(ExitCode::usage,
                "--walltime: needs [days-]hours:minutes:seconds, minutes:seconds or seconds, such as 3:50:00; got \"" +
                    text + '"');
  }
  return seconds;
}

}  // namespace craton::app
