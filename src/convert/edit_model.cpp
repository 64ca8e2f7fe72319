#include <thaw/edit.hpp>

#include "formats/list.hpp"
#include "formats/warcraft/mdx/edit/edits.hpp"

namespace thaw {

bool has_edits(Format format) { return format.descriptor().edit != nullptr; }

Result<Edited> edit_model(const AnyDocument& document, const ModelEdits& edits, Diagnostics& diagnostics) {
  const auto edit = descriptor_of(document).edit;
  if (edit == nullptr) {
    return fail(codes::kFormatUnsupported,
                std::string(document.identity().explanation) + "; this format cannot be edited");
  }
  const CodePageScope scope(document.code_page());
  return edit(document, edits, diagnostics).map([&](Edited&& edited) {
    edited.document.set_code_page(document.code_page());
    return std::move(edited);
  });
}

Result<Edited> portrait_of(const AnyDocument& document, Diagnostics& diagnostics) {
  return takes(Format(mdx::kFormat), document)
             ? mdx::portrait(document, {}, diagnostics)
             : fail(codes::kFormatUnsupported, std::string(document.identity().explanation) +
                                                   "; only Warcraft III models can have portraits");
}

}  // namespace thaw
