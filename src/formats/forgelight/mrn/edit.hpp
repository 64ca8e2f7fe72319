#pragma once

#include <thaw/edit.hpp>

namespace thaw::mrn {

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
}  // namespace thaw::mrn
