#pragma once
// CRC-32C (Castagnoli, polynomial 0x1EDC6F41 reflected): the check of iSCSI and ext4. crc32c("123456789") = 0xE3069283.
// combine gives the CRC of two byte strings joined, from their CRCs and the length of the second, so that each rank
// sums its own slab. Local.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace craton::io {

/// CRC of bytes appended to what already has the CRC `before` (0 for nothing).
std::uint32_t crc32c(const void* bytes, std::size_t size, std::uint32_t before = 0);
inline std::uint32_t crc32c(std::string_view text) {
  return crc32c(text.data(), text.size());
}
std::uint32_t crc32c_combine(std::uint32_t first, std::uint32_t second, std::uint64_t second_size);

}  // namespace craton::io
