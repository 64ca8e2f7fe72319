// Conversion of a morph model into a part of any scene.
#pragma once

#include <thaw/mrf.hpp>

#include <vector>

namespace thaw::mrf {

struct Morph {
  scene::Mesh mesh;      ///< without node; its only part has material 0
  scene::Curve weights;  ///< from the first to the last frame in real time; empty if nothing moves
};

/// The document must have a frame.
Morph make_morph(const Document& document, const SceneOptions& options, Diagnostics& diagnostics);

/// A span of a clip in which a morph model is seen; seconds.
struct Span {
  float begin = 0;
  float end = 0;
};

/// The weights, begun at each span's start at the time `elapsed` of the morph model.
scene::Curve weights_played(const scene::Curve& weights, const std::vector<Span>& spans, float elapsed);

/// Adds texture and material; returns the material's index.
scene::Index add_material(const Document& document, scene::Scene& scene);

}  // namespace thaw::mrf
