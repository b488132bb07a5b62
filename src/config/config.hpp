#pragma once
// Parameters as text: the resolved file, the reference, the hash and the comparison on resume. All from the table in
// parameters/*.def. Reading is in load.hpp. All functions are Local.
#include <string>
#include <vector>

#include "config/load.hpp"
#include "config/parameters.hpp"
#include "config/table.hpp"

namespace craton::config {

/// Every key with its value, unit and text as comment; reads back as the same parameters, bit for bit.
std::string to_yaml(const Parameters& parameters);

/// Reference of all parameters: key, type, unit, default, range, class, text.
std::string params_json();
std::string params_markdown();

/// 16 hex digits: FNV-1a of "key=value" lines of all parameters, then the mixer of core/hash.hpp.
std::string config_hash(const Parameters& parameters);

struct Difference {
  std::string key, old_value, new_value;
  ChangeClass change = ChangeClass::Free;
};

/// Parameters that differ, in the order of the table.
std::vector<Difference> differences(const Parameters& old_parameters, const Parameters& new_parameters);
/// Aligned columns: key, old, new, class; one line each, "" for none.
std::string differences_table(const std::vector<Difference>& differences);

}  // namespace craton::config
