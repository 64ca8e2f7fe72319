#pragma once

#include <thaw/edit.hpp>

namespace thaw::adr {

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
}  // namespace thaw::adr
