// What a file is, from its content.

#include <thaw/blp.hpp>
#include <thaw/format.hpp>
#include <thaw/mdx.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace thaw {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

Bytes bytes_of(std::string_view text, std::size_t zeros = 0) {
  Bytes bytes(text.size() + zeros);
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
  if (!text.empty()) {
    std::memcpy(bytes.data(), text.data(), text.size());
  }
  return bytes;
}

Format format_of(std::string_view text, std::size_t zeros = 64) {
  return identify(bytes_of(text, zeros)).format;
}

TEST(Identify, KnowsSignatures) {
  EXPECT_EQ(format_of("MDLX"), "mdx");
  EXPECT_EQ(format_of("BLP1"), "blp1");
  EXPECT_EQ(format_of("BLP2"), "blp2");
  EXPECT_EQ(format_of("DDS "), "dds");
  EXPECT_EQ(format_of("\x89PNG\r\n\x1A\n"), "png");
  EXPECT_EQ(format_of("Morf"), "mrf");
  EXPECT_EQ(format_of("MD20"), "m2");
  EXPECT_EQ(format_of("MD21"), "m2");
  EXPECT_EQ(format_of("M3DT"), "m3");
  EXPECT_EQ(format_of("33DM"), "m3-starcraft");
  EXPECT_EQ(format_of("43DM"), "m3-starcraft");
  EXPECT_EQ(format_of("MPQ\x1A"), "mpq");
  EXPECT_EQ(format_of("HM3W"), "mpq");
  EXPECT_EQ(format_of("IDPO"), "mdl-quake");
  EXPECT_EQ(format_of("IDST"), "mdl-source");
  EXPECT_EQ(format_of("glTF"), "glb");
  EXPECT_EQ(format_of("\xFF\xD8\xFF"), "jpeg");
}

TEST(Identify, ReportsPartsOfTheWorldApart) {
  const auto name = [](std::string_view next) {
    return identify(bytes_of("REVM\x04\0\0\0\x12\0\0\0"s + std::string(next), 32));
  };
  EXPECT_EQ(name("DHPM").format, "wow-world");
  EXPECT_EQ(name("DHPM").version, 18U);
  EXPECT_EQ(name("DHPM").name, "World of Warcraft map (WDT)");
  EXPECT_EQ(name("OMOM").name, "World of Warcraft building (WMO)");
  EXPECT_EQ(name("FOAM").name, "World of Warcraft far terrain (WDL)");
}

TEST(Identify, KnowsTextFormats) {
  EXPECT_EQ(format_of("Version {\n\tFormatVersion 800,\n}", 0), "mdl");
  EXPECT_EQ(format_of("// a comment\r\n/* another */ Model \"Footman\" {", 0), "mdl");
  EXPECT_EQ(format_of("\xEF\xBB\xBFversion\n{", 0), "mdl");
  EXPECT_EQ(format_of("import x from 'y'\n", 0), "mdx-markdown");
  EXPECT_EQ(format_of("---\ntitle: a\n---\n", 0), "mdx-markdown");
  EXPECT_EQ(format_of("# Heading\n", 0), "mdx-markdown");
  for (const std::string mark : {"\xFF\xFE", ""}) {
    std::string text = mark;
    for (const char letter : std::string_view("Version {\n")) {
      text += letter;
      text += '\0';
    }
    EXPECT_EQ(format_of(text, 0), "text-utf16");
  }
  EXPECT_EQ(format_of("{ \"asset\": { \"version\": \"2.0\" } }", 0), "gltf");
  EXPECT_EQ(format_of("Versions are numbers", 0), "unknown");
  EXPECT_EQ(format_of("#include <x>\n", 0), "unknown");
  EXPECT_EQ(format_of("{ \"json\": 1 }", 0), "unknown");
  EXPECT_EQ(format_of("A title\r\n\x1APDX\0notes"sv, 8), "mdx-music");
}

TEST(Identify, KnowsTgaByHeaderOrFooter) {
  // Uncompressed, 2 × 2, 24 bits.
  const auto header = "\0\0\x02\0\0\0\0\0\0\0\0\0\x02\0\x02\0\x18\x20"sv;
  EXPECT_EQ(format_of(header, 12), "tga");
  std::string broken(header);
  broken[16] = 23;  // bits per pixel
  EXPECT_EQ(format_of(broken, 12), "unknown");
  broken += std::string(8, '\0') + "TRUEVISION-XFILE.";
  EXPECT_EQ(format_of(broken, 1), "tga");
}

TEST(Identify, ReportsEmptyFromUnknown) {
  EXPECT_EQ(format_of("", 0), "empty");
  EXPECT_EQ(format_of("", 100), "empty");
  EXPECT_EQ(format_of("\x01\x02\x03", 0), "unknown");
}

/// Morpheme's other animations: nobody has described what they hold.
TEST(Identify, ReportsByTheNameWhatTheContentDoesNot) {
  const Bytes odd = bytes_of("\x01\x02\x03", 64);
  EXPECT_EQ(identify(odd, "anims/Walk.qsa").format, "qsa");
  EXPECT_EQ(identify(odd, "WALK.DWA").format, "dwa");
  const Identity third = identify(odd, "pack.zip//a.b/walk.mba");
  EXPECT_EQ(third.format, "mba");
  EXPECT_FALSE(third.readable);
  EXPECT_NE(third.explanation.find("MBA"), std::string_view::npos);
  EXPECT_EQ(identify(odd, "walk.qsa.txt").format, "unknown");
  EXPECT_EQ(identify(odd, "folder.qsa/walk").format, "unknown");
  EXPECT_EQ(identify(odd, "walk.mdx").format, "unknown")
      << "what is known by its content is not taken by its name";
  EXPECT_EQ(identify(bytes_of("MDLX", 64), "walk.qsa").format, "mdx") << "content comes first";
}

/// Anything may end anywhere.
TEST(Identify, TakesEveryPrefix) {
  for (const auto text : {"REVM\x04\0\0\0\x12\0\0\0DHPM"sv, "MD20\0\0\x01\0"sv, "Model \"x\" {"sv,
                          "A\r\n\x1Ax\0"sv, "/* open"sv, "MDLXVERS\x04\0\0\0\x20\x03\0\0"sv}) {
    for (std::size_t size = 0; size <= text.size(); ++size) {
      EXPECT_FALSE(identify(bytes_of(text.substr(0, size))).name.empty());
    }
  }
}

TEST(Identify, DecidesTheDialectOfMdx) {
  const auto head = "MDLXVERS\x04\0\0\0\x14\x05\0\0MODL"s;  // 1300
  const Identity warcraft = identify(bytes_of(head + "\x74\x01\0\0"s, 372));
  EXPECT_EQ(warcraft.dialect, "wc3");
  EXPECT_EQ(warcraft.version, 1300U);
  EXPECT_TRUE(warcraft.readable);
  const Identity alpha = identify(bytes_of(head + "\x75\x01\0\0"s, 373));
  EXPECT_EQ(alpha.dialect, "wow-alpha");
  EXPECT_TRUE(alpha.readable);
}

TEST(Identify, EveryFormatHasItsOwnWord) {
  std::vector<std::string_view> ids;
  for (const Format format : known_formats()) {
    EXPECT_FALSE(format.explanation().empty()) << format.id();
    ids.push_back(format.id());
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(ReadAny, RefusesWithTheNameOfWhatItIs) {
  Diagnostics findings;
  const auto foreign = read_any(bytes_of("MD20", 64), {}, findings);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, codes::kFormatForeign);
  EXPECT_NE(foreign.error().message.find("M2"), std::string::npos);
  EXPECT_EQ(read_any(bytes_of("nothing"), {}, findings).error().code, codes::kFormatUnknown);
  ReadOptions options;
  options.limits.max_input_bytes = 10;
  EXPECT_EQ(read_any(bytes_of("MDLX", 64), options, findings).error().code, codes::kInputTooLarge);
}

TEST(ReadAny, SaysWhatAFileHolds) {
  mdx::Document document;
  auto& sequences = document.chunks.emplace_back();
  sequences.tag = FourCC{"SEQS"};
  auto& sequence = sequences.body.emplace<mdx::Sequences>().items.emplace_back();
  sequence.name = FixedText<80>("Stand");
  sequence.start = 500;
  sequence.end = 1750;
  sequence.flags = mdx::Sequence::kNonLooping;
  Diagnostics findings;
  const auto any = read_any(mdx::write(document), {}, findings);
  ASSERT_TRUE(any);
  EXPECT_NE(any->get_if<mdx::Document>(), nullptr);
  EXPECT_EQ(any->get_if<blp::Document>(), nullptr);
  const Facts facts = summarize(*any);
  ASSERT_EQ(facts.clips.size(), 1U);
  EXPECT_EQ(facts.clips[0].name, "Stand");
  EXPECT_DOUBLE_EQ(facts.clips[0].seconds, 1.25);
  EXPECT_FALSE(facts.clips[0].looping);
  EXPECT_FALSE(facts.picture);
}

TEST(Corpus, EveryFileIsWhatItsNameSays) {
  THAW_REQUIRE_CORPUS("wc3");
  const std::vector<std::pair<std::string, std::vector<std::string_view>>> extensions = {
      {".mdx", {"mdx"}}, {".mdl", {"mdl"}}, {".blp", {"blp1", "blp2"}}, {".dds", {"dds"}}, {".mrf", {"mrf"}},
  };
  for (const auto& [extension, formats] : extensions) {
    const auto files = test::files_below(test::corpus_dir() / "wc3", extension);
    EXPECT_FALSE(files.empty()) << extension;
    for (const auto& path : files) {
      const Format format = identify(test::load(path)).format;
      EXPECT_NE(std::find(formats.begin(), formats.end(), format.id()), formats.end())
          << path << " is " << format.id();
    }
  }
}

}  // namespace
}  // namespace thaw
