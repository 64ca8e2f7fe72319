#include <thaw/codes.hpp>

#include "cli/arguments/commands.hpp"
#include "cli/convert/convert_adt.hpp"
#include "cli/convert/convert_kinds.hpp"
#include "cli/convert/convert_world.hpp"
#include "cli/convert/optimized.hpp"
#include "cli/convert/options.hpp"
#include "cli/inputs/replaceables.hpp"
#include "cli/inputs/textures.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/jobs/engine.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/picture/world_settings.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

constexpr JobKind kSmallerModels{"smaller models", {"max-error only skip except"}};

/// What becomes of models, textures and animations, one output each.
class FilePlan {
 public:
  /// `worlds` plans maps; null: there are none. It optimizes if there is a place to add that up.
  FilePlan(const Settings& settings, std::string target, const WorldPlan* worlds, OptimizeSums* smaller)
      : settings_(settings),
        target_(std::move(target)),
        worlds_(worlds),
        smaller_(smaller),
        classic_(*convert_kind(find_format("mdx"), target_ == "mdl" ? "mdl" : "mdx")),
        folders_(settings) {
    classic_.options.back() =
        "source no-default-sources";  // where the pictures are that --with-textures converts
  }

  std::vector<Job> plan(const Input& input) {
    if (worlds_ != nullptr && is_world_input(input)) {
      return worlds_->jobs_of(input);
    }
    Identity identity = identify_file(input);
    std::shared_ptr<const Content> content;
    if (!choose_target(identity, target_)) {
      // The beginning does not determine everything, nor why a file is of no use.
      auto whole = load_for_target(input);
      if (!whole) {
        return {failed_job(input, whole.error())};
      }
      identity = whole->identity;
      if (!choose_target(identity, target_)) {
        return {whole->skipped || (input.found && identity.readable)
                    ? skipped_job(input, identity)
                    : failed_job(input, why_nothing(*whole), identity)};
      }
      content = input.name == "-" ? std::make_shared<const Content>(std::move(*whole)) : nullptr;
    }
    const bool lacks_skeleton = identity.format == "nsa" && settings_.skeleton.empty();
    if (lacks_skeleton && input.found) {
      return {skipped_job(input, identity)};
    }
    Job job = job_of(input, identity, *choose_target(identity, target_));
    job.content = std::move(content);
    return {std::move(job)};
  }

 private:
  Result<Content> load_for_target(const Input& input) const {
    return load(input, settings_, [this](const Identity& identity) {
      return is_document(identity) || choose_target(identity, target_).has_value();
    });
  }

  [[nodiscard]] Error why_nothing(const Content& content) const {
    Diagnostics ignored;
    const auto document = read_content(content, settings_, ignored);
    return document || content.identity.readable
               ? Error{codes::kFormatUnsupported, {}, {}, why_not(content.identity)}
               : document.error();
  }

  [[nodiscard]] std::string why_not(const Identity& identity) const {
    if (!target_.empty()) {
      return concat({"cannot be converted to ", target_, ": ", identity.explanation});
    }
    std::string words(identity.format.converts_to());
    if (words.empty()) {
      return concat({identity.explanation, "; thaw does not convert it"});
    }
    std::replace(words.begin(), words.end(), ' ', '|');
    return concat({identity.explanation, "; choose the output format with -o FILE or --to ", words});
  }

  Job job_of(const Input& input, const Identity& identity, const TargetInfo& target) {
    Job job{input};
    job.identity = identity;
    const bool classic = settings_.with_textures && (target.word == "mdx" || target.word == "mdl");
    job.kind = smaller_ != nullptr ? &kSmallerModels
               : classic           ? &classic_
                                   : convert_kind(identity.format, target.word);
    job.output = output_of(input, target);
    job.more_sidecars =
        target.has_sidecars || settings_.with_textures || settings_.animation_files == "separate";
    job.may_be_foreign = true;
    job.make = [this, target](const Job& task, Diagnostics& findings) {
      return make(task, target, findings);
    };
    return job;
  }

  [[nodiscard]] fs::path output_of(const Input& input, const TargetInfo& target) const {
    if (goes_to_stdout(settings_)) {
      return fs::path("stdin").concat(target.extension);
    }
    if (!names_folder(settings_, is_batch(settings_))) {
      return settings_.output;
    }
    fs::path below = settings_.flat ? input.relative.filename() : input.relative;
    return (settings_.output / below.replace_extension()).concat(target.extension);
  }

  // --- the work
  // ----------------------------------------------------------------------------------------------

  Result<Product> make(const Job& job, const TargetInfo& target, Diagnostics& findings) {
    std::optional<Content> loaded;
    if (job.content == nullptr) {
      auto content = load_for_target(job.input);
      if (!content) {
        return tl::unexpected<Error>(std::move(content.error()));
      }
      loaded = std::move(*content);
    }
    const Content& content = loaded ? *loaded : *job.content;
    const ConversionInput work{job.input, content, target.word, job.output, settings_, folders_, findings};
    auto product = smaller_ != nullptr ? make_smaller(work) : convert_work(work);
    if (product) {
      product->input_size = content.bytes.size();
    }
    return product;
  }

  [[nodiscard]] Result<Product> make_smaller(const ConversionInput& work) const {
    return read_content(work.content, settings_, work.findings)
        .and_then([&](const AnyDocument& document) -> Result<Product> {
          const auto* model = document.get_if<mdx::Document>();
          if (model == nullptr) {
            return fail(codes::kFormatUnsupported, "only Warcraft III models can be optimized");
          }
          return make_optimized(*model, work.target, work.output.filename().string(), settings_,
                                work.findings, *smaller_);
        });
  }

  const Settings& settings_;
  std::string target_;
  const WorldPlan* worlds_;
  OptimizeSums* smaller_;
  JobKind classic_;  ///< of --with-textures
  TextureFolders folders_;
};

/// What the options say together, which no single one shows.
std::string contradiction(const Settings& settings, const std::string& target) {
  const bool to_stdout = goes_to_stdout(settings);
  if (std::string why = is_map_target(target) ? "" : check_outputs(settings); !why.empty()) {
    return why;
  }
  if (to_stdout && target == "gltf") {
    return "A .gltf consists of several files and cannot be written to stdout. Use --to glb.";
  }
  if (to_stdout && settings.animation_files == "separate") {
    return "--animations separate writes several files, which cannot go to stdout";
  }
  if (std::string why = check_version(settings, target); !why.empty()) {
    return why;
  }
  if (settings.gltf_extras != "full" && settings.profile == "blender") {
    return concat(
        {"--profile blender needs all extras to convert back. Leave out --extras ", settings.gltf_extras});
  }
  if (const auto lod = requested_lod(settings); !lod) {
    return lod.error();
  }
  if (settings.quality && settings.texture_format != "jpeg" && (target == "glb" || target == "gltf")) {
    return "--quality applies to JPEG only. Use --texture-format jpeg.";
  }
  if (settings.quality && settings.encoding != "auto" && settings.encoding != "jpeg") {
    return concat({"--quality applies to JPEG only, not to --encoding ", settings.encoding});
  }
  if (settings.weights && (!settings.format_version || *settings.format_version < 900)) {
    return "--weights needs --format-version 900 or later. Earlier versions have no vertex weights.";
  }
  if (settings.with_textures && settings.format_version != 800U) {
    return "--with-textures needs --format-version 800";
  }
  const TargetInfo* known = find_target(target);
  return to_stdout && known != nullptr && known->has_sidecars && !known->of_scenes
             ? concat({"--to ", target, " writes several files and cannot be written to stdout"})
             : "";
}

/// Whether the last name is of something that is made, and not there. One of several files of a kind that is
/// not there is an input that fails.
bool ends_with_output(const Settings& settings) {
  std::error_code error;
  if (settings.inputs.size() < 2 || !settings.output.empty() ||
      !has_target_extension(settings.inputs.back())) {
    return false;
  }
  const std::string& last = settings.inputs.back();
  const bool alike = fs::path(last).extension() == fs::path(settings.inputs.front()).extension();
  const bool there = fs::exists(last, error) || split_archive_path(last).has_value();
  return !there && !(alike && settings.inputs.size() > 2);
}

std::string misplaced_output(const Settings& settings) {
  return ends_with_output(settings)
             ? concat({settings.inputs.back(), " does not exist. Name the output with -o."})
             : "";
}

/// `convert in.mdx out.glb` is `convert in.mdx -o out.glb`: of two names of different kinds, where nothing
/// else says what is made.
Settings with_named_output(const Settings& settings) {
  Settings result = settings;
  const auto& names = settings.inputs;
  if (ends_with_output(settings) && names.size() == 2 && settings.to.empty() && !settings.recursive &&
      settings.files_from.empty() && fs::path(names[0]).extension() != fs::path(names[1]).extension()) {
    result.output = names[1];
    result.inputs.pop_back();
  }
  return result;
}

/// The options about maps, with the light of the hour. Nothing if the request is not about them.
Exit plan_worlds(const Settings& settings, const std::string& target, std::optional<WorldPlan>& plan) {
  if (!is_tile_target(target)) {
    return kOk;
  }
  auto map = map_options(settings);
  if (!map) {
    return usage_error("convert", map.error());
  }
  const bool lit = target == "minimap";  // everything else refuses the hour
  if (const std::string why = lit ? check_hour(settings) : ""; !why.empty()) {
    return usage_error("convert", why);
  }
  auto light = ground_light(settings);
  if (!light) {
    return fail_with(settings.lights, light.error());
  }
  map->light = *light;
  plan.emplace(settings, target, std::move(*map));
  return kOk;
}

}  // namespace

int run_convert(const Settings& stated) {
  const Settings settings = with_named_output(stated);
  const auto target = requested_target(settings);
  if (!target) {
    return usage_error("convert", target.error());
  }
  if (const auto color = requested_team_color(settings); !color && settings.team_color != kAllTeamColors) {
    return usage_error("convert", color.error());
  }
  for (const std::string& why :
       {contradiction(settings, *target), misplaced_output(settings), check_clips(settings),
        check_replaceables(settings), check_sources(settings)}) {
    if (!why.empty()) {
      return usage_error("convert", why);
    }
  }
  auto inputs = collect_inputs(settings, Others::marked);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  if (is_map_target(*target)) {
    return convert_maps(settings, *target, std::move(*inputs));
  }
  std::optional<WorldPlan> worlds;
  if (const Exit exit = plan_worlds(settings, *target, worlds); exit != kOk) {
    return exit;
  }
  FilePlan files(settings, *target, worlds ? &*worlds : nullptr, nullptr);
  Run run{"convert", "converted", convert_kinds(),
          plan_jobs(settings, std::move(*inputs), [&](const Input& input) { return files.plan(input); })};
  run.to_stdout = goes_to_stdout(settings);
  run.works_dry = settings.strict;  // whether a file is broken is found by reading it
  return carry_out(settings, std::move(run));
}

int run_optimize(const Settings& settings) {
  const auto target_or_error = requested_target(settings);
  if (!target_or_error) {
    return usage_error("optimize", target_or_error.error());
  }
  const std::string target = target_or_error->empty() ? "mdx" : *target_or_error;
  if (target != "mdx" && target != "mdl") {
    return usage_error("optimize", "optimize writes .mdx or .mdl only");
  }
  for (const std::string& why : {contradiction(settings, target), misplaced_output(settings)}) {
    if (!why.empty()) {
      return usage_error("optimize", why);
    }
  }
  auto inputs = collect_inputs(settings, Others::marked);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  OptimizeSums sums;
  FilePlan smaller(settings, target, nullptr, &sums);
  Run run{"optimize",
          "optimized",
          {&kSmallerModels},
          plan_jobs(settings, std::move(*inputs), [&](const Input& input) { return smaller.plan(input); })};
  run.to_stdout = goes_to_stdout(settings);
  run.works_dry = true;
  run.sums = [&] { return sums.sums(); };
  return carry_out(settings, std::move(run));
}

}  // namespace thaw::cli
