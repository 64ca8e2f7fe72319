// The hierarchy, and what hangs in it: skins, lights, cameras.
#include "bytes/finite.hpp"
#include "gltf/export.hpp"
#include "gltf/extras_description.hpp"
#include "gltf/light_units.hpp"
#include "scene/pose.hpp"
#include "scene/unique_names.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace thaw::gltf {
namespace {

void set_transform(Node& node, const scene::Transform& rest) {
  node.translation = all_finite(rest.translation) ? rest.translation : Vec3{};
  node.rotation = all_finite(rest.rotation) ? scene::narrow(scene::normalized(scene::widen(rest.rotation)))
                                            : Vec4{0, 0, 0, 1};
  node.scale = all_finite(rest.scale) ? rest.scale : Vec3{1, 1, 1};
}

/// Nodes with inherit flags stand where the game puts them, not where glTF's inheritance would.
void bake_rest(Export& out) {
  const auto places = scene::Poser(out.scene, nullptr).places(0);
  for (Index i = 0; i < out.scene.nodes.size(); ++i) {
    const scene::Node& node = out.scene.nodes[i];
    if (inherits_all(node) || node.parent >= i) {
      continue;
    }
    const auto& parent = places[node.parent];
    const bool plain = parent.scale == scene::Vec3d{1, 1, 1} && parent.rotation == scene::Vec4d{0, 0, 0, 1};
    if (!plain) {
      set_transform(out.document.nodes[i],
                    scene::decompose(scene::multiply(scene::inverse(parent.world), places[i].world)));
    }
  }
}

/// Viewers need one node above all joints that is no joint itself: Blender makes the armature of it.
void choose_root(Export& out) {
  std::vector<Index> tops;
  for (Index i = 0; i < out.scene.nodes.size(); ++i) {
    if (out.scene.nodes[i].parent >= i && !out.is_lod[i]) {
      tops.push_back(i);
    }
  }
  const bool is_joint =
      std::any_of(out.scene.skins.begin(), out.scene.skins.end(), [&](const scene::Skin& skin) {
        return tops.size() == 1 &&
               std::find(skin.joints.begin(), skin.joints.end(), tops.front()) != skin.joints.end();
      });
  if (tops.size() == 1 && !is_joint) {
    out.root = tops.front();
    out.document.roots.push_back(out.root);
    return;
  }
  out.root = out.add_node(out.scene.name.empty() ? "root" : out.scene.name, kNone);
  out.document.nodes[out.root].children = std::move(tops);
}

/// Only nodes that nothing else holds can stand outside the hierarchy, each for one other node.
void add_lods(Export& out) {
  out.is_lod.assign(out.scene.nodes.size(), false);
  out.levels.assign(out.scene.nodes.size(), {});
  for (Index i = 0; i < out.scene.nodes.size(); ++i) {
    for (const Index lod : out.scene.nodes[i].lods) {
      const bool sound = lod < out.scene.nodes.size() && lod != i && out.scene.nodes[lod].parent == kNone &&
                         out.scene.nodes[lod].lods.empty() && !out.is_lod[lod];
      if (sound) {
        out.is_lod[lod] = true;
        out.document.nodes[i].lods.push_back(lod);
        out.levels[lod] = {i, out.document.nodes[i].lods.size()};
      }
    }
    if (!out.document.nodes[i].lods.empty() && out.levels[i].owner == kNone) {
      out.levels[i].owner = i;
    }
    const auto& coverage = out.scene.nodes[i].lod_coverage;
    if (coverage.size() == out.document.nodes[i].lods.size() + 1 && all_finite(coverage)) {
      out.document.nodes[i].lod_coverage = coverage;
    }
  }
  scene::inherit_levels(out.scene, out.levels);
}

/// A node with visibility of its own gets a child that is scaled to nothing: its children in the game are not
/// hidden with it.
void add_switches(Export& out) {
  const std::size_t count = out.scene.nodes.size();
  out.switches.assign(count, kNone);
  out.node_visibility.resize(count);
  std::vector<bool> is_mesh(count);
  for (const auto& mesh : out.scene.meshes) {
    if (mesh.node < count) {
      is_mesh[mesh.node] = true;
    }
  }
  for (Index i = 0; i < count; ++i) {
    const Target target{Target::Kind::node, i, 0};
    if (is_mesh[i] || !out.channels.any(target, Property::visibility)) {
      continue;
    }
    auto visibility = std::make_unique<Visibility>(out.channels);
    visibility->add_group();
    visibility->add(target, Property::visibility, 1);
    visibility->finish(out.spend_channels());
    if (!visibility->animated() && visibility->initially()) {
      continue;
    }
    const Index node = out.add_node(out.document.nodes[i].name + " visibility", i);
    out.document.nodes[node].extras.set("visibilityOf", i);
    if (!visibility->initially()) {
      out.document.nodes[node].scale = out.hidden_scale({1, 1, 1});
    }
    if (out.rich()) {
      out.document.nodes[node].visible = visibility->initially();
    }
    out.switches[i] = node;
    out.node_visibility[i] = std::move(visibility);
  }
}

/// A skin as the format requires it: joints that exist, once each.
class SkinBuilder {
 public:
  explicit SkinBuilder(Export& out) : out_(out) {}

  Index add(const scene::Skin& skin) {
    Array<float> matrices;
    Skin result;
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      // Broken and repeated joints stay in their place, so that the indices of the vertices hold.
      Index joint = skin.joints[i] < out_.scene.nodes.size() ? skin.joints[i] : out_.root;
      if (!used_.insert({joint, result.joints.size()}).second) {
        joint = out_.add_node(out_.document.nodes[joint].name, joint);
        used_.insert({joint, result.joints.size()});
      }
      result.joints.push_back(joint);
      append(matrices, i < skin.inverse_bind.size() ? skin.inverse_bind[i] : scene::Mat4{});
    }
    if (result.joints.empty()) {
      return kNone;
    }
    result.name = names_.add(skin.name, "skin");
    result.inverse_bind = out_.buffer.add_matrices(matrices);
    result.skeleton = out_.root;
    out_.document.skins.push_back(std::move(result));
    return static_cast<Index>(out_.document.skins.size() - 1);
  }

  void next() { used_.clear(); }

  /// One skin of all joints; for Blender, whose armature it becomes, of all nodes. False where skins do not
  /// agree on how a node was bound, there is no joint, or there are more than a byte can number.
  bool add_common();

 private:
  bool take_bound(std::vector<std::optional<scene::Mat4>>& bound) const;
  static void append(Array<float>& matrices, scene::Mat4 matrix) {
    if (!all_finite(matrix) || matrix == scene::Mat4{}) {
      matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    }
    matrix[3] = matrix[7] = matrix[11] = 0;
    matrix[15] = 1;
    matrices.insert(matrices.end(), matrix.begin(), matrix.end());
  }

  Export& out_;
  scene::UniqueNames names_;
  std::unordered_map<Index, std::size_t> used_;
};

bool SkinBuilder::take_bound(std::vector<std::optional<scene::Mat4>>& bound) const {
  for (const scene::Skin& skin : out_.scene.skins) {
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      if (skin.joints[i] >= bound.size() || i >= skin.inverse_bind.size()) {
        return false;
      }
      auto& known = bound[skin.joints[i]];
      if (known && *known != skin.inverse_bind[i]) {
        return false;
      }
      known = skin.inverse_bind[i];
    }
  }
  return true;
}

bool SkinBuilder::add_common() {
  const auto& nodes = out_.scene.nodes;
  constexpr std::size_t kMostJoints = 65535;
  std::vector<std::optional<scene::Mat4>> bound(nodes.size());
  if (nodes.size() < 2 || nodes.size() * 2 > kMostJoints || !take_bound(bound)) {
    return false;
  }
  const auto world = scene::Poser(out_.scene, nullptr).world_matrices(0);
  Array<float> matrices;
  Skin result;
  const auto add_joint = [&](Index joint, const scene::Mat4& matrix) {
    result.joints.push_back(joint);
    append(matrices, matrix);
  };
  out_.joint_places.assign(nodes.size(), kNone);
  for (Index i = 0; i < nodes.size(); ++i) {
    const bool other =
        !out_.for_blender() || i == out_.root || nodes[i].kind == scene::NodeKind::mesh || out_.is_lod[i];
    if (other && !bound[i]) {
      continue;
    }
    const scene::Mat4 rest = scene::narrow(scene::inverse(world[i]));
    out_.joint_places[i] = static_cast<Index>(result.joints.size());
    add_joint(i, bound[i].value_or(rest));
    if (out_.for_blender() && out_.switches[i] != kNone) {
      add_joint(out_.switches[i], rest);
    }
  }
  constexpr std::size_t kMostOfByte = 256;
  if (result.joints.empty() || (!out_.for_blender() && result.joints.size() > kMostOfByte)) {
    out_.joint_places.clear();
    return false;
  }
  result.name =
      names_.add(out_.scene.skins.size() == 1 ? out_.scene.skins.front().name : out_.scene.name, "skin");
  result.inverse_bind = out_.buffer.add_matrices(matrices);
  result.skeleton = out_.root;
  out_.skins.assign(out_.scene.skins.size(), static_cast<Index>(out_.document.skins.size()));
  out_.document.skins.push_back(std::move(result));
  return true;
}

Vec3 linear_color(const Vec3& color) {
  Vec3 result{};
  for (std::size_t i = 0; i < color.size(); ++i) {
    const double value = std::isfinite(color[i]) ? double{color[i]} : 1;
    result[i] = static_cast<float>(std::clamp(scene::srgb_to_linear(value), 0.0, 1.0));
  }
  return result;
}

/// warcraft3-rendering.md#cameras: diagonal over the game's 4:3, or horizontal over 16:9.
float vertical_fov(const scene::Camera& camera) {
  constexpr double kDiagonalOfFourToThree = 5.0 / 3;
  constexpr double kWide = 16.0 / 9;
  double fov = std::isfinite(camera.field_of_view) ? double{camera.field_of_view} : 0;
  fov = fov > 0.01 && fov < 3.1 ? fov : scene::kPi / 4;
  if (camera.diagonal) {
    return static_cast<float>(fov / kDiagonalOfFourToThree);
  }
  return static_cast<float>(2 * scene::arc_tangent(scene::sine(fov / 2) / kWide, scene::cosine(fov / 2)));
}

}  // namespace

float physical_intensity(const scene::Light& light, float intensity) {
  const double unit = scene::kPi * (std::isfinite(intensity) ? std::max(0.0, double{intensity}) : 0);
  if (light.kind == scene::Light::Kind::directional) {
    return static_cast<float>(unit);
  }
  const double start = std::isfinite(light.attenuation_start) ? double{light.attenuation_start} : 0;
  const double distance = start > 0 ? std::min(start, 1e6) : 1;
  return static_cast<float>(std::min(unit * distance * distance, 1e30));
}

Index Export::add_node(std::string name, Index parent) {
  const auto index = static_cast<Index>(document.nodes.size());
  Node node;
  node.name = node_names.add(std::move(name), "node");
  document.nodes.push_back(std::move(node));
  if (parent == kNone) {
    document.roots.push_back(index);
  } else {
    document.nodes[parent].children.push_back(index);
  }
  return index;
}

void add_nodes(Export& out) {
  out.document.nodes.resize(out.scene.nodes.size());
  for (Index i = 0; i < out.scene.nodes.size(); ++i) {
    const scene::Node& source = out.scene.nodes[i];
    Node& node = out.document.nodes[i];
    node.name = out.node_names.add(source.name, "node");
    set_transform(node, source.rest);
    if (source.parent < i) {
      out.document.nodes[source.parent].children.push_back(i);
    }
  }
  bake_rest(out);
  add_lods(out);
  choose_root(out);
  add_switches(out);
}

void add_skins(Export& out) {
  SkinBuilder builder(out);
  if (builder.add_common()) {
    return;
  }
  for (const auto& skin : out.scene.skins) {
    out.skins.push_back(builder.add(skin));
    builder.next();
  }
}

void add_lights(Export& out) {
  scene::UniqueNames names;
  for (const auto& light : out.scene.lights) {
    out.lights.push_back(kNone);
    if (light.node >= out.scene.nodes.size() || light.kind == scene::Light::Kind::ambient) {
      continue;  // glTF has no ambient light; extras hold it
    }
    Light result;
    result.directional = light.kind == scene::Light::Kind::directional;
    result.name = names.add(out.scene.nodes[light.node].name, "light");
    const Target target{Target::Kind::light, static_cast<Index>(out.lights.size() - 1), 0};
    result.color = linear_color(out.channels.initial(target, Property::light_color, light.color));
    result.intensity =
        physical_intensity(light, out.channels.initial(target, Property::light_intensity, light.intensity));
    if (!result.directional && std::isfinite(light.attenuation_end) && light.attenuation_end > 0) {
      result.range = light.attenuation_end;
    }
    out.lights.back() = static_cast<Index>(out.document.lights.size());
    out.document.lights.push_back(std::move(result));
    // A node of its own: one may be taken, and directional lights look along −Z instead of −Y.
    const Index above = out.switches[light.node] != kNone ? out.switches[light.node] : light.node;
    const Index node = out.add_node(out.document.nodes[light.node].name + " light", above);
    out.document.nodes[node].light = out.lights.back();
    if (out.document.lights.back().directional) {
      constexpr float kHalfRoot = 0.70710678F;
      out.document.nodes[node].rotation = {-kHalfRoot, 0, 0, kHalfRoot};
    }
  }
}

void add_cameras(Export& out) {
  scene::UniqueNames names;
  for (const auto& camera : out.scene.cameras) {
    if (camera.node >= out.scene.nodes.size()) {
      continue;
    }
    Camera result;
    result.name = names.add(camera.name, "camera");
    result.vertical_fov = vertical_fov(camera);
    result.near_clip = std::isfinite(camera.near_clip) && camera.near_clip > 0 ? camera.near_clip : 0.01F;
    if (std::isfinite(camera.far_clip) && camera.far_clip > result.near_clip) {
      result.far_clip = camera.far_clip;
    }
    Index node = camera.node;
    if (out.document.nodes[node].camera != kNone) {
      node = out.add_node(result.name, node);
    }
    out.document.nodes[node].camera = static_cast<Index>(out.document.cameras.size());
    out.document.cameras.push_back(std::move(result));
  }
}

}  // namespace thaw::gltf
