#include "formats/wow/mdx_alpha/facts.hpp"

#include <thaw/mdx_alpha.hpp>

namespace thaw::mdx_alpha {
namespace {

struct Size {
  std::size_t geosets = 0;
  std::size_t vertices = 0;
  std::size_t indices = 0;
};

Size size_of(const Document& document) {
  Size size;
  for (const auto* geoset : document.all<Geosets>()) {
    ++size.geosets;
    size.vertices += geoset->positions.size();
    size.indices += geoset->indices.size();
  }
  if (const auto* chunk = document.find<Sections>()) {
    size.geosets += chunk->sections.size();
    for (const auto& batch : chunk->batches) {
      size.vertices += batch.vertices.size();
      size.indices += batch.indices.size();
    }
  }
  return size;
}

void count_objects(const Document& document, Facts& facts) {
  const auto add = [&](std::string_view kind, std::size_t count) {
    if (count > 0) {
      facts.counts.push_back({kind, count});
    }
  };
  const Size size = size_of(document);
  add("geoset", size.geosets);
  add("vertex", size.vertices);
  add("triangle", size.indices / 3);
  add("material", document.all<Materials>().size());
  add("texture animation", document.all<TextureAnimations>().size());
  add("bone", document.all<Bones>().size());
  add("helper", document.all<Helpers>().size());
  add("attachment", document.all<Attachments>().size());
  add("light", document.all<Lights>().size());
  add("camera", document.all<Cameras>().size());
  add("event", document.all<EventObjects>().size());
  add("hit test", document.all<HitTests>().size());
  add("model emitter", document.all<ParticleEmitters>().size());
  add("particle emitter", document.all<ParticleEmitters2>().size());
  add("ribbon emitter", document.all<RibbonEmitters>().size());
  if (const auto* mesh = document.find<CollisionMesh>()) {
    add("collision triangle", mesh->indices.size() / 3);
  }
}

void list_clips(const Document& document, Facts& facts) {
  for (const auto* sequence : document.all<Sequences>()) {
    const double length = static_cast<double>(sequence->end) - static_cast<double>(sequence->start);
    facts.clips.push_back({to_utf8(sequence->name.view()), length * 0.001,
                           (sequence->flags & Sequence::kNonLooping) == 0, sequence->move_speed, 0});
  }
  if (const auto* loops = document.find<GlobalSequences>()) {
    for (const auto duration : loops->durations) {
      facts.loops.push_back(static_cast<double>(duration) * 0.001);
    }
  }
}

}  // namespace

Facts facts_of(const Document& document) {
  Facts facts;
  if (const auto* model = document.find<Model>()) {
    facts.name = to_utf8(model->name.view());
    facts.bounds = Facts::Box{model->extent.minimum, model->extent.maximum, model->extent.bounds_radius};
  }
  count_objects(document, facts);
  list_clips(document, facts);
  for (const auto* texture : document.all<Textures>()) {
    facts.textures.push_back(
        {to_utf8(texture->path.view()), texture->replaceable_id, replaceable_name(texture->replaceable_id)});
  }
  return facts;
}

}  // namespace thaw::mdx_alpha
