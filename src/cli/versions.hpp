// Models of another format version, and what they lost on the way.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx.hpp>

#include "cli/product.hpp"
#include "cli/settings.hpp"
#include "cli/targets.hpp"

#include <string>
#include <string_view>

namespace thaw::cli {

/// Why --format-version does not fit the output; empty if it does.
std::string objection_to_version(const Settings& settings, std::string_view wish);

/// The model as the version of --format-version, written and read again, as MDX or MDL. Losses are added to
/// the findings.
Result<Product> make_version(const mdx::Document& document, Target target, const std::string& name,
                             const Settings& settings, Diagnostics& findings);

/// Lines for stderr of losses that finding_lines leaves out although someone who converts wants to know:
/// those below error and from warning on. None with -q, and none with -v, which shows everything anyway.
std::string loss_lines(std::string_view input, const Diagnostics& findings, const Settings& settings,
                       bool color);

}  // namespace thaw::cli
