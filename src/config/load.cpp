#include "config/load.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "config/reader.hpp"
#include "core/error.hpp"

namespace craton::config {

namespace {

/// Bytes of the UTF-8 sequence that starts at i (RFC 3629: no overlong forms, no surrogates), 0 if there is none.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(i), next = byte(i + 1);
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead <= 0xDFU) return follows(i + 1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    const bool overlong = lead == 0xE0U && next < 0xA0U, surrogate = lead == 0xEDU && next > 0x9FU;
    return follows(i + 1) && follows(i + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0U && lead <= 0xF4U) {
    const bool overlong = lead == 0xF0U && next < 0x90U, beyond = lead == 0xF4U && next > 0x8FU;
    return follows(i + 1) && follows(i + 2) && follows(i + 3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

bool is_control(std::string_view text, std::size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  if (lead < 0x20U) return lead != '\t' && lead != '\n' && lead != '\r';
  return lead == 0x7FU || (lead == 0xC2U && static_cast<unsigned char>(text[i + 1]) < 0xA0U);
}

Place place_at(std::string_view text, std::size_t offset, int source) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n');
  const std::size_t begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {source, static_cast<int>(line) + 1, static_cast<int>(offset - begin) + 1};
}

/// Offset of the first tab that indents a line with content, or npos: the parser takes some of them for blanks and then
/// reports what follows from that.
std::size_t find_indenting_tab(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t content = std::min(text.find_first_not_of(" \t\r", begin), end);
    const std::size_t tab = text.find('\t', begin);
    if (tab < content && content < end && text[content] != '#') return tab;
    begin = end + 1;
  }
  return std::string_view::npos;
}

/// The first fault that keeps the text from being parsed at all; false if there is one.
bool readable(std::string_view text, int source, Reading& reading) {
  if (text.size() > max_input_bytes) {
    reading.fault(FaultKind::unreadable, {source, 1, 1}, "", "larger than 1 MiB; allowed: up to 1048576 bytes");
    return false;
  }
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || is_control(text, i)) {
      const char* what = length == 0 ? "not valid UTF-8" : "a control character is not allowed";
      reading.fault(FaultKind::unreadable, place_at(text, i, source), "", what);
      return false;
    }
    i += length;
  }
  if (const std::size_t tab = find_indenting_tab(text); tab != std::string_view::npos) {
    reading.fault(FaultKind::syntax, place_at(text, tab, source), "", "a tab indents this line; use blanks");
    return false;
  }
  return true;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

/// Characters (not bytes) before a byte column, and the same of a stretch of a line.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Nothing that steers a terminal reaches it; a long line is cut to a window around the column.
std::string source_lines(std::string_view line, std::size_t byte_column) {
  constexpr std::size_t before = 70, after = 50;
  std::size_t begin = byte_column > before ? byte_column - before : 0;
  while (begin > 0 && begin < line.size() && (static_cast<unsigned char>(line[begin]) & 0xC0U) == 0x80U) --begin;
  std::size_t end = std::min(line.size(), byte_column + after);
  while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) ++end;
  std::string shown, caret;
  for (std::size_t i = begin; i < end;) {
    const std::size_t length = utf8_length(line, i);
    const bool plain = length > 0 && !is_control(line, i);
    shown += plain && line[i] != '\t' ? std::string(line.substr(i, length)) : plain ? " " : "?";
    i += std::max<std::size_t>(length, 1);
  }
  caret.assign(characters(line.substr(begin, std::min(byte_column, line.size()) - begin)), ' ');
  return "  " + shown + "\n  " + caret + "^\n";
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const bool plain = length > 0 && !is_control(text, i) && text[i] != '\n' && text[i] != '\r';
    out += plain ? std::string(text.substr(i, length)) : "?";
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string render(const std::string& name, const std::vector<std::string>& sources, std::vector<Fault>& faults) {
  constexpr std::size_t most = 100;
  std::vector<std::vector<std::string_view>> lines;
  for (const std::string& source : sources) lines.push_back(lines_of(source));
  std::string out;
  for (std::size_t k = 0; k < faults.size(); ++k) {
    Fault& f = faults[k];
    const auto& of_source = lines[static_cast<std::size_t>(f.source)];
    const std::size_t index = std::min(static_cast<std::size_t>(f.line), of_source.size()) - 1;
    const std::string_view line = of_source[index];
    const auto byte_column = std::min(static_cast<std::size_t>(f.column - 1), line.size());
    f.column = static_cast<int>(characters(line.substr(0, byte_column))) + 1;
    f.key = printable(f.key);
    f.what = printable(f.what);
    if (k >= most) continue;
    out += (f.source == 0 ? name : "--set") + ':' + std::to_string(f.line) + ':' + std::to_string(f.column) +
           ": error: " + (f.key.empty() ? "" : f.key + ": ") + f.what + '\n' + source_lines(line, byte_column);
  }
  if (faults.size() > most) out += name + ": " + std::to_string(faults.size() - most) + " more errors\n";
  return out;
}

}  // namespace

Loaded check_text(const std::string& name, const std::string& text, const std::vector<std::string>& overrides) {
  Reading reading;
  if (readable(text, 0, reading)) read_yaml(text, reading);
  std::vector<std::string> sources = {text};
  for (const std::string& override_text : overrides) {
    const int index = static_cast<int>(sources.size());
    if (readable(override_text, index, reading)) read_override(override_text, index, reading);
    sources.push_back(override_text);
  }
  if (reading.faults.empty()) check_together(reading);
  std::stable_sort(reading.faults.begin(), reading.faults.end(), [](const Fault& a, const Fault& b) {
    return std::tie(a.source, a.line, a.column) < std::tie(b.source, b.line, b.column);
  });
  Loaded loaded{reading.parameters, std::move(reading.faults), {}};
  loaded.report = render(name, sources, loaded.faults);
  return loaded;
}

std::string read_input(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(max_input_bytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  // Opening a directory succeeds, reading it does not.
  if (file.bad() || (!file.eof() && file.fail())) {
    throw Error(ExitCode::usage, path + ": cannot be read: " + std::strerror(errno == 0 ? EIO : errno));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

Parameters load_text(const std::string& name, const std::string& text, const std::vector<std::string>& overrides) {
  Loaded loaded = check_text(name, text, overrides);
  if (!loaded.faults.empty()) throw Error(ExitCode::usage, loaded.report);
  return std::move(loaded.parameters);
}

Parameters load(const std::string& path, const std::vector<std::string>& overrides) {
  return load_text(path, read_input(path), overrides);
}

}  // namespace craton::config
