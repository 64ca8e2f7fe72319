// The end of a batch.
#pragma once

#include "cli/jobs/batch.hpp"

#include <string_view>

namespace thaw::cli {

/// A summary object on stdout with --json, with `more` members, else a line on stderr unless it shall be
/// quiet.
void report_summary(const Settings& settings, std::string_view command, const Tally& tally,
                    const Value::Object& more = {});

}  // namespace thaw::cli
