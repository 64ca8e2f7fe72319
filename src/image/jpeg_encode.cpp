#include "image/jpeg.hpp"

#include <jpeglib.h>

#include <jerror.h>
#include <csetjmp>
#include <cstdio>   // jpeglib.h needs FILE
#include <cstdlib>  // and gives memory that free() takes back
#include <cstring>
#include <new>
#include <utility>

namespace thaw {
namespace {

constexpr int kInputComponents = 4;

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

  /// False on an error, told by `text()`. `row` is room for a row. Not const because libjpeg does not promise
  /// it.
  bool encode(const Image& image, std::uint8_t* row, int quality);

  [[nodiscard]] ByteView result() const { return {output_, static_cast<std::size_t>(size_)}; }
  [[nodiscard]] const char* text() const { return text_.data(); }

 private:
  void create();
  void configure(int quality);

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

void JpegEncoder::configure(int quality) {
  // The same colour space on both sides: the components pass through as they are.
  info_.in_color_space = JCS_CMYK;
  jpeg_set_defaults(&info_);
  jpeg_set_colorspace(&info_, JCS_CMYK);
  jpeg_set_quality(&info_, quality, TRUE);
  // Readers of BLP take the marker as a request to invert (blp.md#jpeg).
  info_.write_Adobe_marker = FALSE;
  info_.write_JFIF_header = FALSE;
  // Tables made for each level would leave the levels little to share.
  info_.optimize_coding = FALSE;
}

bool JpegEncoder::encode(const Image& image, std::uint8_t* row, int quality) {
  if (setjmp(failed_) != 0) {
    if (errors_.msg_code == JERR_OUT_OF_MEMORY) {
      throw std::bad_alloc();
    }
    return false;
  }
  create();
  info_.image_width = image.width;
  info_.image_height = image.height;
  info_.input_components = kInputComponents;
  configure(quality);
  jpeg_start_compress(&info_, TRUE);
  const std::size_t stride = std::size_t{image.width} * kInputComponents;
  while (info_.next_scanline < info_.image_height) {
    std::memcpy(row, image.rgba.data() + info_.next_scanline * stride, stride);
    for (std::size_t x = 0; x < stride; x += kInputComponents) {
      std::swap(row[x], row[x + 2]);
    }
    jpeg_write_scanlines(&info_, &row, 1);
  }
  jpeg_finish_compress(&info_);
  return true;
}

}  // namespace

Result<Bytes> encode_bgra_jpeg(const Image& image, int quality) {
  Bytes row(std::size_t{image.width} * kInputComponents);
  JpegEncoder encoder;
  if (!encoder.encode(image, row.data(), quality)) {
    return fail(codes::kImageMalformed, encoder.text());
  }
  const ByteView stream = encoder.result();
  return Bytes(stream.begin(), stream.end());
}

}  // namespace thaw
