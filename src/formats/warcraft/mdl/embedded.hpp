// Data that MDL cannot hold, in comments (mdl.md#what-mdl-cannot-say): whole objects and chunks as bytes,
// bound by a checksum to the text next to them, so that bytes never overrule what someone edited.
#pragma once

#include <thaw/mdx.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thaw::mdl {

/// An object that its text does not give bit for bit.
struct EmbeddedObject {
  std::uint64_t checksum = 0;  ///< of the bytes that its text alone gives
  Bytes bytes;
};

/// A chunk that has no text, or whose text does not give it bit for bit.
struct EmbeddedChunk {
  std::size_t position = 0;  ///< in the order of chunks
  std::optional<std::uint32_t> stated_size;
  std::uint64_t checksum = 0;  ///< of the chunk that the text alone gives, 0 if it gives none
  Bytes bytes;
};

/// What is embedded for the file as a whole.
struct EmbeddedFile {
  std::optional<std::vector<FourCC>> order;  ///< all chunks
  std::vector<EmbeddedChunk> chunks;         ///< by position
  Bytes tail;

  [[nodiscard]] bool empty() const { return !order && chunks.empty() && tail.empty(); }
};

/// Everything that the writer must add to the text that it would write without.
struct Embedded {
  std::map<std::pair<std::size_t, std::size_t>, EmbeddedObject> objects;  ///< by chunk and item
  EmbeddedFile file;
};

/// A tag as text: its four characters, or base64 after `=` where a quoted text cannot hold them.
std::string tag_text(FourCC tag);
FourCC parse_tag(std::string_view text);

/// A chunk as it stands in a file, without tag and size.
Bytes payload_bytes(const mdx::Chunk& chunk, std::uint32_t version);
/// Reads a chunk from its payload. None if the bytes hold something else than one chunk.
std::optional<mdx::Chunk> read_chunk(FourCC tag, ByteView payload, std::optional<std::uint32_t> stated_size,
                                     std::uint32_t version);

/// The bytes of one object of a list.
template <class T>
Bytes object_bytes(FourCC tag, const T& object, std::uint32_t version) {
  mdx::Chunk chunk;
  chunk.tag = tag;
  chunk.body = mdx::List<T>{{object}};
  return payload_bytes(chunk, version);
}

/// What has to be embedded so that a text that gives `restored` gives `document`.
Embedded plan_embedded(const mdx::Document& document, const mdx::Document& restored);
/// The same, with whole chunks only.
EmbeddedFile plan_chunks(const mdx::Document& document, const mdx::Document& restored);

/// Puts the chunks of `document`, which come from text, into the embedded order and embedded ones in place of
/// theirs. Returns the tags of embedded chunks that no longer fit the text.
std::vector<FourCC> apply_embedded(const EmbeddedFile& embedded, mdx::Document& document);

/// Chunks in the usual order (mdx.md#chunk-order).
void sort_chunks(mdx::Document& document);

}  // namespace thaw::mdl
