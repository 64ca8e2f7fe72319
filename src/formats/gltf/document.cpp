#include "formats/gltf/document.hpp"

#include <thaw/value.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

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
Result<void> whole(const Document& document, std::size_t size) {
  if (!document.gaps.empty()) {
    const Gap& rest = document.gaps.front();
    return fail(codes::kTruncated,
                "incomplete chunk in the last " + counted(rest.bytes.size(), "byte") + " of the file",
                rest.offset, "chunks");
  }
  if (document.json().empty()) {
    return fail(codes::kTruncated, "the GLB has no JSON chunk", size, "chunks");
  }
  if (document.length > size) {
    return fail(codes::kTruncated,
                "the file states a length of " + std::to_string(document.length) + " bytes, but has " +
                    std::to_string(size),
                size, "length");
  }
  return {};
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

namespace {

Result<Document> read_text(ByteView bytes, const ReadOptions& options) {
  if (bytes.size() > options.limits.max_input_bytes) {
    return input_too_large(bytes.size(), options.limits);
  }
  Document document;
  document.binary = false;
  document.text.assign(bytes.begin(), bytes.end());
  if (options.strict) {  // otherwise the rules report it
    if (auto json = parse_json(as_bytes(document.json())); !json) {
      return tl::unexpected<Error>(std::move(json.error()));
    }
  }
  if (document.json().find('{') == std::string_view::npos) {
    return fail(codes::kFormatUnknown, "the file is neither a GLB nor a JSON object", 0);
  }
  return document;
}

}  // namespace

Result<Document> read(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  if (!is_binary(bytes)) {
    return read_text(bytes, options);
  }
  auto document = read_document<Document>(bytes, Context{}, options, diagnostics, Recognition{},
                                          [](auto& reader, Document& file) { describe(reader, file); });
  if (!document) {
    return document;
  }
  if (auto complete = whole(*document, bytes.size()); !complete) {
    if (options.strict) {
      return tl::unexpected<Error>(std::move(complete.error()));
    }
    diagnostics.add(std::move(complete.error()));
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
