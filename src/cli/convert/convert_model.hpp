// Models between their binary form (MDX) and text (MDL).
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/jobs/product.hpp"
#include "cli/jobs/targets.hpp"

namespace thaw::cli {

/// Spelling and layout of MDL as the command line asks for them.
mdl::WriteOptions text_options(const Settings& settings);

/// Of a model that is written already, the bytes of `target`: those, or the model as MDL.
Bytes model_bytes(const mdx::Document& model, Bytes mdx, Target target, const Settings& settings,
                  Diagnostics& findings);

/// A model as `target` (mdx or mdl), under a file name.
Product make_model(const mdx::Document& model, Target target, std::string name, const Settings& settings,
                   Diagnostics& findings);

}  // namespace thaw::cli
