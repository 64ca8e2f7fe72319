#include "cli/commands/validate.hpp"

#include <thaw/convert.hpp>
#include <thaw/sources.hpp>
#include <thaw/wdt.hpp>

#include "bytes/escape.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/jobs/batch.hpp"
#include "cli/jobs/manifest.hpp"
#include "cli/jobs/run_files.hpp"
#include "cli/jobs/save.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

constexpr std::array kValidateTargets = {ValidateTarget::hive, ValidateTarget::game, ValidateTarget::strict};
constexpr std::array kAssetKinds = {AssetKind::automatic, AssetKind::unit,   AssetKind::building,
                                    AssetKind::doodad,    AssetKind::effect, AssetKind::missile,
                                    AssetKind::ui};
constexpr std::array kSeverities = {Severity::info, Severity::unused, Severity::warning, Severity::severe,
                                    Severity::error};

/// The value of this name; the parser has checked that there is one.
template <class List, class Name>
auto named(const List& list, const std::string& name, Name&& name_of) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](auto value) { return name_of(value) == name; });
  return found == list.end() ? list.front() : *found;
}

/// "a,b" and repeated options alike.
std::vector<std::string> split_codes(const std::vector<std::string>& lists) {
  std::vector<std::string> codes;
  for (const auto& list : lists) {
    for (const auto code : split(list, ',')) {
      if (!code.empty()) {
        codes.emplace_back(code);
      }
    }
  }
  return codes;
}

bool is_fixing(const ValidateSettings& settings) { return !settings.fix.empty(); }

bool holds(const std::vector<std::string>& codes, std::string_view code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

class Validation {
 public:
  Validation(const Settings& settings, std::vector<Input> inputs, std::optional<Manifest> manifest)
      : settings_(settings),
        inputs_(std::move(inputs)),
        manifest_(std::move(manifest)),
        folders_(settings),
        only_(split_codes(settings.only)),
        ignore_(split_codes(settings.ignore)),
        fail_on_(named(kSeverities, settings.fail_on, severity_name)),
        as_sarif_(settings.report == "sarif"),
        as_junit_(settings.report == "junit"),
        as_json_(settings.json || settings.report == "json") {
    options_.target = named(kValidateTargets, settings.target, target_name);
    options_.kind = named(kAssetKinds, settings.kind, kind_name);
    options_.read = read_options(settings);
  }

  int run() {
    DistinctNames names;
    for (auto& input : inputs_) {
      input.relative = is_fixing(settings_) ? names.take(input.relative) : input.relative;
    }
    if (is_fixing(settings_) && !settings_.output.empty()) {
      run_files_.emplace();
      std::for_each(inputs_.begin(), inputs_.end(),
                    [this](const Input& input) { run_files_->add_input(input); });
    }
    // Ends the document whatever ends the run.
    struct Document {
      explicit Document(const Validation& of) : validation(of) { validation.begin(); }
      Document(const Document&) = delete;
      Document(Document&&) = delete;
      Document& operator=(const Document&) = delete;
      Document& operator=(Document&&) = delete;
      ~Document() { validation.end(complete); }
      const Validation& validation;
      bool complete = false;
    };
    Document document(*this);
    const Tally tally = run_batch(settings_, inputs_,
                                  {[this](std::size_t index) { return report_of(examine(inputs_[index])); },
                                   [this](std::size_t index, const Error& error) {
                                     Examined file;
                                     file.name = inputs_[index].name;
                                     file.error = error;
                                     return report_of(file);
                                   },
                                   as_sarif_ ? kSarifBetween : ""});
    document.complete = tally.complete;
    if (tally.exit != kInterrupted) {
      report(tally);
    }
    return tally.exit;
  }

 private:
  void begin() const { write_stdout(as_sarif_ ? sarif_begin() : as_junit_ ? std::string(kJunitBegin) : ""); }
  void end(bool complete) const {
    write_stdout(as_sarif_ ? sarif_end(complete) : as_junit_ ? std::string(kJunitEnd) : "");
  }

  Outcome report_of(const Examined& file) const {
    Outcome outcome;
    outcome.format = file.identity.format;
    outcome.skipped = file.skipped;
    outcome.exit = file.error ? exit_of(*file.error) : file.passed ? kOk : kDifferent;
    outcome.warned = file.findings.count(Severity::warning) > 0;
    outcome.damaged = !file.read;
    if (file.skipped) {
      return outcome;
    }
    if (file.error) {
      const bool color = use_color(settings_, stderr_is_terminal());
      outcome.err = finding_line(file.name, *file.error, color) + hint_line(*file.error, settings_);
    }
    if (as_sarif_) {
      outcome.out = sarif_results(file);
    } else if (as_junit_) {
      outcome.out = junit_suite(file);
    } else if (as_json_) {
      outcome.out = json_line(validate_json(file));
    } else if (!file.error) {
      outcome.out = validate_text(file, settings_, use_color(settings_, stdout_is_terminal()));
    }
    if (file.unfixed && !settings_.quiet) {
      outcome.err += shown(file.name) + ": not fixed: --fix supports Warcraft III models only\n";
    }
    return outcome;
  }

  Examined examine(const Input& input) {
    Examined file;
    file.name = input.name;
    if (is_streamed(input) && !is_fixing(settings_) && !manifest_) {
      examine_map(input, file);
      return file;
    }
    const auto before = stamp_of(input.path);
    auto content = load(input, settings_);
    if (!content) {
      file.error = std::move(content.error());
      return file;
    }
    file.before = before;
    file.identity = content->identity;
    file.identified = true;
    file.skipped = content->skipped;
    if (file.skipped) {
      return file;
    }
    if (manifest_) {
      file.originals = originals_of(input, content->bytes);
    }
    Diagnostics reading;
    auto document = read_content(*content, settings_, reading);
    if (!document) {
      file.error = std::move(document.error());
      return file;
    }
    file.read = is_below(reading, kBroken);
    const Sources sources = folders_.for_model(input);
    ValidateOptions options = options_;
    options.sources = &sources;
    options.read = read_options(settings_);
    const bool fixable = is_fixing(settings_) && has_fixes(format_of(*document));
    if (fixable && settings_.output.empty() && is_inside_archive(input)) {
      file.error =
          Error{codes::kWriteFailed,
                {},
                {},
                "the file is in an archive, which --fix does not change; name an output with -o OUT"};
    } else if (fixable) {
      fix_file(input, *content, *document, reading, options, file);
    } else {
      file.unfixed = is_fixing(settings_);
      const Diagnostics found = validate(*document, options);
      choose(file, reading, found);
      if (found.count(Severity::error) == 0) {  // else a rule says why
        file.error = refusal_of(*document, nullptr);
      }
      if (is_fixing(settings_) && !settings_.output.empty() && !file.error) {
        write(input, content->bytes, file);
      }
    }
    return file;
  }

  /// As any other file, but tile by tile.
  void examine_map(const Input& input, Examined& file) {
    file.identity = identify_file(input);
    file.identified = true;
    Diagnostics reading;
    ValidateOptions options = options_;
    options.read = read_options(settings_);
    const auto map = open_stream(input, settings_, reading);
    if (!map) {
      file.error = map.error();
      return;
    }
    file.read = is_below(reading, kBroken);
    choose(file, reading, wdt::validate(*map, options));
    if (auto failure = map->failure()) {
      file.error = std::move(*failure);
    }
  }

  void write(const Input& input, ByteView bytes, Examined& file) {
    const std::filesystem::path target = output_of(input);
    if (file.unfixed && !is_fixable(input.relative) && is_fixable(target)) {
      file.error = Error{codes::kWriteUnsupported,
                         {},
                         {},
                         "the output's name requires a Warcraft III model, which the input is not; give the "
                         "output the input's extension"};
      return;
    }
    if (auto why = problem(input, target)) {
      file.error = std::move(*why);
      return;
    }
    stop_when_requested();
    Product product;
    product.files.push_back({target.filename().string(), Bytes(bytes.begin(), bytes.end())});
    std::error_code error;
    const auto before =
        std::filesystem::equivalent(input.path, target, error) ? file.before : std::optional<FileStamp>();
    auto saved = save_product({target}, product, settings_.force, settings_.dry_run, {}, before);
    if (!saved) {
      file.error = std::move(saved.error());
      return;
    }
    file.output = saved->front();
    file.written = settings_.dry_run ? std::string() : target.generic_string();
  }

  /// Maps, far terrain and buildings are listed as the archives that hold them alone.
  [[nodiscard]] std::vector<std::string> originals_of(const Input& input, ByteView content) const {
    auto paths = manifest_->find(content);
    const std::string archive = normalize_game_path(input.path.filename().string());
    const std::string stem = std::filesystem::path(archive).stem().extension().string();
    const bool alone = stem == ".wdt" || stem == ".wdl" || stem == ".wmo";
    if (paths.empty() && input.member != nullptr && alone) {
      const auto bytes = read_file(input.path, options_.read.limits);
      paths = bytes ? manifest_->find(*bytes) : paths;
    }
    return paths;
  }

  void fix_file(const Input& input, const Content& content, const AnyDocument& original,
                const Diagnostics& found, const ValidateOptions& options, Examined& file) {
    std::vector<std::string_view> codes;
    for (const auto& rule : validation_rules()) {
      if (rule.fixable && is_reported(rule.code)) {
        codes.push_back(rule.code);
      }
    }
    const Format was = format_of(original);
    ValidateOptions how = options;
    how.add_missing = settings_.fix == "all";
    Diagnostics reading;
    Fixed fixed = codes.empty() ? Fixed{original, {}} : fix(original, how, codes, reading);
    file.fixed = std::move(fixed.changes);
    const auto format =
        settings_.output.empty() ? std::optional(was) : written_as(original, output_of(input), input.path);
    if (!format) {
      file.error = Error{codes::kWriteUnsupported, {}, {}, "--fix writes .mdx or .mdl only"};
      return;
    }
    // What needs no fix keeps its comments and whatever else a writer would not write.
    const bool stays = file.fixed.empty() && *format == was;
    const Bytes bytes = stays ? content.bytes : write_as(fixed.document, *format).value();
    if (!stays || !settings_.output.empty()) {
      write(input, bytes, file);
    }
    if (file.error) {
      return;
    }
    // The report has findings of the fix, of reading the new file, and of what was left out of it.
    if (!stays) {
      add_not_understood(found, reading);
      file.subject = file.output ? file.output->path.generic_string() : std::string();
    }
    const auto again = read_any(bytes, options.read, reading);
    choose(file, reading, again ? validate(*again, options) : Diagnostics());
  }

  static bool is_fixable(const std::filesystem::path& path) {
    const auto formats = known_formats();
    return std::any_of(formats.begin(), formats.end(), [&](Format format) {
      return has_fixes(format) && has_extension(format, extension_of(path));
    });
  }

  /// Another input, which may not be read yet, is not written over.
  [[nodiscard]] std::optional<Error> problem(const Input& input, const std::filesystem::path& target) const {
    std::error_code error;
    return run_files_ && !std::filesystem::equivalent(input.path, target, error) ? run_files_->problem(target)
                                                                                 : std::nullopt;
  }

  [[nodiscard]] std::filesystem::path output_of(const Input& input) const {
    if (settings_.output.empty()) {
      return input.path;
    }
    std::filesystem::path out = settings_.output;
    std::error_code error;
    if (is_batch(settings_) || settings_.output.back() == '/' || std::filesystem::is_directory(out, error)) {
      return out / input.relative;
    }
    return out;
  }

  static bool is_inside_archive(const Input& input) { return input.member != nullptr || input.one_file; }

  [[nodiscard]] bool is_reported(std::string_view code) const {
    return (only_.empty() || holds(only_, code)) && !holds(ignore_, code);
  }

  [[nodiscard]] bool is_below(const Diagnostics& findings, Severity severity) const {
    return std::none_of(findings.items().begin(), findings.items().end(), [&](const Diagnostic& finding) {
      return finding.code.severity >= severity && is_reported(finding.code.id);
    });
  }

  /// As everywhere, a text that was not understood ends in exit code 1, unless --fail-on says what does.
  [[nodiscard]] bool is_understood(const Diagnostics& reading) const {
    return settings_.is_given("fail-on") ||
           std::none_of(reading.items().begin(), reading.items().end(), [&](const Diagnostic& finding) {
             return is_not_understood(finding) && is_reported(finding.code.id);
           });
  }

  /// What --only and --ignore leave out counts for nothing.
  void choose(Examined& file, const Diagnostics& reading, const Diagnostics& rules) const {
    file.read = is_below(reading, kBroken);
    file.passed =
        file.read && is_below(reading, fail_on_) && is_below(rules, fail_on_) && is_understood(reading);
    std::size_t reported = 0;
    for (const auto* list : {&reading, &rules}) {
      reported += static_cast<std::size_t>(
          std::count_if(list->items().begin(), list->items().end(),
                        [&](const auto& finding) { return is_reported(finding.code.id); }));
    }
    Diagnostics chosen(reported);
    for (const auto* list : {&reading, &rules}) {
      for (const auto& finding : list->items()) {
        if (is_reported(finding.code.id)) {
          chosen.add(finding);
        }
      }
    }
    for (std::size_t i = 0; i < reading.suppressed() + rules.suppressed(); ++i) {
      chosen.add(Diagnostic{});  // the list is full: only counted
    }
    file.findings = std::move(chosen);
  }

  void report(const Tally& tally) {
    if (as_sarif_ || as_junit_ || !is_batch(settings_)) {
      return;
    }
    if (as_json_) {
      Value value = summary_envelope("validate", tally.failed == 0);
      add_tally(value, tally);
      value.set("read", count_value(tally.ok - tally.damaged))
          .set("passed", count_value(tally.ok - tally.differing));
      write_stdout(json_line(value));
    } else if (!settings_.quiet) {
      write_stderr(tally_text(tally) + ", " + std::to_string(tally.ok - tally.differing) + " passed\n");
    }
  }

  const Settings& settings_;
  std::vector<Input> inputs_;
  std::optional<Manifest> manifest_;
  TextureFolders folders_;
  std::vector<std::string> only_;
  std::vector<std::string> ignore_;
  Severity fail_on_;
  bool as_sarif_ = false;
  bool as_junit_ = false;
  bool as_json_ = false;
  ValidateOptions options_;
  std::optional<RunFiles> run_files_;  ///< if other files than the inputs are written
};

/// What is wrong with the command line, or empty.
std::string problem(const Settings& settings) {
  for (const auto* list : {&settings.only, &settings.ignore}) {
    for (const auto& code : split_codes(*list)) {
      if (explain_code(code).empty()) {
        return "unknown code " + code + "; `thaw validate --list-rules` lists all";
      }
    }
  }
  if (settings.inputs.empty() && settings.files_from.empty()) {
    return "validate needs PATH…";
  }
  if (!is_fixing(settings) && (!settings.output.empty() || settings.force || settings.dry_run)) {
    return "-o, -f and -n need --fix";
  }
  if (is_fixing(settings) && settings.isolate) {
    return "--isolate cannot be combined with --fix, because isolated processes write no files";
  }
  if (is_fixing(settings) && settings.output.empty() && !settings.force) {
    return "--fix needs -o OUT, or -f to overwrite the inputs";
  }
  if (is_fixing(settings) && settings.output.empty() && holds(settings.inputs, "-")) {
    return "--fix needs -o OUT when the input is stdin";
  }
  if (!settings.tiles.empty() && (is_fixing(settings) || !settings.manifest.empty())) {
    return "--fix and --manifest need whole files and cannot be combined with --tiles";
  }
  if (is_fixing(settings) && settings.output == "-") {
    return "stdout is used for the findings. Name a file for the fixed model with -o OUT.";
  }
  return "";
}

int list_rules(const Settings& settings) {
  const bool json = settings.json || settings.report == "json";
  write_stdout(json ? json_line(rules_json()) : settings.report == "markdown" ? rules_page() : rules_text());
  return kOk;
}

}  // namespace

namespace {

int validate_files(const Settings& settings) {
  if (settings.list_rules) {
    return list_rules(settings);
  }
  if (!settings.explain.empty()) {
    const std::string text = explain_code(settings.explain);
    const bool json = (settings.json || settings.report == "json") && !text.empty();
    write_stdout(json ? json_line(rules_json(settings.explain)) : text);
    return text.empty() ? usage_error("validate", "unknown code " + settings.explain +
                                                      "; `thaw validate --list-rules` lists all")
                        : kOk;
  }
  if (const std::string why = problem(settings); !why.empty()) {
    return usage_error("validate", why);
  }
  if (const std::string why = check_sources(settings); !why.empty()) {
    return usage_error("validate", why);
  }
  auto inputs = collect_inputs(settings, Others::marked);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  if (const std::string why = check_tiles(settings, *inputs); !why.empty()) {
    return usage_error("validate", why);
  }
  std::optional<Manifest> manifest;
  if (!settings.manifest.empty()) {
    auto loaded = Manifest::load(settings.manifest, read_options(settings).limits);
    if (!loaded) {
      return usage_error("validate", "--manifest " + settings.manifest + " " + loaded.error().message);
    }
    manifest = std::move(*loaded);
  }
  return Validation(settings, std::move(*inputs), std::move(manifest)).run();
}

}  // namespace

int run_validate(const Settings& settings) {
  Settings all = settings;
  // A folder is looked into; that files in it are changed is said with -r.
  all.recursive |= !is_fixing(settings) &&
                   std::any_of(settings.inputs.begin(), settings.inputs.end(), [](const auto& name) {
                     std::error_code error;
                     return std::filesystem::is_directory(name, error);
                   });
  return validate_files(all);
}

}  // namespace thaw::cli
