// Structure of both dialects of MDX: MDLX, then chunks of a tag and a size to the end of the file.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/mdx.hpp>
#include <thaw/options.hpp>

#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"
#include "formats/warcraft/mdx/convert/missing_chunks.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

namespace thaw::mdx {

inline constexpr FourCC kMagic{"MDLX"};
inline constexpr std::size_t kChunkHeader = 8;
/// A chunk in memory is many times larger than an empty one in the file, and real files have some twenty.
/// What lies after this many is kept as the file's tail.
inline constexpr std::size_t kMaxChunks = 4096;

struct ChunkHeader {
  FourCC tag;
  std::uint32_t size = 0;
};

/// Calls `visit(header, payload)` for each chunk that a document has until it returns false; the payload is
/// cut at the end of the file.
template <class F>
void scan_chunks(ByteView bytes, F&& visit) {
  std::size_t at = kMagic.bytes.size();
  for (std::size_t count = 0; count < kMaxChunks && at + kChunkHeader <= bytes.size(); ++count) {
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

/// What a document states, the same as is found by reading: damaged, a chunk says nothing.
template <class Document>
std::optional<std::uint32_t> version_of(const Document& document) {
  for (const auto& chunk : document.chunks) {
    const auto* version = std::get_if<Version>(&chunk.body);
    if (version != nullptr && !chunk.remainder.replaces_fields()) {
      return version->value;
    }
  }
  return std::nullopt;
}

/// One table of these joins tags and chunk types.
template <class Body>
struct ChunkKind {
  FourCC tag;
  void (*make)(Body&);
};

template <class Kinds>
const auto* chunk_kind(const Kinds& kinds, FourCC tag) {
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.tag == tag; });
  return found == kinds.end() ? nullptr : &*found;
}

/// `describe(body)` runs the description of the chunk's body.
template <class Kind, class Context, class Chunk, class Describe>
void read_chunk(Reader<Context>& reader, const Kind* kind, const ChunkHeader& header, Chunk& chunk,
                const Describe& describe) {
  chunk.tag = header.tag;
  const std::size_t available = reader.left();
  if (header.size > available) {
    chunk.stated_size = header.size;
    reader.note(codes::kChunkOverrun, "",
                "chunk " + header.tag.text() + " states " + std::to_string(header.size) +
                    " bytes, but only " + std::to_string(available) +
                    " remain; it is read up to the end of the file");
  }
  const std::size_t size = std::min<std::size_t>(header.size, available);
  if (kind != nullptr) {
    kind->make(chunk.body);
  }
  if (chunk.body.index() == 0) {
    if (kind == nullptr) {
      reader.note(codes::kChunkUnknown, "", "unknown chunk " + header.tag.text() + " is preserved unchanged");
    }
    reader.bulk("raw", chunk.remainder.bytes, size);
    chunk.remainder.state = Remainder::State::replaces_fields;
    return;
  }
  reader.payload(chunk.remainder, header.tag, size, [&] { std::visit(describe, chunk.body); });
}

template <class Kinds, class Context, class Document>
void note_duplicates(Reader<Context>& reader, const Kinds& kinds, const Document& document) {
  for (std::size_t i = 0; i < document.chunks.size(); ++i) {
    const FourCC tag = document.chunks[i].tag;
    const auto first = document.chunks.begin();
    const auto here = first + static_cast<std::ptrdiff_t>(i);
    const bool again = std::any_of(first, here, [&](const auto& chunk) { return chunk.tag == tag; });
    if (again && chunk_kind(kinds, tag) != nullptr) {
      reader.note(codes::kChunkDuplicate, tag.text().c_str(),
                  "chunk " + tag.text() + " occurs more than once; all of them are read");
      return;
    }
  }
}

/// The chunks of a file whose magic is there, and what follows them.
template <class Kinds, class Context, class Document, class Describe>
Result<Document> read_chunks(Reader<Context>& reader, const Kinds& kinds, Document document,
                             const Describe& describe) {
  reader.tag(kMagic);
  while (reader.left() >= kChunkHeader && document.chunks.size() < kMaxChunks && !reader.failed()) {
    ChunkHeader header;
    reader.field("tag", header.tag.bytes);
    reader.field("size", header.size);
    read_chunk(reader, chunk_kind(kinds, header.tag), header, document.chunks.emplace_back(), describe);
  }
  reader.tail("tail", document.tail, kChunkHeader);
  if (reader.strict()) {  // otherwise the rules report it
    for (const auto& missing : missing_chunks(document)) {
      reader.fail(codes::kTagExpected, missing.tag.text().c_str(), missing.message());
    }
  }
  if (reader.failed()) {
    return tl::unexpected<Error>(*reader.failure());
  }
  note_duplicates(reader, kinds, document);
  return document;
}

template <class V, class Document, class Describe>
void write_chunks(V& v, const Document& document, const Describe& describe) {
  v.tag(kMagic);
  for (const auto& chunk : document.chunks) {
    v.field("tag", chunk.tag.bytes);
    const std::uint64_t size_at = v.here();
    v.field("size", chunk.stated_size.value_or(0));
    const std::uint64_t start = v.here();
    v.payload(chunk.remainder, chunk.tag, 0, [&] { std::visit(describe, chunk.body); });
    if (!chunk.stated_size) {
      v.patch(size_at, v.here() - start);
    }
  }
  v.bulk("tail", document.tail, document.tail.size());
}

template <class Context, class Document, class Describe>
void inspect_chunks(InspectionVisitor<Context>& v, Inspector& inspector, const Document& document,
                    const Describe& describe) {
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
    if (chunk.body.index() == 0) {
      v.raw("bytes", chunk.remainder.bytes);
    } else {
      v.payload(chunk.remainder, chunk.tag, 0, [&] { std::visit(describe, chunk.body); });
    }
    inspector.end(v.here());
  }
  inspector.end(v.here());
  v.raw("tail", document.tail);
}

}  // namespace thaw::mdx
