// One scene for all formats. Right-handed, Y up, metres (see SceneOptions::scale of each format),
// counter-clockwise triangles in front, seconds, radians, UV origin at the top left, colours R G B as stored.
// Axes, units and winding are settled by each format's to_scene and nowhere else.
//
// A scene that the library made holds together, whatever bytes it was made of: numbers are finite, names of
// nodes, meshes, cameras and clips are UTF-8, and an index is that of something that is there, or kNone where
// its comment says "or none". What else is promised stands at the members; tests/support/promises.hpp looks
// at all of it.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/image.hpp>
#include <thaw/options.hpp>
#include <thaw/value.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {
class Sources;
struct WrittenGltf;
}  // namespace thaw

/// One scene for all formats.
namespace thaw::scene {

using Index = std::uint32_t;               ///< into the list that the member's comment or name states
inline constexpr Index kNone = ~Index{0};  ///< in place of an index: none

/// Column-major, as in glTF: element (row, column) is at column * 4 + row.
using Mat4 = std::array<float, 16>;

/// translation · rotation · scale. Rotation is a unit quaternion x y z w.
struct Transform {
  Vec3 translation{};
  Vec4 rotation{0, 0, 0, 1};
  Vec3 scale{1, 1, 1};
  friend bool operator==(const Transform&, const Transform&) = default;
};

// --- source
// ------------------------------------------------------------------------------------------------------

/// What a glTF file that write_gltf wrote states of the source of one of its parts. Scenes that to_scene made
/// state nothing of it: they are the source.
struct Source {
  bool stated = false;  ///< false for parts that other programs added
  /// In whose terms the part's `extras` are, e.g. "mdx-alpha"; empty if it has none.
  std::string format;
  Index number = kNone;          ///< in the scene that was written, or none
  bool switches_parent = false;  ///< the node was added to show and hide the one above it
  bool placed = false;           ///< the node was added for models that stand in several places
  bool copy = false;             ///< the clip was copied by another program, which kept its number
  bool loops_stated = false;     ///< the file states Clip::looping
};

/// The same of a whole scene.
struct SceneSource : Source {
  /// Of a texture of the scene that was written.
  struct Texture {
    std::string path;          ///< as scene::Texture::path
    bool placeholder = false;  ///< no source had the picture
  };
  std::vector<Texture> textures;
  std::size_t materials = 0;  ///< of the scene that was written
  float scale = 0;            ///< metres per unit of the source; 0: not stated
  /// How the file was written; null only in scenes that were not read from glTF.
  std::shared_ptr<const WrittenGltf> written = nullptr;
};

// --- nodes
// ------------------------------------------------------------------------------------------------------

/// What a node was in the source, or what hangs at it.
enum class NodeKind : std::uint8_t {
  root,
  bone,
  helper,
  light,
  attachment,
  emitter,
  ribbon,
  event,
  collision,
  camera,
  target,  ///< what a camera looks at
  mesh,
};

/// Whether a node turns to the camera, and about which axis alone.
enum class Billboard : std::uint8_t { none, full, lock_x, lock_y, lock_z };

/// A place in the hierarchy, which may move.
struct Node {
  std::string name;      ///< as in the file, UTF-8; not necessarily unique
  Index parent = kNone;  ///< comes before its children; none for roots and for `lods`
  NodeKind kind = NodeKind::helper;
  Transform rest;
  bool inherit_translation = true;
  bool inherit_rotation = true;
  bool inherit_scale = true;
  Billboard billboard = Billboard::none;  ///< axes in the source's own frame
  bool camera_anchored = false;
  /// Less detailed forms of what hangs here, the finest first: nodes without a parent, which belong to the
  /// scene only through this list, each through one list, and come after this node.
  std::vector<Index> lods;
  /// The share of the screen's height from which on this node and each of `lods` is drawn; empty or one
  /// longer than `lods`.
  std::vector<float> lod_coverage;
  Value extras;  ///< in the source's own terms: what no field holds
  /// What somebody typed in another program, as custom properties of Blender; from read_gltf alone.
  Value properties = {};
  Source source = {};
};

// --- meshes
// -----------------------------------------------------------------------------------------------------

/// Triangles of one material. The parts of a mesh follow each other and together are all of its indices.
struct MeshPart {
  Index first_index = 0;
  Index index_count = 0;   ///< a multiple of 3
  Index material = kNone;  ///< or none
};

/// Points or lines of one material, in addition to a mesh's triangles.
struct Wire {
  /// How the indices are read; the numbers are those of glTF.
  enum class Mode : std::uint8_t {
    points,
    lines,       ///< two vertices each
    line_loop,   ///< from each to the next, and from the last to the first
    line_strip,  ///< from each to the next
  };
  Mode mode = Mode::lines;
  Array<std::uint32_t> indices;  ///< not empty; below the number of positions
  Index material = kNone;        ///< or none
};

/// Differences against the mesh for one morph target, as long as its positions; empty arrays mean no
/// difference.
struct MorphTarget {
  std::string name;
  Array<Vec3> positions;
  Array<Vec3> normals;
};

/// Arrays other than positions are empty or as long as positions. Normals may be of any length.
struct Mesh {
  std::string name;
  Array<Vec3> positions;
  Array<Vec3> normals;
  Array<Vec4> tangents;  ///< w is the handedness
  Array<Vec4> colors;
  Array<Vec4> second_colors;  ///< without an effect on pictures; COLOR_1 of glTF
  std::vector<Array<Vec2>> uv_sets;
  /// `influences` joints (indices into the skin's joints) and weights per vertex; weights are not negative
  /// and sum to 1. 0 for a mesh without a skin.
  unsigned influences = 0;
  Array<std::uint16_t> joints;
  Array<float> weights;
  Array<std::uint32_t> indices;  ///< triangles; below the number of positions
  std::vector<MeshPart> parts;
  std::vector<Wire> wires;
  std::vector<MorphTarget> morph_targets;
  Index skin = kNone;   ///< or none
  Index node = kNone;   ///< where it hangs; one node per mesh
  Vec3 color{1, 1, 1};  ///< multiplies the texture, animated by Property::mesh_color
  float alpha = 1;      ///< animated by Property::mesh_alpha
  Value extras;
  Value properties = {};  ///< as Node::properties
  Source source = {};

  // Compiled once, in the library, and not by each source that has one.
  Mesh();
  /// A copy of all of it.
  Mesh(const Mesh& other);
  /// Takes what the other has.
  Mesh(Mesh&& other) noexcept;
  /// As the copy constructor.
  Mesh& operator=(const Mesh& other);
  /// As the move constructor.
  Mesh& operator=(Mesh&& other) noexcept;
  ~Mesh();
};

/// Which nodes move a mesh's vertices.
struct Skin {
  std::string name;
  std::vector<Index> joints;       ///< nodes; at least one
  std::vector<Mat4> inverse_bind;  ///< one per joint
};

// --- materials
// --------------------------------------------------------------------------------------------------

/// How a layer is laid over what is behind it (warcraft3-rendering.md#layers).
enum class BlendMode : std::uint8_t {
  opaque,
  mask,        ///< drawn where alpha is at least 0.75, else not at all
  blend,       ///< mixed by alpha
  additive,    ///< colour added
  add_alpha,   ///< colour added as far as alpha says
  modulate,    ///< multiplied
  modulate2x,  ///< multiplied, and twice as bright
};

/// A reference to a picture. `image` is filled by load_images, unless to_scene made the picture itself.
struct Texture {
  std::string path;  ///< game path as in the file, empty for replaceable and made textures
  std::uint32_t replaceable_id = 0;
  bool wrap_u = false;
  bool wrap_v = false;
  Index image = kNone;  ///< or none
  /// The picture's own file, where it is embedded in the model; comes before what `path` names.
  std::shared_ptr<const Bytes> content = nullptr;
};

/// A picture, and where it came from.
struct NamedImage {
  std::string name;          ///< unique
  std::string source;        ///< where it came from, empty for placeholders and team colours
  Image image;               ///< has pixels
  bool placeholder = false;  ///< made because there was no such picture
  /// The PNG or JPEG file that `image` shows whole and undamaged, or null: ImageOptions::keep_files.
  std::shared_ptr<const Bytes> file = nullptr;
};

/// Other pictures for some textures: the colours of a player.
struct ImageVariant {
  std::string name;                             ///< of the player: "blue"
  std::vector<std::pair<Index, Index>> images;  ///< texture, and what it shows instead of Texture::image
};

/// Offset, rotation about (0.5, 0.5), scale about (0.5, 0.5), applied to UVs in this order. A positive
/// rotation turns +U towards +V: (u, v) becomes (u cos − v sin, u sin + v cos).
struct UvTransform {
  Vec2 offset{};
  float rotation = 0;
  Vec2 scale{1, 1};
  friend bool operator==(const UvTransform&, const UvTransform&) = default;
};

/// One texture pass of a material.
struct Layer {
  BlendMode blend = BlendMode::opaque;
  Index texture = kNone;       ///< or none
  unsigned uv_set = 0;         ///< of the mesh, which need not have it
  Index uv_animation = kNone;  ///< index into Scene::uv_animations, or none
  float alpha = 1;             ///< animated by Property::layer_alpha
  bool unshaded = false;
  bool two_sided = false;
  bool unfogged = false;
  bool no_depth_test = false;
  bool no_depth_write = false;
  bool sphere_map = false;
  // Physically based layers ("HD") only; kNone where absent.
  bool physically_based = false;
  Index normal = kNone;
  Index orm = kNone;  ///< R occlusion, G roughness, B metallic, A team colour mask
  Index emissive = kNone;
  Index team_color = kNone;
  Index environment = kNone;
  float emissive_gain = 1;
  Vec3 fresnel_color{1, 1, 1};
  float fresnel_opacity = 0;
  float fresnel_team_color = 0;  ///< share of the team's colour in it
  Vec3 night_color{};            ///< light of its own, by night only
  Value extras;
  Source source = {};
};

/// What a shader of the source is given, by hash of the name, as stored and not necessarily finite. From M3
/// (m3.md#materials).
struct ShaderInstance {
  /// A picture.
  struct Sampler {
    std::uint64_t hash = 0;
    std::int32_t file_id = 0;  ///< number of the picture's file
    friend bool operator==(const Sampler&, const Sampler&) = default;
  };
  static constexpr std::uint16_t kInteger = 0;  ///< type of uniforms that are no floats
  /// A value: an integer, or any number of floats; none after one whose type is unknown.
  struct Uniform {
    std::uint64_t hash = 0;
    std::uint16_t type = 0;
    std::int32_t location = 0;
    std::variant<std::monostate, std::int32_t, std::vector<float>> value;
    friend bool operator==(const Uniform&, const Uniform&) = default;
  };
  /// What is not understood.
  struct Unknown {
    std::uint64_t hash = 0;
    std::array<std::uint8_t, 4> data{};
    friend bool operator==(const Unknown&, const Unknown&) = default;
  };
  std::uint32_t library = 0;            ///< number of the file with the shaders
  std::array<std::uint8_t, 16> guid{};  ///< of the shader in the library
  std::uint32_t blend_mode = 0;         ///< as stored; Layer::blend is what it means
  std::uint32_t unknown0 = 0;           ///< not understood, as the next two
  std::array<std::uint32_t, 3> unknown2{};
  std::array<std::int32_t, 2> version4{};  ///< since version 4 of the format
  std::vector<Sampler> samplers;
  std::vector<Uniform> uniforms;
  std::vector<Unknown> unknown_data;
  friend bool operator==(const ShaderInstance&, const ShaderInstance&) = default;
};

/// Texture passes over each other.
struct Material {
  std::string name;
  std::vector<Layer> layers;  ///< drawn in order over each other
  int draw_order = 0;         ///< among blended ones, the lower are drawn first
  std::optional<ShaderInstance> shader = std::nullopt;
  Value extras;
  Value properties = {};  ///< as Node::properties
  Source source = {};
};

/// A texture animation; its keys are channels of kind Target::uv_animation.
struct UvAnimation {
  UvTransform rest;
};

// --- animation
// --------------------------------------------------------------------------------------------------

/// How a curve runs between its keys; `step` holds each key until the next.
enum class CurveMode : std::uint8_t {
  step,
  linear,  ///< rotations: slerp on the shorter way
  cubic,   ///< Hermite; each key is in tangent, value, out tangent, tangents per second; rotations are
           ///< normalised
};

/// At least one key, at strictly increasing times from 0 to the clip's duration.
struct Curve {
  CurveMode mode = CurveMode::linear;
  unsigned components = 1;
  Array<float> times;   ///< seconds from the start of the clip
  Array<float> values;  ///< components per key, three times as many if cubic; rotations are unit quaternions

  /// True if there are no keys.
  [[nodiscard]] bool empty() const { return times.empty(); }
};

/// What a channel changes. Comments state the number of components and what the target is.
enum class Property : std::uint8_t {
  translation,               ///< 3, node: replaces rest.translation
  rotation,                  ///< 4, node
  scale,                     ///< 3, node
  visibility,                ///< 1, node: 0 or 1
  weights,                   ///< one per morph target, mesh
  mesh_color,                ///< 3, mesh
  mesh_alpha,                ///< 1, mesh
  layer_alpha,               ///< 1, layer
  layer_emissive,            ///< 1, layer
  layer_texture,             ///< 1, layer: index into Scene::textures, step
  layer_fresnel_color,       ///< 3, layer
  layer_fresnel_opacity,     ///< 1, layer
  layer_fresnel_team_color,  ///< 1, layer
  uv_offset,                 ///< 2, uv animation
  uv_rotation,               ///< 1, uv animation: radians
  uv_scale,                  ///< 2, uv animation
  light_color,               ///< 3, light
  light_intensity,           ///< 1, light
  light_ambient_color,       ///< 3, light
  light_ambient_intensity,   ///< 1, light
  light_attenuation_start,   ///< 1, light: metres
  light_attenuation_end,     ///< 1, light: metres
  camera_roll,               ///< 1, camera: radians
  emitter_rate,              ///< 1, emitter, as what follows to emitter_alpha
  emitter_gravity,
  emitter_longitude,
  emitter_latitude,
  emitter_life_span,
  emitter_speed,
  emitter_variation,
  emitter_length,
  emitter_width,
  emitter_alpha,
  emitter_color,        ///< 3, emitter
  ribbon_height_above,  ///< 1, ribbon: metres
  ribbon_height_below,  ///< 1, ribbon: metres
  ribbon_alpha,         ///< 1, ribbon
  ribbon_color,         ///< 3, ribbon
  ribbon_texture_slot,  ///< 1, ribbon: cell of the texture's grid
};

/// The name of a property as it stands in extras, e.g. "emitterRate".
std::string_view property_name(Property property);
/// "bone", "attachment".
std::string_view node_kind_name(NodeKind kind);

/// What a property belongs to; the kind is that of Property's comment.
struct Target {
  /// The list that `index` counts in.
  enum class Kind : std::uint8_t { node, mesh, layer, uv_animation, light, camera, emitter, ribbon };
  Kind kind = Kind::node;
  Index index = 0;  ///< of the node, mesh, material, …
  Index sub = 0;    ///< of the layer within the material
  friend bool operator==(const Target&, const Target&) = default;
};

/// One curve of a clip, and what it moves.
struct Channel {
  Target target;
  Property property = Property::translation;
  Curve curve;
};

/// A part of a time line, in milliseconds, both ends included.
struct Interval {
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// An animation, or with `global` a loop that runs alongside all of them.
struct Clip {
  std::string name;
  float duration = 0;  ///< seconds, not negative
  bool looping = true;
  bool global = false;
  std::vector<Channel> channels;
  /// Where it lies on the one time line of its source, which Event::frames counts on; none for clips that lie
  /// on no common one.
  std::optional<Interval> interval = std::nullopt;
  /// Hz, at which the source has samples, as stored; none where keys may be at any time.
  std::optional<float> sample_rate = std::nullopt;
  Value extras;
  Value properties = {};  ///< as Node::properties
  Source source = {};
};

// --- the rest
// ---------------------------------------------------------------------------------------------------

/// Directional lights shine along their node's −Y.
struct Light {
  /// Where light comes from: a point, one side, or everywhere.
  enum class Kind : std::uint8_t { omni, directional, ambient };
  Index node = kNone;
  Kind kind = Kind::omni;
  Vec3 color{1, 1, 1};
  float intensity = 0;
  Vec3 ambient_color{1, 1, 1};
  float ambient_intensity = 0;
  float attenuation_start = 0;  ///< metres
  float attenuation_end = 0;    ///< metres
};

/// A camera of the model.
struct Camera {
  std::string name;
  Index node = kNone;         ///< looks along its −Z, +Y up, as in glTF
  Index target_node = kNone;  ///< or none
  float field_of_view = 0;    ///< as stored; `diagonal` says across what
  bool diagonal = true;       ///< else horizontal over 16:9
  float near_clip = 0;        ///< metres
  float far_clip = 0;         ///< metres
};

/// Where other models can be hung.
struct Attachment {
  Index node = kNone;
  std::int32_t id = 0;
  std::string path;  ///< model to hang there, mostly empty
};

/// Something that happens at given times, as a sound.
struct Event {
  Index node = kNone;
  std::string name;                  ///< e.g. SNDxAFTB
  Index global_loop = kNone;         ///< clip index when it fires on a global sequence, or none
  std::vector<std::int32_t> frames;  ///< ms on the source's time line, see Clip::interval
  std::string model = {};            ///< that it spawns there, if a table of the game states it; else empty
};

/// A shape to click on or to bump into.
struct CollisionShape {
  /// What `vertices` and `radius` are of.
  enum class Kind : std::uint8_t { box, sphere, plane, cylinder };
  Index node = kNone;
  Kind kind = Kind::box;
  std::vector<Vec3> vertices;  ///< box and cylinder two, sphere one; relative to the node
  float radius = 0;
};

/// A run of cells of a texture's grid, and how often it repeats.
struct CellRun {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  std::uint32_t repeat = 1;
};

/// A picture that an event lays on the ground for a while (warcraft3-rendering.md#events): it fades from the
/// first colour to the second, stays, and fades on to the third.
struct Splat {
  Index event = kNone;    ///< whose frames lay it
  Index texture = kNone;  ///< or none
  BlendMode blend = BlendMode::blend;
  float scale = 0;  ///< half of its side, metres
  float birth = 0;  ///< seconds, as the next two
  float pause = 0;
  float decay = 0;
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  CellRun birth_cells, decay_cells;
  std::array<Vec4, 3> colors{};
};

/// Sprites or models that a node throws out. Lengths in metres. Of effects, life span, speed and rate are
/// multipliers (mdx.md#popcorn-effects).
struct Emitter {
  /// What is thrown out; an effect is a file of another program.
  enum class Kind : std::uint8_t { sprites, models, effect };
  /// What each sprite is drawn as: itself, the trail behind it, or both.
  enum class Shape : std::uint8_t { head, tail, both };
  Index node = kNone;
  Kind kind = Kind::sprites;
  float speed = 0;
  float variation = 0;  ///< share of the speed
  float latitude = 0;   ///< radians
  float longitude = 0;
  float gravity = 0;    ///< metres per second and second
  float life_span = 0;  ///< seconds
  float rate = 0;       ///< per second
  float length = 0;
  float width = 0;
  BlendMode blend = BlendMode::blend;
  bool alpha_key = false;  ///< blend with discard below 0.75
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  Shape shape = Shape::head;
  float tail_length = 0;  ///< seconds: how much of its way a tail shows
  float middle = 0.5F;    ///< share of life at which the second colour is reached
  std::array<Vec3, 3> colors{};
  Vec3 alphas{};  ///< 0 to 1
  Vec3 scales{};
  CellRun head_life, head_decay, tail_life, tail_decay;
  Index texture = kNone;  ///< or none
  std::uint32_t replaceable_id = 0;
  int draw_order = 0;  ///< among blended things, the lower are drawn first
  bool burst = false;  ///< each key of the rate throws so many at once, and nothing is thrown in between
  bool unshaded = false;
  bool unfogged = false;
  bool line = false;
  bool model_space = false;
  bool xy_quad = false;
  bool sort_far_z = false;
  std::string path;     ///< model or effect
  std::string guide;    ///< visibility guide of effects
  Vec3 color{1, 1, 1};  ///< effects
  float alpha = 1;      ///< effects
};

/// A strip that a node draws behind it.
struct Ribbon {
  Index node = kNone;
  Index material = kNone;  ///< or none
  float height_above = 0;  ///< metres
  float height_below = 0;
  float alpha = 1;
  Vec3 color{1, 1, 1};
  float life_span = 0;             ///< seconds
  std::uint32_t texture_slot = 0;  ///< cell of the texture's grid
  std::uint32_t rate = 0;          ///< edges per second
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  float gravity = 0;  ///< metres per second and second
};

/// A model that stands somewhere in this scene, as it looks when nothing moves.
struct Placement {
  Index node = kNone;   ///< whose transform is the model's; nothing else of the node changes
  Index model = kNone;  ///< index into Scene::models
};

/// Objects that can be shown or left out together, as one furnishing of a building.
struct ObjectSet {
  std::string name;
  std::uint32_t first = 0;  ///< of the source's list of objects
  std::uint32_t count = 0;
  bool shown = false;  ///< whether its objects are in the scene
  friend bool operator==(const ObjectSet&, const ObjectSet&) = default;
};

/// What a file of frames of vertices says besides them, as stored and not necessarily finite: its morph
/// targets and clip are what it shows. From MRF (mrf.md#playback).
struct VertexAnimation {
  float frame_duration = 0;       ///< seconds; below 0 the last frame is shown alone, of 0 nothing
  std::uint32_t frame_count = 0;  ///< in the file
  float elapsed = 0;              ///< seconds at which playback begins
  float radius = 0;               ///< in the file's units
  Vec3 pivot{};                   ///< in the file's units and axes
  std::string texture;            ///< game path, with all that follows its first dot
  friend bool operator==(const VertexAnimation&, const VertexAnimation&) = default;
};

/// The room that a scene takes: a box and a radius, in metres.
struct Bounds {
  Vec3 minimum{};
  Vec3 maximum{};
  float radius = 0;
};

/// What the source's axes are here; its X is where models look to, its Z is up and the scene's Y.
enum class Axes : std::uint8_t {
  x_right,  ///< (x, y, z) → (x, z, −y)
  x_front,  ///< (x, y, z) → (y, z, x)
};

/// A model, a building or a map, ready to be shown or written.
struct Scene {
  std::string name;
  std::string source_format;  ///< e.g. "mdx", in whose terms extras are
  /// By these billboards lock, emitters and ribbons spread, and a picture shows the front.
  Axes axes = Axes::x_right;
  /// Parents before children. The first is the one root of all but `lods`; scenes read from glTF may have
  /// more roots.
  std::vector<Node> nodes;
  std::vector<Mesh> meshes;
  std::vector<Skin> skins;
  std::vector<Texture> textures;
  std::vector<NamedImage> images;
  std::vector<Material> materials;
  std::vector<UvAnimation> uv_animations;
  std::vector<Clip> clips;
  std::vector<Light> lights;
  std::vector<Camera> cameras;
  std::vector<Attachment> attachments;
  std::vector<Event> events;
  std::vector<Splat> splats;  ///< by open_scene, where a source has the game's tables
  std::vector<CollisionShape> collision_shapes;
  std::vector<Emitter> emitters;
  std::vector<Ribbon> ribbons;
  /// Each written once, however often it is placed; may have placements of their own. None is null.
  std::vector<std::shared_ptr<const Scene>> models;
  std::vector<Placement> placements;
  std::vector<ObjectSet> object_sets;
  /// Every player's colours where anything has them and ImageOptions::all_team_colors was set.
  std::vector<ImageVariant> variants;
  std::optional<VertexAnimation> vertex_animation = std::nullopt;
  Bounds bounds;
  Value extras;
  Value properties = {};  ///< as Node::properties
  SceneSource source = {};

  // Compiled once, in the library, and not by each source that has one.
  Scene();
  /// A copy of all of it.
  Scene(const Scene& other);
  /// Takes what the other has.
  Scene(Scene&& other) noexcept;
  /// As the copy constructor.
  Scene& operator=(const Scene& other);
  /// As the move constructor.
  Scene& operator=(Scene&& other) noexcept;
  ~Scene();
};

// --- pictures
// ---------------------------------------------------------------------------------------------------

/// R G B, 0 to 255.
using Color = std::array<std::uint8_t, 3>;

/// A player colour by name (`red`, `light-blue`, …; case, blanks, `-` and `_` do not matter), number (`0` to
/// `23`) or value (`#rrggbb`). The numbers are those of the game's files
/// (warcraft3-rendering.md#team-colours).
struct TeamColor {
  Color color{255, 3, 3};
  /// The player whose files are looked for before the colour is used; none for a colour given by value.
  std::optional<unsigned> player = 0;
  friend bool operator==(const TeamColor&, const TeamColor&) = default;
};

/// None for a text that is none of the three.
std::optional<TeamColor> parse_team_color(std::string_view text);

/// Team colour, files for replaceable textures, and limits of pictures that are loaded.
struct ImageOptions {
  TeamColor team_color;
  bool all_team_colors = false;  ///< fills Scene::variants
  bool keep_files = false;       ///< fills NamedImage::file
  /// Game paths for replaceable ids, before the game's own table.
  std::vector<std::pair<std::uint32_t, std::string>> replaceables;
  ReadOptions read;
  std::uint32_t longest_side = 0;  ///< larger pictures are reduced, as `fitted` does it; 0: none is
};

/// Fills `images`, and `image` of every texture but made ones (without path and id), whose picture stays.
/// Each distinct picture is decoded once. What no source has is reported as texture.missing-file, what does
/// not decode as texture.undecodable; both become a small grey placeholder. Team colours and glows
/// (replaceable ids 1 and 2) that no source has are made. Errors, which leave the scene with some of its
/// pictures: limit.pixels, with the picture's name, and limit.stopped.
Result<void> load_images(Scene& scene, const Sources& sources, const ImageOptions& options = {},
                         Diagnostics& diagnostics = Diagnostics::discarded());

/// Bytes that the pictures of a scene take, and those of the models within it, each counted once.
std::uint64_t pixel_bytes(const Scene& scene);

}  // namespace thaw::scene

#pragma GCC visibility pop
