#include "support/promises_report.hpp"

#include <cmath>
#include <set>

namespace thaw::test {
namespace promises {
namespace {

using scene::Index;
using scene::kNone;
using scene::Property;
using scene::Scene;

class SceneCheck {
 public:
  SceneCheck(const Scene& scene, const FieldPath& at, Report& report)
      : scene_(scene), top_(at), report_(report) {}

  void run() {
    report_.expect_text(scene_.name, {top_, "name"});
    check_nodes();
    each(scene_.skins, "skins", [&](const auto& skin, const FieldPath& at) { check_skin(skin, at); });
    each(scene_.meshes, "meshes", [&](const auto& mesh, const FieldPath& at) { check_mesh(mesh, at); });
    check_mesh_nodes();
    check_pictures();
    each(scene_.materials, "materials", [&](const auto& material, const FieldPath& at) {
      each(material.layers, "layers", at,
           [&](const auto& layer, const FieldPath& in) { check_layer(layer, in); });
    });
    each(scene_.uv_animations, "uv_animations", [&](const auto& animation, const FieldPath& at) {
      report_.expect_finite(animation.rest.offset, at);
      report_.expect_finite(animation.rest.rotation, at);
      report_.expect_finite(animation.rest.scale, at);
    });
    each(scene_.clips, "clips", [&](const auto& clip, const FieldPath& at) { check_clip(clip, at); });
    check_objects();
    check_models();
    report_.expect_finite(scene_.bounds.minimum, {top_, "bounds.minimum"});
    report_.expect_finite(scene_.bounds.maximum, {top_, "bounds.maximum"});
    report_.expect_finite(scene_.bounds.radius, {top_, "bounds.radius"});
  }

 private:
  template <class List, class F>
  void each(const List& list, const char* name, const FieldPath& at, F&& check) {
    for (std::size_t i = 0; i < list.size() && !report_.full(); ++i) {
      check(list[i], FieldPath(at, name, i));
    }
  }
  template <class List, class F>
  void each(const List& list, const char* name, F&& check) {
    each(list, name, top_, std::forward<F>(check));
  }
  void expect_node(Index node, const FieldPath& at) {
    report_.expect_index(node, scene_.nodes.size(), {at, "node"});
  }

  void check_nodes();
  void check_node(const scene::Node& node, std::size_t index, const FieldPath& at);
  void check_skin(const scene::Skin& skin, const FieldPath& at);
  void check_mesh(const scene::Mesh& mesh, const FieldPath& at);
  void check_arrays(const scene::Mesh& mesh, const FieldPath& at);
  void check_parts(const scene::Mesh& mesh, const FieldPath& at);
  void check_weights(const scene::Mesh& mesh, const FieldPath& at);
  void check_mesh_nodes();
  void check_pictures();
  void check_layer(const scene::Layer& layer, const FieldPath& at);
  void check_clip(const scene::Clip& clip, const FieldPath& at);
  void check_target(const scene::Channel& channel, const FieldPath& at);
  void check_curve(const scene::Channel& channel, float duration, const FieldPath& at);
  void check_values(const scene::Channel& channel, std::size_t rows, const FieldPath& at);
  void check_objects();
  void check_camera(const scene::Camera& camera, const FieldPath& at);
  void check_emitter(const scene::Emitter& emitter, const FieldPath& at);
  void check_models();
  [[nodiscard]] std::size_t targets(scene::Target::Kind kind) const;
  [[nodiscard]] std::size_t components(const scene::Channel& channel) const;

  const Scene& scene_;
  const FieldPath& top_;
  Report& report_;
};

void SceneCheck::check_nodes() {
  std::vector<bool> is_lod(scene_.nodes.size());
  for (std::size_t i = 0; i < scene_.nodes.size() && !report_.full(); ++i) {
    const FieldPath at(top_, "nodes", i);
    check_node(scene_.nodes[i], i, at);
    each(scene_.nodes[i].lods, "lods", at, [&](Index lod, const FieldPath& in) {
      if (report_.expect(lod < scene_.nodes.size() && lod > i, in, "no node behind this one")) {
        report_.expect(scene_.nodes[lod].parent == kNone, in, "a node with a parent");
        report_.expect(!is_lod[lod], in, "a node of another list");
        is_lod[lod] = true;
      }
    });
  }
  // What glTF calls a scene is a list of nodes.
  const bool one_root = scene_.source_format != "gltf" && !scene_.source.stated;
  for (std::size_t i = 1; one_root && i < scene_.nodes.size(); ++i) {
    report_.expect(scene_.nodes[i].parent != kNone || is_lod[i], {top_, "nodes", i}, "a second root");
  }
}

void SceneCheck::check_node(const scene::Node& node, std::size_t index, const FieldPath& at) {
  report_.expect_text(node.name, {at, "name"});
  report_.expect(node.parent == kNone || node.parent < index, {at, "parent"},
                 "does not come before its child");
  report_.expect_finite(node.rest.translation, {at, "rest.translation"});
  report_.expect_finite(node.rest.scale, {at, "rest.scale"});
  report_.expect_unit(node.rest.rotation, {at, "rest.rotation"});
  report_.expect(node.lod_coverage.empty() || node.lod_coverage.size() == node.lods.size() + 1,
                 {at, "lod_coverage"}, "not as many as there are levels");
  report_.expect_all_finite(node.lod_coverage, at, "lod_coverage");
}

void SceneCheck::check_skin(const scene::Skin& skin, const FieldPath& at) {
  report_.expect(!skin.joints.empty(), at, "no joints");
  report_.expect(skin.joints.size() == skin.inverse_bind.size(), at, "not as many matrices as joints");
  each(skin.joints, "joints", at,
       [&](Index joint, const FieldPath& in) { report_.expect_index(joint, scene_.nodes.size(), in); });
  report_.expect_all_finite(skin.inverse_bind, at, "inverse_bind");
}

void SceneCheck::check_mesh(const scene::Mesh& mesh, const FieldPath& at) {
  report_.expect_text(mesh.name, {at, "name"});
  check_arrays(mesh, at);
  check_parts(mesh, at);
  report_.expect_index_or_none(mesh.skin, scene_.skins.size(), {at, "skin"});
  expect_node(mesh.node, at);
  report_.expect_finite(mesh.color, {at, "color"});
  report_.expect_finite(mesh.alpha, {at, "alpha"});
  check_weights(mesh, at);
}

void SceneCheck::check_arrays(const scene::Mesh& mesh, const FieldPath& at) {
  const auto check = [&](const auto& array, const char* name, const FieldPath& in) {
    report_.expect(array.empty() || array.size() == mesh.positions.size(), {in, name},
                   "not as many as there are positions");
    report_.expect_all_finite(array, in, name);
  };
  check(mesh.positions, "positions", at);
  check(mesh.normals, "normals", at);
  check(mesh.tangents, "tangents", at);
  check(mesh.colors, "colors", at);
  check(mesh.second_colors, "second_colors", at);
  each(mesh.uv_sets, "uv_sets", at, [&](const auto& uvs, const FieldPath& in) { check(uvs, "", in); });
  each(mesh.morph_targets, "morph_targets", at, [&](const auto& target, const FieldPath& in) {
    report_.expect_text(target.name, {in, "name"});
    check(target.positions, "positions", in);
    check(target.normals, "normals", in);
  });
}

void SceneCheck::check_parts(const scene::Mesh& mesh, const FieldPath& at) {
  for (std::size_t i = 0; i < mesh.indices.size() && !report_.full(); ++i) {
    report_.expect_index(mesh.indices[i], mesh.positions.size(), {at, "indices", i});
  }
  std::size_t used = 0;
  each(mesh.parts, "parts", at, [&](const auto& part, const FieldPath& in) {
    report_.expect(part.first_index == used, {in, "first_index"}, "does not follow the part before");
    report_.expect(part.index_count % 3 == 0, {in, "index_count"}, "half a triangle");
    used += part.index_count;
    report_.expect_index_or_none(part.material, scene_.materials.size(), {in, "material"});
  });
  report_.expect(used == mesh.indices.size(), {at, "parts"}, "not all of the indices");
  each(mesh.wires, "wires", at, [&](const auto& wire, const FieldPath& in) {
    report_.expect(!wire.indices.empty(), {in, "indices"}, "none");
    for (std::size_t i = 0; i < wire.indices.size() && !report_.full(); ++i) {
      report_.expect_index(wire.indices[i], mesh.positions.size(), {in, "indices", i});
    }
    report_.expect_index_or_none(wire.material, scene_.materials.size(), {in, "material"});
  });
}

void SceneCheck::check_weights(const scene::Mesh& mesh, const FieldPath& at) {
  const std::size_t expected = mesh.positions.size() * mesh.influences;
  report_.expect((mesh.skin != kNone) == (mesh.influences > 0), {at, "influences"},
                 "do not go with the skin");
  const bool complete =
      report_.expect(mesh.joints.size() == expected, {at, "joints"}, "too few or too many") &&
      report_.expect(mesh.weights.size() == expected, {at, "weights"}, "too few or too many");
  if (!complete || mesh.skin >= scene_.skins.size()) {
    return;
  }
  const std::size_t joints = scene_.skins[mesh.skin].joints.size();
  for (std::size_t v = 0; v < mesh.positions.size() && !report_.full(); ++v) {
    double sum = 0;
    for (std::size_t i = v * mesh.influences; i < (v + 1) * mesh.influences; ++i) {
      report_.expect_index(mesh.joints[i], joints, {at, "joints", i});
      report_.expect(mesh.weights[i] >= 0, {at, "weights", i}, "negative");
      sum += double{mesh.weights[i]};
    }
    report_.expect(std::abs(sum - 1) < 1e-5, {at, "weights", v * mesh.influences}, "do not sum to 1");
  }
}

void SceneCheck::check_mesh_nodes() {
  std::set<Index> used_nodes;
  each(scene_.meshes, "meshes", [&](const auto& mesh, const FieldPath& at) {
    report_.expect(used_nodes.insert(mesh.node).second, {at, "node"}, "another mesh hangs there");
  });
}

void SceneCheck::check_pictures() {
  std::set<std::string_view> names;
  each(scene_.images, "images", [&](const auto& image, const FieldPath& at) {
    report_.expect(names.insert(image.name).second, {at, "name"}, "not unique");
    check_image(image.image, {at, "image"}, report_);
  });
  each(scene_.textures, "textures", [&](const auto& texture, const FieldPath& at) {
    report_.expect_index_or_none(texture.image, scene_.images.size(), {at, "image"});
  });
  each(scene_.variants, "variants", [&](const auto& variant, const FieldPath& at) {
    for (const auto& [texture, image] : variant.images) {
      report_.expect_index(texture, scene_.textures.size(), {at, "images"});
      report_.expect_index(image, scene_.images.size(), {at, "images"});
    }
  });
}

void SceneCheck::check_layer(const scene::Layer& layer, const FieldPath& at) {
  for (const Index texture :
       {layer.texture, layer.normal, layer.orm, layer.emissive, layer.team_color, layer.environment}) {
    report_.expect_index_or_none(texture, scene_.textures.size(), {at, "texture"});
  }
  report_.expect_index_or_none(layer.uv_animation, scene_.uv_animations.size(), {at, "uv_animation"});
  report_.expect_finite(layer.alpha, {at, "alpha"});
  report_.expect_finite(layer.emissive_gain, {at, "emissive_gain"});
  report_.expect_finite(layer.fresnel_color, {at, "fresnel_color"});
  report_.expect_finite(layer.fresnel_opacity, {at, "fresnel_opacity"});
  report_.expect_finite(layer.fresnel_team_color, {at, "fresnel_team_color"});
}

std::size_t SceneCheck::targets(scene::Target::Kind kind) const {
  using Kind = scene::Target::Kind;
  switch (kind) {
    case Kind::node:
      return scene_.nodes.size();
    case Kind::mesh:
      return scene_.meshes.size();
    case Kind::layer:
      return scene_.materials.size();
    case Kind::uv_animation:
      return scene_.uv_animations.size();
    case Kind::light:
      return scene_.lights.size();
    case Kind::camera:
      return scene_.cameras.size();
    case Kind::emitter:
      return scene_.emitters.size();
    case Kind::ribbon:
      return scene_.ribbons.size();
  }
  return 0;
}

std::size_t SceneCheck::components(const scene::Channel& channel) const {
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
                 ? scene_.meshes[channel.target.index].morph_targets.size()
                 : 0;
    default:
      return 1;
  }
}

/// What has a property.
scene::Target::Kind kind_of(Property property) {
  using Kind = scene::Target::Kind;
  if (property <= Property::visibility) {
    return Kind::node;
  }
  if (property <= Property::mesh_alpha) {
    return Kind::mesh;
  }
  if (property <= Property::layer_fresnel_team_color) {
    return Kind::layer;
  }
  if (property <= Property::uv_scale) {
    return Kind::uv_animation;
  }
  if (property <= Property::light_attenuation_end) {
    return Kind::light;
  }
  if (property == Property::camera_roll) {
    return Kind::camera;
  }
  return property <= Property::emitter_color ? Kind::emitter : Kind::ribbon;
}

void SceneCheck::check_target(const scene::Channel& channel, const FieldPath& at) {
  const auto& target = channel.target;
  report_.expect(target.kind == kind_of(channel.property), {at, "target.kind"}, "has no such property");
  const std::size_t count = targets(target.kind);
  report_.expect_index(target.index, count, {at, "target.index"});
  if (target.kind == scene::Target::Kind::layer && target.index < count) {
    report_.expect_index(target.sub, scene_.materials[target.index].layers.size(), {at, "target.sub"});
  }
}

void SceneCheck::check_clip(const scene::Clip& clip, const FieldPath& at) {
  report_.expect_text(clip.name, {at, "name"});
  report_.expect(std::isfinite(clip.duration) && clip.duration >= 0, {at, "duration"}, "no length of time");
  each(clip.channels, "channels", at, [&](const auto& channel, const FieldPath& in) {
    check_target(channel, in);
    check_curve(channel, clip.duration, {in, "curve"});
  });
}

void SceneCheck::check_curve(const scene::Channel& channel, float duration, const FieldPath& at) {
  const auto& curve = channel.curve;
  report_.expect(!curve.empty(), at, "no keys");
  report_.expect(curve.components == components(channel), {at, "components"}, "not those of the property");
  const std::size_t rows = curve.mode == scene::CurveMode::cubic ? 3 : 1;
  report_.expect_all_finite(curve.values, at, "values");
  for (std::size_t i = 0; i < curve.times.size() && !report_.full(); ++i) {
    const FieldPath in(at, "times", i);
    report_.expect(curve.times[i] >= 0 && curve.times[i] <= duration, in, "outside the clip");
    report_.expect(i == 0 || curve.times[i] > curve.times[i - 1], in, "not behind the key before");
  }
  if (report_.expect(curve.values.size() == curve.times.size() * curve.components * rows, {at, "values"},
                     "not as many as the times ask for")) {
    check_values(channel, rows, at);
  }
}

void SceneCheck::check_values(const scene::Channel& channel, std::size_t rows, const FieldPath& at) {
  const auto& values = channel.curve.values;
  if (channel.property == Property::layer_texture) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      report_.expect(values[i] >= 0 && values[i] < static_cast<float>(scene_.textures.size()) &&
                         values[i] == std::floor(values[i]),
                     {at, "values", i}, "no such texture");
    }
  }
  if (channel.property == Property::rotation && channel.curve.components == 4) {
    for (std::size_t key = 0; key < channel.curve.times.size() && !report_.full(); ++key) {
      const std::size_t base = (key * rows + rows / 3) * 4;
      report_.expect_unit({values[base], values[base + 1], values[base + 2], values[base + 3]},
                          {at, "values", base});
    }
  }
}

void SceneCheck::check_camera(const scene::Camera& camera, const FieldPath& at) {
  report_.expect_text(camera.name, {at, "name"});
  expect_node(camera.node, at);
  report_.expect_index_or_none(camera.target_node, scene_.nodes.size(), {at, "target_node"});
  report_.expect_finite(std::array{camera.field_of_view, camera.near_clip, camera.far_clip}, at);
}

void SceneCheck::check_emitter(const scene::Emitter& emitter, const FieldPath& at) {
  expect_node(emitter.node, at);
  report_.expect_index_or_none(emitter.texture, scene_.textures.size(), {at, "texture"});
  report_.expect_finite(std::array{emitter.speed, emitter.variation, emitter.latitude, emitter.longitude,
                                   emitter.gravity, emitter.life_span, emitter.rate, emitter.length,
                                   emitter.width, emitter.tail_length, emitter.middle, emitter.alpha},
                        at);
  report_.expect_all_finite(emitter.colors, at, "colors");
  report_.expect_finite(emitter.alphas, {at, "alphas"});
  report_.expect_finite(emitter.scales, {at, "scales"});
  report_.expect_finite(emitter.color, {at, "color"});
}

void SceneCheck::check_objects() {
  each(scene_.lights, "lights", [&](const auto& light, const FieldPath& at) {
    expect_node(light.node, at);
    report_.expect_finite(light.color, {at, "color"});
    report_.expect_finite(light.ambient_color, {at, "ambient_color"});
    report_.expect_finite(
        std::array{light.intensity, light.ambient_intensity, light.attenuation_start, light.attenuation_end},
        at);
  });
  each(scene_.cameras, "cameras", [&](const auto& camera, const FieldPath& at) { check_camera(camera, at); });
  each(scene_.attachments, "attachments",
       [&](const auto& attachment, const FieldPath& at) { expect_node(attachment.node, at); });
  each(scene_.events, "events", [&](const auto& event, const FieldPath& at) {
    expect_node(event.node, at);
    report_.expect_index_or_none(event.global_loop, scene_.clips.size(), {at, "global_loop"});
  });
  each(scene_.splats, "splats", [&](const auto& splat, const FieldPath& at) {
    report_.expect(splat.event < scene_.events.size(), {at, "event"}, "no such event");
    report_.expect_index_or_none(splat.texture, scene_.textures.size(), {at, "texture"});
    report_.expect_finite(std::array{splat.scale, splat.birth, splat.pause, splat.decay}, at);
    report_.expect_all_finite(splat.colors, at, "colors");
  });
  each(scene_.collision_shapes, "collision_shapes", [&](const auto& shape, const FieldPath& at) {
    expect_node(shape.node, at);
    report_.expect_all_finite(shape.vertices, at, "vertices");
    report_.expect_finite(shape.radius, {at, "radius"});
  });
  each(scene_.emitters, "emitters",
       [&](const auto& emitter, const FieldPath& at) { check_emitter(emitter, at); });
  each(scene_.ribbons, "ribbons", [&](const auto& ribbon, const FieldPath& at) {
    expect_node(ribbon.node, at);
    report_.expect_index_or_none(ribbon.material, scene_.materials.size(), {at, "material"});
    report_.expect_finite(ribbon.color, {at, "color"});
    report_.expect_finite(
        std::array{ribbon.height_above, ribbon.height_below, ribbon.alpha, ribbon.life_span, ribbon.gravity},
        at);
  });
}

void SceneCheck::check_models() {
  each(scene_.models, "models", [&](const auto& model, const FieldPath& at) {
    if (report_.expect(model != nullptr, at, "null")) {
      check_scene(*model, at, report_);
    }
  });
  each(scene_.placements, "placements", [&](const auto& placement, const FieldPath& at) {
    expect_node(placement.node, at);
    report_.expect_index(placement.model, scene_.models.size(), {at, "model"});
  });
}

}  // namespace

void check_scene(const Scene& scene, const FieldPath& at, Report& report) {
  SceneCheck(scene, at, report).run();
}

}  // namespace promises

Problems problems_of(const scene::Scene& scene) {
  promises::Report report;
  promises::check_scene(scene, {}, report);
  return report.take();
}

}  // namespace thaw::test
