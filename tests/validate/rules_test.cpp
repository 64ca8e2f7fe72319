// Every rule is triggered by a file that breaks it and by no sound one.
#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/paths.hpp"

#include <thaw/sources.hpp>
#include <thaw/validate.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>

namespace thaw {
namespace {

using namespace mdx;
using mdx::Document;
using test::make_track;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A model without findings: two triangles on a bone, everything else small but right.
Document sound() {
  Document document;
  const auto add = [&](const char(&tag)[5], auto body) {
    document.chunks.push_back({FourCC{tag}, std::move(body), {}, {}});
  };
  const Extent extent{20, {-10, -10, -10}, {10, 10, 10}};
  add("VERS", Version{800});
  mdx::Model model;
  model.name.assign("Sound");
  model.extent = extent;
  add("MODL", model);
  auto stand = test::make_sequence("Stand", 100, 1100);
  auto death = test::make_sequence("Death", 1200, 2200);
  auto portrait = test::make_sequence("Portrait", 2300, 3300);
  stand.extent = death.extent = portrait.extent = extent;
  add("SEQS", Sequences{{stand, death, portrait}});
  GlobalSequences globals;
  globals.durations = {1000};
  add("GLBS", globals);
  Layer layer;
  layer.texture_animation_id = 0;
  Material material;
  material.layers = {layer};
  add("MTLS", Materials{{material}});
  mdx::Texture texture;
  texture.path.assign("Textures\\a.blp");
  add("TEXS", Textures{{texture}});
  TextureAnimation animation;
  animation.tracks = {make_track("KTAT", Interpolation::linear, {{0, {0, 0, 0}}, {1000, {1, 0, 0}}}, 0)};
  add("TXAN", TextureAnimations{{animation}});
  Geoset geoset;
  geoset.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  geoset.normals.assign(4, Vec3{0, 0, 1});
  geoset.primitive_types = {PrimitiveType::triangles};
  geoset.primitive_counts = {6};
  geoset.indices = {0, 1, 2, 0, 2, 3};
  geoset.vertex_groups.assign(4, std::uint8_t{0});
  geoset.matrix_groups = {1};
  geoset.matrix_indices = {0};
  geoset.extent = extent;
  geoset.sequence_extents.assign(3, extent);
  geoset.uv_sets.resize(1);
  geoset.uv_sets[0].coordinates.assign(4, Vec2{0, 0});
  add("GEOS", Geosets{{geoset}});
  GeosetAnimation visible;
  visible.geoset_id = 0;
  visible.tracks = {
      make_track("KGAO", Interpolation::none, {{100, {1}}, {1200, {1}}, {1700, {0}}, {2300, {1}}})};
  add("GEOA", GeosetAnimations{{visible}});
  Bone bone = test::make_bone("Root", 0);
  bone.node.flags = node_flag::kBone;
  bone.node.tracks = {
      make_track("KGTR", Interpolation::linear, {{100, {0, 0, 0}}, {600, {0, 0, 1}}, {1100, {0, 0, 0}}}),
      make_track("KGRT", Interpolation::linear,
                 {{100, {0, 0, 0, 1}}, {600, {0, 0, 1, 0}}, {1100, {0, 0, 0, 1}}}),
      make_track("KGSC", Interpolation::linear, {{100, {1, 1, 1}}, {600, {2, 1, 1}}, {1100, {1, 1, 1}}})};
  add("BONE", Bones{{bone}});
  Light light;
  light.node = test::make_node("Lamp", 1, 0);
  light.node.flags = node_flag::kLight;
  light.attenuation_start = 80;
  light.attenuation_end = 200;
  light.tracks = {make_track("KLAV", Interpolation::none, {{100, {1}}, {600, {0}}})};
  add("LITE", Lights{{light}});
  Attachment origin;
  origin.node = test::make_node("Origin Ref", 2, 0);
  origin.node.flags = node_flag::kAttachment;
  add("ATCH", Attachments{{origin}});
  ParticleEmitter prem;
  prem.node = test::make_node("Spawner", 3, 0);
  prem.node.flags = node_flag::kEmitter;
  prem.path.assign("a.mdl");
  add("PREM", ParticleEmitters{{prem}});
  ParticleEmitter2 pre2;
  pre2.node = test::make_node("Sparks", 4, 0);
  pre2.node.flags = node_flag::kEmitter;
  pre2.life_span = 1;
  pre2.segment_alphas = {255, 255, 0};
  add("PRE2", ParticleEmitters2{{pre2}});
  RibbonEmitter ribbon;
  ribbon.node = test::make_node("Trail", 5, 0);
  ribbon.node.flags = node_flag::kRibbon;
  ribbon.life_span = 1;
  ribbon.height_above = 5;
  add("RIBB", RibbonEmitters{{ribbon}});
  Camera camera;
  camera.name.assign("Portrait");
  camera.position = {100, 0, 50};
  camera.field_of_view = 0.7F;
  camera.near_clip = 8;
  camera.far_clip = 1000;
  add("CAMS", Cameras{{camera}});
  EventObject event;
  event.node = test::make_node("SNDxAFTB", 6, 0);
  event.node.flags = node_flag::kEvent;
  event.track.emplace();
  event.track->frames = {200, 300};
  add("EVTS", EventObjects{{event}});
  CollisionShape sphere;
  sphere.node = test::make_node("Hit", 7, 0);
  sphere.node.flags = node_flag::kCollision;
  sphere.type = CollisionShape::Type::sphere;
  sphere.payload = {0, 0, 0, 10};
  add("CLID", CollisionShapes{{sphere}});
  Pivots pivots;
  pivots.points.assign(8, Vec3{0, 0, 0});
  add("PIVT", pivots);
  return document;
}

template <class Body>
auto& first(Document& document) {
  return document.find<Body>()->items.front();
}
template <class Body>
void drop(Document& document) {
  auto& chunks = document.chunks;
  chunks.erase(std::remove_if(chunks.begin(), chunks.end(),
                              [](const Chunk& chunk) { return std::holds_alternative<Body>(chunk.body); }),
               chunks.end());
}
void version(Document& document, std::uint32_t value) { document.find<Version>()->value = value; }
Track& track(Document& document, const char* tag) {
  for (auto& candidate : first<Bones>(document).node.tracks) {
    if (candidate.tag.view() == tag) {
      return candidate;
    }
  }
  return first<Bones>(document).node.tracks.front();
}
void set_frame(Track& target, std::size_t key, std::int32_t frame) {
  target.words[key * target.stride()] = static_cast<std::uint32_t>(frame);
}
void set_value(Track& target, std::size_t key, std::size_t part, float value) {
  target.words[key * target.stride() + 1 + part] = test::word_of(value);
}
void skin(Document& document, std::array<std::uint8_t, 8> entry) {
  version(document, 1000);
  first<Geosets>(document).skin.emplace(4, entry);
}
template <class Body>
void append(Document& document, const char (&tag)[5], Body body) {
  document.chunks.push_back({FourCC{tag}, std::move(body), {}, {}});
}
PopcornEmitter popcorn() {
  PopcornEmitter emitter;
  emitter.node = test::make_node("Corn", 8, 0);
  emitter.path.assign("a.pkb");
  emitter.visibility_guide.assign("Always=on");
  return emitter;
}

struct Breakage {
  std::string_view code;
  std::function<void(Document&)> apply;
  AssetKind kind = AssetKind::automatic;
};

using D = Document&;

std::vector<Breakage> breakages() {
  return {
      {"mdx.version-900", [](D d) { version(d, 900); }},
      {"mdx.version-unshipped", [](D d) { version(d, 1300); }},
      {"mdx.chunk-missing", [](D d) { drop<Textures>(d); }},
      {"mdx.chunk-empty", [](D d) { append(d, "HELP", Helpers{}); }},
      {"mdx.header-missing", [](D d) { drop<mdx::Model>(d); }},
      {"mdx.model-animation-file", [](D d) { d.find<mdx::Model>()->animation_file.assign("x"); }},
      {"mdx.extent-negative", [](D d) { first<Sequences>(d).extent.minimum[1] = 99; }},
      {"mdx.extent-not-finite", [](D d) { first<Sequences>(d).extent.bounds_radius = kNaN; }},
      {"mdx.model-extent-zero", [](D d) { d.find<mdx::Model>()->extent = {}; }},
      {"mdx.model-extent-small", [](D d) { d.find<mdx::Model>()->extent = {1, {5, 5, 5}, {6, 6, 6}}; }},
      {"mdx.text-unquotable", [](D d) { first<Bones>(d).node.name.assign("a\"b"); }},
      {"mdx.text-encoding", [](D d) { first<Bones>(d).node.name.assign("a\xFF"); }},
      {"mdx.text-behind-nul", [](D d) { first<Bones>(d).node.name.raw[79] = 'x'; }},
      {"mdx.text-too-long", [](D d) { first<Bones>(d).node.name.raw.fill('x'); }},
      {"mdx.sequence-none", [](D d) { drop<Sequences>(d); }},
      {"mdx.sequence-missing-stand", [](D d) { first<Sequences>(d).name.assign("Walk"); }},
      {"mdx.sequence-missing-death", [](D d) { d.find<Sequences>()->items[1].name.assign("Walk"); }},
      {"mdx.sequence-missing-walk", [](D) {}, AssetKind::unit},
      {"mdx.sequence-same-start", [](D d) { d.find<Sequences>()->items[1].start = 100; }},
      {"mdx.sequence-overlap", [](D d) { d.find<Sequences>()->items[1].start = 1000; }},
      {"mdx.sequence-unsorted", [](D d) { d.find<Sequences>()->items[1].start = 50; }},
      {"mdx.sequence-touching", [](D d) { d.find<Sequences>()->items[1].start = 1100; }},
      {"mdx.sequence-name-unknown", [](D d) { first<Sequences>(d).name.assign("Dance"); }},
      {"mdx.sequence-name-empty", [](D d) { first<Sequences>(d).name.assign(""); }},
      {"mdx.sequence-name-duplicate", [](D d) { d.find<Sequences>()->items[1].name.assign("stand "); }},
      {"mdx.sequence-zero-length", [](D d) { first<Sequences>(d).end = 100; }},
      {"mdx.sequence-negative-length", [](D d) { first<Sequences>(d).end = 50; }},
      {"mdx.sequence-flags", [](D d) { first<Sequences>(d).flags = 8; }},
      {"mdx.sequence-numbers", [](D d) { first<Sequences>(d).rarity = -1; }},
      {"mdx.global-sequence-zero", [](D d) { d.find<GlobalSequences>()->durations[0] = 0; }},
      {"mdx.global-sequence-negative", [](D d) { d.find<GlobalSequences>()->durations[0] = 0xFFFFFFFF; }},
      {"mdx.global-sequence-unused", [](D d) { d.find<GlobalSequences>()->durations.push_back(5); }},
      {"mdx.texture-none", [](D d) { drop<Textures>(d); }},
      {"mdx.texture-extension", [](D d) { first<Textures>(d).path.assign("a.jpg"); }},
      {"mdx.texture-replaceable-unknown", [](D d) { first<Textures>(d).replaceable_id = 10; }},
      {"mdx.texture-path-and-replaceable", [](D d) { first<Textures>(d).replaceable_id = 1; }},
      {"mdx.texture-empty", [](D d) { first<Textures>(d).path.assign(""); }},
      {"mdx.texture-unused", [](D d) { d.find<Textures>()->items.push_back(first<Textures>(d)); }},
      {"mdx.texture-duplicate", [](D d) { d.find<Textures>()->items.push_back(first<Textures>(d)); }},
      {"mdx.texture-path-absolute", [](D d) { first<Textures>(d).path.assign("C:\\a.blp"); }},
      {"mdx.texture-path-blanks", [](D d) { first<Textures>(d).path.assign(" a.blp"); }},
      {"mdx.texture-path-bytes", [](D d) { first<Textures>(d).path.assign("\xE9.blp"); }},
      {"mdx.texture-flags", [](D d) { first<Textures>(d).flags = 4; }},
      {"mdx.material-none", [](D d) { drop<Materials>(d); }},
      {"mdx.material-no-layers", [](D d) { first<Materials>(d).layers.clear(); }},
      {"mdx.material-unused", [](D d) { d.find<Materials>()->items.push_back(first<Materials>(d)); }},
      {"mdx.material-shader-unknown",
       [](D d) {
         version(d, 1000);
         first<Materials>(d).shader.assign("Shiny");
       }},
      {"mdx.material-hd-layers",
       [](D d) {
         version(d, 1000);
         first<Materials>(d).shader.assign("Shader_HD_DefaultUnit");
       }},
      {"mdx.material-flags", [](D d) { first<Materials>(d).flags = 4; }},
      {"mdx.layer-texture", [](D d) { first<Materials>(d).layers[0].texture_id = 7; }},
      {"mdx.layer-flipbook",
       [](D d) { first<Materials>(d).layers[0].tracks = {test::make_integer_track("KMTF", {{100, 7}})}; }},
      {"mdx.layer-texture-animation", [](D d) { first<Materials>(d).layers[0].texture_animation_id = 3; }},
      {"mdx.layer-filter-mode",
       [](D d) { first<Materials>(d).layers[0].filter_mode = static_cast<FilterMode>(9); }},
      {"mdx.layer-alpha", [](D d) { first<Materials>(d).layers[0].alpha = 2; }},
      {"mdx.layer-no-textures", [](D d) { version(d, 1100); }},
      {"mdx.layer-slots",
       [](D d) {
         version(d, 1100);
         first<Materials>(d).layers[0].slots = {{0, 1, {}}};
       }},
      {"mdx.layer-flags", [](D d) { first<Materials>(d).layers[0].shading_flags = 0x1000; }},
      {"mdx.layer-uv-set", [](D d) { first<Materials>(d).layers[0].coord_id = 1; }},
      {"mdx.texture-animation-unused", [](D d) { first<Materials>(d).layers[0].texture_animation_id = -1; }},
      {"mdx.texture-animation-empty", [](D d) { first<TextureAnimations>(d).tracks.clear(); }},
      {"mdx.geoset-material", [](D d) { first<Geosets>(d).material_id = 4; }},
      {"mdx.geoset-too-many-vertices", [](D d) { first<Geosets>(d).positions.resize(7433, Vec3{}); }},
      {"mdx.geoset-too-many-triangles",
       [](D d) { first<Geosets>(d).indices.resize(60000, std::uint16_t{0}); }},
      {"mdx.geoset-no-vertices", [](D d) { first<Geosets>(d).positions.clear(); }},
      {"mdx.geoset-no-faces", [](D d) { first<Geosets>(d).indices.clear(); }},
      {"mdx.geoset-sequence-extents", [](D d) { first<Geosets>(d).sequence_extents.pop_back(); }},
      {"mdx.geoset-normal-count", [](D d) { first<Geosets>(d).normals.pop_back(); }},
      {"mdx.geoset-uv-count", [](D d) { first<Geosets>(d).uv_sets[0].coordinates.pop_back(); }},
      {"mdx.geoset-no-uv", [](D d) { first<Geosets>(d).uv_sets.clear(); }},
      {"mdx.geoset-uv-sets", [](D d) { first<Geosets>(d).uv_sets.resize(17, first<Geosets>(d).uv_sets[0]); }},
      {"mdx.geoset-group-count", [](D d) { first<Geosets>(d).vertex_groups.pop_back(); }},
      {"mdx.geoset-group-count-hd",
       [](D d) {
         skin(d, {0, 0, 0, 0, 255, 0, 0, 0});
         first<Geosets>(d).vertex_groups.pop_back();
       }},
      {"mdx.geoset-skin-count",
       [](D d) {
         skin(d, {0, 0, 0, 0, 255, 0, 0, 0});
         first<Geosets>(d).skin->pop_back();
       }},
      {"mdx.geoset-tangent-count",
       [](D d) {
         version(d, 1000);
         first<Geosets>(d).tangents.emplace(3, Vec4{1, 0, 0, 1});
       }},
      {"mdx.geoset-empty-parts",
       [](D d) {
         version(d, 1000);
         first<Geosets>(d).tangents.emplace();
       }},
      {"mdx.geoset-not-finite", [](D d) { first<Geosets>(d).positions[1][2] = kNaN; }},
      {"mdx.geoset-normal-length", [](D d) { first<Geosets>(d).normals[1][2] = 3; }},
      {"mdx.geoset-tangent-handedness",
       [](D d) {
         version(d, 1000);
         first<Geosets>(d).tangents.emplace(4, Vec4{1, 0, 0, 0});
       }},
      {"mdx.geoset-extent-zero", [](D d) { first<Geosets>(d).extent = {}; }},
      {"mdx.geoset-extent-small", [](D d) { first<Geosets>(d).extent = {1, {5, 5, 5}, {6, 6, 6}}; }},
      {"mdx.geoset-lod",
       [](D d) {
         version(d, 1000);
         first<Geosets>(d).lod = -1;
       }},
      {"mdx.pick-geoset",
       [](D d) {
         PickGeosets pick;
         pick.geoset_ids = {3};
         append(d, "DILG", pick);
       }},
      {"mdx.geoset-face-index", [](D d) { first<Geosets>(d).indices[0] = 99; }},
      {"mdx.geoset-face-count", [](D d) { first<Geosets>(d).primitive_counts[0] = 5; }},
      {"mdx.geoset-primitive-counts", [](D d) { first<Geosets>(d).primitive_counts[0] = 3; }},
      {"mdx.geoset-primitive-type", [](D d) { first<Geosets>(d).primitive_types[0] = PrimitiveType::quads; }},
      {"mdx.geoset-degenerate", [](D d) { first<Geosets>(d).indices[1] = 0; }},
      {"mdx.geoset-duplicate-triangle", [](D d) { first<Geosets>(d).indices = {0, 1, 2, 2, 1, 0}; }},
      {"mdx.geoset-isolated-triangle",
       [](D d) {
         auto& g = first<Geosets>(d);
         g.indices = {0, 1, 2};
         g.primitive_counts = {3};
       }},
      {"mdx.geoset-unused-vertices",
       [](D d) {
         auto& g = first<Geosets>(d);
         g.indices = {0, 1, 2};
         g.primitive_counts = {3};
       }},
      {"mdx.skin-node-missing", [](D d) { first<Geosets>(d).matrix_indices[0] = 99; }},
      {"mdx.skin-not-bone", [](D d) { first<Geosets>(d).matrix_indices[0] = 1; }},
      {"mdx.skin-beyond-bones", [](D d) { skin(d, {1, 0, 0, 0, 255, 0, 0, 0}); }},
      {"mdx.skin-weights", [](D d) { skin(d, {0, 0, 0, 0, 200, 0, 0, 0}); }},
      {"mdx.skin-unattached", [](D d) { first<Geosets>(d).vertex_groups[0] = 255; }},
      {"mdx.geoset-group-missing", [](D d) { first<Geosets>(d).vertex_groups[0] = 7; }},
      {"mdx.geoset-no-groups", [](D d) { first<Geosets>(d).matrix_groups.clear(); }},
      {"mdx.geoset-too-many-groups", [](D d) { first<Geosets>(d).matrix_groups.resize(256, 1U); }},
      {"mdx.geoset-group-empty", [](D d) { first<Geosets>(d).matrix_groups.push_back(0); }},
      {"mdx.geoset-group-sizes", [](D d) { first<Geosets>(d).matrix_groups[0] = 2; }},
      {"mdx.geoset-group-large", [](D d) { first<Geosets>(d).matrix_groups[0] = 5; }},
      {"mdx.skin-and-groups", [](D d) { skin(d, {0, 0, 0, 0, 255, 0, 0, 0}); }},
      {"mdx.skin-bone-limit",
       [](D d) {
         skin(d, {0, 0, 0, 0, 255, 0, 0, 0});
         d.find<Bones>()->items.resize(257, first<Bones>(d));
       }},
      {"mdx.bone-unused", [](D d) { d.find<Bones>()->items.push_back(test::make_bone("Idle", 8)); }},
      {"mdx.geoset-animation-geoset", [](D d) { first<GeosetAnimations>(d).geoset_id = 5; }},
      {"mdx.geoset-animation-duplicate",
       [](D d) { d.find<GeosetAnimations>()->items.push_back(first<GeosetAnimations>(d)); }},
      {"mdx.geoset-animation-invisible",
       [](D d) {
         first<GeosetAnimations>(d).alpha = 0;
         first<GeosetAnimations>(d).tracks.clear();
       }},
      {"mdx.geoset-animation-alpha", [](D d) { first<GeosetAnimations>(d).alpha = 2; }},
      {"mdx.geoset-animation-flags", [](D d) { first<GeosetAnimations>(d).flags = 26; }},
      {"mdx.geoset-animation-color",
       [](D d) {
         first<GeosetAnimations>(d).tracks.push_back(
             make_track("KGAC", Interpolation::none, {{100, {1, 1, 1}}}));
       }},
      {"mdx.geoset-animation-count", [](D d) { drop<GeosetAnimations>(d); }},
      {"mdx.geoset-animation-sequence",
       [](D d) {
         first<GeosetAnimations>(d).tracks = {make_track("KGAO", Interpolation::none, {{100, {1}}})};
       }},
      {"mdx.geoset-animation-opening",
       [](D d) {
         first<GeosetAnimations>(d).tracks = {make_track("KGAO", Interpolation::none, {{150, {1}}})};
       }},
      {"mdx.node-id-negative", [](D d) { first<Lights>(d).node.object_id = -5; }},
      {"mdx.node-id-duplicate", [](D d) { first<Lights>(d).node.object_id = 0; }},
      {"mdx.node-id-gap", [](D d) { first<Lights>(d).node.object_id = 50; }},
      {"mdx.node-parent-missing", [](D d) { first<Lights>(d).node.parent_id = 50; }},
      {"mdx.node-parent-self", [](D d) { first<Lights>(d).node.parent_id = 1; }},
      {"mdx.node-parent-cycle", [](D d) { first<Bones>(d).node.parent_id = 1; }},
      {"mdx.node-parent-order", [](D d) { first<Lights>(d).node.parent_id = 2; }},
      {"mdx.node-name-empty", [](D d) { first<Lights>(d).node.name.assign(""); }},
      {"mdx.node-name-duplicate", [](D d) { first<Lights>(d).node.name.assign("Root"); }},
      {"mdx.node-type-flags", [](D d) { first<Lights>(d).node.flags = node_flag::kBone; }},
      {"mdx.node-flags", [](D d) { first<Lights>(d).node.flags |= 0x80000000U; }},
      {"mdx.bone-ids-first",
       [](D d) {
         first<Bones>(d).node.object_id = 1;
         first<Lights>(d).node.object_id = 0;
       }},
      {"mdx.pivot-count", [](D d) { d.find<Pivots>()->points.pop_back(); }},
      {"mdx.pivot-not-finite", [](D d) { d.find<Pivots>()->points[0][0] = kNaN; }},
      {"mdx.bind-pose-count",
       [](D d) {
         BindPoses poses;
         poses.poses.resize(1, BindPose{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
         append(d, "BPOS", poses);
       }},
      {"mdx.bind-pose-singular",
       [](D d) {
         BindPoses poses;
         poses.poses.resize(1, BindPose{});
         append(d, "BPOS", poses);
       }},
      {"mdx.bind-pose-pivot",
       [](D d) {
         BindPoses poses;
         poses.poses.resize(1, BindPose{1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 0, 0});
         append(d, "BPOS", poses);
       }},
      {"mdx.bone-geoset", [](D d) { first<Bones>(d).geoset_id = 5; }},
      {"mdx.bone-geoset-animation", [](D d) { first<Bones>(d).geoset_animation_id = 5; }},
      {"mdx.light-start", [](D d) { first<Lights>(d).attenuation_start = 10; }},
      {"mdx.light-end", [](D d) { first<Lights>(d).attenuation_end = 500; }},
      {"mdx.light-order", [](D d) { first<Lights>(d).attenuation_end = 80; }},
      {"mdx.light-type", [](D d) { first<Lights>(d).type = 3; }},
      {"mdx.light-not-finite", [](D d) { first<Lights>(d).intensity = kNaN; }},
      {"mdx.attachment-path", [](D d) { first<Attachments>(d).path.assign("a.blp"); }},
      {"mdx.attachment-no-origin", [](D d) { first<Attachments>(d).node.name.assign("Chest Ref"); }},
      {"mdx.attachment-ids", [](D d) { first<Attachments>(d).attachment_id = 4; }},
      {"mdx.attachment-name", [](D d) { first<Attachments>(d).node.name.assign("Tail"); }},
      {"mdx.event-empty", [](D d) { first<EventObjects>(d).track.reset(); }},
      {"mdx.event-unsorted", [](D d) { first<EventObjects>(d).track->frames = {300, 200}; }},
      {"mdx.event-duplicate", [](D d) { first<EventObjects>(d).track->frames = {200, 200}; }},
      {"mdx.event-negative", [](D d) { first<EventObjects>(d).track->frames[0] = -1; }},
      {"mdx.event-global-sequence", [](D d) { first<EventObjects>(d).track->global_sequence = 9; }},
      {"mdx.event-outside", [](D d) { first<EventObjects>(d).track->frames[1] = 9999; }},
      {"mdx.event-no-sequences", [](D d) { drop<Sequences>(d); }},
      {"mdx.event-family", [](D d) { first<EventObjects>(d).node.name.assign("Poi"); }},
      {"mdx.event-name-length", [](D d) { first<EventObjects>(d).node.name.assign("SNDxA"); }},
      {"mdx.collision-payload", [](D d) { first<CollisionShapes>(d).payload.push_back(1); }},
      {"mdx.collision-radius", [](D d) { first<CollisionShapes>(d).payload[3] = 0; }},
      {"mdx.collision-none", [](D d) { drop<CollisionShapes>(d); }, AssetKind::unit},
      {"mdx.face-effect-path",
       [](D d) {
         FaceEffect effect;
         effect.path.assign("a.txt");
         append(d, "FAFX", FaceEffects{{effect}});
       }},
      {"mdx.emitter-no-sequences", [](D d) { drop<Sequences>(d); }},
      {"mdx.particle-model-path", [](D d) { first<ParticleEmitters>(d).path.assign("a.tga"); }},
      {"mdx.version-newer-part", [](D d) { append(d, "FAFX", FaceEffects{}); }},
      {"mdx.particle-texture", [](D d) { first<ParticleEmitters2>(d).texture_id = 9; }},
      {"mdx.particle-filter-mode",
       [](D d) { first<ParticleEmitters2>(d).filter = static_cast<ParticleEmitter2::Filter>(9); }},
      {"mdx.particle-shape",
       [](D d) { first<ParticleEmitters2>(d).shape = static_cast<ParticleEmitter2::Shape>(9); }},
      {"mdx.particle-replaceable-unknown", [](D d) { first<ParticleEmitters2>(d).replaceable_id = 10; }},
      {"mdx.particle-xy-quad", [](D d) { first<ParticleEmitters2>(d).node.flags |= node_flag::kPre2XyQuad; }},
      {"mdx.particle-middle", [](D d) { first<ParticleEmitters2>(d).middle = 2; }},
      {"mdx.particle-squirt", [](D d) { first<ParticleEmitters2>(d).squirt = 1; }},
      {"mdx.particle-grid", [](D d) { first<ParticleEmitters2>(d).rows = 3; }},
      {"mdx.particle-life", [](D d) { first<ParticleEmitters2>(d).life_span = 0; }},
      {"mdx.particle-rate", [](D d) { first<ParticleEmitters2>(d).emission_rate = -1; }},
      {"mdx.particle-transparent", [](D d) { first<ParticleEmitters2>(d).segment_alphas = {1, 2, 3}; }},
      {"mdx.particle-cells", [](D d) { first<ParticleEmitters2>(d).head_life.end = 4; }},
      {"mdx.popcorn-guide-empty",
       [](D d) {
         auto corn = popcorn();
         corn.visibility_guide.assign("");
         append(d, "CORN", PopcornEmitters{{corn}});
       }},
      {"mdx.popcorn-path",
       [](D d) {
         auto corn = popcorn();
         corn.path.assign("a");
         append(d, "CORN", PopcornEmitters{{corn}});
       }},
      {"mdx.ribbon-material", [](D d) { first<RibbonEmitters>(d).material_id = 4; }},
      {"mdx.ribbon-grid", [](D d) { first<RibbonEmitters>(d).rows = 0; }},
      {"mdx.ribbon-life", [](D d) { first<RibbonEmitters>(d).life_span = 0; }},
      {"mdx.ribbon-height", [](D d) { first<RibbonEmitters>(d).height_above = 0; }},
      {"mdx.camera-clip", [](D d) { first<Cameras>(d).far_clip = 1; }},
      {"mdx.camera-unused", [](D d) { d.find<Sequences>()->items[2].name.assign("Walk"); }},
      {"mdx.camera-not-finite", [](D d) { first<Cameras>(d).position[0] = kNaN; }},
      {"mdx.camera-no-geometry",
       [](D d) {
         drop<Geosets>(d);
         drop<ParticleEmitters>(d);
         drop<ParticleEmitters2>(d);
         drop<RibbonEmitters>(d);
       }},
      {"mdx.camera-sight", [](D d) { first<Cameras>(d).position = {1, 0, 0}; }},
      {"mdx.camera-field-of-view", [](D d) { first<Cameras>(d).field_of_view = 0; }},
      {"mdx.camera-order",
       [](D d) {
         auto c = first<Cameras>(d);
         c.name.assign("CAM_1");
         d.find<Cameras>()->items.push_back(c);
       }},
      {"mdx.camera-variant", [](D d) { first<Cameras>(d).variant = 1; }},
      {"mdx.track-misplaced",
       [](D d) {
         first<Bones>(d).node.tracks.push_back(make_track("KGAO", Interpolation::none, {{100, {1}}}));
       }},
      {"mdx.track-tag-duplicate", [](D d) { first<Bones>(d).node.tracks.push_back(track(d, "KGTR")); }},
      {"mdx.track-variation",
       [](D d) {
         first<ParticleEmitters2>(d).tracks = {make_track("KP2R", Interpolation::none, {{100, {1}}})};
       }},
      {"mdx.track-gravity",
       [](D d) {
         first<ParticleEmitters2>(d).tracks = {make_track("KP2G", Interpolation::none, {{100, {1}}})};
       }},
      {"mdx.track-visibility-not-step",
       [](D d) { first<Lights>(d).tracks[0].interpolation = Interpolation::linear; }},
      {"mdx.track-integer-not-step",
       [](D d) {
         auto integer_track = test::make_integer_track("KMTF", {{100, 0}});
         integer_track.interpolation = Interpolation::linear;
         first<Materials>(d).layers[0].tracks = {integer_track};
       }},
      {"mdx.track-empty", [](D d) { track(d, "KGTR").words.clear(); }},
      {"mdx.track-not-finite", [](D d) { set_value(track(d, "KGTR"), 1, 0, kNaN); }},
      {"mdx.track-rotation-length", [](D d) { set_value(track(d, "KGRT"), 1, 2, 3); }},
      {"mdx.track-rotation-zero",
       [](D d) {
         for (unsigned axis = 0; axis < 4; ++axis) {
           set_value(track(d, "KGRT"), 1, axis, 0);
         }
       }},
      {"mdx.track-scale-zero", [](D d) { set_value(track(d, "KGSC"), 1, 2, 0); }},
      {"mdx.track-alpha", [](D d) { set_value(first<GeosetAnimations>(d).tracks[0], 1, 0, 2); }},
      {"mdx.track-constant", [](D d) { set_value(track(d, "KGTR"), 1, 2, 0); }},
      {"mdx.track-no-sequences", [](D d) { drop<Sequences>(d); }},
      {"mdx.track-global-sequence", [](D d) { track(d, "KGTR").global_sequence = 9; }},
      {"mdx.track-negative", [](D d) { set_frame(track(d, "KGTR"), 0, -5); }},
      {"mdx.track-duplicate", [](D d) { set_frame(track(d, "KGTR"), 1, 100); }},
      {"mdx.track-unsorted", [](D d) { set_frame(track(d, "KGTR"), 1, 50); }},
      {"mdx.track-outside-sequences", [](D d) { set_frame(track(d, "KGTR"), 2, 9999); }},
      {"mdx.track-beyond-global", [](D d) { set_frame(first<TextureAnimations>(d).tracks[0], 1, 2000); }},
      {"mdx.track-opening",
       [](D d) {
         auto& translation = track(d, "KGTR");
         set_frame(translation, 0, 150);
         set_value(translation, 2, 0, 5);
       }},
      {"mdx.track-needless", [](D d) { set_value(track(d, "KGTR"), 1, 2, 0); }},
      {"mdx.track-nearly-needless", [](D d) { set_value(track(d, "KGTR"), 1, 2, 0.0005F); }},
      {"mdx.track-constant-run", [](D d) { set_value(track(d, "KGTR"), 1, 2, 0); }},
      {"mdx.track-not-in-stand",
       [](D d) {
         for (std::size_t i = 0; i < 3; ++i) {
           set_frame(track(d, "KGTR"), i, 1200 + static_cast<std::int32_t>(i));
         }
       }},
  };
}

/// The target in which a rule applies: some are off in others.
ValidateOptions options_for(std::string_view code, AssetKind kind = AssetKind::automatic) {
  ValidateOptions options;
  options.kind = kind;
  const auto rule = find_rule(code);
  if (rule && !rule->severity_for(ValidateTarget::hive)) {
    options.target = ValidateTarget::strict;
  }
  return options;
}

std::multiset<std::string_view> codes_of(const Diagnostics& findings) {
  std::multiset<std::string_view> codes;
  for (const auto& finding : findings.items()) {
    codes.insert(finding.code.id);
  }
  return codes;
}

/// Scripts that compare with other checkers name a folder for the broken files.
void save_for_scripts(std::string_view code, const Document& document) {
  if (const char* folder = std::getenv("THAW_BREAKAGES")) {
    const auto path = std::filesystem::path(folder) / (std::string(code) + ".mdx");
    EXPECT_TRUE(write_file(path, mdx::write(document), true)) << path;
  }
}

TEST(Rules, ASoundModelHasNoFindings) {
  for (const auto target : {ValidateTarget::hive, ValidateTarget::game, ValidateTarget::strict}) {
    ValidateOptions options;
    options.target = target;
    const auto findings = validate(sound(), options);
    for (const auto& finding : findings.items()) {
      ADD_FAILURE() << target_name(target) << ": " << finding.code.id << ": " << finding.message << " ["
                    << finding.path << "]";
    }
  }
}

TEST(Rules, EachIsTriggeredByBreakingIt) {
  for (const auto& breakage : breakages()) {
    Document document = sound();
    breakage.apply(document);
    save_for_scripts(breakage.code, document);
    const auto findings = validate(document, options_for(breakage.code, breakage.kind));
    EXPECT_GE(codes_of(findings).count(breakage.code), 1U) << breakage.code;
  }
}

/// Paths of findings of one code.
std::vector<std::string> places_of(const Document& document, std::string_view code) {
  std::vector<std::string> places;
  const auto findings = validate(document, {});
  for (const auto& finding : findings.items()) {
    if (finding.code.id == code) {
      places.push_back(finding.path);
    }
  }
  return places;
}

TEST(Rules, EmittersNameWhatTheirFlagsAskFor) {
  using Places = std::vector<std::string>;
  const auto places = [](std::uint32_t flags, const char* path) {
    Document document = sound();
    first<ParticleEmitters>(document).node.flags |= flags;
    first<ParticleEmitters>(document).path.assign(path);
    return places_of(document, "mdx.particle-model-path");
  };
  const Places wrong = {"PREM[0].path"};
  EXPECT_EQ(places(node_flag::kPremUsesTga, "a.TGA"), Places{});
  EXPECT_EQ(places(node_flag::kPremUsesTga, "a.mdl"), wrong);
  EXPECT_EQ(places(node_flag::kPremUsesMdl, "a.mdl"), Places{});
  EXPECT_EQ(places(node_flag::kPremUsesMdl, "a.tga"), wrong);
}

TEST(Rules, PartsBeginWithTheirVersion) {
  using Places = std::vector<std::string>;
  const auto tracks = [](std::initializer_list<const char*> tags, std::uint32_t number) {
    Document document = sound();
    version(document, number);
    for (const char* tag : tags) {
      const bool light = tag[1] == 'L';
      auto& list = light ? first<Lights>(document).tracks : first<Materials>(document).layers[0].tracks;
      list.push_back(make_track(tag, Interpolation::linear, {{100, {1, 1, 1}}}));
    }
    return places_of(document, "mdx.version-newer-part").size();
  };
  const auto layer = {"KMTA", "KMTE", "KFC3", "KFCA", "KFTC"};
  EXPECT_EQ(tracks(layer, 800), 4U);
  EXPECT_EQ(tracks(layer, 900), 3U);
  EXPECT_EQ(tracks(layer, 1000), 0U);
  const auto light = {"KLAS", "KLSS", "KLSE", "KLQF", "KLLF", "KLDA"};
  EXPECT_EQ(tracks(light, 1200), 5U);
  EXPECT_EQ(tracks(light, 1300), 3U);
  EXPECT_EQ(tracks(light, 1600), 0U);
  Document document = sound();
  append(document, "BPOS", BindPoses{});
  append(document, "CORN", PopcornEmitters{{popcorn()}});
  EXPECT_EQ(places_of(document, "mdx.version-newer-part"), (Places{"BPOS", "CORN"}));
  version(document, 900);
  EXPECT_EQ(places_of(document, "mdx.version-newer-part"), Places{});
}

TEST(Rules, EveryRuleOfModelsHasABreakage) {
  std::set<std::string_view> broken;
  for (const auto& breakage : breakages()) {
    broken.insert(breakage.code);
  }
  for (const auto& rule : validation_rules()) {
    if (rule.code.substr(0, 4) == "mdx.") {
      EXPECT_EQ(broken.count(rule.code), 1U) << rule.code;
    }
  }
}

TEST(Rules, CodesAreUniqueAndExplained) {
  std::set<std::string_view> seen;
  for (const auto& rule : validation_rules()) {
    EXPECT_TRUE(seen.insert(rule.code).second) << rule.code;
    EXPECT_FALSE(rule.title.empty() || rule.help.empty()) << rule.code;
  }
}

TEST(Rules, OffsetsPointAtTheField) {
  Document document = sound();
  first<Lights>(document).node.parent_id = 0x12345678;
  const Bytes bytes = mdx::write(document);
  const auto findings = validate(document, {});
  ASSERT_EQ(findings.items().size(), 1U);
  const auto& finding = findings.items().front();
  EXPECT_EQ(finding.path, "LITE[0].node.parentId");
  ASSERT_TRUE(finding.offset);
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + *finding.offset, sizeof word);
  EXPECT_EQ(word, 0x12345678U);
}

TEST(Rules, OffsetsOfKeysAndElements) {
  Document document = sound();
  set_value(track(document, "KGTR"), 1, 0, kNaN);
  first<Geosets>(document).indices[4] = 0xABCD;
  const Bytes bytes = mdx::write(document);
  unsigned seen = 0;
  const auto findings = validate(document, {});
  for (const auto& finding : findings.items()) {
    std::uint16_t index = 0;
    std::int32_t frame = 0;
    ASSERT_TRUE(finding.offset) << finding.code.id;
    if (finding.code.id == "mdx.geoset-face-index") {
      std::memcpy(&index, bytes.data() + *finding.offset, sizeof index);
      EXPECT_EQ(index, 0xABCD);
      ++seen;
    } else if (finding.code.id == "mdx.track-not-finite") {
      std::memcpy(&frame, bytes.data() + *finding.offset, sizeof frame);
      EXPECT_EQ(frame, 600);
      ++seen;
    }
  }
  EXPECT_EQ(seen, 2U);
}

TEST(Fixing, LeavesNothingOfItsRuleAndNothingElseChanged) {
  const auto all = breakages();
  unsigned fixable_rules = 0;
  for (const auto& rule : validation_rules()) {
    const auto breakage =
        std::find_if(all.begin(), all.end(), [&](const auto& b) { return b.code == rule.code; });
    if (!rule.fixable || breakage == all.end()) {
      continue;
    }
    Document document = sound();
    breakage->apply(document);
    const Document broken = document;
    auto options = options_for(rule.code);
    options.add_missing = true;
    const auto fixed = fix(document, options, {rule.code});
    EXPECT_FALSE(fixed.empty()) << rule.code;
    EXPECT_EQ(codes_of(validate(document, options)).count(rule.code), 0U) << rule.code;
    const auto show = [](const Document& shown) {
      return [&shown](Inspector& inspector) { mdx::inspect(shown, inspector); };
    };
    const auto differences = diff(show(broken), show(document));
    EXPECT_GE(differences.size(), 1U) << rule.code;
    // What goes or moves takes numbers of others along.
    const std::set<std::string_view> renumber = {"mdx.bone-unused",           "mdx.event-empty",
                                                 "mdx.particle-model-path",   "mdx.sequence-unsorted",
                                                 "mdx.sequence-overlap",      "mdx.sequence-same-start",
                                                 "mdx.particle-middle",       "mdx.sequence-missing-stand",
                                                 "mdx.sequence-missing-death"};
    EXPECT_LE(differences.size(), renumber.contains(rule.code) ? 16U : 3U) << rule.code;
    ++fixable_rules;
  }
  EXPECT_GE(fixable_rules, 20U);
}

/// mdx.md#weights: models of the game have groups of 255 beside a skin, which name none.
TEST(Rules, GroupsOf255AdjacentASkinAreTheGamesOwn) {
  for (const bool named : {true, false}) {
    Document document = sound();
    skin(document, {0, 0, 0, 0, 255, 0, 0, 0});
    for (auto& group : first<Geosets>(document).vertex_groups) {
      group = named ? group : 255;
    }
    EXPECT_EQ(codes_of(validate(document, {})).count("mdx.skin-and-groups"), named ? 1U : 0U);
  }
}

TEST(Fixing, PortraitsGetNoStandAndNoDeath) {
  ValidateOptions options;
  options.add_missing = true;
  for (const char* name :
       {"Portrait", "portrait", "Portrait Talk", "Portrait - 2", "PORTRAIT TALK - 1", "Walk"}) {
    for (const char* model : {"Knight", "Knight_Portrait", "knightportrait"}) {
      Document document = sound();
      for (auto& chunk : document.chunks) {
        if (auto* sequences = std::get_if<Sequences>(&chunk.body)) {
          for (auto& sequence : sequences->items) {
            sequence.name.assign(name);
          }
        } else if (auto* header = std::get_if<Model>(&chunk.body)) {
          header->name.assign(model);
        }
      }
      const auto fixed = fix(document, options, {"mdx.sequence-missing-stand", "mdx.sequence-missing-death"});
      const bool is_portrait = name != std::string("Walk") || model != std::string("Knight");
      EXPECT_EQ(fixed.empty(), is_portrait) << name << " of " << model;
    }
  }
}

TEST(Fixing, ChangesNothingOfASoundModel) {
  Document document = sound();
  EXPECT_TRUE(fix(document, {}).empty());
  EXPECT_EQ(document, sound());
}

/// Where all vertices lie at the origin, an extent of zero is right, and mending comes to an end.
TEST(Fixing, ExtentsOfVerticesAtTheOriginAreZero) {
  Document document = sound();
  auto& geosets = std::find_if(document.chunks.begin(), document.chunks.end(), [](const Chunk& chunk) {
                    return std::holds_alternative<Geosets>(chunk.body);
                  })->body;
  for (auto& geoset : std::get<Geosets>(geosets).items) {
    std::fill(geoset.positions.begin(), geoset.positions.end(), Vec3{});
    geoset.extent = {};
  }
  EXPECT_TRUE(fix(document, {}, {"mdx.geoset-extent-zero"}).empty());
  const auto findings = validate(document, {});
  EXPECT_TRUE(std::none_of(findings.items().begin(), findings.items().end(),
                           [](const auto& finding) { return finding.code.id == "mdx.geoset-extent-zero"; }));
}

TEST(Fixing, TakesAwayWhatHangsAtWhatGoesAndTheirPivotsAtOnce) {
  Document document = sound();
  auto& emitters = document.find<ParticleEmitters>()->items;
  const std::size_t others = document.find<Pivots>()->points.size() - emitters.size();
  emitters.resize(1);
  emitters.front().path.assign("no model");
  emitters.push_back(emitters.front());
  emitters.back().node.parent_id = emitters.front().node.object_id;
  emitters.back().node.object_id = static_cast<std::int32_t>(document.find<Pivots>()->points.size()) + 3;
  const std::vector<std::string_view> codes = {"mdx.particle-model-path", "mdx.pivot-count"};
  EXPECT_FALSE(fix(document, {}, codes).empty());
  EXPECT_TRUE(document.all<ParticleEmitters>().empty());
  EXPECT_EQ(document.find<Pivots>()->points.size(), others);
  EXPECT_TRUE(fix(document, {}, codes).empty()) << "nothing is left to do";
}

TEST(Fixing, PutsNothingAfterAChunkThatRunsPastTheEnd) {
  Document document = sound();
  const auto is_pivots = [](const Chunk& chunk) { return std::holds_alternative<Pivots>(chunk.body); };
  auto& chunks = document.chunks;
  chunks.erase(std::remove_if(chunks.begin(), chunks.end(), is_pivots), chunks.end());
  Chunk last;
  last.tag = FourCC{"XXXX"};
  last.remainder = {Bytes{1, 2, 3, 4}, Remainder::State::replaces_fields};
  last.stated_size = 1000;
  chunks.push_back(last);
  ASSERT_FALSE(fix(document, {}, {"mdx.pivot-count"}).empty());
  Diagnostics findings;
  const auto again = mdx::read(mdx::write(document), {}, findings);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, document);
  EXPECT_NE(again->find<Pivots>(), nullptr);
}

TEST(Rules, WhatIsNotBrokenIsNotReported) {
  Document document = sound();
  auto& sequences = document.find<Sequences>()->items;
  std::rotate(sequences.begin(), sequences.begin() + 1, sequences.end());
  auto codes = codes_of(validate(document, {}));
  EXPECT_EQ(codes.count("mdx.sequence-overlap"), 0U) << "they stand in another order, and do not overlap";
  EXPECT_GT(codes.count("mdx.sequence-unsorted"), 0U);
  document = sound();
  set_frame(track(document, "KGTR"), 0, 150);
  EXPECT_EQ(codes_of(validate(document, {})).count("mdx.track-opening"), 0U) << "the last key is the same";
  document = sound();
  first<Lights>(document).type = 0x101;  // only the low byte counts
  first<Lights>(document).node.object_id = -1;
  first<Lights>(document).node.parent_id = -1;
  codes = codes_of(validate(document, {}));
  EXPECT_EQ(codes.count("mdx.light-type"), 0U);
  EXPECT_EQ(codes.count("mdx.node-parent-self"), 0U) << "without a parent, it is not its own";
  EXPECT_GT(codes.count("mdx.node-id-negative"), 0U);
  const auto leaves_root = [&](const char* path) {
    document = sound();
    first<Textures>(document).path.assign(path);
    return codes_of(validate(document, {})).count("mdx.texture-path-absolute") > 0;
  };
  EXPECT_FALSE(leaves_root("a..b.blp"));
  EXPECT_FALSE(leaves_root("..a/b...blp"));
  EXPECT_TRUE(leaves_root("a/..\\b.blp"));
  EXPECT_TRUE(leaves_root("a/.."));
}

TEST(Rules, SequencesOverlapTheLongestBefore) {
  Document document = sound();
  auto& sequences = document.find<Sequences>()->items;
  sequences.assign(3, Sequence(sequences[0]));
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 3> kTimes = {
      {{0, 1000}, {100, 200}, {300, 400}}};
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    std::tie(sequences[i].start, sequences[i].end) = kTimes.at(i);
  }
  EXPECT_EQ(codes_of(validate(document, {})).count("mdx.sequence-overlap"), 2U);
}

TEST(Fixing, KeepsWhatDamagedNodesNeed) {
  Document document = sound();
  auto& bone = first<Bones>(document);
  bone.node.remainder = {Bytes(100, 1), Remainder::State::replaces_fields};
  fix(document, {});
  EXPECT_EQ(document.find<Pivots>()->points.size(), 8U) << "a damaged node has its pivot";
  EXPECT_EQ(first<Lights>(document).node.parent_id, 0) << "and its children";
}

TEST(Fixing, SaysThatADamagedModelStays) {
  const Bytes bytes = test::load(test::root_dir() / "fuzz/corpus/mdx_change/damaged-shapes");
  auto document = read(bytes);
  ASSERT_TRUE(document);
  Diagnostics findings;
  EXPECT_TRUE(fix(*document, {}, {}, findings).empty());
  EXPECT_EQ(write(*document), bytes);
  EXPECT_EQ(codes_of(findings).count("fix.damaged"), 1U);
}

TEST(Fixing, AddsNoMoreExtentsThanAModelCanNeed) {
  Document document = sound();
  auto& geosets = document.find<Geosets>()->items;
  Geoset geoset = geosets.front();
  geoset.sequence_extents.clear();
  geosets.assign(1100, geoset);
  auto& sequences = document.find<Sequences>()->items;
  sequences.resize(1100, sequences.front());
  EXPECT_TRUE(fix(document, {}, {"mdx.geoset-sequence-extents"}).empty());
  sequences.resize(900, sequences.front());
  EXPECT_EQ(fix(document, {}, {"mdx.geoset-sequence-extents"}).size(), 1100U);
}

TEST(Fixing, KeepsTheJumpOfTwoKeysAtOneFrame) {
  Document document = sound();
  track(document, "KGTR") =
      make_track("KGTR", Interpolation::linear,
                 {{100, {0, 0, 0}}, {600, {0, 0, 1}}, {600, {0, 0, 9}}, {1100, {0, 0, 0}}});
  fix(document, {}, {"mdx.track-duplicate"});
  const Track& translation = track(document, "KGTR");
  ASSERT_EQ(translation.size(), 4U);
  EXPECT_EQ(translation.frame(1), 599);
  EXPECT_EQ(translation.value(1)[2], 1);
  EXPECT_EQ(translation.frame(2), 600);
  EXPECT_EQ(translation.value(2)[2], 9);
}

}  // namespace
}  // namespace thaw
