// Damaged checkpoints are refused with a reason, and the search falls back to the one before.
#include <hdf5.h>

#include <filesystem>
#include <fstream>

#include "io/checkpoint.hpp"
#include "io/checkpoint_check.hpp"
#include "io/commands.hpp"
#include "io/run_directory.hpp"
#include "world.hpp"

namespace craton::io {
namespace {

namespace fs = std::filesystem;
using test::fill;
using test::Scratch;
using test::World;

void write_two(const par::Comm& comm, const std::string& run) {
  World w(comm, 4, test::usual_cut);
  for (const std::int64_t step : {1, 2}) {
    fill(w.state, step);
    CheckpointOptions options;
    options.config_yaml = "seed: 1\n";
    write_checkpoint(w.state, {}, run, options);
  }
}

void flip_byte(const std::string& path, std::int64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(at);
  const char byte = static_cast<char>(file.get() ^ 0x10);
  file.seekp(at);
  file.put(byte);
}

// Where the values of a dataset lie in the file.
std::int64_t offset_of(const std::string& file, const char* dataset) {
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(h5, dataset, H5P_DEFAULT);
  const auto offset = static_cast<std::int64_t>(H5Dget_offset(d));
  H5Dclose(d);
  H5Fclose(h5);
  return offset;
}

void seal(const std::string& directory, const std::string& manifest) {
  atomic_write(directory + "/manifest.json", manifest);
  atomic_write(directory + "/COMMITTED", marker_text(manifest));
}

void relink(const std::string& file, const std::string& to_file) {
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(h5, "cells/elevation_m", H5P_DEFAULT);
  H5Lcreate_external(to_file.c_str(), "cells/elevation_m", h5, "cells/elevation_m", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(h5);
}

struct Damage {
  const char* name;
  const char* reason;  // a word of the message
  std::function<void(const std::string& directory)> act;
};

const std::vector<Damage>& damages() {
  static const std::vector<Damage> list = {
      {"no marker", "marker", [](const std::string& d) { fs::remove(d + "/COMMITTED"); }},
      {"empty marker", "marker", [](const std::string& d) { std::ofstream(d + "/COMMITTED").flush(); }},
      {"no manifest", "manifest", [](const std::string& d) { fs::remove(d + "/manifest.json"); }},
      {"manifest changed", "marker", [](const std::string& d) { flip_byte(d + "/manifest.json", 60); }},
      {"manifest cut", "marker", [](const std::string& d) { fs::resize_file(d + "/manifest.json", 100); }},
      {"no data", "state.h5", [](const std::string& d) { fs::remove(d + "/state.h5"); }},
      {"data cut", "bytes", [](const std::string& d) { fs::resize_file(d + "/state.h5", 5000); }},
      {"data longer", "bytes",
       [](const std::string& d) {
         fs::resize_file(d + "/state.h5", static_cast<std::uintmax_t>(fs::file_size(d + "/state.h5") + 1));
       }},
      {"not HDF5", "HDF5", [](const std::string& d) { flip_byte(d + "/state.h5", 1); }},
      {"one bit of a field", "CRC of cells/elevation_m",
       [](const std::string& d) { flip_byte(d + "/state.h5", offset_of(d + "/state.h5", "cells/elevation_m") + 100); }},
      {"one bit of a parcel", "CRC of parcels/elevation_m",
       [](const std::string& d) { flip_byte(d + "/state.h5", offset_of(d + "/state.h5", "parcels/elevation_m") + 9); }},
      {"one bit of the globals", "CRC of globals/sea_level_m",
       [](const std::string& d) { flip_byte(d + "/state.h5", offset_of(d + "/state.h5", "globals/sea_level_m")); }},
      {"one bit of the books", "CRC of ledger/text",
       [](const std::string& d) { flip_byte(d + "/state.h5", offset_of(d + "/state.h5", "ledger/text")); }},
      {"a field in another file", "link",
       [](const std::string& d) {
         relink(d + "/state.h5", "../ckpt-00001/state.h5");
         Manifest m = read_manifest(d);
         m.file_bytes = static_cast<std::int64_t>(fs::file_size(d + "/state.h5"));
         seal(d, to_json(m));
       }},
      {"a manifest that promises more rows", "shape",
       [](const std::string& d) {
         Manifest m = read_manifest(d);
         for (DatasetEntry& e : m.datasets) {
           if (e.path.starts_with("parcels/")) e.rows = std::int64_t{1} << 39;
         }
         seal(d, to_json(m));
       }},
      {"a manifest without a field of the parcels", "missing",
       [](const std::string& d) {
         Manifest m = read_manifest(d);
         std::erase_if(m.datasets, [](const DatasetEntry& e) { return e.path == "parcels/plate"; });
         seal(d, to_json(m));
       }},
  };
  return list;
}

TEST(DamagedCheckpoint, IsRefusedWithItsReasonAndTheOneBeforeIsTaken) {
  const par::Comm comm = test::world();
  for (const Damage& damage : damages()) {
    const Scratch scratch(comm);
    write_two(comm, scratch.run());
    const std::string newest = scratch.run() + "/checkpoints/ckpt-00002";
    if (comm.is_root()) damage.act(newest);
    comm.barrier();
    EXPECT_THAT(reason_to_reject(comm, newest, true), testing::HasSubstr(damage.reason)) << damage.name;
    EXPECT_EQ(fs::path(find_checkpoint(comm, scratch.run(), "auto")).filename(), "ckpt-00001") << damage.name;
    World w(comm, 4, test::usual_cut);
    EXPECT_THROW(read_checkpoint(w.state, newest), Error) << damage.name;
    try {
      find_checkpoint(comm, scratch.run(), "2");
      ADD_FAILURE() << damage.name;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::no_checkpoint) << damage.name;
    }
  }
}

TEST(DamagedCheckpoint, WithARightCrcAndAWrongHashIsRefusedByTheReader) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  write_two(comm, scratch.run());
  const std::string newest = scratch.run() + "/checkpoints/ckpt-00002";
  if (comm.is_root()) {
    Manifest m = read_manifest(newest);
    m.part_hashes["sediment_m"] = "0000000000000001";
    m.state_hash = "0000000000000002";
    seal(newest, to_json(m));
  }
  comm.barrier();
  World w(comm, 4, test::usual_cut);
  EXPECT_THROW(read_checkpoint(w.state, newest), Error);
  EXPECT_EQ(verify_checkpoint(comm, newest), 4);
}

TEST(DamagedCheckpoint, NoneAtAllIsExitCodeFour) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  try {
    find_checkpoint(comm, scratch.run(), "auto");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::no_checkpoint);
  }
}

// Rank 0's standard output of a command.
std::string output_of(const par::Comm& comm, const std::function<int()>& command, int expected) {
  if (comm.is_root()) testing::internal::CaptureStdout();
  const int code = command();
  std::string text = comm.is_root() ? testing::internal::GetCapturedStdout() : "";
  comm.broadcast(text);
  EXPECT_EQ(code, expected) << text;
  return text;
}

TEST(Commands, SayWhatIsThere) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  const std::string run = scratch.run();
  write_two(comm, run);
  const Manifest m = read_manifest(run + "/checkpoints/ckpt-00002");

  for (const std::string& path : {run, run + "/checkpoints/ckpt-00002", run + "/checkpoints/ckpt-00002/state.h5"}) {
    for (const bool verify : {false, true}) {
      const std::string text = output_of(
          comm, [&] { return print_hash(comm, path, verify); }, 0);
      EXPECT_EQ(text.substr(0, 17), m.state_hash + " ");
      EXPECT_THAT(text, testing::HasSubstr(m.part_hashes.at("elevation_m") + "  elevation_m\n"));
    }
  }
  EXPECT_THAT(output_of(
                  comm, [&] { return list_checkpoints(comm, run); }, 0),
              testing::HasSubstr(m.state_hash + "  committed"));
  EXPECT_THAT(output_of(
                  comm, [&] { return verify_checkpoint(comm, run); }, 0),
              testing::HasSubstr("ckpt-00001  valid"));

  const std::string first = run + "/checkpoints/ckpt-00001";
  EXPECT_THAT(output_of(
                  comm, [&] { return diff(comm, run, run); }, 0),
              testing::Not(testing::HasSubstr("differs")));
  const std::string text = output_of(
      comm, [&] { return diff(comm, first, run); }, 1);  // only the step and time differ
  EXPECT_THAT(text, testing::ContainsRegex("globals/step +differs +1 +0.5 +1 +0"));
  EXPECT_THAT(text, testing::ContainsRegex("cells/elevation_m +equal"));

  EXPECT_THROW(print_hash(comm, scratch.path() + "/none"), Error);
  output_of(
      comm, [&] { return print_status(comm, run); }, 4);
}

}  // namespace
}  // namespace craton::io
