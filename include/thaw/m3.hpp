// World of Warcraft M3 models (M3DT) and their material libraries (.mtl3lib). See m3.md#structure.
//
// A document keeps every byte, so that write(read(x)) == x for every file that reads. No real file of this
// format is public: what is known from bytes of other people's making only is reported as read.unproven.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/codes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/edit.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

/// World of Warcraft's M3 models and their material libraries.
namespace thaw::m3 {

// --- buffers (m3.md#streams)
// -----------------------------------------------------------------------------------------------

/// Formats of buffer elements (m3.md#element-formats), by their tags.
enum class ElementFormat : std::uint8_t {
  unknown,
  f32x1,   ///< 1F32
  f32x2,   ///< 2F32
  f32x3,   ///< 3F32
  f32x4,   ///< 4F32
  f16x2,   ///< 2F16
  f16x4,   ///< 4F16
  u32x1,   ///< 1U32
  u16x1,   ///< 1U16
  u16x4,   ///< 4U16
  u8x4,    ///< 4U08
  u8n_x4,  ///< 4U8N, each / 255
  u10n,    ///< U10N, x y z of ten bits each from the lowest on, and two bits of padding
};
/// By its tag in the file, such as 3F32; `unknown` for other tags.
ElementFormat element_format(FourCC tag);
/// The tag of a format, all zeros for `unknown`.
FourCC element_tag(ElementFormat format);
/// Bytes of one element; 0 for unknown.
std::size_t element_size(ElementFormat format);
/// Numbers in one element; 3 for U10N, 0 for unknown.
unsigned element_components(ElementFormat format);

/// The 16 bits of a half float.
enum class Half : std::uint16_t {};
/// The 32 bits of a U10N.
enum class Packed10 : std::uint32_t {};
/// What a buffer holds, by its format.
using Elements = std::variant<Array<float>, Array<Vec2>, Array<Vec3>, Array<Vec4>, Array<std::array<Half, 2>>,
                              Array<std::array<Half, 4>>, Array<std::array<std::uint16_t, 4>>,
                              Array<std::array<std::uint8_t, 4>>, Array<std::uint16_t>, Array<std::uint32_t>,
                              Array<Packed10>>;

/// Properties whose meaning is not known, or that are not used.
struct Properties {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  friend bool operator==(const Properties&, const Properties&) = default;
};

/// Properties of a buffer: how its elements are stored.
struct FormatProperties {
  FourCC format{"3F32"};
  std::uint32_t unused = 0;
  friend bool operator==(const FormatProperties&, const FormatProperties&) = default;
};

/// VPOS VNML VUV0–5 VTAN VINX VIBP VCL0–1.
struct Buffer {
  FormatProperties properties;
  Elements elements;

  /// How the elements are stored, by the tag.
  [[nodiscard]] ElementFormat format() const { return element_format(properties.format); }
  [[nodiscard]] std::size_t size() const;  ///< elements
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

/// How numbers that are stored as integers are meant.
enum class Range : std::uint8_t {
  as_stored,  ///< integers as they are, 4U8N and U10N from 0 to 1
  direction,  ///< as above, but U10N and 4U8N from −1 to 1: normals and tangents (m3.md#element-formats)
  share,      ///< integers from 0 to 1: weights and colours
};

/// All numbers of a buffer, element after element. Half floats, infinities and not-a-numbers come as they
/// are.
Array<float> decode(const Buffer& buffer, Range range);
/// The reverse: `values` must hold whole elements. Numbers are rounded to the nearest that the format has
/// (halves to even), and clamped to its range; not-a-number becomes 0 in integer formats.
Buffer encode(ElementFormat format, const Array<float>& values, Range range);
/// Elements of an integer format as indices; empty for formats with more than one number, or with floats.
Array<std::uint32_t> decode_indices(const Buffer& buffer);

/// Exact.
float half_to_float(std::uint16_t half);
/// To the nearest, ties to even; beyond 65504 becomes infinity. A not-a-number stays one.
std::uint16_t float_to_half(float value);

// --- parts of a mesh (m3.md#streams)
// -----------------------------------------------------------------------------------

/// Properties of VWTS: how bone indices and weights are stored.
struct WeightProperties {
  FourCC index_format{"4U08"};
  FourCC weight_format{"4U8N"};
  friend bool operator==(const WeightProperties&, const WeightProperties&) = default;
};

/// Where indices and weights of VWTS lie: no source states it, the bytes decide (m3.md#weights).
enum class WeightLayout : std::uint8_t {
  unknown,      ///< neither or both fit; the bytes are in the chunk's remainder
  interleaved,  ///< per vertex indices, then weights
  planar,       ///< the indices of all vertices, then all weights
};

/// VWTS: which bones move each vertex, and how much (m3.md#weights). `influences` gives the numbers.
struct Weights {
  WeightProperties properties;
  WeightLayout layout = WeightLayout::unknown;
  Bytes data;
  friend bool operator==(const Weights&, const Weights&) = default;
};

/// Properties of M3VR.
struct VersionProperties {
  std::uint32_t version = 3;
  std::uint32_t unused = 0;
  friend bool operator==(const VersionProperties&, const VersionProperties&) = default;
};

/// M3VR: the mesh version; no payload (m3.md#streams).
struct MeshVersion {
  VersionProperties properties;
  friend bool operator==(const MeshVersion&, const MeshVersion&) = default;
};

/// VSTR: names one after the other; geosets hold where each begins and how long it is (m3.md#names).
struct Names {
  Properties properties;
  Array<char> text;
  friend bool operator==(const Names&, const Names&) = default;
};

/// One entry of VGEO: a named run of the mesh's vertices and indices (m3.md#geosets).
struct Geoset {
  static constexpr std::size_t kMinSize = 36;
  static constexpr std::size_t kLongSize = 76;  ///< since mesh version 4

  std::uint32_t unknown = 0;     ///< not 0 only in the first: perhaps their number
  std::uint32_t name_start = 0;  ///< in VSTR
  std::uint32_t name_size = 0;
  std::uint32_t index_start = 0;  ///< in VINX
  std::uint32_t index_count = 0;
  std::uint32_t vertex_start = 0;
  std::uint32_t vertex_count = 0;
  std::array<std::uint32_t, 2> zeros{};
  std::array<std::uint32_t, 10> extra{};  ///< mesh version 4; unknown
  friend bool operator==(const Geoset&, const Geoset&) = default;
};

/// Properties that count the records.
struct CountProperties {
  std::uint32_t count = 0;
  std::uint32_t unused = 0;
  friend bool operator==(const CountProperties&, const CountProperties&) = default;
};

/// VGEO: the geosets of the first level of detail, then those of the next (m3.md#geosets).
struct Geosets {
  CountProperties properties;
  bool long_records = false;  ///< of 76 bytes
  std::vector<Geoset> items;
  friend bool operator==(const Geosets&, const Geosets&) = default;
};

/// Properties of LODS.
struct LodProperties {
  std::uint32_t extra_levels = 0;  ///< in addition to the first
  std::uint32_t geosets_per_level = 0;
  friend bool operator==(const LodProperties&, const LodProperties&) = default;
};

/// One entry of LODS: what all geosets of a level have together.
struct Lod {
  static constexpr std::size_t kMinSize = 8;
  static constexpr std::size_t kRecordSize = 8;
  std::uint32_t vertex_count = 0;
  std::uint32_t index_count = 0;
  friend bool operator==(const Lod&, const Lod&) = default;
};

/// LODS: the levels of detail (m3.md#levels).
struct Lods {
  LodProperties properties;
  std::vector<Lod> items;
  friend bool operator==(const Lods&, const Lods&) = default;
};

/// One entry of RBAT: a geoset and a material to draw it with.
struct Batch {
  static constexpr std::size_t kMinSize = 8;
  static constexpr std::size_t kRecordSize = 8;
  std::array<std::uint16_t, 2> zeros{};
  std::uint16_t geoset = 0;    ///< in VGEO
  std::uint16_t material = 0;  ///< instance in M3SI
  friend bool operator==(const Batch&, const Batch&) = default;
};

/// RBAT: what is drawn (m3.md#batches).
struct Batches {
  CountProperties properties;
  std::vector<Batch> items;
  friend bool operator==(const Batches&, const Batches&) = default;
};

/// A chunk of which only the frame is known.
struct Opaque {
  Properties properties;
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

/// A chunk: its tag, and what it holds by that tag.
template <class Body>
struct ChunkOf {
  FourCC tag;
  Body body;
  Remainder remainder;
  /// The size that a chunk states which breaks off with its parent.
  std::optional<std::uint32_t> stated_size;
  friend bool operator==(const ChunkOf&, const ChunkOf&) = default;
};

/// What a chunk of a mesh can hold; Opaque where only its frame is known.
using MeshBody = std::variant<Opaque, MeshVersion, Buffer, Weights, Names, Geosets, Lods, Batches>;
using MeshChunk = ChunkOf<MeshBody>;  ///< part of MES3

/// MES3: the mesh of all levels of detail, in chunks of its own (m3.md#structure).
struct Mesh {
  Properties properties;
  std::vector<MeshChunk> chunks;

  /// The first chunk of a tag that reads as a Body, or null.
  template <class Body>
  [[nodiscard]] const Body* find(FourCC tag) const {
    for (const auto& chunk : chunks) {
      if (chunk.tag == tag && !chunk.remainder.replaces_fields()) {
        return std::get_if<Body>(&chunk.body);
      }
    }
    return nullptr;
  }
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

// --- collision (m3.md#collision)
// ---------------------------------------------------------------------------------------------

/// CPOS or CNML: positions or normals of the collision mesh (m3.md#collision).
struct Points {
  Array<Vec3> items;
  friend bool operator==(const Points&, const Points&) = default;
};
/// CINX: three positions per triangle, by their indices (m3.md#collision).
struct Corners {
  Array<std::uint16_t> items;
  friend bool operator==(const Corners&, const Corners&) = default;
};

/// A chunk of M3CL.
struct CollisionChunk {
  FourCC tag;
  std::optional<Properties> properties;  ///< with headers of 16 bytes only
  std::variant<Points, Corners> body;
  Remainder remainder;
  friend bool operator==(const CollisionChunk&, const CollisionChunk&) = default;
};

/// M3CL: a mesh to bump into (m3.md#collision).
struct Collision {
  Properties properties;
  /// Headers of the sub-chunks have 16 bytes instead of 8.
  bool long_headers = false;
  std::vector<CollisionChunk> chunks;

  /// The vectors of CPOS or CNML, whichever is requested, or null.
  [[nodiscard]] const Array<Vec3>* points(FourCC tag) const;
  /// The indices of CINX, or null.
  [[nodiscard]] const Array<std::uint16_t>* corners() const;
  friend bool operator==(const Collision&, const Collision&) = default;
};

// --- materials (m3.md#materials)
// ---------------------------------------------------------------------------------------------

/// Types of uniforms (m3.md#materials).
enum class UniformType : std::uint16_t { i32 = 0, f32 = 14, f32x2 = 15, f32x3 = 16, f32x4 = 17 };
/// Bytes of a value; 0 for types that are not known.
std::size_t uniform_size(std::uint16_t type);

/// A material: the library that has its shader, and values for the shader's uniforms and samplers
/// (m3.md#materials). Offsets count in units of four bytes from the blob's magic; where a count is 0 they
/// mean nothing.
struct Instance {
  static constexpr std::size_t kMinSize = 88;
  static constexpr std::size_t kLongSize = 96;  ///< since version 4

  std::uint32_t library = 0;  ///< FileDataID of the .mtl3lib
  std::array<std::uint8_t, 16> guid{};
  std::uint32_t unknown0 = 0;
  std::uint32_t blend_mode = 0;
  std::array<std::uint32_t, 3> unknown2{};
  std::int32_t uniform_count = 0;
  std::int32_t uniform_data_size = 0;
  std::int32_t uniform_hashes_at = 0;
  std::int32_t uniform_types_at = 0;
  std::int32_t uniform_locations_at = 0;
  std::int32_t uniform_data_at = 0;
  std::int32_t sampler_count = 0;
  std::int32_t sampler_hashes_at = 0;
  std::int32_t sampler_textures_at = 0;
  std::int32_t unknown_count = 0;
  std::int32_t unknown_hashes_at = 0;
  std::int32_t unknown_data_at = 0;
  std::array<std::int32_t, 2> version4{};  ///< since version 4; unknown

  Array<std::uint64_t> uniform_hashes;
  Array<std::uint16_t> uniform_types;
  Array<std::int32_t> uniform_locations;
  /// The values one after the other, up to the first of an unknown type, in words of four bytes: floats, or
  /// the bits of an integer.
  Array<float> uniform_data;
  Array<std::uint64_t> sampler_hashes;
  Array<std::int32_t> sampler_textures;  ///< FileDataIDs
  Array<std::uint64_t> unknown_hashes;
  Array<std::array<std::uint8_t, 4>> unknown_data;  ///< u8, u8, u16

  friend bool operator==(const Instance&, const Instance&) = default;
};

/// M3SI: the material instances, as a blob with offsets of its own (m3.md#materials).
struct Materials {
  Properties properties;
  FourCC magic{"m3IS"};
  std::uint32_t version = 2;
  std::uint32_t total_dwords = 0;
  std::uint32_t unknown = 0;
  std::uint32_t instance_count = 0;
  std::uint32_t instances_at = 6;
  std::vector<Instance> instances;
  std::vector<Gap> padding;  ///< a few zeros between the parts
  std::vector<Gap> gaps;     ///< whatever else no part claims
  friend bool operator==(const Materials&, const Materials&) = default;
};

/// Gives all parts of a blob offsets in the order of m3.md#writing, aligned to 8 bytes, and takes all counts
/// and sizes from the arrays: what instances made by a program need before they are written.
void lay_out(Materials& materials);

// --- the file
// --------------------------------------------------------------------------------------------------

/// Properties of M3DT.
struct HeaderProperties {
  std::uint32_t version = 1;
  std::uint32_t unknown = 0;
  friend bool operator==(const HeaderProperties&, const HeaderProperties&) = default;
};

/// A box in the axes of the file: Z up.
struct Box {
  Vec3 minimum{};
  Vec3 maximum{};
  friend bool operator==(const Box&, const Box&) = default;
};

/// M3DT: version, flags and bounds (m3.md#header).
struct ModelHeader {
  static constexpr std::size_t kSize = 88;

  HeaderProperties properties;
  std::size_t present = kSize;  ///< bytes of the fields that the file holds
  std::uint32_t unknown0 = 0;
  std::array<std::uint16_t, 2> unknown1{};
  std::array<std::uint32_t, 4> unknown2{};
  std::int32_t flags = 0;
  Box box;
  float radius = 0;
  Box box2;
  float radius2 = 0;
  std::uint8_t particle_count = 0;
  std::array<std::uint8_t, 3> unknown3{};
  friend bool operator==(const ModelHeader&, const ModelHeader&) = default;
};

/// M3XF: a transform of the whole model (m3.md#transform).
struct ModelTransform {
  Properties properties;
  /// Row vectors, translation in 12 to 14: in file order the sixteen numbers of a matrix of glTF
  /// (m3.md#transform).
  std::array<float, 16> matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  friend bool operator==(const ModelTransform&, const ModelTransform&) = default;
};

/// M3ST where all of its bytes are text (m3.md#strings); elsewhere it is opaque.
struct Strings {
  Properties properties;
  Array<char> text;  ///< with the NULs between and after them
  friend bool operator==(const Strings&, const Strings&) = default;
};

/// What a chunk of the file can hold; Opaque where only its frame is known.
using Body = std::variant<Opaque, ModelHeader, Mesh, Collision, Materials, ModelTransform, Strings>;
using Chunk = ChunkOf<Body>;  ///< of the file's own level

/// What stands before the payload of a top-level chunk.
enum class Headers : std::uint8_t {
  model,          ///< tag, size, two properties: models, and libraries that walk so
  short_headers,  ///< tag, size: libraries that walk so
  none,           ///< libraries that walk in neither way: all bytes are in the tail
};

/// The buffers of texture coordinates.
inline constexpr std::array kUvTags = {FourCC{"VUV0"}, FourCC{"VUV1"}, FourCC{"VUV2"},
                                       FourCC{"VUV3"}, FourCC{"VUV4"}, FourCC{"VUV5"}};

/// A model or a material library.
struct Document {
  Headers headers = Headers::model;
  std::vector<Chunk> chunks;
  Bytes tail;  ///< bytes after the last chunk

  /// The first body of this type that reads, or null.
  template <class T>
  [[nodiscard]] const T* find() const {
    for (const auto& chunk : chunks) {
      if (const T* body = std::get_if<T>(&chunk.body);
          body != nullptr && !chunk.remainder.replaces_fields()) {
        return body;
      }
    }
    return nullptr;
  }
  /// The mesh version (M3VR), if stated.
  [[nodiscard]] std::optional<std::uint32_t> mesh_version() const;
  friend bool operator==(const Document&, const Document&) = default;
};

/// True if the first chunk is one that models begin with (m3.md#telling-it).
bool is_m3(ByteView bytes);
/// True if the first chunk is one of a material library (m3.md#material-libraries).
bool is_library(ByteView bytes);
/// The version in M3DT, wherever that stands.
std::optional<std::uint32_t> stated_version(ByteView bytes);

/// Reads models and material libraries. Errors: m3.encrypted for a file that begins with eight zero bytes,
/// format.foreign for StarCraft II's models and format.unknown for other content, input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

// --- numbers that follow from several parts
// -------------------------------------------------------------------------------

/// Four bones and their shares per vertex, from VWTS.
struct Influences {
  std::vector<std::array<std::uint16_t, 4>> bones;
  std::vector<Vec4> weights;  ///< as stored: the sum may be off by rounding
};

/// The weights of a mesh if their layout is decided; as many as there are vertices.
std::optional<Influences> influences(const Mesh& mesh);

/// The matrices of VIBP as 16 numbers each, as ModelTransform::matrix. None if there is no VIBP, or its bytes
/// decide for no layout: 16 or 12 numbers per bone, translation in the last row or the last column
/// (m3.md#weights).
std::optional<std::vector<std::array<float, 16>>> inverse_bind_poses(const Mesh& mesh);

/// The name of a geoset in UTF-8, as far as it lies in VSTR, at most 256 bytes of it.
std::string geoset_name(const Mesh& mesh, const Geoset& geoset);

/// Geosets per level and levels, from LODS where it fits the geosets, else one level of all.
struct LevelLayout {
  std::size_t per_level = 0;
  std::size_t levels = 0;
  /// Geosets that belong to no level.
  std::size_t rest = 0;
};
/// How the geosets of a mesh are shared out; all 0 if it has none.
LevelLayout level_layout(const Mesh& mesh);

/// The material instance of a geoset: that of its last batch, else of the batch of the same geoset in the
/// first level (m3.md#batches). None if no batch names it.
std::optional<std::size_t> material_of(const Mesh& mesh, std::size_t geoset);

// --- to a scene and back (m3.md#conversion)

/// What `to_scene` leaves open: unit, level of detail, collision mesh, names of textures.
struct SceneOptions {
  /// Metres per unit of the game, above 0. One unit is a yard; what is usual is to leave it at 1.
  float scale = 1;
  /// Level of detail, 0 being the finest; none: all of them, each as nodes of their own that Node::lods of
  /// the finest name.
  std::optional<std::uint32_t> lod = 0;
  /// Also the collision mesh, as a mesh of its own.
  bool collision = false;
  /// The game path of a FileDataID; empty or not set: "<id>.blp".
  std::function<std::string(std::uint32_t)> path_of;
};

/// One mesh per geoset, named as it is, with all UV sets, tangents and the first colours; Z up becomes Y up.
/// Materials are those of M3SI: the blend mode, and of the textures the last sampler's (m3.md#materials); all
/// samplers and uniforms are kept as extras. Where the bytes decide how weights and bind poses lie
/// (m3.md#weights) the meshes are skinned to bones without a hierarchy, else weights are kept as extras. M3XF
/// is applied. Triangles that face against their normals are turned around (m3.winding). Broken parts are
/// left out with a finding; numbers that are not finite become 0.
scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

// --- the way back

/// What `from_scene` leaves open: unit and mesh version.
struct FromSceneOptions {
  /// Metres per unit of the game, above 0.
  float scale = 1;
  /// Mesh version (M3VR) to write: 2, 3 or 4; none: that of the model that the scene was made of, else 3.
  /// With 4, material instances are of version 4, too.
  std::optional<std::uint32_t> version = std::nullopt;
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// A model at rest, with the bones of all skins in one list. Each part of a mesh with a material of its own
/// becomes a geoset; Node::lods, or else names that end in `_lod1` and so on, give the level. A level without
/// a geoset that a finer one has gets an empty one, because all levels have equally many. A mesh called
/// "collision", or on a node of kind collision, becomes M3CL. Of a scene that was made of an M3, in memory or
/// through a GLB of this library, instances, batches, M3XF, versions and streams without a place in scenes
/// come back from the extras, as far as they still fit; materials of others become an instance without
/// library for each layer (scene.approximated). Names and parents of bones, animations, morph targets and
/// what else the format has no place for are left out (scene.lost). Errors: write.unsupported for a scene
/// without triangles, more than 67,108,864 indices, more than 65,535 geosets or materials, or another
/// version; limit.stopped.
Result<Document> from_scene(const scene::Scene& scene, const FromSceneOptions& options = {},
                            Diagnostics& diagnostics = Diagnostics::discarded());

// --- edits (docs/user/edit.md)

/// Changes the numbers (FileDataIDs) of pictures and material libraries, which are an M3 model's paths: by a
/// pattern of their digits (see `renamed`). The error is edit.refused for what is no such number.
Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log);

/// Turns, scales and moves the mesh, its bind poses, bounds and collision. What nobody can read goes nowhere,
/// and is a finding (edit.inexact). The error is edit.refused for positions that are stored as whole numbers.
Result<void> place(Document& document, const Placement& placement, EditLog& log);

}  // namespace thaw::m3

#pragma GCC visibility pop
