#pragma once

#include <thaw/edit.hpp>

namespace thaw::m3 {

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
}  // namespace thaw::m3
