#pragma once
// A 64-bit hash of the state that does not depend on rank count or order: sum modulo 2^64 over items of
// mix64(bits of the value, id of the item, name of the field).
#include <cstdint>
#include <map>
#include <string>

#include "state/state.hpp"

namespace craton {

struct StateHash {
  std::uint64_t whole = 0;
  std::map<std::string, std::uint64_t> parts;  // saved fields by name, "parcels", "plates", "globals"
};

/// Collective.
StateHash state_hash(const State& state);
/// Contribution of one item's bytes; what io uses to hash a file without a State. name_hash = hash_name(field name).
std::uint64_t hash_name(const std::string& name);
std::uint64_t hash_item(std::uint64_t name_hash, std::uint64_t item_id, const void* bytes, std::size_t size);
/// Sixteen lower-case hex digits.
std::string to_hex(std::uint64_t hash);

}  // namespace craton
