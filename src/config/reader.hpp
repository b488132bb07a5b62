#pragma once
// The reading of one YAML text or one override against the table: assigns what is right, collects what is wrong. Local.
#include <map>
#include <string>

#include "config/load.hpp"
#include "config/table.hpp"

namespace craton::config {

/// Where a value was given.
struct Place {
  int source = 0;
  int line = 1, column = 1;
};

struct Reading {
  Parameters parameters;
  std::vector<Fault> faults;
  std::map<std::string, Place> places;  // of the values that were given, by key

  void fault(FaultKind kind, const Place& place, std::string key, std::string what);
};

/// Columns of the places count bytes, as the parser does.
void read_yaml(const std::string& text, Reading& reading);
/// "block.name=value", the index-th override (from 1).
void read_override(const std::string& text, int index, Reading& reading);

/// Faults of keys that are right alone but do not fit each other. To be called when there are no other faults.
void check_together(Reading& reading);

}  // namespace craton::config
