#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "app/build_facts.hpp"
#include "config/nearest.hpp"
#include "core/error.hpp"

namespace craton::app {

namespace {

/// What CLI11 fills and what still has to be read from it.
struct Texts {
  std::string resume, until, walltime;
  bool version = false, build_info = false;
};

void add_input(CLI::App& command, CommandLine& line) {
  command.add_option("input", line.input, "the planet's YAML file")->required()->type_name("FILE");
  command.add_option("--set", line.overrides, "replaces one parameter: block.key=value; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_run(CLI::App& app, CommandLine& line, Texts& texts) {
  CLI::App& run = *app.add_subcommand("run", "grow a planet");
  add_input(run, line);
  run.add_option("--out", line.out, "run directory; default: runs/<name of the input>")->type_name("DIR");
  run.add_option("--resume", texts.resume, "go on from the newest valid checkpoint, or from one: --resume=STEP")
      ->type_name("[=auto|STEP]");
  run.add_flag("--fresh", line.fresh, "start anew; an old run is moved aside, never deleted");
  run.add_flag("--allow-change", line.allow_change, "accept changed physics parameters on resume");
  run.add_option("--until", texts.until, "stop early at this model time, resumable (exit code 10)")->type_name("20Myr");
  run.add_option("--walltime", texts.walltime, "time that the job has left; stops in time, resumable (exit code 10)")
      ->type_name("3:50:00");
  run.add_option("--threads", line.threads, "threads per rank; default: OMP_NUM_THREADS, or 1")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
}

void add_commands(CLI::App& app, CommandLine& line, Texts& texts) {
  app.add_flag("--version", texts.version, "version and git hash");
  app.add_flag("--build-info", texts.build_info, "compiler, flags and libraries");
  add_run(app, line, texts);
  add_input(*app.add_subcommand("validate", "check an input file: prints every fault, or nothing"), line);
  CLI::App& params = *app.add_subcommand("params", "every parameter with its default, as a YAML file");
  params.add_flag("--json", line.json, "as JSON");
  params.add_flag("--md", line.markdown, "as Markdown");
  CLI::App& checkpoint = *app.add_subcommand("checkpoint", "look at the checkpoints of a run");
  checkpoint.require_subcommand(1);
  for (CLI::App* command : {checkpoint.add_subcommand("list", "step, time, size and hash of each checkpoint"),
                            checkpoint.add_subcommand("verify", "check every checksum; exit code 4 if one is damaged"),
                            app.add_subcommand("hash", "the state hash of a run or checkpoint, then one per field"),
                            app.add_subcommand("status", "what a run is doing")}) {
    command->add_option("path", line.paths, "run or checkpoint directory")->required()->expected(1)->type_name("DIR");
    if (command->get_name() == "hash") command->add_flag("--verify", line.verify, "compute it again from the data");
  }
  app.add_subcommand("diff", "compare two states field by field; exit code 1 if they differ")
      ->add_option("paths", line.paths, "two runs, checkpoints or snapshots")
      ->required()
      ->expected(2)
      ->type_name("A B");
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = config::nearest(word, known);
  return near.empty() ? "" : "; did you mean " + near + "?";
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

/// Unknown commands and flags, in words of our own with the nearest known one, before CLI11 sees them.
void check_words(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* command = &app;
  bool is_value = false;
  for (const std::string& word : arguments) {
    if (std::exchange(is_value, false)) continue;
    const std::string path = command == &app ? "craton" : "craton " + command->get_name();
    if (word.size() > 1 && word[0] == '-') {
      const std::string name = word.substr(0, word.find('='));
      const CLI::Option* option = command->get_option_no_throw(name);
      if (option == nullptr) {
        throw Error(ExitCode::usage,
                    "unknown flag " + name + did_you_mean(name, flags_of(*command)) + " See " + path + " --help");
      }
      is_value = option->get_expected_max() > 0 && name == word;
    } else if (!commands_of(*command).empty()) {
      const auto known = commands_of(*command);
      if (std::find(known.begin(), known.end(), word) == known.end()) {
        throw Error(ExitCode::usage,
                    "unknown command " + word + did_you_mean(word, known) + " See " + path + " --help");
      }
      command = command->get_subcommand(word);
    }
  }
}

Command chosen(const CLI::App& app) {
  const std::string name = app.get_subcommands().front()->get_name();
  if (name == "run") return Command::run;
  if (name == "validate") return Command::validate;
  if (name == "params") return Command::params;
  if (name == "hash") return Command::hash;
  if (name == "diff") return Command::diff;
  if (name == "status") return Command::status;
  const bool lists = app.get_subcommands().front()->get_subcommands().front()->get_name() == "list";
  return lists ? Command::checkpoint_list : Command::checkpoint_verify;
}

void finish_run(CommandLine& line, const Texts& texts) {
  line.resume = !texts.resume.empty();
  if (line.resume) line.resume_from = texts.resume;
  const bool is_step =
      line.resume_from.size() <= 18 && line.resume_from.find_first_not_of("0123456789") == std::string::npos;
  if (line.resume_from != "auto" && !is_step) {
    throw Error(ExitCode::usage, "--resume: needs auto or the step of a checkpoint, got \"" + line.resume_from + '"');
  }
  if (line.resume && line.fresh) throw Error(ExitCode::usage, "--resume and --fresh exclude each other");
  if (!texts.until.empty()) line.until_yr = parse_model_time_yr(texts.until);
  if (!texts.walltime.empty()) line.walltime_s = parse_wall_time_s(texts.walltime);
  if (line.out.empty()) line.out = (std::filesystem::path("runs") / std::filesystem::path(line.input).stem()).string();
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  Texts texts;
  CLI::App app("craton grows a planet: plates, rivers and climate on a hexagonal sphere", "craton");
  add_commands(app, line, texts);
  // The value of --resume is optional and comes only behind '=', so that an input file after it stays an input file.
  std::vector<std::string> words = arguments;
  for (std::string& word : words) {
    if (word == "--resume") word = "--resume=auto";
  }
  check_words(app, words);
  std::reverse(words.begin(), words.end());  // CLI11 takes the arguments from the back
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, problem;
    if (app.exit(error, out, problem) != 0) throw Error(ExitCode::usage, error.what());
    line.text = out.str();
    return line;
  }
  if (texts.version || texts.build_info) {
    line.text = texts.build_info ? build_info_text() : version_text();
  } else if (app.get_subcommands().empty()) {
    throw Error(ExitCode::usage, "needs a command; see craton --help");
  } else {
    line.command = chosen(app);
    if (line.command == Command::run) finish_run(line, texts);
  }
  return line;
}

}  // namespace craton::app
