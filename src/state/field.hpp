#pragma once
// What a field is: a typed constant in the catalogue. A typo does not compile; strings appear at the YAML and HDF5
// edge.
#include <cstdint>
#include <string_view>

namespace craton {

enum class Location : std::uint8_t { cell, climate_cell };
enum class Kind : std::uint8_t {
  saved,    // part of the state: in checkpoints and in the state hash
  derived,  // recomputed from saved fields before anyone reads it; not in checkpoints
};
enum class Show : std::uint8_t { output, internal };  // written to snapshots by default, or not

struct FieldInfo {
  const char* name;           // [a-z0-9_]+, no '/' or '.'; ends in the unit where it has one
  const char* unit;           // UDUNITS, "1" for none
  const char* long_name;      // a line for plots
  const char* doc;            // one line of documentation
  const char* standard_name;  // CF standard name, or ""
  double valid_min, valid_max;
  Location location;
  Kind kind;
  Show show;
  bool is_integer;  // int32 instead of double
  int components;   // values per cell, stored cell * components + component (12 = months)
};

using FieldId = int;

template <class T>
struct FieldKey {
  FieldId id;
};
using RealField = FieldKey<double>;
using IntegerField = FieldKey<std::int32_t>;

int field_count();
const FieldInfo& field_info(FieldId id);
/// -1 if there is none of that name.
FieldId find_field(std::string_view name);

}  // namespace craton
