// Any texture as PNG, BLP or DDS.
#pragma once

#include "cli/convert/exporters.hpp"

namespace thaw::cli {

/// `target` is one of the textures' formats.
Result<Product> make_texture(const Work& work);

/// What --png-level says, in the range that there is.
int png_level(const Settings& settings);

}  // namespace thaw::cli
