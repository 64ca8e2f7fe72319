// Names of files as models say them.
#pragma once

#include <string>
#include <string_view>

namespace thaw::open {

/// Without folders and extension.
std::string stem_of(std::string_view path);
/// Files name models .mdl that are .mdx on disk.
std::string on_disk(std::string_view path);

}  // namespace thaw::open
