#pragma once
// What a checkpoint contains, as manifest.json: read and checked before HDF5 opens anything. All functions are Local.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/element.hpp"

namespace craton::io {

inline constexpr int checkpoint_format_version = 1;

struct DatasetEntry {
  std::string path;  // in state.h5: "cells/elevation_m"
  ElementType type = ElementType::float64;
  std::int64_t rows = 0;
  std::int64_t columns = 1;  // values per row; a dataset of one column has rank 1 in the file
  std::uint32_t crc32c = 0;  // of the values in file order, little-endian
  std::int64_t bytes() const { return rows * columns * static_cast<std::int64_t>(element_bytes(type)); }
};

struct Manifest {
  int format_version = checkpoint_format_version;
  std::int64_t step = 0, time_yr = 0;
  std::int64_t frequency = 0, climate_frequency = 0;
  double radius_m = 0;
  std::int64_t file_bytes = 0;                     // of state.h5
  std::string state_hash;                          // 16 hex digits
  std::map<std::string, std::string> part_hashes;  // by field, and "parcels", "plates", "globals"
  std::string git_hash, config_hash, config_yaml;
  std::vector<DatasetEntry> datasets;  // in the order of writing

  const DatasetEntry* find(const std::string& path) const;
};

std::string to_json(const Manifest& manifest);
/// Errors: Error(bad_input) for anything that is not a well-formed manifest of a known version with sane sizes.
Manifest parse_manifest(const std::string& text);

}  // namespace craton::io
