#include <charconv>
#include <filesystem>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/atomic_file.hpp"
#include "io/run_directory.hpp"

namespace craton::io {

namespace fs = std::filesystem;

namespace {

// Lines of the old text that stay: the header and whole rows of steps up to the limit.
std::string cut_back(const std::string& text, std::int64_t keep_through_step) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;  // half a row of a killed run
    std::int64_t step = -1;
    const auto [stop, failure] = std::from_chars(text.data() + at, text.data() + end, step);
    const bool header = at == 0;
    if (header || (failure == std::errc() && *stop == ',' && step <= keep_through_step))
      kept.append(text, at, end - at + 1);
    at = end + 1;
  }
  return kept;
}

}  // namespace

TimeSeries::TimeSeries(const par::Comm& comm, const std::string& run_dir, std::vector<std::string> columns,
                       std::int64_t keep_through_step)
    : comm_(comm), path_(run_dir + "/series/diagnostics.csv"), columns_(columns.size()) {
  std::string header = "step,time_yr";
  for (const std::string& name : columns) header += "," + name;
  header += "\n";
  comm.together([&] {
    if (!comm_.is_root()) return;
    make_directories(run_dir + "/series");
    std::string text = header;
    if (keep_through_step >= 0 && fs::exists(path_)) {
      const std::string old = read_text(path_, std::size_t{1} << 30);
      if (old.starts_with(header)) {
        text = cut_back(old, keep_through_step);
      } else {
        const std::string aside = free_name(path_, "old");
        log::warn("series", "diagnostics.csv has other columns; moved to " + fs::path(aside).filename().string());
        rename_path(path_, aside);
      }
    }
    atomic_write(path_, text);
  });
}

void TimeSeries::append(std::int64_t step, std::int64_t time_yr, const std::vector<double>& values) const {
  require(values.size() == columns_, "a row of the time series has as many values as columns");
  comm_.together([&] {
    if (!comm_.is_root()) return;
    std::string line = std::to_string(step) + "," + std::to_string(time_yr);
    for (const double v : values) line += log::format(",%.17g", v);
    append_line(path_, line);
  });
}

}  // namespace craton::io
