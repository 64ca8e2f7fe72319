// The blended ground of chunks, as pictures are made of it.
#pragma once

#include <thaw/world.hpp>

#include <map>

namespace thaw::world {

/// A multiple of 16 from 16 to 8192.
std::uint32_t usable_size(std::uint32_t size);

/// The textures of a tile, ready to be read pixel by pixel at one resolution.
class GroundTextures {
 public:
  /// `side` pixels per side of a chunk, over which a texture repeats eight times (wow-alpha-world.md#ground).
  GroundTextures(const wdt::Tile& tile, const OpenTexture& open, std::uint32_t side);

  /// What covers a chunk.
  struct Pattern {
    Bytes pixels;  ///< side × side of three bytes; empty for one colour all over
    std::array<std::uint8_t, 3> color{128, 128, 128};

    [[nodiscard]] const std::uint8_t* at(std::size_t pixel) const {
      return pixels.empty() ? color.data() : pixels.data() + pixel * 3;
    }
  };
  /// A neutral grey for numbers that the tile has no name for.
  [[nodiscard]] const Pattern& pattern(std::uint32_t texture) const;

 private:
  std::map<std::uint32_t, Pattern> patterns_;
  Pattern nothing_;
};

/// side × side pixels of three bytes. `upper`: how strongly the layers above the first are seen, 0 to 1.
Bytes bake_chunk(const wdt::Chunk& chunk, const GroundTextures& textures, std::uint32_t side,
                 float upper = 1);

/// The same as a picture, of one chunk of a tile.
Image bake_alone(const wdt::Tile& tile, const wdt::Chunk& chunk, const OpenTexture& open_texture,
                 std::uint32_t side, float upper);

/// A colour that stands for a texture that is not there: always the same for a name.
std::array<std::uint8_t, 3> stand_in(std::string_view name);

}  // namespace thaw::world
