#pragma once
// Pass sea_level: the level that holds globals.water_volume_m3 over the present surface (sea_level.hpp), and what
// follows from it: height_above_sea_m = z - s, water_depth_m = max(0, s - z). Sea is every cell with z < s.
//
// Books (Balance::sea): the basins are emptied of the water that they held and filled with globals.water_volume_m3; the
// residual is what the solver lost. Collective.
#include "state/pass.hpp"

namespace craton {

class SeaLevelPass : public Pass {
 public:
  SeaLevelPass();
  const PassContract& contract() const override { return contract_; }
  void run(State& state, const StepInfo& step) override;

 private:
  PassContract contract_;
};

}  // namespace craton
