// State shared by the parts of from_scene while a model is being made.
#pragma once

#include "formats/warcraft/mdx/convert/conversion_job.hpp"
#include "formats/warcraft/mdx/from_scene/track_builder.hpp"
#include "scene/deviation.hpp"
#include "scene/roles.hpp"
#include "scene/source.hpp"

#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/mdx.hpp>

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

namespace thaw::mdx {

using scene::Index;
using scene::kNone;
using scene::Mat4d;
using scene::Property;
using scene::Target;
using scene::Vec3d;

/// Which chunk an object of the hierarchy stands in, in the order in which object ids are given.
enum class ObjectKind : std::uint8_t {
  bone,
  light,
  helper,
  attachment,
  model_emitter,
  sprite_emitter,
  effect,
  ribbon,
  event,
  collision,
};

/// Keys that hold in all sequences, in the scene's axes.
struct ConstantKeys {
  scene::Vec4d rotation{0, 0, 0, 1};
  Vec3d scale{1, 1, 1};
};

/// A node of the scene, or something at it, as an object of the model.
struct SceneObject {
  ObjectKind kind = ObjectKind::helper;
  Index node = kNone;         ///< of the scene; none for an object that was added here
  Index item = kNone;         ///< in the scene's list of its kind
  bool has_node_keys = true;  ///< it has the node's keys, else it hangs at the object that has
  std::int32_t id = -1;       ///< of the object
  std::string name = {};      ///< of an added object
  // Where the usual keys cannot hold the node's scale (scales.cpp):
  bool raw = false;     ///< it has the node's keys as they are in the scene
  Index above = kNone;  ///< the object that one with constant keys hangs at
  std::optional<ConstantKeys> constant_keys = {};
};

struct ModelBuilder {
  ModelBuilder(const scene::Scene& scene_, const FromSceneOptions& options_, Diagnostics& diagnostics_)
      : scene(scene_), options(options_), diagnostics(diagnostics_), units(1 / double{options_.scale}) {}

  const scene::Scene& scene;
  const FromSceneOptions& options;
  Diagnostics& diagnostics;
  double units;  ///< of the game in a metre

  // Found out first.
  std::vector<ClipSpan> spans;  ///< by clip
  using ChannelKey = std::tuple<Target::Kind, Index, Index, Property>;
  std::map<ChannelKey, std::vector<std::pair<Index, const scene::Curve*>>> channels;  ///< clip and curve
  std::vector<Mat4d> rest_world;  ///< of each node, in the scene's space
  std::vector<Mat4d> reference;   ///< where each node is while all keys of the game say nothing
  std::vector<SceneObject> objects;
  Index root_bone = kNone;            ///< the object that was added for meshes that hang nowhere
  std::vector<Index> object_of_node;  ///< the object that has the node's keys
  std::vector<Index> raw_object;      ///< the object that has the node's keys as they are in the scene
  std::vector<Index> object_above;    ///< the same of the nearest node that has one, itself or above
  std::vector<scene::LevelOfDetail> levels = scene::levels_of_detail(scene);  ///< by node
  double size = 1;         ///< of the model, in units of the game
  std::size_t fitted = 0;  ///< nodes whose keys cannot hold their scale

  // Output.
  Document document;
  std::vector<scene::ConvertedMesh> sources;  ///< by geoset
  std::vector<ModelPicture> pictures;
  std::vector<std::int32_t> texture_ids;       ///< by texture of the scene
  std::map<std::string, std::size_t> counted;  ///< findings that are reported once, with their count
  std::map<std::string, double> largest;

  void lose(std::string what) { diagnostics.add(codes::kSceneLost, std::move(what)); }
  void change(std::string what) { diagnostics.add(codes::kSceneChanged, std::move(what)); }
  void add(std::string what) { diagnostics.add(codes::kSceneAdded, std::move(what)); }

  /// The first geoset of the mesh that was of this number in the model that came back.
  [[nodiscard]] std::int32_t geoset_of(std::int32_t number) const {
    const auto found = geoset_of_mesh.find(number);
    return found == geoset_of_mesh.end() ? -1 : found->second;
  }
  std::map<std::int64_t, std::int32_t> geoset_of_mesh;
  [[nodiscard]] Vec3 position(const Vec3d& p) const {
    const Vec3d turned = scene::to_z_up(p, scene.axes);
    return {to_float(turned[0] * units), to_float(turned[1] * units), to_float(turned[2] * units)};
  }
  [[nodiscard]] float length(float metres) const { return to_float(double{metres} * units); }
  /// The values of an MDX source.
  template <class Part>
  [[nodiscard]] static const Value& mdx_extras(const Part& part) {
    return scene::extras_of(part, "mdx");
  }
  /// The object that moves what hangs at a node: its own, or the next above that has one.
  [[nodiscard]] Index carrier(Index node) const {
    return node < object_above.size() ? object_above[node] : kNone;
  }

  /// The track of a property; none where nothing says more than the rest value, and the object does.
  std::optional<Track> track(const Target& target, Property property, const TrackRule& rule);
  void add_scalar(Tracks& tracks, FourCC tag, const Target& target, Property property, float resting,
                  double factor = 1, bool stepped = false);
  void add_color(Tracks& tracks, FourCC tag, const Target& target, Property property, const Vec3& resting,
                 bool reversed = true);
  void add_visibility(Tracks& tracks, FourCC tag, Index node);
  /// Of a texture animation: its angle as turns about Z.
  void add_turns(Tracks& tracks, const Target& target, float resting);
  std::deque<scene::Curve> derived_curves;  ///< that `channels` may name
  /// Whether a layer becomes one of HD.
  [[nodiscard]] bool is_hd(const scene::Layer& layer) const {
    return options.version >= 900 && options.hd.value_or(layer.physically_based);
  }
  /// A texture animation that moves nothing, and so stands in the coordinates themselves.
  [[nodiscard]] bool stands(Index uv_animation) const;
  static void add_track(Tracks& tracks, std::optional<Track> track) {
    if (track) {
      tracks.push_back(std::move(*track));
    }
  }
};

/// A text of the scene for a field of the file, reported if it is cut. Blanks around those of other programs
/// go: the game compares names as they stand.
template <std::size_t N>
FixedText<N> fixed(ModelBuilder& builder, std::string_view text) {
  if (ModelBuilder::mdx_extras(builder.scene).is_null()) {
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    text = text.substr(first, text.find_last_not_of(' ') + 1 - first);
  }
  if (text.size() >= N) {
    builder.change("\"" + std::string(text) + "\" truncated to " + std::to_string(N - 1) + " bytes");
    while (text.size() >= N || (!text.empty() && text.size() + 1 >= N)) {
      text.remove_suffix(1);
    }
  }
  return FixedText<N>(text);
}

// In the order of the work.
Result<void> lay_out_clips(ModelBuilder& builder);  ///< timeline.cpp
void index_channels(ModelBuilder& builder);
void find_references(ModelBuilder& builder);  ///< references.cpp
void choose_objects(ModelBuilder& builder);   ///< objects.cpp
void spread_scales(ModelBuilder& builder);  ///< scales.cpp: part of choose_objects, before they are numbered
void make_sequences(ModelBuilder& builder);
void make_materials(ModelBuilder& builder);        ///< materials.cpp
Result<void> make_geosets(ModelBuilder& builder);  ///< geosets.cpp
void make_objects(ModelBuilder& builder);          ///< items.cpp
void make_cameras(ModelBuilder& builder);          ///< cameras.cpp
void add_missing_bone(ModelBuilder& builder);      ///< completions.cpp
void complete(ModelBuilder& builder);
bool measure_extents(Document& document, const Control* control);  ///< extents.cpp; false: it was stopped

/// The body of a chunk, which is added if it is not there.
template <class Body>
Body& chunk_of(Document& document, FourCC tag) {
  Body* body = document.find<Body>();
  return body != nullptr ? *body : std::get<Body>(insert_chunk(document, tag, Body()).body);
}

}  // namespace thaw::mdx
