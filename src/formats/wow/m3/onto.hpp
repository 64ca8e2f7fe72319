// A model that was edited elsewhere, onto the one that it was: what was not edited stays.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/m3.hpp>

namespace thaw::m3 {

/// Whether the scene converts to the same as the original's.
bool is_unedited(const Document& before, const Document& edited);

/// Copies what differs between `edited` and `before` (the original converted without edits) to the original;
/// everything else is preserved, unknown chunks included. Where geosets have other vertices or indices than
/// the original's, all streams are replaced.
Document merge_onto(const Document& original, const Document& before, const Document& edited,
                    Diagnostics& diagnostics);

}  // namespace thaw::m3
