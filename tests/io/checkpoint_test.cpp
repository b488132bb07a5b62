// Checkpoints come back bit for bit on any number of ranks, and every failure keeps the older one.
#include "io/checkpoint.hpp"

#include <sys/resource.h>

#include <filesystem>

#include "io/checkpoint_check.hpp"
#include "io/run_directory.hpp"
#include "world.hpp"

namespace craton::io {
namespace {

namespace fs = std::filesystem;
using test::fill;
using test::on_first;
using test::Scratch;
using test::World;

CheckpointOptions options_for_test() {
  CheckpointOptions o;
  o.git_hash = "abc";
  o.config_yaml = "seed: 1\n";
  o.job_id = "test";
  return o;
}

/// Writes the state of a step on these ranks and returns its hash. Collective on comm.
std::string write_step(const par::Comm& comm, const std::string& run, std::int64_t step, const test::Cut& cut,
                       const CheckpointOptions& options, std::int64_t keep = 3) {
  World w(comm, 8, cut);
  fill(w.state, step);
  config::Parameters p;
  p.checkpoint.keep = keep;
  return write_checkpoint(w.state, p, run, options).state_hash;
}

std::string read_hash(const par::Comm& comm, const std::string& path, const test::Cut& cut,
                      std::size_t transfer_bytes) {
  World w(comm, 8, cut);
  read_checkpoint(w.state, path, transfer_bytes);
  World expected(comm, 8, cut);
  fill(expected.state, w.state.globals.step);
  // Not only the hash: every value, in its place.
  for (const FieldId id : w.state.fields()) {
    if (field_info(id).kind != Kind::saved || field_info(id).is_integer) continue;
    const auto count =
        static_cast<std::size_t>(w.state.mesh_of(id).n_owned()) * static_cast<std::size_t>(field_info(id).components);
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_EQ(w.state.real(RealField{id})(k), expected.state.real(RealField{id})(k)) << field_info(id).name;
    }
  }
  const auto& a = w.state.crust.parcels;
  const auto& b = expected.state.crust.parcels;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) EXPECT_EQ(std::memcmp(&a[k], &b[k], sizeof a[k]), 0);
  EXPECT_EQ(w.state.crust.plates.size(), 7U);
  EXPECT_EQ(w.state.globals.water_volume_m3, expected.state.globals.water_volume_m3);
  return to_hex(state_hash(w.state).whole);
}

// mission: restart on any rank count (operations, public report 5, 7, 8)
TEST(Checkpoint, WrittenOnSomeRanksIsReadOnOthersBitForBit) {
  const par::Comm all = test::world();
  const Scratch scratch(all);
  int number = 0;
  std::string reference, reference_manifest;
  for (int writers = 1; writers <= all.size(); ++writers) {
    for (const std::uint64_t variant : {1, 2, 3}) {
      const std::string run = scratch.run() + std::to_string(number++);
      CheckpointOptions options = options_for_test();
      options.transfer_bytes = variant == 2 ? 999 : std::size_t{1} << 30;  // many pieces, not a multiple of a row
      on_first(all, writers, [&](const par::Comm& comm) {
        const std::string hash = write_step(comm, run, 4, test::uneven_cut(variant), options);
        if (reference.empty()) reference = hash;
        EXPECT_EQ(hash, reference);
      });
      // The same datasets with the same CRCs whoever wrote them.
      if (all.is_root()) {
        const std::string manifest = read_text(run + "/checkpoints/ckpt-00004/manifest.json");
        if (reference_manifest.empty()) reference_manifest = manifest;
        EXPECT_EQ(manifest, reference_manifest);
      }
      for (const int readers : {1, 2, all.size()}) {
        if (readers > all.size()) continue;
        on_first(all, readers, [&](const par::Comm& comm) {
          const std::string path = find_checkpoint(comm, run, "auto");
          const std::string hash = read_hash(comm, path, test::uneven_cut(variant + 1), variant == 3 ? 777 : 1 << 30);
          if (!reference.empty()) {
            EXPECT_EQ(hash, reference);
          }
        });
      }
    }
  }
}

TEST(Checkpoint, LedgerAndGlobalsSurvive) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  World w(comm, 4, test::usual_cut);
  fill(w.state, 2);
  ExactSum before, after, moved;
  before += 1.0 + comm.rank();
  after += 2.0 + comm.rank();
  moved += 1.0;
  w.state.ledger.stock_before(Balance::rock, before);
  w.state.ledger.stock_after(Balance::rock, after);
  w.state.ledger.book(Balance::rock, "spreading", moved);
  w.state.ledger.close(comm);
  const CheckpointInfo info = write_checkpoint(w.state, {}, scratch.run(), options_for_test());
  World other(comm, 4, test::uneven_cut(5));
  read_checkpoint(other.state, info.path);
  EXPECT_EQ(other.state.ledger.serialize(), w.state.ledger.serialize());
  EXPECT_EQ(other.state.globals.seed, w.state.globals.seed);
  EXPECT_EQ(other.state.globals.time_yr, w.state.globals.time_yr);
}

TEST(Checkpoint, OfAnotherWorldIsRefused) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  write_step(comm, scratch.run(), 1, test::usual_cut, options_for_test());
  const std::string path = scratch.run() + "/checkpoints/ckpt-00001";
  World other_size(comm, 4, test::usual_cut);
  EXPECT_THROW(read_checkpoint(other_size.state, path), Error);
  World other_radius(comm, 8, test::usual_cut, test::all_fields(), 3e6);
  EXPECT_THROW(read_checkpoint(other_radius.state, path), Error);
  World fewer(comm, 8, test::usual_cut, {fields::elevation_m.id, fields::plate.id});
  EXPECT_NO_THROW(read_checkpoint(fewer.state, path));  // with a warning for each field left out
}

TEST(Checkpoint, AskedForTwiceInAStepIsWrittenOnce) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  int files_made = 0;
  CheckpointOptions options = options_for_test();
  options.hook = [&](ProtocolPoint p) { files_made += p == ProtocolPoint::file_created ? 1 : 0; };
  write_step(comm, scratch.run(), 1, test::usual_cut, options);
  write_step(comm, scratch.run(), 1, test::usual_cut, options);
  EXPECT_EQ(files_made, 1);
  // The same step with other content (changed settings): the old one is kept aside.
  options.config_yaml = "seed: 2\n";
  write_step(comm, scratch.run(), 1, test::usual_cut, options);
  EXPECT_EQ(files_made, 2);
  if (comm.is_root()) {
    EXPECT_TRUE(fs::exists(scratch.run() + "/checkpoints/ckpt-00001.old-1/state.h5"));
    EXPECT_EQ(read_text(scratch.run() + "/checkpoints/LATEST"), "ckpt-00001\n");
  }
}

TEST(Checkpoint, RetentionKeepsTheNewestTheMilestonesAndTheOneResumedFrom) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  CheckpointOptions options = options_for_test();
  options.keep_every_steps = 4;
  options.resumed_from_step = 2;
  for (std::int64_t step = 1; step <= 9; ++step) write_step(comm, scratch.run(), step, test::usual_cut, options, 2);
  if (comm.is_root()) {
    std::string left;
    for (std::int64_t step = 1; step <= 9; ++step) {
      if (fs::exists(scratch.run() + "/checkpoints/" + checkpoint_name(step))) left += std::to_string(step) + " ";
    }
    EXPECT_EQ(left, "2 4 8 9 ");
  }
}

struct Killed {};

// mission: operations, public reports 1 and 2: at every point of the protocol a valid checkpoint remains
TEST(Checkpoint, StoppedAtAnyPointOfTheProtocolLeavesAValidOne) {
  const par::Comm comm = test::world();
  for (int point = 0; point < protocol_point_count; ++point) {
    const Scratch scratch(comm);
    write_step(comm, scratch.run(), 1, test::usual_cut, options_for_test(), 1);
    CheckpointOptions options = options_for_test();
    options.hook = [&](ProtocolPoint p) {
      if (static_cast<int>(p) == point) throw Killed{};
    };
    EXPECT_THROW(write_step(comm, scratch.run(), 2, test::usual_cut, options, 1), Killed);
    const bool committed = point >= static_cast<int>(ProtocolPoint::committed);
    const std::string found = find_checkpoint(comm, scratch.run(), "auto");
    EXPECT_EQ(fs::path(found).filename(), committed ? "ckpt-00002" : "ckpt-00001") << point;
    read_hash(comm, found, test::usual_cut, 1 << 30);
    // And the next attempt succeeds and tidies up.
    write_step(comm, scratch.run(), 2, test::usual_cut, options_for_test(), 1);
    EXPECT_EQ(fs::path(find_checkpoint(comm, scratch.run(), "auto")).filename(), "ckpt-00002") << point;
    if (comm.is_root()) {
      for (const auto& entry : fs::directory_iterator(scratch.run() + "/checkpoints")) {
        EXPECT_EQ(entry.path().string().find(".part-"), std::string::npos) << entry.path();
      }
    }
  }
}

// mission: operations, public report 18: a full disk is an I/O failure with exit code 6, the old checkpoint stays valid
TEST(Checkpoint, FileSizeLimitIsAnIoErrorOnAllRanksAndKeepsTheOldOne) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  write_step(comm, scratch.run(), 1, test::usual_cut, options_for_test());
  for (const ProtocolPoint when :
       {ProtocolPoint::space_checked, ProtocolPoint::file_created, ProtocolPoint::data_written}) {
    for (const rlim_t limit : {rlim_t{0}, rlim_t{5000}, rlim_t{100000}}) {
      rlimit old{};
      getrlimit(RLIMIT_FSIZE, &old);
      CheckpointOptions options = options_for_test();
      options.hook = [&](ProtocolPoint p) {
        if (p != when) return;
        rlimit small = old;
        small.rlim_cur = limit;
        setrlimit(RLIMIT_FSIZE, &small);
      };
      ExitCode code = ExitCode::finished;
      try {
        write_step(comm, scratch.run(), 2, test::usual_cut, options);
      } catch (const Error& e) {
        code = e.code();
      }
      setrlimit(RLIMIT_FSIZE, &old);
      // Data that is already in the file may have passed: then the file is whole.
      const bool whole = code == ExitCode::finished && when == ProtocolPoint::data_written;
      EXPECT_TRUE(code == ExitCode::io || whole) << static_cast<int>(when) << " " << limit;
      const std::string found = fs::path(find_checkpoint(comm, scratch.run(), "auto")).filename();
      EXPECT_EQ(found, whole ? "ckpt-00002" : "ckpt-00001");
    }
  }
  // A limit from the start is seen before anything is written.
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = old;
  small.rlim_cur = 100000;
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(write_step(comm, scratch.run(), 3, test::usual_cut, options_for_test()), Error);
  setrlimit(RLIMIT_FSIZE, &old);
  write_step(comm, scratch.run(), 3, test::usual_cut, options_for_test());
  EXPECT_EQ(reason_to_reject(comm, scratch.run() + "/checkpoints/ckpt-00003", true), "");
}

TEST(Checkpoint, DirectoryThatCannotBeMadeIsAnErrorOnAllRanks) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  if (comm.is_root()) atomic_write(scratch.path() + "/run", "a file where the run should be");
  comm.barrier();
  EXPECT_THROW(write_step(comm, scratch.run(), 1, test::usual_cut, options_for_test()), Error);
}

}  // namespace
}  // namespace craton::io
