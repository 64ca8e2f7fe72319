// A model that was edited elsewhere, onto the one that it was: what was not edited stays.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/m3.hpp>

namespace thaw::m3 {

/// Whether the same came of the scene as of the original.
bool is_unedited(const Document& before, const Document& made);

/// Takes of `made` what is not as in `before`, which is what comes of the original when nothing was edited;
/// all else stays as the original has it, also what nobody understands. Where geosets have other vertices or
/// indices than the original's, all streams are taken.
Document merge_onto(const Document& original, const Document& before, const Document& made,
                    Diagnostics& diagnostics);

}  // namespace thaw::m3
