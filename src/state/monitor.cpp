#include "state/monitor.hpp"

#include <cmath>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/log.hpp"

namespace craton {

namespace {

// Index of the first owned value outside [low, high] (or not finite), -1 if there is none.
template <class View>
std::int64_t first_bad(const View& values, std::int64_t count, double low, double high) {
  std::int64_t found = count;
  Kokkos::parallel_reduce(
      "craton::monitor::find_bad", Kokkos::RangePolicy<ExecutionSpace>(0, count),
      KOKKOS_LAMBDA(const std::int64_t k, std::int64_t& first) {
        const auto v = static_cast<double>(values(k));
        // A comparison with NaN is false, so NaN is caught as well.
        if (!(v >= low && v <= high) && k < first) first = k;
      },
      Kokkos::Min<std::int64_t>(found));
  return found < count ? found : -1;
}

std::string check_field(const State& state, FieldId id) {
  const FieldInfo& info = field_info(id);
  const Mesh& mesh = state.mesh_of(id);
  const std::int64_t count = static_cast<std::int64_t>(mesh.n_owned()) * info.components;
  if (count == 0) return {};
  const std::int64_t bad = info.is_integer
                               ? first_bad(state.integer(IntegerField{id}), count, info.valid_min, info.valid_max)
                               : first_bad(state.real(RealField{id}), count, info.valid_min, info.valid_max);
  if (bad < 0) return {};
  const double value = info.is_integer ? state.integer(IntegerField{id})(bad) : state.real(RealField{id})(bad);
  const auto cell = static_cast<LocalId>(bad / info.components);
  const LonLat at = to_lon_lat(mesh.position()(cell));
  return log::format("field %s = %g %s is outside [%g, %g] in cell %lld (lon %.3f, lat %.3f)", info.name, value,
                     info.unit, info.valid_min, info.valid_max, static_cast<long long>(raw(mesh.global(cell))),
                     at.lon_rad / constants::degree, at.lat_rad / constants::degree);
}

}  // namespace

void check_after(const Pass& pass, const State& state, const StepInfo& step) {
  state.mesh().comm().together([&] {
    for (const FieldAccess& a : pass.contract().fields) {
      if (a.access == Access::read) continue;
      const std::string fault = check_field(state, a.field);
      if (!fault.empty()) {
        throw Error(ExitCode::numerical, log::format("after pass %s of step %lld (%lld yr): %s",
                                                     pass.contract().name.c_str(), static_cast<long long>(step.step),
                                                     static_cast<long long>(step.begin_yr), fault.c_str()));
      }
    }
  });
}

void check_all(const State& state, const std::string& when) {
  state.mesh().comm().together([&] {
    std::string fault;
    for (const FieldId id : state.fields()) {
      if (fault.empty() && field_info(id).kind == Kind::saved) fault = check_field(state, id);
    }
    for (const Parcel& p : state.crust.parcels) {
      const bool sound = std::isfinite(p.thickness_m) && p.thickness_m >= 0 && std::isfinite(p.sediment_m) &&
                         p.sediment_m >= 0 && std::isfinite(p.elevation_m) && std::isfinite(p.frame_position.x) &&
                         p.area_m2 > 0;
      if (fault.empty() && !sound) {
        fault = log::format("parcel %lld in cell %lld: thickness %g m, sediment %g m, elevation %g m, area %g m2",
                            static_cast<long long>(p.id), static_cast<long long>(p.cell), p.thickness_m, p.sediment_m,
                            p.elevation_m, p.area_m2);
      }
    }
    if (fault.empty() && !std::isfinite(state.globals.sea_level_m)) fault = "sea level is not finite";
    if (!fault.empty()) throw Error(ExitCode::numerical, when + ": " + fault);
  });
}

}  // namespace craton
