#include "driver/resume.hpp"

#include "config/config.hpp"
#include "core/error.hpp"
#include "core/log.hpp"

namespace craton {

void check_parameters(const config::Parameters& now, const std::string& checkpoint_yaml, bool allow_change) {
  const config::Loaded before = config::check_text("configuration of the checkpoint", checkpoint_yaml);
  if (!before.faults.empty()) {
    throw Error(ExitCode::bad_input, "the checkpoint's own configuration cannot be read:\n" + before.report, true);
  }
  const std::vector<config::Difference> all = config::differences(before.parameters, now);
  std::vector<config::Difference> refused;
  bool only_physics = true;
  for (const config::Difference& d : all) {
    const bool fixed = d.change == config::ChangeClass::Fixed;
    if (!fixed && (d.change == config::ChangeClass::Free || allow_change)) continue;
    refused.push_back(d);
    only_physics = only_physics && !fixed;
  }
  if (!refused.empty()) {
    throw Error(
        ExitCode::usage,
        "parameters differ from those of the checkpoint:\n" + config::differences_table(refused) +
            (only_physics ? "say --allow-change to go on with the new values"
                          : "fixed ones cannot change during a run; start a new one with --fresh or another --out"),
        true);
  }
  if (!all.empty()) log::info("parameters changed since the checkpoint:\n" + config::differences_table(all));
}

}  // namespace craton
