#include <gtest/gtest.h>
#include <thaw/mrf.hpp>
#include <thaw/sources.hpp>

#include "support/paths.hpp"

#include <cmath>
#include <limits>

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

/// What a word of the header or of the frame offsets does to the file of `triangle`.
enum class Effect { none, moves, refuses };

Effect effect_of(std::size_t at, std::uint32_t word) {
  Bytes patched = write(triangle());
  std::memcpy(patched.data() + at, &word, sizeof word);
  Diagnostics diagnostics;
  const auto document = read(patched, {}, diagnostics);
  if (!document) {
    return Effect::refuses;
  }
  EXPECT_EQ(write(*document), patched) << at << ' ' << word;
  const Document before = triangle();
  const bool same = document->frames == before.frames && document->indices == before.indices &&
                    document->uvs == before.uvs && document->texture_path == before.texture_path;
  return same && document->gaps == before.gaps ? Effect::none : Effect::moves;
}

TEST(Mrf, HeaderWordsThatSayNothingOfTheLayoutMayBeAnything) {
  // The magic, and all from the frame duration to the last word before the offsets.
  for (std::size_t at = 0; at < 68; at += 4) {
    if (at < 4 || at >= 16) {
      for (const std::uint32_t word : {0U, 1U, 95U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
        EXPECT_EQ(effect_of(at, word), Effect::none) << at << ' ' << word;
      }
    }
  }
}

TEST(Mrf, CountsThatTheFileCannotHoldAreRefused) {
  for (const std::size_t at : {4U, 8U, 12U}) {  // frames, vertices, indices
    EXPECT_EQ(effect_of(at, 0), Effect::moves) << at;
    EXPECT_EQ(effect_of(at, 1), Effect::moves) << at;
    for (const std::uint32_t word : {200U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
      EXPECT_EQ(effect_of(at, word), Effect::refuses) << at << ' ' << word;
    }
  }
}

TEST(Mrf, OffsetsLeadAnywhereInsideTheFile) {
  const auto size = static_cast<std::uint32_t>(write(triangle()).size());
  struct Part {
    std::size_t at;
    std::uint32_t size;
  };
  // Indices, texture coordinates, and the vertices of both frames.
  for (const Part part : {Part{72, 6}, Part{76, 24}, Part{80, 72}, Part{84, 72}}) {
    EXPECT_EQ(effect_of(part.at, 1), Effect::moves) << part.at;
    EXPECT_EQ(effect_of(part.at, size - part.size), Effect::moves) << part.at;
    EXPECT_EQ(effect_of(part.at, size - part.size + 1), Effect::refuses) << part.at;
    EXPECT_EQ(effect_of(part.at, 0xFFFFFFFFU), Effect::refuses) << part.at;
  }
  // A path has no length of its own: behind the file it is empty.
  EXPECT_EQ(effect_of(68, size - 1), Effect::moves);
}

TEST(Mrf, APathWithoutItsEndStopsAtTheNextPart) {
  Document document = triangle();
  document.texture_path.assign(16, 'x');  // as long as its place: the indices follow at once
  lay_out(document);
  ASSERT_EQ(document.header.face_offset, document.header.texture_offset + 16);
  const Bytes bytes = write(document);
  const auto again = read(bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->texture_path.size(), 16U);
  EXPECT_EQ(*again, document);
  // With the end of the file behind it, that is its end.
  Document last = triangle();
  last.header.texture_offset = static_cast<std::uint32_t>(write(last).size());
  last.texture_path.assign(5, 'y');
  const auto tail = read(write(last));
  ASSERT_TRUE(tail);
  EXPECT_EQ(std::string(tail->texture_path.begin(), tail->texture_path.end()), "yyyyy");
}

TEST(Mrf, APathEndsWithItsNul) {
  Document document = triangle();
  const std::string path(16, '\0');
  document.texture_path.assign(path.begin(), path.end());
  document.texture_path.data()[0] = 'a';
  const auto again = read(write(document));
  ASSERT_TRUE(again);
  EXPECT_EQ(std::string(again->texture_path.begin(), again->texture_path.end()), std::string("a\0", 2));
  EXPECT_EQ(again->texture_stem(), "a");
}

TEST(Mrf, ALayoutHasNoGapsButThePadding) {
  Document document = triangle();
  lay_out(document);  // for the second time
  std::uint64_t last = 0;
  for (const Gap& gap : document.gaps) {
    EXPECT_GE(gap.offset, last);
    EXPECT_FALSE(gap.bytes.empty());
    EXPECT_LT(gap.bytes.size(), 16U);
    EXPECT_EQ(gap.bytes, Bytes(gap.bytes.size(), 0));
    EXPECT_EQ((gap.offset + gap.bytes.size()) % 16, 0U);
    last = gap.offset + gap.bytes.size();
  }
  // Behind 88 bytes of header, 18 of path, 6 of indices, 24 of coordinates, and twice 72 of vertices.
  EXPECT_EQ(document.gaps.size(), 6U);
  EXPECT_EQ(document.header.face_offset, 96U + 32U);
  EXPECT_EQ(document.header.uv_offset, 96U + 32U + 16U);
  EXPECT_EQ(document.frame_offsets, (Array<std::uint32_t>{176, 256}));
}

TEST(Mrf, PlaybackFollowsTheGame) {
  Header header;
  header.frame_count = 5;
  header.frame_duration = 0.25F;
  EXPECT_EQ(playback(header), Playback::plays);
  EXPECT_EQ(frame_blend_at(header, 0.375F), (FrameBlend{1, 2, 0.5F}));
  EXPECT_EQ(frame_blend_at(header, 9), (FrameBlend{4, 4, 0})) << "the last frame stays";
  header.elapsed = -0.5F;
  EXPECT_EQ(frame_blend_at(header, 0.25F), (FrameBlend{0, 0, 0})) << "a negative start delays";
  EXPECT_EQ(frame_blend_at(header, 0.75F), (FrameBlend{1, 2, 0}));
  header.elapsed = 0.5F;
  EXPECT_EQ(frame_blend_at(header, 0.25F), (FrameBlend{3, 4, 0}));
  header.elapsed = 1.25F;
  EXPECT_EQ(playback(header), Playback::last_frame);
  EXPECT_EQ(frame_blend_at(header, 0), (FrameBlend{4, 4, 0}));
  header.elapsed = 0;
  header.frame_duration = -1;
  EXPECT_EQ(playback(header), Playback::last_frame);
  header.frame_duration = 0;
  EXPECT_EQ(playback(header), Playback::nothing);
}

TEST(Mrf, AThousandMillionSecondsAreNoTime) {
  Header header;
  header.frame_count = 2;
  header.frame_duration = 1e9F;
  EXPECT_EQ(playback(header), Playback::nothing);
  header.frame_duration = std::nextafter(1e9F, 0.0F);
  EXPECT_EQ(playback(header), Playback::plays);
  header.frame_duration = -1e9F;
  EXPECT_EQ(playback(header), Playback::nothing);
  header.frame_duration = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(playback(header), Playback::nothing);
  header.frame_duration = 1;
  header.elapsed = 1;
  EXPECT_EQ(playback(header), Playback::plays) << "at its end it has not gone past it";
  EXPECT_EQ(frame_blend_at(header, 0), (FrameBlend{1, 1, 0}));
  header.elapsed = 1.001F;
  EXPECT_EQ(playback(header), Playback::last_frame);
  header.frame_count = 0;
  EXPECT_EQ(playback(header), Playback::nothing);
  EXPECT_EQ(frame_blend_at(header, 1), (FrameBlend{0, 0, 0}));
  header.frame_count = 1;
  header.elapsed = 0;
  EXPECT_EQ(frame_blend_at(header, 5), (FrameBlend{0, 0, 0}));
  header.frame_count = 3;
  EXPECT_EQ(frame_blend_at(header, 2), (FrameBlend{2, 2, 0}));
  EXPECT_EQ(frame_blend_at(header, 1), (FrameBlend{1, 2, 0}));
  EXPECT_EQ(frame_blend_at(header, -1), (FrameBlend{0, 0, 0}));
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
