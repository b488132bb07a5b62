#pragma once
// An HDF5 file driver that keeps what HDF5 writes in memory, until we put it on disk and see every return code.
//
// Only for files in which HDF5 writes metadata and the values go around it (hdf5_file.hpp): a few hundred kB. HDF5 then
// never meets a write error, after which its 1.10 crashes in its exit handlers. Local.
#include <hdf5.h>

#include <array>
#include <bitset>
#include <cstdint>
#include <map>

namespace craton::io {

/// Bytes at file addresses, as pages with a mark on each byte that was written.
class MetadataPages {
 public:
  static constexpr std::uint64_t page_bytes = 4096;

  void write(std::uint64_t at, std::size_t size, const void* bytes);
  /// Zero where nothing was written.
  void read(std::uint64_t at, std::size_t size, void* bytes) const;
  void clear() { pages_.clear(); }
  std::uint64_t end() const { return end_; }

  /// Writes all marked bytes to an open file and makes the file at least file_bytes long. 0 or errno.
  int put(int descriptor) const;
  void set_file_bytes(std::uint64_t bytes) { file_bytes_ = bytes; }

 private:
  struct Page {
    std::array<std::byte, page_bytes> bytes{};
    std::bitset<page_bytes> written;
  };
  std::map<std::uint64_t, Page> pages_;  // by address / page_bytes
  std::uint64_t end_ = 0, file_bytes_ = 0;
};

/// Makes a file access property list use the driver with these pages, which must outlive the file. False on failure.
bool keep_in_memory(hid_t access, MetadataPages& pages);

}  // namespace craton::io
