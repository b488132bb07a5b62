// What isostasy and the surface did to the grid goes back to the parcels: height as it is, rock as volume.
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

/// Height that a cell shows with a parcel of another cell.
struct Height {
  std::int64_t cell, parcel, shown_in;
  double elevation_m;
};

// A parcel takes the height of the cell that shows it; of several, that of its own cell, else of the smallest id. One
// that no cell shows has the height of its own cell already.
void take_heights(State& state, const std::map<int, std::vector<Height>>& heights, const std::vector<char>& is_shown) {
  const std::vector<std::pair<int, std::vector<Height>>> outgoing(heights.begin(), heights.end());
  std::vector<Height> received = par::exchange_items(state.mesh().comm(), outgoing);
  std::sort(received.begin(), received.end(), [](const Height& a, const Height& b) {
    return std::tie(a.cell, a.parcel, a.shown_in) < std::tie(b.cell, b.parcel, b.shown_in);
  });
  std::vector<Parcel>& parcels = state.crust.parcels;
  const Height* last = nullptr;
  for (const Height& h : received) {
    const bool is_first = last == nullptr || last->parcel != h.parcel || last->cell != h.cell;
    last = &h;
    if (!is_first) continue;
    Parcel& to = find_parcel(parcels, h.cell, h.parcel);
    if (!is_shown[static_cast<std::size_t>(&to - parcels.data())]) to.elevation_m = h.elevation_m;
  }
}

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
    : contract_{
          "tectonics.settle",
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
  std::map<int, std::vector<Height>> heights;
  std::vector<char> is_shown(parcels.size(), 0);  // by its own cell
  std::size_t begin = 0;                          // parcels lie in the order of cells, as cells do
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
    if (shown->cell != raw(mesh.global(c))) {
      heights[mesh.owner(GlobalId{shown->cell})].push_back({shown->cell, shown->id, raw(mesh.global(c)), z(c)});
    }
    for (std::size_t k = begin; k < end; ++k) {
      Parcel& p = parcels[k];
      if (p.plate != plate(c)) continue;
      p.elevation_m = z(c);
      is_shown[k] = shown->id == p.id;
      if (volume != 0) changes[mesh.comm().rank()].push_back({p.cell, p.id, volume * (p.area_m2 / parcels_m2)});
    }
    if (parcels_m2 == 0 && volume != 0) {
      changes[mesh.owner(GlobalId{shown->cell})].push_back({shown->cell, shown->id, volume});
    }
    begin = end;
  }
  take_heights(state, heights, is_shown);
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
      add_volume(find_parcel(parcels, sum.cell, sum.parcel), sum.volume_m3);
    }
  });
  state.ledger.book(Balance::rock, "erosion", eroded);
  state.ledger.book(Balance::rock, "deposition", deposited);
}

}  // namespace craton::tectonics
