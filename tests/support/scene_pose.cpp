#include "support/scene_pose.hpp"

#include "scene/pose.hpp"

#include <cmath>

namespace thaw::test {
namespace {

using scene::Index;
using Point = std::array<double, 3>;

void freeze(const scene::Clip& clip, double time, scene::Clip& into) {
  for (const auto& channel : clip.channels) {
    scene::Channel still = channel;
    still.curve = {};
    still.curve.components = channel.curve.components;
    still.curve.times = {0};
    still.curve.values.resize(channel.curve.components);
    const auto at = static_cast<float>(time);
    if (channel.property == scene::Property::rotation) {
      const Vec4 value = scene::evaluate_rotation(channel.curve, at);
      still.curve.values.assign(value.begin(), value.end());
    } else {
      scene::evaluate(channel.curve, at, still.curve.values);
    }
    into.channels.push_back(std::move(still));
  }
}

Point transformed(const scene::Mat4d& m, const Point& p) {
  Point result{};
  for (std::size_t row = 0; row < 3; ++row) {
    result[row] = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
  }
  return result;
}

scene::Mat4d widened(const scene::Mat4& m) {
  scene::Mat4d result{};
  for (std::size_t i = 0; i < m.size(); ++i) {
    result[i] = double{m[i]};
  }
  return result;
}

std::vector<Point> skinned(const scene::Scene& scene, const scene::Mesh& mesh,
                           const std::vector<scene::Mat4d>& world) {
  std::vector<scene::Mat4d> joints;
  if (mesh.skin != scene::kNone) {
    const auto& skin = scene.skins[mesh.skin];
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      joints.push_back(scene::multiply(world[skin.joints[i]], widened(skin.inverse_bind[i])));
    }
  }
  std::vector<Point> points;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Point at = {double{mesh.positions[v][0]}, double{mesh.positions[v][1]},
                      double{mesh.positions[v][2]}};
    if (joints.empty()) {
      points.push_back(transformed(world[mesh.node], at));
      continue;
    }
    Point sum{};
    for (std::size_t i = v * mesh.influences; i < (v + 1) * mesh.influences; ++i) {
      const Point moved = transformed(joints[mesh.joints[i]], at);
      for (std::size_t c = 0; c < 3; ++c) {
        sum[c] += moved[c] * double{mesh.weights[i]};
      }
    }
    points.push_back(sum);
  }
  return points;
}

}  // namespace

scene::Clip frozen(const scene::Scene& scene, const SceneMoment& moment) {
  scene::Clip result;
  if (moment.clip != scene::kNone) {
    freeze(scene.clips[moment.clip], moment.time, result);
  }
  for (const auto& clip : scene.clips) {
    if (clip.global) {
      const auto length = static_cast<double>(clip.duration);
      freeze(clip, length > 0 ? std::fmod(moment.clock, length) : 0, result);
    }
  }
  return result;
}

std::vector<std::vector<Point>> scene_positions(const scene::Scene& scene, const SceneMoment& moment) {
  const auto clip = frozen(scene, moment);
  const auto world = scene::Poser(scene, &clip).world_matrices(0);
  std::vector<std::vector<Point>> all;
  for (const auto& mesh : scene.meshes) {
    all.push_back(skinned(scene, mesh, world));
  }
  return all;
}

std::vector<double> scene_alphas(const scene::Scene& scene, const SceneMoment& moment) {
  std::vector<double> alphas;
  for (const auto& mesh : scene.meshes) {
    alphas.push_back(double{mesh.alpha});
  }
  for (const auto& channel : frozen(scene, moment).channels) {
    if (channel.property == scene::Property::mesh_alpha) {
      alphas[channel.target.index] = double{channel.curve.values[0]};
    }
  }
  return alphas;
}

}  // namespace thaw::test
