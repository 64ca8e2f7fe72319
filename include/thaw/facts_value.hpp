// What is known of a file at a glance, as a value for machines.
#pragma once

#include <thaw/format.hpp>
#include <thaw/value.hpp>

#pragma GCC visibility push(default)

namespace thaw {

/// The facts as an object, in the words of `thaw info --json`: name, counts, skeletons, levels, clips,
/// stated, in_game, loops, textures, references, bounds, picture. Members of which the file has nothing are
/// empty, null or, as that page says, absent.
Value facts_value(const Facts& facts);

}  // namespace thaw

#pragma GCC visibility pop
