#include <gtest/gtest.h>
#include <thaw/mrf.hpp>
#include <thaw/sources.hpp>

#include "support/paths.hpp"

namespace thaw::mrf {
namespace {

using test::corpus_dir;

/// Two frames of one triangle, laid out as the game's files are.
Document triangle() {
  Document document;
  document.header.frame_duration = 0.5F;
  constexpr std::string_view kPath = "Textures\\Cape.blp";
  document.texture_path.assign(kPath.begin(), kPath.end());
  document.texture_path.push_back('\0');
  document.indices = {0, 1, 2};
  document.uvs = {{0, 0}, {1, 0}, {0, 1}};
  document.frames.resize(2);
  for (float shift = 0; auto& frame : document.frames) {
    frame.vertices = {{shift, 0, 0, 0, 0, 1}, {1, shift, 0, 0, 0, 1}, {0, 1, shift, 0, 0, 1}};
    shift += 2;
  }
  lay_out(document);
  return document;
}

TEST(Mrf, ALaidOutDocumentReadsBack) {
  const Document document = triangle();
  const Bytes bytes = write(document);
  EXPECT_EQ(bytes.size() % 16, 0U);
  EXPECT_EQ(document.header.texture_offset, 96U);
  Diagnostics diagnostics;
  const auto again = read(bytes, {}, diagnostics);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, document);
  EXPECT_EQ(again->texture_stem(), "Textures\\Cape");
  EXPECT_EQ(again->frames[1].vertices[2][2], 2.0F);
}

TEST(Mrf, EveryCutIsAnErrorOrExact) {
  const Bytes bytes = write(triangle());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Diagnostics diagnostics;
    const auto document = read(ByteView(bytes).first(size), {}, diagnostics);
    if (document) {
      EXPECT_EQ(write(*document), Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    } else {
      EXPECT_FALSE(document.error().path.empty());
    }
  }
}

TEST(Mrf, EveryHeaderWordMayBeAnything) {
  const Bytes bytes = write(triangle());
  for (std::size_t at = 0; at < 96; at += 4) {
    for (const std::uint32_t word : {0U, 1U, 95U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
      Bytes patched = bytes;
      std::memcpy(patched.data() + at, &word, sizeof word);
      Diagnostics diagnostics;
      const auto document = read(patched, {}, diagnostics);
      if (document) {
        EXPECT_EQ(write(*document), patched) << at << ' ' << word;
      }
    }
  }
}

TEST(Mrf, PlaybackFollowsTheGame) {
  Header header;
  header.frame_count = 5;
  header.frame_duration = 0.25F;
  EXPECT_EQ(playback(header), Playback::plays);
  EXPECT_EQ(moment_at(header, 0.375F), (Moment{1, 2, 0.5F}));
  EXPECT_EQ(moment_at(header, 9), (Moment{4, 4, 0})) << "the last frame stays";
  header.elapsed = -0.5F;
  EXPECT_EQ(moment_at(header, 0.25F), (Moment{0, 0, 0})) << "a negative start delays";
  EXPECT_EQ(moment_at(header, 0.75F), (Moment{1, 2, 0}));
  header.elapsed = 0.5F;
  EXPECT_EQ(moment_at(header, 0.25F), (Moment{3, 4, 0}));
  header.elapsed = 1.25F;
  EXPECT_EQ(playback(header), Playback::last_frame);
  EXPECT_EQ(moment_at(header, 0), (Moment{4, 4, 0}));
  header.elapsed = 0;
  header.frame_duration = -1;
  EXPECT_EQ(playback(header), Playback::last_frame);
  header.frame_duration = 0;
  EXPECT_EQ(playback(header), Playback::nothing);
}

TEST(Mrf, RealFilesWriteBackExactly) {
  THAW_REQUIRE_CORPUS("wc3/warcraft_mrf_blender");
  int found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus_dir() / "wc3")) {
    if (entry.path().extension() != ".mrf") {
      continue;
    }
    ++found;
    const auto bytes = read_file(entry.path(), {});
    ASSERT_TRUE(bytes);
    Diagnostics diagnostics;
    const auto document = read(*bytes, {}, diagnostics);
    ASSERT_TRUE(document) << document.error().message;
    EXPECT_EQ(write(*document), *bytes);
    EXPECT_EQ(document->header.vertex_count, 289U);
    EXPECT_EQ(document->indices.size(), 1536U);
    EXPECT_FLOAT_EQ(document->header.frame_duration, 1.0F / 30);
    // Both samples state the size of the file behind their frame offsets, and pad the rest with zeros.
    ASSERT_FALSE(document->gaps.empty());
    std::uint32_t size = 0;
    std::memcpy(&size, document->gaps.front().bytes.data(), sizeof size);
    EXPECT_EQ(size, bytes->size());
  }
  EXPECT_EQ(found, 2);
}

}  // namespace
}  // namespace thaw::mrf
