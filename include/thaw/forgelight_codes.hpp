// Codes of findings in Forgelight formats.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

// Animation: MRN and NSA.
inline constexpr Code kNsaChannel{"nsa.channel", Severity::warning,
                                  "a channel that cannot be decoded; it stays in bind pose"};

inline constexpr Code kMrnPlatform{"mrn.platform", Severity::warning,
                                   "a network for another platform, whose content is kept but not read"};
inline constexpr Code kMrnPacket{"mrn.packet", Severity::error,
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
inline constexpr Code kMrnGraph{"mrn.graph", Severity::info,
                                "a graph without states and transitions, which are not known"};
inline constexpr Code kMrnNoDefinition{"mrn.no-definition", Severity::warning,
                                       "a network that does not say which state plays what"};

/// Every code of animation networks and animations.
inline constexpr std::array kAnimation = {
    kNsaChannel,  kMrnPlatform,      kMrnPacket, kMrnHierarchy, kMrnSkeleton,     kMrnSkeletonChoice,
    kMrnNoRigMap, kMrnOtherSkeleton, kMrnJoin,   kMrnGraph,     kMrnNoDefinition,
};

// Actors: DME, DMA, ADR and materials.
inline constexpr Code kXmlSyntax{"xml.syntax", Severity::error, "the text is no well-formed XML"};
inline constexpr Code kDmeVersion{"dme.version", Severity::warning,
                                  "a version that no game is known to have"};
inline constexpr Code kDmeLayout{"dme.layout", Severity::info,
                                 "how vertices are laid out was guessed from their size"};
inline constexpr Code kDmeStride{"dme.stride", Severity::info,
                                 "vertices are smaller or larger than their layout"};
inline constexpr Code kAdrMissing{"adr.missing-file", Severity::warning, "no source has a file of the actor"};
inline constexpr Code kAdrBones{"adr.bones", Severity::info,
                                "bones of the model that the skeleton does not have"};

/// Every code of actors, models and their materials.
inline constexpr std::array kActor = {kXmlSyntax, kDmeVersion, kDmeLayout,
                                      kDmeStride, kAdrMissing, kAdrBones};

// Archives: PACK1 and PACK2.
inline constexpr Code kPackHeader{"pack.header", Severity::warning, "a field of the pack's header is wrong"};
inline constexpr Code kPackTable{"pack.table", Severity::warning,
                                 "a table is cut off, or some of its records point nowhere"};
inline constexpr Code kPackNames{"pack.names", Severity::info, "the names of some files are not known"};
inline constexpr Code kPackNoEntry{"pack.no-entry", Severity::error, "the pack has no such file"};
inline constexpr Code kPackData{"pack.data", Severity::error, "packed data is broken"};
inline constexpr Code kPackChecksum{"pack.checksum", Severity::severe, "a checksum does not fit the content"};

/// Every code of packs.
inline constexpr std::array kPack = {kPackHeader,  kPackTable, kPackNames,
                                     kPackNoEntry, kPackData,  kPackChecksum};

}  // namespace thaw::codes

#pragma GCC visibility pop
