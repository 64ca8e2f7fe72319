// Codes of findings in Forgelight formats.
#pragma once

#include <thaw/codes.hpp>

namespace thaw::codes {

// Animation: MRN and NSA.

inline constexpr std::array<Code, 0> kAnimation = {};

// Actors: DME, DMA, ADR and materials.

inline constexpr std::array<Code, 0> kActor = {};

// Archives: PACK1 and PACK2.

inline constexpr std::array<Code, 0> kPack = {};

}  // namespace thaw::codes
