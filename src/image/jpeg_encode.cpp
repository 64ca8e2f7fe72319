#include "image/jpeg.hpp"

#include <thaw/image.hpp>

#include <jpeglib.h>

#include <jerror.h>
#include <algorithm>
#include <csetjmp>
#include <cstdio>   // jpeglib.h needs FILE
#include <cstdlib>  // and gives memory that free() takes back
#include <new>

namespace thaw {
namespace {

constexpr std::size_t kFromRgba = 4;  // of a pixel in memory

/// What the components of a stream are.
enum class JpegColors : std::uint8_t { bgra, rgb };

void put_row(const std::uint8_t* pixels, std::size_t width, JpegColors colors, std::uint8_t* row) {
  for (std::size_t x = 0; x < width; ++x, pixels += kFromRgba) {
    if (colors == JpegColors::bgra) {
      *row++ = pixels[2];
      *row++ = pixels[1];
      *row++ = pixels[0];
      *row++ = pixels[3];
    } else {
      row = std::copy_n(pixels, 3, row);
    }
  }
}

class JpegEncoder {
 public:
  JpegEncoder() = default;
  JpegEncoder(const JpegEncoder&) = delete;
  JpegEncoder(JpegEncoder&&) = delete;
  JpegEncoder& operator=(const JpegEncoder&) = delete;
  JpegEncoder& operator=(JpegEncoder&&) = delete;
  ~JpegEncoder() {
    jpeg_destroy_compress(&info_);
    std::free(output_);  // NOLINT(cppcoreguidelines-no-malloc): libjpeg's memory
  }

  /// False on an error, see `text()`. `row` is room for a row. Not const because libjpeg does not promise
  /// it.
  bool encode(const Image& image, std::uint8_t* row, JpegColors colors, int quality);

  [[nodiscard]] ByteView result() const { return {output_, static_cast<std::size_t>(size_)}; }
  [[nodiscard]] const char* text() const { return text_.data(); }

 private:
  void create();
  void configure(JpegColors colors, int quality);
  void configure_bgra();

  jpeg_compress_struct info_{};
  jpeg_error_mgr errors_{};
  std::jmp_buf failed_{};
  unsigned char* output_ = nullptr;
  unsigned long size_ = 0;
  std::array<char, JMSG_LENGTH_MAX> text_{};
};

void JpegEncoder::create() {
  info_.err = jpeg_std_error(&errors_);
  errors_.error_exit = [](j_common_ptr info) {
    auto& self = *static_cast<JpegEncoder*>(info->client_data);
    self.errors_.format_message(info, self.text_.data());
    std::longjmp(self.failed_, 1);
  };
  errors_.output_message = [](j_common_ptr /*info*/) {};
  info_.client_data = this;
  jpeg_create_compress(&info_);
  jpeg_mem_dest(&info_, &output_, &size_);
}

void JpegEncoder::configure(JpegColors colors, int quality) {
  info_.input_components = colors == JpegColors::bgra ? 4 : 3;
  info_.in_color_space = colors == JpegColors::bgra ? JCS_CMYK : JCS_RGB;
  jpeg_set_defaults(&info_);
  if (colors == JpegColors::bgra) {
    configure_bgra();
  }
  jpeg_set_quality(&info_, quality, TRUE);
}

void JpegEncoder::configure_bgra() {
  // The same colour space on both sides: the components pass through as they are.
  jpeg_set_colorspace(&info_, JCS_CMYK);
  // Readers of BLP take the marker as a request to invert (blp.md#jpeg).
  info_.write_Adobe_marker = FALSE;
  info_.write_JFIF_header = FALSE;
  // Tables made for each level would leave the levels little to share.
  info_.optimize_coding = FALSE;
}

bool JpegEncoder::encode(const Image& image, std::uint8_t* row, JpegColors colors, int quality) {
  if (setjmp(failed_) != 0) {
    if (errors_.msg_code == JERR_OUT_OF_MEMORY) {
      throw std::bad_alloc();
    }
    return false;
  }
  create();
  info_.image_width = image.width;
  info_.image_height = image.height;
  configure(colors, quality);
  jpeg_start_compress(&info_, TRUE);
  const std::size_t stride = std::size_t{image.width} * kFromRgba;
  while (info_.next_scanline < info_.image_height) {
    put_row(image.rgba.data() + info_.next_scanline * stride, image.width, colors, row);
    jpeg_write_scanlines(&info_, &row, 1);
  }
  jpeg_finish_compress(&info_);
  return true;
}

Result<Bytes> encode_stream(const Image& image, JpegColors colors, int quality) {
  Bytes row(std::size_t{image.width} * kFromRgba);
  JpegEncoder encoder;
  if (!encoder.encode(image, row.data(), colors, std::clamp(quality, 1, 100))) {
    return fail(codes::kImageMalformed, encoder.text());
  }
  const ByteView stream = encoder.result();
  return Bytes(stream.begin(), stream.end());
}

}  // namespace

Result<Bytes> encode_bgra_jpeg(const Image& image, int quality) {
  return encode_stream(image, JpegColors::bgra, quality);
}

Result<Bytes> encode_jpeg(const Image& image, int quality) {
  return encode_stream(image, JpegColors::rgb, quality);
}

}  // namespace thaw
