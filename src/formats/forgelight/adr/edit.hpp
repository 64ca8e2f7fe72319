#pragma once

#include "formats/edits.hpp"

namespace thaw::adr {

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
inline constexpr std::string_view kEditOptions = "repath";

}  // namespace thaw::adr
