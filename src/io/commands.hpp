#pragma once
// Commands that look at files: they print tables on standard output (rank 0) and return the exit code of the process.
// A path is a run directory (its newest committed checkpoint), a checkpoint directory or its state.h5. All are
// Collective; Errors are thrown as Error on all ranks.
#include <string>

#include "par/comm.hpp"

namespace craton::io {

/// Step, time, size, hash and state of each checkpoint of a run.
int list_checkpoints(const par::Comm& comm, const std::string& path);
/// Full check with CRCs and the state hash recomputed; 0 if every checkpoint of the path is valid, else 4.
int verify_checkpoint(const par::Comm& comm, const std::string& path);
/// First token: the state hash as 16 hex digits; then one line per field. verify recomputes it from the data.
int print_hash(const par::Comm& comm, const std::string& path, bool verify = false);
/// Field by field: equal, largest absolute and relative difference, first row that differs. 0 equal, 1 different. Also
/// takes two snapshot files.
int diff(const par::Comm& comm, const std::string& a, const std::string& b);
/// What status.json says; 0, or 4 if there is none.
int print_status(const par::Comm& comm, const std::string& path);

}  // namespace craton::io
