#include <thaw/image.hpp>
#include <thaw/tga.hpp>

#include <limits>
#include <string>

namespace thaw::tga {

Result<Document> encode(const Image& image) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint16_t>::max();
  if (image.width > kMost || image.height > kMost) {
    return fail(codes::kImageMalformed, std::to_string(image.width) + " × " + std::to_string(image.height) +
                                            ": TGA is limited to 65,535 × 65,535 pixels");
  }
  const bool opaque = is_opaque(image);
  Document document;
  document.image_type = ImageType::true_color;
  document.width = static_cast<std::uint16_t>(image.width);
  document.height = static_cast<std::uint16_t>(image.height);
  document.depth = opaque ? 24 : 32;
  document.descriptor = opaque ? 0 : 8;
  document.pixels.reserve(static_cast<std::size_t>(image.pixels()) * (opaque ? 3 : 4));
  for (std::size_t row = image.height; row-- > 0;) {
    const std::uint8_t* pixel = image.rgba.data() + row * image.width * 4;
    for (std::size_t x = 0; x < image.width; ++x, pixel += 4) {
      document.pixels.insert(document.pixels.end(), {pixel[2], pixel[1], pixel[0]});
      if (!opaque) {
        document.pixels.push_back(pixel[3]);
      }
    }
  }
  return document;
}

}  // namespace thaw::tga
