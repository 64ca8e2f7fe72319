// Models of Warcraft III as WoW Alpha has them.
#include <thaw/mdx_alpha.hpp>

#include "bytes/number_text.hpp"
#include "formats/wow/mdx_alpha/shared_fields.hpp"
#include "scene/math.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace thaw::mdx_alpha {
namespace {

constexpr std::uint32_t kVersion = 1300;
constexpr FourCC kSeen{"KVIS"};

/// What the chunks of Warcraft III call visibility.
bool is_visibility(FourCC tag) {
  constexpr std::array kTags = {FourCC{"KATV"}, FourCC{"KLAV"}, FourCC{"KRVS"},
                                FourCC{"KP2V"}, FourCC{"KPEV"}, FourCC{"KCVS"}};
  return std::find(kTags.begin(), kTags.end(), tag) != kTags.end();
}

/// "Stand - 2" and "Stand" are chosen between.
std::string kind_of(const mdx::Sequence& sequence) {
  std::string name = to_utf8(sequence.name.view());
  name = name.substr(0, name.find(" - "));
  while (!name.empty() && (name.back() == ' ' || (name.back() >= '0' && name.back() <= '9'))) {
    name.pop_back();
  }
  return name;
}

class Downgrader {
 public:
  Downgrader(const mdx::Document& model, Diagnostics& diagnostics, bool alpha_ids)
      : model_(model), diagnostics_(diagnostics), alpha_ids_(alpha_ids) {}

  Document run(std::optional<CollisionMesh> mesh) {
    number_objects();
    put(FourCC{"VERS"}, Version{kVersion});
    put(FourCC{"MODL"}, header());
    put(FourCC{"SEQS"}, sequences());
    if (const auto* loops = model_.find<GlobalSequences>()) {
      put(FourCC{"GLBS"}, *loops);
    }
    Materials materials;
    materials.items = converted<mdx::Materials, Material>(FourCC{"MTLS"});
    put(FourCC{"MTLS"}, std::move(materials));
    Textures textures;
    textures.items = converted<mdx::Textures, Texture>(FourCC{"TEXS"});
    put(FourCC{"TEXS"}, std::move(textures));
    put_list<mdx::TextureAnimations, TextureAnimation>(FourCC{"TXAN"}, false);
    put_list<mdx::Geosets, Geoset>(FourCC{"GEOS"}, true);
    put_list<mdx::GeosetAnimations, GeosetAnimation>(FourCC{"GEOA"}, false);
    put_list<mdx::Bones, Bone>(FourCC{"BONE"}, true);
    put_list<mdx::Lights, Light>(FourCC{"LITE"}, false);
    put_list<mdx::Helpers, Helper>(FourCC{"HELP"}, false);
    put_attachments();
    put(FourCC{"PIVT"}, pivots());
    put_list<mdx::ParticleEmitters, ParticleEmitter>(FourCC{"PREM"}, false);
    put_list<mdx::ParticleEmitters2, ParticleEmitter2>(FourCC{"PRE2"}, false);
    put_list<mdx::RibbonEmitters, RibbonEmitter>(FourCC{"RIBB"}, false);
    put_list<mdx::Cameras, Camera>(FourCC{"CAMS"}, false);
    put_list<mdx::EventObjects, EventObject>(FourCC{"EVTS"}, false);
    put_list<mdx::CollisionShapes, HitTest>(FourCC{"HTST"}, false);
    put(FourCC{"CLID"}, mesh ? std::move(*mesh) : collision());
    report_chunks();
    return std::move(result_);
  }

 private:
  template <class Body>
  void put(FourCC tag, Body body) {
    result_.chunks.push_back({tag, std::move(body), {}, {}});
  }

  template <class From, class Item>
  std::vector<Item> converted(FourCC tag) {
    std::vector<Item> items;
    for (const auto* item : model_.all<From>()) {
      place_ = tag.text() + "[" + std::to_string(items.size()) + "]";
      items.push_back(convert(*item));
    }
    return items;
  }

  template <class From, class Item>
  void put_list(FourCC tag, bool always) {
    List<Item> list{converted<From, Item>(tag)};
    if (always || !list.items.empty()) {
      put(tag, std::move(list));
    }
  }

  void lose(const Code& code, std::string what) { diagnostics_.add(code, std::move(what), {}, place_); }

  // --- objects

  template <class Body>
  void number() {
    for (const auto* item : model_.all<Body>()) {
      ids_.emplace(item->node.object_id, static_cast<std::int32_t>(old_ids_.size()));
      old_ids_.push_back(item->node.object_id);
    }
  }

  /// In the order in which the client numbers them.
  void number_objects() {
    number<mdx::Bones>();
    number<mdx::Lights>();
    number<mdx::Helpers>();
    number<mdx::Attachments>();
    number<mdx::ParticleEmitters>();
    number<mdx::ParticleEmitters2>();
    number<mdx::RibbonEmitters>();
    number<mdx::EventObjects>();
    number<mdx::CollisionShapes>();
  }

  [[nodiscard]] std::int32_t id_of(std::int32_t old) const {
    const auto found = ids_.find(old);
    return found == ids_.end() ? -1 : found->second;
  }

  Node convert(const mdx::Node& node, std::uint32_t kind) {
    constexpr std::uint32_t kShared = 0x7F;
    if ((node.flags & mdx::node_flag::kCameraAnchored) != 0) {
      lose(codes::kConvertFlag, "camera-anchored flag left out");
    }
    return {node.name, next_id_++, id_of(node.parent_id), (node.flags & kShared) | kind, convert(node.tracks),
            {}};
  }

  Pivots pivots() const {
    const auto* from = model_.find<Pivots>();
    Pivots to;
    for (const std::int32_t old : old_ids_) {
      const bool known = from != nullptr && old >= 0 && static_cast<std::size_t>(old) < from->points.size();
      to.points.push_back(known ? from->points[static_cast<std::size_t>(old)] : Vec3{});
    }
    return to;
  }

  // --- tracks

  Tracks convert(const mdx::Tracks& tracks) {
    Tracks result;
    for (const auto& track : tracks) {
      const FourCC tag = is_visibility(track.tag) ? kSeen : track.tag;
      if (track_kind(tag) == TrackKind::unknown) {
        lose(codes::kConvertTrack, "track " + track.tag.text() + " left out; WoW Alpha has no such track");
      } else if (track_kind(tag) == TrackKind::rotation) {
        result.push_back(packed(track));
      } else {
        result.push_back({tag, track.interpolation, track.global_sequence, track.words});
      }
    }
    return result;
  }

  /// A rotation and its tangents lie on one side of the sphere, since w is never negative: otherwise the
  /// path between keys would differ.
  static bool is_on_one_side(const mdx::Track& track) {
    for (std::size_t key = 0; track.has_tangents() && key < track.size(); ++key) {
      const bool side = track.value(key)[3] < 0;
      for (const unsigned part : {1U, 2U}) {
        if ((track.value(key, part)[3] < 0) != side) {
          return false;
        }
      }
    }
    return true;
  }

  Track packed(const mdx::Track& track) {
    Track result{track.tag, track.interpolation, track.global_sequence, {}};
    if (!is_on_one_side(track)) {
      lose(codes::kConvertTrack, "interpolation of track " + track.tag.text() +
                                     " changed to linear, because its tangents exceed half a turn");
      result.interpolation = Interpolation::linear;
    }
    const unsigned parts = result.has_tangents() ? 3 : 1;
    for (std::size_t key = 0; key < track.size(); ++key) {
      result.words.push_back(static_cast<std::uint32_t>(track.frame(key)));
      for (unsigned part = 0; part < parts; ++part) {
        const auto unit = scene::normalized(scene::widen(track.value(key, part)));
        const auto bits = static_cast<std::uint64_t>(pack_rotation(unit));
        result.words.push_back(static_cast<std::uint32_t>(bits));
        result.words.push_back(static_cast<std::uint32_t>(bits >> 32U));
      }
    }
    return result;
  }

  // --- the model, sequences, materials

  Model header() const {
    Model model;
    if (const auto* from = model_.find<mdx::Model>()) {
      model.name = from->name;
      model.animation_file = from->animation_file;
      model.extent = from->extent;
    }
    model.object_count = static_cast<std::uint32_t>(old_ids_.size());
    return model;
  }

  /// The rarer, the less often of all of its kind.
  Sequences sequences() {
    const auto* model = model_.find<mdx::Model>();
    std::map<std::string, float> sums;
    const auto share = [](const mdx::Sequence& sequence) {
      return 1 / (1 + std::max(0.0F, std::isfinite(sequence.rarity) ? sequence.rarity : 0.0F));
    };
    for (const auto* sequence : model_.all<mdx::Sequences>()) {
      sums[kind_of(*sequence)] += share(*sequence);
    }
    Sequences result;
    for (const auto* from : model_.all<mdx::Sequences>()) {
      Sequence& to = result.items.emplace_back();
      copy_sequence(*from, to);
      to.frequency = share(*from) / sums[kind_of(*from)];
      to.blend_time = model == nullptr ? 0 : model->blend_time;
    }
    return result;
  }

  Texture convert(const mdx::Texture& texture) {
    if (texture.replaceable_id != 0 && !alpha_ids_) {
      lose(codes::kConvertTexture, "replaceable id " + std::to_string(texture.replaceable_id) +
                                       " written unchanged; it is a different texture in the target game");
    }
    return texture;
  }

  Layer convert(const mdx::Layer& from) {
    constexpr std::uint32_t kKnown = 0xFF;
    if ((from.shading_flags & ~kKnown) != 0) {
      lose(codes::kConvertFlag, "shading flags left out: " + std::to_string(from.shading_flags & ~kKnown));
    }
    Layer to;
    copy_layer(from, to);
    to.blend = from.filter_mode;
    to.flags = from.shading_flags & kKnown;
    to.coord_id = static_cast<std::int32_t>(from.coord_id);
    to.tracks = convert(from.tracks);
    return to;
  }

  Material convert(const mdx::Material& from) {
    if (from.flags != 0) {
      lose(codes::kConvertFlag, "material flags left out: " + std::to_string(from.flags));
    }
    Material to;
    to.priority_plane = from.priority_plane;
    for (const auto& layer : from.layers) {
      to.layers.push_back(convert(layer));
    }
    return to;
  }

  TextureAnimation convert(const mdx::TextureAnimation& from) { return {convert(from.tracks), {}}; }

  // --- geosets

  Geoset convert(const mdx::Geoset& from) {
    Geoset to;
    copy_geoset(from, to);
    to.uv_set_count = static_cast<std::uint32_t>(from.uv_sets.size());
    for (const auto& set : from.uv_sets) {
      Array<Vec2> pairs = set.coordinates;
      pairs.resize(from.positions.size(), Vec2{});
      to.uvs.insert(to.uvs.end(), pairs.begin(), pairs.end());
    }
    for (const std::uint32_t bone : from.matrix_indices) {
      to.matrix_indices.push_back(
          static_cast<std::uint32_t>(std::max(0, id_of(static_cast<std::int32_t>(bone)))));
    }
    add_bones(to);
    to.flags = (from.selection_flags & mdx::Geoset::kUnselectable) != 0 ? Geoset::kUnselectable : 0;
    return to;
  }

  /// BIDX and BWGT, for vertices in the order of their groups (mdx_alpha.md#geosets).
  void add_bones(Geoset& geoset) {
    constexpr std::array<std::uint32_t, 5> kWeights = {0, 0xFF000000, 0x807F0000, 0x55555500, 0x4040403F};
    constexpr std::size_t kMost = 4;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> groups;  // bones and weights
    std::size_t at = 0;
    std::size_t cut = 0;
    std::size_t far = 0;
    for (const std::uint32_t size : geoset.matrix_groups) {
      const std::size_t first = std::min(at, geoset.matrix_indices.size());
      const auto count = std::min({std::size_t{size}, geoset.matrix_indices.size() - first, kMost});
      std::uint32_t bones = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t bone = geoset.matrix_indices[first + i];
        far += bone > 0xFF ? 1U : 0U;
        bones |= (bone & 0xFFU) << (8 * i);
      }
      cut += size > kMost ? 1U : 0U;
      groups.emplace_back(bones, kWeights.at(count));
      at += size;
    }
    if (cut > 0) {
      lose(codes::kConvertField, counted(cut, "matrix group") + " reduced to four bones in BIDX");
    }
    if (far > 0) {
      lose(codes::kConvertField, counted(far, "bone id") + " above 255 cut to 8 bits in BIDX");
    }
    Array<std::uint8_t> sorted = geoset.vertex_groups;
    std::sort(sorted.begin(), sorted.end());
    for (const std::uint8_t group : sorted) {
      const auto known = group < groups.size() ? groups[group] : std::pair<std::uint32_t, std::uint32_t>();
      geoset.bone_indices.push_back(known.first);
      geoset.bone_weights.push_back(known.second);
    }
  }

  GeosetAnimation convert(const mdx::GeosetAnimation& from) {
    if ((from.flags & mdx::GeosetAnimation::kDropShadow) != 0) {
      lose(codes::kConvertFlag, "drop shadow flag of a geoset left out");
    }
    GeosetAnimation to;
    copy_geoset_animation(from, to);
    to.tracks = convert(from.tracks);
    return to;
  }

  // --- objects of the hierarchy

  Bone convert(const mdx::Bone& from) {
    return {convert(from.node, 0), from.geoset_id, from.geoset_animation_id};  // 0x80 is not stored
  }
  Helper convert(const mdx::Helper& from) { return {convert(from.node, 0)}; }

  Light convert(const mdx::Light& from) {
    constexpr std::uint32_t kType = 0xFF;
    Light to;
    copy_light(from, to);
    to.node = convert(from.node, node_flag::kLight);
    to.type &= kType;
    to.tracks = convert(from.tracks);
    return to;
  }

  void put_attachments() {
    Attachments list;
    list.items = converted<mdx::Attachments, Attachment>(FourCC{"ATCH"});
    for (const auto& attachment : list.items) {
      list.reserved = std::max(list.reserved, attachment.attachment_id);
    }
    if (!list.items.empty()) {
      put(FourCC{"ATCH"}, std::move(list));
    }
  }

  Attachment convert(const mdx::Attachment& from) {
    Attachment to;
    to.node = convert(from.node, node_flag::kAttachment);
    to.attachment_id = static_cast<std::uint32_t>(std::max(0, from.attachment_id));
    to.path = from.path;
    to.tracks = convert(from.tracks);
    return to;
  }

  ParticleEmitter convert(const mdx::ParticleEmitter& from) {
    const auto flag = [&](std::uint32_t theirs, std::uint32_t ours) {
      return (from.node.flags & theirs) != 0 ? ours : 0;
    };
    ParticleEmitter to;
    to.node = convert(from.node, flag(mdx::node_flag::kPremUsesMdl, node_flag::kPremUsesMdl) |
                                     flag(mdx::node_flag::kPremUsesTga, node_flag::kPremUsesTga));
    copy_model_emitter(from, to);
    to.tracks = convert(from.tracks);
    return to;
  }

  ParticleEmitter2 convert(const mdx::ParticleEmitter2& from) {
    constexpr std::uint32_t kShared = node_flag::kUnshaded | node_flag::kSortPrimsFarZ |
                                      node_flag::kLineEmitter | node_flag::kUnfogged | node_flag::kModelSpace;
    const bool flat = (from.node.flags & mdx::node_flag::kPre2XyQuad) != 0;
    ParticleEmitter2 to;
    to.node = convert(from.node,
                      node_flag::kEmitter | (from.node.flags & kShared) | (flat ? node_flag::kXyQuads : 0));
    to.emitter_size = 0x31B;
    copy_emitter(from, to);
    to.latitude = radians(from.latitude);
    to.longitude = static_cast<float>(2 * scene::kPi);  // all around, as there
    to.squirts = from.squirt != 0 ? 1 : 0;
    to.tracks = convert(from.tracks);
    for (Track& track : to.tracks) {
      if (track.tag == FourCC{"KP2L"}) {
        change_floats(track, radians);
      }
    }
    return to;
  }

  static float radians(float degrees) {
    return static_cast<float>(double{degrees} * scene::kRadiansPerDegree);
  }

  RibbonEmitter convert(const mdx::RibbonEmitter& from) {
    RibbonEmitter to;
    to.node = convert(from.node, node_flag::kRibbon);
    to.emitter_size = 0x38;
    copy_ribbon(from, to);
    to.tracks = convert(from.tracks);
    return to;
  }

  EventObject convert(const mdx::EventObject& from) {
    if (from.node.name.view().substr(0, 1) != "$") {
      lose(codes::kConvertField,
           "event " + to_utf8(from.node.name.view()) + " written unchanged; the target game does not use it");
    }
    EventObject to;
    to.node = convert(from.node, node_flag::kEvent);
    if (from.track) {
      to.track = EventTrack{from.track->global_sequence, from.track->frames};
    }
    return to;
  }

  Camera convert(const mdx::Camera& from) {
    Camera to;
    copy_camera(from, to);
    to.tracks = convert(from.tracks);
    return to;
  }

  // --- collision

  /// Boxes and spheres are laid out alike; the community's planes and cylinders are not
  /// (mdx.md#collision-shapes).
  HitTest convert(const mdx::CollisionShape& from) {
    HitTest to;
    to.node = convert(from.node, node_flag::kHitTest);
    const auto& p = from.payload;
    using Type = mdx::CollisionShape::Type;
    const bool community =
        (from.type == Type::plane && p.size() == 6) || (from.type == Type::cylinder && p.size() == 7);
    if (!community) {
      to.shape = static_cast<HitTest::Shape>(from.type);
      to.payload = p;
      return to;
    }
    const scene::Vec3d extent = {double{p[3]} - double{p[0]}, double{p[4]} - double{p[1]},
                                 double{p[5]} - double{p[2]}};
    if (from.type == Type::cylinder) {
      to.shape = HitTest::Shape::cylinder;
      to.payload = {p[0], p[1], p[2], static_cast<float>(scene::length(extent)), p[6]};
    } else {
      to.shape = HitTest::Shape::plane;
      to.payload = {static_cast<float>(std::abs(extent[0])), static_cast<float>(std::abs(extent[1]))};
    }
    return to;
  }

  /// A box around the shapes that are boxes, else around the model.
  CollisionMesh collision() {
    const auto* model = model_.find<mdx::Model>();
    Vec3 low = model == nullptr ? Vec3{} : model->extent.minimum;
    Vec3 high = model == nullptr ? Vec3{} : model->extent.maximum;
    bool any = false;
    for (const auto* shape : model_.all<mdx::CollisionShapes>()) {
      if (shape->type != mdx::CollisionShape::Type::box || shape->payload.size() != 6) {
        continue;
      }
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [least, most] = std::minmax(shape->payload[axis], shape->payload[axis + 3]);
        low.at(axis) = any ? std::min(low.at(axis), least) : least;
        high.at(axis) = any ? std::max(high.at(axis), most) : most;
      }
      any = true;
    }
    place_ = "CLID";
    lose(codes::kConvertChunk, any ? "collision mesh approximated by the bounding box of the shapes"
                                   : "collision mesh approximated by the bounding box of the model");
    return box(low, high);
  }

  static CollisionMesh box(const Vec3& low, const Vec3& high) {
    CollisionMesh mesh;
    for (unsigned corner = 0; corner < 8; ++corner) {
      mesh.positions.push_back({(corner & 1U) != 0 ? high[0] : low[0], (corner & 2U) != 0 ? high[1] : low[1],
                                (corner & 4U) != 0 ? high[2] : low[2]});
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto u = static_cast<std::uint16_t>(1U << ((axis + 1) % 3));
      const auto v = static_cast<std::uint16_t>(1U << ((axis + 2) % 3));
      for (const bool far : {false, true}) {
        const auto a = static_cast<std::uint16_t>(far ? 1U << axis : 0U);
        const auto b = static_cast<std::uint16_t>(a + (far ? u : v));
        const auto c = static_cast<std::uint16_t>(a + u + v);
        const auto d = static_cast<std::uint16_t>(a + (far ? v : u));
        mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d});
        Vec3 normal{};
        normal.at(axis) = far ? 1.0F : -1.0F;
        mesh.normals.insert(mesh.normals.end(), 2, normal);
      }
    }
    return mesh;
  }

  void report_chunks() {
    for (const auto& chunk : model_.chunks) {
      const bool opaque = std::holds_alternative<mdx::Opaque>(chunk.body);
      const bool unlike = std::holds_alternative<mdx::PopcornEmitters>(chunk.body) ||
                          std::holds_alternative<mdx::FaceEffects>(chunk.body) ||
                          std::holds_alternative<mdx::SoundEmitters>(chunk.body) ||
                          std::holds_alternative<mdx::SoundTracks>(chunk.body);
      if (opaque || unlike) {
        place_ = chunk.tag.text();
        lose(codes::kConvertChunk, "chunk " + chunk.tag.text() + " left out; WoW Alpha has no such chunk");
      }
    }
  }

  const mdx::Document& model_;
  Diagnostics& diagnostics_;
  bool alpha_ids_;
  Document result_;
  std::map<std::int32_t, std::int32_t> ids_;  ///< new ones by old ones
  std::vector<std::int32_t> old_ids_;         ///< by new one
  std::int32_t next_id_ = 0;
  std::string place_;
};

}  // namespace

Document from_warcraft(const mdx::Document& model, Diagnostics& diagnostics,
                       std::optional<CollisionMesh> collision, bool alpha_ids) {
  return Downgrader(model, diagnostics, alpha_ids).run(std::move(collision));
}

}  // namespace thaw::mdx_alpha
