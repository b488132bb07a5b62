#include "driver/schedule.hpp"

#include "physics/climate/climate.hpp"
#include "physics/isostasy/isostasy_pass.hpp"
#include "physics/isostasy/sea_level_pass.hpp"
#include "physics/surface/surface.hpp"
#include "physics/tectonics/tectonics.hpp"

namespace craton {

Schedule make_schedule(const config::Parameters& p) {
  Schedule s;
  s.crust = tectonics::make_crust_passes(p.planet, p.tectonics);
  s.crust.push_back(std::make_unique<IsostasyPass>(p.tectonics));
  s.sea.push_back(std::make_unique<SeaLevelPass>());
  s.climate = climate::make_climate_passes(p.planet, p.climate);
  s.surface = surface::make_surface_passes(p.surface);
  s.settle = tectonics::make_settle_passes(p.tectonics);
  return s;
}

std::vector<const Pass*> Schedule::in_order() const {
  std::vector<const Pass*> all;
  for (const PassList* list : {&crust, &sea, &climate, &surface, &settle}) {
    for (const auto& pass : *list) all.push_back(pass.get());
  }
  return all;
}

}  // namespace craton
