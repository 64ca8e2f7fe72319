// Models of World of Warcraft's alpha (MDX, dialect wow-alpha), versions 1300, 1400 and 1500, as documents:
// everything that is in the file, in the file's own terms and order. write(read(x)) == x for every file that
// reads.
//
// docs/formats/mdx_alpha.md describes the format. Times are milliseconds on one common time line, angles
// radians, lengths yards, axes right-handed with X to the front and Z up. Colours are stored B G R.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

/// Models of World of Warcraft's alpha.
namespace thaw::mdx_alpha {

// Structures that both dialects of MDX have alike.
using mdx::CellRun;
using mdx::Extent;
using mdx::GlobalSequences;
using mdx::Interpolation;
using mdx::Opaque;
using mdx::Pivots;
using mdx::Texture;
using mdx::Version;

// --- tracks (mdx_alpha.md#tracks)
// ---------------------------------------------------------------------------------------------

/// The quaternion x y z w of a rotation packed into 64 bits: 22 of x, 21 of y, 21 of z; w is never negative.
std::array<double, 4> unpack_rotation(std::int64_t packed);
/// The nearest packed rotation of a unit quaternion x y z w. unpack_rotation of the result packs to the same
/// bits.
std::int64_t pack_rotation(const std::array<double, 4>& rotation);

/// What the keys of a track are (mdx_alpha.md#tracks).
enum class TrackKind : std::uint8_t {
  unknown,
  vector,    ///< three floats
  rotation,  ///< packed, tangents too
  scalar,    ///< one float
  index,     ///< one integer, and no interpolation stored
};
/// What the keys of a track are, by its tag (KGTR and so on); `unknown` for tags that the game does not have.
TrackKind track_kind(FourCC tag);

/// Keyframes of one property. Keys lie in one block of 32-bit words as in the file: time, value, and with
/// Hermite and Bezier the in and out tangents.
struct Track {
  FourCC tag;
  Interpolation interpolation = Interpolation::none;  ///< not stored for TrackKind::index
  std::int32_t global_sequence = -1;                  ///< index into GLBS, −1 for none
  Array<std::uint32_t> words;

  /// Whether each key has an in and an out tangent.
  [[nodiscard]] bool has_tangents() const {
    return interpolation == Interpolation::hermite || interpolation == Interpolation::bezier;
  }
  /// Words of one value: 3, of rotations 2, of scalars and integers 1.
  [[nodiscard]] std::size_t width() const;
  /// Words per key.
  [[nodiscard]] std::size_t stride() const { return 1U + width() * (has_tangents() ? 3U : 1U); }
  /// Number of keys.
  [[nodiscard]] std::size_t size() const { return words.size() / stride(); }

  /// When a key is, in milliseconds.
  [[nodiscard]] std::int32_t time(std::size_t key) const {
    return static_cast<std::int32_t>(words[key * stride()]);
  }
  /// The value of a key, where they are integers.
  [[nodiscard]] std::int32_t integer(std::size_t key) const {
    return static_cast<std::int32_t>(words[key * stride() + 1]);
  }
  /// A packed rotation; `part` is 0 for the value, 1 for the in tangent, 2 for the out tangent.
  [[nodiscard]] std::int64_t packed(std::size_t key, unsigned part = 0) const;
  /// Up to four floats, rotations unpacked.
  [[nodiscard]] Vec4 value(std::size_t key, unsigned part = 0) const;

  static constexpr std::size_t kMinSize = 12;
  static constexpr std::size_t kUsualCount = 3;
  friend bool operator==(const Track&, const Track&) = default;
};
using Tracks = std::vector<Track>;  ///< of one object, in file order

/// The track of a tag, or null.
const Track* find_track(const Tracks& tracks, FourCC tag);
/// Not of a temporary list, with which the track would be gone.
const Track* find_track(const Tracks&& tracks, FourCC tag) = delete;

// --- objects (mdx_alpha.md#objects)
// --------------------------------------------------------------------------------------------

/// Bits of Node::flags (mdx_alpha.md#objects). Those of kinds are not as in Warcraft III; of those in quotes
/// only the name is known.
namespace node_flag {
inline constexpr std::uint32_t kDontInheritTranslation = 0x1;  ///< the parent's translation has no effect
// Sources disagree on 0x2 and 0x4; the one genuine file with a bit of them speaks for this reading.
inline constexpr std::uint32_t kDontInheritScaling = 0x2;   ///< the parent's scale has no effect
inline constexpr std::uint32_t kDontInheritRotation = 0x4;  ///< the parent's rotation has no effect
inline constexpr std::uint32_t kBillboarded = 0x8;          ///< turns to the camera
inline constexpr std::uint32_t kBillboardedLockX = 0x10;    ///< turns to the camera about X only
inline constexpr std::uint32_t kBillboardedLockY = 0x20;    ///< turns to the camera about Y only
inline constexpr std::uint32_t kBillboardedLockZ = 0x40;    ///< turns to the camera about Z only
inline constexpr std::uint32_t kBone = 0x80;                ///< a node in BONE; not stored in files
inline constexpr std::uint32_t kLight = 0x100;              ///< a node in LITE
inline constexpr std::uint32_t kEvent = 0x200;              ///< a node in EVTS
inline constexpr std::uint32_t kAttachment = 0x400;         ///< a node in ATCH
inline constexpr std::uint32_t kEmitter = 0x800;            ///< a node in PRE2
inline constexpr std::uint32_t kHitTest = 0x1000;           ///< a node in HTST
inline constexpr std::uint32_t kRibbon = 0x2000;            ///< a node in RIBB
// Of emitters.
inline constexpr std::uint32_t kProject = 0x4000;               ///< "project"; no more is known of it
inline constexpr std::uint32_t kUnshaded = 0x8000;              ///< PRE2: takes no light
inline constexpr std::uint32_t kPremUsesTga = 0x8000;           ///< PREM: EmitterUsesTGA
inline constexpr std::uint32_t kSortPrimsFarZ = 0x10000;        ///< PRE2: the farthest drawn first
inline constexpr std::uint32_t kPremUsesMdl = 0x10000;          ///< PREM: EmitterUsesMDL
inline constexpr std::uint32_t kLineEmitter = 0x20000;          ///< PRE2: directions spread in one plane
inline constexpr std::uint32_t kUnfogged = 0x40000;             ///< takes no fog
inline constexpr std::uint32_t kModelSpace = 0x80000;           ///< PRE2: particles move with the node
inline constexpr std::uint32_t kInheritScale = 0x100000;        ///< PRE2: "inherit scale"
inline constexpr std::uint32_t kInstantVelocity = 0x200000;     ///< PRE2: "instant velocity"
inline constexpr std::uint32_t kZeroKill = 0x400000;            ///< PRE2: they die after their first tick
inline constexpr std::uint32_t kZVelocityOnly = 0x800000;       ///< PRE2: they fly along Z only
inline constexpr std::uint32_t kTumbler = 0x1000000;            ///< PRE2: "tumbler"; see tumble
inline constexpr std::uint32_t kTailGrows = 0x2000000;          ///< PRE2: "tail grows"
inline constexpr std::uint32_t kExtrude = 0x4000000;            ///< PRE2: "extrude"
inline constexpr std::uint32_t kXyQuads = 0x8000000;            ///< PRE2: flat quads
inline constexpr std::uint32_t kProjectParticles = 0x10000000;  ///< PRE2: "project"
inline constexpr std::uint32_t kFollow = 0x20000000;            ///< PRE2: "follow"; see follow
}  // namespace node_flag

/// The part that all objects of the hierarchy share (GENOBJECT).
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

// --- model and sequences (mdx_alpha.md#model)
// --------------------------------------------------------------------------------

/// MODL: the model's name, bounds and behaviour on the ground.
struct Model {
  static constexpr std::uint8_t kGroundTrack = 3;  ///< mask: 0 yaw, 1 and pitch, 2 and roll
  static constexpr std::uint8_t kAlwaysAnimate = 4;

  FixedText<80> name;
  FixedText<260> animation_file;
  Extent extent;
  std::uint8_t flags = 0;
  /// In the one genuine file at hand the number of objects, which is that of the pivots.
  std::uint32_t object_count = 0;
  friend bool operator==(const Model&, const Model&) = default;
};

/// One entry of SEQS: an animation as a part of the time line.
struct Sequence {
  static constexpr std::uint32_t kNonLooping = 1;

  FixedText<80> name;
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  float move_speed = 0;
  std::uint32_t flags = 0;
  Extent extent;
  float frequency = 0;  ///< of all sequences of one name, together 1
  std::uint32_t replay_min = 0;
  std::uint32_t replay_max = 0;
  std::uint32_t blend_time = 0;  ///< ms

  static constexpr std::size_t kRecordSize = 140;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const Sequence&, const Sequence&) = default;
};

// --- materials (mdx_alpha.md#materials)
// ------------------------------------------------------------------------------------------

/// One texture pass of a material.
struct Layer {
  static constexpr std::uint32_t kUnshaded = 0x1;
  static constexpr std::uint32_t kSphereEnvMap = 0x2;
  static constexpr std::uint32_t kWrapWidth = 0x4;
  static constexpr std::uint32_t kWrapHeight = 0x8;
  static constexpr std::uint32_t kTwoSided = 0x10;
  static constexpr std::uint32_t kUnfogged = 0x20;
  static constexpr std::uint32_t kNoDepthTest = 0x40;
  static constexpr std::uint32_t kNoDepthSet = 0x80;
  static constexpr std::uint32_t kNoFallback = 0x100;  ///< from 1500

  mdx::FilterMode blend = mdx::FilterMode::none;
  std::uint32_t flags = 0;
  std::int32_t texture_id = -1;            ///< index into TEXS, −1 for none
  std::int32_t texture_animation_id = -1;  ///< index into TXAN, −1 for none
  std::int32_t coord_id = 0;               ///< UV set of the geoset, −1 for none
  float alpha = 1;
  Tracks tracks;  ///< KMTA KMTF
  Remainder remainder;

  static constexpr std::size_t kMinSize = 28;
  friend bool operator==(const Layer&, const Layer&) = default;
};

/// One entry of MTLS: texture passes over each other.
struct Material {
  std::int32_t priority_plane = 0;
  std::vector<Layer> layers;
  Remainder remainder;

  static constexpr std::size_t kMinSize = 12;
  friend bool operator==(const Material&, const Material&) = default;
};

/// One entry of TXAN: KTAT KTAR KTAS.
struct TextureAnimation {
  Tracks tracks;
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4;
  friend bool operator==(const TextureAnimation&, const TextureAnimation&) = default;
};

// --- geosets
// ----------------------------------------------------------------------------------------------------

/// A mesh of one material, and what moves its vertices, up to version 1400 (mdx_alpha.md#geosets).
struct Geoset {
  static constexpr std::uint32_t kUnselectable = 1;

  Array<Vec3> positions;                  ///< VRTX
  Array<Vec3> normals;                    ///< NRMS
  std::uint32_t uv_set_count = 0;         ///< UVAS counts sets, each of as many pairs as there are positions
  Array<Vec2> uvs;                        ///< all sets, one after the other
  Array<std::uint8_t> primitive_types;    ///< PTYP; 4 is triangles
  Array<std::uint32_t> primitive_counts;  ///< PCNT, indices of each face group
  Array<std::uint16_t> indices;           ///< PVTX, of all groups
  Array<std::uint8_t> vertex_groups;      ///< GNDX, matrix group of each vertex
  Array<std::uint32_t> matrix_groups;     ///< MTGC, bones of each matrix group
  Array<std::uint32_t> matrix_indices;    ///< MATS, object ids of all matrix groups
  /// BIDX and BWGT: what the groups say, for vertices sorted by group; up to four bones, the first in the
  /// lowest byte, and their weights, the first in the highest byte.
  Array<std::uint32_t> bone_indices;
  Array<std::uint32_t> bone_weights;
  std::int32_t material_id = 0;  ///< index into MTLS
  std::uint32_t selection_group = 0;
  std::uint32_t flags = 0;
  Extent extent;
  std::vector<Extent> sequence_extents;
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4 + 11 * 8 + 12 + 28 + 4;
  friend bool operator==(const Geoset&, const Geoset&) = default;
};

/// Vertex of version 1500 (mdx_alpha.md#later-versions).
struct SectionVertex {
  Vec3 position{};
  std::array<std::uint8_t, 4> weights{};
  std::array<std::uint8_t, 4> bones{};
  Vec3 normal{};
  std::array<Vec2, 2> uvs{};

  static constexpr std::size_t kRecordSize = 48;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const SectionVertex&, const SectionVertex&) = default;
};

/// First part of what version 1500 has in place of a geoset.
struct Section {
  static constexpr std::uint32_t kUnselectable = 1;

  std::int32_t material_id = 0;  ///< index into MTLS
  Vec3 center{};
  float radius = 0;
  std::uint32_t selection_group = 0;
  std::uint32_t geoset_index = 0;
  std::uint32_t flags = 0;
  std::uint32_t vertex_count = 0;  ///< must be that of its batch
  std::uint32_t type_count = 0;
  std::uint32_t index_count = 0;
  std::array<std::uint32_t, 2> reserved{};

  static constexpr std::size_t kRecordSize = 64;
  static constexpr std::size_t kMinSize = kRecordSize;
  friend bool operator==(const Section&, const Section&) = default;
};

/// Second part: what is drawn.
struct Batch {
  static constexpr std::uint32_t kTriangles = 3;

  std::vector<SectionVertex> vertices;
  std::uint32_t primitive_type = kTriangles;
  std::uint32_t reserved = 0;
  std::uint16_t minimum_vertex = 0;
  std::uint16_t maximum_vertex = 0;
  std::uint16_t reserved_group = 0;
  Array<std::uint16_t> indices;
  Array<std::uint16_t> padding;  ///< to a multiple of 8 indices

  static constexpr std::size_t kMinSize = 16;
  friend bool operator==(const Batch&, const Batch&) = default;
};

/// GEOS from version 1500: all sections, then the batch of each.
struct Sections {
  std::vector<Section> sections;
  std::vector<Batch> batches;
  friend bool operator==(const Sections&, const Sections&) = default;
};

/// One entry of GEOA: colour and alpha of a geoset over time (mdx_alpha.md#geosets).
struct GeosetAnimation {
  static constexpr std::uint32_t kUseColor = 1;

  std::int32_t geoset_id = -1;  ///< index into GEOS
  float alpha = 1;
  Vec3 color{1, 1, 1};
  std::uint32_t flags = 0;
  Tracks tracks;  ///< KGAO KGAC
  Remainder remainder;

  static constexpr std::size_t kMinSize = 28;
  friend bool operator==(const GeosetAnimation&, const GeosetAnimation&) = default;
};

// --- objects of the hierarchy
// -----------------------------------------------------------------------------------

/// BONE: a node that moves vertices.
struct Bone {
  Node node;
  std::int32_t geoset_id = -1;            ///< −1: several
  std::int32_t geoset_animation_id = -1;  ///< −1: none

  static constexpr std::size_t kMinSize = 104;
  friend bool operator==(const Bone&, const Bone&) = default;
};

/// HELP: a node with nothing of its own.
struct Helper {
  Node node;

  static constexpr std::size_t kMinSize = 96;
  friend bool operator==(const Helper&, const Helper&) = default;
};

/// LITE: a light (mdx_alpha.md#lights).
struct Light {
  Node node;
  std::uint32_t type = 0;  ///< 0 omni, 1 directional, 2 ambient
  float attenuation_start = 0;
  float attenuation_end = 0;
  Vec3 color{1, 1, 1};
  float intensity = 0;
  Vec3 ambient_color{1, 1, 1};
  float ambient_intensity = 0;
  Tracks tracks;  ///< KLAS KLAE KLAC KLAI KLBC KLBI KVIS
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4 + 96 + 44;
  friend bool operator==(const Light&, const Light&) = default;
};

/// ATCH: where the game hangs other models.
struct Attachment {
  Node node;
  std::uint32_t attachment_id = 0;
  std::uint8_t reserved = 0xFF;
  FixedText<260> path;  ///< of a model that hangs there; mostly empty
  Tracks tracks;        ///< KVIS
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4 + 96 + 265;
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// PREM: spawns models; no file of WoW Alpha is known to have it.
struct ParticleEmitter {
  Node node;
  float emission_rate = 0;
  float gravity = 0;
  float longitude = 0;
  float latitude = 0;
  FixedText<260> path;  ///< of the models that are thrown out
  float life_span = 0;  ///< s
  float speed = 0;
  Tracks tracks;  ///< KPEE KPEG KPLN KPLT KPEL KPES KVIS
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4 + 96 + 284;
  friend bool operator==(const ParticleEmitter&, const ParticleEmitter&) = default;
};

/// PRE2: spawns textured quads or models (mdx_alpha.md#particle-emitters).
struct ParticleEmitter2 {
  /// The shape that particles come from.
  enum class Type : std::uint32_t { base = 0, plane = 1, sphere = 2, spline = 3 };

  Node node;
  std::uint32_t emitter_size = 0;  ///< of unproven meaning
  Type type = Type::plane;
  float speed = 0;
  float variation = 0;  ///< share of the speed
  float latitude = 0;
  float longitude = 0;
  float gravity = 0;
  float z_source = 0;
  float life_span = 0;  ///< s
  float emission_rate = 0;
  float length = 0;  ///< sphere: outer radius; spline: end angle
  float width = 0;   ///< sphere: inner radius; spline: start angle
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  mdx::ParticleEmitter2::Shape shape = mdx::ParticleEmitter2::Shape::head;
  float tail_length = 0;
  float middle = 0.5F;  ///< share of life at which segment 1 is reached
  std::array<Vec3, 3> segment_colors{};
  std::array<std::uint8_t, 3> segment_alphas{};
  Vec3 segment_scales{};
  CellRun head_life;
  CellRun head_decay;
  CellRun tail_life;
  CellRun tail_decay;
  mdx::ParticleEmitter2::Filter filter = mdx::ParticleEmitter2::Filter::blend;
  std::int32_t texture_id = -1;  ///< index into TEXS, −1 for none
  std::int32_t priority_plane = 0;
  std::uint32_t replaceable_id = 0;  ///< in place of the texture; 0 for none
  FixedText<260> geometry_model;     ///< thrown out in place of quads; empty for none
  FixedText<260> recursion_model;    ///< another model; only its name states what for
  float twinkle_fps = 10;
  float twinkle_on_off = 0;
  Vec2 twinkle_scale{1, 1};  ///< minimum, maximum
  float instant_velocity_scale = 0;
  std::array<Vec2, 3> tumble{};  ///< minimum, maximum about x, y and z
  float drag = 0;
  float spin = 0;
  Vec3 wind{};
  float wind_time = 0;
  std::array<Vec2, 2> follow{};  ///< speed, scale
  Array<Vec3> spline;
  std::uint32_t squirts = 0;  ///< 0 or 1; as mdx::ParticleEmitter2::squirt
  Tracks tracks;              ///< KVIS KP2S KP2R KP2L KPLN KP2G KLIF KP2E KP2W KP2N KP2Z
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4 + 96 + 0x31B;
  friend bool operator==(const ParticleEmitter2&, const ParticleEmitter2&) = default;
};

/// RIBB: a strip that a node draws behind it (mdx_alpha.md#ribbons).
struct RibbonEmitter {
  Node node;
  std::uint32_t emitter_size = 0;  ///< of unproven meaning
  float height_above = 0;
  float height_below = 0;
  float alpha = 1;
  Vec3 color{1, 1, 1};
  float life_span = 0;              ///< s
  std::uint32_t texture_slot = 0;   ///< cell of the texture grid
  std::uint32_t emission_rate = 0;  ///< edges per second
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  std::int32_t material_id = 0;  ///< index into MTLS
  float gravity = 0;
  Tracks tracks;  ///< KRHA KRHB KRAL KRCO KRTX KVIS
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4 + 96 + 0x38;
  friend bool operator==(const RibbonEmitter&, const RibbonEmitter&) = default;
};

/// KEVT: the times at which an event fires.
struct EventTrack {
  std::int32_t global_sequence = -1;
  Array<std::int32_t> times;
  friend bool operator==(const EventTrack&, const EventTrack&) = default;
};

/// EVTS: what the game does at given times, by the event's four letters.
struct EventObject {
  Node node;
  std::optional<EventTrack> track;
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4 + 96;
  friend bool operator==(const EventObject&, const EventObject&) = default;
};

/// HTST: what a click hits. Box {minimum, maximum}, cylinder {base, height, radius}, sphere {centre, radius},
/// plane {length, width}.
struct HitTest {
  /// What `payload` is.
  enum class Shape : std::uint8_t { box = 0, cylinder = 1, sphere = 2, plane = 3 };

  Node node;
  Shape shape = Shape::box;
  Array<float> payload;
  Remainder remainder;

  static constexpr std::size_t kMinSize = 4 + 96 + 1;
  friend bool operator==(const HitTest&, const HitTest&) = default;
};

/// CAMS: a camera (mdx_alpha.md#cameras).
struct Camera {
  FixedText<80> name;
  Vec3 position{};
  float field_of_view = 0;  ///< diagonal, radians
  float far_clip = 0;
  float near_clip = 0;
  Vec3 target{};
  Tracks tracks;  ///< KCTR KCRL KVIS KTTR
  Remainder remainder;

  static constexpr std::size_t kMinSize = 120;
  friend bool operator==(const Camera&, const Camera&) = default;
};

// --- chunks and the document
// ------------------------------------------------------------------------------------

/// Chunks that are a count and that many objects.
template <class T>
struct List {
  using Item = T;  ///< what it is a row of
  std::vector<T> items;
  friend bool operator==(const List&, const List&) = default;
};

/// MTLS: the count, a word that is not used, and the materials.
struct Materials : List<Material> {
  std::uint32_t reserved = 0;
  friend bool operator==(const Materials&, const Materials&) = default;
};
/// ATCH: the count, another word, and the attachments.
struct Attachments : List<Attachment> {
  std::uint32_t reserved = 0;  ///< in the one genuine file at hand the highest attachment id
  friend bool operator==(const Attachments&, const Attachments&) = default;
};
/// TEXS: records without a count.
struct Textures : List<Texture> {
  friend bool operator==(const Textures&, const Textures&) = default;
};
/// CLID: a mesh that things collide with (mdx_alpha.md#hit-tests-and-collision).
struct CollisionMesh {
  Array<Vec3> positions;         ///< VRTX
  Array<std::uint16_t> indices;  ///< TRI
  Array<Vec3> normals;           ///< NRMS, one per triangle
  friend bool operator==(const CollisionMesh&, const CollisionMesh&) = default;
};

using Sequences = List<Sequence>;                  ///< SEQS
using TextureAnimations = List<TextureAnimation>;  ///< TXAN
using Geosets = List<Geoset>;                      ///< GEOS up to version 1400
using GeosetAnimations = List<GeosetAnimation>;    ///< GEOA
using Bones = List<Bone>;                          ///< BONE
using Lights = List<Light>;                        ///< LITE
using Helpers = List<Helper>;                      ///< HELP
using ParticleEmitters = List<ParticleEmitter>;    ///< PREM
using ParticleEmitters2 = List<ParticleEmitter2>;  ///< PRE2
using RibbonEmitters = List<RibbonEmitter>;        ///< RIBB
using EventObjects = List<EventObject>;            ///< EVTS
using HitTests = List<HitTest>;                    ///< HTST
using Cameras = List<Camera>;                      ///< CAMS

/// What a chunk can hold; Opaque if it is unknown or cannot be read.
struct ChunkBody : std::variant<Opaque, Version, Model, Sequences, GlobalSequences, Materials, Textures,
                                TextureAnimations, Geosets, Sections, GeosetAnimations, Bones, Lights,
                                Helpers, Attachments, Pivots, ParticleEmitters, ParticleEmitters2,
                                RibbonEmitters, Cameras, EventObjects, HitTests, CollisionMesh> {
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

  /// The format version that VERS states; 1300 without one.
  [[nodiscard]] std::uint32_t version() const;
  /// The first chunk of a kind, or null: `document.find<mdx_alpha::Pivots>()`.
  template <class Body>
  [[nodiscard]] const Body* find() const {
    for (const auto& chunk : chunks) {
      if (const auto* body = std::get_if<Body>(&chunk.body)) {
        return body;
      }
    }
    return nullptr;
  }
  /// Pointers to all items of a kind over all chunks, in file order: `document.all<mdx_alpha::Bones>()`.
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

  friend bool operator==(const Document&, const Document&) = default;
};

/// Reads a model. Damaged parts are reported in `diagnostics` and kept raw, so that the result writes back to
/// the same bytes; with `options.strict` the first one is the error instead. Other errors: format.unknown
/// when the magic is missing, format.foreign for a model of Warcraft III (see mdx::is_wow_alpha),
/// input.too-large. Memory stays within 16 times the input, whatever its counts say.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

/// An object of the hierarchy, and the chunk that it stands in.
struct NodeEntry {
  const Node* node = nullptr;
  FourCC chunk;
  std::size_t index = 0;  ///< over all chunks of the kind
};
/// Every object in the order in which the game numbers them: bones, lights, helpers, attachments, emitters,
/// ribbons, events, hit tests. They point into the document.
std::vector<NodeEntry> all_nodes(const Document& document);
/// Not into a temporary one.
std::vector<NodeEntry> all_nodes(const Document&& document) = delete;

// --- to a scene and to Warcraft III's MDX (mdx_alpha.md#animation, mdx_alpha.md#skins; choices:
// docs/library/evaluation.md)

/// What `to_scene` leaves open: unit, precision, and a rule that sources dispute.
struct SceneOptions {
  /// Metres per yard, above 0. By default a yard becomes a unit, as other tools do it; 0.9144 is true to
  /// size.
  float scale = 1;
  /// Hermite and Bezier rotations (squad) are fitted by cubic pieces that stay this close, in radians.
  float rotation_tolerance = 2e-5F;
  /// Takes node flag 0x2 as "does not inherit rotation" and 0x4 as "does not inherit scaling" instead of the
  /// other way round.
  bool swap_inheritance_flags = false;
  /// Floats in all curves together, as in mdx::SceneOptions.
  std::uint64_t max_curve_values = std::uint64_t{1} << 22U;
};

/// Converts any document that reads, damaged ones included, into a scene that holds together. The model looks
/// along +Z and stands on Y = 0: (x, y, z) of the file is (y, z, x). One clip per sequence, then one per
/// global sequence in use; one mesh per geoset, textures as in TEXS, one node per object of the hierarchy.
/// Findings are scene.* ones. Scene::source_format is "mdx-alpha".
scene::Scene to_scene(const Document& document, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// Which of the files next to a model are its skins (mdx_alpha.md#skins): pairs for
/// ImageOptions::replaceables. The game knows them from a table (CreatureDisplayInfo.dbc) and looks in the
/// folder of the model; without the table names decide. For ids 1, 2 and 11, of the .blp files that no
/// texture names, the one called as the model, else as the model with `Skin`, else the first that begins so,
/// else the first that begins as the model, else the first with `Skin` in it; for ids 12 and 13 the first
/// that begins as the model with `Skin2` or `Skin3`. `model` is the name of the file without its extension;
/// `files` are names or paths, which are given back as they are.
std::vector<std::pair<std::uint32_t, std::string>> adjacent_skins(const Document& document,
                                                                  std::string_view model,
                                                                  const std::vector<std::string>& files);

/// The model of Warcraft III (version 800; 900 for one of version 1500) that says the same, as far as one
/// can, in the same axes and units. What it cannot say is reported as convert.* findings. Damaged objects
/// hold what could be read of them.
mdx::Document to_warcraft(const Document& document, Diagnostics& diagnostics = Diagnostics::discarded());

/// "monster skin 1" and the like for the game's replaceable textures; empty for ids that it does not define.
std::string_view replaceable_name(std::uint32_t replaceable_id);

// --- from Warcraft III's MDX (docs/user/versions.md#to-the-alpha-of-world-of-warcraft)

/// The model of version 1300 that says the same as one of Warcraft III of version 800, as far as one can, in
/// the same axes and units: objects numbered in the order of WoW Alpha, rotations packed, bones of vertices
/// listed, shapes as hit tests. Things collide with `collision`, without one with a box. What it cannot say
/// is reported as convert.* findings, and so are replaceable ids unless they are WoW Alpha's (`alpha_ids`).
/// Damaged objects hold what could be read of them.
Document from_warcraft(const mdx::Document& model, Diagnostics& diagnostics = Diagnostics::discarded(),
                       std::optional<CollisionMesh> collision = std::nullopt, bool alpha_ids = false);

}  // namespace thaw::mdx_alpha

#pragma GCC visibility pop
