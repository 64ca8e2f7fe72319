// Pieces of which PNG and APNG are made. Numbers are big-endian in this format.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/image.hpp>

#include <array>
#include <optional>

namespace thaw::png {

using BigEndian = std::array<std::uint8_t, 4>;

constexpr BigEndian to_big_endian(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value >> 24U), static_cast<std::uint8_t>(value >> 16U),
          static_cast<std::uint8_t>(value >> 8U), static_cast<std::uint8_t>(value)};
}
constexpr std::uint32_t from_big_endian(const BigEndian& bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U |
         bytes[3];
}

inline constexpr std::array<std::uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
inline constexpr FourCC kEnd{"IEND"};
/// Length, type and checksum.
inline constexpr std::size_t kChunkFrame = 12;

/// CRC-32 of type and data, as it stands after them.
BigEndian checksum(FourCC type, ByteView data);
/// The data of the chunk that comes next; none if it is not there as a whole.
std::optional<ByteView> next_chunk(ByteView rest);

/// As decode_png; a wrong Adler-32 of the pixels is reported as image.damaged, unless reading is strict. What
/// is not interlaced is reduced row by row, as `fitted` does it with `longest`, unless that is 0.
Result<Image> decode_pixels(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics,
                            std::uint32_t longest = 0);

/// A file that grows by chunks.
class File {
 public:
  /// Memory for chunks of about so many bytes is taken at once.
  explicit File(std::size_t expected = 0) { bytes_.reserve(bytes_.size() + expected + 4 * kChunkFrame + 32); }

  void add(FourCC type, ByteView data);
  /// The whole file; nothing can be added any more.
  Bytes take();

 private:
  Bytes bytes_{kSignature.begin(), kSignature.end()};
};

/// Width × height pixels are there, and PNG can hold them.
bool is_sound(const Image& image);
/// What IHDR holds.
Bytes header(const Image& image, bool opaque);
/// Filtered and deflated rows; empty if they do not fit a chunk, or if `control` was stopped.
Bytes pixel_data(const Image& image, bool opaque, int level, const Control* control);

// The frame of every PNG that is written.

struct Frame {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint8_t depth = 8;  ///< bits per channel
  std::uint8_t kind = 0;   ///< colour type of the specification
};

/// A PNG of these rows, each with its filter's number in front. Empty if it cannot be written.
Bytes assemble(const Frame& frame, const Bytes& rows, int level);

}  // namespace thaw::png
