// The catalogue of finding codes. A code's id is a promise: it is never renamed and never means anything
// else.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

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

  /// Codes are the same if their ids are: a severity may depend on who asks.
  friend bool operator==(const Code& a, const Code& b) { return a.id == b.id; }
  /// The same code where it weighs more or less than it usually does.
  [[nodiscard]] constexpr Code as(Severity other) const { return {id, other, summary}; }
};

/// From here on a finding of a reader says that a file is broken: bytes are missing, do not fit or contradict
/// each other. ReadOptions::strict takes no such file, and `thaw validate` lets none pass.
inline constexpr Severity kBroken = Severity::severe;

/// The catalogue: one constant for each code, which says in its own words what it means.
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
inline constexpr Code kTextUnterminated{"read.text-unterminated", Severity::warning,
                                        "a fixed-size string has no terminating NUL"};
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

// Models on their way into a scene.
inline constexpr Code kSceneNodeParent{"scene.node-parent", Severity::warning,
                                       "parent does not exist or forms a cycle; the node becomes a root"};
inline constexpr Code kSceneNodeId{"scene.node-id", Severity::warning, "object id negative or used twice"};
inline constexpr Code kSceneGeoset{"scene.geoset", Severity::warning,
                                   "geoset with contradictory parts; fixed for conversion"};
inline constexpr Code kSceneReference{"scene.reference", Severity::warning, "reference to a missing object"};
inline constexpr Code kSceneTrack{"scene.track", Severity::warning, "track fixed for conversion"};
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

// glTF that comes in
inline constexpr Code kJsonMalformed{"json.malformed", Severity::error, "malformed JSON"};
inline constexpr Code kGltfReference{"gltf.reference", Severity::error, "missing index, buffer or file"};
inline constexpr Code kGltfUnsupported{"gltf.unsupported", Severity::warning, "glTF feature not supported"};

// Models on their way to another version.
inline constexpr Code kConvertVersion{"convert.version", Severity::error,
                                      "models cannot be written in this version"};
inline constexpr Code kConvertVerify{"convert.verify", Severity::error,
                                     "the written file does not read back the same"};
inline constexpr Code kConvertDamaged{"convert.damaged", Severity::severe,
                                      "damaged part, which only the old version can store"};
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

// Models on their way to a smaller file.
inline constexpr Code kOptimizeDamaged{"optimize.damaged", Severity::error,
                                       "an unreadable part may refer to anything"};

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

/// Every code of this page. Those of other formats stand in `<family>_codes.hpp`.
inline constexpr std::array kCommon = {
    kInputTooLarge,
    kInputUnreadable,
    kFormatUnknown,
    kFormatForeign,
    kFormatUnsupported,
    kTruncated,
    kCountTooLarge,
    kTagExpected,
    kSizeInvalid,
    kOffsetInvalid,
    kOverlap,
    kOffsetMismatch,
    kObjectTail,
    kChunkTail,
    kFileTail,
    kChunkOverrun,
    kChunkUnknown,
    kChunkDuplicate,
    kTextUnterminated,
    kNamesCodePage,
    kUnproven,
    kVersionMissing,
    kVersionUnknown,
    kTrackUnknown,
    kTrackInterpolation,
    kEventWithoutGlobal,
    kCollisionLayout,
    kMdlSyntax,
    kMdlUnknown,
    kMdlValue,
    kMdlDuplicate,
    kMdlVersion,
    kMdlCut,
    kMdlCount,
    kMdlStale,
    kMdlLost,
    kSceneNodeParent,
    kSceneNodeId,
    kSceneGeoset,
    kSceneReference,
    kSceneTrack,
    kSceneSequence,
    kSceneNoClip,
    kSceneNoCamera,
    kSceneNoLevel,
    kSceneApproximated,
    kTextureMissing,
    kTextureUndecodable,
    kImageMip,
    kImageDamaged,
    kImageMalformed,
    kImageUnsupported,
    kImageAlphaBits,
    kImageOddity,
    kJsonMalformed,
    kGltfReference,
    kGltfUnsupported,
    kConvertVersion,
    kConvertVerify,
    kConvertDamaged,
    kConvertEffect,
    kConvertMaterial,
    kConvertShader,
    kConvertSkin,
    kConvertLod,
    kConvertField,
    kConvertTrack,
    kConvertChunk,
    kConvertFlag,
    kConvertTexture,
    kConvertSplit,
    kConvertTangents,
    kConvertBindPose,
    kConvertName,
    kConvertUnused,
    kOptimizeDamaged,
    kMpqNoHeader,
    kMpqHeader,
    kMpqTable,
    kMpqNames,
    kMpqNoEntry,
    kMpqKey,
    kMpqData,
    kMpqCompression,
    kMpqPatch,
    kMpqChecksum,
    kWriteFailed,
    kWriteUnsupported,
    kWriteExists,
    kWriteName,
};

/// Every code of every format.
std::vector<Code> all();

}  // namespace codes
}  // namespace thaw

#pragma GCC visibility pop
