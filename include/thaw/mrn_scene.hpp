// Skeletons and animations of Forgelight as scenes, and animations back. See mrn.md#poses-and-clips.
//
// Forgelight is right-handed, Y up, in metres, and looks along +Z, as glTF does: numbers are taken as they
// stand.
#pragma once

#include <thaw/mrn.hpp>
#include <thaw/scene.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::mrn {

/// The nodes that a skeleton became.
struct PlacedSkeleton {
  std::size_t skeleton = 0;         ///< among `skeletons(document)`
  std::vector<scene::Index> nodes;  ///< of each bone
  /// By name as in the file; of bones that share a name the first. For joining other parts of a character:
  /// the hashes of DME files are of the name in upper case.
  std::map<std::string, scene::Index, std::less<>> by_name;
};

/// Which skeleton a name means: exactly, else without regard to case, else by number ("0"). Empty: the only
/// one, or the first with the finding mrn.skeleton if there are several. Errors: mrn.skeleton.
Result<std::size_t> find_skeleton(const Document& document, std::string_view name,
                                  Diagnostics& diagnostics = Diagnostics::unwanted());

/// Adds the bones as nodes in bind pose below `parent` (kNone: as roots); parents stand before their
/// children.
PlacedSkeleton add_skeleton(const Document& document, std::size_t skeleton, scene::Index parent,
                            scene::Scene& scene, Diagnostics& diagnostics = Diagnostics::unwanted());

/// Which animations become clips, and how.
struct ClipOptions {
  /// Which animations, by name; all without it.
  std::function<bool(std::string_view name)> wanted;
  /// Move bone 0 as the root segment says; else the character stays in place. What the animation says of the
  /// bones themselves is the same.
  bool root_motion = true;
};

/// Adds one clip per wanted animation that fits the skeleton; returns how many. Channels that do not move
/// keep a key at both ends, so that poses keep their duration; bones without a channel stay in bind pose.
/// Animations for another skeleton (by their rig map) are left out.
std::size_t add_clips(const Document& document, const PlacedSkeleton& skeleton, const ClipOptions& options,
                      scene::Scene& scene, Diagnostics& diagnostics = Diagnostics::unwanted());

/// One animation from elsewhere (a file of its own) on a skeleton of the network.
void add_clip(const Document& document, const PlacedSkeleton& skeleton, const nsa::Document& animation,
              std::string_view name, const ClipOptions& options, scene::Scene& scene,
              Diagnostics& diagnostics = Diagnostics::unwanted());

/// Adds small octahedra from each bone to its children as one skinned mesh, so that a skeleton without a
/// character can be seen.
void add_bone_shapes(const PlacedSkeleton& skeleton, scene::Scene& scene);

/// An animation that is a file of its own.
struct LooseAnimation {
  std::string name;
  std::shared_ptr<const nsa::Document> document;
};

/// Which skeleton and which clips become a scene, and whether bones can be seen.
struct SceneOptions {
  std::string skeleton;  ///< as `find_skeleton`; empty: all, each below a node with its name
  ClipOptions clips;
  bool bones = false;                           ///< with bone shapes
  std::vector<LooseAnimation> animations = {};  ///< besides the network's
};

/// Skeleton and clips under a root node. Errors: mrn.skeleton if there is none (of that name).
Result<scene::Scene> to_scene(const Document& document, std::string_view name,
                              const SceneOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::unwanted());

/// An animation of its own, on a skeleton of a network. Errors: mrn.skeleton.
Result<scene::Scene> to_scene(const nsa::Document& animation, const Document& network, std::string_view name,
                              const SceneOptions& options = {},
                              Diagnostics& diagnostics = Diagnostics::unwanted());

// --- the way back

/// What nodes of a scene are called, and the bones that they stand for. A name may have one `*`, which then
/// stands for the same in both. The first that fits counts; case does not.
using BoneNames = std::vector<std::pair<std::string, std::string>>;

/// Lines of `NAME = BONE`; empty ones and such that begin with # say nothing. Errors: format.foreign.
Result<BoneNames> read_bone_map(std::string_view text);
/// Names of the humanoid skeleton's bones as other programs have them: "mixamo", "rigify".
std::optional<BoneNames> known_bone_map(std::string_view program);

/// Which clip of the scene, for which skeleton, at what rate.
struct FromSceneOptions {
  std::string clip;      ///< name; empty: the first, of networks all
  std::string skeleton;  ///< as `find_skeleton`; of a new network its name
  /// Hz, of body and root; 0: what they had if the clip came from an NSA, else the slowest of usual rates
  /// that has a sample at every key, else 30.
  float rate = 0;
  bool root_motion = true;  ///< way of bone 0 as the root segment; else it is left out
  BoneNames bone_names = {};
  /// As ReadOptions::control.
  const Control* control = nullptr;
};

/// A clip of a scene as curves for a skeleton: body and root each at a rate of its own, bones joined to nodes
/// by name (without regard to case). Bones that the scene has not stay in bind pose. Channels are those of
/// the rig map that covers the most bones of the skeleton, or one per bone from bone 1 on without a map.
/// Errors: mrn.skeleton, and write.unsupported for a scene without clips or without any bone of the skeleton,
/// limit.stopped.
Result<nsa::Clip> clip_from_scene(const scene::Scene& scene, const Document& network,
                                  const FromSceneOptions& options = {},
                                  Diagnostics& diagnostics = Diagnostics::unwanted());

/// What a scene's bones are called together: as they were, else as the scene is.
std::string skeleton_name(const scene::Scene& scene);

/// A network of a scene's bones and clips, with maps, event tracks and names; without a definition of states,
/// which is told (mrn.no-definition). Errors: write.unsupported for a scene without bones,
/// limit.stopped.
Result<Document> network_from_scene(const scene::Scene& scene, const FromSceneOptions& options = {},
                                    Diagnostics& diagnostics = Diagnostics::unwanted());

}  // namespace thaw::mrn

#pragma GCC visibility pop
