#pragma once
// The command line as data. Local; the same on every rank, because every rank gets the same arguments.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace craton::app {

enum class Command { print, run, validate, params, checkpoint_list, checkpoint_verify, hash, diff, status };

struct CommandLine {
  Command command = Command::print;
  std::string text;  // of Command::print: help or version

  std::string input;                         // run, validate
  std::vector<std::string> overrides;        // run, validate: "block.name=value"
  std::string out;                           // run: given or runs/<stem of the input>
  bool resume = false;                       // run
  std::string resume_from = "auto";          // run: or a step number
  bool fresh = false, allow_change = false;  // run
  std::optional<std::int64_t> until_yr;      // run
  std::optional<double> walltime_s;          // run
  int threads = 0;                           // run: per rank; 0 = not given

  bool json = false, markdown = false;  // params
  bool verify = false;                  // hash
  std::vector<std::string> paths;       // checkpoint, hash, diff, status
};

/// Errors: Error(usage) with one sentence and the nearest known word.
CommandLine parse_command_line(const std::vector<std::string>& arguments);

/// "20Myr", "500kyr", "1.5e6yr", "2000000": whole years. Errors: Error(usage).
std::int64_t parse_model_time_yr(const std::string& text);

/// "[days-]hours:minutes:seconds", "minutes:seconds", a plain number of seconds, or a number with s, min or h; none for
/// "UNLIMITED" (what SLURM prints for a job without a limit). Errors: Error(usage).
std::optional<double> parse_wall_time_s(const std::string& text);

}  // namespace craton::app
