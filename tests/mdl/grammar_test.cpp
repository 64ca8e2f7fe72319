// The blocks of MDL, in both dialects and in the spellings that are met in the wild.
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>

#include <gtest/gtest.h>

namespace thaw::mdl {
namespace {

constexpr std::string_view kVersion800 = "Version { FormatVersion 800, }\n";

mdx::Document read_text(const std::string& text, std::size_t findings = 0) {
  Diagnostics diagnostics;
  auto document = read({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, {}, diagnostics);
  EXPECT_TRUE(document) << (document ? "" : document.error().message);
  EXPECT_EQ(diagnostics.items().size(), findings)
      << text << (diagnostics.items().empty() ? "" : diagnostics.items()[0].message);
  return document ? std::move(*document) : mdx::Document();
}

mdx::Document read_800(const std::string& text, std::size_t findings = 0) {
  return read_text(std::string(kVersion800) + text, findings);
}

template <class Body>
const typename Body::Item& only(const mdx::Document& document) {
  static const typename Body::Item kNone{};
  const auto items = document.all<Body>();
  EXPECT_EQ(items.size(), 1U);
  return items.size() == 1 ? *items[0] : kNone;
}

TEST(MdlGrammar, SequencesAndTheirDefaults) {
  const auto document = read_800(
      "Sequences 1 { Anim \"Stand - 1\" { Interval { 0000, 6000 }, NonLooping, MoveSpeed 1.5, Rarity 2, "
      "SyncPoint 3, MinimumExtent { -1, -2, -3 }, BoundsRadius 9 } }");
  const auto& sequence = only<mdx::Sequences>(document);
  EXPECT_EQ(sequence.name.view(), "Stand - 1");
  EXPECT_EQ(sequence.end, 6000U);
  EXPECT_EQ(sequence.flags, 1U);
  EXPECT_EQ(sequence.move_speed, 1.5F);
  EXPECT_EQ(sequence.sync_point, 3U);
  EXPECT_EQ(sequence.extent.minimum, (Vec3{-1, -2, -3}));
  EXPECT_EQ(sequence.extent.maximum, Vec3{});
}

TEST(MdlGrammar, NodesOfBothDialects) {
  using namespace mdx::node_flag;
  const auto document = read_800(
      "Bone \"a\" { ObjectId 0, DontInherit { Translation, Rotation }, BillboardLockZ, GeosetId Multiple, "
      "GeosetAnimId None, Translation 2 { Hermite, GlobalSeqId 1, -5: { 1, 2, 3 }, InTan { 4, 5, 6 }, "
      "OutTan { 7, 8, 9 }, 7: {1 2 3} InTan {0,0,0} OutTan {0,0,0} } }"
      "Helper \"b\" { ObjectId 1 Parent 0 DontInheritScaling CameraAnchored }");
  const auto& bone = only<mdx::Bones>(document);
  EXPECT_EQ(bone.node.flags, kBone | kDontInheritTranslation | kDontInheritRotation | kBillboardedLockZ);
  EXPECT_EQ(bone.geoset_id, -1);
  ASSERT_EQ(bone.node.tracks.size(), 1U);
  const auto& track = bone.node.tracks[0];
  EXPECT_EQ(track.size(), 2U);
  EXPECT_EQ(track.frame(0), -5);
  EXPECT_EQ(track.global_sequence, 1);
  EXPECT_EQ(track.value(0, 2)[0], 7.0F);
  const auto& helper = only<mdx::Helpers>(document);
  EXPECT_EQ(helper.node.parent_id, 0);
  EXPECT_EQ(helper.node.flags, kDontInheritScaling | kCameraAnchored);
}

TEST(MdlGrammar, StaticColoursStandBackwardsAndKeyedOnesDoNot) {
  const auto document = read_800(
      "GeosetAnim { static Alpha 0.5, static Color { 0, 0.25, 1 }, GeosetId 3, }"
      "Light \"l\" { ObjectId 0, Ambient, Color 1 { DontInterp, 0: { 1, 2, 3 }, } static AmbColor { 3, 2, 1 "
      "} }");
  const auto& animation = only<mdx::GeosetAnimations>(document);
  EXPECT_EQ(animation.color, (Vec3{1, 0.25F, 0}));
  EXPECT_EQ(animation.flags, mdx::GeosetAnimation::kUseColor);
  const auto& light = only<mdx::Lights>(document);
  EXPECT_EQ(light.type, 2U);
  EXPECT_EQ(light.tracks[0].value(0), (Vec4{1, 2, 3, 0}));
  EXPECT_EQ(light.ambient_color, (Vec3{1, 2, 3}));
}

TEST(MdlGrammar, GeosetsWithUvSetsAndFaceGroups) {
  const auto document = read_800(
      "Geoset { Vertices 2 { {1,2,3}, { 4, 5, 6, }, } TVertices 1 { {0, 1} } TVertices 1 { { 0.5, 0.25 } }\n"
      "VertexGroup { 0, 1 } Faces 3 7 { Triangles { { 0, 1, 0 }, { 1, 0, 1 } } Lines { { 1 } } }\n"
      "Groups 2 3 { Matrices { 0 }, Matrices { 1, 2 } } Anim { BoundsRadius 3 } Anim { } MaterialID 4, "
      "Unselectable }");
  const auto& geoset = only<mdx::Geosets>(document);
  EXPECT_EQ(geoset.positions[1], (Vec3{4, 5, 6}));
  ASSERT_EQ(geoset.uv_sets.size(), 2U);
  EXPECT_EQ(geoset.uv_sets[1].coordinates[0], (Vec2{0.5F, 0.25F}));
  EXPECT_EQ(geoset.primitive_counts, (Array<std::uint32_t>{3, 3, 1}));
  EXPECT_EQ(geoset.primitive_types[2], mdx::PrimitiveType::lines);
  EXPECT_EQ(geoset.matrix_groups, (Array<std::uint32_t>{1, 2}));
  EXPECT_EQ(geoset.matrix_indices, (Array<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(geoset.sequence_extents.size(), 2U);
  EXPECT_EQ(geoset.selection_flags, mdx::Geoset::kUnselectable);
}

TEST(MdlGrammar, SkinWeightsWithAndWithoutBraces) {
  const auto document = read_text(
      "Version { FormatVersion 1000, } Geoset { SkinWeights 2 { 1, 2, 3, 4, 255, 0, 0, 0,\n"
      "{ 5, 6, 7, 8, 128, 127, 0, 0 }, } Tangents 1 { { 1, 0, 0, -1 } } LevelOfDetail 1, Name \"lod\" }");
  const auto& geoset = only<mdx::Geosets>(document);
  ASSERT_TRUE(geoset.skin && geoset.tangents);
  EXPECT_EQ((*geoset.skin)[1][5], 127);
  EXPECT_EQ((*geoset.tangents)[0][3], -1.0F);
  EXPECT_EQ(geoset.lod_name.view(), "lod");
  const auto wide =
      read_text("Version { FormatVersion 1400 } Geoset { SkinWeights { 300 0 0 0 255 0 0 0 } }");
  EXPECT_EQ((*only<mdx::Geosets>(wide).wide_skin)[0][0], 300);
}

TEST(MdlGrammar, LayersFrom1100InBothDialects) {
  const auto engine = read_text(
      "Version { FormatVersion 1200 } Materials 1 { Material { Layer { FilterMode Transparent, "
      "Shader \"Shader_HD_DefaultUnit\", static TextureID 4 <= 0, static TextureID 5 <= 2, "
      "TextureID 1 { DontInterp, 0: 7, } } } }");
  const auto& layer = only<mdx::Materials>(engine).layers.at(0);
  EXPECT_EQ(layer.shader_id, 1U);
  ASSERT_EQ(layer.slots.size(), 3U);
  EXPECT_EQ(layer.slots[1].slot, 2U);
  EXPECT_EQ(layer.slots[2].slot, 3U) << "an animated slot follows the one before it";
  EXPECT_EQ(layer.slots[2].flipbook->integer(0), 7);
  const auto community = read_text(
      "Version { FormatVersion 1200 } Materials 1 { Material { Layer { FilterMode None, ShaderTypeId 1, "
      "static TextureID 4, static ORMTextureID 5, NormalTextureID 1 { Linear, 3: 2 } } } }");
  const auto& other = only<mdx::Materials>(community).layers.at(0);
  ASSERT_EQ(other.slots.size(), 3U);
  EXPECT_EQ(other.slots[1].slot, 2U);
  EXPECT_EQ(other.slots[2].slot, 1U);
  EXPECT_TRUE(other.slots[2].flipbook);
}

TEST(MdlGrammar, SixTexturesOfAnOlderLayerAreSixLayers) {
  const auto document = read_text(
      "Version { FormatVersion 900 } Materials 1 { Material { Shader \"Shader_HD_DefaultUnit\", Layer { "
      "FilterMode Blend, static TextureID 9 <= 0, static TextureID 8 <= 1, static TextureID 7 <= 5 } } }");
  const auto& material = only<mdx::Materials>(document);
  ASSERT_EQ(material.layers.size(), 6U);
  EXPECT_EQ(material.layers[0].texture_id, 9);
  EXPECT_EQ(material.layers[0].filter_mode, mdx::FilterMode::blend);
  EXPECT_EQ(material.layers[5].texture_id, 7);
}

TEST(MdlGrammar, EmittersFlatAndInParticle) {
  for (const auto* text :
       {"ParticleEmitter \"p\" { ObjectId 0, EmitterUsesMdl, Particle { static LifeSpan 2, "
        "InitVelocity 1 { Linear, 0: 3 } Path \"a.mdl\", } }",
        "ParticleEmitter \"p\" { ObjectId 0, EmitterUsesMDL, static LifeSpan 2, "
        "InitVelocity 1 { Linear, 0: 3 } Path \"a.mdl\", }"}) {
    const auto document = read_800(text);
    const auto& emitter = only<mdx::ParticleEmitters>(document);
    EXPECT_EQ(emitter.life_span, 2.0F);
    EXPECT_EQ(emitter.path.view(), "a.mdl");
    EXPECT_EQ(emitter.tracks.size(), 1U);
    EXPECT_EQ(emitter.node.flags, mdx::node_flag::kEmitter | mdx::node_flag::kPremUsesMdl);
  }
}

TEST(MdlGrammar, ParticlesWithAConstantVisibility) {
  const auto document = read_800(
      "ParticleEmitter2 \"p\" { ObjectId 0, Additive, XYQuad, Squirt, static Visibility 0.25, Both, "
      "SegmentColor { Color { 0, 0.5, 1 }, Color {1,1,1}, Color {1,1,1}, }, Alpha {255, 128, 0}, "
      "LifeSpanUVAnim { 1, 2, 3 }, TextureID 4 }");
  const auto& emitter = only<mdx::ParticleEmitters2>(document);
  EXPECT_EQ(emitter.filter, mdx::ParticleEmitter2::Filter::additive);
  EXPECT_EQ(emitter.shape, mdx::ParticleEmitter2::Shape::both);
  EXPECT_EQ(emitter.squirt, 1U);
  EXPECT_EQ(emitter.segment_colors[0], (Vec3{1, 0.5F, 0}));
  EXPECT_EQ(emitter.segment_alphas[1], 128);
  EXPECT_EQ(emitter.head_life.end, 2U);
  ASSERT_EQ(emitter.tracks.size(), 1U);
  EXPECT_EQ(emitter.tracks[0].tag, FourCC{"KP2V"});
  EXPECT_EQ(emitter.tracks[0].value(0)[0], 0.25F);
}

TEST(MdlGrammar, AFamousEditorExchangesLengthAndWidth) {
  const std::string block = "ParticleEmitter2 \"p\" { ObjectId 0, static Length 1, static Width 2, }";
  EXPECT_EQ(only<mdx::ParticleEmitters2>(read_800(block)).length, 1.0F);
  const auto exchanged = read_800("//| Generated by War3 Model Editor v1.07\n" + block);
  EXPECT_EQ(only<mdx::ParticleEmitters2>(exchanged).length, 2.0F);
  EXPECT_EQ(only<mdx::ParticleEmitters2>(exchanged).width, 1.0F);
}

TEST(MdlGrammar, CamerasEventsAndShapes) {
  const auto document = read_800(
      "Camera \"c\" { Position { 1, 2, 3 }, FieldOfView 0.75, FarClip 9, NearClip 8, FStop 4, Rotation 1 { "
      "Linear, "
      "0: { 0.5 } } Target { Position { 4, 5, 6 }, Translation 1 { DontInterp, 1: {7,8,9} } } }"
      "EventObject \"SNDxAAAA\" { ObjectId 0, EventTrack 2 { GlobalSeqId 5, 10, 20 } }"
      "CollisionShape \"s\" { ObjectId 1, Sphere, Vertices 1 { { 1, 2, 3 } } BoundsRadius 4 }");
  const auto& camera = only<mdx::Cameras>(document);
  EXPECT_EQ(camera.position, (Vec3{1, 2, 3}));
  EXPECT_EQ(camera.target, (Vec3{4, 5, 6}));
  ASSERT_NE(mdx::find_track(camera.tracks, FourCC{"PTSF"}), nullptr);
  EXPECT_EQ(mdx::find_track(camera.tracks, FourCC{"KCRL"})->value(0)[0], 0.5F);
  ASSERT_NE(mdx::find_track(camera.tracks, FourCC{"KTTR"}), nullptr);
  const auto& event = only<mdx::EventObjects>(document);
  EXPECT_EQ(event.track->global_sequence, 5);
  EXPECT_EQ(event.track->frames, (Array<std::int32_t>{10, 20}));
  EXPECT_EQ(only<mdx::CollisionShapes>(document).payload, (Array<float>{1, 2, 3, 4}));
}

TEST(MdlGrammar, TheRestOfTheBlocks) {
  const auto document = read_text(
      "Version { FormatVersion 1200 } GlobalSequences 2 { Duration 5, Duration 6 } PivotPoints 1 { {1,2,3} }"
      "TextureAnims 1 { TVertexAnim { Rotation 1 { Linear, 0: { 0, 0, 0, 1 } } } }"
      "RibbonEmitter \"r\" { ObjectId 0, static HeightAbove 2, TextureSlot 1 { DontInterp, 0: 3 }, Gravity "
      "1, "
      "EmissionRate 9, LifeSpan 1, Rows 2, Columns 4, MaterialID 5 }"
      "ParticleEmitterPopcorn \"p\" { ObjectId 1, PopcornScaling, static Color { 0.1, 0.2, 0.3 }, Path "
      "\"x.pkb\", "
      "AnimVisibilityGuide \"Always=on,\nDeath=off\" }"
      "FaceFX \"node\" { Path \"f.facefx\", } BindPose { Matrices 1 { { 1,0,0, 0,1,0, 0,0,1, 4,5,6 } } }"
      "Glider { GeosetId 3, } Glider { GeosetId 1 }");
  EXPECT_EQ(document.find<mdx::GlobalSequences>()->durations[1], 6U);
  EXPECT_EQ(only<mdx::RibbonEmitters>(document).material_id, 5);
  EXPECT_EQ(only<mdx::PopcornEmitters>(document).color, (Vec3{0.1F, 0.2F, 0.3F})) << "not reversed";
  EXPECT_EQ(only<mdx::FaceEffects>(document).target.view(), "node");
  EXPECT_EQ(document.find<mdx::BindPoses>()->poses[0][11], 6.0F);
  EXPECT_EQ(document.find<mdx::PickGeosets>()->geoset_ids, (Array<std::uint32_t>{3, 1}));
}

TEST(MdlGrammar, AVersionIsAssumedAndFound) {
  EXPECT_EQ(read_text("Model \"m\" { BlendTime 150 }", 1).version(), 800U);
  const std::string late = "Model \"Version { FormatVersion 1 }\" { } Version { FormatVersion 1100, }";
  EXPECT_EQ(read_text(late).version(), 1100U);
}

TEST(MdlGrammar, RecognisedByItsBlocks) {
  const auto is = [](std::string_view text) {
    return is_mdl({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  EXPECT_TRUE(is("\xEF\xBB\xBF// c\n Version{"));
  EXPECT_TRUE(is("Faces 1 3 { }"));
  EXPECT_TRUE(is("Bone \"x\" {"));
  EXPECT_FALSE(is("Versions {"));
  EXPECT_FALSE(is("Model of a house"));
  EXPECT_FALSE(is("MDLX"));
  EXPECT_FALSE(is(""));
}

}  // namespace
}  // namespace thaw::mdl
