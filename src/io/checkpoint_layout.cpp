#include "io/checkpoint_layout.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace craton::io {

namespace {

using enum ElementType;

// A member added to one of these records must get a column here: the sizes are checked.
constexpr RecordColumn parcel_table[] = {
    {"id", int64, 1, offsetof(Parcel, id)},
    {"cell", int64, 1, offsetof(Parcel, cell)},
    {"frame_position", float64, 3, offsetof(Parcel, frame_position)},
    {"area_m2", float64, 1, offsetof(Parcel, area_m2)},
    {"thickness_m", float64, 1, offsetof(Parcel, thickness_m)},
    {"sediment_m", float64, 1, offsetof(Parcel, sediment_m)},
    {"continental", float64, 1, offsetof(Parcel, continental)},
    {"birth_yr", float64, 1, offsetof(Parcel, birth_yr)},
    {"orogeny_yr", float64, 1, offsetof(Parcel, orogeny_yr)},
    {"elevation_m", float64, 1, offsetof(Parcel, elevation_m)},
    {"plate", int32, 1, offsetof(Parcel, plate)},
    {"reserved", int32, 1, offsetof(Parcel, reserved)},
};
constexpr RecordColumn plate_table[] = {
    {"orientation", float64, 4, offsetof(Plate, orientation)},
    {"euler_rad_per_yr", float64, 3, offsetof(Plate, euler_rad_per_yr)},
    {"birth_yr", int64, 1, offsetof(Plate, birth_yr)},
    {"alive", int32, 1, offsetof(Plate, alive)},
    {"reserved", int32, 1, offsetof(Plate, reserved)},
};
constexpr RecordColumn globals_table[] = {
    {"seed", uint64, 1, offsetof(Globals, seed)},
    {"step", int64, 1, offsetof(Globals, step)},
    {"time_yr", int64, 1, offsetof(Globals, time_yr)},
    {"sea_level_m", float64, 1, offsetof(Globals, sea_level_m)},
    {"water_volume_m3", float64, 1, offsetof(Globals, water_volume_m3)},
    {"climate_age_yr", float64, 1, offsetof(Globals, climate_age_yr)},
};

constexpr std::size_t size_of_type(ElementType t) {
  return t == int32 ? 4 : 8;
}
template <std::size_t N>
constexpr std::size_t covered(const RecordColumn (&table)[N]) {
  std::size_t bytes = 0;
  for (const RecordColumn& c : table) bytes += size_of_type(c.type) * static_cast<std::size_t>(c.columns);
  return bytes;
}
static_assert(covered(parcel_table) == sizeof(Parcel), "give the new member of Parcel a column");
static_assert(covered(plate_table) == sizeof(Plate), "give the new member of Plate a column");
static_assert(covered(globals_table) == sizeof(Globals), "give the new member of Globals a column");

Source record_source(const std::string& group, const RecordColumn& column, const void* records,
                     std::size_t record_bytes, const Slab& where) {
  Source s;
  s.entry = {group + "/" + column.name, column.type, where.total, column.columns, 0};
  s.slab = where;
  s.slab.columns = column.columns;
  s.fetch = [&column, records, record_bytes,
             count = static_cast<std::size_t>(where.count)](std::vector<std::byte>& scratch) {
    scratch.resize(count * column.bytes());
    gather_column(column, records, record_bytes, count, scratch.data());
    return static_cast<const void*>(scratch.data());
  };
  return s;
}

}  // namespace

std::span<const RecordColumn> parcel_columns() {
  return parcel_table;
}
std::span<const RecordColumn> plate_columns() {
  return plate_table;
}
std::span<const RecordColumn> globals_columns() {
  return globals_table;
}

void gather_column(const RecordColumn& column, const void* records, std::size_t record_bytes, std::size_t count,
                   std::byte* values) {
  const std::byte* from = static_cast<const std::byte*>(records) + column.offset;
  for (std::size_t k = 0; k < count; ++k)
    std::memcpy(values + k * column.bytes(), from + k * record_bytes, column.bytes());
}

void scatter_column(const RecordColumn& column, void* records, std::size_t record_bytes, std::size_t count,
                    const std::byte* values) {
  std::byte* to = static_cast<std::byte*>(records) + column.offset;
  for (std::size_t k = 0; k < count; ++k)
    std::memcpy(to + k * record_bytes, values + k * column.bytes(), column.bytes());
}

std::string dataset_path(const FieldInfo& field) {
  return std::string(field.location == Location::cell ? "cells/" : "climate_cells/") + field.name;
}

ElementType dataset_type(const FieldInfo& field) {
  return field.is_integer ? int32 : float64;
}

const void* owned_values(const State& state, FieldId id) {
  if (field_info(id).is_integer) return state.integer(IntegerField{id}).data();
  return state.real(RealField{id}).data();
}

void* owned_values(State& state, FieldId id) {
  return const_cast<void*>(owned_values(std::as_const(state), id));
}

std::vector<Source> sources_of(const State& state, const std::string& ledger_text) {
  Kokkos::fence();
  const par::Comm& comm = state.mesh().comm();
  std::vector<Source> list;
  for (const FieldId id : state.fields()) {
    const FieldInfo& info = field_info(id);
    if (info.kind != Kind::saved) continue;
    const Mesh& mesh = state.mesh_of(id);
    Source s;
    s.entry = {dataset_path(info), dataset_type(info), mesh.global_count(), info.components, 0};
    s.slab = {mesh.global_count(), info.components, mesh.partition().begin(mesh.comm().rank()), mesh.n_owned()};
    s.fetch = [&state, id](std::vector<std::byte>&) { return owned_values(state, id); };
    list.push_back(std::move(s));
  }
  const auto parcels = static_cast<std::int64_t>(state.crust.parcels.size());
  const Slab by_cell{comm.sum(parcels), 1, comm.exclusive_scan(parcels), parcels};
  for (const RecordColumn& c : parcel_columns()) {
    list.push_back(record_source("parcels", c, state.crust.parcels.data(), sizeof(Parcel), by_cell));
  }
  const auto on_root = [&](std::size_t count) {
    const auto n = static_cast<std::int64_t>(count);
    return Slab{n, 1, comm.is_root() ? 0 : n, comm.is_root() ? n : 0};
  };
  for (const RecordColumn& c : plate_columns()) {
    list.push_back(
        record_source("plates", c, state.crust.plates.data(), sizeof(Plate), on_root(state.crust.plates.size())));
  }
  for (const RecordColumn& c : globals_columns()) {
    list.push_back(record_source("globals", c, &state.globals, sizeof(Globals), on_root(1)));
  }
  Source text;
  text.slab = on_root(ledger_text.size());
  text.entry = {"ledger/text", uint8, text.slab.total, 1, 0};
  text.fetch = [&ledger_text](std::vector<std::byte>&) { return static_cast<const void*>(ledger_text.data()); };
  list.push_back(std::move(text));
  return list;
}

Slab even_slab(const DatasetEntry& entry, int rank, int ranks) {
  const std::int64_t first = entry.rows / ranks * rank + std::min<std::int64_t>(rank, entry.rows % ranks);
  const std::int64_t count = entry.rows / ranks + (rank < entry.rows % ranks ? 1 : 0);
  return {entry.rows, entry.columns, first, count};
}

void check_shapes(const Manifest& manifest) {
  const auto fail = [](const std::string& path, const std::string& why) {
    throw Error(ExitCode::bad_input, "manifest: dataset " + path + " " + why);
  };
  const auto cells = [](std::int64_t frequency) { return 10 * frequency * frequency + 2; };
  const auto expect = [&](const std::string& path, ElementType type, std::int64_t rows, int columns) {
    const DatasetEntry* d = manifest.find(path);
    if (d == nullptr) fail(path, "is missing");
    if (d->type != type || d->columns != columns || (rows >= 0 && d->rows != rows)) {
      fail(path, "is " + std::string(element_name(d->type)) + " [" + std::to_string(d->rows) + ", " +
                     std::to_string(d->columns) + "], expected " + element_name(type) + " [" +
                     (rows >= 0 ? std::to_string(rows) : "n") + ", " + std::to_string(columns) + "]");
    }
  };
  for (const DatasetEntry& d : manifest.datasets) {
    const auto slash = d.path.find('/');
    const std::string group = d.path.substr(0, slash), name = d.path.substr(slash + 1);
    if (group != "cells" && group != "climate_cells") continue;
    const FieldId id = find_field(name);
    if (id < 0 || dataset_path(field_info(id)) != d.path) fail(d.path, "is no field of this program");
    const std::int64_t frequency = group == "cells" ? manifest.frequency : manifest.climate_frequency;
    expect(d.path, dataset_type(field_info(id)), cells(frequency), field_info(id).components);
    if (!manifest.part_hashes.contains(name)) fail(d.path, "has no hash");
  }
  const auto expect_records = [&](const std::string& group, std::span<const RecordColumn> columns, std::int64_t rows) {
    if (rows < 0) {
      const DatasetEntry* first = manifest.find(group + "/" + columns.front().name);
      if (first != nullptr) rows = first->rows;
    }
    for (const RecordColumn& c : columns) expect(group + "/" + c.name, c.type, rows, c.columns);
    if (!manifest.part_hashes.contains(group)) fail(group, "has no hash");
  };
  expect_records("parcels", parcel_columns(), -1);
  expect_records("plates", plate_columns(), -1);
  expect_records("globals", globals_columns(), 1);
  expect("ledger/text", uint8, -1, 1);
}

StateHash hash_of_file(const par::Comm& comm, const std::string& file, const Manifest& manifest,
                       std::size_t transfer_bytes) {
  ParallelFile h5(comm, file, ParallelFile::Mode::read, transfer_bytes);
  std::vector<std::string> names;
  std::vector<std::uint64_t> sums;
  std::vector<std::byte> values;
  const auto read_slab = [&](const DatasetEntry& entry) {
    const Slab slab = even_slab(entry, comm.rank(), comm.size());
    values.resize(static_cast<std::size_t>(slab.count * slab.columns) * element_bytes(entry.type));
    h5.read(entry.path, entry.type, slab, values.data());
    return slab;
  };
  for (const DatasetEntry& d : manifest.datasets) {
    if (!d.path.starts_with("cells/") && !d.path.starts_with("climate_cells/")) continue;
    const std::string name = d.path.substr(d.path.find('/') + 1);
    const Slab slab = read_slab(d);
    const std::size_t bytes = static_cast<std::size_t>(slab.columns) * element_bytes(d.type);
    const std::uint64_t hash = hash_name(name);
    std::uint64_t sum = 0;
    for (std::int64_t k = 0; k < slab.count; ++k) {
      sum += hash_item(hash, static_cast<std::uint64_t>(slab.first + k),
                       values.data() + static_cast<std::size_t>(k) * bytes, bytes);
    }
    names.push_back(name);
    sums.push_back(sum);
  }
  const auto hash_records = [&](const std::string& group, std::span<const RecordColumn> columns,
                                std::size_t record_bytes, bool by_id) {
    std::vector<std::byte> records;
    Slab slab;
    for (const RecordColumn& c : columns) {
      slab = read_slab(*manifest.find(group + "/" + c.name));
      records.resize(static_cast<std::size_t>(slab.count) * record_bytes);
      scatter_column(c, records.data(), record_bytes, static_cast<std::size_t>(slab.count), values.data());
    }
    const std::uint64_t hash = hash_name(group);
    std::uint64_t sum = 0;
    for (std::int64_t k = 0; k < slab.count; ++k) {
      const std::byte* record = records.data() + static_cast<std::size_t>(k) * record_bytes;
      auto item = static_cast<std::uint64_t>(slab.first + k);
      if (by_id) std::memcpy(&item, record + offsetof(Parcel, id), sizeof item);
      sum += hash_item(hash, item, record, record_bytes);
    }
    names.push_back(group);
    sums.push_back(sum);
  };
  hash_records("parcels", parcel_columns(), sizeof(Parcel), true);
  hash_records("plates", plate_columns(), sizeof(Plate), false);
  hash_records("globals", globals_columns(), sizeof(Globals), false);
  comm.sum(std::span(sums));
  h5.close();

  StateHash result;
  for (std::size_t k = 0; k < names.size(); ++k) {
    result.parts[names[k]] = sums[k];
    result.whole += mix64(sums[k] ^ hash_name(names[k]));
  }
  return result;
}

}  // namespace craton::io
