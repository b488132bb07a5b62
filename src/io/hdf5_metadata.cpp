#include "io/hdf5_metadata.hpp"

#include <unistd.h>
#if H5_VERSION_GE(1, 14, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace craton::io {

void MetadataPages::write(std::uint64_t at, std::size_t size, const void* bytes) {
  const auto* from = static_cast<const std::byte*>(bytes);
  end_ = std::max(end_, at + size);
  while (size > 0) {
    const std::uint64_t inside = at % page_bytes;
    const std::size_t count = std::min<std::size_t>(size, page_bytes - inside);
    Page& page = pages_[at / page_bytes];
    std::memcpy(page.bytes.data() + inside, from, count);
    for (std::size_t k = 0; k < count; ++k) page.written.set(inside + k);
    at += count;
    from += count;
    size -= count;
  }
}

void MetadataPages::read(std::uint64_t at, std::size_t size, void* bytes) const {
  auto* to = static_cast<std::byte*>(bytes);
  while (size > 0) {
    const std::uint64_t inside = at % page_bytes;
    const std::size_t count = std::min<std::size_t>(size, page_bytes - inside);
    const auto page = pages_.find(at / page_bytes);
    if (page == pages_.end()) {
      std::memset(to, 0, count);
    } else {
      std::memcpy(to, page->second.bytes.data() + inside, count);
    }
    at += count;
    to += count;
    size -= count;
  }
}

int MetadataPages::put(int descriptor) const {
  for (const auto& [number, page] : pages_) {
    for (std::uint64_t begin = 0; begin < page_bytes;) {
      if (!page.written.test(begin)) {
        ++begin;
        continue;
      }
      std::uint64_t end = begin;
      while (end < page_bytes && page.written.test(end)) ++end;
      while (begin < end) {
        const ssize_t n = ::pwrite(descriptor, page.bytes.data() + begin, end - begin,
                                   static_cast<off_t>(number * page_bytes + begin));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO;
        begin += static_cast<std::uint64_t>(n);
      }
    }
  }
  const off_t size = ::lseek(descriptor, 0, SEEK_END);
  if (size < 0) return errno;
  if (static_cast<std::uint64_t>(size) < file_bytes_ && ::ftruncate(descriptor, static_cast<off_t>(file_bytes_)) != 0)
    return errno;
  return 0;
}

namespace {

struct Choice {
  MetadataPages* pages;
};

struct File {
  H5FD_t base;  // HDF5's part comes first
  MetadataPages* pages;
  haddr_t allocated;
};

H5FD_t* open_file(const char*, unsigned flags, hid_t access, haddr_t) {
  if ((flags & H5F_ACC_CREAT) == 0) return nullptr;  // HDF5 asks first whether the file is there
  const auto* choice = static_cast<const Choice*>(H5Pget_driver_info(access));
  if (choice == nullptr) return nullptr;
  choice->pages->clear();
  return &(new File{{}, choice->pages, 0})->base;
}
herr_t close_file(H5FD_t* file) {
  auto* own = reinterpret_cast<File*>(file);
  own->pages->set_file_bytes(own->allocated);
  delete own;
  return 0;
}
herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA;
  return 0;
}
haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) {
  return reinterpret_cast<const File*>(file)->allocated;
}
herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  reinterpret_cast<File*>(file)->allocated = address;
  return 0;
}
haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) {
  return reinterpret_cast<const File*>(file)->pages->end();
}
herr_t read_file(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* bytes) {
  reinterpret_cast<File*>(file)->pages->read(at, size, bytes);
  return 0;
}
herr_t write_file(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* bytes) {
  reinterpret_cast<File*>(file)->pages->write(at, size, bytes);
  return 0;
}

H5FD_class_t make_class() {
  H5FD_class_t c{};
#if H5_VERSION_GE(1, 14, 0)
  c.version = H5FD_CLASS_VERSION;
  c.value = static_cast<H5FD_class_value_t>(512);  // any number outside the library's own range
#endif
  c.name = "craton_metadata";
  c.maxaddr = (haddr_t{1} << 62) - 1;
  c.fc_degree = H5F_CLOSE_WEAK;
  c.fapl_size = sizeof(Choice);
  c.open = open_file;
  c.close = close_file;
  c.query = query;
  c.get_eoa = get_eoa;
  c.set_eoa = set_eoa;
  c.get_eof = get_eof;
  c.read = read_file;
  c.write = write_file;
  constexpr H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), c.fl_map);
  return c;
}

}  // namespace

bool keep_in_memory(hid_t access, MetadataPages& pages) {
  static const H5FD_class_t description = make_class();
  static const hid_t driver = H5FDregister(&description);
  const Choice choice{&pages};
  return driver >= 0 && H5Pset_driver(access, driver, &choice) >= 0;
}

}  // namespace craton::io
