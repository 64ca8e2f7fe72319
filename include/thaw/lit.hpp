// Lights and fog of a map of World of Warcraft's alpha (lights.lit): who lights what, and how over the day.
// See lit.md#structure. What the numbers become is in thaw/world.hpp.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>
#include <thaw/inspect.hpp>
#include <thaw/options.hpp>

#include <span>
#include <vector>

#pragma GCC visibility push(default)

/// Lights and fog of maps of World of Warcraft's alpha.
namespace thaw::lit {

/// The versions that are known, as the file states them.
inline constexpr std::uint32_t kVersion2 = 2;  ///< one file: two sets of values, of which one is unexplained
inline constexpr std::uint32_t kVersion3 = 0x80000003;  ///< 14 tracks
inline constexpr std::uint32_t kVersion4 = 0x80000004;  ///< 18 tracks; World of Warcraft 0.5.3
inline constexpr std::uint32_t kVersion5 = 0x80000005;  ///< as version 4, and Values::params

/// Markers of a track, and slots of a row of floats.
inline constexpr std::size_t kSlots = 32;
inline constexpr std::size_t kMostTracks = 18;  ///< of one set of values, of any version
/// Times are half-minutes.
inline constexpr std::int32_t kDay = 2880;

/// Tracks that a file of the version has in each set of values; 0 for versions that are not known.
std::size_t track_count(std::uint32_t version);
/// Bytes of a set of values; 0 for versions that are not known.
std::size_t values_size(std::uint32_t version);

/// Where a light is. Lengths are thirty-sixths of a yard, in the axes of placements: x east, y up, z south,
/// from the north-west corner of the world (or, on maps of one building, from its middle).
struct Light {
  std::int32_t chunk_x = 0;  ///< −1 for the light of the whole map, else 0
  std::int32_t chunk_y = 0;
  std::int32_t chunk_radius = 0;
  Vec3 position{};
  float radius = 0;   ///< full effect within
  float dropoff = 0;  ///< fades out over; version 2 has none
  FixedText<32> name;
  std::uint32_t reserved = 0;  ///< version 2 only

  static constexpr std::size_t kMinSize = 64;
  static constexpr std::size_t kRecordSize = 64;

  /// The light of the whole map.
  [[nodiscard]] bool is_default() const { return chunk_x == -1 && chunk_y == -1; }
  friend bool operator==(const Light&, const Light&) = default;
};

/// Colours over the day: 32 pairs of a time in half-minutes and a colour, of which Values::counts says how
/// many are in use.
struct Track {
  Array<std::uint32_t> words;

  static constexpr std::size_t kMinSize = kSlots * 8;

  /// Half-minutes from midnight. `i` is below kSlots.
  [[nodiscard]] std::int32_t time(std::size_t i) const { return static_cast<std::int32_t>(words[2 * i]); }
  /// 0x00RRGGBB. `i` is below kSlots.
  [[nodiscard]] std::uint32_t color(std::size_t i) const { return words[2 * i + 1]; }
  friend bool operator==(const Track&, const Track&) = default;
};

/// What a light says for one kind of weather.
struct Values {
  Array<std::int32_t> counts;  ///< markers in use, one per track
  std::vector<Track> tracks;
  std::array<float, kSlots> fog_end{};  ///< thirty-sixths of a yard
  std::array<float, kSlots> fog_start_scaler{};
  std::int32_t highlight_sky = 0;  ///< from version 3 on, like what follows
  std::array<std::array<float, kSlots>, 4> sky{};
  std::int32_t cloud_mask = 0;
  std::array<std::array<float, 10>, 4> params{};  ///< version 5

  /// Of the oldest version.
  static constexpr std::size_t kMinSize = 0xA24;

  /// Markers of a track that can be used: its count, kept within 0 to 32.
  [[nodiscard]] std::size_t markers(std::size_t track) const;
  friend bool operator==(const Values&, const Values&) = default;
};

/// The order of the values of one light.
enum class Weather : std::uint8_t { clear, storm, clear_under_water, storm_under_water };
inline constexpr std::size_t kWeathers = 4;  ///< values of Weather

/// A file of any version.
struct Document {
  std::uint32_t version = kVersion4;
  /// As stated: −1 stands for one set of values without a list of lights.
  std::int32_t light_count = 0;
  std::vector<Light> lights;
  std::array<std::uint8_t, 60> prefix{};  ///< version 2: unexplained
  std::vector<Values> values;             ///< four per light, in the order of Weather; or one alone
  std::vector<Gap> gaps;                  ///< what follows

  /// The values of a light for a kind of weather; null where the file has none. A file of one set alone gives
  /// it for everything.
  [[nodiscard]] const Values* find(std::size_t light, Weather weather) const;
  friend bool operator==(const Document&, const Document&) = default;
};

/// The file has no magic: true if it begins with a known version, and for version 2 also with the count and
/// the list of the one file that is known to have it.
bool is_lit(ByteView bytes);

/// Reads every version that is_lit knows. A file that ends too early gives the lights and sets that are
/// whole, with read.truncated (with `options.strict` that is the error); bytes after the last set are kept
/// and reported as read.file-tail. Errors: format.unknown, read.truncated without room for the header,
/// input.too-large.
Result<Document> read(ByteView bytes, const ReadOptions& options = {},
                      Diagnostics& diagnostics = Diagnostics::discarded());

/// The file's bytes. Lists are written as they are, whatever the counts say.
Bytes write(const Document& document);

/// Shows every field with its offset.
void inspect(const Document& document, Inspector& inspector);

/// "direct", "ambient", "sky 0" and so on: what the tracks are taken for (lit.md#tracks; beyond the first
/// eight the sources disagree).
std::string_view track_name(std::size_t track);

}  // namespace thaw::lit

#pragma GCC visibility pop
