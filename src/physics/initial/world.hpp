#pragma once
// A new planet: crust, plates, surface and water at time 0.
//
// Guarantees: owned values of all saved fields of the solid surface are set, one parcel lies at the centre of each cell
// (id = cell, area = the cell's), plate frames coincide with the planet's, the surface is in isostatic balance,
// globals.water_volume_m3 and sea_level_m agree. Climate fields stay zero until the climate has run. Every value is a
// function of the seed and the place (sea level: of all places), so the same seed gives the same world at any
// resolution.
#include "config/parameters.hpp"
#include "state/state.hpp"

namespace craton::initial {

/// Collective.
void make_world(State& state, const config::Parameters& parameters);

}  // namespace craton::initial
