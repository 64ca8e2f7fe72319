// MD5 (RFC 1321): by it the lists of a client's original files know them. Not for anything that must be safe.
#pragma once

#include <thaw/bytes.hpp>

#include <string>

namespace thaw {

using Md5 = std::array<std::uint8_t, 16>;
Md5 md5(ByteView bytes);

/// 32 hexadecimal digits in lower case.
std::string md5_text(const Md5& digest);

}  // namespace thaw
