#include <thaw/codes.hpp>
#include <thaw/image.hpp>
#include <thaw/sources.hpp>

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "bytes/text_encoding.hpp"
#include "cli/arguments/applies.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/convert/options.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/inputs/open_scene.hpp"
#include "cli/inputs/replaceables.hpp"
#include "cli/jobs/engine.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/picture/shot.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/contact_sheet.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFactsKey = "thaw::Facts";
constexpr std::string_view kSheetName = "index.html";
constexpr double kSeconds = 60;  ///< that one model may take

/// As file managers write it: percent-encoded but for what RFC 3986 lets stand in a path.
std::string uri_of(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  std::string name = (error ? path : whole).generic_string();
  if (!name.starts_with('/')) {  // a drive's
    name.insert(0, 1, '/');
  }
  const std::string_view scheme = name.starts_with("//") ? "file:" : "file://";  // a server's name is in it
  return concat({scheme, percent_encoded(name, "/!$&'()*+,;=:@")});
}

/// Seconds since 1970 at which the file was last changed.
std::string changed_at(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) {
    return "";
  }
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::to_string(std::chrono::floor<std::chrono::seconds>(system).time_since_epoch().count());
}

constexpr std::string_view kLook =
    "size clip time camera background team-color light samples no-emitters seed png-level";
constexpr std::string_view kPlaces = "source no-default-sources listfile";
/// By what of `skeleton` and `lod` the format has a use for; in a batch four more.
constexpr std::array kThumbKinds = {
    JobKind{"a thumbnail", {kLook, kPlaces}},
    JobKind{"a thumbnail of a skeleton", {kLook, kPlaces, "skeleton"}},
    JobKind{"a thumbnail of a model with levels of detail", {kLook, kPlaces, "lod"}},
    JobKind{"a thumbnail of an actor", {kLook, kPlaces, "skeleton lod"}},
    JobKind{"a page of thumbnails", {kLook, kPlaces, "no-sheet"}},
    JobKind{"a page of thumbnails, skeletons among them", {kLook, kPlaces, "no-sheet", "skeleton"}},
    JobKind{"a page of thumbnails, models with levels of detail among them",
            {kLook, kPlaces, "no-sheet", "lod"}},
    JobKind{"a page of thumbnails, actors among them", {kLook, kPlaces, "no-sheet", "skeleton lod"}},
};

const JobKind* thumb_kind(const Identity& identity, bool batch) {
  const std::string applicable = options_for(identity.format, "glb");
  return &kThumbKinds.at((batch ? 4U : 0U) + (contains_word(applicable, "lod") ? 2U : 0U) +
                         (contains_word(applicable, "skeleton") ? 1U : 0U));
}

class Thumbnailer {
 public:
  Thumbnailer(const Settings& settings, Shot shot, std::vector<std::uint32_t> sizes)
      : settings_(settings),
        shot_(std::move(shot)),
        sizes_(std::move(sizes)),
        folders_(settings),
        folder_(settings.output.empty() ? "." : settings.output) {
    if (names_file()) {
      file_ = settings_.output;
    }
  }

  Exit run(std::vector<Input> inputs) {
    if (const std::string why = problem(); !why.empty()) {
      return usage_error("thumb", why);
    }
    if (!file_.empty() && !settings_.quiet && !file_.has_extension()) {
      write_stderr(concat({"thaw: ", shown(file_.generic_string()), " is used as the image's name; -o ",
                           shown(file_.generic_string()), "/ names a folder\n"}));
    }
    Run run{"thumb", "made", {}, jobs_of(std::move(inputs))};
    std::transform(kThumbKinds.begin(), kThumbKinds.end(), std::back_inserter(run.kinds),
                   [](const JobKind& kind) { return &kind; });
    run.brief = true;
    run.on_result = [this](std::size_t index, const Product* product) {
      entries_[index].name = product == nullptr ? "" : entries_[index].name;
      entries_[index].facts = product == nullptr ? Value() : product->json.front().second;
    };
    run.on_no_result = [this](std::size_t index, const Error* error) { note(entries_[index], error); };
    if (is_batch(settings_) && !settings_.no_sheet) {
      run.closing_path = folder_ / kSheetName;
      run.closing = [this] { return to_bytes(contact_sheet(entries_, sizes_.back())); };
    }
    return carry_out(settings_, std::move(run));
  }

 private:
  std::vector<Job> jobs_of(std::vector<Input> inputs) {
    auto jobs = plan_jobs(settings_, std::move(inputs), [this](const Input& input) { return plan(input); });
    entries_.resize(jobs.size());
    DistinctNames names;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      Job& job = jobs[i];
      if (job.skipped || job.input.elsewhere) {
        names.take(job.input.relative);
        continue;
      }
      const fs::path name = names.take(job.input.relative);
      entries_[i].name = to_utf8(name.generic_string());
      entries_[i].picture =
          to_utf8(path_of(name, sizes_.back()).lexically_relative(folder_).generic_string());
      if (job.failure) {
        continue;
      }
      job.output = path_of(name, sizes_.front());
      job.sidecars = [this, name](const fs::path& /*output*/) { return others_of(name); };
      job.make = [this](const Job& task, Diagnostics& findings) { return make(task, findings); };
    }
    return jobs;
  }

  std::vector<Job> plan(const Input& input) const {
    const Identity identity = identify_file(input);
    if (input.found && !becomes_scene(identity)) {
      // Reports what is broken, and what cannot be recognised by its beginning.
      const auto whole =
          load(input, settings_, [this](const Identity& candidate) { return becomes_scene(candidate); });
      if (!whole) {
        return {failed_job(input, whole.error())};
      }
      if (whole->skipped || (whole->identity.readable && !becomes_scene(whole->identity))) {
        return {skipped_job(input, whole->identity)};
      }
    }
    Job job{input};
    job.identity = identity;
    job.kind = thumb_kind(identity, is_batch(settings_));
    job.refreshes = true;
    job.may_be_foreign = true;
    return {std::move(job)};
  }

  [[nodiscard]] bool becomes_scene(const Identity& identity) const {
    const bool alone = identity.format == "nsa" && settings_.skeleton.empty();
    return is_gltf(identity) || (!alone && choose_target(identity, "glb").has_value());
  }

  /// File managers give names of all kinds, temporary ones among them.
  [[nodiscard]] bool names_file() const {
    const fs::path output = settings_.output;
    std::error_code error;
    const bool may_be = !is_batch(settings_) && output.has_filename() && !fs::is_directory(output, error);
    return may_be && (sizes_.size() == 1 || extension_of(output) == ".png");
  }

  /// What speaks against the outputs, before any work.
  [[nodiscard]] std::string problem() const {
    if (!file_.empty() && sizes_.size() > 1) {
      return "several --size need a folder: -o DIR/";
    }
    std::error_code error;
    // File managers may have made an empty file of that name.
    if (fs::is_regular_file(file_, error) && fs::file_size(file_, error) > 0) {
      const auto bytes = read_file(file_, {});
      if (bytes && identify(*bytes).format != "png") {
        return concat({file_.generic_string(),
                       " exists and is not a PNG; it is not overwritten. Name another output with -o."});
      }
    }
    const fs::path sheet = folder_ / kSheetName;
    const bool foreign = is_batch(settings_) && !settings_.no_sheet && !settings_.force &&
                         fs::exists(sheet, error) && !is_contact_sheet(sheet);
    return foreign
               ? concat({sheet.generic_string(),
                         " was not written by thaw. Overwrite it with -f, or skip the page with --no-sheet."})
               : std::string();
  }

  [[nodiscard]] fs::path path_of(fs::path name, std::uint32_t size) const {
    if (!file_.empty()) {
      return file_;
    }
    name += ".png";  // the extension stays: a folder may hold a model in two forms
    return sizes_.size() > 1 ? folder_ / std::to_string(size) / name : folder_ / name;
  }

  /// The smallest picture is the output itself.
  [[nodiscard]] std::vector<fs::path> others_of(const fs::path& name) const {
    std::vector<fs::path> paths;
    std::transform(sizes_.begin() + 1, sizes_.end(), std::back_inserter(paths),
                   [&](std::uint32_t size) { return path_of(name, size); });
    return paths;
  }

  Result<Product> make(const Job& job, Diagnostics& findings) {
    const auto content = load(job.input, settings_, [](const Identity& identity) {
      return is_document(identity) || is_gltf(identity);
    });
    if (!content) {
      return tl::unexpected<Error>(content.error());
    }
    const auto shown =
        open_scene({job.input, *content, "png", job.input.relative.stem(), settings_, folders_, findings});
    if (!shown) {
      return tl::unexpected<Error>(shown.error());
    }
    return shoot(job.input, *content, *shown, findings);
  }

  Result<Product> shoot(const Input& input, const Content& content, const ShownScene& shown,
                        Diagnostics& findings) const {
    Shot shot = shot_;
    shot.raster.control = current_control();
    auto renderer = SceneRenderer::open(shown.scene, shown.models, shown.file_name, shot);
    if (!renderer) {
      return tl::unexpected<Error>(std::move(renderer.error()));
    }
    Product product;
    product.input_size = content.bytes.size();
    Value facts;
    for (const std::uint32_t size : sizes_) {
      renderer->resize(size, size);
      const raster::Picture picture =
          facts.is_null() ? renderer->picture() : renderer->shoot(renderer->time());
      stop_when_requested();
      if (facts.is_null()) {
        const bool empty = is_empty_picture(picture.image, shot.raster);
        if (empty) {
          report_empty_picture(findings, renderer->reason_of_nothing());
        }
        facts = facts_of(content, shown, *renderer, findings, picture.complete);
        facts.set("empty", empty);
      }
      product.files.push_back(
          {"", encode_png(picture.image, texts_of(input, content, facts), png_level(settings_))});
      product.of_files.push_back({{"side", size}});
    }
    product.json = {{"facts", facts}};
    return product;
  }

  /// What the sheet states about an existing picture is stored in that picture.
  void note(SheetEntry& entry, const Error* error) const {
    if (error != nullptr) {
      entry.picture.clear();
      entry.failure = error->message.empty() ? std::string(error->code.id) : error->message;
    } else if (const auto bytes = read_file(folder_ / entry.picture, {})) {
      for (const auto& [keyword, text] : png_texts(*bytes)) {
        entry.facts_json = keyword == kFactsKey ? text : entry.facts_json;
      }
    }
  }

  /// What the survey would say, and what is in the picture.
  static Value facts_of(const Content& content, const ShownScene& shown, const SceneRenderer& renderer,
                        const Diagnostics& findings, bool complete) {
    std::int64_t clips = 0;
    std::int64_t triangles = 0;
    for (const auto& clip : shown.scene.clips) {
      clips += clip.global ? 0 : 1;
    }
    for (const auto& mesh : shown.scene.meshes) {
      triangles += static_cast<std::int64_t>(mesh.indices.size() / 3);
    }
    Value facts;
    facts.set("format", content.identity.format.id()).set("dialect", content.identity.dialect);
    facts.set("version", content.identity.version
                             ? Value(static_cast<std::int64_t>(*content.identity.version))
                             : Value());
    facts.set("bytes", static_cast<std::int64_t>(content.bytes.size()));
    facts.set("name", shown.scene.name);
    facts.set("triangles", triangles).set("clips", clips);
    facts.set("clip", renderer.clip() == nullptr ? Value() : Value(renderer.clip()->name));
    facts.set("bones", static_cast<std::int64_t>(std::count_if(
                           shown.scene.nodes.begin(), shown.scene.nodes.end(),
                           [](const auto& node) { return node.kind == scene::NodeKind::bone; })));
    facts.set("emitters",
              static_cast<std::int64_t>(shown.scene.emitters.size() + shown.scene.ribbons.size()));
    facts.set("textures", static_cast<std::int64_t>(shown.textures));
    facts.set("missing", static_cast<std::int64_t>(shown.missing_textures));
    facts.set("standIns", renderer.stand_ins());
    facts.set("errors", static_cast<std::int64_t>(findings.count(Severity::error)));
    facts.set("warnings", static_cast<std::int64_t>(findings.count(Severity::warning)));
    facts.set("complete", complete);
    return facts;
  }

  /// The keys of the freedesktop thumbnail specification, and the sheet's facts.
  [[nodiscard]] static std::vector<PngText> texts_of(const Input& input, const Content& content,
                                                     const Value& facts) {
    std::vector<PngText> texts;
    if (input.name != "-") {
      texts.push_back({"Thumb::URI", uri_of(input.path)});
      if (auto time = changed_at(input.path); !time.empty()) {
        texts.push_back({"Thumb::MTime", std::move(time)});
      }
    }
    texts.push_back({"Thumb::Size", std::to_string(content.bytes.size())});
    texts.push_back({"Software", "thaw"});
    texts.push_back({std::string(kFactsKey), to_json(facts)});
    return texts;
  }

  const Settings& settings_;
  Shot shot_;
  std::vector<std::uint32_t> sizes_;
  TextureFolders folders_;
  std::vector<SheetEntry> entries_;
  fs::path file_;
  fs::path folder_;
};

int draw_thumbs(const Settings& settings) {
  auto shot = parse_shot(settings);
  if (!shot) {
    return usage_error("thumb", shot.error());
  }
  std::vector<std::uint32_t> sizes;
  for (const auto& text : settings.thumb_sizes) {
    const auto size = parse_picture_size(text);
    if (!size || size->first != size->second) {
      return usage_error("thumb", concat({"--size ", text, ": expected a number from 1 to 8192"}));
    }
    sizes.push_back(size->first);
  }
  if (sizes.empty()) {
    sizes.push_back(256);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (const auto color = requested_team_color(settings); !color) {
    return usage_error("thumb", color.error());
  }
  if (settings.output == "-") {
    return usage_error("thumb", "Thumbnails cannot be written to stdout. Use `thaw render -o -`.");
  }
  if (const auto lod = requested_lod(settings); !lod) {
    return usage_error("thumb", lod.error());
  }
  if (const std::string why = check_outputs(settings); !why.empty()) {
    return usage_error("thumb", why);
  }
  if (const std::string why = check_sources(settings); !why.empty()) {
    return usage_error("thumb", why);
  }
  auto inputs = collect_inputs(settings, Others::marked);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  shot->raster.threads = 1;  // a batch has its threads over the files
  return Thumbnailer(settings, std::move(*shot), std::move(sizes)).run(std::move(*inputs));
}

}  // namespace

int run_thumb(const Settings& settings) {
  Settings bounded = settings;
  bounded.timeout = settings.timeout.value_or(kSeconds);
  return draw_thumbs(bounded);
}

}  // namespace thaw::cli
