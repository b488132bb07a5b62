#include "physics/climate/koppen.hpp"

#include <array>

namespace craton::climate {

namespace {
constexpr std::array<std::string_view, 31> names = {
    "sea", "Af",  "Am",  "Aw",  "BWh", "BWk", "BSh", "BSk", "Csa", "Csb", "Csc", "Cwa", "Cwb", "Cwc", "Cfa", "Cfb",
    "Cfc", "Dsa", "Dsb", "Dsc", "Dsd", "Dwa", "Dwb", "Dwc", "Dwd", "Dfa", "Dfb", "Dfc", "Dfd", "ET",  "EF"};
}

std::string_view koppen_name(std::int32_t id) {
  return id >= 0 && id < static_cast<std::int32_t>(names.size()) ? names[static_cast<std::size_t>(id)] : "none";
}

std::int32_t koppen_id(std::string_view name) {
  for (std::size_t k = 1; k < names.size(); ++k) {
    if (names[k] == name) return static_cast<std::int32_t>(k);
  }
  return 0;
}

char koppen_group(std::int32_t id) {
  return id >= 1 && id <= 30 ? names[static_cast<std::size_t>(id)][0] : '-';
}

}  // namespace craton::climate
