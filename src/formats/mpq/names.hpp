// Names that files have whether a list says so or not.
#pragma once

#include <thaw/bytes.hpp>

#include <functional>

namespace thaw::mpq {

inline constexpr std::string_view kListfile = "(listfile)";
inline constexpr std::string_view kAttributes = "(attributes)";

/// Of the archive itself, and of a map of Warcraft III.
std::span<const std::string_view> usual_names();

/// Calls `each` with every name of a list file.
void for_each_name(ByteView text, const std::function<void(std::string_view)>& each);

}  // namespace thaw::mpq
