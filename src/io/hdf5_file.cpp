#include "io/hdf5_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <mutex>

#include "core/error.hpp"
#include "io/crc32c.hpp"

namespace craton::io {

namespace {

Hid property_list(hid_t kind) {
  return Hid(H5Pcreate(kind), H5Pclose);
}

// Dimensions of a dataset: a single column has rank 1, as viewers expect.
Hid space_of(std::int64_t rows, std::int64_t columns) {
  const hsize_t dims[2] = {static_cast<hsize_t>(rows), static_cast<hsize_t>(columns)};
  return Hid(H5Screate_simple(columns == 1 ? 1 : 2, dims, nullptr), H5Sclose);
}

Hid scalar_space() {
  return Hid(H5Screate(H5S_SCALAR), H5Sclose);
}

Hid with_parents() {
  Hid list = property_list(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(list.get(), 1);
  return list;
}

// Large datasets start on a page of their own, so that no page is written by HDF5 and by a rank.
constexpr hsize_t alignment_from = 1024, alignment = 4096;

/// Where the values of a plain dataset lie in the file; -1 if it is not one.
std::int64_t offset_of(hid_t dataset, std::int64_t rows) {
  const Hid creation(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(creation.get()) != H5D_CONTIGUOUS || H5Pget_external_count(creation.get()) != 0) return -1;
  if (rows == 0) return 0;
  const haddr_t offset = H5Dget_offset(dataset);
  return offset == HADDR_UNDEF ? -1 : static_cast<std::int64_t>(offset);
}

herr_t innermost(unsigned, const H5E_error2_t* error, void* text) {
  *static_cast<std::string*>(text) = error->desc != nullptr ? error->desc : "";
  return 0;
}

}  // namespace

Hid& Hid::operator=(Hid&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = other.id_;
    close_ = other.close_;
    other.id_ = -1;
  }
  return *this;
}

bool Hid::reset() {
  const bool ok = id_ < 0 || close_(id_) >= 0;
  id_ = -1;
  return ok;
}

void prepare_hdf5() {
  static std::once_flag once;
  std::call_once(once, [] {
    H5dont_atexit();  // must come before any other call
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error code then
  });
}

hid_t native_type(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return H5T_NATIVE_DOUBLE;
    case ElementType::float32:
      return H5T_NATIVE_FLOAT;
    case ElementType::int32:
      return H5T_NATIVE_INT32;
    case ElementType::int64:
      return H5T_NATIVE_INT64;
    case ElementType::uint64:
      return H5T_NATIVE_UINT64;
    case ElementType::uint8:
      return H5T_NATIVE_UINT8;
  }
  return -1;
}

std::string hdf5_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, innermost, &text);  // ends with the innermost
  return text.empty() ? "not as expected" : text;
}

ParallelFile::ParallelFile(const par::Comm& comm, const std::string& path, Mode mode, std::size_t transfer_bytes)
    : comm_(comm), path_(path), transfer_bytes_(transfer_bytes) {
  prepare_hdf5();
  writes_ = mode == Mode::create;
  const auto open = [&](int flags) {
    descriptor_ = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
    if (descriptor_ < 0) throw Error(ExitCode::io, "cannot open " + path + ": " + std::strerror(errno));
  };
  on_root(writes_ ? "cannot create" : "cannot open", [&] {
    open(writes_ ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY);
    const Hid access = property_list(H5P_FILE_ACCESS);
    H5Pset_alignment(access.get(), alignment_from, alignment);
    if (writes_ && !keep_in_memory(access.get(), pages_)) return false;
    file_ = Hid(writes_ ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get())
                        : H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()),
                H5Fclose);
    return file_.valid();
  });
  comm_.together([&] {
    if (!comm_.is_root()) open(writes_ ? O_WRONLY : O_RDONLY);
  });
}

ParallelFile::~ParallelFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ParallelFile::on_root(const std::string& what, const std::function<bool()>& body) const {
  comm_.together([&] {
    if (!comm_.is_root()) return;
    H5Eclear2(H5E_DEFAULT);
    if (!body()) throw Error(ExitCode::io, what + " " + path_ + ": " + hdf5_reason());
  });
}

void ParallelFile::make_group(const std::string& path) {
  on_root("cannot make group " + path + " in", [&] {
    const Hid parents = with_parents();
    return Hid(H5Gcreate2(file_.get(), path.c_str(), parents.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose).valid();
  });
}

template <class Move>
void ParallelFile::transfer(const std::string& name, std::size_t row_bytes, const Slab& slab, std::int64_t offset,
                            const Move& move) const {
  std::int64_t at = offset;
  comm_.broadcast(std::as_writable_bytes(std::span(&at, 1)));
  comm_.together([&] {
    const std::size_t size = static_cast<std::size_t>(slab.count) * row_bytes;
    at += slab.first * static_cast<std::int64_t>(row_bytes);
    for (std::size_t done = 0; done < size;) {
      const std::size_t piece = std::min(size - done, std::max<std::size_t>(transfer_bytes_, 1));
      const ssize_t moved = move(done, piece, static_cast<off_t>(at + static_cast<std::int64_t>(done)));
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) {
        throw Error(ExitCode::io, "cannot transfer " + name + " of " + path_ + ": " +
                                      (moved < 0 ? std::strerror(errno) : "end of file"));
      }
      done += static_cast<std::size_t>(moved);
    }
  });
}

void ParallelFile::write(const std::string& path, ElementType type, const Slab& slab, const void* data) {
  std::int64_t offset = 0;
  on_root("cannot create dataset " + path + " in", [&] {
    const Hid creation = property_list(H5P_DATASET_CREATE), parents = with_parents();
    H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(creation.get(), false);  // the bytes of a file are a function of the state
    const Hid space = space_of(slab.total, slab.columns);
    Hid dataset(H5Dcreate2(file_.get(), path.c_str(), native_type(type), space.get(), parents.get(), creation.get(),
                           H5P_DEFAULT),
                H5Dclose);
    if (!dataset.valid()) return false;
    offset = offset_of(dataset.get(), slab.total);
    return offset >= 0 && dataset.reset();
  });
  if (slab.total == 0) return;
  const auto* from = static_cast<const std::byte*>(data);
  transfer(path, element_bytes(type) * static_cast<std::size_t>(slab.columns), slab, offset,
           [&](std::size_t done, std::size_t size, off_t at) { return ::pwrite(descriptor_, from + done, size, at); });
}

void ParallelFile::read(const std::string& path, ElementType type, const Slab& slab, void* data) {
  std::int64_t offset = 0;
  on_root("cannot read dataset " + path + " of", [&] {
    const Hid dataset(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.valid()) return false;
    const Hid stored(H5Dget_type(dataset.get()), H5Tclose), space(H5Dget_space(dataset.get()), H5Sclose);
    const auto values = static_cast<std::int64_t>(H5Sget_simple_extent_npoints(space.get()));
    offset = offset_of(dataset.get(), slab.total);
    return offset >= 0 && values == slab.total * slab.columns && H5Tequal(stored.get(), native_type(type)) > 0;
  });
  if (slab.total == 0) return;
  auto* to = static_cast<std::byte*>(data);
  transfer(path, element_bytes(type) * static_cast<std::size_t>(slab.columns), slab, offset,
           [&](std::size_t done, std::size_t size, off_t at) { return ::pread(descriptor_, to + done, size, at); });
}

void ParallelFile::write_attribute(const std::string& object, const std::string& name, const std::function<Hid()>& type,
                                   const std::function<Hid()>& space, const void* data) {
  on_root("cannot write attribute " + name + " of " + object + " in", [&] {
    const Hid t = type(), s = space();
    const Hid attribute(H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), t.get(), s.get(), H5P_DEFAULT,
                                          H5P_DEFAULT, H5P_DEFAULT),
                        H5Aclose);
    return attribute.valid() && H5Awrite(attribute.get(), t.get(), data) >= 0;
  });
}

void ParallelFile::attribute(const std::string& object, const std::string& name, const std::string& text) {
  const auto type = [&] {
    Hid t(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(t.get(), std::max<std::size_t>(text.size(), 1));
    H5Tset_strpad(t.get(), H5T_STR_NULLPAD);
    return t;
  };
  write_attribute(object, name, type, scalar_space, text.c_str());
}

void ParallelFile::attribute(const std::string& object, const std::string& name,
                             const std::vector<std::int64_t>& values) {
  const hsize_t size = values.size();
  write_attribute(
      object, name, [] { return Hid(H5Tcopy(H5T_NATIVE_INT64), H5Tclose); },
      [&] { return Hid(H5Screate_simple(1, &size, nullptr), H5Sclose); }, values.data());
}

void ParallelFile::attribute(const std::string& object, const std::string& name, double value) {
  write_attribute(
      object, name, [] { return Hid(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose); }, scalar_space, &value);
}

void ParallelFile::external_link(const std::string& path, const std::string& file, const std::string& target) {
  on_root("cannot make link " + path + " in", [&] {
    return H5Lcreate_external(file.c_str(), target.c_str(), file_.get(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
  });
}

void ParallelFile::close() {
  on_root("cannot close", [&] { return (!writes_ || H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0) && file_.reset(); });
  comm_.together([&] {
    int code = writes_ && comm_.is_root() ? pages_.put(descriptor_) : 0;
    // Some file systems report a failed write only here.
    if (::close(descriptor_) != 0 && code == 0) code = errno;
    descriptor_ = -1;
    if (code != 0) throw Error(ExitCode::io, "cannot write " + path_ + ": " + std::strerror(code));
  });
}

std::vector<std::uint32_t> combine_crcs(const par::Comm& comm, const std::vector<std::uint32_t>& locals,
                                        const std::vector<std::int64_t>& bytes) {
  struct Part {
    std::uint64_t bytes;
    std::uint64_t crc;
  };
  std::vector<Part> mine(locals.size());
  for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = {static_cast<std::uint64_t>(bytes[k]), locals[k]};
  std::string text(mine.size() * sizeof(Part), '\0');
  if (!mine.empty()) std::memcpy(text.data(), mine.data(), text.size());
  const std::string all = comm.all_gather(text);
  std::vector<std::uint32_t> crcs(locals.size(), 0);
  for (std::size_t at = 0; at < all.size(); at += sizeof(Part)) {
    Part part{};
    std::memcpy(&part, all.data() + at, sizeof part);
    std::uint32_t& crc = crcs[(at / sizeof(Part)) % crcs.size()];
    crc = crc32c_combine(crc, static_cast<std::uint32_t>(part.crc), part.bytes);
  }
  return crcs;
}

void on_each_node(const par::Comm& comm, const std::function<void()>& body) {
  MPI_Comm node = MPI_COMM_NULL;
  int rank = 0;
  MPI_Comm_split_type(comm.handle(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  comm.together([&] {
    if (rank == 0) body();
  });
}

}  // namespace craton::io
