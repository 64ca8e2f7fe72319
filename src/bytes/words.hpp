// Numbers as people are told them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thaw {

/// Three digits, enough to judge by: "1.2e-05", "4.76". 0 for what is not a number above 0.
std::string short_number(double number);

/// "1 clip", "6 clips".
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace thaw
