// deps: which files models need, where they are, and which files nothing needs.

#include <thaw/convert.hpp>
#include <thaw/load.hpp>

#include "bytes/escape.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/files_below.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/jobs/batch.hpp"
#include "cli/jobs/summary.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <set>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;
using State = Dependency::State;

Style style_of(State state) {
  switch (state) {
    case State::found:
      return Style::green;
    case State::missing:
      return Style::red;
    case State::unknown:
      return Style::yellow;
    default:
      return Style::dim;
  }
}

Value dependency_json(const Dependency& one) {
  return Value()
      .set("kind", one.kind)
      .set("path", one.path)
      .set("by", one.by)
      .set("state", state_name(one.state))
      .set("where", one.where.empty() ? Value() : Value(to_utf8(one.where)));
}

std::size_t count_of(const std::vector<Dependency>& all, State state) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const Dependency& one) { return one.state == state; }));
}

/// One file on disk, however it is called.
std::string disk_key(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return (error ? path : real).generic_string();
}

/// Could a model need it? What else lies in a folder is none of its business.
bool is_asset(const fs::path& path) {
  constexpr std::array<std::string_view, 4> kSounds = {".wav", ".mp3", ".flac", ".ogg"};
  const std::string extension = extension_of(path);
  const auto formats = known_formats();
  return std::find(kSounds.begin(), kSounds.end(), extension) != kSounds.end() ||
         std::any_of(formats.begin(), formats.end(), [&](const Format& format) {
           const auto all = split(format.extensions(), ' ');
           return !format.is_archive() && !format.is_interchange() &&
                  std::find(all.begin(), all.end(), extension) != all.end();
         });
}

class Deps {
 public:
  Deps(const Settings& settings, std::vector<Input> inputs)
      : settings_(settings), inputs_(std::move(inputs)), folders_(settings) {}

  int run() {
    const Tally tally =
        examine_all(settings_, inputs_, [this](const Input& input) { return examine(input); });
    if (tally.exit == kInterrupted) {
      return tally.exit;
    }
    const int unused = settings_.unused.empty() ? static_cast<int>(kOk) : report_unused();
    if (is_batch(settings_) && settings_.unused.empty()) {
      report_summary(settings_, "deps", tally);
    }
    return std::max<int>(tally.exit, unused);
  }

 private:
  Outcome examine(const Input& input) {
    const auto read = examined(settings_, input);
    if (!read) {
      return read.error();
    }
    const auto& [content, document, findings] = *read;
    if (const auto refused = refusal_of(document, nullptr)) {
      return failed_outcome(settings_, input, &content.identity, findings, *refused);
    }
    OpenSceneOptions request;
    request.path = input.member != nullptr ? input.member->entry.name : input.relative.generic_string();
    request.read = read_options(settings_);
    request.path_of_id = [this](std::uint32_t id) { return folders_.file_ids().path_of(id); };
    const auto all = dependencies(document, folders_.for_model(input), request);
    const bool names = !document.get_if<mdx::Document>() && all.empty() && input.found;
    remember(input, all, document);
    // A texture that was found needs nothing, and nothing is reported.
    return names && settings_.unused.empty() ? skipped_outcome(content.identity.format)
                                             : reported(input, content.identity, all, findings);
  }

  /// What is shown needs itself; a texture does not.
  void remember(const Input& input, const std::vector<Dependency>& all, const AnyDocument& document) {
    const std::lock_guard lock(mutex_);
    if (!summarize(document).picture) {
      used_.insert(disk_key(input.path));
    }
    for (const auto& one : all) {
      if (!one.where.empty()) {
        used_.insert(disk_key(one.where));
      }
    }
  }

  [[nodiscard]] Outcome reported(const Input& input, const Identity& identity,
                                 const std::vector<Dependency>& all, const Diagnostics& findings) const {
    Outcome outcome;
    outcome.warned = findings.count(Severity::warning) > 0;
    outcome.err = finding_lines(input.name, findings, settings_, use_color(settings_, stderr_is_terminal()));
    if (!settings_.unused.empty()) {
      return outcome;
    }
    outcome.exit = count_of(all, State::missing) > 0 ? kDifferent : kOk;
    if (settings_.json) {
      Value value = envelope("deps", input.name, &identity, findings, nullptr);
      Value list = Value::List();
      for (const auto& one : all) {
        list.push(dependency_json(one));
      }
      value.set("missing", count_value(count_of(all, State::missing)));
      value.set("dependencies", std::move(list));
      outcome.out = json_line(value);
    } else {
      outcome.out = text_of(input, all);
    }
    return outcome;
  }

  [[nodiscard]] std::string text_of(const Input& input, const std::vector<Dependency>& all) const {
    const bool color = use_color(settings_, stdout_is_terminal());
    const std::size_t missing = count_of(all, State::missing);
    std::string text = paint(Style::bold, shown(input.name), color) + ": ";
    text += all.empty()
                ? "needs no other files\n"
                : concat({"needs ", counted(all.size(), "file"),
                          missing > 0 ? concat({", ", std::to_string(missing), " missing\n"}) : "\n"});
    std::size_t width = 0;
    for (const auto& one : all) {
      width = std::max(width, one.kind.size());
    }
    for (const auto& one : all) {
      std::string state(state_name(one.state));
      state.resize(std::max<std::size_t>(state.size(), 8), ' ');
      std::string kind = one.kind;
      kind.resize(width, ' ');
      text += concat({"  ", paint(style_of(one.state), state, color), "  ", kind, "  ", shown(one.path)});
      text += one.where.empty() ? "" : concat({"  ← ", shown(one.where)});
      text += one.by == input_name(input) ? "\n" : concat({"  (of ", shown(one.by), ")\n"});
    }
    return text;
  }

  static std::string input_name(const Input& input) {
    std::string name =
        to_utf8(input.member != nullptr ? input.member->entry.name : input.relative.generic_string());
    std::replace(name.begin(), name.end(), '\\', '/');
    return name;
  }

  int report_unused() {
    const auto files = files_below(settings_.unused, {});
    if (!files) {
      write_stderr(finding_line(settings_.unused, files.error(), false));
      return exit_of(files.error());
    }
    std::uint64_t size = 0;
    std::size_t count = 0;
    std::size_t others = 0;
    Value list = Value::List();
    std::string text;
    for (const auto& file : *files) {
      const bool asset = is_asset(file.path);
      others += asset ? 0U : 1U;
      if (!asset || used_.contains(disk_key(file.path))) {
        continue;
      }
      ++count;
      size += file.size;
      list.push(to_utf8(file.name));
      text += shown(file.path.generic_string()) + '\n';
    }
    if (settings_.json) {
      Value value = summary_envelope("deps", true);
      value.set("unused", std::move(list));
      value.set("not_judged", count_value(others));
      text = json_line(value);
    }
    write_stdout(text);
    if (!settings_.quiet && !settings_.json) {
      write_stderr(concat(
          {std::to_string(count), " of ", counted(files->size(), "file"), " (", human_size(size),
           count == 1 ? ") is unused" : ") are unused",
           others > 0 ? concat({"; ", counted(others, "file"), " of other kinds not checked"}) : "", "\n"}));
    }
    return kOk;
  }

  const Settings& settings_;
  std::vector<Input> inputs_;
  TextureFolders folders_;
  std::mutex mutex_;
  std::set<std::string> used_;
};

}  // namespace

int run_deps(const Settings& settings) {
  Settings effective = settings;
  if (effective.inputs.empty() && effective.files_from.empty()) {
    if (effective.unused.empty()) {
      return usage_error("deps", "deps needs FILE…, or --unused DIR");
    }
    effective.inputs = {effective.unused};
    effective.recursive = true;
  }
  std::error_code error;
  if (!effective.unused.empty() && !fs::is_directory(effective.unused, error)) {
    return usage_error("deps", concat({"--unused ", effective.unused, " is not a folder"}));
  }
  if (const std::string why = check_sources(effective); !why.empty()) {
    return usage_error("deps", why);
  }
  auto inputs = collect_inputs(effective);
  if (!inputs) {
    return fail_with(effective.files_from, inputs.error());
  }
  return Deps(effective, std::move(*inputs)).run();
}

}  // namespace thaw::cli
