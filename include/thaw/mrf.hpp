// Warcraft III morph models (MRF): one mesh with one vertex animation. See mrf.md#structure.
//
// The parts of the file lie where its offsets say, in any order, with anything between them; a document keeps
// all of it, so that write(read(x)) == x for every file that reads.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

/// Warcraft III's morph models.
namespace thaw::mrf {

/// Where parts begin is a multiple of this.
inline constexpr std::uint32_t kAlignment = 16;

/// Position and normal, in the space of the model instance: Z up, units of the game.
using Vertex = std::array<float, 6>;

/// All vertices at one moment.
struct Frame {
  Array<Vertex> vertices;
  friend bool operator==(const Frame&, const Frame&) = default;
};

/// The head of the file: counts, how it plays, and where parts begin.
struct Header {
  FourCC magic{"Morf"};  ///< the game does not check it
  std::uint32_t frame_count = 0;
  std::uint32_t vertex_count = 0;
  std::uint32_t index_count = 0;
  float frame_duration = 0;  ///< s
  Vec3 pivot{};              ///< no effect in the game
  float radius = 0;          ///< no effect in the game
  float elapsed = 0;         ///< s at which playback begins
  std::uint32_t debug = 0;
  std::array<std::uint8_t, 24> ignored{};
  std::uint32_t texture_offset = 0;  ///< of the texture's path in the file
  std::uint32_t face_offset = 0;     ///< of the indices in the file
  std::uint32_t uv_offset = 0;       ///< of the texture coordinates in the file
  friend bool operator==(const Header&, const Header&) = default;
};

/// A file of any order of its parts.
struct Document {
  Header header;
  Array<std::uint32_t> frame_offsets;  ///< of each frame in the file
  Array<char> texture_path;            ///< up to its NUL, or to the next part or the end of the file
  Array<std::uint16_t> indices;        ///< three to a triangle
  Array<Vec2> uvs;                     ///< V runs from the top
  std::vector<Frame> frames;
  std::vector<Gap> gaps;  ///< padding, and whatever else no part claims

  /// The path as the game takes it: up to the first dot. The extension plays no part.
  [[nodiscard]] std::string_view texture_stem() const;

  friend bool operator==(const Document&, const Document&) = default;
};

/// Reads a model. Errors: read.truncated, read.count and read.offset for parts outside the file, read.overlap
/// for offset tables that claim the same bytes over and over, input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::unwanted());

/// The file's bytes, every part where the header says.
Bytes write(const Document& document);

/// Gives all parts new offsets in the order and with the 16-byte alignment of the game's own files, takes all
/// counts from the arrays and drops the gaps: what a document made or edited by a program needs before it is
/// written.
void lay_out(Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

/// What the game shows, by its own rules.
enum class Playback : std::uint8_t {
  plays,       ///< from `elapsed` to the last frame, which then stays
  last_frame,  ///< only the last frame: the frame duration is negative, or `elapsed` lies beyond the end
  nothing,     ///< the frame duration is 0 or no number, there are no frames, or they would last for decades
};
/// By frame count, frame duration and `elapsed`.
Playback playback(const Header& header);

/// The frames between which the game blends, `seconds` after the model was shown.
struct Moment {
  std::uint32_t frame = 0;
  std::uint32_t next = 0;
  float blend = 0;  ///< 0: frame, 1: next
  friend bool operator==(const Moment&, const Moment&) = default;
};
/// Where playback is after so many seconds; the last frame for a model that does not play.
Moment moment_at(const Header& header, float seconds);

}  // namespace thaw::mrf

#pragma GCC visibility pop
