#include "formats/warcraft/mdx/facts.hpp"

#include <algorithm>

namespace thaw {

std::string_view replaceable_name(std::uint32_t replaceable_id) {
  switch (replaceable_id) {
    case 1:
      return "team colour";
    case 2:
      return "team glow";
    case 11:
      return "cliff";
    case 21:
      return "cursor";
    case 31:
      return "Lordaeron tree";
    case 32:
      return "Ashenvale tree";
    case 33:
      return "Barrens tree";
    case 34:
      return "Northrend tree";
    case 35:
      return "mushroom tree";
    case 36:
      return "ruins tree";
    case 37:
      return "Outland mushroom tree";
    default:
      return "";
  }
}

namespace mdx {
namespace {

template <class Body>
std::size_t items(const Document& document) {
  return document.all<Body>().size();
}

std::size_t vertices(const Document& document) {
  std::size_t count = 0;
  for (const auto* geoset : document.all<Geosets>()) {
    count += geoset->positions.size();
  }
  return count;
}

std::size_t triangles(const Document& document) {
  std::size_t indices = 0;
  for (const auto* geoset : document.all<Geosets>()) {
    indices += geoset->indices.size();
  }
  return indices / 3;
}

std::vector<std::string> sounds_of(const Document& document) {
  std::vector<std::string> paths;
  for (const auto& chunk : document.chunks) {
    if (const auto* sounds = std::get_if<SoundTracks>(&chunk.body)) {
      const auto add = [&](const auto& track) { paths.push_back(to_utf8(track.path.view())); };
      std::for_each(sounds->tracks.begin(), sounds->tracks.end(), add);
      std::for_each(sounds->short_tracks.begin(), sounds->short_tracks.end(), add);
    }
  }
  return paths;
}

void count_objects(const Document& document, Facts& facts) {
  const auto add = [&](std::string_view kind, std::size_t count) {
    if (count > 0) {
      facts.counts.push_back({kind, count});
    }
  };
  add("geoset", items<Geosets>(document));
  add("vertex", vertices(document));
  add("triangle", triangles(document));
  add("material", items<Materials>(document));
  add("texture animation", items<TextureAnimations>(document));
  add("bone", items<Bones>(document));
  add("helper", items<Helpers>(document));
  add("attachment", items<Attachments>(document));
  add("light", items<Lights>(document));
  add("camera", items<Cameras>(document));
  add("event", items<EventObjects>(document));
  add("collision shape", items<CollisionShapes>(document));
  add("model emitter", items<ParticleEmitters>(document));
  add("particle emitter", items<ParticleEmitters2>(document));
  add("ribbon emitter", items<RibbonEmitters>(document));
  add("popcorn emitter", items<PopcornEmitters>(document));
  add("sound track", sounds_of(document).size());
  add("sound emitter", items<SoundEmitters>(document));
  add("face effect", items<FaceEffects>(document));
}

constexpr double kMillisecond = 0.001;

void list_clips(const Document& document, Facts& facts) {
  for (const auto* sequence : document.all<Sequences>()) {
    const double length = static_cast<double>(sequence->end) - static_cast<double>(sequence->start);
    facts.clips.push_back({to_utf8(sequence->name.view()), length * kMillisecond,
                           (sequence->flags & Sequence::kNonLooping) == 0, sequence->move_speed,
                           sequence->rarity});
  }
  if (const auto* loops = document.find<GlobalSequences>()) {
    for (const auto duration : loops->durations) {
      facts.loops.push_back(static_cast<double>(duration) * kMillisecond);
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
  for (auto& sound : sounds_of(document)) {
    facts.references.push_back({"sound", std::move(sound)});
  }
  return facts;
}

void show_names(const AnyDocument& any, const std::function<void(std::string_view)>& each) {
  const auto& document = *any.get_if<Document>();
  if (const auto* model = document.find<Model>()) {
    each(model->name.view());
  }
  const auto show = [&](const auto& item) {
    if constexpr (requires { item.node; }) {
      each(item.node.name.view());
    }
    if constexpr (requires { item.path.view(); }) {
      each(item.path.view());
    }
    if constexpr (requires { item.name.view(); }) {
      each(item.name.view());
    }
  };
  for (const auto& chunk : document.chunks) {
    std::visit(
        [&](const auto& body) {
          if constexpr (requires { body.items; }) {
            std::for_each(body.items.begin(), body.items.end(), show);
          }
        },
        chunk.body);
  }
}

}  // namespace mdx
}  // namespace thaw
