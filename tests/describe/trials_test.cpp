// Trial descriptions: the hard cases of formats to come, each cut down to the trait that could break the
// visitors. They keep the vocabulary of description.hpp honest; docs/dev/architecture.md tells what each of
// them decided.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "describe/inspection.hpp"
#include "describe/reader.hpp"
#include "describe/writer.hpp"

#include <map>
#include <sstream>

namespace thaw {
namespace {

struct NoContext {};

/// Little-endian bytes by hand: the trials must not be proven by the writer alone.
class Builder {
 public:
  template <class T>
  Builder& put(T value) {
    return append(&value, sizeof value);
  }
  Builder& text(std::string_view text) { return append(text.data(), text.size()); }
  Builder& zeros(std::size_t count) {
    bytes_.resize(bytes_.size() + count, 0);
    return *this;
  }
  Builder& align(std::size_t to) { return zeros((to - bytes_.size() % to) % to); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

 private:
  Builder& append(const void* from, std::size_t size) {
    bytes_.resize(bytes_.size() + size);
    std::memcpy(bytes_.data() + bytes_.size() - size, from, size);
    return *this;
  }

  Bytes bytes_;
};

template <class T>
struct Outcome {
  T value;
  Diagnostics diagnostics;
  std::optional<Error> failure;
};

template <class T>
Outcome<T> read(const Bytes& bytes) {
  Outcome<T> outcome;
  const ReadOptions options;
  Reader<NoContext> reader(bytes, {}, options, outcome.diagnostics);
  describe(reader, outcome.value);
  outcome.failure = reader.failure();
  return outcome;
}

template <class T>
Bytes written(const T& value) {
  return write_document(NoContext{}, [&](auto& writer) { describe(writer, value); });
}

/// Offsets of leaves by name, as the tree would show them.
class OffsetRecorder : public Inspector {
 public:
  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& leaf) override { offsets.emplace(std::string(leaf.name), leaf.offset); }
  std::map<std::string, std::uint64_t> offsets;
};

template <class T>
std::map<std::string, std::uint64_t> leaf_offsets(const T& value) {
  OffsetRecorder recorder;
  InspectionVisitor<NoContext> v(recorder, {});
  describe(v, value);
  return recorder.offsets;
}

// --- 1. Sub-chunks without headers, found by order, with offsets in the parent's header to check against
// -------------

struct TerrainChunk {
  std::uint32_t heights_at = 0;  // relative to the end of the header
  std::uint32_t normals_at = 0;
  Array<float> heights;
  Array<std::array<std::int8_t, 3>> normals;
};

constexpr std::size_t kSamples = 145;

template <class V>
void describe(V& v, As<V, TerrainChunk>& chunk) {
  v.field("ofsHeight", chunk.heights_at);
  v.field("ofsNormal", chunk.normals_at);
  v.region([&] {
    v.expect_at("ofsHeight", chunk.heights_at);
    v.bulk("heights", chunk.heights, kSamples);
    v.expect_at("ofsNormal", chunk.normals_at);
    v.bulk("normals", chunk.normals, kSamples);
  });
}

Bytes terrain_bytes(std::uint32_t stated_normals) {
  Builder bytes;
  bytes.put(std::uint32_t{0}).put(stated_normals);
  for (std::size_t i = 0; i < kSamples; ++i) {
    bytes.put(static_cast<float>(i) * 0.5F);
  }
  return bytes.zeros(kSamples * 3).bytes();
}

TEST(Trials, HeadlessSubChunksAreFoundByOrder) {
  const Bytes bytes = terrain_bytes(kSamples * 4);
  const auto outcome = read<TerrainChunk>(bytes);
  ASSERT_FALSE(outcome.failure);
  EXPECT_TRUE(outcome.diagnostics.items().empty());
  EXPECT_EQ(outcome.value.heights.back(), 72.0F);
  EXPECT_EQ(written(outcome.value), bytes);
  EXPECT_EQ(leaf_offsets(outcome.value).at("normals"), 8U + kSamples * 4);
}

TEST(Trials, HeadlessSubChunksAreCheckedAgainstTheHeader) {
  const Bytes bytes = terrain_bytes(12);
  const auto outcome = read<TerrainChunk>(bytes);
  ASSERT_EQ(outcome.diagnostics.items().size(), 1U);
  EXPECT_EQ(outcome.diagnostics.items()[0].code, codes::kOffsetMismatch);
  EXPECT_EQ(outcome.diagnostics.items()[0].path, "ofsNormal");
  EXPECT_EQ(outcome.diagnostics.items()[0].offset, 8U + kSamples * 4);
  EXPECT_EQ(written(outcome.value), bytes) << "a wrong offset is kept as it was";
}

// --- 2. A free layout behind an offset table: blocks in any order, gaps anywhere
// ------------------------------------

struct MorphFile {
  std::uint32_t vertex_count = 0;
  std::uint32_t texture_at = 0;
  Array<std::uint32_t> frames_at;
  Array<char> texture;
  std::vector<Array<Vec3>> frames;
  std::vector<Gap> gaps;
};

template <class V>
void describe(V& v, As<V, MorphFile>& file) {
  v.tag(FourCC{"Morf"});
  v.field("vertexCount", file.vertex_count);
  v.field("textureOffset", file.texture_at);
  v.counted("frameOffsets", file.frames_at);
  v.block("texture", file.texture_at, 8, [&] { v.bulk("path", file.texture, 8); });
  if constexpr (V::kReads) {
    file.frames.resize(file.frames_at.size());
  }
  for (std::size_t i = 0; i < file.frames.size(); ++i) {
    const std::uint64_t size = std::uint64_t{file.vertex_count} * sizeof(Vec3);
    v.block("frame", file.frames_at[i], size,
            [&] { v.bulk("positions", file.frames[i], file.vertex_count); });
  }
  v.gaps("padding", file.gaps);
}

Bytes morph_bytes(std::uint32_t second_frame_at) {
  Builder bytes;
  bytes.text("Morf").put(std::uint32_t{1}).put(std::uint32_t{48}).put(std::uint32_t{2});
  bytes.put(std::uint32_t{64}).put(second_frame_at);  // the first frame lies last
  bytes.text("GARBAGE!");                             // 24: claimed by nobody
  bytes.put(4.0F).put(5.0F).put(6.0F).zeros(4);       // 32: second frame and padding
  bytes.text("a\\b.blp").zeros(1).zeros(8);           // 48
  bytes.put(1.0F).put(2.0F).put(3.0F).text("tail");   // 64
  return bytes.bytes();
}

TEST(Trials, FreeLayoutKeepsOrderAndGaps) {
  const Bytes bytes = morph_bytes(32);
  const auto outcome = read<MorphFile>(bytes);
  ASSERT_FALSE(outcome.failure);
  EXPECT_EQ(outcome.value.frames[0][0], (Vec3{1, 2, 3}));
  EXPECT_EQ(outcome.value.frames[1][0], (Vec3{4, 5, 6}));
  ASSERT_EQ(outcome.value.gaps.size(), 4U) << "garbage, two paddings, tail";
  EXPECT_EQ(outcome.value.gaps[0].offset, 24U);
  EXPECT_EQ(written(outcome.value), bytes);
}

TEST(Trials, FreeLayoutSharesBlocks) {
  const Bytes bytes = morph_bytes(64);
  const auto outcome = read<MorphFile>(bytes);
  ASSERT_FALSE(outcome.failure);
  EXPECT_EQ(outcome.value.frames[0], outcome.value.frames[1]);
  EXPECT_EQ(written(outcome.value), bytes);
}

TEST(Trials, AnOffsetTableCannotMultiplyTheInput) {
  constexpr std::uint32_t kFrames = 1000;
  Builder bytes;
  bytes.text("Morf").put(std::uint32_t{300}).put(std::uint32_t{0}).put(kFrames);
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    bytes.put(std::uint32_t{16});  // all frames are the table itself
  }
  const auto outcome = read<MorphFile>(bytes.bytes());
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->code, codes::kOverlap);
}

TEST(Trials, FreeLayoutRefusesOffsetsOutside) {
  const auto outcome = read<MorphFile>(morph_bytes(0xFFFFFFF0U));
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->code, codes::kOffsetInvalid);
  EXPECT_EQ(outcome.failure->path, "frame");
}

// --- 3. A blob with offsets in dwords from its own start, inside a chunk
// --------------------------------------------

struct ShaderBlob {
  std::uint32_t total_dwords = 0;
  std::int32_t hashes_at = 0;  // dwords
  std::uint32_t hash_count = 0;
  Array<std::uint64_t> hashes;
  std::vector<Gap> gaps;
};

struct ShaderChunk {
  Remainder remainder;
  ShaderBlob blob;
  std::uint32_t after = 0;
};

template <class V>
void describe(V& v, As<V, ShaderBlob>& blob) {
  v.region([&] {
    v.tag(FourCC{"ISM3"});
    v.field("totalDwords", blob.total_dwords);
    v.field("hashOffset", blob.hashes_at);
    v.field("hashCount", blob.hash_count);
    const auto at = static_cast<std::uint64_t>(std::max(blob.hashes_at, 0)) * 4;
    v.block("hashes", at, std::uint64_t{blob.hash_count} * 8,
            [&] { v.bulk("hashes", blob.hashes, blob.hash_count); });
    v.gaps("padding", blob.gaps);
  });
}

template <class V>
void describe(V& v, As<V, ShaderChunk>& chunk) {
  v.sized(chunk.remainder, 4, [&] { v.object("blob", chunk.blob); });
  v.field("behind", chunk.after);
}

TEST(Trials, OffsetsInDwordsCountFromTheBlob) {
  Builder bytes;
  bytes.put(std::uint32_t{4 + 16 + 4 + 16}).text("ISM3").put(std::uint32_t{9}).put(std::int32_t{5});
  bytes.put(std::uint32_t{2}).put(std::uint32_t{0xDEADBEEF});
  bytes.put(std::uint64_t{7}).put(std::uint64_t{8}).put(std::uint32_t{42});
  const auto outcome = read<ShaderChunk>(bytes.bytes());
  ASSERT_FALSE(outcome.failure);
  EXPECT_TRUE(outcome.diagnostics.items().empty());
  EXPECT_EQ(outcome.value.blob.hashes, (Array<std::uint64_t>{7, 8}));
  EXPECT_EQ(outcome.value.after, 42U) << "what follows the region is read behind it";
  EXPECT_EQ(written(outcome.value), bytes.bytes());
  EXPECT_EQ(leaf_offsets(outcome.value).at("hashes"), 4U + 20U) << "offsets of the tree are absolute";
  EXPECT_EQ(leaf_offsets(outcome.value).at("behind"), 40U);
}

TEST(Trials, ABlobCannotReachIntoTheNextChunk) {
  Builder bytes;
  bytes.put(std::uint32_t{20}).text("ISM3").put(std::uint32_t{9}).put(std::int32_t{4}).put(std::uint32_t{1});
  bytes.put(std::uint32_t{1}).put(std::uint32_t{2}).put(std::uint32_t{3});
  const auto outcome = read<ShaderChunk>(bytes.bytes());
  ASSERT_FALSE(outcome.failure) << "the chunk keeps its damage to itself";
  ASSERT_EQ(outcome.diagnostics.items().size(), 1U);
  EXPECT_EQ(outcome.diagnostics.items()[0].code, codes::kOffsetInvalid);
  EXPECT_TRUE(outcome.value.remainder.replaces_fields());
  EXPECT_EQ(outcome.value.after, 1U);
}

// --- 4. Nested pointers, each relative to the structure that holds it, null for absent
// ------------------------------

struct Segment {
  std::uint32_t count = 0;
  std::uint64_t values_at = 0;  // from this segment
  Array<std::uint16_t> values;
};

struct ClipFile {
  std::uint64_t static_at = 0;   // from the file
  std::uint64_t dynamic_at = 0;  // null for a pure pose
  std::optional<Segment> still;
  std::optional<Segment> moving;
  std::vector<Gap> gaps;
};

constexpr std::uint64_t kSegmentSize = 12;

template <class V>
void describe(V& v, As<V, Segment>& segment) {
  const std::uint64_t base = v.offset();
  v.field("count", segment.count);
  v.field("values", segment.values_at);
  if (segment.values_at != 0) {
    v.block("values", base + segment.values_at, std::uint64_t{segment.count} * 2,
            [&] { v.bulk("values", segment.values, segment.count); });
  }
}

template <class V, class OptionalSegment>
void describe_pointee(V& v, const char* name, std::uint64_t at, OptionalSegment& segment) {
  if (at == 0) {
    return;
  }
  if constexpr (V::kReads) {
    segment.emplace();
  }
  v.block(name, at, kSegmentSize, [&] { describe(v, *segment); });
}

template <class V>
void describe(V& v, As<V, ClipFile>& file) {
  v.field("static", file.static_at);
  v.field("dynamic", file.dynamic_at);
  describe_pointee(v, "static", file.static_at, file.still);
  describe_pointee(v, "dynamic", file.dynamic_at, file.moving);
  v.gaps("padding", file.gaps);
}

Builder clip_header(std::uint64_t still, std::uint64_t moving) {
  Builder bytes;
  bytes.put(still).put(moving);
  return bytes;
}

TEST(Trials, NestedPointersAreRelativeToTheirHolder) {
  Builder bytes = clip_header(40, 20);
  bytes.zeros(4);                                                 // 16
  bytes.put(std::uint32_t{1}).put(std::uint64_t{16});             // 20: dynamic, values at 36
  bytes.zeros(4).put(std::uint16_t{9}).zeros(2);                  // 32, 36
  bytes.put(std::uint32_t{2}).put(std::uint64_t{12});             // 40: static, values at 52
  bytes.put(std::uint16_t{3}).put(std::uint16_t{4}).text("end");  // 52
  const auto outcome = read<ClipFile>(bytes.bytes());
  ASSERT_FALSE(outcome.failure);
  EXPECT_EQ(outcome.value.moving->values, (Array<std::uint16_t>{9}));
  EXPECT_EQ(outcome.value.still->values, (Array<std::uint16_t>{3, 4}));
  EXPECT_EQ(written(outcome.value), bytes.bytes());
}

TEST(Trials, NullPointersMeanAbsent) {
  const Builder bytes = clip_header(0, 0);
  const auto outcome = read<ClipFile>(bytes.bytes());
  ASSERT_FALSE(outcome.failure);
  EXPECT_FALSE(outcome.value.still || outcome.value.moving);
  EXPECT_EQ(written(outcome.value), bytes.bytes());
}

TEST(Trials, PointersThatOverflowAreRefused) {
  const auto outcome = read<ClipFile>(clip_header(~std::uint64_t{0}, 0).bytes());
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->code, codes::kOffsetInvalid);
}

// --- 5. Lists that begin with their count, of objects that begin with their size
// --------------------------------------

struct AlphaBone {
  Remainder remainder;
  std::int32_t id = 0;

  static constexpr std::size_t kMinSize = 8;
};

struct AlphaBones {
  std::vector<AlphaBone> items;
};

template <class V>
void describe(V& v, As<V, AlphaBone>& bone) {
  v.sized(bone.remainder, AlphaBone::kMinSize, [&] { v.field("id", bone.id); });
}

template <class V>
void describe(V& v, As<V, AlphaBones>& bones) {
  v.counted_list("bones", bones.items);
}

TEST(Trials, CountPrefixedListsOfSizedObjects) {
  Builder bytes;
  bytes.put(std::uint32_t{2}).put(std::uint32_t{8}).put(std::int32_t{5});
  bytes.put(std::uint32_t{11}).put(std::int32_t{6}).text("new");
  const auto outcome = read<AlphaBones>(bytes.bytes());
  ASSERT_FALSE(outcome.failure);
  ASSERT_EQ(outcome.value.items.size(), 2U);
  EXPECT_EQ(outcome.value.items[1].remainder.bytes.size(), 3U);
  EXPECT_EQ(written(outcome.value), bytes.bytes());
}

TEST(Trials, CountsAreCheckedBeforeAnythingIsAllocated) {
  Builder bytes;
  bytes.put(std::uint32_t{0x7FFFFFFF}).put(std::uint32_t{8}).put(std::int32_t{5});
  const auto outcome = read<AlphaBones>(bytes.bytes());
  ASSERT_TRUE(outcome.failure);
  EXPECT_EQ(outcome.failure->code, codes::kCountTooLarge);
  EXPECT_EQ(outcome.failure->offset, 4U);
  EXPECT_TRUE(outcome.value.items.empty());
}

// --- 6. A text form of the same document
// -------------------------------------------------------------------------------

/// Blocks and properties of MDL text come in any order and may be absent, so no description in file order can
/// read them: text is a second way into the same structs, held together by their equality.
mdx::Sequence sequence_from_text(const std::string& text) {
  mdx::Sequence sequence;
  std::istringstream in(text);
  char punctuation = 0;
  for (std::string word; in >> word;) {
    if (word == "Anim") {
      std::string name;
      in >> name;
      sequence.name.assign(std::string_view(name).substr(1, name.size() - 2));
    } else if (word == "Interval") {
      in >> punctuation >> sequence.start >> punctuation >> sequence.end;
    } else if (word == "NonLooping,") {
      sequence.flags |= mdx::Sequence::kNonLooping;
    } else if (word == "MoveSpeed") {
      in >> sequence.move_speed;
    }
  }
  return sequence;
}

TEST(Trials, TextReadsIntoTheSameDocument) {
  mdx::Document document;
  document.chunks.push_back({FourCC{"VERS"}, mdx::Version{800}, {}, {}});
  document.chunks.push_back({FourCC{"SEQS"},
                             mdx::Sequences{{sequence_from_text(
                                 "Anim \"Walk\" { MoveSpeed 210, NonLooping, Interval { 333, 1333 }, }")}},
                             {},
                             {}});
  Diagnostics diagnostics;
  const auto again = mdx::read(mdx::write(document), {}, diagnostics);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, document);
  EXPECT_EQ(again->find<mdx::Sequences>()->items[0].end, 1333U);
}

}  // namespace
}  // namespace thaw
