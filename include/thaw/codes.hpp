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
inline constexpr Code kFormatUnknown{"format.unknown", Severity::error, "the content is of no known format"};
inline constexpr Code kFormatForeign{"format.foreign", Severity::error,
                                     "the content is of another format that shares the name"};
inline constexpr Code kFormatUnsupported{"format.unsupported", Severity::error,
                                         "the operation does not apply to this format"};
inline constexpr Code kTruncated{"read.truncated", Severity::error, "a field ends behind its container"};
inline constexpr Code kCountTooLarge{"read.count", Severity::error,
                                     "a count exceeds the bytes that are left"};
inline constexpr Code kTagExpected{"read.tag", Severity::error, "another tag was expected here"};
inline constexpr Code kSizeInvalid{"read.size", Severity::error, "a stored size is impossible"};
inline constexpr Code kOffsetInvalid{"read.offset", Severity::error, "an offset points outside the input"};
inline constexpr Code kOverlap{"read.overlap", Severity::error, "parts found by offset share too many bytes"};
inline constexpr Code kOffsetMismatch{"read.offset-mismatch", Severity::warning,
                                      "a stored offset disagrees with the order of the parts"};
inline constexpr Code kObjectTail{"read.object-tail", Severity::info,
                                  "bytes behind an object's known fields"};
inline constexpr Code kChunkTail{"read.chunk-tail", Severity::warning, "bytes behind a chunk's last record"};
inline constexpr Code kFileTail{"read.file-tail", Severity::warning, "bytes behind the last chunk"};
inline constexpr Code kChunkOverrun{"read.chunk-overrun", Severity::error,
                                    "a chunk runs past the end of the file"};
inline constexpr Code kChunkUnknown{"read.chunk-unknown", Severity::info,
                                    "a chunk that the format does not define"};
inline constexpr Code kChunkDuplicate{"read.chunk-duplicate", Severity::warning, "a chunk occurs twice"};
inline constexpr Code kTextUnterminated{"read.text-unterminated", Severity::warning,
                                        "a fixed-size text has no terminating NUL"};
inline constexpr Code kUnproven{"read.unproven", Severity::info,
                                "read by a rule that no published file proves yet: please share the file"};

// Warcraft III models.
inline constexpr Code kVersionMissing{"vers.missing", Severity::warning, "no VERS chunk; 800 is assumed"};
inline constexpr Code kVersionUnknown{"vers.unknown", Severity::warning, "a version that no game shipped"};
inline constexpr Code kTrackUnknown{"track.unknown", Severity::error, "a track tag of unknown key size"};
inline constexpr Code kTrackInterpolation{"track.interpolation", Severity::error, "interpolation above 3"};
inline constexpr Code kEventWithoutGlobal{"event.no-global-sequence", Severity::warning,
                                          "a KEVT without its global sequence id"};
inline constexpr Code kCollisionLayout{"collision.layout", Severity::info,
                                       "a collision shape in the engine's layout, not the community's"};

// Models as text.
inline constexpr Code kMdlSyntax{"mdl.syntax", Severity::error, "something else was expected here"};
inline constexpr Code kMdlUnknown{"mdl.unknown", Severity::warning, "a block or property that is not known"};
inline constexpr Code kMdlValue{"mdl.value", Severity::warning, "a value that the property cannot have"};
inline constexpr Code kMdlDuplicate{"mdl.duplicate", Severity::warning, "a property that stands twice"};
inline constexpr Code kMdlVersion{"mdl.version", Severity::warning,
                                  "a property that the stated version does not have"};
inline constexpr Code kMdlCut{"mdl.cut", Severity::warning, "a text that is too long for its field"};
inline constexpr Code kMdlCount{"mdl.count", Severity::info, "a count that disagrees with what follows"};
inline constexpr Code kMdlStale{"mdl.stale", Severity::warning,
                                "carried bytes that no longer fit the text beside them"};
inline constexpr Code kMdlLost{"mdl.lost", Severity::warning, "what plain MDL cannot hold"};

// Models on their way into a scene.
inline constexpr Code kSceneNodeParent{
    "scene.node-parent", Severity::warning,
    "a parent that does not exist or forms a cycle; the node becomes a root"};
inline constexpr Code kSceneNodeId{"scene.node-id", Severity::warning,
                                   "an object id that is negative or used twice"};
inline constexpr Code kSceneGeoset{"scene.geoset", Severity::warning,
                                   "a geoset whose parts disagree; mended for conversion"};
inline constexpr Code kSceneReference{"scene.reference", Severity::warning,
                                      "a reference to something that is not there"};
inline constexpr Code kSceneTrack{"scene.track", Severity::warning,
                                  "a track that had to be mended for conversion"};
inline constexpr Code kSceneSequence{"scene.sequence", Severity::warning, "a sequence without length"};
inline constexpr Code kSceneNoClip{"scene.no-clip", Severity::error,
                                   "no animation has a name that is wanted"};
inline constexpr Code kSceneNoCamera{"scene.no-camera", Severity::error,
                                     "no camera has the name that is wanted"};
inline constexpr Code kSceneNoLevel{"scene.no-level", Severity::error, "there is no such level of detail"};
inline constexpr Code kSceneApproximated{"scene.approximated", Severity::info,
                                         "something the target cannot say; kept as extras"};

// Textures.
inline constexpr Code kTextureMissing{"texture.missing-file", Severity::warning, "no source has the texture"};
inline constexpr Code kTextureUndecodable{"texture.undecodable", Severity::warning,
                                          "the texture does not decode"};
inline constexpr Code kImageMip{"image.mip", Severity::warning,
                                "a mip level does not decode; the next one is used"};
inline constexpr Code kImageDamaged{"image.damaged", Severity::severe,
                                    "a part of the picture's data is lost; the rest is shown"};
inline constexpr Code kImageMalformed{"image.malformed", Severity::error, "the picture's data is broken"};
inline constexpr Code kImageUnsupported{"image.unsupported", Severity::error,
                                        "a pixel format that is not defined here"};
inline constexpr Code kImageAlphaBits{"image.alpha-bits", Severity::warning,
                                      "an unusual number of alpha bits"};
inline constexpr Code kImageOddity{"image.oddity", Severity::info,
                                   "readable, but not as usual writers do it"};

// glTF that comes in
inline constexpr Code kJsonMalformed{"json.malformed", Severity::error, "the text is not JSON"};
inline constexpr Code kGltfReference{"gltf.reference", Severity::error,
                                     "an index, a buffer or a file that is not there"};
inline constexpr Code kGltfUnsupported{"gltf.unsupported", Severity::warning,
                                       "something that does not come over from glTF"};

// Models on their way to another version.
inline constexpr Code kConvertVersion{"convert.version", Severity::error,
                                      "a version that models cannot be written as"};
inline constexpr Code kConvertVerify{"convert.verify", Severity::error,
                                     "what was written does not read as the same"};
inline constexpr Code kConvertDamaged{"convert.damaged", Severity::severe,
                                      "a damaged part, whose bytes only the old version could hold"};
inline constexpr Code kConvertEffect{"convert.effect", Severity::severe,
                                     "an effect that the version cannot play"};
inline constexpr Code kConvertMaterial{"convert.material", Severity::warning,
                                       "a material that the version says only nearly"};
inline constexpr Code kConvertShader{"convert.shader", Severity::warning,
                                     "a shader that the version does not know"};
inline constexpr Code kConvertSkin{"convert.skin", Severity::warning,
                                   "weights that matrix groups say only nearly"};
inline constexpr Code kConvertLod{"convert.lod", Severity::warning,
                                  "levels of detail, which the version does not have"};
inline constexpr Code kConvertField{"convert.field", Severity::warning,
                                    "a field that the version does not have"};
inline constexpr Code kConvertTrack{"convert.track", Severity::warning,
                                    "a track that the version does not have"};
inline constexpr Code kConvertChunk{"convert.chunk", Severity::warning,
                                    "a chunk that the version does not have"};
inline constexpr Code kConvertFlag{"convert.flag", Severity::warning,
                                   "a flag that the version does not know"};
inline constexpr Code kConvertTexture{"convert.texture", Severity::warning,
                                      "a picture that the game of this version does not load"};
inline constexpr Code kConvertSplit{"convert.split", Severity::info,
                                    "a geoset divided, because one cannot hold it"};
inline constexpr Code kConvertTangents{"convert.tangents", Severity::info,
                                       "tangents, which the version does not have"};
inline constexpr Code kConvertBindPose{"convert.bind-pose", Severity::info,
                                       "bind poses, which the version does not have"};
inline constexpr Code kConvertName{"convert.name", Severity::info,
                                   "a name that the version has no place for"};
inline constexpr Code kConvertUnused{"convert.unused", Severity::info,
                                     "something that changes nothing that is shown"};

// Models on their way to a smaller file.
inline constexpr Code kOptimizeDamaged{"optimize.damaged", Severity::error,
                                       "a part that cannot be read may refer to anything"};

// Archives.
inline constexpr Code kMpqNoHeader{"mpq.no-header", Severity::error,
                                   "no archive begins anywhere in the file"};
inline constexpr Code kMpqHeader{
    "mpq.header", Severity::warning,
    "a field of the header is wrong; archives that resist editors are like that"};
inline constexpr Code kMpqTable{"mpq.table", Severity::warning,
                                "a table is cut off, or some of its records point nowhere"};
inline constexpr Code kMpqNames{"mpq.names", Severity::info, "the names of some files are not known"};
inline constexpr Code kMpqNoEntry{"mpq.no-entry", Severity::error, "the archive has no such file"};
inline constexpr Code kMpqKey{"mpq.key", Severity::error,
                              "the file is encrypted, and neither its name nor its content tells the key"};
inline constexpr Code kMpqData{"mpq.data", Severity::error, "packed data is broken"};
inline constexpr Code kMpqCompression{"mpq.compression", Severity::error,
                                      "packed by a method that is not unpacked"};
inline constexpr Code kMpqPatch{"mpq.patch", Severity::error,
                                "the file is only the difference to one of another archive"};
inline constexpr Code kMpqChecksum{"mpq.checksum", Severity::severe, "a checksum does not fit the content"};

// Output.
inline constexpr Code kWriteFailed{"write.failed", Severity::error, "the output cannot be written"};
inline constexpr Code kWriteUnsupported{"write.unsupported", Severity::error, "the format cannot hold this"};
inline constexpr Code kWriteExists{"write.exists", Severity::error, "the output exists; -f overwrites it"};

inline constexpr Code kWriteName{"write.name", Severity::warning,
                                 "a name that is no safe path; the file gets another one"};

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
