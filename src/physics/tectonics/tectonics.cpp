#include "physics/tectonics/tectonics.hpp"

#include "physics/tectonics/passes.hpp"

namespace craton::tectonics {

std::vector<std::unique_ptr<Pass>> make_crust_passes(const config::Planet&, const config::Tectonics& parameters) {
  std::vector<std::unique_ptr<Pass>> passes;
  passes.push_back(std::make_unique<MotionPass>());
  passes.push_back(std::make_unique<MarginsPass>(parameters));
  return passes;
}

std::vector<std::unique_ptr<Pass>> make_settle_passes(const config::Tectonics&) {
  std::vector<std::unique_ptr<Pass>> passes;
  passes.push_back(std::make_unique<SettlePass>());
  return passes;
}

}  // namespace craton::tectonics
