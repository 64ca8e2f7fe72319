// Pictures of a scene as textures of a game, next to what is made of the scene.
#pragma once

#include "formats/descriptor.hpp"

#include <thaw/scene.hpp>

#include <span>

namespace thaw::conversion {

/// What a game takes.
enum class TextureKind : std::uint8_t { blp1, blp2, dds };

/// A picture, and what it is called.
struct PictureToWrite {
  scene::Index texture = scene::kNone;  ///< that carries it
  std::string path;                     ///< in the game, without the ending
  const Image* image = nullptr;         ///< made for the purpose, in place of what the texture carries
  bool normals = false;                 ///< directions, not colours
};

/// ".blp" or ".dds".
std::string_view ending_of(TextureKind kind);

/// Names of files, and what is in them. Sides become powers of two, of at most `longest` (0: any). What does
/// not decode is left out; that and what else is lost is reported.
std::vector<OutputFile> written_pictures(const WriteContext& context,
                                         std::span<const PictureToWrite> pictures, TextureKind kind,
                                         std::uint32_t longest = 0);

}  // namespace thaw::conversion
