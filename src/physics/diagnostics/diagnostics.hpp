#pragma once
// What the planet is like in numbers: one row of series/diagnostics.csv. All of them are area-weighted over the owned
// cells of all ranks and summed exactly, so a row does not depend on the rank count. Names, units and order stand in
// one table, diagnostics.def. Heights are above the present sea level.
//
// Land is every cell with elevation_m >= sea level. The two modes are the most common heights (bins of 250 m) above and
// below the shelf edge, hypsometry_split_m; the saddle is the emptiest bin between them.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "state/state.hpp"

namespace craton {

/// Area by height above sea level; the lowest and highest bin hold what lies beyond.
struct Hypsometry {
  static constexpr int bins = 80;
  static constexpr double lowest_m = -11000, width_m = 250;
  std::array<double, bins> area_m2{};

  static int bin_of(double height_m);
  static double middle_m(int bin) { return lowest_m + (bin + 0.5) * width_m; }
};

inline constexpr double hypsometry_split_m = -1500;

struct Diagnostics {
#define CRATON_DIAGNOSTIC(name, ...) double name = 0;
#include "physics/diagnostics/diagnostics.def"
#undef CRATON_DIAGNOSTIC
  Hypsometry hypsometry;

  /// Two separate modes: the saddle is below half of the lower one.
  bool has_two_modes() const {
    return hypsometry_saddle_ratio < 0.5;
  }
};

/// Collective.
Diagnostics compute_diagnostics(const State& state);

/// Column names, each ending in its unit where it has one, and the values in the same order.
std::vector<std::string> diagnostic_columns();
std::vector<double> diagnostic_values(const Diagnostics& diagnostics);
/// Name, unit and text of each column as a Markdown table.
std::string diagnostics_markdown();
/// The lines for the end of a run.
std::string diagnostics_summary(const Diagnostics& diagnostics);

}  // namespace craton
