#include "cli/convert/convert_texture.hpp"

#include <thaw/blp.hpp>
#include <thaw/dds.hpp>
#include <thaw/image.hpp>

#include "cli/platform/job_control.hpp"
#include "cli/report/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thaw::cli {
namespace {

constexpr int kDefaultPngLevel = 6;

PixelEncoding encoding_named(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, PixelEncoding>, 7> kNames = {{
      {"auto", PixelEncoding::automatic},
      {"jpeg", PixelEncoding::jpeg},
      {"palette", PixelEncoding::palette},
      {"bc1", PixelEncoding::bc1},
      {"bc3", PixelEncoding::bc3},
      {"bc5", PixelEncoding::bc5},
      {"bgra", PixelEncoding::bgra},
  }};
  for (const auto& [known, encoding] : kNames) {
    if (known == name) {
      return encoding;
    }
  }
  return PixelEncoding::automatic;
}

EncodeOptions encode_options(const Settings& settings) {
  EncodeOptions options;
  options.encoding = encoding_named(settings.encoding);
  if (settings.quality) {
    options.quality = static_cast<int>(*settings.quality);
  }
  options.mipmaps = !settings.no_mipmaps;
  options.control = current_control();
  return options;
}

Result<Bytes> encode(const Image& image, Target target, const Settings& settings, Diagnostics& findings) {
  const EncodeOptions options = encode_options(settings);
  if (target == targets::kDds) {
    return dds::encode(image, options, findings).map([](const dds::Document& document) {
      return dds::write(document);
    });
  }
  if (target == targets::kPng) {
    return encode_png(image, png_level(settings), current_control());
  }
  return blp::encode(image, target == targets::kBlp1 ? blp::Variant::blp1 : blp::Variant::blp2, options,
                     findings)
      .map([](const blp::Document& document) { return blp::write(document); });
}

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
  return concat({std::to_string(whole / 100), digits.size() < 2 ? ".0" : ".", digits});
}

void add_facts(Product& product, const Image& image, Target target, const Settings& settings) {
  const std::string width = std::to_string(image.width);
  product.facts = concat({width, " × ", std::to_string(image.height)});
  product.json = {{"width", image.width}, {"height", image.height}};
  if (target == targets::kPng) {
    return;
  }
  // What was lost is not estimated: the file is read again.
  Diagnostics ignored;
  const auto again = decode_texture(product.files.front().bytes, read_options(settings), ignored);
  if (again && again->rgba.size() == image.rgba.size()) {
    const double error = root_mean_square(image, *again);
    product.facts += error == 0 ? " · nothing lost" : concat({" · error ", hundredths(error), " of 255"});
    product.json.emplace_back("rms_error", error);
  }
}

}  // namespace

int png_level(const Settings& settings) {
  return static_cast<int>(settings.png_level.value_or(kDefaultPngLevel));
}

Result<Product> make_texture(const Work& work) {
  const Settings& settings = work.settings;
  auto decoded = decode_texture(work.content.bytes, read_options(settings), work.findings);
  if (!decoded) {
    return tl::unexpected<Error>(std::move(decoded.error()));
  }
  constexpr std::uint64_t kLongest = 1U << 16U;
  const Image image =
      fitted(*decoded, static_cast<std::uint32_t>(std::min(settings.max_side.value_or(0), kLongest)));
  auto bytes = encode(image, work.target, settings, work.findings);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  Product product;
  product.files.push_back({work.output.filename().string(), std::move(*bytes)});
  add_facts(product, image, work.target, settings);
  return product;
}

}  // namespace thaw::cli
