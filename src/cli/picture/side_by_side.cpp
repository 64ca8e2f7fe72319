#include "cli/picture/side_by_side.hpp"

#include <algorithm>
#include <iterator>

namespace thaw::cli {
namespace {

/// What is to be seen in the usual clip.
struct Extent {
  float left = 0;  ///< where z is least
  float right = 0;
  float low = 0;
};

Extent extent_of(const ShownScene& shown) {
  const frame::Index clip = frame::default_clip(shown.scene, shown.file_name);
  const frame::Frame frame =
      frame::Evaluator(shown.scene, shown.models).evaluate({clip, 0, 0}, frame::Camera());
  Extent extent;
  bool first = true;
  for (const frame::Draw& draw : frame.draws) {
    for (std::uint32_t i = 0; draw.origin == frame::Origin::mesh && i < draw.index_count; ++i) {
      const Vec3& place = frame.positions[draw.base_position + frame.indices[draw.first_index + i]];
      extent.left = first ? place[2] : std::min(extent.left, place[2]);
      extent.right = first ? place[2] : std::max(extent.right, place[2]);
      extent.low = first ? place[1] : std::min(extent.low, place[1]);
      first = false;
    }
  }
  return extent;
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

ShownScene side_by_side(std::vector<ShownScene> all) {
  constexpr float kGap = 0.15F;  // of the mean width
  std::vector<Extent> extents;
  float width = 0;
  for (const ShownScene& one : all) {
    extents.push_back(extent_of(one));
    width += extents.back().right - extents.back().left;
  }
  ShownScene together;
  scene::Scene& scene = together.scene;
  scene.nodes.push_back(node_at(scene::NodeKind::root, "models", {}));
  float edge = 0;  // seen from +X, what lies to the right has the smaller z
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vec3 place = {0, -extents[i].low, edge - extents[i].right};
    edge += extents[i].left - extents[i].right - kGap * width / static_cast<float>(all.size());
    scene.nodes.push_back(node_at(scene::NodeKind::helper, all[i].file_name, place));
    scene.models.push_back(std::make_shared<const scene::Scene>(std::move(all[i].scene)));
    scene.placements.push_back({static_cast<scene::Index>(i + 1), static_cast<scene::Index>(i)});
    std::move(all[i].models.begin(), all[i].models.end(), std::back_inserter(together.models));
    together.textures += all[i].textures;
    together.missing_textures += all[i].missing_textures;
  }
  return together;
}

}  // namespace thaw::cli
