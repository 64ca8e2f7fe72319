// A model of HD as the classic game has them, with its pictures.
#pragma once

#include "formats/conversion.hpp"

namespace thaw::cli {

/// --with-textures: version 800, its pictures beside it, and nothing left unused. Losses are findings, but
/// for those that are none any more.
Result<ConvertedFiles> convert_to_classic(const FileToConvert& file);

}  // namespace thaw::cli
