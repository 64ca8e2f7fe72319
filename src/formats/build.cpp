#include <thaw/edit.hpp>

#include "document/build.hpp"
#include "formats/list.hpp"

namespace thaw {
namespace {

/// What was built, read again: as the format that it says it is of.
Result<AnyDocument> read_built(const Built& built, const ReadOptions& options, Diagnostics& diagnostics) {
  const Format stated = find_format(built.format);
  if (!stated.reads()) {
    return fail(codes::kBuildLayout, "no files of the format \"" + built.format + "\" are written");
  }
  auto document = read_any(built.bytes, options, diagnostics);
  if (!document) {
    return fail(codes::kBuildDiffers, "the file could not be read again: " + document.error().message,
                document.error().offset, document.error().path);
  }
  const Format found = document->identity().format;
  if (found != stated && !(stated.is_text() && stated.descriptor().document.take(*document))) {
    return fail(codes::kBuildDiffers, "the file would be of the format " + std::string(found.id()) +
                                          ", not " + std::string(stated.id()));
  }
  if (const auto path = first_strange_leaf(inspection_of(*document), built.leaves)) {
    return fail(codes::kBuildDiffers,
                "read again, the file would hold other fields from here on: a size, count or offset "
                "does not fit what it is of",
                {}, *path);
  }
  return document;
}

}  // namespace

std::string dump_any(const AnyDocument& document) {
  const Inspection inspection = inspection_of(document);
  const FormatDescriptor& format = descriptor_of(document);
  std::string text = dump_json(inspection);
  const Layout layout = layout_of(inspection, format.document.content(document), format.id);
  text.resize(text.rfind('}'));
  while (text.back() == '\n') {
    text.pop_back();
  }
  const bool empty = text == "{";
  text += empty ? "\n  \"$layout\": " : ",\n  \"$layout\": ";
  text += layout_json(layout);
  text += "\n}\n";
  return text;
}

Result<AnyDocument> build_any(std::string_view json, const ReadOptions& options, Diagnostics& diagnostics) {
  return build_bytes(json).and_then([&](const Built& built) -> Result<AnyDocument> {
    auto document = read_built(built, options, diagnostics);
    const Format stated = find_format(built.format);
    if (!document || document->identity().format == stated) {
      return document;
    }
    // A text's model was built as a file of the binary format.
    const Bytes text = stated.descriptor().document.write(*document);
    return read_any(text, options, diagnostics);
  });
}

}  // namespace thaw
