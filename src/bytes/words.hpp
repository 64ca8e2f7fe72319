// Numbers as people are told them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thaw {

/// Three digits, enough to judge by: "1.2e-05", "4.76". 0 for what is not a number above 0.
std::string short_number(double number);

/// "1 clip", "6 clips".
std::string counted(std::uint64_t count, std::string_view noun);

/// "Walk, Stand and 5 others": what there is, where something else was asked for. "none" without any.
std::string names_text(const std::vector<std::string>& names);

}  // namespace thaw
