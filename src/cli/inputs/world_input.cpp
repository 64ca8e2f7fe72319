#include "cli/inputs/world_input.hpp"

#include <thaw/bytes.hpp>
#include <thaw/codes.hpp>
#include <thaw/sources.hpp>

#include "bytes/number_text.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/text.hpp"
#include "describe/limits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace thaw::cli {
namespace {

/// Enough to distinguish a map from everything else.
constexpr std::uint64_t kMapPeek = 256;

/// "30-34" or "30".
bool parse_span(std::string_view text, std::uint32_t& first, std::uint32_t& last) {
  const std::size_t dash = text.find('-');
  const auto from = parse_whole(text.substr(0, dash));
  const auto to = dash == std::string_view::npos ? from : parse_whole(text.substr(dash + 1));
  if (!from || !to || *from > *to || *to >= world::kTilesPerSide) {
    return false;
  }
  first = *from;
  last = *to;
  return true;
}

constexpr int kFarthestTile = static_cast<int>(world::kTilesPerSide) - 1;
constexpr auto kLastChunk = static_cast<std::uint32_t>(wdt::kChunksPerSide) - 1;

/// "2,-1", neither further than `farthest`.
std::optional<TileShift> parse_shift(std::string_view text, int farthest) {
  const auto parse = [&](std::string_view word, int& to) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), to);
    return error == std::errc() && end == word.data() + word.size() && std::abs(to) <= farthest;
  };
  TileShift shift;
  const std::size_t comma = std::min(text.find(','), text.size());
  const bool good = text.empty() || (comma < text.size() && parse(text.substr(0, comma), shift.x) &&
                                     parse(text.substr(comma + 1), shift.y));
  return good ? std::optional(shift) : std::nullopt;
}

}  // namespace

Result<std::shared_ptr<const Storage>> input_storage(const Input& input, const Settings& settings) {
  if (input.failure) {
    return tl::unexpected<Error>(*input.failure);
  }
  if (input.member == nullptr && !input.one_file && input.name != "-") {
    return open_storage(input.path);
  }
  auto content = load(input, settings);
  if (!content) {
    return tl::unexpected<Error>(std::move(content.error()));
  }
  return memory_storage(std::move(content->bytes));
}

bool is_streamed(const Input& input) {
  return input.name != "-" && !input.failure && identify_file(input).format == "wdt";
}

bool is_world_input(const Input& input) {
  // Stdin can be read only once, and a map of any size does not come that way.
  if (input.name == "-" || input.failure) {
    return false;
  }
  if (input.member != nullptr || input.one_file) {
    const Format format = identify_file(input).format;
    return format == "wdt" || format == "wdl";
  }
  const auto storage = open_storage(input.path);
  if (!storage) {
    return false;
  }
  Bytes start(static_cast<std::size_t>(std::min((*storage)->size(), kMapPeek)));
  return (*storage)->read(0, start) && (wdt::is_wdt(start) || wdl::is_wdl(start));
}

Result<std::optional<wdt::World>> open_map(const Input& input, const Settings& settings,
                                           Diagnostics& findings) {
  auto storage = input_storage(input, settings);
  if (!storage) {
    return tl::unexpected<Error>(std::move(storage.error()));
  }
  Bytes start(static_cast<std::size_t>(std::min((*storage)->size(), kMapPeek)));
  if ((*storage)->read(0, start) && wdl::is_wdl(start)) {
    return std::optional<wdt::World>();
  }
  return wdt::open(*storage, read_options(settings), findings).map([](wdt::World&& map) {
    return std::optional(std::move(map));
  });
}

std::optional<wdt::TileRange> parse_tiles(std::string_view text) {
  wdt::TileRange range;
  if (text.empty()) {
    return range;
  }
  const std::size_t comma = text.find(',');
  const bool good = comma != std::string_view::npos &&
                    parse_span(text.substr(0, comma), range.first_x, range.last_x) &&
                    parse_span(text.substr(comma + 1), range.first_y, range.last_y);
  return good ? std::optional(range) : std::nullopt;
}

std::optional<TileShift> parse_shift(std::string_view text) { return parse_shift(text, kFarthestTile); }

std::optional<wdt::ChunkMove> parse_chunks(std::string_view text, std::string_view shift) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto tile = parse_tiles(text.substr(0, colon));
  const auto chunks = colon < text.size() ? parse_tiles(text.substr(colon + 1))
                                          : wdt::TileRange{0, kLastChunk, 0, kLastChunk};
  const auto offset = parse_shift(shift, kFarthestTile * static_cast<int>(wdt::kChunksPerSide));
  if (colon == 0 || colon + 1 == text.size() || !tile || !chunks || !offset ||
      tile->first_x != tile->last_x || tile->first_y != tile->last_y || chunks->last_x > kLastChunk ||
      chunks->last_y > kLastChunk) {
    return std::nullopt;
  }
  wdt::ChunkMove move;
  move.tile = {static_cast<std::uint8_t>(tile->first_x), static_cast<std::uint8_t>(tile->first_y)};
  move.first_x = chunks->first_x;
  move.last_x = chunks->last_x;
  move.first_y = chunks->first_y;
  move.last_y = chunks->last_y;
  move.east = offset->x;
  move.south = offset->y;
  return move;
}

std::string check_tiles(const Settings& settings) {
  return parse_tiles(settings.tiles)
             ? ""
             : concat({"--tiles ", settings.tiles, ": expected a range such as 30-34,41-44 within 0 to 63"});
}

std::string check_tiles(const Settings& settings, const std::vector<Input>& inputs) {
  std::string why = check_tiles(settings);
  const bool idle =
      !settings.tiles.empty() && !inputs.empty() && std::none_of(inputs.begin(), inputs.end(), is_streamed);
  return why.empty() && idle ? "--tiles needs a map (WDT) as input" : why;
}

Result<wdt::Stream> open_stream(const Input& input, const Settings& settings, Diagnostics& findings) {
  auto storage = input_storage(input, settings);
  if (!storage) {
    return tl::unexpected<Error>(std::move(storage.error()));
  }
  const wdt::TileRange range = parse_tiles(settings.tiles).value_or(wdt::TileRange());
  auto map = wdt::Stream::open(std::move(*storage), read_options(settings), findings,
                               [&](const wdt::TilePosition& place) { return range.holds(place.x, place.y); });
  stop_when_requested();
  if (map && map->chosen().empty() && !settings.tiles.empty()) {
    return fail(codes::kWorldNoTile, "");
  }
  return map;
}

std::optional<float> parse_number(std::string_view text) {
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  return good ? std::optional(value) : std::nullopt;
}

std::optional<Vec3> parse_place(std::string_view text) {
  Vec3 place{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t comma = text.find(',');
    const auto number = parse_number(text.substr(0, comma));
    if (!number || (comma == std::string_view::npos) != (axis == 2)) {
      return std::nullopt;
    }
    place.at(axis) = *number;
    text.remove_prefix(axis == 2 ? text.size() : comma + 1);
  }
  return place;
}

std::optional<float> parse_time(std::string_view text) {
  constexpr std::uint32_t kHours = 24;
  constexpr std::uint32_t kMinutes = 60;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  const auto hours = parse_whole(text.substr(0, colon));
  const auto minutes = parse_whole(text.substr(colon + 1));
  if (!hours || !minutes || *hours >= kHours || *minutes >= kMinutes) {
    return std::nullopt;
  }
  return static_cast<float>((*hours * kMinutes + *minutes) * 2);
}

}  // namespace thaw::cli
