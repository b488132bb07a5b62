#include "state/state_hash.hpp"

#include <cstring>
#include <vector>

#include "core/hash.hpp"
#include "core/log.hpp"

namespace craton {

std::uint64_t hash_name(const std::string& name) {
  std::uint64_t h = 0xcbf29ce484222325ULL;  // FNV-1a, 64 bits
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

std::uint64_t hash_item(std::uint64_t name_hash, std::uint64_t item_id, const void* bytes, std::size_t size) {
  std::uint64_t h = mix64(name_hash ^ mix64(item_id));
  const auto* at = static_cast<const unsigned char*>(bytes);
  for (std::size_t k = 0; k < size; k += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at + k, size - k < 8 ? size - k : 8);
    h = mix64(h ^ word);
  }
  return h;
}

namespace {

std::uint64_t hash_field(const State& state, FieldId id) {
  const FieldInfo& info = field_info(id);
  const Mesh& mesh = state.mesh_of(id);
  const std::uint64_t name = hash_name(info.name);
  const auto components = static_cast<std::size_t>(info.components);
  std::uint64_t sum = 0;
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const auto item = static_cast<std::uint64_t>(raw(mesh.global(c)));
    const auto at = static_cast<std::size_t>(c) * components;
    sum += info.is_integer
               ? hash_item(name, item, state.integer(IntegerField{id}).data() + at, components * sizeof(std::int32_t))
               : hash_item(name, item, state.real(RealField{id}).data() + at, components * sizeof(double));
  }
  return sum;
}

}  // namespace

StateHash state_hash(const State& state) {
  std::vector<std::string> names;
  std::vector<std::uint64_t> sums;
  for (const FieldId id : state.fields()) {
    if (field_info(id).kind != Kind::saved) continue;
    names.emplace_back(field_info(id).name);
    sums.push_back(hash_field(state, id));
  }
  const std::uint64_t parcel_name = hash_name("parcels");
  std::uint64_t parcels = 0;
  for (const Parcel& p : state.crust.parcels) {
    parcels += hash_item(parcel_name, static_cast<std::uint64_t>(p.id), &p, sizeof p);
  }
  names.emplace_back("parcels");
  sums.push_back(parcels);
  state.mesh().comm().sum(std::span(sums));

  // The same on every rank, so not part of the sum over ranks.
  std::uint64_t plates = 0;
  for (std::size_t k = 0; k < state.crust.plates.size(); ++k) {
    plates += hash_item(hash_name("plates"), k, &state.crust.plates[k], sizeof(Plate));
  }
  names.emplace_back("plates");
  sums.push_back(plates);
  names.emplace_back("globals");
  sums.push_back(hash_item(hash_name("globals"), 0, &state.globals, sizeof(Globals)));

  StateHash hash;
  for (std::size_t k = 0; k < names.size(); ++k) {
    hash.parts[names[k]] = sums[k];
    hash.whole += mix64(sums[k] ^ hash_name(names[k]));
  }
  return hash;
}

std::string to_hex(std::uint64_t hash) {
  return log::format("%016llx", static_cast<unsigned long long>(hash));
}

}  // namespace craton
