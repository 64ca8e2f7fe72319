// Pictures made of pictures: what a game draws in several passes or with blend functions that glTF does not
// have, as one picture that looks alike. All on stored (sRGB) values, as the game's hardware did it.
#pragma once

#include <thaw/image.hpp>
#include <thaw/scene.hpp>

namespace thaw::gltf {

/// True if the pixels are there.
bool is_complete(const thaw::Image& image);
/// True if all pixels are the same.
bool is_uniform(const thaw::Image& image);

/// Bilinear, edges clamped.
thaw::Image resized(const thaw::Image& image, std::uint32_t width, std::uint32_t height);

/// Draws `top` over `base` with its blend mode; `base` keeps its alpha channel unless `translucent`, which is
/// for bases that are blended themselves. Sizes must be equal.
void draw_over(thaw::Image& base, const thaw::Image& top, scene::BlendMode mode, float alpha,
               bool translucent);

/// Adds rgb · alpha of `top` to the colours of `base`. Sizes must be equal.
void accumulate(thaw::Image& base, const thaw::Image& top, float alpha);

/// Light on black, to be added, becomes a picture to be blended: alpha is the strongest channel, and the
/// colours are divided by it.
void light_to_blend(thaw::Image& image);

/// A picture to be multiplied with what lies behind (twice, if `doubled`) becomes one to be blended: black
/// that lets through as much as the picture is bright; where it brightens, white.
void filter_to_blend(thaw::Image& image, bool doubled);

/// X and Y from R and G, or from A and G where R is constant (as BC3 stores them); Z rebuilt
/// (dds.md#normal-maps).
void rebuild_normals(thaw::Image& image);

/// mix(diffuse, diffuse · team, mask alpha); `team` and `mask` as large as `diffuse`
/// (warcraft3-rendering.md#physically-based-layers).
void apply_team_color(thaw::Image& diffuse, const thaw::Image& team, const thaw::Image& mask);

/// White, as opaque as what lies below the picture shines through it.
void show_below(thaw::Image& image, float alpha);

/// The picture as opaque as `mask`, which is as large; with BlendMode::mask nowhere but where it is drawn.
void take_alpha(thaw::Image& image, const thaw::Image& mask, scene::BlendMode mode);

}  // namespace thaw::gltf
