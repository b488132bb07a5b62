#include "mesh/mesh.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.hpp"

namespace craton {

Mesh::Mesh(const par::Comm& comm, std::int64_t frequency, double radius_m, int halo_depth)
    : Mesh(comm, frequency, radius_m, halo_depth,
           [](const GeodesicGrid& grid, int ranks) { return Partition(grid, ranks); }) {}

Mesh::Mesh(const par::Comm& comm, std::int64_t frequency, double radius_m, int halo_depth,
           const std::function<Partition(const GeodesicGrid&, int)>& cut)
    : comm_(comm),
      grid_(frequency),
      partition_(cut(grid_, comm.size())),
      radius_m_(radius_m),
      spacing_m_(mean_spacing_m(frequency, radius_m)),
      halo_depth_(halo_depth) {
  comm_.together([&] {
    require(halo_depth >= 1, "a mesh needs a halo of at least one layer");
    require(partition_.rank_count() == comm_.size(), "partition and communicator differ in size");
    const std::int64_t owned = partition_.end(comm_.rank()) - partition_.begin(comm_.rank());
    require(owned < std::numeric_limits<LocalId>::max() / 2, "more cells on a rank than local ids; use more ranks");
    find_cells();
    build_geometry();
  });
  build_halo();
}

// Owned cells are known; halo layers grow by neighbours not seen yet, each sorted by global id.
void Mesh::find_cells() {
  first_ = partition_.begin(comm_.rank());
  n_owned_ = static_cast<LocalId>(partition_.end(comm_.rank()) - first_);
  layer_end_.assign(1, n_owned_);
  std::vector<std::int64_t> halo;  // all layers so far, in local order
  std::vector<std::int64_t> known, front(static_cast<std::size_t>(n_owned_));
  std::iota(front.begin(), front.end(), first_);
  for (int layer = 0; layer < halo_depth_; ++layer) {
    std::vector<std::int64_t> next;
    for (const std::int64_t cell : front) {
      const NeighbourList around = grid_.neighbours(GlobalId{cell});
      for (int s = 0; s < around.count; ++s) {
        const GlobalId other = around.id[static_cast<std::size_t>(s)];
        if (!owns(other) && !std::binary_search(known.begin(), known.end(), raw(other))) next.push_back(raw(other));
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    halo.insert(halo.end(), next.begin(), next.end());
    layer_end_.push_back(n_owned_ + static_cast<LocalId>(halo.size()));
    known.insert(known.end(), next.begin(), next.end());
    std::sort(known.begin(), known.end());
    front = std::move(next);
  }
  n_all_ = layer_end_.back();
  gid_ = Array<std::int64_t>("craton::mesh::global_id", static_cast<std::size_t>(n_all_));
  for (LocalId c = 0; c < n_owned_; ++c) gid_(c) = first_ + c;
  for (std::size_t k = 0; k < halo.size(); ++k) {
    const auto c = static_cast<LocalId>(static_cast<std::size_t>(n_owned_) + k);
    gid_(c) = halo[k];
    halo_lookup_.emplace_back(halo[k], c);
  }
  std::sort(halo_lookup_.begin(), halo_lookup_.end());
}

LocalId Mesh::local(GlobalId id) const {
  if (owns(id)) return static_cast<LocalId>(raw(id) - first_);
  const auto at = std::lower_bound(halo_lookup_.begin(), halo_lookup_.end(), std::pair{raw(id), LocalId{0}});
  return at != halo_lookup_.end() && at->first == raw(id) ? at->second : no_cell;
}

void Mesh::build_geometry() {
  const auto size = static_cast<std::size_t>(n_all_);
  position_ = Array<Vec3>("craton::mesh::position", size);
  area_ = Array<double>("craton::mesh::area", size);
  count_ = Array<std::int8_t>("craton::mesh::neighbour_count", size);
  neighbours_ = SlotArray<LocalId>("craton::mesh::neighbours", size);
  distance_ = SlotArray<float>("craton::mesh::distance", size);
  edge_ = SlotArray<float>("craton::mesh::edge", size);
  for (LocalId c = 0; c < n_all_; ++c) position_(c) = grid_.position(global(c));
  for (LocalId c = 0; c < n_all_; ++c) {
    const NeighbourList around = grid_.neighbours(global(c));
    std::array<Vec3, 6> beside{};
    count_(c) = static_cast<std::int8_t>(around.count);
    for (int s = 0; s < 6; ++s) neighbours_(c, s) = no_cell;
    for (int s = 0; s < around.count; ++s) {
      const GlobalId other = around.id[static_cast<std::size_t>(s)];
      const LocalId at = local(other);
      neighbours_(c, s) = at;
      beside[static_cast<std::size_t>(s)] = at == no_cell ? grid_.position(other) : position_(at);
    }
    const CellShape shape = cell_shape(global(c), position_(c), around, beside);
    area_(c) = shape.area_sr * radius_m_ * radius_m_;
    for (int s = 0; s < around.count; ++s) {
      const auto here = static_cast<std::size_t>(s),
                 before = static_cast<std::size_t>((s + around.count - 1) % around.count);
      distance_(c, s) = static_cast<float>(radius_m_ * angle_between(position_(c), beside[here]));
      edge_(c, s) = static_cast<float>(radius_m_ * angle_between(shape.corner[before], shape.corner[here]));
    }
  }
}

void Mesh::build_halo() {
  std::vector<std::int64_t> needed;
  std::vector<LocalId> target;
  for (LocalId c = n_owned_; c < n_all_; ++c) {
    needed.push_back(gid_(c));
    target.push_back(c);
  }
  halo_ = par::GatherPlan(
      comm_, needed, target, [this](std::int64_t key) { return partition_.owner(GlobalId{key}); },
      [this](std::int64_t key) { return static_cast<LocalId>(key - first_); });
}

void Mesh::refresh_halo(std::span<const par::Channel> channels) const {
  halo_.gather(channels);
}

}  // namespace craton
