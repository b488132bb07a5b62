#pragma once
// Guards after each pass: every written value finite and inside the catalogue's valid range.
#include "state/pass.hpp"

namespace craton {

/// Error(numerical) on all ranks, naming field, value, cell, longitude, latitude, pass and step. Collective.
void check_after(const Pass& pass, const State& state, const StepInfo& step);
/// The same for all saved fields, parcels and plates (before a checkpoint). Collective.
void check_all(const State& state, const std::string& when);

}  // namespace craton
