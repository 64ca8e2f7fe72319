// A model as rules look at it: every object with its field path, in the order by which references count.
#pragma once

#include <thaw/mdx.hpp>
#include <thaw/validate.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::mdx::rules {

/// An object and where it is, such as `GEOS[2]`.
template <class T>
struct Item {
  const T* value = nullptr;
  std::string path;

  const T* operator->() const { return value; }
  const T& operator*() const { return *value; }
};
template <class T>
using Items = std::vector<Item<T>>;

enum class NodeKind : std::uint8_t {
  bone,
  light,
  helper,
  attachment,
  particle_emitter,
  particle_emitter2,
  popcorn,
  ribbon,
  event,
  collision,
  sound,
};

struct NodeItem {
  const Node* node = nullptr;
  NodeKind kind = NodeKind::bone;
  std::string path;  ///< `BONE[3].node`
};

/// What a track belongs to, for the tags that may occur there.
enum class TrackOwner : std::uint8_t {
  node,
  layer,
  slot,
  texture_animation,
  geoset_animation,
  light,
  attachment,
  particle_emitter,
  particle_emitter2,
  ribbon,
  popcorn,
  camera,
  sound,
};

struct TrackItem {
  const Track* track = nullptr;
  TrackOwner owner = TrackOwner::node;
  std::uint32_t owner_path = 0;  ///< index into Model::owner_paths
  std::uint32_t occurrence = 0;  ///< how often the tag came before in the same object
};

/// Times at which something plays: a sequence, or a global sequence from 0 on. Both ends belong to it.
struct Interval {
  std::int64_t start = 0;
  std::int64_t end = 0;

  [[nodiscard]] bool holds(std::int64_t frame) const { return frame >= start && frame <= end; }
};

/// The words of a name as the game and the checkers split it: lower case, what follows the first `-` left
/// out, a leading "alternate" skipped.
std::vector<std::string> sequence_words(std::string_view name);
/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);
bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> extensions);
/// Whether the game loads textures of that name.
bool is_texture_path(std::string_view path);
/// Whether the path of a model emitter is that of a texture or of a model, as its flags ask for.
bool names_what_it_throws(const ParticleEmitter& emitter);
/// Ids of textures that the game supplies (warcraft3-rendering.md#replaceable-textures), 0 included.
bool is_replaceable(std::uint32_t id);

/// The index that a reference means, if it is one of `count`.
inline std::optional<std::size_t> index_in(std::int64_t id, std::size_t count) {
  return id >= 0 && static_cast<std::uint64_t>(id) < count ? std::optional(static_cast<std::size_t>(id))
                                                           : std::nullopt;
}

class Model {
 public:
  Model(const Document& document, const ValidateOptions& options);

  const Document& document;
  const ValidateOptions& options;
  std::uint32_t version;
  AssetKind kind = AssetKind::automatic;  ///< guessed, unless it was given

  const mdx::Model* header = nullptr;
  Items<Sequence> sequences;
  Items<std::uint32_t> global_sequences;
  Items<Texture> textures;
  Items<Material> materials;
  Items<Layer> layers;  ///< of all materials
  Items<TextureAnimation> texture_animations;
  Items<Geoset> geosets;
  Items<GeosetAnimation> geoset_animations;
  Items<Bone> bones;
  Items<Light> lights;
  Items<Helper> helpers;
  Items<Attachment> attachments;
  Items<ParticleEmitter> particle_emitters;
  Items<ParticleEmitter2> particle_emitters2;
  Items<RibbonEmitter> ribbons;
  Items<PopcornEmitter> popcorns;
  Items<SoundEmitter> sounds;
  Items<EventObject> events;
  Items<Camera> cameras;
  Items<CollisionShape> collisions;
  Items<FaceEffect> face_effects;
  const Pivots* pivots = nullptr;
  const BindPoses* bind_poses = nullptr;
  const PickGeosets* pick_geosets = nullptr;

  std::vector<NodeItem> nodes;  ///< in the file's order
  std::vector<TrackItem> tracks;
  std::vector<std::string> owner_paths;
  std::vector<Interval> intervals;  ///< of the sequences
  /// Objects whose fields are not what is written.
  std::set<std::string, std::less<>> damaged;

  [[nodiscard]] std::string path_of(const TrackItem& item) const;
  /// The node of an object id (the first, if several claim it), or null.
  [[nodiscard]] const NodeItem* node_by_id(std::int64_t id) const;
  /// Index into `geosets` etc. from 0; the material of a geoset, or null.
  [[nodiscard]] const Material* material_of(const Geoset& geoset) const;
  /// Drawn by the physically based renderer (mdx.md#shaders).
  [[nodiscard]] bool is_hd(const Material& material) const;
  /// Texture ids that a layer shows at any time.
  [[nodiscard]] std::vector<std::int64_t> texture_ids(const Layer& layer) const;
  [[nodiscard]] bool has_emitters() const {
    return !particle_emitters.empty() || !particle_emitters2.empty() || !ribbons.empty() || !popcorns.empty();
  }
  /// The first sequence that a frame lies in. Logarithmic, however many sequences overlap.
  [[nodiscard]] std::optional<std::size_t> sequence_at(std::int64_t frame) const;
  /// The interval of a global sequence, if it exists.
  [[nodiscard]] std::optional<Interval> global_interval(std::int32_t id) const;

 private:
  template <class T>
  void add_items(Items<T>& to, const List<T>& list, const std::string& chunk_path);
  void add_chunk(const Chunk& chunk, const std::string& path);
  template <class T>
  void add_nodes(const Items<T>& items, NodeKind kind);
  template <class T>
  void add_tracks(const Items<T>& items, TrackOwner owner);
  void add_track_list(const Tracks& list, TrackOwner owner, std::string path);
  void index_nodes();
  void index_tracks();
  void index_time_line();

  std::map<std::int64_t, std::size_t> by_id_;
  /// From each frame on, the first sequence that plays; none in gaps.
  std::map<std::int64_t, std::optional<std::size_t>> time_line_;
};

/// For rules about each track.
inline constexpr auto kTracks = [](const Model& model, const auto& use) {
  for (const auto& item : model.tracks) {
    use(*item.track, [&] { return model.path_of(item); });
  }
};
/// The same, with what each belongs to.
inline constexpr auto kTrackItems = [](const Model& model, const auto& use) {
  for (const auto& item : model.tracks) {
    use(item, [&] { return model.path_of(item); });
  }
};

}  // namespace thaw::mdx::rules
