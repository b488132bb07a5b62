#pragma once
// Checkpoints: the whole state on disk, bit for bit, readable on any number of ranks.
//
// A checkpoint is the directory <run>/checkpoints/ckpt-<step> with state.h5, manifest.json and COMMITTED. Every dataset
// is in global order (cells by global id, parcels by cell and id), so that its bytes do not depend on the rank count.
// COMMITTED is written last; a directory without it does not exist for readers. The protocol is in
// docs/design/files.md. Errors: Error(io) on all ranks for a failed write, with older checkpoints untouched;
// Error(no_checkpoint) where none is valid; Error(bad_input) for a checkpoint of another world. CRC finds damage, it is
// not authentication.
#include <cstdint>
#include <functional>
#include <string>

#include "config/parameters.hpp"
#include "io/manifest.hpp"
#include "state/state.hpp"

namespace craton::io {

/// Moments of the writing protocol, in order; the hook of CheckpointOptions is called after each, on all ranks.
enum class ProtocolPoint : int {
  space_checked,
  directory_made,
  file_created,
  data_written,
  file_closed,
  file_synced,
  file_read_back,
  manifest_written,
  renamed,
  committed,
  latest_written,
  retention_done,
};
inline constexpr int protocol_point_count = 12;

struct CheckpointOptions {
  std::string git_hash;                               // of the program
  std::string config_yaml;                            // resolved configuration: kept in the manifest, and its hash
  std::string job_id;                                 // names the unfinished directory; "" = the process id of rank 0
  std::int64_t keep_every_steps = 0;                  // checkpoints at multiples of it are never removed; 0 = none
  std::int64_t resumed_from_step = -1;                // that one is never removed either
  std::size_t transfer_bytes = std::size_t{1} << 30;  // largest piece of one HDF5 transfer (MPI counts in int)
  std::function<void(ProtocolPoint)> hook;            // for tests
};

struct CheckpointInfo {
  std::string path;  // of the directory
  std::string name;  // ckpt-<step>
  std::int64_t step = 0, time_yr = 0;
  std::string state_hash;  // 16 hex digits
  std::int64_t bytes = 0;  // of state.h5
};

/// Writes <run_dir>/checkpoints/ckpt-<state.globals.step> and removes old ones beyond parameters.checkpoint.keep. A
/// valid checkpoint of the same step and hash is left as it is; another one of that step is moved aside. The caller has
/// already checked that the state is sound (check_all). Collective.
CheckpointInfo write_checkpoint(const State& state, const config::Parameters& parameters, const std::string& run_dir,
                                const CheckpointOptions& options);

/// Fills the state (saved fields, parcels, plates, globals, ledger) from a checkpoint directory; derived fields and
/// halos are stale afterwards. Checks shapes against the meshes before allocating, then CRCs and the state hash. Fields
/// of the checkpoint that the state does not have are left out with a warning; the reverse is an error. Collective.
CheckpointInfo read_checkpoint(State& state, const std::string& checkpoint_dir,
                               std::size_t transfer_bytes = std::size_t{1} << 30);

/// Directory of the newest valid checkpoint of a run (which = "auto"), or of one step (which = "250"). Valid: marker,
/// manifest CRC, size, structure, dataset CRCs. Each rejected one is logged with its reason. Collective.
std::string find_checkpoint(const par::Comm& comm, const std::string& run_dir, const std::string& which);

/// "" if the checkpoint is valid, else the reason. full also reads all data and checks the CRCs. Collective.
std::string reason_to_reject(const par::Comm& comm, const std::string& checkpoint_dir, bool full);

/// Manifest of a committed checkpoint, marker and CRC checked. Local.
Manifest read_manifest(const std::string& checkpoint_dir);

}  // namespace craton::io
