#include "document/inspection.hpp"
#include "document/limits.hpp"
#include "document/reader.hpp"
#include "document/writer.hpp"

#include "formats/forgelight/mrn/description.hpp"

namespace thaw::mrn {
namespace {

constexpr std::size_t kMagicSize = 8;
constexpr std::uint32_t kFirstVersion = 16;
constexpr std::uint32_t kLastVersion = 40;
constexpr std::uint32_t kMostAlignment = 4096;
/// Types of packets are small numbers; far larger ones are another format.
constexpr std::uint32_t kMostTypes = 256;

template <class T>
T word(ByteView bytes, std::uint64_t at) {
  return load_plain<T>(bytes.data() + at);
}

std::uint32_t swapped(std::uint32_t value) {
  return value >> 24U | (value >> 8U & 0xFF00U) | (value << 8U & 0xFF0000U) | value << 24U;
}

bool is_version(std::uint32_t version) { return version >= kFirstVersion && version <= kLastVersion; }

bool is_alignment(std::uint32_t alignment) {
  return alignment != 0 && alignment <= kMostAlignment && (alignment & (alignment - 1)) == 0;
}

Layout little_endian_layout(std::uint32_t version, std::uint32_t platform) {
  if ((platform & Platform::k32Bit) != 0) {
    return Layout::le32;
  }
  return version <= 24 ? Layout::v24_le64 : Layout::v26_le64;
}

/// Where a packet's data ends and the next packet begins; nothing if it does not fit.
struct Extent {
  std::uint64_t end = 0;
  std::uint64_t next = 0;
};

std::optional<Extent> extent(ByteView file, std::uint64_t at, Layout layout) {
  if (file.size() - at < header_size(layout)) {
    return std::nullopt;
  }
  const ByteView packet = file.subspan(static_cast<std::size_t>(at));
  const bool v24 = layout == Layout::v24_le64;
  const auto size = word<std::uint32_t>(packet, 0x20);
  const auto alignment = word<std::uint32_t>(packet, v24 ? 0x28 : 0x24);
  const bool same = std::memcmp(packet.data(), file.data(), kMagicSize) == 0;
  if (!same || !is_alignment(alignment) || (v24 && word<std::uint32_t>(packet, 0x24) != 0)) {
    return std::nullopt;
  }
  const std::uint64_t end = align_up(header_size(layout), alignment) + size;
  if (end > packet.size()) {
    return std::nullopt;
  }
  return Extent{at + end, at + next_packet(layout, end, alignment)};
}

std::size_t count_packets(ByteView file, Layout layout) {
  std::size_t count = 0;
  for (std::uint64_t at = 0; at < file.size();) {
    const auto found = extent(file, at, layout);
    if (!found) {
      break;
    }
    at = found->next;
    ++count;
  }
  return count;
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  std::size_t packets = document.packets.size();
  if constexpr (V::kReads) {
    packets = document.layout == Layout::big_endian ? 0 : count_packets(v.rest(), document.layout);
  }
  v.list("packets", document.packets, packets);
  if constexpr (V::kReads) {
    v.bulk("rest", document.rest, v.left());
  } else if (!document.rest.empty()) {
    describe_raw(v, "rest", document.rest, document.rest.size());
  }
}

Context context_of(const Document& document) { return {document.layout, 0}; }

void tell_platform(const Document& document, Diagnostics& diagnostics) {
  switch (document.layout) {
    case Layout::big_endian:
    case Layout::le32:
      diagnostics.add(
          codes::kMrnPlatform,
          platform_text(document.version, document.platform) +
              (document.layout == Layout::le32 ? ": the packets are listed, their content is kept as it is"
                                               : ": kept as it is"),
          0);
      break;
    case Layout::v24_le64:
      diagnostics.add(codes::kUnproven,
                      "an animation network of " + platform_text(document.version, document.platform) +
                          ", which no public file proves",
                      0);
      break;
    case Layout::v26_le64:
      break;
  }
}

}  // namespace

std::string platform_text(std::uint32_t version, std::uint32_t platform) {
  std::string text = "version " + std::to_string(version) + " for ";
  text += (platform & Platform::kBigEndian) != 0 ? "big-endian" : "little-endian";
  text += (platform & Platform::k32Bit) != 0 ? " 32-bit machines" : " 64-bit machines";
  return text;
}

std::optional<Layout> layout_of(ByteView bytes) {
  if (bytes.size() < kMagicSize) {
    return std::nullopt;
  }
  const auto version = word<std::uint32_t>(bytes, 0);
  const auto platform = word<std::uint32_t>(bytes, 4);
  const auto is = [](std::uint32_t flags, std::uint32_t order) {
    return flags == (order | Platform::k32Bit) || flags == (order | Platform::k64Bit);
  };
  if (is_version(swapped(version)) && is(swapped(platform), Platform::kBigEndian)) {
    return Layout::big_endian;
  }
  if (!is_version(version) || !is(platform, Platform::kLittleEndian)) {
    return std::nullopt;
  }
  const Layout layout = little_endian_layout(version, platform);
  if (bytes.size() < header_size(layout) || word<std::uint32_t>(bytes, 8) >= kMostTypes ||
      !is_alignment(word<std::uint32_t>(bytes, layout == Layout::v24_le64 ? 0x28 : 0x24))) {
    return std::nullopt;
  }
  return layout;
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  const auto layout = layout_of(bytes);
  if (!layout) {
    return bytes.size() < header_size(Layout::v26_le64)
               ? fail(codes::kTruncated, std::to_string(bytes.size()) + " bytes are no packet", 0)
               : fail(codes::kTagExpected, "no animation network begins like this", 0);
  }
  Document document;
  document.layout = *layout;
  document.version = word<std::uint32_t>(bytes, 0);
  document.platform = word<std::uint32_t>(bytes, 4);
  if (*layout == Layout::big_endian) {
    document.version = swapped(document.version);
    document.platform = swapped(document.platform);
  }
  Reader<Context> reader(bytes, context_of(document), options, diagnostics);
  describe(reader, document);
  if (reader.failed()) {
    return tl::unexpected<Error>(*reader.failure());
  }
  Diagnostics found;
  tell_platform(document, found);
  if (!document.rest.empty() && *layout != Layout::big_endian) {
    found.add(codes::kMrnPacket,
              std::to_string(document.rest.size()) + " bytes from here on are no packet that fits",
              bytes.size() - document.rest.size(),
              "packets[" + std::to_string(document.packets.size()) + "]");
  }
  return judged(std::move(document), found, options, diagnostics);
}

Bytes write(const Document& document) {
  return write_document(context_of(document), [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, context_of(document));
  describe(v, document);
}

// --- after editing
// ------------------------------------------------------------------------------------------------

namespace {

constexpr std::uint8_t kFill = 0xCD;

std::uint64_t body_size(const Packet& packet, const Context& context) {
  if (packet.data.replaces_fields() || std::holds_alternative<std::monostate>(packet.body)) {
    return packet.data.bytes.size();
  }
  MeasureSink sink;
  Writer<Context, MeasureSink> writer(sink, context);
  describe_body(writer, packet.body);
  return sink.reached() + packet.data.bytes.size();
}

void take_crcs(Document& document) {
  std::vector<std::pair<std::size_t, std::array<std::uint8_t, 4>>> crcs;
  for (const Packet& packet : document.packets) {
    if (const auto* animation = packet.get_if<nsa::Document>()) {
      crcs.emplace_back(packet.asset_id, animation->header.crc);
    }
  }
  for (Packet& packet : document.packets) {
    if (auto* names = packet.get_if<FileNames>()) {
      for (const auto& [index, crc] : crcs) {
        if (index < names->crcs.size()) {
          names->crcs[index] = crc;
        }
      }
    }
  }
}

}  // namespace

void lay_out(Document& document) {
  take_crcs(document);
  for (Packet& packet : document.packets) {
    packet.version = document.version;
    packet.platform = document.platform;
    const std::uint64_t size = body_size(packet, context_of(document));
    packet.size = static_cast<std::uint32_t>(size);
    packet.size_high = 0;
    const std::uint64_t header = header_size(document.layout);
    const std::uint64_t data = align_up(header, std::max(packet.alignment, 1U));
    const std::uint64_t end = data + size;
    packet.lead = Bytes(static_cast<std::size_t>(data - header), kFill);
    const std::uint64_t next = next_packet(document.layout, end, std::max(packet.alignment, 1U));
    packet.tail = Bytes(static_cast<std::size_t>(next - end), kFill);
  }
}

}  // namespace thaw::mrn
