// Files that become others without being a scene on the way: what options say to a format's conversions.
#pragma once

#include <thaw/mdl.hpp>

#include "cli/convert/exporters.hpp"
#include "formats/conversion.hpp"

namespace thaw::cli {

/// What a format makes of the file. `document` is null for pictures.
Result<Product> convert_file(const Work& work, const Conversion& way, const AnyDocument* document);

/// Why --format-version does not fit the output; empty if it does.
std::string objection_to_version(const FromSceneSettings& settings, std::string_view target);

/// Spelling and layout of MDL as the command line asks for them.
mdl::WriteOptions text_options(const TextSettings& settings);

/// What --png-level says, in the range that there is.
int png_level(const TextureSettings& settings);

}  // namespace thaw::cli
