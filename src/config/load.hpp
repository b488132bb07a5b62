#pragma once
// From the input file and the --set overrides to checked parameters. Every fault is found in one reading and reported
// as in a compiler:
//
//     planet.yaml:3:13: error: planet.radius_m: 5 is below the smallest value; allowed: 100000 to 100000000 m
//       radius_m: 5
//                 ^
//
// Columns count characters from 1. An override is reported as --set:1:col. What is not given has its default; an empty
// file is a valid planet. Refused: more than 1 MiB, nesting deeper than 64, anchors and aliases, tags, a second
// document, text that is not UTF-8 or has control characters. All functions are Local.
#include <cstddef>
#include <string>
#include <vector>

#include "config/parameters.hpp"

namespace craton::config {

inline constexpr std::size_t max_input_bytes = std::size_t{1} << 20;
inline constexpr std::size_t max_input_depth = 64;

enum class FaultKind {
  unreadable,   // size, encoding, depth
  syntax,       // not YAML
  unsupported,  // anchor, alias, tag, second document
  structure,    // a block that is no map, a key that is no name, a malformed override
  unknown_key,
  duplicate_key,
  wrong_type,
  not_finite,
  out_of_range,
  not_whole,     // an integer with a fraction; a time that is no whole number of years
  inconsistent,  // two keys that do not fit each other
};

struct Fault {
  FaultKind kind;
  int source = 0;  // 0 the file, k the k-th override
  int line = 1, column = 1;
  std::string key;  // block.name, as far as known
  std::string what;
};

struct Loaded {
  Parameters parameters;      // meaningful only without faults
  std::vector<Fault> faults;  // in the order of sources, lines and columns
  std::string report;         // all faults as text, "" if there are none
};

/// Checks a text; name stands for the file in the report. Overrides are "block.name=value"; the last of a key counts.
Loaded check_text(const std::string& name, const std::string& text, const std::vector<std::string>& overrides = {});

/// The file as text. Errors: Error(usage) if it cannot be read; more than the limit is read as limit + 1 bytes.
std::string read_input(const std::string& path);

/// Errors: Error(usage) with the report.
Parameters load_text(const std::string& name, const std::string& text, const std::vector<std::string>& overrides = {});
Parameters load(const std::string& path, const std::vector<std::string>& overrides = {});

}  // namespace craton::config
