#include <thaw/lit.hpp>

#include "bytes/number_text.hpp"
#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

#include <algorithm>

namespace thaw::lit {
namespace {

constexpr std::size_t kHeaderSize = 8;

struct Context {
  std::uint32_t version = 0;

  [[nodiscard]] bool old() const { return version == kVersion2; }
};

template <class V>
void describe(V& v, As<V, Light>& light) {
  v.field("chunkX", light.chunk_x);
  v.field("chunkY", light.chunk_y);
  v.field("chunkRadius", light.chunk_radius);
  v.field("position", light.position);
  v.field("radius", light.radius);
  if (!v.context().old()) {
    v.field("dropoff", light.dropoff);
  }
  v.text("name", light.name);
  if (v.context().old()) {
    v.field("reserved", light.reserved);
  }
}

template <class V>
void describe(V& v, As<V, Track>& track) {
  v.rows("markers", track.words, Columns{1, ScalarKind::u32}, kSlots);
}

template <class V>
void describe(V& v, As<V, Values>& values) {
  const std::size_t tracks = track_count(v.context().version);
  v.bulk("counts", values.counts, tracks);
  v.list("tracks", values.tracks, tracks);
  v.field("fogEnd", values.fog_end);
  v.field("fogStartScaler", values.fog_start_scaler);
  if (!v.context().old()) {
    v.field("highlightSky", values.highlight_sky);
    v.field("sky", values.sky);
    v.field("cloudMask", values.cloud_mask);
  }
  if (v.context().version == kVersion5) {
    v.field("params", values.params);
  }
}

/// How many entries of the list, and how many sets of values, a file has by its count (lit.md#counts).
struct Expected {
  std::uint64_t lights = 0;
  std::uint64_t values = 0;
};

Expected expected(const Document& document) {
  const std::int64_t count = document.light_count;
  if (document.version == kVersion2) {
    return {1, 2};
  }
  if (count == -1) {
    return {0, 1};
  }
  return {static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0)),
          static_cast<std::uint64_t>(count < 0 ? -count : count) * kWeathers};
}

/// As many elements as are whole in what is left.
template <class V>
std::size_t whole(V& v, const char* name, std::uint64_t requested, std::size_t size) {
  const std::uint64_t there = v.left() / size;
  if (requested <= there) {
    return static_cast<std::size_t>(requested);
  }
  v.note(codes::kTruncated, name,
         "the file states " + std::to_string(requested) + " " + name + ", but only " + std::to_string(there) +
             " are complete");
  return static_cast<std::size_t>(there);
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  v.field("version", document.version);
  v.field("lightCount", document.light_count);
  std::size_t lights = document.lights.size();
  if constexpr (V::kReads) {
    v.context().version = document.version;
    lights = whole(v, "lights", expected(document).lights, Light::kRecordSize);
  }
  v.list("lights", document.lights, lights);
  if (document.version == kVersion2) {
    v.field("prefix", document.prefix);
  }
  std::size_t values = document.values.size();
  if constexpr (V::kReads) {
    values = whole(v, "values", expected(document).values, values_size(document.version));
  }
  v.list("values", document.values, values);
  if constexpr (V::kReads) {
    if (!v.failed() && v.left() > 0) {
      v.note(codes::kFileTail, "",
             counted(v.left(), "byte") + " after the last set of values; preserved unchanged");
    }
  }
  v.gaps("gaps", document.gaps);
}

}  // namespace

std::size_t track_count(std::uint32_t version) {
  switch (version) {
    case kVersion2:
      return 9;
    case kVersion3:
      return 14;
    case kVersion4:
    case kVersion5:
      return kMostTracks;
    default:
      return 0;
  }
}

std::size_t values_size(std::uint32_t version) {
  switch (version) {
    case kVersion2:
      return Values::kMinSize;
    case kVersion3:
      return 0x1140;
    case kVersion4:
      return 0x1550;
    case kVersion5:
      return 0x15F0;
    default:
      return 0;
  }
}

std::size_t Values::markers(std::size_t track) const {
  if (track >= counts.size() || track >= tracks.size()) {
    return 0;
  }
  return static_cast<std::size_t>(std::clamp<std::int32_t>(counts[track], 0, kSlots));
}

const Values* Document::find(std::size_t light, Weather weather) const {
  if (light_count == -1) {
    return values.empty() ? nullptr : &values.front();
  }
  const std::size_t index = light * kWeathers + static_cast<std::size_t>(weather);
  return index < values.size() ? &values[index] : nullptr;
}

bool is_lit(ByteView bytes) {
  if (bytes.size() < kHeaderSize) {
    return false;
  }
  const auto version = load_plain<std::uint32_t>(bytes.data());
  if (version != kVersion2) {
    return track_count(version) > 0;
  }
  constexpr std::size_t kFixed = 16;  // count, chunkX and chunkY are all −1
  return bytes.size() >= kFixed && std::all_of(bytes.begin() + 4, bytes.begin() + kFixed,
                                               [](std::uint8_t byte) { return byte == 0xFF; });
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return read_document<Document>(bytes, Context{}, options, diagnostics,
                                 Recognition{is_lit(bytes), "unknown version of lights.lit", "version"},
                                 [&](auto& reader, Document& document) { describe(reader, document); });
}

Bytes write(const Document& document) {
  return write_document(Context{document.version}, [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, {document.version});
  describe(v, document);
}

std::string_view track_name(std::size_t track) {
  constexpr std::array<std::string_view, kMostTracks> kNames = {
      "direct",  "ambient", "sky 0",   "sky 1",   "sky 2",   "sky 3",   "sky 4",   "fog",     "shadow",
      "cloud 0", "cloud 1", "cloud 2", "cloud 3", "cloud 4", "water 0", "water 1", "water 2", "water 3"};
  return track < kNames.size() ? kNames.at(track) : "";
}

}  // namespace thaw::lit
