// Warcraft III models (MDX, dialect wc3), versions 800 to 1800, as documents: everything that is in the file,
// in the file's own terms and order. write(read(x)) == x for every file that reads.
//
// docs/formats/mdx.md describes the format. Times are milliseconds on one common time line, angles radians
// unless said, axes right-handed with Z up.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/edit.hpp>
#include <thaw/image.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>
#include <thaw/scene.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

/// Warcraft III models.
namespace thaw::mdx {

/// Bounding sphere and box (mdx.md#extents).
struct Extent {
  float bounds_radius = 0;
  Vec3 minimum{};
  Vec3 maximum{};

  static constexpr std::size_t kMinSize = 28;
  friend bool operator==(const Extent&, const Extent&) = default;
};

// --- tracks
// -----------------------------------------------------------------------------------------------------

/// How a track runs between two keys; `none` holds the first of them (mdx.md#tracks).
enum class Interpolation : std::uint32_t { none = 0, linear = 1, hermite = 2, bezier = 3 };

/// What the keys of a track hold (mdx.md#track-tags).
struct TrackType {
  unsigned components = 0;  ///< 0: the tag is not known
  bool integer = false;     ///< keys are words, not floats
};
/// By the tag of the track; 0 components for one that the format does not have.
TrackType track_type(FourCC tag);

/// Keyframes of one property (mdx.md#tracks). Keys lie in one block of 32-bit words as in the file: frame,
/// value, and with Hermite and Bezier the in and out tangents.
struct Track {
  FourCC tag;
  Interpolation interpolation = Interpolation::none;
  std::int32_t global_sequence = -1;  ///< index into GLBS, −1 for none
  Array<std::uint32_t> words;

  /// Whether each key has an in and an out tangent.
  [[nodiscard]] bool has_tangents() const {
    return interpolation == Interpolation::hermite || interpolation == Interpolation::bezier;
  }
  /// Numbers in one value; 0 if the tag is not known.
  [[nodiscard]] unsigned components() const { return track_type(tag).components; }
  /// Words per key.
  [[nodiscard]] std::size_t stride() const { return 1U + components() * (has_tangents() ? 3U : 1U); }
  /// Number of keys.
  [[nodiscard]] std::size_t size() const { return words.size() / stride(); }

  /// When a key is, in milliseconds.
  [[nodiscard]] std::int32_t frame(std::size_t key) const {
    return static_cast<std::int32_t>(words[key * stride()]);
  }
  /// The value of a key, where they are integers.
  [[nodiscard]] std::int32_t integer(std::size_t key) const {
    return static_cast<std::int32_t>(words[key * stride() + 1]);
  }
  /// Up to four floats; `part` is 0 for the value, 1 for the in tangent, 2 for the out tangent.
  [[nodiscard]] Vec4 value(std::size_t key, unsigned part = 0) const;

  static constexpr std::size_t kMinSize = 16;
  static constexpr std::size_t kUsualCount = 3;
  friend bool operator==(const Track&, const Track&) = default;
};
using Tracks = std::vector<Track>;  ///< of one object, in file order

/// The track of a tag, or null.
const Track* find_track(const Tracks& tracks, FourCC tag);
/// Not of a temporary list, with which the track would be gone.
const Track* find_track(const Tracks&& tracks, FourCC tag) = delete;

// --- nodes
// ------------------------------------------------------------------------------------------------------

/// Bits of Node::flags (mdx.md#node-flags). What a node is, its chunk states, whatever the bits of kinds say.
namespace node_flag {
inline constexpr std::uint32_t kDontInheritTranslation = 0x1;  ///< the parent's translation has no effect
// mdx.md#node-flags: the meaning of 0x2 and 0x4 is disputed; this pair of constants is the only place that
// decides.
inline constexpr std::uint32_t kDontInheritScaling = 0x2;   ///< the parent's scale has no effect
inline constexpr std::uint32_t kDontInheritRotation = 0x4;  ///< the parent's rotation has no effect
inline constexpr std::uint32_t kBillboarded = 0x8;          ///< turns to the camera
inline constexpr std::uint32_t kBillboardedLockX = 0x10;    ///< turns to the camera about X only
inline constexpr std::uint32_t kBillboardedLockY = 0x20;    ///< turns to the camera about Y only
inline constexpr std::uint32_t kBillboardedLockZ = 0x40;    ///< turns to the camera about Z only
inline constexpr std::uint32_t kCameraAnchored = 0x80;      ///< keeps its distance, towards the camera
inline constexpr std::uint32_t kBone = 0x100;               ///< a node in BONE
inline constexpr std::uint32_t kLight = 0x200;              ///< a node in LITE
inline constexpr std::uint32_t kEvent = 0x400;              ///< a node in EVTS
inline constexpr std::uint32_t kAttachment = 0x800;         ///< a node in ATCH
inline constexpr std::uint32_t kEmitter = 0x1000;           ///< a node in PREM, PRE2 or CORN
inline constexpr std::uint32_t kCollision = 0x2000;         ///< a node in CLID
inline constexpr std::uint32_t kRibbon = 0x4000;            ///< a node in RIBB
// Bits 15 to 20 depend on the chunk.
inline constexpr std::uint32_t kPremUsesMdl = 0x8000;          ///< PREM: EmitterUsesMDL
inline constexpr std::uint32_t kPremUsesTga = 0x10000;         ///< PREM: EmitterUsesTGA
inline constexpr std::uint32_t kUnshaded = 0x8000;             ///< PRE2, CORN: takes no light
inline constexpr std::uint32_t kSortPrimsFarZ = 0x10000;       ///< PRE2, CORN: the farthest drawn first
inline constexpr std::uint32_t kPre2LineEmitter = 0x20000;     ///< PRE2: directions spread in one plane
inline constexpr std::uint32_t kPre2Unfogged = 0x40000;        ///< PRE2: takes no fog
inline constexpr std::uint32_t kPre2ModelSpace = 0x80000;      ///< PRE2: particles move with the node
inline constexpr std::uint32_t kPre2XyQuad = 0x100000;         ///< PRE2: flat quads, turned along their way
inline constexpr std::uint32_t kCornUnfogged = 0x20000;        ///< CORN: takes no fog
inline constexpr std::uint32_t kCornPopcornScaling = 0x40000;  ///< CORN: PopcornScaling
}  // namespace node_flag

/// The part that all objects of the hierarchy share (mdx.md#nodes, mdx.md#node-flags).
struct Node {
  FixedText<80> name;
  std::int32_t object_id = -1;
  std::int32_t parent_id = -1;  ///< −1: root
  std::uint32_t flags = 0;
  Tracks tracks;  ///< KGTR KGRT KGSC
  Remainder remainder;

  static constexpr std::size_t kMinSize = 96;
  friend bool operator==(const Node&, const Node&) = default;
};

// --- model, sequences, textures
// ---------------------------------------------------------------------------------

/// VERS: the version of the file (mdx.md#version-field).
struct Version {
  std::uint32_t value = 800;
  friend bool operator==(const Version&, const Version&) = default;
};

/// MODL: the model's name and bounds (mdx.md#model-header).
struct Model {
  FixedText<80> name;
  FixedText<260> animation_file;
  Extent extent;
  std::uint32_t blend_time = 0;  ///< ms

  static constexpr std::size_t kRecordSize = 372;
  friend bool operator==(const Model&, const Model&) = default;
};

/// One entry of SEQS: an animation as a part of the time line (mdx.md#sequences).
struct Sequence {
  static constexpr std::uint32_t kNonLooping = 1;

  FixedText<80> name;
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  float move_speed = 0;
  std::uint32_t flags = 0;
  float rarity = 0;
  std::uint32_t sync_point = 0;
  Extent extent;

  static constexpr std::size_t kRecordSize = 132;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const Sequence&, const Sequence&) = default;
};

/// One entry of TEXS: a picture by its path, or by an id for which the game has one (mdx.md#textures,
/// warcraft3-rendering.md#replaceable-textures).
struct Texture {
  static constexpr std::uint32_t kWrapWidth = 1;
  static constexpr std::uint32_t kWrapHeight = 2;

  std::uint32_t replaceable_id = 0;
  FixedText<260> path;
  std::uint32_t flags = 0;

  static constexpr std::size_t kRecordSize = 268;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const Texture&, const Texture&) = default;
};

// --- materials (mdx.md#materials)
// -------------------------------------------------------------------------------------------

/// How a layer is laid over what is behind it (warcraft3-rendering.md#layers).
enum class FilterMode : std::uint32_t {
  none = 0,
  transparent = 1,
  blend = 2,
  additive = 3,
  add_alpha = 4,
  modulate = 5,
  modulate2x = 6,
};

/// A texture of a layer, version ≥ 1100. Slots: 0 diffuse, 1 normal, 2 ORM, 3 emissive, 4 team colour, 5
/// environment.
struct TextureSlot {
  std::int32_t texture_id = 0;  ///< index into TEXS
  std::uint32_t slot = 0;
  std::optional<Track> flipbook;  ///< KMTF

  static constexpr std::size_t kMinSize = 8;
  friend bool operator==(const TextureSlot&, const TextureSlot&) = default;
};

/// One texture pass of a material (LAYS).
struct Layer {
  static constexpr std::uint32_t kUnshaded = 0x1;
  static constexpr std::uint32_t kSphereEnvMap = 0x2;
  static constexpr std::uint32_t kWrapWidth = 0x4;
  static constexpr std::uint32_t kWrapHeight = 0x8;
  static constexpr std::uint32_t kTwoSided = 0x10;
  static constexpr std::uint32_t kUnfogged = 0x20;
  static constexpr std::uint32_t kNoDepthTest = 0x40;
  static constexpr std::uint32_t kNoDepthSet = 0x80;
  static constexpr std::uint32_t kUnlit = 0x100;
  static constexpr std::uint32_t kBackFacesForShadows = 0x200;
  static constexpr std::uint32_t kAmbientOcclusion = 0x400;

  FilterMode filter_mode = FilterMode::none;
  std::uint32_t shading_flags = 0;
  std::int32_t texture_id = 0;             ///< index into TEXS; from 1100 on slots have their own
  std::int32_t texture_animation_id = -1;  ///< index into TXAN, −1 for none
  std::uint32_t coord_id = 0;              ///< UV set of the geoset
  float alpha = 1;
  float emissive_gain = 1;  ///< ≥ 900
  /// ≥ 1000; at 900 decided from the bytes, because sources disagree and no real file is known.
  bool has_fresnel = false;
  Vec3 fresnel_color{1, 1, 1};
  float fresnel_opacity = 0;
  float fresnel_team_color = 0;
  std::uint32_t shader_id = 0;     ///< ≥ 1100
  std::vector<TextureSlot> slots;  ///< ≥ 1100
  Tracks tracks;                   ///< KMTF (< 1100) KMTA KMTE KFC3 KFCA KFTC
  Remainder remainder;

  static constexpr std::size_t kMinSize = 28;
  friend bool operator==(const Layer&, const Layer&) = default;
};

/// One entry of MTLS: texture passes over each other.
struct Material {
  static constexpr std::uint32_t kConstantColor = 0x1;
  static constexpr std::uint32_t kTwoSided = 0x2;
  static constexpr std::uint32_t kSortPrimsNearZ = 0x8;
  static constexpr std::uint32_t kSortPrimsFarZ = 0x10;
  static constexpr std::uint32_t kFullResolution = 0x20;

  std::int32_t priority_plane = 0;
  std::uint32_t flags = 0;
  FixedText<80> shader;  ///< 900 to 1099
  std::vector<Layer> layers;
  Remainder remainder;

  static constexpr std::size_t kMinSize = 20;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const Material&, const Material&) = default;
};

/// One entry of TXAN (mdx.md#texture-animations): KTAT KTAR KTAS.
struct TextureAnimation {
  Tracks tracks;
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const TextureAnimation&, const TextureAnimation&) = default;
};

// --- geosets (mdx.md#geosets, mdx.md#geoset-animations)
// ---------------------------------------------------------------------------------------

/// What the indices of a face group make. Models in circulation have triangles only (mdx.md#face-groups).
enum class PrimitiveType : std::uint32_t {
  points = 0,
  lines = 1,
  line_loop = 2,
  line_strip = 3,
  triangles = 4,
  triangle_strip = 5,
  triangle_fan = 6,
  quads = 7,
  quad_strip = 8,
  polygons = 9,
};

/// UVBS: one pair per vertex, V from the top.
struct UvSet {
  Array<Vec2> coordinates;

  static constexpr std::size_t kMinSize = 8;
  friend bool operator==(const UvSet&, const UvSet&) = default;
};

/// One entry of GEOS: a mesh of one material, and what moves its vertices (mdx.md#geosets).
struct Geoset {
  static constexpr std::uint32_t kUnselectable = 4;

  Array<Vec3> positions;                  ///< VRTX
  Array<Vec3> normals;                    ///< NRMS
  Array<PrimitiveType> primitive_types;   ///< PTYP, one per face group
  Array<std::uint32_t> primitive_counts;  ///< PCNT, indices of each face group
  Array<std::uint16_t> indices;           ///< PVTX, of all groups
  Array<std::uint8_t> vertex_groups;      ///< GNDX, matrix group of each vertex
  Array<std::uint32_t> matrix_groups;     ///< MTGC, bones of each matrix group
  Array<std::uint32_t> matrix_indices;    ///< MATS, object ids of all matrix groups
  std::int32_t material_id = 0;           ///< index into MTLS
  std::uint32_t selection_group = 0;
  std::uint32_t selection_flags = 0;
  std::int32_t lod = 0;    ///< ≥ 900
  FixedText<80> lod_name;  ///< ≥ 900
  Extent extent;
  std::vector<Extent> sequence_extents;
  std::optional<Array<Vec4>> tangents;                     ///< TANG, ≥ 900; w is the handedness
  std::optional<Array<std::array<std::uint8_t, 8>>> skin;  ///< SKIN, 900 to 1399: 4 object ids, 4 weights
  std::optional<Array<std::array<std::uint16_t, 8>>> wide_skin;  ///< SKIN, ≥ 1400
  std::vector<UvSet> uv_sets;                                    ///< UVAS, UVBS
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4 + 9 * 8 + 12 + 28 + 4;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const Geoset&, const Geoset&) = default;
};

/// One entry of GEOA: colour and alpha of a geoset over time (mdx.md#geoset-animations).
struct GeosetAnimation {
  static constexpr std::uint32_t kDropShadow = 1;
  static constexpr std::uint32_t kUseColor = 2;

  float alpha = 1;
  std::uint32_t flags = 0;
  Vec3 color{1, 1, 1};          ///< R G B; keys of KGAC are B G R (mdx.md#colour-order)
  std::int32_t geoset_id = -1;  ///< index into GEOS
  Tracks tracks;                ///< KGAO KGAC
  Remainder remainder;

  static constexpr std::size_t kMinSize = 28;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const GeosetAnimation&, const GeosetAnimation&) = default;
};

// --- objects of the hierarchy
// -----------------------------------------------------------------------------------

/// BONE: a node that moves vertices (mdx.md#bones-and-helpers).
struct Bone {
  Node node;
  std::int32_t geoset_id = -1;            ///< −1: several
  std::int32_t geoset_animation_id = -1;  ///< −1: none

  static constexpr std::size_t kMinSize = 104;
  friend bool operator==(const Bone&, const Bone&) = default;
};

/// HELP: a node with nothing of its own (mdx.md#bones-and-helpers).
struct Helper {
  Node node;

  static constexpr std::size_t kMinSize = 96;
  friend bool operator==(const Helper&, const Helper&) = default;
};

/// LITE: a light (mdx.md#lights).
struct Light {
  Node node;
  std::uint32_t type = 0;            ///< low byte: 0 omni, 1 directional, 2 ambient
  std::uint32_t shadow_casting = 0;  ///< ≥ 1300
  float attenuation_start = 0;
  float attenuation_end = 0;
  Vec3 color{1, 1, 1};  ///< R G B; keys are B G R
  float intensity = 0;
  Vec3 ambient_color{1, 1, 1};        ///< ≥ 700
  float ambient_intensity = 0;        ///< ≥ 700
  float shadow_intensity = 0.4F;      ///< ≥ 1200
  float shadow_casting_start = 0;     ///< ≥ 1300
  float shadow_casting_end = 0;       ///< ≥ 1300
  float quadratic_falloff = 0.0005F;  ///< ≥ 1600
  float linear_falloff = 0;           ///< ≥ 1600
  float damping = 0.00001F;           ///< ≥ 1600
  Tracks tracks;                      ///< KLAS KLAE KLAC KLAI KLBI KLBC KLAV KLSS KLSE KLQF KLLF KLDA
  Remainder remainder;

  static constexpr std::size_t kMinSize = 128;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const Light&, const Light&) = default;
};

/// ATCH: where the game hangs other models (mdx.md#attachments).
struct Attachment {
  Node node;
  FixedText<260> path;  ///< of a model that hangs there; mostly empty
  std::int32_t attachment_id = 0;
  Tracks tracks;  ///< KATV
  Remainder remainder;

  static constexpr std::size_t kMinSize = 364;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// PREM: spawns models (mdx.md#model-emitters).
struct ParticleEmitter {
  Node node;
  float emission_rate = 0;
  float gravity = 0;
  float longitude = 0;
  float latitude = 0;
  FixedText<260> path;  ///< of the models that are thrown out
  float life_span = 0;  ///< s
  float speed = 0;
  Tracks tracks;  ///< KPEE KPEG KPLN KPLT KPEL KPES KPEV
  Remainder remainder;

  static constexpr std::size_t kMinSize = 384;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const ParticleEmitter&, const ParticleEmitter&) = default;
};

/// First and last cell of a texture grid, and how often the run repeats.
struct CellRun {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  std::uint32_t repeat = 1;
  friend bool operator==(const CellRun&, const CellRun&) = default;
};

/// PRE2: spawns textured quads (mdx.md#sprite-emitters).
struct ParticleEmitter2 {
  /// How particles are blended; the numbers are not those of FilterMode.
  enum class Filter : std::uint32_t { blend = 0, additive = 1, modulate = 2, modulate2x = 3, alpha_key = 4 };
  /// What each particle is drawn as: itself, the trail behind it, or both.
  enum class Shape : std::uint32_t { head = 0, tail = 1, both = 2 };

  Node node;
  float speed = 0;
  float variation = 0;  ///< share of the speed
  float latitude = 0;   ///< degrees
  float gravity = 0;
  float life_span = 0;  ///< s
  float emission_rate = 0;
  float length = 0;
  float width = 0;
  Filter filter = Filter::blend;
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  Shape shape = Shape::head;
  float tail_length = 0;                 ///< s: how much of its way a tail shows
  float middle = 0.5F;                   ///< share of life at which segment 1 is reached
  std::array<Vec3, 3> segment_colors{};  ///< R G B
  std::array<std::uint8_t, 3> segment_alphas{};
  Vec3 segment_scales{};
  CellRun head_life;
  CellRun head_decay;
  CellRun tail_life;
  CellRun tail_decay;
  std::int32_t texture_id = 0;  ///< index into TEXS
  std::uint32_t squirt = 0;     ///< not 0: each key of the emission rate throws so many at once
  std::int32_t priority_plane = 0;
  /// In place of the texture (warcraft3-rendering.md#replaceable-textures); 0 for none.
  std::uint32_t replaceable_id = 0;
  Tracks tracks;  ///< KP2S KP2R KP2L KP2G KP2E KP2N KP2W KP2V
  Remainder remainder;

  static constexpr std::size_t kMinSize = 271;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const ParticleEmitter2&, const ParticleEmitter2&) = default;
};

/// RIBB: a strip that a node draws behind it (mdx.md#ribbons).
struct RibbonEmitter {
  Node node;
  float height_above = 0;
  float height_below = 0;
  float alpha = 1;
  Vec3 color{1, 1, 1};              ///< R G B; keys are B G R
  float life_span = 0;              ///< s
  std::uint32_t texture_slot = 0;   ///< cell of the texture grid
  std::uint32_t emission_rate = 0;  ///< edges per second
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  std::int32_t material_id = 0;  ///< index into MTLS
  float gravity = 0;
  Tracks tracks;  ///< KRHA KRHB KRAL KRCO KRTX KRVS
  Remainder remainder;

  static constexpr std::size_t kMinSize = 152;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const RibbonEmitter&, const RibbonEmitter&) = default;
};

/// CORN: an effect of the PopcornFX runtime (mdx.md#popcorn-effects). The scalars are multipliers.
struct PopcornEmitter {
  Node node;
  float life_span = 1;
  float emission_rate = 1;
  float speed = 1;
  Vec3 color{1, 1, 1};
  float alpha = 1;
  std::uint32_t replaceable_id = 0;
  FixedText<260> path;
  FixedText<260> visibility_guide;  ///< "Always=off, Death=on"
  Tracks tracks;                    ///< KPPA KPPC KPPE KPPL KPPS KPPV
  Remainder remainder;

  static constexpr std::size_t kMinSize = 652;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const PopcornEmitter&, const PopcornEmitter&) = default;
};

/// One entry of SNDS, as published descriptions have it: a sound file (mdx.md#sound-chunks).
struct SoundTrack {
  FixedText<260> path;
  float volume = 0;
  float pitch = 0;
  std::uint32_t flags = 0;

  static constexpr std::size_t kRecordSize = 272;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const SoundTrack&, const SoundTrack&) = default;
};

/// One entry of SNDS, as the client reads it (mdx.md#sound-chunks).
struct ShortSoundTrack {
  FixedText<44> path;
  float max_distance = 0;
  float min_distance = 0;
  std::uint32_t channel = 0;

  static constexpr std::size_t kRecordSize = 56;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const ShortSoundTrack&, const ShortSoundTrack&) = default;
};

/// SNEM: obsolete sound emitters (mdx.md#sound-chunks).
struct SoundEmitter {
  Node node;
  Tracks tracks;  ///< KSEK
  Remainder remainder;

  static constexpr std::size_t kMinSize = 100;
  static constexpr std::size_t kSizedFrom = kMinSize;
  friend bool operator==(const SoundEmitter&, const SoundEmitter&) = default;
};

/// KEVT: the frames at which an event fires.
struct EventTrack {
  /// False in files of writers that omit the id (mdx.md#choosing-between-readings).
  bool has_global_sequence = true;
  std::int32_t global_sequence = -1;
  Array<std::int32_t> frames;
  friend bool operator==(const EventTrack&, const EventTrack&) = default;
};

/// EVTS: sounds, splats and models that appear at given times (mdx.md#event-objects,
/// warcraft3-rendering.md#events).
struct EventObject {
  Node node;
  std::optional<EventTrack> track;

  static constexpr std::size_t kMinSize = 96;
  friend bool operator==(const EventObject&, const EventObject&) = default;
};

/// CAMS: a camera (mdx.md#cameras, warcraft3-rendering.md#cameras).
struct Camera {
  std::uint8_t variant = 0;  ///< top byte of the size word
  FixedText<80> name;
  Vec3 position{};
  float field_of_view = 0;
  float far_clip = 0;
  float near_clip = 0;
  std::array<std::uint32_t, 3> skipped{};  ///< variants 1 and 2 only
  Vec3 target{};
  Tracks tracks;  ///< KCTR KTTR KCRL KCVS IDUF ELAF PTSF
  Remainder remainder;

  static constexpr std::size_t kMinSize = 120;
  friend bool operator==(const Camera&, const Camera&) = default;
};

/// CLID (mdx.md#collision-shapes). Types 1 and 3 have two known layouts, so the payload stays as floats: box
/// {minimum, maximum}, sphere {centre, radius}, community plane {two vertices}, community cylinder {two
/// vertices, radius}, engine cylinder (type 1) {base, height, radius}, engine plane (type 3) {length, width}.
struct CollisionShape {
  /// As the community counts. In the engine's layout 1 is a cylinder and 3 a plane.
  enum class Type : std::uint32_t { box = 0, plane = 1, sphere = 2, cylinder = 3 };

  Node node;
  Type type = Type::box;
  Array<float> payload;

  static constexpr std::size_t kMinSize = 100;
  friend bool operator==(const CollisionShape&, const CollisionShape&) = default;
};

/// FAFX: facial animation of a node, in a file of its own (mdx.md#face-effects).
struct FaceEffect {
  FixedText<80> target;  ///< name of the node
  FixedText<260> path;

  static constexpr std::size_t kRecordSize = 340;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const FaceEffect&, const FaceEffect&) = default;
};

/// Three axes and a translation (mdx.md#bind-poses).
using BindPose = std::array<float, 12>;

// --- chunks and the document
// ------------------------------------------------------------------------------------

/// A chunk that the format does not define, or that could not be read: its bytes are in the chunk's
/// remainder.
struct Opaque {
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

/// A chunk that is a row of objects and nothing else.
template <class T>
struct List {
  using Item = T;  ///< what it is a row of
  std::vector<T> items;
  friend bool operator==(const List&, const List&) = default;
};

/// GLBS: durations in ms; 0 occurs.
struct GlobalSequences {
  Array<std::uint32_t> durations;
  friend bool operator==(const GlobalSequences&, const GlobalSequences&) = default;
};
/// PIVT, indexed by object id.
struct Pivots {
  Array<Vec3> points;
  friend bool operator==(const Pivots&, const Pivots&) = default;
};
/// BPOS: one per node by object id, then one per camera.
struct BindPoses {
  Array<BindPose> poses;
  friend bool operator==(const BindPoses&, const BindPoses&) = default;
};
/// DILG: geosets that a picking ray may hit.
struct PickGeosets {
  Array<std::uint32_t> geoset_ids;
  friend bool operator==(const PickGeosets&, const PickGeosets&) = default;
};

/// SNDS, in one of two layouts: one of the lists is empty.
struct SoundTracks {
  std::vector<SoundTrack> tracks;
  std::vector<ShortSoundTrack> short_tracks;
  friend bool operator==(const SoundTracks&, const SoundTracks&) = default;
};

using Sequences = List<Sequence>;                  ///< SEQS
using Textures = List<Texture>;                    ///< TEXS
using Materials = List<Material>;                  ///< MTLS
using TextureAnimations = List<TextureAnimation>;  ///< TXAN
using Geosets = List<Geoset>;                      ///< GEOS
using GeosetAnimations = List<GeosetAnimation>;    ///< GEOA
using Bones = List<Bone>;                          ///< BONE
using Lights = List<Light>;                        ///< LITE
using Helpers = List<Helper>;                      ///< HELP
using Attachments = List<Attachment>;              ///< ATCH
using ParticleEmitters = List<ParticleEmitter>;    ///< PREM
using ParticleEmitters2 = List<ParticleEmitter2>;  ///< PRE2
using RibbonEmitters = List<RibbonEmitter>;        ///< RIBB
using PopcornEmitters = List<PopcornEmitter>;      ///< CORN
using SoundEmitters = List<SoundEmitter>;          ///< SNEM
using EventObjects = List<EventObject>;            ///< EVTS
using Cameras = List<Camera>;                      ///< CAMS
using CollisionShapes = List<CollisionShape>;      ///< CLID
using FaceEffects = List<FaceEffect>;              ///< FAFX

/// What a chunk can hold; Opaque if it is unknown or cannot be read.
struct ChunkBody
    : std::variant<Opaque, Version, Model, Sequences, GlobalSequences, Textures, SoundEmitters, Materials,
                   TextureAnimations, Geosets, GeosetAnimations, Bones, Lights, Helpers, Attachments, Pivots,
                   ParticleEmitters, ParticleEmitters2, RibbonEmitters, EventObjects, Cameras,
                   CollisionShapes, BindPoses, FaceEffects, PopcornEmitters, PickGeosets, SoundTracks> {
  using variant::operator=;
  using variant::variant;
  // Compiled once, in the library: it takes seconds, which whoever copies a document would wait for.
  ChunkBody();
  /// Holds what the other holds.
  ChunkBody(const ChunkBody& other);
  /// Takes what the other holds.
  ChunkBody(ChunkBody&& other) noexcept;
  /// As the copy constructor.
  ChunkBody& operator=(const ChunkBody& other);
  /// As the move constructor.
  ChunkBody& operator=(ChunkBody&& other) noexcept;
  ~ChunkBody();
  /// Whether both hold the same kind of thing, and equal ones.
  friend bool operator==(const ChunkBody& a, const ChunkBody& b);
};

/// A chunk: its tag, and what it holds by that tag.
struct Chunk {
  FourCC tag;
  ChunkBody body;
  /// Bytes after the last object, or the complete payload of a chunk that could not be read.
  Remainder remainder;
  /// The size that the file states, where it runs past the end of the file.
  std::optional<std::uint32_t> stated_size;

  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// A model: every chunk of its file.
struct Document {
  std::vector<Chunk> chunks;  ///< in file order, empty, unknown and repeated ones included
  Bytes tail;                 ///< bytes after the last chunk

  /// The format version that VERS states; 800 without one.
  [[nodiscard]] std::uint32_t version() const;
  /// The first chunk of a kind, or null: `document.find<mdx::Geosets>()`.
  template <class Body>
  [[nodiscard]] const Body* find() const {
    for (const auto& chunk : chunks) {
      if (const auto* body = std::get_if<Body>(&chunk.body)) {
        return body;
      }
    }
    return nullptr;
  }
  /// The same, to be edited.
  template <class Body>
  [[nodiscard]] Body* find() {
    return const_cast<Body*>(
        std::as_const(*this).find<Body>());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }
  /// Pointers to all items of a kind over all chunks, in file order: `document.all<mdx::Geosets>()`.
  template <class Body>
  [[nodiscard]] std::vector<const typename Body::Item*> all() const {
    std::vector<const typename Body::Item*> found;
    for (const auto& chunk : chunks) {
      if (const auto* body = std::get_if<Body>(&chunk.body)) {
        for (const auto& item : body->items) {
          found.push_back(&item);
        }
      }
    }
    return found;
  }
  /// The same, to be edited; good until chunks or items are added or removed.
  template <class Body>
  [[nodiscard]] std::vector<typename Body::Item*> all() {
    std::vector<typename Body::Item*> found;
    for (const auto* item : std::as_const(*this).template all<Body>()) {
      found.push_back(
          const_cast<typename Body::Item*>(item));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }
    return found;
  }

  friend bool operator==(const Document&, const Document&) = default;
};

/// True if the bytes begin as an MDX file of either dialect does.
bool is_mdx(ByteView bytes);
/// The version in the first VERS chunk, without reading the rest.
std::optional<std::uint32_t> stated_version(ByteView bytes);
/// True for the models of WoW Alpha, which share magic and version numbers
/// (mdx.md#telling-the-dialects-apart).
bool is_wow_alpha(ByteView bytes);

/// Reads a model. Damaged parts are reported in `diagnostics` and kept raw, so that the result writes back to
/// the same bytes; with `options.strict` the first one is the error instead. Other errors: format.unknown
/// when the magic is missing, format.foreign for the WoW dialect, input.too-large. Memory stays within 16
/// times the input, whatever its counts say.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

// --- to a scene (docs/formats/warcraft3-rendering.md; choices: docs/library/evaluation.md)

/// What `to_scene` leaves open: unit, precision, and rules that sources dispute.
struct SceneOptions {
  /// Metres per unit of the game, above 0. One terrain tile is 128 units.
  float scale = 0.01F;
  /// Hermite and Bezier rotations (squad) are fitted by cubic pieces that stay this close, in radians.
  float rotation_tolerance = 2e-5F;
  /// Before the first key of a sequence the curve runs on from the last key, wrapped around
  /// (warcraft3-rendering.md#playing-a-track). With this option it is extrapolated backwards from the first
  /// key, as some viewers do.
  bool extrapolate_before_first_key = false;
  /// Takes node flag 0x2 as "does not inherit rotation" and 0x4 as "does not inherit scaling" instead of the
  /// other way round (mdx.md#node-flags).
  bool swap_inheritance_flags = false;
  /// Floats in all curves together. Clips that would exceed it are left out with a finding: a hostile file of
  /// many tracks and many sequences could otherwise request their product.
  std::uint64_t max_curve_values = std::uint64_t{1} << 22U;
};

/// Converts any document that reads, damaged ones included, into a scene that holds together: indices in
/// range, numbers finite, parents before children, key times increasing. What had to be fixed is reported as
/// scene.* findings. Y is up, lengths are metres, times seconds from the start of each clip.
///
/// One clip per sequence, then one per global sequence in use ("global:N", Clip::global). One mesh per
/// geoset, textures as in TEXS (followed by the game's own for empty slots of HD layers), one node per object
/// of the hierarchy, all below one root.
scene::Scene to_scene(const Document& document, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

// --- from a scene (docs/user/to-warcraft.md)

/// Unit, version, precision, and what is added to scenes that lack what the game requires.
struct FromSceneOptions {
  /// Metres per unit of the game, above 0.
  float scale = 0.01F;
  std::uint32_t version = 800;  ///< one of kTargetVersions
  /// Whether all materials have the six pictures of HD, which begin with version 900, or none has; without it
  /// those that are physically based do, from version 900 on.
  std::optional<bool> hd = std::nullopt;
  /// How far a curve may be from the scene's: a share of the model's size, and radians.
  float tolerance = 5e-5F;
  /// Adds nothing that the scene does not have: no bone for meshes that hang nowhere, no sequence, no
  /// attachment.
  bool bare = false;
  /// As SceneOptions::swap_inheritance_flags, for the flags that are written.
  bool swap_inheritance_flags = false;
  /// Where pictures embedded in the scene are to lie in the game, with the separator at its end; empty: at
  /// the top.
  std::string texture_path;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// A picture that is embedded in the scene, and that the model names.
struct ModelPicture {
  scene::Index texture = scene::kNone;  ///< of the scene
  std::string path;                     ///< in the game, without the ending
  Image image = {};                     ///< where the scene made it; else the file is embedded in the texture
  bool normals = false;                 ///< directions, not colours
};

/// The model, and the pictures that belong next to it.
struct ModelOfScene {
  Document document;
  std::vector<ModelPicture> pictures;
  /// The largest distance, in units of the game, of a vertex from where the scene has it while clips play, as
  /// far as moments of them show it.
  double deviation = 0;
};

/// Makes a model of a scene. What the game cannot hold is reported as scene.lost, what it says otherwise as
/// scene.changed, what was added as scene.added. Errors: write.unsupported for scenes that no model can be of
/// (clips longer than its clock, more bones than a version can name, HD before version 900), convert.version
/// for a version that cannot be written, limit.stopped.
Result<ModelOfScene> from_scene(const scene::Scene& scene, const FromSceneOptions& options = {},
                                Diagnostics& diagnostics = Diagnostics::discarded());

// --- between versions (mdx.md#converting-between-versions; losses: docs/user/versions.md)

/// The versions that can be requested. 1300 to 1700 never shipped, but the 3.0.0 client reads them.
inline constexpr std::array<std::uint32_t, 9> kTargetVersions = {800,  900,  1000, 1100, 1200,
                                                                 1300, 1400, 1600, 1800};

/// How exactly bones are chosen where there must be fewer, and whether weights are made.
struct ConversionOptions {
  /// Moments of the model's sequences at which candidates for a vertex's bones are compared, 1 to 1024. More
  /// than fit a fixed budget of memory are not taken.
  std::size_t moments = 48;
  /// To 900 and later: matrix groups become weights of equal shares, with tangents, as physically based
  /// shaders require them. Groups of more than four bones, or of nodes that are no bones, stay.
  bool weights = false;
};

/// Something that the target cannot say, or says only nearly.
struct Loss {
  Code code;
  std::string path;  ///< in the source, "MTLS[2].layers[0].emissiveGain"
  std::string message;
  /// How far a vertex is from where it was, at most, over the moments that were looked at: in units of the
  /// game. Only where a position is approximated.
  std::optional<double> deviation;
};

/// The model in its new version, and what that cost.
struct VersionConversion {
  Document document;
  /// In the order of the work. Empty: going back to the old version gives the same fields, except that
  /// going back to 900 or later adds bind poses to a model that had none.
  std::vector<Loss> losses;
  /// Losses that were counted but not kept.
  std::size_t more_losses = 0;
  /// For each geoset of the result that of the source which it came from.
  std::vector<std::size_t> source_geosets;
};

/// The same model as another version. Nothing that the target can say is touched, except where the rules of
/// mdx.md#converting-between-versions require it. Errors: convert.version for a target not in
/// kTargetVersions, convert.damaged for a chunk that could not be read and whose layout differs between the
/// versions, input.too-large for geosets that have to be divided and whose parts would repeat more than 256
/// MiB. Damaged objects keep the fields that could be read.
Result<VersionConversion> convert_version(const Document& document, std::uint32_t target,
                                          const ConversionOptions& options = {});

/// A document as bytes that were read again and hold every field as it was.
struct Verified {
  Bytes bytes;
  bool strict = false;  ///< read again without a damaged part
};
/// Writes a document and reads it again, strictly if that succeeds. The error is convert.verify with the
/// first field that differs.
Result<Verified> write_verified(const Document& document);

// --- edits (docs/user/edit.md). Each changes nothing else, logs its changes, and reports edit.nothing
// without a match

/// Renames sequences that a pattern meets (see `renamed`).
Result<void> rename_sequences(Document& document, std::string_view pattern, std::string_view name,
                              EditLog& log);

/// Changes the paths of textures, of models that hang or are thrown out, of effects, of facial animations.
Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log);

/// Removes things and what belongs to them alone: of a geoset its animation, of a sequence its bounds.
/// Everything that is referred to by number keeps its meaning; what hung at a node hangs at that one's
/// parent. `what` is a kind (geoset, sequence, bone, helper, light, attachment, emitter, ribbon, event,
/// collision, camera, texture, material), alone for all of it, or with `:` and a number, a name or a pattern
/// of names; a texture goes by its path. The error is edit.refused for what others need: a bone that moves
/// vertices, a texture or a material in use.
Result<void> remove_things(Document& document, std::string_view what, EditLog& log);

/// Turns, scales and moves everything that has a place or a length: vertices, nodes and their tracks, bounds,
/// lights, emitters, cameras, shapes, the speed of walking. What the model shows is what it showed, there:
/// emitters, attachments and billboards get rotations where they need some. Things that cannot follow exactly
/// are findings (edit.inexact).
void place(Document& document, const Placement& placement, EditLog& log);

/// Adds an attachment point: NAME, NAME\@NODE to hang at a node (by name), and after a `:` its position as
/// X,Y,Z, from the model's origin or the node's pivot.
Result<void> add_attachment(Document& document, std::string_view what, EditLog& log);

/// Lays the colour of the player under materials: by number, or all with `*`. The lowest layer shows it where
/// its picture lets it through. Materials that show it already, and physically based ones, which have a
/// picture for it, stay.
Result<void> add_team_color(Document& document, std::string_view which, EditLog& log);

/// Names of another model's nodes, and of this one's, where those differ.
using BoneNames = std::vector<std::pair<std::string, std::string>>;
/// Copies sequences that match a pattern from another model, after everything: movements of nodes by name,
/// and events. What is no movement (visibility, colours, pictures) shows there what it shows in Stand. Loops
/// of either model stay out of it. Nodes and events that have no counterpart are findings.
Result<void> copy_clips(Document& document, const Document& other, std::string_view pattern,
                        const BoneNames& bones, EditLog& log);

/// Makes another model a part of this one that hangs at a node: its geosets, materials, textures, nodes,
/// emitters and attachments. It stands as its Stand begins, its loops go on; cameras, events and collision
/// shapes are not copied. A model of another version becomes one of this version first.
Result<void> attach_model(Document& document, const Document& model, std::string_view node, EditLog& log);

/// Makes the portrait of a unit: its Portrait sequences, or its Stand under that name, and a camera before
/// the head where there is none. The error is edit.refused without such a sequence.
Result<void> make_portrait(Document& document, EditLog& log);

// --- smaller models that look the same (docs/user/versions.md)

/// What can be dropped, one kind of thing at a time.
enum class OptimizeStep : std::uint8_t {
  tracks,              ///< tracks that show what the object shows without them
  curves,              ///< tracks with tangents that lines, or fewer turns, say as well
  keys,                ///< keys that no sequence reaches, or that their neighbours say
  nodes,               ///< bones and helpers that move nothing, and pivots without a node
  texture_animations,  ///< unused, without effect, or equal ones
  materials,           ///< unused or equal ones
  textures,            ///< unused or equal ones
  global_sequences,    ///< unused ones
  geosets,             ///< geosets of one opaque material that are always seen together
  vertices,            ///< vertices without a face, or that are equal bit by bit
};
inline constexpr std::size_t kOptimizeStepCount = 10;  ///< values of OptimizeStep
/// In the order in which they are done.
inline constexpr std::array<OptimizeStep, kOptimizeStepCount> kOptimizeSteps = {
    OptimizeStep::tracks,
    OptimizeStep::curves,
    OptimizeStep::keys,
    OptimizeStep::nodes,
    OptimizeStep::texture_animations,
    OptimizeStep::materials,
    OptimizeStep::textures,
    OptimizeStep::global_sequences,
    OptimizeStep::geosets,
    OptimizeStep::vertices};
/// "tracks", "keys", "curves", …
std::string_view optimize_step_name(OptimizeStep step);

/// How far anything may move, and which steps are done.
struct OptimizeOptions {
  /// How far anything may be from where it was, at most: vertices and nodes as a share of the model's size,
  /// turns by how far that moves anything, colours, alphas and texture coordinates as they are, other values
  /// as a share of the largest value of their track. 0 to 1; at 0 only what rounding hides is dropped.
  double max_error = 1e-4;
  /// By position in kOptimizeSteps.
  std::array<bool, kOptimizeStepCount> steps{true, true, true, true, true, true, true, true, true, true};
};

/// The smaller model, and what it cost.
struct OptimizeResult {
  /// What one step dropped, and the bytes that this won.
  struct Step {
    OptimizeStep step = OptimizeStep::tracks;
    std::size_t removed = 0;      ///< things of the step's kind
    std::uint64_t bytes_won = 0;  ///< of the file
  };
  Document document;
  std::vector<Step> steps;  ///< the requested ones
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
  /// The largest deviation, in the terms of max_error, that was met when both models were evaluated.
  double deviation = 0;
  double size = 0;  ///< of the model: the diagonal of the box around its vertices, or else its nodes
};

/// Drops what shows nothing. Events, sequences, attachments, collision shapes and the bones by which the game
/// turns heads and turrets stay; nodes, geosets, materials, textures, texture animations and global sequences
/// are renumbered wherever they are referred to. The key frames of a squirting emitter's rate stay, because
/// each of them fires. The error is optimize.damaged for a document with parts that could not be read: they
/// may refer to anything. The finding optimize.tracks says that all tracks stay as they are: because of
/// values that deviate by more than max_error whatever is dropped, as infinite ones do, or of sequences that
/// overlap and play too many keys to measure.
Result<OptimizeResult> optimize(const Document& document, const OptimizeOptions& options = {},
                                Diagnostics& findings = Diagnostics::discarded());

}  // namespace thaw::mdx

#pragma GCC visibility pop
