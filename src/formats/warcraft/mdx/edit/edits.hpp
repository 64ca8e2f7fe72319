#pragma once

#include "formats/edits.hpp"

namespace thaw::mdx {

/// Of documents of MDX, which are those of MDL, too. A model with damaged parts is refused: they may refer to
/// anything.
Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
/// `make_portrait`, with the same care.
Result<Edited> portrait(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
inline constexpr std::string_view kEditOptions =
    "remove rename-sequence repath copy-clips bone-map add-attachment attach team-color-layer scale rotate "
    "move "
    "optimize";

}  // namespace thaw::mdx
