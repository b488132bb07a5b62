#pragma once
// The passes of this folder and what they share. Only tectonics.cpp, the sources here and the tests include this.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "config/parameters.hpp"
#include "physics/isostasy/heights.hpp"
#include "physics/tectonics/parcel_search.hpp"
#include "physics/tectonics/polarity.hpp"
#include "state/pass.hpp"

namespace craton::tectonics {

/// Kinds of boundary_kind in fields.def.
enum Boundary : std::int32_t {
  interior = 0,
  divergent = 1,
  transform = 2,
  over_riding = 3,
  going_under = 4,
  collision = 5,
};

/// Kind of an edge between two plates (mission G24). normal: unit vector from this side to the other; relative:
/// velocity of the other side seen from this one. Where the angle between relative and the edge is at or below the
/// limit the edge is a transform fault.
enum class Regime { still, divergent, transform, convergent };
Regime edge_regime(Vec3 normal, Vec3 relative, double transform_angle_rad);

/// Surface velocity of a plate at the unit vector p, m/yr.
inline Vec3 plate_velocity(const Plate& plate, Vec3 p, double radius_m) {
  return radius_m * cross(plate.euler_rad_per_yr, p);
}

/// Sets the cell of each parcel from its plate's orientation. Local.
void locate_parcels(State& state);
/// Parcels go to the rank that owns their cell, sorted by (cell, id). Collective.
void migrate_parcels(State& state);
void sort_parcels(std::vector<Parcel>& parcels);
/// Room for some more parcels. Parcels are the largest part of the memory, so that room grows by little.
void reserve_parcels(std::vector<Parcel>& parcels, std::size_t more);
inline bool is_continental(const Parcel& p) {
  return p.continental >= 0.5;
}
/// The parcel with this cell and id on this rank; Error(internal) if it is not there.
Parcel& find_parcel(std::vector<Parcel>& parcels, std::int64_t cell, std::int64_t id);
/// More crust, of which continental_m3 is continental, and more sediment.
void add_rock(Parcel& parcel, double crust_m3, double continental_m3, double sediment_m3);
/// The same place on the planet in the frame of another plate.
void change_plate(Parcel& parcel, const std::vector<Plate>& plates, std::int32_t to);

/// Volumes for one parcel, wherever it is.
struct Gift {
  std::int64_t cell = 0, parcel = 0;
  double crust_m3 = 0, continental_m3 = 0, sediment_m3 = 0;
};
/// Hands gifts to their parcels, in an order that does not depend on who sends them. A parcel whose crust grows by more
/// than a few metres has had an orogeny now. Collective.
void deliver(State& state, const std::vector<Gift>& gifts, double now_yr);

class MotionPass : public Pass {
 public:
  MotionPass();
  const PassContract& contract() const override { return contract_; }
  void run(State& state, const StepInfo& step) override;

 private:
  PassContract contract_;
};

/// Books Balance::rock: spreading (+), subduction (-), arc (+).
class MarginsPass : public Pass {
 public:
  explicit MarginsPass(const config::Tectonics& parameters);
  const PassContract& contract() const override { return contract_; }
  void run(State& state, const StepInfo& step) override;

 private:
  void claim_cells(const State& state);
  void show(State& state, double now_yr);
  void write_grid(State& state, double now_yr);
  void classify(State& state);
  Boundary kind_of_edge(const State& state, LocalId c, int slot) const;

  ExactSum founder(State& state, const StepInfo& step) const;
  ExactSum fill_gaps(State& state, const StepInfo& step);
  std::int64_t close_rings(State& state, const Array<std::int32_t>& ring) const;
  ExactSum consume(State& state, double now_yr);
  bool collapse(State& state, double limit_m);
  void spread_thickening(State& state, double least_continental);
  void overflow(State& state, double now_yr);
  ExactSum grow(State& state, const StepInfo& step, double now_yr);
  std::vector<double> distance_from_trench(const State& state, double limit_m) const;

  void balance_torques(State& state, const StepInfo& step) const;
  void reorganise(State& state, const StepInfo& step) const;

  config::Tectonics parameters_;
  isostasy::HeightLaw heights_;
  PassContract contract_;
  std::optional<ParcelSearch> search_;
  Polarity polarity_;
  std::vector<std::int32_t> owner_;   // local cells: plate that owns the cell, -1 = gap
  std::vector<const Parcel*> shown_;  // owned cells: the parcel that the cell shows; valid like the search
  Array<double> thickening_m3_;       // n_all: continental crust on its way into a belt
};

/// Books Balance::rock: erosion (-), deposition (+).
class SettlePass : public Pass {
 public:
  SettlePass();
  const PassContract& contract() const override { return contract_; }
  void run(State& state, const StepInfo& step) override;

 private:
  PassContract contract_;
  std::optional<ParcelSearch> search_;
};

/// Reach of a parcel about the centre of a local cell, chord on the unit sphere: beyond it there is a gap.
double local_reach(const Mesh& mesh, LocalId c);

}  // namespace craton::tectonics
