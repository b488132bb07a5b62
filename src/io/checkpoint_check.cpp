#include "io/checkpoint_check.hpp"

#include <filesystem>
#include <map>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/atomic_file.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_layout.hpp"
#include "io/crc32c.hpp"
#include "io/run_directory.hpp"

namespace craton::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void reject(const std::string& why) {
  throw Error(ExitCode::bad_input, why);
}

void check_hard_links(hid_t file, const std::string& path) {
  // Every part of the path, so that no soft or external link is followed.
  for (std::size_t at = path.find('/');; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    H5L_info_t info;
    if (H5Lget_info(file, part.c_str(), &info, H5P_DEFAULT) < 0) reject("state.h5 has no " + part);
    if (info.type != H5L_TYPE_HARD) reject("state.h5: " + part + " is a link to somewhere else");
    if (at == std::string::npos) return;
  }
}

void check_dataset(hid_t file, const DatasetEntry& entry) {
  check_hard_links(file, entry.path);
  const Hid dataset(H5Dopen2(file, entry.path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) reject("state.h5: cannot open " + entry.path);
  const Hid creation(H5Dget_create_plist(dataset.get()), H5Pclose);
  if (!creation.valid() || H5Pget_layout(creation.get()) != H5D_CONTIGUOUS ||
      H5Pget_external_count(creation.get()) != 0 || H5Pget_nfilters(creation.get()) != 0) {
    reject("state.h5: " + entry.path + " is not stored plainly");
  }
  const Hid type(H5Dget_type(dataset.get()), H5Tclose), space(H5Dget_space(dataset.get()), H5Sclose);
  if (H5Tequal(type.get(), native_type(entry.type)) <= 0) reject("state.h5: " + entry.path + " has another type");
  hsize_t dims[2] = {0, 1};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank != (entry.columns == 1 ? 1 : 2)) reject("state.h5: " + entry.path + " has another rank");
  H5Sget_simple_extent_dims(space.get(), dims, nullptr);
  if (static_cast<std::int64_t>(dims[0]) != entry.rows || static_cast<std::int64_t>(dims[1]) != entry.columns) {
    reject("state.h5: " + entry.path + " has another shape");
  }
  if (entry.rows > 0 && static_cast<std::int64_t>(H5Dget_storage_size(dataset.get())) != entry.bytes()) {
    reject("state.h5: " + entry.path + " is not stored as a whole");
  }
}

}  // namespace

std::string checkpoints_dir(const std::string& run_dir) {
  return run_dir + "/checkpoints";
}

std::string checkpoint_name(std::int64_t step) {
  return log::format("ckpt-%05lld", static_cast<long long>(step));
}

std::string marker_text(const std::string& manifest_json) {
  return log::format("craton checkpoint\nmanifest.json %zu bytes crc32c %08x\n", manifest_json.size(),
                     static_cast<unsigned>(crc32c(manifest_json)));
}

Manifest read_manifest(const std::string& checkpoint_dir) {
  if (!fs::exists(checkpoint_dir)) reject("there is no " + checkpoint_dir);
  if (!fs::exists(checkpoint_dir + "/COMMITTED")) reject("not committed (no marker file)");
  if (!fs::exists(checkpoint_dir + "/manifest.json")) reject("no manifest.json");
  const std::string json = read_text(checkpoint_dir + "/manifest.json", std::size_t{16} << 20);
  if (read_text(checkpoint_dir + "/COMMITTED", 4096) != marker_text(json)) {
    reject("manifest.json does not match the marker (CRC)");
  }
  return parse_manifest(json);
}

void check_structure(const std::string& file, const Manifest& manifest) {
  if (!fs::exists(file)) reject("no state.h5");
  const std::int64_t size = file_size(file);
  if (size != manifest.file_bytes) {
    reject("state.h5 has " + std::to_string(size) + " bytes, expected " + std::to_string(manifest.file_bytes));
  }
  prepare_hdf5();
  const Hid h5(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!h5.valid()) reject("state.h5 is no HDF5 file: " + hdf5_reason());
  for (const DatasetEntry& entry : manifest.datasets) check_dataset(h5.get(), entry);
}

std::vector<std::uint32_t> crcs_of_file(const par::Comm& comm, const std::string& file, const Manifest& manifest,
                                        std::size_t transfer_bytes) {
  ParallelFile h5(comm, file, ParallelFile::Mode::read, transfer_bytes);
  std::vector<std::uint32_t> crcs;
  std::vector<std::int64_t> sizes;
  std::vector<std::byte> values;
  for (const DatasetEntry& entry : manifest.datasets) {
    const Slab slab = even_slab(entry, comm.rank(), comm.size());
    values.resize(static_cast<std::size_t>(slab.count * slab.columns) * element_bytes(entry.type));
    h5.read(entry.path, entry.type, slab, values.data());
    crcs.push_back(crc32c(values.data(), values.size()));
    sizes.push_back(static_cast<std::int64_t>(values.size()));
  }
  h5.close();
  return combine_crcs(comm, crcs, sizes);
}

void check_crcs(const Manifest& manifest, const std::vector<std::uint32_t>& found) {
  for (std::size_t k = 0; k < manifest.datasets.size(); ++k) {
    if (found[k] != manifest.datasets[k].crc32c)
      reject("CRC of " + manifest.datasets[k].path + " is wrong: the data are damaged");
  }
}

std::string reason_to_reject(const par::Comm& comm, const std::string& checkpoint_dir, bool full) {
  try {
    std::string json;
    comm.together([&] {
      if (!comm.is_root()) return;
      const Manifest manifest = read_manifest(checkpoint_dir);
      check_shapes(manifest);
      check_structure(checkpoint_dir + "/state.h5", manifest);
      json = to_json(manifest);
    });
    if (!full) return {};
    comm.broadcast(json);
    const Manifest manifest = parse_manifest(json);
    check_crcs(manifest, crcs_of_file(comm, checkpoint_dir + "/state.h5", manifest, std::size_t{1} << 30));
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

std::string find_checkpoint(const par::Comm& comm, const std::string& run_dir, const std::string& which) {
  const std::string directory = checkpoints_dir(run_dir);
  std::string candidates;  // newest first, one per line
  comm.together([&] {
    if (!comm.is_root()) return;
    const std::vector<std::int64_t> steps = numbered_entries(directory, "ckpt-");
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (which == "auto" || which == std::to_string(*step)) candidates += checkpoint_name(*step) + "\n";
    }
  });
  comm.broadcast(candidates);
  std::string rejected;
  for (std::size_t at = 0; at < candidates.size();) {
    const std::size_t end = candidates.find('\n', at);
    const std::string name = candidates.substr(at, end - at);
    const std::string reason = reason_to_reject(comm, directory + "/" + name, true);
    if (reason.empty()) return directory + "/" + name;
    log::warn("checkpoint", "checkpoint " + name + " rejected: " + reason);
    rejected += "\n  " + name + ": " + reason;
    at = end + 1;
  }
  throw Error(ExitCode::no_checkpoint, "no valid checkpoint" + (which == "auto" ? "" : " of step " + which) + " in " +
                                           directory + (rejected.empty() ? "" : "; rejected:" + rejected));
}

}  // namespace craton::io
