// The only source that includes CLI11, which costs seconds to compile.

#include "cli/arguments/arguments.hpp"

#include "cli/platform/command_line.hpp"
#include "cli/report/text.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

namespace thaw::cli {
namespace {

std::string flag_names(const OptionSpec& option) {
  const std::string name = "--" + std::string(option.name);
  return option.letter == '\0' ? name : std::string("-") + option.letter + "," + name;
}

tl::unexpected<UsageError> wrong(std::string message, std::string hint = {}) {
  return tl::unexpected<UsageError>(UsageError{std::move(message), std::move(hint)});
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "64M" and the like, in powers of 1024.
std::optional<std::uint64_t> parse_size(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  unsigned shift = 0;
  if (!text.empty()) {
    const auto upper = static_cast<char>(text.back() & ~0x20);
    if (const std::size_t unit = kUnits.find(upper); unit != std::string_view::npos) {
      shift = 10U * static_cast<unsigned>(unit + 1);
      text.remove_suffix(1);
    }
  }
  const auto value = parse_count(text);
  const bool fits = value && *value <= (~std::uint64_t{0} >> shift);
  return fits ? std::optional(*value << shift) : std::nullopt;
}

std::optional<double> parse_within(std::string_view text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc() && end == text.data() + text.size();
  return good && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<double> parse_positive(std::string_view text) { return parse_within(text, 1e-6, 1e6); }
std::optional<double> parse_share(std::string_view text) { return parse_within(text, 0, 1); }

std::string check_count(const OptionSpec& option, const std::string& text) {
  const auto value = parse_count(text);
  if (value && *value >= option.least && *value <= option.most) {
    return "";
  }
  const bool bounded = option.most != ~std::uint64_t{0};
  return "must be a whole number" +
         (bounded            ? " from " + std::to_string(option.least) + " to " + std::to_string(option.most)
          : option.least > 0 ? " of at least " + std::to_string(option.least)
                             : std::string());
}

/// Why a value is not one of its kind, or empty.
std::string problem(const OptionSpec& option, const std::string& value) {
  switch (option.kind) {
    case ValueKind::choice:
    case ValueKind::optional_choice: {
      const auto choices = split(option.value, '|');
      const bool known = std::find(choices.begin(), choices.end(), value) != choices.end();
      return known ? "" : "must be one of " + std::string(option.value);
    }
    case ValueKind::count:
      return check_count(option, value);
    case ValueKind::size:
      return parse_size(value) ? "" : "must be a number of bytes such as 512, 64K, 200M or 2G";
    case ValueKind::positive:
      return parse_positive(value) ? "" : "must be a number from 0.000001 to 1000000";
    case ValueKind::share:
      return parse_share(value) ? "" : "must be a number from 0 to 1";
    default:
      return value.empty() ? "must not be empty" : "";
  }
}

struct Store {
  Settings& settings;
  const OptionSpec& option;
  const std::string& value;

  void operator()(bool Settings::* member) const { settings.*member = true; }
  void operator()(std::string Settings::* member) const { settings.*member = value; }
  void operator()(std::vector<std::string> Settings::* member) const { (settings.*member).push_back(value); }
  void operator()(std::optional<std::uint64_t> Settings::* member) const {
    settings.*member = option.kind == ValueKind::size ? parse_size(value) : parse_count(value);
  }
  void operator()(std::optional<double> Settings::* member) const {
    settings.*member = option.kind == ValueKind::share ? parse_share(value) : parse_positive(value);
  }
};

/// One option while CLI11 parses.
struct Slot {
  const OptionSpec* spec = nullptr;
  bool given = false;
  std::vector<std::string> values;
};

tl::expected<void, UsageError> store(Slot& slot, Settings& settings) {
  const OptionSpec& option = *slot.spec;
  if (option.kind == ValueKind::none && slot.given) {
    slot.values.emplace_back();
  }
  if (!slot.values.empty()) {
    settings.given.push_back(option.name);
  }
  for (const auto& value : slot.values) {
    if (option.kind != ValueKind::none) {
      if (const std::string why = problem(option, value); !why.empty()) {
        return wrong("--" + std::string(option.name) + " " + value + ": " + why);
      }
    }
    const bool path = option.kind == ValueKind::file || option.kind == ValueKind::folder;
    std::visit(Store{settings, option, path ? portable_path(value) : value}, option.member);
  }
  return {};
}

UsageError unexpected_argument(const CommandSpec& command, const std::string& argument) {
  if (argument.size() < 2 || argument.front() != '-') {
    return {"unexpected argument " + argument, {}};
  }
  std::vector<std::string> names;
  for (const auto* option : command.options) {
    names.push_back("--" + std::string(option->name));
  }
  const std::string name = argument.substr(0, argument.find('='));
  return {std::string(command.name) + " has no option " + name,
          suggest(name, std::vector<std::string_view>(names.begin(), names.end()))};
}

tl::expected<void, UsageError> check_inputs(const CommandSpec& command, const Settings& settings) {
  const std::size_t count = settings.inputs.size();
  if (count < command.least && settings.files_from.empty()) {
    return wrong(std::string(command.name) + " needs " + std::string(command.arguments));
  }
  if (count > command.most) {
    return wrong("unexpected argument " + settings.inputs[command.most]);
  }
  return {};
}

std::vector<std::string> expanded(const std::vector<std::string>& words, Positional positional) {
  std::vector<std::string> names;
  for (const auto& word : words) {
    if (positional == Positional::file_and_words) {  // in those a backslash or a star is what it is
      names.push_back(names.empty() ? portable_path(word) : word);
      continue;
    }
    const auto found = expand_word(portable_path(word));
    names.insert(names.end(), found.begin(), found.end());
  }
  return names;
}

}  // namespace

tl::expected<Settings, UsageError> parse_arguments(const CommandSpec& command,
                                                   const std::vector<std::string>& arguments) {
  CLI::App app;
  app.set_help_flag("");
  app.allow_extras();
  app.allow_windows_style_options(false);  // /x is a path
  Settings settings;
  settings.command = command.name;
  app.add_option("inputs", settings.inputs);
  std::vector<Slot> slots(command.options.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    slots[i].spec = command.options[i];
    if (slots[i].spec->kind == ValueKind::none) {
      app.add_flag(flag_names(*slots[i].spec), slots[i].given);
    } else if (slots[i].spec->kind == ValueKind::optional_choice) {
      const std::string_view first = split(slots[i].spec->value, '|').front();
      app.add_flag(concat({flag_names(*slots[i].spec), "{", first, "}"}), slots[i].values);
    } else {
      app.add_option(flag_names(*slots[i].spec), slots[i].values)->allow_extra_args(false);
    }
  }
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");  // all after it are inputs
  try {
    app.parse(std::vector<std::string>(std::make_reverse_iterator(dashes),
                                       arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::Error& error) {
    return wrong(error.what());
  }
  for (auto& slot : slots) {
    if (slot.spec->name == "help" && slot.given) {
      settings.help = true;
      return settings;
    }
  }
  if (const auto extra = app.remaining(); !extra.empty()) {
    return tl::unexpected<UsageError>(unexpected_argument(command, extra.front()));
  }
  for (auto& slot : slots) {
    if (auto stored = store(slot, settings); !stored) {
      return tl::unexpected<UsageError>(std::move(stored.error()));
    }
  }
  if (dashes != arguments.end()) {
    settings.inputs.insert(settings.inputs.end(), dashes + 1, arguments.end());
  }
  settings.inputs = expanded(settings.inputs, command.positional);
  if (auto checked = check_inputs(command, settings); !checked) {
    return tl::unexpected<UsageError>(std::move(checked.error()));
  }
  return settings;
}

}  // namespace thaw::cli
