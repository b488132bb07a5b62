#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"
#include "io/run_directory.hpp"

namespace craton::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int code) {
  throw Error(ExitCode::io, what + " " + path + ": " + std::strerror(code));
}

// A file descriptor that closes itself; close() reports errors, which network file systems give only then.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, mode_t mode = 0644)
      : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {
    if (fd_ < 0) fail("cannot open", path, errno);
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  void write(const std::string& text) const {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t n = ::write(fd_, text.data() + at, text.size() - at);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("cannot write", path_, errno);
      at += static_cast<std::size_t>(n);
    }
  }
  void sync() const {
    if (::fsync(fd_) != 0 && errno != EINVAL) fail("cannot sync", path_, errno);  // EINVAL: a file system without it
  }
  void close() {
    const int result = ::close(fd_);
    fd_ = -1;
    if (result != 0) fail("cannot close", path_, errno);
  }

 private:
  std::string path_;
  int fd_;
};

template <class Action>
void checked(const std::string& what, const std::string& path, const Action& action) {
  std::error_code code;
  action(code);
  if (code) fail(what, path, code.value());
}

}  // namespace

void sync_file(const std::string& path) {
  Descriptor file(path, O_RDONLY);
  file.sync();
  file.close();
}

void sync_directory(const std::string& path) {
  Descriptor directory(path, O_RDONLY | O_DIRECTORY);
  directory.sync();
  directory.close();
}

void make_directories(const std::string& path) {
  checked("cannot make directory", path, [&](std::error_code& code) { fs::create_directories(path, code); });
}

void rename_path(const std::string& from, const std::string& to) {
  checked("cannot rename to", to, [&](std::error_code& code) { fs::rename(from, to, code); });
}

void remove_tree(const std::string& path) {
  checked("cannot remove", path, [&](std::error_code& code) { fs::remove_all(path, code); });
}

std::string free_name(const std::string& path, const std::string& word) {
  for (int n = 1;; ++n) {
    const std::string name = path + "." + word + "-" + std::to_string(n);
    if (!fs::exists(fs::symlink_status(name))) return name;
  }
}

void check_space(const std::string& directory, std::int64_t bytes) {
  struct statvfs info {};
  if (::statvfs(directory.c_str(), &info) != 0) fail("cannot ask for the free space of", directory, errno);
  const double available = static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
  if (available < static_cast<double>(bytes)) {
    throw Error(ExitCode::io, "not enough space in " + directory + ": " + std::to_string(bytes) + " bytes needed, " +
                                  std::to_string(static_cast<std::int64_t>(available)) + " free");
  }
  const std::string probe = directory + "/.space-" + std::to_string(::getpid());
  Descriptor file(probe, O_CREAT | O_WRONLY | O_TRUNC);
  const int result = bytes > 0 ? ::fallocate(file.get(), 0, 0, bytes) : 0;
  const int code = result == 0 ? 0 : errno;
  ::unlink(probe.c_str());
  if (code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO) {
    fail("cannot reserve " + std::to_string(bytes) + " bytes in", directory, code);
  }
}

std::int64_t file_size(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) fail("cannot look at", path, errno);
  return static_cast<std::int64_t>(info.st_size);
}

void append_line(const std::string& path, const std::string& line) {
  // One write call, so that a reader never sees half of a line that is shorter than a page.
  Descriptor file(path, O_CREAT | O_WRONLY | O_APPEND);
  file.write(line + "\n");
  file.close();
}

void atomic_write(const std::string& path, const std::string& text) {
  const std::string partial = path + ".part-" + std::to_string(::getpid());
  try {
    Descriptor file(partial, O_CREAT | O_WRONLY | O_TRUNC);
    file.write(text);
    file.sync();
    file.close();
    rename_path(partial, path);
  } catch (...) {
    ::unlink(partial.c_str());
    throw;
  }
  const std::string parent = fs::path(path).parent_path().string();
  sync_directory(parent.empty() ? "." : parent);
}

std::string read_text(const std::string& path, std::size_t limit_bytes) {
  const auto size = static_cast<std::size_t>(file_size(path));
  if (size > limit_bytes)
    throw Error(ExitCode::bad_input, path + " is larger than " + std::to_string(limit_bytes) + " bytes");
  Descriptor file(path, O_RDONLY);
  std::string text(size, '\0');
  std::size_t at = 0;
  while (at < size) {
    const ssize_t n = ::read(file.get(), text.data() + at, size - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot read", path, errno);
    if (n == 0) break;
    at += static_cast<std::size_t>(n);
  }
  text.resize(at);
  return text;
}

std::vector<std::int64_t> numbered_entries(const std::string& directory, const std::string& prefix,
                                           const std::string& suffix) {
  std::vector<std::int64_t> numbers;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end; it.increment(code)) {
    const std::string name = it->path().filename().string();
    if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix)) continue;
    std::int64_t number = 0;
    const char* const first = name.data() + prefix.size();
    const char* const last = name.data() + name.size() - suffix.size();
    const auto [stop, failure] = std::from_chars(first, last, number);
    if (failure == std::errc() && stop == last && number >= 0) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace craton::io
