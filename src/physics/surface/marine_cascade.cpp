#include "physics/surface/marine_cascade.hpp"

#include <algorithm>
#include <limits>

namespace craton::surface {

namespace {
constexpr std::int32_t unreached = std::numeric_limits<std::int32_t>::max() / 2;
constexpr double least_room_m = 1e-3;
constexpr std::int64_t rounds_between_measures = 40;
}  // namespace

MarineCascade::MarineCascade(const Mesh& mesh)
    : mesh_(mesh),
      hops_("craton::surface::marine_hops", static_cast<std::size_t>(mesh.n_all())),
      onward_("craton::surface::marine_onward", static_cast<std::size_t>(mesh.n_all())),
      leaving_m3_("craton::surface::marine_leaving", static_cast<std::size_t>(mesh.n_all())) {}

double MarineCascade::top_of(const FlowNetwork& network, const Array<double>& z, LocalId c,
                             const MarineRules& rules) const {
  double top = rules.sea_level_m - rules.wave_base_m;
  for (int s = 0; s < mesh_.neighbour_count()(c); ++s) {
    const LocalId n = mesh_.neighbours()(c, s);
    if (network.is_land(n)) continue;
    top = std::min(top, z(n) + rules.slope * static_cast<double>(mesh_.distance_m()(c, s)));
  }
  return top;
}

// Breadth first from all cells with room, a ring a round; ranks exchange rings.
void MarineCascade::measure_hops(const FlowNetwork& network, const Array<double>& z, const MarineRules& rules) {
  std::vector<LocalId> front;
  for (LocalId c = 0; c < mesh_.n_owned(); ++c) {
    const bool has_room = !network.is_land(c) && top_of(network, z, c, rules) - z(c) > least_room_m;
    hops_(c) = has_room ? 0 : unreached;
    if (has_room) front.push_back(c);
  }
  for (std::int32_t ring = 1;; ++ring) {
    mesh_.refresh_halo(hops_);
    std::vector<LocalId> next;
    const auto reach = [&](LocalId n) {
      if (n == no_cell || n >= mesh_.n_owned() || network.is_land(n) || hops_(n) != unreached) return;
      hops_(n) = ring;
      next.push_back(n);
    };
    const auto reach_around = [&](LocalId c) {
      for (int s = 0; s < mesh_.neighbour_count()(c); ++s) reach(mesh_.neighbours()(c, s));
    };
    for (const LocalId c : front) reach_around(c);
    for (LocalId h = mesh_.n_owned(); h < mesh_.n_through_layer(1); ++h) {
      if (hops_(h) == ring - 1) reach_around(h);
    }
    front = std::move(next);
    if (!mesh_.comm().any(!front.empty())) break;
  }
  mesh_.refresh_halo(hops_);
}

int MarineCascade::best_slot(const FlowNetwork& network, const Array<double>& z, LocalId c) const {
  int best = -1;
  for (int s = 0; s < mesh_.neighbour_count()(c); ++s) {
    const LocalId n = mesh_.neighbours()(c, s);
    if (network.is_land(n)) continue;
    if (best >= 0) {
      const LocalId b = mesh_.neighbours()(c, best);
      if (hops_(n) > hops_(b)) continue;
      if (hops_(n) == hops_(b) && z(n) > z(b)) continue;
      if (hops_(n) == hops_(b) && z(n) == z(b) && mesh_.global_ids()(n) > mesh_.global_ids()(b)) continue;
    }
    best = s;
  }
  return best;
}

ExactSum MarineCascade::settle(const FlowNetwork& network, const Array<double>& z, const Array<double>& deposition,
                               const Array<double>& load, const MarineRules& rules) {
  ExactSum laid;
  Kokkos::deep_copy(onward_, -1);
  Kokkos::deep_copy(leaving_m3_, 0.0);
  std::vector<LocalId> holders;
  for (LocalId c = 0; c < mesh_.n_owned(); ++c) {
    if (!network.is_land(c) && load(c) > 0) holders.push_back(c);
  }
  if (!mesh_.comm().any(!holders.empty())) return laid;
  const par::Channel channels[] = {{z.data(), z.data(), sizeof(double)},
                                   {hops_.data(), hops_.data(), sizeof(std::int32_t)},
                                   {onward_.data(), onward_.data(), sizeof(std::int32_t)},
                                   {leaving_m3_.data(), leaving_m3_.data(), sizeof(double)}};
  std::vector<std::pair<LocalId, double>> tops;
  for (std::int64_t round = 0; round < rules.rounds && mesh_.comm().any(!holders.empty()); ++round) {
    if (round % rounds_between_measures == 0) {
      mesh_.refresh_halo(z);
      measure_hops(network, z, rules);
      std::erase_if(holders, [&](LocalId c) { return hops_(c) >= unreached; });  // in a full bay without a way out
    }
    // Everyone looks before anyone acts.
    tops.clear();
    for (const LocalId c : holders) tops.emplace_back(c, top_of(network, z, c, rules));
    std::vector<LocalId> movers;
    std::vector<std::pair<LocalId, std::int32_t>> learnt;
    for (const auto& [c, top] : tops) {
      const double room = std::max(0.0, top - z(c)) * mesh_.area_m2()(c), taken = std::min(load(c), room);
      leaving_m3_(c) = load(c) - taken;
      load(c) = taken;  // until it is laid down below
      if (leaving_m3_(c) <= 0) continue;
      onward_(c) = best_slot(network, z, c);
      if (onward_(c) >= 0) learnt.emplace_back(c, std::min(hops_(mesh_.neighbours()(c, onward_(c))), unreached) + 1);
      movers.push_back(c);
    }
    for (const auto& [c, hops] : learnt) hops_(c) = std::max(hops_(c), hops);
    for (const LocalId c : holders) {
      if (load(c) > 0) {
        const double rise = load(c) / mesh_.area_m2()(c);
        z(c) += rise;
        deposition(c) += rise;
        laid += load(c);
      }
      load(c) = onward_(c) >= 0 ? 0.0 : leaving_m3_(c);  // load in a cell without sea neighbours stays
    }
    mesh_.refresh_halo(channels);
    std::vector<LocalId> next;
    const auto receive = [&](LocalId c) {
      if (c == no_cell || c >= mesh_.n_owned()) return;
      next.push_back(c);
    };
    const auto send = [&](LocalId c) {
      if (onward_(c) >= 0) receive(mesh_.neighbours()(c, onward_(c)));
    };
    for (const LocalId c : movers) send(c);
    for (LocalId h = mesh_.n_owned(); h < mesh_.n_through_layer(1); ++h) send(h);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    for (const LocalId c : next) {
      for (int s = 0; s < mesh_.neighbour_count()(c); ++s) {
        const LocalId n = mesh_.neighbours()(c, s);
        if (onward_(n) >= 0 && mesh_.neighbours()(n, onward_(n)) == c) load(c) += leaving_m3_(n);
      }
    }
    for (const LocalId c : movers) {
      onward_(c) = -1;
      leaving_m3_(c) = 0;
    }
    holders = std::move(next);
  }
  return laid;
}

}  // namespace craton::surface
