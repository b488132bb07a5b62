#pragma once
// Types of the values in our files. All are stored little-endian. Local.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace craton::io {

enum class ElementType : std::uint8_t { float64, float32, int32, int64, uint64, uint8 };
std::size_t element_bytes(ElementType type);
const char* element_name(ElementType type);
std::optional<ElementType> element_type(std::string_view name);

}  // namespace craton::io
