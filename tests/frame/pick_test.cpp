// What is seen at a place of the picture.
#include <thaw/frame.hpp>

#include <gtest/gtest.h>

namespace thaw::frame {
namespace {

/// An eye at the origin that looks along −Z, so that at a depth of 1 the picture reaches from −1 to 1, with
/// the near plane at 0.5.
Frame picture() {
  Frame frame;
  frame.view = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  constexpr float kNear = 0.5F;
  constexpr float kFar = 100;
  frame.projection = {1,
                      0,
                      0,
                      0,
                      0,
                      1,
                      0,
                      0,
                      0,
                      0,
                      (kFar + kNear) / (kNear - kFar),
                      -1,
                      0,
                      0,
                      2 * kFar * kNear / (kNear - kFar),
                      0};
  return frame;
}

/// A triangle that faces the eye: its right angle at (−size, −size), the others to the right and above, at a
/// depth.
Draw& add_triangle(Frame& frame, float depth, float size = 1) {
  Draw& draw = frame.draws.emplace_back();
  draw.base_position = static_cast<std::uint32_t>(frame.positions.size());
  draw.first_index = static_cast<std::uint32_t>(frame.indices.size());
  draw.index_count = draw.vertex_count = 3;
  for (const Vec3& place :
       {Vec3{-size, -size, -depth}, Vec3{size, -size, -depth}, Vec3{-size, size, -depth}}) {
    frame.positions.push_back(place);
  }
  for (const std::uint32_t corner : {0U, 1U, 2U}) {
    frame.indices.push_back(corner);
  }
  return draw;
}

/// The draw that is hit; −1 for none.
int hit(const Frame& frame, float x, float y, std::span<const Image* const> images = {}) {
  const auto found = pick(frame, images, x, y);
  return found ? static_cast<int>(found->draw) : -1;
}

TEST(Pick, MeetsATriangleWithinItsSides) {
  Frame frame = picture();
  add_triangle(frame, 2);
  // At a depth of 2 its sides lie at half.
  EXPECT_EQ(hit(frame, -0.5F, -0.5F), 0) << "a corner";
  EXPECT_EQ(hit(frame, 0.49F, -0.48F), -1);
  EXPECT_EQ(hit(frame, 0.48F, -0.49F), 0) << "to the right, at the bottom";
  EXPECT_EQ(hit(frame, -0.49F, 0.48F), 0) << "to the left, at the top";
  EXPECT_EQ(hit(frame, 0.1F, 0.1F), -1) << "above the slope";
  EXPECT_EQ(hit(frame, -0.51F, 0), -1);
  EXPECT_EQ(hit(frame, 0, -0.51F), -1);
  const auto found = pick(frame, {}, -0.25F, -0.5F);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->corners, (std::array<std::uint32_t, 3>{0, 1, 2}));
  EXPECT_NEAR(found->shares[0], 0.75F, 1e-6);
  EXPECT_NEAR(found->shares[1], 0.25F, 1e-6);
  EXPECT_NEAR(found->shares[2], 0, 1e-6);
}

TEST(Pick, TheEyeMayStandAnywhere) {
  Frame frame = picture();
  add_triangle(frame, 2);
  // One to the left of the origin and three behind it.
  frame.view = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, -3, 1};
  EXPECT_EQ(hit(frame, 0.01F, -0.15F), 0) << "its left side";
  EXPECT_EQ(hit(frame, -0.01F, -0.15F), -1);
  // Wider in the picture than it is high, with the middle off to the right and below.
  frame = picture();
  add_triangle(frame, 2);
  frame.projection[0] = 2;
  frame.projection[12] = 0.25F;
  frame.projection[5] = 0.5F;
  frame.projection[13] = -0.125F;
  const auto found = pick(frame, {}, 0.25F, -0.125F);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->shares[1], 0.5F, 1e-6);
  EXPECT_NEAR(found->shares[2], 0.5F, 1e-6);
  const auto below = pick(frame, {}, 0.25F, -0.25F);
  ASSERT_TRUE(below);
  EXPECT_NEAR(below->shares[2], 0.25F, 1e-6) << "a quarter lower";
}

TEST(Pick, ParallelRaysBeginAtThePicture) {
  Frame frame = picture();
  // From a depth of 1 to one of 3.
  frame.projection = {0.5F, 0, 0, 0, 0, 0.5F, 0, 0, 0, 0, -1, 0, 0, 0, -2, 1};
  add_triangle(frame, 2);
  EXPECT_EQ(hit(frame, -0.49F, -0.49F), 0);
  EXPECT_EQ(hit(frame, -0.51F, -0.49F), -1);
  frame.positions.clear();
  frame.draws.clear();
  add_triangle(frame, 0.9F);
  EXPECT_EQ(hit(frame, -0.4F, -0.4F), -1) << "before the near plane";
}

TEST(Pick, TakesTheNearest) {
  Frame frame = picture();
  add_triangle(frame, 4, 2);
  add_triangle(frame, 2);
  add_triangle(frame, 3, 2);
  add_triangle(frame, 0.4F);
  EXPECT_EQ(hit(frame, -0.3F, -0.3F), 1) << "what lies before the near plane is not seen";
  frame.draws[2].depth_test = false;
  EXPECT_EQ(hit(frame, -0.3F, -0.3F), 2) << "drawn over what was there";
  frame.draws[2].topology = Topology::lines;
  frame.draws[1].rest_mesh = 0;
  EXPECT_EQ(hit(frame, -0.3F, -0.3F), 0);
}

TEST(Pick, BackFacesAreSeenOfTwoSidedDraws) {
  Frame frame = picture();
  Draw& draw = add_triangle(frame, 2);
  std::swap(frame.indices[1], frame.indices[2]);
  EXPECT_EQ(hit(frame, -0.3F, -0.3F), -1);
  draw.two_sided = true;
  EXPECT_EQ(hit(frame, -0.3F, -0.3F), 0);
}

TEST(Pick, LooksThroughWhatIsClear) {
  Frame frame = picture();
  add_triangle(frame, 3, 2);
  Draw& front = add_triangle(frame, 2);
  const auto seen = [&](Blend blend, const Vec4& color) {
    front.blend = blend;
    front.color = color;
    return hit(frame, -0.3F, -0.3F) == 1;
  };
  EXPECT_TRUE(seen(Blend::none, {0, 0, 0, 0}));
  EXPECT_FALSE(seen(Blend::alpha, {1, 1, 1, 0.05F}));
  EXPECT_TRUE(seen(Blend::alpha, {0, 0, 0, 0.2F}));
  EXPECT_FALSE(seen(Blend::add, {0.2F, 0.2F, 0.2F, 0.2F}));
  EXPECT_TRUE(seen(Blend::add, {0, 0.5F, 0, 0.5F}));
  EXPECT_FALSE(seen(Blend::modulate, {0.95F, 1, 1, 1}));
  EXPECT_TRUE(seen(Blend::modulate2x, {0.5F, 1, 1, 1}));
  front.alpha_cutoff = 0.5F;
  EXPECT_FALSE(seen(Blend::none, {1, 1, 1, 0.4F}));
  EXPECT_TRUE(seen(Blend::none, {1, 1, 1, 0.6F}));
}

TEST(Pick, ColoursOfVerticesCount) {
  Frame frame = picture();
  Draw& draw = add_triangle(frame, 2);
  draw.blend = Blend::alpha;
  draw.base_color = 1;
  frame.colors.push_back({255, 255, 255, 255});
  for (const std::uint8_t alpha : {std::uint8_t{0}, std::uint8_t{255}, std::uint8_t{0}}) {
    frame.colors.push_back({255, 255, 255, alpha});
  }
  EXPECT_EQ(hit(frame, 0.4F, -0.45F), 0) << "at its right";
  EXPECT_EQ(hit(frame, -0.45F, -0.45F), -1) << "at its left";
}

TEST(Pick, AnyColourIsAdded) {
  for (std::size_t part = 0; part < 3; ++part) {
    Frame frame = picture();
    Draw& draw = add_triangle(frame, 2);
    draw.blend = Blend::add;
    draw.color = {0, 0, 0, 1};
    EXPECT_EQ(hit(frame, 0, 0), -1);
    frame.draws.back().color.at(part) = 1;
    EXPECT_EQ(hit(frame, 0, 0), 0) << part;
  }
}

TEST(Pick, PicturesHaveHoles) {
  Frame frame = picture();
  Draw& draw = add_triangle(frame, 2);
  draw.alpha_cutoff = 0.5F;
  draw.base_uv = 1;
  draw.texture.image = 0;
  frame.uvs.push_back({9, 9});
  for (const Vec2& uv : {Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}}) {
    frame.uvs.push_back(uv);
  }
  Image image{4, 2, Bytes(32, std::uint8_t{255})};
  const auto make_hole = [&](std::size_t column, std::size_t row) {
    image.rgba[(row * 4 + column) * 4 + 3] = 0;
  };
  make_hole(1, 0);
  const std::array images = {static_cast<const Image*>(&image)};
  // A texel is a quarter of the triangle wide and half of it high.
  const auto at = [&](float u, float v) { return hit(frame, u - 0.5F, v - 0.5F, images); };
  EXPECT_EQ(at(0.3F, 0.3F), -1);
  EXPECT_EQ(at(0.2F, 0.3F), 0);
  EXPECT_EQ(at(0.55F, 0.3F), 0);
  EXPECT_EQ(at(0.3F, 0.55F), 0) << "of the other row";
  draw.uv_matrix = {0, 1, 0.5F, 0, 0.25F, 0};  // turned, and moved by a texel
  EXPECT_EQ(at(0.4F, 0.1F), -1);
  EXPECT_EQ(at(0.4F, 0.3F), 0);
  draw.uv_matrix = {1, 0, 0, 1, 1, -1};
  EXPECT_EQ(at(0.3F, 0.3F), 0) << "its last column and first row go on";
  draw.texture.wrap_u = draw.texture.wrap_v = true;
  EXPECT_EQ(at(0.3F, 0.3F), -1) << "it repeats";
  image = {};
  EXPECT_EQ(at(0.3F, 0.3F), 0) << "without pixels nothing is clear";
}

TEST(Pick, NamesThePartTheVertexAndTheNode) {
  scene::Scene scene;
  scene.nodes.resize(3);
  scene::Mesh& mesh = scene.meshes.emplace_back();
  mesh.node = 2;
  mesh.positions.resize(3, Vec3{});
  mesh.indices = {2, 1, 0, 0, 1, 2};
  mesh.parts = {{0, 3, 0}, {3, 3, 0}};
  Frame frame = picture();
  add_triangle(frame, 2);
  const auto found = pick(frame, {}, 0.3F, -0.4F);
  ASSERT_TRUE(found);
  HitPart part = hit_part(scene, frame, *found);
  EXPECT_EQ(part.part, 1U);
  EXPECT_EQ(part.vertex, 1U);
  EXPECT_EQ(part.node, 2U);
  scene.skins.push_back({"", {0, 1}, {}});
  mesh.skin = 0;
  mesh.influences = 2;
  mesh.joints = {0, 1, 0, 1, 0, 1};
  mesh.weights = {1, 0, 0.25F, 0.75F, 1, 0};
  part = hit_part(scene, frame, *found);
  EXPECT_EQ(part.node, 1U) << "the joint that moves it most";
  frame.draws[0].object = 1;
  EXPECT_EQ(hit_part(scene, frame, *found).part, kNone) << "no such mesh";
  frame.draws[0].object = 0;
  frame.draws[0].origin = Origin::emitter;
  EXPECT_EQ(hit_part(scene, frame, *found).part, kNone);
  frame.draws[0].origin = Origin::mesh;
  mesh.positions.resize(4, Vec3{});
  EXPECT_EQ(hit_part(scene, frame, *found).part, kNone) << "of a model within the scene";
}

}  // namespace
}  // namespace thaw::frame
