#include <thaw/codes.hpp>
#include <thaw/edit.hpp>

#include "bytes/number_text.hpp"
#include "cli/arguments/applies.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/inputs/open.hpp"
#include "cli/jobs/engine.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/report/console.hpp"
#include "cli/report/text.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <list>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

using Wrong = tl::unexpected<std::string>;

/// Formats that have the same edits are one kind.
struct EditKind {
  std::string options;
  JobKind kind;
};

const std::list<EditKind>& edit_kinds() {
  static const std::list<EditKind> kKinds = [] {
    std::list<EditKind> kinds;
    for (const Format format : known_formats()) {
      std::string options = has_edits(format) ? options_for_edits(format) : "";
      const auto same = [&](const EditKind& kind) { return kind.options == options; };
      if (!options.empty() && std::none_of(kinds.begin(), kinds.end(), same)) {
        EditKind& kind = kinds.emplace_back(EditKind{std::move(options), {}});
        kind.kind = {format.models(), {kind.options}};
      }
    }
    return kinds;
  }();
  return kKinds;
}

std::optional<scene::Vec3d> parse_vector(std::string_view text) {
  const auto parts = split(text, ',');
  scene::Vec3d vector{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (parts.size() != 3 || !parse_double(parts[axis], vector.at(axis))) {
      return std::nullopt;
    }
  }
  return vector;
}

/// "90" or "x,90"
std::optional<scene::Vec4d> parse_turn(std::string_view text) {
  constexpr std::string_view kAxes = "xyz";
  const auto parts = split(text, ',');
  const std::size_t axis = parts.size() == 1      ? 2
                           : parts[0].size() == 1 ? kAxes.find(static_cast<char>(parts[0][0] | 0x20))
                                                  : std::string_view::npos;
  double degrees = 0;
  if (parts.size() > 2 || axis == std::string_view::npos || !parse_double(parts.back(), degrees)) {
    return std::nullopt;
  }
  const double half = degrees * scene::kRadiansPerDegree / 2;
  scene::Vec4d turn{0, 0, 0, scene::cosine(half)};
  turn.at(axis) = scene::sine(half);
  return turn;
}

tl::expected<ModelEdits::Names, std::string> parse_names(std::string_view option,
                                                         const std::vector<std::string>& texts) {
  ModelEdits::Names names;
  for (const std::string& text : texts) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0) {
      return Wrong(concat({"--", option, " ", text, ": expected OLD=NEW"}));
    }
    names.emplace_back(text.substr(0, at), text.substr(at + 1));
  }
  return names;
}

tl::expected<std::optional<Placement>, std::string> parse_placement(const Settings& settings) {
  Placement placement;
  placement.scale = settings.scale.value_or(1);
  for (const std::string& text : settings.rotations) {
    const auto turn = parse_turn(text);
    if (!turn) {
      return Wrong(
          concat({"--rotate ", text, ": expected degrees about z, or an axis and degrees such as x,90"}));
    }
    placement.turn = scene::quaternion_product(*turn, placement.turn);
  }
  if (!settings.move.empty()) {
    const auto move = parse_vector(settings.move);
    if (!move) {
      return Wrong(concat({"--move ", settings.move, ": expected three numbers such as 0,0,32"}));
    }
    placement.move = *move;
  }
  const bool requested = settings.scale || !settings.rotations.empty() || !settings.move.empty();
  return requested ? std::optional(placement) : std::nullopt;
}

tl::expected<ModelEdits, std::string> parse_edits(const Settings& settings) {
  ModelEdits edits;
  auto sequences = parse_names("rename-sequence", settings.renamed_sequences);
  auto paths = parse_names("repath", settings.repaths);
  auto bones = parse_names("bone-map", settings.bone_map);
  auto placement = parse_placement(settings);
  for (const auto* wrong : {sequences ? nullptr : &sequences.error(), paths ? nullptr : &paths.error(),
                            bones ? nullptr : &bones.error(), placement ? nullptr : &placement.error()}) {
    if (wrong != nullptr) {
      return Wrong(*wrong);
    }
  }
  edits.removals = settings.removals;
  edits.sequence_names = std::move(*sequences);
  edits.paths = std::move(*paths);
  edits.attachments = settings.added_attachments;
  edits.team_colors = settings.team_color_layers;
  edits.bones = std::move(*bones);
  edits.placement = *placement;
  edits.optimize = settings.optimize;
  return edits;
}

/// Other models that options name; they stay where they are.
using OtherModels = std::list<AnyDocument>;

/// FILE:PATTERN and the like; a letter alone in front of a colon is a drive.
std::pair<std::string, std::string> divided(const std::string& text, char separator, std::string otherwise) {
  const std::size_t at = text.rfind(separator);
  return at == std::string::npos || at < 2 ? std::pair(text, std::move(otherwise))
                                           : std::pair(text.substr(0, at), text.substr(at + 1));
}

/// Reports why a file cannot be read.
tl::expected<const AnyDocument*, Exit> load_other(const std::string& file, const Settings& settings,
                                                  OtherModels& others) {
  auto opened = open_document(file, settings);
  if (!opened.document) {
    return tl::unexpected<Exit>(report_findings(opened, settings));
  }
  return &others.emplace_back(std::move(*opened.document));
}

tl::expected<void, Exit> load_others(const Settings& settings, OtherModels& others, ModelEdits& edits) {
  for (const std::string& text : settings.copied_clips) {
    auto [file, pattern] = divided(text, ':', "*");
    const auto other = load_other(file, settings, others);
    if (!other) {
      return tl::unexpected<Exit>(other.error());
    }
    edits.clips.push_back({*other, std::move(pattern)});
  }
  for (const std::string& text : settings.attached) {
    auto [file, node] = divided(text, '@', "");
    const auto other = load_other(file, settings, others);
    if (!other) {
      return tl::unexpected<Exit>(other.error());
    }
    edits.models.push_back({*other, std::move(node)});
  }
  return {};
}

class EditPlan {
 public:
  /// Without a `kind`, edits are those of each format.
  EditPlan(const Settings& settings, ModelEdits edits, const JobKind* kind = nullptr)
      : settings_(settings), edits_(std::move(edits)), kind_(kind) {}

  std::vector<Job> plan(const Input& input) const {
    const Identity identity = identify_file(input);
    const std::string options =
        has_edits(identity.format) ? options_for_edits(identity.format) : std::string();
    if (input.found && options.empty()) {
      return {skipped_job(input, identity)};
    }
    Job job{input};
    job.identity = identity;
    const auto& kinds = edit_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const EditKind& known) { return known.options == options; });
    job.kind = kind_ != nullptr ? kind_ : kind == kinds.end() ? nullptr : &kind->kind;
    job.output = output_of(input);
    job.in_place = true;
    job.make = [this](const Job& task, Diagnostics& findings) { return make(task, findings); };
    return {std::move(job)};
  }

 private:
  [[nodiscard]] fs::path output_of(const Input& input) const {
    if (goes_to_stdout(settings_)) {
      return "stdin";
    }
    if (!names_folder(settings_, is_batch(settings_))) {
      return settings_.output;
    }
    fs::path below = settings_.flat ? input.relative.filename() : input.relative;
    if (is_portrait()) {
      below.replace_filename(concat({below.stem().string(), "_portrait", below.extension().string()}));
    }
    return settings_.output / below;
  }

  [[nodiscard]] bool is_portrait() const { return kind_ != nullptr; }

  [[nodiscard]] Result<Product> make(const Job& job, Diagnostics& findings) const {
    const auto content = load(job.input, settings_);
    if (!content) {
      return tl::unexpected<Error>(content.error());
    }
    return read_content(*content, settings_, findings)
        .and_then([&](const AnyDocument& document) -> Result<Product> {
          const auto to = written_as(document, job.output, job.input.path);
          if (!to) {
            return fail(codes::kFormatUnsupported,
                        concat({content->identity.explanation,
                                "; edits keep the format, so the output's name must end like the input's"}));
          }
          report_meaningless(job, findings);
          auto changed =
              is_portrait() ? portrait_of(document, findings) : edit_model(document, edits_, findings);
          return std::move(changed).map(
              [&](const Edited& edited) { return product_of(edited, *to, job, content->bytes.size()); });
        });
  }

  /// A run over unlike files is not refused for what only some of them have.
  void report_meaningless(const Job& job, Diagnostics& findings) const {
    const auto any_edit_reads = [&](std::string_view option) {
      return std::any_of(edit_kinds().begin(), edit_kinds().end(),
                         [&](const EditKind& kind) { return reads_option(kind.kind, option); });
    };
    for (const std::string_view option : settings_.given) {
      if (job.kind != nullptr && any_edit_reads(option) && !reads_option(*job.kind, option)) {
        findings.add(codes::kEditNothing, concat({"--", option, " does not apply to ", job.kind->what}));
      }
    }
  }

  static Product product_of(const Edited& edited, Format format, const Job& job, std::size_t size) {
    Product product;
    product.files.push_back({job.output.filename().string(), write_as(edited.document, format).value()});
    product.note = counted(edited.changes.size(), "change");
    product.input_size = size;
    Value changes = Value::List();
    for (const EditChange& change : edited.changes) {
      product.details += concat({"  ", change.path, change.path.empty() ? "" : ": ", change.message, "\n"});
      changes.push(Value().set("path", change.path).set("message", change.message));
    }
    product.json = {{"changes", std::move(changes)}};
    return product;
  }

  const Settings& settings_;
  ModelEdits edits_;
  const JobKind* kind_;
};

constexpr JobKind kPortraits{"portraits"};

Exit run_plan(const Settings& settings, const EditPlan& plan, std::string_view command, std::string_view done,
              std::vector<const JobKind*> kinds) {
  if (const std::string why = check_outputs(settings); !why.empty()) {
    return usage_error(command, why);
  }
  auto inputs = collect_inputs(settings, Others::marked);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  Run run{command, done, std::move(kinds),
          plan_jobs(settings, std::move(*inputs), [&](const Input& input) { return plan.plan(input); })};
  run.to_stdout = goes_to_stdout(settings);
  run.works_dry = true;
  return carry_out(settings, std::move(run));
}

}  // namespace

int run_edit(const Settings& settings) {
  auto edits = parse_edits(settings);
  if (!edits) {
    return usage_error("edit", edits.error());
  }
  const auto names_no_node = [](const std::string& text) { return text.find('@') == std::string::npos; };
  if (std::any_of(settings.attached.begin(), settings.attached.end(), names_no_node)) {
    return usage_error("edit", "--attach needs a node: FILE@NODE");
  }
  if (!settings.bone_map.empty() && settings.copied_clips.empty()) {
    return usage_error("edit", "--bone-map needs --copy-clips");
  }
  OtherModels others;
  if (const auto loaded = load_others(settings, others, *edits); !loaded) {
    return loaded.error();
  }
  std::vector<const JobKind*> kinds;
  for (const EditKind& kind : edit_kinds()) {
    kinds.push_back(&kind.kind);
  }
  return run_plan(settings, EditPlan(settings, std::move(*edits)), "edit", "edited", std::move(kinds));
}

int run_portrait(const Settings& settings) {
  return run_plan(settings, EditPlan(settings, {}, &kPortraits), "portrait", "made", {&kPortraits});
}

}  // namespace thaw::cli
