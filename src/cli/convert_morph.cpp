#include "cli/convert_morph.hpp"

#include <thaw/gltf_read.hpp>
#include <thaw/mrf_scene.hpp>

#include "cli/console.hpp"
#include "cli/text.hpp"

#include <algorithm>

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

void set_thinning(const Settings& settings, std::uint32_t& every, float& max_error) {
  constexpr std::uint64_t kMost = 1U << 16U;
  every = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(settings.every.value_or(1), 1, kMost));
  if (settings.max_error) {
    max_error = static_cast<float>(*settings.max_error);
  }
}

Result<Product> make_morph(const Input& input, const Content& content, const std::string& name,
                           const Settings& settings, Diagnostics& findings) {
  GltfReadOptions reading = gltf_options(input, settings);
  reading.base_colors = false;  // a morph model has no colours
  const auto scene = read_gltf(content.bytes, reading, findings);
  if (!scene) {
    return tl::unexpected<Error>(scene.error());
  }
  mrf::FromSceneOptions options;
  options.scale = settings.scale ? static_cast<float>(*settings.scale) : options.scale;
  return mrf::from_scene(*scene, options, findings).map([&](const mrf::Document& document) {
    Product product;
    const std::size_t frames = document.frames.size();
    const std::size_t vertices = document.uvs.size();
    product.facts = concat({counted(frames, "frame"), " · ", std::to_string(vertices), " vertices"});
    product.json = {{"frames", static_cast<std::int64_t>(frames)},
                    {"vertices", static_cast<std::int64_t>(vertices)}};
    product.files.push_back({name, mrf::write(document)});
    return product;
  });
}

}  // namespace thaw::cli
