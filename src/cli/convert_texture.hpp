// Any texture as PNG, BLP or DDS.
#pragma once

#include "cli/inputs.hpp"
#include "cli/product.hpp"
#include "cli/targets.hpp"

namespace thaw::cli {

/// `name` is that of the output. `target` is one of the textures' formats.
Result<Product> make_texture(const Content& content, Target target, const std::string& name,
                             const Settings& settings, Diagnostics& findings);

/// What --png-level says, in the range that there is.
int png_level(const Settings& settings);

}  // namespace thaw::cli
