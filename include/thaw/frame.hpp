// Look of a scene at one time: plain data that any backend can draw without knowing a format. All
// meaning of animation, billboards, filter modes, emitters, ribbons, light and texture animation is settled
// here (docs/formats/warcraft3-rendering.md; docs/library/rendering.md).
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/image.hpp>
#include <thaw/scene.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw {
class Control;
}

/// What a scene looks like at one moment.
namespace thaw::frame {

using scene::Index;
using scene::kNone;
using scene::Mat4;

// --- request
// -----------------------------------------------------------------------------------------

/// Looks from `eye` to `target`. Lengths in metres, angles in radians.
struct Camera {
  Vec3 eye{0, 0, 5};
  Vec3 target{};
  Vec3 up{0, 1, 0};
  float field_of_view = 0.61086524F;  ///< between bottom and top
  float height = 0;                   ///< above 0: parallel projection that sees so much from bottom to top
  float near_clip = 0.05F;
  float far_clip = 1000;
  float aspect = 1;  ///< width by height
};

/// A moment of a clip. Times may be any finite number of seconds: looping clips wrap around, others hold
/// their ends.
struct PlayTime {
  Index clip = kNone;  ///< kNone: the rest pose
  double time = 0;     ///< since the clip's start
  double clock = 0;    ///< of the loops that run alongside all clips
};

/// Where light comes from that does not stand in the scene.
enum class Lighting : std::uint8_t {
  renderer,  ///< a key light from above the viewer's left shoulder and a weak one from behind
  overhead,  ///< brightness 0.7 to 1 by how much a surface looks up, as some viewers have it
  scene,     ///< only the lights of the scene
  none,      ///< everything at full brightness
};

/// Linear from `start` (clear) to `end` (nothing but fog), metres from the eye's plane.
struct Fog {
  bool enabled = false;
  Vec3 color{};
  float start = 0;
  float end = 0;
};

/// Names a model that others hang at their nodes or throw out.
struct NamedModel {
  std::string path;  ///< as normalize_game_path gives it, without extension
  std::shared_ptr<const scene::Scene> scene;
};

/// What of a scene is drawn, in what light, and how much at most.
struct Options {
  std::uint64_t seed = 1;  ///< of everything that is random; same seed, same picture
  Lighting lighting = Lighting::renderer;
  Fog fog;
  float night = 0;                  ///< 0 by day, 1 by night: how much of Layer::night_color is seen
  bool surfaces = true;             ///< meshes
  bool emitters = true;             ///< particles and ribbons
  bool attachments = true;          ///< models that hang at the scene's nodes
  bool wireframe = false;           ///< edges of all meshes
  bool bones = false;               ///< lines from nodes to their parents
  bool collision = false;           ///< collision shapes
  bool extents = false;             ///< the box and the sphere that the scene states
  bool grid = false;                ///< squares on the ground, that is where up is 0
  Index marked_node = kNone;        ///< its axes are drawn: X red, Y green, Z blue
  std::vector<bool> hidden_meshes;  ///< by index; missing entries are shown
  /// For a graphics card that keeps the vertices: draws name meshes at rest (Draw::rest_mesh) and matrices
  /// wherever a vertex shader can do the rest. raster::draw leaves such draws out.
  bool at_rest = false;
  /// What one frame may take; what goes beyond is left out and `Frame::complete` is false.
  std::uint32_t max_triangles = 1U << 22U;
  std::uint32_t max_particles = 1U << 15U;
  /// Looked at between meshes; once it is stopped the frame is not complete and not for use.
  const Control* control = nullptr;
};

// --- output
// --------------------------------------------------------------------------------------------

/// source · factor + destination · factor, all with straight alpha.
enum class Blend : std::uint8_t {
  none,        ///< source
  alpha,       ///< source · alpha + destination · (1 − alpha)
  add,         ///< source · alpha + destination
  modulate,    ///< source · destination
  modulate2x,  ///< 2 · source · destination
};

/// How many indices make a shape: three, two, or one.
enum class Topology : std::uint8_t { triangles, lines, points };
/// Indices of one shape.
constexpr std::uint32_t corners_of(Topology topology) { return 3U - static_cast<std::uint32_t>(topology); }

/// A picture, and whether it repeats; where it does not, its last row or column goes on.
struct Sampler {
  Index image = kNone;  ///< into Evaluator::images; kNone is white
  bool wrap_u = false;
  bool wrap_v = false;
};

/// What a draw was made of, for picking and for switching parts on and off.
enum class Origin : std::uint8_t {
  mesh,
  emitter,
  ribbon,
  bones,
  collision,
  extents,
  wireframe,
  grid,
  mark,
  splat,
};

/// A light as draws meet it.
struct Light {
  Vec3 place{};  ///< where it is; of one that is far away, the direction towards it
  Vec3 color{};
  float start = 0;  ///< of a near one: all of its light up to here, metres
  float end = 0;    ///< none from here on
  bool near = false;
};

/// Of one picture that reach such draws; more of them are left out.
inline constexpr std::size_t kMostLights = 8;

/// What shines on draws that have normals, pixel by pixel; in the colours of all others light is already.
struct Illumination {
  Vec4 viewer{0, 0, 1, 0};  ///< the eye's place, and 1; of a parallel projection the direction to it, and 0
  Vec3 ambient{};
  Vec3 surroundings{};  ///< how bright a mirror shows them
  /// At most kMostLights: those that are far away first, then as they come.
  std::vector<Light> lights;
  float most = 1;  ///< a vertex is lit at most so brightly (Draw::lit)
};

/// One call: `index_count` indices from `first_index`, each relative to the bases. The colour of a pixel is
/// texel · vertex colour · `color`; texture coordinates are (a b; c d) · uv + (e f).
struct Draw {
  Topology topology = Topology::triangles;
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
  std::uint32_t vertex_count = 0;
  std::uint32_t base_position = 0;
  std::uint32_t base_uv = kNone;                     ///< kNone: no texture coordinates
  std::uint32_t base_color = kNone;                  ///< kNone: no vertex colours
  std::uint32_t base_normal = kNone;                 ///< kNone: light is in the colours
  std::uint32_t base_tangent = kNone;                ///< kNone: `normal` has no say
  std::array<float, 6> uv_matrix{1, 0, 0, 1, 0, 0};  ///< a b c d e f
  Vec4 color{1, 1, 1, 1};
  Sampler texture;

  Blend blend = Blend::none;
  float alpha_cutoff = 0;  ///< pixels with less alpha are dropped
  bool depth_test = true;  ///< passes where not behind what is there
  bool depth_write = true;
  bool two_sided = false;
  bool fogged = true;

  /// Physically based layers: team colour where orm.a is set, occlusion orm.r, roughness orm.g, metal orm.b,
  /// plus emission. docs/library/rendering.md has the formulae.
  bool physically_based = false;
  Sampler orm;
  Sampler emissive;
  Sampler team_color;
  Sampler normal;                ///< x in R and y in G
  bool normal_in_alpha = false;  ///< x in A instead
  /// All around, by longitude and latitude: the middle is where −Z points, the upper edge is up.
  Sampler environment;
  float environment_gain = 1;  ///< makes its mean 1
  float emissive_gain = 1;
  /// Fresnel: what edges that turn away from the eye glow in, of draws with normals.
  Vec3 rim{};
  float rim_opacity = 0;
  float rim_team = 0;  ///< 1: in the team's colour

  /// Into Evaluator::rest_meshes, with Options::at_rest: the mesh whose vertices and indices are drawn. Bases
  /// are 0 or kNone.
  Index rest_mesh = kNone;
  std::uint32_t base_matrix = 0;  ///< of a mesh at rest, into Frame::matrices
  Index uv_set = 0;
  bool sphere_map = false;  ///< coordinates (½ + ½ x, ½ − ½ y) of the normal in view space
  bool lit = false;         ///< vertex colours are to be multiplied by the Illumination
  float bare_color = 1;     ///< of vertices without colours

  Origin origin = Origin::mesh;
  Index object = 0;  ///< index of the mesh, emitter, ribbon or splat in its scene
  Index layer = 0;
};

/// Vertices in world space, draws in the order in which they go over each other.
///
/// Everything holds, whatever scene it was made of: each draw's indices lie in `indices`, are below its
/// vertex_count, and all that they lead to lies in the arrays; whole shapes; pictures that are
/// there; numbers that are finite. Of draws of a mesh at rest that holds for the mesh's arrays.
struct Frame {
  Mat4 view{};
  Mat4 projection{};  ///< depth −1 (near) to 1 (far), as OpenGL has it
  Array<Vec3> positions;
  Array<Vec2> uvs;
  Array<std::array<std::uint8_t, 4>>
      colors;            ///< light is in them already, but in those of draws with normals
  Array<Vec3> normals;   ///< of draws that are lit pixel by pixel; unit length, or 0
  Array<Vec4> tangents;  ///< w is the side of the bitangent, normal × tangent
  Array<std::uint32_t> indices;
  Array<std::array<float, 12>> matrices;  ///< rows of affine matrices; they move meshes at rest
  std::vector<Draw> draws;
  Fog fog;
  Illumination illumination;
  std::uint32_t triangles = 0;  ///< of all draws together
  std::uint32_t particles = 0;
  std::uint32_t stand_ins = 0;  ///< draws of soft spots in place of pictures and models that were not found
  bool complete = true;
};

/// What of a mesh is the same at every moment. Its arrays lie in the evaluator or in its scenes.
struct RestMesh {
  std::span<const Vec3> positions;
  std::span<const Vec3> normals;
  std::span<const Vec4> tangents;  ///< w as in Frame::tangents; may be empty
  std::span<const Vec4> colors;    ///< may be empty
  std::vector<std::span<const Vec2>> uv_sets;
  std::span<const std::uint32_t> indices;
  /// A vertex is moved by `influences` matrices: those of its group, in joints and weights from
  /// representatives[group] · influences on. Without groups the first matrix moves all.
  std::span<const std::uint32_t> groups;
  std::span<const std::uint32_t> representatives;
  std::span<const std::uint16_t> joints;
  std::span<const float> weights;
  unsigned influences = 0;
};

/// Evaluates one scene, and what hangs in it, at any moments. The scene must outlive it. May be used by
/// several threads at once.
class Evaluator {
 public:
  /// `models` are those that the scene names, as models_within finds them; what has none is not drawn.
  explicit Evaluator(const scene::Scene& scene, std::vector<NamedModel> models = {});
  /// A temporary scene would not outlive it.
  explicit Evaluator(const scene::Scene&& scene, std::vector<NamedModel> models = {}) = delete;
  Evaluator(const Evaluator&) = delete;
  /// What was moved from may only be assigned to or destroyed.
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(const Evaluator&) = delete;
  /// As the move constructor.
  Evaluator& operator=(Evaluator&&) noexcept;
  ~Evaluator();

  /// The draws of a moment as the camera sees them. Same arguments, same frame.
  [[nodiscard]] Frame evaluate(const PlayTime& moment, const Camera& camera,
                               const Options& options = {}) const;
  /// The same into a frame whose memory is used again; what it held is gone.
  void evaluate(const PlayTime& moment, const Camera& camera, const Options& options, Frame& frame) const;

  /// All pictures that frames name by index: those of the scene, then those of models in it, then the
  /// surroundings that surfaces reflect where nothing else is stated, and last a soft spot.
  [[nodiscard]] std::span<const Image* const> images() const&;
  /// The pictures of models in the scene go with the evaluator.
  std::span<const Image* const> images() const&& = delete;

  /// All meshes that frames with Options::at_rest name by index.
  [[nodiscard]] std::vector<RestMesh> rest_meshes() const&;
  std::vector<RestMesh> rest_meshes() const&& = delete;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

/// One moment of one scene, without models that hang in it.
Frame evaluate(const scene::Scene& scene, const PlayTime& moment, const Camera& camera,
               const Options& options = {});

// --- picking
// ---------------------------------------------------------------------------------------------------

/// A triangle that is seen.
struct Hit {
  std::uint32_t draw = 0;                  ///< into Frame::draws
  std::array<std::uint32_t, 3> corners{};  ///< counted from the draw's bases
  Vec3 shares{};                           ///< of the corners, adding up to 1
};

/// The nearest triangle at a place of the picture, −1 to 1 from left to right and from bottom to top, that is
/// not clear there. Lines are passed by, and meshes at rest. `images` are those of the evaluator.
std::optional<Hit> pick(const Frame& frame, std::span<const Image* const> images, float x, float y);

/// The part of a mesh of the scene that was hit; all kNone for attached models and for draws that are no
/// mesh.
struct HitPart {
  Index part = kNone;    ///< into Mesh::parts
  Index vertex = kNone;  ///< the nearest corner
  Index node = kNone;    ///< that moves it most
};
/// The part for a hit of a frame of that scene.
HitPart hit_part(const scene::Scene& scene, const Frame& frame, const Hit& hit);

// --- cameras
// ---------------------------------------------------------------------------------------------------

/// Where to look from when the model is to fill the picture. Angles in radians: azimuth 0 looks at the front
/// (where the source's X points, by Scene::axes), positive azimuth goes to the model's left; elevation above
/// the horizon.
struct View {
  float azimuth = 0.61086524F;
  float elevation = 0.34906585F;
  /// 1 makes the model fill the picture up to a margin; 2 is twice as far away.
  float distance = 1;
  /// Units per second, see `travel`: the camera is that of the clip's beginning, for something that is
  /// followed.
  Vec3 travel{};
  std::optional<double> moment;  ///< frames what this moment shows instead of the whole clip
};

/// How what walks away moves on, in units per second: clips that repeat although their bones end somewhere
/// else than they began, and others that end farther off than the figure is large. None for all others.
Vec3 travel(const scene::Scene& scene, Index clip);

/// Frames everything that the clip shows from its first moment to its last, emitters included.
Camera auto_camera(const Evaluator& evaluator, const scene::Scene& scene, Index clip, const View& view,
                   float aspect, const Options& options = {});

/// A camera of the scene at a moment. The aspect settles what a diagonal field of view means
/// (warcraft3-rendering.md#cameras).
std::optional<Camera> scene_camera(const scene::Scene& scene, Index index, const PlayTime& moment,
                                   float aspect);
/// The camera that shows the model's portrait: the first whose name states it, else the first of all.
std::optional<Index> portrait_camera(const scene::Scene& scene);

/// Whether the model is made to be seen through that camera: it has one, and its own name or that of its file
/// (without extension) ends in "portrait", or it has clips named Portrait… and no Stand….
bool is_portrait(const scene::Scene& scene, std::string_view file_name = {});

/// The clip that shows the model at its best: of portraits a Portrait, else Stand, else the first that loops,
/// else the first; kNone without clips. One in which nothing is visible comes after all others.
Index default_clip(const scene::Scene& scene, std::string_view file_name = {});
/// The clip of a name (case does not matter; then the first whose name begins so) or number.
std::optional<Index> find_clip(const scene::Scene& scene, std::string_view name);

}  // namespace thaw::frame

#pragma GCC visibility pop
