// What isostasy and the surface did to the grid goes back to the parcels: heights as increments, rock as volume.
#include <algorithm>
#include <map>
#include <tuple>

#include "core/error.hpp"
#include "par/exchange.hpp"
#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"

namespace craton::tectonics {

namespace {

/// Rock for one parcel, or from it.
struct Change {
  std::int64_t cell, parcel;
  double volume_m3;
};

// Deposits become sediment; erosion takes sediment first and then crust. More than there is cannot be taken.
void add_volume(Parcel& p, double volume_m3) {
  p.sediment_m += volume_m3 / p.area_m2;
  if (p.sediment_m >= 0) return;
  p.thickness_m += p.sediment_m;
  p.sediment_m = 0;
  require(p.thickness_m >= 0, "erosion took more rock than a parcel holds");
}

}  // namespace

SettlePass::SettlePass()
    : contract_{"tectonics.settle",
                {reads(fields::plate), reads(fields::elevation_m), reads(fields::erosion_m), reads(fields::deposition_m)},
                {Balance::rock},
                true} {}

void SettlePass::run(State& state, const StepInfo&) {
  const Mesh& mesh = state.mesh();
  if (!search_) search_.emplace(mesh);
  search_->refresh(state);
  const auto plate = state.read(fields::plate);
  const auto z = state.read(fields::elevation_m);
  const auto erosion = state.read(fields::erosion_m), deposition = state.read(fields::deposition_m);
  std::vector<Parcel>& parcels = state.crust.parcels;
  ExactSum eroded, deposited;
  std::map<int, std::vector<Change>> changes;
  std::size_t begin = 0;  // parcels lie in the order of cells, as cells do
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const double area = mesh.area_m2()(c);
    eroded += -erosion(c) * area;
    deposited += deposition(c) * area;
    const double volume = deposition(c) * area - erosion(c) * area;
    std::size_t end = begin;
    double parcels_m2 = 0;
    for (; end < parcels.size() && parcels[end].cell == raw(mesh.global(c)); ++end) {
      if (parcels[end].plate == plate(c)) parcels_m2 += parcels[end].area_m2;
    }
    const Parcel* shown = search_->nearest_of_plate(c, local_reach(mesh, c), plate(c));
    require(shown != nullptr, "a cell shows no parcel");
    const double rise = z(c) - shown->elevation_m;
    for (std::size_t k = begin; k < end; ++k) {
      Parcel& p = parcels[k];
      if (p.plate != plate(c)) continue;
      p.elevation_m += rise;
      if (volume != 0) changes[mesh.comm().rank()].push_back({p.cell, p.id, volume * (p.area_m2 / parcels_m2)});
    }
    if (parcels_m2 == 0 && volume != 0) {
      changes[mesh.owner(GlobalId{shown->cell})].push_back({shown->cell, shown->id, volume});
    }
    begin = end;
  }
  const std::vector<std::pair<int, std::vector<Change>>> outgoing(changes.begin(), changes.end());
  std::vector<Change> received = par::exchange_items(mesh.comm(), outgoing);
  std::sort(received.begin(), received.end(), [](const Change& a, const Change& b) {
    return std::tie(a.cell, a.parcel, a.volume_m3) < std::tie(b.cell, b.parcel, b.volume_m3);
  });
  mesh.comm().together([&] {
    for (std::size_t k = 0; k < received.size();) {
      Change sum = received[k++];
      for (; k < received.size() && received[k].parcel == sum.parcel && received[k].cell == sum.cell; ++k) {
        sum.volume_m3 += received[k].volume_m3;
      }
      const auto at = std::lower_bound(parcels.begin(), parcels.end(), sum, [](const Parcel& p, const Change& g) {
        return p.cell != g.cell ? p.cell < g.cell : p.id < g.parcel;
      });
      add_volume(*at, sum.volume_m3);
    }
  });
  state.ledger.book(Balance::rock, "erosion", eroded);
  state.ledger.book(Balance::rock, "deposition", deposited);
}

}  // namespace craton::tectonics
