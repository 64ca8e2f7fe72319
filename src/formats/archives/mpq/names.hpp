// Names that files have, whether a list has them or not.
#pragma once

#include <thaw/bytes.hpp>

#include <span>
#include <string_view>

namespace thaw::mpq {

inline constexpr std::string_view kListfile = "(listfile)";
inline constexpr std::string_view kAttributes = "(attributes)";
inline constexpr std::string_view kSignature = "(signature)";

/// Of the archive itself, and of a map of Warcraft III.
std::span<const std::string_view> usual_names();

}  // namespace thaw::mpq
