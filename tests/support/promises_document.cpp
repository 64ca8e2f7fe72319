#include <thaw/adt.hpp>
#include <thaw/blp.hpp>
#include <thaw/dds.hpp>
#include <thaw/dma.hpp>
#include <thaw/dme.hpp>
#include <thaw/format.hpp>
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/lit.hpp>
#include <thaw/m3.hpp>
#include <thaw/mdx.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/mrf.hpp>
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>
#include <thaw/tga.hpp>
#include <thaw/value.hpp>
#include <thaw/wdl.hpp>
#include <thaw/wdt.hpp>
#include <thaw/wmo.hpp>
#include <thaw/xml.hpp>

#include "support/promises_report.hpp"

#include <algorithm>
#include <set>

namespace thaw::test {
namespace promises {
namespace {

// --- what the inspection of any document shows

class LeafCheck final : public Inspector {
 public:
  LeafCheck(std::uint64_t size, Report& report) : size_(size), report_(report) {}

  void begin(std::string_view name, bool is_list, std::uint64_t offset) override {
    check_name(name);
    members_.push_back({is_list, {}});
    report_.expect(offset <= size_, kAt, "something begins behind the file");
  }
  void end(std::uint64_t offset) override {
    report_.expect(members_.size() > 1, kAt, "something ends that has not begun");
    if (members_.size() > 1) {
      members_.pop_back();
    }
    report_.expect(offset <= size_, kAt, "something ends behind the file");
  }
  void leaf(const Leaf& leaf) override {
    if (leaf.role != LeafRole::structure) {
      check_name(leaf.name);
    }
    report_.expect(leaf.offset <= size_ && leaf.size <= size_ - leaf.offset, kAt, "a field behind the file");
    report_.expect(leaf.size == size_of(leaf), kAt, "a field of another size than its numbers have");
    const bool shows = leaf.role == LeafRole::structure || leaf.size == 0 || leaf.data != nullptr;
    report_.expect(shows, kAt, "a field without data");
    if (leaf.size > 0) {
      shown_.push_back({leaf.offset, leaf.offset + leaf.size});
    }
  }
  void finish() {
    report_.expect(members_.size() == 1, kAt, "something does not end");
    std::sort(shown_.begin(), shown_.end());
    std::uint64_t reached = 0;
    for (const auto& [from, to] : shown_) {
      report_.expect(from <= reached, kAt, "bytes that nothing shows");
      reached = std::max(reached, to);
    }
    report_.expect(reached == size_, kAt, "bytes at the end that nothing shows");
  }

 private:
  inline static const FieldPath kRoot{};
  inline static const FieldPath kAt{kRoot, "inspection"};

  static std::uint64_t size_of(const Leaf& leaf) {
    if (leaf.role == LeafRole::value) {
      return std::uint64_t{leaf.count} * leaf.components * scalar_size(leaf.kind);
    }
    return leaf.role == LeafRole::rows ? leaf.count * (4 + leaf.components * scalar_size(leaf.kind))
                                       : leaf.size;
  }

  struct Members {
    bool is_list = false;
    std::set<std::string, std::less<>> names;
  };

  void check_name(std::string_view name) {
    Members& members = members_.back();
    if (!members.is_list) {
      report_.expect(to_utf8(name) == name, kAt, "a name that is no UTF-8");
      report_.expect(members.names.emplace(name).second, kAt, "two members of one name");
    }
  }

  std::uint64_t size_;
  Report& report_;
  std::vector<Members> members_{{}};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> shown_;
};

template <class Document>
void check_inspection(const Document& document, std::uint64_t size, Report& report) {
  LeafCheck check(size, report);
  inspect(document, check);
  check.finish();
}

/// Always valid JSON in UTF-8.
template <class Document>
void check_dump(const Document& document, Report& report) {
  const std::string text = dump_json([&](Inspector& inspector) { inspect(document, inspector); });
  const FieldPath root;
  const FieldPath at(root, "dump");
  report.expect_text(text, at);
  report.expect(parse_json({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}).has_value(), at,
                "no JSON");
}

// --- what single types promise

/// Gaps, and blocks of level data: in the order of their offsets, none empty, none over another.
template <class List>
void check_ascending(const List& list, std::uint64_t (*size)(const typename List::value_type&),
                     const FieldPath& at, const char* name, Report& report) {
  std::uint64_t reached = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    report.expect(list[i].offset >= reached, {at, name, i}, "over what comes before it");
    report.expect(size(list[i]) > 0, {at, name, i}, "empty");
    reached = list[i].offset + size(list[i]);
  }
}
void check_gaps(const std::vector<Gap>& gaps, const FieldPath& at, Report& report) {
  check_ascending(gaps, [](const Gap& gap) -> std::uint64_t { return gap.bytes.size(); }, at, "gaps", report);
}

/// Things with an index that stand in its order, each once.
template <class List, class Number>
void check_numbered(const List& list, Number&& number, std::size_t limit, const FieldPath& at,
                    const char* name, Report& report) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const FieldPath in(at, name, i);
    report.expect_index(number(list[i]), limit, in);
    report.expect(i == 0 || number(list[i]) > number(list[i - 1]), in, "not behind the one before");
  }
}

template <class Document>
void check_format(const Document& /*document*/, const FieldPath& /*at*/, Report& /*report*/) {}

template <class Document>
void check_pictures(const Document& document, const FieldPath& at, Report& report) {
  ReadOptions options;
  options.limits.max_image_pixels = 1U << 16U;
  Diagnostics diagnostics;
  for (std::size_t level = 0; level <= level_count(document); ++level) {
    if (const auto image = decode(document, level, options, diagnostics)) {
      check_image(*image, {at, "level", level}, report);
    }
  }
}
void check_format(const blp::Document& document, const FieldPath& at, Report& report) {
  check_ascending(
      document.blocks, [](const blp::Block& block) -> std::uint64_t { return block.data.size(); }, at,
      "blocks", report);
  check_gaps(document.gaps, at, report);
  check_pictures(document, at, report);
}
void check_format(const dds::Document& document, const FieldPath& at, Report& report) {
  check_gaps(document.gaps, at, report);
  check_pictures(document, at, report);
}
void check_format(const tga::Document& document, const FieldPath& at, Report& report) {
  check_gaps(document.gaps, at, report);
  check_pictures(document, at, report);
}
void check_format(const png::Document& document, const FieldPath& at, Report& report) {
  check_gaps(document.gaps, at, report);
  check_pictures(document, at, report);
}

void check_format(const mrf::Document& document, const FieldPath& at, Report& report) {
  check_gaps(document.gaps, at, report);
  report.expect(document.frames.size() == document.frame_offsets.size(), {at, "frames"},
                "not as many as there are offsets");
  for (std::size_t i = 0; i < document.frames.size(); ++i) {
    report.expect(document.frames[i].vertices.size() == document.header.vertex_count, {at, "frames", i},
                  "not as many vertices as stated");
  }
}

void check_format(const lit::Document& document, const FieldPath& at, Report& report) {
  check_gaps(document.gaps, at, report);
  for (std::size_t i = 0; i < document.values.size(); ++i) {
    const FieldPath in(at, "values", i);
    const auto& values = document.values[i];
    report.expect(values.counts.size() == values.tracks.size(), {in, "counts"}, "not one per track");
    for (std::size_t track = 0; track < values.tracks.size(); ++track) {
      report.expect(values.tracks[track].words.size() == 2 * lit::kSlots, {in, "tracks", track},
                    "no 32 markers");
    }
  }
}

void check_format(const wdt::Document& document, const FieldPath& at, Report& report) {
  check_gaps(document.gaps, at, report);
  check_numbered(
      document.tiles, [](const wdt::Tile& tile) { return tile.index; },
      wdt::kTilesPerSide * wdt::kTilesPerSide, at, "tiles", report);
  for (std::size_t i = 0; i < document.tiles.size(); ++i) {
    const FieldPath in(at, "tiles", i);
    const auto& tile = document.tiles[i];
    check_gaps(tile.gaps, in, report);
    check_numbered(
        tile.chunks, [](const wdt::Chunk& chunk) { return chunk.slot; }, tile.chunk_table.size(), in,
        "chunks", report);
    report.expect(document.tile(tile.x(), tile.y()) == &tile, in, "not found at its place");
  }
}

void check_format(const wdl::Document& document, const FieldPath& at, Report& report) {
  check_gaps(document.gaps, at, report);
  check_numbered(
      document.areas, [](const wdl::Area& area) { return area.index; }, document.offsets.size(), at, "areas",
      report);
}

void check_format(const dme::Document& document, const FieldPath& at, Report& report) {
  for (std::size_t i = 0; i < document.meshes.size(); ++i) {
    const FieldPath in(at, "meshes", i);
    const auto& mesh = document.meshes[i];
    report.expect(mesh.indices16.empty() || mesh.indices32.empty(), in, "indices of both sizes");
    for (std::size_t stream = 0; stream < mesh.streams.size(); ++stream) {
      report.expect(
          mesh.streams[stream].data.size() == std::uint64_t{mesh.streams[stream].stride} * mesh.vertex_count,
          {in, "streams", stream}, "not its stride for each vertex");
    }
  }
}

std::size_t alternative_of(m3::ElementFormat format) {
  return m3::encode(format, {}, m3::Range::as_stored).elements.index();
}
void check_format(const m3::Document& document, const FieldPath& at, Report& report) {
  for (std::size_t i = 0; i < document.chunks.size(); ++i) {
    const FieldPath in(at, "chunks", i);
    if (const auto* materials = std::get_if<m3::Materials>(&document.chunks[i].body)) {
      check_gaps(materials->gaps, in, report);
    }
    const auto* mesh = std::get_if<m3::Mesh>(&document.chunks[i].body);
    for (std::size_t k = 0; mesh != nullptr && k < mesh->chunks.size(); ++k) {
      const auto* buffer = std::get_if<m3::Buffer>(&mesh->chunks[k].body);
      if (buffer != nullptr && buffer->format() != m3::ElementFormat::unknown && buffer->size() > 0) {
        report.expect(buffer->elements.index() == alternative_of(buffer->format()), {in, "chunks", k},
                      "elements of another type than the format says");
      }
    }
  }
}

void check_clip(const nsa::Clip& clip, const FieldPath& at, Report& report);

void check_format(const nsa::Document& document, const FieldPath& at, Report& report) {
  check_gaps(document.gaps, at, report);
  Diagnostics diagnostics;
  check_clip(nsa::decode(document, diagnostics), {at, "clip"}, report);
}

void check_format(const xml::Document& document, const FieldPath& at, Report& report) {
  const auto tree = xml::parse(xml::text_of(document));
  if (!report.expect(tree.has_value(), at, "a document that does not parse")) {
    return;
  }
  const auto within = [&](const xml::Span& span) {
    return span.offset <= tree->text.size() && span.size <= tree->text.size() - span.offset;
  };
  for (std::size_t i = 0; i < tree->elements.size(); ++i) {
    const auto& element = tree->elements[i];
    const FieldPath in(at, "elements", i);
    report.expect((i == 0) == (element.parent == xml::Element::kNone), in, "no root, or a second one");
    report.expect(i == 0 || element.parent < i, in, "does not come behind its parent");
    report.expect(element.begin < element.end && element.end <= tree->text.size(), in,
                  "does not lie in the text");
    report.expect(within(element.name) && element.name.size > 0, {in, "name"}, "not in the text");
    report.expect(std::uint64_t{element.first_attribute} + element.attribute_count <= tree->attributes.size(),
                  {in, "attributes"}, "not there");
  }
  for (std::size_t i = 0; i < tree->attributes.size(); ++i) {
    report.expect(within(tree->attributes[i].name) && within(tree->attributes[i].value),
                  {at, "attributes", i}, "not in the text");
  }
}

// --- animations in numbers

template <class Tracks>
void check_tracks(const Tracks& tracks, const nsa::Clip& clip, const FieldPath& at, const char* name,
                  Report& report) {
  check_numbered(tracks, [](const auto& track) { return track.channel; }, clip.channels, at, name, report);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const FieldPath in(at, name, i);
    const auto& values = tracks[i].values;
    report.expect(values.size() == 1 || values.size() == clip.samples, in,
                  "neither one value nor one per sample");
    report.expect_all_finite(values, in, "values");
  }
}

void check_rotations(const Array<Vec4>& rotations, const FieldPath& at, Report& report) {
  for (std::size_t i = 0; i < rotations.size() && !report.full(); ++i) {
    report.expect_unit(rotations[i], {at, "", i});
    double cosine = 1;
    for (std::size_t k = 0; i > 0 && k < 4; ++k) {
      cosine = (k == 0 ? 0 : cosine) + double{rotations[i][k]} * double{rotations[i - 1][k]};
    }
    report.expect(cosine >= 0, {at, "", i}, "on the other side than its neighbour");
  }
}

void check_clip(const nsa::Clip& clip, const FieldPath& at, Report& report) {
  check_tracks(clip.translations, clip, at, "translations", report);
  check_tracks(clip.rotations, clip, at, "rotations", report);
  check_tracks(clip.scales, clip, at, "scales", report);
  for (std::size_t i = 0; i < clip.rotations.size(); ++i) {
    check_rotations(clip.rotations[i].values, {at, "rotations", i}, report);
  }
  if (clip.root) {
    report.expect_all_finite(clip.root->translations, {at, "root"}, "translations");
    check_rotations(clip.root->rotations, {at, "root.rotations"}, report);
  }
}

// --- what is known of all

void check_facts(const AnyDocument& document, Report& report) {
  const FieldPath root;
  const FieldPath at(root, "facts");
  const Facts facts = summarize(document);
  report.expect_text(facts.name, {at, "name"});
  for (std::size_t i = 0; i < facts.clips.size(); ++i) {
    report.expect_text(facts.clips[i].name, {at, "clips", i});
  }
  for (std::size_t i = 0; i < facts.textures.size(); ++i) {
    report.expect_text(facts.textures[i].path, {at, "textures", i});
  }
  for (std::size_t i = 0; i < facts.references.size(); ++i) {
    report.expect_text(facts.references[i].path, {at, "references", i});
  }
}

}  // namespace
}  // namespace promises

Problems problems_of(const nsa::Clip& clip) {
  promises::Report report;
  promises::check_clip(clip, {}, report);
  return report.take();
}

template <class Document>
Problems problems_of(const Document& document, ByteView bytes) {
  promises::Report report;
  const promises::FieldPath root;
  const Bytes written = write(document);
  report.expect(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()), {root, "write"},
                "other bytes than were read");
  promises::check_inspection(document, written.size(), report);
  promises::check_format(document, {root, "document"}, report);
  return report.take();
}

template <class Document>
Problems problems_of_dump(const Document& document) {
  promises::Report report;
  promises::check_dump(document, report);
  return report.take();
}

namespace {

template <class... Documents>
struct Types {};
/// Every type that a document can be of.
using AllTypes = Types<mdx::Document, mdx_alpha::Document, mrf::Document, blp::Document, dds::Document,
                       tga::Document, png::Document, m3::Document, mrn::Document, nsa::Document,
                       lit::Document, wdt::Document, wdl::Document, adt::Document, dme::Document,
                       dma::Document, xml::Document, wmo::Document, adt::Map, gltf::Document, jpeg::Document>;

/// Calls `use` with the document in its own type.
template <class F, class... Documents>
Problems with_type(const AnyDocument& any, F&& use, Types<Documents...> /*types*/) {
  std::optional<Problems> result;
  const auto try_type = [&](const auto* document) {
    if (document != nullptr) {
      result = use(*document);
    }
  };
  (try_type(any.get_if<Documents>()), ...);
  return result.value_or(Problems{"a document of a type that is not looked at"});
}

}  // namespace

Problems problems_of_dump(const AnyDocument& any) {
  return with_type(any, [](const auto& document) { return problems_of_dump(document); }, AllTypes());
}

Problems problems_of(const AnyDocument& any, ByteView bytes) {
  auto problems = with_type(
      any,
      [&](const auto& document) {
        return any.identity().format.is_text() ? problems_of(document, write(document))
                                               : problems_of(document, bytes);
      },
      AllTypes());
  promises::Report report;
  promises::check_facts(any, report);
  for (auto& problem : report.take()) {
    problems.push_back(std::move(problem));
  }
  return problems;
}

template Problems problems_of(const mdx::Document&, ByteView);
template Problems problems_of_dump(const mdx::Document&);
template Problems problems_of(const mdx_alpha::Document&, ByteView);
template Problems problems_of_dump(const mdx_alpha::Document&);
template Problems problems_of(const mrf::Document&, ByteView);
template Problems problems_of_dump(const mrf::Document&);
template Problems problems_of(const blp::Document&, ByteView);
template Problems problems_of_dump(const blp::Document&);
template Problems problems_of(const dds::Document&, ByteView);
template Problems problems_of_dump(const dds::Document&);
template Problems problems_of(const tga::Document&, ByteView);
template Problems problems_of_dump(const tga::Document&);
template Problems problems_of(const png::Document&, ByteView);
template Problems problems_of_dump(const png::Document&);
template Problems problems_of(const m3::Document&, ByteView);
template Problems problems_of_dump(const m3::Document&);
template Problems problems_of(const mrn::Document&, ByteView);
template Problems problems_of_dump(const mrn::Document&);
template Problems problems_of(const nsa::Document&, ByteView);
template Problems problems_of_dump(const nsa::Document&);
template Problems problems_of(const lit::Document&, ByteView);
template Problems problems_of_dump(const lit::Document&);
template Problems problems_of(const wdt::Document&, ByteView);
template Problems problems_of_dump(const wdt::Document&);
template Problems problems_of(const wdl::Document&, ByteView);
template Problems problems_of_dump(const wdl::Document&);
template Problems problems_of(const adt::Document&, ByteView);
template Problems problems_of_dump(const adt::Document&);
template Problems problems_of(const dme::Document&, ByteView);
template Problems problems_of_dump(const dme::Document&);
template Problems problems_of(const dma::Document&, ByteView);
template Problems problems_of_dump(const dma::Document&);
template Problems problems_of(const xml::Document&, ByteView);
template Problems problems_of_dump(const xml::Document&);
template Problems problems_of(const wmo::Document&, ByteView);
template Problems problems_of_dump(const wmo::Document&);
template Problems problems_of(const adt::Map&, ByteView);
template Problems problems_of_dump(const adt::Map&);
template Problems problems_of(const gltf::Document&, ByteView);
template Problems problems_of_dump(const gltf::Document&);
template Problems problems_of(const jpeg::Document&, ByteView);
template Problems problems_of_dump(const jpeg::Document&);

}  // namespace thaw::test
