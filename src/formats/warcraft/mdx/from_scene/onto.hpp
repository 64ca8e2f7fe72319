// Merging of what was edited in another program into the model that it came from.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>

#include "formats/warcraft/mdx/from_scene/onto_tracks.hpp"

namespace thaw::mdx {

/// `before` is what the original becomes on the way through a scene, `after` what came back: where they are
/// the same the original stays, to the byte, and where they differ it gets what came back. Objects that are
/// new or gone are so in the result. `moves` has one entry for each sequence of `after`; without any,
/// sequences are the same in their order. What is written anew, because it was not recognised, is reported.
Document merge_onto(const Document& original, const Document& before, const Document& after,
                    std::span<const SequenceMove> moves, Diagnostics& diagnostics);

/// The sequences of `after` as those of `before`, which are models of these scenes (scene::clip_partners).
std::vector<SequenceMove> sequence_moves(const scene::Scene& before_scene, const Document& before,
                                         const scene::Scene& after_scene, const Document& after);

}  // namespace thaw::mdx
