#pragma once
// One scalar of the input against one entry of the table. Local.
#include <optional>
#include <string>
#include <variant>

#include "config/load.hpp"
#include "config/table.hpp"

namespace craton::config {

struct ScalarFault {
  FaultKind kind;
  std::string what;
};

/// The value, or what is wrong with the text. quoted: the text stood in quotes, so it is no number. Numbers are decimal
/// and finite; a quantity in years is a whole number of them (model time is counted in integers).
std::variant<Value, ScalarFault> read_scalar(const Entry& entry, const std::string& text, bool quoted);

}  // namespace craton::config
