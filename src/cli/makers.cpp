#include "cli/makers.hpp"

#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/mdx_alpha_scene.hpp>
#include <thaw/mdx_scene.hpp>
#include <thaw/mrf_scene.hpp>

#include "cli/console.hpp"
#include "cli/convert_animation.hpp"
#include "cli/convert_m3.hpp"
#include "cli/convert_morph.hpp"
#include "cli/convert_texture.hpp"
#include "cli/convert_wmo.hpp"
#include "cli/replaceables.hpp"
#include "cli/report.hpp"
#include "cli/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

scene::Scene model_scene(const Work& work, const mdx::Document& model) {
  mdx::SceneOptions options;
  options.scale = work.scale(options.scale);
  return mdx::to_scene(model, options, work.findings);
}

scene::Scene alpha_scene(const Work& work, const mdx_alpha::Document& model) {
  mdx_alpha::SceneOptions options;
  options.scale = work.scale(options.scale);
  return mdx_alpha::to_scene(model, options, work.findings);
}

/// What lies beside a model for its replaceable textures.
ReplaceablePaths skins_of(const Work& work, const mdx_alpha::Document& model) {
  const auto* member = work.input.member.get();
  const std::filesystem::path path =
      member == nullptr ? work.input.path : std::filesystem::path(normalize_game_path(member->entry.name));
  return mdx_alpha::skins_beside(model, path.stem().string(), work.folders.beside(work.input));
}

scene::Scene morph_scene(const Work& work, const mrf::Document& morph) {
  mrf::SceneOptions options;
  options.scale = work.scale(options.scale);
  set_thinning(work.settings, options.every, options.max_error, options.scale);
  return mrf::to_scene(morph, work.output.stem().string(), options, work.findings);
}

Product model_product(const scene::Scene& scene, std::vector<GltfFile> files) {
  const auto clips = static_cast<std::uint64_t>(std::count_if(
      scene.clips.begin(), scene.clips.end(), [](const scene::Clip& clip) { return !clip.global; }));
  const auto missing = static_cast<std::uint64_t>(
      std::count_if(scene.images.begin(), scene.images.end(),
                    [](const scene::NamedImage& image) { return image.placeholder; }));
  Product product;
  product.files = std::move(files);
  product.facts = counted(clips, "clip");
  product.facts += missing > 0 ? concat({" · ", counted(missing, "texture"), " missing"}) : "";
  product.json = {{"clips", static_cast<std::int64_t>(clips)},
                  {"textures", static_cast<std::int64_t>(scene.images.size())},
                  {"textures_missing", static_cast<std::int64_t>(missing)}};
  return product;
}

}  // namespace

std::optional<scene::Scene> make_scene(const Work& work, const AnyDocument& document) {
  if (const auto* model = document.get_if<mdx::Document>()) {
    return model_scene(work, *model);
  }
  if (const auto* alpha = document.get_if<mdx_alpha::Document>()) {
    return alpha_scene(work, *alpha);
  }
  if (const auto* morph = document.get_if<mrf::Document>()) {
    return morph_scene(work, *morph);
  }
  if (const auto* model = document.get_if<m3::Document>()) {
    return m3_scene(work, *model);
  }
  if (const auto* building = document.get_if<wmo::Document>()) {
    if (auto scene = wmo_scene(work, *building)) {
      return std::move(*scene);
    }
    // A map may ask for a doodad set that the building does not have.
    Settings settings = work.settings;
    settings.doodad_set.clear();
    auto scene = wmo_scene({work.input, work.content, work.target, work.output, settings, work.team_color,
                            work.folders, work.findings},
                           *building);
    return scene ? std::optional(std::move(*scene)) : std::nullopt;
  }
  return std::nullopt;
}

Result<Product> export_scene(const Work& work, scene::Scene scene, const ReplaceablePaths& replaceables) {
  scene::ImageOptions image_options;
  image_options.team_color = work.team_color;
  image_options.read = read_options(work.settings);
  Replaceables chosen = chosen_replaceables(work.settings);
  image_options.replaceables = std::move(chosen.paths);
  image_options.replaceables.insert(image_options.replaceables.end(), replaceables.begin(),
                                    replaceables.end());
  Sources sources = work.folders.for_model(work.input);
  if (chosen.files != nullptr) {
    sources.add(chosen.files);
  }
  const std::size_t morphs = attach_morphs(scene, sources, work.scale(0), work.settings, work.findings);
  scene::load_images(scene, sources, image_options, work.findings);
  GltfOptions options;
  options.profile = work.settings.profile == "rich" ? GltfProfile::rich : GltfProfile::compat;
  options.binary = work.target == Target::glb;
  options.embed_images = options.binary;
  options.name = work.output.stem().string();
  options.png_level = png_level(work.settings);
  auto files = write_gltf(scene, options, work.findings);
  if (!files) {
    return tl::unexpected<Error>(std::move(files.error()));
  }
  Product product = model_product(scene, std::move(*files));
  product.facts += morphs > 0 ? concat({" · ", counted(morphs, "morph model")}) : "";
  return product;
}

Result<Product> make_from(const Work& work, const AnyDocument& document) {
  if (const auto* building = document.get_if<wmo::Document>()) {
    if (work.target == Target::wmo_v14 || work.target == Target::wmo_v17) {
      return make_wmo(work, *building);
    }
    auto scene = wmo_scene(work, *building);
    return scene ? export_scene(work, std::move(*scene)) : tl::unexpected<Error>(std::move(scene.error()));
  }
  if (auto animated = make_animated_scene(work, document)) {
    return std::move(*animated).and_then(
        [&](scene::Scene&& scene) { return export_scene(work, std::move(scene)); });
  }
  if (const auto* alpha = document.get_if<mdx_alpha::Document>()) {
    return export_scene(work, alpha_scene(work, *alpha), skins_of(work, *alpha));
  }
  if (auto scene = make_scene(work, document)) {
    return export_scene(work, std::move(*scene));
  }
  return fail(codes::kFormatUnsupported, std::string(work.content.identity.explanation));
}

}  // namespace thaw::cli
