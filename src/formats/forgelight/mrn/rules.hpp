// Rules of animation networks.
#pragma once

#include "formats/forgelight/mrn/animation_rules.hpp"

namespace thaw::mrn {

/// Those about animations are with the animations.
std::span<const nsa::NetworkRule> rules();

}  // namespace thaw::mrn
