#include "cli/convert/convert_file.hpp"

#include <thaw/encode.hpp>
#include <thaw/icon.hpp>

#include "cli/convert/classic_model.hpp"
#include "cli/convert/convert_animation.hpp"
#include "cli/inputs/distinct.hpp"
#include "cli/platform/job_control.hpp"
#include "cli/report/text.hpp"
#include "formats/list.hpp"

#include <algorithm>
#include <array>

namespace thaw::cli {
namespace {

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

EncodeOptions encode_options(const TextureSettings& settings) {
  EncodeOptions options;
  options.encoding = encoding_named(settings.encoding);
  if (settings.quality) {
    options.quality = static_cast<int>(*settings.quality);
    // Who asks for a quality asks for what has one.
    options.encoding = options.encoding == PixelEncoding::automatic ? PixelEncoding::jpeg : options.encoding;
  }
  options.mipmaps = !settings.no_mipmaps;
  options.control = current_control();
  return options;
}

std::uint32_t clamped(std::uint64_t value, std::uint64_t most) {
  return static_cast<std::uint32_t>(std::min(value, most));
}

/// The file's own name, without the archive that it may be in. What a map places has only its name in the
/// game.
std::string own_path(const Work& work) {
  const auto& named = work.input.relative.empty() ? work.input.path : work.input.relative;
  const bool known = extension_of(named) == work.target.extension;
  return (known ? named.filename() : work.output).generic_string();
}

Product product_of(ConvertedFiles&& made) {
  Product product;
  for (auto& [name, bytes] : made.files) {
    product.files.push_back({std::move(name), std::move(bytes)});
  }
  product.facts = std::move(made.note);
  product.json = std::move(made.json);
  return product;
}

/// --disabled: the picture is another one from the beginning.
Result<ConvertedFiles> convert_disabled(FileToConvert file, const Conversion& way) {
  return decode_texture(file.bytes, file.read, file.findings).and_then([&](const Image& icon) {
    const Bytes png = encode_png(disabled_icon(icon));
    file.bytes = png;
    return way.make(file);
  });
}

}  // namespace

Result<Product> convert_file(const Work& work, const Conversion& way, const AnyDocument* document) {
  constexpr std::uint64_t kLargestVersion = 0xFFFFFFFF;
  const Settings& settings = work.settings;
  const mdl::WriteOptions text = text_options(settings);
  std::optional<Sources> sources;
  FileToConvert file{way.target,
                     work.content.bytes,
                     document,
                     work.output.filename().string(),
                     own_path(work),
                     [&] { return sources.emplace(work.folders.for_model(work.input)); },
                     read_options(settings),
                     work.findings};
  if (settings.format_version) {
    file.version = clamped(*settings.format_version, kLargestVersion);
  }
  file.weights = settings.weights;
  file.text = &text;
  file.encode = encode_options(settings);
  file.png_level = png_level(settings);
  file.longest_side = longest_side(settings);
  file.own_name = (work.input.name == "-" ? work.output : work.input.relative).stem().string();
  file.clips = wanted_clips(settings);
  std::optional<mrn::Document> network;
  if (work.content.identity.format == "nsa") {
    auto read = read_network(parse_skeleton(settings.skeleton), settings, work.findings);
    if (!read) {
      return tl::unexpected<Error>(std::move(read.error()));
    }
    network = std::move(*read);
    file.network = &*network;
  }
  if (settings.disabled) {
    return convert_disabled(file, way).map(product_of);
  }
  auto made = settings.with_textures ? convert_to_classic(file) : way.make(file);
  if (sources) {
    report_outside(work.input, *sources, work.findings);
  }
  return std::move(made).map(product_of);
}

std::string objection_to_version(const FromSceneSettings& settings, std::string_view target) {
  const auto known = find_format(target).descriptor().written_versions;
  const auto version = settings.format_version;
  if (!version || known.empty() || std::find(known.begin(), known.end(), *version) != known.end()) {
    return "";
  }
  std::string list;
  for (const auto each : known) {
    list += concat({list.empty() ? "" : ", ", std::to_string(each)});
  }
  return concat({"--format-version ", std::to_string(*version), ": there are ", list});
}

mdl::WriteOptions text_options(const TextSettings& settings) {
  mdl::WriteOptions options;
  options.precision = static_cast<unsigned>(settings.precision.value_or(0));
  options.indent = settings.indent == "tab" ? 0 : static_cast<unsigned>(std::stoul(settings.indent));
  options.line_ending = settings.line_ending == "crlf" ? mdl::LineEnding::crlf : mdl::LineEnding::lf;
  options.dialect =
      settings.mdl_dialect == "world-editor" ? mdl::Dialect::world_editor : mdl::Dialect::community;
  options.plain = settings.plain;
  return options;
}

int png_level(const TextureSettings& settings) {
  constexpr int kDefaultPngLevel = 6;
  return static_cast<int>(settings.png_level.value_or(kDefaultPngLevel));
}

}  // namespace thaw::cli
