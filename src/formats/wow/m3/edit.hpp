#pragma once

#include "formats/edits.hpp"

namespace thaw::m3 {

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
inline constexpr std::string_view kEditOptions = "repath scale rotate move";

}  // namespace thaw::m3
