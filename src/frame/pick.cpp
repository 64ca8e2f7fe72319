// What is seen at a place of the picture: the ray through it against the frame's triangles, which are where
// they are drawn.
#include <thaw/frame.hpp>

#include "scene/math.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace thaw::frame {
namespace {

using scene::Vec3d;

/// Of what is seen through, so much still is something.
constexpr float kLeastSeen = 0.1F;

struct SightLine {
  Vec3d from;
  Vec3d along;  ///< one unit deeper into the picture
  double nearest = 0;
};

SightLine sight_line(const Frame& frame, double x, double y) {
  const scene::Mat4d projection = scene::widen(frame.projection);
  const scene::Mat4d back = scene::inverse(scene::widen(frame.view));
  const bool parallel = projection[15] == 1;
  const double right = (x - projection[12]) / projection[0];
  const double up = (y - projection[13]) / projection[5];
  const Vec3d from = scene::transform_point(back, parallel ? Vec3d{right, up, 0} : Vec3d{});
  const Vec3d to = scene::transform_point(back, Vec3d{right, up, -1});
  const double nearest =
      parallel ? (projection[14] + 1) / projection[10] : projection[14] / (projection[10] - 1);
  return {from, scene::subtract(to, from), nearest};
}

class Picker {
 public:
  Picker(const Frame& frame, std::span<const Image* const> images, const SightLine& ray)
      : frame_(frame), images_(images), ray_(ray) {}

  std::optional<Hit> run() {
    for (std::uint32_t i = 0; i < frame_.draws.size(); ++i) {
      if (frame_.draws[i].topology == Topology::triangles && frame_.draws[i].rest_mesh == kNone) {
        look_at(i);
      }
    }
    return best_;
  }

 private:
  void look_at(std::uint32_t index) {
    const Draw& draw = frame_.draws[index];
    const std::uint32_t* corners = frame_.indices.data() + draw.first_index;
    for (std::uint32_t i = 0; i + 2 < draw.index_count; i += 3) {
      Hit hit{index, {corners[i], corners[i + 1], corners[i + 2]}};
      const double depth = meet(draw, hit);
      if (depth > ray_.nearest && (depth < depth_ || !draw.depth_test) && is_visible(draw, hit)) {
        depth_ = depth;
        best_ = hit;
      }
    }
  }

  /// How deep the triangle lies where the ray meets it, and the corners' shares there; 0 if it does not.
  double meet(const Draw& draw, Hit& hit) const {
    const auto corner = [&](std::size_t i) {
      return scene::widen(frame_.positions[draw.base_position + hit.corners.at(i)]);
    };
    const Vec3d first = corner(0);
    const Vec3d side = scene::subtract(corner(1), first);
    const Vec3d other = scene::subtract(corner(2), first);
    const Vec3d across = scene::cross(ray_.along, other);
    const double facing = scene::dot(side, across);
    if (!(facing > 0 || (draw.two_sided && facing < 0))) {
      return 0;
    }
    const Vec3d start = scene::subtract(ray_.from, first);
    const double u = scene::dot(start, across) / facing;
    if (!(u >= 0 && u <= 1)) {
      return 0;
    }
    const Vec3d turned = scene::cross(start, side);
    const double v = scene::dot(ray_.along, turned) / facing;
    if (!(v >= 0 && u + v <= 1)) {
      return 0;
    }
    hit.shares = scene::narrow(Vec3d{1 - u - v, u, v});
    return scene::dot(other, turned) / facing;
  }

  /// Through holes of a picture, and through what is added without a colour, one sees what is behind.
  [[nodiscard]] bool is_visible(const Draw& draw, const Hit& hit) const {
    const Vec4 color = color_at(draw, hit);
    const auto [least, most] = std::minmax({color[0], color[1], color[2]});
    if (color[3] < draw.alpha_cutoff) {
      return false;
    }
    switch (draw.blend) {
      case Blend::none:
        return true;
      case Blend::alpha:
        return color[3] > kLeastSeen;
      case Blend::add:
        return color[3] * most > kLeastSeen;
      case Blend::modulate:
      case Blend::modulate2x:
        return 1 - least > kLeastSeen;
    }
    return true;
  }

  [[nodiscard]] Vec4 color_at(const Draw& draw, const Hit& hit) const {
    Vec4 color = draw.color;
    if (draw.base_color != kNone) {
      for (std::size_t c = 0; c < color.size(); ++c) {
        float sum = 0;
        for (std::size_t i = 0; i < hit.corners.size(); ++i) {
          sum +=
              hit.shares.at(i) * static_cast<float>(frame_.colors[draw.base_color + hit.corners.at(i)].at(c));
        }
        color.at(c) *= sum / 255;
      }
    }
    if (draw.base_uv == kNone || draw.texture.image >= images_.size()) {
      return color;
    }
    const Vec4 texel = texel_at(*images_[draw.texture.image], draw, hit);
    std::transform(color.begin(), color.end(), texel.begin(), color.begin(), std::multiplies<>());
    return color;
  }

  [[nodiscard]] Vec4 texel_at(const Image& image, const Draw& draw, const Hit& hit) const {
    if (image.pixels() == 0) {
      return {1, 1, 1, 1};
    }
    Vec2 uv{};
    for (std::size_t i = 0; i < hit.corners.size(); ++i) {
      const Vec2& corner = frame_.uvs[draw.base_uv + hit.corners.at(i)];
      uv = {uv[0] + hit.shares.at(i) * corner[0], uv[1] + hit.shares.at(i) * corner[1]};
    }
    const auto& m = draw.uv_matrix;
    const std::size_t column = texel_of(m[0] * uv[0] + m[1] * uv[1] + m[4], image.width, draw.texture.wrap_u);
    const std::size_t row = texel_of(m[2] * uv[0] + m[3] * uv[1] + m[5], image.height, draw.texture.wrap_v);
    Vec4 texel{};
    for (std::size_t c = 0; c < texel.size(); ++c) {
      texel.at(c) = static_cast<float>(image.rgba[(row * image.width + column) * 4 + c]) / 255;
    }
    return texel;
  }

  static std::size_t texel_of(float share, std::uint32_t size, bool wraps) {
    const float inside = wraps ? share - std::floor(share) : share;
    const float at = inside * static_cast<float>(size);
    return at > 0 ? std::min<std::size_t>(static_cast<std::size_t>(std::min(at, 1e9F)), size - 1) : 0;
  }

  const Frame& frame_;
  std::span<const Image* const> images_;
  const SightLine& ray_;
  double depth_ = HUGE_VAL;
  std::optional<Hit> best_;
};

/// The node with the largest weight of a vertex.
Index mover_of(const scene::Scene& scene, const scene::Mesh& mesh, std::uint32_t vertex) {
  if (mesh.skin >= scene.skins.size() || mesh.influences == 0) {
    return mesh.node;
  }
  const std::size_t first = std::size_t{vertex} * mesh.influences;
  const float* weights = mesh.weights.data() + first;
  const auto most = static_cast<std::size_t>(std::max_element(weights, weights + mesh.influences) - weights);
  return scene.skins[mesh.skin].joints[mesh.joints[first + most]];
}

/// The part of the scene's mesh that a draw shows; kNone of a model that hangs in the scene.
Index part_of(const scene::Scene& scene, const Frame& frame, const Draw& draw) {
  if (draw.origin != Origin::mesh || draw.object >= scene.meshes.size() ||
      draw.vertex_count != scene.meshes[draw.object].positions.size()) {
    return kNone;
  }
  const scene::Mesh& mesh = scene.meshes[draw.object];
  const std::uint32_t* drawn = frame.indices.data() + draw.first_index;
  const auto found = std::find_if(mesh.parts.begin(), mesh.parts.end(), [&](const scene::MeshPart& part) {
    return part.index_count / 3 * 3 == draw.index_count &&
           std::equal(drawn, drawn + draw.index_count, mesh.indices.data() + part.first_index);
  });
  return found == mesh.parts.end() ? kNone : static_cast<Index>(found - mesh.parts.begin());
}

}  // namespace

HitPart hit_part(const scene::Scene& scene, const Frame& frame, const Hit& hit) {
  const Draw& draw = frame.draws[hit.draw];
  HitPart result;
  result.part = part_of(scene, frame, draw);
  if (result.part != kNone) {
    const auto nearest = std::max_element(hit.shares.begin(), hit.shares.end()) - hit.shares.begin();
    result.vertex = hit.corners.at(static_cast<std::size_t>(nearest));
    result.node = mover_of(scene, scene.meshes[draw.object], result.vertex);
  }
  return result;
}

std::optional<Hit> pick(const Frame& frame, std::span<const Image* const> images, float x, float y) {
  const SightLine ray = sight_line(frame, double{x}, double{y});
  return Picker(frame, images, ray).run();
}

}  // namespace thaw::frame
