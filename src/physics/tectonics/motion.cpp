// Plates turn, and take their crust with them: position = q r, q turned by the Euler vector each step.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "par/exchange.hpp"
#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"

namespace craton::tectonics {

void locate_parcels(State& state) {
  const GeodesicGrid& grid = state.mesh().grid();
  for (Parcel& p : state.crust.parcels) {
    const Quaternion& q = state.crust.plates[static_cast<std::size_t>(p.plate)].orientation;
    p.cell = raw(grid.locate_from(rotate(q, p.frame_position), GlobalId{p.cell}));
  }
}

void migrate_parcels(State& state) {
  const Mesh& mesh = state.mesh();
  std::vector<Parcel>& parcels = state.crust.parcels;
  std::map<int, std::vector<Parcel>> leaving;
  std::size_t kept = 0;
  for (const Parcel& p : parcels) {
    if (mesh.owns(GlobalId{p.cell})) {
      parcels[kept++] = p;
    } else {
      leaving[mesh.owner(GlobalId{p.cell})].push_back(p);
    }
  }
  parcels.resize(kept);
  const std::vector<std::pair<int, std::vector<Parcel>>> outgoing(leaving.begin(), leaving.end());
  const std::vector<Parcel> arrived = par::exchange_items(mesh.comm(), outgoing);
  reserve_parcels(parcels, arrived.size());
  parcels.insert(parcels.end(), arrived.begin(), arrived.end());
  sort_parcels(parcels);
}

void reserve_parcels(std::vector<Parcel>& parcels, std::size_t more) {
  const std::size_t needed = parcels.size() + more;
  if (needed > parcels.capacity()) parcels.reserve(needed + needed / 32);
}

void sort_parcels(std::vector<Parcel>& parcels) {
  std::sort(parcels.begin(), parcels.end(),
            [](const Parcel& a, const Parcel& b) { return a.cell != b.cell ? a.cell < b.cell : a.id < b.id; });
}

Parcel& find_parcel(std::vector<Parcel>& parcels, std::int64_t cell, std::int64_t id) {
  const auto at = std::lower_bound(
      parcels.begin(), parcels.end(), std::pair(cell, id),
      [](const Parcel& p, const std::pair<std::int64_t, std::int64_t>& key) { return std::pair(p.cell, p.id) < key; });
  require(at != parcels.end() && at->cell == cell && at->id == id, "a parcel is not where it was");
  return *at;
}

void add_rock(Parcel& parcel, double crust_m3, double continental_m3, double sediment_m3) {
  if (crust_m3 > 0) {
    const double before = parcel.area_m2 * parcel.thickness_m;
    parcel.continental = std::min(1.0, (parcel.continental * before + continental_m3) / (before + crust_m3));
  }
  parcel.thickness_m += crust_m3 / parcel.area_m2;
  parcel.sediment_m += sediment_m3 / parcel.area_m2;
}

void change_plate(Parcel& parcel, const std::vector<Plate>& plates, std::int32_t to) {
  const Quaternion& from = plates[static_cast<std::size_t>(parcel.plate)].orientation;
  const Vec3 place = rotate(from, parcel.frame_position);
  parcel.frame_position = normalized(rotate(conjugate(plates[static_cast<std::size_t>(to)].orientation), place));
  parcel.plate = to;
}

MotionPass::MotionPass() : contract_{"tectonics.motion", {}, {}, true} {}

void MotionPass::run(State& state, const StepInfo& step) {
  for (Plate& plate : state.crust.plates) {
    const double speed = norm(plate.euler_rad_per_yr);
    if (plate.alive == 0 || speed == 0) continue;
    plate.orientation =
        normalized(rotation_about(plate.euler_rad_per_yr / speed, speed * step.dt_yr) * plate.orientation);
  }
  locate_parcels(state);
  migrate_parcels(state);
}

}  // namespace craton::tectonics
