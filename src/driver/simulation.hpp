#pragma once
// A run from start to end. run() is what the command and the tests call; Simulation is the planet with its passes, and
// Simulation::step is the time loop's body on one screen.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "config/parameters.hpp"
#include "core/error.hpp"
#include "core/timer.hpp"
#include "driver/schedule.hpp"
#include "mesh/mesh.hpp"
#include "par/comm.hpp"
#include "state/state.hpp"

namespace craton {

struct RunOptions {
  std::string input_path;  // as the user gave it, for messages and provenance
  std::string input_text;  // the YAML as read
  std::filesystem::path out;
  config::Parameters parameters;
  bool resume = false;
  std::string resume_from = "auto";  // or a step number
  bool fresh = false;
  bool allow_change = false;             // accept changed physics parameters on resume
  std::optional<std::int64_t> until_yr;  // stop early, resumable
  std::optional<double> walltime_s;      // time that the job has left
  std::string command_line;              // for provenance
};

/// Makes or resumes the world, steps it to the end, writes checkpoints and output. Collective.
/// Returns finished or stopped_resumable; errors are thrown as craton::Error.
ExitCode run(const par::Comm& comm, const RunOptions& options);

class Simulation {
 public:
  /// Meshes, state and passes for the parameters; the state is empty until make_world or a checkpoint fills it.
  /// Collective.
  Simulation(const par::Comm& comm, const config::Parameters& parameters);

  /// Fills the state at time 0, with sea level, climate and rivers of the first moment. Collective.
  void make_world();
  /// One tectonic step. Collective.
  void step();
  /// True when the model time has reached time.end_yr.
  bool finished() const;

  State& state() { return *state_; }
  const State& state() const { return *state_; }
  const config::Parameters& parameters() const { return parameters_; }
  const Mesh& mesh() const { return mesh_; }
  Timers& timers() { return timers_; }

 private:
  void run_pass(Pass& pass, const StepInfo& info);
  void run_passes(const PassList& passes, const StepInfo& info);
  bool climate_is_due() const;

  const config::Parameters parameters_;
  Mesh mesh_;
  Mesh climate_mesh_;
  Timers timers_;
  Schedule schedule_;
  std::unique_ptr<State> state_;
};

/// Frequency of the climate grid: the given one, or the divisor of the mesh's frequency whose spacing is nearest to
/// 100 km (the mesh's own frequency if it is coarser than that).
std::int64_t climate_frequency(const config::Parameters& parameters);

}  // namespace craton
