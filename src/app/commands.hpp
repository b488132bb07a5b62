#pragma once
// One function per command; each returns the exit code of the process, the same on every rank. All are Collective.
#include "app/command_line.hpp"
#include "config/load.hpp"
#include "par/comm.hpp"

namespace craton::app {

int run(const par::Comm& comm, const CommandLine& line, const std::string& command_line);
int validate(const par::Comm& comm, const CommandLine& line);
int params(const par::Comm& comm, const CommandLine& line);
/// checkpoint list, checkpoint verify, hash, diff, status
int look_at_files(const par::Comm& comm, const CommandLine& line);

/// The input as rank 0 reads it, checked on every rank; faults are printed once.
struct Input {
  std::string text;
  config::Loaded loaded;
  bool valid() const { return loaded.faults.empty(); }
};
Input read_input(const par::Comm& comm, const CommandLine& line);

}  // namespace craton::app
