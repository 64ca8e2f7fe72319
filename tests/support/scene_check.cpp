#include "support/scene_check.hpp"

#include <cmath>

namespace thaw::test {
namespace {

using scene::Index;
using scene::kNone;

class Checker {
 public:
  explicit Checker(const scene::Scene& scene) : scene_(scene) {}

  std::vector<std::string> run() {
    check_nodes();
    check_skins();
    check_meshes();
    check_materials();
    check_clips();
    check_objects();
    return std::move(problems_);
  }

 private:
  void expect(bool condition, const std::string& what) {
    constexpr std::size_t kEnough = 20;
    if (!condition && problems_.size() < kEnough) {
      problems_.push_back(what);
    }
  }
  template <class Numbers>
  void expect_finite(const Numbers& numbers, const std::string& what) {
    for (const float number : numbers) {
      if (!std::isfinite(number)) {
        expect(false, what + " holds a number that is not finite");
        return;
      }
    }
  }
  template <class Vectors>
  void expect_all_finite(const Vectors& vectors, const std::string& what) {
    for (const auto& vector : vectors) {
      expect_finite(vector, what);
    }
  }
  void expect_index(Index index, std::size_t size, bool optional, const std::string& what) {
    expect(index < size || (optional && index == kNone), what + " is out of range");
  }
  void expect_unit(const Vec4& q, const std::string& what) {
    double square = 0;
    for (const float c : q) {
      square += double{c} * double{c};
    }
    const double n = std::sqrt(square);
    expect(std::abs(n - 1) < 1e-4, what + " is no unit quaternion");
  }

  void check_nodes();
  void check_skins();
  void check_meshes();
  void check_mesh(const scene::Mesh& mesh, const std::string& at);
  void check_weights(const scene::Mesh& mesh, const std::string& at);
  void check_materials();
  void check_clips();
  void check_channel(const scene::Channel& channel, float duration, const std::string& at);
  void check_curve(const scene::Channel& channel, float duration, const std::string& at);
  void check_objects();
  [[nodiscard]] unsigned components(const scene::Channel& channel) const;

  const scene::Scene& scene_;
  std::vector<std::string> problems_;
};

void Checker::check_nodes() {
  for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
    const auto& node = scene_.nodes[i];
    const std::string at = "node " + std::to_string(i);
    expect(node.parent == kNone || node.parent < i, at + ": the parent does not come first");
    expect(node.parent != kNone || i == 0, at + ": a second root");
    expect_finite(node.rest.translation, at + ".translation");
    expect_finite(node.rest.scale, at + ".scale");
    expect_unit(node.rest.rotation, at + ".rotation");
  }
}

void Checker::check_skins() {
  for (std::size_t i = 0; i < scene_.skins.size(); ++i) {
    const auto& skin = scene_.skins[i];
    const std::string at = "skin " + std::to_string(i);
    expect(!skin.joints.empty(), at + " has no joints");
    expect(skin.joints.size() == skin.inverse_bind.size(), at + ": joints and matrices differ");
    for (const Index joint : skin.joints) {
      expect_index(joint, scene_.nodes.size(), false, at + ".joint");
    }
    expect_all_finite(skin.inverse_bind, at + ".inverse_bind");
  }
}

void Checker::check_weights(const scene::Mesh& mesh, const std::string& at) {
  const std::size_t expected = mesh.positions.size() * mesh.influences;
  expect((mesh.skin != kNone) == (mesh.influences > 0), at + ": skin and influences disagree");
  expect(mesh.joints.size() == expected && mesh.weights.size() == expected, at + ": too few weights");
  if (mesh.skin >= scene_.skins.size() || mesh.joints.size() != expected || mesh.weights.size() != expected) {
    return;
  }
  const std::size_t joints = scene_.skins[mesh.skin].joints.size();
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    double sum = 0;
    for (std::size_t i = v * mesh.influences; i < (v + 1) * mesh.influences; ++i) {
      expect(mesh.joints[i] < joints, at + ".joint is out of range");
      expect(mesh.weights[i] >= 0, at + ".weight is negative");
      sum += double{mesh.weights[i]};
    }
    expect(std::abs(sum - 1) < 1e-5, at + ": weights do not sum to 1");
  }
}

void Checker::check_mesh(const scene::Mesh& mesh, const std::string& at) {
  const std::size_t count = mesh.positions.size();
  const auto fits = [&](std::size_t size) { return size == 0 || size == count; };
  expect(fits(mesh.normals.size()) && fits(mesh.tangents.size()) && fits(mesh.colors.size()),
         at + ": arrays of different length");
  expect_all_finite(mesh.positions, at + ".positions");
  expect_all_finite(mesh.normals, at + ".normals");
  expect_all_finite(mesh.tangents, at + ".tangents");
  for (const auto& uvs : mesh.uv_sets) {
    expect(fits(uvs.size()), at + ".uv_sets");
    expect_all_finite(uvs, at + ".uv_sets");
  }
  for (const std::uint32_t index : mesh.indices) {
    expect(index < count, at + ": an index beyond the vertices");
  }
  std::size_t used = 0;
  for (const auto& part : mesh.parts) {
    expect(part.first_index == used && part.index_count % 3 == 0, at + ".parts");
    used += part.index_count;
    expect_index(part.material, scene_.materials.size(), true, at + ".material");
  }
  expect(used == mesh.indices.size(), at + ": parts do not cover the indices");
  expect_index(mesh.skin, scene_.skins.size(), true, at + ".skin");
  expect_index(mesh.node, scene_.nodes.size(), false, at + ".node");
  expect_finite(mesh.color, at + ".color");
  expect(std::isfinite(mesh.alpha), at + ".alpha");
  check_weights(mesh, at);
}

void Checker::check_meshes() {
  for (std::size_t i = 0; i < scene_.meshes.size(); ++i) {
    check_mesh(scene_.meshes[i], "mesh " + std::to_string(i));
  }
}

void Checker::check_materials() {
  for (std::size_t i = 0; i < scene_.materials.size(); ++i) {
    const std::string at = "material " + std::to_string(i);
    for (const auto& layer : scene_.materials[i].layers) {
      for (const Index texture :
           {layer.texture, layer.normal, layer.orm, layer.emissive, layer.team_color, layer.environment}) {
        expect_index(texture, scene_.textures.size(), true, at + ".texture");
      }
      expect_index(layer.uv_animation, scene_.uv_animations.size(), true, at + ".uv_animation");
      expect(std::isfinite(layer.alpha) && std::isfinite(layer.emissive_gain),
             at + ": a number is not finite");
    }
  }
}

unsigned Checker::components(const scene::Channel& channel) const {
  using scene::Property;
  switch (channel.property) {
    case Property::rotation:
      return 4;
    case Property::translation:
    case Property::scale:
    case Property::mesh_color:
    case Property::layer_fresnel_color:
    case Property::light_color:
    case Property::light_ambient_color:
    case Property::emitter_color:
    case Property::ribbon_color:
      return 3;
    case Property::uv_offset:
    case Property::uv_scale:
      return 2;
    case Property::weights:
      return channel.target.index < scene_.meshes.size()
                 ? static_cast<unsigned>(scene_.meshes[channel.target.index].morph_targets.size())
                 : 0;
    default:
      return 1;
  }
}

void Checker::check_curve(const scene::Channel& channel, float duration, const std::string& at) {
  const auto& curve = channel.curve;
  expect(!curve.empty(), at + " has no keys");
  expect(curve.components == components(channel), at + ".components");
  const std::size_t rows = curve.mode == scene::CurveMode::cubic ? 3 : 1;
  expect(curve.values.size() == curve.times.size() * curve.components * rows,
         at + ": values and times differ");
  expect_finite(curve.times, at + ".times");
  expect_finite(curve.values, at + ".values");
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    expect(curve.times[i] >= 0 && curve.times[i] <= duration, at + ": a time outside the clip");
    expect(i == 0 || curve.times[i] > curve.times[i - 1], at + ": times do not increase");
  }
  if (channel.property != scene::Property::rotation || curve.values.size() != curve.times.size() * 4 * rows) {
    return;
  }
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    const std::size_t base = (i * rows + (rows == 3 ? 1 : 0)) * 4;
    expect_unit({curve.values[base], curve.values[base + 1], curve.values[base + 2], curve.values[base + 3]},
                at);
  }
}

void Checker::check_channel(const scene::Channel& channel, float duration, const std::string& at) {
  using Kind = scene::Target::Kind;
  const auto& target = channel.target;
  std::size_t count = 0;
  switch (target.kind) {
    case Kind::node:
      count = scene_.nodes.size();
      break;
    case Kind::mesh:
      count = scene_.meshes.size();
      break;
    case Kind::layer:
      count = scene_.materials.size();
      break;
    case Kind::uv_animation:
      count = scene_.uv_animations.size();
      break;
    case Kind::light:
      count = scene_.lights.size();
      break;
    case Kind::camera:
      count = scene_.cameras.size();
      break;
    case Kind::emitter:
      count = scene_.emitters.size();
      break;
    case Kind::ribbon:
      count = scene_.ribbons.size();
      break;
  }
  expect_index(target.index, count, false, at + ".target");
  if (target.kind == Kind::layer && target.index < count) {
    expect(target.sub < scene_.materials[target.index].layers.size(), at + ": no such layer");
  }
  if (channel.property == scene::Property::layer_texture) {
    for (const float value : channel.curve.values) {
      expect(value >= 0 && value < static_cast<float>(scene_.textures.size()) && value == std::floor(value),
             at + ": no such texture");
    }
  }
  check_curve(channel, duration, at);
}

void Checker::check_clips() {
  for (std::size_t i = 0; i < scene_.clips.size(); ++i) {
    const auto& clip = scene_.clips[i];
    const std::string at = "clip " + std::to_string(i);
    expect(std::isfinite(clip.duration) && clip.duration >= 0, at + ".duration");
    for (std::size_t c = 0; c < clip.channels.size(); ++c) {
      check_channel(clip.channels[c], clip.duration, at + " channel " + std::to_string(c));
    }
  }
}

void Checker::check_objects() {
  const auto node = [&](Index index, const std::string& what) {
    expect_index(index, scene_.nodes.size(), false, what + ".node");
  };
  for (const auto& light : scene_.lights) {
    node(light.node, "light");
    expect_finite(std::array{light.intensity, light.ambient_intensity, light.attenuation_start,
                             light.attenuation_end, light.color[0], light.ambient_color[0]},
                  "light");
  }
  for (const auto& camera : scene_.cameras) {
    node(camera.node, "camera");
    node(camera.target_node, "camera target");
    expect_finite(std::array{camera.field_of_view, camera.near_clip, camera.far_clip}, "camera");
  }
  for (const auto& attachment : scene_.attachments) {
    node(attachment.node, "attachment");
  }
  for (const auto& event : scene_.events) {
    node(event.node, "event");
    expect_index(event.global_loop, scene_.clips.size(), true, "event.global_loop");
  }
  for (const auto& shape : scene_.collision_shapes) {
    node(shape.node, "shape");
    expect_all_finite(shape.vertices, "shape");
  }
  for (const auto& emitter : scene_.emitters) {
    node(emitter.node, "emitter");
    expect_index(emitter.texture, scene_.textures.size(), true, "emitter.texture");
    expect_finite(std::array{emitter.speed, emitter.variation, emitter.latitude, emitter.longitude,
                             emitter.gravity, emitter.life_span, emitter.rate, emitter.length, emitter.width,
                             emitter.tail_length, emitter.middle, emitter.alpha},
                  "emitter");
    expect_all_finite(emitter.colors, "emitter.colors");
    expect_finite(emitter.scales, "emitter.scales");
  }
  for (const auto& ribbon : scene_.ribbons) {
    node(ribbon.node, "ribbon");
    expect_index(ribbon.material, scene_.materials.size(), true, "ribbon.material");
    expect_finite(
        std::array{ribbon.height_above, ribbon.height_below, ribbon.alpha, ribbon.life_span, ribbon.gravity},
        "ribbon");
  }
}

}  // namespace

std::vector<std::string> problems_of(const scene::Scene& scene) { return Checker(scene).run(); }

}  // namespace thaw::test
