// Skeletons to look at.
#include "formats/forgelight/mrn/scene_parts.hpp"
#include "scene/math.hpp"
#include "scene/pose.hpp"

namespace thaw::mrn {
namespace {

using scene::Index;
using scene::Mat4d;
using scene::Vec3d;

/// Bones between joints that are nearer than this have no shape.
constexpr double kShortest = 1e-4;
/// Of the bone's length: the girth, and where it is widest.
constexpr double kGirth = 0.08;
constexpr double kWaist = 0.2;

class ShapeBuilder {
 public:
  explicit ShapeBuilder(scene::Mesh& mesh) : mesh_(mesh) {}

  void add(const Vec3d& from, const Vec3d& to, std::uint16_t joint) {
    const Vec3d along = scene::subtract(to, from);
    const double length = scene::length(along);
    if (!(length > kShortest)) {
      return;
    }
    const Vec3d axis = scene::scaled(along, 1 / length);
    const Vec3d helper = std::abs(axis[1]) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
    const Vec3d across = scene::cross(axis, helper);
    const Vec3d side = scene::scaled(across, kGirth * length / scene::length(across));
    const Vec3d other = scene::cross(axis, side);
    const Vec3d waist = scene::add(from, scene::scaled(along, kWaist));
    const std::array<Vec3d, 4> ring = {scene::add(waist, side), scene::add(waist, other),
                                       scene::subtract(waist, side), scene::subtract(waist, other)};
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Vec3d& a = ring[i];
      const Vec3d& b = ring[(i + 1) % ring.size()];
      face({a, b, to}, joint);
      face({b, a, from}, joint);
    }
  }

 private:
  void face(const std::array<Vec3d, 3>& corners, std::uint16_t joint) {
    const Vec3d normal =
        scene::cross(scene::subtract(corners[1], corners[0]), scene::subtract(corners[2], corners[0]));
    const double size = scene::length(normal);
    for (const Vec3d& corner : corners) {
      mesh_.indices.push_back(static_cast<std::uint32_t>(mesh_.positions.size()));
      mesh_.positions.push_back(scene::narrow(corner));
      mesh_.normals.push_back(scene::narrow(scene::scaled(normal, size > 0 ? 1 / size : 0)));
      mesh_.joints.push_back(joint);
      mesh_.weights.push_back(1.0F);
    }
  }

  scene::Mesh& mesh_;
};

std::vector<Mat4d> bind_matrices(const scene::Scene& scene) {
  return scene::Poser(scene, nullptr).world_matrices(0);
}

}  // namespace

std::vector<Vec3> joint_positions(const PlacedSkeleton& skeleton, const scene::Scene& scene) {
  const auto world = bind_matrices(scene);
  std::vector<Vec3> positions;
  positions.reserve(skeleton.nodes.size());
  for (const Index node : skeleton.nodes) {
    positions.push_back(scene::narrow(scene::translation_of(world[node])));
  }
  return positions;
}

namespace {

void add_shapes(const PlacedSkeleton& skeleton, const std::vector<Mat4d>& world, scene::Scene& scene) {
  constexpr std::size_t kMostJoints = 65535;
  scene::Mesh mesh;
  mesh.name = "Bones";
  mesh.influences = 1;
  ShapeBuilder builder(mesh);
  scene::Skin skin;
  skin.name = "Bones";
  std::map<Index, std::uint16_t> joint_of;
  for (std::size_t bone = 0; bone < std::min(skeleton.nodes.size(), kMostJoints); ++bone) {
    joint_of.emplace(skeleton.nodes[bone], static_cast<std::uint16_t>(bone));
    skin.joints.push_back(skeleton.nodes[bone]);
    skin.inverse_bind.push_back(scene::narrow(scene::inverse(world[skeleton.nodes[bone]])));
  }
  for (const Index node : skin.joints) {
    const Index parent = scene.nodes[node].parent;
    const auto joint = joint_of.find(parent);
    if (joint != joint_of.end()) {
      builder.add(scene::translation_of(world[parent]), scene::translation_of(world[node]), joint->second);
    }
  }
  if (mesh.indices.empty()) {
    return;
  }
  scene::Material material;
  material.name = "Bones";
  material.layers.emplace_back();
  scene.materials.push_back(std::move(material));
  mesh.parts.push_back(
      {0, static_cast<Index>(mesh.indices.size()), static_cast<Index>(scene.materials.size() - 1)});
  mesh.skin = static_cast<Index>(scene.skins.size());
  mesh.node = static_cast<Index>(scene.nodes.size());
  scene::Node node;
  node.name = "Bones";
  node.kind = scene::NodeKind::mesh;
  node.parent = scene.nodes.empty() ? scene::kNone : 0;
  scene.nodes.push_back(std::move(node));
  scene.skins.push_back(std::move(skin));
  scene.meshes.push_back(std::move(mesh));
}

}  // namespace

void add_bone_shapes(const PlacedSkeleton& skeleton, scene::Scene& scene) {
  add_shapes(skeleton, bind_matrices(scene), scene);
}

void add_bone_shapes(const std::vector<PlacedSkeleton>& skeletons, scene::Scene& scene) {
  const auto world = bind_matrices(scene);
  for (const auto& skeleton : skeletons) {
    add_shapes(skeleton, world, scene);
  }
}

}  // namespace thaw::mrn
