#include "io/run_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/atomic_file.hpp"
#include "io/checkpoint_check.hpp"

namespace craton::io {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Json to_json(const Record& record) {
  Json j = Json::object();
  for (const auto& [name, value] : record) std::visit([&, &key = name](const auto& v) { j[key] = v; }, value);
  return j;
}

std::string text_of(const Json& j, int indent) {
  return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}

template <class Body>
void or_warn(const Body& body) {
  try {
    body();
  } catch (const Error& e) {
    log::warn("report", e.what());
  }
}

/// Holds the lock on <dir>/.lock, or -1 if somebody else does. The system lets go of it when the process ends, however.
int try_lock(const std::string& directory) {
  const std::string path = directory + "/.lock";
  const int fd = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (fd < 0) throw Error(ExitCode::io, "cannot open " + path + ": " + std::strerror(errno));
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  const int code = errno;
  ::close(fd);
  if (code == EWOULDBLOCK) return -1;
  // A file system without locks must not keep a run from starting.
  log::warn("lock", "cannot lock " + path + ": " + std::strerror(code));
  return ::open(path.c_str(), O_RDWR | O_CLOEXEC);
}

int last_attempt(const std::string& directory) {
  const std::vector<std::int64_t> logs = numbered_entries(directory + "/log", "run.", ".log");
  const std::vector<std::int64_t> started = numbered_entries(directory + "/log", "attempt.");
  std::int64_t last = 0;
  for (const std::int64_t n : logs) last = std::max(last, n);
  for (const std::int64_t n : started) last = std::max(last, n);
  return static_cast<int>(last);
}

int open_directory(const std::string& path, StartMode mode) {
  const bool exists = fs::exists(path);
  if (exists && !fs::is_directory(path)) throw Error(ExitCode::usage, path + " exists and is not a directory");
  if (mode == StartMode::resume && !exists) throw Error(ExitCode::no_checkpoint, "there is no run directory " + path);
  make_directories(path);
  int lock = try_lock(path);
  if (lock < 0) throw Error(ExitCode::directory_in_use, path + " is in use by another run");
  if (mode == StartMode::create && has_checkpoints(path)) {
    ::close(lock);
    throw Error(ExitCode::usage,
                path + " has checkpoints: say --resume to go on from the newest one, or --fresh to move the " +
                    "old data aside and start anew");
  }
  if (mode == StartMode::fresh && exists && !fs::is_empty(path)) {
    bool used = false;
    for (const auto& entry : fs::directory_iterator(path)) used = used || entry.path().filename() != ".lock";
    if (used) {
      rename_path(path, free_name(path, "old"));
      ::close(lock);
      make_directories(path);
      lock = try_lock(path);
      if (lock < 0) throw Error(ExitCode::directory_in_use, path + " is in use by another run");
    }
  }
  for (const char* part : {"log", "checkpoints", "output/snapshots", "output/mesh", "series", "control"}) {
    make_directories(path + "/" + part);
  }
  return lock;
}

}  // namespace

RunDirectory::RunDirectory(const par::Comm& comm, const std::string& path, StartMode mode)
    : comm_(comm), path_(path), root_(comm.is_root()) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  comm.together([&] {
    if (!root_) return;
    lock_ = open_directory(path_, mode);
    attempt_ = last_attempt(path_) + 1;
    // Counts the start even if no log is ever written.
    atomic_write(path_ + "/log/attempt." + std::to_string(attempt_), now_utc() + "\n");
    for (const std::int64_t old : numbered_entries(path_ + "/log", "attempt.")) {
      if (old < attempt_) remove_tree(path_ + "/log/attempt." + std::to_string(old));
    }
  });
  attempt_ = static_cast<int>(comm.max(std::int64_t{root_ ? attempt_ : 0}));
}

RunDirectory::~RunDirectory() {
  if (lock_ >= 0) ::close(lock_);
}

std::string RunDirectory::log_path() const {
  return path_ + "/log/run." + std::to_string(attempt_) + ".log";
}

void RunDirectory::write_configuration(const std::string& input_yaml, const std::string& resolved_yaml) const {
  comm_.together([&] {
    if (!root_) return;
    atomic_write(path_ + "/config.input.yaml", input_yaml);
    atomic_write(path_ + "/config.resolved.yaml", resolved_yaml);
  });
}

void RunDirectory::write_provenance(const Record& facts) const {
  comm_.together([&] {
    if (!root_) return;
    Json j = to_json(facts);
    j["attempt"] = attempt_;
    j["started"] = now_utc();
    atomic_write(path_ + "/provenance.json", text_of(j, 2) + "\n");
  });
}

void RunDirectory::write_status(const Status& s) const {
  if (!root_) return;
  Json j;
  j["state"] = s.state;
  j["reason"] = s.reason;
  if (s.exit_code >= 0) j["exit_code"] = s.exit_code;
  j["step"] = s.step;
  j["time_yr"] = s.time_yr;
  j["end_yr"] = s.end_yr;
  if (s.eta_s >= 0) j["eta_s"] = s.eta_s;
  j["steps_per_s"] = s.steps_per_s;
  j["myr_per_wall_hour"] = s.myr_per_wall_hour;
  j["resident_bytes"] = s.resident_bytes;
  j["last_checkpoint"] = s.last_checkpoint;
  j["state_hash"] = s.state_hash;
  j["job_id"] = s.job_id;
  j["ranks"] = s.ranks;
  j["attempt"] = s.attempt;
  j["pid"] = ::getpid();
  j["heartbeat"] = now_utc();
  j["heartbeat_unix_s"] = static_cast<std::int64_t>(std::time(nullptr));
  or_warn([&] { atomic_write(path_ + "/status.json", text_of(j, 2) + "\n"); });
}

void RunDirectory::append_event(const std::string& kind, const Record& details) const {
  if (!root_) return;
  Json j;
  j["time"] = now_utc();
  j["attempt"] = attempt_;
  j["event"] = kind;
  const Json more = to_json(details);
  for (const auto& [name, value] : more.items()) j[name] = value;
  or_warn([&] { append_line(path_ + "/events.jsonl", text_of(j, -1)); });
}

bool RunDirectory::take_request(const std::string& name) const {
  if (!root_) return false;
  const std::string path = path_ + "/control/" + name;
  return ::unlink(path.c_str()) == 0;
}

Status read_status(const std::string& run_dir) {
  Status s;
  const std::string path = run_dir + "/status.json";
  if (!fs::exists(path)) return s;
  const Json j = Json::parse(read_text(path, std::size_t{1} << 20), nullptr, false);
  if (!j.is_object()) throw Error(ExitCode::bad_input, path + " is not a JSON object");
  try {
    s.state = j.value("state", "");
    s.reason = j.value("reason", "");
    s.exit_code = j.value("exit_code", -1);
    s.step = j.value("step", std::int64_t{0});
    s.time_yr = j.value("time_yr", std::int64_t{0});
    s.end_yr = j.value("end_yr", std::int64_t{0});
    s.eta_s = j.value("eta_s", -1.0);
    s.steps_per_s = j.value("steps_per_s", 0.0);
    s.myr_per_wall_hour = j.value("myr_per_wall_hour", 0.0);
    s.resident_bytes = j.value("resident_bytes", 0.0);
    s.last_checkpoint = j.value("last_checkpoint", "");
    s.state_hash = j.value("state_hash", "");
    s.job_id = j.value("job_id", "");
    s.ranks = j.value("ranks", 1);
    s.attempt = j.value("attempt", 1);
  } catch (const Json::exception& e) {
    throw Error(ExitCode::bad_input, path + ": " + e.what());
  }
  return s;
}

bool has_checkpoints(const std::string& run_dir) {
  const std::string directory = checkpoints_dir(run_dir);
  for (const std::int64_t step : numbered_entries(directory, "ckpt-")) {
    if (fs::exists(directory + "/" + checkpoint_name(step) + "/COMMITTED")) return true;
  }
  return false;
}

}  // namespace craton::io
