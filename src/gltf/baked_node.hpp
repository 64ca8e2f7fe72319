// Nodes that glTF's inheritance would put elsewhere than the game does: their transforms, sampled.
#pragma once

#include "gltf/export.hpp"
#include "scene/pose.hpp"

namespace thaw::gltf {

struct BakedNode {
  Curve translation;
  Curve rotation;
  Curve scale;
};

/// What `node` needs below `parent` to be where the poser's clip puts it. Lengths are exact to `tolerance`.
/// `depth` is what one look at the node costs; when the budget is used up, only the keys' times are sampled.
BakedNode bake(Budget& budget, const scene::Poser& poser, Index node, Index parent, std::size_t depth,
               float tolerance);

/// Puts neighbouring quaternions on the same side, for readers that interpolate numbers.
void keep_side(Curve& rotation);

/// Puts a key into the middle of what is nearly a half turn: rounding decides which way that goes.
void divide_half_turns(Curve& rotation);
/// The nearest: games count those, and what is rounded now is not rounded otherwise after an editor.
float whole_millisecond(float time);

}  // namespace thaw::gltf
