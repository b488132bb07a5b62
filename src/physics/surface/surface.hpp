#pragma once
// The surface of the solid planet in one sub-step: rivers are routed, cut and carry; slopes creep; the sea settles.
#include <memory>
#include <vector>

#include "config/parameters.hpp"
#include "state/pass.hpp"

namespace craton::surface {

/// The passes in the order in which they run: surface.routing, surface.incision, surface.creep, surface.marine. They
/// share the flow network and the load under way, so that one list serves one state.
std::vector<std::unique_ptr<Pass>> make_surface_passes(const config::Surface& parameters);

}  // namespace craton::surface
