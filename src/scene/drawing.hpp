// What games leave out of a picture (warcraft3-rendering.md#layers).
#pragma once

namespace thaw::scene {

/// Opacities up to this are not drawn.
inline constexpr float kInvisible = 0.01F;

/// Pixels of Transparent layers and of keyed particles with less opacity are not drawn.
inline constexpr float kKeyCutoff = 0.75F;

}  // namespace thaw::scene
