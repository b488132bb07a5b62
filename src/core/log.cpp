#include "core/log.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <vector>

namespace craton::log {

namespace {

struct Sink {
  std::shared_ptr<spdlog::logger> logger;
  std::map<std::string, int> warnings;
};

// The one log of the process; a function-local object, so that it exists before anyone uses it.
Sink& sink() {
  static Sink instance;
  return instance;
}

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
    case Level::off:
      break;
  }
  return spdlog::level::off;
}

}  // namespace

void start(Level level, bool speak, const std::string& file_path) {
  std::vector<spdlog::sink_ptr> sinks;
  if (speak) {
    sinks.push_back(std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    if (!file_path.empty()) sinks.push_back(std::make_shared<spdlog::sinks::basic_file_sink_mt>(file_path));
  }
  sink().logger = std::make_shared<spdlog::logger>("craton", sinks.begin(), sinks.end());
  sink().logger->set_level(to_spdlog(level));
  sink().logger->set_pattern("%H:%M:%S %^%l%$ %v");
  sink().logger->flush_on(spdlog::level::info);
}

void debug(std::string_view message) {
  if (sink().logger) sink().logger->debug("{}", message);
}

void info(std::string_view message) {
  if (sink().logger) sink().logger->info("{}", message);
}

void warn(std::string_view kind, std::string_view message) {
  ++sink().warnings[std::string(kind)];
  if (sink().logger) sink().logger->warn("{}: {}", kind, message);
}

void error(std::string_view message) {
  if (sink().logger) sink().logger->error("{}", message);
}

std::map<std::string, int> warning_counts() {
  return sink().warnings;
}

void flush() {
  if (sink().logger) sink().logger->flush();
}

std::string format(const char* pattern, ...) {
  va_list args, again;
  va_start(args, pattern);
  va_copy(again, args);
  const int size = std::vsnprintf(nullptr, 0, pattern, args);
  va_end(args);
  std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  if (size > 0) std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

}  // namespace craton::log
