#include <thaw/wdl.hpp>

#include "describe/framed.hpp"
#include "describe/inspection.hpp"
#include "describe/links.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

#include <algorithm>

namespace thaw::wdl {
namespace {

constexpr std::uint64_t kHead = 8;

struct Context {};

template <class V>
void describe(V& v, As<V, Area>& area) {
  v.group("MARE", [&] {
    framed_content<V>(v, FourCC{"MARE"}, area.frame, [&] {
      v.field("outer", area.outer);
      v.field("inner", area.inner);
    });
  });
  framed<V>(v, FourCC{"MAHO"}, area.holes_frame, Presence::optional, [&] { v.field("holes", area.holes); });
}

template <class V>
void describe_head(V& v, As<V, Document>& document) {
  framed<V>(v, FourCC{"MVER"}, document.version_frame, [&] { v.field("version", document.version); });
  framed<V>(v, FourCC{"MWMO"}, document.names_frame, Presence::optional,
            [&] { strings_to_end<V>(v, "names", document.names); });
  framed<V>(v, FourCC{"MWID"}, document.name_offsets_frame, Presence::optional,
            [&] { bulk_to_end(v, "offsets", document.name_offsets); });
  framed<V>(v, FourCC{"MODF"}, document.placements_frame, Presence::optional,
            [&] { bulk_to_end(v, "placements", document.placements); });
  framed<V>(v, FourCC{"MAOF"}, document.offsets_frame, [&] {
    std::size_t count = document.offsets.size();
    if constexpr (V::kReads) {
      count = std::min(kTiles, v.left() / sizeof(std::uint32_t));
    }
    v.bulk("offsets", document.offsets, count);
  });
}

bool tag_at(ByteView bytes, FourCC tag, std::uint64_t at) {
  return at + kHead <= bytes.size() &&
         std::memcmp(bytes.data() + at, backwards(tag).bytes.data(), tag.bytes.size()) == 0;
}

struct Extent {
  std::uint64_t at = 0;
  std::uint64_t size = 0;
  std::uint16_t index = 0;
};

/// The areas that can be read. `note(index, code, message)` receives the others.
template <class F>
std::vector<Extent> area_extents(ByteView file, const Array<std::uint32_t>& offsets, F&& note) {
  constexpr std::uint64_t kHoles = 2 * kInnerSide;
  std::vector<Extent> places;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::uint64_t at = offsets[i];
    if (at == 0) {
      continue;
    }
    if (!tag_at(file, FourCC{"MARE"}, at)) {
      note(i, at + kHead > file.size() ? codes::kOffsetInvalid : codes::kTagExpected,
           "no MARE at the offset in MAOF; the area is left out");
      continue;
    }
    const std::uint64_t size = kHead + load_plain<std::uint32_t>(file.data() + at + 4);
    if (size < kHead + Area::kPayload || size > file.size() - at) {
      note(i, codes::kSizeInvalid, "invalid size of MARE; preserved as bytes");
      continue;
    }
    const bool holes = tag_at(file, FourCC{"MAHO"}, at + size) && at + size + kHead + kHoles <= file.size() &&
                       load_plain<std::uint32_t>(file.data() + at + size + 4) == kHoles;
    places.push_back({at, size + (holes ? kHead + kHoles : 0), static_cast<std::uint16_t>(i)});
  }
  return places;
}

/// Keeps of places that share bytes the first.
template <class F>
void drop_overlaps(std::vector<Extent>& places, F&& note) {
  std::sort(places.begin(), places.end(), [](const Extent& a, const Extent& b) {
    return std::pair(a.at, a.index) < std::pair(b.at, b.index);
  });
  std::uint64_t reached = 0;
  const auto overlaps = [&](const Extent& place) {
    const bool shared = place.at < reached;
    if (shared) {
      note(place.index, codes::kOverlap, "the area shares bytes with another; left out");
    }
    reached = std::max(reached, place.at + place.size);
    return shared;
  };
  std::vector<Extent> retained;
  for (const Extent& place : places) {
    if (!overlaps(place)) {
      retained.push_back(place);
    }
  }
  std::sort(retained.begin(), retained.end(),
            [](const Extent& a, const Extent& b) { return a.index < b.index; });
  places = std::move(retained);
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  describe_head(v, document);
  std::vector<Extent> places;
  if constexpr (V::kReads) {
    const auto note = [&](std::size_t index, Code code, const char* message) {
      v.note(code, ("MAOF.offsets[" + std::to_string(index) + "]").c_str(), message);
    };
    places = area_extents(v.region_bytes(), document.offsets, note);
    drop_overlaps(places, note);
    document.areas.resize(places.size());
  } else {
    places.resize(document.areas.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i].at = document.offsets[document.areas[i].index];
    }
  }
  v.blocks("areas", places.size(), [&](std::size_t i) {
    if constexpr (V::kReads) {
      document.areas[i].index = places[i].index;
    }
    points(v, document.offsets[document.areas[i].index], places[i].at);
    v.block("", places[i].at, places[i].size, [&] { describe(v, document.areas[i]); });
  });
  v.gaps("gaps", document.gaps);
}

template <class F>
std::uint64_t measure(F&& body) {
  MeasureSink sink;
  Writer<Context, MeasureSink> writer(sink, {});
  body(writer);
  return sink.reached();
}

}  // namespace

const Area* Document::area(std::size_t x, std::size_t y) const {
  const std::size_t index = y * kTilesPerSide + x;
  const auto found = std::lower_bound(areas.begin(), areas.end(), index,
                                      [](const Area& area, std::size_t i) { return area.index < i; });
  return x < kTilesPerSide && found != areas.end() && found->index == index ? &*found : nullptr;
}

bool is_wdl(ByteView bytes) {
  constexpr std::uint64_t kSecond = 12;
  return tag_at(bytes, FourCC{"MVER"}, 0) &&
         (tag_at(bytes, FourCC{"MAOF"}, kSecond) || tag_at(bytes, FourCC{"MWMO"}, kSecond));
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return read_document<Document>(bytes, Context{}, options, diagnostics,
                                 Recognition{is_wdl(bytes), "far terrain must begin with MVER and MAOF"},
                                 [&](auto& reader, Document& document) {
                                   describe(reader, document);
                                   check_last_gap(reader, document.gaps);
                                 });
}

Bytes write(const Document& document) {
  return write_document(Context{}, [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, {});
  describe(v, document);
}

void lay_out(Document& document) {
  document.gaps.clear();
  document.version_frame = document.offsets_frame = {};
  document.offsets.assign(kTiles, 0);
  std::uint64_t at = measure([&](auto& writer) { describe_head(writer, document); });
  for (Area& area : document.areas) {
    area.frame = {};
    document.offsets[area.index] = static_cast<std::uint32_t>(at);
    at += measure([&](auto& writer) { describe(writer, area); });
  }
}

}  // namespace thaw::wdl
