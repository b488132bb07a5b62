#include "io/compare.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/error.hpp"
#include "io/hdf5_file.hpp"

namespace craton::io {

namespace {

constexpr std::int64_t piece_values = std::int64_t{1} << 20;

class Table {
 public:
  Table(const std::string& file, const std::string& path)
      : file_(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose),
        dataset_(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose) {
    if (!dataset_.valid())
      throw Error(ExitCode::bad_input, "cannot read " + path + " in " + file + ": " + hdf5_reason());
    const Hid space(H5Dget_space(dataset_.get()), H5Sclose), type(H5Dget_type(dataset_.get()), H5Tclose);
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (rank != 1 && rank != 2) throw Error(ExitCode::bad_input, path + " in " + file + " is no table");
    hsize_t dims[2] = {0, 1};
    H5Sget_simple_extent_dims(space.get(), dims, nullptr);
    rows = static_cast<std::int64_t>(dims[0]);
    columns = static_cast<std::int64_t>(dims[1]);
    rank_ = rank;
    is_real = H5Tget_class(type.get()) == H5T_FLOAT;
  }

  template <class T>
  void read(std::int64_t first, std::int64_t count, hid_t type, std::vector<T>& values) const {
    values.resize(static_cast<std::size_t>(count * columns));
    const hsize_t start[2] = {static_cast<hsize_t>(first), 0};
    const hsize_t extent[2] = {static_cast<hsize_t>(count), static_cast<hsize_t>(columns)};
    const Hid space(H5Dget_space(dataset_.get()), H5Sclose);
    const Hid memory(H5Screate_simple(rank_, extent, nullptr), H5Sclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start, nullptr, extent, nullptr);
    if (H5Dread(dataset_.get(), type, memory.get(), space.get(), H5P_DEFAULT, values.data()) < 0) {
      throw Error(ExitCode::bad_input, "cannot read data: " + hdf5_reason());
    }
  }

  std::int64_t rows = 0, columns = 1;
  bool is_real = false;

 private:
  Hid file_, dataset_;
  int rank_ = 1;
};

template <class T>
void compare_values(const Table& a, const Table& b, hid_t type, Difference& d) {
  std::vector<T> x, y;
  const std::int64_t step = std::max<std::int64_t>(1, piece_values / a.columns);
  for (std::int64_t first = 0; first < a.rows; first += step) {
    const std::int64_t count = std::min(step, a.rows - first);
    a.read(first, count, type, x);
    b.read(first, count, type, y);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (std::bit_cast<std::uint64_t>(x[k]) == std::bit_cast<std::uint64_t>(y[k])) continue;
      if (d.differing++ == 0) d.first_row = first + static_cast<std::int64_t>(k) / a.columns;
      const auto p = static_cast<double>(x[k]), q = static_cast<double>(y[k]);
      const double size = std::max(std::abs(p), std::abs(q));
      d.largest_absolute = std::max(d.largest_absolute, std::abs(p - q));
      if (size > 0) d.largest_relative = std::max(d.largest_relative, std::abs(p - q) / size);
    }
  }
  d.equal = d.differing == 0;
}

Difference compare(const std::string& file_a, const std::string& file_b, const std::string& path) {
  Difference d;
  d.path = path;
  const Table a(file_a, path), b(file_b, path);
  if (a.rows != b.rows || a.columns != b.columns || a.is_real != b.is_real) {
    d.note = "shapes or types differ: " + std::to_string(a.rows) + " x " + std::to_string(a.columns) + " and " +
             std::to_string(b.rows) + " x " + std::to_string(b.columns);
  } else if (a.is_real) {
    compare_values<double>(a, b, H5T_NATIVE_DOUBLE, d);
  } else {
    compare_values<std::int64_t>(a, b, H5T_NATIVE_INT64, d);
  }
  return d;
}

herr_t collect(hid_t, const char* name, const H5L_info_t*, void* list) {
  static_cast<std::vector<std::string>*>(list)->emplace_back(name);
  return 0;
}

}  // namespace

std::vector<std::string> datasets_in(const std::string& file, const std::string& group) {
  prepare_hdf5();
  const Hid h5(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!h5.valid()) throw Error(ExitCode::bad_input, file + " is no HDF5 file");
  std::vector<std::string> names;
  if (H5Literate_by_name(h5.get(), group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names, H5P_DEFAULT) <
      0) {
    throw Error(ExitCode::bad_input, file + " has no group " + group);
  }
  for (std::string& name : names) name = group + "/" + name;
  return names;
}

std::vector<Difference> compare_files(const std::string& a, const std::vector<std::string>& paths_a,
                                      const std::string& b, const std::vector<std::string>& paths_b) {
  prepare_hdf5();
  const auto contains = [](const std::vector<std::string>& list, const std::string& path) {
    return std::find(list.begin(), list.end(), path) != list.end();
  };
  std::vector<Difference> result;
  for (const std::string& path : paths_a) {
    if (contains(paths_b, path)) {
      result.push_back(compare(a, b, path));
    } else {
      Difference d;
      d.path = path;
      d.note = "only in the first";
      result.push_back(d);
    }
  }
  for (const std::string& path : paths_b) {
    if (contains(paths_a, path)) continue;
    Difference d;
    d.path = path;
    d.note = "only in the second";
    result.push_back(d);
  }
  return result;
}

}  // namespace craton::io
