#pragma once
// Plate tectonics on parcels: docs/design/tectonics.md.
#include <memory>
#include <vector>

#include "config/parameters.hpp"
#include "state/pass.hpp"

namespace craton::tectonics {

/// The passes that move crust, in the order in which they run: tectonics.motion, tectonics.margins.
std::vector<std::unique_ptr<Pass>> make_crust_passes(const config::Planet& planet, const config::Tectonics& parameters);
/// tectonics.settle: what isostasy and the surface changed on the grid goes back to the parcels.
std::vector<std::unique_ptr<Pass>> make_settle_passes(const config::Tectonics& parameters);

}  // namespace craton::tectonics
