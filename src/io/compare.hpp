#pragma once
// Two HDF5 files dataset by dataset, read serially in pieces. Local.
#include <cstdint>
#include <string>
#include <vector>

namespace craton::io {

struct Difference {
  std::string path;
  bool equal = false;  // bit for bit
  std::string note;    // "only in the first", "shapes differ" ...; empty where values were compared
  double largest_absolute = 0;
  double largest_relative = 0;  // |a - b| / max(|a|, |b|)
  std::int64_t differing = 0;   // values
  std::int64_t first_row = -1;
};

/// Paths of the datasets of a group, by name.
std::vector<std::string> datasets_in(const std::string& file, const std::string& group);
/// Compares the datasets that either list names, in the order of the first. Errors: Error(bad_input).
std::vector<Difference> compare_files(const std::string& a, const std::vector<std::string>& paths_a,
                                      const std::string& b, const std::vector<std::string>& paths_b);

}  // namespace craton::io
