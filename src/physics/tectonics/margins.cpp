// What happens where plates part and meet, in the order of one step.
#include <algorithm>

#include "core/error.hpp"
#include "physics/tectonics/passes.hpp"
#include "state/fields.hpp"

namespace craton::tectonics {

namespace {

/// A hexagonal lattice turned against another leaves no centre of one further than 0.58 spacings from the other; the
/// rest allows for the grid's uneven cells.
constexpr double reach_in_spacings = 0.75;

/// Whether a stays on top of b: continents over ocean floor, younger over older floor. Of two continents the one that
/// held the cell keeps it, so that the suture stays where it is.
bool overrides(const ParcelSearch::Nearest& a, const ParcelSearch::Nearest& b, std::int32_t previous,
               const Polarity& polarity) {
  const bool above = is_continental(*a.parcel);
  if (above != is_continental(*b.parcel)) return above;
  if (!above) return polarity.goes_under(b.plate, a.plate);
  if (a.plate == previous || b.plate == previous) return a.plate == previous;
  return a.plate < b.plate;
}

}  // namespace

double local_reach(const Mesh& mesh, LocalId c) {
  double sum = 0;
  for (int s = 0; s < mesh.neighbour_count()(c); ++s) sum += static_cast<double>(mesh.distance_m()(c, s));
  return reach_in_spacings * sum / mesh.neighbour_count()(c) / mesh.radius_m();
}

MarginsPass::MarginsPass(const config::Tectonics& parameters)
    : parameters_(parameters),
      heights_(parameters),
      contract_{"tectonics.margins",
                {updates(fields::plate, 2), updates(fields::crust_thickness_m), updates(fields::sediment_m),
                 updates(fields::continental_fraction, 1), updates(fields::crust_age_yr, 1),
                 overwrites(fields::orogeny_age_yr), overwrites(fields::elevation_m), overwrites(fields::boundary_kind),
                 overwrites(fields::plate_velocity_east_m_per_yr), overwrites(fields::plate_velocity_north_m_per_yr)},
                {Balance::rock},
                true} {}

void MarginsPass::run(State& state, const StepInfo& step) {
  const Mesh& mesh = state.mesh();
  const double now_yr = static_cast<double>(step.begin_yr) + step.dt_yr;
  if (!search_) {
    search_.emplace(mesh);
    thickening_m3_ = Array<double>("craton::tectonics::thickening", static_cast<std::size_t>(mesh.n_all()));
  }
  polarity_.find(state);
  ExactSum sunk = founder(state, step);
  search_->refresh(state);
  claim_cells(state);
  const ExactSum made = fill_gaps(state, step);
  search_->refresh(state);
  claim_cells(state);
  const auto plate = state.integer(fields::plate);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) plate(c) = owner_[static_cast<std::size_t>(c)];
  mesh.refresh_halo(plate);
  sunk.add(consume(state, now_yr));
  show(state, now_yr);
  collapse(state, parameters_.collapse_thickness_m);
  spread_thickening(state, 0.5);
  const ExactSum erupted = grow(state, step, now_yr);
  overflow(state, now_yr);
  if (parameters_.motion == "torque") {
    balance_torques(state, step);
    reorganise(state, step);
    polarity_.find(state);
  }
  show(state, now_yr);
  state.ledger.book(Balance::rock, "spreading", made);
  state.ledger.book(Balance::rock, "subduction", sunk);
  state.ledger.book(Balance::rock, "arc", erupted);
}

void MarginsPass::show(State& state, double now_yr) {
  search_->refresh(state);
  claim_cells(state);
  write_grid(state, now_yr);
  classify(state);
}

void MarginsPass::claim_cells(const State& state) {
  const Mesh& mesh = state.mesh();
  const auto previous = state.read(fields::plate);
  owner_.assign(static_cast<std::size_t>(mesh.n_all()), -1);
  shown_.assign(static_cast<std::size_t>(mesh.n_owned()), nullptr);
  for (LocalId c = 0; c < mesh.n_through_layer(1); ++c) {
    ParcelSearch::Nearest found[ParcelSearch::max_plates];
    const int count = search_->nearest_by_plate(c, local_reach(mesh, c), found);
    if (count == 0) continue;
    int top = 0;
    for (int k = 1; k < count; ++k) {
      if (overrides(found[k], found[top], previous(c), polarity_)) top = k;
    }
    owner_[static_cast<std::size_t>(c)] = found[top].plate;
    if (c < mesh.n_owned()) shown_[static_cast<std::size_t>(c)] = found[top].parcel;
  }
}

}  // namespace craton::tectonics
