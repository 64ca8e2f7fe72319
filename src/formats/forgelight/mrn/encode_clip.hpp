// Clips of scenes as curves of an animation, and how near they come.
#pragma once

#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>

#include "formats/forgelight/mrn/bone_motion.hpp"

namespace thaw::mrn {

/// Which bone each channel of an animation drives; −1 for none.
using ChannelBones = std::vector<std::int32_t>;

/// Body and root motion sampled each at its own rate (mrn.md#sampling-a-scene).
Result<nsa::Clip> sampled_clip(const scene::Scene& scene, const scene::Clip& clip, const Rig& rig,
                               const ChannelBones& bones, const FromSceneOptions& options,
                               Diagnostics& diagnostics);

/// The largest distance of what was written from a scene's curves, at samples, keys and between them.
struct CurveError {
  double translation = 0;        ///< m, in the space of the bone's parent
  double turn = 0;               ///< degrees
  double scale = 0;              ///< share
  double vertex = 0;             ///< m: of vertices that hang at joined bones, by what the bones do together
  bool sheared = false;          ///< a bone has axes that are not at right angles, which no animation holds
  std::string bone;              ///< that turns or goes wrong most
  double translation_bound = 0;  ///< what quantising alone may cost: half a step
  double turn_bound = 0;
  double scale_bound = 0;
};

/// An animation in the file's form, and how near it comes.
struct EncodedAnimation {
  std::string name;
  nsa::Document document;
  CurveError error;
};
Result<EncodedAnimation> encode_animation(const scene::Scene& scene, const scene::Clip& clip, const Rig& rig,
                                          const ChannelBones& bones, const FromSceneOptions& options,
                                          Diagnostics& diagnostics);

/// The slowest usual rate that has a sample at every key.
std::optional<double> rate_of_keys(const scene::Scene& scene, const scene::Clip& clip);

/// The channels of an animation of this name if the network has one, else those of the map that covers most.
ChannelBones channel_bones(const Document& network, const Skeleton& skeleton, std::string_view clip);

/// What a scene, or what hangs below `top`, is joined to: a skeleton of the network. Errors: mrn.skeleton,
/// write.unsupported.
struct JoinedRig {
  std::size_t skeleton = 0;
  Rig rig;
};
Result<JoinedRig> joined_rig(const scene::Scene& scene, const Document& network,
                             const FromSceneOptions& options, Diagnostics& diagnostics,
                             scene::Index top = scene::kNone);

/// Clips that become animations: these, or all that are no loops alongside others.
std::vector<const scene::Clip*> clips_to_make(const scene::Scene& scene,
                                              const std::vector<std::string>& names);

}  // namespace thaw::mrn
