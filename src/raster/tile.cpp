#include "raster/tile.hpp"

#include "raster/surface.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::raster {
namespace {

using frame::Blend;
using frame::Draw;

constexpr std::uint32_t kFull = 255;

/// a · b / 255, rounded.
constexpr std::uint32_t scaled(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t product = a * b + 128;
  return (product + (product >> 8U)) >> 8U;
}

constexpr std::uint32_t channel(Rgba color, unsigned index) { return (color >> (8 * index)) & kFull; }

constexpr Rgba packed(std::uint32_t r, std::uint32_t g, std::uint32_t b, std::uint32_t a) {
  return r | g << 8U | b << 16U | a << 24U;
}

std::uint32_t to_channel(float value) {
  return static_cast<std::uint32_t>(value > 0 ? (value < 255 ? value + 0.5F : 255.0F) : 0.0F);
}

/// What a fragment does to a sample. Destinations are premultiplied by their alpha.
Rgba blended(Blend blend, Rgba source, Rgba destination) {
  const std::uint32_t alpha = channel(source, 3);
  const std::uint32_t under = channel(destination, 3);
  std::array<std::uint32_t, 3> out{};
  switch (blend) {
    case Blend::none:
      return source | 0xFF000000U;
    case Blend::alpha:
      for (unsigned i = 0; i < 3; ++i) {
        out.at(i) = scaled(channel(source, i), alpha) + scaled(channel(destination, i), kFull - alpha);
      }
      return packed(std::min(out[0], kFull), std::min(out[1], kFull), std::min(out[2], kFull),
                    std::min(alpha + scaled(under, kFull - alpha), kFull));
    case Blend::add:
      for (unsigned i = 0; i < 3; ++i) {
        out.at(i) = std::min(scaled(channel(source, i), alpha) + channel(destination, i), kFull);
      }
      return packed(out[0], out[1], out[2], under);
    case Blend::modulate:
      for (unsigned i = 0; i < 3; ++i) {
        out.at(i) = scaled(channel(source, i), channel(destination, i));
      }
      return packed(out[0], out[1], out[2], under);
    case Blend::modulate2x:
      for (unsigned i = 0; i < 3; ++i) {
        out.at(i) = std::min(2 * scaled(channel(source, i), channel(destination, i)), kFull);
      }
      return packed(out[0], out[1], out[2], under);
  }
  return destination;
}

/// A value that is linear on the screen.
struct Gradient {
  float base = 0;  ///< at the first vertex
  float dx = 0;    ///< per pixel
  float dy = 0;
  [[nodiscard]] float at(float x, float y) const { return base + dx * x + dy * y; }
};

struct Edge {
  std::int64_t at = 0;  ///< at the upper left corner of pixel 0, 0
  std::int64_t dx = 0;  ///< per part of a pixel
  std::int64_t dy = 0;
};

class TriangleDrawer {
 public:
  TriangleDrawer(const Canvas& canvas, const Batch& batch, const ScreenTriangle& triangle, Tile& tile)
      : canvas_(canvas),
        batch_(batch),
        pattern_(canvas.pattern),
        paint_(canvas.paints[triangle.draw]),
        draw_(*paint_.draw),
        tile_(tile),
        vertices_{&batch.vertices[triangle.vertices[0]], &batch.vertices[triangle.vertices[1]],
                  &batch.vertices[triangle.vertices[2]]} {}

  void run() {
    find_box();
    if (left_ >= right_ || top_ >= bottom_) {
      return;
    }
    const std::uint64_t work =
        static_cast<std::uint64_t>(right_ - left_) * static_cast<std::uint64_t>(bottom_ - top_);
    if (work > tile_.work_left) {
      tile_.complete = false;
      tile_.work_left = 0;
      return;
    }
    tile_.work_left -= work;
    set_up();
    for (std::int32_t y = top_; y < bottom_; ++y) {
      run_row(y);
    }
  }

 private:
  // --- setup
  // --------------------------------------------------------------------------------------------

  void find_box() {
    const auto [least_x, most_x] = std::minmax({vertices_[0]->x, vertices_[1]->x, vertices_[2]->x});
    const auto [least_y, most_y] = std::minmax({vertices_[0]->y, vertices_[1]->y, vertices_[2]->y});
    left_ = std::max(least_x >> 8, tile_.left);
    right_ = std::min((most_x >> 8) + 1, tile_.right);
    top_ = std::max(least_y >> 8, tile_.top);
    bottom_ = std::min((most_y >> 8) + 1, tile_.bottom);
  }

  void set_up() {
    const auto cross = [](const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c) {
      return std::int64_t{b.x - a.x} * (c.y - a.y) - std::int64_t{b.y - a.y} * (c.x - a.x);
    };
    area_ = cross(*vertices_[0], *vertices_[1], *vertices_[2]);
    if (area_ < 0) {
      std::swap(vertices_[1], vertices_[2]);
      area_ = -area_;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      set_edge(edges_.at(i), *vertices_.at(i), *vertices_.at((i + 1) % 3));
    }
    set_gradients();
    per_sample_ = draw_.blend == Blend::none && draw_.alpha_cutoff > 0;
    cutoff_ = to_channel(draw_.alpha_cutoff * 255);
  }

  void set_edge(Edge& edge, const ScreenVertex& a, const ScreenVertex& b) {
    const std::int64_t dx = std::int64_t{b.x} - a.x;
    const std::int64_t dy = std::int64_t{b.y} - a.y;
    edge.dx = -dy;
    edge.dy = dx;
    // Samples on an upper or left edge belong to the triangle, those on others to its neighbour.
    const bool owns = dy < 0 || (dy == 0 && dx > 0);
    edge.at = dy * a.x - dx * a.y - (owns ? 0 : 1);
    const auto index = static_cast<std::size_t>(&edge - edges_.data());
    std::int64_t reach = edge.dx * pattern_.x[0] + edge.dy * pattern_.y[0];
    for (std::size_t s = 0; s < pattern_.count; ++s) {
      offsets_.at(index).at(s) = edge.dx * pattern_.x.at(s) + edge.dy * pattern_.y.at(s);
      reach = std::max(reach, offsets_.at(index).at(s));
    }
    reach_.at(index) = reach;
  }

  void set_gradients() {
    const ScreenVertex& a = *vertices_[0];
    const ScreenVertex& b = *vertices_[1];
    const ScreenVertex& c = *vertices_[2];
    const double scale = static_cast<double>(kSubpixel) / static_cast<double>(area_);
    const auto bx = static_cast<double>(b.x - a.x);
    const auto by = static_cast<double>(b.y - a.y);
    const auto cx = static_cast<double>(c.x - a.x);
    const auto cy = static_cast<double>(c.y - a.y);
    const auto gradient = [&](float at_a, float at_b, float at_c) {
      const double to_b = double{at_b} - double{at_a};
      const double to_c = double{at_c} - double{at_a};
      return Gradient{at_a, static_cast<float>((to_b * cy - to_c * by) * scale),
                      static_cast<float>((to_c * bx - to_b * cx) * scale)};
    };
    depth_ = gradient(a.z, b.z, c.z);
    inverse_w_ = gradient(a.inverse_w, b.inverse_w, c.inverse_w);
    for (std::size_t i = 0; i < kAttributes; ++i) {
      attributes_.at(i) = gradient(a.attributes.at(i), b.attributes.at(i), c.attributes.at(i));
    }
    for (std::size_t i = 0; draw_.base_normal != frame::kNone && i < kSurface; ++i) {
      const auto at = [&](const ScreenVertex& vertex) { return batch_.surfaces[vertex.surface].at(i); };
      surface_.at(i) = gradient(at(a), at(b), at(c));
    }
    least_w_ = std::min({a.inverse_w, b.inverse_w, c.inverse_w});
    nearest_ = std::min({a.z, b.z, c.z});
    farthest_ = std::max({a.z, b.z, c.z});
  }

  // --- pixels
  // -------------------------------------------------------------------------------------------

  void run_row(std::int32_t y) {
    std::array<std::int64_t, 3> at{};
    std::array<std::int64_t, 3> step{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Edge& edge = edges_.at(i);
      at.at(i) = edge.at + (edge.dx * left_ + edge.dy * y) * kSubpixel;
      step.at(i) = edge.dx * kSubpixel;
    }
    for (std::int32_t x = left_; x < right_; ++x) {
      if (((at[0] + reach_[0]) | (at[1] + reach_[1]) | (at[2] + reach_[2])) >= 0) {
        std::uint32_t mask = 0;
        for (std::size_t s = 0; s < pattern_.count; ++s) {
          const bool inside =
              ((at[0] + offsets_[0][s]) | (at[1] + offsets_[1][s]) | (at[2] + offsets_[2][s])) >= 0;
          mask |= static_cast<std::uint32_t>(inside) << s;
        }
        if (mask != 0) {
          run_pixel(x, y, mask);
        }
      }
      for (std::size_t i = 0; i < 3; ++i) {
        at.at(i) += step.at(i);
      }
    }
  }

  /// From the first vertex, in pixels.
  [[nodiscard]] float across(std::int32_t x, std::int32_t part) const {
    return static_cast<float>(x * kSubpixel + part - vertices_[0]->x) * (1.0F / kSubpixel);
  }
  [[nodiscard]] float down(std::int32_t y, std::int32_t part) const {
    return static_cast<float>(y * kSubpixel + part - vertices_[0]->y) * (1.0F / kSubpixel);
  }

  void run_pixel(std::int32_t x, std::int32_t y, std::uint32_t covered) {
    const auto pixel = static_cast<std::size_t>((y - tile_.top) * kTile + (x - tile_.left)) * pattern_.count;
    float* depths = &tile_.depths[pixel];
    std::array<float, 16> z{};
    std::uint32_t mask = 0;
    std::int32_t sum_x = 0;
    std::int32_t sum_y = 0;
    std::int32_t count = 0;
    for (std::uint32_t s = 0; s < pattern_.count; ++s) {
      if ((covered >> s & 1U) == 0) {
        continue;
      }
      const float at = depth_.at(across(x, pattern_.x.at(s)), down(y, pattern_.y.at(s)));
      z.at(s) = std::clamp(at, nearest_, farthest_);
      mask |= (!draw_.depth_test || z.at(s) <= depths[s] ? 1U : 0U) << s;
      sum_x += pattern_.x.at(s);
      sum_y += pattern_.y.at(s);
      ++count;
    }
    if (mask == 0) {
      return;
    }
    Rgba color = 0;
    if (!per_sample_) {
      color = shade(across(x, sum_x / count), down(y, sum_y / count));
      if (channel(color, 3) < cutoff_) {
        return;
      }
    }
    Rgba* colors = &tile_.colors[pixel];
    for (std::uint32_t s = 0; s < pattern_.count; ++s) {
      if ((mask >> s & 1U) == 0) {
        continue;
      }
      if (per_sample_) {
        color = shade(across(x, pattern_.x.at(s)), down(y, pattern_.y.at(s)));
        if (channel(color, 3) < cutoff_) {
          continue;
        }
      }
      colors[s] = blended(draw_.blend, color, colors[s]);
      if (draw_.depth_write) {
        depths[s] = z.at(s);
      }
    }
  }

  // --- colours
  // ------------------------------------------------------------------------------------------

  struct TexelPosition {
    float u = 0;
    float v = 0;
    float u_dx = 0;  ///< per pixel
    float u_dy = 0;
    float v_dx = 0;
    float v_dy = 0;
  };

  [[nodiscard]] static Wide texel(const Pyramid* pyramid, const frame::Sampler& sampler,
                                  const TexelPosition& place) {
    if (pyramid == nullptr) {
      return 0x00FF00FF00FF00FFU;
    }
    const auto width = static_cast<float>(pyramid->levels.front().width);
    const auto height = static_cast<float>(pyramid->levels.front().height);
    const auto square = [&](float u, float v) { return u * width * u * width + v * height * v * height; };
    const float area = std::max(square(place.u_dx, place.v_dx), square(place.u_dy, place.v_dy));
    return sample(*pyramid, place.u, place.v, sampler.wrap_u, sampler.wrap_v, area);
  }

  [[nodiscard]] Rgba shade(float x, float y) const {
    const float w = 1 / std::max(inverse_w_.at(x, y), least_w_);
    std::array<float, 4> color{};
    for (std::size_t i = 0; i < color.size(); ++i) {
      color.at(i) = attributes_.at(kRed + i).at(x, y) * w;
    }
    TexelPosition place;
    if (paint_.texture != nullptr || draw_.physically_based) {
      const Gradient& u = attributes_[kU];
      const Gradient& v = attributes_[kV];
      place.u = u.at(x, y) * w;
      place.v = v.at(x, y) * w;
      place.u_dx = (u.dx - place.u * inverse_w_.dx) * w;
      place.u_dy = (u.dy - place.u * inverse_w_.dy) * w;
      place.v_dx = (v.dx - place.v * inverse_w_.dx) * w;
      place.v_dy = (v.dy - place.v * inverse_w_.dy) * w;
    }
    const Wide texture = texel(paint_.texture, draw_.texture, place);
    std::array<float, 4> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
      out.at(i) = static_cast<float>(texture >> (16 * i) & kFull) * color.at(i);
    }
    if (draw_.physically_based) {
      shade_physical(place, surface_point(x, y, w), out);
    }
    if (paint_.fogged) {
      fog(x, y, w, out);
    }
    return packed(to_channel(out[0]), to_channel(out[1]), to_channel(out[2]), to_channel(out[3]));
  }

  [[nodiscard]] SurfacePoint surface_point(float x, float y, float w) const {
    SurfacePoint point;
    if (draw_.base_normal == frame::kNone) {
      return point;
    }
    const auto at = [&](std::size_t i) { return surface_.at(i).at(x, y) * w; };
    for (std::size_t i = 0; i < 3; ++i) {
      point.place[i] = at(kPlaceOf + i);
      point.normal[i] = at(kNormalOf + i);
      point.tangent[i] = at(kTangentOf + i);
    }
    point.side = at(kSideOf);
    return point;
  }

  /// base = mix(diffuse, diffuse · team colour, orm.a) (warcraft3-rendering.md#physically-based-layers); the
  /// rest is shade_surface's.
  void shade_physical(const TexelPosition& place, const SurfacePoint& point,
                      std::array<float, 4>& out) const {
    constexpr float kByte = 1.0F / 255;
    const Wide emission = paint_.emissive == nullptr ? 0 : texel(paint_.emissive, draw_.emissive, place);
    const Wide orm = paint_.orm == nullptr ? kPlainOrm : texel(paint_.orm, draw_.orm, place);
    const Wide team = texel(paint_.team_color, draw_.team_color, place);
    const float share = static_cast<float>(orm >> 48U & kFull) * kByte;
    Surface surface;
    surface.occlusion = static_cast<float>(orm & kFull) * kByte;
    surface.roughness = static_cast<float>(orm >> 16U & kFull) * kByte;
    surface.metal = static_cast<float>(orm >> 32U & kFull) * kByte;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto tint = static_cast<float>(team >> (16 * i) & kFull) * kByte;
      surface.base[i] = out.at(i) * kByte * (1 - share + share * tint);
      surface.rim[i] = draw_.rim_opacity * (draw_.rim[i] + (tint - draw_.rim[i]) * draw_.rim_team);
    }
    const Vec3 light =
        draw_.base_normal == frame::kNone ? flat_light(surface) : light_of(surface, point, place);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto glow = static_cast<float>(emission >> (16 * i) & kFull);
      out.at(i) = light[i] * 255 + glow * draw_.emissive_gain;
    }
  }

  [[nodiscard]] Vec3 light_of(const Surface& surface, SurfacePoint point, const TexelPosition& place) const {
    if (paint_.normal != nullptr && draw_.base_tangent != frame::kNone) {
      const Wide texels = texel(paint_.normal, draw_.normal, place);
      bend(point, static_cast<float>(texels >> (draw_.normal_in_alpha ? 48U : 0U) & kFull),
           static_cast<float>(texels >> 16U & kFull));
    }
    return shade_surface(surface, point, canvas_.frame->illumination,
                         {paint_.environment, draw_.environment_gain}, draw_.two_sided);
  }

  /// What a blend adds or multiplies fades to what changes nothing.
  void fog(float x, float y, float w, std::array<float, 4>& out) const {
    const frame::Fog& fog = canvas_.frame->fog;
    const auto& projection = canvas_.frame->projection;
    const float z = depth_.at(x, y) * 2 - 1;
    const float depth = canvas_.perspective ? w : (z - projection[14]) / projection[10] * -1;
    const float range = fog.end - fog.start;
    const float clear =
        range > 0 ? std::clamp((fog.end - depth) / range, 0.0F, 1.0F) : (depth < fog.end ? 1.0F : 0.0F);
    Vec3 end = {fog.color[0] * 255, fog.color[1] * 255, fog.color[2] * 255};
    if (draw_.blend == Blend::add) {
      end = {0, 0, 0};
    } else if (draw_.blend == Blend::modulate) {
      end = {255, 255, 255};
    } else if (draw_.blend == Blend::modulate2x) {
      end = {127.5F, 127.5F, 127.5F};
    }
    for (std::size_t i = 0; i < 3; ++i) {
      out.at(i) = end[i] + (out.at(i) - end[i]) * clear;
    }
  }

  const Canvas& canvas_;
  const Batch& batch_;
  const Pattern& pattern_;
  const Paint& paint_;
  const Draw& draw_;
  Tile& tile_;
  std::array<const ScreenVertex*, 3> vertices_;
  std::int32_t left_ = 0;
  std::int32_t right_ = 0;
  std::int32_t top_ = 0;
  std::int32_t bottom_ = 0;
  std::int64_t area_ = 0;
  std::array<Edge, 3> edges_{};
  std::array<std::array<std::int64_t, 16>, 3> offsets_{};
  std::array<std::int64_t, 3> reach_{};
  Gradient depth_;
  Gradient inverse_w_;
  std::array<Gradient, kAttributes> attributes_{};
  std::array<Gradient, kSurface> surface_{};
  float least_w_ = 0;
  float nearest_ = 0;
  float farthest_ = 1;
  bool per_sample_ = false;
  std::uint32_t cutoff_ = 0;
};

}  // namespace

Pattern pattern_of(unsigned samples) {
  // The standard patterns of Direct3D, in sixteenths of a pixel.
  using Points = std::array<std::int8_t, 32>;
  constexpr Points kOne = {8, 8};
  constexpr Points kFour = {6, 2, 14, 6, 2, 10, 10, 14};
  constexpr Points kEight = {9, 5, 7, 11, 13, 9, 5, 3, 3, 13, 1, 7, 11, 15, 15, 1};
  constexpr Points kSixteen = {9, 9,  7, 5, 5, 10, 12, 7,  3, 6, 10, 13, 13, 11, 11, 3,
                               6, 14, 8, 1, 4, 2,  2,  12, 0, 8, 15, 4,  14, 15, 1,  0};
  Pattern pattern;
  pattern.count = samples >= 16 ? 16 : samples >= 8 ? 8 : samples >= 4 ? 4 : 1;
  const Points& points = pattern.count == 16  ? kSixteen
                         : pattern.count == 8 ? kEight
                         : pattern.count == 4 ? kFour
                                              : kOne;
  for (std::size_t i = 0; i < pattern.count; ++i) {
    pattern.x.at(i) = points.at(2 * i) * (kSubpixel / 16);
    pattern.y.at(i) = points.at(2 * i + 1) * (kSubpixel / 16);
  }
  return pattern;
}

void draw_tile(const Canvas& canvas, const Batch& batch, const std::vector<std::uint32_t>& triangles,
               Tile& tile) {
  for (const std::uint32_t index : triangles) {
    TriangleDrawer(canvas, batch, batch.triangles[index], tile).run();
  }
}

}  // namespace thaw::raster
