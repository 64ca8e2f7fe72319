#include "cli/convert_morph.hpp"

#include <thaw/gltf_read.hpp>
#include <thaw/mrf_scene.hpp>

#include "cli/console.hpp"
#include "cli/text.hpp"

#include <algorithm>

namespace thaw::cli {
namespace {

constexpr float kMetresPerUnit = 0.01F;

/// The game looks below its own folders; people keep the file beside the model.
std::optional<Found> find_morph(const Sources& sources, std::string_view id) {
  if (auto found = sources.find(mrf::game_path(id))) {
    return found;
  }
  return sources.find(concat({"arthascape", id, ".mrf"}));
}

}  // namespace

GltfReadOptions gltf_options(const Input& input, const Settings& settings) {
  GltfReadOptions options;
  options.limits = read_options(settings).limits;
  if (input.name != "-") {
    const auto folder = open_folder(input.path.parent_path());
    options.open = [folder](std::string_view uri) -> Result<Bytes> {
      if (auto bytes = folder->read(normalize_game_path(uri))) {
        return std::move(*bytes);
      }
      return fail(codes::kGltfReference, concat({uri, " is not in the folder of the file"}));
    };
  }
  return options;
}

void set_thinning(const Settings& settings, std::uint32_t& every, float& max_error, float scale) {
  constexpr std::uint64_t kMost = 1U << 16U;
  every = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(settings.every.value_or(1), 1, kMost));
  if (settings.max_error) {
    max_error = static_cast<float>(*settings.max_error) * scale;
  }
}

Result<Product> make_morph(const Input& input, const Content& content, const std::string& name,
                           const Settings& settings, Diagnostics& findings) {
  const auto scene = read_gltf(content.bytes, gltf_options(input, settings), findings);
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

std::size_t attach_morphs(scene::Scene& model, const Sources& sources, float scale, const Settings& settings,
                          Diagnostics& findings) {
  std::size_t attached = 0;
  for (const std::string& id : mrf::event_ids(model)) {
    const auto found = find_morph(sources, id);
    if (!found) {
      findings.add(codes::kSceneReference,
                   concat({"the events show the morph model ", mrf::game_path(id), ", which no source has"}));
      continue;
    }
    const auto document = mrf::read(found->bytes, read_options(settings), findings);
    if (!document) {
      findings.add(document.error().code,
                   concat({found->where, "/", found->name, ": ", document.error().message}));
      continue;
    }
    mrf::SceneOptions options;
    options.scale = scale > 0 ? scale : kMetresPerUnit;
    set_thinning(settings, options.every, options.max_error, options.scale);
    mrf::attach(model, id, *document, options, findings);
    ++attached;
  }
  return attached;
}

}  // namespace thaw::cli
