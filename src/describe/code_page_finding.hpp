// The finding about a guessed code page.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

#include <string>
#include <vector>

namespace thaw {

/// Reports which page was guessed for names; nothing for `automatic`.
void report_code_page(const std::vector<std::string>& names, CodePage page, Diagnostics& diagnostics);

}  // namespace thaw
