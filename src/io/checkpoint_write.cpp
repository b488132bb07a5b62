#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/atomic_file.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_check.hpp"
#include "io/checkpoint_layout.hpp"
#include "io/crc32c.hpp"
#include "io/run_directory.hpp"

namespace craton::io {

namespace fs = std::filesystem;

namespace {

// File metadata beyond the values: generous for some sixty datasets.
constexpr std::int64_t metadata_bytes = std::int64_t{1} << 20;

class Writer {
 public:
  Writer(const State& state, const config::Parameters& parameters, const std::string& run_dir,
         const CheckpointOptions& options)
      : state_(state),
        options_(options),
        comm_(state.mesh().comm()),
        keep_(parameters.checkpoint.keep),
        directory_(checkpoints_dir(run_dir)),
        name_(checkpoint_name(state.globals.step)),
        target_(directory_ + "/" + name_) {
    std::string job = options.job_id.empty() ? std::to_string(::getpid()) : options.job_id;
    comm_.broadcast(job);
    partial_ = target_ + ".part-" + job;
  }

  CheckpointInfo run() {
    describe();
    if (already_there()) return info();
    try {
      write_file();
      commit();
    } catch (const Error&) {
      // Whatever is there of it only takes up space that may be what was lacking.
      if (comm_.is_root()) {
        std::error_code ignored;
        fs::remove_all(partial_, ignored);
      }
      throw;
    }
    retain();
    return info();
  }

 private:
  void describe() {
    const StateHash hash = state_hash(state_);
    manifest_.step = state_.globals.step;
    manifest_.time_yr = state_.globals.time_yr;
    manifest_.frequency = state_.mesh().grid().frequency();
    manifest_.climate_frequency = state_.climate_mesh().grid().frequency();
    manifest_.radius_m = state_.mesh().radius_m();
    manifest_.state_hash = to_hex(hash.whole);
    for (const auto& [part, value] : hash.parts) manifest_.part_hashes[part] = to_hex(value);
    manifest_.git_hash = options_.git_hash;
    manifest_.config_yaml = options_.config_yaml;
    manifest_.config_hash = to_hex(hash_name(options_.config_yaml));
  }

  // A second request in the same step finds the checkpoint done; anything else of that name steps aside.
  bool already_there() {
    std::int64_t there = 0;
    comm_.together([&] {
      if (!comm_.is_root()) return;
      make_directories(directory_);
      if (!fs::exists(target_)) return;
      try {
        const Manifest old = read_manifest(target_);
        check_structure(target_ + "/state.h5", old);
        if (old.state_hash == manifest_.state_hash && old.config_hash == manifest_.config_hash) {
          manifest_ = old;
          there = 1;
          return;
        }
      } catch (const Error& e) {
        log::warn("checkpoint", name_ + " exists and is not valid: " + e.what());
      }
      const std::string aside = free_name(target_, "old");
      log::warn("checkpoint", name_ + " exists with other content; moved to " + fs::path(aside).filename().string());
      rename_path(target_, aside);
    });
    return comm_.any(there != 0);
  }

  void write_file() {
    const std::string ledger = state_.ledger.serialize();
    const std::vector<Source> sources = sources_of(state_, ledger);
    std::int64_t bytes = metadata_bytes;
    for (const Source& s : sources) bytes += s.entry.bytes();
    on_root([&] { check_space(directory_, bytes); });
    reached(ProtocolPoint::space_checked);
    on_root([&] {
      remove_tree(partial_);
      make_directories(partial_);
    });
    reached(ProtocolPoint::directory_made);

    const std::string file = partial_ + "/state.h5";
    ParallelFile h5(comm_, file, ParallelFile::Mode::create, options_.transfer_bytes);
    reached(ProtocolPoint::file_created);
    std::vector<std::uint32_t> crcs;
    std::vector<std::int64_t> sizes;
    std::vector<std::byte> scratch;
    for (const Source& s : sources) {
      const void* values = s.fetch(scratch);
      const std::int64_t local = s.slab.count * s.slab.columns * static_cast<std::int64_t>(element_bytes(s.entry.type));
      h5.write(s.entry.path, s.entry.type, s.slab, values);
      crcs.push_back(crc32c(values, static_cast<std::size_t>(local)));
      sizes.push_back(local);
      manifest_.datasets.push_back(s.entry);
    }
    crcs = combine_crcs(comm_, crcs, sizes);
    for (std::size_t k = 0; k < crcs.size(); ++k) manifest_.datasets[k].crc32c = crcs[k];
    reached(ProtocolPoint::data_written);
    h5.close();
    reached(ProtocolPoint::file_closed);
    on_each_node(comm_, [&] { sync_file(file); });
    on_root([&] { sync_directory(partial_); });
    reached(ProtocolPoint::file_synced);
    on_root([&] {
      manifest_.file_bytes = file_size(file);
      check_shapes(manifest_);
      try {
        check_structure(file, manifest_);
      } catch (const Error& e) {
        throw Error(ExitCode::io, name_ + " is not readable after writing: " + e.what());
      }
    });
    reached(ProtocolPoint::file_read_back);
  }

  void commit() {
    const std::string json = to_json(manifest_);
    on_root([&] { atomic_write(partial_ + "/manifest.json", json); });
    reached(ProtocolPoint::manifest_written);
    on_root([&] {
      rename_path(partial_, target_);
      sync_directory(directory_);
    });
    reached(ProtocolPoint::renamed);
    on_root([&] { atomic_write(target_ + "/COMMITTED", marker_text(json)); });
    reached(ProtocolPoint::committed);
    on_root([&] { atomic_write(directory_ + "/LATEST", name_ + "\n"); });
    reached(ProtocolPoint::latest_written);
  }

  void retain() {
    on_root([&] {
      std::vector<std::int64_t> steps;
      for (const std::int64_t step : numbered_entries(directory_, "ckpt-")) {
        if (fs::exists(directory_ + "/" + checkpoint_name(step) + "/COMMITTED")) steps.push_back(step);
      }
      const auto count = static_cast<std::int64_t>(steps.size());
      for (std::int64_t k = 0; k < count - keep_; ++k) {
        const std::int64_t step = steps[static_cast<std::size_t>(k)];
        const bool milestone = options_.keep_every_steps > 0 && step % options_.keep_every_steps == 0;
        if (milestone || step == options_.resumed_from_step || step == manifest_.step) continue;
        const std::string old = directory_ + "/" + checkpoint_name(step);
        // The marker goes first, so that a half removed checkpoint is never taken for a whole one.
        remove_tree(old + "/COMMITTED");
        remove_tree(old);
      }
      // The lock on the run directory says that nobody else is writing these.
      for (const auto& entry : fs::directory_iterator(directory_)) {
        if (entry.path().filename().string().find(".part-") != std::string::npos) remove_tree(entry.path().string());
      }
    });
    reached(ProtocolPoint::retention_done);
  }

  CheckpointInfo info() {
    std::int64_t bytes = comm_.max(comm_.is_root() ? manifest_.file_bytes : 0);
    return {target_, name_, manifest_.step, manifest_.time_yr, manifest_.state_hash, bytes};
  }

  void on_root(const std::function<void()>& body) const {
    comm_.together([&] {
      if (comm_.is_root()) body();
    });
  }
  void reached(ProtocolPoint point) const {
    if (options_.hook) options_.hook(point);
  }

  const State& state_;
  const CheckpointOptions& options_;
  const par::Comm& comm_;
  std::int64_t keep_;
  std::string directory_, name_, target_, partial_;
  Manifest manifest_;
};

}  // namespace

CheckpointInfo write_checkpoint(const State& state, const config::Parameters& parameters, const std::string& run_dir,
                                const CheckpointOptions& options) {
  return Writer(state, parameters, run_dir, options).run();
}

}  // namespace craton::io
