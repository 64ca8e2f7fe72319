// The 512 bytes before a map, from what its war3map.w3i says.

#include <thaw/archive.hpp>
#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "describe/description.hpp"
#include "formats/archives/mpq/pack_file.hpp"

#include <charconv>

namespace thaw::mpq {
namespace {

constexpr std::size_t kMapHeaderSize = 512;

/// Numbers and texts of war3map.w3i (mpq.md#a-maps-header); zeros once it has ended.
class Info {
 public:
  explicit Info(ByteView bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  std::uint32_t word() {
    const auto at = take(4);
    return ok_ ? load_plain<std::uint32_t>(&bytes_[at]) : 0;
  }
  void skip(std::size_t count) { (void)take(count); }
  std::string text() {
    const std::string_view left = as_text(bytes_.subspan(at_));
    const std::size_t end = left.find('\0');
    ok_ = ok_ && end != std::string_view::npos;
    std::string value(ok_ ? left.substr(0, end) : std::string_view());
    (void)take(value.size() + 1);
    return value;
  }
  void skip_texts(int count) {
    for (int i = 0; i < count; ++i) {
      (void)text();
    }
  }

 private:
  std::size_t take(std::size_t count) {
    ok_ = ok_ && count <= bytes_.size() - at_;
    const std::size_t at = at_;
    at_ += ok_ ? count : 0;
    return at;
  }

  ByteView bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

struct MapFacts {
  std::string name;
  std::uint32_t flags = 0;
  std::optional<std::uint32_t> players;
};

/// What stands between the flags and the number of players, by version.
void skip_to_players(Info& info, std::uint32_t version) {
  info.skip(1);  // tiles
  info.skip(4);  // loading screen
  if (version >= 25) {
    info.skip_texts(4);         // its model and its texts
    info.skip(4);               // data of the game
    info.skip_texts(4);         // prologue
    info.skip(4 + 12 + 4 + 4);  // fog, weather
    info.skip_texts(1);         // sounds
    info.skip(1 + 4);           // light, water
    info.skip(version >= 28 ? 4 : 0);
    info.skip(version >= 31 ? 8 : 0);
  } else {
    info.skip_texts(3);
    info.skip(4);
    info.skip_texts(3);
  }
}

/// The header counts those that people play.
std::optional<std::uint32_t> human_players(Info& info, std::uint32_t version) {
  constexpr std::uint32_t kMost = 24;
  constexpr std::uint32_t kHuman = 1;
  const std::uint32_t slots = info.word();
  std::uint32_t humans = 0;
  for (std::uint32_t i = 0; i < slots && info.ok(); ++i) {
    info.skip(4);  // number
    humans += info.word() == kHuman ? 1U : 0U;
    info.skip(4 + 4);  // race, place
    info.skip_texts(1);
    info.skip(8 + 8 + (version >= 31 ? 8U : 0U));  // position, allies, enemies
  }
  return info.ok() && slots <= kMost && humans > 0 ? std::optional(humans) : std::nullopt;
}

std::optional<MapFacts> facts_of(ByteView bytes) {
  constexpr std::uint32_t kOldest = 18;
  constexpr std::uint32_t kNewest = 31;
  Info info(bytes);
  const std::uint32_t version = info.word();
  info.skip(8);
  info.skip(version >= 27 ? 16 : 0);
  MapFacts facts;
  facts.name = info.text();
  info.skip_texts(3);
  info.skip(32 + 16 + 8);
  facts.flags = info.word();
  if (!info.ok() || version < kOldest) {
    return std::nullopt;
  }
  skip_to_players(info, version);
  if (version <= kNewest) {
    facts.players = human_players(info, version);
  }
  return facts;
}

/// TRIGSTR_007 is `STRING 7 { … }` in war3map.wts.
std::string resolved(const std::string& name, std::string_view strings) {
  constexpr std::string_view kStart = "TRIGSTR_";
  if (!name.starts_with(kStart)) {
    return name;
  }
  unsigned number = 0;
  std::from_chars(name.data() + kStart.size(), name.data() + name.size(), number);
  const std::string requested = "STRING " + std::to_string(number);
  for (std::size_t at = strings.find(requested); at != std::string_view::npos;
       at = strings.find(requested, at + 1)) {
    const std::string_view rest = strings.substr(at + requested.size());
    const std::size_t open = rest.find('{');
    const bool whole = !rest.empty() && (rest[0] < '0' || rest[0] > '9');
    if (!whole || open == std::string_view::npos) {
      continue;
    }
    std::string_view body = rest.substr(open + 1, rest.find('}') - open - 1);
    const std::size_t first = body.find_first_not_of("\r\n");
    body = first == std::string_view::npos ? std::string_view() : body.substr(first);
    return std::string(body.substr(0, body.find_first_of("\r\n")));
  }
  return {};
}

}  // namespace

Bytes map_header(std::string_view name, ByteView info, ByteView strings, Diagnostics& diagnostics) {
  MapFacts facts;
  if (const auto read = facts_of(info)) {
    facts = *read;
    facts.name = resolved(facts.name, as_text(strings));
  } else {
    diagnostics.add(
        codes::kArchiveMapInfo,
        info.empty()
            ? "war3map.w3i is missing; the file name is written to the map's header as its name"
            : "war3map.w3i cannot be read; the file name is written to the map's header as its name");
  }
  if (facts.name.empty()) {
    facts.name = name;
  }
  if (!facts.players) {
    diagnostics.add(codes::kArchiveMapInfo,
                    "the number of players is unknown; 1 is written to the map's header");
  }
  Bytes bytes;
  append_u32(bytes, 0x57334D48);  // HM3W
  append_u32(bytes, 0);
  // Its end is where the two words still fit.
  const ByteView shown = as_bytes(std::string_view(facts.name).substr(0, kMapHeaderSize - 8 - 1 - 8));
  bytes.insert(bytes.end(), shown.begin(), shown.end());
  bytes.push_back(0);
  append_u32(bytes, facts.flags);
  append_u32(bytes, facts.players.value_or(1));
  bytes.resize(kMapHeaderSize, 0);
  return bytes;
}

}  // namespace thaw::mpq
