#pragma once
// The part of the planet that one rank holds: owned cells first (a contiguous range of global ids, in that order), then
// halo layers (each sorted by global id), with connectivity, geometry on the sphere of radius_m, and the halo exchange.
//
// Counts: n_owned = owned; n_all = owned + halo. Geometry and neighbours are valid for all local cells; a halo cell's
// neighbour beyond the halo is no_cell. Every value is a function of the global id alone, the same bits on any rank.
#include <functional>
#include <span>
#include <vector>

#include "core/types.hpp"
#include "core/vec3.hpp"
#include "grid/geodesic_grid.hpp"
#include "grid/partition.hpp"
#include "par/comm.hpp"
#include "par/gather_plan.hpp"

namespace craton {

class Mesh {
 public:
  /// halo_depth >= 1 layers of cells around the owned ones. Collective.
  Mesh(const par::Comm& comm, std::int64_t frequency, double radius_m, int halo_depth = 2);
  /// With a partition of the caller's (tests, measured weights). Collective.
  Mesh(const par::Comm& comm, std::int64_t frequency, double radius_m, int halo_depth,
       const std::function<Partition(const GeodesicGrid&, int)>& cut);
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  const GeodesicGrid& grid() const { return grid_; }
  const Partition& partition() const { return partition_; }
  const par::Comm& comm() const { return comm_; }
  double radius_m() const { return radius_m_; }
  double spacing_m() const { return spacing_m_; }  // mean over the planet
  std::int64_t global_count() const { return grid_.cell_count(); }

  LocalId n_owned() const { return n_owned_; }
  LocalId n_all() const { return n_all_; }
  int halo_depth() const { return halo_depth_; }
  /// Local cells of layers 0 (owned) .. layer: the count that a stencil of that reach may visit.
  LocalId n_through_layer(int layer) const { return layer_end_[static_cast<std::size_t>(layer)]; }

  GlobalId global(LocalId c) const { return GlobalId{gid_(c)}; }
  /// Local id of a cell, or no_cell if this rank does not hold it.
  LocalId local(GlobalId id) const;
  int owner(GlobalId id) const { return partition_.owner(id); }
  bool owns(GlobalId id) const { return raw(id) >= first_ && raw(id) < first_ + n_owned_; }

  // Extent n_all. Units: metres, square metres; position is a unit vector.
  ConstArray<std::int64_t> global_ids() const { return gid_; }
  ConstArray<Vec3> position() const { return position_; }
  ConstArray<double> area_m2() const { return area_; }
  ConstArray<std::int8_t> neighbour_count() const { return count_; }
  // Slots counter-clockwise, as in GeodesicGrid::neighbours; unused and unknown slots hold no_cell.
  ConstSlotArray<LocalId> neighbours() const { return neighbours_; }
  // Great-circle distance to the neighbour and length of the shared Voronoi edge. float: 7 digits of metres are enough
  // for fluxes, and both sides of an edge hold the same bits, which is what conservation needs.
  ConstSlotArray<float> distance_m() const { return distance_; }
  ConstSlotArray<float> edge_m() const { return edge_; }

  /// Refreshes the halo of the given arrays (extent n_all * components, item by item). Collective.
  template <class T>
  void refresh_halo(const Array<T>& field, int components = 1) const {
    const par::Channel c{field.data(), field.data(), sizeof(T) * static_cast<std::size_t>(components)};
    refresh_halo(std::span(&c, 1));
  }
  void refresh_halo(std::span<const par::Channel> channels) const;
  const par::GatherPlan& halo() const { return halo_; }

 private:
  void find_cells();
  void build_geometry();
  void build_halo();

  par::Comm comm_;
  GeodesicGrid grid_;
  Partition partition_;
  double radius_m_, spacing_m_;
  int halo_depth_;
  std::int64_t first_ = 0;
  LocalId n_owned_ = 0, n_all_ = 0;
  std::vector<LocalId> layer_end_;
  std::vector<std::pair<std::int64_t, LocalId>> halo_lookup_;  // sorted by global id
  Array<std::int64_t> gid_;
  Array<Vec3> position_;
  Array<double> area_;
  Array<std::int8_t> count_;
  SlotArray<LocalId> neighbours_;
  SlotArray<float> distance_, edge_;
  par::GatherPlan halo_;
};

}  // namespace craton
