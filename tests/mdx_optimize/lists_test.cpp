// Lists that become shorter, and everything that names their items by number.

#include <gtest/gtest.h>

#include "formats/warcraft/mdx/optimize/steps.hpp"
#include "formats/warcraft/mdx/renumbering.hpp"
#include "support/mdx_objects.hpp"

#include <algorithm>
#include <functional>

namespace thaw::mdx {
namespace {

using test::list_of;
using test::make_bone;
using test::make_document;
using test::make_node;

Document with_tags(Document document, std::initializer_list<FourCC> tags) {
  std::size_t at = 0;
  for (const FourCC tag : tags) {
    document.chunks.at(at++).tag = tag;
  }
  return document;
}

Texture picture(std::string_view path) {
  Texture texture;
  texture.path.assign(path);
  return texture;
}

std::vector<std::string> paths_of(const Document& document) {
  std::vector<std::string> paths;
  for (const auto* texture : document.all<Textures>()) {
    paths.emplace_back(texture->path.view());
  }
  return paths;
}

using Ids = std::vector<std::int64_t>;
using Paths = std::vector<std::string>;

TEST(OptimizeLists, TexturesThatNoneShowsGoAndEqualOnesBecomeOne) {
  Layer layer;
  layer.texture_id = 4;
  layer.tracks = {test::make_integer_track("KMTF", {{0, 2}, {10, 3}})};
  Layer slotted;
  slotted.texture_id = 1;  // dead beside slots
  slotted.slots = {{5, 0, test::make_integer_track("KMTF", {{0, 6}, {10, -1}})}, {99, 1, std::nullopt}};
  Material material;
  material.layers = {layer, slotted};
  ParticleEmitter2 sprites;
  sprites.texture_id = 7;
  auto document =
      make_document(list_of<Textures::Item>({picture("unused"), picture("dead"), picture("b"), picture("c"),
                                             picture("b"), picture("e"), picture("f"), picture("g")}),
                    list_of<Material>({material}), list_of<ParticleEmitter2>({sprites}));
  auto apart = document;
  EXPECT_EQ(merge_textures(document), 3U);
  EXPECT_EQ(paths_of(document), (Paths{"b", "c", "e", "f", "g"}));
  const auto& layers = document.all<Materials>().front()->layers;
  EXPECT_EQ(layers[0].texture_id, 0);
  EXPECT_EQ((Ids{layers[0].tracks[0].integer(0), layers[0].tracks[0].integer(1)}), (Ids{0, 1}));
  EXPECT_EQ(layers[1].texture_id, 0) << "what it named is not there any more";
  EXPECT_EQ(layers[1].slots[0].texture_id, 2);
  EXPECT_EQ((Ids{layers[1].slots[0].flipbook->integer(0), layers[1].slots[0].flipbook->integer(1)}),
            (Ids{3, -1}));
  EXPECT_EQ(layers[1].slots[1].texture_id, 99) << "what named nothing stays";
  EXPECT_EQ(document.all<ParticleEmitters2>().front()->texture_id, 4);
  EXPECT_EQ(merge_textures(document), 0U);

  EXPECT_EQ(merge_textures(apart, Merging::none), 2U);
  EXPECT_EQ(paths_of(apart), (Paths{"b", "c", "b", "e", "f", "g"}));
}

TEST(OptimizeLists, MaterialsGoThatNeitherGeosetsNorRibbonsHave) {
  const auto plane = [](std::int32_t priority) {
    Material material;
    material.priority_plane = priority;
    return material;
  };
  Geoset geoset;
  geoset.material_id = 3;
  RibbonEmitter ribbon;
  ribbon.material_id = 1;
  RibbonEmitter nowhere;
  nowhere.material_id = 17;
  auto document = make_document(list_of<Material>({plane(0), plane(1), plane(2), plane(1), plane(3)}),
                                list_of<Geoset>({geoset}), list_of<RibbonEmitter>({ribbon, nowhere}));
  auto apart = document;
  EXPECT_EQ(merge_materials(document), 4U);
  ASSERT_EQ(document.all<Materials>().size(), 1U);
  EXPECT_EQ(document.all<Materials>().front()->priority_plane, 1);
  EXPECT_EQ(document.all<Geosets>().front()->material_id, 0);
  EXPECT_EQ(document.all<RibbonEmitters>()[0]->material_id, 0);
  EXPECT_EQ(document.all<RibbonEmitters>()[1]->material_id, 17);
  EXPECT_EQ(merge_materials(apart, Merging::none), 3U);
  EXPECT_EQ(apart.all<Geosets>().front()->material_id, 1);
  EXPECT_EQ(apart.all<RibbonEmitters>()[0]->material_id, 0);
}

TEST(OptimizeLists, TextureAnimationsThatMoveNothingAreNone) {
  TextureAnimation moves;
  moves.tracks = {test::make_track("KTAT", Interpolation::linear, {{0, {1, 0, 0}}})};
  TextureAnimation turns;
  turns.tracks = {test::make_track("KTAR", Interpolation::linear, {{0, {0, 0, 1, 0}}})};
  const auto document_of = [&](std::vector<std::int32_t> used) {
    Material material;
    for (const std::int32_t id : used) {
      material.layers.emplace_back().texture_animation_id = id;
    }
    return with_tags(make_document(list_of<Material>({material}),
                                   list_of<TextureAnimation>({moves, {}, turns, moves, turns})),
                     {FourCC{"MTLS"}, FourCC{"TXAN"}});
  };
  const auto ids_of = [](const Document& document) {
    Ids ids;
    for (const auto& layer : document.all<Materials>().front()->layers) {
      ids.push_back(layer.texture_animation_id);
    }
    return ids;
  };
  auto document = document_of({3, 1, -1, 4, 0, 9});
  EXPECT_EQ(merge_texture_animations(document), 3U);
  EXPECT_EQ(ids_of(document), (Ids{0, -1, -1, 1, 0, 9}));
  EXPECT_EQ(document.all<TextureAnimations>().size(), 2U);

  document = document_of({3, 1});
  EXPECT_EQ(merge_texture_animations(document, Merging::none), 3U);
  EXPECT_EQ(ids_of(document), (Ids{1, 0}));

  document = document_of({1, -1});
  EXPECT_EQ(merge_texture_animations(document), 5U);
  EXPECT_EQ(ids_of(document), (Ids{-1, -1}));
  EXPECT_EQ(document.chunks.size(), 1U) << "an empty list is not needed";

  document = with_tags(make_document(list_of<Material>({{}}), list_of<TextureAnimation>({})),
                       {FourCC{"MTLS"}, FourCC{"TXAN"}});
  EXPECT_EQ(merge_texture_animations(document), 0U);
  EXPECT_EQ(document.chunks.size(), 2U) << "one that was empty stays as it was";
}

TEST(OptimizeLists, EqualGlobalSequencesStayApartAndUnusedOnesGo) {
  const auto playing = [](std::int32_t global) {
    auto track = test::make_track("KGTR", Interpolation::linear, {{0, {1, 0, 0}}});
    track.global_sequence = global;
    return track;
  };
  EventObject event;
  event.node = make_node("SNDXAAAA", 1);
  event.track.emplace().global_sequence = 3;
  auto document = with_tags(make_document(test::make_globals({10, 20, 20}),
                                          list_of<Bone>({make_bone("Bone", 0, -1, {playing(2)}),
                                                         make_bone("Bone", 2, -1, {playing(7)})}),
                                          list_of<EventObject>({event}), test::make_globals({40, 50})),
                            {FourCC{"GLBS"}, FourCC{"BONE"}, FourCC{"EVTS"}, FourCC{"GLBS"}});
  document.find<Bones>()->items[1].node.tracks.push_back(playing(1));
  EXPECT_EQ(drop_global_sequences(document), 2U);
  Ids durations;
  for (const auto& chunk : document.chunks) {
    if (const auto* globals = std::get_if<GlobalSequences>(&chunk.body)) {
      durations.insert(durations.end(), globals->durations.begin(), globals->durations.end());
    }
  }
  EXPECT_EQ(durations, (Ids{20, 20, 40}));
  const auto& bones = document.find<Bones>()->items;
  EXPECT_EQ(bones[0].node.tracks[0].global_sequence, 1);
  EXPECT_EQ(bones[1].node.tracks[0].global_sequence, 7) << "what named nothing stays";
  EXPECT_EQ(bones[1].node.tracks[1].global_sequence, 0);
  EXPECT_EQ(document.all<EventObjects>().front()->track->global_sequence, 2);
  EXPECT_EQ(drop_global_sequences(document), 0U);

  auto unused = with_tags(make_document(test::make_globals({10, 20}), list_of<Bone>({make_bone("Bone", 0)})),
                          {FourCC{"GLBS"}, FourCC{"BONE"}});
  EXPECT_EQ(drop_global_sequences(unused), 2U);
  EXPECT_EQ(unused.chunks.size(), 1U);
}

TEST(OptimizeLists, ItemsAreComparedUpToAsManyAsTheLimit) {
  for (const bool more : {false, true}) {
    const std::size_t count = kMaxCompared + (more ? 1 : 0);
    Renumbering numbers(count);
    numbers.use_all();
    const std::size_t removed = numbers.number([](std::size_t, std::size_t) { return true; });
    EXPECT_EQ(removed, more ? 0 : count - 1);
    EXPECT_EQ(numbers.stays(1), more);
  }
}

// --- geosets

/// A triangle for two bones.
Geoset triangle(float x) {
  Geoset geoset;
  geoset.positions = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}};
  geoset.normals.assign(3, Vec3{0, 0, 1});
  geoset.vertex_groups = {0, 1, 0};
  geoset.matrix_groups = {1, 2};
  geoset.matrix_indices = {0, 0, 1};
  geoset.primitive_types.assign(1, PrimitiveType::triangles);
  geoset.primitive_counts.assign(1, 3);
  geoset.indices = {0, 1, 2};
  geoset.uv_sets = {{Array<Vec2>{{0, 0}, {1, 0}, {0, 1}}}};
  geoset.extent = {2, {x, 0, 0}, {x + 1, 1, 0}};
  geoset.sequence_extents.assign(2, geoset.extent);
  return geoset;
}

struct Pair {
  Material material;
  Geoset first = triangle(0);
  Geoset second = triangle(10);
  std::vector<GeosetAnimation> animations = {};

  Pair() { material.layers.emplace_back(); }
  /// All groups of bones and vertices that are there afterwards; the second geoset is gone.
  [[nodiscard]] Document merged(std::size_t expected = 1) const {
    auto document = make_document(list_of<Material>({material, material}), list_of<Geoset>({first, second}),
                                  list_of<GeosetAnimation>(animations));
    EXPECT_EQ(merge_geosets(document), expected);
    EXPECT_EQ(document.all<Geosets>().size(), 2 - expected);
    return document;
  }
  [[nodiscard]] bool merges() const {
    auto document = make_document(list_of<Material>({material, material}), list_of<Geoset>({first, second}),
                                  list_of<GeosetAnimation>(animations));
    return merge_geosets(document) == 1;
  }
};

TEST(OptimizeGeosets, TwoOfOneKindAreOneWithAllThatIsTheirs) {
  Pair pair;
  pair.second.matrix_groups = {2, 1};
  pair.second.matrix_indices = {0, 1, 7};
  pair.second.sequence_extents[1] = {9, {-5, 3, 0}, {4, 8, 0}};
  const auto document = pair.merged();
  const auto& one = *document.all<Geosets>().front();
  EXPECT_EQ(one.positions.size(), 6U);
  EXPECT_EQ(one.positions[3], (Vec3{10, 0, 0}));
  EXPECT_EQ(one.normals.size(), 6U);
  EXPECT_EQ(one.uv_sets[0].coordinates.size(), 6U);
  EXPECT_EQ(one.indices, (Array<std::uint16_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(one.primitive_counts, (Array<std::uint32_t>{6}));
  EXPECT_EQ(one.primitive_types.size(), 1U);
  EXPECT_EQ(one.vertex_groups, (Array<std::uint8_t>{0, 1, 0, 1, 2, 1}));
  EXPECT_EQ(one.matrix_groups, (Array<std::uint32_t>{1, 2, 1}));
  EXPECT_EQ(one.matrix_indices, (Array<std::uint32_t>{0, 0, 1, 7}));
  EXPECT_EQ(one.extent, (Extent{2, {0, 0, 0}, {11, 1, 0}}));
  EXPECT_EQ(one.sequence_extents[0], one.extent);
  EXPECT_EQ(one.sequence_extents[1], (Extent{9, {-5, 0, 0}, {4, 8, 0}}));
}

TEST(OptimizeGeosets, WhatTheyHaveForEveryVertexIsPutTogether) {
  Pair pair;
  std::uint8_t bone = 1;
  for (auto* geoset : {&pair.first, &pair.second}) {
    geoset->tangents.emplace(3, Vec4{1, 0, 0, 1});
    geoset->skin.emplace(3, std::array<std::uint8_t, 8>{bone++, 0, 0, 0, 255, 0, 0, 0});
    geoset->vertex_groups.assign(3, 255);
  }
  const auto document = pair.merged();
  const auto& one = *document.all<Geosets>().front();
  EXPECT_EQ(one.tangents->size(), 6U);
  ASSERT_EQ(one.skin->size(), 6U);
  EXPECT_EQ(one.skin->at(2)[0], 1);
  EXPECT_EQ(one.skin->at(3)[0], 2);
  EXPECT_EQ(one.vertex_groups, Array<std::uint8_t>(6, 255));
  for (auto* geoset : {&pair.first, &pair.second}) {
    geoset->skin.reset();
  }
  EXPECT_FALSE(pair.merges()) << "without weights, a group of that number has to be there";
  for (auto* geoset : {&pair.first, &pair.second}) {
    geoset->wide_skin.emplace(3, std::array<std::uint16_t, 8>{300, 0, 0, 0, 255, 0, 0, 0});
  }
  EXPECT_EQ(pair.merged().all<Geosets>().front()->wide_skin->size(), 6U);
}

TEST(OptimizeGeosets, OneDifferenceKeepsThemApart) {
  struct Case {
    const char* what;
    std::function<void(Pair&)> change;
  };
  const auto set_flag = [](std::uint32_t flag) {
    return [flag](Pair& pair) { pair.material.layers[0].shading_flags = flag; };
  };
  const auto set_filter = [](FilterMode mode) {
    return [mode](Pair& pair) { pair.material.layers[0].filter_mode = mode; };
  };
  const auto set_material = [](std::int32_t id) {
    return [id](Pair& pair) { pair.first.material_id = pair.second.material_id = id; };
  };
  for (const auto& [what, change] : {
           Case{"blended", set_filter(FilterMode::blend)},
           Case{"additive", set_filter(FilterMode::additive)},
           Case{"no depth test", set_flag(Layer::kNoDepthTest)},
           Case{"no depth written", set_flag(Layer::kNoDepthSet)},
           Case{"no layer", [](Pair& pair) { pair.material.layers.clear(); }},
           Case{"another material", [](Pair& pair) { pair.second.material_id = 1; }},
           Case{"no material", set_material(-1)},
           Case{"a material beyond the last", set_material(2)},
           Case{"a selection group", [](Pair& pair) { pair.second.selection_group = 1; }},
           Case{"a selection flag", [](Pair& pair) { pair.first.selection_flags = 4; }},
           Case{"a level of detail", [](Pair& pair) { pair.second.lod = 1; }},
           Case{"another name", [](Pair& pair) { pair.second.lod_name.assign("Head"); }},
           Case{"bytes behind", [](Pair& pair) { pair.second.remainder.bytes = {1}; }},
           Case{"a second picture", [](Pair& pair) { pair.first.uv_sets.push_back(pair.first.uv_sets[0]); }},
           Case{"an extent more", [](Pair& pair) { pair.second.sequence_extents.emplace_back(); }},
           Case{"tangents", [](Pair& pair) { pair.second.tangents.emplace(3, Vec4{}); }},
           Case{"weights", [](Pair& pair) { pair.first.skin.emplace(3, std::array<std::uint8_t, 8>{}); }},
           Case{"wide ones",
                [](Pair& pair) { pair.first.wide_skin.emplace(3, std::array<std::uint16_t, 8>{}); }},
           Case{"strips", [](Pair& pair) { pair.second.primitive_types = {PrimitiveType::triangle_strip}; }},
           Case{"one strip beside triangles",
                [](Pair& pair) {
                  pair.first.primitive_types = {PrimitiveType::triangles, PrimitiveType::triangle_strip};
                }},
           Case{"no groups of faces", [](Pair& pair) { pair.first.primitive_types.clear(); }},
           Case{"no normals", [](Pair& pair) { pair.second.normals.clear(); }},
           Case{"no groups of vertices", [](Pair& pair) { pair.second.vertex_groups.clear(); }},
           Case{"no coordinates", [](Pair& pair) { pair.first.uv_sets[0].coordinates.clear(); }},
           Case{"a normal too few", [](Pair& pair) { pair.second.normals.resize(2); }},
           Case{"an index beyond", [](Pair& pair) { pair.second.indices[2] = 3; }},
           Case{"a group beyond", [](Pair& pair) { pair.second.vertex_groups[2] = 2; }},
       }) {
    Pair pair;
    ASSERT_TRUE(pair.merges());
    change(pair);
    EXPECT_FALSE(pair.merges()) << what;
  }
}

TEST(OptimizeGeosets, WhatMakesNoDifferenceDoesNotKeepThemApart) {
  Pair pair;
  pair.material.layers[0].filter_mode = FilterMode::transparent;
  pair.material.layers[0].shading_flags = Layer::kTwoSided | Layer::kUnshaded;
  pair.material.layers.emplace_back().shading_flags = Layer::kNoDepthTest;
  pair.first.material_id = pair.second.material_id = 1;
  pair.second.tangents.emplace();
  pair.first.skin.emplace();
  pair.second.wide_skin.emplace();
  EXPECT_TRUE(pair.merges());
}

TEST(OptimizeGeosets, NumbersOfVerticesAndGroupsHaveTheirLimits) {
  for (const std::size_t more : {0U, 1U}) {
    Pair pair;
    const std::size_t count = 65535 - 3 + more;
    pair.second.positions.resize(count);
    pair.second.normals.resize(count);
    pair.second.vertex_groups.resize(count, 1);
    pair.second.uv_sets[0].coordinates.resize(count);
    EXPECT_EQ(pair.merges(), more == 0);
    Pair groups;  // two of the first, and so many others
    groups.second.matrix_groups.assign(254 + more, 1);
    groups.second.matrix_indices.clear();
    for (std::uint32_t bone = 0; bone < 254 + more; ++bone) {
      groups.second.matrix_indices.push_back(100 + bone);
    }
    EXPECT_EQ(groups.merges(), more == 0);
  }
}

TEST(OptimizeGeosets, OnlyWhatIsAnimatedAlikeIsSeenTogether) {
  const auto animation = [](std::int32_t id, float alpha) {
    GeosetAnimation result;
    result.geoset_id = id;
    result.alpha = alpha;
    return result;
  };
  Pair pair;
  pair.animations = {animation(0, 0.5F), animation(1, 0.5F)};
  EXPECT_TRUE(pair.merges());
  pair.animations = {animation(0, 0.5F), animation(1, 0.25F)};
  EXPECT_FALSE(pair.merges());
  pair.animations = {animation(1, 0.5F)};
  EXPECT_FALSE(pair.merges());
  pair.animations = {animation(0, 0.5F), animation(0, 0.5F), animation(1, 0.5F), animation(1, 0.5F)};
  EXPECT_FALSE(pair.merges()) << "of two for one it is not certain which counts";
}

TEST(OptimizeGeosets, WhoNamesAGeosetNamesItsNewNumber) {
  auto other = triangle(20);
  other.lod = 3;
  auto last = triangle(30);
  last.lod = 4;
  std::vector<GeosetAnimation> animations(4);
  for (const auto& [at, id] : {std::pair(0, 3), std::pair(1, 0), std::pair(2, 2), std::pair(3, 9)}) {
    animations[static_cast<std::size_t>(at)].geoset_id = id;
  }
  std::vector<Bone> bones;
  for (const std::int32_t id : {0, 1, 2, 3, -1, 9}) {
    bones.push_back(make_bone("Bone", id));
    bones.back().geoset_id = bones.back().geoset_animation_id = id;
  }
  PickGeosets picked;
  picked.geoset_ids = {3, 2, 1, 9};
  Material opaque;
  opaque.layers.emplace_back();
  auto document =
      make_document(list_of<Material>({opaque}), list_of<Geoset>({triangle(0), other, triangle(10), last}),
                    list_of<GeosetAnimation>(animations), list_of<Bone>(bones), picked);
  ASSERT_EQ(merge_geosets(document), 1U);
  EXPECT_EQ(document.all<Geosets>()[2]->lod, 4);
  Ids shown;
  for (const auto* animation : document.all<GeosetAnimations>()) {
    shown.push_back(animation->geoset_id);
  }
  EXPECT_EQ(shown, (Ids{2, 0, 9})) << "the two of the merged ones are one";
  Ids geosets;
  Ids numbers;
  for (const auto* bone : document.all<Bones>()) {
    geosets.push_back(bone->geoset_id);
    numbers.push_back(bone->geoset_animation_id);
  }
  EXPECT_EQ(geosets, (Ids{0, 1, 0, 2, -1, 9}));
  EXPECT_EQ(numbers, (Ids{0, 1, 1, 2, -1, 9}));
  const auto& ids = document.find<PickGeosets>()->geoset_ids;
  EXPECT_EQ(Ids(ids.begin(), ids.end()), (Ids{2, 1, 9}));
}

// --- vertices

TEST(OptimizeVertices, EqualInEverythingIsOneAndUnusedIsNone) {
  auto geoset = triangle(0);
  geoset.tangents.emplace(3, Vec4{1, 0, 0, 1});
  const auto add = [&](std::size_t like) {
    geoset.positions.push_back(geoset.positions[like]);
    geoset.normals.push_back(geoset.normals[like]);
    geoset.vertex_groups.push_back(geoset.vertex_groups[like]);
    geoset.tangents->push_back(geoset.tangents->at(like));
    geoset.uv_sets[0].coordinates.push_back(geoset.uv_sets[0].coordinates[like]);
    geoset.indices.push_back(static_cast<std::uint16_t>(geoset.positions.size() - 1));
  };
  add(2);  // 3, the same as 2
  add(2);  // 4 to 8: as 2, but for one thing
  geoset.positions.back()[2] = 1;
  add(2);
  geoset.normals.back()[0] = 1;
  add(2);
  geoset.vertex_groups.back() = 1;
  add(2);
  geoset.tangents->back()[3] = -1;
  add(2);
  geoset.uv_sets[0].coordinates.back()[1] = 7;
  add(1);  // 9, of no face
  geoset.indices.pop_back();
  auto document = make_document(list_of<Geoset>({geoset}));
  EXPECT_EQ(merge_vertices(document), 2U);
  const auto& left = *document.all<Geosets>().front();
  EXPECT_EQ(left.indices, (Array<std::uint16_t>{0, 1, 2, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(left.positions.size(), 8U);
  EXPECT_EQ(left.positions[3][2], 1);
  EXPECT_EQ(left.uv_sets[0].coordinates[7][1], 7);
  EXPECT_EQ(left.tangents->size(), 8U);

  auto none = triangle(0);
  none.indices.clear();
  auto empty = make_document(list_of<Geoset>({none}));
  EXPECT_EQ(merge_vertices(empty), 0U) << "a geoset without any faces stays as it is";
}

// --- nodes

TEST(OptimizeNodes, WhatMovesNothingGoesButOneBone) {
  Geoset geoset = triangle(0);
  geoset.matrix_groups = {1};
  geoset.matrix_indices = {3};
  geoset.vertex_groups = {0, 0, 0};
  const auto moving = test::make_track("KGTR", Interpolation::linear, {{0, {1, 0, 0}}});
  // 0 passes on only; 1 moves 3; 2 moves nothing; 3 has the vertices.
  auto document = make_document(list_of<Geoset>({geoset}),
                                list_of<Bone>({make_bone("Passes", 0), make_bone("Moves", 1, 0, {moving}),
                                               make_bone("Idle", 2, 1, {moving}), make_bone("Holds", 3, 1)}),
                                test::make_pivots({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}}));
  EXPECT_EQ(drop_idle_nodes(document), 3U) << "two nodes, and the pivot of none";
  const auto bones = document.all<Bones>();
  ASSERT_EQ(bones.size(), 2U);
  EXPECT_EQ(bones[0]->node.name.view(), "Moves");
  EXPECT_EQ(bones[0]->node.parent_id, -1);
  EXPECT_EQ(bones[1]->node.parent_id, bones[0]->node.object_id);
  const auto& pivots = document.find<Pivots>()->points;
  ASSERT_EQ(pivots.size(), 2U);
  EXPECT_EQ(pivots[0][0], 1);
  EXPECT_EQ(pivots[1][0], 3);

  auto only = make_document(list_of<Bone>({make_bone("A", 0), make_bone("B", 1)}),
                            test::make_pivots({{0, 0, 0}, {1, 0, 0}}));
  drop_idle_nodes(only);
  ASSERT_EQ(only.all<Bones>().size(), 1U) << "the game wants one";
  EXPECT_EQ(only.all<Bones>()[0]->node.name.view(), "A");

  auto twice = make_document(list_of<Bone>({make_bone("A", 0), make_bone("B", 1), make_bone("C", 1)}),
                             test::make_pivots({{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(drop_idle_nodes(twice), 0U) << "two of one id would go together";
}

}  // namespace
}  // namespace thaw::mdx
