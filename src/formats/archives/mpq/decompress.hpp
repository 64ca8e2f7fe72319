// One packed run of bytes: a sector, or a whole file in one piece.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

namespace thaw::mpq {

/// `packed` begins with the byte that tells the methods, which are added to `methods`. The result has exactly
/// `size` bytes. The error is mpq.data or mpq.compression. Takes no memory by `size` alone.
Result<Bytes> decompress(ByteView packed, std::size_t size, std::uint16_t& methods);

/// Runs of zeros and of other bytes, as StarCraft II packs them: the size in big-endian order, then of each
/// run a byte with its kind and length.
Result<Bytes> unpack_sparse(ByteView packed, std::size_t most);

}  // namespace thaw::mpq
