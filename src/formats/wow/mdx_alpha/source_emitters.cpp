#include "formats/wow/mdx_alpha/source_emitters.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "formats/warcraft/mdx/scene/values.hpp"
#include "scene/math.hpp"
#include "scene/source.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace thaw::mdx_alpha {
namespace {

using mdx::to_value;

Value to_value(float number) { return {number}; }
Value to_value(std::uint32_t number) { return {number}; }
Value to_value(ParticleEmitter2::Type type) { return {static_cast<std::uint32_t>(type)}; }
template <class T>
Value vectors_value(const T& vectors) {
  Value::List list;
  for (const auto& vector : vectors) {
    list.push_back(to_value(vector));
  }
  return {std::move(list)};
}
template <std::size_t N>
Value to_value(const std::array<Vec2, N>& vectors) {
  return vectors_value(vectors);
}
Value to_value(const Array<Vec3>& vectors) { return vectors_value(vectors); }

void take(const Value& value, float& number) {
  number = scene::to_float(value.number().value_or(double{number}));
}
void take(const Value& value, std::uint32_t& number) {
  const auto whole = value.integer();
  number = whole && *whole >= 0 && *whole <= std::int64_t{~std::uint32_t{0}}
               ? static_cast<std::uint32_t>(*whole)
               : number;
}
void take(const Value& value, ParticleEmitter2::Type& type) {
  auto number = static_cast<std::uint32_t>(type);
  take(value, number);
  type = static_cast<ParticleEmitter2::Type>(std::min(number, 3U));
}
template <std::size_t N>
void take(const Value& value, FixedText<N>& text) {
  text = FixedText<N>(value.text());
}
template <class T, std::size_t N>
void take(const Value& value, std::array<T, N>& parts) {
  for (std::size_t i = 0; i < N; ++i) {
    take(value[i], parts.at(i));
  }
}
void take(const Value& value, Array<Vec3>& vectors) {
  vectors.clear();
  for (const Value& vector : value.list()) {
    take(vector, vectors.emplace_back());
  }
}

/// The extras of an emitter's node, in memory or read back from a file.
const Value& emitter_extras(const scene::Scene& scene, scene::Index node) {
  static const Value kNothing;
  const Value& extras =
      node < scene.nodes.size() ? scene::extras_of(scene.nodes[node], "mdx-alpha") : kNothing;
  return extras.find("emitterType") != nullptr ? extras : kNothing;
}

bool threw_models(const scene::Scene& scene, const scene::Emitter& emitter) {
  return emitter.kind == scene::Emitter::Kind::models && !emitter_extras(scene, emitter.node).is_null();
}

void report_lost_tracks(const scene::Scene& scene, const std::set<std::string>& source_tracks,
                        Diagnostics& diagnostics) {
  std::set<std::string> lost = source_tracks;
  for (const auto& clip : scene.clips) {
    for (const auto& channel : clip.channels) {
      if (channel.property == scene::Property::emitter_longitude) {
        lost.insert("KPLN");
      } else if (channel.property == scene::Property::emitter_life_span) {
        lost.insert("KLIF");
      }
    }
  }
  std::string tags;
  for (const std::string& tag : lost) {
    tags += (tags.empty() ? "" : ", ") + tag;
  }
  if (!tags.empty()) {
    diagnostics.add(codes::kSceneLost, "emitter tracks without an equivalent left out: " + tags);
  }
}

}  // namespace

Value alpha_fields(const ParticleEmitter2& emitter) {
  Value extras;
  for_each_alpha_field(emitter,
                       [&](const char* name, const auto& field) { extras.set(name, to_value(field)); });
  return extras;
}

bool throws_models(const scene::Scene& scene) {
  return std::any_of(scene.emitters.begin(), scene.emitters.end(),
                     [&](const scene::Emitter& emitter) { return threw_models(scene, emitter); });
}

void as_sprites(scene::Scene& scene) {
  for (scene::Emitter& emitter : scene.emitters) {
    if (threw_models(scene, emitter)) {
      emitter.kind = scene::Emitter::Kind::sprites;
    }
  }
}

void restore_emitters(Document& document, const scene::Scene& scene, Diagnostics& diagnostics) {
  std::set<scene::Index> used;
  std::set<std::string> tracks;
  std::size_t throwing = 0;
  const auto give = [&](ParticleEmitter2& emitter) {
    const auto source =
        std::find_if(scene.emitters.begin(), scene.emitters.end(), [&](const scene::Emitter& from) {
          return !emitter_extras(scene, from.node).is_null() && !used.contains(from.node) &&
                 scene.nodes[from.node].name == to_utf8(emitter.node.name.view());
        });
    if (source == scene.emitters.end()) {
      return;
    }
    used.insert(source->node);
    const Value& extras = emitter_extras(scene, source->node);
    for_each_alpha_field(emitter, [&](const char* name, auto& field) {
      if (const Value* value = extras.find(name)) {
        take(*value, field);
      }
    });
    throwing += emitter.geometry_model.view().empty() ? 0U : 1U;
    emitter.longitude = source->longitude;
    std::uint32_t flags = 0;
    take(extras["flags"], flags);
    emitter.node.flags |= flags & kAlphaEmitterFlags;
    for (const auto& [tag, track] : extras["tracks"].object()) {
      tracks.insert(tag);
    }
  };
  for (auto& chunk : document.chunks) {
    if (auto* emitters = std::get_if<ParticleEmitters2>(&chunk.body)) {
      std::for_each(emitters->items.begin(), emitters->items.end(), give);
    }
  }
  report_lost_tracks(scene, tracks, diagnostics);
  if (throwing > 0) {
    diagnostics.add(codes::kSceneLost,
                    "colours, sizes and cells left out of " + counted(throwing, "model emitter"));
  }
}

}  // namespace thaw::mdx_alpha
