// Warcraft III models from one format version to another (mdx.md#converting-between-versions). What each step
// does and loses is told in docs/user/versions.md.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace thaw::mdx {

/// The versions that can be asked for. 1300 to 1700 never shipped, but the 3.0.0 client reads them.
inline constexpr std::array<std::uint32_t, 9> kTargetVersions = {800,  900,  1000, 1100, 1200,
                                                                 1300, 1400, 1600, 1800};

/// How exactly bones are chosen where there must be fewer, and whether weights are made.
struct ConversionOptions {
  /// Moments of the model's sequences at which candidates for a vertex's bones are compared, 1 to 1024. More
  /// than fit a fixed budget of memory are not taken.
  std::size_t moments = 48;
  /// To 900 and later: matrix groups become weights of equal shares, with tangents, as physically based
  /// shaders want them. Groups of more than four bones, or of nodes that are no bones, stay.
  bool weights = false;
};

/// Something that the target cannot say, or says only nearly.
struct Loss {
  Code code;
  std::string path;  ///< in the source, "MTLS[2].layers[0].emissiveGain"
  std::string message;
  /// How far a vertex is from where it was, at most, over the moments that were looked at: in units of the
  /// game. Only where a position is approximated.
  std::optional<double> deviation;
};

/// The model in its new version, and what that cost.
struct VersionConversion {
  Document document;
  /// In the order of the work. Empty: going back to the old version gives the same fields, except that
  /// going back to 900 or later adds bind poses to a model that had none.
  std::vector<Loss> losses;
  /// Losses that were counted but not kept.
  std::size_t more_losses = 0;
  /// For each geoset of the result that of the source which it came from.
  std::vector<std::size_t> source_geosets;
};

/// The same model as another version. Nothing that the target can say is touched, except where the rules of
/// mdx.md#converting-between-versions ask for it. Errors: convert.version for a target not in
/// kTargetVersions, convert.damaged for a chunk that could not be read and whose layout differs between the
/// versions, input.too-large for geosets that have to be divided and whose parts would repeat more than 256
/// MiB. Damaged objects keep the fields that could be read.
Result<VersionConversion> convert_version(const Document& document, std::uint32_t target,
                                          const ConversionOptions& options = {});

/// A document as bytes that were read again and hold every field as it was.
struct Verified {
  Bytes bytes;
  bool strict = false;  ///< read again without a damaged part
};
/// Writes a document and reads it again, strictly if that succeeds. The error is convert.verify with the
/// first field that differs.
Result<Verified> write_verified(const Document& document);

}  // namespace thaw::mdx

#pragma GCC visibility pop
