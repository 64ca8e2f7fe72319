// What stands in a URI instead of a file.
#pragma once

#include <thaw/bytes.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace thaw::gltf {

/// The content of a `data:…;base64,…` URI; nothing if it is none or not well formed.
std::optional<Bytes> from_data_uri(std::string_view uri);

/// A file name as a URI of its own: all but letters, digits and `-._~` of ASCII becomes `%20` and so on.
std::string percent_encoded(std::string_view name);

/// `%20` becomes a blank and so on; what is no code stays as it is.
std::string percent_decoded(std::string_view uri);

}  // namespace thaw::gltf
