// The only file that knows libspng.

#include "image/pixels.hpp"

#include <spng.h>
#include <cstdlib>
#include <memory>
#include <new>

namespace thaw {
namespace {

using Context = std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)>;

/// What zlib asked for in vain, libspng tells as a stream that is broken.
thread_local bool memory_ended = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): C asks

// NOLINTBEGIN(cppcoreguidelines-no-malloc): libspng wants functions of this kind
void* noted(void* place) {
  memory_ended = memory_ended || place == nullptr;
  return place;
}
void* allocate(std::size_t size) { return noted(std::malloc(size)); }
void* reallocate(void* place, std::size_t size) { return noted(std::realloc(place, size)); }
void* allocate_zeros(std::size_t count, std::size_t size) { return noted(std::calloc(count, size)); }
// NOLINTEND(cppcoreguidelines-no-malloc)

Context new_context() {
  memory_ended = false;
  spng_alloc allocators{allocate, reallocate, allocate_zeros, std::free};
  return {spng_ctx_new2(&allocators, 0), &spng_ctx_free};
}

tl::unexpected<Error> malformed(int error) {
  if (error == SPNG_EMEM || memory_ended) {
    throw std::bad_alloc();
  }
  return fail(codes::kImageMalformed, spng_strerror(error));
}

/// The fewest bytes of filtered rows that the header asks for.
std::uint64_t row_bytes(const spng_ihdr& header) {
  const auto channels = [&]() -> std::uint64_t {
    switch (header.color_type) {
      case SPNG_COLOR_TYPE_TRUECOLOR:
        return 3;
      case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA:
        return 2;
      case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA:
        return 4;
      default:
        return 1;
    }
  };
  return std::uint64_t{header.width} * header.height / 8 * header.bit_depth * channels();
}

}  // namespace

Result<Image> decode_png(ByteView bytes, const ReadOptions& options) {
  // No deflate stream unpacks to more than this many times its size.
  constexpr std::uint64_t kMaxRatio = 1032;
  const Context context = new_context();
  if (!context) {
    return malformed(SPNG_EMEM);
  }
  spng_set_crc_action(context.get(), SPNG_CRC_ERROR, SPNG_CRC_DISCARD);
  spng_set_chunk_limits(context.get(), bytes.size(), bytes.size());
  spng_ihdr header{};
  if (const int error = spng_set_png_buffer(context.get(), bytes.data(), bytes.size()); error != 0) {
    return malformed(error);
  }
  if (const int error = spng_get_ihdr(context.get(), &header); error != 0) {
    return malformed(error);
  }
  if (auto error = check_size(header.width, header.height, options.limits)) {
    return tl::unexpected<Error>(std::move(*error));
  }
  auto image =
      make_image(header.width, header.height, row_bytes(header) / kMaxRatio, bytes.size(), options.limits);
  if (!image) {
    return image;
  }
  const int error = spng_decode_image(context.get(), image->rgba.data(), image->rgba.size(), SPNG_FMT_RGBA8,
                                      SPNG_DECODE_TRNS);
  if (error != 0) {
    return malformed(error);
  }
  return image;
}

}  // namespace thaw
