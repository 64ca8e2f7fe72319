#include <thaw/codes.hpp>
#include <thaw/image.hpp>
#include <thaw/tga.hpp>
#include <thaw/value.hpp>

#include "bytes/escape.hpp"
#include "bytes/text.hpp"
#include "cli/arguments/applies.hpp"
#include "cli/arguments/commands.hpp"
#include "cli/convert/options.hpp"
#include "cli/inputs/open_scene.hpp"
#include "cli/inputs/replaceables.hpp"
#include "cli/inputs/world_input.hpp"
#include "cli/jobs/engine.hpp"
#include "cli/jobs/single_output.hpp"
#include "cli/jobs/targets.hpp"
#include "cli/jobs/unused_options.hpp"
#include "cli/picture/map_shot.hpp"
#include "cli/picture/shot.hpp"
#include "cli/picture/webm.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/console.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <thread>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// What pictures become.
enum class Form : std::uint8_t { png, apng, gif, webm, numbered };

constexpr std::uint64_t kMostFrames = 3600;

bool names_folder(const std::string& output) {
  std::error_code error;
  return !output.empty() && (output.back() == '/' || fs::is_directory(output, error));
}

/// The report of the pictures.
struct Facts {
  std::string clip;
  double time = 0;
  std::uint64_t triangles = 0;
  std::uint64_t particles = 0;
  std::uint64_t stand_ins = 0;
  std::size_t textures = 0;
  std::size_t missing_textures = 0;
  std::optional<std::size_t> tiles;  ///< of maps only
  std::optional<frame::Camera> camera;
};

/// The request, as far as the options that are read for it differ.
constexpr std::string_view kPicture =
    "size background samples collision grid no-emitters seed fog source no-default-sources max-size";
constexpr std::string_view kOfModels =
    "clip time camera team-color light wireframe bones extents scale listfile";
constexpr std::string_view kOfClips =
    "time camera team-color light wireframe bones extents scale listfile sheet";
constexpr std::string_view kPastModels = "clip time team-color light wireframe bones extents scale listfile";
constexpr std::string_view kOfSeveral =
    "size background samples wireframe grid no-emitters seed fog source no-default-sources time camera "
    "team-color light scale listfile max-size";
constexpr std::string_view kPastSeveral =
    "size background samples wireframe grid no-emitters seed fog source no-default-sources time "
    "team-color light scale listfile max-size";
constexpr std::string_view kMovie = "turntable play frames fps";
constexpr std::string_view kOfMaps = "layers bake-size hour lights storm under-water";
constexpr std::string_view kOfPlaces = "eye look far-clip wdl texture-detail scale";
constexpr std::string_view kThroughMaps = "far-clip wdl texture-detail scale path frames fps";

/// What is made, by its place in `kKinds`; each is followed by the same without --png-level.
enum Kind : std::uint8_t {
  kPictures = 0,
  kMoving = 2,
  kMapFromAbove = 4,
  kMapFromPlace = 6,
  kTiles = 8,
  kMovingTiles = 10,
  kSeveral = 12,
  kTurningSeveral = 14,
  kAlongPath = 16,
  kPathInMap = 18,
  kPathPastSeveral = 20,
  kSheet = 22,
};
constexpr std::array kKinds = {
    JobKind{"renders of models", {kPicture, kOfModels, "png-level"}},
    JobKind{"renders of models as .gif", {kPicture, kOfModels}},
    JobKind{"animated renders", {kPicture, kOfModels, kMovie, "png-level"}},
    JobKind{"animated renders as .gif or .webm", {kPicture, kOfModels, kMovie}},
    JobKind{"top-down renders of maps", {kPicture, kOfMaps, "tiles png-level"}},
    JobKind{"top-down renders of maps as .gif", {kPicture, kOfMaps, "tiles"}},
    JobKind{"eye-level renders of maps", {kPicture, kOfMaps, kOfPlaces, "png-level"}},
    JobKind{"eye-level renders of maps as .gif", {kPicture, kOfMaps, kOfPlaces}},
    JobKind{"renders of tiles as models", {kPicture, kOfModels, "tiles png-level"}},
    JobKind{"renders of tiles as models as .gif", {kPicture, kOfModels, "tiles"}},
    JobKind{"animated renders of tiles", {kPicture, kOfModels, kMovie, "tiles png-level"}},
    JobKind{"animated renders of tiles as .gif or .webm", {kPicture, kOfModels, kMovie, "tiles"}},
    JobKind{"renders of several models", {kOfSeveral, "png-level"}},
    JobKind{"renders of several models as .gif", {kOfSeveral}},
    JobKind{"turntables of several models", {kOfSeveral, "turntable frames fps png-level"}},
    JobKind{"turntables of several models as .gif or .webm", {kOfSeveral, "turntable frames fps"}},
    JobKind{"films along a path", {kPicture, kPastModels, "path frames fps png-level"}},
    JobKind{"films along a path as .gif or .webm", {kPicture, kPastModels, "path frames fps"}},
    JobKind{"films along a path in a map", {kPicture, kOfMaps, kThroughMaps, "png-level"}},
    JobKind{"films along a path in a map as .gif or .webm", {kPicture, kOfMaps, kThroughMaps}},
    JobKind{"films along a path past several models", {kPastSeveral, "path frames fps png-level"}},
    JobKind{"films along a path past several models as .gif or .webm", {kPastSeveral, "path frames fps"}},
    JobKind{"sheets of clips", {kPicture, kOfClips, "png-level"}},
    JobKind{"sheets of clips as .gif", {kPicture, kOfClips}},
};

/// What only some formats have a use for.
constexpr std::array kKindsOfSome = {JobKind{"renders of skeletons and actors", {"skeleton"}},
                                     JobKind{"renders of models with levels of detail", {"lod"}}};

class Renderer {
 public:
  Renderer(const Settings& settings, Shot shot, std::optional<CameraPath> path)
      : settings_(settings), shot_(std::move(shot)), path_(std::move(path)), folders_(settings) {}

  Exit run() {
    Input input = named_input(settings_.inputs.front(), settings_);
    fs::path stem = input.relative.empty() ? input.path.filename() : input.relative.filename();
    stem_ = input.name == "-" ? fs::path("stdin") : stem.replace_extension();
    // Of a map that is nothing but one building there is nothing to be seen from above.
    const bool building = settings_.eye.empty() && !path_ && is_one_building(settings_, input);
    const bool map = !building && is_map_shot(settings_, input);
    if (several() && identify_file(input).format == "wdt") {
      return usage_error("render", "A map cannot be rendered together with other inputs. Render it alone.");
    }
    if (map) {
      auto map_shot = parse_map_shot(settings_, shot_);
      if (!map_shot) {
        return usage_error("render", map_shot.error());
      }
      map_shot_ = std::move(*map_shot);
    } else if (path_ && path_->above_ground()) {
      return usage_error(
          "render", concat({"--path ", settings_.path, ": heights above the ground need a map as input"}));
    } else if (const std::string why = check_tiles(settings_); !why.empty()) {
      return usage_error("render", why);
    }
    Job job{std::move(input)};
    job.name = job.input.name;
    job.identity = identify_file(job.input);
    job.output = output_path();
    form_ = form_of(job.output);
    if (form_ == Form::numbered) {
      job.output /= numbered_name(0);
    }
    job.more_sidecars = form_ == Form::numbered;
    const bool tiles = job.identity->format == "wdt" && !map && !building;
    const bool level = form_ != Form::gif && form_ != Form::webm;
    const std::size_t kind = map ? kind_of_map() : kind_of_models(tiles);
    job.kind = with_options_of(*job.identity, kKinds.at(kind + (level ? 0 : 1)));
    if (form_ == Form::webm && settings_.isolate) {
      return usage_error(
          "render", ".webm needs ffmpeg, which --isolate does not start. Write an animated .png instead.");
    }
    if (form_ == Form::webm) {
      ffmpeg_ = find_ffmpeg();
      if (ffmpeg_.empty()) {
        return usage_error("render",
                           ".webm needs the program ffmpeg, which is not in PATH. Install it, or write an "
                           "animated .png (APNG).");
      }
    }
    if (path_ && pictures_along_path() > kMostFrames) {
      return usage_error("render",
                         concat({"--path ", settings_.path, ": ", std::to_string(pictures_along_path()),
                                 " frames at ", std::to_string(fps()), " frames per second; the limit is ",
                                 std::to_string(kMostFrames), " frames. Lower --fps, or set --frames."}));
    }
    job.make = [this](const Job& task, Diagnostics& findings) { return make(task, findings); };
    Run run{"render", "rendered", {}, {}};
    const auto to_address = [](const JobKind& entry) { return &entry; };
    std::transform(kKinds.begin(), kKinds.end(), std::back_inserter(run.kinds), to_address);
    std::transform(kKindsOfSome.begin(), kKindsOfSome.end(), std::back_inserter(run.kinds), to_address);
    run.jobs.push_back(std::move(job));
    run.to_stdout = goes_to_stdout(settings_);
    return carry_out(settings_, std::move(run));
  }

 private:
  /// A kind with those options that the format has a use for.
  const JobKind* with_options_of(const Identity& identity, const JobKind& usual) {
    const std::string applicable = options_for(identity.format, "glb");
    for (const auto words : usual.options) {
      options_ += concat({words, " "});
    }
    for (const std::string_view option : {"skeleton", "lod"}) {
      options_ += contains_word(applicable, option) ? concat({option, " "}) : "";
    }
    kind_ = {usual.what, {options_}};
    return &kind_;
  }

  [[nodiscard]] bool several() const { return settings_.inputs.size() > 1; }
  [[nodiscard]] Kind kind_of_map() const {
    return path_ ? kPathInMap : settings_.eye.empty() ? kMapFromAbove : kMapFromPlace;
  }
  [[nodiscard]] Kind kind_of_models(bool tiles) const {
    if (several()) {
      return path_ ? kPathPastSeveral : settings_.turntable ? kTurningSeveral : kSeveral;
    }
    if (path_ || settings_.sheet) {
      return path_ ? kAlongPath : kSheet;
    }
    return tiles ? (moving() ? kMovingTiles : kTiles) : moving() ? kMoving : kPictures;
  }
  [[nodiscard]] bool moving() const { return settings_.turntable || settings_.play || path_; }
  [[nodiscard]] std::uint64_t fps() const {
    constexpr std::uint64_t kUsualRate = 20;
    return settings_.fps.value_or(kUsualRate);
  }

  Result<Product> make(const Job& job, Diagnostics& findings) {
    shot_.raster.control = current_control();
    auto done = map_shot_ ? take_pictures_of_map(job.input, findings) : take_pictures(job.input, findings);
    stop_when_requested();  // what was drawn till then is not for use
    if (done && empty_ && !images_.empty()) {
      report_empty_picture(findings, nothing_);
    }
    return std::move(done).and_then([&] { return product(); });
  }

  Result<void> take_pictures_of_map(const Input& input, Diagnostics& findings) {
    map_shot_->shot = shot_;
    std::vector<double> times;
    if (path_) {
      if (auto room = room_for(pictures_along_path()); !room) {
        return room;
      }
      for (std::uint64_t i = 0; i < pictures_along_path(); ++i) {
        times.push_back(time_along_path(i));
      }
    }
    auto drawn = draw_map(
        {*map_shot_, path_ ? &*path_ : nullptr, times}, input, settings_, folders_,
        [this](MapPicture picture) {
          keep({std::move(picture.image), picture.complete});
          facts_.triangles = picture.triangles;
          facts_.particles = picture.particles;
          facts_.tiles = picture.tiles;
          facts_.camera = picture.camera;
        },
        findings);
    if (!drawn) {
      return drawn;
    }
    facts_.missing_textures = static_cast<std::size_t>(
        std::count_if(findings.items().begin(), findings.items().end(),
                      [](const Diagnostic& finding) { return finding.code == codes::kTextureMissing; }));
    return {};
  }

  Result<void> take_pictures(const Input& input, Diagnostics& findings) {
    auto shown = several() ? open_all(findings) : open_one(input, stem_, findings);
    if (!shown) {
      return tl::unexpected<Error>(std::move(shown.error()));
    }
    auto renderer = SceneRenderer::open(shown->scene, shown->models, shown->file_name, shot_);
    if (!renderer) {
      return tl::unexpected<Error>(std::move(renderer.error()));
    }
    if (auto drawn = settings_.sheet ? take_sheet(*renderer, shown->scene) : take_pictures(*renderer);
        !drawn) {
      return drawn;
    }
    nothing_ = renderer->reason_of_nothing();
    facts_.clip = renderer->clip() == nullptr ? "" : renderer->clip()->name;
    facts_.time = renderer->time_of_clip();
    renderer->report_ends(findings);
    facts_.triangles = renderer->triangles();
    facts_.particles = renderer->particles();
    facts_.stand_ins = renderer->stand_ins();
    facts_.textures = shown->textures;
    facts_.missing_textures = shown->missing_textures;
    facts_.camera = renderer->camera();
    return {};
  }

  Result<ShownScene> open_one(const Input& input, const fs::path& stem, Diagnostics& findings) {
    auto content = load(input, settings_);
    if (!content) {
      return tl::unexpected<Error>(std::move(content.error()));
    }
    input_size_ = input_size_.value_or(0) + content->bytes.size();
    auto shown = open_scene({input, *content, "png", stem, settings_, folders_, findings});
    const bool nothing = shown && shown->scene.meshes.empty() && shown->scene.placements.empty();
    if (content->identity.format == "wdt" && !settings_.tiles.empty() && nothing) {
      return fail(codes::kWorldNoTile, "");
    }
    return shown;
  }

  Result<ShownScene> open_all(Diagnostics& findings) {
    std::vector<ShownScene> all;
    OptionEffects effects;
    for (const std::string& name : settings_.inputs) {
      const Input input = named_input(name, settings_);
      Diagnostics file_findings;
      auto shown = open_one(input, input.path.stem(), file_findings);
      for (const Diagnostic& finding : file_findings.items()) {
        if (!names_option(finding)) {
          findings.add(finding);
        }
      }
      if (!shown) {
        return tl::unexpected<Error>(error_in(input.name, std::move(shown.error())));
      }
      effects.add(file_findings);
      all.push_back(std::move(*shown));
    }
    const Diagnostics of_all = effects.of_all();
    for (const Diagnostic& finding : of_all.items()) {
      findings.add(finding);
    }
    ShownScene together;
    std::vector<SceneOfFile> scenes;
    for (ShownScene& one : all) {
      together.textures += one.textures;
      together.missing_textures += one.missing_textures;
      scenes.push_back(std::move(one));
    }
    static_cast<SceneOfFile&>(together) = side_by_side(std::move(scenes));
    return together;
  }

  Result<void> take_sheet(SceneRenderer& renderer, const scene::Scene& scene) {
    ClipSheet sheet(renderer, scene, shot_);
    if (auto room = room_for(sheet.cells()); !room) {
      return room;
    }
    raster::Picture picture = sheet.draw();
    complete_ = complete_ && picture.complete;
    empty_ = sheet.empty();
    images_.push_back(std::move(picture.image));
    return {};
  }

  [[nodiscard]] std::uint64_t pictures_along_path() const {
    const double last = std::floor(path_->duration() * static_cast<double>(fps()) + 1e-6);
    return settings_.frames.value_or(static_cast<std::uint64_t>(last) + 1);
  }
  [[nodiscard]] double time_along_path(std::uint64_t picture) const {
    const auto steps = static_cast<double>(std::max<std::uint64_t>(settings_.frames.value_or(2) - 1, 1));
    const auto index = static_cast<double>(picture);
    return settings_.frames ? path_->duration() * index / steps : index / static_cast<double>(fps());
  }

  Result<void> take_along_path(SceneRenderer& renderer) {
    const std::uint64_t count = pictures_along_path();
    if (auto room = room_for(count); !room) {
      return room;
    }
    for (std::uint64_t i = 0; i < count && proceed(current_control(), "pictures", i, count); ++i) {
      const double time = time_along_path(i);
      const double moment = renderer.time() + (settings_.moment.empty() ? time : 0);
      keep(renderer.shoot_from(moment, path_->at(time).value_or(Viewpoint())));
    }
    return {};
  }

  Result<void> take_pictures(SceneRenderer& renderer) {
    if (path_) {
      return take_along_path(renderer);
    }
    if (!moving()) {
      keep(renderer.picture());
      return {};
    }
    renderer.settle();
    const double duration = renderer.clip() == nullptr ? 0 : double{renderer.clip()->duration};
    const double step = 1.0 / static_cast<double>(fps());
    constexpr std::uint64_t kTurn = 36;
    std::uint64_t count = settings_.frames.value_or(kTurn);
    if (settings_.play && (!settings_.turntable || !settings_.frames)) {
      const auto all = static_cast<std::uint64_t>(std::max(1.0, std::ceil(duration / step - 1e-6)));
      count = std::min(all, settings_.frames.value_or(kMostFrames));
    }
    count = std::min(count, kMostFrames);
    if (auto room = room_for(count); !room) {
      return room;
    }
    for (std::uint64_t i = 0; i < count && proceed(current_control(), "pictures", i, count); ++i) {
      const double time = settings_.play ? renderer.time() + step * static_cast<double>(i) : renderer.time();
      const double turn = 360.0 * static_cast<double>(i) / static_cast<double>(count);
      keep(settings_.turntable ? renderer.shoot_around(time, turn) : renderer.shoot(time));
    }
    return {};
  }

  /// Pictures of a moving one are held until it is written.
  [[nodiscard]] Result<void> room_for(std::uint64_t pictures) const {
    constexpr std::uint64_t kPixel = 4;
    const std::uint64_t bytes = pictures * shot_.width * shot_.height * kPixel;
    const std::uint64_t bound = read_options(settings_).limits.max_pixel_bytes;
    return bytes <= bound
               ? Result<void>()
               : fail(codes::kTooManyPixels,
                      concat({counted(pictures, "image"), " of ", std::to_string(shot_.width), " × ",
                              std::to_string(shot_.height), " would need ", std::to_string(bytes),
                              " bytes, more than the limit of ", std::to_string(bound)}));
  }

  void keep(raster::Picture picture) {
    complete_ = complete_ && picture.complete;
    empty_ = empty_ && is_empty_picture(picture.image, shot_.raster);
    images_.push_back(std::move(picture.image));
  }

  // --- output

  [[nodiscard]] fs::path output_path() const {
    if (settings_.output.empty()) {
      return fs::path(stem_.filename()).concat(".png");
    }
    const bool folder = names_folder(settings_.output) && !moving();
    return folder ? fs::path(settings_.output) / fs::path(stem_.filename()).concat(".png")
                  : fs::path(settings_.output);
  }

  [[nodiscard]] Form form_of(const fs::path& output) const {
    if (moving() && names_folder(settings_.output)) {
      return Form::numbered;
    }
    return output.extension() == ".gif"    ? Form::gif
           : output.extension() == ".webm" ? Form::webm
           : moving()                      ? Form::apng
                                           : Form::png;
  }

  static std::string numbered_name(std::size_t index) {
    constexpr std::size_t kDigits = 4;
    const std::string number = std::to_string(index);
    return std::string(kDigits - std::min(number.size(), kDigits), '0') + number + ".png";
  }

  /// By the name of the output.
  [[nodiscard]] Result<Bytes> encode_still(const Image& image, int level) const {
    const fs::path extension = output_path().extension();
    if (extension == ".tga") {
      return tga::encode(image).map([](const tga::Document& document) { return tga::write(document); });
    }
    if (extension == ".webp") {
      return encode_webp(image, current_control());
    }
    return extension == ".jpg" ? encode_jpeg(image) : encode_png(image, level, current_control());
  }

  Result<Product> product() const {
    const auto delay = static_cast<unsigned>((1000 + fps() / 2) / fps());
    const int level = png_level(settings_);
    Product product;
    product.input_size = input_size_;
    switch (form_) {
      case Form::png:
        if (auto still = encode_still(images_.front(), level)) {
          product.files.push_back({"", std::move(*still)});
        } else {
          return tl::unexpected<Error>(std::move(still.error()));
        }
        break;
      case Form::apng:
        product.files.push_back({"", encode_apng(images_, delay, level, current_control())});
        break;
      case Form::gif:
        product.files.push_back({"", encode_gif(images_, delay, current_control())});
        break;
      case Form::webm: {
        auto film = encode_webm(ffmpeg_, images_, fps());
        if (!film) {
          return tl::unexpected<Error>(std::move(film.error()));
        }
        product.files.push_back({"", std::move(*film)});
        break;
      }
      case Form::numbered:
        for (std::size_t i = 0; i < images_.size(); ++i) {
          product.files.push_back({numbered_name(i), encode_png(images_[i], level, current_control())});
        }
        break;
    }
    stop_when_requested();
    product.note = facts_text();
    product.json = facts_json();
    return product;
  }

  [[nodiscard]] std::string facts_text() const {
    const Image& image = images_.front();
    return concat({std::to_string(image.width), " × ", std::to_string(image.height),
                   images_.size() > 1 ? concat({" · ", counted(images_.size(), "image")}) : "",
                   facts_.clip.empty() ? "" : concat({" · ", shown(facts_.clip)}),
                   facts_.tiles ? concat({" · ", counted(*facts_.tiles, "tile")}) : "", " · ",
                   counted(facts_.triangles, "triangle"),
                   facts_.missing_textures > 0
                       ? concat({" · ", counted(facts_.missing_textures, "texture"), " missing"})
                       : "",
                   facts_.stand_ins > 0 ? concat({" · ", counted(facts_.stand_ins, "stand-in")}) : "",
                   empty_ ? " · nothing visible" : "", complete_ ? "" : " · incomplete"});
  }

  [[nodiscard]] Value::Object facts_json() const {
    Value::Object members = {{"width", images_.front().width},
                             {"height", images_.front().height},
                             {"pictures", count_value(images_.size())},
                             {"clip", facts_.clip.empty() ? Value() : Value(facts_.clip)},
                             {"time", facts_.time}};
    if (facts_.tiles) {
      members.emplace_back("tiles", count_value(*facts_.tiles));
    }
    members.emplace_back("triangles", count_value(facts_.triangles));
    members.emplace_back("particles", count_value(facts_.particles));
    members.emplace_back("textures", count_value(facts_.textures));
    members.emplace_back("textures_missing", count_value(facts_.missing_textures));
    members.emplace_back("stand_ins", count_value(facts_.stand_ins));
    members.emplace_back("complete", complete_);
    members.emplace_back("empty", empty_);
    members.emplace_back("camera", facts_.camera ? camera_json(*facts_.camera) : Value());
    return members;
  }

  /// In the scene's space: Y up, metres, radians.
  static Value camera_json(const frame::Camera& camera) {
    const auto list = [](const Vec3& v) { return Value(Value::List{v[0], v[1], v[2]}); };
    Value value;
    value.set("eye", list(camera.eye)).set("target", list(camera.target)).set("up", list(camera.up));
    value.set("field_of_view", camera.field_of_view);
    value.set("near", camera.near_clip).set("far", camera.far_clip);
    return value;
  }

  const Settings& settings_;
  Shot shot_;
  std::optional<CameraPath> path_;
  std::optional<StatedMapShot> map_shot_;  ///< of a map as such
  TextureFolders folders_;
  fs::path stem_;
  Form form_ = Form::png;
  fs::path ffmpeg_;
  Facts facts_;
  std::optional<std::uint64_t> input_size_;
  std::vector<Image> images_;
  bool complete_ = true;
  bool empty_ = true;    ///< of all pictures
  std::string nothing_;  ///< why that may be
  std::string options_;  ///< of `kind_`
  JobKind kind_;
};

/// What --path names. Errors: of the file, and of what it says.
Result<std::optional<CameraPath>> read_path(const Settings& settings) {
  if (settings.path.empty()) {
    return std::nullopt;
  }
  const auto text = load_text(settings.path, settings);
  const auto json = text ? parse_json(as_bytes(*text)) : tl::unexpected<Error>(text.error());
  if (!json) {
    return tl::unexpected<Error>(json.error());
  }
  auto path = CameraPath::of(*json);
  return path ? Result<std::optional<CameraPath>>(std::move(*path))
              : fail(codes::kJsonMalformed, path.error());
}

}  // namespace

int run_render(const Settings& settings) {
  static constexpr std::array<std::string_view, 7> kForms = {".png",  ".jpg", ".webp", ".tga",
                                                             ".apng", ".gif", ".webm"};
  auto shot = parse_shot(settings);
  if (!shot) {
    return usage_error("render", shot.error());
  }
  if (const auto color = requested_team_color(settings); !color) {
    return usage_error("render", color.error());
  }
  const std::string extension = fs::path(settings.output).extension().string();
  if (!settings.output.empty() && settings.output != "-" && !names_folder(settings.output) &&
      std::find(kForms.begin(), kForms.end(), extension) == kForms.end()) {
    return usage_error(
        "render",
        concat({"the output ", settings.output,
                " must end in .png, .jpg, .webp, .tga, .apng, .gif or .webm, or in / for a folder"}));
  }
  const bool moves = settings.turntable || settings.play || !settings.path.empty();
  if (extension == ".webm" && !moves) {
    return usage_error("render", ".webm needs an animation: --turntable, --play or --path");
  }
  if ((extension == ".jpg" || extension == ".webp" || extension == ".tga") && moves) {
    return usage_error(
        "render", concat({extension, " holds a single image. Write animations as .png, .gif or .webm."}));
  }
  if (goes_to_stdout(settings) && stdout_is_terminal() && !settings.dry_run) {
    return usage_error("render", "Images are not written to a terminal. Name a file with -o FILE.");
  }
  const auto lod = requested_lod(settings);
  for (const std::string& why :
       {check_outputs(settings), check_sources(settings), lod ? std::string() : lod.error()}) {
    if (!why.empty()) {
      return usage_error("render", why);
    }
  }
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  shot->raster.threads =
      static_cast<unsigned>(std::clamp<std::uint64_t>(settings.jobs.value_or(cores), 1, 64));
  auto path = read_path(settings);
  if (!path) {
    return fail_with(settings.path, path.error());
  }
  return Renderer(settings, std::move(*shot), std::move(*path)).run();
}

}  // namespace thaw::cli
