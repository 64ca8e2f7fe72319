#include "formats/wow/m3/document.hpp"

#include "bytes/code_page.hpp"
#include "describe/chunk_size.hpp"
#include "describe/inspection.hpp"
#include "describe/limits.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"
#include "formats/wow/m3/decide.hpp"

#include <algorithm>

namespace thaw::m3 {
namespace {

constexpr std::size_t kHeader = 16;
constexpr std::size_t kShortHeader = 8;
/// A chunk in memory is many times larger than an empty one in the file, and real files have some twenty.
/// What lies after this many is kept as a tail.
constexpr std::size_t kMaxChunks = 4096;

using DocumentReader = Reader<Context>;

template <class Variant>
struct ChunkKind {
  FourCC tag;
  void (*make)(Variant&);
};
template <class Variant, class Body>
void make(Variant& body) {
  body.template emplace<Body>();
}
template <class Body>
constexpr ChunkKind<m3::Body> top(FourCC tag) {
  return {tag, make<m3::Body, Body>};
}
template <class Body>
constexpr ChunkKind<MeshBody> part(FourCC tag) {
  return {tag, make<MeshBody, Body>};
}

constexpr std::array kKinds = {
    top<ModelHeader>(FourCC{"M3DT"}), top<Mesh>(FourCC{"MES3"}),           top<Collision>(FourCC{"M3CL"}),
    top<Materials>(FourCC{"M3SI"}),   top<ModelTransform>(FourCC{"M3XF"}), top<Strings>(FourCC{"M3ST"}),
};
constexpr std::array kMeshKinds = {
    part<MeshVersion>(FourCC{"M3VR"}), part<Buffer>(FourCC{"VPOS"}),  part<Buffer>(FourCC{"VNML"}),
    part<Buffer>(FourCC{"VUV0"}),      part<Buffer>(FourCC{"VUV1"}),  part<Buffer>(FourCC{"VUV2"}),
    part<Buffer>(FourCC{"VUV3"}),      part<Buffer>(FourCC{"VUV4"}),  part<Buffer>(FourCC{"VUV5"}),
    part<Buffer>(FourCC{"VTAN"}),      part<Buffer>(FourCC{"VINX"}),  part<Buffer>(FourCC{"VIBP"}),
    part<Buffer>(FourCC{"VCL0"}),      part<Buffer>(FourCC{"VCL1"}),  part<Weights>(FourCC{"VWTS"}),
    part<Names>(FourCC{"VSTR"}),       part<Geosets>(FourCC{"VGEO"}), part<Lods>(FourCC{"LODS"}),
    part<Batches>(FourCC{"RBAT"}),
};
/// Known to exist, and nothing else (m3.md#undocumented).
constexpr std::array kUndocumented = {FourCC{"M3ST"}, FourCC{"M3VS"}, FourCC{"M3SV"}, FourCC{"M3PT"}};
constexpr std::array kModelBegins = {FourCC{"M3DT"}, FourCC{"M3SI"}, FourCC{"M3ST"}, FourCC{"MES3"},
                                     FourCC{"M3CL"}, FourCC{"M3SV"}, FourCC{"M3VS"}, FourCC{"M3XF"}};
constexpr std::array kLibraryBegins = {FourCC{"m3SL"}, FourCC{"m3SH"}, FourCC{"m3SP"}, FourCC{"m3ST"},
                                       FourCC{"m3SS"}, FourCC{"m3MD"}, FourCC{"m3S2"}, FourCC{"m3M2"},
                                       FourCC{"m3DB"}, FourCC{"m3ML"}};

template <class Tags>
bool contains(const Tags& tags, FourCC tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

FourCC first_tag(ByteView bytes) {
  FourCC tag;
  if (bytes.size() >= tag.bytes.size()) {
    std::memcpy(tag.bytes.data(), bytes.data(), tag.bytes.size());
  }
  return tag;
}

template <class Kinds>
auto find_kind(const Kinds& kinds, FourCC tag) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.tag == tag; });
  return found == kinds.end() ? nullptr : &*found;
}

// --- reading
// ----------------------------------------------------------------------------------------------------

/// Tag and size of a chunk; a size that leads beyond the end of what holds it, or to no chunk where one that
/// `is_sibling` follows, is noted and remembered.
template <class C, class IsSibling>
std::size_t read_frame(DocumentReader& reader, C& chunk, std::size_t header_size, bool in_chunk,
                       unsigned& searches, const IsSibling& is_sibling) {
  std::uint32_t size = 0;
  reader.field("tag", chunk.tag.bytes);
  reader.field("size", size);
  const std::size_t available = reader.left() - (header_size - kShortHeader);
  constexpr std::ptrdiff_t kMissingBytes = 256;  // zeros in place of a part that could not be decrypted
  const ByteView after =
      reader.rest().subspan(header_size - kShortHeader + std::min<std::size_t>(size, available));
  const bool encrypted =
      !in_chunk && size > 0 && after.size() >= kHeader &&
      std::all_of(after.begin(), after.begin() + std::min<std::ptrdiff_t>(kMissingBytes, std::ssize(after)),
                  [](auto byte) { return byte == 0; });
  const std::size_t better =
      encrypted ? size
                : better_chunk_size({reader.rest().subspan(header_size - kShortHeader), size,
                                     chunk.tag == FourCC{"MES3"}, in_chunk},
                                    header_size, searches, is_sibling, [&](FourCC tag) {
                                      return !is_sibling(tag) && find_kind(kMeshKinds, tag) != nullptr;
                                    });
  if (better == size) {
    return size;
  }
  if constexpr (requires { chunk.stated_size; }) {
    chunk.stated_size = size;
  }
  if (size <= available || better < available) {
    reader.note(codes::kSizeInvalid.as(Severity::severe), "",
                size_problem(chunk.tag, size, better, available));
    return better;
  }
  reader.note(codes::kChunkOverrun, "",
              "chunk " + chunk.tag.text() + " states a size of " + std::to_string(size) + " bytes, but " +
                  std::to_string(available) + " remain; read to the end");
  return available;
}

void read_body(DocumentReader& reader, MeshBody& body) {
  std::visit([&](auto& value) { describe(reader, value); }, body);
}
void read_body(DocumentReader& reader, Body& body);

void note_unknown(DocumentReader& reader, FourCC tag) {
  if (contains(kUndocumented, tag)) {
    reader.note(codes::kUnproven, "",
                "chunk " + tag.text() + " of unknown content is preserved unchanged; please share the file");
  } else {
    reader.note(codes::kChunkUnknown, "", "unknown chunk " + tag.text() + "; preserved unchanged");
  }
}

/// Letters and NULs only, and at least one letter: the only sign that there is (m3.md#strings).
bool is_text(ByteView bytes) {
  const auto fits = [](std::uint8_t byte) { return byte == 0 || (byte >= ' ' && byte != 0x7F); };
  return std::all_of(bytes.begin(), bytes.end(), fits) &&
         is_utf8({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) &&
         std::any_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte != 0; });
}

template <class C, class Kinds>
void read_chunk(DocumentReader& reader, C& chunk, const Kinds& kinds, unsigned& searches) {
  constexpr bool kInMesh = std::is_same_v<const Kinds, decltype(kMeshKinds)>;
  const std::size_t size = read_frame(reader, chunk, kHeader, kInMesh, searches, [&](FourCC tag) {
    return find_kind(kinds, tag) != nullptr || (!kInMesh && contains(kUndocumented, tag));
  });
  const auto* kind = find_kind(kinds, chunk.tag);
  if (chunk.tag == FourCC{"M3ST"} && kind != nullptr) {
    kind = is_text(reader.rest().subspan(kHeader - kShortHeader, size)) ? kind : nullptr;
  }
  if (kind != nullptr) {
    kind->make(chunk.body);
  }
  std::visit([&](auto& body) { describe(reader, body.properties); }, chunk.body);
  if (kind == nullptr) {
    note_unknown(reader, chunk.tag);
    reader.bulk("raw", chunk.remainder.bytes, size);
    chunk.remainder.state = Remainder::State::replaces_fields;
    return;
  }
  if (contains(kUndocumented, chunk.tag)) {
    reader.note(codes::kUnproven, "",
                "chunk " + chunk.tag.text() +
                    " is read as strings, which no published file confirms; please share the file");
  }
  reader.payload(chunk.remainder, chunk.tag, size, [&] { read_body(reader, chunk.body); });
}

template <class List, class Kinds>
void read_chunks(DocumentReader& reader, List& chunks, const Kinds& kinds) {
  unsigned searches = 0;
  while (reader.left() >= kHeader && chunks.size() < kMaxChunks && !reader.failed()) {
    if (first_tag(reader.rest()) == FourCC{}) {
      reader.note(codes::kM3Encrypted, "",
                  "zeros in place of a chunk's tag: the rest of the file is encrypted; preserved as bytes");
      return;
    }
    read_chunk(reader, chunks.emplace_back(), kinds, searches);
  }
}

/// M3VR may follow VGEO, whose layout it states.
std::optional<std::uint32_t> scan_mesh_version(ByteView bytes) {
  for (std::size_t at = 0, chunks = 0; at + kHeader <= bytes.size() && chunks < kMaxChunks; ++chunks) {
    if (first_tag(bytes.subspan(at)) == FourCC{"M3VR"}) {
      return load_plain<std::uint32_t>(bytes.data() + at + 8);
    }
    const std::size_t size = load_plain<std::uint32_t>(bytes.data() + at + 4);
    at += kHeader + std::min(size, bytes.size() - at - kHeader);
  }
  return std::nullopt;
}

void read_mesh(DocumentReader& reader, Mesh& mesh) {
  reader.context().mesh_version = scan_mesh_version(reader.rest());
  read_chunks(reader, mesh.chunks, kMeshKinds);
  if (reader.failed()) {
    return;
  }
  Diagnostics findings;
  decide(mesh, findings);
  for (const auto& finding : findings.items()) {
    reader.note(finding.code, finding.path.c_str(), finding.message);
  }
}

bool is_collision_tag(FourCC tag) {
  return tag == FourCC{"CPOS"} || tag == FourCC{"CNML"} || tag == FourCC{"CINX"};
}

/// Do headers of this size lead from one known tag to the next, and to the very end (m3.md#collision)?
bool walks(ByteView bytes, std::size_t header_size) {
  std::size_t at = 0;
  while (at + header_size <= bytes.size() && is_collision_tag(first_tag(bytes.subspan(at)))) {
    const std::size_t size = load_plain<std::uint32_t>(bytes.data() + at + 4);
    at += header_size;
    if (size > bytes.size() - at) {
      return false;
    }
    at += size;
  }
  return at == bytes.size();
}

void read_collision(DocumentReader& reader, Collision& collision) {
  const bool short_headers = walks(reader.rest(), kShortHeader);
  collision.long_headers = !short_headers && walks(reader.rest(), kHeader);
  if (!short_headers && !collision.long_headers) {
    reader.fail(codes::kM3Collision, "",
                "unknown layout of the collision chunk: neither 8-byte nor 16-byte headers fill it; "
                "preserved as bytes");
    return;
  }
  reader.note(codes::kUnproven, "",
              collision.long_headers
                  ? "collision chunks are read with headers of 16 bytes, which no published "
                    "file confirms; please share the file"
                  : "collision chunks are read with headers of 8 bytes, which no published "
                    "file confirms; please share the file");
  const std::size_t header_size = collision.long_headers ? kHeader : kShortHeader;
  unsigned searches = 0;
  while (reader.left() >= header_size && !reader.failed()) {
    if (collision.chunks.size() == kMaxChunks) {
      return;
    }
    CollisionChunk& chunk = collision.chunks.emplace_back();
    const std::size_t size = read_frame(reader, chunk, header_size, true, searches, is_collision_tag);
    if (collision.long_headers) {
      describe(reader, chunk.properties.emplace());
    }
    if (chunk.tag == FourCC{"CINX"}) {
      chunk.body.emplace<Corners>();
    }
    reader.payload(chunk.remainder, chunk.tag, size,
                   [&] { std::visit([&](auto& body) { describe(reader, body); }, chunk.body); });
  }
}

void read_materials(DocumentReader& reader, Materials& materials) {
  reader.context().claimed = 0;
  describe(reader, materials);
  if (reader.failed()) {
    return;
  }
  const auto doubt = [&](const char* name, const char* what) { reader.note(codes::kUnproven, name, what); };
  if (materials.magic == FourCC{"m3SI"}) {
    doubt("magic",
          "material instances with the magic m3SI are read like those with m3IS; please share the file");
  }
  if (materials.instances_at != 6) {
    doubt(
        "instancesAt",
        "the material instances are read after the header, not at the stated offset; please share the file");
  }
  const bool unknown =
      std::any_of(materials.instances.begin(), materials.instances.end(), [](const Instance& instance) {
        return known_data_size(instance.uniform_types) == 0 ? !instance.uniform_types.empty()
                                                            : instance.unknown_count > 0;
      });
  if (unknown) {
    doubt(
        "instances",
        "uniforms of unknown type or data of unknown meaning are preserved unchanged; please share the file");
  }
}

void read_body(DocumentReader& reader, Body& body) {
  if (auto* mesh = std::get_if<Mesh>(&body)) {
    read_mesh(reader, *mesh);
  } else if (auto* collision = std::get_if<Collision>(&body)) {
    read_collision(reader, *collision);
  } else if (auto* materials = std::get_if<Materials>(&body)) {
    read_materials(reader, *materials);
  } else if (auto* header = std::get_if<ModelHeader>(&body)) {
    describe(reader, *header);
  } else if (auto* transform = std::get_if<ModelTransform>(&body)) {
    describe(reader, *transform);
  } else if (auto* strings = std::get_if<Strings>(&body)) {
    describe(reader, *strings);
  }
}

/// Does the file consist of chunks with headers of this size?
bool is_chunked(ByteView bytes, std::size_t header_size) {
  std::size_t at = 0;
  for (std::size_t chunks = 0; at + header_size <= bytes.size() && chunks < kMaxChunks; ++chunks) {
    const std::size_t size = load_plain<std::uint32_t>(bytes.data() + at + 4);
    at += header_size;
    if (size > bytes.size() - at) {
      return false;
    }
    at += size;
  }
  return at == bytes.size();
}

void read_library(DocumentReader& reader, Document& document) {
  const ByteView bytes = reader.rest();
  document.headers = is_chunked(bytes, kHeader)        ? Headers::model
                     : is_chunked(bytes, kShortHeader) ? Headers::short_headers
                                                       : Headers::none;
  if (document.headers == Headers::none) {
    reader.note(codes::kTruncated, "",
                "the chunks do not end at the end of the file; it is preserved as bytes");
  }
  reader.note(
      codes::kUnproven, "",
      document.headers == Headers::none
          ? "the material library has an unknown layout and is preserved as bytes; please share the file"
          : "the material library is read by its chunk sizes, which no "
            "published file confirms; please share the file");
  const bool with_properties = document.headers == Headers::model;
  const std::size_t header_size = with_properties ? kHeader : kShortHeader;
  unsigned searches = 0;
  // Chunks with other sizes than they state may leave too few bytes for one more.
  while (document.headers != Headers::none && reader.left() >= header_size) {
    Chunk& chunk = document.chunks.emplace_back();
    const std::size_t size = read_frame(reader, chunk, header_size, false, searches,
                                        [](FourCC tag) { return contains(kLibraryBegins, tag); });
    if (with_properties) {
      describe(reader, std::get<Opaque>(chunk.body).properties);
    }
    reader.bulk("raw", chunk.remainder.bytes, size);
    chunk.remainder.state = Remainder::State::replaces_fields;
  }
}

bool is_known_tag(FourCC tag) {
  return find_kind(kKinds, tag) != nullptr || find_kind(kMeshKinds, tag) != nullptr ||
         contains(kUndocumented, tag) || is_collision_tag(tag);
}

/// A known chunk, which another known one follows, and so on to the end, or to the end of what is there to be
/// seen (m3.md#telling-it).
bool is_row_of_chunks(ByteView bytes) {
  std::size_t known = 0;
  std::size_t at = 0;
  while (bytes.size() - at >= kHeader) {
    if (!is_known_tag(first_tag(bytes.subspan(at)))) {
      return false;
    }
    ++known;
    const std::size_t size = load_plain<std::uint32_t>(bytes.data() + at + 4);
    at += kHeader;
    if (size >= bytes.size() - at) {
      return known > 1;
    }
    at += size;
  }
  return known > 1 && at == bytes.size();
}

std::optional<Error> refusal(ByteView bytes) {
  constexpr std::size_t kZeros = 8;
  if (bytes.size() >= kZeros &&
      std::all_of(bytes.begin(), bytes.begin() + kZeros, [](std::uint8_t byte) { return byte == 0; })) {
    return Error{
        codes::kM3Encrypted, 0, {}, "the file begins with zeros: it is encrypted and its key is missing"};
  }
  const FourCC tag = first_tag(bytes);
  if (tag == FourCC{"33DM"} || tag == FourCC{"43DM"}) {
    return Error{
        codes::kFormatForeign,
        0,
        {},
        "an M3 model of StarCraft II or Heroes of the Storm (" + tag.text() + "), not of World of Warcraft"};
  }
  if (!is_m3(bytes) && !is_library(bytes)) {
    return Error{codes::kFormatUnknown, 0, {}, "an M3 model cannot begin with the chunk " + tag.text()};
  }
  return std::nullopt;
}

}  // namespace

const Array<Vec3>* Collision::points(FourCC tag) const {
  for (const auto& chunk : chunks) {
    if (const auto* body = std::get_if<Points>(&chunk.body);
        body != nullptr && chunk.tag == tag && !chunk.remainder.replaces_fields()) {
      return &body->items;
    }
  }
  return nullptr;
}

const Array<std::uint16_t>* Collision::corners() const {
  for (const auto& chunk : chunks) {
    if (const auto* body = std::get_if<Corners>(&chunk.body);
        body != nullptr && !chunk.remainder.replaces_fields()) {
      return &body->items;
    }
  }
  return nullptr;
}

std::optional<std::uint32_t> Document::mesh_version() const {
  const Mesh* mesh = find<Mesh>();
  const auto* version = mesh == nullptr ? nullptr : mesh->find<MeshVersion>(FourCC{"M3VR"});
  return version == nullptr ? std::nullopt : std::optional(version->properties.version);
}

bool is_m3(ByteView bytes) { return contains(kModelBegins, first_tag(bytes)) || is_row_of_chunks(bytes); }

bool is_library(ByteView bytes) { return contains(kLibraryBegins, first_tag(bytes)); }

std::optional<std::uint32_t> stated_version(ByteView bytes) {
  if (!is_m3(bytes)) {
    return std::nullopt;
  }
  for (std::size_t at = 0, chunks = 0; bytes.size() - at >= kHeader && chunks < kMaxChunks; ++chunks) {
    if (first_tag(bytes.subspan(at)) == FourCC{"M3DT"}) {
      return load_plain<std::uint32_t>(bytes.data() + at + 8);
    }
    const std::size_t size = load_plain<std::uint32_t>(bytes.data() + at + 4);
    at += kHeader + std::min(size, bytes.size() - at - kHeader);
  }
  return std::nullopt;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  if (auto why = refusal(bytes)) {
    return tl::unexpected<Error>(std::move(*why));
  }
  DocumentReader reader(bytes, Context{}, options, diagnostics);
  Document document;
  if (is_library(bytes)) {
    read_library(reader, document);
  } else {
    if (first_tag(bytes) != FourCC{"M3DT"}) {
      reader.note(codes::kUnproven, "",
                  "the model begins with chunk " + first_tag(bytes).text() +
                      " instead of M3DT; please share the file");
    }
    read_chunks(reader, document.chunks, kKinds);
    const bool has_mesh = std::any_of(document.chunks.begin(), document.chunks.end(),
                                      [](const Chunk& chunk) { return chunk.tag == FourCC{"MES3"}; });
    if (!has_mesh && !reader.failed()) {
      reader.note(codes::kTagExpected, "MES3", "the model has no mesh (chunk MES3)");
    }
  }
  if (document.headers == Headers::none) {
    reader.bulk("tail", document.tail, reader.left());
  } else {
    reader.tail("tail", document.tail, document.headers == Headers::model ? kHeader : kShortHeader);
  }
  if (reader.failed()) {
    return tl::unexpected<Error>(*reader.failure());
  }
  return document;
}

Bytes write(const Document& document) {
  Context context;
  context.headers = document.headers;
  return write_document(context, [&](auto& writer) {
    writer.objects("chunks", document.chunks);
    writer.bulk("tail", document.tail, document.tail.size());
  });
}

void inspect(const Document& document, Inspector& inspector) {
  Context context;
  context.headers = document.headers;
  InspectionVisitor<Context> v(inspector, context);
  v.objects("chunks", document.chunks);
  v.raw("tail", document.tail);
}

}  // namespace thaw::m3
