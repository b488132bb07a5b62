#pragma once
// HDF5 files that all ranks write and read together: contiguous slabs of rows, in parallel.
//
// Rank 0 alone talks to HDF5 (serial driver): it lays out the datasets and asks where their bytes lie; then every rank
// moves its own rows with positioned writes and reads. So no failure can happen inside a collective call of HDF5: with
// MPI-IO underneath, a write error of HDF5 1.10 leaves the other ranks in MPI_File_sync for good
// (docs/design/files.md). Every step is agreed: a failure on one rank is an Error(io) on all. A file is complete only
// after close() has returned.
#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/element.hpp"
#include "io/hdf5_metadata.hpp"
#include "par/comm.hpp"

namespace craton::io {

/// An HDF5 identifier that closes itself. Local.
class Hid {
 public:
  using Close = herr_t (*)(hid_t);
  Hid() = default;
  Hid(hid_t id, Close close) : id_(id), close_(close) {}
  ~Hid() { reset(); }
  Hid(Hid&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Hid& operator=(Hid&& other) noexcept;
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// False if closing failed.
  bool reset();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Rows of a dataset that this rank holds: rows first .. first + count - 1 of total, columns values each.
struct Slab {
  std::int64_t total = 0, columns = 1, first = 0, count = 0;
};

/// No exit handlers, no error printing, no death by SIGXFSZ. Called by everything that opens a file. Local.
void prepare_hdf5();
hid_t native_type(ElementType type);
/// Message of the present HDF5 error stack. Local.
std::string hdf5_reason();

class ParallelFile {
 public:
  enum class Mode { create, read };
  /// Collective. transfer_bytes: largest piece of one read or write call.
  ParallelFile(const par::Comm& comm, const std::string& path, Mode mode, std::size_t transfer_bytes);
  ~ParallelFile();
  ParallelFile(const ParallelFile&) = delete;
  ParallelFile& operator=(const ParallelFile&) = delete;

  // All Collective; arguments other than the slab's own part and the data are the same on all ranks.
  void make_group(const std::string& path);
  /// Creates the dataset, with the groups above it, and writes the slab.
  void write(const std::string& path, ElementType type, const Slab& slab, const void* data);
  /// The dataset must be plain (contiguous, no filter, no link) and of this type and shape.
  void read(const std::string& path, ElementType type, const Slab& slab, void* data);
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  void attribute(const std::string& object, const std::string& name, const std::vector<std::int64_t>& values);
  void attribute(const std::string& object, const std::string& name, double value);
  void external_link(const std::string& path, const std::string& file, const std::string& target);
  /// Flush and close, with every code checked.
  void close();

 private:
  void on_root(const std::string& what, const std::function<bool()>& body) const;
  void write_attribute(const std::string& object, const std::string& name, const std::function<Hid()>& type,
                       const std::function<Hid()>& space, const void* data);
  template <class Move>
  void transfer(const std::string& name, std::size_t row_bytes, const Slab& slab, std::int64_t offset,
                const Move& move) const;

  const par::Comm& comm_;
  std::string path_;
  std::size_t transfer_bytes_;
  MetadataPages pages_;  // rank 0, of a file that is written; must outlive file_
  Hid file_;             // rank 0
  int descriptor_ = -1;  // every rank
  bool writes_ = false;
};

/// CRC-32C of whole datasets from the CRCs of the ranks' slabs, in rank order. locals[k] and bytes[k] belong to dataset
/// k. The slabs of a dataset must lie in rank order. Collective.
std::vector<std::uint32_t> combine_crcs(const par::Comm& comm, const std::vector<std::uint32_t>& locals,
                                        const std::vector<std::int64_t>& bytes);

/// Runs body on one rank of each node (for fsync: pages that a node has written). Failures on any are Errors on all.
/// Collective.
void on_each_node(const par::Comm& comm, const std::function<void()>& body);

}  // namespace craton::io
