#include "cli/convert_m3.hpp"

#include <thaw/gltf_read.hpp>
#include <thaw/m3_scene.hpp>

#include "bytes/number_text.hpp"
#include "cli/console.hpp"
#include "cli/convert_morph.hpp"
#include "cli/text.hpp"

namespace thaw::cli {
tl::expected<std::optional<std::uint32_t>, std::string> wished_lod(const Settings& settings) {
  if (settings.lod == "all") {
    return std::optional<std::uint32_t>();
  }
  const auto level = parse_whole(settings.lod);
  if (!level) {
    return tl::unexpected<std::string>(
        concat({"--lod ", settings.lod, ": a level, 0 being the finest, or `all`"}));
  }
  return level;
}

Result<Product> make_m3(const Work& work) {
  const auto scene = read_gltf(work.content.bytes, gltf_options(work.input, work.settings), work.findings);
  if (!scene) {
    return tl::unexpected<Error>(scene.error());
  }
  m3::FromSceneOptions options;
  options.scale = work.scale(options.scale);
  options.version = static_cast<std::uint32_t>(work.settings.format_version.value_or(options.version));
  return m3::from_scene(*scene, options, work.findings).map([&](const m3::Document& document) {
    const auto* mesh = document.find<m3::Mesh>();
    const auto levels = m3::level_layout(*mesh);
    const auto* materials = document.find<m3::Materials>();
    Product product;
    product.facts = concat({counted(levels.per_level, "geoset"), " · ", counted(levels.levels, "level"),
                            " · ", counted(materials->instances.size(), "material")});
    product.json = {{"geosets", static_cast<std::int64_t>(levels.per_level)},
                    {"levels", static_cast<std::int64_t>(levels.levels)}};
    product.files.push_back({work.output.filename().string(), m3::write(document)});
    return product;
  });
}

}  // namespace thaw::cli
