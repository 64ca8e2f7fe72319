// Networks that were made of scenes.
#pragma once

#include "formats/forgelight/mrn/encode_clip.hpp"

namespace thaw::mrn {

/// Clips as animations for a skeleton of a network.
Result<std::vector<EncodedAnimation>> animations_of(const scene::Scene& scene, const Document& network,
                                                    const std::vector<const scene::Clip*>& clips,
                                                    const FromSceneOptions& options,
                                                    Diagnostics& diagnostics);

/// A network with all that a scene says, and how near its animations come; their documents are in it.
struct BuiltNetwork {
  Document document;
  std::size_t bones = 0;
  std::vector<EncodedAnimation> animations;
};
Result<BuiltNetwork> network_of(const scene::Scene& scene, const std::vector<const scene::Clip*>& clips,
                                const FromSceneOptions& options, Diagnostics& diagnostics);

/// In the place of the animation of this name, else after the last one. Errors: write.unsupported.
Result<void> put_animation(Document& network, const std::string& name, nsa::Document animation);

}  // namespace thaw::mrn
