// Cameras stand beside the hierarchy (mdx.md#cameras).
#include "formats/warcraft/mdx/from_scene/maker.hpp"

#include <algorithm>

namespace thaw::mdx {
namespace {

/// What a camera looks at: a node, or a place in front of it.
Vec3d target_of(const ModelMaker& maker, const scene::Camera& camera, Index target) {
  if (target < maker.rest_world.size()) {
    return scene::translation_of(maker.rest_world[target]);
  }
  const Mat4d& place = maker.rest_world[camera.node];
  const double distance = std::max(1.0, maker.size / maker.units);
  return scene::transform_point(place, {0, 0, -distance});
}

Index find_target(const ModelMaker& maker, const scene::Camera& camera) {
  if (camera.target_node < maker.scene.nodes.size()) {
    return camera.target_node;
  }
  const auto& nodes = maker.scene.nodes;
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const scene::Node& node) {
    return node.kind == scene::NodeKind::target && node.name == camera.name + " Target";
  });
  return found == nodes.end() ? kNone : static_cast<Index>(found - nodes.begin());
}

/// Cameras of the game do not hang at nodes: only what moves a camera's own node can come along.
bool hangs_still(const ModelMaker& maker, Index node) {
  for (Index above = maker.scene.nodes[node].parent; above < node;) {
    for (const Property property : {Property::translation, Property::rotation, Property::scale}) {
      if (maker.channels.contains({Target::Kind::node, above, 0, property})) {
        return false;
      }
    }
    node = above;
    above = maker.scene.nodes[node].parent;
  }
  return true;
}

void add_moves(ModelMaker& maker, Tracks& tracks, FourCC tag, Index node) {
  if (node >= maker.scene.nodes.size()) {
    return;
  }
  const Index parent = maker.scene.nodes[node].parent;
  const Mat4d above = parent < node ? maker.rest_world[parent] : scene::kIdentity;
  const Vec3& rest = maker.scene.nodes[node].rest.translation;
  TrackRule rule;
  rule.tag = tag;
  rule.tolerance = double{maker.options.tolerance} * maker.size;
  rule.rest = {double{rest[0]}, double{rest[1]}, double{rest[2]}, 0};
  rule.convert = [&](const Double4& v, bool offset) {
    const Vec3d way = offset ? Vec3d{v[0] - double{rest[0]}, v[1] - double{rest[1]}, v[2] - double{rest[2]}}
                             : Vec3d{v[0], v[1], v[2]};
    const Vec3d out = scene::subtract(scene::transform_point(above, way), scene::translation_of(above));
    const Vec3d turned = scene::to_z_up(out, maker.scene.axes);
    return Double4{turned[0] * maker.units, turned[1] * maker.units, turned[2] * maker.units, 0};
  };
  maker.add_track(tracks, maker.track({Target::Kind::node, node, 0}, Property::translation, rule));
}

}  // namespace

void make_cameras(ModelMaker& maker) {
  for (Index i = 0; i < maker.scene.cameras.size(); ++i) {
    const scene::Camera& source = maker.scene.cameras[i];
    if (source.node >= maker.scene.nodes.size()) {
      continue;
    }
    const Index target = find_target(maker, source);
    Camera made;
    made.name = fixed<80>(maker, source.name);
    made.position = maker.position(scene::translation_of(maker.rest_world[source.node]));
    made.target = maker.position(target_of(maker, source, target));
    made.field_of_view = source.field_of_view;
    made.far_clip = maker.length(source.far_clip);
    made.near_clip = maker.length(source.near_clip);
    if (hangs_still(maker, source.node)) {
      add_moves(maker, made.tracks, FourCC{"KCTR"}, source.node);
      add_moves(maker, made.tracks, FourCC{"KTTR"}, target);
    } else {
      maker.lose("motion of camera \"" + source.name + "\" left out: it is attached to a moving node");
    }
    maker.add_scalar(made.tracks, FourCC{"KCRL"}, {Target::Kind::camera, i, 0}, Property::camera_roll, 0);
    maker.add_visibility(made.tracks, FourCC{"KCVS"}, source.node);
    chunk_of<Cameras>(maker.document, FourCC{"CAMS"}).items.push_back(std::move(made));
  }
}

}  // namespace thaw::mdx
