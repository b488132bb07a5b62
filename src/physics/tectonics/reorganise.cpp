// Plates that come and go: small ones join a neighbour, colliding ones weld, large ones rift, and ocean floor that has
// grown old beside its own continent breaks off and starts to sink. At most one of each in a step. All decisions follow
// from sums that are the same on every rank.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/constants.hpp"
#include "core/hash.hpp"
#include "core/noise.hpp"
#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"

namespace craton::tectonics {

namespace {

constexpr double least_suture_m = 1.0e6;      // border of a collision that can weld
constexpr double least_rift_fraction = 0.06;  // smaller plates do not rift
constexpr double typical_rift_fraction = 0.15;
constexpr double old_fraction = 0.004;     // of the planet: old floor of one plate that makes a new trench
constexpr double detached_radians = 1.05;  // how far from the old floor its plate breaks off
constexpr int crack_choices = 16;

/// What is known of a plate.
struct Summary {
  double area_m2 = 0, continental_m2 = 0, old_m2 = 0;
  Vec3 centre, continental_centre, old_centre;  // sums of area * position
};

constexpr std::size_t summary_terms = 12;

std::vector<Summary> summarize(const State& state, double old_yr) {
  const Mesh& mesh = state.mesh();
  const auto plate = state.read(fields::plate);
  const auto continental = state.read(fields::continental_fraction), age = state.read(fields::crust_age_yr);
  std::vector<ExactSum> sums(summary_terms * state.crust.plates.size());
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    ExactSum* s = &sums[summary_terms * static_cast<std::size_t>(plate(c))];
    const Vec3 at = mesh.area_m2()(c) * mesh.position()(c);
    const auto add = [&](std::size_t first) {
      s[first] += mesh.area_m2()(c);
      s[first + 1] += at.x;
      s[first + 2] += at.y;
      s[first + 3] += at.z;
    };
    add(0);
    if (continental(c) >= 0.5) add(4);
    if (continental(c) < 0.5 && age(c) > old_yr) add(8);
  }
  mesh.comm().sum(std::span<ExactSum>(sums));
  std::vector<Summary> result(state.crust.plates.size());
  for (std::size_t p = 0; p < result.size(); ++p) {
    const ExactSum* s = &sums[summary_terms * p];
    const auto vector = [&](std::size_t k) { return Vec3{s[k].value(), s[k + 1].value(), s[k + 2].value()}; };
    result[p] = {s[0].value(), s[4].value(), s[8].value(), vector(1), vector(5), vector(9)};
  }
  return result;
}

/// Common boundaries, in whole metres and mm/yr so that sums do not depend on their order.
struct Border {
  std::int64_t length_m = 0, collision_m = 0, closing_m_mm_per_yr = 0;
};
using Borders = std::map<std::pair<std::int32_t, std::int32_t>, Border>;

Borders find_borders(const State& state, const std::function<Boundary(LocalId, int)>& kind_of_edge) {
  const Mesh& mesh = state.mesh();
  const auto plate = state.read(fields::plate);
  const auto& plates = state.crust.plates;
  std::vector<std::int32_t> row(plates.size(), 0), plate_of_row;
  for (std::size_t p = 0; p < plates.size(); ++p) {
    if (plates[p].alive == 0) continue;
    row[p] = static_cast<std::int32_t>(plate_of_row.size());
    plate_of_row.push_back(static_cast<std::int32_t>(p));
  }
  const std::size_t n = plate_of_row.size();
  std::vector<std::int64_t> table(3 * n * n, 0);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    for (int s = 0; s < mesh.neighbour_count()(c); ++s) {
      const LocalId d = mesh.neighbours()(c, s);
      if (plate(d) <= plate(c)) continue;  // each edge once
      const std::size_t at = 3 * (static_cast<std::size_t>(row[static_cast<std::size_t>(plate(c))]) * n +
                                  static_cast<std::size_t>(row[static_cast<std::size_t>(plate(d))]));
      const auto length = static_cast<std::int64_t>(std::lround(mesh.edge_m()(c, s)));
      table[at] += length;
      if (kind_of_edge(c, s) != collision) continue;
      const Vec3 here = mesh.position()(c), there = mesh.position()(d), middle = normalized(here + there);
      const Vec3 relative = plate_velocity(plates[static_cast<std::size_t>(plate(c))], middle, mesh.radius_m()) -
                            plate_velocity(plates[static_cast<std::size_t>(plate(d))], middle, mesh.radius_m());
      table[at + 1] += length;
      table[at + 2] += length * std::llround(1e3 * dot(relative, normalized(there - here)));
    }
  }
  mesh.comm().sum(std::span<std::int64_t>(table));
  Borders borders;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const std::int64_t* t = &table[3 * (a * n + b)];
      if (t[0] > 0) borders[{plate_of_row[a], plate_of_row[b]}] = {t[0], t[1], t[2]};
    }
  }
  return borders;
}

/// Moves crust to another plate where the rule says so. The rule sees the place in the planet's frame.
using Rule = std::function<bool(std::int32_t plate, Vec3 place, double continental)>;

void relabel(State& state, std::int32_t to, const Rule& rule) {
  const Mesh& mesh = state.mesh();
  const auto plate = state.integer(fields::plate);
  const auto continental = state.read(fields::continental_fraction);
  for (LocalId c = 0; c < mesh.n_all(); ++c) {
    if (rule(plate(c), mesh.position()(c), continental(c))) plate(c) = to;
  }
  for (Parcel& p : state.crust.parcels) {
    const Quaternion& q = state.crust.plates[static_cast<std::size_t>(p.plate)].orientation;
    if (rule(p.plate, rotate(q, p.frame_position), p.continental)) change_plate(p, state.crust.plates, to);
  }
}

/// Number of a plate that is free or new.
std::int32_t add_plate(State& state, std::int32_t like, const StepInfo& step) {
  auto& plates = state.crust.plates;
  const auto is_dead = [](const Plate& p) { return p.alive == 0; };
  const auto free = std::find_if(plates.begin(), plates.end(), is_dead);
  const auto index = static_cast<std::size_t>(free - plates.begin());
  if (index == plates.size()) plates.emplace_back();
  plates[index] = plates[static_cast<std::size_t>(like)];
  plates[index].birth_yr = step.begin_yr + std::llround(step.dt_yr);
  return static_cast<std::int32_t>(index);
}

void merge(State& state, std::int32_t from, std::int32_t into) {
  relabel(state, into, [&](std::int32_t plate, Vec3, double) { return plate == from; });
  state.crust.plates[static_cast<std::size_t>(from)].alive = 0;
}

}  // namespace

void MarginsPass::reorganise(State& state, const StepInfo& step) const {
  const Mesh& mesh = state.mesh();
  const double planet_m2 = 4 * constants::pi * mesh.radius_m() * mesh.radius_m();
  auto& plates = state.crust.plates;
  const std::vector<Summary> all = summarize(state, parameters_.founder_age_yr);
  const Borders borders = find_borders(state, [&](LocalId c, int s) { return kind_of_edge(state, c, s); });
  const auto chance = [&](std::uint64_t id) {
    return uniform01(random_bits(state.globals.seed, RandomStream::rifting, static_cast<std::uint64_t>(step.step), id));
  };
  std::vector<bool> is_touched(plates.size(), false);

  // The smallest plate below the limit joins the neighbour with which it shares most.
  std::int32_t small = -1;
  for (std::size_t p = 0; p < plates.size(); ++p) {
    if (plates[p].alive == 0 || all[p].area_m2 >= parameters_.least_plate_fraction * planet_m2) continue;
    if (small < 0 || all[p].area_m2 < all[static_cast<std::size_t>(small)].area_m2)
      small = static_cast<std::int32_t>(p);
  }
  if (small >= 0) {
    std::int32_t into = -1;
    std::int64_t longest = 0;
    for (const auto& [pair, border] : borders) {
      if (pair.first != small && pair.second != small) continue;
      if (border.length_m <= longest) continue;
      longest = border.length_m;
      into = pair.first == small ? pair.second : pair.first;
    }
    // A plate without cells lies wholly under others: it joins the largest.
    for (std::size_t p = 0; into < 0 && p < plates.size(); ++p) {
      const bool largest =
          std::all_of(all.begin(), all.end(), [&](const Summary& s) { return s.area_m2 <= all[p].area_m2; });
      if (largest && static_cast<std::int32_t>(p) != small) into = static_cast<std::int32_t>(p);
    }
    if (into >= 0) {
      merge(state, small, into);
      is_touched[static_cast<std::size_t>(small)] = is_touched[static_cast<std::size_t>(into)] = true;
    }
  }

  // Continents that hardly close any more weld; the longest suture first.
  std::pair<std::int32_t, std::int32_t> weld{-1, -1};
  std::int64_t longest = static_cast<std::int64_t>(least_suture_m) - 1;
  for (const auto& [pair, border] : borders) {
    const auto [a, b] = pair;
    if (is_touched[static_cast<std::size_t>(a)] || is_touched[static_cast<std::size_t>(b)]) continue;
    if (border.collision_m <= longest || 3 * border.collision_m < border.length_m) continue;
    const double closing =
        1e-3 * static_cast<double>(border.closing_m_mm_per_yr) / static_cast<double>(border.collision_m);
    if (closing > parameters_.suture_speed_m_per_yr) continue;
    longest = border.collision_m;
    weld = pair;
  }
  if (weld.first >= 0) {
    const auto [a, b] = weld;
    const bool second = all[static_cast<std::size_t>(a)].area_m2 < all[static_cast<std::size_t>(b)].area_m2;
    merge(state, second ? a : b, second ? b : a);
    is_touched[static_cast<std::size_t>(a)] = is_touched[static_cast<std::size_t>(b)] = true;
  }

  // Old floor breaks off its continent and is pushed towards it.
  std::int32_t oldest = -1;
  for (std::size_t p = 0; p < is_touched.size(); ++p) {
    const Summary& s = all[p];
    if (plates[p].alive == 0 || is_touched[p] || s.old_m2 < old_fraction * planet_m2) continue;
    if (s.continental_m2 < 0.05 * s.area_m2 || s.area_m2 - s.continental_m2 < 0.2 * s.area_m2) continue;
    if (norm(s.continental_centre) == 0 || norm(s.old_centre) == 0) continue;
    if (oldest < 0 || s.old_m2 > all[static_cast<std::size_t>(oldest)].old_m2) oldest = static_cast<std::int32_t>(p);
  }
  if (oldest >= 0) {
    const Summary& s = all[static_cast<std::size_t>(oldest)];
    const Vec3 centre = normalized(s.old_centre);
    const std::int32_t made = add_plate(state, oldest, step);
    relabel(state, made, [&](std::int32_t plate, Vec3 place, double continental) {
      return plate == oldest && continental < 0.5 && dot(place, centre) > std::cos(detached_radians);
    });
    const Vec3 axis = cross(centre, normalized(s.continental_centre));
    if (norm(axis) > 0) {
      Vec3& w = plates[static_cast<std::size_t>(made)].euler_rad_per_yr;
      w = w + (parameters_.rift_speed_m_per_yr / mesh.radius_m()) * normalized(axis);
    }
    is_touched[static_cast<std::size_t>(oldest)] = true;
  }

  // The plate that is most likely to rift, and whether it does.
  std::int32_t large = -1;
  for (std::size_t p = 0; p < is_touched.size(); ++p) {
    if (plates[p].alive == 0 || is_touched[p]) continue;
    const double fraction = all[p].area_m2 / planet_m2;
    if (fraction < least_rift_fraction) continue;
    const double relative = fraction / typical_rift_fraction;
    if (chance(p) >= step.dt_yr / parameters_.rift_interval_yr * relative * relative) continue;
    if (large < 0 || all[p].area_m2 > all[static_cast<std::size_t>(large)].area_m2)
      large = static_cast<std::int32_t>(p);
  }
  if (large < 0) return;
  const Summary& s = all[static_cast<std::size_t>(large)];
  const Vec3 middle = s.continental_m2 > 0.15 * s.area_m2 ? s.continental_centre : s.centre;
  if (norm(middle) == 0) return;
  const Vec3 centre = normalized(middle);
  const double turn = constants::pi * chance(static_cast<std::uint64_t>(plates.size()) + crack_choices);
  const Vec3 normal = std::cos(turn) * east_at(centre) + std::sin(turn) * north_at(centre);
  const noise::Fractal crack{state.globals.seed, RandomStream::rifting, static_cast<int>(step.step), 3.0, 5, 0.6};
  const std::int32_t made = add_plate(state, large, step);
  relabel(state, made, [&](std::int32_t plate, Vec3 place, double) {
    return plate == large && dot(place, normal) + 0.12 * noise::fbm(crack, place) > 0;
  });
  const Vec3 opening = (0.5 * parameters_.rift_speed_m_per_yr / mesh.radius_m()) * cross(centre, normal);
  Vec3& moved = plates[static_cast<std::size_t>(made)].euler_rad_per_yr;
  Vec3& stayed = plates[static_cast<std::size_t>(large)].euler_rad_per_yr;
  moved = moved + opening;
  stayed = stayed - opening;
}

}  // namespace craton::tectonics
