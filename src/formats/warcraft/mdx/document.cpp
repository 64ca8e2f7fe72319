#include "formats/warcraft/mdx/document.hpp"

#include "describe/limits.hpp"
#include "formats/warcraft/mdx/chunk_file.hpp"

#include <algorithm>
#include <type_traits>

namespace thaw::mdx {
namespace {

template <class Body>
void make(ChunkBody& body) {
  body.emplace<Body>();
}

constexpr std::array kChunkKinds = {
    ChunkKind<ChunkBody>{FourCC{"VERS"}, make<Version>},
    ChunkKind<ChunkBody>{FourCC{"MODL"}, make<Model>},
    ChunkKind<ChunkBody>{FourCC{"SEQS"}, make<Sequences>},
    ChunkKind<ChunkBody>{FourCC{"GLBS"}, make<GlobalSequences>},
    ChunkKind<ChunkBody>{FourCC{"TEXS"}, make<Textures>},
    ChunkKind<ChunkBody>{FourCC{"SNDS"}, make<SoundTracks>},
    ChunkKind<ChunkBody>{FourCC{"SNEM"}, make<SoundEmitters>},
    ChunkKind<ChunkBody>{FourCC{"MTLS"}, make<Materials>},
    ChunkKind<ChunkBody>{FourCC{"TXAN"}, make<TextureAnimations>},
    ChunkKind<ChunkBody>{FourCC{"GEOS"}, make<Geosets>},
    ChunkKind<ChunkBody>{FourCC{"GEOA"}, make<GeosetAnimations>},
    ChunkKind<ChunkBody>{FourCC{"BONE"}, make<Bones>},
    ChunkKind<ChunkBody>{FourCC{"LITE"}, make<Lights>},
    ChunkKind<ChunkBody>{FourCC{"HELP"}, make<Helpers>},
    ChunkKind<ChunkBody>{FourCC{"ATCH"}, make<Attachments>},
    ChunkKind<ChunkBody>{FourCC{"PIVT"}, make<Pivots>},
    ChunkKind<ChunkBody>{FourCC{"PREM"}, make<ParticleEmitters>},
    ChunkKind<ChunkBody>{FourCC{"PRE2"}, make<ParticleEmitters2>},
    ChunkKind<ChunkBody>{FourCC{"RIBB"}, make<RibbonEmitters>},
    ChunkKind<ChunkBody>{FourCC{"EVTS"}, make<EventObjects>},
    ChunkKind<ChunkBody>{FourCC{"CAMS"}, make<Cameras>},
    ChunkKind<ChunkBody>{FourCC{"CLID"}, make<CollisionShapes>},
    ChunkKind<ChunkBody>{FourCC{"BPOS"}, make<BindPoses>},
    ChunkKind<ChunkBody>{FourCC{"FAFX"}, make<FaceEffects>},
    ChunkKind<ChunkBody>{FourCC{"CORN"}, make<PopcornEmitters>},
    ChunkKind<ChunkBody>{FourCC{"DILG"}, make<PickGeosets>},
};

template <class V, class Body>
void describe_body(V& v, Body& body) {
  if constexpr (requires { body.items; } && !std::is_same_v<std::remove_const_t<Body>, CollisionShapes>) {
    describe_list(v, body);
  } else {
    describe(v, body);
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

/// The description of a chunk's body, as it stands in a variant.
template <class V>
auto body_of(V& v) {
  return [&v](auto& body) { describe_body(v, body); };
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

std::uint32_t Document::version() const { return version_of(*this).value_or(800); }

bool is_mdx(ByteView bytes) {
  return bytes.size() >= 4 && std::memcmp(bytes.data(), kMagic.bytes.data(), kMagic.bytes.size()) == 0;
}

std::optional<std::uint32_t> stated_version(ByteView bytes) { return scan_version(bytes); }

bool is_wow_alpha(ByteView bytes) {
  const auto version = scan_version(bytes);
  if (!is_mdx(bytes) || !version || *version < 1300 || *version > 1500) {
    return false;
  }
  constexpr std::uint32_t kModel = Model::kRecordSize;
  std::optional<bool> alpha;
  scan_chunks(bytes, [&](const ChunkHeader& header, ByteView /*payload*/) {
    if (header.tag == FourCC{"MODL"} && (header.size == kModel || header.size == kModel + 1)) {
      alpha = header.size != kModel;
    } else if (header.tag == FourCC{"HTST"} ||
               (header.tag == FourCC{"SEQS"} && header.size % Sequence::kRecordSize != 0)) {
      alpha = true;
    }
    return !alpha;
  });
  return alpha.value_or(false);
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  if (!is_mdx(bytes)) {
    return fail(codes::kFormatUnknown, "an MDX file must begin with MDLX", 0);
  }
  if (is_wow_alpha(bytes)) {
    return fail(codes::kFormatForeign,
                "this is a WoW Alpha model (dialect wow-alpha), not a Warcraft III model", 0);
  }
  const auto version = scan_version(bytes);
  Reader<Context> reader(bytes, Context{version.value_or(800), {}, 0}, options, diagnostics);
  if (!version) {
    reader.note(codes::kVersionMissing, "VERS", "the version is missing; 800 is assumed");
  } else if (!known_version(*version)) {
    reader.note(codes::kVersionUnknown, "VERS", "no game shipped version " + std::to_string(*version));
  }
  return read_chunks(reader, kChunkKinds, Document(), body_of(reader));
}

Bytes write(const Document& document) {
  return write_document(Context{document.version(), {}, 0},
                        [&](auto& writer) { write_chunks(writer, document, body_of(writer)); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, Context{document.version(), {}, 0});
  inspect_chunks(v, inspector, document, body_of(v));
}

}  // namespace thaw::mdx
