// APNG: a PNG whose further pictures stand in chunks of their own (Portable Network Graphics, third edition,
// section 11.3.3.3).
#include <thaw/control.hpp>
#include <thaw/image.hpp>

#include "bytes/text.hpp"
#include "image/png_parts.hpp"

#include <algorithm>

namespace thaw {
namespace {

void append(Bytes& bytes, std::uint32_t value) {
  const auto part = png::to_big_endian(value);
  bytes.insert(bytes.end(), part.begin(), part.end());
}

/// Number, size, place, delay as a fraction of a second, and how it goes over the last one: by replacing it.
Bytes frame_control(std::uint32_t number, const Image& image, unsigned delay) {
  Bytes bytes;
  append(bytes, number);
  append(bytes, image.width);
  append(bytes, image.height);
  append(bytes, 0);
  append(bytes, 0);
  constexpr unsigned kMostDelay = 65535;
  const unsigned milliseconds = std::min(delay, kMostDelay);
  const std::array<std::uint8_t, 6> rest = {static_cast<std::uint8_t>(milliseconds >> 8U),
                                            static_cast<std::uint8_t>(milliseconds),
                                            1000 >> 8U,
                                            1000 & 255U,
                                            0,
                                            0};
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

}  // namespace

Bytes encode_apng(std::span<const Image> images, unsigned delay, int level, const Control* control) {
  const bool sound = !images.empty() && std::all_of(images.begin(), images.end(), [&](const Image& image) {
    return png::is_sound(image) && image.width == images[0].width && image.height == images[0].height;
  });
  if (!sound) {
    return {};
  }
  const bool opaque = std::all_of(images.begin(), images.end(), is_opaque);
  png::File file;
  file.add(FourCC{"IHDR"}, png::header(images[0], opaque));
  Bytes animation;
  append(animation, static_cast<std::uint32_t>(images.size()));
  append(animation, 0);  // without end
  file.add(FourCC{"acTL"}, animation);
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    file.add(FourCC{"fcTL"}, frame_control(number++, images[i], delay));
    const Bytes data = proceed(control, "pictures", i, images.size())
                           ? png::pixel_data(images[i], opaque, level, control)
                           : Bytes();
    if (data.empty()) {
      return {};
    }
    Bytes part;
    if (i > 0) {
      append(part, number++);
    }
    part.insert(part.end(), data.begin(), data.end());
    file.add(i == 0 ? FourCC{"IDAT"} : FourCC{"fdAT"}, part);
  }
  return file.take();
}

std::vector<PngText> png_texts(ByteView bytes) {
  std::vector<PngText> texts;
  if (bytes.size() < png::kSignature.size() ||
      !std::equal(png::kSignature.begin(), png::kSignature.end(), bytes.begin())) {
    return texts;
  }
  ByteView rest = bytes.subspan(png::kSignature.size());
  while (const auto data = png::next_chunk(rest)) {
    const std::string_view type = as_text(rest.subspan(4, 4));
    const auto end = std::find(data->begin(), data->end(), std::uint8_t{0});
    if (type == "tEXt" && end != data->end()) {
      texts.push_back({std::string(data->begin(), end), std::string(end + 1, data->end())});
    }
    if (type == "IEND") {
      break;
    }
    rest = rest.subspan(data->size() + png::kChunkFrame);
  }
  return texts;
}

}  // namespace thaw
