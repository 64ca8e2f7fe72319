#pragma once

#include <thaw/edit.hpp>
#include "scene/similarity.hpp"

#include <thaw/wmo.hpp>

namespace thaw::wmo {

Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
/// Calls visit(chunk) for all chunks of a file, of the root and of groups alike.
template <class Visit>
void each_chunk(std::vector<Chunk>& chunks, Visit&& visit) {
  for (Chunk& chunk : chunks) {
    visit(chunk);
    if (auto* root = std::get_if<Root>(&chunk.body)) {
      each_chunk(root->chunks, visit);
    } else if (auto* group = std::get_if<Group>(&chunk.body)) {
      each_chunk(group->chunks, visit);
    }
  }
}

/// Places and sizes of groups follow, in a file that holds all of a building.
void lay_out_groups(Document& document);

/// A liquid scaled and moved: its tiles have one size, so that a larger one has more. False, and nothing
/// changed, where it would have too many, or has no grid.
bool place_liquid(Liquid& liquid, const scene::Similarity& transform);

}  // namespace thaw::wmo
