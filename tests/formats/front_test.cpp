// The front of a scene becomes that of the game, whatever game it is.
#include <gtest/gtest.h>

#include <thaw/convert.hpp>

#include "formats/descriptor.hpp"
#include "formats/list.hpp"
#include "scene/axes.hpp"

namespace thaw {
namespace {

/// An arrow that points to the front.
scene::Scene arrow(scene::Axes front) {
  scene::Scene scene;
  scene.name = "arrow";
  scene.axes = front;
  scene.nodes.resize(2);
  scene.nodes[0].name = "root";
  scene.nodes[0].kind = scene::NodeKind::root;
  scene.nodes[1].name = "arrow";
  scene.nodes[1].parent = 0;
  scene.nodes[1].kind = scene::NodeKind::mesh;
  scene::Mesh mesh;
  mesh.name = "arrow";
  mesh.node = 1;
  const auto turn = scene::front_turned(scene::Axes::x_right, front);
  const auto turned = [&](const Vec3& v) {
    return scene::narrow(scene::transform_point(turn, scene::widen(v)));
  };
  // No zeros, whose signs would differ.
  for (const Vec3& point :
       {Vec3{4, 0.5F, 0.25F}, Vec3{-0.5F, 0.25F, 1}, Vec3{-0.25F, 0.5F, -1}, Vec3{0.125F, 2, 0.5F}}) {
    mesh.positions.push_back(turned(point));
    mesh.normals.push_back(turned({2.0F / 3, 2.0F / 3, 1.0F / 3}));
  }
  mesh.uv_sets = {{{0.5F, 0}, {1, 1}, {0, 1}, {0.5F, 0.5F}}};
  mesh.indices = {0, 3, 1, 0, 2, 3, 0, 1, 2, 1, 3, 2};
  mesh.parts = {{0, 12, 0}};
  scene.meshes.push_back(mesh);
  scene.materials.resize(1);
  scene.materials[0].name = "wood";
  scene.materials[0].layers.resize(1);
  return scene;
}

Bytes written(const FormatDescriptor& format, scene::Axes front) {
  Diagnostics findings;
  const scene::Scene scene = arrow(front);
  const ConvertOptions options;
  auto made = format.from_scene->write({scene, options, findings, "arrow"});
  EXPECT_TRUE(made) << format.id;
  return made ? std::move(made->files.front().bytes) : Bytes();
}

/// Buildings have no front, and networks no triangles.
TEST(Front, BecomesThatOfTheGame) {
  std::size_t tried = 0;
  for (const FormatDescriptor* format : formats_of_scenes()) {
    if (std::string_view(format->id) == "wmo" || format->from_scene->network) {
      continue;
    }
    ++tried;
    EXPECT_EQ(written(*format, scene::Axes::x_front), written(*format, scene::Axes::x_right)) << format->id;
  }
  EXPECT_GE(tried, 5U);
}

}  // namespace
}  // namespace thaw
