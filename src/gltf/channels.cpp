#include "gltf/channels.hpp"

#include "bytes/number_text.hpp"
#include "scene/clips.hpp"
#include "scene/curve.hpp"
#include "scene/game_rules.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::gltf {
namespace {

std::size_t targets_of(const scene::Scene& scene, const Target& target) {
  switch (target.kind) {
    case Target::Kind::node:
      return scene.nodes.size();
    case Target::Kind::mesh:
      return scene.meshes.size();
    case Target::Kind::layer:
      return scene.materials.size();
    case Target::Kind::uv_animation:
      return scene.uv_animations.size();
    case Target::Kind::light:
      return scene.lights.size();
    case Target::Kind::camera:
      return scene.cameras.size();
    case Target::Kind::emitter:
      return scene.emitters.size();
    case Target::Kind::ribbon:
      return scene.ribbons.size();
  }
  return 0;
}

bool exists(const scene::Scene& scene, const Target& target) {
  return target.index < targets_of(scene, target) &&
         (target.kind != Target::Kind::layer || target.sub < scene.materials[target.index].layers.size());
}

unsigned expected_components(const scene::Scene& scene, const Target& target, Property property) {
  if (property == Property::weights) {
    return target.kind == Target::Kind::mesh
               ? static_cast<unsigned>(scene.meshes[target.index].morph_targets.size())
               : 0;
  }
  return components_of(property);
}

}  // namespace

unsigned components_of(Property property) {
  switch (property) {
    case Property::rotation:
      return 4;
    case Property::translation:
    case Property::scale:
    case Property::mesh_color:
    case Property::layer_fresnel_color:
    case Property::light_color:
    case Property::light_ambient_color:
    case Property::emitter_color:
    case Property::ribbon_color:
      return 3;
    case Property::uv_offset:
    case Property::uv_scale:
      return 2;
    case Property::weights:
      return 0;
    default:
      return 1;
  }
}

Channels::Channels(const scene::Scene& scene, Diagnostics& diagnostics) {
  clips_.resize(scene.clips.size());
  for (std::size_t clip = 0; clip < clips_.size(); ++clip) {
    add_clip(scene, clip, diagnostics);
  }
  default_clip_ = scene::default_clip(scene);
}

void Channels::add_clip(const scene::Scene& scene, std::size_t index, Diagnostics& diagnostics) {
  const Clip& source = scene.clips[index];
  Clip& clip = clips_[index];
  clip.name = source.name;
  clip.duration = std::isfinite(source.duration) ? std::max(0.0F, source.duration) : 0;
  clip.looping = source.looping;
  clip.global = source.global;
  clip.interval = source.interval;
  clip.sample_rate = source.sample_rate;
  clip.extras = source.extras;
  std::size_t dropped = 0;
  for (const auto& channel : source.channels) {
    const bool sound =
        exists(scene, channel.target) && channel.curve.components > 0 &&
        channel.curve.components == expected_components(scene, channel.target, channel.property);
    Curve curve;
    if (sound) {
      curve = scene::cleaned(channel.curve, channel.property == Property::rotation);
    }
    auto& entries = table_[key(channel.target, channel.property)];
    const bool again = !entries.empty() && entries.back().clip == index;
    if (curve.empty() || again) {
      ++dropped;
      continue;
    }
    scene::drop_redundant_keys(curve);
    entries.push_back({index, clip.channels.size()});
    clip.channels.push_back({channel.target, channel.property, std::move(curve)});
  }
  if (dropped > 0) {
    diagnostics.add(codes::kSceneTrack, counted(dropped, "unusable channel") + " ignored", {},
                    "clips[" + std::to_string(index) + "]");
  }
}

const std::vector<Channels::Entry>* Channels::entries(const Target& target, Property property) const {
  const auto found = table_.find(key(target, property));
  return found == table_.end() || found->second.empty() ? nullptr : &found->second;
}

const Curve* Channels::find(std::size_t clip, const Target& target, Property property) const {
  const auto* list = entries(target, property);
  if (list == nullptr) {
    return nullptr;
  }
  const auto found = std::lower_bound(list->begin(), list->end(), clip,
                                      [](const Entry& entry, std::size_t at) { return entry.clip < at; });
  return found == list->end() || found->clip != clip ? nullptr : &curve(*found);
}

bool Channels::any(const Target& target, Property property) const {
  return entries(target, property) != nullptr;
}

bool Channels::any_in_sequences(const Target& target, Property property) const {
  const auto* list = entries(target, property);
  return list != nullptr && std::any_of(list->begin(), list->end(),
                                        [&](const Entry& entry) { return !clips_[entry.clip].global; });
}

const Curve* Channels::initial_curve(const Target& target, Property property) const {
  const auto* list = entries(target, property);
  if (list == nullptr) {
    return nullptr;
  }
  const Curve* looped = nullptr;
  for (const Entry& entry : *list) {
    if (entry.clip == default_clip_) {
      return &curve(entry);
    }
    looped = looped == nullptr && clips_[entry.clip].global ? &curve(entry) : looped;
  }
  return looped;
}

float Channels::initial(const Target& target, Property property, float rest) const {
  const Curve* curve = initial_curve(target, property);
  return curve == nullptr ? rest : scene::evaluate_scalar(*curve, 0);
}

Vec3 Channels::initial(const Target& target, Property property, const Vec3& rest) const {
  const Curve* curve = initial_curve(target, property);
  Vec3 value = rest;
  if (curve != nullptr) {
    scene::evaluate(*curve, 0, value);
  }
  return value;
}

float Channels::typical_alpha(const Target& target, Property property, float rest) const {
  float alpha = initial(target, property, rest);
  const auto* list = entries(target, property);
  if (list != nullptr && !(alpha > scene::kInvisible)) {
    for (const Entry& entry : *list) {
      for (const float time : curve(entry).times) {
        alpha = std::max(alpha, scene::evaluate_scalar(curve(entry), time));
      }
    }
  }
  return std::isfinite(alpha) ? std::clamp(alpha, 0.0F, 1.0F) : 1;
}

}  // namespace thaw::gltf
