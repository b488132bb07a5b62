#pragma once
// The passes of the surface and what they share within a sub-step. Only surface.cpp and the tests include this.
#include <memory>
#include <optional>

#include "config/parameters.hpp"
#include "physics/surface/depressions.hpp"
#include "physics/surface/diffusion.hpp"
#include "physics/surface/flow_network.hpp"
#include "physics/surface/marine_cascade.hpp"
#include "state/pass.hpp"

namespace craton::surface {

/// Made by the routing pass for the mesh of its state, used by the passes after it. The load is empty between
/// sub-steps, so that nothing of this belongs to the saved state.
struct Rivers {
  explicit Rivers(const Mesh& mesh);

  FlowNetwork network;
  Depressions depressions;
  Array<double> fill_m;   // n_all: height of the ground or of the water over it, see incision_pass.cpp
  Array<double> load_m3;  // n_all: solid sediment under way; after incision and creep, what the sea has to settle
};
using SharedRivers = std::shared_ptr<std::optional<Rivers>>;

class SurfacePass : public Pass {
 public:
  SurfacePass(PassContract contract, const config::Surface& parameters, SharedRivers rivers)
      : contract_(std::move(contract)), parameters_(parameters), rivers_(std::move(rivers)) {}
  const PassContract& contract() const override { return contract_; }

 protected:
  const config::Surface& parameters() const { return parameters_; }
  /// Error(internal) before the routing pass ran.
  Rivers& rivers() const;
  std::optional<Rivers>& rivers_slot() const { return *rivers_; }

 private:
  PassContract contract_;
  config::Surface parameters_;
  SharedRivers rivers_;
};

/// Receivers, depressions, order; drainage area and discharge. Books Balance::water: runoff (+), to_sea (-),
/// to_sinks (-).
class RoutingPass : public SurfacePass {
 public:
  RoutingPass(const config::Surface& parameters, SharedRivers rivers);
  void run(State& state, const StepInfo& step) override;
};

/// Uplift, implicit stream power upstream, sediment downstream. Books Balance::sediment: erosion (+), river_deposits
/// (-).
class IncisionPass : public SurfacePass {
 public:
  IncisionPass(const config::Surface& parameters, SharedRivers rivers);
  void run(State& state, const StepInfo& step) override;

 private:
  ExactSum cut(State& state, double dt_yr) const;
  ExactSum carry(State& state) const;
};

/// Hillslope creep on land; what crosses the coast becomes load of the sea cell. Books Balance::sediment: creep.
class CreepPass : public SurfacePass {
 public:
  CreepPass(const config::Surface& parameters, SharedRivers rivers);
  void run(State& state, const StepInfo& step) override;

 private:
  std::optional<Diffusion> diffusion_;
};

/// Load settles in the sea, and the sea floor creeps. Books Balance::sediment: sea_deposits, far_deposits,
/// sink_deposits (-), sea_creep.
class MarinePass : public SurfacePass {
 public:
  MarinePass(const config::Surface& parameters, SharedRivers rivers);
  void run(State& state, const StepInfo& step) override;

 private:
  ExactSum fill_sink(State& state) const;
  ExactSum spread_rest(State& state) const;
  std::optional<Diffusion> diffusion_;
  std::optional<MarineCascade> cascade_;
};

}  // namespace craton::surface
