#include "describe/inspection.hpp"
#include "describe/limits.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

#include "formats/forgelight/mrn/description.hpp"

namespace thaw::mrn {
namespace {

/// The reader knows them; the description does not say how they are found.
template <class V>
std::size_t count_packets(V& v, Layout /*layout*/) {
  return v.context().places.size();
}

template <class V>
void describe(V& v, As<V, Document>& document) {
  std::size_t packets = document.packets.size();
  if constexpr (V::kReads) {
    packets = document.layout == Layout::big_endian ? 0 : count_packets(v, document.layout);
  }
  v.list("packets", document.packets, packets);
  if constexpr (V::kReads) {
    v.bulk("rest", document.rest, v.left());
  } else if (!document.rest.empty()) {
    describe_raw(v, "rest", document.rest, document.rest.size());
  }
}

Context context_of(const Document& document) { return {document.layout, 0, {}, 0, {}}; }

void report_platform(const Document& document, Diagnostics& diagnostics) {
  switch (document.layout) {
    case Layout::big_endian:
    case Layout::le32:
      diagnostics.add(codes::kMrnPlatform,
                      platform_text(document.version, document.platform) +
                          (document.layout == Layout::le32
                               ? ": the packets are listed, their content is preserved unchanged"
                               : ": preserved unchanged"),
                      0);
      break;
    case Layout::v24_le64:
      diagnostics.add(codes::kUnproven,
                      "the layout of animation networks of " +
                          platform_text(document.version, document.platform) +
                          " is confirmed by no public file; please share the file",
                      0);
      break;
    case Layout::v26_le64:
      break;
  }
}

}  // namespace

Packet::Body::Body() = default;
Packet::Body::Body(const Body& other) = default;
Packet::Body::Body(Body&& other) noexcept = default;
Packet::Body& Packet::Body::operator=(const Body& other) = default;
Packet::Body& Packet::Body::operator=(Body&& other) noexcept = default;
Packet::Body::~Body() = default;
bool operator==(const Packet::Body& a, const Packet::Body& b) {
  return static_cast<const Packet::Body::variant&>(a) == static_cast<const Packet::Body::variant&>(b);
}

std::string platform_text(std::uint32_t version, std::uint32_t platform) {
  std::string text = "version " + std::to_string(version) + " for ";
  text += (platform & Platform::kBigEndian) != 0 ? "big-endian" : "little-endian";
  text += (platform & Platform::k32Bit) != 0 ? " 32-bit machines" : " 64-bit machines";
  return text;
}

std::optional<Layout> layout_of(ByteView bytes) {
  const auto magic = magic_of(bytes);
  return magic ? std::optional(magic->layout) : std::nullopt;
}

namespace {

/// The list of files has the checksums of the animations, too.
void link_crcs(InspectionVisitor<Context>& v, const Document& document, const FileNames& names) {
  for (const Packet& packet : document.packets) {
    const auto* animation = packet.get_if<nsa::Document>();
    if (animation != nullptr && packet.asset_id < names.crcs.size()) {
      repeats(v, names.crcs[packet.asset_id], animation->header.crc);
    }
  }
}

/// Packets whose headers are damaged, and what is none.
void report_damage(const Document& document, std::span<const PacketExtent> places, std::size_t size,
                   Diagnostics& found) {
  const auto report = [&](std::string message, std::uint64_t at, std::size_t packet) {
    if (found.has_room()) {
      found.add(codes::kMrnPacket, std::move(message), at, "packets[" + std::to_string(packet) + "]");
    }
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].damaged > 0) {
      report(
          "no valid packet in " + counted(places[i].damaged, "byte") + " from here on; preserved unchanged",
          places[i].at - places[i].damaged, i);
    }
    if (!places[i].odd.empty()) {
      report("damaged header: " + places[i].odd, places[i].at, i);
    }
  }
  if (!document.rest.empty() && document.layout != Layout::big_endian) {
    report(
        "no valid packet in " + counted(document.rest.size(), "byte") + " from here on; preserved unchanged",
        size - document.rest.size(), document.packets.size());
  }
}

}  // namespace

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  const auto magic = magic_of(bytes);
  if (!magic) {
    return bytes.size() < header_size(Layout::v26_le64)
               ? fail(codes::kTruncated,
                      "the file has " + std::to_string(bytes.size()) +
                          " bytes, fewer than the header of a packet",
                      0)
               : fail(codes::kTagExpected,
                      "the file does not begin with a packet of an animation network (MRN)", 0);
  }
  Document document;
  document.layout = magic->layout;
  document.version = magic->version;
  document.platform = magic->platform;
  std::vector<PacketExtent> places;
  if (magic->layout != Layout::big_endian) {
    places = packet_places(bytes, *magic);
  }
  Context context = context_of(document);
  context.places = places;
  Reader<Context> reader(bytes, context, options, diagnostics);
  describe(reader, document);
  if (reader.failed()) {
    return tl::unexpected<Error>(*reader.failure());
  }
  Diagnostics found;
  report_platform(document, found);
  report_damage(document, places, bytes.size(), found);
  return judged(std::move(document), found, options, diagnostics);
}

Bytes write(const Document& document) {
  return write_document(context_of(document), [&](auto& writer) { describe(writer, document); });
}

void inspect(const Document& document, Inspector& inspector) {
  InspectionVisitor<Context> v(inspector, context_of(document));
  describe(v, document);
  for (const Packet& packet : document.packets) {
    if (const auto* names = packet.get_if<FileNames>()) {
      link_crcs(v, document, *names);
    }
  }
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
