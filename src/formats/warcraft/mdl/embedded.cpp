#include "formats/warcraft/mdl/embedded.hpp"

#include "bytes/hash.hpp"
#include "bytes/text_encoding.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <type_traits>

namespace thaw::mdl {
namespace {

constexpr std::size_t kChunkHeader = 8;

/// The usual order of chunks (mdx.md#chunk-order).
constexpr std::array kUsualOrder = {
    FourCC{"VERS"}, FourCC{"MODL"}, FourCC{"SEQS"}, FourCC{"GLBS"}, FourCC{"MTLS"}, FourCC{"TEXS"},
    FourCC{"TXAN"}, FourCC{"GEOS"}, FourCC{"GEOA"}, FourCC{"BONE"}, FourCC{"LITE"}, FourCC{"HELP"},
    FourCC{"ATCH"}, FourCC{"PIVT"}, FourCC{"PREM"}, FourCC{"PRE2"}, FourCC{"CORN"}, FourCC{"RIBB"},
    FourCC{"CAMS"}, FourCC{"EVTS"}, FourCC{"CLID"}, FourCC{"FAFX"}, FourCC{"BPOS"}, FourCC{"DILG"}};

void put_word(Bytes& bytes, std::uint32_t word) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(word >> shift & 0xFFU));
  }
}
void put_tag(Bytes& bytes, FourCC tag) {
  for (const char c : tag.bytes) {
    bytes.push_back(static_cast<std::uint8_t>(c));
  }
}

constexpr std::size_t kHeadChunks = 2;

/// The beginning of a file of a version. The size of its MODL says that the game is Warcraft III, which other
/// chunks of versions 1300 to 1500 leave open (mdx.md#telling-the-dialects-apart).
Bytes file_head(std::uint32_t version) {
  Bytes bytes;
  put_tag(bytes, FourCC{"MDLX"});
  put_tag(bytes, FourCC{"VERS"});
  put_word(bytes, sizeof version);
  put_word(bytes, version);
  put_tag(bytes, FourCC{"MODL"});
  put_word(bytes, mdx::Model::kRecordSize);
  bytes.resize(bytes.size() + mdx::Model::kRecordSize, 0);
  return bytes;
}

const mdx::Chunk* find_chunk(const mdx::Document& document, FourCC tag) {
  const auto found = std::find_if(document.chunks.begin(), document.chunks.end(),
                                  [&](const mdx::Chunk& chunk) { return chunk.tag == tag; });
  return found == document.chunks.end() ? nullptr : &*found;
}

std::uint64_t checksum_of_chunk(const mdx::Chunk* chunk, std::uint32_t version) {
  return chunk == nullptr ? 0 : fnv1a(payload_bytes(*chunk, version));
}

EmbeddedChunk embedded_chunk(const mdx::Document& document, const mdx::Document& restored,
                             std::size_t position) {
  const mdx::Chunk& chunk = document.chunks[position];
  const mdx::Chunk* restored_chunk = find_chunk(restored, chunk.tag);
  return {position, chunk.stated_size, checksum_of_chunk(restored_chunk, restored.version()),
          payload_bytes(chunk, document.version())};
}

std::vector<FourCC> tags_of(const mdx::Document& document) {
  std::vector<FourCC> tags;
  tags.reserve(document.chunks.size());
  for (const auto& chunk : document.chunks) {
    tags.push_back(chunk.tag);
  }
  return tags;
}

/// Adds what differs of two lists of the same length. False if objects alone cannot fix it.
template <class T>
bool plan_objects(const mdx::List<T>& original, const mdx::List<T>& restored, FourCC tag,
                  std::uint32_t version, std::size_t position, Embedded& embedded) {
  if (original.items.size() != restored.items.size()) {
    return false;
  }
  for (std::size_t i = 0; i < original.items.size(); ++i) {
    Bytes bytes = object_bytes(tag, original.items[i], version);
    const Bytes plain = object_bytes(tag, restored.items[i], version);
    if (bytes != plain) {
      embedded.objects[{position, i}] = {fnv1a(plain), std::move(bytes)};
    }
  }
  return true;
}

bool plan_chunk(const mdx::Chunk& original, const mdx::Chunk& restored, std::uint32_t version,
                std::size_t position, Embedded& embedded) {
  if (!original.remainder.empty() || original.remainder.replaces_fields() || original.stated_size) {
    return false;
  }
  return std::visit(
      [&](const auto& body) {
        using Body = std::remove_cvref_t<decltype(body)>;
        if constexpr (requires { body.items; }) {
          const auto* other = std::get_if<Body>(&restored.body);
          return other != nullptr && plan_objects(body, *other, original.tag, version, position, embedded);
        } else {
          return false;
        }
      },
      original.body);
}

bool occurs_once(const mdx::Document& document, FourCC tag) {
  const auto is_one = [&](const mdx::Chunk& chunk) { return chunk.tag == tag; };
  const auto first = std::find_if(document.chunks.begin(), document.chunks.end(), is_one);
  return first != document.chunks.end() && std::none_of(first + 1, document.chunks.end(), is_one);
}

}  // namespace

// --- text of bytes
// ------------------------------------------------------------------------------------------------

std::string tag_text(FourCC tag) {
  const bool quotable = std::all_of(tag.bytes.begin(), tag.bytes.end(),
                                    [](char c) { return c >= ' ' && c <= '~' && c != '"'; });
  if (quotable) {
    return std::string(tag.view());
  }
  std::string text = "=";
  append_base64(text, {reinterpret_cast<const std::uint8_t*>(tag.bytes.data()), tag.bytes.size()});
  return text;
}

FourCC parse_tag(std::string_view text) {
  FourCC tag;
  if (text.size() == tag.bytes.size()) {
    std::copy(text.begin(), text.end(), tag.bytes.begin());
    return tag;
  }
  const auto raw = text.empty() ? std::nullopt : decode_base64(text.substr(1));
  if (raw && raw->size() == tag.bytes.size()) {
    std::copy(raw->begin(), raw->end(), tag.bytes.begin());
  }
  return tag;
}

// --- chunks
// -------------------------------------------------------------------------------------------------------

Bytes payload_bytes(const mdx::Chunk& chunk, std::uint32_t version) {
  mdx::Document document;
  if (chunk.tag != FourCC{"VERS"}) {
    document.chunks.emplace_back();
    document.chunks.back().tag = FourCC{"VERS"};
    document.chunks.back().body = mdx::Version{version};
  }
  const std::size_t head = 4 + document.chunks.size() * (kChunkHeader + sizeof version) + kChunkHeader;
  document.chunks.push_back(chunk);
  const Bytes bytes = mdx::write(document);
  return {bytes.begin() + static_cast<std::ptrdiff_t>(head), bytes.end()};
}

std::optional<mdx::Chunk> read_chunk(FourCC tag, ByteView payload, std::optional<std::uint32_t> stated_size,
                                     std::uint32_t version) {
  Bytes bytes = file_head(version);
  put_tag(bytes, tag);
  put_word(bytes, stated_size.value_or(static_cast<std::uint32_t>(payload.size())));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  Diagnostics ignored(0);
  auto document = mdx::read(bytes, {}, ignored);
  if (!document || document->chunks.size() != kHeadChunks + 1 || !document->tail.empty()) {
    return std::nullopt;
  }
  return std::move(document->chunks.back());
}

EmbeddedFile plan_chunks(const mdx::Document& document, const mdx::Document& restored) {
  EmbeddedFile embedded;
  const std::vector<FourCC> order = tags_of(document);
  for (std::size_t i = 0; i < document.chunks.size(); ++i) {
    const mdx::Chunk& chunk = document.chunks[i];
    const mdx::Chunk* restored_chunk = find_chunk(restored, chunk.tag);
    const Bytes payload = payload_bytes(chunk, document.version());
    const bool same = restored_chunk != nullptr && !chunk.stated_size && occurs_once(document, chunk.tag) &&
                      payload == payload_bytes(*restored_chunk, restored.version());
    // A chunk of no bytes follows from the order alone.
    const bool follows = restored_chunk == nullptr && payload.empty() && !chunk.stated_size;
    if (!same && !follows) {
      embedded.chunks.push_back(embedded_chunk(document, restored, i));
    }
  }
  if (order != tags_of(restored) || !embedded.chunks.empty()) {
    embedded.order = order;
  }
  embedded.tail = document.tail;
  return embedded;
}

Embedded plan_embedded(const mdx::Document& document, const mdx::Document& restored) {
  Embedded embedded;
  embedded.file = plan_chunks(document, restored);
  std::vector<EmbeddedChunk> chunks;
  for (auto& chunk : embedded.file.chunks) {
    const mdx::Chunk& original = document.chunks[chunk.position];
    const mdx::Chunk* restored_chunk = find_chunk(restored, original.tag);
    const bool by_object =
        restored_chunk != nullptr && occurs_once(document, original.tag) &&
        plan_chunk(original, *restored_chunk, document.version(), chunk.position, embedded);
    if (!by_object) {
      chunks.push_back(std::move(chunk));
    }
  }
  embedded.file.chunks = std::move(chunks);
  if (embedded.file.chunks.empty() && embedded.file.order == tags_of(restored)) {
    embedded.file.order.reset();
  }
  return embedded;
}

std::vector<FourCC> apply_embedded(const EmbeddedFile& embedded, mdx::Document& document) {
  std::vector<FourCC> stale;
  document.tail = embedded.tail;
  if (!embedded.order) {
    return stale;
  }
  const std::uint32_t version = document.version();
  const mdx::Document reported = std::move(document);
  document = {};
  // The order and the chunks come from the text: either may be long.
  using Tag = std::array<char, 4>;
  std::map<Tag, const mdx::Chunk*> reported_by_tag;
  std::map<Tag, std::uint64_t> checksums;
  for (const auto& chunk : reported.chunks) {
    if (reported_by_tag.emplace(chunk.tag.bytes, &chunk).second) {
      checksums[chunk.tag.bytes] = checksum_of_chunk(&chunk, version);
    }
  }
  std::map<std::uint64_t, const EmbeddedChunk*> embedded_by_position;
  for (const auto& chunk : embedded.chunks) {
    embedded_by_position.emplace(chunk.position, &chunk);
  }
  std::set<Tag> used;
  for (std::size_t i = 0; i < embedded.order->size(); ++i) {
    const FourCC tag = (*embedded.order)[i];
    const auto found = reported_by_tag.find(tag.bytes);
    const mdx::Chunk* text = found == reported_by_tag.end() ? nullptr : found->second;
    if (const auto raw = embedded_by_position.find(i); raw != embedded_by_position.end()) {
      auto chunk = (text == nullptr ? checksum_of_chunk(nullptr, version) : checksums[tag.bytes]) ==
                           raw->second->checksum
                       ? read_chunk(tag, raw->second->bytes, raw->second->stated_size, version)
                       : std::nullopt;
      if (chunk) {
        document.chunks.push_back(std::move(*chunk));
        used.insert(tag.bytes);
        continue;
      }
      stale.push_back(tag);
    }
    if (text != nullptr && !used.contains(tag.bytes)) {
      document.chunks.push_back(*text);
    } else if (auto empty = text == nullptr ? read_chunk(tag, {}, {}, version) : std::nullopt) {
      document.chunks.push_back(std::move(*empty));
    }
    used.insert(tag.bytes);
  }
  // Blocks that were added to the text.
  for (const auto& chunk : reported.chunks) {
    if (!used.contains(chunk.tag.bytes) && chunk.tag != FourCC{"VERS"}) {
      document.chunks.push_back(chunk);
    }
  }
  document.tail = embedded.tail;
  return stale;
}

void sort_chunks(mdx::Document& document) {
  const auto place = [](const mdx::Chunk& chunk) {
    return std::find(kUsualOrder.begin(), kUsualOrder.end(), chunk.tag) - kUsualOrder.begin();
  };
  std::sort(document.chunks.begin(), document.chunks.end(),
            [&](const mdx::Chunk& a, const mdx::Chunk& b) { return place(a) < place(b); });
}

}  // namespace thaw::mdl
