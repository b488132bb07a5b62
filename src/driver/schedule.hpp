#pragma once
// The order of physics is the one list in schedule.cpp. YAML may switch passes off or set how often they run; it never
// reorders them.
#include <memory>
#include <vector>

#include "config/parameters.hpp"
#include "state/pass.hpp"

namespace craton {

using PassList = std::vector<std::unique_ptr<Pass>>;

struct Schedule {
  PassList crust;    // plates move, margins are resolved, heights follow
  PassList sea;      // sea level from the volume of water
  PassList climate;  // when due
  PassList surface;  // in sub-steps
  PassList settle;   // what the surface did goes back to the parcels

  std::vector<const Pass*> in_order() const;
};

Schedule make_schedule(const config::Parameters& parameters);

}  // namespace craton
