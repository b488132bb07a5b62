// Arguments to data, and times on the command line.
#include "app/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/launch.hpp"
#include "core/error.hpp"

namespace craton::app {
namespace {

using testing::HasSubstr;

/// The message of a usage error, "" if there is none.
std::string refusal(const std::vector<std::string>& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return {};
}

TEST(CommandLine, run_takes_all_its_flags) {
  const CommandLine line =
      parse_command_line({"run", "a/planet.yaml", "--set", "mesh.frequency=8", "--out=x", "--set=seed=3", "--resume=12",
                          "--allow-change", "--until", "20Myr", "--walltime", "3:50:00", "--threads", "2"});
  EXPECT_EQ(line.command, Command::run);
  EXPECT_EQ(line.input, "a/planet.yaml");
  EXPECT_THAT(line.overrides, testing::ElementsAre("mesh.frequency=8", "seed=3"));
  EXPECT_EQ(line.out, "x");
  EXPECT_TRUE(line.resume);
  EXPECT_EQ(line.resume_from, "12");
  EXPECT_TRUE(line.allow_change);
  EXPECT_FALSE(line.fresh);
  EXPECT_EQ(line.until_yr, 20000000);
  EXPECT_EQ(line.walltime_s, 13800.0);
  EXPECT_EQ(line.threads, 2);
}

TEST(CommandLine, run_directory_is_named_after_the_input) {
  EXPECT_EQ(parse_command_line({"run", "input/earthlike.yaml"}).out, "runs/earthlike");
}

TEST(CommandLine, resume_alone_means_auto_and_swallows_nothing) {
  const CommandLine line = parse_command_line({"run", "--resume", "planet.yaml"});
  EXPECT_TRUE(line.resume);
  EXPECT_EQ(line.resume_from, "auto");
  EXPECT_EQ(line.input, "planet.yaml");
}

TEST(CommandLine, other_commands_are_known) {
  EXPECT_EQ(parse_command_line({"validate", "p.yaml"}).command, Command::validate);
  EXPECT_TRUE(parse_command_line({"params", "--json"}).json);
  EXPECT_TRUE(parse_command_line({"params", "--md"}).markdown);
  EXPECT_EQ(parse_command_line({"checkpoint", "list", "d"}).command, Command::checkpoint_list);
  EXPECT_EQ(parse_command_line({"checkpoint", "verify", "d"}).command, Command::checkpoint_verify);
  EXPECT_EQ(parse_command_line({"hash", "d"}).paths, std::vector<std::string>{"d"});
  EXPECT_EQ(parse_command_line({"diff", "a", "b"}).paths, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(parse_command_line({"status", "d"}).command, Command::status);
  EXPECT_THAT(parse_command_line({"--version"}).text, HasSubstr("craton "));
  EXPECT_THAT(parse_command_line({"--build-info"}).text, HasSubstr("Kokkos"));
  EXPECT_THAT(parse_command_line({"run", "--help"}).text, HasSubstr("--walltime"));
}

TEST(CommandLine, unknown_words_come_with_the_nearest_known_one) {
  EXPECT_EQ(refusal({"run", "p.yaml", "--unitl", "3Myr"}),
            "unknown flag --unitl; did you mean --until? See craton run --help");
  EXPECT_THAT(refusal({"run", "p.yaml", "--Resume"}), HasSubstr("did you mean --resume?"));
  EXPECT_THAT(refusal({"rnu", "p.yaml"}), HasSubstr("unknown command rnu; did you mean run?"));
  EXPECT_THAT(refusal({"checkpoint", "verfiy", "d"}), HasSubstr("did you mean verify?"));
  EXPECT_THAT(refusal({"--verison"}), HasSubstr("did you mean --version?"));
  EXPECT_THAT(refusal({"run", "p.yaml", "-z"}), HasSubstr("unknown flag -z"));
}

TEST(CommandLine, incomplete_or_contradicting_arguments_are_refused) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"run"},
                                                    {"run", "a", "b"},
                                                    {"run", "a", "--set"},
                                                    {"run", "a", "--resume", "--fresh"},
                                                    {"run", "a", "--resume=last"},
                                                    {"run", "a", "--resume="},
                                                    {"run", "a", "--threads", "0"},
                                                    {"run", "a", "--threads", "x"},
                                                    {"run", "a", "--until", "soon"},
                                                    {"checkpoint"},
                                                    {"checkpoint", "list"},
                                                    {"diff", "a"},
                                                    {"diff", "a", "b", "c"},
                                                    {"hash"}}) {
    EXPECT_NE(refusal(arguments), "") << testing::PrintToString(arguments);
  }
}

TEST(ModelTime, has_units_and_is_whole) {
  EXPECT_EQ(parse_model_time_yr("20Myr"), 20000000);
  EXPECT_EQ(parse_model_time_yr("20.3Myr"), 20300000);
  EXPECT_EQ(parse_model_time_yr("500 kyr"), 500000);
  EXPECT_EQ(parse_model_time_yr("4.6Gyr"), 4600000000);
  EXPECT_EQ(parse_model_time_yr("1e6yr"), 1000000);
  EXPECT_EQ(parse_model_time_yr("2000000"), 2000000);
  for (const char* text : {"", "Myr", "1.5yr", "-1Myr", "0", "20Mya", "1e3Myr", "30Gyr", "inf", "nan", "1 2Myr"}) {
    EXPECT_THROW(parse_model_time_yr(text), Error) << text;
  }
}

TEST(WallTime, has_the_forms_of_slurm) {
  EXPECT_EQ(parse_wall_time_s("3:50:00"), 13800.0);
  EXPECT_EQ(parse_wall_time_s("49:59"), 2999.0);
  EXPECT_EQ(parse_wall_time_s("1-02:03:04"), 93784.0);
  EXPECT_EQ(parse_wall_time_s("90"), 90.0);
  EXPECT_EQ(parse_wall_time_s("90s"), 90.0);
  EXPECT_EQ(parse_wall_time_s("10min"), 600.0);
  EXPECT_EQ(parse_wall_time_s("1.5h"), 5400.0);
  EXPECT_EQ(parse_wall_time_s("UNLIMITED"), std::nullopt);
  for (const char* text : {"", "1:2:3:4", "3:60:00", "1-5", "1-2:3", ":", "a:b", "-5", "0", "NOT_SET", "1e999"}) {
    EXPECT_THROW(parse_wall_time_s(text), Error) << text;
  }
}

TEST(Launcher, several_processes_that_mpi_does_not_see_are_refused) {
  EXPECT_NO_THROW(check_launcher({1, "", true}, 1));
  EXPECT_NO_THROW(check_launcher({4, "SLURM_NTASKS", true}, 4));
  EXPECT_NO_THROW(check_launcher({4, "SLURM_NTASKS", true}, 2));  // fewer ranks than tasks, by choice
  try {
    check_launcher({4, "SLURM_NTASKS", true}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::launcher);
    EXPECT_THAT(error.what(), HasSubstr("SLURM_NTASKS is 4"));
  }
}

}  // namespace
}  // namespace craton::app
