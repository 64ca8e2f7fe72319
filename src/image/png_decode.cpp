// The only file that knows libspng.

#include "image/pixels.hpp"
#include "image/png_parts.hpp"
#include "image/reduction.hpp"

#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/image.hpp>

#include <spng.h>
#include <cstdlib>
#include <memory>
#include <new>

namespace thaw {
namespace {

using Context = std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)>;

/// What zlib requested in vain, libspng reports as a stream that is broken.
thread_local bool memory_ended = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): C asks

// NOLINTBEGIN(cppcoreguidelines-no-malloc): libspng requires functions of this kind
void* noted(void* place) {
  memory_ended = memory_ended || place == nullptr;
  return place;
}
void* allocate(std::size_t size) { return noted(std::malloc(size)); }
void* reallocate(void* place, std::size_t size) { return noted(std::realloc(place, size)); }
void* allocate_zeros(std::size_t count, std::size_t size) { return noted(std::calloc(count, size)); }
// NOLINTEND(cppcoreguidelines-no-malloc)

Context new_context(int flags = 0) {
  memory_ended = false;
  spng_alloc allocators{allocate, reallocate, allocate_zeros, std::free};
  return {spng_ctx_new2(&allocators, flags), &spng_ctx_free};
}

tl::unexpected<Error> malformed(int error) {
  if (error == SPNG_EMEM || memory_ended) {
    throw std::bad_alloc();
  }
  return fail(codes::kImageMalformed, spng_strerror(error));
}

/// The fewest bytes of filtered rows that the header requires.
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

namespace {

/// Whether the image is reduced row by row.
bool is_reduced(const spng_ihdr& header, std::uint32_t longest) {
  return header.interlace_method == SPNG_INTERLACE_NONE &&
         fitted_size(header.width, header.height, longest) != std::pair(header.width, header.height);
}

/// Begins with a file; what its header says is within the limits.
Result<spng_ihdr> open_png(spng_ctx* context, ByteView bytes, const ReadOptions& options,
                           std::uint32_t longest = 0) {
  if (context == nullptr) {
    return malformed(SPNG_EMEM);
  }
  spng_set_crc_action(context, SPNG_CRC_ERROR, SPNG_CRC_DISCARD);
  spng_set_chunk_limits(context, bytes.size(), bytes.size());
  spng_ihdr header{};
  if (const int error = spng_set_png_buffer(context, bytes.data(), bytes.size()); error != 0) {
    return malformed(error);
  }
  if (const int error = spng_get_ihdr(context, &header); error != 0) {
    return malformed(error);
  }
  const Limits limits = is_reduced(header, longest) ? streaming_limits(options.limits) : options.limits;
  if (auto error = check_size(header.width, header.height, limits)) {
    return tl::unexpected<Error>(std::move(*error));
  }
  return header;
}

/// No deflate stream unpacks to more than this many times its size.
constexpr std::uint64_t kMaxRatio = 1032;

}  // namespace

Result<GreyImage> decode_grey(ByteView bytes, const ReadOptions& options) {
  const Context context = new_context();
  const auto header = open_png(context.get(), bytes, options);
  if (!header) {
    return tl::unexpected<Error>(header.error());
  }
  GreyImage grey{header->width, header->height, 8, {}};
  if (header->color_type != SPNG_COLOR_TYPE_GRAYSCALE || header->bit_depth != 16) {
    const auto image = decode_png(bytes, options);
    for (std::size_t at = 0; image && at < image->rgba.size(); at += 4) {
      grey.values.push_back(image->rgba[at]);
    }
    return image ? Result<GreyImage>(std::move(grey)) : tl::unexpected<Error>(image.error());
  }
  if (row_bytes(*header) / kMaxRatio > bytes.size()) {
    return malformed(SPNG_EIDAT_TOO_SHORT);
  }
  grey.bits = 16;
  grey.values.resize(std::size_t{header->width} * header->height);
  const int error = spng_decode_image(context.get(), grey.values.data(),
                                      grey.values.size() * sizeof(std::uint16_t), SPNG_FMT_PNG, 0);
  return error != 0 ? Result<GreyImage>(malformed(error)) : Result<GreyImage>(std::move(grey));
}

namespace {

int decode_whole(const Context& context, Bytes& rgba) {
  return spng_decode_image(context.get(), rgba.data(), rgba.size(), SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
}

int decode_reduced(const Context& context, const spng_ihdr& header, Image& image, const Control* control) {
  constexpr int kFlags = SPNG_DECODE_TRNS | SPNG_DECODE_PROGRESSIVE;
  int error = spng_decode_image(context.get(), nullptr, 0, SPNG_FMT_RGBA8, kFlags);
  Reduction reduction(header.width, header.height, image.width, image.height);
  Bytes row(std::size_t{header.width} * kPixelBytes);
  for (std::uint32_t y = 0; y < header.height && error == 0 && !is_stopped(control); ++y) {
    error = spng_decode_row(context.get(), row.data(), row.size());
    if (error == 0 || error == SPNG_EOI) {
      reduction.add(row.data());
    }
  }
  image = reduction.take();
  return error == SPNG_EOI ? 0 : error;
}

/// A file whose header was read becomes an image that is as large as it is to be, or that is reduced later.
int decode_rows(const Context& context, const spng_ihdr& header, Image& image, const Control* control) {
  const bool whole = image.width == header.width && image.height == header.height;
  return whole ? decode_whole(context, image.rgba) : decode_reduced(context, header, image, control);
}

/// Whether the rows decode once zlib's checksum is left out. Games and viewers stop inflating when the last
/// row is full and do not come to it.
bool decode_without_sum(ByteView bytes, Image& image, const ReadOptions& options, std::uint32_t longest) {
  const Context context = new_context(SPNG_CTX_IGNORE_ADLER32);
  const auto header = open_png(context.get(), bytes, options, longest);
  return header && decode_rows(context, *header, image, options.control) == 0;
}

/// With `diagnostics` a wrong checksum of the pixels is a finding, else an error.
Result<Image> decode_stream(ByteView bytes, const ReadOptions& options, Diagnostics* diagnostics,
                            std::uint32_t longest = 0) {
  const Context context = new_context();
  const auto opened = open_png(context.get(), bytes, options, longest);
  if (!opened) {
    return tl::unexpected<Error>(opened.error());
  }
  const spng_ihdr& header = *opened;
  const auto [width, height] =
      fitted_size(header.width, header.height, is_reduced(header, longest) ? longest : 0);
  auto image = make_image(width, height, row_bytes(header) / kMaxRatio, bytes.size(), options);
  if (!image) {
    return image;
  }
  if (const int error = decode_rows(context, header, *image, options.control); error != 0) {
    const bool lenient = diagnostics != nullptr && !options.strict && !memory_ended;
    if (!lenient || !decode_without_sum(bytes, *image, options, longest)) {
      return malformed(error);
    }
    diagnostics->add(codes::kImageDamaged,
                     "the checksum (Adler-32) of the pixels is wrong; they are used anyway");
  }
  return is_stopped(options.control) ? fail(codes::kStopped, "") : std::move(image);
}

}  // namespace

Result<Image> decode_png(ByteView bytes, const ReadOptions& options) {
  return decode_stream(bytes, options, nullptr);
}

Result<Image> png::decode_pixels(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics,
                                 std::uint32_t longest) {
  return decode_stream(bytes, options, &diagnostics, longest);
}

}  // namespace thaw
