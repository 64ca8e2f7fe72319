#pragma once

#include "formats/edits.hpp"

namespace thaw::mrn {

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
inline constexpr std::string_view kEditOptions = "rename-sequence";

}  // namespace thaw::mrn
