#include "cli/convert_actor.hpp"

#include <thaw/adr_scene.hpp>

#include "cli/convert_animation.hpp"
#include "cli/text.hpp"

namespace thaw::cli {
namespace {

/// The game's own name of the file.
constexpr std::string_view kMaterials = "materials_3.xml";

/// Of --materials, else of a source.
Result<std::optional<materials::Library>> read_library(const Work& work, const Sources& sources) {
  Bytes bytes;
  const std::string& file = work.settings.materials;
  if (!file.empty()) {
    auto content = load(named_input(file, work.settings), work.settings);
    if (!content) {
      content.error().message = concat({file, ": ", content.error().message});
      return tl::unexpected<Error>(std::move(content.error()));
    }
    bytes = std::move(content->bytes);
  } else if (auto found = sources.find(kMaterials)) {
    bytes = std::move(found->bytes);
  } else {
    return std::nullopt;
  }
  auto library = materials::read_library({std::move(bytes)});
  if (!library) {
    library.error().message = concat({file.empty() ? kMaterials : file, ": ", library.error().message});
    return tl::unexpected<Error>(std::move(library.error()));
  }
  return std::optional(std::move(*library));
}

adr::LodChoice lod_choice(const Settings& settings) {
  adr::LodChoice choice;
  choice.all = settings.lod == "all";
  for (const char c : settings.lod) {
    constexpr std::size_t kMost = 1000;
    const bool digit = c >= '0' && c <= '9';
    choice.one = digit ? std::min(kMost, choice.one * 10 + static_cast<std::size_t>(c - '0')) : 0;
  }
  return choice;
}

Result<scene::Scene> actor_scene(const Work& work, const xml::Document& document, const Sources& sources,
                                 const materials::Library* library) {
  const auto actor = adr::read_actor(document);
  if (!actor) {
    return tl::unexpected<Error>(actor.error());
  }
  adr::SceneOptions options;
  options.library = library;
  options.skeleton = work.settings.skeleton;
  options.clips.wanted = wanted_clips(work.settings);
  options.clips.root_motion = work.settings.root_motion != "off";
  options.lod = lod_choice(work.settings);
  options.read = read_options(work.settings);
  return adr::to_scene(*actor, work.output.stem().string(), sources, options, work.findings);
}

scene::Scene model_scene(const Work& work, const dme::Document& model, const Sources& sources,
                         const materials::Library* library) {
  dme::SceneOptions options;
  options.library = library;
  options.sources = &sources;
  options.read = read_options(work.settings);
  return dme::to_scene(model, work.output.stem().string(), options, work.findings);
}

}  // namespace

std::optional<Result<scene::Scene>> make_actor_scene(const Work& work, const AnyDocument& document) {
  const auto* model = document.get_if<dme::Document>();
  const bool is_actor = document.identity().format == Format::adr;
  if (model == nullptr && !is_actor) {
    return std::nullopt;
  }
  const Sources sources = work.folders.for_model(work.input);
  const auto library = read_library(work, sources);
  if (!library) {
    return tl::unexpected<Error>(library.error());
  }
  const auto* known = *library ? &**library : nullptr;
  if (model != nullptr) {
    return model_scene(work, *model, sources, known);
  }
  return actor_scene(work, *document.get_if<xml::Document>(), sources, known);
}

}  // namespace thaw::cli
