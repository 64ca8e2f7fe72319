// Pictures of frames without a GPU: a rasteriser whose pixels are the same on every machine, with every
// compiler and for any number of threads (docs/library/rendering.md).
#pragma once

#include <thaw/frame.hpp>
#include <thaw/image.hpp>

#include <memory>
#include <span>

#pragma GCC visibility push(default)

namespace thaw {
class Control;
}

/// A rasteriser without a GPU.
namespace thaw::raster {

/// Pictures with their smaller levels, made when they are first drawn. Not for use by several threads at
/// once; the pictures must outlive it.
class Textures {
 public:
  /// `images` is copied; the pictures that it points to are not.
  explicit Textures(std::span<const Image* const> images);
  Textures(const Textures&) = delete;
  /// What was moved from may only be assigned to or destroyed.
  Textures(Textures&&) noexcept;
  Textures& operator=(const Textures&) = delete;
  /// As the move constructor.
  Textures& operator=(Textures&&) noexcept;
  ~Textures();

  /// What the rasteriser keeps of the pictures; not for others.
  struct Impl;
  /// For the rasteriser.
  [[nodiscard]] Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Size and quality of the picture, and what drawing may cost.
struct Options {
  std::uint32_t width = 512;  ///< 1 to 16384
  std::uint32_t height = 512;
  unsigned samples = 4;  ///< per pixel: 1, 4, 8 or 16; others become the next lower one
  unsigned threads = 1;
  std::array<std::uint8_t, 4> background{0, 0, 0, 0};  ///< R G B A, straight alpha
  float line_width = 1.5F;                             ///< pixels
  /// Work per pixel, in triangles whose box covers it, averaged over a tile. What a tile has left when it is
  /// spent is not drawn: a hostile scene must not take hours, and no clock may decide what is seen.
  std::uint32_t max_overdraw = 4000;
  /// Looked at now and then, by any of the threads; once it is stopped nothing more is drawn, and what has
  /// been drawn till then is not for use.
  const Control* control = nullptr;
};

/// A drawn frame, and whether all of it was drawn.
struct Picture {
  Image image;
  bool stopped = false;  ///< Options::control ended it
  /// False if it was stopped, if `max_overdraw` was reached, or if the frame itself is not complete.
  bool complete = true;
};

/// Draws a frame. A size out of range gives an empty picture.
Picture draw(const frame::Frame& frame, Textures& textures, const Options& options = {});

}  // namespace thaw::raster

#pragma GCC visibility pop
