// Small scenes made by hand: one thing each.
#pragma once

#include <thaw/frame.hpp>
#include <thaw/raster.hpp>

#include "scene/math.hpp"

#include <algorithm>
#include <string>

namespace thaw::test {

/// 8 × 8 pixels: a border, a diagonal, and alpha that grows to the right.
inline Image checker() {
  Image image{8, 8, Bytes(8 * 8 * 4)};
  for (std::uint32_t y = 0; y < 8; ++y) {
    for (std::uint32_t x = 0; x < 8; ++x) {
      const bool bright = ((x / 2 + y / 2) & 1U) != 0;
      std::uint8_t* at = &image.rgba[(y * 8 + x) * 4];
      at[0] = bright ? 240 : 40;
      at[1] = static_cast<std::uint8_t>(30 * y);
      at[2] = x == y ? 255 : 60;
      at[3] = static_cast<std::uint8_t>(36 * x);
    }
  }
  return image;
}

/// A spot that fades to its rim.
inline Image spot() {
  Image image{16, 16, Bytes(16 * 16 * 4)};
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      const int distance = (2 * x - 15) * (2 * x - 15) + (2 * y - 15) * (2 * y - 15);
      std::uint8_t* at = &image.rgba[static_cast<std::size_t>(y * 16 + x) * 4];
      at[0] = 255;
      at[1] = static_cast<std::uint8_t>(200 - std::min(200, distance / 2));
      at[2] = static_cast<std::uint8_t>(x * 16);
      at[3] = static_cast<std::uint8_t>(255 - std::min(255, distance));
    }
  }
  return image;
}

inline void add_picture(scene::Scene& scene, const std::string& name, Image image) {
  scene::Texture texture;
  texture.wrap_u = texture.wrap_v = true;
  texture.image = static_cast<scene::Index>(scene.images.size());
  scene.images.push_back({name, {}, std::move(image), false});
  scene.textures.push_back(texture);
}

inline scene::Index add_node(scene::Scene& scene, scene::NodeKind kind, const Vec3& place,
                             scene::Index parent = 0) {
  scene::Node node;
  node.name = "node";
  node.kind = kind;
  node.parent = scene.nodes.empty() ? scene::kNone : parent;
  node.rest.translation = place;
  scene.nodes.push_back(node);
  return static_cast<scene::Index>(scene.nodes.size() - 1);
}

/// A root, two pictures.
inline scene::Scene empty_scene() {
  scene::Scene scene;
  add_node(scene, scene::NodeKind::root, {});
  add_picture(scene, "checker", checker());
  add_picture(scene, "spot", spot());
  scene.bounds = {{-1, -1, -1}, {1, 1, 1}, 1.7F};
  return scene;
}

/// A square of two metres at a node, its front towards +X.
inline scene::Index add_square(scene::Scene& scene, scene::Index node, scene::Index material,
                               float size = 1) {
  scene::Mesh mesh;
  mesh.name = "square";
  mesh.positions = {{0, -size, size}, {0, -size, -size}, {0, size, -size}, {0, size, size}};
  mesh.normals.assign(4, {1, 0, 0});
  mesh.uv_sets.push_back({{0, 1}, {1, 1}, {1, 0}, {0, 0}});
  mesh.indices = {0, 1, 2, 0, 2, 3};
  mesh.parts.push_back({0, 6, material});
  mesh.node = node;
  scene.meshes.push_back(std::move(mesh));
  return static_cast<scene::Index>(scene.meshes.size() - 1);
}

/// A ball of one metre about a node, from pole to pole along Y, its middle meridian towards +X; of a brassy
/// colour.
inline void add_ball(scene::Scene& scene, scene::Index node, scene::Index material) {
  constexpr std::uint32_t kRings = 12;
  constexpr std::uint32_t kSegments = 24;
  scene::Mesh mesh;
  mesh.name = "ball";
  mesh.uv_sets.resize(1);
  for (std::uint32_t ring = 0; ring <= kRings; ++ring) {
    for (std::uint32_t segment = 0; segment <= kSegments; ++segment) {
      const double u = static_cast<double>(segment) / kSegments;
      const double v = static_cast<double>(ring) / kRings;
      const double turn = (u - 0.5) * 2 * scene::kPi;
      const double down = v * scene::kPi;
      const scene::Vec3d place = {scene::sine(down) * scene::cosine(turn), scene::cosine(down),
                                  -scene::sine(down) * scene::sine(turn)};
      const Vec3 out = scene::narrow(place);
      mesh.positions.push_back(out);
      mesh.normals.push_back(out);
      mesh.colors.push_back({0.9F, 0.75F, 0.4F, 1});
      mesh.uv_sets[0].push_back({static_cast<float>(u * 2 - 0.5), static_cast<float>(v)});
    }
  }
  for (std::uint32_t ring = 0; ring < kRings; ++ring) {
    for (std::uint32_t segment = 0; segment < kSegments; ++segment) {
      const std::uint32_t a = ring * (kSegments + 1) + segment;
      const std::uint32_t b = a + kSegments + 1;
      mesh.indices.insert(mesh.indices.end(), {a, b, b + 1, a, b + 1, a + 1});
    }
  }
  mesh.parts.push_back({0, static_cast<scene::Index>(mesh.indices.size()), material});
  mesh.node = node;
  scene.meshes.push_back(std::move(mesh));
}

inline scene::Index add_material(scene::Scene& scene, scene::BlendMode blend, scene::Index texture) {
  scene::Material material;
  scene::Layer layer;
  layer.blend = blend;
  layer.texture = texture;
  layer.two_sided = true;
  material.layers.push_back(layer);
  scene.materials.push_back(std::move(material));
  return static_cast<scene::Index>(scene.materials.size() - 1);
}

/// From in front, a little from above and the side.
inline frame::Camera front_camera() {
  constexpr float kDistance = 5;
  frame::Camera camera;
  camera.eye = {kDistance * 0.9F, kDistance * 0.3F, kDistance * 0.3F};
  camera.near_clip = 0.1F;
  camera.far_clip = 50;
  return camera;
}

/// An opaque square with a blended one before it.
inline scene::Scene filter_scene(scene::BlendMode mode) {
  scene::Scene scene = empty_scene();
  const auto after = add_node(scene, scene::NodeKind::mesh, {-0.5F, 0, 0});
  const auto before = add_node(scene, scene::NodeKind::mesh, {0.5F, 0.2F, 0});
  add_square(scene, after, add_material(scene, scene::BlendMode::opaque, 0));
  add_square(scene, before, add_material(scene, mode, 1));
  return scene;
}

inline scene::Scene billboard_scene(scene::Billboard kind) {
  scene::Scene scene = empty_scene();
  const auto material = add_material(scene, scene::BlendMode::mask, 0);
  for (const float side : {-1.2F, 1.2F}) {
    const auto node = add_node(scene, scene::NodeKind::bone, {0, 0, side});
    scene.nodes[node].billboard = kind;
    scene.nodes[node].rest.rotation = {0, 0.2588190F, 0, 0.9659258F};
    add_square(scene, node, material, 0.8F);
  }
  return scene;
}

inline scene::Emitter fountain(scene::Index node) {
  scene::Emitter emitter;
  emitter.node = node;
  emitter.speed = 2;
  emitter.variation = 0.2F;
  emitter.latitude = 0.5F;
  emitter.gravity = 1;
  emitter.life_span = 1.5F;
  emitter.rate = 20;
  emitter.length = emitter.width = 0.5F;
  emitter.blend = scene::BlendMode::additive;
  emitter.tail_length = 0.2F;
  emitter.colors = {Vec3{1, 1, 1}, Vec3{1, 0.6F, 0.2F}, Vec3{0.3F, 0.3F, 1}};
  emitter.alphas = {1, 1, 0.2F};
  emitter.scales = {0.1F, 0.3F, 0.2F};
  emitter.texture = 1;
  return emitter;
}

inline scene::Clip turning_clip(scene::Index node) {
  scene::Clip clip;
  clip.name = "Stand";
  clip.duration = 2;
  scene::Channel turn;
  turn.target = {scene::Target::Kind::node, node, 0};
  turn.property = scene::Property::rotation;
  turn.curve.components = 4;
  turn.curve.times = {0, 1, 2};
  turn.curve.values = {0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, -1};
  clip.channels.push_back(turn);
  return clip;
}

inline scene::Scene ribbon_scene(scene::BlendMode mode) {
  scene::Scene scene = empty_scene();
  const auto arm = add_node(scene, scene::NodeKind::bone, {});
  const auto tip = add_node(scene, scene::NodeKind::ribbon, {0, 1.2F, 0}, arm);
  // The band is as wide as the source's Y, which is turned outwards here.
  scene.nodes[tip].rest.rotation = {0.70710678F, 0, 0, 0.70710678F};
  scene.clips.push_back(turning_clip(arm));
  scene::Ribbon ribbon;
  ribbon.node = tip;
  ribbon.material = add_material(scene, mode, 1);
  ribbon.height_above = 0.3F;
  ribbon.height_below = 0.2F;
  ribbon.life_span = 0.8F;
  ribbon.rate = 30;
  ribbon.gravity = 0.5F;
  scene.ribbons.push_back(ribbon);
  return scene;
}

inline Image picture(const scene::Scene& scene, const frame::PlayTime& moment, const frame::Camera& camera,
                     std::uint32_t size, unsigned threads = 1, const frame::Options& options = {}) {
  const frame::Evaluator evaluator(scene);
  raster::Textures textures(evaluator.images());
  raster::Options raster;
  raster.width = raster.height = size;
  raster.threads = threads;
  raster.background = {60, 66, 72, 255};
  return raster::draw(evaluator.evaluate(moment, camera, options), textures, raster).image;
}

}  // namespace thaw::test
