#include "io/element.hpp"

#include <bit>

namespace craton::io {

// Values go to disk as they lie in memory, and CRCs are taken there.
static_assert(std::endian::native == std::endian::little);

namespace {
struct Row {
  ElementType type;
  const char* name;
  std::size_t bytes;
};
constexpr Row rows[] = {{ElementType::float64, "float64", 8}, {ElementType::float32, "float32", 4},
                        {ElementType::int32, "int32", 4},     {ElementType::int64, "int64", 8},
                        {ElementType::uint64, "uint64", 8},   {ElementType::uint8, "uint8", 1}};
}  // namespace

std::size_t element_bytes(ElementType type) {
  return rows[static_cast<std::size_t>(type)].bytes;
}
const char* element_name(ElementType type) {
  return rows[static_cast<std::size_t>(type)].name;
}

std::optional<ElementType> element_type(std::string_view name) {
  for (const Row& r : rows) {
    if (name == r.name) return r.type;
  }
  return std::nullopt;
}

}  // namespace craton::io
