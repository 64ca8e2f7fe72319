#include <thaw/render.hpp>

#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/sources.hpp>

#include "bytes/escape.hpp"
#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace thaw {
namespace {

constexpr int kReported = 8;          // a smaller difference is not distinguished from the background
constexpr double kEnoughSeen = 0.02;  // of a picture, to be one of something
constexpr std::uint32_t kSmallSide = 96;
/// Of a picture: less than that of a scene which has a camera of its own is a speck.
constexpr double kEnoughOfScene = 0.08;

/// The camera that a scene, such as a menu's, is looked at through; none of a model whose cameras are for its
/// portrait.
std::optional<frame::Index> camera_of_scene(const scene::Scene& scene) {
  const auto is_portrait = [](const scene::Camera& camera) {
    return ascii::lowered(camera.name).find("portrait") != std::string::npos;
  };
  return std::any_of(scene.cameras.begin(), scene.cameras.end(), is_portrait) ? std::nullopt
                                                                              : frame::portrait_camera(scene);
}

/// The share of a picture that is something.
double enough_seen(const scene::Scene& scene) {
  return camera_of_scene(scene) ? kEnoughOfScene : kEnoughSeen;
}

std::optional<double> number_of(std::string_view text) {
  constexpr double kMost = 1e9;
  double value = 0;
  const bool whole = parse_double(text, value);
  return whole && value > -kMost && value < kMost ? std::optional(value) : std::nullopt;
}

/// "30,10,1.5"; empty if a part is no number.
std::vector<double> numbers_of(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t end = 0; end != std::string_view::npos;
       text.remove_prefix(std::min(text.size(), end + 1))) {
    end = text.find(',');
    const auto number = number_of(text.substr(0, end));
    if (!number) {
      return {};
    }
    numbers.push_back(*number);
  }
  return numbers;
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

namespace {

/// What of a picture differs from its background, and the box around it, in shares of the picture from its
/// upper left corner.
struct DrawnArea {
  std::size_t pixels = 0;
  double share = 0;
  double left = 1;
  double right = 0;
  double top = 1;
  double bottom = 0;

  /// Of the box: the longer side.
  [[nodiscard]] double size() const { return std::max(right - left, bottom - top); }
};

DrawnArea drawn_of(const Image& image, const raster::Options& drawn, int least) {
  raster::Textures none({});
  raster::Options options;
  options.width = options.height = 1;
  options.background = drawn.background;
  const Image nothing = raster::draw({}, none, options).image;
  constexpr std::size_t kSize = 4;  // bytes of a pixel
  DrawnArea result;
  if (nothing.rgba.size() != kSize || image.rgba.size() != image.pixels() * kSize) {
    return result;
  }
  const auto word_at = [](const std::uint8_t* pixel) {
    std::uint32_t word = 0;
    std::memcpy(&word, pixel, sizeof word);
    return word;
  };
  const std::uint32_t blank = word_at(nothing.rgba.data());
  std::uint32_t left = image.width;
  std::uint32_t right = 0;
  std::uint32_t top = image.height;
  std::uint32_t bottom = 0;
  const std::uint8_t* pixel = image.rgba.data();
  for (std::uint32_t y = 0; y < image.height; ++y) {
    for (std::uint32_t x = 0; x < image.width; ++x, pixel += kSize) {
      if (word_at(pixel) == blank) {
        continue;
      }
      int difference = 0;
      for (std::size_t channel = 0; channel < kSize; ++channel) {
        difference = std::max(difference, std::abs(pixel[channel] - nothing.rgba[channel]));
      }
      if (difference >= least) {
        ++result.pixels;
        left = std::min(left, x);
        right = std::max(right, x + 1);
        top = std::min(top, y);
        bottom = std::max(bottom, y + 1);
      }
    }
  }
  if (result.pixels > 0) {
    result.left = static_cast<double>(left) / image.width;
    result.right = static_cast<double>(right) / image.width;
    result.top = static_cast<double>(top) / image.height;
    result.bottom = static_cast<double>(bottom) / image.height;
  }
  result.share = static_cast<double>(result.pixels) / static_cast<double>(image.pixels());
  return result;
}

/// The same camera, on what is drawn: that fills the picture but for a margin.
frame::Camera aimed_at(const DrawnArea& drawn, frame::Camera camera) {
  constexpr double kFilled = 0.9;
  constexpr double kNearest = 0.15;  // what is a pixel or two wide may lie aside of where it seems to
  const scene::Vec3d eye = scene::widen(camera.eye);
  const scene::Vec3d target = scene::widen(camera.target);
  const scene::Vec3d direction = scene::subtract(target, eye);
  const double distance = scene::length(direction);
  const scene::Vec3d right = scene::unit(scene::cross(direction, scene::widen(camera.up)), {1, 0, 0});
  const scene::Vec3d up = scene::unit(scene::cross(right, direction), {0, 1, 0});
  const double half =
      camera.height > 0 ? double{camera.height} / 2 : distance * std::tan(double{camera.field_of_view} / 2);
  const double aside = (drawn.left + drawn.right - 1) * half * double{camera.aspect};
  const double above = (1 - drawn.top - drawn.bottom) * half;
  const double scale = std::max(drawn.size() / kFilled, kNearest);
  for (std::size_t i = 0; i < 3; ++i) {
    const double middle = target[i] + right[i] * aside + up[i] * above;
    camera.target[i] = scene::to_float(middle);
    camera.eye[i] = scene::to_float(middle - direction[i] * scale);
  }
  camera.height = scene::to_float(double{camera.height} * scale);
  camera.near_clip = scene::to_float(double{camera.near_clip} * std::min(scale, 1.0));
  return camera;
}

}  // namespace

bool is_empty_picture(const Image& image, const raster::Options& drawn) {
  return drawn_of(image, drawn, 1).pixels == 0;
}

SceneRenderer::SceneRenderer(const scene::Scene& scene, const std::vector<frame::NamedModel>& models,
                             std::string file_name, Shot shot)
    : scene_(&scene),
      with_models_(!models.empty()),
      file_name_(std::move(file_name)),
      shot_(std::move(shot)),
      evaluator_(std::make_unique<frame::Evaluator>(scene, models)),
      textures_(evaluator_->images()) {}

Result<SceneRenderer> SceneRenderer::open(const scene::Scene& scene,
                                          const std::vector<frame::NamedModel>& models, std::string file_name,
                                          const Shot& shot) {
  SceneRenderer renderer(scene, models, std::move(file_name), shot);
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
  const scene::Scene& scene = *scene_;
  const bool sparks = !scene.emitters.empty() || !scene.ribbons.empty();
  return std::any_of(scene.meshes.begin(), scene.meshes.end(),
                     [](const scene::Mesh& mesh) { return !mesh.indices.empty(); }) ||
         !scene.placements.empty() || with_models_ || (sparks && shot_.frame.emitters);
}

std::string SceneRenderer::reason_of_nothing() const {
  const scene::Scene& scene = *scene_;
  if (!has_surfaces() && scene.nodes.size() < 2) {
    return "the file has neither triangles nor bones";
  }
  if (scene.meshes.empty() && shot_.frame.emitters && !scene.emitters.empty()) {
    return "the model has only emitters, which show nothing at this time";
  }
  const std::string moment = clip() == nullptr ? "" : " at this time of clip " + clip()->name;
  return camera_ != frame::kNone ? "nothing is visible from camera " + scene.cameras[camera_].name + moment
                                 : "nothing is visible" + moment;
}

std::optional<Error> SceneRenderer::choose_clip() {
  if (shot_.clip.empty()) {
    clip_ = frame::default_clip(*scene_, file_name_);
    return std::nullopt;
  }
  if (shot_.clip == "none") {
    return std::nullopt;
  }
  auto found = frame::find_clip(*scene_, shot_.clip);
  for (scene::Index i = 0; i < scene_->clips.size() && !found; ++i) {
    if (shown(scene_->clips[i].name) == shot_.clip) {
      found = i;
    }
  }
  if (!found) {
    return Error{codes::kSceneNoClip,
                 {},
                 {},
                 "clip " + shot_.clip + ": the model has no such clip; " + it_has(scene_->clips)};
  }
  clip_ = *found;
  return std::nullopt;
}

const scene::Clip* SceneRenderer::clip() const {
  return clip_ < scene_->clips.size() ? &scene_->clips[clip_] : nullptr;
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

void SceneRenderer::report_ends(Diagnostics& findings) const {
  for (const frame::Index index : ended_) {
    const scene::Clip& clip = scene_->clips[index];
    findings.add(codes::kOptionEffect,
                 "clip " + clip.name + " ends at " + short_number(clip.duration) +
                     " s, before the requested time; " +
                     (clip.looping ? "a later loop is shown" : "its last frame is shown"));
  }
}

Image SceneRenderer::small_picture(std::uint32_t side) {
  evaluator_->evaluate({clip_, time_, time_}, camera(time_), shot_.frame, frame_);
  raster::Options options = shot_.raster;
  options.width = options.height = side;
  options.samples = 1;
  return raster::draw(frame_, textures_, options).image;
}

/// How much of a small picture shows something.
double SceneRenderer::share_seen() {
  constexpr std::uint32_t kLeast = 48;
  return drawn_of(small_picture(kLeast), shot_.raster, kReported).share;
}

raster::Picture SceneRenderer::picture() {
  raster::Picture picture = shoot(time_);
  if (!may_choose()) {
    return picture;
  }
  const double share = drawn_of(picture.image, shot_.raster, kReported).share;
  const bool chosen = share < enough_seen(*scene_);
  if (chosen) {
    find_something(share);
  }
  const bool aimed = aim(chosen ? small_picture(kSmallSide) : picture.image);
  return chosen || aimed ? shoot(time_) : picture;
}

/// Where something that nobody sees belongs to the model, what is seen stands small or far from the middle.
bool SceneRenderer::aim(const Image& picture) {
  constexpr double kSmall = 0.6;  // of the picture
  constexpr int kTimes = 4;       // what is nearer than the middle grows faster
  DrawnArea drawn = drawn_of(picture, shot_.raster, kReported);
  const bool stated = camera_ != frame::kNone || view_.distance != frame::View().distance;
  if (stated || drawn.pixels == 0 || drawn.size() >= kSmall) {
    return false;
  }
  for (int i = 0; i < kTimes && drawn.pixels > 0 && (drawn.size() < kSmall || drawn.size() >= 1); ++i) {
    framed_ = aimed_at(drawn, *framed_);
    drawn = drawn_of(small_picture(kSmallSide), shot_.raster, kReported);
  }
  return true;
}

void SceneRenderer::settle() {
  if (const double share = may_choose() ? share_seen() : 1; share < enough_seen(*scene_)) {
    find_something(share);
  }
}

/// A moment that shows more, seen from near, one of another clip, or another side; if there is none, the
/// nodes.
void SceneRenderer::find_something(double seen) {
  constexpr double kMuchMore = 3;
  if (const auto found = shot_.camera.empty() ? camera_of_scene(*scene_) : std::nullopt) {
    camera_ = *found;
    if (share_seen() > std::max(seen * kMuchMore, kEnoughOfScene)) {
      return;
    }
    camera_ = frame::kNone;
  }
  best_ = {clip_, time_, view_, seen};
  if (best_.share < kEnoughSeen) {
    try_moments(clip_);
  }
  const auto count = static_cast<frame::Index>(shot_.clip.empty() ? scene_->clips.size() : 0);
  constexpr frame::Index kMostClips = 32;
  for (frame::Index i = 0; i < std::min(count, kMostClips) && best_.share < kEnoughSeen; ++i) {
    if (!scene_->clips[i].global) {
      try_moments(i);
    }
  }
  clip_ = best_.clip;
  time_ = best_.time;
  if (best_.share == 0 && shot_.camera.empty()) {
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
  const bool by_itself = shot_.camera.empty() && frame::is_portrait(*scene_, file_name_);
  if ((shot_.camera.empty() && !by_itself) || shot_.camera == "auto") {
    return std::nullopt;
  }
  const auto& cameras = scene_->cameras;
  if (by_itself || shot_.camera == "portrait") {
    const auto portrait = frame::portrait_camera(*scene_);
    if (!portrait) {
      return Error{codes::kSceneNoCamera,
                   {},
                   {},
                   "camera portrait: the model has no camera; use auto, front, left, back, right or top"};
    }
    camera_ = *portrait;
    return std::nullopt;
  }
  const auto named = std::find_if(cameras.begin(), cameras.end(), [&](const scene::Camera& camera) {
    return normalize_game_path(camera.name) == normalize_game_path(shot_.camera);
  });
  if (named != cameras.end()) {
    camera_ = static_cast<frame::Index>(named - cameras.begin());
    return std::nullopt;
  }
  if (const Side* side = side_named(shot_.camera)) {
    view_.azimuth = static_cast<float>(side->azimuth * scene::kRadiansPerDegree);
    view_.elevation = static_cast<float>(side->elevation * scene::kRadiansPerDegree);
    return std::nullopt;
  }
  const auto numbers = numbers_of(shot_.camera);
  if (numbers.size() < 2 || numbers.size() > 3 || (numbers.size() == 3 && !(numbers[2] > 0))) {
    return Error{
        codes::kSceneNoCamera,
        {},
        {},
        "camera " + shot_.camera + ": the model has no such camera; " + it_has(cameras) +
            "; other values are auto, portrait, front, left, back, right, top, azimuth,elevation[,distance]"};
  }
  view_.azimuth = static_cast<float>(numbers[0] * scene::kRadiansPerDegree);
  view_.elevation = static_cast<float>(numbers[1] * scene::kRadiansPerDegree);
  view_.distance = numbers.size() == 3 ? static_cast<float>(numbers[2]) : 1.0F;
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
    if (auto authored = frame::scene_camera(*scene_, camera_, {clip_, time, time}, aspect)) {
      return *authored;
    }
  }
  if (!framed_) {
    view_.travel = frame::travel(*scene_, clip_);
    framed_ = frame::auto_camera(*evaluator_, *scene_, clip_, view_, aspect, shot_.frame);
  }
  return following(*framed_, time);
}

/// Next to what walks away, at a time of the clip.
frame::Camera SceneRenderer::following(frame::Camera camera, double time) const {
  const double duration = clip() == nullptr ? 0 : double{clip()->duration};
  const bool again = time > duration && duration > 0 && clip()->looping;
  const auto elapsed = static_cast<float>(again ? std::fmod(time, duration) : std::min(time, duration));
  for (std::size_t i = 0; i < camera.eye.size(); ++i) {
    camera.eye.at(i) += view_.travel.at(i) * elapsed;
    camera.target.at(i) += view_.travel.at(i) * elapsed;
  }
  return camera;
}

/// A circle from everywhere on which the model is seen whole: framing every picture by itself would let the
/// model grow and shrink.
void SceneRenderer::find_circle(float aspect) {
  constexpr int kViews = 8;
  view_.travel = frame::travel(*scene_, clip_);
  std::vector<frame::Camera> cameras;
  for (int i = 0; i < kViews; ++i) {
    frame::View view = view_;
    view.azimuth = static_cast<float>(360.0 / kViews * i * scene::kRadiansPerDegree);
    cameras.push_back(frame::auto_camera(*evaluator_, *scene_, clip_, view, aspect, shot_.frame));
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
  const float current = distance(circle_->eye, circle_->target);
  for (std::size_t i = 0; i < 3; ++i) {
    circle_->eye[i] = middle[i] + (circle_->eye[i] - middle[i]) / std::max(current, 1e-6F) * radius;
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
raster::Picture SceneRenderer::shoot_from(double time, const Viewpoint& view) {
  if (!framed_) {
    view_.travel = frame::travel(*scene_, clip_);
    framed_ =
        frame::auto_camera(*evaluator_, *scene_, clip_, view_,
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

Result<raster::Picture> render(const scene::Scene& scene, const Shot& shot,
                               const std::vector<frame::NamedModel>& models) {
  return SceneRenderer::open(scene, models, scene.name, shot).map([](SceneRenderer&& renderer) {
    return renderer.picture();
  });
}

}  // namespace thaw
