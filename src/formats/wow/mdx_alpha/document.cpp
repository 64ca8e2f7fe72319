#include "formats/wow/mdx_alpha/document.hpp"

#include "describe/limits.hpp"
#include "formats/warcraft/mdx/chunk_file.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace thaw::mdx_alpha {
namespace {

template <class Body>
void make(ChunkBody& body) {
  body.emplace<Body>();
}

using Kind = mdx::ChunkKind<ChunkBody>;

constexpr std::array kChunkKinds = {
    Kind{FourCC{"VERS"}, make<Version>},
    Kind{FourCC{"MODL"}, make<Model>},
    Kind{FourCC{"SEQS"}, make<Sequences>},
    Kind{FourCC{"GLBS"}, make<GlobalSequences>},
    Kind{FourCC{"MTLS"}, make<Materials>},
    Kind{FourCC{"TEXS"}, make<Textures>},
    Kind{FourCC{"TXAN"}, make<TextureAnimations>},
    Kind{FourCC{"GEOS"}, make<Geosets>},
    Kind{FourCC{"GEOA"}, make<GeosetAnimations>},
    Kind{FourCC{"BONE"}, make<Bones>},
    Kind{FourCC{"LITE"}, make<Lights>},
    Kind{FourCC{"HELP"}, make<Helpers>},
    Kind{FourCC{"ATCH"}, make<Attachments>},
    Kind{FourCC{"PIVT"}, make<Pivots>},
    Kind{FourCC{"PREM"}, make<ParticleEmitters>},
    Kind{FourCC{"PRE2"}, make<ParticleEmitters2>},
    Kind{FourCC{"RIBB"}, make<RibbonEmitters>},
    Kind{FourCC{"CAMS"}, make<Cameras>},
    Kind{FourCC{"EVTS"}, make<EventObjects>},
    Kind{FourCC{"HTST"}, make<HitTests>},
    Kind{FourCC{"CLID"}, make<CollisionMesh>},
};

/// mdx_alpha.md#later-versions: from version 1500 GEOS is something else.
auto kinds_of(std::uint32_t version) {
  auto kinds = kChunkKinds;
  for (auto& kind : kinds) {
    if (version >= 1500 && kind.tag == FourCC{"GEOS"}) {
      kind.make = make<Sections>;
    }
  }
  return kinds;
}

template <class Body>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<List<T>> = true;

/// The description of a chunk's body, as it stands in a variant.
template <class V>
auto body_of(V& v) {
  return [&v](auto& body) {
    if constexpr (kIsList<std::remove_cvref_t<decltype(body)>>) {
      v.counted_list("", body.items);
    } else {
      describe(v, body);
    }
  };
}

constexpr std::uint32_t word(FourCC tag) {
  std::uint32_t value = 0;
  for (std::size_t i = tag.bytes.size(); i-- > 0;) {
    value = value << 8U | static_cast<std::uint32_t>(static_cast<unsigned char>(tag.bytes.at(i)));
  }
  return value;
}

/// Arithmetic shift that keeps the sign.
constexpr std::int64_t signed_bits(std::uint64_t value, unsigned from, unsigned count) {
  return static_cast<std::int64_t>(value << (64U - from - count)) >> (64U - count);
}

constexpr double kStepX = 1.0 / 2097152;   // 2^-21
constexpr double kStepYz = 1.0 / 1048576;  // 2^-20

template <class Body>
void add_nodes(const Document& document, FourCC chunk, std::vector<NodeEntry>& entries) {
  const auto items = document.all<Body>();
  for (std::size_t i = 0; i < items.size(); ++i) {
    entries.push_back({&items[i]->node, chunk, i});
  }
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

TrackKind track_kind(FourCC tag) {
  switch (word(tag)) {
    case word(FourCC{"KGTR"}):
    case word(FourCC{"KGSC"}):
    case word(FourCC{"KTAT"}):
    case word(FourCC{"KTAS"}):
    case word(FourCC{"KCTR"}):
    case word(FourCC{"KTTR"}):
    case word(FourCC{"KGAC"}):
    case word(FourCC{"KLAC"}):
    case word(FourCC{"KLBC"}):
    case word(FourCC{"KRCO"}):
      return TrackKind::vector;
    case word(FourCC{"KGRT"}):
    case word(FourCC{"KTAR"}):
      return TrackKind::rotation;
    case word(FourCC{"KMTF"}):
    case word(FourCC{"KRTX"}):
      return TrackKind::index;
    case word(FourCC{"KMTA"}):
    case word(FourCC{"KGAO"}):
    case word(FourCC{"KVIS"}):
    case word(FourCC{"KCRL"}):
    case word(FourCC{"KLAS"}):
    case word(FourCC{"KLAE"}):
    case word(FourCC{"KLAI"}):
    case word(FourCC{"KLBI"}):
    case word(FourCC{"KRHA"}):
    case word(FourCC{"KRHB"}):
    case word(FourCC{"KRAL"}):
    case word(FourCC{"KP2S"}):
    case word(FourCC{"KP2R"}):
    case word(FourCC{"KP2L"}):
    case word(FourCC{"KPLN"}):
    case word(FourCC{"KP2G"}):
    case word(FourCC{"KLIF"}):
    case word(FourCC{"KP2E"}):
    case word(FourCC{"KP2W"}):
    case word(FourCC{"KP2N"}):
    case word(FourCC{"KP2Z"}):
    case word(FourCC{"KPEE"}):
    case word(FourCC{"KPEG"}):
    case word(FourCC{"KPLT"}):
    case word(FourCC{"KPEL"}):
    case word(FourCC{"KPES"}):
      return TrackKind::scalar;
    default:
      return TrackKind::unknown;
  }
}

std::array<double, 4> unpack_rotation(std::int64_t packed) {
  const auto bits = static_cast<std::uint64_t>(packed);
  const double x = static_cast<double>(signed_bits(bits, 42, 22)) * kStepX;
  const double y = static_cast<double>(signed_bits(bits, 21, 21)) * kStepYz;
  const double z = static_cast<double>(signed_bits(bits, 0, 21)) * kStepYz;
  const double rest = 1 - x * x - y * y - z * z;
  return {x, y, z, rest >= kStepYz ? std::sqrt(rest) : 0};
}

std::int64_t pack_rotation(const std::array<double, 4>& rotation) {
  const double sign = rotation[3] < 0 ? -1 : 1;
  const auto bits = [&](double value, double step, double limit) {
    const double steps = std::isfinite(value) ? std::trunc(sign * value / step) : 0;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(steps, -limit, limit - 1)));
  };
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 21U) - 1;
  return static_cast<std::int64_t>(bits(rotation[0], kStepX, 2097152) << 42U |
                                   (bits(rotation[1], kStepYz, 1048576) & kMask) << 21U |
                                   (bits(rotation[2], kStepYz, 1048576) & kMask));
}

std::size_t Track::width() const {
  switch (track_kind(tag)) {
    case TrackKind::vector:
      return 3;
    case TrackKind::rotation:
      return 2;
    default:
      return 1;
  }
}

std::int64_t Track::packed(std::size_t key, unsigned part) const {
  const std::size_t at = key * stride() + 1 + part * width();
  return static_cast<std::int64_t>(std::uint64_t{words[at]} | std::uint64_t{words[at + 1]} << 32U);
}

Vec4 Track::value(std::size_t key, unsigned part) const {
  Vec4 value{};
  if (track_kind(tag) == TrackKind::rotation) {
    const auto rotation = unpack_rotation(packed(key, part));
    std::transform(rotation.begin(), rotation.end(), value.begin(),
                   [](double component) { return static_cast<float>(component); });
  } else {
    std::memcpy(value.data(), words.data() + key * stride() + 1 + part * width(), width() * sizeof(float));
  }
  return value;
}

const Track* find_track(const Tracks& tracks, FourCC tag) {
  const auto found =
      std::find_if(tracks.begin(), tracks.end(), [&](const Track& track) { return track.tag == tag; });
  return found == tracks.end() ? nullptr : &*found;
}

std::uint32_t Document::version() const { return mdx::version_of(*this).value_or(1300); }

std::vector<NodeEntry> all_nodes(const Document& document) {
  std::vector<NodeEntry> entries;
  add_nodes<Bones>(document, FourCC{"BONE"}, entries);
  add_nodes<Lights>(document, FourCC{"LITE"}, entries);
  add_nodes<Helpers>(document, FourCC{"HELP"}, entries);
  add_nodes<Attachments>(document, FourCC{"ATCH"}, entries);
  add_nodes<ParticleEmitters>(document, FourCC{"PREM"}, entries);
  add_nodes<ParticleEmitters2>(document, FourCC{"PRE2"}, entries);
  add_nodes<RibbonEmitters>(document, FourCC{"RIBB"}, entries);
  add_nodes<EventObjects>(document, FourCC{"EVTS"}, entries);
  add_nodes<HitTests>(document, FourCC{"HTST"}, entries);
  return entries;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  if (!mdx::is_mdx(bytes)) {
    return fail(codes::kFormatUnknown, "an MDX file must begin with MDLX", 0);
  }
  if (!mdx::is_wow_alpha(bytes)) {
    return fail(codes::kFormatForeign, "the file is a Warcraft III model, not a WoW Alpha model", 0);
  }
  const std::uint32_t version = mdx::stated_version(bytes).value_or(1300);
  Reader<Context> reader(bytes, Context{version, {}, 0}, options, diagnostics);
  if (version % 100 != 0) {
    reader.note(codes::kVersionUnknown, "VERS", "no game shipped version " + std::to_string(version));
  }
  return mdx::read_chunks(reader, kinds_of(version), Document(), body_of(reader));
}

Bytes write(const Document& document) {
  return write_document(Context{document.version(), {}, 0},
                        [&](auto& writer) { mdx::write_chunks(writer, document, body_of(writer)); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, Context{document.version(), {}, 0});
  mdx::inspect_chunks(v, inspector, document, body_of(v));
}

}  // namespace thaw::mdx_alpha
