#include "formats/wow/mdx_alpha/upgrade.hpp"

#include "formats/wow/mdx_alpha/shared_fields.hpp"
#include "scene/math.hpp"

#include <algorithm>

namespace thaw::mdx_alpha {
namespace {

constexpr FourCC kVisibility{"KVIS"};
constexpr std::size_t kMostUvSets = 17;  // one more than is ever used, so that too many are noticed

float degrees(float radians) { return static_cast<float>(double{radians} * 180 / scene::kPi); }

class Upgrader {
 public:
  explicit Upgrader(const Document& document) : sections_(document.find<Sections>() != nullptr) {
    const auto* model = document.find<Model>();
    force_linear_ = model != nullptr && (model->flags & Model::kAlwaysAnimate) != 0;
  }

  mdx::ChunkBody operator()(const Version& /*version*/) const {
    return mdx::Version{sections_ ? 900U : 800U};
  }
  mdx::ChunkBody operator()(const Model& model) const;
  mdx::ChunkBody operator()(const GlobalSequences& chunk) const { return chunk; }
  mdx::ChunkBody operator()(const Pivots& chunk) const { return chunk; }
  mdx::ChunkBody operator()(const Textures& chunk) const { return mdx::Textures{chunk.items}; }
  mdx::ChunkBody operator()(const Sections& chunk) const;
  mdx::ChunkBody operator()(const Opaque& /*chunk*/) const { return mdx::Opaque(); }
  mdx::ChunkBody operator()(const CollisionMesh& /*chunk*/) const { return mdx::Opaque(); }
  template <class Chunk>
  mdx::ChunkBody operator()(const Chunk& chunk) const {
    using Item = decltype(upgrade(chunk.items.front()));
    mdx::List<Item> list;
    list.items.reserve(chunk.items.size());
    for (const auto& item : chunk.items) {
      list.items.push_back(upgrade(item));
    }
    return list;
  }

 private:
  static mdx::Sequence upgrade(const Sequence& sequence);
  [[nodiscard]] mdx::Layer upgrade(const Layer& layer) const;
  [[nodiscard]] mdx::Material upgrade(const Material& material) const;
  [[nodiscard]] mdx::TextureAnimation upgrade(const TextureAnimation& animation) const;
  static mdx::Geoset upgrade(const Geoset& geoset);
  static mdx::Geoset upgrade(const Section& section, const Batch& batch);
  [[nodiscard]] mdx::GeosetAnimation upgrade(const GeosetAnimation& animation) const;
  [[nodiscard]] mdx::Bone upgrade(const Bone& bone) const;
  [[nodiscard]] mdx::Helper upgrade(const Helper& helper) const;
  [[nodiscard]] mdx::Light upgrade(const Light& light) const;
  [[nodiscard]] mdx::Attachment upgrade(const Attachment& attachment) const;
  [[nodiscard]] mdx::ParticleEmitter upgrade(const ParticleEmitter& emitter) const;
  [[nodiscard]] mdx::ParticleEmitter2 upgrade(const ParticleEmitter2& emitter) const;
  [[nodiscard]] mdx::RibbonEmitter upgrade(const RibbonEmitter& ribbon) const;
  [[nodiscard]] mdx::EventObject upgrade(const EventObject& event) const;
  [[nodiscard]] mdx::CollisionShape upgrade(const HitTest& hit) const;
  [[nodiscard]] mdx::Camera upgrade(const Camera& camera) const;

  [[nodiscard]] mdx::Node upgrade(const Node& node, std::uint32_t kind) const;
  [[nodiscard]] mdx::Track upgrade(const Track& track, FourCC tag) const;
  /// `visibility` is what KVIS is called in the chunk.
  [[nodiscard]] mdx::Tracks upgrade(const Tracks& tracks, FourCC visibility) const;

  bool sections_;
  bool force_linear_;
};

mdx::Track Upgrader::upgrade(const Track& track, FourCC tag) const {
  mdx::Track result;
  result.tag = tag;
  // mdx_alpha.md#model: the client forces the tracks of models that are always animated to linear.
  const bool cut = force_linear_ && track.has_tangents();
  result.interpolation = cut ? Interpolation::linear : track.interpolation;
  result.global_sequence = track.global_sequence;
  const bool rotation = track_kind(track.tag) == TrackKind::rotation;
  if (!rotation && !cut) {
    result.words = track.words;
    return result;
  }
  const unsigned parts = result.has_tangents() ? 3 : 1;
  result.words.reserve(track.size() * result.stride());
  for (std::size_t key = 0; key < track.size(); ++key) {
    result.words.push_back(static_cast<std::uint32_t>(track.time(key)));
    for (unsigned part = 0; part < parts; ++part) {
      const Vec4 value = track.value(key, part);
      for (std::size_t i = 0; i < result.components(); ++i) {
        result.words.push_back(bits_of(value[i]));
      }
    }
  }
  return result;
}

mdx::Tracks Upgrader::upgrade(const Tracks& tracks, FourCC visibility) const {
  mdx::Tracks result;
  result.reserve(tracks.size());
  for (const auto& track : tracks) {
    const FourCC tag = track.tag == kVisibility      ? visibility
                       : track.tag == FourCC{"KLIF"} ? kUpgradedLife
                                                     : track.tag;
    if (mdx::track_type(tag).components > 0) {
      result.push_back(upgrade(track, tag));
    }
  }
  return result;
}

/// Bits 0 to 6 are the same in both games, those of the kind are not.
mdx::Node Upgrader::upgrade(const Node& node, std::uint32_t kind) const {
  constexpr std::uint32_t kShared = 0x7F;
  mdx::Node result;
  result.name = node.name;
  result.object_id = node.object_id;
  result.parent_id = node.parent_id;
  result.flags = (node.flags & kShared) | kind;
  result.tracks = upgrade(node.tracks, kVisibility);
  return result;
}

mdx::ChunkBody Upgrader::operator()(const Model& model) const {
  return mdx::Model{model.name, model.animation_file, model.extent, 0};
}

mdx::Sequence Upgrader::upgrade(const Sequence& sequence) {
  mdx::Sequence result;
  copy_sequence(sequence, result);
  return result;
}

mdx::Layer Upgrader::upgrade(const Layer& layer) const {
  mdx::Layer result;
  copy_layer(layer, result);
  result.filter_mode = layer.blend;
  result.shading_flags = layer.flags & ~Layer::kNoFallback;
  result.coord_id = layer.coord_id == -1 ? 0U : static_cast<std::uint32_t>(layer.coord_id);
  result.tracks = upgrade(layer.tracks, kVisibility);
  return result;
}

mdx::Material Upgrader::upgrade(const Material& material) const {
  mdx::Material result;
  result.priority_plane = material.priority_plane;
  result.layers.reserve(material.layers.size());
  for (const auto& layer : material.layers) {
    result.layers.push_back(upgrade(layer));
  }
  return result;
}

mdx::TextureAnimation Upgrader::upgrade(const TextureAnimation& animation) const {
  mdx::TextureAnimation result;
  result.tracks = upgrade(animation.tracks, kVisibility);
  return result;
}

mdx::Geoset Upgrader::upgrade(const Geoset& geoset) {
  mdx::Geoset result;
  copy_geoset(geoset, result);
  result.matrix_indices = geoset.matrix_indices;
  result.selection_flags = (geoset.flags & Geoset::kUnselectable) != 0 ? mdx::Geoset::kUnselectable : 0;
  result.uv_sets.resize(std::min<std::size_t>(geoset.uv_set_count, kMostUvSets));
  const std::size_t pairs = geoset.positions.size();
  for (std::size_t set = 0; set < result.uv_sets.size(); ++set) {
    const auto from = std::min(set * pairs, geoset.uvs.size());
    const auto to = std::min(from + pairs, geoset.uvs.size());
    result.uv_sets[set].coordinates.assign(geoset.uvs.begin() + static_cast<std::ptrdiff_t>(from),
                                           geoset.uvs.begin() + static_cast<std::ptrdiff_t>(to));
  }
  return result;
}

mdx::Geoset Upgrader::upgrade(const Section& section, const Batch& batch) {
  mdx::Geoset result;
  result.uv_sets.resize(2);
  result.skin.emplace();
  for (const auto& vertex : batch.vertices) {
    result.positions.push_back(vertex.position);
    result.normals.push_back(vertex.normal);
    result.uv_sets[0].coordinates.push_back(vertex.uvs[0]);
    result.uv_sets[1].coordinates.push_back(vertex.uvs[1]);
    auto& skin = result.skin->emplace_back();
    std::copy(vertex.bones.begin(), vertex.bones.end(), skin.begin());
    std::copy(vertex.weights.begin(), vertex.weights.end(), skin.begin() + 4);
  }
  const bool triangles = batch.primitive_type == Batch::kTriangles;
  result.primitive_types = {triangles ? mdx::PrimitiveType::triangles : mdx::PrimitiveType::points};
  result.primitive_counts = {static_cast<std::uint32_t>(batch.indices.size())};
  result.indices = batch.indices;
  result.material_id = section.material_id;
  result.selection_group = section.selection_group;
  result.selection_flags = (section.flags & Section::kUnselectable) != 0 ? mdx::Geoset::kUnselectable : 0;
  result.extent.bounds_radius = section.radius;
  return result;
}

mdx::ChunkBody Upgrader::operator()(const Sections& chunk) const {
  mdx::Geosets geosets;
  const std::size_t count = std::min(chunk.sections.size(), chunk.batches.size());
  geosets.items.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    geosets.items.push_back(upgrade(chunk.sections[i], chunk.batches[i]));
  }
  return geosets;
}

mdx::GeosetAnimation Upgrader::upgrade(const GeosetAnimation& animation) const {
  mdx::GeosetAnimation result;
  copy_geoset_animation(animation, result);
  result.tracks = upgrade(animation.tracks, kVisibility);
  return result;
}

mdx::Bone Upgrader::upgrade(const Bone& bone) const {
  return {upgrade(bone.node, mdx::node_flag::kBone), bone.geoset_id, bone.geoset_animation_id};
}

mdx::Helper Upgrader::upgrade(const Helper& helper) const { return {upgrade(helper.node, 0)}; }

mdx::Light Upgrader::upgrade(const Light& light) const {
  mdx::Light result;
  copy_light(light, result);
  result.node = upgrade(light.node, mdx::node_flag::kLight);
  result.tracks = upgrade(light.tracks, FourCC{"KLAV"});
  return result;
}

mdx::Attachment Upgrader::upgrade(const Attachment& attachment) const {
  mdx::Attachment result;
  result.node = upgrade(attachment.node, mdx::node_flag::kAttachment);
  result.path = attachment.path;
  result.attachment_id = static_cast<std::int32_t>(attachment.attachment_id);
  result.tracks = upgrade(attachment.tracks, FourCC{"KATV"});
  return result;
}

mdx::ParticleEmitter Upgrader::upgrade(const ParticleEmitter& emitter) const {
  const auto has = [&](std::uint32_t flag) { return (emitter.node.flags & flag) != 0; };
  mdx::ParticleEmitter result;
  result.node = upgrade(emitter.node, mdx::node_flag::kEmitter |
                                          (has(node_flag::kPremUsesMdl) ? mdx::node_flag::kPremUsesMdl : 0) |
                                          (has(node_flag::kPremUsesTga) ? mdx::node_flag::kPremUsesTga : 0));
  copy_model_emitter(emitter, result);
  result.tracks = upgrade(emitter.tracks, FourCC{"KPEV"});
  return result;
}

std::uint32_t emitter_flags(std::uint32_t flags) {
  constexpr std::uint32_t kShared = node_flag::kUnshaded | node_flag::kSortPrimsFarZ |
                                    node_flag::kLineEmitter | node_flag::kUnfogged | node_flag::kModelSpace;
  const bool flat = (flags & node_flag::kXyQuads) != 0;
  return mdx::node_flag::kEmitter | (flags & kShared) | (flat ? mdx::node_flag::kPre2XyQuad : 0);
}

mdx::ParticleEmitter2 Upgrader::upgrade(const ParticleEmitter2& emitter) const {
  mdx::ParticleEmitter2 result;
  result.node = upgrade(emitter.node, emitter_flags(emitter.node.flags));
  copy_emitter(emitter, result);
  result.latitude = degrees(emitter.latitude);
  result.squirt = emitter.squirts;
  result.tracks = upgrade(emitter.tracks, FourCC{"KP2V"});
  for (auto& track : result.tracks) {
    if (track.tag == FourCC{"KP2L"}) {
      change_floats(track, degrees);
    }
  }
  return result;
}

mdx::RibbonEmitter Upgrader::upgrade(const RibbonEmitter& ribbon) const {
  mdx::RibbonEmitter result;
  result.node = upgrade(ribbon.node, mdx::node_flag::kRibbon);
  copy_ribbon(ribbon, result);
  result.tracks = upgrade(ribbon.tracks, FourCC{"KRVS"});
  return result;
}

mdx::EventObject Upgrader::upgrade(const EventObject& event) const {
  mdx::EventObject result;
  result.node = upgrade(event.node, mdx::node_flag::kEvent);
  if (event.track) {
    result.track.emplace();
    result.track->global_sequence = event.track->global_sequence;
    result.track->frames = event.track->times;
  }
  return result;
}

/// The engine of Warcraft III gives shapes the same numbers and the same layouts.
mdx::CollisionShape Upgrader::upgrade(const HitTest& hit) const {
  mdx::CollisionShape result;
  result.node = upgrade(hit.node, mdx::node_flag::kCollision);
  result.type = static_cast<mdx::CollisionShape::Type>(hit.shape);
  result.payload = hit.payload;
  return result;
}

mdx::Camera Upgrader::upgrade(const Camera& camera) const {
  mdx::Camera result;
  copy_camera(camera, result);
  result.tracks = upgrade(camera.tracks, FourCC{"KCVS"});
  return result;
}

}  // namespace

mdx::Document upgrade(const Document& document) {
  const Upgrader upgrader(document);
  mdx::Document result;
  result.chunks.reserve(document.chunks.size() + 1);
  for (const auto& chunk : document.chunks) {
    mdx::Chunk upgraded;
    upgraded.tag = std::holds_alternative<HitTests>(chunk.body) ? FourCC{"CLID"} : chunk.tag;
    upgraded.body = std::visit(upgrader, chunk.body);
    if (!std::holds_alternative<mdx::Opaque>(upgraded.body)) {
      result.chunks.push_back(std::move(upgraded));
    }
  }
  if (document.find<Version>() == nullptr) {
    result.chunks.insert(result.chunks.begin(), mdx::Chunk{FourCC{"VERS"}, upgrader(Version()), {}, {}});
  }
  return result;
}

}  // namespace thaw::mdx_alpha
