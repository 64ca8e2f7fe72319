// Cameras, which are not part of the hierarchy (mdx.md#cameras).
#include "formats/warcraft/mdx/from_scene/model_builder.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// What a camera looks at: a node, or a place in front of it.
Vec3d target_of(const ModelBuilder& builder, const scene::Camera& camera, Index target) {
  if (target < builder.rest_world.size()) {
    return scene::translation_of(builder.rest_world[target]);
  }
  const Mat4d& place = builder.rest_world[camera.node];
  const double distance = std::max(1.0, builder.size / builder.units);
  return scene::transform_point(place, {0, 0, -distance});
}

Index find_target(const ModelBuilder& builder, const scene::Camera& camera) {
  if (camera.target_node < builder.scene.nodes.size()) {
    return camera.target_node;
  }
  const auto& nodes = builder.scene.nodes;
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const scene::Node& node) {
    return node.kind == scene::NodeKind::target && node.name == camera.name + " Target";
  });
  return found == nodes.end() ? kNone : static_cast<Index>(found - nodes.begin());
}

/// Cameras of the game do not hang at nodes: only what moves a camera's own node can come along.
bool hangs_still(const ModelBuilder& builder, Index node) {
  for (Index above = builder.scene.nodes[node].parent; above < node;) {
    for (const Property property : {Property::translation, Property::rotation, Property::scale}) {
      if (builder.channels.contains({Target::Kind::node, above, 0, property})) {
        return false;
      }
    }
    node = above;
    above = builder.scene.nodes[node].parent;
  }
  return true;
}

void add_moves(ModelBuilder& builder, Tracks& tracks, FourCC tag, Index node) {
  if (node >= builder.scene.nodes.size()) {
    return;
  }
  const Index parent = builder.scene.nodes[node].parent;
  const Mat4d above = parent < node ? builder.rest_world[parent] : scene::kIdentity;
  const Vec3& rest = builder.scene.nodes[node].rest.translation;
  TrackRule rule;
  rule.tag = tag;
  rule.tolerance = double{builder.options.tolerance} * builder.size;
  rule.rest = {double{rest[0]}, double{rest[1]}, double{rest[2]}, 0};
  rule.convert = [&](const Double4& v, bool offset) {
    const Vec3d local = offset ? Vec3d{v[0] - double{rest[0]}, v[1] - double{rest[1]}, v[2] - double{rest[2]}}
                               : Vec3d{v[0], v[1], v[2]};
    const Vec3d out = scene::subtract(scene::transform_point(above, local), scene::translation_of(above));
    const Vec3d turned = scene::to_z_up(out, builder.scene.axes);
    return Double4{turned[0] * builder.units, turned[1] * builder.units, turned[2] * builder.units, 0};
  };
  builder.add_track(tracks, builder.track({Target::Kind::node, node, 0}, Property::translation, rule));
}

}  // namespace

void make_cameras(ModelBuilder& builder) {
  for (Index i = 0; i < builder.scene.cameras.size(); ++i) {
    const scene::Camera& source = builder.scene.cameras[i];
    if (source.node >= builder.scene.nodes.size()) {
      continue;
    }
    const Index target = find_target(builder, source);
    Camera camera;
    camera.name = fixed<80>(builder, source.name);
    camera.position = builder.position(scene::translation_of(builder.rest_world[source.node]));
    camera.target = builder.position(target_of(builder, source, target));
    camera.field_of_view = source.field_of_view;
    camera.far_clip = builder.length(source.far_clip);
    camera.near_clip = builder.length(source.near_clip);
    if (hangs_still(builder, source.node)) {
      add_moves(builder, camera.tracks, FourCC{"KCTR"}, source.node);
      add_moves(builder, camera.tracks, FourCC{"KTTR"}, target);
    } else {
      builder.lose("motion of camera \"" + source.name + "\" left out: it is attached to a moving node");
    }
    builder.add_scalar(camera.tracks, FourCC{"KCRL"}, {Target::Kind::camera, i, 0}, Property::camera_roll, 0);
    builder.add_visibility(camera.tracks, FourCC{"KCVS"}, source.node);
    chunk_of<Cameras>(builder.document, FourCC{"CAMS"}).items.push_back(std::move(camera));
  }
}

}  // namespace thaw::mdx
