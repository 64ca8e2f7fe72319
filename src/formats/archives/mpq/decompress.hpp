// One packed run of bytes: a sector, or a whole file in one piece.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

namespace thaw::mpq {

/// What was met while unpacking; calls add to it.
struct Unpacking {
  std::uint16_t methods = 0;
  bool sum_wrong = false;  ///< an Adler-32 of zlib does not fit; the data came out all the same
};

/// `packed` begins with the byte that states the methods. The result has exactly `size` bytes, or at least
/// the first `most` of them. The error is mpq.data or mpq.compression. Takes no memory by `size` alone.
Result<Bytes> decompress(ByteView packed, std::size_t size, Unpacking& done, std::size_t most = SIZE_MAX);

/// Runs of zeros and of other bytes, as StarCraft II packs them: the size in big-endian order, then of each
/// run a byte with its kind and length.
Result<Bytes> unpack_sparse(ByteView packed, std::size_t most);

}  // namespace thaw::mpq
