// Everything that `convert` makes, and the options that apply to it.
#pragma once

#include <thaw/format.hpp>

#include "cli/jobs/engine.hpp"

#include <string_view>
#include <vector>

namespace thaw::cli {

/// What a format becomes with a word of --to; null if it does not.
const JobKind* convert_kind(Format format, std::string_view target);

std::vector<const JobKind*> convert_kinds();

}  // namespace thaw::cli
