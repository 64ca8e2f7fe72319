// Content of data URIs.
#pragma once

#include <thaw/bytes.hpp>

#include <optional>
#include <string_view>

namespace thaw::gltf {

/// The content of a `data:…;base64,…` URI; nothing if it is none or not well formed.
std::optional<Bytes> from_data_uri(std::string_view uri);

}  // namespace thaw::gltf
