#include "convert/written_pictures.hpp"

#include <thaw/blp.hpp>
#include <thaw/codes.hpp>
#include <thaw/convert.hpp>
#include <thaw/dds.hpp>
#include <thaw/image.hpp>

#include "bytes/text.hpp"

#include <algorithm>

namespace thaw::conversion {
namespace {

/// Sides that games take, the next smaller ones.
std::uint32_t power_of_two(std::uint32_t side) {
  std::uint32_t result = 1;
  while (result <= side / 2) {
    result *= 2;
  }
  return result;
}

Result<Bytes> encoded(const Image& image, TextureKind kind, bool normals, Diagnostics& findings) {
  if (kind != TextureKind::dds) {
    const auto variant = kind == TextureKind::blp1 ? blp::Variant::blp1 : blp::Variant::blp2;
    return blp::encode(image, variant, {}, findings).map([](const blp::Document& document) {
      return blp::write(document);
    });
  }
  EncodeOptions options;
  options.encoding = normals ? PixelEncoding::bc5 : PixelEncoding::automatic;
  return dds::encode(image, options, findings).map([](const dds::Document& document) {
    return dds::write(document);
  });
}

/// What was made of others, what the scene made, or a file of its own.
Result<Image> picture_of(const WriteContext& context, const PictureToWrite& picture) {
  if (picture.image != nullptr) {
    return *picture.image;
  }
  const scene::Texture& texture = context.scene.textures[picture.texture];
  return texture.content ? decode_texture(*texture.content, {}, context.findings)
                         : Result<Image>(context.scene.images[texture.image].image);
}

/// Each pixel several times over.
Image enlarged(const Image& image, std::uint32_t width, std::uint32_t height) {
  Image large{width, height, Bytes(std::size_t{width} * height * 4)};
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      const std::size_t from = std::size_t{y * image.height / height} * image.width + x * image.width / width;
      std::copy_n(image.rgba.begin() + static_cast<std::ptrdiff_t>(from * 4), 4,
                  large.rgba.begin() + static_cast<std::ptrdiff_t>((std::size_t{y} * width + x) * 4));
    }
  }
  return large;
}

/// `least`: of each side, as blocks of pixels require it.
Image sized(Image image, const std::string& name, std::uint32_t least, std::uint32_t longest,
            Diagnostics& findings) {
  if (image.pixels() > 0 && std::min(image.width, image.height) < least) {
    image = enlarged(image, std::max(image.width, least), std::max(image.height, least));
  }
  std::uint32_t width = power_of_two(image.width);
  std::uint32_t height = power_of_two(image.height);
  while (longest > 0 && std::max(width, height) > longest) {
    width = std::max(1U, width / 2);
    height = std::max(1U, height / 2);
  }
  if (width != image.width || height != image.height) {
    findings.add(codes::kSceneChanged, name + " resized to " + std::to_string(width) + " × " +
                                           std::to_string(height) +
                                           ", because the game needs these dimensions");
    return reduced(image, width, height);
  }
  return image;
}

}  // namespace

std::string_view ending_of(TextureKind kind) { return kind == TextureKind::dds ? ".dds" : ".blp"; }

std::vector<OutputFile> written_pictures(const WriteContext& context,
                                         std::span<const PictureToWrite> pictures, TextureKind kind,
                                         std::uint32_t longest) {
  std::vector<OutputFile> files;
  if (pictures.empty() && !context.options.model.texture_path.empty()) {
    context.findings.add(codes::kOptionEffect, "--texture-path " + context.options.model.texture_path +
                                                   ": no texture files are written, so that all textures "
                                                   "keep their paths");
  }
  for (const PictureToWrite& picture : pictures) {
    const std::string name = std::string(last_part(picture.path)) + std::string(ending_of(kind));
    auto image = picture_of(context, picture);
    if (!image) {
      context.findings.add(codes::kSceneLost, "unreadable texture left out: " + name);
      continue;
    }
    constexpr std::uint32_t kBlock = 4;
    const std::uint32_t least = kind == TextureKind::dds ? kBlock : 1;
    const Image fit = sized(std::move(*image), name, least, longest, context.findings);
    auto bytes = encoded(fit, kind, picture.normals, context.findings);
    if (bytes) {
      files.push_back({name, std::move(*bytes)});
    } else {
      context.findings.add(codes::kSceneLost, name + ": " + bytes.error().message);
    }
  }
  return files;
}

}  // namespace thaw::conversion
