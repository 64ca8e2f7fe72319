// Models of another format version, and what they lost on the way.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>

#include "cli/arguments/settings.hpp"
#include "cli/jobs/product.hpp"
#include "cli/jobs/targets.hpp"

#include <string>
#include <string_view>

namespace thaw::cli {

/// Why --format-version does not fit the output; empty if it does.
std::string objection_to_version(const Settings& settings, std::string_view target);

/// The model as the version of --format-version, written and read again, as MDX or MDL. Losses are added to
/// the findings.
Result<Product> make_version(const mdx::Document& document, Target target, const std::string& name,
                             const Settings& settings, Diagnostics& findings);

}  // namespace thaw::cli
