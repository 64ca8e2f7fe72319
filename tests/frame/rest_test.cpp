// Frames for a graphics card that keeps the vertices: what a vertex shader makes of them is what others hold.
#include <thaw/format.hpp>
#include <thaw/mdx.hpp>
#include <thaw/raster.hpp>
#include <thaw/sources.hpp>

#include "frame/scenes.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using frame::Draw;
using frame::Frame;
using frame::RestMesh;
using Matrix = std::array<float, 12>;

scene::Scene sample(const char* name) {
  Diagnostics ignored;
  const auto document = read_any(read_file(test::samples_dir() / name, {}).value(), {}, ignored);
  return mdx::to_scene(*document.value().get_if<mdx::Document>(), {}, ignored);
}

Matrix matrix_of(const Frame& frame, const Draw& draw, const RestMesh& mesh, std::size_t vertex) {
  if (mesh.groups.empty()) {
    return frame.matrices[draw.base_matrix];
  }
  Matrix sum{};
  const std::size_t first = std::size_t{mesh.representatives[mesh.groups[vertex]]} * mesh.influences;
  for (std::size_t i = first; i < first + mesh.influences; ++i) {
    const Matrix& joint = frame.matrices.at(draw.base_matrix + mesh.joints[i]);
    for (std::size_t e = 0; e < sum.size(); ++e) {
      sum.at(e) += joint.at(e) * mesh.weights[i];
    }
  }
  return sum;
}

Vec3 turned(const Matrix& m, const Vec3& v, float one) {
  Vec3 result{};
  for (std::size_t row = 0; row < 3; ++row) {
    result[row] = m[row * 4] * v[0] + m[row * 4 + 1] * v[1] + m[row * 4 + 2] * v[2] + m[row * 4 + 3] * one;
  }
  return result;
}

float dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Red of a vertex in white, lit by what is far away.
float red_of(const frame::Illumination& light, const Vec3& normal) {
  const float size = std::sqrt(dot(normal, normal));
  float sum = light.ambient[0];
  for (const auto& source : light.lights) {
    sum += source.color[0] * std::max(0.0F, dot(normal, source.place) / std::max(size, 1e-9F));
  }
  return std::clamp(sum, 0.0F, light.most);
}

/// Both frames of a moment.
struct Both {
  Both(const frame::Evaluator& evaluator, const frame::PlayTime& moment, frame::Options options = {})
      : posed(evaluator.evaluate(moment, test::front_camera(), options)) {
    options.at_rest = true;
    resting = evaluator.evaluate(moment, test::front_camera(), options);
  }
  Frame posed;
  Frame resting;
};

std::size_t at_rest(const Frame& frame) {
  return static_cast<std::size_t>(std::count_if(frame.draws.begin(), frame.draws.end(), [](const Draw& draw) {
    return draw.rest_mesh != frame::kNone;
  }));
}

void compare(const Both& both, std::span<const RestMesh> meshes, const std::string& name) {
  ASSERT_EQ(both.posed.draws.size(), both.resting.draws.size()) << name;
  EXPECT_EQ(both.posed.triangles, both.resting.triangles);
  for (std::size_t d = 0; d < both.posed.draws.size(); ++d) {
    const Draw& posed = both.posed.draws[d];
    const Draw& resting = both.resting.draws[d];
    EXPECT_EQ(posed.color, resting.color);
    if (resting.rest_mesh == frame::kNone) {
      continue;
    }
    const RestMesh& mesh = meshes[resting.rest_mesh];
    ASSERT_EQ(mesh.positions.size(), posed.vertex_count);
    for (std::uint32_t i = 0; i < posed.index_count; ++i) {
      ASSERT_EQ(mesh.indices[resting.first_index + i], both.posed.indices[posed.first_index + i]);
    }
    ASSERT_EQ(posed.base_uv == frame::kNone, resting.base_uv == frame::kNone);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Matrix matrix = matrix_of(both.resting, resting, mesh, v);
      const Vec3 place = turned(matrix, mesh.positions[v], 1);
      const Vec3& expected = both.posed.positions[posed.base_position + v];
      for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_NEAR(place[i], expected[i], 1e-4F) << name << " draw " << d;
      }
      if (posed.base_uv != frame::kNone && !resting.sphere_map) {
        ASSERT_EQ(mesh.uv_sets[resting.uv_set][v], both.posed.uvs[posed.base_uv + v]);
      }
      if (resting.lit && mesh.colors.empty()) {
        const float red =
            red_of(both.resting.illumination, turned(matrix, mesh.normals[v], 0)) * resting.bare_color;
        ASSERT_NEAR(std::min(red, 1.0F) * 255, both.posed.colors[posed.base_color + v][0], 1.01F) << name;
      }
    }
  }
}

TEST(FrameAtRest, MatricesMoveVerticesToWhereTheyBelong) {
  std::size_t count = 0;
  for (const char* name : {"knight.mdx", "chest.mdx", "everything_v800.mdx", "everything_v1800.mdx"}) {
    const scene::Scene scene = sample(name);
    const frame::Evaluator evaluator(scene);
    const auto meshes = evaluator.rest_meshes();
    for (scene::Index clip = 0; clip < std::min<std::size_t>(scene.clips.size(), 3); ++clip) {
      const Both both(evaluator, {clip, double{scene.clips[clip].duration} * 0.4, 0.7});
      compare(both, meshes, name);
      count += at_rest(both.resting);
    }
  }
  EXPECT_GT(count, 10U);
}

TEST(FrameAtRest, WhatMatricesAndOneLightDoNotSayIsPosed) {
  scene::Scene scene = sample("knight.mdx");
  const frame::Evaluator evaluator(scene);
  EXPECT_GT(at_rest(Both(evaluator, {}).resting), 0U);
  frame::Options options;
  options.wireframe = true;
  EXPECT_EQ(at_rest(Both(evaluator, {}, options).resting), 0U);
  options = {};
  options.lighting = frame::Lighting::scene;
  EXPECT_EQ(at_rest(Both(evaluator, {}, options).resting), 0U);
  for (auto& mesh : scene.meshes) {
    mesh.morph_targets.resize(1);
  }
  EXPECT_EQ(at_rest(Both(frame::Evaluator(scene), {}).resting), 0U);
}

TEST(FrameAtRest, TheRasteriserLeavesThemOut) {
  const scene::Scene scene = test::filter_scene(scene::BlendMode::opaque);
  const frame::Evaluator evaluator(scene);
  const Both both(evaluator, {});
  raster::Textures textures(evaluator.images());
  raster::Options options;
  options.width = options.height = 16;
  const auto seen = [&](const Frame& frame) {
    const auto pixels = raster::draw(frame, textures, options).image.rgba;
    return std::any_of(pixels.begin(), pixels.end(), [](std::uint8_t value) { return value > 0; });
  };
  EXPECT_TRUE(seen(both.posed));
  EXPECT_FALSE(seen(both.resting));
}

}  // namespace
}  // namespace thaw
