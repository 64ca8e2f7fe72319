#include <thaw/blp.hpp>
#include <thaw/convert.hpp>
#include <thaw/dds.hpp>
#include <thaw/image.hpp>
#include <thaw/tga.hpp>

#include "bytes/number_text.hpp"
#include "formats/pictures/picture.hpp"

#include <cmath>

namespace thaw::pictures {
namespace {

/// Of the pixels that can be seen, over their channels; 0 is the same picture.
double root_mean_square(const Image& a, const Image& b) {
  double sum = 0;
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < a.rgba.size(); at += 4) {
    const std::size_t first = a.rgba[at + 3] == 0 && b.rgba[at + 3] == 0 ? at + 3 : at;
    for (std::size_t i = first; i < at + 4; ++i) {
      const double difference = a.rgba[i] - b.rgba[i];
      sum += difference * difference;
      ++count;
    }
  }
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

std::string hundredths(double value) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(value * 100));
  const std::string digits = std::to_string(whole % 100);
  return std::to_string(whole / 100) + (digits.size() < 2 ? ".0" : ".") + digits;
}

/// What was lost is not estimated: the file is read again.
void add_error(Outputs& outputs, const Image& image, const ReadOptions& read) {
  const auto again = decode_texture(outputs.files.front().bytes, read);
  if (again && again->rgba.size() == image.rgba.size()) {
    const double error = root_mean_square(image, *again);
    outputs.note += error == 0 ? " · nothing lost" : " · error " + hundredths(error) + " of 255";
    outputs.json.emplace_back("rms_error", error);
  }
}

std::string sides_of(const Image& image) {
  return std::to_string(image.width) + " × " + std::to_string(image.height);
}

/// Reported here, before somebody looks for the picture in the game; `validate` has a rule for it.
void report_odd_sides(const Image& image, const FileContext& file) {
  const auto is_power = [](std::uint32_t side) { return side != 0 && (side & (side - 1)) == 0; };
  if (!(is_power(image.width) && is_power(image.height))) {
    file.findings.add(
        codes::kConvertTexture,
        sides_of(image) + ": games need textures whose sides are powers of two; resize the image");
  }
}

/// At the requested size; BLP2 at that which WoW Alpha loads, unless one is requested.
Result<Image> decoded(const FileContext& file) {
  constexpr std::uint32_t kLongestOfAlpha = 256;  // wow-alpha-world.md#textures
  const ReadOptions& read = file.options.scene.read;
  const TextureOptions& options = file.options.texture;
  const bool for_alpha = options.longest_side == 0 && file.target == "blp2";
  if (!options.disabled && !for_alpha) {
    return decode_fitted(file.bytes, options.longest_side, read, file.findings);
  }
  return decode_texture(file.bytes, read, file.findings).map([&](const Image& whole) {
    Image image = fitted(options.disabled ? disabled_icon(whole) : whole,
                         for_alpha ? kLongestOfAlpha : options.longest_side);
    if (for_alpha && (image.width != whole.width || image.height != whole.height)) {
      file.findings.add(codes::kConvertTexture,
                        sides_of(whole) + " reduced to " + sides_of(image) +
                            ", because WoW Alpha loads no larger textures; --max-size " +
                            std::to_string(std::max(whole.width, whole.height)) + " preserves the size");
    }
    return image;
  });
}

Result<Outputs> converted(const FileContext& file,
                          Result<Bytes> (*encode)(const Image&, const FileContext&)) {
  return decoded(file).and_then([&](const Image& image) {
    return encode(image, file).map([&](Bytes&& bytes) {
      Outputs outputs;
      outputs.files.push_back({std::string(file.name), std::move(bytes)});
      outputs.note = sides_of(image);
      outputs.json = {{"width", image.width}, {"height", image.height}};
      if (file.target != "png" && file.target != "jpg" && file.target != "webp") {
        report_odd_sides(image, file);
      }
      if (file.target == "tga") {  // it stores the pixels as they are
        outputs.note += " · nothing lost";
        outputs.json.emplace_back("rms_error", 0.0);
      } else if (file.target != "png") {
        add_error(outputs, image, file.options.scene.read);
      }
      return outputs;
    });
  });
}

EncodeOptions encoding_of(const FileContext& file) {
  EncodeOptions options = file.options.texture.encode;
  options.control = file.options.scene.read.control;
  return options;
}

Result<Bytes> as_png(const Image& image, const FileContext& file) {
  return encode_png(image, file.options.texture.png_level, file.options.scene.read.control);
}

template <blp::Variant kVariant>
Result<Bytes> as_blp(const Image& image, const FileContext& file) {
  return blp::encode(image, kVariant, encoding_of(file), file.findings)
      .map([](const blp::Document& document) { return blp::write(document); });
}

Result<Bytes> as_dds(const Image& image, const FileContext& file) {
  return dds::encode(image, encoding_of(file), file.findings).map([](const dds::Document& document) {
    return dds::write(document);
  });
}

Result<Bytes> as_tga(const Image& image, const FileContext& /*file*/) {
  return tga::encode(image).map([](const tga::Document& document) { return tga::write(document); });
}

Result<Bytes> as_jpeg(const Image& image, const FileContext& file) {
  if (!is_opaque(image)) {
    file.findings.add(codes::kConvertTexture, "alpha dropped, because JPEG has none; PNG preserves it");
  }
  return encode_jpeg(image, file.options.texture.encode.quality);
}

template <Result<Bytes> (*kEncode)(const Image&, const FileContext&)>
Result<Outputs> make(const FileContext& file) {
  return converted(file, kEncode);
}

Result<Bytes> as_webp(const Image& image, const FileContext& file) {
  return encode_webp(image, file.options.scene.read.control);
}

constexpr std::string_view kBlocks = "textures to .dds and .blp of version 2";

}  // namespace

constexpr std::array<Conversion, 7> kConversions = {{
    {.target = "png", .extension = ".png", .label = "textures to .png", .make = make<as_png>},
    {.target = "blp",
     .extension = ".blp",
     .label = "textures to .blp",
     .make = make<as_blp<blp::Variant::blp1>>},
    {.target = "blp2", .extension = ".blp", .label = kBlocks, .make = make<as_blp<blp::Variant::blp2>>},
    {.target = "dds", .extension = ".dds", .label = kBlocks, .make = make<as_dds>},
    {.target = "tga", .extension = ".tga", .label = "textures to .tga", .make = make<as_tga>},
    {.target = "jpg", .extension = ".jpg", .label = "textures to .jpg", .make = make<as_jpeg>},
    {.target = "webp", .extension = ".webp", .label = "textures to .webp", .make = make<as_webp>},
}};

}  // namespace thaw::pictures
