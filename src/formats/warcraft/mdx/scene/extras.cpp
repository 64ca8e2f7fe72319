// Extras of a scene, which no typed field holds, in the terms of the file: units and axes of the game.
#include "formats/warcraft/mdx/scene/builder.hpp"
#include "formats/warcraft/mdx/scene/values.hpp"

namespace thaw::mdx {
namespace {

scene::Bounds bounds_of(const SceneBuilder& builder, const Extent& extent) {
  const Vec3 a = builder.position(extent.minimum);
  const Vec3 b = builder.position(extent.maximum);
  scene::Bounds bounds;
  for (std::size_t i = 0; i < a.size(); ++i) {
    bounds.minimum[i] = std::min(a[i], b[i]);
    bounds.maximum[i] = std::max(a[i], b[i]);
  }
  bounds.radius = to_length(extent.bounds_radius, builder.scale());
  return bounds;
}

void add_model(SceneBuilder& builder) {
  const auto* model = builder.document.find<Model>();
  if (model == nullptr) {
    return;
  }
  auto& extras = builder.scene.extras;
  extras.set("name", to_value(model->name));
  extras.set("animationFile", to_value(model->animation_file));
  extras.set("extent", to_value(model->extent));
  extras.set("blendTime", model->blend_time);
  builder.scene.bounds = bounds_of(builder, model->extent);
}

Value bind_poses(const Document& document) {
  Value::List list;
  if (const auto* bind_poses = document.find<BindPoses>()) {
    for (const auto& pose : bind_poses->poses) {
      list.push_back(to_value(pose));
    }
  }
  return {std::move(list)};
}

Value face_effects(const Document& document) {
  Value::List list;
  for (const auto* effect : document.all<FaceEffects>()) {
    Value entry;
    entry.set("target", to_value(effect->target));
    entry.set("path", to_value(effect->path));
    list.push_back(std::move(entry));
  }
  return {std::move(list)};
}

void add_bone_ids(SceneBuilder& builder) {
  for (const auto* bone : builder.document.all<Bones>()) {
    auto& extras = builder.scene.nodes[builder.node_of_object.at(&bone->node)].extras;
    extras.set("geosetId", std::int64_t{bone->geoset_id});
    if (bone->geoset_animation_id != -1) {
      extras.set("geosetAnimationId", std::int64_t{bone->geoset_animation_id});
    }
  }
}

void add_sounds(SceneBuilder& builder) {
  static constexpr std::array kTrack = {FourCC{"KSEK"}};
  for (const auto* emitter : builder.document.all<SoundEmitters>()) {
    auto& extras = builder.scene.nodes[builder.node_of_object.at(&emitter->node)].extras;
    extras.set("soundEmitter", true);
    if (Value tracks = rare_tracks(emitter->tracks, kTrack); !tracks.is_null()) {
      extras.set("tracks", std::move(tracks));
    }
  }
}

}  // namespace

void build_extras(SceneBuilder& builder) {
  auto& extras = builder.scene.extras;
  extras.set("version", builder.document.version());
  extras.set("scale", builder.options.scale);
  add_model(builder);
  const auto& globals = builder.global_durations;
  if (!globals.empty()) {
    extras.set("globalSequences", Value::List(globals.begin(), globals.end()));
  }
  if (Value poses = bind_poses(builder.document); !poses.empty()) {
    extras.set("bindPoses", std::move(poses));
  }
  if (Value effects = face_effects(builder.document); !effects.empty()) {
    extras.set("faceEffects", std::move(effects));
  }
  if (const auto* pick = builder.document.find<PickGeosets>()) {
    extras.set("pickGeosets", Value::List(pick->geoset_ids.begin(), pick->geoset_ids.end()));
  }
  add_bone_ids(builder);
  add_sounds(builder);
}

}  // namespace thaw::mdx
