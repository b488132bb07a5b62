#include "io/commands.hpp"

#include <cstdio>
#include <filesystem>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/atomic_file.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_check.hpp"
#include "io/checkpoint_layout.hpp"
#include "io/compare.hpp"
#include "io/run_directory.hpp"

namespace craton::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t transfer_bytes = std::size_t{1} << 30;

/// Checkpoint directories that a path means, oldest first: all of a run, or the one.
std::vector<std::string> checkpoints_of(const std::string& path) {
  if (!fs::exists(path)) throw Error(ExitCode::no_checkpoint, "there is no " + path);
  if (!fs::is_directory(path)) return {fs::absolute(path).parent_path().string()};
  if (fs::exists(path + "/manifest.json") || fs::exists(path + "/state.h5")) return {path};
  const std::string directory = checkpoints_dir(path);
  std::vector<std::string> list;
  for (const std::int64_t step : numbered_entries(directory, "ckpt-")) {
    list.push_back(directory + "/" + checkpoint_name(step));
  }
  if (list.empty()) throw Error(ExitCode::no_checkpoint, path + " has no checkpoints");
  return list;
}

/// The newest committed one.
std::string newest_of(const std::string& path) {
  const std::vector<std::string> list = checkpoints_of(path);
  for (auto it = list.rbegin(); it != list.rend(); ++it) {
    if (fs::exists(*it + "/COMMITTED")) return *it;
  }
  throw Error(ExitCode::no_checkpoint, path + " has no committed checkpoint");
}

/// Runs on rank 0 and gives its result to all.
int on_root(const par::Comm& comm, const std::function<int()>& body) {
  std::int64_t code = 0;
  comm.together([&] {
    if (comm.is_root()) code = body();
    std::fflush(stdout);
  });
  return static_cast<int>(comm.max(comm.is_root() ? code : std::int64_t{0}));
}

std::string shared(const par::Comm& comm, const std::function<std::string()>& body) {
  std::string text;
  comm.together([&] {
    if (comm.is_root()) text = body();
  });
  comm.broadcast(text);
  return text;
}

/// "" or what is wrong, with the hash computed again from the data. Collective.
std::string fault_of(const par::Comm& comm, const std::string& directory) {
  std::string reason = reason_to_reject(comm, directory, true);
  if (!reason.empty()) return reason;
  const Manifest m = parse_manifest(shared(comm, [&] { return to_json(read_manifest(directory)); }));
  const StateHash hash = hash_of_file(comm, directory + "/state.h5", m, transfer_bytes);
  if (to_hex(hash.whole) != m.state_hash)
    return "state hash is " + to_hex(hash.whole) + ", the manifest says " + m.state_hash;
  return {};
}

bool is_snapshot(const std::string& path) {
  return fs::is_regular_file(path) && fs::path(path).extension() == ".hdf";
}

struct Side {
  std::string file;
  std::vector<std::string> datasets;
};

Side side_of(const std::string& path) {
  if (is_snapshot(path)) return {path, datasets_in(path, "VTKHDF/CellData")};
  const std::string directory = newest_of(path);
  const Manifest m = read_manifest(directory);
  check_structure(directory + "/state.h5", m);
  Side side{directory + "/state.h5", {}};
  for (const DatasetEntry& d : m.datasets) side.datasets.push_back(d.path);
  return side;
}

}  // namespace

int list_checkpoints(const par::Comm& comm, const std::string& path) {
  return on_root(comm, [&] {
    std::printf("%-14s %14s %10s  %-16s  %s\n", "checkpoint", "time Myr", "MB", "state hash", "state");
    for (const std::string& directory : checkpoints_of(path)) {
      const std::string name = fs::path(directory).filename().string();
      try {
        const Manifest m = read_manifest(directory);
        check_structure(directory + "/state.h5", m);
        std::printf("%-14s %14.6f %10.2f  %s  committed\n", name.c_str(), static_cast<double>(m.time_yr) / 1e6,
                    static_cast<double>(m.file_bytes) / 1e6, m.state_hash.c_str());
      } catch (const Error& e) {
        std::printf("%-14s %14s %10s  %-16s  not usable: %s\n", name.c_str(), "-", "-", "-", e.what());
      }
    }
    return 0;
  });
}

int verify_checkpoint(const par::Comm& comm, const std::string& path) {
  const std::string list = shared(comm, [&] {
    std::string lines;
    for (const std::string& directory : checkpoints_of(path)) lines += directory + "\n";
    return lines;
  });
  int code = 0;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = list.find('\n', at);
    const std::string directory = list.substr(at, end - at);
    const std::string fault = fault_of(comm, directory);
    if (!fault.empty()) code = static_cast<int>(ExitCode::no_checkpoint);
    if (comm.is_root()) {
      std::printf("%s  %s\n", fs::path(directory).filename().string().c_str(), fault.empty() ? "valid" : fault.c_str());
      std::fflush(stdout);
    }
    at = end + 1;
  }
  return code;
}

int print_hash(const par::Comm& comm, const std::string& path, bool verify) {
  const std::string directory = shared(comm, [&] { return newest_of(path); });
  const Manifest m = parse_manifest(shared(comm, [&] { return to_json(read_manifest(directory)); }));
  std::map<std::string, std::string> parts = m.part_hashes;
  std::string whole = m.state_hash, fault;
  if (verify) {
    fault = fault_of(comm, directory);
    const StateHash hash = fault.empty() ? hash_of_file(comm, directory + "/state.h5", m, transfer_bytes) : StateHash{};
    if (!fault.empty()) throw Error(ExitCode::no_checkpoint, directory + ": " + fault);
    whole = to_hex(hash.whole);
    for (const auto& [name, value] : hash.parts) parts[name] = to_hex(value);
  }
  return on_root(comm, [&] {
    std::printf("%s  %s  %.6f Myr%s\n", whole.c_str(), fs::path(directory).filename().string().c_str(),
                static_cast<double>(m.time_yr) / 1e6, verify ? "  (recomputed)" : "");
    for (const auto& [name, value] : parts) std::printf("%s  %s\n", value.c_str(), name.c_str());
    return 0;
  });
}

int diff(const par::Comm& comm, const std::string& a, const std::string& b) {
  return on_root(comm, [&] {
    const Side left = side_of(a), right = side_of(b);
    bool equal = true;
    std::printf("%-36s %-8s %14s %14s %12s %12s\n", "dataset", "", "max abs", "max rel", "values", "first row");
    for (const Difference& d : compare_files(left.file, left.datasets, right.file, right.datasets)) {
      equal = equal && d.equal;
      if (d.equal) {
        std::printf("%-36s equal\n", d.path.c_str());
      } else if (!d.note.empty()) {
        std::printf("%-36s %s\n", d.path.c_str(), d.note.c_str());
      } else {
        std::printf("%-36s %-8s %14.6g %14.6g %12lld %12lld\n", d.path.c_str(), "differs", d.largest_absolute,
                    d.largest_relative, static_cast<long long>(d.differing), static_cast<long long>(d.first_row));
      }
    }
    return equal ? 0 : 1;
  });
}

int print_status(const par::Comm& comm, const std::string& path) {
  return on_root(comm, [&] {
    const Status s = read_status(path);
    if (s.state.empty()) {
      std::printf("%s has no status.json\n", path.c_str());
      return static_cast<int>(ExitCode::no_checkpoint);
    }
    std::printf("state            %s%s%s\n", s.state.c_str(), s.reason.empty() ? "" : ": ", s.reason.c_str());
    std::printf("step             %lld\n", static_cast<long long>(s.step));
    std::printf("time             %.6f of %.6f Myr (%.1f %%)\n", static_cast<double>(s.time_yr) / 1e6,
                static_cast<double>(s.end_yr) / 1e6,
                s.end_yr > 0 ? 100.0 * static_cast<double>(s.time_yr) / static_cast<double>(s.end_yr) : 0.0);
    if (s.eta_s >= 0) std::printf("left             %.0f s\n", s.eta_s);
    std::printf("rate             %.4g steps/s, %.4g Myr per hour\n", s.steps_per_s, s.myr_per_wall_hour);
    std::printf("memory           %.1f MB on %d ranks\n", s.resident_bytes / 1e6, s.ranks);
    std::printf("last checkpoint  %s\n", s.last_checkpoint.empty() ? "none" : s.last_checkpoint.c_str());
    if (!s.state_hash.empty()) std::printf("state hash       %s\n", s.state_hash.c_str());
    std::printf("attempt          %d%s%s\n", s.attempt, s.job_id.empty() ? "" : ", job ", s.job_id.c_str());
    return 0;
  });
}

}  // namespace craton::io
