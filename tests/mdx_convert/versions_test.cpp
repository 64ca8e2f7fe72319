// What single steps between versions do (mdx.md#converting-between-versions).

#include "formats/warcraft/mdx/shaders.hpp"
#include "mdx_convert/all_pairs.hpp"
#include "support/effort.hpp"
#include "support/files.hpp"
#include "support/mdx_objects.hpp"
#include "support/paths.hpp"

namespace thaw {
namespace {

using test::has_loss;

void add(mdx::Document& document, FourCC tag, mdx::ChunkBody body) {
  mdx::Chunk chunk;
  chunk.tag = tag;
  chunk.body = std::move(body);
  document.chunks.push_back(std::move(chunk));
}

mdx::Document of_version(std::uint32_t version) {
  mdx::Document document;
  add(document, FourCC{"VERS"}, mdx::Version{version});
  return document;
}

mdx::VersionConversion converted(const mdx::Document& document, std::uint32_t target) {
  auto conversion = mdx::convert_version(document, target);
  EXPECT_TRUE(conversion) << (conversion ? "" : conversion.error().message);
  if (!conversion) {
    return {};
  }
  EXPECT_EQ(test::read_strictly(mdx::write(conversion->document), "written"), conversion->document);
  return std::move(*conversion);
}

mdx::Texture texture(std::string_view path) {
  mdx::Texture result;
  result.path.assign(path);
  return result;
}

/// A layer with the diffuse texture 0 and the ORM texture 1, as of 1100.
mdx::Document physical() {
  auto document = of_version(1800);
  mdx::Material material;
  auto& layer = material.layers.emplace_back();
  layer.has_fresnel = true;
  layer.shader_id = 1;
  layer.slots = {{0, 0, std::nullopt}, {1, 2, std::nullopt}};
  layer.slots[0].flipbook = test::make_integer_track("KMTF", {{0, 0}, {500, 1}});
  add(document, FourCC{"MTLS"}, test::list_of<mdx::Material>({material}));
  add(document, FourCC{"TEXS"}, test::list_of<mdx::Texture>({texture("a.dds"), texture("b.dds")}));
  return document;
}

TEST(ConvertVersions, SlotsBecomeSixLayersAndComeBack) {
  const auto source = physical();
  const auto older = converted(source, 1000);
  const auto& material = *older.document.all<mdx::Materials>().front();
  EXPECT_EQ(material.shader.view(), "Shader_HD_DefaultUnit");
  ASSERT_EQ(material.layers.size(), 6U);
  EXPECT_EQ(material.layers[0].texture_id, 0);
  EXPECT_EQ(material.layers[2].texture_id, 1);
  EXPECT_EQ(material.layers[0].tracks.size(), 1U) << "the flipbook belongs to the layer now";
  const auto textures = older.document.all<mdx::Textures>();
  ASSERT_EQ(textures.size(), 6U) << "the game's own for the four empty slots";
  EXPECT_EQ(textures[static_cast<std::size_t>(material.layers[1].texture_id)]->path.view(),
            "Textures/normal.blp");
  EXPECT_EQ(textures[static_cast<std::size_t>(material.layers[4].texture_id)]->replaceable_id, 1U);

  const auto newer = converted(older.document, 1800);
  const auto& layer = newer.document.all<mdx::Materials>().front()->layers.at(0);
  EXPECT_EQ(layer.shader_id, 1U);
  ASSERT_EQ(layer.slots.size(), 6U);
  EXPECT_TRUE(layer.slots[0].flipbook);
  EXPECT_TRUE(layer.tracks.empty());
  EXPECT_TRUE(newer.losses.empty()) << test::codes_of(newer);
}

TEST(ConvertVersions, AFlipbookThatTheGameIgnoresDoesNotComeAlive) {
  auto source = physical();
  auto& layer = source.find<mdx::Materials>()->items.front().layers.front();
  layer.slots[0].flipbook.reset();
  layer.tracks = {test::make_integer_track("KMTF", {{0, 1}, {500, 0}})};
  const auto older = converted(source, 1000);
  for (const auto& own : older.document.all<mdx::Materials>().front()->layers) {
    EXPECT_TRUE(own.tracks.empty());
  }
  EXPECT_TRUE(has_loss(older, codes::kConvertUnused));
}

TEST(ConvertVersions, UnknownChunksInFrontStayThere) {
  auto source = of_version(800);
  mdx::Chunk info;
  info.tag = FourCC{"INFO"};
  info.remainder = {Bytes{1, 2, 3}, Remainder::State::replaces_fields};
  source.chunks.insert(source.chunks.begin(), info);
  add(source, FourCC{"BONE"}, test::list_of<mdx::Bone>({test::make_bone("Bone", 0)}));
  add(source, FourCC{"PIVT"}, test::make_pivots({{0, 0, 0}}));
  const auto newer = mdx::convert_version(source, 1000);
  ASSERT_TRUE(newer);
  std::string tags;
  for (const auto& chunk : newer->document.chunks) {
    tags += chunk.tag.text() + ' ';
  }
  EXPECT_EQ(tags, "INFO VERS BONE PIVT BPOS ");
}

TEST(ConvertVersions, PhysicalMaterialsBecomeTheirDiffuseTexture) {
  const auto classic = converted(physical(), 800);
  EXPECT_TRUE(has_loss(classic, codes::kConvertMaterial));
  EXPECT_TRUE(has_loss(classic, codes::kConvertTexture)) << "the classic game reads no .dds";
  const auto& material = *classic.document.all<mdx::Materials>().front();
  ASSERT_EQ(material.layers.size(), 1U);
  EXPECT_EQ(material.layers[0].texture_id, 0);
  EXPECT_EQ(material.layers[0].tracks.size(), 1U);
}

TEST(ConvertVersions, TwoSidesGoWithPhysicalMaterials) {
  const auto two_sided = [](std::uint32_t shader, std::uint32_t target) {
    auto document = physical();
    auto& material = document.find<mdx::Materials>()->items.front();
    material.flags = mdx::Material::kTwoSided;
    material.layers[0].shader_id = shader;
    material.layers[0].slots.resize(shader == 0 ? 1 : 2);
    const auto made = converted(document, target);
    const auto& layers = made.document.all<mdx::Materials>().front()->layers;
    return !layers.empty() && std::all_of(layers.begin(), layers.end(), [](const mdx::Layer& layer) {
      return (layer.shading_flags & mdx::Layer::kTwoSided) != 0;
    });
  };
  EXPECT_TRUE(two_sided(1, 800));
  EXPECT_FALSE(two_sided(0, 1000)) << "the flag of a material says nothing of other layers";
  EXPECT_FALSE(two_sided(0, 800));

  // By way of six layers, whose material has the flag.
  auto document = physical();
  document.find<mdx::Materials>()->items.front().flags = mdx::Material::kTwoSided;
  const auto six = converted(document, 1000).document;
  EXPECT_EQ(six.all<mdx::Materials>().front()->flags, mdx::Material::kTwoSided);
  const auto classic = converted(six, 800).document;
  const auto& layers = classic.all<mdx::Materials>().front()->layers;
  ASSERT_EQ(layers.size(), 1U);
  EXPECT_NE(layers[0].shading_flags & mdx::Layer::kTwoSided, 0U);
}

TEST(ConvertVersions, ANameThatNoLaterShaderHasIsALoss) {
  const auto loses = [](std::string_view shader) {
    auto document = of_version(1000);
    mdx::Material material;
    material.shader.assign(shader);
    material.layers.emplace_back();
    add(document, FourCC{"MTLS"}, test::list_of<mdx::Material>({material}));
    add(document, FourCC{"TEXS"}, test::list_of<mdx::Texture>({texture("a.blp")}));
    return has_loss(converted(document, 1800), codes::kConvertShader);
  };
  EXPECT_TRUE(loses("Shader_Of_Nobody"));
  EXPECT_FALSE(loses("Shader_SD_FixedFunction"));
  EXPECT_FALSE(loses(""));
}

TEST(ConvertVersions, OlderClientsLoseTheFlagsAndTheShaderOfNewerOnesAndNoOthers) {
  for (unsigned bit = 0; bit <= 11; ++bit) {
    auto document = physical();
    auto& layer = document.find<mdx::Materials>()->items.front().layers.front();
    layer.shading_flags = bit == 11 ? 0 : 1U << bit;
    const bool newer = layer.shading_flags == mdx::Layer::kBackFacesForShadows ||
                       layer.shading_flags == mdx::Layer::kAmbientOcclusion;
    const auto older = converted(document, 1200);
    EXPECT_EQ(has_loss(older, codes::kConvertFlag), newer) << test::codes_of(older);
    EXPECT_EQ(older.document.all<mdx::Materials>().front()->layers.front().shading_flags,
              newer ? 0 : layer.shading_flags);
    EXPECT_TRUE(converted(document, 1600).losses.empty()) << "the same client";
  }
  for (const std::uint32_t shader : {mdx::kShaderLegacy, 1U, mdx::kShaderCrystal}) {
    auto document = physical();
    document.find<mdx::Materials>()->items.front().layers.front().shader_id = shader;
    EXPECT_EQ(has_loss(converted(document, 1200), codes::kConvertShader), shader == mdx::kShaderCrystal);
  }
}

// --- weights

/// Vertices that two bones pull in different shares, one of which moves.
mdx::Document skinned(std::uint32_t version, std::vector<std::array<std::uint8_t, 8>> skin) {
  auto document = of_version(version);
  add(document, FourCC{"SEQS"}, test::list_of<mdx::Sequence>({test::make_sequence("Stand", 0, 1000)}));
  mdx::Geoset geoset;
  for (std::size_t i = 0; i < skin.size(); ++i) {
    geoset.positions.push_back({static_cast<float>(i), 0, 10});
    geoset.normals.push_back({0, 0, 1});
    geoset.indices.push_back(static_cast<std::uint16_t>(i));
  }
  geoset.primitive_types.assign(1, mdx::PrimitiveType::triangles);
  geoset.primitive_counts.assign(1, static_cast<std::uint32_t>(skin.size()));
  geoset.vertex_groups.assign(skin.size(), 255);
  geoset.tangents.emplace(skin.size(), Vec4{1, 0, 0, 1});
  geoset.skin.emplace(skin.begin(), skin.end());
  add(document, FourCC{"MTLS"}, test::list_of<mdx::Material>({{}}));
  add(document, FourCC{"GEOS"}, test::list_of<mdx::Geoset>({geoset}));
  std::vector<mdx::Bone> bones;
  mdx::Pivots pivots;
  for (int i = 0; i < 40; ++i) {
    const auto far = static_cast<float>(i * 10);
    bones.push_back(
        test::make_bone("Bone", i, -1,
                        {test::make_track("KGTR", mdx::Interpolation::linear,
                                          {{0, {0, 0, 0}}, {500, {0, far, 0}}, {1000, {0, 0, 0}}})}));
    pivots.points.push_back({});
  }
  add(document, FourCC{"BONE"}, test::list_of<mdx::Bone>(bones));
  add(document, FourCC{"PIVT"}, pivots);
  return document;
}

TEST(ConvertVersions, EqualWeightsBecomeGroupsExactly) {
  const auto source =
      skinned(1000, {{3, 0, 0, 0, 255, 0, 0, 0}, {1, 2, 0, 0, 128, 127, 0, 0}, {1, 2, 5, 0, 85, 85, 85, 0}});
  const auto classic = converted(source, 800);
  const auto& geoset = *classic.document.all<mdx::Geosets>().front();
  EXPECT_FALSE(geoset.skin);
  EXPECT_EQ(geoset.matrix_groups, (Array<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(geoset.matrix_indices, (Array<std::uint32_t>{3, 1, 2, 1, 2, 5}));
  test::expect_same_play(source, classic, "equal weights");
}

TEST(ConvertVersions, UnequalWeightsTakeTheNearestBonesAndSayHowFar) {
  // 0.8 of bone 1, which goes 10 units, and 0.2 of bone 2, which goes 20: 12 units. Bone 1 alone comes
  // nearest.
  const auto source =
      skinned(1000, {{1, 2, 0, 0, 204, 51, 0, 0}, {1, 2, 0, 0, 204, 51, 0, 0}, {1, 2, 0, 0, 204, 51, 0, 0}});
  const auto classic = converted(source, 800);
  ASSERT_TRUE(has_loss(classic, codes::kConvertSkin));
  const auto& geoset = *classic.document.all<mdx::Geosets>().front();
  EXPECT_EQ(geoset.matrix_indices, (Array<std::uint32_t>{1}));
  for (const auto& loss : classic.losses) {
    if (loss.code == codes::kConvertSkin) {
      ASSERT_TRUE(loss.deviation);
      EXPECT_GT(*loss.deviation, 1.5);
      EXPECT_LE(*loss.deviation, 2.0);
    }
  }
}

TEST(ConvertVersions, TheNearestBonesAreNoQuestionOfSize) {
  // 0.45, 0.3 and 0.25 of bones that go 0, 30 and 40: 19 units. The last two bones' half is 35, the first
  // and the last's is 20: nearest, though the weights speak for the first two.
  for (const float size : {1.0F, 1.0F / 128}) {
    auto source = skinned(1000, {3, {0, 3, 4, 0, 115, 76, 64, 0}});
    for (auto& bone : source.find<mdx::Bones>()->items) {
      for (auto& word : bone.node.tracks[0].words) {
        if (const float value = test::value_of(word); value >= 1) {
          word = test::word_of(value * size);
        }
      }
    }
    const auto classic = converted(source, 800);
    EXPECT_EQ(classic.document.all<mdx::Geosets>().front()->matrix_indices, (Array<std::uint32_t>{0, 4}))
        << size;
  }
}

TEST(ConvertVersions, WhereBonesMoveAlikeTheWeightsReportThemApart) {
  auto source = skinned(1000, {3, {1, 2, 0, 0, 140, 115, 0, 0}});
  for (auto& bone : source.find<mdx::Bones>()->items) {
    bone.node.tracks.clear();
  }
  const auto classic = converted(source, 800);
  EXPECT_EQ(classic.document.all<mdx::Geosets>().front()->matrix_indices, (Array<std::uint32_t>{1, 2}));
}

mdx::VersionConversion with_weights(const mdx::Document& document, std::uint32_t target) {
  mdx::ConversionOptions options;
  options.weights = true;
  auto conversion = mdx::convert_version(document, target, options);
  EXPECT_TRUE(conversion);
  return conversion ? std::move(*conversion) : mdx::VersionConversion{};
}

TEST(ConvertVersions, GroupsBecomeWeightsAndComeBack) {
  const std::vector<std::array<std::uint8_t, 8>> weights = {
      {3, 0, 0, 0, 255, 0, 0, 0}, {1, 2, 0, 0, 128, 127, 0, 0}, {1, 2, 5, 0, 85, 85, 85, 0}};
  const auto classic = converted(skinned(1000, weights), 800);
  const auto later = with_weights(classic.document, 1000);
  const auto& geoset = *later.document.all<mdx::Geosets>().front();
  ASSERT_TRUE(geoset.skin && geoset.tangents);
  EXPECT_TRUE(std::equal(geoset.skin->begin(), geoset.skin->end(), weights.begin(), weights.end()));
  EXPECT_EQ(geoset.tangents->size(), geoset.positions.size());
  EXPECT_EQ(geoset.vertex_groups, (Array<std::uint8_t>{255, 255, 255}));
  EXPECT_EQ(geoset.matrix_groups.size(), geoset.matrix_indices.size());
  ASSERT_TRUE(has_loss(later, codes::kConvertSkin));  // 128 and 127 are not the same
  EXPECT_EQ(test::read_strictly(mdx::write(later.document), "written"), later.document);
  test::expect_same_play(classic.document, later, "weights");
  EXPECT_TRUE(with_weights(classic.document, 900).document.all<mdx::Geosets>().front()->skin);
  for (const std::uint32_t wide : {1400U, 1800U}) {
    const auto latest = with_weights(classic.document, wide);
    const auto& made = *latest.document.all<mdx::Geosets>().front();
    EXPECT_TRUE(made.wide_skin && !made.skin) << wide;
  }
  const auto back = converted(later.document, 800);
  EXPECT_EQ(back.document.all<mdx::Geosets>().front()->matrix_indices,
            classic.document.all<mdx::Geosets>().front()->matrix_indices);
}

TEST(ConvertVersions, TangentsLeanToWhereThePictureIsSparse) {
  // Two triangles about one corner. The second's picture is four times as dense in each direction.
  auto classic = converted(skinned(1000, {5, {1, 0, 0, 0, 255, 0, 0, 0}}), 800).document;
  auto& geoset = classic.find<mdx::Geosets>()->items.front();
  geoset.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {-1, 0, 0}};
  geoset.indices = {0, 1, 2, 0, 3, 4};
  geoset.primitive_counts = {6};
  geoset.uv_sets = {{Array<Vec2>{{0, 0}, {1, 0}, {0, 1}, {4, 0}, {0, 4}}}};
  const auto later = with_weights(classic, 1000);
  const auto& tangents = later.document.all<mdx::Geosets>().front()->tangents;
  ASSERT_TRUE(tangents);
  // A step of the picture is 1 along x, and a quarter along y.
  const double length = std::sqrt(1 + 1.0 / 16);
  EXPECT_NEAR(tangents->at(0)[0], 1 / length, 1e-6);
  EXPECT_NEAR(tangents->at(0)[1], 0.25 / length, 1e-6);
}

TEST(ConvertVersions, AMirroredPictureTurnsTheThirdAxis) {
  // The triangle is (0, 0), (4, 1), (1, 3); in the picture each corner lies elsewhere.
  const auto side_of = [](std::initializer_list<Vec2> picture) {
    auto classic = converted(skinned(1000, {3, {1, 0, 0, 0, 255, 0, 0, 0}}), 800).document;
    auto& geoset = classic.find<mdx::Geosets>()->items.front();
    geoset.positions = {{0, 0, 0}, {4, 1, 0}, {1, 3, 0}};
    geoset.uv_sets = {{Array<Vec2>(picture)}};
    return with_weights(classic, 1000).document.all<mdx::Geosets>().front()->tangents->at(0)[3];
  };
  EXPECT_EQ(side_of({{0, 0}, {1, 0}, {0, 1}}), 1);
  EXPECT_EQ(side_of({{0, 0}, {0, 1}, {1, 0}}), -1);
  EXPECT_EQ(side_of({{0, 0}, {3, 1}, {2, 3}}), 1);
  EXPECT_EQ(side_of({{0, 0}, {2, 3}, {3, 1}}), -1);
  EXPECT_EQ(side_of({{0, 0}, {1, 0}, {3, 1}}), 1);
  EXPECT_EQ(side_of({{0, 0}, {-1, 0}, {-3, 1}}), -1);
  EXPECT_EQ(side_of({{0, 0}, {-1, 2}, {-3, 1}}), 1);
}

TEST(ConvertVersions, TangentsFollowThePictureHoweverItLies) {
  // x = 2u + v, y = u + 3v: a step along u is (2, 1).
  auto classic = converted(skinned(1000, {3, {1, 0, 0, 0, 255, 0, 0, 0}}), 800).document;
  auto& geoset = classic.find<mdx::Geosets>()->items.front();
  geoset.uv_sets = {{Array<Vec2>{{0.5F, 0.25F}, {1.5F, 0.75F}, {0.25F, 1.5F}}}};
  for (std::size_t v = 0; v < 3; ++v) {
    const Vec2& uv = geoset.uv_sets[0].coordinates[v];
    geoset.positions[v] = {2 * uv[0] + uv[1], uv[0] + 3 * uv[1], 0};
  }
  const auto later = with_weights(classic, 1000);
  for (const Vec4& tangent : *later.document.all<mdx::Geosets>().front()->tangents) {
    EXPECT_NEAR(tangent[0], 2 / std::sqrt(5), 1e-6);
    EXPECT_NEAR(tangent[1], 1 / std::sqrt(5), 1e-6);
    EXPECT_EQ(std::abs(tangent[3]), 1);
  }
}

TEST(ConvertVersions, ABoneThatAGroupNamesTwiceWeighsTwice) {
  auto classic = converted(skinned(1000, {3, {1, 0, 0, 0, 255, 0, 0, 0}}), 800).document;
  auto& geoset = classic.find<mdx::Geosets>()->items.front();
  const auto weights_of = [&](const Array<std::uint32_t>& bones) {
    geoset.matrix_indices = bones;
    geoset.matrix_groups = {static_cast<std::uint32_t>(bones.size())};
    const auto later = with_weights(classic, 1000);
    test::expect_same_play(classic, later, "a bone named twice");
    const auto& skin = later.document.all<mdx::Geosets>().front()->skin;
    return skin ? skin->at(0) : std::array<std::uint8_t, 8>{};
  };
  EXPECT_EQ(weights_of({5, 5, 7}), (std::array<std::uint8_t, 8>{5, 7, 0, 0, 170, 85, 0, 0}));
  EXPECT_EQ(weights_of({5, 7, 9, 11, 5}), (std::array<std::uint8_t, 8>{5, 7, 9, 11, 102, 51, 51, 51}));
}

TEST(ConvertVersions, GroupsThatWeightsCannotSayStay) {
  using Groups = Array<std::uint32_t>;
  for (const Groups& bones : {Groups{1, 2, 3, 4, 5}, Groups{77}}) {
    auto classic = converted(skinned(1000, {3, {1, 0, 0, 0, 255, 0, 0, 0}}), 800).document;
    auto& geoset = classic.find<mdx::Geosets>()->items.front();
    geoset.matrix_indices = bones;
    geoset.matrix_groups = {static_cast<std::uint32_t>(bones.size())};
    const auto later = with_weights(classic, 1000);
    EXPECT_TRUE(has_loss(later, codes::kConvertSkin));
    const auto& kept = *later.document.all<mdx::Geosets>().front();
    EXPECT_FALSE(kept.skin);
    EXPECT_EQ(kept.matrix_indices, bones);
  }
}

TEST(ConvertVersions, TooManyGroupsDivideTheGeoset) {
  std::vector<std::array<std::uint8_t, 8>> skin;
  for (unsigned a = 0; a < 40; ++a) {
    for (unsigned b = 0; b < a; ++b) {
      skin.push_back({static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), 0, 0, 128, 127, 0, 0});
    }
  }
  auto source = skinned(1000, skin);  // 780 pairs
  mdx::GeosetAnimation animation;
  animation.geoset_id = 0;
  add(source, FourCC{"GEOA"}, test::list_of<mdx::GeosetAnimation>({animation}));
  const auto classic = converted(source, 800);
  EXPECT_TRUE(has_loss(classic, codes::kConvertSplit));
  const auto geosets = classic.document.all<mdx::Geosets>();
  EXPECT_GE(geosets.size(), 4U);
  EXPECT_EQ(classic.source_geosets, std::vector<std::size_t>(geosets.size(), 0));
  EXPECT_EQ(classic.document.all<mdx::GeosetAnimations>().size(), geosets.size());
  for (const auto* geoset : geosets) {
    EXPECT_LE(geoset->matrix_groups.size(), 256U);
  }
  test::expect_same_play(source, classic, "780 pairs of bones");
}

TEST(ConvertVersions, EachPartHasAsManyGroupsAsThereAreNumbers) {
  for (const std::size_t pairs : {256U, 257U, 512U, 513U}) {
    std::vector<std::array<std::uint8_t, 8>> skin;
    for (unsigned a = 0; a < 40; ++a) {
      for (unsigned b = 0; b < a && skin.size() < 3 * pairs; ++b) {
        // One triangle, one group.
        const auto bone = [](unsigned number) { return static_cast<std::uint8_t>(number); };
        skin.insert(skin.end(), 3, {bone(a), bone(b), 0, 0, 128, 127, 0, 0});
      }
    }
    const auto classic = converted(skinned(1000, skin), 800);
    EXPECT_EQ(classic.document.all<mdx::Geosets>().size(), (pairs + 255) / 256) << pairs;
  }
}

/// A geoset that is divided into more than 180 parts: few vertices, whose triangles come again and again.
mdx::Document much_divided() {
  std::vector<std::array<std::uint8_t, 8>> skin;
  for (unsigned a = 0; a < 40; ++a) {
    for (unsigned b = 0; b < a; ++b) {
      skin.push_back({static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), 0, 0, 128, 127, 0, 0});
    }
  }
  auto source = skinned(1000, skin);
  auto& geoset = source.find<mdx::Geosets>()->items.front();
  const auto once = geoset.indices;
  for (int i = 1; i < 60; ++i) {
    geoset.indices.insert(geoset.indices.end(), once.begin(), once.end());
  }
  geoset.primitive_counts = {static_cast<std::uint32_t>(geoset.indices.size())};
  return source;
}

TEST(ConvertVersions, PartsRepeatOnlySoMuch) {
  const auto error_of = [](const mdx::Document& document) {
    mdx::ConversionOptions options;
    options.moments = 1;
    const auto conversion = mdx::convert_version(document, 800, options);
    return conversion ? std::to_string(conversion->document.all<mdx::Geosets>().size()) + " geosets"
                      : std::string(conversion.error().code.id);
  };
  EXPECT_EQ(error_of(much_divided()), "184 geosets");

  auto extents = much_divided();
  extents.find<mdx::Geosets>()->items.front().sequence_extents.resize(60000);
  EXPECT_EQ(error_of(extents), "input.too-large");

  auto sets = much_divided();
  sets.find<mdx::Geosets>()->items.front().uv_sets.resize(100000);
  EXPECT_EQ(error_of(sets), "input.too-large");

  auto animated = much_divided();
  mdx::GeosetAnimation animation;
  animation.geoset_id = 0;
  auto& track = animation.tracks.emplace_back();
  track.tag = FourCC{"KGAO"};
  track.interpolation = mdx::Interpolation::linear;
  track.words.resize(500000);
  add(animated, FourCC{"GEOA"}, test::list_of<mdx::GeosetAnimation>({animation}));
  EXPECT_EQ(error_of(animated), "input.too-large");
}

TEST(ConvertVersions, PartsAreKnownWhereTheirGeosetWas) {
  auto source = much_divided();
  source.find<mdx::Geosets>()->items.front().sequence_extents.resize(3);
  add(source, FourCC{"GEOA"}, test::list_of<mdx::GeosetAnimation>({{}, {}}));
  source.find<mdx::GeosetAnimations>()->items[0].geoset_id = 0;
  const auto classic = mdx::convert_version(source, 800);
  ASSERT_TRUE(classic);
  const auto geosets = classic->document.all<mdx::Geosets>();
  const auto animations = classic->document.all<mdx::GeosetAnimations>();
  ASSERT_EQ(animations.size(), geosets.size() + 1);
  for (std::size_t i = 0; i < geosets.size(); ++i) {
    EXPECT_EQ(geosets[i]->sequence_extents.size(), 3U);
    EXPECT_EQ(animations[i == 0 ? 0 : i + 1]->geoset_id, static_cast<std::int32_t>(i));
  }
}

TEST(ConvertVersions, WideIndicesDoNotFitIntoBytes) {
  auto document =
      skinned(1000, {{1, 0, 0, 0, 255, 0, 0, 0}, {1, 0, 0, 0, 255, 0, 0, 0}, {1, 0, 0, 0, 255, 0, 0, 0}});
  auto wide = converted(document, 1800);
  auto& geoset = wide.document.find<mdx::Geosets>()->items.front();
  ASSERT_TRUE(geoset.wide_skin);
  EXPECT_TRUE(converted(wide.document, 1200).document.all<mdx::Geosets>().front()->skin);
  auto& bones = wide.document.find<mdx::Bones>()->items;
  bones.back().node.object_id = 300;
  geoset.wide_skin->at(0) = {300, 0, 0, 0, 255, 0, 0, 0};
  const auto narrow = converted(wide.document, 1200);
  EXPECT_FALSE(narrow.document.all<mdx::Geosets>().front()->skin);
  EXPECT_EQ(narrow.document.all<mdx::Geosets>().front()->matrix_indices, (Array<std::uint32_t>{300, 1}));
  test::expect_same_play(wide.document, narrow, "a bone beyond 255");
}

// --- levels of detail, lights, cameras, chunks

TEST(ConvertVersions, OnlyTheFinestLevelOfDetailStays) {
  auto document = of_version(1000);
  mdx::Geoset coarse;
  coarse.lod = 2;
  mdx::Geoset fine;
  mdx::GeosetAnimation animation;
  animation.geoset_id = 1;
  add(document, FourCC{"MTLS"}, test::list_of<mdx::Material>({{}}));
  add(document, FourCC{"GEOS"}, test::list_of<mdx::Geoset>({coarse, fine}));
  add(document, FourCC{"GEOA"}, test::list_of<mdx::GeosetAnimation>({animation}));
  const auto classic = converted(document, 800);
  EXPECT_TRUE(has_loss(classic, codes::kConvertLod));
  EXPECT_EQ(classic.document.all<mdx::Geosets>().size(), 1U);
  EXPECT_EQ(classic.source_geosets, std::vector<std::size_t>{1});
  EXPECT_EQ(classic.document.all<mdx::GeosetAnimations>().front()->geoset_id, 0);
}

TEST(ConvertVersions, LightsGetAndLoseTheirFields) {
  auto document = of_version(800);
  mdx::Light light;
  light.node = test::make_node("Lamp", 0);
  add(document, FourCC{"LITE"}, test::list_of<mdx::Light>({light}));
  add(document, FourCC{"PIVT"}, test::make_pivots({{0, 0, 0}}));
  auto newer = converted(document, 1800);
  EXPECT_TRUE(newer.losses.empty());
  auto& lamp = newer.document.find<mdx::Lights>()->items.front();
  EXPECT_EQ(lamp.quadratic_falloff, 0.0005F);
  EXPECT_EQ(lamp.shadow_intensity, 0.4F);
  EXPECT_TRUE(converted(newer.document, 800).losses.empty());
  lamp.damping = 3;
  lamp.tracks.push_back(test::make_track("KLSS", mdx::Interpolation::linear, {{0, {1}}}));
  const auto older = converted(newer.document, 1200);
  EXPECT_TRUE(has_loss(older, codes::kConvertField));
  EXPECT_TRUE(has_loss(older, codes::kConvertTrack));
  EXPECT_EQ(older.losses.size(), 2U) << test::codes_of(older);

  // What each version is the first to have.
  lamp.damping = 0.00001F;
  lamp.shadow_casting = 1;
  lamp.tracks = {test::make_track("KLSS", mdx::Interpolation::linear, {{0, {1}}}),
                 test::make_track("KLSE", mdx::Interpolation::linear, {{0, {1}}})};
  EXPECT_TRUE(converted(newer.document, 1300).losses.empty());
  const auto without = converted(newer.document, 1200);
  EXPECT_EQ(without.losses.size(), 3U) << test::codes_of(without);
  EXPECT_TRUE(without.document.find<mdx::Lights>()->items.front().tracks.empty());
}

TEST(ConvertVersions, EffectsLeaveTheirPlaceToAHelper) {
  auto document = of_version(1000);
  add(document, FourCC{"BONE"}, test::list_of<mdx::Bone>({test::make_bone("Child", 0, 1)}));
  mdx::PopcornEmitter emitter;
  emitter.node = test::make_node("Smoke", 1);
  add(document, FourCC{"CORN"}, test::list_of<mdx::PopcornEmitter>({emitter}));
  add(document, FourCC{"PIVT"}, test::make_pivots({{0, 0, 0}, {0, 0, 0}}));
  add(document, FourCC{"FAFX"}, test::list_of<mdx::FaceEffect>({mdx::FaceEffect{}}));
  const auto classic = converted(document, 800);
  EXPECT_TRUE(has_loss(classic, codes::kConvertEffect));
  EXPECT_TRUE(has_loss(classic, codes::kConvertChunk));
  EXPECT_EQ(classic.document.find<mdx::PopcornEmitters>(), nullptr);
  ASSERT_EQ(classic.document.all<mdx::Helpers>().size(), 1U);
  EXPECT_EQ(classic.document.all<mdx::Helpers>().front()->node.object_id, 1);
}

TEST(ConvertVersions, OlderClientsKnowNoCameraVariant) {
  auto document = of_version(1800);
  mdx::Camera camera;
  camera.variant = 3;
  camera.tracks.push_back(test::make_track("IDUF", mdx::Interpolation::linear, {{0, {1}}}));
  add(document, FourCC{"CAMS"}, test::list_of<mdx::Camera>({camera}));
  add(document, FourCC{"DILG"}, mdx::PickGeosets{{0}});
  EXPECT_TRUE(converted(document, 1600).losses.empty());
  const auto older = converted(document, 1200);
  EXPECT_EQ(older.document.all<mdx::Cameras>().front()->variant, 0);
  EXPECT_EQ(older.losses.size(), 3U) << test::codes_of(older);
}

TEST(ConvertVersions, BindPosesStandAtThePivots) {
  auto document = of_version(800);
  add(document, FourCC{"BONE"}, test::list_of<mdx::Bone>({test::make_bone("Bone", 0)}));
  add(document, FourCC{"PIVT"}, test::make_pivots({{1, 2, 3}}));
  const auto newer = converted(document, 900);
  const auto* poses = newer.document.find<mdx::BindPoses>();
  ASSERT_NE(poses, nullptr);
  ASSERT_EQ(poses->poses.size(), 1U);
  EXPECT_EQ(poses->poses[0], (mdx::BindPose{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3}));
  auto without = newer.document;
  std::erase_if(without.chunks, [](const mdx::Chunk& chunk) { return chunk.tag == FourCC{"BPOS"}; });
  EXPECT_EQ(converted(without, 1000).document.find<mdx::BindPoses>(), nullptr) << "it did without before";
}

// --- what cannot be

TEST(ConvertVersions, OnlyKnownVersions) {
  for (const std::uint32_t target : {0U, 700U, 801U, 1500U, 2000U}) {
    const auto conversion = mdx::convert_version(of_version(800), target);
    ASSERT_FALSE(conversion);
    EXPECT_EQ(conversion.error().code, codes::kConvertVersion);
  }
}

TEST(ConvertVersions, ChunksThatCouldNotBeReadAreRefused) {
  auto document = of_version(800);
  add(document, FourCC{"GEOS"}, mdx::Geosets{});
  document.chunks.back().remainder.bytes.assign(9, 7);
  document.chunks.back().remainder.state = Remainder::State::replaces_fields;
  const auto conversion = mdx::convert_version(document, 1000);
  ASSERT_FALSE(conversion);
  EXPECT_EQ(conversion.error().code, codes::kConvertDamaged);
  EXPECT_TRUE(mdx::convert_version(document, 800)) << "nothing to do";
}

/// What no reader gives: a chunk whose tag is that of another. It does not read as it was written.
TEST(ConvertVersions, WhatReadsAsSomethingElseIsNoResult) {
  Diagnostics findings;
  auto document = mdx::read(test::load(test::samples_dir() / "everything_v1800.mdx"), {}, findings);
  ASSERT_TRUE(document);
  ASSERT_TRUE(mdx::write_verified(*document));
  for (auto& chunk : document->chunks) {
    if (std::holds_alternative<mdx::Textures>(chunk.body)) {
      chunk.tag = FourCC{"PIVT"};
    }
  }
  const auto verified = mdx::write_verified(*document);
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().code.id, codes::kConvertVerify.id);
  EXPECT_FALSE(verified.error().path.empty());
  EXPECT_FALSE(verified.error().message.empty());
}

/// Eight bytes anywhere: nearly every model still converts, and what it becomes reads again.
TEST(ConvertVersions, MutatedModels) {
  const Bytes good = test::load(test::samples_dir() / "everything_v1800.mdx");
  std::uint32_t state = 12345;
  const auto next = [&] { return state = state * 1664525U + 1013904223U; };
  std::size_t tried = 0;
  std::size_t converted = 0;
  for (std::size_t round = 0; round < 150; round += test::one_in()) {
    Bytes bytes = good;
    for (int i = 0; i < 8; ++i) {
      bytes[4 + (next() >> 8U) % (bytes.size() - 4)] = static_cast<std::uint8_t>(next() >> 24U);
    }
    Diagnostics findings;
    const auto document = mdx::read(bytes, {}, findings);
    for (const std::uint32_t target : mdx::kTargetVersions) {
      const auto conversion =
          document ? mdx::convert_version(*document, target) : fail(codes::kTruncated, "");
      ++tried;
      if (conversion) {
        ++converted;
        const auto verified = mdx::write_verified(conversion->document);
        EXPECT_TRUE(verified) << round << " to " << target << ": "
                              << (verified ? "" : verified.error().message + verified.error().path);
      }
    }
  }
  EXPECT_GE(converted * 10, tried * 9) << converted << " of " << tried << "; of 1,350 it was all";
}

}  // namespace
}  // namespace thaw
