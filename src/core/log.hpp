#pragma once
// The program's log. Rank 0 writes, other ranks are silent unless told otherwise; spdlog stays behind this interface,
// so that no other unit compiles it. Every warning has a kind, and the end summary counts warnings by kind.
#include <map>
#include <string>
#include <string_view>

namespace craton::log {

enum class Level { debug, info, warning, error, off };

/// Sets up the console sink (standard error); file_path adds a file. Ranks with speak = false write nothing.
void start(Level level, bool speak, const std::string& file_path = {});
void debug(std::string_view message);
void info(std::string_view message);
void warn(std::string_view kind, std::string_view message);
void error(std::string_view message);
std::map<std::string, int> warning_counts();
void flush();

/// printf-style formatting, for units that must not compile fmt.
std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

}  // namespace craton::log
