// The only file that knows libwebp. The page has webp_absent.cpp instead.
#include "image/webp.hpp"

#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/image.hpp>

#include "image/pixels.hpp"
#include "image/png_parts.hpp"

#include <webp/decode.h>
#include <webp/encode.h>
#include <algorithm>
#include <new>

namespace thaw {
namespace {

constexpr int kPixelSize = kPixelBytes;

/// What libwebp has of a picture that it encodes, and what it wrote.
struct Encoder {
  WebPPicture picture{};
  WebPMemoryWriter writer{};

  Encoder() { WebPMemoryWriterInit(&writer); }
  Encoder(const Encoder&) = delete;
  Encoder(Encoder&&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  Encoder& operator=(Encoder&&) = delete;
  ~Encoder() {
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&writer);
  }
};

int proceeds(int /*percent*/, const WebPPicture* picture) {
  return is_stopped(static_cast<const Control*>(picture->user_data)) ? 0 : 1;
}

bool encode(const Image& image, const Control* control, Encoder& encoder) {
  constexpr int kLevel = 6;  // of 9; the last ones take ten times as long
  WebPConfig config;
  if (WebPConfigInit(&config) == 0 || WebPConfigLosslessPreset(&config, kLevel) == 0 ||
      WebPPictureInit(&encoder.picture) == 0) {
    return false;
  }
  config.exact = 1;
  WebPPicture& picture = encoder.picture;
  picture.use_argb = 1;
  picture.width = static_cast<int>(image.width);
  picture.height = static_cast<int>(image.height);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &encoder.writer;
  picture.progress_hook = proceeds;
  picture.user_data = const_cast<Control*>(control);  // NOLINT(cppcoreguidelines-pro-type-const-cast): C asks
  return WebPPictureImportRGBA(&picture, image.rgba.data(), picture.width * kPixelSize) != 0 &&
         WebPEncode(&config, &picture) != 0;
}

}  // namespace

Result<Image> decode_webp(ByteView bytes, const ReadOptions& options) {
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0 ||
      WebPGetFeatures(bytes.data(), bytes.size(), &config.input) != VP8_STATUS_OK) {
    return fail(codes::kImageMalformed, "not a WebP file, or its header is damaged");
  }
  if (config.input.has_animation != 0) {
    return fail(codes::kImageUnsupported, "animated WebP files are not supported");
  }
  auto image = make_image(static_cast<std::uint32_t>(config.input.width),
                          static_cast<std::uint32_t>(config.input.height), 0, 0, options);
  if (!image) {
    return image;
  }
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA = {image->rgba.data(), config.input.width * kPixelSize, image->rgba.size()};
  const VP8StatusCode status = WebPDecode(bytes.data(), bytes.size(), &config);
  if (status == VP8_STATUS_OUT_OF_MEMORY) {
    throw std::bad_alloc();
  }
  return status == VP8_STATUS_OK ? Result<Image>(std::move(*image))
                                 : fail(codes::kImageMalformed, "the WebP stream is damaged");
}

Result<Bytes> encode_webp(const Image& image, const Control* control) {
  if (!png::is_sound(image) || std::max(image.width, image.height) > WEBP_MAX_DIMENSION) {
    return fail(codes::kImageMalformed, std::to_string(image.width) + " × " + std::to_string(image.height) +
                                            " pixels: WebP supports 1 to 16,383 pixels per side");
  }
  Encoder encoder;
  if (!encode(image, control, encoder)) {
    if (is_stopped(control)) {
      return fail(codes::kStopped, "");
    }
    throw std::bad_alloc();  // of what libwebp reports, what is left
  }
  const ByteView file(encoder.writer.mem, encoder.writer.size);
  return Bytes(file.begin(), file.end());
}

}  // namespace thaw
