// The manual page, from the same tables as the help.
#include "cli/arguments/help.hpp"

#include <thaw/version.hpp>

#include "cli/arguments/groups.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

/// Text as roff takes it literally.
std::string plain(std::string_view text) {
  std::string out;
  bool starts_line = true;
  for (const char c : text) {
    if (starts_line && (c == '.' || c == '\'')) {
      out += "\\&";
    }
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      default:
        out += c;
    }
    starts_line = c == '\n';
  }
  return out;
}

std::string bold(std::string_view text) { return concat({"\\fB", plain(text), "\\fR"}); }
std::string italic(std::string_view text) { return concat({"\\fI", plain(text), "\\fR"}); }

std::string option_entry(const OptionSpec& option) {
  const std::string_view letter(&option.letter, 1);
  const std::string brief = option.letter == '\0' ? "" : concat({bold(concat({"-", letter})), ", "});
  const std::string value = option.kind == ValueKind::none ? ""
                            : option.kind == ValueKind::optional_choice
                                ? concat({"[=", italic(option.value), "]"})
                                : concat({" ", italic(option.value)});
  return concat({".TP\n", brief, bold(concat({"--", option.name})), value, "\n", plain(option.help), "\n"});
}

/// Lines of `command<TAB>what it does`.
std::string examples(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    const std::size_t tab = line.find('\t');
    const std::string_view what = tab == std::string_view::npos ? "" : line.substr(tab + 1);
    text += concat({".TP\n", bold(line.substr(0, tab)), "\n", plain(what), "\n"});
    lines.remove_prefix(std::min(lines.size(), end + 1));
  }
  return text;
}

std::string command_entry(const CommandSpec& command) {
  const std::string options = command.options.size() > 1 ? concat({" [", italic("OPTIONS"), "]"}) : "";
  const std::string arguments = command.arguments.empty() ? "" : concat({" ", italic(command.arguments)});
  const bool asks = !command.summary.empty() && command.summary.back() == '?';
  std::string text = concat({".SS ", bold(concat({"thaw ", command.name})), options, arguments, "\n",
                             plain(command.summary), asks ? "\n" : ".\n"});
  if (!command.description.empty()) {
    text += concat({".PP\n", plain(command.description), "\n"});
  }
  for (const auto& [heading, members] : grouped_options(command)) {
    text += concat({".PP\n", bold(heading), "\n"});
    for (const auto* option : members) {
      text += option_entry(*option);
    }
  }
  return command.examples.empty() ? text : concat({text, ".PP\nExamples:\n", examples(command.examples)});
}

constexpr std::string_view kDescription =
    "Models, animations, textures, maps and archives of Warcraft III, World of Warcraft (Alpha 0.5.3 and M3) "
    "and Forgelight become glTF, PNG and pictures, are checked, and are written back.\n";

}  // namespace

std::string manual_text() {
  std::string text =
      concat({R"(.TH THAW 1 "" "thaw )", version(), "\" \"User Commands\"\n.ad l\n", ".SH NAME\n",
              "thaw \\- reads the 3D formats that games left behind, keeps every byte, and converts them\n",
              ".SH SYNOPSIS\n", bold("thaw"), " ", italic("COMMAND"), " [", italic("OPTIONS"), "] ",
              italic("ARGUMENTS"), "\n", ".SH DESCRIPTION\n", kDescription, ".SH COMMANDS\n"});
  for (const auto& command : commands()) {
    text += command_entry(command);
  }
  return concat({text, ".SH EXIT STATUS\n.nf\n", plain(exit_codes_text()), ".fi\n"});
}

}  // namespace thaw::cli
