#include <thaw/forgelight_codes.hpp>
#include <thaw/mdx_alpha_scene.hpp>

#include "bytes/text.hpp"
#include "cli/batch.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/convert_adt.hpp"
#include "cli/convert_animation.hpp"
#include "cli/convert_m3.hpp"
#include "cli/convert_model.hpp"
#include "cli/convert_morph.hpp"
#include "cli/convert_texture.hpp"
#include "cli/convert_world.hpp"
#include "cli/makers.hpp"
#include "cli/optimized.hpp"
#include "cli/replaceables.hpp"
#include "cli/report.hpp"
#include "cli/run_files.hpp"
#include "cli/save.hpp"
#include "cli/summary.hpp"
#include "cli/targets.hpp"
#include "cli/text.hpp"
#include "cli/textures.hpp"
#include "cli/versions.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

enum class Purpose : std::uint8_t { convert, optimize };

class Converter {
 public:
  Converter(const Settings& settings, Purpose purpose, std::string wish, scene::TeamColor team_color,
            std::vector<Input> inputs, RunFiles& files)
      : settings_(settings),
        purpose_(purpose),
        wish_(std::move(wish)),
        team_color_(team_color),
        inputs_(std::move(inputs)),
        targets_(settings, inputs_),
        files_(files),
        folders_(settings) {}

  int run() {
    reserve_names();
    const Tally tally = run_batch(settings_, inputs_,
                                  {[this](std::size_t index) { return convert(index); },
                                   [this](std::size_t index, const Error& error) {
                                     return failed(inputs_[index], nullptr, Diagnostics(), error);
                                   }});
    if (is_batch(settings_) && tally.exit != kInterrupted) {
      tell_summary(settings_, command(), tally);
    }
    return tally.exit;
  }

 private:
  /// Groups of a building are files like buildings: `house_000.wmo` may be either.
  void reserve_names() {
    for (std::size_t i = 0; wish_ == "wmo-v17" && i < inputs_.size(); ++i) {
      const Target target = choose_target(identify_file(inputs_[i]), wish_);
      if (target != Target::none && !targets_.to_stdout()) {
        files_.reserve(targets_.path(i, target), i);
      }
    }
  }

  Outcome convert(std::size_t index) {
    const Input& input = inputs_[index];
    Diagnostics findings;
    auto content = load(input, settings_, [this](const Identity& identity) {
      return is_document(identity) || choose_target(identity, wish_) != Target::none;
    });
    if (!content) {
      return failed(input, nullptr, findings, content.error());
    }
    const Identity& identity = content->identity;
    const Target target = choose_target(identity, wish_);
    if (content->skipped || (input.found && identity.readable && target == Target::none)) {
      return passed_over(identity);
    }
    const fs::path output = targets_.path(index, target);
    if (auto obstacle =
            trial() && target != Target::none ? std::nullopt : check(input, identity, target, output)) {
      if (obstacle->code == codes::kWriteExists && settings_.skip_existing) {
        return left_alone(input, identity, output);
      }
      return failed(input, &identity, findings, *obstacle);
    }
    if (settings_.dry_run && (!trial() || !identity.readable)) {
      if (const auto taken = take_planned(index, target, output); !taken) {
        return failed(input, &identity, findings, taken.error());
      }
      return planned(input, identity, target, output);
    }
    auto product = make(input, *content, target, output, findings);
    if (!product && input.found && product.error().code == codes::kMrnSkeleton) {
      return passed_over(identity);  // an animation whose skeleton is elsewhere
    }
    if (!product) {
      return failed(input, &identity, findings, product.error());
    }
    return deliver(index, *content, output, *product, findings);
  }

  /// What would be written meets other outputs as if it were.
  Result<void> take_planned(std::size_t index, Target target, const fs::path& output) {
    return target != Target::none && !targets_.to_stdout() ? files_.take({output}, index) : Result<void>();
  }

  static Outcome passed_over(const Identity& identity) {
    Outcome outcome;
    outcome.skipped = true;
    outcome.format = identity.format;
    return outcome;
  }

  /// Why the output cannot be, as far as that is known before the work.
  [[nodiscard]] std::optional<Error> check(const Input& input, const Identity& identity, Target target,
                                           const fs::path& output) const {
    if (identity.readable && target == Target::none) {
      return Error{
          codes::kFormatUnsupported, {}, {}, concat({identity.explanation, "; it does not become ", wish_})};
    }
    std::error_code error;
    if (fs::equivalent(input.path, output, error)) {
      return Error{codes::kWriteFailed, {}, {}, output.string() + " is the input itself"};
    }
    if (target != Target::none && !settings_.force && !targets_.to_stdout() &&
        fs::is_regular_file(output, error)) {
      return Error{codes::kWriteExists, {}, {}, output.string() + " exists"};
    }
    return targets_.to_stdout() ? std::nullopt : files_.objection(output);
  }

  // --- the work
  // ----------------------------------------------------------------------------------------------

  Result<Product> make(const Input& input, const Content& content, Target target, const fs::path& output,
                       Diagnostics& findings) {
    if (is_texture(target)) {
      return make_texture(content, target, output.filename().string(), settings_, findings);
    }
    if (target == Target::mrf) {
      return make_morph(input, content, output.filename().string(), settings_, findings);
    }
    if (target == Target::m3) {
      return make_m3({input, content, target, output, settings_, team_color_, folders_, findings});
    }
    if (target == Target::nsa || target == Target::mrn) {
      return make_animation(input, content, target, output.filename().string(), settings_, findings);
    }
    auto document = read_any(content.bytes, read_options(settings_), findings);
    if (!document) {
      return tl::unexpected<Error>(std::move(document.error()));
    }
    const auto* model = document->get_if<mdx::Document>();
    if (model != nullptr && (target == Target::mdx || target == Target::mdl)) {
      return make_document(*model, target, output.filename().string(), findings);
    }
    const auto* alpha = document->get_if<mdx_alpha::Document>();
    if (alpha != nullptr && (target == Target::mdx || target == Target::mdl)) {
      if (purpose_ == Purpose::optimize) {
        return fail(codes::kFormatUnsupported, "only models of Warcraft III are optimized");
      }
      return make_document(mdx_alpha::to_warcraft(*alpha, findings), target, output.filename().string(),
                           findings);
    }
    return make_from({input, content, target, output, settings_, team_color_, folders_, findings}, *document);
  }

  Result<Product> make_document(const mdx::Document& model, Target target, const std::string& name,
                                Diagnostics& findings) const {
    if (purpose_ == Purpose::optimize) {
      return make_optimized(model, target, name, settings_, findings);
    }
    return settings_.format_version ? make_version(model, target, name, settings_, findings)
                                    : make_model(model, target, name, settings_, findings);
  }

  // --- the outputs
  // -------------------------------------------------------------------------------------------

  Outcome deliver(std::size_t index, const Content& content, const fs::path& output, Product& product,
                  const Diagnostics& findings) {
    const Input& input = inputs_[index];
    std::vector<Saved> written;
    std::string data;
    if (targets_.to_stdout()) {
      if (product.files.size() > 1) {
        return failed(input, &content.identity, findings, not_for_stdout(product));
      }
      const Bytes& bytes = product.files.front().bytes;
      data = as_text(bytes);
      written.push_back({"-", bytes.size()});
    } else if (trial()) {
      written.push_back({output, product.files.front().bytes.size()});
    } else {
      auto saved = files_.take(paths_of(output, product), index).and_then([&] {
        return save_product(output, product, settings_);
      });
      if (!saved) {
        return failed(input, &content.identity, findings, saved.error());
      }
      written = std::move(*saved);
    }
    Outcome outcome;
    outcome.warned = findings.count(Severity::warning) > 0;
    const bool color = use_color(settings_, stderr_is_terminal());
    outcome.err = finding_lines(input.name, findings, settings_, color) +
                  loss_lines(input.name, findings, settings_, color);
    if (settings_.json && !targets_.to_stdout()) {
      outcome.out = json_line(converted_json(input, content, product, written, findings));
    } else {
      outcome.out = std::move(data);
      outcome.err += settings_.quiet ? "" : converted_text(input, content, product, written, findings);
    }
    return outcome;
  }

  // --- what is told
  // ------------------------------------------------------------------------------------------

  [[nodiscard]] std::string converted_text(const Input& input, const Content& content, const Product& product,
                                           const std::vector<Saved>& written,
                                           const Diagnostics& findings) const {
    std::uint64_t size = 0;
    for (const auto& file : written) {
      size += file.size;
    }
    std::string text = concat({to_utf8(input.name), " (", human_size(content.bytes.size()), ") → ",
                               to_utf8(written.front().path.string()), " (", human_size(size), ")"});
    text += written.size() > 1 ? concat({" and ", counted(written.size() - 1, "file")}) : "";
    text += concat({" · ", product.facts});
    const std::size_t warnings = findings.count(Severity::warning);
    text += warnings > 0 ? concat({" · ", counted(warnings, "warning")}) : "";
    text += trial() ? " (not written)\n" : "\n";
    return text + (is_batch(settings_) && !settings_.verbose ? "" : product.details);
  }

  [[nodiscard]] Value converted_json(const Input& input, const Content& content, const Product& product,
                                     const std::vector<Saved>& written, const Diagnostics& findings) const {
    Value value = envelope(command(), input.name, &content.identity, findings, nullptr);
    value.set("size", static_cast<std::int64_t>(content.bytes.size()));
    Value outputs = Value::List();
    for (const auto& file : written) {
      outputs.push(
          Value().set("path", to_utf8(file.path.string())).set("size", static_cast<std::int64_t>(file.size)));
    }
    value.set("outputs", std::move(outputs));
    value.set("status", trial() ? "planned" : purpose_ == Purpose::optimize ? "optimized" : "converted");
    for (const auto& [name, member] : product.json) {
      value.set(name, member);
    }
    return value;
  }

  [[nodiscard]] Outcome untouched(const Input& input, const Identity& identity, const fs::path& output,
                                  std::string_view status, std::string text) const {
    Outcome outcome;
    if (settings_.json) {
      Value value = envelope(command(), input.name, &identity, Diagnostics(), nullptr);
      value.set("outputs", Value::List{Value().set("path", to_utf8(output.string())).set("size", Value())});
      value.set("status", status);
      outcome.out = json_line(value);
    } else {
      outcome.err = settings_.quiet ? "" : std::move(text);
    }
    return outcome;
  }

  [[nodiscard]] Outcome left_alone(const Input& input, const Identity& identity,
                                   const fs::path& output) const {
    return untouched(
        input, identity, output, "exists",
        concat({to_utf8(input.name), ": ", to_utf8(output.string()), " exists, left as it is\n"}));
  }

  [[nodiscard]] Outcome planned(const Input& input, const Identity& identity, Target target,
                                const fs::path& output) const {
    if (target == Target::none) {
      Diagnostics findings;
      const bool foreign = identity.format != Format::unknown && identity.format != Format::empty;
      return failed(input, &identity, findings,
                    Error{foreign ? codes::kFormatForeign : codes::kFormatUnknown,
                          0,
                          {},
                          std::string(identity.explanation)});
    }
    const std::string name = targets_.to_stdout() ? "-" : to_utf8(output.string());
    return untouched(input, identity, output, "planned",
                     concat({to_utf8(input.name), " → ", name, " (not written)\n"}));
  }

  [[nodiscard]] Outcome failed(const Input& input, const Identity* identity, const Diagnostics& findings,
                               const Error& error) const {
    Outcome outcome;
    outcome.exit = exit_of(error);
    outcome.err = failure_lines(input.name, findings, error, settings_);
    if (settings_.json && !targets_.to_stdout()) {
      Value value = envelope(command(), input.name, identity, findings, &error);
      value.set("outputs", Value::List());
      value.set("status", "failed");
      outcome.out = json_line(value);
    }
    return outcome;
  }

  [[nodiscard]] std::string_view command() const {
    return purpose_ == Purpose::optimize ? "optimize" : "convert";
  }
  /// What would come out is worked out, but not written.
  [[nodiscard]] bool trial() const { return purpose_ == Purpose::optimize && settings_.dry_run; }

  const Settings& settings_;
  Purpose purpose_;
  std::string wish_;
  scene::TeamColor team_color_;
  std::vector<Input> inputs_;
  Targets targets_;
  RunFiles& files_;
  TextureFolders folders_;
};

/// What the options say together, which no single one shows.
std::string contradiction(const Settings& settings, const std::string& wish) {
  const bool to_stdout = goes_to_stdout(settings);
  if (to_stdout && is_batch(settings)) {
    return "only one output can go to stdout";
  }
  if (to_stdout && wish == "gltf") {
    return "a .gltf has files beside it and cannot go to stdout; --to glb can";
  }
  if (settings.format_version && wish != "mdx" && wish != "m3") {
    return "--format-version is about .mdx and .m3 outputs";
  }
  if (const std::string why = objection_to_version(settings, wish); !why.empty()) {
    return why;
  }
  if (const auto lod = wished_lod(settings); !lod) {
    return lod.error();
  }
  if (settings.weights && (!settings.format_version || *settings.format_version < 900)) {
    return "--weights goes with --format-version 900 and later; earlier versions have none";
  }
  if (to_stdout && wish == "wmo-v17") {
    return "a building of version 17 has files beside it and cannot go to stdout";
  }
  if (to_stdout && settings.json && !settings.dry_run && !is_map_wish(wish)) {
    return "--json and the output cannot both go to stdout; -o names a file";
  }
  return objection_to_overwriting(settings);
}

/// Someone who wrote `convert in.mdx out.glb` is told what is meant. One of several files of a kind that is
/// not there is an input that fails.
std::string misplaced_output(const Settings& settings) {
  std::error_code error;
  if (settings.inputs.size() < 2 || !settings.output.empty() ||
      !has_target_extension(settings.inputs.back())) {
    return "";
  }
  const std::string& last = settings.inputs.back();
  const bool alike = fs::path(last).extension() == fs::path(settings.inputs.front()).extension();
  const bool there = fs::exists(last, error) || split_archive_path(last).has_value();
  return there || (alike && settings.inputs.size() > 2)
             ? ""
             : concat({last, " is no input that exists; the output goes behind -o"});
}

/// Of an input that was found, whether something is made of it.
std::function<bool(const Input&)> becomes(std::string wish) {
  return [wish = std::move(wish)](const Input& input) {
    return choose_target(identify_file(input), wish) != Target::none;
  };
}

}  // namespace

int run_convert(const Settings& settings) {
  const auto wish = wished_target(settings);
  if (!wish) {
    return usage_error("convert", wish.error());
  }
  const auto team_color = wished_team_color(settings);
  if (!team_color) {
    return usage_error("convert", team_color.error());
  }
  for (const std::string& why : {contradiction(settings, *wish), misplaced_output(settings),
                                 objection_to_clips(settings), objection_to_replaceables(settings)}) {
    if (!why.empty()) {
      return usage_error("convert", why);
    }
  }
  auto inputs = collect_inputs(settings, Others::marked);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  if (const std::string why = objection_to_sources(settings); !why.empty()) {
    return usage_error("convert", why);
  }
  // Maps become many files each, so they go ways of their own.
  if (is_map_wish(*wish)) {
    return convert_maps(settings, *wish, *inputs);
  }
  RunFiles files(*inputs, becomes(*wish));
  const auto worlds = take_worlds(*inputs, *wish);
  const Exit exit = worlds.empty() ? kOk : convert_worlds(settings, *wish, worlds, files);
  const bool stopped = exit == kUsage || exit == kInterrupted || (settings.fail_fast && exit > kDifferent);
  if (stopped || (inputs->empty() && !worlds.empty())) {
    return exit;
  }
  Converter converter(settings, Purpose::convert, *wish, *team_color, std::move(*inputs), files);
  return std::max<int>(exit, converter.run());
}

int run_optimize(const Settings& settings) {
  const auto wish_or_error = wished_target(settings);
  if (!wish_or_error) {
    return usage_error("optimize", wish_or_error.error());
  }
  const std::string wish = wish_or_error->empty() ? "mdx" : *wish_or_error;
  if (wish != "mdx" && wish != "mdl") {
    return usage_error("optimize", "an optimised model is written as .mdx or .mdl");
  }
  for (const std::string& why : {contradiction(settings, wish), misplaced_output(settings)}) {
    if (!why.empty()) {
      return usage_error("optimize", why);
    }
  }
  auto inputs = collect_inputs(settings, Others::marked);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  RunFiles files(*inputs, becomes(wish));
  return Converter(settings, Purpose::optimize, wish, scene::TeamColor{}, std::move(*inputs), files).run();
}

}  // namespace thaw::cli
