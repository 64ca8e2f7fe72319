// Codes of findings in Forgelight formats.
#pragma once

#include <thaw/codes.hpp>

namespace thaw::codes {

// Animation: MRN and NSA.
inline constexpr Code kNsaChannel{"nsa.channel", Severity::warning,
                                  "a channel that cannot be decoded; it stays in bind pose"};

inline constexpr Code kMrnPlatform{"mrn.platform", Severity::warning,
                                   "a network for another platform, whose content is kept but not read"};
inline constexpr Code kMrnPacket{"mrn.packet", Severity::warning,
                                 "a packet that is cut off or does not fit those before it"};
inline constexpr Code kMrnHierarchy{"mrn.hierarchy", Severity::warning,
                                    "bones whose parents contradict each other or form a cycle"};
inline constexpr Code kMrnSkeleton{"mrn.skeleton", Severity::error, "no such skeleton"};
inline constexpr Code kMrnSkeletonChoice{"mrn.skeleton-choice", Severity::info,
                                         "several skeletons, of which one was taken"};
inline constexpr Code kMrnNoRigMap{"mrn.no-rig-map", Severity::warning,
                                   "no map from channels to bones fits; they are taken in order"};
inline constexpr Code kMrnOtherSkeleton{"mrn.other-skeleton", Severity::info,
                                        "an animation for another skeleton was left out"};
inline constexpr Code kMrnJoin{"mrn.join", Severity::warning,
                               "bones and nodes that could not be joined by name"};

inline constexpr std::array kAnimation = {
    kNsaChannel,        kMrnPlatform, kMrnPacket,        kMrnHierarchy, kMrnSkeleton,
    kMrnSkeletonChoice, kMrnNoRigMap, kMrnOtherSkeleton, kMrnJoin,
};

// Actors: DME, DMA, ADR and materials.

inline constexpr std::array<Code, 0> kActor = {};

// Archives: PACK1 and PACK2.

inline constexpr std::array<Code, 0> kPack = {};

}  // namespace thaw::codes
