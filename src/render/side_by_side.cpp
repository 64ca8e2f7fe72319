#include <thaw/render.hpp>

#include "scene/bounds.hpp"

#include <algorithm>
#include <iterator>

namespace thaw {
namespace {

/// The box around what is to be seen in the usual clip.
scene::Bounds extent_of(const SceneOfFile& shown) {
  const frame::Index clip = frame::default_clip(shown.scene, shown.file_name);
  const frame::Frame frame =
      frame::Evaluator(shown.scene, shown.models).evaluate({clip, 0, 0}, frame::Camera());
  scene::BoundsOfPoints seen;
  for (const frame::Draw& draw : frame.draws) {
    for (std::uint32_t i = 0; draw.origin == frame::Origin::mesh && i < draw.index_count; ++i) {
      seen.add(frame.positions[draw.base_position + frame.indices[draw.first_index + i]]);
    }
  }
  return seen.bounds();
}

/// From where z is least to where it is greatest.
float width_of(const scene::Bounds& extent) { return extent.maximum[2] - extent.minimum[2]; }

Vec3 moved(const Vec3& point, const Vec3& by) {
  return {point[0] + by[0], point[1] + by[1], point[2] + by[2]};
}

scene::Node node_at(scene::NodeKind kind, std::string name, const Vec3& place) {
  scene::Node node;
  node.kind = kind;
  node.name = std::move(name);
  node.parent = kind == scene::NodeKind::root ? scene::kNone : 0;
  node.rest.translation = place;
  return node;
}

}  // namespace

SceneOfFile side_by_side(std::vector<SceneOfFile> all) {
  constexpr float kGap = 0.15F;  // of the mean width
  std::vector<scene::Bounds> extents;
  float width = 0;
  for (const SceneOfFile& one : all) {
    extents.push_back(extent_of(one));
    width += width_of(extents.back());
  }
  SceneOfFile together;
  scene::Scene& scene = together.scene;
  scene.nodes.push_back(node_at(scene::NodeKind::root, "models", {}));
  scene::BoundsOfPoints occupied;
  float edge = 0;  // seen from +X, what lies to the right has the smaller z
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vec3 place = {0, -extents[i].minimum[1], edge - extents[i].maximum[2]};
    edge -= width_of(extents[i]) + kGap * width / static_cast<float>(all.size());
    occupied.add(moved(extents[i].minimum, place));
    occupied.add(moved(extents[i].maximum, place));
    scene.nodes.push_back(node_at(scene::NodeKind::helper, all[i].file_name, place));
    scene.models.push_back(std::make_shared<const scene::Scene>(std::move(all[i].scene)));
    scene.placements.push_back({static_cast<scene::Index>(i + 1), static_cast<scene::Index>(i)});
    std::move(all[i].models.begin(), all[i].models.end(), std::back_inserter(together.models));
  }
  scene.bounds = occupied.bounds();
  return together;
}

}  // namespace thaw
