#include <thaw/dds.hpp>

#include "formats/pictures/dds/pixel_format.hpp"
#include "image/pixels.hpp"

namespace thaw::dds {
namespace {

/// One channel of a pixel: where it stands, and what becomes of each of its values.
class Channel {
 public:
  /// A mask of no bits gives `absent`.
  Channel(std::uint32_t mask, std::uint8_t absent) {
    table_.fill(absent);
    if (mask == 0) {
      return;
    }
    shift_ = static_cast<unsigned>(std::countr_zero(mask));
    auto bits = static_cast<unsigned>(std::bit_width(mask >> shift_));
    if (bits > 8) {
      shift_ += bits - 8;
      bits = 8;
    }
    mask_ = (1U << bits) - 1;
    for (std::uint32_t value = 0; value <= mask_; ++value) {
      table_[value] = static_cast<std::uint8_t>(replicate_bits(value, bits));
    }
  }

  [[nodiscard]] std::uint32_t operator()(std::uint32_t pixel) const {
    return table_[pixel >> shift_ & mask_];
  }

 private:
  unsigned shift_ = 0;
  std::uint32_t mask_ = 0;
  std::array<std::uint8_t, 256> table_;
};

template <unsigned bytes>
std::uint32_t load_pixel(const std::uint8_t* from) {
  std::uint32_t pixel = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    pixel |= std::uint32_t{from[i]} << (8 * i);
  }
  return pixel;
}

template <unsigned bytes>
void unpack(const Storage& storage, const std::uint8_t* from, Image& image) {
  const bool grey = storage.layout == Layout::luminance;
  const Channel red(storage.red, 0);
  const Channel green(grey ? storage.red : storage.green, 0);
  const Channel blue(grey ? storage.red : storage.blue, 0);
  const Channel alpha(storage.alpha, 255);
  const auto count = static_cast<std::size_t>(image.pixels());
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t pixel = load_pixel<bytes>(from + i * bytes);
    put_pixel(image.rgba.data() + i * kPixelBytes,
              pack_rgba(red(pixel), green(pixel), blue(pixel), alpha(pixel)));
  }
}

void unpack(const Storage& storage, const std::uint8_t* from, Image& image) {
  switch (storage.bits) {
    case 8:
      return unpack<1>(storage, from, image);
    case 16:
      return unpack<2>(storage, from, image);
    case 24:
      return unpack<3>(storage, from, image);
    default:
      return unpack<4>(storage, from, image);
  }
}

tl::unexpected<Error> unsupported(const Document& document) {
  if (document.header10) {
    return fail(codes::kImageUnsupported,
                "unsupported DXGI format " + std::to_string(document.header10->format));
  }
  const PixelFormat& format = document.pixel_format;
  return fail(codes::kImageUnsupported, "unsupported pixel format " + format.four_cc.text() + " with flags " +
                                            std::to_string(format.flags) + " and " +
                                            std::to_string(format.bits) + " bits");
}

}  // namespace

Result<Image> decode(const Document& document, std::size_t level, const ReadOptions& options,
                     Diagnostics& /*diagnostics*/) {
  const Storage storage = storage_of(document);
  if (storage.layout == Layout::unknown || storage.layout == Layout::blocks_hdr) {
    return unsupported(document);
  }
  const std::uint32_t width = level_side(document.width, level);
  const std::uint32_t height = level_side(document.height, level);
  if (auto error = check_size(document.width, document.height, options.limits)) {
    return tl::unexpected<Error>(std::move(*error));
  }
  const ByteView data = document.level_data(level);
  auto image = make_image(width, height, storage.slice_size(width, height), data.size(), options);
  if (!image) {
    return image;
  }
  if (storage.layout == Layout::blocks) {
    decode_blocks(storage.blocks, data.data(), width, height, image->rgba.data());
  } else {
    unpack(storage, data.data(), *image);
  }
  if (storage.red_in_alpha) {
    for (std::size_t at = 0; at + 3 < image->rgba.size(); at += kPixelBytes) {
      image->rgba[at] = image->rgba[at + 3];
    }
  }
  if (storage.premultiplied) {
    unpremultiply(*image);
  }
  if (storage.alpha_bits == 0) {
    set_opaque(*image);
  }
  return image;
}

}  // namespace thaw::dds
