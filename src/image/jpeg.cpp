// This file and jpeg_encode.cpp know libjpeg and setjmp, no others: libjpeg reports errors by a call that
// must not return. Nothing with a destructor lives in the functions that are jumped out of.
#include "image/jpeg.hpp"

#include "image/pixels.hpp"
#include "image/reduction.hpp"

#include <jpeglib.h>

#include <jerror.h>
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs FILE
#include <new>

namespace thaw {
namespace {

constexpr int kComponents = 4;
constexpr std::size_t kRowsAtOnce = 16;

/// What the components of a stream are.
enum class Meaning : std::uint8_t {
  pixels,   ///< four, the bytes of a pixel themselves
  picture,  ///< what libjpeg takes them for; R G B A comes out
};

/// Progressive streams have some twenty scans; each one of a hostile stream costs as much as the whole
/// picture.
constexpr int kMaxScans = 100;
/// Pictures up to this size are decoded from however few bytes.
constexpr std::uint64_t kUnsuspectedPixels = std::uint64_t{1} << 22U;
/// A block of 8×8 pixels takes at least half a byte, in a progressive stream.
constexpr std::uint64_t kMaxPixelsPerByte = 128;

class JpegDecoder {
 public:
  JpegDecoder(ByteView header, ByteView data) : segments_{header, data} {}
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder(JpegDecoder&&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  JpegDecoder& operator=(JpegDecoder&&) = delete;
  ~JpegDecoder() { jpeg_destroy_decompress(&info_); }

  /// False on an error, reported by `text()`.
  bool read_header();
  /// Decodes all rows into width × height × 4 bytes; with a reduction, into the first kRowsAtOnce of them,
  /// over and over, and adds them to it.
  bool read_pixels(Meaning meaning, std::uint8_t* pixels, Reduction* reduction);

  [[nodiscard]] std::uint32_t width() const { return info_.image_width; }
  [[nodiscard]] std::uint32_t height() const { return info_.image_height; }
  [[nodiscard]] int components() const { return info_.num_components; }
  /// Whether libjpeg holds the coefficients of the whole image.
  [[nodiscard]] bool is_progressive() { return jpeg_has_multiple_scans(&info_) != 0; }
  [[nodiscard]] bool damaged() const { return errors_.num_warnings > 0; }
  [[nodiscard]] bool end_is_missing() const { return next_segment_ > segments_.size(); }
  /// libjpeg's words for the error, or for the first damage.
  [[nodiscard]] const char* text() const { return text_.data(); }

 private:
  static JpegDecoder& of(j_common_ptr info) { return *static_cast<JpegDecoder*>(info->client_data); }
  static JpegDecoder& of(j_decompress_ptr info) { return *static_cast<JpegDecoder*>(info->client_data); }

  void create();
  void next_segment();
  void skip(long count);
  [[nodiscard]] bool stopped() const;

  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
  jpeg_source_mgr source_{};
  jpeg_progress_mgr progress_{};
  std::jmp_buf failed_{};
  std::array<ByteView, 2> segments_;
  std::size_t next_segment_ = 0;
  std::array<char, JMSG_LENGTH_MAX> text_{};
};

void JpegDecoder::create() {
  info_.err = jpeg_std_error(&errors_);
  errors_.error_exit = [](j_common_ptr info) {
    auto& self = of(info);
    self.errors_.format_message(info, self.text_.data());
    std::longjmp(self.failed_, 1);
  };
  errors_.emit_message = [](j_common_ptr info, int level) {
    auto& self = of(info);
    if (level < 0 && self.errors_.num_warnings++ == 0) {
      self.errors_.format_message(info, self.text_.data());
    }
  };
  errors_.output_message = [](j_common_ptr /*info*/) {};
  info_.client_data = this;
  jpeg_create_decompress(&info_);
  source_.init_source = [](j_decompress_ptr /*info*/) {};
  source_.fill_input_buffer = [](j_decompress_ptr info) -> boolean {
    of(info).next_segment();
    return TRUE;
  };
  source_.skip_input_data = [](j_decompress_ptr info, long count) { of(info).skip(count); };
  source_.resync_to_restart = jpeg_resync_to_restart;
  source_.term_source = [](j_decompress_ptr /*info*/) {};
  info_.src = &source_;
  progress_.progress_monitor = [](j_common_ptr info) {
    auto& self = of(info);
    if (self.info_.input_scan_number > kMaxScans) {
      std::snprintf(self.text_.data(), self.text_.size(), "the JPEG exceeds thaw's limit of %d scans",
                    kMaxScans);
      std::longjmp(self.failed_, 1);
    }
  };
  info_.progress = &progress_;
}

/// After the last segment libjpeg gets end markers, so that it finishes with what it has.
void JpegDecoder::next_segment() {
  static constexpr std::array<JOCTET, 2> kEnd = {0xFF, JPEG_EOI};
  const ByteView segment = next_segment_ < segments_.size() ? segments_[next_segment_] : ByteView(kEnd);
  next_segment_ = std::min(next_segment_ + 1, segments_.size() + 1);
  if (segment.empty()) {
    return next_segment();
  }
  source_.next_input_byte = segment.data();
  source_.bytes_in_buffer = segment.size();
}

void JpegDecoder::skip(long count) {
  auto left = static_cast<std::size_t>(std::max(count, 0L));
  while (left > source_.bytes_in_buffer && !end_is_missing()) {
    left -= source_.bytes_in_buffer;
    next_segment();
  }
  const std::size_t step = std::min(left, source_.bytes_in_buffer);
  source_.next_input_byte += step;
  source_.bytes_in_buffer -= step;
}

/// Where libjpeg's errors lead.
bool JpegDecoder::stopped() const {
  if (errors_.msg_code == JERR_OUT_OF_MEMORY) {
    throw std::bad_alloc();
  }
  return false;
}

bool JpegDecoder::read_header() {
  if (setjmp(failed_) != 0) {
    return stopped();
  }
  create();
  jpeg_read_header(&info_, TRUE);
  return true;
}

bool JpegDecoder::read_pixels(Meaning meaning, std::uint8_t* pixels, Reduction* reduction) {
  if (setjmp(failed_) != 0) {
    return stopped();
  }
  if (meaning == Meaning::pixels) {
    // The same colour space on both sides: the components pass through as they are.
    info_.jpeg_color_space = JCS_CMYK;
    info_.out_color_space = JCS_CMYK;
  } else {
    info_.out_color_space = JCS_EXT_RGBA;
  }
  jpeg_start_decompress(&info_);
  const std::size_t stride = std::size_t{info_.output_width} * kComponents;
  std::array<JSAMPROW, kRowsAtOnce> rows{};
  while (info_.output_scanline < info_.output_height) {
    const std::size_t first = reduction != nullptr ? 0 : info_.output_scanline;
    const std::size_t left = info_.output_height - info_.output_scanline;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = pixels + (first + std::min(i, left - 1)) * stride;
    }
    const JDIMENSION count =
        jpeg_read_scanlines(&info_, rows.data(), static_cast<JDIMENSION>(std::min(left, rows.size())));
    for (JDIMENSION i = 0; reduction != nullptr && i < count; ++i) {
      reduction->add(rows[i]);
    }
  }
  jpeg_finish_decompress(&info_);
  return true;
}

Result<Image> read_reduced(JpegDecoder& decoder, const ReadOptions& options, std::uint32_t longest) {
  if (auto error = check_size(decoder.width(), decoder.height(), streaming_limits(options.limits))) {
    return tl::unexpected<Error>(std::move(*error));
  }
  const auto [width, height] = fitted_size(decoder.width(), decoder.height(), longest);
  Reduction reduction(decoder.width(), decoder.height(), width, height);
  Bytes rows(kRowsAtOnce * decoder.width() * kPixelBytes);
  return decoder.read_pixels(Meaning::picture, rows.data(), &reduction)
             ? Result<Image>(reduction.take())
             : fail(codes::kImageMalformed, decoder.text());
}

Result<Image> read_whole(JpegDecoder& decoder, Meaning meaning, const ReadOptions& options) {
  auto image = make_image(decoder.width(), decoder.height(), 0, 0, options);
  return !image || decoder.read_pixels(meaning, image->rgba.data(), nullptr)
             ? std::move(image)
             : fail(codes::kImageMalformed, decoder.text());
}

Result<Image> decode(JpegDecoder& decoder, Meaning meaning, std::size_t size, const ReadOptions& options,
                     Diagnostics& diagnostics, std::uint32_t longest = 0) {
  const std::uint64_t pixels = std::uint64_t{decoder.width()} * decoder.height();
  if (pixels > kUnsuspectedPixels && pixels / kMaxPixelsPerByte > size) {
    return fail(codes::kImageMalformed, "the JPEG states " + std::to_string(pixels) + " pixels, more than " +
                                            std::to_string(size) + " bytes can contain");
  }
  const bool streams = !decoder.is_progressive() && fitted_size(decoder.width(), decoder.height(), longest) !=
                                                        std::pair(decoder.width(), decoder.height());
  auto image = streams ? read_reduced(decoder, options, longest) : read_whole(decoder, meaning, options);
  if (!image) {
    return image;
  }
  if (decoder.damaged()) {
    diagnostics.add(codes::kImageDamaged, decoder.text());
  } else if (decoder.end_is_missing()) {
    diagnostics.add(codes::kImageOddity, "the JPEG stream has no end marker");
  }
  return image;
}

Error wrong_components(const JpegDecoder& decoder, std::string_view requested) {
  return {codes::kImageUnsupported,
          {},
          {},
          "the JPEG has " + std::to_string(decoder.components()) + " components instead of " +
              std::string(requested)};
}

}  // namespace

Result<Image> decode_bgra_jpeg(ByteView header, ByteView data, const ReadOptions& options,
                               Diagnostics& diagnostics) {
  JpegDecoder decoder(header, data);
  if (!decoder.read_header()) {
    return fail(codes::kImageMalformed, decoder.text());
  }
  if (decoder.components() != kComponents) {
    return tl::unexpected<Error>(wrong_components(decoder, "4"));
  }
  auto image = decode(decoder, Meaning::pixels, header.size() + data.size(), options, diagnostics);
  if (image) {
    swap_red_and_blue(*image);
  }
  return image;
}

bool is_jpeg(ByteView bytes) {
  return bytes.size() > 3 && bytes[0] == 0xFF && bytes[1] == 0xD8 && bytes[2] == 0xFF;
}

Result<Image> decode_jpeg(ByteView bytes, const ReadOptions& options, Diagnostics& diagnostics) {
  return decode_fitted_jpeg(bytes, 0, options, diagnostics);
}

Result<Image> decode_fitted_jpeg(ByteView bytes, std::uint32_t longest, const ReadOptions& options,
                                 Diagnostics& diagnostics) {
  JpegDecoder decoder(bytes, {});
  if (!decoder.read_header()) {
    return fail(codes::kImageMalformed, decoder.text());
  }
  if (decoder.components() != 1 && decoder.components() != 3) {
    return tl::unexpected<Error>(wrong_components(decoder, "1 or 3"));
  }
  return decode(decoder, Meaning::picture, bytes.size(), options, diagnostics, longest);
}

}  // namespace thaw
