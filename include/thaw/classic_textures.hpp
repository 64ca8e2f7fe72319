// What a model of HD needs beside it in the classic game: its pictures as BLP, and the colour of players.
#pragma once

#include <thaw/mdx.hpp>
#include <thaw/sources.hpp>

#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {

/// The pictures of a model that was made one of version 800, and what became of them.
struct ClassicTextures {
  std::vector<std::pair<std::string, Bytes>> pictures;  ///< names and content
  std::size_t masks = 0;                                ///< pictures that show the colour of players through
  std::size_t unused = 0;            ///< textures and materials that nothing shows any more
  std::vector<std::string> missing;  ///< paths of pictures that no source has, or that do not decode
};

/// Finishes what `mdx::convert_version` made of `original`: materials and textures that nothing shows go,
/// pictures become BLP1 and paths say so, and where the picture of a physically based material has a mask for
/// the colour of players, that colour lies below it.
ClassicTextures make_classic(mdx::Document& converted, const mdx::Document& original, const Sources& sources);

}  // namespace thaw

#pragma GCC visibility pop
