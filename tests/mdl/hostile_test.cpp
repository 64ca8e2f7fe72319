// Any text gives a document or an error, in bounded time and memory, and any document that came of one can be
// written and comes back.
#include <thaw/mdl.hpp>
#include <thaw/mdx.hpp>

#include "mdl/text.hpp"
#include "support/effort.hpp"
#include "support/files.hpp"
#include "support/heap.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <random>

namespace thaw::mdl {
namespace {

void expect_sound(std::string_view text) {
  Diagnostics diagnostics;
  const auto document = read(bytes_of(text), {}, diagnostics);
  if (!document) {
    return;
  }
  const Bytes written = mdl::write(*document);
  Diagnostics ignored;
  const auto again = read(written, {}, ignored);
  ASSERT_TRUE(again) << text.substr(0, 2000);
  ASSERT_TRUE(mdx::write(*again) == mdx::write(*document)) << text.substr(0, 2000);
}

/// Everything that MDL has, as text.
std::string everything(unsigned version, Dialect dialect) {
  const auto path = test::samples_dir() / ("everything_v" + std::to_string(version) + ".mdx");
  Diagnostics diagnostics;
  const auto document = mdx::read(test::load(path), {}, diagnostics);
  EXPECT_TRUE(document);
  WriteOptions options;
  options.dialect = dialect;
  const Bytes text = mdl::write(*document, options);
  return {text.begin(), text.end()};
}

/// Where words, numbers and marks begin.
std::vector<std::size_t> tokens_of(const std::string& text) {
  std::vector<std::size_t> starts;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool blank = text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == ',';
    if (!blank && (!inside || text[i] == '{' || text[i] == '}')) {
      starts.push_back(i);
    }
    inside = !blank;
  }
  return starts;
}

TEST(MdlHostile, CutAtEveryToken) {
  const std::string text = everything(1800, Dialect::community);
  const auto tokens = tokens_of(text);
  const std::size_t step = std::max<std::size_t>(1, tokens.size() * test::one_in() / 400);
  for (std::size_t i = 0; i < tokens.size(); i += step) {
    expect_sound(std::string_view(text).substr(0, tokens[i]));
    expect_sound(std::string_view(text).substr(0, tokens[i] + 1));
  }
}

void mutate(unsigned version, Dialect dialect, unsigned seed) {
  const std::string text = everything(version, dialect);
  const auto tokens = tokens_of(text);
  constexpr std::array<std::string_view, 16> kWrong = {"{",
                                                       "}",
                                                       "\"",
                                                       ",",
                                                       "<=",
                                                       "static",
                                                       "nan",
                                                       "-99999999999999999999",
                                                       "4294967295",
                                                       "1e39",
                                                       "//@thaw ",
                                                       "Bytes",
                                                       "Linear",
                                                       "Bezier",
                                                       "Translation 9999999 {",
                                                       "/*"};
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < 600; i += test::one_in()) {
    std::string damaged = text;
    for (unsigned k = 0; k < 1 + random() % 3; ++k) {
      const std::size_t at = tokens[random() % tokens.size()];
      if (at < damaged.size()) {
        const std::size_t length = std::min<std::size_t>(random() % 12, damaged.size() - at);
        damaged.replace(at, length, kWrong.at(random() % kWrong.size()));
      }
    }
    expect_sound(damaged);
  }
}

TEST(MdlHostile, WrongTokensClassic) { mutate(800, Dialect::community, 1); }
TEST(MdlHostile, WrongTokensHd) { mutate(1000, Dialect::community, 2); }
TEST(MdlHostile, WrongTokensSlots) { mutate(1200, Dialect::world_editor, 3); }
TEST(MdlHostile, WrongTokensNewest) { mutate(1800, Dialect::community, 4); }

/// Empty objects, promised counts and deep braces, over and over.
TEST(MdlHostile, MemoryStaysBounded) {
  const std::size_t size = (std::size_t{2} << 20U) / test::one_in();
  for (const std::string_view unit :
       {"Geoset{}", "Bone\"\"{}", "FaceFX\"\"{}", "Geoset{TVertices 9999999{}}",
        "ParticleEmitterPopcorn\"\"{}", "{", "Materials{Material{Layer{}Layer{}}}", "Textures{Bitmap{}}",
        "Foo ", "@", "//@thaw RawChunk ", "Sequences{Anim\"\"{}Anim\"\"{}Anim\"\"{}Anim\"\"{}Anim\"\"{}}",
        "Geoset{Anim{}Anim{}Anim{}Anim{}Anim{}}", "Bone\"\"{Translation 999999999{}}", "\""}) {
    std::string text = "Version { FormatVersion 800 }\n";
    while (text.size() < size) {
      text += unit;
    }
    const test::HeapMeter meter;
    {
      Diagnostics diagnostics;
      const auto document = read(bytes_of(text), {}, diagnostics);
      EXPECT_TRUE(document || !document.error().message.empty());
    }
    EXPECT_LT(meter.peak(), 16 * size + (std::size_t{40} << 20U)) << unit;
  }
}

}  // namespace
}  // namespace thaw::mdl
