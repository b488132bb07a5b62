#pragma once
// How the state lies in state.h5: which datasets, of what shape, and how records (parcels, plates, globals) split into
// columns. Shared by writer, reader and checks. Local unless said.
//
//   cells/<field>           [cells] or [cells, components]     saved fields of the surface mesh, by global id
//   climate_cells/<field>   the same on the climate mesh
//   parcels/<member>        [parcels] or [parcels, 3]          sorted by (cell, id)
//   plates/<member>, globals/<member>, ledger/text             written by rank 0
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5_file.hpp"
#include "io/manifest.hpp"
#include "state/state.hpp"
#include "state/state_hash.hpp"

namespace craton::io {

/// A member of a record: every byte of the record belongs to one column, so that nothing is lost.
struct RecordColumn {
  const char* name;
  ElementType type;
  int columns;
  std::size_t offset;
  std::size_t bytes() const { return element_bytes(type) * static_cast<std::size_t>(columns); }
};
std::span<const RecordColumn> parcel_columns();
std::span<const RecordColumn> plate_columns();
std::span<const RecordColumn> globals_columns();

/// Copies one column out of records, or into them.
void gather_column(const RecordColumn& column, const void* records, std::size_t record_bytes, std::size_t count,
                   std::byte* values);
void scatter_column(const RecordColumn& column, void* records, std::size_t record_bytes, std::size_t count,
                    const std::byte* values);

/// Path of a field's dataset, and the type and size of its values.
std::string dataset_path(const FieldInfo& field);
ElementType dataset_type(const FieldInfo& field);
/// Start of the owned values of a field (n_owned * components of them).
const void* owned_values(const State& state, FieldId id);
void* owned_values(State& state, FieldId id);

/// One dataset in the hands of this rank: what it is globally and which rows lie here. fetch returns the rows' bytes,
/// possibly in scratch.
struct Source {
  DatasetEntry entry;
  Slab slab;
  std::function<const void*(std::vector<std::byte>& scratch)> fetch;
};
/// All datasets of a state in the order of writing. Collective. The state must outlive the list.
std::vector<Source> sources_of(const State& state, const std::string& ledger_text);

/// Rows of a table of `total` that rank r of `ranks` handles where nobody owns them by nature.
Slab even_slab(const DatasetEntry& entry, int rank, int ranks);

/// Checks the manifest against what a checkpoint of its own frequencies must contain (shapes, types, known fields).
/// Error(bad_input).
void check_shapes(const Manifest& manifest);

/// Hash of a checkpoint's data, read slab by slab. Collective.
StateHash hash_of_file(const par::Comm& comm, const std::string& file, const Manifest& manifest,
                       std::size_t transfer_bytes);

}  // namespace craton::io
