#pragma once
// Every field by name: fields::elevation_m and so on. Generated from fields.def.
#include "state/field.hpp"

namespace craton::fields {

namespace detail {
enum Id : FieldId {
#define CRATON_REAL(name, ...) name,
#define CRATON_INTEGER(name, ...) name,
#include "state/fields.def"
#undef CRATON_REAL
#undef CRATON_INTEGER
  count
};
}  // namespace detail

#define CRATON_REAL(name, ...) inline constexpr RealField name{detail::name};
#define CRATON_INTEGER(name, ...) inline constexpr IntegerField name{detail::name};
#include "state/fields.def"
#undef CRATON_REAL
#undef CRATON_INTEGER

}  // namespace craton::fields
