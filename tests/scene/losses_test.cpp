// What is told of surfaces that a format has no place for.

#include <gtest/gtest.h>

#include "scene/losses.hpp"

namespace thaw::scene {
namespace {

using Words = std::vector<std::string>;

Scene with(const std::vector<Layer>& layers) {
  Scene scene;
  Mesh mesh;
  for (const Layer& layer : layers) {
    MeshPart part;
    part.material = static_cast<Index>(scene.materials.size());
    mesh.parts.push_back(part);
    Material material;
    material.layers = {layer};
    scene.materials.push_back(material);
  }
  scene.meshes.push_back(mesh);
  return scene;
}

TEST(SurfaceLosses, EachIsCountedByMaterials) {
  Layer sides;
  sides.two_sided = true;
  Layer glass;
  glass.blend = BlendMode::blend;
  Layer lamp = glass;
  lamp.unshaded = true;
  EXPECT_EQ(surface_losses(with({{}, {}}), {}), Words{});
  EXPECT_EQ(surface_losses(with({sides, sides, {}}), {}), Words{"back faces left out of 2 materials"});
  EXPECT_EQ(surface_losses(with({glass, lamp}), {}),
            (Words{"unlit shading left out of 1 material", "transparency left out of 2 materials"}));
  EXPECT_EQ(surface_losses(with({glass, lamp}), {.blend = true}),
            Words{"unlit shading left out of 1 material"});
}

TEST(SurfaceLosses, LayersAfterTheFirstAreLostAsAWhole) {
  Layer sides;
  sides.two_sided = true;
  Scene scene = with({{}, {}});
  scene.materials[1].layers.push_back(sides);
  EXPECT_EQ(surface_losses(scene, {}), Words{"layers after the first left out of 1 material"});
  EXPECT_EQ(surface_losses(scene, {.layers = true}), Words{"back faces left out of 1 material"});
  scene.materials[0].layers.clear();
  EXPECT_EQ(surface_losses(scene, {}), Words{"layers after the first left out of 1 material"});
}

TEST(ObjectLosses, EachKindIsCounted) {
  Scene scene;
  EXPECT_EQ(object_losses(scene), Words{});
  scene.lights.resize(2);
  scene.cameras.resize(1);
  scene.emitters.resize(3);
  scene.ribbons.resize(1);
  scene.attachments.resize(4);
  scene.events.resize(2);
  scene.collision_shapes.resize(5);
  EXPECT_EQ(object_losses(scene, {.lights = true}),
            (Words{"cameras left out: 1", "emitters and ribbons left out: 4",
                   "attachments and events left out: 6", "collision shapes left out: 5"}));
  EXPECT_EQ(object_losses(scene).front(), "lights left out: 2");
}

TEST(SurfaceLosses, OnlyWhatFacesHaveIsLost) {
  Layer sides;
  sides.two_sided = true;
  Scene scene = with({sides});
  scene.meshes[0].parts[0].material = kNone;
  EXPECT_EQ(surface_losses(scene, {}), Words{});
}

}  // namespace
}  // namespace thaw::scene
