// What is wrong is told where it stands, and the rest is read.
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>

#include "mdl/text.hpp"

#include <gtest/gtest.h>

namespace thaw::mdl {
namespace {

struct Case {
  const char* text;
  Code code;
  const char* place;
  const char* path;
};

std::ostream& operator<<(std::ostream& out, const Case& value) { return out << value.text; }

class MdlErrors : public testing::TestWithParam<Case> {};

TEST_P(MdlErrors, AreReportedWithLineAndColumn) {
  const std::string text =
      std::string("Version { FormatVersion 800, }\n") + GetParam().text + "\nHelper \"end\" { }";
  Diagnostics diagnostics;
  const auto document = read(bytes_of(text), {}, diagnostics);
  ASSERT_TRUE(document);
  ASSERT_FALSE(diagnostics.items().empty());
  const Diagnostic& finding = diagnostics.items()[0];
  EXPECT_EQ(finding.code, GetParam().code) << finding.message;
  EXPECT_EQ(finding.message.find(GetParam().place), 0U) << finding.message;
  EXPECT_EQ(finding.path, GetParam().path);
  EXPECT_EQ(document->all<mdx::Helpers>().size(), 1U) << "what follows is read";
  if (finding.code.severity >= Severity::warning) {
    ReadOptions strict;
    strict.strict = true;
    Diagnostics ignored;
    const auto refused = read(bytes_of(text), strict, ignored);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, finding.message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MdlErrors,
    testing::Values(
        Case{"Foo 3 { a { b } }", codes::kMdlUnknown, "line 2, column 1: ", ""},
        Case{"Bone \"a\" {\n\tObjectId 0,\n\tFoo { 1, 2 },\n\tParent 3 }", codes::kMdlUnknown,
             "line 4, column 2: ", "Bone[0]"},
        Case{"Bone \"a\" { ObjectId x, }", codes::kMdlSyntax, "line 2, column 21: ", "Bone[0]"},
        Case{"Bone \"a\" { ObjectId 0, ObjectId 1 }", codes::kMdlDuplicate, "line 2, column 24: ", "Bone[0]"},
        Case{"Bone \"a\" {\n Translation 1 { Linear, 0: { 1, 2 }, } }", codes::kMdlSyntax,
             "line 3, column 36: ", "Bone[0]"},
        Case{"Bone \"a\" { Rotation 1 { Cubic, } }", codes::kMdlUnknown, "line 2, column 25: ", "Bone[0]"},
        Case{"Geoset {\n  Vertices 1 {\n    { 1, 2, y },\n  }\n}", codes::kMdlSyntax,
             "line 4, column 13: ", "Geoset[0]"},
        Case{"Geoset { VertexGroup { 256 } }", codes::kMdlValue, "line 2, column 24: ", "Geoset[0]"},
        Case{"Geoset { Vertices 3 { {1,2,3} } }", codes::kMdlCount, "line 2, column 10: ", "Geoset[0]"},
        Case{"Geoset { Tangents 0 { } }", codes::kMdlVersion, "line 2, column 10: ", "Geoset[0]"},
        Case{"Materials 1 { Material { Layer { FilterMode Foo, } } }", codes::kMdlValue,
             "line 2, column 45: ", "Materials.Material[0].Layer[0]"},
        Case{"Light \"a\" { AmbientIntensity 1 { Linear, 0: 0.25 } }", codes::kMdlValue,
             "line 2, column 13: \"AmbientIntensity\" is another tool's spelling and is read as AmbIntensity",
             "Light[0]"},
        Case{"@ Bone \"a\" { }", codes::kMdlSyntax, "line 2, column 1: ", ""},
        Case{"Textures 1 { Bitmap { Image 3, } }", codes::kMdlSyntax,
             "line 2, column 29: ", "Textures.Bitmap[0]"}));

TEST(MdlForeignWords, AreReadAsTheGamesOwn) {
  Diagnostics diagnostics;
  const auto document = read(
      bytes_of(
          "Version { FormatVersion 800 }\nLight \"l\" { AmbientIntensity 1 { Linear, 0: 0.25 } "
          "static AmbientColor { 1, 0.5, 0 } }\nParticleEmitter \"p\" { Particle { Speed 1 { Linear, 0: 7 } "
          "} }\nParticleEmitter \"q\" { static Speed 3 }"),
      {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(diagnostics.count(Severity::warning), 4U);
  const auto& light = *document->all<mdx::Lights>()[0];
  ASSERT_EQ(light.tracks.size(), 1U);
  EXPECT_EQ(light.tracks[0].tag, FourCC{"KLBI"});
  EXPECT_EQ(light.ambient_color, (Vec3{0, 0.5F, 1}));
  const auto emitters = document->all<mdx::ParticleEmitters>();
  ASSERT_EQ(emitters[0]->tracks.size(), 1U);
  EXPECT_EQ(emitters[0]->tracks[0].tag, FourCC{"KPES"});
  EXPECT_EQ(emitters[1]->speed, 3);
}

TEST(MdlErrorsOnce, AnEndInsideABlockIsReportedOnce) {
  Diagnostics diagnostics;
  const auto document =
      read(bytes_of("Version { FormatVersion 800 }\nGeoset { Vertices 2 { { 1, 2, 3 },"), {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(diagnostics.count(Severity::error), 1U);
  EXPECT_EQ(document->all<mdx::Geosets>()[0]->positions.size(), 1U);
}

TEST(MdlErrorsOnce, WhatWasMeantIsSaid) {
  struct Slip {
    const char* text;
    const char* meant;
  };
  for (const Slip& slip :
       {Slip{"Bone \"a\" { ObjectIt 0, }", "; did you mean ObjectId?"},
        Slip{"Bone \"a\" { transaltion 1 { Linear, } }", "; did you mean Translation?"},
        Slip{"Bones \"a\" { }", "; did you mean Bone?"},
        Slip{"Materials 1 { Material { Layer { FilterMod Blend, } } }", "; did you mean FilterMode?"},
        Slip{"Bone \"a\" { Unheard 0, }", ""}}) {
    Diagnostics diagnostics;
    ASSERT_TRUE(read(bytes_of(std::string("Version { FormatVersion 800 }\n") + slip.text), {}, diagnostics));
    ASSERT_FALSE(diagnostics.items().empty()) << slip.text;
    const std::string& message = diagnostics.items()[0].message;
    EXPECT_EQ(diagnostics.items()[0].code, codes::kMdlUnknown) << message;
    EXPECT_TRUE(message.ends_with(std::string("was skipped") + slip.meant)) << message;
  }
}

TEST(MdlErrorsOnce, LongNamesAreCut) {
  Diagnostics diagnostics;
  const std::string text = "Version { FormatVersion 800 } Bone \"" + std::string(100, 'n') + "\" { }";
  const auto document = read(bytes_of(text), {}, diagnostics);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->all<mdx::Bones>()[0]->node.name.view().size(), 79U);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kMdlCut);
}

}  // namespace
}  // namespace thaw::mdl
