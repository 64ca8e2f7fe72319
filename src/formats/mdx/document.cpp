#include "formats/mdx/document.hpp"

#include "document/inspection.hpp"
#include "document/reader.hpp"
#include "document/writer.hpp"

#include <type_traits>

namespace thaw::mdx {
namespace {

constexpr FourCC kMagic{"MDLX"};
constexpr std::size_t kChunkHeader = 8;
/// A chunk in memory is many times larger than an empty one in the file, and real files have some twenty.
/// What lies behind this many is kept as the file's tail.
constexpr std::size_t kMaxChunks = 4096;

/// One table joins tags and chunk types.
struct ChunkKind {
  FourCC tag;
  void (*make)(ChunkBody&);
};

template <class Body>
void make(ChunkBody& body) {
  body.emplace<Body>();
}

constexpr std::array kChunkKinds = {
    ChunkKind{FourCC{"VERS"}, make<Version>},
    ChunkKind{FourCC{"MODL"}, make<Model>},
    ChunkKind{FourCC{"SEQS"}, make<Sequences>},
    ChunkKind{FourCC{"GLBS"}, make<GlobalSequences>},
    ChunkKind{FourCC{"TEXS"}, make<Textures>},
    // Two layouts are told of SNDS and no file has it: its bytes are kept as they are (§2.25).
    ChunkKind{FourCC{"SNDS"}, make<Opaque>},
    ChunkKind{FourCC{"SNEM"}, make<SoundEmitters>},
    ChunkKind{FourCC{"MTLS"}, make<Materials>},
    ChunkKind{FourCC{"TXAN"}, make<TextureAnimations>},
    ChunkKind{FourCC{"GEOS"}, make<Geosets>},
    ChunkKind{FourCC{"GEOA"}, make<GeosetAnimations>},
    ChunkKind{FourCC{"BONE"}, make<Bones>},
    ChunkKind{FourCC{"LITE"}, make<Lights>},
    ChunkKind{FourCC{"HELP"}, make<Helpers>},
    ChunkKind{FourCC{"ATCH"}, make<Attachments>},
    ChunkKind{FourCC{"PIVT"}, make<Pivots>},
    ChunkKind{FourCC{"PREM"}, make<ParticleEmitters>},
    ChunkKind{FourCC{"PRE2"}, make<ParticleEmitters2>},
    ChunkKind{FourCC{"RIBB"}, make<RibbonEmitters>},
    ChunkKind{FourCC{"EVTS"}, make<EventObjects>},
    ChunkKind{FourCC{"CAMS"}, make<Cameras>},
    ChunkKind{FourCC{"CLID"}, make<CollisionShapes>},
    ChunkKind{FourCC{"BPOS"}, make<BindPoses>},
    ChunkKind{FourCC{"FAFX"}, make<FaceEffects>},
    ChunkKind{FourCC{"CORN"}, make<PopcornEmitters>},
    ChunkKind{FourCC{"DILG"}, make<PickGeosets>},
};

const ChunkKind* chunk_kind(FourCC tag) {
  const auto* found = std::find_if(kChunkKinds.begin(), kChunkKinds.end(),
                                   [&](const ChunkKind& kind) { return kind.tag == tag; });
  return found == kChunkKinds.end() ? nullptr : found;
}

template <class V, class Body>
void describe_body(V& v, Body& body) {
  if constexpr (requires { body.items; } && !std::is_same_v<std::remove_const_t<Body>, CollisionShapes>) {
    describe_list(v, body);
  } else {
    describe(v, body);
  }
}

struct ChunkHeader {
  FourCC tag;
  std::uint32_t size = 0;
};

/// Calls `visit(header, payload)` for each chunk until it returns false; the payload is cut at the end of the
/// file.
template <class F>
void scan_chunks(ByteView bytes, F&& visit) {
  std::size_t at = kMagic.bytes.size();
  while (at + kChunkHeader <= bytes.size()) {
    ChunkHeader header;
    std::memcpy(header.tag.bytes.data(), bytes.data() + at, header.tag.bytes.size());
    header.size = load_plain<std::uint32_t>(bytes.data() + at + 4);
    at += kChunkHeader;
    const std::size_t size = std::min<std::size_t>(header.size, bytes.size() - at);
    if (!visit(header, bytes.subspan(at, size))) {
      return;
    }
    at += size;
  }
}

std::optional<std::uint32_t> scan_version(ByteView bytes) {
  std::optional<std::uint32_t> version;
  scan_chunks(bytes, [&](const ChunkHeader& header, ByteView payload) {
    if (header.tag == FourCC{"VERS"} && payload.size() >= 4) {
      version = load_plain<std::uint32_t>(payload.data());
    }
    return !version;
  });
  return version;
}

bool known_version(std::uint32_t version) {
  constexpr std::array<std::uint32_t, 11> kKnown = {800,  900,  1000, 1100, 1200, 1300,
                                                    1400, 1500, 1600, 1700, 1800};
  return std::find(kKnown.begin(), kKnown.end(), version) != kKnown.end();
}

using DocumentReader = Reader<Context>;

void read_chunk(DocumentReader& reader, Chunk& chunk) {
  ChunkHeader header;
  reader.field("tag", header.tag.bytes);
  reader.field("size", header.size);
  chunk.tag = header.tag;
  const std::size_t available = reader.left();
  if (header.size > available) {
    chunk.stated_size = header.size;
    reader.note(codes::kChunkOverrun, "",
                header.tag.text() + " states " + std::to_string(header.size) + " bytes, " +
                    std::to_string(available) + " are left");
  }
  const std::size_t size = std::min<std::size_t>(header.size, available);
  const ChunkKind* kind = chunk_kind(header.tag);
  if (kind == nullptr || kind->make == make<Opaque>) {
    if (kind == nullptr) {
      reader.note(codes::kChunkUnknown, "", header.tag.text() + " is kept as it is");
    }
    reader.bulk("raw", chunk.remainder.bytes, size);
    chunk.remainder.whole = true;
    return;
  }
  kind->make(chunk.body);
  reader.payload(chunk.remainder, header.tag, size,
                 [&] { std::visit([&](auto& body) { describe_body(reader, body); }, chunk.body); });
}

void note_duplicates(DocumentReader& reader, const Document& document) {
  for (std::size_t i = 0; i < document.chunks.size(); ++i) {
    const FourCC tag = document.chunks[i].tag;
    const auto first = document.chunks.begin();
    const auto here = first + static_cast<std::ptrdiff_t>(i);
    const bool again = std::any_of(first, here, [&](const Chunk& chunk) { return chunk.tag == tag; });
    if (again && chunk_kind(tag) != nullptr) {
      reader.note(codes::kChunkDuplicate, tag.text().c_str(),
                  "occurs more than once; its objects are appended");
      return;
    }
  }
}

template <class V>
void describe_document(V& v, const Document& document) {
  v.tag(kMagic);
  for (const auto& chunk : document.chunks) {
    v.field("tag", chunk.tag.bytes);
    const std::uint64_t size_at = v.here();
    v.field("size", chunk.stated_size.value_or(0));
    const std::uint64_t start = v.here();
    v.payload(chunk.remainder, chunk.tag, 0,
              [&] { std::visit([&](const auto& body) { describe_body(v, body); }, chunk.body); });
    if (!chunk.stated_size) {
      v.patch(size_at, v.here() - start);
    }
  }
  v.bulk("tail", document.tail, document.tail.size());
}

}  // namespace

TrackType track_type(FourCC tag) {
  constexpr auto kWord = [](const char* text) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[0])) |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[1])) << 8U |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[2])) << 16U |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[3])) << 24U;
  };
  switch (kWord(tag.bytes.data())) {
    case kWord("KGTR"):
    case kWord("KGSC"):
    case kWord("KFC3"):
    case kWord("KTAT"):
    case kWord("KTAS"):
    case kWord("KGAC"):
    case kWord("KLAC"):
    case kWord("KLBC"):
    case kWord("KRCO"):
    case kWord("KCTR"):
    case kWord("KTTR"):
    case kWord("KPPC"):
      return {3, false};
    case kWord("KGRT"):
    case kWord("KTAR"):
      return {4, false};
    case kWord("KMTF"):
    case kWord("KRTX"):
    case kWord("KSEK"):
      return {1, true};
    case kWord("KMTA"):
    case kWord("KMTE"):
    case kWord("KFCA"):
    case kWord("KFTC"):
    case kWord("KGAO"):
    case kWord("KLAS"):
    case kWord("KLAE"):
    case kWord("KLAI"):
    case kWord("KLBI"):
    case kWord("KLAV"):
    case kWord("KLSS"):
    case kWord("KLSE"):
    case kWord("KLQF"):
    case kWord("KLLF"):
    case kWord("KLDA"):
    case kWord("KATV"):
    case kWord("KPEE"):
    case kWord("KPEG"):
    case kWord("KPLN"):
    case kWord("KPLT"):
    case kWord("KPEL"):
    case kWord("KPES"):
    case kWord("KPEV"):
    case kWord("KP2S"):
    case kWord("KP2R"):
    case kWord("KP2L"):
    case kWord("KP2G"):
    case kWord("KP2E"):
    case kWord("KP2N"):
    case kWord("KP2W"):
    case kWord("KP2V"):
    case kWord("KRHA"):
    case kWord("KRHB"):
    case kWord("KRAL"):
    case kWord("KRVS"):
    case kWord("KCRL"):
    case kWord("KCVS"):
    case kWord("IDUF"):
    case kWord("ELAF"):
    case kWord("PTSF"):
    case kWord("KPPA"):
    case kWord("KPPE"):
    case kWord("KPPL"):
    case kWord("KPPS"):
    case kWord("KPPV"):
      return {1, false};
    default:
      return {};
  }
}

Vec4 Track::value(std::size_t key, unsigned part) const {
  Vec4 value{};
  const std::size_t width = components();
  std::memcpy(value.data(), words.data() + key * stride() + 1 + part * width, width * sizeof(float));
  return value;
}

const Track* find_track(const Tracks& tracks, FourCC tag) {
  const auto found =
      std::find_if(tracks.begin(), tracks.end(), [&](const Track& track) { return track.tag == tag; });
  return found == tracks.end() ? nullptr : &*found;
}

std::uint32_t Document::version() const {
  const auto* version = find<Version>();
  return version != nullptr ? version->value : 800;
}

bool is_mdx(ByteView bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), kMagic.bytes.data(), kMagic.bytes.size()) == 0;
}

std::optional<std::uint32_t> stated_version(ByteView bytes) { return scan_version(bytes); }

bool is_wow_alpha(ByteView bytes) {
  const auto version = scan_version(bytes);
  if (!is_mdx(bytes) || !version || *version < 1300 || *version > 1500) {
    return false;
  }
  bool alpha = false;
  scan_chunks(bytes, [&](const ChunkHeader& header, ByteView /*payload*/) {
    alpha = (header.tag == FourCC{"MODL"} && header.size != 372) ||
            (header.tag == FourCC{"SEQS"} && header.size % Sequence::kRecordSize != 0) ||
            header.tag == FourCC{"HTST"};
    return !alpha;
  });
  return alpha;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return fail(codes::kInputTooLarge, std::to_string(bytes.size()) + " bytes");
  }
  if (!is_mdx(bytes)) {
    return fail(codes::kFormatUnknown, "an MDX file begins with MDLX", 0);
  }
  if (is_wow_alpha(bytes)) {
    return fail(codes::kFormatForeign,
                "a model of World of Warcraft's alpha (dialect wow-alpha), not of Warcraft III", 0);
  }
  const auto version = scan_version(bytes);
  DocumentReader reader(bytes, Context{version.value_or(800), {}, 0}, options, diagnostics);
  if (!version) {
    reader.note(codes::kVersionMissing, "VERS", "no version is stated");
  } else if (!known_version(*version)) {
    reader.note(codes::kVersionUnknown, "VERS", std::to_string(*version));
  }
  Document document;
  reader.tag(kMagic);
  while (reader.left() >= kChunkHeader && document.chunks.size() < kMaxChunks && !reader.failed()) {
    read_chunk(reader, document.chunks.emplace_back());
  }
  if (reader.failed()) {
    return tl::unexpected<Error>(*reader.failure());
  }
  if (reader.left() > 0) {
    reader.note(codes::kFileTail, "", std::to_string(reader.left()) + " bytes");
    reader.bulk("tail", document.tail, reader.left());
  }
  note_duplicates(reader, document);
  return document;
}

Bytes write(const Document& document) {
  return write_document(Context{document.version(), {}, 0},
                        [&](auto& writer) { describe_document(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, Context{document.version(), {}, 0});
  v.structure("magic", kMagic.bytes.size());
  inspector.begin("chunks", true, v.here());
  for (const auto& chunk : document.chunks) {
    inspector.begin("", false, v.here());
    v.field("tag", chunk.tag.bytes);
    if (chunk.stated_size) {
      v.field("statedSize", *chunk.stated_size);
    } else {
      v.structure("size", sizeof(std::uint32_t));
    }
    if (std::holds_alternative<Opaque>(chunk.body)) {
      v.raw("bytes", chunk.remainder.bytes);
    } else {
      v.payload(chunk.remainder, chunk.tag, 0,
                [&] { std::visit([&](const auto& body) { describe_body(v, body); }, chunk.body); });
    }
    inspector.end(v.here());
  }
  inspector.end(v.here());
  v.raw("tail", document.tail);
}

}  // namespace thaw::mdx
