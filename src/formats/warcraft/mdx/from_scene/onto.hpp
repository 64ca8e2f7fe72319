// What was edited in another program, put into the model that it came from.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>

namespace thaw::mdx {

/// `before` is what the original becomes on the way through a scene, `after` what came back: where they are
/// the same the original stays, to the byte, and where they differ it gets what came back. Objects that are
/// new or gone are so in the result.
Document merge_onto(const Document& original, const Document& before, const Document& after,
                    Diagnostics& diagnostics);

}  // namespace thaw::mdx
