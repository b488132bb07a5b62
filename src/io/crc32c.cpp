#include "io/crc32c.hpp"

#include <array>
#include <cstring>

namespace craton::io {

namespace {

constexpr std::uint32_t polynomial = 0x82f63b78;  // reflected

// tables[k][b]: effect of byte b followed by k zero bytes, for eight bytes at a time.
constexpr std::array<std::array<std::uint32_t, 256>, 8> make_tables() {
  std::array<std::array<std::uint32_t, 256>, 8> t{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t c = b;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? (c >> 1) ^ polynomial : c >> 1;
    t[0][b] = c;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t b = 0; b < 256; ++b) t[k][b] = (t[k - 1][b] >> 8) ^ t[0][t[k - 1][b] & 0xff];
  }
  return t;
}
constexpr auto tables = make_tables();

// Product of two polynomials modulo the CRC's, bits reflected: bit 31 is the constant term.
std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (std::uint32_t bit = std::uint32_t{1} << 31; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = (b & 1) != 0 ? (b >> 1) ^ polynomial : b >> 1;
  }
  return product;
}

}  // namespace

std::uint32_t crc32c(const void* bytes, std::size_t size, std::uint32_t before) {
  const auto* p = static_cast<const unsigned char*>(bytes);
  std::uint32_t c = ~before;
  for (; size >= 8; size -= 8, p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    word ^= c;
    c = 0;
    for (std::size_t k = 0; k < 8; ++k) c ^= tables[7 - k][(word >> (8 * k)) & 0xff];
  }
  for (; size > 0; --size, ++p) c = (c >> 8) ^ tables[0][(c ^ *p) & 0xff];
  return ~c;
}

std::uint32_t crc32c_combine(std::uint32_t first, std::uint32_t second, std::uint64_t second_size) {
  // first * x^(8 * second_size) + second; the initial and final complements cancel.
  std::uint32_t shift = std::uint32_t{1} << 31;   // x^0
  std::uint32_t square = std::uint32_t{1} << 23;  // x^8
  for (std::uint64_t n = second_size; n != 0; n >>= 1) {
    if ((n & 1) != 0) shift = multiply(shift, square);
    square = multiply(square, square);
  }
  return multiply(first, shift) ^ second;
}

}  // namespace craton::io
