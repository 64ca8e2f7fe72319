// Films as WebM, by the program ffmpeg where there is one.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/image.hpp>

#include <filesystem>
#include <span>

namespace thaw::cli {

/// Empty if there is none.
std::filesystem::path find_ffmpeg();

/// All pictures, which are of one size, one after the other. What is transparent stays so. The error is
/// write.failed.
Result<Bytes> encode_webm(const std::filesystem::path& ffmpeg, std::span<const Image> images,
                          std::uint64_t per_second);

}  // namespace thaw::cli
