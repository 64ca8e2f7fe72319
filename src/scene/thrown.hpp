// What model emitters throw (warcraft3-rendering.md#thrown-models).
#pragma once

#include <thaw/scene.hpp>

namespace thaw::scene {

/// True for a model emitter that throws its texture instead of a model (EmitterUsesTGA).
inline bool throws_picture(const Emitter& emitter) {
  return emitter.kind == Emitter::Kind::models && emitter.path.empty() && emitter.texture != kNone;
}

}  // namespace thaw::scene
