// PKWARE's Data Compression Library format ("implode"), unpacked.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

namespace thaw::mpq {

/// At most `most` bytes; what comes after them or after the end code is not looked at. The error is
/// mpq.data.
Result<Bytes> explode(ByteView packed, std::size_t most);

}  // namespace thaw::mpq
