// The samples of animations as numbers, as `thaw dump --decoded` shows them (nsa.md#values).
#pragma once

#include <thaw/format.hpp>

#pragma GCC visibility push(default)

namespace thaw::mrn {

/// Shows version, checksums, times and the values of all channels of an animation, or of every animation of a
/// network under its name. False if the document is neither. Findings are those of nsa::decode.
bool inspect_decoded(const AnyDocument& document, Inspector& inspector,
                     Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::mrn

#pragma GCC visibility pop
