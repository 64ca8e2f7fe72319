// State shared by the parts of to_scene while a scene is being built.
#pragma once

#include "formats/warcraft/mdx/scene/track.hpp"

#include <thaw/mdx.hpp>

#include <string>
#include <unordered_map>
#include <vector>

namespace thaw::mdx {

/// Which object of the document is meant, for findings: "BONE[3]".
struct ObjectRef {
  FourCC chunk;
  std::size_t index = 0;

  [[nodiscard]] std::string text() const { return chunk.text() + "[" + std::to_string(index) + "]"; }
};

/// A track and the property of the scene that it drives.
struct Binding {
  TrackUse use;
  ObjectRef place;
  scene::Target target;
  scene::Property property = scene::Property::translation;
};

/// A camera whose view direction follows from tracks.
struct CameraRig {
  ObjectRef place;
  scene::Index camera = 0;
  std::vector<std::size_t> bindings;  ///< of its position, its target, and its roll
};

/// Where the games that share these models differ.
struct Dialect {
  std::string_view name = "mdx";  ///< Scene::source_format
  Axes axes = Axes::x_right;
  bool holds = false;              ///< TrackUse::holds
  bool rolls_about_sight = false;  ///< all cameras, not only cinematic ones
  bool texture_may_lack = false;   ///< −1 is no texture, and no mistake
  FourCC collision{"CLID"};        ///< the chunk that collision shapes stand in
};

struct SceneBuilder {
  SceneBuilder(const Document& document_, const SceneOptions& options_, Diagnostics& diagnostics_,
               const Dialect& dialect_ = {});

  const Document& document;
  SceneOptions options;
  Dialect dialect;
  Diagnostics& diagnostics;
  scene::Scene scene;

  /// Nodes by object id; the first of several with one id.
  std::unordered_map<std::int32_t, scene::Index> node_of_id;
  std::unordered_map<const Node*, scene::Index> node_of_object;
  /// Pivots by scene node, in the scene's axes and units.
  Array<Vec3> pivots;
  std::vector<Binding> bindings;
  std::vector<CameraRig> rigs;
  Array<std::uint32_t> global_durations;
  std::vector<std::optional<std::uint32_t>> event_globals;  ///< per event of the scene
  /// Textures of the document, which come first in the scene.
  std::size_t document_textures = 0;

  [[nodiscard]] double scale() const { return double{options.scale}; }
  [[nodiscard]] Vec3 position(const Vec3& stored) const { return to_position(stored, scale(), dialect.axes); }
  void report(const Code& code, const ObjectRef& place, std::string_view message);
  void report(const Code& code, FourCC chunk, std::string_view message);

  /// Registers a track.
  void add(Binding binding);
  /// Registers a track if the object has it. Returns whether it has.
  bool bind(const Tracks& tracks, FourCC tag, const ObjectRef& place, const Binding& binding);
  /// A scalar property, in units of `factor` per unit of the file.
  void bind_scalar(const Tracks& tracks, FourCC tag, const ObjectRef& place, const scene::Target& target,
                   scene::Property property, float rest, double factor = 1);
  void bind_color(const Tracks& tracks, FourCC tag, const ObjectRef& place, const scene::Target& target,
                  scene::Property property, const Vec3& rest, Conversion order = Conversion::bgr_color);
  void bind_visibility(const Tracks& tracks, FourCC tag, const ObjectRef& place, scene::Index node);

  /// The global sequence that a track follows, if it is there.
  [[nodiscard]] std::optional<std::uint32_t> global_of(const Track& track) const;
};

/// Everything but clips and extras, which require all tracks and nodes to be known.
void build_parts(SceneBuilder& builder);

void build_nodes(SceneBuilder& builder);
void build_textures(SceneBuilder& builder);
void build_materials(SceneBuilder& builder);
void build_uv_animations(SceneBuilder& builder);
void build_meshes(SceneBuilder& builder);
void build_geoset_animations(SceneBuilder& builder);
void build_lights(SceneBuilder& builder);
void build_attachments(SceneBuilder& builder);
void build_events(SceneBuilder& builder);
void build_collision_shapes(SceneBuilder& builder);
void build_emitters(SceneBuilder& builder);
void build_ribbons(SceneBuilder& builder);
void build_cameras(SceneBuilder& builder);
void build_clips(SceneBuilder& builder);
void build_extras(SceneBuilder& builder);

/// The rotation curve of a camera from the curves of its parts; missing ones rest.
struct ViewCurves {
  const scene::Curve* position = nullptr;
  const scene::Curve* target = nullptr;
  const scene::Curve* roll = nullptr;
};
scene::Curve view_curve(const SceneBuilder& builder, const scene::Camera& camera, const ViewCurves& curves);

/// The scene's index of the texture that the game puts where an HD layer has none; added on the first
/// request.
scene::Index game_texture(SceneBuilder& builder, std::string_view path);

}  // namespace thaw::mdx
