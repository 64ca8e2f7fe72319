#include "cli/arguments/habits.hpp"

#include "cli/arguments/commands.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace thaw::cli {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array kAliases = {
    Pair{"check", "survey"}, Pair{"inspect", "info"},   Pair{"identify", "info"}, Pair{"list", "ls"},
    Pair{"x", "extract"},    Pair{"unpack", "extract"}, Pair{"compare", "diff"},  Pair{"lint", "validate"},
};

constexpr std::array kForeignCommands = {
    Pair{"copy", "thaw convert IN -o OUT"},
    Pair{"cp", "thaw convert IN -o OUT"},
    Pair{"-i", "thaw convert IN -o OUT"},
    Pair{"-y", "thaw convert -y IN -o OUT"},
    Pair{"mogrify", "thaw convert -r FOLDER -o OUT/"},
    Pair{"resize", "thaw convert IN -o OUT --max-size PIXELS"},
    Pair{"montage", "thaw thumb -r FOLDER -o OUT"},
    Pair{"display", "thaw view FILE"},
    Pair{"play", "thaw view FILE"},
    Pair{"open", "thaw view FILE"},
    Pair{"show", "thaw view FILE"},
    Pair{"probe", "thaw info FILE"},
    Pair{"-show_format", "thaw info --json FILE"},
    Pair{"-json", "thaw info --json FILE"},
    Pair{"-j", "thaw info --json FILE"},
    Pair{"-r", "thaw info -r FOLDER"},
    Pair{"-l", "thaw formats"},
    Pair{"-formats", "thaw formats"},
    Pair{"--formats", "thaw formats"},
    Pair{"--list", "thaw ls ARCHIVE"},
    Pair{"-list", "thaw formats"},
    Pair{"--type-list", "thaw formats"},
    Pair{"--files", "thaw info -r FOLDER"},
    Pair{"version", "thaw --version"},
    Pair{"-version", "thaw --version"},
    Pair{"-v", "thaw --version"},
    Pair{"-ver", "thaw --version"},
    Pair{"meshopt", "thaw optimize IN -o OUT"},
    Pair{"prune", "thaw optimize IN -o OUT"},
    Pair{"dedup", "thaw optimize IN -o OUT"},
    Pair{"simplify", "thaw optimize IN -o OUT"},
    Pair{"screenshot", "thaw render FILE -o picture.png"},
};

/// An option, and the one that is meant; more words may follow it.
constexpr std::array kForeignOptions = {
    Pair{"--glob", "--include GLOB"},
    Pair{"--iglob", "--include GLOB"},
    Pair{"-g", "--include GLOB"},
    Pair{"--overwrite", "--force"},
    Pair{"-overwrite", "--force"},
    Pair{"-overwrite_original", "--force"},
    Pair{"-resize", "--max-size PIXELS"},
    Pair{"--resize", "--max-size PIXELS"},
    Pair{"--width", "--max-size PIXELS"},
    Pair{"--size", "--max-size PIXELS"},
    Pair{"-quality", "--quality N"},
    Pair{"-size", "--size N"},
    Pair{"--format", "--to FORMAT"},
    Pair{"-format", "--to FORMAT"},
    Pair{"--threads", "--jobs N"},
    Pair{"-threads", "--jobs N"},
    Pair{"-loglevel", "--quiet"},
    Pair{"-json", "--json"},
    Pair{"--recurse", "--recursive"},
    Pair{"--out", "--output OUT"},
    Pair{"-out", "--output OUT"},
    Pair{"--files0-from", "--files-from FILE"},
    Pair{"--time", "--hour HH:MM"},
    Pair{"-ss", "--time SECONDS"},
    Pair{"-r", "--fps N"},
    Pair{"--max-size", "--max-input BYTES"},
    Pair{"--max-filesize", "--max-input BYTES"},
    Pair{"--dryrun", "--dry-run"},
    Pair{"--severity", "--fail-on SEVERITY"},
};

/// -i IN as FFmpeg has it.
constexpr std::string_view kPlainInput = "inputs stand without an option: thaw ";

}  // namespace

std::string_view command_of_alias(std::string_view word) {
  const auto found =
      std::find_if(kAliases.begin(), kAliases.end(), [&](const Pair& one) { return one.first == word; });
  return found == kAliases.end() ? word : found->second;
}

std::vector<std::string_view> command_aliases() {
  std::vector<std::string_view> names;
  std::transform(kAliases.begin(), kAliases.end(), std::back_inserter(names),
                 [](const Pair& one) { return one.first; });
  return names;
}

std::string_view hint_for_command(std::string_view word) {
  const auto found = std::find_if(kForeignCommands.begin(), kForeignCommands.end(),
                                  [&](const Pair& one) { return one.first == word; });
  return found == kForeignCommands.end() ? std::string_view() : found->second;
}

std::string hint_for_option(std::string_view command, std::string_view option) {
  const CommandSpec* spec = find_command(command);
  if (spec == nullptr) {
    return "";
  }
  if (option == "-i" || option == "--input") {
    return concat({kPlainInput, command, " ", spec->arguments});
  }
  for (const auto& [foreign, own] : kForeignOptions) {
    const std::string_view name = own.substr(2, own.find(' ') - 2);
    const bool known = std::any_of(spec->options.begin(), spec->options.end(),
                                   [&](const OptionSpec* one) { return one->name == name; });
    if (foreign == option && known) {
      return concat({"here that is ", own});
    }
  }
  return "";
}

}  // namespace thaw::cli
