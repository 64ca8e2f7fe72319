// A model of HD as the classic game has them, with its pictures.
#pragma once

#include "formats/conversion.hpp"

namespace thaw::conversion {

/// Version 800, pictures next to it, and nothing left unused (ModelOptions::classic). Losses are findings,
/// but for those that are none any more.
Result<Outputs> convert_to_classic(const FileContext& file);

}  // namespace thaw::conversion
