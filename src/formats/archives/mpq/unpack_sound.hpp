// Compression of sounds in archives.
#pragma once

#include <thaw/bytes.hpp>
#include <thaw/diagnostics.hpp>

namespace thaw::mpq {

// Each gives `most` bytes, or fewer if there are no more. The error is mpq.data.

/// A byte that names one of nine tables, then codes from the lowest bit on, with their end.
Result<Bytes> unpack_huffman(ByteView packed, std::size_t most);
/// Samples of 16 bits: a zero, a level, the first sample, then a byte for each other one.
Result<Bytes> unpack_adpcm_mono(ByteView packed, std::size_t most);
/// Two channels, in turn.
Result<Bytes> unpack_adpcm_stereo(ByteView packed, std::size_t most);

}  // namespace thaw::mpq
