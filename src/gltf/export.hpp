// State shared by the parts of the glTF writer while one scene is being written.
#pragma once

#include <thaw/gltf.hpp>

#include "gltf/materials.hpp"
#include "gltf/visibility.hpp"
#include "scene/roles.hpp"
#include "scene/unique_names.hpp"

#include <memory>

namespace thaw::gltf {

/// Where a mesh of the scene went.
struct PlacedMesh {
  Index mesh = kNone;  ///< of the document; kNone if it has no triangles
  Index node = kNone;  ///< of the document; no other mesh is there, and its scale is that of `scale`
  Vec3 scale{1, 1, 1};
  bool skinned = false;
  unsigned morph_targets = 0;  ///< without the one that hides
  std::unique_ptr<Visibility> visibility;

  /// A target that takes all vertices to one point: hides what a node's scale cannot, because skinned meshes
  /// ignore their node.
  [[nodiscard]] bool has_hiding_target() const {
    return skinned && (visibility->animated() || !visibility->initially());
  }
};

/// Bounds what small inputs can request by multiplication: clips times meshes, nodes times ancestors times
/// keys. Far above what any model of a game needs.
class Budget {
 public:
  explicit Budget(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// False, and a finding the first time, if there is not enough left.
  bool spend(std::uint64_t steps) {
    if (steps <= left_) {
      left_ -= steps;
      return true;
    }
    if (!reported_) {
      diagnostics_.add(
          codes::kSceneApproximated,
          "animations simplified, because their keys for all nodes and meshes exceed the work limit");
      reported_ = true;
    }
    return false;
  }

 private:
  static constexpr std::uint64_t kSteps = std::uint64_t{1} << 27U;
  Diagnostics& diagnostics_;
  std::uint64_t left_ = kSteps;
  bool reported_ = false;
};

/// Of one animated thing in one clip, in steps.
inline constexpr std::uint64_t kChannelCost = 128;

struct Export {
  Export(const scene::Scene& scene_, const GltfOptions& options_, Diagnostics& diagnostics_)
      : scene(scene_),
        options(options_),
        diagnostics(diagnostics_),
        channels(scene_, diagnostics_),
        pictures(scene_, options_, document, buffer),
        materials(scene_, options_, channels, pictures, document, diagnostics_),
        budget(diagnostics_) {}

  const scene::Scene& scene;
  const GltfOptions& options;
  Diagnostics& diagnostics;
  Asset document;
  Buffer buffer{document, options};
  Channels channels;
  Pictures pictures;
  Materials materials;
  Budget budget;
  scene::UniqueNames node_names;

  Index root = kNone;                        ///< the node above all others
  std::vector<bool> is_lod;                  ///< by node of the scene: is outside the hierarchy
  std::vector<scene::LevelOfDetail> levels;  ///< by node of the scene, as far as the document has them
  std::vector<Index> skins;                  ///< by skin of the scene
  /// By node of the scene: its place among the joints of the one skin; empty where skins are their own.
  std::vector<Index> joint_places;
  std::vector<PlacedMesh> meshes;  ///< by mesh of the scene
  std::vector<Index> lights;       ///< by light of the scene
  /// By node of the scene: the node whose scale shows and hides what hangs there, or kNone.
  std::vector<Index> switches;
  std::vector<std::unique_ptr<Visibility>> node_visibility;

  [[nodiscard]] bool rich() const { return options.profile == GltfProfile::rich; }
  [[nodiscard]] bool for_blender() const { return options.profile == GltfProfile::blender; }
  [[nodiscard]] GltfExtras extras() const { return for_blender() ? GltfExtras::full : options.extras; }
  /// Of what shows and hides by its scale, while nothing moves.
  [[nodiscard]] Vec3 hidden_scale(const Vec3& shown) const { return for_blender() ? shown : Vec3{0, 0, 0}; }
  /// Whether something may be animated in every clip.
  bool spend_channels() { return budget.spend(kChannelCost * channels.clips().size()); }
  /// A new node; kNone as parent for the top level.
  Index add_node(std::string name, Index parent);
};

// In this order.
void add_nodes(Export& out);
void add_skins(Export& out);
void add_meshes(Export& out);
void add_lights(Export& out);
void add_cameras(Export& out);
void add_placements(Export& out);
void add_extras(Export& out);
void add_animations(Export& out);
/// For GltfProfile::blender: what extras keep, where programs leave it alone.
void pack_extras(Export& out);

/// What extras.thaw keeps of a clip, with the events within it.
Value clip_extras(const Export& out, std::size_t number, Value events);

/// Where the events of a scene fall into its clips.
class EventTimes {
 public:
  explicit EventTimes(Export& out);

  /// The events within a clip, with their times; null if there are none.
  [[nodiscard]] Value in_clip(std::size_t clip);

 private:
  struct EventTime {
    std::int32_t frame = 0;  ///< ms on the source's time line
    Index event = 0;
  };

  Export& out_;
  std::vector<EventTime> moments_;  ///< of events that follow the sequences, in order
  std::map<Index, std::vector<EventTime>> of_loop_;
};

}  // namespace thaw::gltf
