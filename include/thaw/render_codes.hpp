// Codes of findings about pictures.
#pragma once

#include <thaw/codes.hpp>

namespace thaw::codes {

inline constexpr Code kRenderTimeout{"render.timeout", Severity::error,
                                     "the picture took longer than it was given"};

inline constexpr std::array kRender = {kRenderTimeout};

}  // namespace thaw::codes
