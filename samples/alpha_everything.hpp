// A small alpha model that has every chunk, every track and every layout of its version at least once.
#pragma once

#include <thaw/mdx_alpha.hpp>

#include <array>

namespace thaw::samples {

inline constexpr std::array<std::uint32_t, 3> kAlphaVersions = {1300, 1400, 1500};

/// Version 1500 has sections in place of geosets.
mdx_alpha::Document alpha_everything(std::uint32_t version);

}  // namespace thaw::samples
