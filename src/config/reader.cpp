#include "config/reader.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "config/nearest.hpp"
#include "config/scalar.hpp"

namespace craton::config {

namespace {

Place place_of(const YAML::Mark& mark) {
  return {0, mark.line + 1, mark.column + 1};
}

std::string unknown_key_text(std::string_view block, const std::string& name) {
  std::vector<std::string> here, elsewhere, names_elsewhere;
  for (const Entry& e : table()) {
    if (e.block == block) {
      here.emplace_back(e.name);
    } else {
      elsewhere.push_back(e.key());
      names_elsewhere.emplace_back(e.name);
    }
  }
  if (block.empty()) here.insert(here.end(), blocks().begin(), blocks().end());
  const std::string what = block.empty() ? "unknown block or key" : "unknown key";
  std::string near = nearest(name, here);
  if (!near.empty()) return what + "; did you mean " + near + "?";
  near = nearest(name, names_elsewhere);
  if (!near.empty()) {
    const auto at = std::find(names_elsewhere.begin(), names_elsewhere.end(), near) - names_elsewhere.begin();
    return what + "; did you mean " + elsewhere[static_cast<std::size_t>(at)] + "?";
  }
  std::string all;
  for (const std::string& word : here) all += (all.empty() ? "" : ", ") + word;
  return what + "; allowed: " + (all.empty() ? "nothing" : all);
}

bool is_block(std::string_view name) {
  return std::find(blocks().begin(), blocks().end(), name) != blocks().end();
}

void assign(const Entry& entry, const std::string& text, bool quoted, const Place& place, Reading& reading) {
  const auto result = read_scalar(entry, text, quoted);
  if (const auto* wrong = std::get_if<ScalarFault>(&result)) {
    reading.fault(wrong->kind, place, entry.key(), wrong->what);
    return;
  }
  entry.set(reading.parameters, std::get<Value>(result));
  reading.places[entry.key()] = place;
}

enum class Node { scalar, null, sequence, map };

const char* node_name(Node node) {
  switch (node) {
    case Node::scalar:
      return "a value";
    case Node::null:
      return "nothing";
    case Node::sequence:
      return "a list";
    case Node::map:
      return "a map";
  }
  return "";
}

/// Walks the events of the parser; a frame for each open map or list.
class Handler : public YAML::EventHandler {
 public:
  explicit Handler(Reading& reading) : reading_(reading) {}

  struct TooDeep {
    Place place;
  };

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { node(Node::null, mark, "", anchor, ""); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    reading_.fault(FaultKind::unsupported, place_of(mark), path(),
                   "aliases (*name) are not supported; write the value");
    finish_node();
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    node(Node::scalar, mark, tag, anchor, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    node(Node::sequence, mark, tag, anchor, "");
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    node(Node::map, mark, tag, anchor, "");
  }
  void OnMapEnd() override { close(); }

 private:
  enum class Scope { top, block, ignored };
  struct Frame {
    Scope scope = Scope::ignored;
    bool is_map = false;
    bool at_key = true;          // the next node of a map is a key
    bool value_ignored = false;  // the fault is known: the value of this key is passed over
    std::string block, key;      // of the map; of the current key
    Place key_place;
    std::map<std::string, int> seen;  // keys of this map and their lines
  };

  std::string path() const {
    if (stack_.empty() || stack_.back().scope == Scope::ignored) return {};
    const Frame& f = stack_.back();
    if (f.at_key) return f.block;
    return f.block.empty() ? f.key : f.block + '.' + f.key;
  }

  void node(Node kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            const std::string& value) {
    const Place place = place_of(mark);
    if (anchor != YAML::NullAnchor) {
      reading_.fault(FaultKind::unsupported, place, path(), "anchors (&name) are not supported");
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      reading_.fault(FaultKind::unsupported, place, path(), "tags (!name) are not supported");
    }
    Frame opened;
    opened.is_map = kind == Node::map;
    if (stack_.empty()) {
      top(kind, place, opened);
    } else if (stack_.back().is_map && stack_.back().at_key) {
      key(kind, place, value);
    } else if (stack_.back().scope != Scope::ignored && !stack_.back().value_ignored) {
      this->value(kind, place, value, tag == "!", opened);
    }
    if (kind == Node::map || kind == Node::sequence) {
      if (stack_.size() >= max_input_depth) throw TooDeep{place};
      stack_.push_back(std::move(opened));
    } else {
      finish_node();
    }
  }

  void top(Node kind, const Place& place, Frame& opened) {
    if (kind == Node::map) {
      opened.scope = Scope::top;
    } else if (kind != Node::null) {
      reading_.fault(FaultKind::structure, place, "",
                     std::string("the file must hold blocks such as \"mesh:\", got ") + node_name(kind));
    }
  }

  void key(Node kind, const Place& place, const std::string& name) {
    Frame& f = stack_.back();
    f.value_ignored = true;
    if (f.scope == Scope::ignored) return;
    if (kind != Node::scalar) {
      reading_.fault(FaultKind::structure, place, f.block, std::string("a key must be a name, got ") + node_name(kind));
      return;
    }
    f.key = name;
    f.key_place = place;
    const std::string full = f.block.empty() ? name : f.block + '.' + name;
    const auto [first, is_new] = f.seen.emplace(name, place.line);
    if (!is_new) {
      reading_.fault(FaultKind::duplicate_key, place, full,
                     "given twice; first on line " + std::to_string(first->second));
    } else if (find_entry(f.block, name) == nullptr && !(f.scope == Scope::top && is_block(name))) {
      reading_.fault(FaultKind::unknown_key, place, full, unknown_key_text(f.block, name));
      return;
    }
    f.value_ignored = false;
  }

  void value(Node kind, const Place& place, const std::string& text, bool quoted, Frame& opened) {
    Frame& f = stack_.back();
    const Entry* entry = find_entry(f.block, f.key);
    if (entry == nullptr) {  // a block
      opened.scope = kind == Node::map ? Scope::block : Scope::ignored;
      opened.block = f.key;
      if (kind == Node::map || kind == Node::null) return;
      std::string what = "is a block of keys, got " + (kind == Node::scalar ? '"' + text + '"' : node_name(kind));
      if (kind == Node::scalar && text.find(':') != std::string::npos) what += "; is a blank missing after the colon?";
      reading_.fault(FaultKind::structure, place, f.key, what);
    } else if (kind == Node::scalar) {
      assign(*entry, text, quoted, place, reading_);
    } else if (kind == Node::null && entry->type != Type::text) {
      // The parser puts the mark of a missing value where the next thing begins.
      reading_.fault(FaultKind::wrong_type, f.key_place, entry->key(),
                     "has no value; allowed: " + allowed_text(*entry));
    } else if (kind == Node::null) {
      reading_.fault(FaultKind::wrong_type, f.key_place, entry->key(), "has no value; write \"\" for an empty text");
    } else {
      const std::string allowed = allowed_text(*entry);
      reading_.fault(
          FaultKind::wrong_type, place, entry->key(),
          std::string("needs one value, got ") + node_name(kind) + (allowed.empty() ? "" : "; allowed: ") + allowed);
    }
  }

  void close() {
    stack_.pop_back();
    finish_node();
  }

  void finish_node() {
    if (!stack_.empty() && stack_.back().is_map) stack_.back().at_key = !stack_.back().at_key;
  }

  Reading& reading_;
  std::vector<Frame> stack_;
};

/// Only counts: a second document is refused whatever it holds.
class Ignorer : public YAML::EventHandler {
 public:
  explicit Ignorer(std::optional<Place>& start) : start_(start) {}
  void OnDocumentStart(const YAML::Mark& mark) override { start_ = place_of(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  std::optional<Place>& start_;
};

/// An interval that nobody gave stays: what is due then happens at the next step.
void check_divides(Reading& reading, const Entry& interval) {
  const double step_yr = reading.parameters.time.tectonic_step_yr;
  const double value_yr = std::get<double>(interval.get(reading.parameters));
  const auto steps = static_cast<std::int64_t>(value_yr / step_yr);
  // Both are whole numbers below 2^53, so the product is exact where the ratio is whole.
  if (static_cast<double>(steps) * step_yr == value_yr) return;
  const auto given = reading.places.find(interval.key());
  const bool is_end = interval.key() == "time.end_yr";
  const std::string step = format_number(step_yr) + " yr", value = format_number(value_yr) + " yr";
  if (given != reading.places.end()) {
    reading.fault(FaultKind::inconsistent, given->second, interval.key(),
                  value + " is no multiple of time.tectonic_step_yr = " + step + "; allowed: whole multiples of it");
  } else if (is_end) {
    reading.fault(FaultKind::inconsistent, reading.places["time.tectonic_step_yr"], "time.tectonic_step_yr",
                  step + " does not divide time.end_yr = " + value + " (its default); allowed: divisors of it");
  }
}

}  // namespace

void Reading::fault(FaultKind kind, const Place& place, std::string key, std::string what) {
  faults.push_back({kind, place.source, place.line, place.column, std::move(key), std::move(what)});
}

void read_yaml(const std::string& text, Reading& reading) {
  std::istringstream stream(text);
  Handler handler(reading);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(handler)) return;
    std::optional<Place> second;
    Ignorer ignorer(second);
    parser.HandleNextDocument(ignorer);
    if (second) reading.fault(FaultKind::unsupported, *second, "", "a second document (---) is not supported");
  } catch (const Handler::TooDeep& deep) {
    reading.fault(FaultKind::unreadable, deep.place, "",
                  "nested deeper than " + std::to_string(max_input_depth) + " levels; allowed: 2");
  } catch (const YAML::Exception& error) {
    reading.fault(FaultKind::syntax, place_of(error.mark), "", "not YAML: " + error.msg);
  }
}

void read_override(const std::string& text, int index, Reading& reading) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    reading.fault(FaultKind::structure, {index, 1, 1}, "", "needs block.key=value, got \"" + text + '"');
    return;
  }
  const std::string key = text.substr(0, equals);
  const std::size_t dot = key.find('.');
  const std::string block = dot == std::string::npos ? "" : key.substr(0, dot);
  const std::string name = dot == std::string::npos ? key : key.substr(dot + 1);
  if (!block.empty() && !is_block(block)) {
    reading.fault(FaultKind::unknown_key, {index, 1, 1}, block, unknown_key_text("", block));
    return;
  }
  const Entry* entry = find_entry(block, name);
  if (entry == nullptr) {
    const bool names_block = block.empty() && is_block(name);
    reading.fault(names_block ? FaultKind::structure : FaultKind::unknown_key,
                  {index, 1, block.empty() ? 1 : static_cast<int>(dot) + 2}, key,
                  names_block ? "is a block; needs " + name + ".key=value" : unknown_key_text(block, name));
    return;
  }
  assign(*entry, text.substr(equals + 1), false, {index, 1, static_cast<int>(equals) + 2}, reading);
}

void check_together(Reading& reading) {
  for (const Entry& entry : table()) {
    if (entry.type != Type::real) continue;
    if (entry.name == "interval_yr" || entry.key() == "time.end_yr") check_divides(reading, entry);
  }
  const MeshBlock& mesh = reading.parameters.mesh;
  if (mesh.climate_frequency > 0 && mesh.frequency % mesh.climate_frequency != 0) {
    reading.fault(FaultKind::inconsistent, reading.places["mesh.climate_frequency"], "mesh.climate_frequency",
                  std::to_string(mesh.climate_frequency) + " does not divide mesh.frequency = " +
                      std::to_string(mesh.frequency) + "; allowed: 0 or a divisor of it");
  }
}

}  // namespace craton::config
