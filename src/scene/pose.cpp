#include "scene/pose.hpp"

#include "scene/axes.hpp"

#include <algorithm>

namespace thaw::scene {
Poser::Poser(const Scene& scene, const Clip* clip)
    : scene_(scene), curves_(scene.nodes.size()), moves_(scene.nodes.size()) {
  const auto world = world_matrices(0);
  std::vector<Vec3d> positions(world.size());
  std::transform(world.begin(), world.end(), positions.begin(), translation_of);
  rest_positions_ = std::make_shared<const std::vector<Vec3d>>(std::move(positions));
  if (clip != nullptr) {
    play(*clip);
  }
}

Poser::Poser(const Poser& rest, const Clip& clip)
    : scene_(rest.scene_),
      curves_(rest.curves_.size()),
      moves_(rest.curves_.size()),
      rest_positions_(rest.rest_positions_) {
  play(clip);
}

void Poser::play(const Clip& clip) {
  for (const auto& channel : clip.channels) {
    if (channel.target.kind != Target::Kind::node || channel.target.index >= curves_.size() ||
        channel.curve.empty()) {
      continue;
    }
    Curves& curves = curves_[channel.target.index];
    if (channel.property == Property::translation) {
      curves.translation = &channel.curve;
    } else if (channel.property == Property::rotation) {
      curves.rotation = &channel.curve;
    } else if (channel.property == Property::scale) {
      curves.scale = &channel.curve;
    }
  }
  find_moving();
}

void Poser::find_moving() {
  for (Index node = 0; node < curves_.size(); ++node) {
    const Curves& curves = curves_[node];
    const Index above = parent(node);
    moves_[node] = curves.translation != nullptr || curves.rotation != nullptr || curves.scale != nullptr ||
                   (above != kNone && moves_[above]);
  }
}

Index Poser::parent(Index node) const {
  const Index parent = scene_.nodes[node].parent;
  return parent < node ? parent : kNone;
}

Transform Poser::local(Index node, float time) const {
  Transform transform = scene_.nodes[node].rest;
  const Curves& curves = curves_[node];
  if (curves.translation != nullptr) {
    evaluate(*curves.translation, time, transform.translation);
  }
  if (curves.rotation != nullptr) {
    transform.rotation = evaluate_rotation(*curves.rotation, time);
  }
  if (curves.scale != nullptr) {
    evaluate(*curves.scale, time, transform.scale);
  }
  return transform;
}

WorldTransform Poser::place(Index node, float time, const Parentage& above) const {
  const Node& flags = scene_.nodes[node];
  const Transform transform = local(node, time);
  Vec4d rotation = normalized(widen(transform.rotation));
  Vec3d scale = widen(transform.scale);
  if (above.parent == nullptr) {
    return {compose(widen(transform.translation), rotation, scale), rotation, scale};
  }
  const WorldTransform instance = above.root != nullptr ? *above.root : WorldTransform{};
  if (!flags.inherit_rotation) {
    const Vec4d back = quaternion_product(conjugate(above.parent->rotation), instance.rotation);
    rotation = quaternion_product(back, rotation);
  }
  if (!flags.inherit_scale) {
    scale = multiply(multiply(reciprocal(above.parent->scale), instance.scale), scale);
  }
  WorldTransform result;
  result.world = multiply(above.parent->world, compose(widen(transform.translation), rotation, scale));
  result.rotation = normalized(quaternion_product(above.parent->rotation, rotation));
  result.scale = multiply(above.parent->scale, scale);
  // While the rest places are being found, nothing has moved from them.
  if (!flags.inherit_translation && rest_positions_ != nullptr) {
    const Vec3d moved = subtract(translation_of(above.parent->world), (*rest_positions_)[parent(node)]);
    for (std::size_t i = 0; i < 3; ++i) {
      result.world[12 + i] -= moved[i];
    }
  }
  return result;
}

WorldTransform Poser::place(Index node, float time) const {
  std::vector<Index> path;
  for (Index at = node; at != kNone; at = parent(at)) {
    path.push_back(at);
  }
  const WorldTransform top = place(path.back(), time, {});
  const WorldTransform* root = scene_.nodes[path.back()].kind == NodeKind::root ? &top : nullptr;
  WorldTransform current = top;
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    current = place(path[i], time, {&current, root});
  }
  return current;
}

std::vector<WorldTransform> Poser::places(float time) const {
  std::vector<WorldTransform> placements(scene_.nodes.size());
  std::vector<Index> tops(scene_.nodes.size());
  for (Index node = 0; node < scene_.nodes.size(); ++node) {
    const Index above = parent(node);
    tops[node] = above == kNone ? node : tops[above];
    Parentage parentage;
    if (above != kNone) {
      parentage.parent = &placements[above];
      parentage.root = scene_.nodes[tops[node]].kind == NodeKind::root ? &placements[tops[node]] : nullptr;
    }
    placements[node] = place(node, time, parentage);
  }
  return placements;
}

std::vector<Mat4d> Poser::world_matrices(float time) const {
  const auto placements = places(time);
  std::vector<Mat4d> world(placements.size());
  std::transform(placements.begin(), placements.end(), world.begin(),
                 [](const WorldTransform& place) { return place.world; });
  return world;
}

std::vector<Mat4d> Poser::world_matrices(float time, Axes front) const {
  auto world = world_matrices(time);
  if (scene_.axes != front) {
    const Mat4d turned = front_turned(scene_.axes, front);
    std::transform(world.begin(), world.end(), world.begin(),
                   [&](const Mat4d& place) { return multiply(turned, place); });
  }
  return world;
}

std::vector<const Curve*> Poser::curves(Index node) const {
  std::vector<const Curve*> result;
  for (Index at = node; at != kNone; at = parent(at)) {
    const Curves& curves = curves_[at];
    for (const Curve* curve : {curves.translation, curves.rotation, curves.scale}) {
      if (curve != nullptr) {
        result.push_back(curve);
      }
    }
  }
  return result;
}

const Skin* sound_skin(const Scene& scene, const Mesh& mesh) {
  if (mesh.skin >= scene.skins.size()) {
    return nullptr;
  }
  const Skin& skin = scene.skins[mesh.skin];
  const std::size_t entries = mesh.positions.size() * mesh.influences;
  const bool fits = skin.joints.size() == skin.inverse_bind.size() && mesh.joints.size() == entries &&
                    mesh.weights.size() == entries &&
                    std::all_of(skin.joints.begin(), skin.joints.end(),
                                [&](Index node) { return node < scene.nodes.size(); }) &&
                    std::all_of(mesh.joints.begin(), mesh.joints.end(),
                                [&](std::uint16_t joint) { return joint < skin.joints.size(); });
  return fits ? &skin : nullptr;
}

}  // namespace thaw::scene
