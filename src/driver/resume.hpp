#pragma once
// What may change between a checkpoint and the run that resumes it.
#include <string>

#include "config/parameters.hpp"

namespace craton {

/// Compares the parameters with those of the checkpoint. Free ones may differ; Physics ones need allow_change (the
/// change is logged); Fixed ones never. Error(usage) with a table of key, old and new value. Local, the same on every
/// rank.
void check_parameters(const config::Parameters& now, const std::string& checkpoint_yaml, bool allow_change);

}  // namespace craton
