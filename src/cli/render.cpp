#include <thaw/movie.hpp>
#include <thaw/wow_codes.hpp>

#include "bytes/text.hpp"
#include "cli/batch.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/convert_texture.hpp"
#include "cli/interrupt.hpp"
#include "cli/render_map.hpp"
#include "cli/replaceables.hpp"
#include "cli/report.hpp"
#include "cli/save.hpp"
#include "cli/studio.hpp"
#include "cli/text.hpp"
#include "cli/time_limit.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

namespace thaw::cli {
namespace {

namespace fs = std::filesystem;

/// What pictures become.
enum class Form : std::uint8_t { png, apng, gif, numbered };

constexpr std::uint64_t kMostFrames = 3600;

bool names_folder(const std::string& output) {
  std::error_code error;
  return !output.empty() && (output.back() == '/' || fs::is_directory(output, error));
}

/// What is told of the pictures.
struct Facts {
  std::string clip;
  double time = 0;
  std::uint64_t triangles = 0;
  std::uint64_t particles = 0;
  std::size_t textures = 0;
  std::size_t missing_textures = 0;
  std::optional<std::size_t> tiles;  ///< of maps only
  std::optional<frame::Camera> camera;
};

class Renderer {
 public:
  Renderer(const Settings& settings, Shot shot, scene::TeamColor team_color)
      : settings_(settings), shot_(std::move(shot)), team_color_(team_color), folders_(settings) {}

  int run() {
    const Input input = named_input(settings_.inputs.front(), settings_);
    fs::path stem = input.relative.empty() ? input.path.filename() : input.relative.filename();
    stem = input.name == "-" ? fs::path("stdin") : stem.replace_extension();
    taken_ = taken_output(stem);
    const int exit = is_map_shot(settings_, input) ? take_picture_of_map(input) : take_pictures(input, stem);
    if (interrupted()) {
      return kInterrupted;
    }
    return exit == kOk ? deliver(input, stem) : exit;
  }

 private:
  [[nodiscard]] bool moving() const { return settings_.turntable || settings_.play; }
  [[nodiscard]] std::uint64_t fps() const {
    constexpr std::uint64_t kUsualRate = 20;
    return settings_.fps.value_or(kUsualRate);
  }

  int take_picture_of_map(const Input& input) {
    auto map_shot = parse_map_shot(settings_, shot_);
    if (!map_shot) {
      return usage_error("render", map_shot.error());
    }
    identity_ = identify_file(input);
    if (taken_) {
      return failed(input, *taken_);
    }
    auto drawn = draw_map(*map_shot, input, settings_, folders_, findings_);
    if (!drawn) {
      return failed(input, drawn.error());
    }
    keep({std::move(drawn->image), drawn->complete});
    facts_.triangles = drawn->triangles;
    facts_.particles = drawn->particles;
    facts_.tiles = drawn->tiles;
    facts_.missing_textures = static_cast<std::size_t>(
        std::count_if(findings_.items().begin(), findings_.items().end(),
                      [](const Diagnostic& finding) { return finding.code == codes::kTextureMissing; }));
    facts_.camera = drawn->camera;
    return kOk;
  }

  int take_pictures(const Input& input, const fs::path& stem) {
    if (!settings_.eye.empty()) {
      return usage_error("render", "--eye is a place of a map; --camera looks at models");
    }
    if (const std::string why = objection_to_tiles(settings_); !why.empty()) {
      return usage_error("render", why);
    }
    auto content = load(input, settings_);
    if (!content) {
      return failed(input, content.error());
    }
    identity_ = content->identity;
    auto shown =
        open_scene({input, *content, Target::png, stem, settings_, team_color_, folders_, findings_});
    if (!shown) {
      return failed(input, shown.error());
    }
    const bool nothing = shown->scene.meshes.empty() && shown->scene.placements.empty();
    if (identity_->format == Format::wdt && !settings_.tiles.empty() && nothing) {
      return failed(input, Error{codes::kWorldNoTile, {}, {}, ""});
    }
    auto studio = Studio::open(*shown, settings_, shot_);
    if (!studio) {
      return failed(input, studio.error());
    }
    if (taken_) {
      return failed(input, *taken_);
    }
    take_pictures(*studio);
    facts_.clip = studio->clip() == nullptr ? "" : studio->clip()->name;
    facts_.time = studio->time();
    facts_.triangles = studio->triangles();
    facts_.particles = studio->particles();
    facts_.textures = shown->textures;
    facts_.missing_textures = shown->missing_textures;
    facts_.camera = studio->camera();
    return kOk;
  }

  void take_pictures(Studio& studio) {
    if (!moving()) {
      keep(studio.shoot(studio.time()));
      return;
    }
    const double duration = studio.clip() == nullptr ? 0 : double{studio.clip()->duration};
    const double step = 1.0 / static_cast<double>(fps());
    constexpr std::uint64_t kTurn = 36;
    std::uint64_t count = settings_.frames.value_or(kTurn);
    if (settings_.play && (!settings_.turntable || !settings_.frames)) {
      const auto all = static_cast<std::uint64_t>(std::max(1.0, std::ceil(duration / step - 1e-6)));
      count = std::min(all, settings_.frames.value_or(kMostFrames));
    }
    count = std::min(count, kMostFrames);
    for (std::uint64_t i = 0; i < count && !interrupted(); ++i) {
      const double time = settings_.play ? studio.time() + step * static_cast<double>(i) : studio.time();
      const double turn = 360.0 * static_cast<double>(i) / static_cast<double>(count);
      keep(settings_.turntable ? studio.shoot_around(time, turn) : studio.shoot(time));
    }
  }

  void keep(raster::Picture picture) {
    complete_ = complete_ && picture.complete;
    images_.push_back(std::move(picture.image));
  }

  // --- output
  // -------------------------------------------------------------------------------------------

  [[nodiscard]] fs::path output_path(const fs::path& stem) const {
    if (settings_.output.empty()) {
      return fs::path(stem.filename()).concat(".png");
    }
    const bool folder = names_folder(settings_.output) && !moving();
    return folder ? fs::path(settings_.output) / stem.filename().concat(".png") : fs::path(settings_.output);
  }

  [[nodiscard]] Form form_of(const fs::path& output) const {
    if (!moving()) {
      return output.extension() == ".gif" ? Form::gif : Form::png;
    }
    if (names_folder(settings_.output)) {
      return Form::numbered;
    }
    return output.extension() == ".gif" ? Form::gif : Form::apng;
  }

  [[nodiscard]] fs::path first_output(const fs::path& stem) const {
    const fs::path output = output_path(stem);
    return form_of(output) == Form::numbered ? output / numbered_name(0) : output;
  }

  /// That an output is there is told before the pictures are drawn, not after.
  [[nodiscard]] std::optional<Error> taken_output(const fs::path& stem) const {
    const fs::path first = first_output(stem);
    std::error_code error;
    if (settings_.force || settings_.output == "-" || !fs::is_regular_file(first, error)) {
      return std::nullopt;
    }
    return Error{codes::kWriteExists, {}, {}, concat({to_utf8(first.string()), ": exists already"})};
  }

  static std::string numbered_name(std::size_t index) {
    constexpr std::size_t kDigits = 4;
    const std::string number = std::to_string(index);
    return std::string(kDigits - std::min(number.size(), kDigits), '0') + number + ".png";
  }

  int deliver(const Input& input, const fs::path& stem) {
    const fs::path output = output_path(stem);
    const auto delay = static_cast<unsigned>((1000 + fps() / 2) / fps());
    const int level = png_level(settings_);
    std::vector<std::pair<fs::path, Bytes>> files;
    switch (form_of(output)) {
      case Form::png:
        files.emplace_back(output, encode_png(images_.front(), level));
        break;
      case Form::apng:
        files.emplace_back(output, encode_apng(images_, delay, level));
        break;
      case Form::gif:
        files.emplace_back(output, encode_gif(images_, delay));
        break;
      case Form::numbered:
        for (std::size_t i = 0; i < images_.size(); ++i) {
          files.emplace_back(output / numbered_name(i), encode_png(images_[i], level));
        }
        break;
    }
    if (settings_.output == "-") {
      tell_findings(input);
      const Bytes& bytes = files.front().second;
      const bool done = write_stdout(as_text(bytes));
      return done ? kOk : kUnwritable;
    }
    for (const auto& [path, bytes] : files) {
      if (auto done = save_file(path, bytes, settings_.force); !done) {
        return failed(input, done.error());
      }
    }
    tell(input, files);
    return kOk;
  }

  void tell_findings(const Input& input) const {
    write_stderr(finding_lines(input.name, findings_, settings_, use_color(settings_, stderr_is_terminal())));
  }

  void tell(const Input& input, const std::vector<std::pair<fs::path, Bytes>>& files) const {
    tell_findings(input);
    std::uint64_t size = 0;
    for (const auto& file : files) {
      size += file.second.size();
    }
    if (settings_.json) {
      tell_json(input, files);
      return;
    }
    if (settings_.quiet) {
      return;
    }
    const Image& image = images_.front();
    write_stderr(concat({to_utf8(input.name), " → ",
                         to_utf8(settings_.output.empty() || files.size() == 1 ? files.front().first.string()
                                                                               : settings_.output),
                         " (", human_size(size), ") · ", std::to_string(image.width), " × ",
                         std::to_string(image.height),
                         images_.size() > 1 ? concat({" · ", counted(images_.size(), "picture")}) : "",
                         facts_.clip.empty() ? "" : concat({" · ", facts_.clip}),
                         facts_.tiles ? concat({" · ", counted(*facts_.tiles, "tile")}) : "", " · ",
                         counted(facts_.triangles, "triangle"),
                         facts_.missing_textures > 0
                             ? concat({" · ", counted(facts_.missing_textures, "texture"), " missing"})
                             : "",
                         complete_ ? "" : " · not everything drawn", "\n"}));
  }

  void tell_json(const Input& input, const std::vector<std::pair<fs::path, Bytes>>& files) const {
    Value value = envelope("render", input.name, identity(), findings_, nullptr);
    Value outputs = Value::List();
    for (const auto& [path, bytes] : files) {
      outputs.push(
          Value().set("path", to_utf8(path.string())).set("size", static_cast<std::int64_t>(bytes.size())));
    }
    value.set("outputs", std::move(outputs));
    value.set("width", images_.front().width).set("height", images_.front().height);
    value.set("pictures", static_cast<std::int64_t>(images_.size()));
    const auto count = [](std::uint64_t number) { return Value(static_cast<std::int64_t>(number)); };
    value.set("clip", facts_.clip.empty() ? Value() : Value(facts_.clip));
    value.set("time", facts_.time);
    if (facts_.tiles) {
      value.set("tiles", count(*facts_.tiles));
    }
    value.set("triangles", count(facts_.triangles)).set("particles", count(facts_.particles));
    value.set("textures", count(facts_.textures)).set("textures_missing", count(facts_.missing_textures));
    value.set("complete", complete_);
    value.set("camera", facts_.camera ? camera_json(*facts_.camera) : Value());
    write_stdout(json_line(value));
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

  [[nodiscard]] const Identity* identity() const { return identity_ ? &*identity_ : nullptr; }

  int failed(const Input& input, const Error& error) const {
    write_stderr(failure_lines(input.name, findings_, error, settings_));
    if (settings_.json) {
      write_stdout(json_line(envelope("render", input.name, identity(), findings_, &error)));
    }
    return exit_of(error);
  }

  const Settings& settings_;
  Shot shot_;
  scene::TeamColor team_color_;
  TextureFolders folders_;
  std::optional<Identity> identity_;
  Facts facts_;
  std::optional<Error> taken_;
  Diagnostics findings_;
  std::vector<Image> images_;
  bool complete_ = true;
};

}  // namespace

int run_render(const Settings& settings) {
  auto shot = parse_shot(settings);
  if (!shot) {
    return usage_error("render", shot.error());
  }
  const auto team_color = wished_team_color(settings);
  if (!team_color) {
    return usage_error("render", team_color.error());
  }
  if (settings.json && settings.output == "-") {
    return usage_error("render", "--json and the output cannot both go to stdout; -o names a file");
  }
  const std::string extension = fs::path(settings.output).extension().string();
  if (!settings.output.empty() && settings.output != "-" && !names_folder(settings.output) &&
      extension != ".png" && extension != ".apng" && extension != ".gif") {
    return usage_error("render", concat({"the output ", settings.output,
                                         " ends neither in .png, .apng or .gif nor, as a folder, in /"}));
  }
  if (const std::string why = objection_to_sources(settings); !why.empty()) {
    return usage_error("render", why);
  }
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  shot->raster.threads =
      static_cast<unsigned>(std::clamp<std::uint64_t>(settings.jobs.value_or(cores), 1, 64));
  shot->raster.stop = time_check();
  return Renderer(settings, std::move(*shot), *team_color).run();
}

}  // namespace thaw::cli
