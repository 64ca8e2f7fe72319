#include "scene/liquid.hpp"

#include "bytes/text.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::scene {
namespace {

constexpr unsigned kMostPictures = 30;
constexpr float kPictureTime = 0.06F;  // seconds
constexpr float kDriftTime = 60;       // of a loop in which pictures drift by whole pictures
constexpr float kMostDrift = 8;        // pictures per second

bool is_water(Liquid liquid) { return liquid == Liquid::river || liquid == Liquid::ocean; }

/// Colours and opacities where there is nothing else to go by: the format has neither.
struct Tint {
  Vec4 shallow;
  Vec4 deep;
};
constexpr std::array<Tint, kLiquids> kTints = {{{{0.22F, 0.45F, 0.50F, 0.45F}, {0.10F, 0.28F, 0.42F, 0.85F}},
                                                {{0.14F, 0.38F, 0.48F, 0.55F}, {0.04F, 0.16F, 0.33F, 0.92F}},
                                                {{0.95F, 0.36F, 0.06F, 1}, {0.95F, 0.36F, 0.06F, 1}},
                                                {{0.32F, 0.5F, 0.1F, 0.9F}, {0.32F, 0.5F, 0.1F, 0.9F}}}};

constexpr int kSide = 64;  // of a made picture

/// A pattern that repeats in both directions and in time, 0 to 1: waves of whole numbers of periods, so that
/// a picture meets each of them at as many phases as it has pixels to a side.
class Waves {
 public:
  explicit Waves(double time) {
    for (std::size_t i = 0; i < kAll.size(); ++i) {
      const double size = 1.0 / (std::abs(kAll[i].across) + std::abs(kAll[i].along));
      for (int step = 0; step < kSide; ++step) {
        const double turns = static_cast<double>(step) / kSide + kAll[i].turns * time + kAll[i].phase;
        heights_.at(i).at(static_cast<std::size_t>(step)) =
            size * sine(2 * kPi * (turns - std::floor(turns)));
      }
      most_ += size;
    }
  }

  [[nodiscard]] double at(int x, int y) const {
    double sum = 0;
    for (std::size_t i = 0; i < kAll.size(); ++i) {
      const int step = kAll[i].across * x + kAll[i].along * y;
      sum += heights_[i][static_cast<std::size_t>(step) % kSide];
    }
    return 0.5 + sum / (2 * most_);
  }

 private:
  struct Wave {
    int across;
    int along;
    int turns;
    double phase;
  };
  static constexpr std::array<Wave, 7> kAll = {{{2, 1, 1, 0.13},
                                                {-1, 3, -1, 0.71},
                                                {3, -2, 1, 0.37},
                                                {-4, -3, 2, 0.92},
                                                {5, 2, -2, 0.24},
                                                {-2, 6, 1, 0.58},
                                                {6, -5, -1, 0.05}}};
  std::array<std::array<double, kSide>, kAll.size()> heights_{};
  double most_ = 0;
};

using Pixel = std::array<double, 3>;

Pixel mixed(const Pixel& a, const Pixel& b, double share) {
  Pixel result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    result.at(i) = a.at(i) + (b.at(i) - a.at(i)) * share;
  }
  return result;
}

/// Bright lines where two slopes meet, for water; crusts with glowing cracks; bubbles.
Pixel made_pixel(Liquid liquid, double wave) {
  const double ridge = 1 - std::min(1.0, std::fabs(wave - 0.5) * 7);
  switch (liquid) {
    case Liquid::magma:
      return ridge > 0.5 ? mixed({0.95, 0.42, 0.06}, {1, 0.86, 0.35}, ridge * 2 - 1)
                         : mixed({0.32, 0.07, 0.03}, {0.95, 0.42, 0.06}, ridge * 2);
    case Liquid::slime:
      return mixed({0.17, 0.34, 0.05}, {0.55, 0.72, 0.16}, wave * wave * 1.6);
    default:
      return mixed({0, 0, 0}, {0.5, 0.58, 0.6}, ridge * ridge);
  }
}

std::uint8_t byte_of(double share) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255));
}

Image made_picture(Liquid liquid, double time) {
  const Waves waves(time);
  Image image{kSide, kSide, {}};
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const Pixel pixel = made_pixel(liquid, waves.at(x, y));
      image.rgba.insert(image.rgba.end(), {byte_of(pixel[0]), byte_of(pixel[1]), byte_of(pixel[2]), 255});
    }
  }
  return image;
}

/// From shallow on the left to deep on the right.
Image depth_picture(Liquid liquid, const std::optional<WaterColors>& water) {
  constexpr std::uint32_t kSteps = 32;
  constexpr std::uint32_t kRows = 4;
  Image image{kSteps, kRows, {}};
  for (std::uint32_t i = 0; i < kSteps * kRows; ++i) {
    const Vec4 color = liquid_color(liquid, static_cast<float>(i % kSteps) / (kSteps - 1), water);
    for (const float channel : color) {
      image.rgba.push_back(byte_of(double{channel}));
    }
  }
  return image;
}

}  // namespace

Vec4 liquid_color(Liquid liquid, float depth, const std::optional<WaterColors>& water) {
  Tint tint = kTints.at(static_cast<std::size_t>(liquid));
  if (water && is_water(liquid)) {
    const std::size_t first = 2 * static_cast<std::size_t>(liquid);
    for (std::size_t i = 0; i < 3; ++i) {
      tint.shallow.at(i) = water->at(first).at(i);
      tint.deep.at(i) = water->at(first + 1).at(i);
    }
  }
  Vec4 color{};
  for (std::size_t i = 0; i < color.size(); ++i) {
    color.at(i) = tint.shallow.at(i) + (tint.deep.at(i) - tint.shallow.at(i)) * depth;
  }
  return color;
}

std::string liquid_path(Liquid liquid, unsigned number) {
  static constexpr std::array<std::string_view, kLiquids> kNames = {"river\\lake_a", "ocean\\ocean_h",
                                                                    "lava\\lava", "slime\\slime"};
  return std::string("XTextures\\")
      .append(kNames.at(static_cast<std::size_t>(liquid)))
      .append(".")
      .append(std::to_string(number))
      .append(".blp");
}

Index LiquidMaterials::add_picture(std::string name, std::string source, Image image, bool wraps) {
  scene_.images.push_back({std::move(name), std::move(source), std::move(image), false});
  scene_.textures.push_back({"", 0, wraps, wraps, static_cast<Index>(scene_.images.size() - 1)});
  return static_cast<Index>(scene_.textures.size() - 1);
}

const std::vector<Index>& LiquidMaterials::pictures(Liquid liquid) {
  constexpr unsigned kMade = 10;
  const auto kind = static_cast<std::size_t>(liquid);
  std::vector<Index>& all = pictures_.at(kind);
  for (unsigned i = 1; open_ && i <= kMostPictures && all.size() + 1 == i; ++i) {
    const std::string path = liquid_path(liquid, i);
    if (const auto picture = open_(path)) {
      all.push_back(add_picture(path_stem(path), path, *picture, true));
    }
  }
  if (all.empty()) {
    lacking_.at(kind) = open_ != nullptr;
    for (unsigned i = 0; i < kMade; ++i) {
      all.push_back(add_picture(path_stem(liquid_path(liquid, i + 1)) + " made", "",
                                made_picture(liquid, static_cast<double>(i) / kMade), true));
    }
  }
  return all;
}

Clip& LiquidMaterials::loop(std::string_view name, float duration) {
  const auto found = std::find_if(scene_.clips.begin(), scene_.clips.end(),
                                  [&](const Clip& clip) { return clip.global && clip.name == name; });
  if (found != scene_.clips.end()) {
    return *found;
  }
  Clip& clip = scene_.clips.emplace_back();
  clip.name = name;
  clip.duration = duration;
  clip.global = true;
  return clip;
}

/// All of them in the same time, so that there is one loop.
void LiquidMaterials::play(Index material, Index layer, const std::vector<Index>& pictures) {
  if (pictures.size() < 2) {
    return;
  }
  Clip& clip = loop(kPicturesOfLiquids, kPictureTime * static_cast<float>(kMostPictures));
  Channel& channel = clip.channels.emplace_back();
  channel.target = {Target::Kind::layer, material, layer};
  channel.property = Property::layer_texture;
  channel.curve.mode = CurveMode::step;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    channel.curve.times.push_back(clip.duration * static_cast<float>(i) /
                                  static_cast<float>(pictures.size()));
    channel.curve.values.push_back(static_cast<float>(pictures[i]));
  }
}

Index LiquidMaterials::drift(const Vec2& flow) {
  Clip& clip = loop(kCurrents, kDriftTime);
  Channel& channel = clip.channels.emplace_back();
  channel.target = {Target::Kind::uv_animation, static_cast<Index>(scene_.uv_animations.size()), 0};
  channel.property = Property::uv_offset;
  channel.curve.components = 2;
  channel.curve.times = {0, kDriftTime};
  channel.curve.values = {0, 0};
  for (const float speed : flow) {
    // What moves on is what lies behind: coordinates count down.
    const float whole = std::round(std::clamp(speed, -kMostDrift, kMostDrift) * kDriftTime);
    channel.curve.values.push_back(-whole);
  }
  scene_.uv_animations.emplace_back();
  return channel.target.index;
}

/// Of water its colour by depth and over it, added, what glitters; of the others their pictures alone.
void LiquidMaterials::add_layers(Material& material, Liquid liquid) {
  const bool water = is_water(liquid);
  if (water) {
    Layer& body = material.layers.emplace_back();
    body.blend = BlendMode::blend;
    body.uv_set = kDepthUvs;
    Index& depths = depths_.at(static_cast<std::size_t>(liquid));
    depths = depths == kNone
                 ? add_picture(material.name + " depths", "", depth_picture(liquid, water_), false)
                 : depths;
    body.texture = depths;
    body.unshaded = water_.has_value();
  }
  Layer& surface = material.layers.emplace_back();
  surface.blend = water                     ? BlendMode::add_alpha
                  : liquid == Liquid::magma ? BlendMode::opaque
                                            : BlendMode::blend;
  surface.alpha = liquid == Liquid::slime ? kTints.back().shallow[3] : 1;
  surface.texture = pictures(liquid).front();
  surface.unshaded = liquid == Liquid::magma || (water && water_);
  for (Layer& layer : material.layers) {
    layer.two_sided = true;
  }
}

Index LiquidMaterials::material(Liquid liquid, const Vec2& flow) {
  static constexpr std::array<std::string_view, kLiquids> kNames = {"river", "ocean", "magma", "slime"};
  const auto [entry, fresh] =
      materials_.emplace(std::pair(liquid, flow), static_cast<Index>(scene_.materials.size()));
  if (!fresh) {
    return entry->second;
  }
  Material material;
  material.name = kNames.at(static_cast<std::size_t>(liquid));
  add_layers(material, liquid);
  const auto surface = static_cast<Index>(material.layers.size() - 1);
  if (flow != Vec2{}) {
    material.layers[surface].uv_animation = drift(flow);
  }
  scene_.materials.push_back(std::move(material));
  play(entry->second, surface, pictures(liquid));
  return entry->second;
}

}  // namespace thaw::scene
