// The piece of JSON that does not depend on structure.
#pragma once

#include <string>
#include <string_view>

namespace thaw {

/// Appends a JSON string. `text` must be UTF-8 (see to_utf8).
void append_json_string(std::string& out, std::string_view text);

}  // namespace thaw
