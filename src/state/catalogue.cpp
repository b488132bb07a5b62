#include <array>
#include <cstring>

#include "state/field.hpp"

namespace craton {

namespace {

constexpr FieldInfo make(const char* name, bool is_integer, int components, Location location, Kind kind, Show show,
                         double min, double max, const char* unit, const char* standard, const char* long_name,
                         const char* doc) {
  return {name, unit, long_name, doc, standard, min, max, location, kind, show, is_integer, components};
}

constexpr std::array catalogue{
#define CRATON_REAL(name, components, location, kind, show, min, max, unit, standard, long_name, doc) \
  make(#name, false, components, Location::location, Kind::kind, Show::show, min, max, unit, standard, long_name, doc),
#define CRATON_INTEGER(name, components, location, kind, show, min, max, unit, standard, long_name, doc) \
  make(#name, true, components, Location::location, Kind::kind, Show::show, min, max, unit, standard, long_name, doc),
#include "state/fields.def"
#undef CRATON_REAL
#undef CRATON_INTEGER
};

}  // namespace

int field_count() {
  return static_cast<int>(catalogue.size());
}

const FieldInfo& field_info(FieldId id) {
  return catalogue.at(static_cast<std::size_t>(id));
}

FieldId find_field(std::string_view name) {
  for (std::size_t k = 0; k < catalogue.size(); ++k) {
    if (name == catalogue[k].name) return static_cast<FieldId>(k);
  }
  return -1;
}

}  // namespace craton
