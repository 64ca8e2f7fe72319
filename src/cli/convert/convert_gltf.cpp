#include "cli/convert/convert_gltf.hpp"

#include <thaw/m3_scene.hpp>
#include <thaw/mrf_scene.hpp>

#include "cli/report/console.hpp"
#include "cli/report/text.hpp"

namespace thaw::cli {

GltfReadOptions gltf_options(const Input& input, const Settings& settings) {
  GltfReadOptions options;
  options.limits = read_options(settings).limits;
  if (input.name != "-") {
    const std::filesystem::path parent = input.path.parent_path();
    const auto folder = open_folder(parent.empty() ? "." : parent);
    options.open = [folder](std::string_view uri) -> Result<Bytes> {
      if (auto bytes = folder->read(normalize_game_path(uri))) {
        return std::move(*bytes);
      }
      return fail(codes::kGltfReference, concat({uri, " is not in the folder of the file"}));
    };
  }
  return options;
}

Result<Product> make_morph(const Work& work) {
  GltfReadOptions reading = gltf_options(work.input, work.settings);
  reading.base_colors = false;  // a morph model has no colours
  const auto scene = read_gltf(work.content.bytes, reading, work.findings);
  if (!scene) {
    return tl::unexpected<Error>(scene.error());
  }
  mrf::FromSceneOptions options;
  options.scale = work.scale(options.scale);
  return mrf::from_scene(*scene, options, work.findings).map([&](const mrf::Document& document) {
    Product product;
    const std::size_t frames = document.frames.size();
    const std::size_t vertices = document.uvs.size();
    product.facts = concat({counted(frames, "frame"), " · ", std::to_string(vertices), " vertices"});
    product.json = {{"frames", static_cast<std::int64_t>(frames)},
                    {"vertices", static_cast<std::int64_t>(vertices)}};
    product.files.push_back({work.output.filename().string(), mrf::write(document)});
    return product;
  });
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
