#include "physics/isostasy/isostasy_pass.hpp"

#include "state/fields.hpp"

namespace craton {

namespace {

/// The four fields that decide the height of a cell; a small value, copied into kernels.
struct Crusts {
  ConstArray<double> thickness, sediment, continental, age;

  explicit Crusts(const State& state)
      : thickness(state.read(fields::crust_thickness_m)),
        sediment(state.read(fields::sediment_m)),
        continental(state.read(fields::continental_fraction)),
        age(state.read(fields::crust_age_yr)) {}

  KOKKOS_INLINE_FUNCTION isostasy::Column operator()(LocalId c) const {
    return {thickness(c), sediment(c), continental(c), age(c)};
  }
};

}  // namespace

IsostasyPass::IsostasyPass(const config::Tectonics& parameters)
    : contract_{"tectonics.isostasy",
                {reads(fields::crust_thickness_m), reads(fields::sediment_m), reads(fields::continental_fraction),
                 reads(fields::crust_age_yr), reads(fields::elevation_m), overwrites(fields::uplift_rate_m_per_yr),
                 overwrites(fields::erosion_m), overwrites(fields::deposition_m)},
                {},
                false},
      law_(parameters) {}

void IsostasyPass::run(State& state, const StepInfo& step) {
  const Crusts crusts(state);
  const ConstArray<double> elevation = state.read(fields::elevation_m);
  const Array<double> uplift = state.real(fields::uplift_rate_m_per_yr);
  const Array<double> erosion = state.real(fields::erosion_m), deposition = state.real(fields::deposition_m);
  const isostasy::HeightLaw law = law_;
  const double dt_yr = step.dt_yr;
  Kokkos::parallel_for(
      "craton::tectonics_isostasy::find_uplift", Kokkos::RangePolicy<ExecutionSpace>(0, state.mesh().n_owned()),
      KOKKOS_LAMBDA(const LocalId c) {
        uplift(c) = dt_yr > 0 ? (law.height_m(crusts(c)) - elevation(c)) / dt_yr : 0.0;
        erosion(c) = 0;
        deposition(c) = 0;
      });
  Kokkos::fence();
}

namespace isostasy {

void settle_elevation(State& state, const config::Tectonics& parameters) {
  const Crusts crusts(state);
  const Array<double> elevation = state.real(fields::elevation_m);
  const HeightLaw law(parameters);
  Kokkos::parallel_for(
      "craton::tectonics_isostasy::settle_elevation", Kokkos::RangePolicy<ExecutionSpace>(0, state.mesh().n_owned()),
      KOKKOS_LAMBDA(const LocalId c) { elevation(c) = law.height_m(crusts(c)); });
  Kokkos::fence();
  state.mark_written(fields::elevation_m);
}

}  // namespace isostasy

}  // namespace craton
