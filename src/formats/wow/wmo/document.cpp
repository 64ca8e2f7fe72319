#include "formats/wow/wmo/document.hpp"

#include <thaw/codes.hpp>

#include "describe/chunk_size.hpp"
#include "describe/framed.hpp"
#include "describe/inspection.hpp"
#include "describe/limits.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

#include <algorithm>
#include <type_traits>

namespace thaw::wmo {
namespace {

constexpr std::size_t kChunkHeader = 8;
/// A chunk in memory is many times larger than an empty one in the file; real files have some twenty per
/// group and at most 384 groups. What lies after this many is kept raw.
constexpr std::size_t kMaxChunks = 65536;

// --- kinds of chunks
// ---------------------------------------------------------------------------------------------

/// One table joins tags and the types of chunks.
struct ChunkKind {
  FourCC tag;
  void (*make)(ChunkBody&);
};

template <class Body>
void make(ChunkBody& body) {
  body.emplace<Body>();
}

constexpr std::array kChunkKinds = {
    ChunkKind{FourCC{"MVER"}, make<Version>},
    ChunkKind{FourCC{"MOMO"}, make<Root>},
    ChunkKind{FourCC{"MOHD"}, make<Header>},
    ChunkKind{FourCC{"MOTX"}, make<Strings>},
    ChunkKind{FourCC{"MOMT"}, make<Materials>},
    ChunkKind{FourCC{"MOGN"}, make<Strings>},
    ChunkKind{FourCC{"MOGI"}, make<GroupInfos>},
    ChunkKind{FourCC{"MOSB"}, make<Strings>},
    ChunkKind{FourCC{"MOPV"}, make<Points>},
    ChunkKind{FourCC{"MOPT"}, make<Portals>},
    ChunkKind{FourCC{"MOPR"}, make<PortalReferences>},
    ChunkKind{FourCC{"MOVV"}, make<Points>},
    ChunkKind{FourCC{"MOVB"}, make<Runs>},
    ChunkKind{FourCC{"MOLT"}, make<Lights>},
    ChunkKind{FourCC{"MODS"}, make<DoodadSets>},
    ChunkKind{FourCC{"MODN"}, make<Strings>},
    ChunkKind{FourCC{"MODD"}, make<Doodads>},
    ChunkKind{FourCC{"MFOG"}, make<Fogs>},
    ChunkKind{FourCC{"MCVP"}, make<Planes>},
    ChunkKind{FourCC{"MOGP"}, make<Group>},
    ChunkKind{FourCC{"MOPY"}, make<Faces>},
    ChunkKind{FourCC{"MOVT"}, make<Points>},
    ChunkKind{FourCC{"MONR"}, make<Points>},
    ChunkKind{FourCC{"MOTV"}, make<Coordinates>},
    ChunkKind{FourCC{"MOLV"}, make<Coordinates>},
    ChunkKind{FourCC{"MOIN"}, make<Indices>},
    ChunkKind{FourCC{"MOVI"}, make<Indices>},
    ChunkKind{FourCC{"MOBA"}, make<Batches>},
    ChunkKind{FourCC{"MOLR"}, make<Indices>},
    ChunkKind{FourCC{"MODR"}, make<Indices>},
    ChunkKind{FourCC{"MOBN"}, make<BspNodes>},
    ChunkKind{FourCC{"MOBR"}, make<Indices>},
    ChunkKind{FourCC{"MPBV"}, make<Runs>},
    ChunkKind{FourCC{"MPBP"}, make<Runs>},
    ChunkKind{FourCC{"MPBI"}, make<Indices>},
    ChunkKind{FourCC{"MPBG"}, make<Points>},
    ChunkKind{FourCC{"MOCV"}, make<Colors>},
    ChunkKind{FourCC{"MOLM"}, make<LightmapRectangles>},
    ChunkKind{FourCC{"MOLD"}, make<Lightmaps>},
    ChunkKind{FourCC{"MLIQ"}, make<Liquids>},
};

enum class Level : std::uint8_t { file, root, group };

/// Containers nest as the format has them and no deeper: MOMO and MOGP in the file, MOGP also in MOMO.
const ChunkKind* chunk_kind(FourCC tag, Level level) {
  const auto* found = std::find_if(kChunkKinds.begin(), kChunkKinds.end(),
                                   [&](const ChunkKind& kind) { return kind.tag == tag; });
  const bool fits = found != kChunkKinds.end() && !(found->make == make<Root> && level != Level::file) &&
                    !(found->make == make<Group> && level == Level::group);
  return fits ? found : nullptr;
}

// --- describing bodies
// -------------------------------------------------------------------------------------------

template <class V, class Chunks>
void describe_chunks(V& v, Chunks& chunks, Level level);

template <class V, class Body>
void describe_body(V& v, Body& body, Level level) {
  using Kind = std::remove_const_t<Body>;
  if constexpr (std::is_same_v<Kind, Root>) {
    describe_chunks(v, body.chunks, Level::root);
  } else if constexpr (std::is_same_v<Kind, Group>) {
    v.object("header", body.header);
    describe_chunks(v, body.chunks, Level::group);
  } else if constexpr (requires { typename Kind::Item; }) {
    describe_items(v, body);
  } else {
    describe(v, body);
  }
  (void)level;
}

// --- reading
// -----------------------------------------------------------------------------------------------------

using DocumentReader = Reader<Context>;

/// Whether a chunk is one among others of a level. Parts of groups follow MOGP in the table.
bool stands_in(FourCC tag, Level level) {
  const ChunkKind* kind = chunk_kind(tag, level);
  const auto* group = std::find_if(kChunkKinds.begin(), kChunkKinds.end(),
                                   [](const ChunkKind& one) { return one.tag == FourCC{"MOGP"}; });
  return kind != nullptr && (kind > group) == (level == Level::group);
}

/// Of the size that a chunk states and the place of the next one, which say the same, the better.
std::size_t read_size(DocumentReader& reader, const Chunk& chunk, Level level, std::uint32_t stated,
                      unsigned& searches) {
  if (chunk.tag == FourCC{"MVER"}) {
    return std::min<std::size_t>(stated, reader.left());  // the version was read by it already
  }
  const bool holds_row = chunk.tag == FourCC{"MOMO"} || chunk.tag == FourCC{"MOGP"};
  return better_chunk_size(
      {reader.rest(), stated, holds_row, level != Level::file}, kChunkHeader, searches,
      [&](FourCC tag) { return stands_in(backwards(tag), level); },
      [&](FourCC tag) {
        return !stands_in(backwards(tag), level) && stands_in(backwards(tag), Level::group);
      });
}

/// Known chunks that are read raw because they stand where they mean nothing are unknown ones.
void read_chunk(DocumentReader& reader, Chunk& chunk, Level level, unsigned& searches) {
  std::uint32_t stated = 0;
  FourCC stored;
  reader.field("tag", stored.bytes);
  reader.field("size", stated);
  chunk.tag = backwards(stored);
  const std::size_t available = reader.left();
  const std::size_t size = read_size(reader, chunk, level, stated, searches);
  if (size != stated) {
    chunk.stated_size = stated;
    const bool overruns = stated > available && size == available;
    reader.note(overruns ? codes::kChunkOverrun : codes::kSizeInvalid.as(Severity::severe),
                chunk.tag.text().c_str(),
                overruns ? "chunk " + chunk.tag.text() + " states a size of " + std::to_string(stated) +
                               " bytes, but " + std::to_string(available) + " remain; read to the end"
                         : size_problem(chunk.tag, stated, size, available));
  }
  const ChunkKind* kind = chunk_kind(chunk.tag, level);
  if (kind == nullptr) {
    reader.note(codes::kChunkUnknown, "", "unknown chunk " + chunk.tag.text() + "; preserved unchanged");
    reader.bulk("raw", chunk.remainder.bytes, size);
    chunk.remainder.state = Remainder::State::replaces_fields;
    return;
  }
  kind->make(chunk.body);
  reader.payload(chunk.remainder, chunk.tag, size,
                 [&] { std::visit([&](auto& body) { describe_body(reader, body, level); }, chunk.body); });
}

void read_chunks(DocumentReader& reader, std::vector<Chunk>& chunks, Level level) {
  std::size_t& count = reader.context().chunk_count;
  unsigned searches = 0;
  while (reader.left() >= kChunkHeader && count < kMaxChunks && !reader.failed()) {
    ++count;
    read_chunk(reader, chunks.emplace_back(), level, searches);
  }
}

/// What MOHD counts and no chunk holds.
void check_counts(DocumentReader& reader, const Document& document) {
  const auto* header = document.find<Header>(FourCC{"MOHD"});
  if (header == nullptr || reader.failed()) {
    return;
  }
  const auto& chunks = document.root_chunks();
  const auto has = [&](FourCC tag) {
    return std::any_of(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.tag == tag; });
  };
  struct Part {
    FourCC tag;
    std::uint32_t count;
  };
  const std::array parts = {
      Part{FourCC{"MOMT"}, header->material_count},  Part{FourCC{"MOGI"}, header->group_count},
      Part{FourCC{"MOPT"}, header->portal_count},    Part{FourCC{"MOLT"}, header->light_count},
      Part{FourCC{"MODN"}, header->doodad_count},    Part{FourCC{"MODD"}, header->doodad_count},
      Part{FourCC{"MODS"}, header->doodad_set_count}};
  for (const Part& part : parts) {
    if (part.count > 0 && !has(part.tag)) {
      reader.note(codes::kTagExpected, part.tag.text().c_str(),
                  "MOHD states " + std::to_string(part.count) +
                      (part.count == 1 ? " entry of " : " entries of ") + part.tag.text() +
                      ", but the chunk is missing");
    }
  }
  const bool whole = find_chunk<Root>(document.chunks, FourCC{"MOMO"}) != nullptr;
  const std::size_t groups = document.groups().size();
  if (whole && groups < header->group_count) {
    reader.note(codes::kTagExpected, "MOGP",
                "MOHD states " + counted(header->group_count, "group") + ", but the file has " +
                    std::to_string(groups));
  }
}

// --- writing and showing
// -----------------------------------------------------------------------------------------

template <class Visitor>
inline constexpr bool kInspects = false;
template <>
inline constexpr bool kInspects<InspectionVisitor<Context>> = true;

template <class V>
void write_chunk(V& v, const Chunk& chunk, Level level) {
  v.field("tag", backwards(chunk.tag).bytes);
  const std::uint64_t size_at = v.here();
  v.field("size", chunk.stated_size.value_or(0));
  const std::uint64_t start = v.here();
  v.payload(chunk.remainder, chunk.tag, 0,
            [&] { std::visit([&](const auto& body) { describe_body(v, body, level); }, chunk.body); });
  if (!chunk.stated_size) {
    v.patch(size_at, v.here() - start);
  }
}

/// What follows them refers to names by their offsets.
void keep_place_of_names(InspectionVisitor<Context>& v, FourCC tag) {
  Context& context = v.context();
  if (tag == FourCC{"MOTX"}) {
    context.textures_at = v.here();
  } else if (tag == FourCC{"MOGN"}) {
    context.group_names_at = v.here();
  } else if (tag == FourCC{"MODN"}) {
    context.models_at = v.here();
  }
}

void show_chunk(InspectionVisitor<Context>& v, const Chunk& chunk, Level level) {
  v.field("tag", chunk.tag.bytes);
  if (chunk.stated_size) {
    v.field("statedSize", *chunk.stated_size);
  } else {
    v.structure("size", sizeof(std::uint32_t));
  }
  if (std::holds_alternative<Opaque>(chunk.body)) {
    v.raw("bytes", chunk.remainder.bytes);
    return;
  }
  keep_place_of_names(v, chunk.tag);
  v.payload(chunk.remainder, chunk.tag, 0,
            [&] { std::visit([&](const auto& body) { describe_body(v, body, level); }, chunk.body); });
}

void show_chunks(InspectionVisitor<Context>& v, const std::vector<Chunk>& chunks, Level level) {
  Inspector& inspector = v.inspector();
  inspector.begin("chunks", true, v.here());
  for (const auto& chunk : chunks) {
    inspector.begin("", false, v.here());
    show_chunk(v, chunk, level);
    inspector.end(v.here());
  }
  inspector.end(v.here());
}

template <class V, class Chunks>
void describe_chunks(V& v, Chunks& chunks, Level level) {
  if constexpr (V::kReads) {
    read_chunks(v, chunks, level);
  } else if constexpr (kInspects<V>) {
    show_chunks(v, chunks, level);
  } else {
    for (const auto& chunk : chunks) {
      write_chunk(v, chunk, level);
    }
  }
}

// --- looking at bytes
// --------------------------------------------------------------------------------------------

FourCC tag_at(ByteView bytes, std::size_t at) {
  FourCC tag;
  if (at + sizeof tag.bytes <= bytes.size()) {
    std::memcpy(tag.bytes.data(), bytes.data() + at, sizeof tag.bytes);
  }
  return backwards(tag);
}

constexpr std::size_t kVersionChunk = kChunkHeader + sizeof(std::uint32_t);

/// What Document::version will say.
std::uint32_t version_of(ByteView bytes) {
  const auto size = load_plain<std::uint32_t>(bytes.data() + sizeof(FourCC));
  return size < sizeof(std::uint32_t) ? kAlphaVersion
                                      : load_plain<std::uint32_t>(bytes.data() + kChunkHeader);
}

}  // namespace

ChunkBody::ChunkBody() = default;
ChunkBody::ChunkBody(const ChunkBody& other) = default;
ChunkBody::ChunkBody(ChunkBody&& other) noexcept = default;
ChunkBody& ChunkBody::operator=(const ChunkBody& other) = default;
ChunkBody& ChunkBody::operator=(ChunkBody&& other) noexcept = default;
ChunkBody::~ChunkBody() = default;
bool operator==(const ChunkBody& a, const ChunkBody& b) {
  return static_cast<const ChunkBody::variant&>(a) == static_cast<const ChunkBody::variant&>(b);
}

bool has_wide_header(ByteView group, std::uint32_t version) {
  constexpr std::size_t kWide = 128;
  constexpr std::size_t kNarrow = 68;
  constexpr FourCC kFirst{"MOPY"};
  const bool usual = is_alpha(version);
  const bool other_fits = tag_at(group, usual ? kNarrow : kWide) == kFirst;
  return other_fits && tag_at(group, usual ? kWide : kNarrow) != kFirst ? !usual : usual;
}

std::string_view Strings::at(std::uint64_t offset) const {
  if (offset >= text.size()) {
    return {};
  }
  const char* begin = text.data() + offset;
  const char* end = std::find(begin, text.data() + text.size(), '\0');
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool Strings::begins_at(std::uint64_t offset) const {
  return offset < text.size() && (offset == 0 || text[static_cast<std::size_t>(offset) - 1] == '\0');
}

bool operator==(const Root& a, const Root& b) { return a.chunks == b.chunks; }
bool operator==(const Group& a, const Group& b) { return a.header == b.header && a.chunks == b.chunks; }

std::uint32_t Document::version() const {
  const auto* version = chunks.empty() ? nullptr : std::get_if<Version>(&chunks.front().body);
  return version == nullptr || chunks.front().remainder.replaces_fields() ? kAlphaVersion : version->value;
}

const std::vector<Chunk>& Document::root_chunks() const {
  const auto* root = find_chunk<Root>(chunks, FourCC{"MOMO"});
  return root == nullptr ? chunks : root->chunks;
}

std::vector<const Group*> Document::groups() const {
  std::vector<const Group*> groups;
  const auto collect = [&](const std::vector<Chunk>& list) {
    for (const auto& chunk : list) {
      if (const auto* group = std::get_if<Group>(&chunk.body)) {
        groups.push_back(group);
      }
    }
  };
  if (find_chunk<Root>(chunks, FourCC{"MOMO"}) != nullptr) {
    collect(root_chunks());
  }
  collect(chunks);
  return groups;
}

Part part_of(ByteView bytes) {
  if (tag_at(bytes, 0) != FourCC{"MVER"} || bytes.size() < kVersionChunk) {
    return Part::none;
  }
  const FourCC next = tag_at(bytes, kVersionChunk);
  return next == FourCC{"MOMO"}   ? Part::whole
         : next == FourCC{"MOHD"} ? Part::root
         : next == FourCC{"MOGP"} ? Part::group
                                  : Part::none;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  if (part_of(bytes) == Part::none) {
    return fail(codes::kFormatUnknown, "a WMO must begin with MVER, then MOMO, MOHD or MOGP", 0);
  }
  const std::uint32_t version = version_of(bytes);
  DocumentReader reader(bytes, Context{version}, options, diagnostics);
  if (version != 14 && version != 16 && version != 17) {
    reader.note(codes::kWmoVersion, "MVER",
                "unknown version " + std::to_string(version) + " is read like version " +
                    (is_alpha(version) ? "14" : "17"));
  } else if (version == 16) {
    reader.note(codes::kUnproven, "MVER",
                "the layout of version 16 is confirmed by no published file; please share the file");
  }
  Document document;
  read_chunks(reader, document.chunks, Level::file);
  reader.tail("tail", document.tail, kChunkHeader);
  check_counts(reader, document);
  if (reader.failed()) {
    return tl::unexpected<Error>(*reader.failure());
  }
  return document;
}

Bytes write(const Document& document) {
  return write_document(Context{document.version()}, [&](auto& writer) {
    describe_chunks(writer, document.chunks, Level::file);
    writer.bulk("tail", document.tail, document.tail.size());
  });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, Context{document.version()});
  show_chunks(v, document.chunks, Level::file);
  v.raw("tail", document.tail);
}

}  // namespace thaw::wmo
