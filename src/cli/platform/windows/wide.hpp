// Text as Windows has it, from and to UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace thaw::cli {

std::wstring to_wide(std::string_view text);
std::string from_wide(std::wstring_view text);

}  // namespace thaw::cli
