// JPEG as BLP uses it: four components that are B G R A themselves (blp.md#jpeg); and as everybody else does,
// which glTF files carry.
#pragma once

#include <thaw/image.hpp>

namespace thaw {

/// Decodes the stream header ++ data without joining the two. Baseline and progressive; the end marker may be
/// missing (image.oddity). A stream that breaks off or is damaged gives what could be read, and
/// image.damaged. Alpha is as stored. Errors: image.malformed, image.unsupported for other than four
/// components, input.too-large, also for a stream far too short for its pixels.
Result<Image> decode_bgra_jpeg(ByteView header, ByteView data, const ReadOptions& options,
                               Diagnostics& diagnostics);

bool is_jpeg(ByteView bytes);
/// Grey or coloured pictures as any program writes them, opaque. Findings and errors as above.
Result<Image> decode_jpeg(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics);
/// What is not progressive is reduced row by row, as `fitted` does it with `longest`, unless that is 0.
Result<Image> decode_fitted_jpeg(ByteView bytes, std::uint32_t longest, const ReadOptions& options,
                                 Diagnostics& diagnostics);

/// A stream of four components, B G R A, without subsampling and without markers that name colours. `quality`
/// is 1 to 100. Errors: image.malformed for sizes that JPEG cannot hold (above 65,500).
Result<Bytes> encode_bgra_jpeg(const Image& image, int quality);

}  // namespace thaw
