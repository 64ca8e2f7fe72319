#include "cli/convert_m3.hpp"

#include <thaw/gltf_read.hpp>
#include <thaw/m3_scene.hpp>

#include "cli/console.hpp"
#include "cli/convert_morph.hpp"
#include "cli/text.hpp"

#include <charconv>

namespace thaw::cli {
namespace {

/// The picture of a FileDataID under the names that it goes by: that of a listfile, `<model>_<id>.blp` as
/// unnamed files are called, or `<id>.blp`. The first that is there, else the first.
std::string texture_path(const Work& work, const Sources& sources, std::uint32_t id) {
  const std::string number = std::to_string(id);
  std::vector<std::string> names;
  if (auto listed = work.folders.file_ids().path_of(id); !listed.empty()) {
    names.push_back(std::move(listed));
  }
  names.push_back(concat({work.input.path.stem().string(), "_", number, ".blp"}));
  names.push_back(concat({number, ".blp"}));
  for (const std::string& name : names) {
    if (sources.find_texture(name)) {
      return name;
    }
  }
  return names.size() > 2 ? names.front() : names.back();
}

}  // namespace

tl::expected<std::optional<std::uint32_t>, std::string> wished_lod(const Settings& settings) {
  if (settings.lod == "all") {
    return std::optional<std::uint32_t>();
  }
  std::uint32_t level = 0;
  const char* end = settings.lod.data() + settings.lod.size();
  const auto [at, error] = std::from_chars(settings.lod.data(), end, level);
  if (error != std::errc() || at != end) {
    return tl::unexpected<std::string>(
        concat({"--lod ", settings.lod, ": a level, 0 being the finest, or `all`"}));
  }
  return std::optional(level);
}

scene::Scene m3_scene(const Work& work, const m3::Document& model) {
  const Sources sources = work.folders.for_model(work.input);
  m3::SceneOptions options;
  options.scale = work.scale(options.scale);
  options.lod = wished_lod(work.settings).value_or(std::optional<std::uint32_t>(0));
  options.collision = work.settings.collision;
  options.path_of = [&](std::uint32_t id) { return texture_path(work, sources, id); };
  return m3::to_scene(model, work.input.path.stem().string(), options, work.findings);
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
