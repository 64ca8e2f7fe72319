// thaw COMMAND …: finds the command, reads its arguments, runs it, and answers for whatever goes wrong.
#include "cli/main.hpp"

#include <thaw/codes.hpp>
#include <thaw/version.hpp>

#include "bytes/escape.hpp"
#include "cli/arguments/arguments.hpp"
#include "cli/arguments/help.hpp"
#include "cli/commands/validate.hpp"
#include "cli/inputs/archives.hpp"
#include "cli/inputs/config.hpp"
#include "cli/inputs/file_ids.hpp"
#include "cli/inputs/inputs.hpp"
#include "cli/isolate/isolate.hpp"
#include "cli/jobs/progress.hpp"
#include "cli/jobs/save.hpp"
#include "cli/jobs/unused_options.hpp"
#include "cli/platform/command_line.hpp"
#include "cli/platform/interrupt.hpp"
#include "cli/platform/isolation.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/platform/memory.hpp"
#include "cli/report/bug.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <variant>

namespace thaw::cli {
namespace {

int usage_failure(const UsageError& error, std::string_view help) {
  write_stderr("thaw: error usage: " + shown(error.message) + '\n');
  write_stderr("  hint: " + (error.hint.empty() ? "see `" + std::string(help) + '`' : error.hint) + '\n');
  return kUsage;
}

int report_version(bool json) {
  if (json) {
    Value value;
    value.set("schema", "thaw.version/2")
        .set("tool", "thaw")
        .set("version", version())
        .set("revision", revision());
    write_stdout(json_line(value));
  } else {
    std::string text = "thaw ";
    text += version();
    text += revision().empty() ? "\n" : " (" + std::string(revision()) + ")\n";
    write_stdout(text);
  }
  return kOk;
}

bool is_file(const std::string& word) {
  std::error_code error;
  return std::filesystem::is_regular_file(word, error);
}

int unknown_command(const std::string& word) {
  std::vector<std::string_view> names;
  for (const auto& [alias, command] : command_aliases()) {
    names.push_back(alias);
  }
  for (const auto& command : commands()) {
    names.push_back(command.name);
  }
  if (is_file(word)) {
    return usage_failure({"unknown command " + word, concat({"this is a file: inspect it with `thaw info ",
                                                             shown(word), "` or show it with `thaw view`"})},
                         "thaw help");
  }
  const std::string what = !word.empty() && word.front() == '-' ? "option " : "command ";
  return usage_failure({"unknown " + what + word, suggest(word, names)}, "thaw help");
}

/// Jobs have the time that there is each (run_batch).
bool limits_each_file(const CommandSpec& command, const Settings& settings) {
  return (command.run != run_dump || is_batch(settings)) &&  // which prints a single file as it comes
         std::any_of(command.options.begin(), command.options.end(),
                     [](const OptionSpec* option) { return option->name == "fail-fast"; });
}

int refused(const Settings& settings, const Code& code) {
  const std::string subject = settings.inputs.size() == 1 ? settings.inputs.front() : "thaw";
  const Error error{code, {}, {}, ""};
  write_stderr(failure_lines(subject, Diagnostics(), error, settings));
  if (settings.json) {
    write_stdout(json_line(envelope(settings.command, subject, nullptr, Diagnostics(), &error)));
  }
  return exit_of(error);
}

/// Everything that the command line says besides its inputs.
std::vector<std::string> words_of(const CommandSpec& command, const Settings& settings) {
  std::vector<std::string> words;
  for (const auto* option : command.options) {
    if (const auto* one = std::get_if<std::string Settings::*>(&option->member)) {
      words.push_back(settings.**one);
    } else if (const auto* list = std::get_if<std::vector<std::string> Settings::*>(&option->member)) {
      words.insert(words.end(), (settings.**list).begin(), (settings.**list).end());
    }
  }
  return words;
}

/// --isolate has limits where none are stated.
void bound(Settings& settings) {
  constexpr double kThumbSeconds = 60;
  constexpr double kSeconds = 300;
  constexpr std::uint64_t kMemory = std::uint64_t{2} << 30U;
  settings.timeout = settings.timeout.value_or(settings.command == "thumb" ? kThumbSeconds : kSeconds);
  settings.max_memory = settings.max_memory.value_or(kMemory);
}

/// Splits the process for --isolate (`run_isolated`).
std::optional<int> isolated_run(const CommandSpec& command, Settings& settings) {
  auto listed = listed_inputs(settings);
  if (!listed) {
    return std::nullopt;  // the command says why
  }
  settings.listed = std::move(*listed);
  return run_isolated(settings, words_of(command, settings), !limits_each_file(command, settings));
}

std::vector<std::string_view> option_names(const CommandSpec& command) {
  std::vector<std::string_view> names;
  for (const auto* option : command.options) {
    names.push_back(option->name);
  }
  return names;
}

int run_command(const CommandSpec& command, const std::vector<std::string>& arguments) {
  auto settings = parse_arguments(command, arguments);
  if (!settings) {
    return usage_failure(settings.error(), "thaw help " + std::string(command.name));
  }
  if (settings->help) {
    // -h reminds, --help explains.
    const bool whole = std::find(arguments.begin(), arguments.end(), "--help") != arguments.end();
    write_stdout(whole ? command_text(command) : brief_text(command));
    return kOk;
  }
  // Errors in persistent settings are what `doctor` reports.
  const bool examines = command.run == run_doctor;
  if (const auto applied =
          examines ? tl::expected<void, std::string>() : apply_config(*settings, option_names(command));
      !applied) {
    return usage_failure({applied.error(), "`thaw doctor` checks the settings"}, "thaw help config");
  }
  if (settings->isolate) {
    bound(*settings);
  }
  if (settings->max_memory && !limit_memory(*settings->max_memory)) {
    return usage_failure({"--max-memory is not supported on this system", ""}, "thaw help");
  }
  if (!parse_shard(settings->shard)) {
    return usage_failure({concat({"--shard ", settings->shard, ": expected a part such as 2/8"}), ""},
                         "thaw help");
  }
  if (settings->flat && !settings->shard.empty()) {
    return usage_failure(
        {"--flat cannot be combined with --shard, because it numbers equal names across the whole run", ""},
        "thaw help");
  }
  for (std::string why : {check_listfiles(*settings), check_variants(*settings), check_choice(*settings),
                          check_stdin(*settings)}) {
    if (!why.empty() && !examines) {
      return usage_failure({std::move(why), ""}, "thaw help " + std::string(command.name));
    }
  }
  catch_interrupts();
  // Where each file is a job of its own, the one around them has nothing to report.
  const bool many = limits_each_file(command, *settings);
  try {
    if (const auto exit = settings->isolate ? isolated_run(command, *settings) : std::nullopt) {
      report_abandoned(*settings);
      return *exit;
    }
    std::optional<RunProgress> progress;
    // Its thread would be in the way of processes that split.
    if (command.run != run_view && (!many || !settings->isolate)) {
      progress.emplace(*settings);
    }
    JobControl job(many || settings->inputs.empty() ? "" : settings->inputs.front(),
                   many ? std::nullopt : settings->timeout);
    const int exit = command.run(*settings);
    report_abandoned(*settings);
    return exit;
  } catch (const Stopped& stopped) {
    return stopped.late() ? refused(*settings, codes::kOutOfTime) : kInterrupted;
  } catch (const std::bad_alloc&) {
    return refused(*settings, codes::kOutOfMemory);
  }
}

/// `help rules [CODE]` and `help CODE` run `validate --list-rules` and `--explain`.
std::vector<std::string> without_synonyms(std::vector<std::string> words) {
  const bool of_code = words.size() == 2 && words[0] == "help" && words[1].find('.') != std::string::npos;
  if (of_code && !explain_code(words[1]).empty()) {
    return {"validate", "--explain", words[1]};
  }
  if (words.size() < 2 || words[0] != "help" || words[1] != "rules") {
    return words;
  }
  words[0] = "validate";
  const bool one = words.size() > 2 && !words[2].starts_with('-');
  words[1] = one ? "--explain" : "--list-rules";
  return words;
}

int run(const std::vector<std::string>& given) {
  if (given.empty()) {
    write_stderr(overview_text());
    return kUsage;
  }
  const std::vector<std::string> words = without_synonyms(given);
  const std::string& word = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (word == "--version" || word == "-V") {
    return report_version(std::find(rest.begin(), rest.end(), "--json") != rest.end());
  }
  if (word == "--help" || word == "-h") {
    write_stdout(overview_text());
    return kOk;
  }
  const CommandSpec* command = find_command(word);
  if (command == nullptr && rest.empty() && takes_dropped_files() && is_file(word)) {
    return run_command(*find_command("view"), words);
  }
  return command == nullptr ? unknown_command(word) : run_command(*command, rest);
}

int guarded_run(const std::vector<std::string>& words) {
  try {
    const int exit = run(words);
    if (interrupted()) {
      return kInterrupted;
    }
    if (!flush_stdout()) {
      write_stderr("thaw: error write.failed: cannot write to stdout\n");
      return std::max<int>(exit, kUnwritable);
    }
    return exit;
  } catch (const std::exception& error) {
    write_stderr(bug_message("thaw", error.what()));
  } catch (...) {
    write_stderr(bug_message("thaw", "unknown exception"));
  }
  return kBug;
}

}  // namespace

int run_words(const std::vector<std::string>& words) {
  remember_command_line(words);
  return guarded_run(words);
}

}  // namespace thaw::cli

#ifndef THAW_NO_MAIN
int main(int argc, char** argv) {
  const int exit = thaw::cli::run_words(thaw::cli::begin_run(argc, argv));
  thaw::cli::end_if_isolated(exit);
  return exit;
}
#endif
