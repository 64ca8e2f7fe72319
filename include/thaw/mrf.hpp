// Warcraft III morph models (MRF): one mesh with one vertex animation. See mrf.md#structure.
//
// The parts of the file lie where its offsets say, in any order, with anything between them; a document keeps
// all of it, so that write(read(x)) == x for every file that reads.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <string>
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
                      Diagnostics& diagnostics = Diagnostics::discarded());

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
struct FrameBlend {
  std::uint32_t frame = 0;
  std::uint32_t next = 0;
  float blend = 0;  ///< 0: frame, 1: next
  friend bool operator==(const FrameBlend&, const FrameBlend&) = default;
};
/// Where playback is after so many seconds; the last frame for a model that does not play.
FrameBlend frame_blend_at(const Header& header, float seconds);

// --- to a scene and back (mrf.md#playback)

/// What `to_scene` leaves open: unit, and which frames are kept.
struct SceneOptions {
  /// Metres per unit of the game, above 0.
  float scale = 0.01F;
  /// Keep every n-th frame, and the last.
  std::uint32_t every = 1;
  /// Drop frames that linear interpolation of the kept ones reproduces this closely, in metres; negative:
  /// drop none.
  float max_error = -1;
};

/// One mesh: frame 0, and one morph target for each further frame that is kept, with one clip "Morph" that
/// runs through them in real time. A file that the game draws as its last frame only (see `playback`) gives
/// that frame without a clip; one that it does not draw gives frame 0, with a finding. Faces that name
/// missing vertices are dropped with a finding; numbers that are not finite become 0.
scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

// --- the way back

/// What `from_scene` leaves open: unit, time between frames, texture.
struct FromSceneOptions {
  /// Metres per unit of the game, above 0.
  float scale = 0.01F;
  /// Seconds between frames; 0: what the scene's extras say (if it came from an MRF), else the distance of
  /// its keys if that is the same everywhere, else 1/30.
  float frame_duration = 0;
  /// Path of the texture; empty: that of the extras, else of the first material with one, else the game's
  /// white texture (scene.added).
  std::string texture;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// All meshes of the scene as one morph model: sampled every `frame_duration` of its first clip, morph
/// targets and moving nodes included; without a clip one frame. Normals that a mesh has not are made from its
/// faces; meshes that their node mirrors in the first frame are turned the right way. Skins are not played,
/// coarser levels of detail and collision meshes are left out (reported as scene.approximated). Errors:
/// write.unsupported for more than 65,536 vertices, no triangle, or more than 4,096 frames; limit.stopped.
Result<Document> from_scene(const scene::Scene& scene, const FromSceneOptions& options = {},
                            Diagnostics& diagnostics = Diagnostics::discarded());

// --- morph models that belong to a model

/// The IDs of the morph models that the events of a model show: events `MRFx<ID>` (mrf.md#binding).
std::vector<std::string> event_ids(const scene::Scene& scene);

/// Where the game looks for the morph model of an ID.
std::string game_path(std::string_view id);

/// Adds a morph model to the scene of the model whose events show it, in the space of the model: in every
/// clip it is seen from `MRFx<ID>` to `MRDx<ID>`, or to the clip's end, and plays from the first.
void attach(scene::Scene& model, std::string_view id, const Document& document,
            const SceneOptions& options = {}, Diagnostics& diagnostics = Diagnostics::discarded());

}  // namespace thaw::mrf

#pragma GCC visibility pop
