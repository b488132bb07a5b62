// The run directory: one run at a time, nothing deleted, reports that are whole.
#include "io/run_directory.hpp"

#include <filesystem>
#include <fstream>
#include <memory>

#include "io/checkpoint.hpp"
#include "io/commands.hpp"
#include "world.hpp"

namespace craton::io {
namespace {

namespace fs = std::filesystem;
using test::Scratch;

ExitCode code_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& e) {
    return e.code();
  }
  return ExitCode::finished;
}

void commit_one(const par::Comm& comm, const std::string& run) {
  test::World w(comm, 4, test::usual_cut);
  test::fill(w.state, 1);
  write_checkpoint(w.state, {}, run, {});
}

TEST(RunDirectory, IsHeldByOneRunAtATime) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  auto first = std::make_unique<RunDirectory>(comm, scratch.run(), StartMode::create);
  EXPECT_EQ(first->attempt(), 1);
  for (const StartMode mode : {StartMode::create, StartMode::resume, StartMode::fresh}) {
    EXPECT_EQ(code_of([&] { RunDirectory second(comm, scratch.run(), mode); }), ExitCode::directory_in_use);
  }
  first.reset();
  const RunDirectory again(comm, scratch.run() + "/", StartMode::create);
  EXPECT_EQ(again.attempt(), 2);
  EXPECT_EQ(again.log_path(), scratch.run() + "/log/run.2.log");
}

TEST(RunDirectory, WithCheckpointsAsksForResumeOrFresh) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  EXPECT_EQ(code_of([&] { RunDirectory d(comm, scratch.run(), StartMode::resume); }), ExitCode::no_checkpoint);
  { const RunDirectory d(comm, scratch.run(), StartMode::create); }
  commit_one(comm, scratch.run());
  EXPECT_EQ(code_of([&] { RunDirectory d(comm, scratch.run(), StartMode::create); }), ExitCode::usage);
  EXPECT_EQ(code_of([&] { RunDirectory d(comm, scratch.run(), StartMode::resume); }), ExitCode::finished);
  const RunDirectory fresh(comm, scratch.run(), StartMode::fresh);
  if (comm.is_root()) {
    EXPECT_FALSE(has_checkpoints(scratch.run()));
    EXPECT_TRUE(has_checkpoints(scratch.run() + ".old-1"));
  }
}

TEST(RunDirectory, ReportsAreReadBack) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  const RunDirectory d(comm, scratch.run(), StartMode::create);
  d.write_configuration("seed: 1\n", "seed: 1\nplanet: {}\n");
  d.write_provenance({{"git", std::string("abc")}, {"ranks", std::int64_t{comm.size()}}});
  Status s;
  s.state = "running";
  s.step = 12;
  s.time_yr = 12000000;
  s.end_yr = 24000000;
  s.eta_s = 30;
  s.last_checkpoint = "ckpt-00010";
  d.write_status(s);
  d.append_event("checkpoint", {{"step", std::int64_t{10}}, {"seconds", 0.5}, {"text", std::string("a \"word\"\n")}});
  d.append_event("stop", {});
  if (comm.is_root()) {
    const Status back = read_status(scratch.run());
    EXPECT_EQ(back.state, "running");
    EXPECT_EQ(back.step, 12);
    EXPECT_EQ(back.exit_code, -1);
    EXPECT_EQ(back.last_checkpoint, "ckpt-00010");
    const std::string events = read_text(scratch.run() + "/events.jsonl");
    EXPECT_EQ(std::count(events.begin(), events.end(), '\n'), 2);
    EXPECT_THAT(read_text(scratch.run() + "/provenance.json"), testing::HasSubstr("\"git\": \"abc\""));
  }
  if (comm.is_root()) testing::internal::CaptureStdout();
  EXPECT_EQ(print_status(comm, scratch.run()), 0);
  if (comm.is_root()) {
    EXPECT_THAT(testing::internal::GetCapturedStdout(), testing::HasSubstr("12.000000 of 24.000000 Myr (50.0 %)"));
  }
}

TEST(RunDirectory, RequestsAreTakenOnce) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  const RunDirectory d(comm, scratch.run(), StartMode::create);
  if (comm.is_root()) std::ofstream(scratch.run() + "/control/stop").flush();
  EXPECT_FALSE(d.take_request("checkpoint"));
  EXPECT_EQ(d.take_request("stop"), comm.is_root());
  EXPECT_FALSE(d.take_request("stop"));
}

// mission: operations, public report 14: no duplicate and no gap in the time series after a restart
TEST(TimeSeries, IsCutBackToTheCheckpointAndGoesOn) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  const std::vector<std::string> columns = {"land_fraction", "mean_height_m"};
  const std::string path = scratch.run() + "/series/diagnostics.csv";
  {
    const TimeSeries series(comm, scratch.run(), columns, -1);
    for (std::int64_t step = 1; step <= 9; ++step)
      series.append(step, step * 1000, {0.1 * static_cast<double>(step), 1.0 / 3.0});
  }
  const std::string whole = comm.is_root() ? read_text(path) : "";
  if (comm.is_root()) std::ofstream(path, std::ios::app) << "10,100";  // killed in the middle of a row
  comm.barrier();
  {
    const TimeSeries series(comm, scratch.run(), columns, 5);
    for (std::int64_t step = 6; step <= 9; ++step)
      series.append(step, step * 1000, {0.1 * static_cast<double>(step), 1.0 / 3.0});
  }
  if (comm.is_root()) {
    EXPECT_EQ(read_text(path), whole);
    EXPECT_THAT(whole,
                testing::StartsWith(
                    "step,time_yr,land_fraction,mean_height_m\n1,1000,0.10000000000000001,0.33333333333333331\n"));
  }
  comm.barrier();
  const TimeSeries other(comm, scratch.run(), {"something_else"}, 5);
  if (comm.is_root()) {
    EXPECT_EQ(read_text(path + ".old-1"), whole);
  }
}

}  // namespace
}  // namespace craton::io
