#include "cli/arguments/arguments.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/arguments/pages.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

constexpr std::array<std::string_view, 4> kShells = {"bash", "zsh", "fish", "powershell"};
constexpr std::string_view kShellWords = "bash zsh fish powershell";

std::string with_spaces(std::string_view choices) {
  std::string text(choices);
  std::replace(text.begin(), text.end(), '|', ' ');
  return text;
}

std::string command_names() {
  std::string names;
  for (const auto& command : commands()) {
    names += names.empty() ? "" : " ";
    names += command.name;
  }
  return names;
}

std::string topics() {
  std::string names = command_names() + " exit-codes format manual pages rules";
  for (const Page& page : pages()) {
    names += find_command(page.name) == nullptr ? concat({" ", page.name}) : "";
  }
  return names;
}

/// The short form as "-j", or nothing.
std::string short_form(const OptionSpec& option) {
  return option.letter == '\0' ? std::string() : std::string{'-', option.letter};
}

/// A word in single quotes, as bash and zsh read it.
std::string in_quotes(std::string_view text) {
  std::string out(1, '\'');
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\'";
    }
    out += c;
  }
  out += '\'';
  return out;
}

// --- bash
// -------------------------------------------------------------------------------------------------------

std::string bash_options(const CommandSpec& command) {
  std::string words;
  for (const auto* option : command.options) {
    words += concat({words.empty() ? "" : " ", "--", option->name});
    words += option->letter == '\0' ? "" : concat({" ", short_form(*option)});
  }
  return words;
}

std::string bash_reply(const OptionSpec& option) {
  switch (option.kind) {
    case ValueKind::choice:
      return concat(
          {"mapfile -t COMPREPLY < <(compgen -W '", with_spaces(option.value), "' -- \"$current\")"});
    case ValueKind::file:
      return "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")";
    case ValueKind::folder:
      return "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")";
    default:
      return ":";
  }
}

/// What may follow each option that takes a value.
std::string bash_values(const CommandSpec& command) {
  std::string cases;
  for (const auto* option : command.options) {
    if (needs_value(option->kind)) {
      cases += concat({"    ", command.name, ":--", option->name});
      cases += option->letter == '\0' ? "" : concat({"|", command.name, ":", short_form(*option)});
      cases += concat({") ", bash_reply(*option), "; return ;;\n"});
    }
  }
  return cases;
}

std::string bash_script() {
  std::string values;
  std::string words;
  for (const auto& command : commands()) {
    values += bash_values(command);
    words += concat({"    ", command.name, ") options='", bash_options(command), "' ;;\n"});
  }
  return concat({R"(# bash completion for thaw
_thaw() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ')",
                 command_names(), R"( --help --version' -- "$current"))
    return
  fi
  case $command:$previous in
)",
                 values, R"(  esac
  case $command in
)",
                 words, R"(  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    return
  fi
  case $command in
    completion) COMPREPLY=($(compgen -W ')",
                 kShellWords, R"(' -- "$current")) ;;
    help) COMPREPLY=($(compgen -W ')",
                 topics(), R"(' -- "$current")) ;;
    formats) ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
  esac
}
complete -o filenames -F _thaw thaw
)"});
}

// --- zsh
// --------------------------------------------------------------------------------------------------------

/// Text inside `[…]` of _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out;
}

std::string zsh_value(const OptionSpec& option) {
  switch (option.kind) {
    case ValueKind::none:
    case ValueKind::optional_choice:
      return "";
    case ValueKind::choice:
      return concat({":value:(", with_spaces(option.value), ")"});
    case ValueKind::file:
      return ":file:_files";
    case ValueKind::folder:
      return ":folder:_files -/";
    default:
      return concat({":", zsh_text(option.value), ": "});
  }
}

std::string zsh_positional(const CommandSpec& command) {
  switch (command.positional) {
    case Positional::files:
    case Positional::file_and_words:
      return "'*:file:_files'";
    case Positional::shell:
      return concat({"'1:shell:(", kShellWords, ")'"});
    case Positional::topic:
      return concat({"'1:topic:(", topics(), ")'"});
    default:
      return "";
  }
}

std::string zsh_arguments(const CommandSpec& command) {
  std::string text = "_arguments -s";
  for (const auto* option : command.options) {
    const bool again = std::holds_alternative<std::vector<std::string> Settings::*>(option->member);
    const std::string rest = concat({"[", zsh_text(option->help), "]", zsh_value(*option)});
    for (const auto& name : {concat({"--", option->name}), short_form(*option)}) {
      text +=
          name.empty() ? "" : concat({" \\\n        ", in_quotes(concat({again ? "*" : "", name, rest}))});
    }
  }
  const std::string positional = zsh_positional(command);
  return positional.empty() ? text : concat({text, " \\\n        ", positional});
}

std::string zsh_script() {
  std::string list;
  std::string cases;
  for (const auto& command : commands()) {
    list += concat({"    ", in_quotes(concat({command.name, ":", zsh_text(command.summary)})), "\n"});
    cases += concat({"    ", command.name, ")\n      ", zsh_arguments(command), "\n      ;;\n"});
  }
  return concat({R"(#compdef thaw
# zsh completion for thaw
_thaw() {
  local -a thaw_commands
  thaw_commands=(
)",
                 list, R"(  )
  if ((CURRENT == 2)); then
    _describe command thaw_commands
    return
  fi
  local thaw_command=$words[2]
  shift words
  ((CURRENT--))
  case $thaw_command in
)",
                 cases, R"(  esac
}
if [[ $funcstack[1] == _thaw ]]; then
  _thaw "$@"
else
  compdef _thaw thaw
fi
)"});
}

// --- fish
// -------------------------------------------------------------------------------------------------------

/// Inside single quotes, fish knows \' and nothing of '\''.
std::string fish_quoted(std::string_view text) {
  std::string out(1, '\'');
  for (const char c : text) {
    if (c == '\'' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  out += '\'';
  return out;
}

std::string fish_value(const OptionSpec& option) {
  switch (option.kind) {
    case ValueKind::none:
    case ValueKind::optional_choice:
      return "";
    case ValueKind::choice:
      return concat({" -x -a '", with_spaces(option.value), "'"});
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    default:
      return " -x";
  }
}

std::string fish_command(const CommandSpec& command) {
  std::string script = concat({"complete -c thaw -n __fish_use_subcommand -f -a ", command.name, " -d ",
                               fish_quoted(command.summary), "\n"});
  const std::string start = concat({"complete -c thaw -n '__fish_seen_subcommand_from ", command.name, "'"});
  for (const auto* option : command.options) {
    const std::string letter = option->letter == '\0' ? "" : std::string{' ', '-', 's', ' ', option->letter};
    script += concat(
        {start, " -l ", option->name, letter, fish_value(*option), " -d ", fish_quoted(option->help), "\n"});
  }
  if (command.positional == Positional::shell || command.positional == Positional::topic) {
    const std::string words = command.positional == Positional::shell ? std::string(kShellWords) : topics();
    script += concat({start, " -f -a '", words, "'\n"});
  }
  return script;
}

std::string fish_script() {
  std::string script =
      "# fish completion for thaw\n"
      "complete -c thaw -n __fish_use_subcommand -f -l help -s h -d 'show help'\n"
      "complete -c thaw -n __fish_use_subcommand -f -l version -s V -d 'show the version'\n";
  for (const auto& command : commands()) {
    script += fish_command(command);
  }
  return script;
}

// --- PowerShell
// -------------------------------------------------------------------------------------------------------

/// A word in single quotes, as PowerShell reads it.
std::string powershell_quoted(std::string_view text) {
  std::string out(1, '\'');
  for (const char c : text) {
    out += c == '\'' ? "''" : std::string(1, c);
  }
  return out += '\'';
}

/// `'a', 'b'` of words separated by a character.
std::string powershell_list(std::string_view words, char separator) {
  std::string list;
  for (const auto word : split(words, separator)) {
    list += concat({list.empty() ? "" : ", ", powershell_quoted(word)});
  }
  return list;
}

/// `'--name' = 'help'` of each option, and the choices of those that have some.
std::string powershell_command(const CommandSpec& command) {
  std::string options;
  std::string choices;
  for (const auto* option : command.options) {
    options += concat({"      '--", option->name, "' = ", powershell_quoted(option->help), "\n"});
    if (option->kind == ValueKind::choice) {
      choices += concat({"      '--", option->name, "' = @(", powershell_list(option->value, '|'), ")\n"});
    }
  }
  const std::string words = command.positional == Positional::shell   ? powershell_list(kShellWords, ' ')
                            : command.positional == Positional::topic ? powershell_list(topics(), ' ')
                                                                      : std::string();
  return concat({"    '", command.name, "' = @{\n      help = ", powershell_quoted(command.summary),
                 "\n      words = @(", words, ")\n      options = [ordered]@{\n", options,
                 "      }\n      choices = @{\n", choices, "      }\n    }\n"});
}

std::string powershell_script() {
  std::string script =
      "# PowerShell completion for thaw\n"
      "Register-ArgumentCompleter -Native -CommandName thaw -ScriptBlock {\n"
      "  param($word, $line, $cursor)\n"
      "  $commands = [ordered]@{\n";
  for (const auto& command : commands()) {
    script += powershell_command(command);
  }
  return script +
         "  }\n"
         "  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } |\n"
         "    ForEach-Object { $_.ToString() })\n"
         "  $found = [ordered]@{}\n"
         "  if ($before.Count -lt 2) {\n"
         "    foreach ($name in $commands.Keys) { $found[$name] = $commands[$name].help }\n"
         "  } elseif ($commands.Contains($before[1])) {\n"
         "    $command = $commands[$before[1]]\n"
         "    $last = $before[-1]\n"
         "    if ($command.choices.ContainsKey($last)) {\n"
         "      foreach ($value in $command.choices[$last]) { $found[$value] = $value }\n"
         "    } elseif ($word -like '-*') {\n"
         "      foreach ($name in $command.options.Keys) { $found[$name] = $command.options[$name] }\n"
         "    } else {\n"
         "      foreach ($name in $command.words) { $found[$name] = $name }\n"
         "    }\n"
         "  }\n"
         "  # Nothing found: PowerShell offers files.\n"
         "  foreach ($name in $found.Keys) {\n"
         "    if ($name -like \"$word*\") {\n"
         "      [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', "
         "$found[$name])\n"
         "    }\n"
         "  }\n"
         "}\n";
}

}  // namespace

int run_completion(const Settings& settings) {
  const std::string& shell = settings.inputs.front();
  if (shell == "bash") {
    write_stdout(bash_script());
  } else if (shell == "zsh") {
    write_stdout(zsh_script());
  } else if (shell == "fish") {
    write_stdout(fish_script());
  } else if (shell == "powershell") {
    write_stdout(powershell_script());
  } else {
    write_stderr(
        concat({"thaw: error usage: no completion for ", shell, "; the shells are ", kShellWords, "\n"}));
    if (const std::string hint = suggest(shell, {kShells.begin(), kShells.end()}); !hint.empty()) {
      write_stderr("  hint: " + hint + '\n');
    }
    return kUsage;
  }
  return kOk;
}

}  // namespace thaw::cli
