#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_check.hpp"
#include "io/checkpoint_layout.hpp"
#include "io/crc32c.hpp"
#include "par/exchange.hpp"

namespace craton::io {

namespace {

void check_world(const Manifest& m, const State& state) {
  const auto differ = [](const std::string& what, const std::string& theirs, const std::string& ours) {
    throw Error(ExitCode::bad_input, "the checkpoint is of another world: " + what + " " + theirs + ", here " + ours);
  };
  const std::int64_t n = state.mesh().grid().frequency(), climate = state.climate_mesh().grid().frequency();
  if (m.frequency != n) differ("frequency", std::to_string(m.frequency), std::to_string(n));
  if (m.climate_frequency != climate) {
    differ("climate frequency", std::to_string(m.climate_frequency), std::to_string(climate));
  }
  if (m.radius_m != state.mesh().radius_m()) {
    differ("radius", log::format("%.17g m", m.radius_m), log::format("%.17g m", state.mesh().radius_m()));
  }
  for (const FieldId id : state.fields()) {
    if (field_info(id).kind == Kind::saved && m.find(dataset_path(field_info(id))) == nullptr) {
      throw Error(ExitCode::bad_input, std::string("the checkpoint has no field ") + field_info(id).name +
                                           ", which a pass of this run reads: was that pass off before?");
    }
  }
}

class Reader {
 public:
  Reader(State& state, const std::string& directory, std::size_t transfer_bytes)
      : state_(state), comm_(state.mesh().comm()), directory_(directory), transfer_bytes_(transfer_bytes) {}

  CheckpointInfo run() {
    load_manifest();
    ParallelFile h5(comm_, directory_ + "/state.h5", ParallelFile::Mode::read, transfer_bytes_);
    for (const DatasetEntry& entry : manifest_.datasets) {
      const auto slash = entry.path.find('/');
      if (entry.path.starts_with("cells/") || entry.path.starts_with("climate_cells/")) {
        read_field(h5, entry, find_field(entry.path.substr(slash + 1)));
      }
    }
    std::vector<Parcel> parcels = read_records<Parcel>(h5, "parcels", parcel_columns(), false);
    state_.crust.plates = read_records<Plate>(h5, "plates", plate_columns(), true);
    state_.globals = read_records<Globals>(h5, "globals", globals_columns(), true).at(0);
    std::string ledger;
    const DatasetEntry& text = *manifest_.find("ledger/text");
    ledger.resize(static_cast<std::size_t>(text.rows));
    read_rows(h5, text, {text.rows, 1, 0, text.rows}, ledger.data(), true);
    h5.close();
    check_data();
    distribute(std::move(parcels));
    comm_.together([&] { state_.ledger.restore(ledger); });
    check_hash();
    return {directory_,           checkpoint_name(manifest_.step),
            manifest_.step,       manifest_.time_yr,
            manifest_.state_hash, manifest_.file_bytes};
  }

 private:
  void load_manifest() {
    std::string json;
    comm_.together([&] {
      if (!comm_.is_root()) return;
      const Manifest m = read_manifest(directory_);
      check_shapes(m);
      check_world(m, state_);
      check_structure(directory_ + "/state.h5", m);
      json = to_json(m);
    });
    comm_.broadcast(json);
    manifest_ = parse_manifest(json);
  }

  // shared: every rank reads the whole dataset, and rank 0's CRC counts.
  void read_rows(ParallelFile& h5, const DatasetEntry& entry, const Slab& slab, void* values, bool shared) {
    h5.read(entry.path, entry.type, slab, values);
    const std::int64_t bytes = slab.count * slab.columns * static_cast<std::int64_t>(element_bytes(entry.type));
    const bool counts = !shared || comm_.is_root();
    crcs_[entry.path] = {counts ? crc32c(values, static_cast<std::size_t>(bytes)) : 0, counts ? bytes : 0};
  }

  void read_field(ParallelFile& h5, const DatasetEntry& entry, FieldId id) {
    if (!state_.has(id)) {
      log::warn("checkpoint", "the checkpoint's field " + entry.path + " is left out: no pass of this run has it");
      std::vector<std::byte> scratch;
      const Slab slab = even_slab(entry, comm_.rank(), comm_.size());
      scratch.resize(static_cast<std::size_t>(slab.count * slab.columns) * element_bytes(entry.type));
      read_rows(h5, entry, slab, scratch.data(), false);
      return;
    }
    const Mesh& mesh = state_.mesh_of(id);
    const Slab slab{entry.rows, entry.columns, mesh.partition().begin(mesh.comm().rank()), mesh.n_owned()};
    read_rows(h5, entry, slab, owned_values(state_, id), false);
    state_.mark_written(id);
  }

  template <class T>
  std::vector<T> read_records(ParallelFile& h5, const std::string& group, std::span<const RecordColumn> columns,
                              bool shared) {
    std::vector<T> records;
    std::vector<std::byte> values;
    for (const RecordColumn& c : columns) {
      const DatasetEntry& entry = *manifest_.find(group + "/" + c.name);
      const Slab slab =
          shared ? Slab{entry.rows, entry.columns, 0, entry.rows} : even_slab(entry, comm_.rank(), comm_.size());
      records.resize(static_cast<std::size_t>(slab.count));
      values.resize(records.size() * c.bytes());
      read_rows(h5, entry, slab, values.data(), shared);
      scatter_column(c, records.data(), sizeof(T), records.size(), values.data());
    }
    return records;
  }

  void check_data() {
    std::vector<std::uint32_t> crcs;
    std::vector<std::int64_t> sizes;
    for (const DatasetEntry& entry : manifest_.datasets) {
      // A dataset outside the known groups is in nobody's hands; its CRC is the one of find_checkpoint.
      const auto it = crcs_.find(entry.path);
      crcs.push_back(it == crcs_.end() ? (comm_.is_root() ? entry.crc32c : 0) : it->second.first);
      sizes.push_back(it == crcs_.end() ? (comm_.is_root() ? entry.bytes() : 0) : it->second.second);
    }
    check_crcs(manifest_, combine_crcs(comm_, crcs, sizes));
  }

  void distribute(std::vector<Parcel> slab) {
    const Mesh& mesh = state_.mesh();
    comm_.together([&] {
      for (const Parcel& p : slab) {
        if (p.cell < 0 || p.cell >= mesh.global_count()) {
          throw Error(ExitCode::bad_input, "parcel " + std::to_string(p.id) + " is in no cell of this mesh");
        }
      }
    });
    std::map<int, std::vector<Parcel>> by_owner;
    for (const Parcel& p : slab) by_owner[mesh.owner(GlobalId{p.cell})].push_back(p);
    slab = {};
    std::vector<std::pair<int, std::vector<Parcel>>> outgoing;
    for (auto& [rank, list] : by_owner) outgoing.emplace_back(rank, std::move(list));
    std::vector<Parcel>& parcels = state_.crust.parcels;
    parcels = par::exchange_items(comm_, outgoing);
    std::sort(parcels.begin(), parcels.end(),
              [](const Parcel& a, const Parcel& b) { return a.cell != b.cell ? a.cell < b.cell : a.id < b.id; });
  }

  void check_hash() {
    const StateHash hash = state_hash(state_);
    for (const auto& [part, value] : hash.parts) {
      const auto promised = manifest_.part_hashes.find(part);
      const std::string wanted = promised == manifest_.part_hashes.end() ? "nothing" : promised->second;
      if (to_hex(value) != wanted) {
        throw Error(ExitCode::bad_input,
                    directory_ + ": the hash of " + part + " is " + to_hex(value) + ", the manifest says " + wanted);
      }
    }
  }

  State& state_;
  const par::Comm& comm_;
  std::string directory_;
  std::size_t transfer_bytes_;
  Manifest manifest_;
  std::map<std::string, std::pair<std::uint32_t, std::int64_t>>
      crcs_;  // by dataset: of this rank's rows, and their bytes
};

}  // namespace

CheckpointInfo read_checkpoint(State& state, const std::string& checkpoint_dir, std::size_t transfer_bytes) {
  return Reader(state, checkpoint_dir, transfer_bytes).run();
}

}  // namespace craton::io
