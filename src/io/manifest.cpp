#include "io/manifest.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/log.hpp"

namespace craton::io {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ExitCode::bad_input, "manifest: " + what);
}

const Json& member(const Json& object, const char* name) {
  const auto it = object.find(name);
  if (it == object.end()) fail(std::string("no member ") + name);
  return *it;
}

std::string text(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (!value.is_string()) fail(std::string(name) + " is not text");
  return value.get<std::string>();
}

std::int64_t integer(const Json& object, const char* name, std::int64_t low, std::int64_t high) {
  const Json& value = member(object, name);
  if (!value.is_number_integer()) fail(std::string(name) + " is not an integer");
  const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high);
  if (too_large || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
    fail(std::string(name) + " is out of range");
  }
  return value.get<std::int64_t>();
}

bool is_plain_path(const std::string& path) {
  int slashes = 0;
  for (const char c : path) {
    if (c == '/') ++slashes;
    if (c != '/' && c != '_' && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) return false;
  }
  return slashes == 1 && path.front() != '/' && path.back() != '/' && path.size() < 200;
}

std::uint32_t hex32(const std::string& digits) {
  if (digits.size() != 8 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    fail("bad crc32c " + digits);
  return static_cast<std::uint32_t>(std::stoul(digits, nullptr, 16));
}

void check_hash(const std::string& digits) {
  if (digits.size() != 16 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    fail("bad hash " + digits);
}

DatasetEntry parse_entry(const Json& object) {
  DatasetEntry d;
  d.path = text(object, "path");
  if (!is_plain_path(d.path)) fail("bad dataset path " + d.path);
  const auto type = element_type(text(object, "type"));
  if (!type) fail("unknown type of " + d.path);
  d.type = *type;
  const Json& shape = member(object, "shape");
  if (!shape.is_array() || shape.empty() || shape.size() > 2) fail("bad shape of " + d.path);
  constexpr std::int64_t most_rows = std::int64_t{1} << 40;
  const auto extent = [&](std::size_t k, std::int64_t low, std::int64_t high) {
    if (!shape[k].is_number_unsigned() || shape[k].get<std::uint64_t>() > static_cast<std::uint64_t>(high) ||
        shape[k].get<std::int64_t>() < low) {
      fail("bad shape of " + d.path);
    }
    return shape[k].get<std::int64_t>();
  };
  d.rows = extent(0, 0, most_rows);
  d.columns = shape.size() == 2 ? extent(1, 2, 4096) : 1;
  d.crc32c = hex32(text(object, "crc32c"));
  return d;
}

}  // namespace

const DatasetEntry* Manifest::find(const std::string& path) const {
  for (const DatasetEntry& d : datasets) {
    if (d.path == path) return &d;
  }
  return nullptr;
}

std::string to_json(const Manifest& m) {
  Json j;
  j["format"] = "craton checkpoint";
  j["format_version"] = m.format_version;
  j["step"] = m.step;
  j["time_yr"] = m.time_yr;
  j["frequency"] = m.frequency;
  j["climate_frequency"] = m.climate_frequency;
  j["radius_m"] = m.radius_m;
  j["state_hash"] = m.state_hash;
  j["git_hash"] = m.git_hash;
  j["config_hash"] = m.config_hash;
  j["file_bytes"] = m.file_bytes;
  for (const auto& [name, hash] : m.part_hashes) j["part_hashes"][name] = hash;
  j["datasets"] = Json::array();
  for (const DatasetEntry& d : m.datasets) {
    Json shape = Json::array({d.rows});
    if (d.columns > 1) shape.push_back(d.columns);
    j["datasets"].push_back({{"path", d.path},
                             {"type", element_name(d.type)},
                             {"shape", shape},
                             {"crc32c", log::format("%08x", static_cast<unsigned>(d.crc32c))}});
  }
  j["config_yaml"] = m.config_yaml;
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Manifest parse_manifest(const std::string& source) {
  const Json j = Json::parse(source, nullptr, false);
  if (j.is_discarded() || !j.is_object()) fail("not a JSON object");
  if (text(j, "format") != "craton checkpoint") fail("not a checkpoint of this program");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Manifest m;
  m.format_version = static_cast<int>(integer(j, "format_version", 0, 1 << 20));
  if (m.format_version != checkpoint_format_version) {
    fail("format version " + std::to_string(m.format_version) + ", this program reads " +
         std::to_string(checkpoint_format_version));
  }
  m.step = integer(j, "step", 0, most);
  m.time_yr = integer(j, "time_yr", std::numeric_limits<std::int64_t>::min(), most);
  m.frequency = integer(j, "frequency", 2, 30000);
  m.climate_frequency = integer(j, "climate_frequency", 2, 30000);
  const Json& radius = member(j, "radius_m");
  if (!radius.is_number() || !(radius.get<double>() > 0) || !std::isfinite(radius.get<double>())) fail("bad radius_m");
  m.radius_m = radius.get<double>();
  m.file_bytes = integer(j, "file_bytes", 0, most);
  m.state_hash = text(j, "state_hash");
  check_hash(m.state_hash);
  m.git_hash = text(j, "git_hash");
  m.config_hash = text(j, "config_hash");
  m.config_yaml = text(j, "config_yaml");
  const Json& parts = member(j, "part_hashes");
  if (!parts.is_object()) fail("part_hashes is not an object");
  for (const auto& [name, hash] : parts.items()) {
    if (!hash.is_string()) fail("bad hash of " + name);
    m.part_hashes[name] = hash.get<std::string>();
    check_hash(m.part_hashes[name]);
  }
  const Json& datasets = member(j, "datasets");
  if (!datasets.is_array() || datasets.size() > 1000) fail("datasets is not a list of at most 1000");
  std::set<std::string> seen;
  for (const Json& d : datasets) {
    if (!d.is_object()) fail("a dataset is not an object");
    m.datasets.push_back(parse_entry(d));
    if (!seen.insert(m.datasets.back().path).second) fail("two datasets " + m.datasets.back().path);
  }
  return m;
}

}  // namespace craton::io
