// Smaller models, and what was won by what.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx_optimize.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/jobs/product.hpp"
#include "cli/jobs/targets.hpp"

#include <string>

namespace thaw::cli {

/// The model without what shows nothing, as --max-error, --only and --skip say, written and read again.
Result<Product> make_optimized(const mdx::Document& document, Target target, const std::string& name,
                               const Settings& settings, Diagnostics& findings);

}  // namespace thaw::cli
