// The catalogue of finding codes. A code's id is a promise: it is never renamed and never means anything
// else.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#pragma GCC visibility push(default)

namespace thaw {

/// How bad a finding is, in the words that modders know from their checkers.
enum class Severity : std::uint8_t {
  info,     ///< worth knowing
  unused,   ///< dead weight
  warning,  ///< tolerated, but not as it should be
  severe,   ///< likely looks or plays wrong
  error,    ///< a part cannot be used
};

/// "info", "unused", "warning", "severe" or "error".
constexpr std::string_view severity_name(Severity severity) {
  constexpr std::array<std::string_view, 5> kNames = {"info", "unused", "warning", "severe", "error"};
  return kNames.at(static_cast<std::size_t>(severity));
}

/// What a finding is: an id for machines, how bad it is as a rule, and one line for people.
struct Code {
  std::string_view id;
  Severity severity;
  std::string_view summary;

  /// Codes are the same if their ids are: a severity may depend on the caller.
  friend bool operator==(const Code& a, const Code& b) { return a.id == b.id; }
  /// The same code where it weighs more or less than it usually does.
  [[nodiscard]] constexpr Code as(Severity other) const { return {id, other, summary}; }
};

/// From here on a finding of a reader says that a file is broken: bytes are missing, do not fit or contradict
/// each other. ReadOptions::strict takes no such file, and `thaw validate` lets none pass.
inline constexpr Severity kBroken = Severity::severe;

/// One constant for each code.
namespace codes {

// Reading any format.
inline constexpr Code kInputTooLarge{"input.too-large", Severity::error, "the input exceeds a limit"};
inline constexpr Code kInputUnreadable{"input.unreadable", Severity::error, "the file cannot be read"};
inline constexpr Code kFormatUnknown{"format.unknown", Severity::error, "unknown format"};
inline constexpr Code kFormatForeign{"format.foreign", Severity::error,
                                     "another format with the same file name"};
inline constexpr Code kFormatUnsupported{"format.unsupported", Severity::error,
                                         "the operation does not apply to this format"};
inline constexpr Code kTruncated{"read.truncated", Severity::error, "a field ends after its container"};
inline constexpr Code kCountTooLarge{"read.count", Severity::error, "a count exceeds the remaining bytes"};
inline constexpr Code kTagExpected{"read.tag", Severity::error, "unexpected tag"};
inline constexpr Code kSizeInvalid{"read.size", Severity::error, "a stored size is impossible"};
inline constexpr Code kOffsetInvalid{"read.offset", Severity::error, "an offset points outside the input"};
inline constexpr Code kOverlap{"read.overlap", Severity::error, "parts found by offset share too many bytes"};
inline constexpr Code kOffsetMismatch{"read.offset-mismatch", Severity::warning,
                                      "a stored offset disagrees with the order of the parts"};
inline constexpr Code kObjectTail{"read.object-tail", Severity::info, "bytes after an object's known fields"};
inline constexpr Code kChunkTail{"read.chunk-tail", Severity::warning, "bytes after a chunk's last record"};
inline constexpr Code kFileTail{"read.file-tail", Severity::warning, "bytes after the last chunk"};
inline constexpr Code kChunkOverrun{"read.chunk-overrun", Severity::error,
                                    "a chunk ends after the end of the file"};
inline constexpr Code kChunkUnknown{"read.chunk-unknown", Severity::info, "unknown chunk"};
inline constexpr Code kChunkDuplicate{"read.chunk-duplicate", Severity::warning, "a chunk occurs twice"};
inline constexpr Code kTextUnterminated{
    "read.text-unterminated", Severity::warning,
    "a fixed-size string has no terminating NUL; its whole field is read"};
inline constexpr Code kNamesCodePage{"names.code-page", Severity::warning,
                                     "names are in a code page, and which one is guessed"};
inline constexpr Code kUnproven{"read.unproven", Severity::info,
                                "read by a rule that no published file proves yet; please share the file"};

// Warcraft III models.
inline constexpr Code kVersionMissing{"vers.missing", Severity::warning, "no VERS chunk; 800 is assumed"};
inline constexpr Code kVersionUnknown{"vers.unknown", Severity::warning, "no game shipped this version"};
inline constexpr Code kTrackUnknown{"track.unknown", Severity::error, "track tag of unknown key size"};
inline constexpr Code kTrackInterpolation{"track.interpolation", Severity::error, "interpolation above 3"};
inline constexpr Code kEventWithoutGlobal{"event.no-global-sequence", Severity::warning,
                                          "KEVT without its global sequence id"};
inline constexpr Code kCollisionLayout{"collision.layout", Severity::info,
                                       "collision shape in the engine's layout, not the community's"};

// Models as text.
inline constexpr Code kMdlSyntax{"mdl.syntax", Severity::error, "syntax error"};
inline constexpr Code kMdlUnknown{"mdl.unknown", Severity::warning, "unknown block or property"};
inline constexpr Code kMdlValue{"mdl.value", Severity::warning, "invalid value"};
inline constexpr Code kMdlDuplicate{"mdl.duplicate", Severity::warning, "duplicate property"};
inline constexpr Code kMdlVersion{"mdl.version", Severity::warning,
                                  "property not available in the stated version"};
inline constexpr Code kMdlCut{"mdl.cut", Severity::warning, "string too long for its field"};
inline constexpr Code kMdlCount{"mdl.count", Severity::info, "count disagrees with the following items"};
inline constexpr Code kMdlStale{"mdl.stale", Severity::warning, "embedded bytes no longer match the text"};
inline constexpr Code kMdlLost{"mdl.lost", Severity::warning, "plain MDL cannot store this"};

// Models that become scenes.
inline constexpr Code kSceneNodeParent{"scene.node-parent", Severity::warning,
                                       "parent does not exist or forms a cycle; the node becomes a root"};
inline constexpr Code kSceneNodeId{"scene.node-id", Severity::warning,
                                   "object id negative or used twice; references do not find the node"};
inline constexpr Code kSceneGeoset{"scene.geoset", Severity::warning,
                                   "geoset with contradictory parts; fixed for conversion"};
inline constexpr Code kSceneReference{"scene.reference", Severity::warning, "reference to a missing object"};
inline constexpr Code kSceneTrack{
    "scene.track", Severity::warning,
    "track with unusable keys or channels; they are sorted, replaced or left out"};
inline constexpr Code kSceneSequence{"scene.sequence", Severity::warning, "sequence without length"};
inline constexpr Code kSceneNoClip{"scene.no-clip", Severity::error, "no clip matches"};
inline constexpr Code kSceneNoCamera{"scene.no-camera", Severity::error, "no such camera"};
inline constexpr Code kSceneNoLevel{"scene.no-level", Severity::error, "no such level of detail"};
inline constexpr Code kSceneApproximated{"scene.approximated", Severity::info,
                                         "approximated; the target has no equivalent"};

// Textures.
inline constexpr Code kTextureMissing{"texture.missing-file", Severity::warning,
                                      "texture not found in any source"};
inline constexpr Code kTextureUndecodable{"texture.undecodable", Severity::warning,
                                          "the texture cannot be decoded"};
inline constexpr Code kImageMip{"image.mip", Severity::warning,
                                "a mip level cannot be decoded; the next one is used"};
inline constexpr Code kImageDamaged{"image.damaged", Severity::severe,
                                    "part of the image data is damaged; the rest is decoded"};
inline constexpr Code kImageMalformed{"image.malformed", Severity::error, "damaged image data"};
inline constexpr Code kImageUnsupported{"image.unsupported", Severity::error, "unsupported pixel format"};
inline constexpr Code kImageAlphaBits{"image.alpha-bits", Severity::warning,
                                      "an unusual number of alpha bits"};
inline constexpr Code kImageOddity{"image.oddity", Severity::info, "unusual but readable encoding"};

// glTF that is read.
inline constexpr Code kJsonMalformed{"json.malformed", Severity::error, "malformed JSON"};
inline constexpr Code kGltfReference{"gltf.reference", Severity::error, "missing index, buffer or file"};
inline constexpr Code kGltfUnsupported{"gltf.unsupported", Severity::warning, "glTF feature not supported"};

// Models that become another version.
inline constexpr Code kConvertVersion{"convert.version", Severity::error,
                                      "models cannot be written in this version"};
inline constexpr Code kConvertVerify{"convert.verify", Severity::error,
                                     "the written file does not read back the same"};
inline constexpr Code kConvertDamaged{"convert.damaged", Severity::severe,
                                      "unreadable data left out; only the old version can store it"};
inline constexpr Code kConvertEffect{"convert.effect", Severity::severe,
                                     "effect not available in the target version"};
inline constexpr Code kConvertMaterial{"convert.material", Severity::warning,
                                       "material approximated in the target version"};
inline constexpr Code kConvertShader{"convert.shader", Severity::warning,
                                     "shader not available in the target version"};
inline constexpr Code kConvertSkin{"convert.skin", Severity::warning,
                                   "weights approximated by matrix groups"};
inline constexpr Code kConvertLod{"convert.lod", Severity::warning,
                                  "levels of detail not available in the target version"};
inline constexpr Code kConvertField{"convert.field", Severity::warning,
                                    "field not available in the target version"};
inline constexpr Code kConvertTrack{"convert.track", Severity::warning,
                                    "track not available in the target version"};
inline constexpr Code kConvertChunk{"convert.chunk", Severity::warning,
                                    "chunk not available in the target version"};
inline constexpr Code kConvertFlag{"convert.flag", Severity::warning,
                                   "flag not available in the target version"};
inline constexpr Code kConvertTexture{"convert.texture", Severity::warning,
                                      "texture format not supported by the game of this version"};
inline constexpr Code kConvertSplit{"convert.split", Severity::info,
                                    "geoset divided, because it exceeds a limit"};
inline constexpr Code kConvertTangents{"convert.tangents", Severity::info,
                                       "tangents not available in the target version"};
inline constexpr Code kConvertBindPose{"convert.bind-pose", Severity::info,
                                       "bind poses not available in the target version"};
inline constexpr Code kConvertName{"convert.name", Severity::info,
                                   "name not available in the target version"};
inline constexpr Code kConvertUnused{"convert.unused", Severity::info, "removed data without visible effect"};

// Models that are optimised.
inline constexpr Code kOptimizeDamaged{"optimize.damaged", Severity::error,
                                       "model not optimized: unreadable data may refer to anything"};
inline constexpr Code kOptimizeTracks{"optimize.tracks", Severity::warning, "no track was optimized"};

// Documents that are fixed.
inline constexpr Code kFixDamaged{"fix.damaged", Severity::warning,
                                  "no fix applied: damaged parts would be read as something else"};

// Archives.
inline constexpr Code kMpqNoHeader{"mpq.no-header", Severity::error, "the file contains no archive"};
inline constexpr Code kMpqHeader{"mpq.header", Severity::warning,
                                 "a header field is wrong, as in protected archives"};
inline constexpr Code kMpqTable{"mpq.table", Severity::warning,
                                "a table is truncated, or some of its records are invalid"};
inline constexpr Code kMpqNames{"mpq.names", Severity::info, "some files have no known name"};
inline constexpr Code kMpqNoEntry{"mpq.no-entry", Severity::error, "the archive has no such file"};
inline constexpr Code kMpqKey{
    "mpq.key", Severity::error,
    "the file is encrypted, and its key cannot be derived from its name or content"};
inline constexpr Code kMpqData{"mpq.data", Severity::error, "damaged compressed data"};
inline constexpr Code kMpqCompression{"mpq.compression", Severity::error, "unsupported compression method"};
inline constexpr Code kMpqPatch{"mpq.patch", Severity::error,
                                "the file is a patch for a file of another archive"};
inline constexpr Code kMpqChecksum{"mpq.checksum", Severity::severe, "checksum mismatch"};

// Output.
inline constexpr Code kWriteFailed{"write.failed", Severity::error, "the output cannot be written"};
inline constexpr Code kWriteUnsupported{"write.unsupported", Severity::error, "the format cannot hold this"};
inline constexpr Code kWriteExists{"write.exists", Severity::error,
                                   "the output exists; overwrite it with -f"};

inline constexpr Code kWriteName{"write.name", Severity::warning,
                                 "unsafe path; the file is written under another name"};

// Terrain of World of Warcraft Alpha: WDT, WDL, ADT.

inline constexpr Code kTerrainArea{"terrain.area", Severity::warning,
                                   "area ids not converted; the other version numbers areas differently"};
inline constexpr Code kTerrainSound{"terrain.sound", Severity::warning,
                                    "sound emitters left out; the other version has other sounds"};
inline constexpr Code kTerrainAlpha{"terrain.alpha", Severity::warning, "alpha map changed in conversion"};
inline constexpr Code kTerrainLayer{"terrain.layer", Severity::warning,
                                    "layer, or layer property, not available in the other version"};
inline constexpr Code kTerrainHoles{"terrain.holes", Severity::warning,
                                    "holes of single cells left out; the other version has none"};
inline constexpr Code kTerrainWater{"terrain.water", Severity::warning,
                                    "water approximated in the other version"};
inline constexpr Code kTerrainColors{"terrain.colors", Severity::warning,
                                     "vertex colours not available in the other version"};
inline constexpr Code kTerrainChunk{"terrain.chunk", Severity::warning,
                                    "chunk not available in the other version"};
inline constexpr Code kTerrainDamaged{"terrain.damaged", Severity::severe,
                                      "damaged or missing part left out"};
inline constexpr Code kTerrainPlacement{"terrain.placement", Severity::warning,
                                        "placement without a name left out"};
inline constexpr Code kTerrainReferences{
    "terrain.references", Severity::warning,
    "references left out, because the WoW Alpha client does not accept larger chunks"};
inline constexpr Code kTerrainFlags{"terrain.flags", Severity::info,
                                    "flags not available in the other version"};
inline constexpr Code kTerrainEdge{"terrain.edge", Severity::warning,
                                   "chunk heights do not match their neighbours'"};

// Buildings: WMO.

inline constexpr Code kWmoVersion{"wmo.version", Severity::warning, "unknown version"};
inline constexpr Code kWmoGroup{"wmo.group", Severity::warning,
                                "group with contradictory parts; fixed for conversion"};
inline constexpr Code kWmoGroupFile{"wmo.group-file", Severity::error,
                                    "WMO group file not found in any source, or unreadable"};
inline constexpr Code kWmoDoodad{"wmo.doodad", Severity::warning,
                                 "doodad model not found in any source, or unreadable"};
inline constexpr Code kWmoDoodadSet{"wmo.doodad-set", Severity::error, "the WMO has no such doodad set"};
inline constexpr Code kWmoLost{"wmo.lost", Severity::warning, "not available in the other version"};
inline constexpr Code kWmoMade{"wmo.made", Severity::info, "generated because the other version needs it"};

// Light, fog and distance of maps.

inline constexpr Code kWorldHeight{"world.height", Severity::warning, "heights not finite; set to 0"};
inline constexpr Code kWorldLiquid{"world.liquid", Severity::warning,
                                   "liquid heights not finite; the cells are left out"};
inline constexpr Code kWorldUnseen{
    "world.unseen", Severity::info,
    "placements without a chunk reference left out, because the client never draws them"};
inline constexpr Code kWorldModelMissing{
    "world.model-missing", Severity::warning,
    "placement models not found in any source, or unreadable; the placements remain"};
inline constexpr Code kWorldTooLarge{"world.too-large", Severity::error,
                                     "too large for one file; write one file per tile into a folder"};
inline constexpr Code kWorldNoTile{"world.no-tile", Severity::error, "none of the requested tiles exists"};

// M3 models.

inline constexpr Code kM3Encrypted{"m3.encrypted", Severity::error,
                                   "zeros in place of content: the file is encrypted and its key is missing"};
inline constexpr Code kM3ElementFormat{"m3.element-format", Severity::error,
                                       "buffer of unknown element format; preserved as bytes"};
inline constexpr Code kM3GeosetStride{"m3.geoset-stride", Severity::warning,
                                      "geoset record size disagrees with the mesh version"};
inline constexpr Code kM3Materials{"m3.materials-layout", Severity::warning,
                                   "material instances of unknown layout; preserved as bytes"};
inline constexpr Code kM3Weights{"m3.weights-layout", Severity::warning,
                                 "bone weights of ambiguous layout; preserved as bytes"};
inline constexpr Code kM3Collision{"m3.collision-layout", Severity::warning,
                                   "collision chunk of unknown layout; preserved as bytes"};
inline constexpr Code kM3Winding{"m3.winding", Severity::warning,
                                 "triangles facing against their normals; flipped"};

// Forgelight animation: MRN and NSA.
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
inline constexpr Code kMrnJoin{
    "mrn.join", Severity::warning,
    "bones that animation or scene lack, or tracks without a bone, which are left out"};
inline constexpr Code kMrnGraph{"mrn.graph", Severity::info,
                                "graph without states and transitions, which are unknown"};
inline constexpr Code kMrnNoDefinition{"mrn.no-definition", Severity::warning,
                                       "the network does not define which state plays which animation"};

// Forgelight actors: DME, DMA, ADR and materials.
inline constexpr Code kXmlSyntax{"xml.syntax", Severity::error, "malformed XML"};
inline constexpr Code kDmeVersion{"dme.version", Severity::warning, "unknown version"};
inline constexpr Code kDmeLayout{"dme.layout", Severity::info,
                                 "vertex layout guessed from the vertex size; attributes may be wrong"};
inline constexpr Code kDmeStride{"dme.stride", Severity::info, "vertex size differs from its layout"};
inline constexpr Code kAdrMissing{"adr.missing-file", Severity::warning,
                                  "file of the actor not found in any source"};
inline constexpr Code kAdrBones{"adr.bones", Severity::info, "bones missing from the skeleton"};

// Forgelight archives: PACK1 and PACK2.
inline constexpr Code kPackHeader{"pack.header", Severity::warning, "a field of the pack's header is wrong"};
inline constexpr Code kPackTable{"pack.table", Severity::warning,
                                 "a table is truncated, or some of its records are invalid"};
inline constexpr Code kPackNames{"pack.names", Severity::info, "some files have no known name"};
inline constexpr Code kPackNoEntry{"pack.no-entry", Severity::error, "the pack has no such file"};
inline constexpr Code kPackData{"pack.data", Severity::error, "damaged compressed data"};
inline constexpr Code kPackChecksum{"pack.checksum", Severity::severe, "checksum mismatch"};

// Archives that are written.

inline constexpr Code kArchiveRefused{"archive.refused", Severity::error,
                                      "the archive is protected or damaged, and was not changed"};
inline constexpr Code kArchiveFull{"archive.full", Severity::error,
                                   "the archive is full, or a file is too large for it"};
inline constexpr Code kArchiveName{"archive.name", Severity::error, "the archive cannot store this name"};
inline constexpr Code kArchiveKind{"archive.kind", Severity::error,
                                   "archives of this kind cannot be written"};
inline constexpr Code kArchiveSignature{"archive.signature", Severity::warning,
                                        "an invalidated signature is removed"};
inline constexpr Code kArchiveHashName{"archive.hash-name", Severity::warning,
                                       "a file is named by its hash, so games cannot find it"};
inline constexpr Code kArchiveUnlisted{"archive.unlisted", Severity::warning,
                                       "the archive has no list of names, and none is added"};
inline constexpr Code kArchiveMapInfo{"archive.map-info", Severity::warning,
                                      "the map's header is derived from its file name"};

// CASC storages.

inline constexpr Code kCascInstallation{"casc.installation", Severity::error,
                                        "the installation cannot be read: something it needs is missing"};
inline constexpr Code kCascChoice{
    "casc.choice", Severity::error,
    "the installation does not have this product or variant, or it must be named"};
inline constexpr Code kCascIndex{"casc.index", Severity::error,
                                 "an index file is missing or damaged; an older one may replace it"};
inline constexpr Code kCascTable{"casc.table", Severity::error,
                                 "a table of names or keys is damaged or not installed; the rest is read"};
inline constexpr Code kCascNames{"casc.names", Severity::info, "some files have no known name"};
inline constexpr Code kCascLocale{"casc.locale", Severity::info, "files of other languages only, left out"};
inline constexpr Code kCascNoEntry{"casc.no-entry", Severity::error, "the installation has no such file"};
inline constexpr Code kCascAbsent{"casc.absent", Severity::error,
                                  "the file is listed, but its content is not installed"};
inline constexpr Code kCascData{"casc.data", Severity::error, "damaged compressed data"};
inline constexpr Code kCascChecksum{"casc.checksum", Severity::severe,
                                    "checksum mismatch; the content is returned anyway"};
inline constexpr Code kCascEncrypted{"casc.encrypted", Severity::error,
                                     "parts are encrypted with an unknown key; they are read as zeros"};
inline constexpr Code kCascUnsupported{"casc.unsupported", Severity::error,
                                       "unsupported storage or compression"};

// Empty renders, and what a scene loses when it becomes a game's format.

inline constexpr Code kSceneEmptyPicture{"scene.empty-picture", Severity::warning,
                                         "nothing is visible in the image"};
inline constexpr Code kSceneLost{"scene.lost", Severity::warning, "left out; the target has no equivalent"};
inline constexpr Code kSceneChanged{"scene.changed", Severity::warning, "changed to fit the target"};

inline constexpr Code kSceneAdded{"scene.added", Severity::info, "added because the target needs it"};

inline constexpr Code kSceneEdited{"scene.edited", Severity::info,
                                   "a difference from the original was applied"};

inline constexpr Code kSceneGameFile{"scene.game-file", Severity::info,
                                     "not written, because the target names a file of its game"};

// glTF that requires unsupported extensions.

inline constexpr Code kGltfRequired{"gltf.required", Severity::error, "required extension not supported"};

// Files built from their fields, edited by path, patched and merged.

inline constexpr Code kBuildLayout{"build.layout", Severity::error,
                                   "the dump has no layout to build the file from"};
inline constexpr Code kBuildMember{"build.member", Severity::error,
                                   "a member is missing, unknown or of the wrong type"};
inline constexpr Code kBuildValue{"build.value", Severity::error, "value out of range for its field"};
inline constexpr Code kBuildGap{"build.gap", Severity::error, "bytes that no field describes"};
inline constexpr Code kBuildDiffers{"build.differs", Severity::error,
                                    "the built file would not read back the same"};
inline constexpr Code kEditPath{"edit.path", Severity::error, "invalid path"};
inline constexpr Code kEditPatch{"edit.patch", Severity::error, "the patch cannot be applied"};
inline constexpr Code kEditNothing{"edit.nothing", Severity::warning, "the edit matches nothing"};
inline constexpr Code kEditInexact{"edit.inexact", Severity::warning, "the edit is only approximated here"};
inline constexpr Code kEditRefused{"edit.refused", Severity::error,
                                   "the edit conflicts with the rest of the document"};
inline constexpr Code kMergeConflict{"merge.conflict", Severity::error,
                                     "both sides changed the same field differently"};

inline constexpr Code kWriteChanged{"write.changed", Severity::error, "the file changed after it was read"};

// Exceeded limits, cancellation, and faults of thaw itself.

inline constexpr Code kOutOfTime{"limit.time", Severity::error, "the time limit was exceeded"};
inline constexpr Code kOutOfMemory{"limit.memory", Severity::error, "not enough memory"};
inline constexpr Code kStopped{"limit.stopped", Severity::error, "the work was cancelled"};
inline constexpr Code kTooManyPixels{"limit.pixels", Severity::error,
                                     "the decoded images would exceed the pixel limit"};
inline constexpr Code kBug{"bug", Severity::error, "an error in thaw itself"};

// OpenSceneOptions, the command's --max-scene, --max-output and --isolate.

inline constexpr Code kSceneTooLarge{"limit.scene", Severity::error,
                                     "the scene would exceed its memory limit"};
inline constexpr Code kOutputTooLarge{"limit.output", Severity::error,
                                      "the output would exceed its size limit"};
inline constexpr Code kDied{"isolate.died", Severity::error,
                            "a process that thaw started failed or did not start; it has no result"};

// Options without effect, and the files that a run used.

inline constexpr Code kOptionEffect{"option.effect", Severity::warning,
                                    "an option has no effect here, or another one than its value states"};
inline constexpr Code kOptionValue{"option.value", Severity::error, "unknown option or invalid value"};
inline constexpr Code kSourceOutside{"source.outside", Severity::info,
                                     "files outside the model's folder are used"};

/// Every code, in the order of this header (the build collects them from it).
std::span<const Code> all();

}  // namespace codes
}  // namespace thaw

#pragma GCC visibility pop
