// Forgelight animations (NSA, NaturalMotion Morpheme): quantised channels of one clip. They stand as packets
// in an animation network (mrn.hpp) and as files of their own. See docs/formats/nsa.md.
//
// The parts of the file lie where its pointers say, with anything between them; a document keeps all of it,
// so that write(read(x)) == x for every file that reads. A pointer that leads nowhere costs the part that it
// points to, which then is absent and reported; its bytes are kept among the gaps.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/codes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <optional>
#include <vector>

#pragma GCC visibility push(default)

/// Forgelight's animations.
namespace thaw::nsa {

/// What words of 16 bits number.
inline constexpr std::uint32_t kMostChannels = 65535;

/// Which header the file has. All numbers are little-endian, all pointers 64 bits wide.
enum class Layout : std::uint8_t {
  v26,  ///< PlanetSide 2, H1Z1
  v24,  ///< Dark Souls 2; known less well
};

/// The kinds of channels, in the order in which they stand everywhere.
enum Kind : std::uint8_t { kTranslation, kRotation, kScale };
inline constexpr std::size_t kKinds = 3;  ///< values of Kind

/// First the minimum, then the step: value = minimum + step · integer, per axis.
using Factors = std::array<Vec3, 2>;

/// Channels that a segment holds, in the order of its data.
struct ChannelList {
  std::uint16_t count = 0;
  Array<std::uint16_t> channels;
  friend bool operator==(const ChannelList&, const ChannelList&) = default;
};

/// Three initial bytes (one per axis), then the index of the factor set that each axis takes.
using Info = std::array<std::uint8_t, 6>;

/// One value per channel (nsa.md#static-segment). Pointers count from the segment's start.
struct StaticSegment {
  std::array<std::uint32_t, kKinds> counts{};  ///< of translations, rotations, scales
  /// How many of the two sets of factors are there: two, unless a writer left out those of empty kinds.
  std::uint8_t records = 2;
  Factors translation_factors{};
  Factors rotation_factors{};
  std::uint32_t reserved = 0;
  std::uint64_t scale_factors_at = 0;  ///< inferred: no file with scales is known
  std::array<std::uint64_t, kKinds> data_at{};
  /// Three integers per channel; empty where the pointer leads nowhere.
  std::array<Array<std::array<std::uint16_t, 3>>, kKinds> values;
  std::optional<Factors> scale_factors;
  friend bool operator==(const StaticSegment&, const StaticSegment&) = default;
};

/// One row of values per sample (nsa.md#dynamic-segment). Pointers count from the segment's start.
struct DynamicSegment {
  std::uint32_t samples = 0;
  std::array<std::uint32_t, kKinds> counts{};
  /// Of each kind the pointers to its rows and to its infos. Version 24 has none of scales.
  std::array<std::array<std::uint64_t, 2>, kKinds> at{};
  Array<std::uint32_t> translations;  ///< x 11, y 11, z 10 bits from the top; one per channel in each row
  Array<std::uint16_t> rotations;     ///< rows of `rotation_row` words
  Array<std::uint32_t> scales;        ///< as translations, which is inferred
  std::array<Array<Info>, kKinds> infos;
  friend bool operator==(const DynamicSegment&, const DynamicSegment&) = default;
};

/// Bytes from one row of rotations to the next: six per channel, padded to 4 (nsa.md#rotation-rows). Where
/// the rows of that width do not fit before the infos, or leave 16 bytes or more unexplained, unpadded rows
/// or rows padded to 8.
std::uint64_t rotation_row(const DynamicSegment& segment);

/// The way of the whole character (nsa.md#root-segment). Pointers count from the segment's start.
struct RootSegment {
  std::uint32_t version = 0;
  std::array<std::uint32_t, 3> unknown{};
  std::uint64_t unknown_v24 = 0;  ///< version 24 only
  std::uint32_t size = 0;
  std::uint32_t alignment = 0;
  float rate = 0;  ///< Hz
  std::uint32_t samples = 0;
  Factors translation_factors{};
  /// Factors if there are rotations, else a constant quaternion x y z w and two unused words.
  std::array<float, 6> rotation{};
  std::uint64_t translations_at = 0;
  std::uint64_t rotations_at = 0;
  Array<std::uint32_t> translations;
  Array<std::array<std::uint16_t, 3>> rotations;
  friend bool operator==(const RootSegment&, const RootSegment&) = default;
};

/// What a file begins with (nsa.md#header). Pointers count from the start of the file (or packet).
struct Header {
  std::array<std::uint8_t, 4> crc{};  ///< big-endian CRC-32 of everything after it
  std::uint32_t version = 0;
  std::uint64_t reserved = 0;
  std::uint32_t static_size = 0;
  std::uint32_t alignment = 0;
  float duration = 0;  ///< s
  float rate = 0;      ///< Hz
  std::uint32_t channels = 0;
  std::uint32_t animated_channels = 0;
  std::array<std::uint64_t, kKinds> static_lists_at{};
  std::array<std::uint64_t, kKinds> dynamic_lists_at{};
  Factors translation_means{};
  std::uint64_t scale_means_at = 0;  ///< inferred
  std::array<std::uint32_t, kKinds> factor_counts{};
  std::uint32_t padding = 0;
  std::array<std::uint64_t, kKinds> factors_at{};
  std::uint64_t static_at = 0;
  std::uint64_t dynamic_at = 0;
  std::uint64_t root_at = 0;
  std::uint64_t end = 0;
  friend bool operator==(const Header&, const Header&) = default;
};

/// What a file of version 24 begins with (nsa.md#version-24).
struct HeaderV24 {
  std::array<std::uint32_t, 2> start{};
  std::uint64_t dynamic_at = 0;
  std::uint32_t alignment = 0;
  std::uint32_t size = 0;
  std::array<std::uint32_t, 4> unknown{};
  float duration = 0;  ///< s
  float rate = 0;      ///< Hz
  std::uint32_t channels = 0;
  std::array<std::uint32_t, 2> unknown2{};
  std::uint32_t sets = 0;
  std::array<std::uint64_t, 2> static_lists_at{};
  std::array<std::uint64_t, 2> dynamic_lists_at{};  ///< to one pointer per set
  Factors translation_means{};
  std::array<std::uint32_t, 2> factor_counts{};
  std::array<std::uint64_t, 2> factors_at{};
  std::uint64_t static_at = 0;
  std::uint64_t dynamic_size = 0;
  std::uint64_t unknown3 = 0;
  std::uint64_t segment_sizes_at = 0;
  std::uint64_t segments_at = 0;  ///< to one pointer per set
  std::uint64_t root_at = 0;
  friend bool operator==(const HeaderV24&, const HeaderV24&) = default;
};

/// Channels that move together. Version 26 has one set.
struct DynamicSet {
  std::array<std::optional<ChannelList>, kKinds> lists;
  std::optional<DynamicSegment> segment;
  friend bool operator==(const DynamicSet&, const DynamicSet&) = default;
};

/// A file of either version.
struct Document {
  Layout layout = Layout::v26;
  Header header;                                     ///< version 26
  HeaderV24 header_v24;                              ///< version 24
  std::array<Array<std::uint64_t>, 3> pointers_v24;  ///< to lists of translations and rotations, to segments
  std::array<std::optional<ChannelList>, kKinds> static_lists;
  std::optional<StaticSegment> still;
  std::vector<DynamicSet> moving;
  std::array<Array<Factors>, kKinds> factors;  ///< that the infos refer to
  std::optional<Factors> scale_means;          ///< inferred
  std::optional<RootSegment> root;
  std::vector<Gap> gaps;  ///< padding, and whatever else no part claims

  /// Length in seconds, as the header states it.
  [[nodiscard]] float duration() const;
  /// Samples per second, as the header states it.
  [[nodiscard]] float rate() const;
  /// Channels as the header states them, moving or not.
  [[nodiscard]] std::uint32_t channels() const;
  /// Of the longest segment; 1 for a pose.
  [[nodiscard]] std::uint32_t samples() const;

  friend bool operator==(const Document&, const Document&) = default;
};

/// True if the header makes sense as that of an animation: there is no magic number.
bool is_nsa(ByteView bytes);
/// The layout, if `is_nsa`.
std::optional<Layout> layout_of(ByteView bytes);

/// Reads an animation. Errors: read.truncated for a file shorter than its header, read.overlap for pointers
/// that claim the same bytes over and over, input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes, every part where the pointers say.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

/// The CRC-32 (as zlib's) of everything after the first four bytes.
std::uint32_t computed_crc(ByteView bytes);
/// As the header states it.
std::uint32_t stated_crc(const Document& document);

// --- curves
// -----------------------------------------------------------------------------------------------------

/// One channel's values over time: one per sample, or a single one if it does not move.
struct VectorTrack {
  std::uint16_t channel = 0;
  Array<Vec3> values;
  friend bool operator==(const VectorTrack&, const VectorTrack&) = default;
};

/// Unit quaternions x y z w; neighbours never lie on opposite sides.
struct RotationTrack {
  std::uint16_t channel = 0;
  Array<Vec4> values;
  friend bool operator==(const RotationTrack&, const RotationTrack&) = default;
};

/// The way of the whole character, with a rate of its own.
struct RootMotion {
  float rate = 0;            ///< Hz
  Array<Vec3> translations;  ///< one per sample, a single one, or none
  Array<Vec4> rotations;     ///< the same
  friend bool operator==(const RootMotion&, const RootMotion&) = default;
};

/// An animation in numbers: metres, unit quaternions, parent-local. Sample i lies at i / rate seconds. Tracks
/// of a kind are in rising order of their channels, each channel at most once.
struct Clip {
  float duration = 0;  ///< s
  float rate = 0;      ///< Hz
  std::uint32_t channels = 0;
  std::uint32_t samples = 1;
  std::vector<VectorTrack> translations;
  std::vector<RotationTrack> rotations;
  std::vector<VectorTrack> scales;
  std::optional<RootMotion> root;
  friend bool operator==(const Clip&, const Clip&) = default;
};

/// The animation as numbers (nsa.md#values). Channels whose list, data or factors are missing or disagree are
/// left out with nsa.channel; numbers that are not finite become 0. Scales are read as translations are,
/// which no published file proves (read.unproven).
Clip decode(const Document& document, Diagnostics& diagnostics = Diagnostics::discarded());

// --- the way back
// -----------------------------------------------------------------------------------------------

/// What counts as still, and the version to write.
struct QuantiseOptions {
  /// Channels whose values stay this close to their first one are stored once: metres, or components of the
  /// rotation vector.
  float still = 1e-6F;
  /// Version word of the header.
  std::uint32_t version = 3;
};

/// How far a decoded channel may lie from what it was made of: half a step of its integers.
struct ChannelError {
  Kind kind = kTranslation;
  std::uint16_t channel = 0;
  bool root = false;
  Vec3 step{};   ///< per axis: of translations in metres, of rotations in the rotation vector
  Vec3 worst{};  ///< the largest error per axis, in the same terms, computed from what was written
};

/// An animation in the file's form, and how close that is.
struct Quantised {
  Document document;  ///< version 26; write(document) is a file with a valid CRC
  std::vector<ChannelError> errors;
};

/// Quantises an animation in the layout of nsa.md#quantising. Errors: write.unsupported for more than 65,535
/// channels, a channel outside the clip or given twice, tracks whose length is neither 1 nor the clip's
/// number of samples, numbers that are not finite, or a rate that is not above 0.
Result<Quantised> from_curves(const Clip& clip, const QuantiseOptions& options = {});

/// The rotation vector of a unit quaternion x y z w (modified Rodrigues parameters, nsa.md#rotation-vectors).
std::array<double, 3> to_rotation_vector(const std::array<double, 4>& rotation);
/// The unit quaternion x y z w of a rotation vector, the reverse of the above.
std::array<double, 4> from_rotation_vector(const std::array<double, 3>& vector);

}  // namespace thaw::nsa

#pragma GCC visibility pop
