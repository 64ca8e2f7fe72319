#include <thaw/forgelight_codes.hpp>
#include <thaw/limit_codes.hpp>
#include <thaw/movie.hpp>
#include <thaw/sources.hpp>

#include "bytes/percent.hpp"
#include "bytes/text.hpp"
#include "cli/batch.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/contact_sheet.hpp"
#include "cli/convert_texture.hpp"
#include "cli/distinct.hpp"
#include "cli/interrupt.hpp"
#include "cli/replaceables.hpp"
#include "cli/report.hpp"
#include "cli/save.hpp"
#include "cli/studio.hpp"
#include "cli/summary.hpp"
#include "cli/text.hpp"
#include "cli/time_limit.hpp"

#include <algorithm>
#include <chrono>

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
  return "file://" + percent_encoded((error ? path : whole).generic_string(), "/!$&'()*+,;=:@");
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

class Thumbnailer {
 public:
  Thumbnailer(const Settings& settings, Shot shot, scene::TeamColor team_color, std::vector<Input> inputs,
              std::vector<std::uint32_t> sizes)
      : settings_(settings),
        shot_(std::move(shot)),
        team_color_(team_color),
        inputs_(std::move(inputs)),
        sizes_(std::move(sizes)),
        folders_(settings),
        entries_(inputs_.size()) {
    if (names_file()) {
      file_ = settings_.output;
    }
    folder_ = settings_.output.empty() ? "." : settings_.output;
    DistinctNames names;
    for (auto& input : inputs_) {
      input.relative = names.take(input.relative);
    }
  }

  int run() {
    if (const std::string why = objection(); !why.empty()) {
      return usage_error("thumb", why);
    }
    const Tally tally =
        run_batch(settings_, inputs_,
                  {[this](std::size_t index) { return make(index); },
                   [this](std::size_t index, const Error& error) {
                     return failed(inputs_[index], entries_[index], nullptr, Diagnostics(), error);
                   }});
    if (!is_batch(settings_) || tally.exit == kInterrupted) {
      return tally.exit;
    }
    if (!settings_.no_sheet) {
      if (auto done = write_sheet(); !done) {
        write_stderr(finding_line("index.html", done.error(), false));
        return kUnwritable;
      }
    }
    tell_summary(settings_, "thumb", tally);
    return tally.exit;
  }

 private:
  /// File managers give names of all kinds, temporary ones among them.
  [[nodiscard]] bool names_file() const {
    const fs::path output = settings_.output;
    std::error_code error;
    const bool may_be = !is_batch(settings_) && output.has_filename() && !fs::is_directory(output, error);
    return may_be && (sizes_.size() == 1 || extension_of(output) == ".png");
  }

  /// What speaks against the outputs, before any work.
  [[nodiscard]] std::string objection() const {
    if (!file_.empty() && sizes_.size() > 1) {
      return "pictures of several sizes need a folder: -o DIR/";
    }
    std::error_code error;
    // File managers may have made an empty file of that name.
    if (fs::is_regular_file(file_, error) && fs::file_size(file_, error) > 0) {
      const auto bytes = read_file(file_, {});
      if (bytes && identify(*bytes).format != Format::png) {
        return concat({file_.string(), " is there and is no PNG; it is not written over"});
      }
    }
    const fs::path sheet = folder_ / kSheetName;
    const bool foreign = is_batch(settings_) && !settings_.no_sheet && !settings_.force &&
                         fs::exists(sheet, error) && !is_contact_sheet(sheet);
    return foreign ? concat({sheet.string(), " is no page of thaw's; -f overwrites it, --no-sheet leaves it"})
                   : std::string();
  }

  [[nodiscard]] fs::path path_of(const Input& input, std::uint32_t size) const {
    if (!file_.empty()) {
      return file_;
    }
    // The extension stays: a folder may hold a model in two forms.
    fs::path name = input.relative;
    name += ".png";
    return sizes_.size() > 1 ? folder_ / std::to_string(size) / name : folder_ / name;
  }

  Outcome make(std::size_t index) {
    const Input& input = inputs_[index];
    SheetEntry& entry = entries_[index];
    entry.name = to_utf8(input.relative.generic_string());
    entry.picture =
        to_utf8(fs::path(path_of(input, sizes_.back())).lexically_relative(folder_).generic_string());
    if (settings_.skip_existing && is_there(input)) {
      return left_alone(input, entry);
    }
    Diagnostics findings;
    auto content = load(input, settings_,
                        [](const Identity& identity) { return is_document(identity) || is_gltf(identity); });
    if (!content) {
      return failed(input, entry, nullptr, findings, content.error());
    }
    const Identity& identity = content->identity;
    auto shown = content->skipped ? Result<ShownScene>(fail(codes::kFormatUnsupported, ""))
                                  : open_scene({input, *content, Target::png, input.relative.stem(),
                                                settings_, team_color_, folders_, findings});
    const bool foreign = !shown && (shown.error().code == codes::kFormatUnsupported ||
                                    shown.error().code == codes::kMrnSkeleton);
    if (content->skipped || (input.found && foreign)) {
      Outcome outcome;
      outcome.skipped = true;
      outcome.format = identity.format;
      entry.name.clear();
      return outcome;
    }
    if (!shown) {
      return failed(input, entry, &identity, findings, shown.error());
    }
    return shoot(input, entry, *content, *shown, findings);
  }

  Outcome shoot(const Input& input, SheetEntry& entry, const Content& content, const ShownScene& shown,
                const Diagnostics& findings) {
    Shot shot = shot_;
    shot.raster.stop = time_check();
    auto studio = Studio::open(shown, settings_, shot);
    if (!studio) {
      return failed(input, entry, &content.identity, findings, studio.error());
    }
    Value outputs = Value::List();
    for (const std::uint32_t size : sizes_) {
      studio->resize(size, size);
      const raster::Picture picture = studio->shoot(studio->time());
      if (picture.stopped && !interrupted()) {
        return failed(input, entry, &content.identity, findings, Error{codes::kOutOfTime, {}, {}, ""});
      }
      if (entry.facts.is_null()) {
        entry.facts = facts_of(content, shown, *studio, findings, picture.complete);
      }
      const Bytes png =
          encode_png(picture.image, texts_of(input, content, entry.facts), png_level(settings_));
      const fs::path path = path_of(input, size);
      if (auto done = save_file(path, png, settings_.force || settings_.skip_existing); !done) {
        return failed(input, entry, &content.identity, findings, done.error());
      }
      outputs.push(Value()
                       .set("path", to_utf8(path.string()))
                       .set("size", static_cast<std::int64_t>(png.size()))
                       .set("side", size));
    }
    return done(input, content, entry, findings, std::move(outputs));
  }

  [[nodiscard]] bool is_there(const Input& input) const {
    return std::all_of(sizes_.begin(), sizes_.end(), [&](std::uint32_t size) {
      std::error_code error;
      return fs::is_regular_file(path_of(input, size), error);
    });
  }

  /// What the sheet tells of it stands in the picture.
  Outcome left_alone(const Input& input, SheetEntry& entry) const {
    if (const auto bytes = read_file(path_of(input, sizes_.back()), {})) {
      for (const auto& [keyword, text] : png_texts(*bytes)) {
        entry.facts_json = keyword == kFactsKey ? text : entry.facts_json;
      }
    }
    Outcome outcome;
    if (settings_.json) {
      Value value = envelope("thumb", input.name, nullptr, Diagnostics(), nullptr);
      value.set("outputs", Value::List()).set("status", "exists");
      outcome.out = json_line(value);
    }
    return outcome;
  }

  /// What the survey would say, and what is in the picture.
  static Value facts_of(const Content& content, const ShownScene& shown, const Studio& studio,
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
    facts.set("format", format_id(content.identity.format)).set("dialect", content.identity.dialect);
    facts.set("version", content.identity.version
                             ? Value(static_cast<std::int64_t>(*content.identity.version))
                             : Value());
    facts.set("bytes", static_cast<std::int64_t>(content.bytes.size()));
    facts.set("name", shown.scene.name);
    facts.set("triangles", triangles).set("clips", clips);
    facts.set("clip", studio.clip() == nullptr ? Value() : Value(studio.clip()->name));
    facts.set("bones", static_cast<std::int64_t>(std::count_if(
                           shown.scene.nodes.begin(), shown.scene.nodes.end(),
                           [](const auto& node) { return node.kind == scene::NodeKind::bone; })));
    facts.set("emitters",
              static_cast<std::int64_t>(shown.scene.emitters.size() + shown.scene.ribbons.size()));
    facts.set("textures", static_cast<std::int64_t>(shown.textures));
    facts.set("missing", static_cast<std::int64_t>(shown.missing_textures));
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

  Outcome done(const Input& input, const Content& content, const SheetEntry& entry,
               const Diagnostics& findings, Value outputs) const {
    Outcome outcome;
    outcome.warned = findings.count(Severity::warning) > 0;
    outcome.err = finding_lines(input.name, findings, settings_, use_color(settings_, stderr_is_terminal()));
    if (settings_.json) {
      Value value = envelope("thumb", input.name, &content.identity, findings, nullptr);
      value.set("outputs", std::move(outputs)).set("status", "made").set("facts", entry.facts);
      outcome.out = json_line(value);
    }
    return outcome;
  }

  Outcome failed(const Input& input, SheetEntry& entry, const Identity* identity, const Diagnostics& findings,
                 const Error& error) const {
    entry.picture.clear();
    entry.failure = error.message.empty() ? std::string(error.code.id) : error.message;
    Outcome outcome;
    outcome.exit = exit_of(error);
    outcome.err = failure_lines(input.name, findings, error, settings_);
    if (settings_.json) {
      Value value = envelope("thumb", input.name, identity, findings, &error);
      value.set("outputs", Value::List()).set("status", "failed");
      outcome.out = json_line(value);
    }
    return outcome;
  }

  [[nodiscard]] Result<void> write_sheet() const {
    const std::string page = contact_sheet(entries_, sizes_.back());
    return save_file(folder_ / kSheetName, as_bytes(page), true);
  }

  const Settings& settings_;
  Shot shot_;
  scene::TeamColor team_color_;
  std::vector<Input> inputs_;
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
      return usage_error("thumb", concat({"--size ", text, ": a number from 1 to 8192"}));
    }
    sizes.push_back(size->first);
  }
  if (sizes.empty()) {
    sizes.push_back(256);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  const auto team_color = wished_team_color(settings);
  if (!team_color) {
    return usage_error("thumb", team_color.error());
  }
  if (settings.output == "-") {
    return usage_error("thumb", "thumbnails do not go to stdout; `thaw render -o -` does");
  }
  if (const std::string why = objection_to_overwriting(settings); !why.empty()) {
    return usage_error("thumb", why);
  }
  if (const std::string why = objection_to_sources(settings); !why.empty()) {
    return usage_error("thumb", why);
  }
  auto inputs = collect_inputs(settings, Others::marked);
  if (!inputs) {
    return fail_with(settings.files_from, inputs.error());
  }
  shot->raster.threads = 1;  // a batch has its threads over the files
  return Thumbnailer(settings, std::move(*shot), *team_color, std::move(*inputs), std::move(sizes)).run();
}

}  // namespace

int run_thumb(const Settings& settings) {
  Settings bounded = settings;
  bounded.timeout = settings.timeout.value_or(kSeconds);
  return draw_thumbs(bounded);
}

}  // namespace thaw::cli
