#include <thaw/mrf.hpp>

#include "open/parts.hpp"

namespace thaw::open {
namespace {

/// The game looks below its own folders; people keep the file next to the model.
std::optional<FoundFile> find_morph(const Sources& sources, std::string_view id) {
  if (auto found = sources.find(mrf::game_path(id))) {
    return found;
  }
  return sources.find("arthascape" + std::string(id) + ".mrf");
}

}  // namespace

std::size_t attach_morphs(const SceneContext& context, scene::Scene& model) {
  std::size_t attached = 0;
  for (const std::string& id : mrf::event_ids(model)) {
    const auto found = find_morph(context.sources, id);
    if (!found) {
      context.findings.add(codes::kSceneReference, "the events refer to the morph model " +
                                                       mrf::game_path(id) +
                                                       ", which is in no source; it is left out");
      continue;
    }
    const auto document = mrf::read(found->bytes, context.request.read, context.findings);
    if (!document) {
      context.findings.add(document.error().code, found->where + ": " + document.error().message);
      continue;
    }
    mrf::SceneOptions options;
    options.scale = context.scale(options.scale);
    options.every = context.request.every;
    options.max_error = context.request.max_error * options.scale;
    mrf::attach(model, id, *document, options, context.findings);
    ++attached;
  }
  return attached;
}

}  // namespace thaw::open
