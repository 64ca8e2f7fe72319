#include "formats/gltf/document.hpp"

#include "bytes/text.hpp"
#include "document/inspection.hpp"
#include "document/json_reader.hpp"
#include "document/reader.hpp"
#include "document/writer.hpp"

namespace thaw::gltf {
namespace {

bool is_binary(ByteView bytes) {
  return bytes.size() >= kMagic.bytes.size() &&
         std::memcmp(bytes.data(), kMagic.bytes.data(), kMagic.bytes.size()) == 0;
}

/// Shows a text as what it is.
void inspect_text(const Document& document, Inspector& inspector) {
  Leaf leaf;
  leaf.name = "text";
  leaf.role = LeafRole::text;
  leaf.size = document.text.size();
  leaf.data = document.text.data();
  inspector.leaf(leaf);
}

/// What is wrong with the container, or nothing.
std::optional<Error> damage(const Document& document, std::size_t size) {
  if (!document.gaps.empty()) {
    const Gap& rest = document.gaps.front();
    return Error{codes::kTruncated, rest.offset, "chunks",
                 "the last " + std::to_string(rest.bytes.size()) + " bytes are no whole chunk"};
  }
  if (document.json().empty()) {
    return Error{codes::kTruncated, size, "chunks", "a GLB without its JSON"};
  }
  if (document.length > size) {
    return Error{
        codes::kTruncated, size, "length",
        "the file states " + std::to_string(document.length) + " bytes and has " + std::to_string(size)};
  }
  return std::nullopt;
}

}  // namespace

std::string_view Document::json() const {
  if (!binary) {
    return without_byte_order_mark(as_text(text));
  }
  for (const Chunk& chunk : chunks) {
    if (chunk.type == kJson) {
      return as_text(chunk.data);
    }
  }
  return {};
}

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (!is_binary(bytes)) {
    if (bytes.size() > options.limits.max_input_bytes) {
      return input_too_large(bytes.size(), options.limits);
    }
    Document document;
    document.binary = false;
    document.text.assign(bytes.begin(), bytes.end());
    if (options.strict) {  // otherwise it is for the rules to tell
      if (auto json = parse_json(as_bytes(document.json())); !json) {
        return tl::unexpected<Error>(std::move(json.error()));
      }
    }
    return document.json().find('{') == std::string_view::npos
               ? Result<Document>(fail(codes::kFormatUnknown, "neither a GLB nor a text with an object", 0))
               : Result<Document>(std::move(document));
  }
  auto document = read_document<Document>(bytes, Context{}, options, diagnostics, Recognition{},
                                          [](auto& reader, Document& file) { describe(reader, file); });
  if (auto wrong = document ? damage(*document, bytes.size()) : std::nullopt) {
    if (options.strict) {
      return tl::unexpected<Error>(std::move(*wrong));
    }
    diagnostics.add(std::move(*wrong));
  }
  return document;
}

Bytes write(const Document& document) {
  return document.binary ? write_document(Context{}, [&](auto& writer) { describe(writer, document); })
                         : document.text;
}

void inspect(const Document& document, Inspector& inspector) {
  if (!document.binary) {
    inspect_text(document, inspector);
    return;
  }
  InspectionVisitor<Context> visitor(inspector, Context{});
  describe(visitor, document);
}

}  // namespace thaw::gltf
