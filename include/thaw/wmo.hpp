// World of Warcraft buildings (WMO): version 14 of WoW Alpha 0.5.3, one file; version 17 of later clients, a
// root file and one file per group; version 16 between them. See wmo.md#structure.
//
// A document keeps everything in file order, unknown chunks included, so that write(read(x)) == x for every
// file that reads. Lengths are yards; X is north, Y west, Z up; strings are addressed by byte offset into
// their block.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/edit.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>
#include <thaw/scene.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

/// Buildings of World of Warcraft.
namespace thaw::wmo {

inline constexpr std::uint32_t kAlphaVersion = 14;  ///< of WoW Alpha 0.5.3: one file
inline constexpr std::uint32_t kLaterVersion = 17;  ///< of later clients: a root file and one per group

/// Blue, green, red, alpha, as stored.
using Bgra = std::array<std::uint8_t, 4>;

/// A box in the axes of the building.
struct Box {
  Vec3 minimum{};
  Vec3 maximum{};
  friend bool operator==(const Box&, const Box&) = default;
};

// --- chunks of the root
// -----------------------------------------------------------------------------------------

/// MVER: the version of the file.
struct Version {
  std::uint32_t value = kAlphaVersion;
  friend bool operator==(const Version&, const Version&) = default;
};

/// MOHD. What is padding in version 14 is later a box and flags.
struct Header {
  std::uint32_t material_count = 0;
  std::uint32_t group_count = 0;
  std::uint32_t portal_count = 0;
  std::uint32_t light_count = 0;
  std::uint32_t doodad_name_count = 0;
  std::uint32_t doodad_count = 0;
  std::uint32_t doodad_set_count = 0;
  Bgra ambient_color{};
  std::uint32_t wmo_id = 0;
  std::array<std::uint8_t, 28> padding{};  ///< version 14
  Box box;                                 ///< from version 16 on
  std::uint32_t flags = 0;                 ///< from version 16 on
  friend bool operator==(const Header&, const Header&) = default;
};

/// MOTX, MOGN, MODN, MOSB: strings with a NUL after each, addressed by offset.
struct Strings {
  Array<char> text;

  /// The text that begins at an offset; empty if nothing begins there.
  [[nodiscard]] std::string_view at(std::uint64_t offset) const;
  /// True if a text begins there: at the start, or after a NUL.
  [[nodiscard]] bool begins_at(std::uint64_t offset) const;
  friend bool operator==(const Strings&, const Strings&) = default;
};

/// MOMT: how faces look (wmo.md#materials).
struct Material {
  static constexpr std::size_t kMinSize = 44;
  static constexpr std::uint32_t kUnlit = 0x1, kUnfogged = 0x2, kTwoSided = 0x4, kExteriorLight = 0x8,
                                 kNightGlow = 0x10, kWindow = 0x20, kClampS = 0x40, kClampT = 0x80;

  std::uint32_t version = 0;  ///< later: shader
  std::uint32_t flags = 0;
  std::uint32_t blend_mode = 0;  ///< 0 opaque, 1 alpha key, 2 alpha, 3 add
  std::uint32_t texture1 = 0;    ///< in MOTX
  Bgra glow_color{};
  Bgra frame_glow_color{};  ///< written by the game as it runs
  std::uint32_t texture2 = 0;
  Bgra diffuse_color{};
  std::uint32_t ground_type = 0;
  std::array<std::uint8_t, 8> padding{};
  std::array<std::uint8_t, 20> later{};  ///< from version 16 on
  friend bool operator==(const Material&, const Material&) = default;
};

/// MOGI: a group as the root knows it (wmo.md#table-of-groups).
struct GroupInfo {
  static constexpr std::size_t kMinSize = 32;
  std::uint32_t offset = 0;  ///< version 14: of the group's chunk in the file
  std::uint32_t size = 0;    ///< version 14: of the group's chunk with its head
  std::uint32_t flags = 0;
  Box box;
  std::int32_t name = -1;  ///< in MOGN, −1 for none
  friend bool operator==(const GroupInfo&, const GroupInfo&) = default;
};

/// MOPT: a run of MOPV vertices in a plane.
struct Portal {
  static constexpr std::size_t kMinSize = 20, kRecordSize = 20;
  std::uint16_t first_vertex = 0;
  std::uint16_t vertex_count = 0;
  Vec3 normal{};
  float distance = 0;  ///< of the plane
  friend bool operator==(const Portal&, const Portal&) = default;
};

/// MOPR: a portal as one group has it.
struct PortalReference {
  static constexpr std::size_t kMinSize = 8, kRecordSize = 8;
  std::uint16_t portal = 0;
  std::uint16_t group = 0;  ///< where it leads
  std::int16_t side = 0;    ///< 1 or −1
  std::uint16_t padding = 0;
  friend bool operator==(const PortalReference&, const PortalReference&) = default;
};

/// MOLT: a light (wmo.md#lights).
struct Light {
  static constexpr std::size_t kMinSize = 32;
  std::uint8_t type = 0;  ///< 0 omni, 1 spot, 2 direct, 3 ambient
  std::uint8_t use_attenuation = 0;
  std::array<std::uint8_t, 2> padding{};
  Bgra color{};
  Vec3 position{};
  float intensity = 0;
  Vec4 rotation{0, 0, -1, -0.5F};  ///< from version 16 on; files have this constant
  float attenuation_start = 0;
  float attenuation_end = 0;
  friend bool operator==(const Light&, const Light&) = default;
};

/// MODS: a run of MODD. Set 0 is always shown.
struct DoodadSet {
  static constexpr std::size_t kMinSize = 32, kRecordSize = 32;
  FixedText<20> name;
  std::uint32_t first = 0;  ///< index into MODD
  std::uint32_t count = 0;
  std::uint32_t padding = 0;
  friend bool operator==(const DoodadSet&, const DoodadSet&) = default;
};

/// MODD: a model that stands in the building.
struct Doodad {
  static constexpr std::size_t kMinSize = 40, kRecordSize = 40;
  std::array<std::uint8_t, 3> name{};  ///< offset in MODN, 24 bits
  std::uint8_t flags = 0;
  Vec3 position{};
  Vec4 rotation{0, 0, 0, 1};  ///< x y z w
  float scale = 1;
  Bgra color{};

  /// Where the model's path begins in MODN.
  [[nodiscard]] std::uint32_t name_offset() const {
    return name[0] | static_cast<std::uint32_t>(name[1]) << 8U | static_cast<std::uint32_t>(name[2]) << 16U;
  }
  /// Sets where the model's path begins in MODN; of `offset` 24 bits are kept.
  void set_name_offset(std::uint32_t offset) {
    name = {static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(offset >> 8U),
            static_cast<std::uint8_t>(offset >> 16U)};
  }
  friend bool operator==(const Doodad&, const Doodad&) = default;
};

/// MFOG: a fog around a place, in the air and under water (wmo.md#fogs).
struct Fog {
  static constexpr std::size_t kMinSize = 48, kRecordSize = 48;
  /// The fog of one of the two.
  struct Values {
    float end = 0;
    float start_scalar = 0;  ///< fog begins at end · start_scalar
    Bgra color{};
    friend bool operator==(const Values&, const Values&) = default;
  };
  std::uint32_t flags = 0;
  Vec3 position{};
  float small_radius = 0;  ///< full effect within
  float large_radius = 0;  ///< none beyond; 0 or less: no borders
  Values air;
  Values water;
  friend bool operator==(const Fog&, const Fog&) = default;
};

/// A chunk that is a row of records and nothing else.
template <class T>
struct List {
  using Item = T;  ///< what it is a row of
  std::vector<T> items;
  friend bool operator==(const List&, const List&) = default;
};
using Materials = List<Material>;                ///< MOMT
using GroupInfos = List<GroupInfo>;              ///< MOGI
using Portals = List<Portal>;                    ///< MOPT
using PortalReferences = List<PortalReference>;  ///< MOPR
using Lights = List<Light>;                      ///< MOLT
using DoodadSets = List<DoodadSet>;              ///< MODS
using Doodads = List<Doodad>;                    ///< MODD
using Fogs = List<Fog>;                          ///< MFOG

// --- chunks of plain elements, distinguished by their tag
// -----------------------------------------------------------

/// MOPV, MOVV, MOVT, MONR, MPBG: places, in MONR normals; what those of MPBG are for is not known.
struct Points {
  Array<Vec3> items;
  friend bool operator==(const Points&, const Points&) = default;
};
/// MCVP: normal and distance of the planes of a convex volume.
struct Planes {
  Array<Vec4> items;
  friend bool operator==(const Planes&, const Planes&) = default;
};
/// MOTV, MOLV: texture and lightmap coordinates, one pair per vertex.
struct Coordinates {
  Array<Vec2> items;
  friend bool operator==(const Coordinates&, const Coordinates&) = default;
};
/// MOIN, MOVI, MOLR, MODR, MOBR, MPBI: numbers of vertices, lights, doodads or faces; of what in MPBI is not
/// known.
struct Indices {
  Array<std::uint16_t> items;
  friend bool operator==(const Indices&, const Indices&) = default;
};
/// MOVB, MPBV, MPBP: first and count.
struct Runs {
  Array<std::array<std::uint16_t, 2>> items;
  friend bool operator==(const Runs&, const Runs&) = default;
};
/// MOCV, one per vertex.
struct Colors {
  Array<Bgra> items;
  friend bool operator==(const Colors&, const Colors&) = default;
};
/// MOLM: x, y, width, height of each face in its lightmap.
struct LightmapRectangles {
  Array<std::array<std::uint8_t, 4>> items;
  friend bool operator==(const LightmapRectangles&, const LightmapRectangles&) = default;
};

// --- chunks of a group
// ------------------------------------------------------------------------------------------

/// MOPY, one per face.
struct Faces {
  static constexpr std::uint8_t kNoMaterial = 0xFF;
  static constexpr std::uint8_t kNoCameraCollision = 0x02, kDetail = 0x04, kCollision = 0x08, kHint = 0x10,
                                kRender = 0x20, kCollideHit = 0x80;
  /// A face in the terms of every version.
  struct Face {
    std::uint8_t flags = 0;
    std::uint8_t material = kNoMaterial;  ///< of version 14 often wrong for drawn faces: see Batch
  };

  Array<std::array<std::uint8_t, 4>> items;  ///< versions 14 and 16: flags, lightmap, material, padding
  Array<std::array<std::uint8_t, 2>> later;  ///< version 17: flags, material

  /// Number of faces.
  [[nodiscard]] std::size_t size() const { return items.size() + later.size(); }
  /// A face by its number, which must be below `size`.
  [[nodiscard]] Face operator[](std::size_t i) const {
    return i < items.size() ? Face{items[i][0], items[i][2]}
                            : Face{later[i - items.size()][0], later[i - items.size()][1]};
  }
  friend bool operator==(const Faces&, const Faces&) = default;
};

/// MOBA: a run of indices that is drawn with one material.
struct Batch {
  static constexpr std::size_t kMinSize = 24;
  std::uint8_t lightmap = 0;          ///< versions 14 and 16
  std::uint8_t material = 0;          ///< index into MOMT
  std::array<std::int16_t, 6> box{};  ///< whole yards
  std::uint32_t first_index = 0;      ///< into MOIN or MOVI; 16 bits before version 17
  std::uint16_t index_count = 0;
  std::uint16_t first_vertex = 0;
  std::uint16_t last_vertex = 0;
  std::uint8_t flags = 0;
  std::uint8_t padding = 0;             ///< versions 14 and 16
  std::array<std::uint8_t, 8> extra{};  ///< version 16
  friend bool operator==(const Batch&, const Batch&) = default;
};

/// MOBN: a node of the tree of planes that sorts a group's faces (wmo.md#bsp-tree).
struct BspNode {
  static constexpr std::size_t kMinSize = 16, kRecordSize = 16;
  static constexpr std::uint16_t kLeaf = 4;
  std::uint16_t flags = 0;     ///< axis of the plane (0 x, 1 y, 2 z), 4 leaf
  std::int16_t negative = -1;  ///< child on that side of the plane, −1 for none
  std::int16_t positive = -1;  ///< child on that side of the plane, −1 for none
  std::uint16_t face_count = 0;
  std::uint32_t first_face = 0;  ///< in MOBR
  float distance = 0;            ///< of the plane, from the building's origin
  friend bool operator==(const BspNode&, const BspNode&) = default;
};

/// An entry of MOLD. What encoding the texels have is not known for certain (wmo.md#lightmaps).
struct Lightmap {
  static constexpr std::size_t kTexels = 32768;
  static constexpr std::size_t kMinSize = kTexels + 4, kRecordSize = kTexels + 4;
  Array<std::uint8_t> texels;
  std::array<std::uint8_t, 4> padding{};
  friend bool operator==(const Lightmap&, const Lightmap&) = default;
};

/// A corner of a liquid's tiles.
struct LiquidVertex {
  static constexpr std::size_t kMinSize = 8;
  std::array<std::uint8_t, 4> flow{};  ///< water: flow 1, flow 2, percentage; magma: s and t, 16 bits each
  float height = 0;
  friend bool operator==(const LiquidVertex&, const LiquidVertex&) = default;
};

/// MLIQ, one or several in a chunk.
struct Liquid {
  static constexpr std::size_t kMinSize = 30;
  static constexpr std::uint8_t kNone = 15;  ///< low nibble of a tile without liquid
  std::int32_t x_vertices = 0;
  std::int32_t y_vertices = 0;
  std::int32_t x_tiles = 0;
  std::int32_t y_tiles = 0;
  Vec3 corner{};
  std::uint16_t material = 0;          ///< index into MOMT
  std::vector<LiquidVertex> vertices;  ///< x fastest
  Array<std::uint8_t> tiles;           ///< low nibble type, 0x40 fishable, 0x80 shared
  friend bool operator==(const Liquid&, const Liquid&) = default;
};

using Batches = List<Batch>;       ///< MOBA
using BspNodes = List<BspNode>;    ///< MOBN
using Lightmaps = List<Lightmap>;  ///< MOLD
using Liquids = List<Liquid>;      ///< MLIQ

/// A run of vertices and batches, as version 14 states them in the head of a group.
struct BatchRun {
  std::uint16_t first_vertex = 0;
  std::uint16_t vertex_count = 0;
  std::uint16_t first_batch = 0;
  std::uint16_t batch_count = 0;
  friend bool operator==(const BatchRun&, const BatchRun&) = default;
};

/// What stands before the chunks of a group.
struct GroupHeader {
  static constexpr std::uint32_t kBsp = 0x1, kLightmaps = 0x2, kVertexColors = 0x4, kExterior = 0x8,
                                 kExteriorLit = 0x40, kUnreachable = 0x80, kLights = 0x200,
                                 kPortalBatches = 0x400, kDoodads = 0x800, kLiquid = 0x1000,
                                 kInterior = 0x2000, kAlwaysDraw = 0x10000;

  bool wide = true;               ///< 128 bytes (version 14), else 68
  std::uint32_t name = 0;         ///< in MOGN
  std::uint32_t description = 0;  ///< in MOGN
  std::uint32_t flags = 0;
  Box box;
  std::uint32_t first_portal = 0;  ///< in MOPR; 16 bits if not wide
  std::uint32_t portal_count = 0;  ///< 16 bits if not wide
  std::array<std::uint8_t, 4> fogs{};
  std::uint32_t liquid = 0;
  std::uint32_t unique_id = 0;
  // Wide ones only.
  std::array<BatchRun, 4> interior{};
  std::array<BatchRun, 4> exterior{};
  std::array<std::uint8_t, 8> padding{};
  // Narrow ones only.
  std::uint16_t transition_batches = 0;
  std::uint16_t interior_batches = 0;
  std::uint16_t exterior_batches = 0;
  std::uint16_t batch_padding = 0;
  std::array<std::uint32_t, 2> later{};
  friend bool operator==(const GroupHeader&, const GroupHeader&) = default;
};

// --- the document
// ------------------------------------------------------------------------------------------------

/// A chunk that the format does not define, or that could not be read: its bytes are in the chunk's
/// remainder.
struct Opaque {
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

struct Chunk;

/// MOMO: holds the chunks of the root in version 14.
struct Root {
  std::vector<Chunk> chunks;
};
/// MOGP: a group, which is a room or a part of the outside, with chunks of its own.
struct Group {
  GroupHeader header;
  std::vector<Chunk> chunks;

  /// The first chunk of a kind with this tag, or null.
  template <class Body>
  [[nodiscard]] const Body* find(FourCC tag) const;
  /// The same, to be edited.
  template <class Body>
  [[nodiscard]] Body* find(FourCC tag);
};
/// Whether both hold the same chunks.
bool operator==(const Root& a, const Root& b);
/// Whether both hold the same header and the same chunks.
bool operator==(const Group& a, const Group& b);

/// What a chunk can hold; Opaque if it is unknown or cannot be read.
struct ChunkBody
    : std::variant<Opaque, Version, Root, Header, Strings, Materials, GroupInfos, Portals, PortalReferences,
                   Lights, DoodadSets, Doodads, Fogs, Points, Planes, Coordinates, Indices, Runs, Colors,
                   LightmapRectangles, Faces, Batches, BspNodes, Lightmaps, Liquids, Group> {
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
  FourCC tag;  ///< as it is read, "MOHD"; files have the letters backwards
  ChunkBody body;
  /// Bytes after the last record, or the complete payload of a chunk that could not be read.
  Remainder remainder;
  /// The size that the file states, where it runs past the end of what it lies in.
  std::optional<std::uint32_t> stated_size;

  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// A file: the whole of a building, its root or one group.
struct Document {
  std::vector<Chunk> chunks;  ///< in file order
  Bytes tail;                 ///< bytes after the last chunk

  /// The version that MVER states; 14 without one.
  [[nodiscard]] std::uint32_t version() const;
  /// The chunks of the root: those in MOMO if there is one, else those of the file.
  [[nodiscard]] const std::vector<Chunk>& root_chunks() const;
  /// The first chunk of the root with this tag and kind, or null.
  template <class Body>
  [[nodiscard]] const Body* find(FourCC tag) const;
  /// The groups in file order, those inside MOMO, where some writers put them, included.
  [[nodiscard]] std::vector<const Group*> groups() const;

  friend bool operator==(const Document&, const Document&) = default;
};

/// The first chunk with this tag and kind, or null.
template <class Body>
const Body* find_chunk(const std::vector<Chunk>& chunks, FourCC tag) {
  for (const auto& chunk : chunks) {
    if (chunk.tag == tag) {
      if (const auto* body = std::get_if<Body>(&chunk.body)) {
        return body;
      }
    }
  }
  return nullptr;
}
template <class Body>
const Body* Group::find(FourCC tag) const {
  return find_chunk<Body>(chunks, tag);
}
template <class Body>
Body* Group::find(FourCC tag) {
  return const_cast<Body*>(
      std::as_const(*this).find<Body>(tag));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}
template <class Body>
const Body* Document::find(FourCC tag) const {
  return find_chunk<Body>(root_chunks(), tag);
}

/// What kind of WMO file the bytes are.
enum class Part : std::uint8_t { none, whole, root, group };
/// From the beginning alone: MVER, then MOMO (whole), MOHD (root) or MOGP (group); `none` for anything else.
Part part_of(ByteView bytes);

/// Reads any of the three. Damaged chunks are reported in `diagnostics` and kept raw, so that the result
/// writes back to the same bytes; with `options.strict` the first one is the error instead. Other errors:
/// format.unknown when the file does not begin as a WMO does, input.too-large. Memory stays within 16 times
/// the input.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes. Nothing is normalised.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

// --- to a scene and back (wmo.md#structure; choices: docs/user/buildings.md)

/// The model of a doodad, with its pictures.
struct Model {
  std::shared_ptr<const scene::Scene> scene;  ///< null if there is none; in the unit of SceneOptions::scale
  /// From the axes that this scene has to those of buildings, as a rotation x y z w. Models of Warcraft III
  /// and of WoW Alpha are turned differently: see kModelTurn.
  Vec4 turn{0, 0, 0, 1};
};
/// Turns a scene that came from (x, y, z) → (x, z, −y), as MDX does, to (y, z, x), as buildings and terrain
/// do.
inline constexpr Vec4 kModelTurn = {0, -0.70710678F, 0, 0.70710678F};

/// By the model's path in the game (where old files say ".mdl", ".mdx" is meant). Called once per path.
using LoadModel = std::function<Model(std::string_view path)>;

/// What `to_scene` leaves open: unit, doodads, collision and portals.
struct SceneOptions {
  /// Metres per unit of the scene's source, above 0: 1 keeps yards, 0.9144 makes metres of them.
  float scale = 1;
  /// A doodad set by number or name (case does not matter) that is shown besides set 0; "all" or "none" (not
  /// even set 0); empty for set 0 alone.
  std::string doodad_set;
  bool collision = false;  ///< faces that stop players, as a mesh per group
  bool portals = false;    ///< portals as meshes; as nodes they are always there
  LoadModel load_model;    ///< none: doodads are nodes without a model
  /// The client's pictures of liquids, which no building names (docs/user/worlds.md#liquids); null for those
  /// that are not there, and are made then.
  std::function<std::shared_ptr<const Image>(std::string_view path)> liquid_texture = nullptr;
};

/// Converts a building into a scene that holds together, whatever is wrong with it; what had to be fixed is
/// reported. `groups` are the files of the groups of version 17, by number, null for those that are missing;
/// of a building in one file they are ignored. Y is up, north is +Z, west +X.
///
/// Below the root: one node per group with its mesh (a part per material), its liquids and its collision
/// below it; nodes for the portals, the lights and the fogs; one node per doodad set that is shown, with a
/// node per doodad. Fails with wmo.doodad-set if the set does not exist.
Result<scene::Scene> to_scene(const Document& document, std::span<const Document* const> groups,
                              std::string_view name, const SceneOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::discarded());

/// What the tile bytes of a liquid say (wmo.md#liquids): the low nibble of the first tile that has liquid.
enum class LiquidKind : std::uint8_t { none, water, ocean, magma, slime };
/// `none` if no tile has liquid.
LiquidKind liquid_kind(const Liquid& liquid);

/// Where a vertex of a liquid is, in the building's own yards. Before version 17 the grid is transposed.
Vec3 liquid_position(const Liquid& liquid, std::uint32_t version, std::int32_t x, std::int32_t y);

/// "X_003.wmo" for group 3 of "X.wmo".
std::string group_file_name(std::string_view root, std::size_t group);

// --- between versions (wmo.md#conversion): version 14, one file, and version 17, a root and group files.
// Losses are wmo.lost, required content that the source lacks is wmo.made

/// A building of version 17.
struct SplitBuilding {
  Document root;
  std::vector<Document> groups;  ///< by number
};

/// From version 14, or from 16 with its group files (null where one is missing).
///
/// Equal vertices of a batch become one; lightmaps go into vertex colours where a group has none; batches are
/// put in the order interior, exterior; liquid grids are transposed. Fails with write.unsupported if a group
/// is missing.
Result<SplitBuilding> to_later(const Document& document, std::span<const Document* const> group_files,
                               Diagnostics& diagnostics = Diagnostics::discarded());

/// From version 17 or 16 with the group files.
///
/// Every corner of a face gets a vertex of its own, as WoW Alpha has them. Fails with write.unsupported if a
/// group is missing or has more than 65,535 corners.
Result<Document> to_alpha(const Document& root, std::span<const Document* const> group_files,
                          Diagnostics& diagnostics = Diagnostics::discarded());

/// Sets offsets and sizes of MOGI and the counts of MOHD to what the document of version 14 holds: what one
/// made or edited by a program needs before it is written.
void lay_out(Document& document);

// --- edits (docs/user/edit.md), of a root and its group files one by one

/// Changes the paths of pictures, of doodads' models and of the sky. What refers to them by offset follows.
Result<void> repath(Document& document, std::string_view pattern, std::string_view path, EditLog& log);

/// Scales and moves all that has a place or a length: vertices, BSP trees, portals, lights, doodads, fogs,
/// liquids, bounds. Tiles of liquids have one size, so that there are more or fewer of them then. What cannot
/// follow exactly is a finding (edit.inexact), and so are the groups of a root, which are files of their own.
/// The error is edit.refused for a turn, which the planes of BSP trees and grids of liquids do not take, and
/// for what leaves the ranges of a building's numbers.
Result<void> place(Document& document, const Placement& placement, EditLog& log);

}  // namespace thaw::wmo

#pragma GCC visibility pop
