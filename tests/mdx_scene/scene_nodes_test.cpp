// The hierarchy as it comes out of sound and of broken files.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "support/mdx_objects.hpp"
#include "support/promises.hpp"

#include <algorithm>

namespace thaw {
namespace {

using test::make_bone;

struct ConvertedOfNodes {
  explicit ConvertedOfNodes(const mdx::Document& document) {
    mdx::SceneOptions options;
    options.scale = 1;
    scene = mdx::to_scene(document, options, diagnostics);
    EXPECT_EQ(test::problems_of(scene), std::vector<std::string>{});
  }
  [[nodiscard]] const scene::Node& node(std::string_view name) const {
    const auto found = std::find_if(scene.nodes.begin(), scene.nodes.end(),
                                    [&](const scene::Node& node) { return node.name == name; });
    EXPECT_NE(found, scene.nodes.end()) << name;
    return *found;
  }
  [[nodiscard]] std::string parent(std::string_view name) const {
    return scene.nodes.at(node(name).parent).name;
  }
  [[nodiscard]] bool reported(const Code& code) const {
    const auto& items = diagnostics.items();
    return std::any_of(items.begin(), items.end(), [&](const Diagnostic& item) { return item.code == code; });
  }

  scene::Scene scene;
  Diagnostics diagnostics;
};

mdx::Model model(std::string_view name) {
  mdx::Model model;
  model.name.assign(name);
  return model;
}

TEST(SceneNodes, ParentsComeFirstWhateverTheOrderOfTheFile) {
  const ConvertedOfNodes made(test::make_document(
      model("Tree"),
      test::list_of<mdx::Bone>({make_bone("leaf", 0, 1), make_bone("twig", 1, 2), make_bone("stem", 2)}),
      test::make_pivots({{1, 2, 3}, {1, 0, 0}, {0, 0, 10}})));
  ASSERT_EQ(made.scene.nodes.size(), 4U);
  EXPECT_EQ(made.scene.nodes[0].name, "Tree");
  EXPECT_EQ(made.parent("leaf"), "twig");
  EXPECT_EQ(made.parent("twig"), "stem");
  EXPECT_EQ(made.parent("stem"), "Tree");
  // Pivots less those of the parents, with the axes turned.
  EXPECT_EQ(made.node("stem").rest.translation, (Vec3{0, 10, 0}));
  EXPECT_EQ(made.node("twig").rest.translation, (Vec3{1, -10, 0}));
  EXPECT_EQ(made.node("leaf").rest.translation, (Vec3{0, 3, -2}));
}

TEST(SceneNodes, CyclesAreCut) {
  const ConvertedOfNodes made(test::make_document(
      test::list_of<mdx::Bone>({make_bone("a", 0, 2), make_bone("b", 1, 0), make_bone("c", 2, 1),
                                make_bone("self", 3, 3), make_bone("d", 4, 1)})));
  EXPECT_TRUE(made.reported(codes::kSceneNodeParent));
  EXPECT_EQ(made.node("a").parent, 0U);
  EXPECT_EQ(made.node("self").parent, 0U);
  EXPECT_EQ(made.parent("b"), "a");
  EXPECT_EQ(made.parent("c"), "b");
  EXPECT_EQ(made.parent("d"), "b");
}

TEST(SceneNodes, BrokenIdsAreReportedAndSurvived) {
  const ConvertedOfNodes made(test::make_document(
      test::list_of<mdx::Bone>({make_bone("first", 7), make_bone("second", 7), make_bone("child", 8, 7),
                                make_bone("negative", -5, 7), make_bone("orphan", 9, 1234)})));
  EXPECT_EQ(made.scene.nodes.size(), 6U);
  EXPECT_EQ(made.parent("child"), "first");
  EXPECT_EQ(made.parent("negative"), "first");
  EXPECT_EQ(made.node("orphan").parent, 0U);
  EXPECT_TRUE(made.reported(codes::kSceneNodeId));
  EXPECT_TRUE(made.reported(codes::kSceneNodeParent));
  EXPECT_TRUE(made.reported(codes::kSceneReference));  // no pivots
}

TEST(SceneNodes, VeryDeepChainsNeedNoStack) {
  constexpr std::int32_t kDepth = 200000;
  std::vector<mdx::Bone> bones;
  for (std::int32_t i = 0; i < kDepth; ++i) {
    bones.push_back(make_bone("", i, i - 1));
  }
  const ConvertedOfNodes made(test::make_document(test::list_of(std::move(bones))));
  EXPECT_EQ(made.scene.nodes.size(), static_cast<std::size_t>(kDepth) + 1);
}

TEST(SceneNodes, FlagsHaveTheirMeaningFromOnePlace) {
  auto bone = make_bone("bone", 0);
  bone.node.flags = 0x1 | 0x2 | 0x40 | 0x80;
  const auto document = test::make_document(test::list_of<mdx::Bone>({bone}));
  const ConvertedOfNodes made(document);
  const auto& node = made.node("bone");
  EXPECT_FALSE(node.inherit_translation);
  EXPECT_FALSE(node.inherit_scale);
  EXPECT_TRUE(node.inherit_rotation);
  EXPECT_EQ(node.billboard, scene::Billboard::lock_z);
  EXPECT_TRUE(node.camera_anchored);
  mdx::SceneOptions swapped;
  swapped.swap_inheritance_flags = true;
  Diagnostics diagnostics;
  const auto other = mdx::to_scene(document, swapped, diagnostics);
  EXPECT_TRUE(other.nodes[1].inherit_scale);
  EXPECT_FALSE(other.nodes[1].inherit_rotation);
}

TEST(SceneNodes, EachFlagByItselfAndNone) {
  namespace flag = mdx::node_flag;
  const auto node_of = [](std::uint32_t flags) {
    auto bone = make_bone("bone", 0);
    bone.node.flags = flags;
    return ConvertedOfNodes(test::make_document(test::list_of<mdx::Bone>({bone}))).node("bone");
  };
  for (unsigned bit = 0; bit <= 32; ++bit) {
    const std::uint32_t flags = bit == 32 ? 0 : std::uint32_t{1} << bit;
    const auto node = node_of(flags);
    EXPECT_EQ(node.inherit_translation, flags != flag::kDontInheritTranslation);
    EXPECT_EQ(node.inherit_scale, flags != flag::kDontInheritScaling);
    EXPECT_EQ(node.inherit_rotation, flags != flag::kDontInheritRotation);
    EXPECT_EQ(node.camera_anchored, flags == flag::kCameraAnchored);
    using scene::Billboard;
    EXPECT_EQ(node.billboard, flags == flag::kBillboarded        ? Billboard::full
                              : flags == flag::kBillboardedLockX ? Billboard::lock_x
                              : flags == flag::kBillboardedLockY ? Billboard::lock_y
                              : flags == flag::kBillboardedLockZ ? Billboard::lock_z
                                                                 : Billboard::none)
        << bit;
  }
  EXPECT_EQ(node_of(flag::kBillboarded | flag::kBillboardedLockX).billboard, scene::Billboard::full);
}

TEST(SceneNodes, AnEmptyDocumentIsAScene) {
  const ConvertedOfNodes made(mdx::Document{});
  EXPECT_EQ(made.scene.nodes.size(), 1U);
  EXPECT_TRUE(made.scene.clips.empty());
}

TEST(SceneNodes, UnusableOptionsAreReplaced) {
  mdx::SceneOptions options;
  options.scale = -1;
  options.rotation_tolerance = std::numeric_limits<float>::quiet_NaN();
  Diagnostics diagnostics;
  const auto document =
      test::make_document(test::list_of<mdx::Bone>({make_bone("bone", 0)}), test::make_pivots({{100, 0, 0}}));
  const auto made = mdx::to_scene(document, options, diagnostics);
  EXPECT_FLOAT_EQ(made.nodes[1].rest.translation[0], 1);
}

}  // namespace
}  // namespace thaw
