// Scenes of alpha models: what Warcraft III has too goes its way, the rest is added here
// (mdx_alpha.md#objects, mdx_alpha.md#animation).
#include <thaw/mdx_alpha.hpp>

#include "formats/warcraft/mdx/scene/builder.hpp"
#include "formats/warcraft/mdx/scene/values.hpp"
#include "formats/wow/mdx_alpha/source_emitters.hpp"
#include "formats/wow/mdx_alpha/upgrade.hpp"

namespace thaw::mdx_alpha {
namespace {

using mdx::SceneBuilder;
using mdx::to_value;

constexpr mdx::Dialect kDialect = {"mdx-alpha", mdx::Axes::x_front, true, true, true, FourCC{"HTST"}};

mdx::SceneOptions usual_options(const SceneOptions& options) {
  mdx::SceneOptions result;
  const bool usable = options.scale > 0 && std::isfinite(options.scale);
  result.scale = usable ? options.scale : SceneOptions().scale;
  result.rotation_tolerance = options.rotation_tolerance;
  result.swap_inheritance_flags = options.swap_inheritance_flags;
  result.max_curve_values = options.max_curve_values;
  return result;
}

/// Numbers of a track that no property of a scene says.
Value track_value(const Track& track) {
  Value::List times;
  Value::List values;
  const unsigned parts = track.has_tangents() ? 3 : 1;
  for (std::size_t key = 0; key < track.size(); ++key) {
    times.emplace_back(std::int64_t{track.time(key)});
    for (unsigned part = 0; part < parts; ++part) {
      values.emplace_back(track.value(key, part)[0]);
    }
  }
  Value value;
  value.set("interpolation", static_cast<std::uint32_t>(track.interpolation));
  value.set("globalSequence", std::int64_t{track.global_sequence});
  value.set("frames", std::move(times));
  value.set("values", std::move(values));
  return value;
}

template <class T>
Value list_of(const T& vectors) {
  Value::List list;
  for (const auto& vector : vectors) {
    list.push_back(to_value(vector));
  }
  return {std::move(list)};
}

class AlphaScene {
 public:
  AlphaScene(const Document& document, const mdx::Document& twin, SceneBuilder& builder)
      : document_(document), twin_(twin), builder_(builder) {}

  /// Before clips are made.
  void add_parts();
  /// After everything else: what the file says, in place of what its twin says.
  void add_extras();

 private:
  void add_emitter(const ParticleEmitter2& source, const mdx::ParticleEmitter2& twin, std::size_t index,
                   std::size_t emitter);
  static void add_emitter_extras(const ParticleEmitter2& source, Value& extras);
  void add_clip_extras();
  void add_mesh_extras();
  void add_model_extras();
  void add_collision_mesh();

  /// The flags of the file, whose upper bits mean something else in the twin.
  template <class Chunk, class TwinChunk>
  void take_flags() {
    const auto items = document_.all<Chunk>();
    const auto twins = twin_.all<TwinChunk>();
    for (std::size_t i = 0; i < items.size(); ++i) {
      extras_of(twins[i]->node).set("flags", items[i]->node.flags);
    }
  }
  Value& extras_of(const mdx::Node& node) {
    return builder_.scene.nodes[builder_.node_of_object.at(&node)].extras;
  }

  const Document& document_;
  const mdx::Document& twin_;
  SceneBuilder& builder_;
};

void AlphaScene::add_emitter_extras(const ParticleEmitter2& source, Value& extras) {
  const Value fields = alpha_fields(source);
  for (const auto& [name, value] : fields.object()) {
    extras.set(name, value);
  }
  if (const Track* track = find_track(source.tracks, FourCC{"KP2Z"})) {
    extras.set("tracks", Value().set("KP2Z", track_value(*track)));
  }
}

void AlphaScene::add_emitter(const ParticleEmitter2& source, const mdx::ParticleEmitter2& twin,
                             std::size_t index, std::size_t emitter) {
  auto& result = builder_.scene.emitters[emitter];
  result.longitude = mdx::finite_or(source.longitude, 0);
  if (const auto model = source.geometry_model.view(); !model.empty()) {
    result.kind = scene::Emitter::Kind::models;
    result.path = to_utf8(model);
  }
  const mdx::ObjectRef place = {FourCC{"PRE2"}, index};
  const scene::Target target = {scene::Target::Kind::emitter, static_cast<scene::Index>(emitter), 0};
  builder_.bind_scalar(twin.tracks, FourCC{"KPLN"}, place, target, scene::Property::emitter_longitude,
                       result.longitude);
  builder_.bind_scalar(twin.tracks, kUpgradedLife, place, target, scene::Property::emitter_life_span,
                       result.life_span);
  add_emitter_extras(source, extras_of(twin.node));
}

void AlphaScene::add_parts() {
  const auto sprites = document_.all<ParticleEmitters2>();
  const auto twins = twin_.all<mdx::ParticleEmitters2>();
  const std::size_t first = twin_.all<mdx::ParticleEmitters>().size();
  for (std::size_t i = 0; i < sprites.size(); ++i) {
    add_emitter(*sprites[i], *twins[i], i, first + i);
  }
  const auto* model = document_.find<Model>();
  if (model != nullptr && (model->flags & Model::kAlwaysAnimate) != 0) {
    builder_.report(codes::kUnproven, FourCC{"MODL"},
                    "Hermite and Bezier tracks play as linear ones, because the model is always animated; "
                    "please share the file");
  }
}

/// Clips of sequences come first and in order; only the last ones can be left out.
void AlphaScene::add_clip_extras() {
  const auto sequences = document_.all<Sequences>();
  auto& clips = builder_.scene.clips;
  for (std::size_t i = 0; i < std::min(sequences.size(), clips.size()) && !clips[i].global; ++i) {
    const Sequence& sequence = *sequences[i];
    Value extras;
    extras.set("moveSpeed", sequence.move_speed);
    extras.set("flags", sequence.flags);
    extras.set("extent", to_value(sequence.extent));
    extras.set("frequency", sequence.frequency);
    extras.set("replay", Value::List{sequence.replay_min, sequence.replay_max});
    extras.set("blendTime", sequence.blend_time);
    clips[i].extras = std::move(extras);
  }
}

void AlphaScene::add_mesh_extras() {
  auto& meshes = builder_.scene.meshes;
  const auto geosets = document_.all<Geosets>();
  for (std::size_t i = 0; i < std::min(geosets.size(), meshes.size()); ++i) {
    meshes[i].extras.set("selectionFlags", geosets[i]->flags);
  }
  const auto* chunk = document_.find<Sections>();
  if (chunk == nullptr) {
    return;
  }
  const std::size_t sections = std::min(chunk->sections.size(), chunk->batches.size());
  for (std::size_t i = 0; i < std::min(sections, meshes.size()); ++i) {
    const Section& section = chunk->sections[i];
    auto& extras = meshes[i].extras;
    extras.set("selectionFlags", section.flags);
    extras.set("geosetIndex", section.geoset_index);
    extras.set("center", to_value(section.center));
  }
}

/// A mesh that is collided with and never seen.
void AlphaScene::add_collision_mesh() {
  const auto* mesh = document_.find<CollisionMesh>();
  constexpr std::size_t kMost = 65536;  // indices reach no further
  if (mesh == nullptr) {
    return;
  }
  if (std::max({mesh->positions.size(), mesh->indices.size(), mesh->normals.size()}) > kMost) {
    builder_.report(codes::kSceneGeoset, FourCC{"CLID"},
                    "collision mesh left out, because it has more than 65536 vertices, indices or normals");
    return;
  }
  Value value;
  value.set("positions", list_of(mesh->positions));
  value.set("indices", Value::List(mesh->indices.begin(), mesh->indices.end()));
  value.set("normals", list_of(mesh->normals));
  builder_.scene.extras.set("collisionMesh", std::move(value));
}

void AlphaScene::add_model_extras() {
  auto& extras = builder_.scene.extras;
  extras.set("version", document_.version());
  if (const auto* model = document_.find<Model>()) {
    extras.set("flags", std::uint32_t{model->flags});
    extras.set("objectCount", model->object_count);
  }
}

void AlphaScene::add_extras() {
  take_flags<Bones, mdx::Bones>();
  take_flags<Lights, mdx::Lights>();
  take_flags<Helpers, mdx::Helpers>();
  take_flags<Attachments, mdx::Attachments>();
  take_flags<ParticleEmitters, mdx::ParticleEmitters>();
  take_flags<ParticleEmitters2, mdx::ParticleEmitters2>();
  take_flags<RibbonEmitters, mdx::RibbonEmitters>();
  take_flags<EventObjects, mdx::EventObjects>();
  take_flags<HitTests, mdx::CollisionShapes>();
  add_clip_extras();
  add_mesh_extras();
  add_model_extras();
  add_collision_mesh();
}

}  // namespace

scene::Scene to_scene(const Document& document, const SceneOptions& options, Diagnostics& diagnostics) {
  const mdx::Document twin = upgrade(document);
  SceneBuilder builder(twin, usual_options(options), diagnostics, kDialect);
  AlphaScene alpha(document, twin, builder);
  build_parts(builder);
  alpha.add_parts();
  build_clips(builder);
  build_extras(builder);
  alpha.add_extras();
  return std::move(builder.scene);
}

}  // namespace thaw::mdx_alpha
