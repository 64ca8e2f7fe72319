// glTF as files of games.
#pragma once

#include <thaw/convert.hpp>

#include "formats/descriptor.hpp"

namespace thaw::conversion {

/// What the writer of the target makes of a glTF file; onto ModelOptions::onto, if that is there.
Result<Outputs> convert_gltf(const ConvertInput& input, const ConvertTarget& target,
                             const SceneWriter& writer, const ConvertOptions& options, const Sources& sources,
                             Diagnostics& findings);

}  // namespace thaw::conversion
