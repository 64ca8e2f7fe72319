// Names as parts of a URI (RFC 3986).
#pragma once

#include <string>
#include <string_view>

namespace thaw {

/// All but letters, digits and `-._~` of ASCII, and but the characters in `kept`, becomes `%20` and so on.
std::string percent_encoded(std::string_view name, std::string_view kept = {});

/// `%20` becomes a blank and so on; what is no code stays as it is.
std::string percent_decoded(std::string_view uri);

}  // namespace thaw
