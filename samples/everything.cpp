#include "everything.hpp"

#include "build.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::samples {
namespace {

using mdx::Interpolation;
namespace flag = mdx::node_flag;

/// Object ids, in the order in which the game's exporter hands them out (mdx.md#object-ids).
enum Id : std::int32_t {
  kRoot,
  kArm,
  kHand,
  kFinger,
  kThumb,
  kTip,
  kOmni,
  kSun,
  kHelper,
  kHelperLocked,
  kOrigin,
  kOverhead,
  kModelEmitter,
  kTexturedEmitter,
  kSparks,
  kSmoke,
  kEffect,
  kTrail,
  kStep,
  kSilent,
  kLegacyEvent,
  kBox,
  kSphere,
  kPlane,
  kCylinder,
  kEngineCylinder,
  kEnginePlane,
  kSoundEmitter,
  kNodeCount
};

constexpr std::int32_t kLast = 3000;

/// Gives each track another interpolation, key spacing and value, so that no two tracks are alike.
class TrackBuilder {
 public:
  mdx::Track operator()(FourCC tag, double low, double high, std::int32_t global_sequence = -1) {
    const auto type = mdx::track_type(tag);
    const auto round = static_cast<std::int32_t>(made_++);
    if (type.integer) {
      return integer_track(tag, {{0, 0}, {500 + round, 1}, {kLast, 0}}, global_sequence);
    }
    const auto interpolation = static_cast<Interpolation>(round % 4);
    std::vector<Key> keys;
    for (const std::int32_t frame : {0, 333, 1000 + 10 * round, 2200, kLast}) {
      const double share = (1 + std::sin(frame * 0.004 + round)) / 2;
      const double value = low + (high - low) * share;
      keys.push_back(type.components == 4
                         ? rotation(frame, interpolation, share)
                         : scalars(frame, interpolation, value, high - low, type.components));
    }
    return track(tag, interpolation, keys, global_sequence);
  }

 private:
  static Key rotation(std::int32_t frame, Interpolation interpolation, double share) {
    Key key{frame, turn({0, 0, 1}, share), {}, {}};
    if (interpolation == Interpolation::hermite || interpolation == Interpolation::bezier) {
      key.in = turn({0, 0, 1}, share * 0.9);
      key.out = turn({0, 0, 1}, share * 1.1);
    }
    return key;
  }
  static Key scalars(std::int32_t frame, Interpolation interpolation, double value, double range,
                     unsigned components) {
    Key key{frame, {}, {}, {}};
    for (unsigned i = 0; i < components; ++i) {
      const double own = value * (1 - 0.125 * i);
      const double base = interpolation == Interpolation::bezier ? own : 0;
      key.value.push_back(snap(own));
      key.in.push_back(snap(base - range / 16));
      key.out.push_back(snap(base + range / 16));
    }
    return key;
  }

  unsigned made_ = 0;
};

class Everything {
 public:
  explicit Everything(std::uint32_t version) : version_(version) {}

  mdx::Document make() {
    add_header();
    add_materials();
    add_geosets();
    add_skeleton();
    add_emitters();
    add_cameras();
    add_events();
    add_collision();
    add_reforged();
    add_oddities();
    return std::move(document_);
  }

 private:
  mdx::Node animated(std::string_view name, Id id, std::int32_t parent, std::uint32_t flags,
                     std::int32_t global_sequence = -1) {
    auto made = node(name, id, parent, flags);
    made.tracks = {make_(FourCC{"KGTR"}, -4, 4, global_sequence),
                   make_(FourCC{"KGRT"}, 0, 1, global_sequence),
                   make_(FourCC{"KGSC"}, 0.75, 1.25, global_sequence)};
    // Any order is legal.
    std::rotate(made.tracks.begin(), made.tracks.begin() + id % 3, made.tracks.end());
    return made;
  }

  void add_header() {
    add_chunk<mdx::Version>(document_, FourCC{"VERS"}).value = version_;
    auto& model = add_chunk<mdx::Model>(document_, FourCC{"MODL"});
    model.name.assign("Everything");
    // A watermark that 197 files in the wild carry behind the terminator.
    model.animation_file.raw[252] = 'P';
    model.animation_file.raw[253] = 'D';
    model.animation_file.raw[254] = 'R';
    model.extent = {70, {-40, -40, 0}, {40, 40, 60}};
    model.blend_time = 150;

    auto& sequences = add_chunk<mdx::Sequences>(document_, FourCC{"SEQS"}).items;
    sequences = {
        sequence("Stand - 1", 0, 1000, true, model.extent), sequence("Walk", 1100, 2000, true, model.extent),
        sequence("Attack Slam", 2100, 2600, false, model.extent), sequence("Death", 2700, 3000, false, {})};
    sequences[0].rarity = 4;
    sequences[1].move_speed = 220;
    sequences[2].sync_point = 7;
    add_chunk<mdx::GlobalSequences>(document_, FourCC{"GLBS"}).durations = {3000, 0, 4500};
  }

  // --- materials -------------------------------------------------------------------------------------------

  mdx::Layer layer(mdx::FilterMode filter, std::uint32_t shading, std::int32_t texture_id) {
    mdx::Layer layer;
    layer.filter_mode = filter;
    layer.shading_flags = shading;
    layer.texture_id = version_ < 1100 ? texture_id : 0;
    layer.has_fresnel = version_ >= 1000;
    layer.fresnel_opacity = version_ >= 1000 ? 0.25F : 0;
    if (version_ >= 1100) {
      layer.slots = {{texture_id, 0, {}}};
    }
    return layer;
  }

  mdx::Layer animated_layer() {
    using mdx::Layer;
    auto made = layer(mdx::FilterMode::blend, Layer::kUnshaded | Layer::kTwoSided | Layer::kUnfogged, 1);
    made.texture_animation_id = 0;
    made.alpha = 0.75F;
    const auto flipbook = integer_track(FourCC{"KMTF"}, {{0, 1}, {400, 2}, {800, 1}}, 0);
    if (version_ >= 1100) {
      made.slots.front().flipbook = flipbook;
    } else {
      made.tracks.push_back(flipbook);
    }
    made.tracks.push_back(make_(FourCC{"KMTA"}, 0, 1));
    if (version_ >= 900) {
      made.emissive_gain = 1.5F;
      made.tracks.push_back(make_(FourCC{"KMTE"}, 0, 2));
    }
    if (version_ >= 1000) {
      made.tracks.push_back(make_(FourCC{"KFC3"}, 0, 1));
      made.tracks.push_back(make_(FourCC{"KFCA"}, 0, 1));
      made.tracks.push_back(make_(FourCC{"KFTC"}, 0, 1));
    }
    return made;
  }

  /// HD: six layers by slot up to 1099, one layer with six slots from 1100 (mdx.md#shaders).
  mdx::Material hd_material() {
    mdx::Material material;
    material.shader.assign("Shader_HD_DefaultUnit");
    constexpr std::array<std::int32_t, 6> kTextures = {1, 3, 4, 5, 0, 6};
    if (version_ < 1100) {
      for (const auto texture_id : kTextures) {
        material.layers.push_back(layer(mdx::FilterMode::none, 0, texture_id));
      }
      return material;
    }
    auto made = layer(mdx::FilterMode::transparent, mdx::Layer::kBackFacesForShadows, 0);
    made.shader_id = 1;
    made.slots.clear();
    for (std::uint32_t slot = 0; slot < kTextures.size(); ++slot) {
      made.slots.push_back({kTextures.at(slot), slot, {}});
    }
    made.slots[3].flipbook = integer_track(FourCC{"KMTF"}, {{0, 5}, {1500, 2}, {kLast, 5}});
    // Slot numbers need not be the list's order.
    std::swap(made.slots[2], made.slots[5]);
    material.layers.push_back(made);
    return material;
  }

  void add_materials() {
    using mdx::FilterMode;
    auto& materials = add_chunk<mdx::Materials>(document_, FourCC{"MTLS"}).items;
    mdx::Material team;
    team.flags = mdx::Material::kConstantColor | mdx::Material::kFullResolution;
    team.layers = {layer(FilterMode::none, 0, 0), animated_layer()};
    materials.push_back(team);
    mdx::Material modes;
    modes.priority_plane = -2;
    modes.flags = mdx::Material::kSortPrimsFarZ;
    for (const auto mode :
         {FilterMode::none, FilterMode::transparent, FilterMode::blend, FilterMode::additive,
          FilterMode::add_alpha, FilterMode::modulate, FilterMode::modulate2x}) {
      modes.layers.push_back(layer(mode, mdx::Layer::kNoDepthTest | mdx::Layer::kNoDepthSet, 2));
    }
    modes.layers[1].shading_flags =
        mdx::Layer::kSphereEnvMap | mdx::Layer::kWrapWidth | mdx::Layer::kWrapHeight;
    modes.layers[2].coord_id = 1;
    materials.push_back(modes);
    if (version_ >= 900) {
      materials.push_back(hd_material());
    }
    // A material's bytes behind its last layer are kept.
    materials.back().remainder.bytes = {1, 2, 3, 4};

    add_chunk<mdx::Textures>(document_, FourCC{"TEXS"}).items = {
        texture("", 1),
        texture("Textures\\knight.blp"),
        texture("Textures\\knight_glow.blp", 0, mdx::Texture::kWrapWidth | mdx::Texture::kWrapHeight),
        texture("Textures/chest_normal.dds"),
        texture("Textures/chest_orm.dds", 0, mdx::Texture::kWrapWidth),
        texture("Textures/chest_emissive.tif"),
        texture("ReplaceableTextures/EnvironmentMap.blp", 0, mdx::Texture::kWrapHeight),
        texture("", 2)};

    auto& animations = add_chunk<mdx::TextureAnimations>(document_, FourCC{"TXAN"}).items;
    animations.resize(2);
    animations[0].tracks = {make_(FourCC{"KTAT"}, 0, 1, 2), make_(FourCC{"KTAR"}, 0, 1, 2),
                            make_(FourCC{"KTAS"}, 0.5, 2, 2)};
  }

  // --- geosets ---------------------------------------------------------------------------------------------

  mdx::Geoset cube(std::int32_t material_id, double size, double height) {
    mdx::Geoset geoset;
    for (unsigned face = 0; face < 6; ++face) {
      add_face(geoset, face, size, height);
    }
    geoset.primitive_types = {mdx::PrimitiveType::triangles};
    geoset.primitive_counts = {static_cast<std::uint32_t>(geoset.indices.size())};
    geoset.material_id = material_id;
    geoset.extent = extent_of(geoset.positions);
    geoset.sequence_extents.assign(4, geoset.extent);
    geoset.uv_sets.push_back({});
    for (std::size_t i = 0; i < geoset.positions.size(); ++i) {
      geoset.uv_sets[0].coordinates.push_back({static_cast<float>(i % 2), static_cast<float>(i / 2 % 2)});
    }
    return geoset;
  }

  static void add_face(mdx::Geoset& geoset, unsigned face, double size, double height) {
    const unsigned axis = face / 2;
    const double side = face % 2 == 0 ? 1 : -1;
    const auto first = static_cast<std::uint16_t>(geoset.positions.size());
    for (unsigned corner = 0; corner < 4; ++corner) {
      std::array<double, 3> at{};
      at.at(axis) = side;
      at.at((axis + 1) % 3) = (corner & 1U) != 0 ? side : -side;
      at.at((axis + 2) % 3) = (corner & 2U) != 0 ? 1 : -1;
      geoset.positions.push_back(snap(at[0] * size, at[1] * size, at[2] * size + height));
      std::array<double, 3> normal{};
      normal.at(axis) = side;
      geoset.normals.push_back(snap(normal[0], normal[1], normal[2]));
    }
    for (const unsigned corner : {0U, 1U, 3U, 0U, 3U, 2U}) {
      geoset.indices.push_back(static_cast<std::uint16_t>(first + corner));
    }
  }

  /// Groups of one to six bones; the fifth and sixth do not fit four joints per vertex.
  static void bind_to_groups(mdx::Geoset& geoset) {
    for (std::uint32_t size = 1; size <= 6; ++size) {
      geoset.matrix_groups.push_back(size);
      for (std::uint32_t bone = 0; bone < size; ++bone) {
        geoset.matrix_indices.push_back(kRoot + bone);
      }
    }
    for (std::size_t i = 0; i < geoset.positions.size(); ++i) {
      geoset.vertex_groups.push_back(static_cast<std::uint8_t>(i % 6));
    }
  }

  /// One face group of every primitive type.
  mdx::Geoset primitives() {
    auto geoset = cube(1, 6, 50);
    geoset.indices.clear();
    geoset.primitive_types.clear();
    geoset.primitive_counts.clear();
    constexpr std::array<std::uint32_t, 10> kCounts = {2, 4, 3, 3, 6, 6, 5, 8, 6, 5};
    for (std::uint32_t type = 0; type < kCounts.size(); ++type) {
      geoset.primitive_types.push_back(static_cast<mdx::PrimitiveType>(type));
      geoset.primitive_counts.push_back(kCounts.at(type));
      for (std::uint32_t i = 0; i < kCounts.at(type); ++i) {
        geoset.indices.push_back(static_cast<std::uint16_t>((type * 2 + i) % geoset.positions.size()));
      }
    }
    geoset.vertex_groups.resize(geoset.positions.size(), 0);
    geoset.matrix_groups = {1};
    geoset.matrix_indices = {kRoot};
    geoset.selection_flags = mdx::Geoset::kUnselectable;
    geoset.sequence_extents.clear();  // fewer than sequences, as in many files
    return geoset;
  }

  template <class Skin>
  static void fill_skin(Skin& skin, std::size_t vertices) {
    skin.emplace();
    for (std::size_t i = 0; i < vertices; ++i) {
      using Element = typename Skin::value_type::value_type::value_type;
      skin->push_back({static_cast<Element>(i % 6), static_cast<Element>((i + 1) % 6), 0, 0, 200, 55, 0, 0});
    }
  }

  mdx::Geoset hd_geoset() {
    auto geoset = cube(2, 10, 36);
    geoset.lod_name.assign("HdCube");
    geoset.tangents.emplace();
    for (const Vec3& normal : geoset.normals) {
      geoset.tangents->push_back({normal[1], normal[2], normal[0], normal[0] < 0 ? -1.0F : 1.0F});
    }
    if (version_ < 1400) {
      fill_skin(geoset.skin, geoset.positions.size());
    } else {
      fill_skin(geoset.wide_skin, geoset.positions.size());
    }
    // What every file with SKIN does (mdx.md#weights): all bones, one per group, and no vertex in any group.
    geoset.vertex_groups.resize(geoset.positions.size(), 255);
    for (std::uint32_t bone = kRoot; bone <= kTip; ++bone) {
      geoset.matrix_groups.push_back(1);
      geoset.matrix_indices.push_back(bone);
    }
    return geoset;
  }

  void add_geosets() {
    auto& geosets = add_chunk<mdx::Geosets>(document_, FourCC{"GEOS"}).items;
    auto body = cube(0, 16, 16);
    bind_to_groups(body);
    body.uv_sets.push_back(body.uv_sets.front());
    body.selection_group = 3;
    body.lod = -1;
    geosets.push_back(body);
    geosets.push_back(primitives());
    if (version_ >= 900) {
      geosets.push_back(hd_geoset());
    }
    geosets[1].remainder.bytes = {9, 8, 7, 6, 5};

    auto& animations = add_chunk<mdx::GeosetAnimations>(document_, FourCC{"GEOA"}).items;
    animations.resize(2);
    animations[0].flags = mdx::GeosetAnimation::kDropShadow | mdx::GeosetAnimation::kUseColor;
    animations[0].color = {1, 0.5F, 0.25F};
    animations[0].geoset_id = 0;
    animations[0].tracks = {make_(FourCC{"KGAO"}, 0, 1), make_(FourCC{"KGAC"}, 0, 1, 0)};
    animations[1].flags = 26;  // stray bits of an old exporter
    animations[1].alpha = 0.5F;
    animations[1].geoset_id = 1;
  }

  // --- hierarchy -------------------------------------------------------------------------------------------

  void add_skeleton() {
    auto& bones = add_chunk<mdx::Bones>(document_, FourCC{"BONE"}).items;
    bones = {{animated("Root", kRoot, -1, flag::kBone), 0, 0},
             {animated("Arm", kArm, kRoot, flag::kBone | flag::kDontInheritScaling), 0, 0},
             {animated("Hand", kHand, kArm, flag::kBone | flag::kDontInheritRotation), -1, -1},
             {animated("Finger", kFinger, kHand, flag::kBone | flag::kDontInheritTranslation), 0, 0},
             {animated("Thumb", kThumb, kHand, flag::kBone | flag::kBillboarded, 0), 1, -1},
             // Flags say nothing of its kind, and its parent comes later in the file.
             {animated("Tip", kTip, kHelper, 0x80000000U), 0, 1}};
    add_lights();
    add_chunk<mdx::Helpers>(document_, FourCC{"HELP"}).items = {
        {animated("Helper\\", kHelper, kRoot, 0)},
        {animated("", kHelperLocked, kRoot,
                  flag::kBillboardedLockX | flag::kBillboardedLockY | flag::kBillboardedLockZ |
                      flag::kCameraAnchored)}};

    auto& attachments = add_chunk<mdx::Attachments>(document_, FourCC{"ATCH"}).items;
    attachments.resize(2);
    attachments[0].node = node("Origin Ref ", kOrigin, kRoot, flag::kAttachment);
    attachments[1].node = animated("Overhead Ref", kOverhead, kRoot, flag::kAttachment);
    attachments[1].path.assign("Abilities\\Spells\\Sparkle.mdl");
    attachments[1].attachment_id = 1;
    attachments[1].tracks = {make_(FourCC{"KATV"}, 0, 1)};

    auto& pivots = add_chunk<mdx::Pivots>(document_, FourCC{"PIVT"}).points;
    for (std::int32_t id = 0; id < kNodeCount; ++id) {
      pivots.push_back(snap(id * 1.5 - 20, 12 * std::sin(id), 2 * id));
    }
    // A chunk's bytes behind its last record are kept.
    document_.chunks.back().remainder.bytes = {0xAA, 0xBB, 0xCC};
  }

  void add_lights() {
    auto& lights = add_chunk<mdx::Lights>(document_, FourCC{"LITE"}).items;
    lights.resize(2);
    auto& omni = lights[0];
    omni.node = animated("Omni", kOmni, kRoot, flag::kLight);
    omni.attenuation_start = 80;
    omni.attenuation_end = 200;
    omni.color = {1, 0.75F, 0.5F};
    omni.intensity = 3;
    omni.ambient_color = {0.5F, 0.75F, 1};
    omni.ambient_intensity = 0.25F;
    for (const auto* tag : {"KLAS", "KLAE", "KLAC", "KLAI", "KLBI", "KLBC", "KLAV"}) {
      omni.tracks.push_back(make_(tag_of(tag), 0, 1));
    }
    add_gated_light_fields(omni);
    lights[1].node = node("Sun", kSun, -1, flag::kLight);
    lights[1].type = 1;
  }

  void add_gated_light_fields(mdx::Light& light) {
    if (version_ >= 1300) {
      light.shadow_casting = 1;
      light.shadow_casting_start = 16;
      light.shadow_casting_end = 512;
      light.tracks.push_back(make_(FourCC{"KLSS"}, 0, 16));
      light.tracks.push_back(make_(FourCC{"KLSE"}, 16, 512));
    }
    if (version_ >= 1600) {
      light.linear_falloff = 0.125F;
      for (const auto* tag : {"KLQF", "KLLF", "KLDA"}) {
        light.tracks.push_back(make_(tag_of(tag), 0, 0.5));
      }
    }
  }

  static FourCC tag_of(const char* text) {
    FourCC tag;
    std::memcpy(tag.bytes.data(), text, tag.bytes.size());
    return tag;
  }
  mdx::Tracks tracks_of(std::initializer_list<const char*> tags, double low, double high) {
    mdx::Tracks tracks;
    for (const auto* tag : tags) {
      tracks.push_back(make_(tag_of(tag), low, high));
    }
    return tracks;
  }

  // --- emitters --------------------------------------------------------------------------------------------

  void add_emitters() {
    auto& models = add_chunk<mdx::ParticleEmitters>(document_, FourCC{"PREM"}).items;
    models.resize(2);
    models[0].node = animated("Leaves", kModelEmitter, kRoot, flag::kEmitter | flag::kPremUsesMdl);
    models[0].emission_rate = 10;
    models[0].gravity = 1;
    models[0].longitude = 0.5F;
    models[0].latitude = 0.25F;
    models[0].path.assign("Objects\\Leaf.mdl");
    models[0].life_span = 2;
    models[0].speed = 40;
    models[0].tracks = tracks_of({"KPEE", "KPEG", "KPLN", "KPLT", "KPEL", "KPES", "KPEV"}, 0, 1);
    models[1].node = node("Dust", kTexturedEmitter, kRoot, flag::kEmitter | flag::kPremUsesTga);
    models[1].path.assign("Textures\\Dust.tga");

    auto& sprites = add_chunk<mdx::ParticleEmitters2>(document_, FourCC{"PRE2"}).items;
    sprites = {sparks(), smoke()};
    if (version_ >= 900) {
      add_popcorn();
    }
    add_ribbon();
  }

  mdx::ParticleEmitter2 sparks() {
    mdx::ParticleEmitter2 emitter;
    emitter.node = animated("Sparks", kSparks, kHand, flag::kEmitter | flag::kUnshaded | flag::kPre2Unfogged);
    emitter.speed = 60;
    emitter.variation = 0.25F;
    emitter.latitude = 45;
    emitter.gravity = 30;
    emitter.life_span = 1.5F;
    emitter.emission_rate = 20;
    emitter.length = 4;
    emitter.width = 8;
    emitter.filter = mdx::ParticleEmitter2::Filter::additive;
    emitter.rows = 2;
    emitter.columns = 4;
    emitter.shape = mdx::ParticleEmitter2::Shape::both;
    emitter.tail_length = 1;
    emitter.segment_colors = {Vec3{1, 1, 1}, Vec3{1, 0.75F, 0.25F}, Vec3{0.5F, 0, 0}};
    emitter.segment_alphas = {255, 192, 0};
    emitter.segment_scales = {2, 4, 1};
    emitter.head_life = {0, 3, 1};
    emitter.head_decay = {4, 7, 2};
    emitter.tail_life = {0, 1, 1};
    emitter.tail_decay = {2, 3, 1};
    emitter.texture_id = 2;
    emitter.tracks = tracks_of({"KP2S", "KP2R", "KP2L", "KP2G", "KP2E", "KP2N", "KP2W", "KP2V"}, 0, 4);
    return emitter;
  }

  mdx::ParticleEmitter2 smoke() {
    mdx::ParticleEmitter2 emitter;
    emitter.node = node("Smoke", kSmoke, -1,
                        flag::kEmitter | flag::kSortPrimsFarZ | flag::kPre2LineEmitter |
                            flag::kPre2ModelSpace | flag::kPre2XyQuad);
    emitter.filter = mdx::ParticleEmitter2::Filter::alpha_key;
    emitter.life_span = 1;
    emitter.emission_rate = 4;
    emitter.squirt = 1;
    emitter.priority_plane = -3;
    emitter.texture_id = 7;
    emitter.replaceable_id = 2;
    emitter.segment_alphas = {255, 255, 0};
    emitter.segment_scales = {5, 10, 15};
    return emitter;
  }

  void add_popcorn() {
    auto& effects = add_chunk<mdx::PopcornEmitters>(document_, FourCC{"CORN"}).items;
    effects.resize(1);
    auto& effect = effects.front();
    effect.node =
        animated("Effect", kEffect, kRoot, flag::kEmitter | flag::kCornUnfogged | flag::kCornPopcornScaling);
    effect.color = {1, 0.5F, 0};
    effect.replaceable_id = 1;
    effect.path.assign("SharedFX/Glow.pkfx");
    effect.visibility_guide.assign("Always=off, Death=on");
    effect.tracks = tracks_of({"KPPA", "KPPC", "KPPE", "KPPL", "KPPS", "KPPV"}, 0, 1);
  }

  void add_ribbon() {
    auto& ribbons = add_chunk<mdx::RibbonEmitters>(document_, FourCC{"RIBB"}).items;
    ribbons.resize(1);
    auto& ribbon = ribbons.front();
    ribbon.node = animated("Trail", kTrail, kHand, flag::kRibbon);
    ribbon.height_above = 10;
    ribbon.height_below = 5;
    ribbon.alpha = 0.5F;
    ribbon.color = {1, 0.625F, 0};
    ribbon.life_span = 0.5F;
    ribbon.emission_rate = 30;
    ribbon.rows = 2;
    ribbon.columns = 2;
    ribbon.material_id = 1;
    ribbon.gravity = 3;
    ribbon.tracks = tracks_of({"KRHA", "KRHB", "KRAL", "KRCO", "KRTX", "KRVS"}, 0, 1);
  }

  // --- the rest --------------------------------------------------------------------------------------------

  void add_cameras() {
    auto& cameras = add_chunk<mdx::Cameras>(document_, FourCC{"CAMS"}).items;
    cameras.assign(3, camera<mdx::Camera>("Portrait", {120, 0, 70}, {0, 0, 30}, 0.7853981F, 8, 1000));
    cameras[0].tracks = tracks_of({"KCTR", "KTTR", "KCRL", "KCVS", "IDUF", "ELAF", "PTSF"}, 0, 1);
    // Variant 3 is the layout of 0; 1 and 2 have twelve more bytes (mdx.md#cameras).
    cameras[1].variant = 3;
    cameras[2].variant = 1;
    cameras[2].skipped = {1, 2, 3};
  }

  void add_events() {
    auto& events = add_chunk<mdx::EventObjects>(document_, FourCC{"EVTS"}).items;
    events.resize(3);
    events[0].node = animated("SNDxAFTB", kStep, kRoot, flag::kEvent);
    events[0].track = {true, 0, {100, 600, -50}};
    events[1].node = node("FPTxFTL0", kSilent, kRoot, flag::kEvent);
    // As written by tools that leave out the global sequence id (mdx.md#choosing-between-readings).
    events[2].node = node("SPLxHBS0", kLegacyEvent, kRoot, flag::kEvent);
    events[2].track = {false, -1, {2800, 2900}};
  }

  void add_collision() {
    using Type = mdx::CollisionShape::Type;
    auto& shapes = add_chunk<mdx::CollisionShapes>(document_, FourCC{"CLID"}).items;
    shapes = {{node("Box", kBox, kRoot, flag::kCollision), Type::box, {-16, -16, 0, 16, 16, 32}},
              {animated("Sphere", kSphere, kRoot, flag::kCollision), Type::sphere, {0, 0, 16, 20}},
              {node("Plane", kPlane, -1, flag::kCollision), Type::plane, {-8, -8, 0, 8, 8, 0}},
              {node("Cylinder", kCylinder, -1, flag::kCollision), Type::cylinder, {0, 0, 0, 0, 0, 30, 12}},
              // The same two types in the engine's layout (mdx.md#collision-shapes).
              {node("Cylinder_Col", kEngineCylinder, -1, flag::kCollision), Type::plane, {0, 0, 0, 30, 12}},
              {node("Plane_Col", kEnginePlane, -1, flag::kCollision), Type::cylinder, {100, 100}}};
  }

  void add_reforged() {
    if (version_ >= 900) {
      add_chunk<mdx::FaceEffects>(document_, FourCC{"FAFX"}).items = {
          {FixedText<80>{"Root"}, FixedText<260>{"Units/Everything.facefx"}}};
      add_bind_poses();
    }
    auto& sounds = add_chunk<mdx::SoundEmitters>(document_, FourCC{"SNEM"}).items;
    sounds.resize(1);
    sounds[0].node = node("Hum", kSoundEmitter, kRoot, 0);
    sounds[0].tracks = {make_(FourCC{"KSEK"}, 0, 1)};
    add_chunk<mdx::PickGeosets>(document_, FourCC{"DILG"}).geoset_ids = {0, 1};
  }

  void add_bind_poses() {
    const auto points = document_.find<mdx::Pivots>()->points;
    auto& poses = add_chunk<mdx::BindPoses>(document_, FourCC{"BPOS"}).poses;
    for (const Vec3& point : points) {
      poses.push_back({1, 0, 0, 0, 1, 0, 0, 0, 1, point[0], point[1], point[2]});
    }
    for (const auto* camera : document_.all<mdx::Cameras>()) {
      const Vec3 at = camera->position;
      poses.push_back({1, 0, 0, 0, 1, 0, 0, 0, 1, at[0], at[1], at[2]});
    }
  }

  void add_oddities() {
    add_chunk<mdx::SoundTracks>(document_, FourCC{"SNDS"}).short_tracks = {
        {FixedText<44>{"Sound\\Hum.wav"}, 3000, 200, 2}};
    add_opaque(document_, FourCC{"MDVI"}, "state of an editor");
    add_opaque(document_, FourCC{"INFO"}, "");
    document_.tail = {0x0D, 0x0A};
  }

  std::uint32_t version_;
  mdx::Document document_;
  TrackBuilder make_;
};

}  // namespace

mdx::Document everything(std::uint32_t version) { return Everything(version).make(); }

}  // namespace thaw::samples
