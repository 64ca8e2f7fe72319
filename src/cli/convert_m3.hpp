// M3 models of World of Warcraft: made from glTF.
#pragma once

#include "cli/makers.hpp"

namespace thaw::cli {

/// A glTF file as M3.
Result<Product> make_m3(const Work& work);

/// What --lod says: a level, or none for all of them. The error is in words.
tl::expected<std::optional<std::uint32_t>, std::string> wished_lod(const Settings& settings);

}  // namespace thaw::cli
