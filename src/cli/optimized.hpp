// Smaller models, and what was won by what.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx_optimize.hpp>

#include "cli/product.hpp"
#include "cli/settings.hpp"

#include <filesystem>

namespace thaw::cli {

/// --max-error, --only and --skip.
mdx::OptimizeOptions optimize_options(const Settings& settings);

/// The model without what shows nothing, written and read again.
Result<Product> make_optimized(const mdx::Document& document, const mdx::OptimizeOptions& options,
                               const std::filesystem::path& output);

}  // namespace thaw::cli
