// Edits of World of Warcraft's M3 models, as people ask for them (docs/user/edit.md).
#pragma once

#include <thaw/m3.hpp>
#include <thaw/model_edit.hpp>

#include <string_view>

#pragma GCC visibility push(default)

namespace thaw::m3 {

/// Changes the numbers (FileDataIDs) of pictures and material libraries, which are an M3 model's paths: by a
/// pattern of their digits (see `renamed`). The error is edit.refused for what is no such number.
Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log);

/// Turns, scales and moves the mesh, its bind poses, bounds and collision. What nobody can read goes nowhere,
/// and is a finding (edit.inexact). The error is edit.refused for positions that are stored as whole numbers.
Result<void> place(Document& document, const Placement& placement, EditLog& log);

}  // namespace thaw::m3

#pragma GCC visibility pop
