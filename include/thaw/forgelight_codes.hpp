// Codes of findings in Forgelight formats.
#pragma once

#include <thaw/codes.hpp>

#pragma GCC visibility push(default)

namespace thaw::codes {

// Animation: MRN and NSA.
inline constexpr Code kNsaChannel{"nsa.channel", Severity::warning,
                                  "the channel cannot be decoded; it stays in bind pose"};

inline constexpr Code kMrnPlatform{"mrn.platform", Severity::warning,
                                   "network for another platform; its content is preserved but not read"};
inline constexpr Code kMrnPacket{"mrn.packet", Severity::error,
                                 "packet truncated or inconsistent with earlier ones"};
inline constexpr Code kMrnHierarchy{"mrn.hierarchy", Severity::warning,
                                    "bone parents contradict each other or form a cycle"};
inline constexpr Code kMrnSkeleton{"mrn.skeleton", Severity::error, "no such skeleton"};
inline constexpr Code kMrnSkeletonChoice{"mrn.skeleton-choice", Severity::info,
                                         "several skeletons; one was chosen"};
inline constexpr Code kMrnNoRigMap{"mrn.no-rig-map", Severity::warning,
                                   "no channel-to-bone map fits; channels are assigned in order"};
inline constexpr Code kMrnOtherSkeleton{"mrn.other-skeleton", Severity::info,
                                        "animation for another skeleton left out"};
inline constexpr Code kMrnJoin{"mrn.join", Severity::warning, "bones or nodes not matched by name"};
inline constexpr Code kMrnGraph{"mrn.graph", Severity::info,
                                "graph without states and transitions, which are unknown"};
inline constexpr Code kMrnNoDefinition{"mrn.no-definition", Severity::warning,
                                       "the network does not define which state plays which animation"};

/// Every code of animation networks and animations.
inline constexpr std::array kAnimation = {
    kNsaChannel,  kMrnPlatform,      kMrnPacket, kMrnHierarchy, kMrnSkeleton,     kMrnSkeletonChoice,
    kMrnNoRigMap, kMrnOtherSkeleton, kMrnJoin,   kMrnGraph,     kMrnNoDefinition,
};

// Actors: DME, DMA, ADR and materials.
inline constexpr Code kXmlSyntax{"xml.syntax", Severity::error, "malformed XML"};
inline constexpr Code kDmeVersion{"dme.version", Severity::warning, "unknown version"};
inline constexpr Code kDmeLayout{"dme.layout", Severity::info, "vertex layout guessed from the vertex size"};
inline constexpr Code kDmeStride{"dme.stride", Severity::info, "vertex size differs from its layout"};
inline constexpr Code kAdrMissing{"adr.missing-file", Severity::warning,
                                  "file of the actor not found in any source"};
inline constexpr Code kAdrBones{"adr.bones", Severity::info, "bones missing from the skeleton"};

/// Every code of actors, models and their materials.
inline constexpr std::array kActor = {kXmlSyntax, kDmeVersion, kDmeLayout,
                                      kDmeStride, kAdrMissing, kAdrBones};

// Archives: PACK1 and PACK2.
inline constexpr Code kPackHeader{"pack.header", Severity::warning, "a field of the pack's header is wrong"};
inline constexpr Code kPackTable{"pack.table", Severity::warning,
                                 "a table is truncated, or some of its records are invalid"};
inline constexpr Code kPackNames{"pack.names", Severity::info, "some files have no known name"};
inline constexpr Code kPackNoEntry{"pack.no-entry", Severity::error, "the pack has no such file"};
inline constexpr Code kPackData{"pack.data", Severity::error, "damaged compressed data"};
inline constexpr Code kPackChecksum{"pack.checksum", Severity::severe, "checksum mismatch"};

/// Every code of packs.
inline constexpr std::array kPack = {kPackHeader,  kPackTable, kPackNames,
                                     kPackNoEntry, kPackData,  kPackChecksum};

}  // namespace thaw::codes

#pragma GCC visibility pop
