#pragma once
// The climate of the planet: twelve equal months on the climate mesh, brought down to the fine mesh at the end.
#include <memory>
#include <vector>

#include "config/parameters.hpp"
#include "state/pass.hpp"

namespace craton::climate {

/// The passes in the order in which they run: climate.boundary, climate.insolation, climate.energy, climate.pressure,
/// climate.wind, climate.advection, climate.moisture, climate.downscale. The driver runs all of them when the climate
/// is due. air_temperature_c must count as initialised: all zero means "start from the analytic balance".
std::vector<std::unique_ptr<Pass>> make_climate_passes(const config::Planet& planet, const config::Climate& climate);

}  // namespace craton::climate
