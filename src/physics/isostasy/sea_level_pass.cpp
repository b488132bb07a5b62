#include "physics/isostasy/sea_level_pass.hpp"

#include "physics/isostasy/sea_level.hpp"
#include "state/fields.hpp"

namespace craton {

SeaLevelPass::SeaLevelPass()
    : contract_{"sea_level",
                {reads(fields::elevation_m), overwrites(fields::height_above_sea_m), overwrites(fields::water_depth_m)},
                {Balance::sea},
                true} {}

void SeaLevelPass::run(State& state, const StepInfo&) {
  const Mesh& mesh = state.mesh();
  const ConstArray<double> elevation = state.read(fields::elevation_m);
  Globals& globals = state.globals;
  const double sea_level =
      isostasy::sea_level_for_volume(mesh, elevation, globals.water_volume_m3, globals.sea_level_m);
  globals.sea_level_m = sea_level;

  const Array<double> height = state.real(fields::height_above_sea_m), depth = state.real(fields::water_depth_m);
  Kokkos::parallel_for(
      "craton::sea_level::find_heights", Kokkos::RangePolicy<ExecutionSpace>(0, mesh.n_owned()),
      KOKKOS_LAMBDA(const LocalId c) {
        height(c) = elevation(c) - sea_level;
        depth(c) = elevation(c) < sea_level ? sea_level - elevation(c) : 0.0;
      });
  Kokkos::fence();

  ExactSum held, emptied;
  if (mesh.comm().is_root()) {
    held += globals.water_volume_m3;
    emptied += -globals.water_volume_m3;
  }
  state.ledger.stock_before(Balance::sea, held);
  state.ledger.book(Balance::sea, "basins emptied", emptied);
  state.ledger.book(Balance::sea, "basins filled", held);
  state.ledger.stock_after(Balance::sea, isostasy::local_water_m3(mesh, elevation, sea_level));
}

}  // namespace craton
