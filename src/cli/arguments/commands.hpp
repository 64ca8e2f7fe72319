// The commands and their options as data: the parser, the help, the completion scripts and the suggestions
// all read these tables.
#pragma once

#include "cli/arguments/settings.hpp"

#include <span>
#include <string_view>
#include <variant>

namespace thaw::cli {

/// What an option's value is, for checking and completion.
/// Of `optional_choice` an option alone means the first.
enum class ValueKind : std::uint8_t {
  none,
  text,
  choice,
  optional_choice,
  file,
  folder,
  count,
  size,
  positive,
  share,
};

/// The member of Settings that an option sets.
using Member = std::variant<bool Settings::*, std::string Settings::*, std::vector<std::string> Settings::*,
                            std::optional<std::uint64_t> Settings::*, std::optional<double> Settings::*>;

struct OptionSpec {
  char letter = '\0';  ///< short form, NUL for none
  std::string_view name;
  ValueKind kind = ValueKind::none;
  std::string_view value;  ///< placeholder in the help, or the choices separated by `|`
  Member member;
  std::string_view help;
  std::uint64_t least = 0;  ///< of a count
  std::uint64_t most = ~std::uint64_t{0};
};

/// Is the next word the option's?
constexpr bool needs_value(ValueKind kind) {
  return kind != ValueKind::none && kind != ValueKind::optional_choice;
}

/// What a command's positional arguments are, for completion.
/// What stands without an option's name: files, or a file and then words that only the command understands.
enum class Positional : std::uint8_t { none, files, file_and_words, shell, topic };

struct CommandSpec {
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
  /// Paragraphs of the help.
  std::string_view description;
  /// Lines of `command<TAB>what it does`.
  std::string_view examples;
  Positional positional = Positional::files;
  std::size_t least = 1;  ///< positional arguments, where there is no other source of inputs
  std::size_t most = ~std::size_t{0};
  std::span<const OptionSpec* const> options;
  int (*run)(const Settings& settings) = nullptr;
  /// Names, with blanks between them, of the options that `-h` explains where there are too many; empty: it
  /// names all.
  std::string_view usual = {};
};

std::span<const CommandSpec> commands();
/// A second name of a command, as other tools call it.
struct CommandAlias {
  std::string_view alias;
  std::string_view command;
};
std::span<const CommandAlias> command_aliases();
/// The command of a name or an alias, or null.
const CommandSpec* find_command(std::string_view name);

int run_info(const Settings& settings);
int run_dump(const Settings& settings);
int run_build(const Settings& settings);
int run_set(const Settings& settings);
int run_edit(const Settings& settings);
int run_portrait(const Settings& settings);
int run_merge(const Settings& settings);
int run_tree(const Settings& settings);
int run_convert(const Settings& stated);
int run_optimize(const Settings& settings);
int run_render(const Settings& settings);
int run_thumb(const Settings& settings);
int run_view(const Settings& settings);
int run_survey(const Settings& settings);
int run_diff(const Settings& settings);
int run_ls(const Settings& settings);
int run_extract(const Settings& settings);
int run_deps(const Settings& settings);
int run_bundle(const Settings& settings);
int run_config(const Settings& settings);
int run_doctor(const Settings& settings);
int run_pack(const Settings& settings);
int run_add(const Settings& settings);
int run_remove(const Settings& settings);
int run_terrain(const Settings& settings);
int run_world(const Settings& settings);
int run_validate(const Settings& settings);
int run_formats(const Settings& settings);
int run_register(const Settings& settings);
int run_unregister(const Settings& settings);
int run_completion(const Settings& settings);
int run_help(const Settings& settings);

}  // namespace thaw::cli
