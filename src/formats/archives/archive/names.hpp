// Names in list files of archives.
#pragma once

#include <thaw/bytes.hpp>

#include <functional>

namespace thaw {

/// Calls `each` with every name of a list file.
void for_each_name(ByteView text, const std::function<void(std::string_view)>& each);

}  // namespace thaw
