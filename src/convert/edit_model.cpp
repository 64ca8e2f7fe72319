#include <thaw/model_edit.hpp>

#include "formats/list.hpp"
#include "formats/warcraft/mdx/edit/edits.hpp"

namespace thaw {

bool has_edits(Format format) { return format.descriptor().edit != nullptr; }

Result<Edited> edit_model(const AnyDocument& document, const ModelEdits& edits, Diagnostics& diagnostics) {
  const auto edit = descriptor_of(document).edit;
  return edit == nullptr ? fail(codes::kFormatUnsupported, std::string(document.identity().explanation) +
                                                               "; this format cannot be edited")
                         : edit(document, edits, diagnostics);
}

Result<Edited> portrait_of(const AnyDocument& document, Diagnostics& diagnostics) {
  return takes(Format(mdx::kFormat), document)
             ? mdx::portrait(document, {}, diagnostics)
             : fail(codes::kFormatUnsupported, std::string(document.identity().explanation) +
                                                   "; only Warcraft III models can have portraits");
}

}  // namespace thaw
