#include "raster/surface.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thaw::raster {
namespace {

float dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec3 scaled(const Vec3& v, float factor) { return {v[0] * factor, v[1] * factor, v[2] * factor}; }

Vec3 sum(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec3 unit(const Vec3& v) {
  const float size = std::sqrt(dot(v, v));
  return size > 1e-12F ? scaled(v, 1 / size) : Vec3{0, 1, 0};
}

/// Of 0 to 1 to 0.01 parts in a thousand: plain arithmetic gives the same bits everywhere.
float arc_tangent(float t) {
  const float s = t * t;
  return t * (0.9998660F + s * (-0.3302995F + s * (0.1801410F + s * (-0.0851330F + s * 0.0208351F))));
}

float arc_tangent(float y, float x) {
  constexpr float kPi = std::numbers::pi_v<float>;
  const float across = std::fabs(x);
  const float up = std::fabs(y);
  float angle = up > across ? kPi / 2 - arc_tangent(across / up) : across > 0 ? arc_tangent(up / across) : 0;
  angle = x < 0 ? kPi - angle : angle;
  return y < 0 ? -angle : angle;
}

/// The levels that are too small to tell directions apart are left out.
float blurriest(const Pyramid& pyramid) {
  constexpr std::size_t kSmallLevels = 3;
  return static_cast<float>(std::max(pyramid.levels.size(), kSmallLevels) - kSmallLevels);
}

/// `blur` from 0, a mirror, to 1, all that shines on a surface. The longitude is 0 in the middle.
Vec3 seen(const Environment& environment, const Vec3& direction, float blur) {
  constexpr float kPerTurn = 0.5F * std::numbers::inv_pi_v<float>;
  if (environment.pyramid == nullptr) {
    return {1, 1, 1};
  }
  const float flat = std::sqrt(std::max(0.0F, 1 - direction[1] * direction[1]));
  const float u = arc_tangent(direction[0], -direction[2]) * kPerTurn + 0.5F;
  const float v = 0.5F - arc_tangent(direction[1], flat) * std::numbers::inv_pi_v<float>;
  const Wide texel =
      sample_level(*environment.pyramid, u, v, true, false, blur * blurriest(*environment.pyramid));
  Vec3 color{};
  for (std::size_t i = 0; i < 3; ++i) {
    color[i] = static_cast<float>(texel >> (16 * i) & 255U) * (1.0F / 255) * environment.gain;
  }
  return color;
}

/// Towards the light, and how much of it arrives.
struct Ray {
  Vec3 direction{};
  float share = 1;
};

Ray ray_to(const frame::Light& light, const Vec3& place) {
  if (!light.near) {
    return {light.place, 1};
  }
  const Vec3 offset = sum(light.place, scaled(place, -1));
  const float distance = std::sqrt(dot(offset, offset));
  const float range = light.end - light.start;
  const float share = range > 0 ? std::clamp((light.end - distance) / range, 0.0F, 1.0F)
                                : (distance <= light.end ? 1.0F : 0.0F);
  return {unit(offset), share};
}

/// How much of a light a rough surface of facets throws to the eye, per share of 1 that it reflects head on.
float highlight(float roughness, const Vec3& normal, const Vec3& direction, const Vec3& eye) {
  constexpr float kBrightest = 16;
  const Vec3 half = unit(sum(direction, eye));
  const float to_half = std::max(dot(normal, half), 0.0F);
  const float of_light = std::max(dot(direction, half), 0.0F);
  const float square = roughness * roughness * roughness * roughness;
  const float spread = to_half * to_half * (square - 1) + 1;
  const float visible = std::max(0.1F, of_light * of_light) * (4 * roughness + 2);
  return std::min(square / (spread * spread * visible), kBrightest);
}

}  // namespace

void bend(SurfacePoint& point, float x, float y) {
  constexpr float kHalf = 127.5F;
  const Vec3 normal = unit(point.normal);
  const Vec3 along = unit(sum(point.tangent, scaled(normal, -dot(normal, point.tangent))));
  const Vec3 across = scaled(cross(normal, along), point.side < 0 ? -1.0F : 1.0F);
  const float right = x / kHalf - 1;
  const float up = y / kHalf - 1;
  const float out = std::sqrt(std::max(0.0F, 1 - right * right - up * up));
  point.normal = sum(sum(scaled(along, right), scaled(across, up)), scaled(normal, out));
}

Vec3 flat_light(const Surface& surface) {
  constexpr float kDarkest = 0.4F;  // of full occlusion: there is no light from below otherwise
  return scaled(surface.base, kDarkest + (1 - kDarkest) * surface.occlusion);
}

Vec3 shade_surface(const Surface& surface, const SurfacePoint& point, const frame::Illumination& light,
                   const Environment& environment, bool two_sided) {
  constexpr float kSmoothest = 0.06F;  // of what is smoother a light would be seen in a single pixel
  constexpr float kDielectric = 0.04F;
  const Vec4& viewer = light.viewer;
  const Vec3 eye = unit(sum({viewer[0], viewer[1], viewer[2]}, scaled(point.place, -viewer[3])));
  Vec3 normal = unit(point.normal);
  if (two_sided && dot(normal, eye) < 0) {
    normal = scaled(normal, -1);
  }
  const float roughness = std::max(surface.roughness, kSmoothest);
  const float facing = std::clamp(dot(normal, eye), 0.0F, 1.0F);
  const float rim = (1 - facing) * (1 - facing) * (1 - facing) * (1 - facing) * (1 - facing);
  const Vec3 around = seen(environment, normal, 1);
  const Vec3 mirrored =
      seen(environment, sum(scaled(normal, 2 * dot(normal, eye)), scaled(eye, -1)), roughness);
  Vec3 diffuse{};
  Vec3 reflected{};  // of light that comes head on
  Vec3 result{};
  for (std::size_t i = 0; i < 3; ++i) {
    diffuse[i] = surface.base[i] * (1 - surface.metal);
    reflected[i] = kDielectric + (surface.base[i] - kDielectric) * surface.metal;
    const float share = reflected[i] + (std::max(1 - roughness, reflected[i]) - reflected[i]) * rim;
    result[i] = (diffuse[i] * light.ambient[i] * around[i] + mirrored[i] * light.surroundings[i] * share) *
                    surface.occlusion +
                surface.rim[i] * rim;
  }
  for (const frame::Light& source : light.lights) {
    const Ray ray = ray_to(source, point.place);
    const float lit = dot(normal, ray.direction) * ray.share;
    if (lit > 0) {
      const float spot = highlight(roughness, normal, ray.direction, eye);
      for (std::size_t i = 0; i < 3; ++i) {
        result[i] += source.color[i] * lit * (diffuse[i] + reflected[i] * spot);
      }
    }
  }
  return result;
}

}  // namespace thaw::raster
