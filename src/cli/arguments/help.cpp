#include "cli/arguments/help.hpp"

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "cli/arguments/arguments.hpp"
#include "cli/arguments/groups.hpp"
#include "cli/arguments/pages.hpp"
#include "cli/arguments/topics.hpp"
#include "cli/arguments/wrap.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

std::string option_names(const OptionSpec& option) {
  std::string names = option.letter == '\0' ? "    " : std::string("-") + option.letter + ", ";
  names += "--";
  names += option.name;
  if (option.kind == ValueKind::optional_choice) {
    names += concat({"[=", option.value, "]"});
  } else if (option.kind != ValueKind::none) {
    names += concat({" ", option.value});
  }
  return names;
}

constexpr std::size_t kExampleWidth = 36;

/// What people come for, and the commands that do it.
struct Purpose {
  std::string_view name;
  std::string_view commands;
};
constexpr std::array kPurposes = {
    Purpose{"Look", "info view render thumb world tree dump"},
    Purpose{"Convert", "convert optimize"},
    Purpose{"Edit", "edit portrait set build merge"},
    Purpose{"Check and compare", "validate diff survey deps"},
    Purpose{"Archives and maps", "ls extract pack add remove bundle terrain"},
    Purpose{"Settings and help", "config doctor register unregister completion formats help"},
};

std::string commands_text() {
  constexpr std::size_t kNameWidth = 10;
  std::string text;
  for (const Purpose& purpose : kPurposes) {
    std::string lines;
    for (const auto& command : commands()) {
      if (contains_word(purpose.commands, command.name)) {
        lines += concat({command.name, "\t", command.summary, "\n"});
      }
    }
    text += concat({"\n", purpose.name, ":\n", columns(lines, kNameWidth)});
  }
  return text;
}

}  // namespace

std::string overview_text() {
  std::string text =
      "thaw reads the 3D formats that games left behind, keeps every byte of them, and converts them.\n\n"
      "Examples:\n";
  text += columns(
      "thaw info footman.mdx\tshow what is in it\n"
      "thaw convert footman.mdx\twrites ./footman.glb\n"
      "thaw survey -r Units\tcheck that every file writes back byte for byte\n",
      kExampleWidth);
  text += concat({"\nUsage: thaw COMMAND [OPTIONS] ARGUMENTS\n", commands_text()});
  return text +
         "\nMore: thaw help COMMAND, thaw help exit-codes, thaw help rules [CODE], thaw help pages,\n"
         "      thaw help format [NAME], thaw help WORD, thaw help manual, thaw --version [--json]\n";
}

namespace {

std::string usage_line(const CommandSpec& command) {
  std::string text = "thaw " + std::string(command.name) + ": " + std::string(command.summary) +
                     "\n\nUsage: thaw " + std::string(command.name);
  text += command.options.size() > 1 ? " [OPTIONS]" : "";
  return text + (command.arguments.empty() ? "\n" : ' ' + std::string(command.arguments) + '\n');
}

std::string usage_text(const CommandSpec& command) {
  std::string text = usage_line(command);
  if (!command.examples.empty()) {
    text += "\nExamples:\n" + columns(command.examples, kExampleWidth);
  }
  return text;
}

}  // namespace

std::string command_text(const CommandSpec& command) {
  std::string text = usage_text(command);
  if (!command.description.empty()) {
    text += '\n' + std::string(command.description) + '\n';
  }
  for (const auto& [heading, options] : grouped_options(command)) {
    std::string lines;
    for (const auto* option : options) {
      lines += option_names(*option) + '\t' + std::string(option->help) + '\n';
    }
    text += concat({"\n", heading, ":\n", columns(lines, 36)});
  }
  return text + "\n" + exit_codes_text();
}

namespace {

/// The usual options with their help.
std::string usual_text(const CommandSpec& command) {
  std::string lines;
  std::size_t reported = 0;
  for (const auto* option : command.options) {
    if (contains_word(command.usual, option->name)) {
      lines += option_names(*option) + '\t' + std::string(option->help) + '\n';
      ++reported;
    }
  }
  return concat({usage_line(command), "\nOptions:\n", columns(lines, 32), "\nExamples, exit codes and ",
                 std::to_string(command.options.size() - reported), " more options: thaw ", command.name,
                 " --help\n"});
}

}  // namespace

std::string brief_text(const CommandSpec& command) {
  if (!command.usual.empty()) {
    return usual_text(command);
  }
  std::string text = usage_text(command);
  std::string lines;
  for (const auto& [heading, options] : grouped_options(command)) {
    lines += heading;
    char separator = '\t';
    for (const auto* option : options) {
      lines += separator;
      lines += option->letter == '\0' ? concat({"--", option->name})
                                      : concat({"-", std::string_view(&option->letter, 1)});
      separator = ' ';
    }
    lines += '\n';
  }
  return text + concat({"\nOptions, which `thaw ", command.name, " --help` explains:\n", columns(lines, 14)});
}

std::string exit_codes_text() {
  return "Exit codes:\n"
         "  0  ok\n"
         "  1  the result is negative: differences (diff, survey), conflicts (merge), findings at or above\n"
         "     --fail-on (validate), missing files (deps), unusable settings or folders (doctor), or\n"
         "     unknown words in a text file\n"
         "  2  the command line is wrong\n"
         "  3  an input cannot be read, has an unsupported format, is damaged, or lacks what was requested\n"
         "  4  an output cannot be written\n"
         "  5  some files of a batch failed\n"
         "  6  refused by a limit (size, memory, time)\n"
         "  70 an error in thaw itself\n"
         "  130 interrupted\n";
}

namespace {

std::string_view value_name(ValueKind kind) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "none", "text", "choice", "optional-choice", "file", "folder", "count", "size", "positive", "share"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Value help_json() {
  Value value = summary_envelope("help", true);
  value.set("schema", "thaw.help/2");
  Value list = Value::List();
  for (const auto& command : commands()) {
    Value options = Value::List();
    for (const auto* option : command.options) {
      options.push(Value()
                       .set("name", option->name)
                       .set("letter", option->letter == '\0' ? "" : std::string(1, option->letter))
                       .set("kind", value_name(option->kind))
                       .set("value", option->value)
                       .set("help", option->help));
    }
    list.push(Value()
                  .set("command", command.name)
                  .set("arguments", command.arguments)
                  .set("summary", command.summary)
                  .set("options", std::move(options)));
  }
  return value.set("commands", std::move(list));
}

}  // namespace

namespace {

/// `help pages` lists them, `help pages NAME` shows one, also if a command has that name.
int show_pages(const Settings& settings) {
  if (settings.inputs.size() < 2) {
    std::string lines;
    for (const Page& page : pages()) {
      lines += concat({page.name, "\t", page.title(), "\n"});
    }
    write_stdout(concat({"Pages of the manual, shown by thaw help pages NAME:\n", columns(lines, 14)}));
    return kOk;
  }
  const Page* page = find_page(settings.inputs[1]);
  if (page == nullptr) {
    write_stderr(concat({"thaw: error usage: the manual has no page ", shown(settings.inputs[1]),
                         "\n  hint: `thaw help pages` lists the pages\n"}));
    return kUsage;
  }
  write_stdout(page_text(*page));
  return kOk;
}

int no_topic(std::string_view topic) {
  std::vector<std::string_view> topics = {"exit-codes", "format", "manual", "pages", "rules"};
  for (const auto& command : commands()) {
    topics.push_back(command.name);
  }
  for (const Page& page : pages()) {
    topics.push_back(page.name);
  }
  write_stderr("thaw: error usage: no help topic " + shown(topic) + '\n');
  const std::string hint = suggest(topic, topics);
  write_stderr(concat(
      {"  hint: ", hint.empty() ? "`thaw help` lists commands, `thaw help pages` the manual" : hint, "\n"}));
  return kUsage;
}

int search_pages(std::string_view words) {
  const std::string text = pages_about(words);
  write_stdout(text);
  return text.empty() ? no_topic(words) : kOk;
}

int show_topic(std::string_view topic) {
  if (const CommandSpec* command = find_command(topic)) {
    write_stdout(command_text(*command));
    return kOk;
  }
  if (const Page* page = find_page(ascii::lowered(topic))) {
    write_stdout(page_text(*page));
    return kOk;
  }
  return search_pages(topic);
}

}  // namespace

int run_help(const Settings& settings) {
  if (settings.json) {
    write_stdout(json_line(help_json()));
    return kOk;
  }
  if (settings.inputs.empty()) {
    write_stdout(overview_text());
    return kOk;
  }
  const std::string& topic = settings.inputs.front();
  if (topic == "exit-codes") {
    write_stdout(exit_codes_text());
    return kOk;
  }
  if (topic == "manual") {
    write_stdout(manual_text());
    return kOk;
  }
  if (topic == "pages") {
    return show_pages(settings);
  }
  if (topic == "format") {
    return show_format(settings);
  }
  return settings.inputs.size() > 1 ? search_pages(topic + ' ' + settings.inputs[1]) : show_topic(topic);
}

}  // namespace thaw::cli
