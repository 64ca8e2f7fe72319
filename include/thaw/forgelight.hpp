// Hashes by which files of the Forgelight engine name things (dma.md#hashes).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

/// What the files of the Forgelight engine share.
namespace thaw::forgelight {

/// Jenkins' one-at-a-time in the engine's way: with signed characters and arithmetic shifts.
std::uint32_t hash(std::string_view text);
/// Of the text in upper case (ASCII): names of bones and of textures.
std::uint32_t hash_upper(std::string_view text);

/// A bone that models are known to have, in upper case, and the one that it hangs from; no parent for the
/// root. Found by their hashes and places in a published model.
struct KnownBone {
  std::string_view name;
  std::string_view parent;
};
/// Parents before children.
std::span<const KnownBone> known_bones();
/// The bone whose name has this hash, or null.
const KnownBone* known_bone(std::uint32_t hash);

/// Names that shaders give to their parameters; empty for others.
std::string_view parameter_name(std::uint32_t hash);

}  // namespace thaw::forgelight

#pragma GCC visibility pop
