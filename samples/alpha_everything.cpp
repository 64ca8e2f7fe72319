#include "alpha_everything.hpp"

#include "alpha_build.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::samples {
namespace {

using mdx::Interpolation;
namespace flag = mdx_alpha::node_flag;

/// Object ids in the order in which the game numbers them.
enum Id : std::int32_t {
  kRoot,
  kArm,
  kLamp,
  kSun,
  kHelper,
  kOrigin,
  kBreath,
  kModelEmitter,
  kPlaneEmitter,
  kSphereEmitter,
  kSplineEmitter,
  kTrail,
  kStep,
  kSilent,
  kBox,
  kCylinder,
  kSphere,
  kPlane,
  kNodeCount
};

constexpr std::int32_t kLast = 2000;

/// Gives each track another interpolation and other values, so that no two tracks are alike.
class TrackBuilder {
 public:
  mdx_alpha::Track operator()(FourCC tag, double low, double high, std::int32_t global_sequence = -1) {
    const auto round = static_cast<std::int32_t>(made_++);
    const auto kind = mdx_alpha::track_kind(tag);
    if (kind == mdx_alpha::TrackKind::index) {
      return alpha_index_track(tag, {{0, 0}, {500 + round, 1}, {kLast, 0}}, global_sequence);
    }
    const auto interpolation =
        tag == FourCC{"KVIS"} ? Interpolation::none : static_cast<Interpolation>(round % 4);
    std::vector<Key> keys;
    for (const std::int32_t frame : {100, 333, 900 + 10 * round, 1500, kLast}) {
      const double share = (1 + std::sin(frame * 0.004 + round)) / 2;
      keys.push_back(kind == mdx_alpha::TrackKind::rotation
                         ? rotation(frame, interpolation, share)
                         : scalars(frame, interpolation, low + (high - low) * share, high - low, kind));
    }
    if (tag == FourCC{"KVIS"}) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i].value = {i % 2 == 0 ? 1.0F : 0.0F};
      }
    }
    return alpha_track(tag, interpolation, keys, global_sequence);
  }

 private:
  static bool curved(Interpolation interpolation) {
    return interpolation == Interpolation::hermite || interpolation == Interpolation::bezier;
  }
  static Key rotation(std::int32_t frame, Interpolation interpolation, double share) {
    Key key{frame, turn({0.6F, 0, 0.8F}, share), {}, {}};
    if (curved(interpolation)) {
      key.in = turn({0.6F, 0, 0.8F}, share * 0.9);
      key.out = turn({0.6F, 0, 0.8F}, share * 1.1);
    }
    return key;
  }
  static Key scalars(std::int32_t frame, Interpolation interpolation, double value, double range,
                     mdx_alpha::TrackKind kind) {
    Key key{frame, {}, {}, {}};
    const unsigned components = kind == mdx_alpha::TrackKind::vector ? 3 : 1;
    for (unsigned i = 0; i < components; ++i) {
      key.value.push_back(snap(value + 0.02 * i * range));
      if (curved(interpolation)) {
        const double base = interpolation == Interpolation::bezier ? value : 0;
        key.in.push_back(snap(base + 0.05 * range));
        key.out.push_back(snap(base - 0.05 * range));
      }
    }
    return key;
  }

  unsigned made_ = 0;
};

class Everything {
 public:
  explicit Everything(std::uint32_t version) : version_(version) {}

  mdx_alpha::Document make() {
    add_header();
    add_materials();
    if (version_ < 1500) {
      add_geosets();
    } else {
      add_sections();
    }
    add_skeleton();
    add_emitters();
    add_rest();
    return std::move(document_);
  }

 private:
  template <class Body>
  Body& chunk(FourCC tag) {
    return add_chunk<Body>(document_, tag);
  }
  mdx_alpha::Node animated(std::string_view name, Id id, std::int32_t parent, std::uint32_t flags = 0,
                           std::int32_t global_sequence = -1) {
    auto made = alpha_node(name, id, parent, flags);
    made.tracks = {make_(FourCC{"KGTR"}, -0.4, 0.4, global_sequence),
                   make_(FourCC{"KGRT"}, 0, 1, global_sequence),
                   make_(FourCC{"KGSC"}, 0.75, 1.25, global_sequence)};
    std::rotate(made.tracks.begin(), made.tracks.begin() + id % 3, made.tracks.end());
    return made;
  }

  void add_header();
  void add_materials();
  void add_geosets();
  void add_sections();
  void add_skeleton();
  void add_emitters();
  void add_rest();
  [[nodiscard]] mdx::Geoset plate(float x, std::int32_t material) const;
  mdx_alpha::ParticleEmitter2 sprites(std::string_view name, Id id, mdx_alpha::ParticleEmitter2::Type type);

  std::uint32_t version_;
  mdx::Extent extent_{3, {-1, -1, 0}, {2, 1, 2}};
  mdx_alpha::Document document_;
  TrackBuilder make_;
};

void Everything::add_header() {
  chunk<mdx_alpha::Version>(FourCC{"VERS"}).value = version_;
  auto& model = chunk<mdx_alpha::Model>(FourCC{"MODL"});
  model.name.assign("Everything");
  model.extent = extent_;
  model.flags = 1;
  model.object_count = kNodeCount;
  auto& sequences = chunk<mdx_alpha::Sequences>(FourCC{"SEQS"}).items;
  sequences = {alpha_sequence("Stand - Var1", 0, 600, true, extent_),
               alpha_sequence("Stand - Var2", 633, 1200, true, extent_),
               alpha_sequence("Death", 1300, kLast, false, extent_)};
  sequences[0].frequency = 0.75F;
  sequences[0].replay_max = 3;
  sequences[1].frequency = 0.25F;
  sequences[1].move_speed = 2.5F;
  chunk<mdx_alpha::GlobalSequences>(FourCC{"GLBS"}).durations = {1000, 0, 1500};
}

void Everything::add_materials() {
  auto& materials = chunk<mdx_alpha::Materials>(FourCC{"MTLS"});
  mdx_alpha::Layer base;
  base.texture_id = 0;
  mdx_alpha::Layer shine;
  shine.blend = mdx::FilterMode::additive;
  shine.flags = mdx_alpha::Layer::kUnshaded | mdx_alpha::Layer::kTwoSided | mdx_alpha::Layer::kUnfogged;
  shine.texture_id = 1;
  shine.texture_animation_id = 0;
  shine.alpha = 0.5F;
  shine.tracks = {make_(FourCC{"KMTA"}, 0, 1), make_(FourCC{"KMTF"}, 0, 1, 0)};
  mdx_alpha::Layer bare;
  bare.blend = mdx::FilterMode::blend;
  bare.coord_id = -1;
  materials.items = {{0, {base, shine}, {}}, {3, {bare}, {}}};
  auto& textures = chunk<mdx_alpha::Textures>(FourCC{"TEXS"}).items;
  textures = {texture("", 11, 3), texture("Everything\\Shine.blp", 0, mdx::Texture::kWrapWidth)};
  auto& animations = chunk<mdx_alpha::TextureAnimations>(FourCC{"TXAN"}).items;
  animations.resize(1);
  animations[0].tracks = {make_(FourCC{"KTAT"}, 0, 1), make_(FourCC{"KTAR"}, 0, 1),
                          make_(FourCC{"KTAS"}, 1, 2, 2)};
}

mdx::Geoset Everything::plate(float x, std::int32_t material) const {
  mdx::Geoset geoset;
  geoset.positions = {{x, -1, 0}, {x, 1, 0}, {x, 1, 1}, {x, -1, 1}, {x, 0, 2}};
  geoset.normals.assign(5, Vec3{1, 0, 0});
  geoset.uv_sets.resize(2);
  geoset.uv_sets[0].coordinates = {{0, 1}, {1, 1}, {1, 0.5F}, {0, 0.5F}, {0.5F, 0}};
  geoset.uv_sets[1].coordinates = {{0, 2}, {2, 2}, {2, 1}, {0, 1}, {1, 0}};
  geoset.primitive_types = {mdx::PrimitiveType::triangles};
  geoset.indices = {0, 1, 2, 0, 2, 3, 3, 2, 4};
  geoset.primitive_counts = {9};
  geoset.vertex_groups = {0, 0, 1, 1, 2};
  geoset.matrix_groups = {1, 2, 3};
  geoset.matrix_indices = {kRoot, kRoot, kArm, kRoot, kArm, kHelper};
  geoset.material_id = material;
  geoset.extent = extent_;
  return geoset;
}

void Everything::add_geosets() {
  auto& geosets = chunk<mdx_alpha::Geosets>(FourCC{"GEOS"}).items;
  geosets = {alpha_geoset(plate(0, 0), 3), alpha_geoset(plate(1, 1), 3)};
  geosets[0].selection_group = 401;
  geosets[1].flags = mdx_alpha::Geoset::kUnselectable;
  auto& animations = chunk<mdx_alpha::GeosetAnimations>(FourCC{"GEOA"}).items;
  animations.resize(2);
  animations[0] = {0, 0.5F, {0.25F, 0.5F, 1}, 1, {make_(FourCC{"KGAO"}, 0, 1), make_(FourCC{"KGAC"}, 0, 1)},
                   {}};
  animations[1] = {1, 1, {1, 1, 1}, 0, {}, {}};
}

void Everything::add_sections() {
  auto& geosets = chunk<mdx_alpha::Sections>(FourCC{"GEOS"});
  for (const std::int32_t part : {0, 1}) {
    const auto source = plate(static_cast<float>(part), part);
    mdx_alpha::Batch batch;
    for (std::size_t i = 0; i < source.positions.size(); ++i) {
      batch.vertices.push_back({source.positions[i],
                                {200, 55, 0, 0},
                                {kRoot, kArm, 0, 0},
                                source.normals[i],
                                {source.uv_sets[0].coordinates[i], source.uv_sets[1].coordinates[i]}});
    }
    batch.indices = source.indices;
    batch.maximum_vertex = 4;
    batch.padding.assign(7, std::uint16_t{0});
    mdx_alpha::Section section;
    section.material_id = part;
    section.center = {static_cast<float>(part), 0, 1};
    section.radius = 1.5F;
    section.geoset_index = static_cast<std::uint32_t>(part);
    section.vertex_count = 5;
    section.type_count = 1;
    section.index_count = 9;
    geosets.sections.push_back(section);
    geosets.batches.push_back(std::move(batch));
  }
}

void Everything::add_skeleton() {
  auto& bones = chunk<mdx_alpha::Bones>(FourCC{"BONE"}).items;
  bones = {{animated("Bone_Root", kRoot, -1), -1, -1},
           {animated("Bone_Arm", kArm, kRoot, flag::kDontInheritScaling), 0, version_ < 1500 ? 0 : -1}};
  auto& lights = chunk<mdx_alpha::Lights>(FourCC{"LITE"}).items;
  lights.resize(2);
  lights[0] = {
      animated("Lamp", kLamp, kArm, flag::kLight), 0, 1, 5, {0.5F, 0.75F, 1}, 2, {1, 1, 1}, 0.5F, {}, {}};
  lights[0].tracks = {make_(FourCC{"KLAS"}, 0, 1), make_(FourCC{"KLAE"}, 2, 5), make_(FourCC{"KLAC"}, 0, 1),
                      make_(FourCC{"KLAI"}, 0, 2), make_(FourCC{"KLBC"}, 0, 1), make_(FourCC{"KLBI"}, 0, 1),
                      make_(FourCC{"KVIS"}, 0, 1)};
  lights[1].node = alpha_node("Sun", kSun, -1, flag::kLight);
  lights[1].type = 1;
  auto& helpers = chunk<mdx_alpha::Helpers>(FourCC{"HELP"}).items;
  helpers = {{animated("Helper", kHelper, kRoot, flag::kDontInheritRotation | flag::kBillboardedLockZ, 0)}};
  auto& attachments = chunk<mdx_alpha::Attachments>(FourCC{"ATCH"});
  attachments.reserved = 19;
  attachments.items.resize(2);
  attachments.items[0].node = alpha_node("_Base", kOrigin, -1, flag::kAttachment);
  attachments.items[0].attachment_id = 19;
  attachments.items[1].node = alpha_node("_Breath", kBreath, kArm, flag::kAttachment | flag::kBillboarded);
  attachments.items[1].attachment_id = 17;
  attachments.items[1].tracks = {make_(FourCC{"KVIS"}, 0, 1)};
  auto& pivots = chunk<mdx_alpha::Pivots>(FourCC{"PIVT"}).points;
  for (std::int32_t id = 0; id < kNodeCount; ++id) {
    pivots.push_back(snap(0.1 * id, 0.05 * id, 0.2 * id));
  }
}

mdx_alpha::ParticleEmitter2 Everything::sprites(std::string_view name, Id id,
                                                mdx_alpha::ParticleEmitter2::Type type) {
  mdx_alpha::ParticleEmitter2 emitter;
  emitter.node = alpha_node(name, id, kRoot, flag::kEmitter);
  emitter.emitter_size = 0x31B;
  emitter.type = type;
  emitter.speed = 2.5F;
  emitter.variation = 0.25F;
  emitter.latitude = 0.5F;
  emitter.longitude = 3;
  emitter.gravity = -1;
  emitter.z_source = 0.5F;
  emitter.life_span = 1.5F;
  emitter.emission_rate = 12;
  emitter.length = 0.5F;
  emitter.width = 0.25F;
  emitter.rows = 2;
  emitter.columns = 4;
  emitter.shape = mdx::ParticleEmitter2::Shape::both;
  emitter.tail_length = 3;
  emitter.segment_colors = {{{1, 1, 1}, {0.25F, 0.5F, 1}, {0, 0, 0.5F}}};
  emitter.segment_alphas = {100, 175, 0};
  emitter.segment_scales = {0.03F, 0.22F, 0.01F};
  emitter.head_life = {0, 3, 1};
  emitter.head_decay = {4, 7, 2};
  emitter.tail_life = {1, 2, 1};
  emitter.tail_decay = {5, 6, 1};
  emitter.filter = mdx::ParticleEmitter2::Filter::additive;
  emitter.texture_id = 1;
  emitter.priority_plane = 1;
  emitter.twinkle_scale = {0.75F, 1.25F};
  emitter.tumble = {{{-1, 1}, {-2, 2}, {-3, 3}}};
  emitter.drag = 0.125F;
  emitter.spin = 0.5F;
  emitter.wind = {1, 0.5F, 0.25F};
  emitter.wind_time = 0.5F;
  emitter.follow = {{{1, 2}, {3, 4}}};
  return emitter;
}

void Everything::add_emitters() {
  using Type = mdx_alpha::ParticleEmitter2::Type;
  auto& models = chunk<mdx_alpha::ParticleEmitters>(FourCC{"PREM"}).items;
  models.resize(1);
  models[0].node = alpha_node("Birds", kModelEmitter, kRoot, flag::kEmitter | flag::kPremUsesMdl);
  models[0].path.assign("Everything\\Bird.mdl");
  models[0].emission_rate = 2;
  models[0].life_span = 3;
  models[0].speed = 4;
  models[0].tracks = {make_(FourCC{"KPEE"}, 0, 2), make_(FourCC{"KPEG"}, 0, 1), make_(FourCC{"KPLN"}, 0, 3),
                      make_(FourCC{"KPLT"}, 0, 1), make_(FourCC{"KPEL"}, 1, 3), make_(FourCC{"KPES"}, 1, 4),
                      make_(FourCC{"KVIS"}, 0, 1)};
  auto& emitters = chunk<mdx_alpha::ParticleEmitters2>(FourCC{"PRE2"}).items;
  emitters = {sprites("Plane", kPlaneEmitter, Type::plane), sprites("Sphere", kSphereEmitter, Type::sphere),
              sprites("Spline", kSplineEmitter, Type::spline)};
  emitters[0].node.flags |= flag::kUnshaded | flag::kUnfogged | flag::kXyQuads | flag::kTumbler;
  emitters[0].tracks = {
      make_(FourCC{"KVIS"}, 0, 1), make_(FourCC{"KP2S"}, 1, 3),  make_(FourCC{"KP2R"}, 0, 1),
      make_(FourCC{"KP2L"}, 0, 1), make_(FourCC{"KPLN"}, 0, 3),  make_(FourCC{"KP2G"}, -1, 1),
      make_(FourCC{"KLIF"}, 1, 2), make_(FourCC{"KP2E"}, 0, 20), make_(FourCC{"KP2W"}, 0, 1),
      make_(FourCC{"KP2N"}, 0, 1), make_(FourCC{"KP2Z"}, 0, 1)};
  emitters[1].geometry_model.assign("Everything\\Stone.mdl");
  emitters[1].recursion_model.assign("Everything\\Dust.mdl");
  emitters[1].texture_id = -1;
  emitters[1].squirts = 1;
  emitters[2].replaceable_id = 2;
  emitters[2].spline = {{0, 0, 0}, {0, 1, 1}, {1, 1, 2}, {1, 0, 3}};
  auto& ribbons = chunk<mdx_alpha::RibbonEmitters>(FourCC{"RIBB"}).items;
  ribbons.resize(1);
  ribbons[0].node = animated("Trail", kTrail, kArm, flag::kRibbon);
  ribbons[0].emitter_size = 0x38;
  ribbons[0].height_above = 0.25F;
  ribbons[0].height_below = 0.5F;
  ribbons[0].alpha = 0.75F;
  ribbons[0].color = {0.9F, 0.5F, 0.1F};
  ribbons[0].life_span = 0.5F;
  ribbons[0].emission_rate = 20;
  ribbons[0].gravity = 0.5F;
  ribbons[0].tracks = {make_(FourCC{"KRHA"}, 0, 1), make_(FourCC{"KRHB"}, 0, 1), make_(FourCC{"KRAL"}, 0, 1),
                       make_(FourCC{"KRCO"}, 0, 1), make_(FourCC{"KRTX"}, 0, 1), make_(FourCC{"KVIS"}, 0, 1)};
}

void Everything::add_rest() {
  auto& cameras = chunk<mdx_alpha::Cameras>(FourCC{"CAMS"}).items;
  cameras = {
      camera<mdx_alpha::Camera>("Portrait", {4, 0.5F, 1.5F}, {0, 0, 1}, 0.9500215F, 0.2222222F, 27.7777786F)};
  cameras[0].tracks = {make_(FourCC{"KCTR"}, 0, 1), make_(FourCC{"KCRL"}, 0, 1), make_(FourCC{"KVIS"}, 0, 1),
                       make_(FourCC{"KTTR"}, 0, 0.5)};
  auto& events = chunk<mdx_alpha::EventObjects>(FourCC{"EVTS"}).items;
  events.resize(2);
  events[0].node = alpha_node("$FSD", kStep, kRoot, flag::kEvent);
  events[0].track = {-1, {100, 400, 700}};
  events[1].node = alpha_node("$CHD", kSilent, kArm, flag::kEvent);
  using Shape = mdx_alpha::HitTest::Shape;
  auto& hits = chunk<mdx_alpha::HitTests>(FourCC{"HTST"}).items;
  hits = {{alpha_node("HIT01", kBox, kRoot, flag::kHitTest), Shape::box, {-1, -1, 0, 1, 1, 2}, {}},
          {alpha_node("HIT02", kCylinder, kRoot, flag::kHitTest), Shape::cylinder, {0, 0, 0, 2, 0.5F}, {}},
          {alpha_node("HIT03", kSphere, kArm, flag::kHitTest), Shape::sphere, {0, 0, 1, 0.75F}, {}},
          {alpha_node("HIT04", kPlane, kRoot, flag::kHitTest), Shape::plane, {2, 1}, {}}};
  add_chunk(document_, FourCC{"CLID"}, box_mesh({-1, -1, 0}, {1, 1, 2}));
}

}  // namespace

mdx_alpha::Document alpha_everything(std::uint32_t version) { return Everything(version).make(); }

}  // namespace thaw::samples
