#include <thaw/edit.hpp>

#include "formats/built.hpp"
#include "formats/list.hpp"

namespace thaw {

namespace {

/// Of what was found when a text was read, what its document does not hold.
std::vector<std::string> lost_in(const Diagnostics& reading) {
  std::vector<std::string> lost;
  for (const Diagnostic& finding : reading.items()) {
    if (finding.code == codes::kMdlUnknown) {
      lost.push_back(finding.message);
    }
  }
  return lost;
}

/// The dump with its layout as the first member or as the last.
bool dump_with(const Inspection& inspection, const Layout& layout, bool first, const TextSink& sink,
               const Control* control) {
  const std::string member = "\n  \"$layout\": " + layout_json(layout);
  constexpr std::size_t kEnd = 4;  // "\n}\n" or "{}\n", in place of which the layout comes
  std::string pending;
  bool begun = false;
  const auto hold = [&](std::string_view piece) {
    pending += piece;
    if (first && !begun && pending.size() > kEnd) {
      pending.insert(1, member + ",");
      begun = true;
    }
    const std::size_t ready = pending.size() < kEnd ? 0 : pending.size() - kEnd;
    const bool goes_on = ready == 0 || sink(std::string_view(pending).substr(0, ready));
    pending.erase(0, ready);
    return goes_on;
  };
  if (!dump_json(inspection, hold, control)) {
    return false;
  }
  if (begun) {
    return sink(pending);
  }
  pending.resize(pending.rfind('}'));
  while (!pending.empty() && pending.back() == '\n') {
    pending.pop_back();
  }
  return sink(pending + (pending == "{" ? "" : ",") + member + "\n}\n");
}

}  // namespace

Result<AnyDocument> read_built(const Built& built, const ReadOptions& options, Diagnostics& diagnostics) {
  const Format stated = find_format(built.format);
  if (!stated.reads()) {
    return fail(codes::kBuildLayout, "files of the format \"" + built.format + "\" cannot be written");
  }
  auto document = read_any(built.bytes, options, diagnostics);
  if (!document) {
    return fail(codes::kBuildDiffers, "the built file cannot be read: " + document.error().message,
                document.error().offset, document.error().path);
  }
  const Format found = document->identity().format;
  if (found != stated && !(stated.is_text() && stated.descriptor().document.take(*document))) {
    return fail(codes::kBuildDiffers, "the built file would have the format " + std::string(found.id()) +
                                          ", not " + std::string(stated.id()));
  }
  if (const auto path = first_strange_leaf(inspection_of(*document), built.leaves, built.moved)) {
    return fail(codes::kBuildDiffers, std::string(kStrangeLeaf), {}, *path);
  }
  if (found == stated) {
    return document;
  }
  for (const std::string& lost : built.lost) {
    diagnostics.add(codes::kMdlUnknown, lost);
  }
  // A text's model was built as a file of the binary format.
  const Bytes text = stated.descriptor().document.write(*document);
  return read_any(text, options, diagnostics);
}

bool dump_any(const Inspection& inspection, const Storage& bytes, std::string_view format,
              const TextSink& sink, const Control* control) {
  const Layout layout = layout_of(inspection, bytes, format);
  return !is_stopped(control) && dump_with(inspection, layout, true, sink, control);
}

bool dump_any(const AnyDocument& document, const TextSink& sink, const Control* control,
              const Diagnostics& reading) {
  const FormatDescriptor& format = descriptor_of(document);
  const Inspection inspection = inspection_of(document);
  Layout layout = layout_of(inspection, *memory_storage(format.document.content(document)), format.id);
  layout.lost = lost_in(reading);
  return dump_with(inspection, layout, false, sink, control);
}

std::string dump_any(const AnyDocument& document) {
  std::string text;
  dump_any(
      document,
      [&](std::string_view piece) {
        text += piece;
        return true;
      },
      nullptr);
  return text;
}

Result<AnyDocument> build_any(std::string_view json, const ReadOptions& options, Diagnostics& diagnostics) {
  return lay_bytes(json, options.code_page).and_then(assemble).and_then([&](const Built& built) {
    return read_built(built, options, diagnostics);
  });
}

}  // namespace thaw
