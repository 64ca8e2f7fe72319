// Edits of World of Warcraft's buildings, as people ask for them (docs/user/edit.md). A root and the files of
// its groups are edited one by one.
#pragma once

#include <thaw/model_edit.hpp>
#include <thaw/wmo.hpp>

#include <string_view>

#pragma GCC visibility push(default)

namespace thaw::wmo {

/// Changes the paths of pictures, of doodads' models and of the sky. What refers to them by offset follows.
Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log);

/// Scales and moves all that has a place or a length: vertices, BSP trees, portals, lights, doodads, fogs,
/// liquids, bounds. Tiles of liquids have one size, so that there are more or fewer of them then. What cannot
/// follow exactly is a finding (edit.inexact), and so are the groups of a root, which are files of their own.
/// The error is edit.refused for a turn, which the planes of BSP trees and grids of liquids do not take, and
/// for what leaves the ranges of a building's numbers.
Result<void> place(Document& document, const Placement& placement, EditLog& log);

}  // namespace thaw::wmo

#pragma GCC visibility pop
