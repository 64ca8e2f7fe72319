#pragma once

#include <thaw/edit.hpp>

namespace thaw::mdx {

/// Of documents of MDX, which are those of MDL, too. A model with damaged parts is refused: they may refer to
/// anything.
Result<Edited> edit(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);
/// `make_portrait`, with the same care.
Result<Edited> portrait(const AnyDocument& any, const ModelEdits& edits, Diagnostics& findings);

}  // namespace thaw::mdx
