#pragma once
// The books of the whole run as JSON, for scripts.
#include <string>

#include "state/ledger.hpp"

namespace craton {

std::string books_json(const Ledger& ledger);

}  // namespace craton
