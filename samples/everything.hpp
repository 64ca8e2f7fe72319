// A model with every chunk and every track tag that its version has, and the oddities that files in the wild
// or the format's rules allow. Nothing to look at.
#pragma once

#include <thaw/mdx.hpp>

namespace thaw::samples {

inline constexpr std::array<std::uint32_t, 9> kVersions = {800,  900,  1000, 1100, 1200,
                                                           1300, 1400, 1600, 1800};

mdx::Document everything(std::uint32_t version);

}  // namespace thaw::samples
