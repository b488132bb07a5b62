#include "physics/climate/levels.hpp"

#include "physics/climate/kernels.hpp"

namespace craton::climate {

namespace {
constexpr std::int64_t smallest_frequency = 8;
constexpr std::int64_t ratio = 4;
}  // namespace

Levels::Levels(const Mesh& climate_mesh) : top_(climate_mesh) {
  for (std::int64_t n = climate_mesh.grid().frequency() / ratio; n >= smallest_frequency; n /= ratio) {
    const Mesh& finer = mesh(count() - 1);
    coarser_.push_back(std::make_unique<Mesh>(top_.comm(), n, top_.radius_m(), 1));
    remap_.push_back(std::make_unique<Remap>(finer, *coarser_.back()));
  }
}

Array<double> Levels::coarsened(const ConstArray<double>& field, int components, int from_level) const {
  const Mesh& fine = mesh(from_level);
  const Mesh& coarse = mesh(from_level + 1);
  const Remap& remap = *remap_[static_cast<std::size_t>(from_level)];
  Array<double> result("craton::climate::coarsened", static_cast<std::size_t>(coarse.n_all() * components));
  Array<double> fine_one("craton::climate::coarsened_from", static_cast<std::size_t>(fine.n_all()));
  Array<double> coarse_one("craton::climate::coarsened_to", static_cast<std::size_t>(coarse.n_all()));
  for (int k = 0; k < components; ++k) {
    for (LocalId c = 0; c < fine.n_owned(); ++c) fine_one(c) = field(c * components + k);
    remap.coarsen(fine_one, coarse_one);
    for (LocalId c = 0; c < coarse.n_owned(); ++c) result(c * components + k) = coarse_one(c);
  }
  return result;
}

Array<double> Levels::refined(const ConstArray<double>& field, int components, int from_level) const {
  const Mesh& fine = mesh(from_level - 1);
  const Remap& remap = *remap_[static_cast<std::size_t>(from_level) - 1];
  Array<double> result("craton::climate::refined", static_cast<std::size_t>(fine.n_all() * components));
  std::vector<double> table;
  remap.fetch(field, components, table);
  for (LocalId c = 0; c < fine.n_owned(); ++c) {
    const Remap::Stencil& s = remap.stencils()[static_cast<std::size_t>(c)];
    for (int k = 0; k < components; ++k) {
      double value = 0;
      for (int v = 0; v < 3; ++v) {
        value += static_cast<double>(s.weight[v]) * table[static_cast<std::size_t>(s.index[v] * components + k)];
      }
      result(c * components + k) = value;
    }
  }
  return result;
}

const Levels& SharedLevels::of(const Mesh& climate_mesh) {
  if (built_for_ != &climate_mesh) {
    levels_ = std::make_unique<Levels>(climate_mesh);
    built_for_ = &climate_mesh;
  }
  return *levels_;
}

}  // namespace craton::climate
