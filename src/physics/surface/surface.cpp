#include "physics/surface/surface.hpp"

#include "core/error.hpp"
#include "physics/surface/passes.hpp"

namespace craton::surface {

Rivers::Rivers(const Mesh& mesh)
    : network(mesh),
      depressions(network),
      fill_m("craton::surface::fill", static_cast<std::size_t>(mesh.n_all())),
      load_m3("craton::surface::load", static_cast<std::size_t>(mesh.n_all())) {}

Rivers& SurfacePass::rivers() const {
  require(rivers_->has_value(), "surface.routing must run before the other surface passes");
  return **rivers_;
}

std::vector<std::unique_ptr<Pass>> make_surface_passes(const config::Surface& parameters) {
  const auto rivers = std::make_shared<std::optional<Rivers>>();
  std::vector<std::unique_ptr<Pass>> passes;
  passes.push_back(std::make_unique<RoutingPass>(parameters, rivers));
  passes.push_back(std::make_unique<IncisionPass>(parameters, rivers));
  passes.push_back(std::make_unique<CreepPass>(parameters, rivers));
  passes.push_back(std::make_unique<MarinePass>(parameters, rivers));
  return passes;
}

}  // namespace craton::surface
