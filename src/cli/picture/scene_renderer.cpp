#include "cli/picture/scene_renderer.hpp"

#include <thaw/control.hpp>
#include <thaw/option_codes.hpp>
#include <thaw/scene_codes.hpp>

#include "bytes/hex.hpp"
#include "bytes/shown.hpp"
#include "bytes/words.hpp"
#include "cli/report/text.hpp"

#include "scene/math.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace thaw::cli {
namespace {

constexpr std::uint32_t kLargestSide = 8192;
constexpr int kTold = 8;              // a smaller difference is not told from the background
constexpr double kEnoughSeen = 0.02;  // of a picture, to be one of something

std::optional<double> number_of(std::string_view text) {
  constexpr double kMost = 1e9;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value > -kMost && value < kMost ? std::optional(value) : std::nullopt;
}

using Color = std::array<std::uint8_t, 4>;

std::optional<Color> parse_background(const std::string& text) {
  struct Name {
    std::string_view name;
    Color color;
  };
  static constexpr std::array<Name, 6> kNames = {{{"", {0x3C, 0x42, 0x48, 255}},
                                                  {"transparent", {0, 0, 0, 0}},
                                                  {"black", {0, 0, 0, 255}},
                                                  {"white", {255, 255, 255, 255}},
                                                  {"gray", {128, 128, 128, 255}},
                                                  {"grey", {128, 128, 128, 255}}}};
  for (const auto& entry : kNames) {
    if (text == entry.name) {
      return entry.color;
    }
  }
  const auto channels = text[0] == '#' ? bytes_of_hex(std::string_view(text).substr(1)) : std::nullopt;
  Color color{0, 0, 0, 255};
  if (!channels || (channels->size() != 3 && channels->size() != 4)) {
    return std::nullopt;
  }
  std::copy(channels->begin(), channels->end(), color.begin());
  return color;
}

/// "none" or "START,END[,COLOR]"; without a colour, that of the background.
bool parse_fog(const std::string& text, const Color& background, frame::Fog& fog) {
  if (text == "none") {
    return true;
  }
  const auto parts = split(text, ',');
  const auto start = number_of(parts.front());
  const auto end = parts.size() > 1 ? number_of(parts[1]) : std::nullopt;
  const auto color = parts.size() > 2 ? parse_background(std::string(parts[2])) : std::optional(background);
  if (parts.size() > 3 || !start || !end || !color || *start < 0 || *end < *start) {
    return false;
  }
  fog.enabled = true;
  fog.start = static_cast<float>(*start);
  fog.end = static_cast<float>(*end);
  for (std::size_t i = 0; i < 3; ++i) {
    fog.color.at(i) = static_cast<float>(color->at(i)) / 255;
  }
  return true;
}

/// "1.5", "50%"; nothing is before the start of a clip, and no share behind its end
std::optional<Moment> parse_moment(std::string_view text) {
  const bool share = text.back() == '%';
  const auto number = number_of(text.substr(0, text.size() - (share ? 1 : 0)));
  const bool may_be = number && *number >= 0 && (!share || *number <= 100);
  return may_be ? std::optional(Moment{*number, share}) : std::nullopt;
}

frame::Lighting lighting_of(const std::string& name) {
  return name == "overhead" ? frame::Lighting::overhead
         : name == "scene"  ? frame::Lighting::scene
         : name == "none"   ? frame::Lighting::none
                            : frame::Lighting::renderer;
}

/// Where one looks from by a word.
struct Side {
  std::string_view name;
  double azimuth = 0;  ///< degrees
  double elevation = 0;
};

const Side* side_named(std::string_view name) {
  static constexpr std::array<Side, 5> kSides = {
      {{"front", 0, 0}, {"left", 90, 0}, {"back", 180, 0}, {"right", -90, 0}, {"top", 0, 88}}};
  const auto* found =
      std::find_if(kSides.begin(), kSides.end(), [&](const Side& side) { return side.name == name; });
  return found == kSides.end() ? nullptr : found;
}

/// Of what the model has instead of something that it has not.
template <class Items>
std::string it_has(const Items& items) {
  std::string text;
  for (const auto& item : items) {
    text += text.empty() ? "" : ", ";
    text += item.name;
  }
  return "it has " + (text.empty() ? "none" : text);
}

}  // namespace

std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_picture_size(const std::string& text) {
  const auto parts = split(text, 'x');
  if (parts.size() > 2) {
    return std::nullopt;
  }
  const auto side = [](std::string_view part) -> std::uint32_t {
    const auto number = number_of(part);
    const bool whole = number && *number >= 1 && *number <= kLargestSide &&
                       part.find_first_not_of("0123456789") == std::string_view::npos;
    return whole ? static_cast<std::uint32_t>(*number) : 0;
  };
  const std::uint32_t width = side(parts.front());
  const std::uint32_t height = side(parts.back());
  return width > 0 && height > 0 ? std::optional(std::pair(width, height)) : std::nullopt;
}

static std::size_t count_drawn(const Image& image, const raster::Options& drawn, int least) {
  raster::Textures none({});
  raster::Options options;
  options.width = options.height = 1;
  options.background = drawn.background;
  const Image nothing = raster::draw({}, none, options).image;
  const std::size_t size = nothing.rgba.size();
  std::size_t count = 0;
  for (std::size_t i = 0; size > 0 && i + size <= image.rgba.size(); i += size) {
    int difference = 0;
    for (std::size_t channel = 0; channel < size; ++channel) {
      difference = std::max(difference, std::abs(image.rgba[i + channel] - nothing.rgba[channel]));
    }
    count += difference >= least ? 1 : 0;
  }
  return count;
}

bool is_empty_picture(const Image& image, const raster::Options& drawn) {
  return count_drawn(image, drawn, 1) == 0;
}

void report_of_empty_picture(Diagnostics& findings, const std::string& reason) {
  findings.add(codes::kSceneEmptyPicture,
               concat({codes::kSceneEmptyPicture.summary, reason.empty() ? "" : ": ", reason}));
}

tl::expected<Shot, std::string> parse_shot(const Settings& settings) {
  Shot shot;
  const auto size = parse_picture_size(!settings.picture_size.empty() ? settings.picture_size
                                       : settings.sheet               ? "256"
                                                                      : "512");
  if (!size) {
    return tl::unexpected<std::string>("--size " + settings.picture_size +
                                       ": a number from 1 to 8192, or two with an x between them");
  }
  std::tie(shot.width, shot.height) = *size;
  const auto background = parse_background(settings.background);
  if (!background) {
    return tl::unexpected<std::string>("--background " + settings.background +
                                       ": transparent, black, white, gray, #RRGGBB or #RRGGBBAA");
  }
  shot.raster.background = *background;
  shot.fog_asked = !settings.fog.empty();
  if (shot.fog_asked && !parse_fog(settings.fog, *background, shot.frame.fog)) {
    return tl::unexpected<std::string>(
        "--fog " + settings.fog +
        ": none, or where it starts and where it is thick, and a colour: 100,500,#8090a0");
  }
  const std::uint64_t samples = settings.samples.value_or(4);
  if (samples != 1 && samples != 4 && samples != 8 && samples != 16) {
    return tl::unexpected<std::string>("--samples must be 1, 4, 8 or 16");
  }
  shot.raster.samples = static_cast<unsigned>(samples);
  if (!settings.moment.empty()) {
    shot.moment = parse_moment(settings.moment);
    if (!shot.moment) {
      return tl::unexpected<std::string>(
          "--time " + settings.moment +
          ": seconds from 0 on, or a share of the clip like 50%; of a map, --hour");
    }
  }
  shot.frame.seed = settings.seed.value_or(1);
  shot.frame.lighting = lighting_of(settings.light);
  shot.frame.emitters = !settings.no_emitters;
  shot.frame.wireframe = settings.wireframe;
  shot.frame.bones = settings.bones;
  shot.frame.collision = settings.collision;
  shot.frame.extents = settings.extents;
  shot.frame.grid = settings.grid_lines;
  return shot;
}

SceneRenderer::SceneRenderer(const ShownScene& shown, const Settings& settings, Shot shot)
    : shown_(&shown),
      settings_(&settings),
      shot_(std::move(shot)),
      evaluator_(std::make_unique<frame::Evaluator>(shown.scene, shown.models)),
      textures_(evaluator_->images()) {}

Result<SceneRenderer> SceneRenderer::open(const ShownScene& shown, const Settings& settings,
                                          const Shot& shot) {
  SceneRenderer renderer(shown, settings, shot);
  renderer.shot_.frame.control = shot.raster.control;
  if (!renderer.has_surfaces()) {
    renderer.shot_.frame.bones = true;  // a figure of lines is all that there is to see
  }
  if (auto error = renderer.choose_clip()) {
    return tl::unexpected<Error>(std::move(*error));
  }
  renderer.choose_time();
  if (auto error = renderer.choose_camera()) {
    return tl::unexpected<Error>(std::move(*error));
  }
  return renderer;
}

/// Anything that can be seen besides lines.
bool SceneRenderer::has_surfaces() const {
  const scene::Scene& scene = shown_->scene;
  const bool sparks = !scene.emitters.empty() || !scene.ribbons.empty();
  return std::any_of(scene.meshes.begin(), scene.meshes.end(),
                     [](const scene::Mesh& mesh) { return !mesh.indices.empty(); }) ||
         !scene.placements.empty() || !shown_->models.empty() || (sparks && shot_.frame.emitters);
}

std::string SceneRenderer::reason_of_nothing() const {
  const scene::Scene& scene = shown_->scene;
  if (!has_surfaces() && scene.nodes.size() < 2) {
    return "the file has neither triangles nor bones";
  }
  if (scene.meshes.empty() && shot_.frame.emitters && !scene.emitters.empty()) {
    return "the model has nothing but emitters, and they show nothing at that moment";
  }
  const std::string moment = clip() == nullptr ? "" : concat({" at that moment of ", clip()->name});
  return camera_ != frame::kNone
             ? concat({"nothing is in sight of the camera ", scene.cameras[camera_].name, moment})
             : concat({"nothing is shown", moment});
}

std::optional<Error> SceneRenderer::choose_clip() {
  const Settings& settings = *settings_;
  if (settings.clip.empty()) {
    clip_ = frame::default_clip(shown_->scene, shown_->file_name);
    return std::nullopt;
  }
  if (settings.clip == "none") {
    return std::nullopt;
  }
  auto found = frame::find_clip(shown_->scene, settings.clip);
  for (scene::Index i = 0; i < shown_->scene.clips.size() && !found; ++i) {
    if (shown(shown_->scene.clips[i].name) == settings.clip) {
      found = i;
    }
  }
  if (!found) {
    return Error{
        codes::kSceneNoClip,
        {},
        {},
        concat({"--clip ", settings.clip, ": the model has no such clip; ", it_has(shown_->scene.clips)})};
  }
  clip_ = *found;
  return std::nullopt;
}

const scene::Clip* SceneRenderer::clip() const {
  return clip_ < shown_->scene.clips.size() ? &shown_->scene.clips[clip_] : nullptr;
}

void SceneRenderer::choose_time() {
  const double duration = clip() == nullptr ? 0 : double{clip()->duration};
  if (shot_.moment) {
    time_ = shot_.moment->share ? duration * shot_.moment->amount / 100 : shot_.moment->amount;
    if (clip() != nullptr && time_ > duration &&
        std::find(ended_.begin(), ended_.end(), clip_) == ended_.end()) {
      ended_.push_back(clip_);
    }
  } else {
    time_ = clip() == nullptr || clip()->looping ? 0 : duration / 2;
  }
}

double SceneRenderer::time_of_clip() const {
  if (clip() == nullptr || time_ <= double{clip()->duration}) {
    return time_;
  }
  const double duration{clip()->duration};
  return clip()->looping && duration > 0 ? std::fmod(time_, duration) : duration;
}

void SceneRenderer::report_of_ends(Diagnostics& findings) const {
  for (const frame::Index index : ended_) {
    const scene::Clip& clip = shown_->scene.clips[index];
    findings.add(
        codes::kOptionEffect,
        concat({"--time ", settings_->moment, ": ", clip.name, " ends at ", short_number(clip.duration),
                " s, ", clip.looping ? "and what is shown is of a further round" : "and its end is shown"}));
  }
}

/// How much of a small picture shows something.
double SceneRenderer::share_seen() {
  constexpr std::uint32_t kSide = 48;
  evaluator_->evaluate({clip_, time_, time_}, camera(time_), shot_.frame, frame_);
  raster::Options options = shot_.raster;
  options.width = options.height = kSide;
  options.samples = 1;
  const Image image = raster::draw(frame_, textures_, options).image;
  return static_cast<double>(count_drawn(image, options, kTold)) / (kSide * kSide);
}

raster::Picture SceneRenderer::picture() {
  raster::Picture picture = shoot(time_);
  const auto drawn = static_cast<double>(count_drawn(picture.image, shot_.raster, kTold));
  const double share = drawn / static_cast<double>(picture.image.pixels());
  if (!may_choose() || share >= kEnoughSeen) {
    return picture;
  }
  find_something(share);
  return shoot(time_);
}

void SceneRenderer::settle() {
  if (const double share = may_choose() ? share_seen() : 1; share < kEnoughSeen) {
    find_something(share);
  }
}

/// A moment that shows more, seen from near, one of another clip, or another side; if there is none, the
/// nodes.
void SceneRenderer::find_something(double seen) {
  best_ = {clip_, time_, view_, seen};
  if (best_.share < kEnoughSeen) {
    try_moments(clip_);
  }
  const auto count = static_cast<frame::Index>(settings_->clip.empty() ? shown_->scene.clips.size() : 0);
  constexpr frame::Index kMostClips = 32;
  for (frame::Index i = 0; i < std::min(count, kMostClips) && best_.share < kEnoughSeen; ++i) {
    if (!shown_->scene.clips[i].global) {
      try_moments(i);
    }
  }
  clip_ = best_.clip;
  time_ = best_.time;
  if (best_.share == 0 && settings_->viewpoint.empty()) {
    try_sides();
  }
  view_ = best_.view;
  framed_.reset();
  if (best_.share == 0) {
    shot_.frame.bones = shot_.frame.collision = true;
  }
}

void SceneRenderer::look(const frame::View& view) {
  constexpr double kBetter = 1.25;  // or it is not worth another moment
  view_ = view;
  framed_.reset();
  if (const double share = share_seen(); share > best_.share * kBetter) {
    best_ = {clip_, time_, view_, share};
  }
}

void SceneRenderer::try_moments(frame::Index clip) {
  constexpr int kMoments = 8;
  constexpr double kWithoutClip = 2;  // seconds in which emitters bring something forth
  clip_ = clip;
  const double duration = this->clip() == nullptr ? kWithoutClip : double{this->clip()->duration};
  for (int i = 0; i < kMoments && !is_stopped(shot_.raster.control); ++i) {
    time_ = duration * i / kMoments;
    frame::View view = view_;
    view.moment = time_;
    look(view);
  }
}

/// Flat things have a back that is not drawn.
void SceneRenderer::try_sides() {
  const frame::View front;
  for (const auto& [azimuth, elevation] : {std::pair(scene::kPi, 0.0), {0.0, 0.8}, {0.0, -0.8}}) {
    frame::View view = best_.view;
    view.azimuth = front.azimuth + static_cast<float>(azimuth);
    view.elevation = front.elevation + static_cast<float>(elevation);
    look(view);
  }
}

std::optional<Error> SceneRenderer::choose_camera() {
  const Settings& settings = *settings_;
  const bool by_itself = settings.viewpoint.empty() && frame::is_portrait(shown_->scene, shown_->file_name);
  if ((settings.viewpoint.empty() && !by_itself) || settings.viewpoint == "auto") {
    return std::nullopt;
  }
  const auto& cameras = shown_->scene.cameras;
  if (by_itself || settings.viewpoint == "portrait") {
    const auto own = frame::portrait_camera(shown_->scene);
    if (!own) {
      return Error{codes::kSceneNoCamera, {}, {}, "--camera portrait: the model has no camera"};
    }
    camera_ = *own;
    return std::nullopt;
  }
  const auto named = std::find_if(cameras.begin(), cameras.end(), [&](const scene::Camera& camera) {
    return normalize_game_path(camera.name) == normalize_game_path(settings.viewpoint);
  });
  if (named != cameras.end()) {
    camera_ = static_cast<frame::Index>(named - cameras.begin());
    return std::nullopt;
  }
  if (const Side* side = side_named(settings.viewpoint)) {
    view_.azimuth = static_cast<float>(side->azimuth * scene::kRadiansPerDegree);
    view_.elevation = static_cast<float>(side->elevation * scene::kRadiansPerDegree);
    return std::nullopt;
  }
  std::vector<double> numbers;
  for (const auto part : split(settings.viewpoint, ',')) {
    const auto number = number_of(part);
    if (number) {
      numbers.push_back(*number);
    }
  }
  const std::size_t parts = split(settings.viewpoint, ',').size();
  if (numbers.size() != parts || parts < 2 || parts > 3 || (parts == 3 && !(numbers[2] > 0))) {
    return Error{
        codes::kSceneNoCamera,
        {},
        {},
        concat({"--camera ", settings.viewpoint, ": the model has no such camera; ", it_has(cameras),
                "; or auto, portrait, front, left, back, right, top, azimuth,elevation[,distance]"})};
  }
  view_.azimuth = static_cast<float>(numbers[0] * scene::kRadiansPerDegree);
  view_.elevation = static_cast<float>(numbers[1] * scene::kRadiansPerDegree);
  view_.distance = parts == 3 ? static_cast<float>(numbers[2]) : 1.0F;
  return std::nullopt;
}

void SceneRenderer::resize(std::uint32_t width, std::uint32_t height) {
  shot_.width = width;
  shot_.height = height;
  framed_.reset();
}

frame::Camera SceneRenderer::camera(double time) {
  const float aspect = static_cast<float>(shot_.width) / static_cast<float>(shot_.height);
  if (camera_ != frame::kNone) {
    if (auto own = frame::scene_camera(shown_->scene, camera_, {clip_, time, time}, aspect)) {
      return *own;
    }
  }
  if (!framed_) {
    view_.travel = frame::travel(shown_->scene, clip_);
    framed_ = frame::auto_camera(*evaluator_, shown_->scene, clip_, view_, aspect, shot_.frame);
  }
  return following(*framed_, time);
}

/// Beside what walks away, at a moment of the clip.
frame::Camera SceneRenderer::following(frame::Camera camera, double time) const {
  const double duration = clip() == nullptr ? 0 : double{clip()->duration};
  const bool again = time > duration && duration > 0 && clip()->looping;
  const auto gone = static_cast<float>(again ? std::fmod(time, duration) : std::min(time, duration));
  for (std::size_t i = 0; i < camera.eye.size(); ++i) {
    camera.eye.at(i) += view_.travel.at(i) * gone;
    camera.target.at(i) += view_.travel.at(i) * gone;
  }
  return camera;
}

/// A circle from everywhere on which the model is seen whole: framing every picture by itself would let the
/// model grow and shrink.
void SceneRenderer::find_circle(float aspect) {
  constexpr int kViews = 8;
  view_.travel = frame::travel(shown_->scene, clip_);
  std::vector<frame::Camera> cameras;
  for (int i = 0; i < kViews; ++i) {
    frame::View view = view_;
    view.azimuth = static_cast<float>(360.0 / kViews * i * scene::kRadiansPerDegree);
    cameras.push_back(frame::auto_camera(*evaluator_, shown_->scene, clip_, view, aspect, shot_.frame));
  }
  circle_ = cameras.front();
  Vec3& middle = circle_->target;
  middle = {};
  for (const auto& camera : cameras) {
    for (std::size_t i = 0; i < 3; ++i) {
      middle[i] += camera.target[i] / kViews;
    }
  }
  const auto distance = [](const Vec3& a, const Vec3& b) {
    const Vec3 d = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  };
  float radius = 0;
  for (const auto& camera : cameras) {
    radius = std::max(radius, distance(camera.eye, middle));
  }
  const float own = distance(circle_->eye, circle_->target);
  for (std::size_t i = 0; i < 3; ++i) {
    circle_->eye[i] = middle[i] + (circle_->eye[i] - middle[i]) / std::max(own, 1e-6F) * radius;
  }
  circle_->near_clip = radius * 0.05F;
  circle_->far_clip = radius * 4;
}

raster::Picture SceneRenderer::shoot_around(double time, double turn) {
  if (!circle_) {
    find_circle(static_cast<float>(shot_.width) / static_cast<float>(shot_.height));
  }
  frame::Camera camera = *circle_;
  const Vec3& middle = camera.target;
  const double angle = double{view_.azimuth} + turn * scene::kRadiansPerDegree;
  const Vec3 arm = {camera.eye[0] - middle[0], 0, camera.eye[2] - middle[2]};
  const double c = scene::cosine(angle);
  const double s = scene::sine(angle);
  // A positive azimuth goes from +X towards −Z.
  camera.eye[0] = middle[0] + static_cast<float>(double{arm[0]} * c + double{arm[2]} * s);
  camera.eye[2] = middle[2] + static_cast<float>(double{arm[2]} * c - double{arm[0]} * s);
  return shoot(time, following(camera, time));
}

void SceneRenderer::show_clip(frame::Index clip) {
  clip_ = clip;
  choose_time();
  if (!shot_.moment && this->clip() != nullptr) {
    time_ = double{this->clip()->duration} / 2;
  }
  framed_.reset();
  circle_.reset();
}

/// How near and far is seen follows from the size of the model and from how far away it is.
raster::Picture SceneRenderer::shoot_from(double time, const PathView& view) {
  if (!framed_) {
    view_.travel = frame::travel(shown_->scene, clip_);
    framed_ =
        frame::auto_camera(*evaluator_, shown_->scene, clip_, view_,
                           static_cast<float>(shot_.width) / static_cast<float>(shot_.height), shot_.frame);
  }
  frame::Camera camera = *framed_;
  const scene::Vec3d middle = scene::widen(framed_->target);
  const double size = scene::length(scene::subtract(scene::widen(framed_->eye), middle));
  const double away = scene::length(scene::subtract(view.eye, middle));
  camera.eye = scene::narrow(view.eye);
  camera.target = scene::narrow(view.target);
  const scene::Vec3d ahead = scene::unit(scene::subtract(view.target, view.eye), {0, 0, -1});
  camera.up = std::fabs(ahead[1]) > 0.999 ? Vec3{-1, 0, 0} : Vec3{0, 1, 0};
  camera.field_of_view = view.field_of_view ? scene::to_float(*view.field_of_view) : camera.field_of_view;
  camera.near_clip = scene::to_float(std::max(away - 2 * size, size * 0.005));
  camera.far_clip = scene::to_float(away + 4 * size);
  return shoot(time, camera);
}

raster::Picture SceneRenderer::shoot(double time) { return shoot(time, camera(time)); }

raster::Picture SceneRenderer::shoot(double time, const frame::Camera& camera) {
  used_ = camera;
  evaluator_->evaluate({clip_, time, time}, camera, shot_.frame, frame_);
  raster::Options options = shot_.raster;
  options.width = shot_.width;
  options.height = shot_.height;
  return raster::draw(frame_, textures_, options);
}

}  // namespace thaw::cli
