#include "frame/stand_in.hpp"

#include "scene/game_rules.hpp"

#include <algorithm>

namespace thaw::frame {
namespace {

Image make_soft_spot() {
  constexpr std::uint32_t kSide = 64;
  constexpr float kPeak = 0.75F;  // many lie over each other
  Image image{kSide, kSide, Bytes(std::size_t{kSide} * kSide * 4, 255)};
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      const double across = (2.0 * x + 1) / kSide - 1;
      const double down = (2.0 * y + 1) / kSide - 1;
      const double rest = std::max(0.0, 1 - across * across - down * down);
      image.rgba[(std::size_t{y} * kSide + x) * 4 + 3] = to_byte(kPeak * static_cast<float>(rest * rest));
    }
  }
  return image;
}

bool is_glow(const scene::Layer& layer) {
  return layer.blend != scene::BlendMode::opaque && layer.blend != scene::BlendMode::mask &&
         layer.blend != scene::BlendMode::blend;
}

}  // namespace

const Image& soft_spot() {
  static const Image kSpot = make_soft_spot();
  return kSpot;
}

void set_soft(Builder& builder, const ModelData& model, Draw& draw) {
  if (draw.blend == Blend::modulate || draw.blend == Blend::modulate2x) {
    draw.blend = Blend::alpha;
    draw.alpha_cutoff = 0;
  }
  draw.texture = {model.soft_spot, draw.texture.wrap_u, draw.texture.wrap_v};
  ++builder.frame.stand_ins;
}

bool show_one_picture(std::span<const Vec2> uvs) {
  constexpr float kSlack = 0.05F;
  constexpr float kLeast = 0.6F;
  if (uvs.empty()) {
    return false;
  }
  Vec2 least = uvs.front();
  Vec2 most = uvs.front();
  for (const Vec2& uv : uvs) {
    for (std::size_t i = 0; i < 2; ++i) {
      least[i] = std::min(least[i], uv[i]);
      most[i] = std::max(most[i], uv[i]);
    }
  }
  const auto fits = [&](std::size_t i) {
    return least[i] > -kSlack && most[i] < 1 + kSlack && most[i] - least[i] > kLeast;
  };
  return fits(0) && fits(1);
}

bool is_lost_glow(const ModelData& model, const scene::Material& material) {
  return std::all_of(material.layers.begin(), material.layers.end(), [&](const scene::Layer& layer) {
    return is_glow(layer) && is_missing(model, layer.texture);
  });
}

bool is_all_lost(const ModelData& model) {
  const auto& scene = *model.scene;
  return std::all_of(scene.meshes.begin(), scene.meshes.end(), [&](const scene::Mesh& mesh) {
    return std::all_of(mesh.parts.begin(), mesh.parts.end(), [&](const scene::MeshPart& part) {
      return part.material < scene.materials.size() && is_lost_glow(model, scene.materials[part.material]);
    });
  });
}

scene::Emitter as_sprites(const scene::Scene& scene, const scene::Emitter& emitter) {
  const float radius = scene.bounds.radius > 0 ? scene.bounds.radius : 0.5F;
  const bool effect = emitter.kind == scene::Emitter::Kind::effect;
  const bool picture = scene::throws_picture(emitter);
  scene::Emitter sprites = emitter;
  sprites.kind = scene::Emitter::Kind::sprites;
  sprites.blend = picture ? scene::BlendMode::blend : scene::BlendMode::additive;
  sprites.texture = picture ? emitter.texture : kNone;
  sprites.replaceable_id = 0;
  sprites.model_space = false;
  sprites.colors.fill(effect ? emitter.color : picture ? Vec3{1, 1, 1} : Vec3{1, 0.85F, 0.6F});
  const float alpha = effect ? emitter.alpha : 1;
  sprites.alphas = {alpha, alpha, alpha};
  const float distance = emitter.speed * emitter.life_span;
  const float size = effect ? radius * 0.25F : std::max(radius * 0.06F, distance * 0.1F);
  sprites.scales = {size, size, size};
  return sprites;
}

}  // namespace thaw::frame
