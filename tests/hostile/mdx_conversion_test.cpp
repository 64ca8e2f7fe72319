// Damaged and hostile models on their way through scene and glTF: whatever reads must convert, at a bounded
// cost.
#include <thaw/gltf.hpp>
#include <thaw/mdx.hpp>

#include "support/effort.hpp"
#include "support/files.hpp"
#include "support/heap.hpp"
#include "support/mdx_raw.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace thaw {
namespace {

using test::mdx_file;
using test::mdx_node;
using test::mdx_track;
using test::RawBytes;

/// Empty if a GLB comes out.
std::string convert(const mdx::Document& document) {
  Diagnostics diagnostics;
  const auto scene = mdx::to_scene(document, {}, diagnostics);
  const auto files = write_gltf(scene, {}, diagnostics);
  if (!files || files->empty()) {
    return files ? "no file" : files.error().message;
  }
  const Bytes& glb = files->front().bytes;
  return glb.size() > 20 && std::memcmp(glb.data(), "glTF", 4) == 0 ? "" : "no GLB";
}

std::string read_and_convert(ByteView bytes) {
  Diagnostics diagnostics;
  const auto document = mdx::read(bytes, {}, diagnostics);
  return document ? convert(*document) : "";
}

class MdxConversion : public testing::TestWithParam<unsigned> {};

TEST_P(MdxConversion, DamagedWords) {
  const auto bytes = test::load(test::samples_dir() / ("everything_v" + std::to_string(GetParam()) + ".mdx"));
  Diagnostics diagnostics;
  const auto document = mdx::read(bytes, {}, diagnostics);
  ASSERT_TRUE(document);
  const auto layout = test::layout_of([&](Inspector& inspector) { mdx::inspect(*document, inspector); });
  // A conversion takes a hundred times as long as reading: the versions and the values share the words.
  std::size_t turn = GetParam() / 100;
  for (std::size_t i = 0; i < layout.words.size(); i += test::one_in()) {
    const auto& word = layout.words[i];
    const auto values = test::hostile_values(bytes, word);
    const auto value = values[turn++ % values.size()];
    ASSERT_EQ(read_and_convert(test::with_word(bytes, word, value)), "")
        << word.name << " at " << word.offset << " set to " << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, MdxConversion, testing::Values(800U, 1000U, 1100U, 1800U),
                         [](const auto& version) {
                           return std::string("v").append(std::to_string(version.param));
                         });

// --- models whose parts multiply
// -------------------------------------------------------------------------------

struct Multiplication {
  const char* name;
  RawBytes (*make)(std::size_t size);
};

RawBytes sequences(std::size_t count) {
  RawBytes all;
  for (std::uint32_t i = 0; i < count; ++i) {
    all.text("Stand", 80).u32(0).u32(1000 + i).zeros(16 + 28);
  }
  return all;
}

RawBytes keys(std::uint32_t count) {
  RawBytes track = mdx_track("KGTR", count, 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    track.u32(i).f32(1).f32(static_cast<float>(i)).f32(3);
  }
  return track;
}

/// Every clip samples every key.
RawBytes sequences_times_keys(std::size_t size) {
  const auto count = static_cast<std::uint32_t>(size / 2 / 16);
  return mdx_file(800)
      .chunk("SEQS", sequences(size / 2 / 132))
      .chunk("BONE", mdx_node("b", 0, keys(count)).zeros(8));
}

RawBytes sequences_times_nodes(std::size_t size) {
  RawBytes bones;
  for (std::int32_t id = 0; bones.size() < size / 2; ++id) {
    bones.append(mdx_node("b", id, keys(2))).zeros(8);
  }
  return mdx_file(800).chunk("SEQS", sequences(size / 2 / 132)).chunk("BONE", bones);
}

RawBytes linked_nodes(std::size_t size, std::int32_t step, bool ring) {
  RawBytes bones;
  const auto count = static_cast<std::int32_t>(size / 104);
  for (std::int32_t id = 0; id < count; ++id) {
    const std::int32_t parent = ring ? (id + count + step) % count : std::min(id + step, count - 1);
    bones.u32(96).text("b", 80).i32(id).i32(parent == id ? -1 : parent).u32(0).zeros(8);
  }
  return mdx_file(800).chunk("BONE", bones);
}
RawBytes parents_before(std::size_t size) { return linked_nodes(size, -1, false); }
RawBytes parents_after(std::size_t size) { return linked_nodes(size, 1, false); }
RawBytes parents_in_a_ring(std::size_t size) { return linked_nodes(size, 1, true); }

RawBytes geoset(const RawBytes& positions, const RawBytes& indices, const RawBytes& groups,
                const RawBytes& sizes, const RawBytes& bones, std::uint32_t material = 0) {
  RawBytes content;
  const auto part = [&](const char* tag, const RawBytes& bytes, std::size_t element) {
    content.tag(tag).u32(static_cast<std::uint32_t>(bytes.size() / element)).append(bytes);
  };
  part("VRTX", positions, 12);
  part("NRMS", {}, 12);
  part("PTYP", RawBytes().u32(4), 4);
  part("PCNT", RawBytes().u32(static_cast<std::uint32_t>(indices.size() / 2)), 4);
  part("PVTX", indices, 2);
  part("GNDX", groups, 1);
  part("MTGC", sizes, 4);
  part("MATS", bones, 4);
  content.u32(material).zeros(8 + 28 + 4).tag("UVAS").u32(0);
  return RawBytes().sized(content);
}

/// Every vertex follows every bone.
RawBytes vertices_times_bones(std::size_t size) {
  const auto vertices = size / 2 / 13;
  const auto bones = static_cast<std::uint32_t>(size / 2 / 4);
  RawBytes nodes;
  nodes.append(mdx_node("b", 0)).zeros(8).append(mdx_node("c", 1)).zeros(8);
  RawBytes ids;
  for (std::uint32_t i = 0; i < bones; ++i) {
    ids.u32(i % 2);
  }
  return mdx_file(800)
      .chunk("GEOS", geoset(RawBytes().zeros(vertices * 12), RawBytes().u16(0).u16(1).u16(2),
                            RawBytes().zeros(vertices), RawBytes().u32(bones), ids))
      .chunk("BONE", nodes);
}

/// Every geoset is drawn once per layer.
RawBytes geosets_times_layers(std::size_t size) {
  const auto layer = RawBytes().sized(RawBytes().zeros(24));
  const auto layers = static_cast<std::uint32_t>(size / 2 / layer.size());
  const auto triangle = geoset(RawBytes().zeros(36), RawBytes().u16(0).u16(1).u16(2), {}, {}, {});
  const auto material =
      RawBytes().sized(RawBytes().zeros(8).tag("LAYS").u32(layers).append(RawBytes().repeat(layer, layers)));
  return mdx_file(800)
      .chunk("MTLS", material)
      .chunk("GEOS", RawBytes().repeat(triangle, size / 2 / triangle.size()));
}

/// Each pair of a fan's corners is three indices in the output.
RawBytes one_fan(std::size_t size) {
  RawBytes indices;
  for (std::size_t i = 0; i < size / 2; ++i) {
    indices.u16(static_cast<std::uint16_t>(i % 3));
  }
  auto fan = geoset(RawBytes().zeros(36), indices, {}, {}, {});
  return mdx_file(800).chunk("GEOS", fan);
}

/// Every bone has the same geoset animation, every clip its keys.
RawBytes geoset_animations_of_one(std::size_t size) {
  RawBytes animation =
      RawBytes().sized(RawBytes().zeros(20).i32(0).append(mdx_track("KGAO", 1, 0)).zeros(4).f32(0.5F));
  const auto triangle = geoset(RawBytes().zeros(36), RawBytes().u16(0).u16(1).u16(2), {}, {}, {});
  return mdx_file(800)
      .chunk("SEQS", sequences(size / 3 / 132))
      .chunk("GEOS", RawBytes().repeat(triangle, size / 3 / triangle.size()))
      .chunk("GEOA", RawBytes().repeat(animation, size / 3 / animation.size()));
}

RawBytes same_names(std::size_t size) {
  RawBytes bones;
  for (std::int32_t id = 0; bones.size() < size; ++id) {
    bones.append(mdx_node("same name", id)).zeros(8);
  }
  return mdx_file(800).chunk("BONE", bones);
}

const std::array kMultiplications = {Multiplication{"SequencesTimesKeys", sequences_times_keys},
                                     Multiplication{"SequencesTimesNodes", sequences_times_nodes},
                                     Multiplication{"ParentsBefore", parents_before},
                                     Multiplication{"ParentsBehind", parents_after},
                                     Multiplication{"ParentsInARing", parents_in_a_ring},
                                     Multiplication{"VerticesTimesBones", vertices_times_bones},
                                     Multiplication{"GeosetsTimesLayers", geosets_times_layers},
                                     Multiplication{"OneFan", one_fan},
                                     Multiplication{"GeosetAnimations", geoset_animations_of_one},
                                     Multiplication{"SameNames", same_names}};

void PrintTo(const Multiplication& attack, std::ostream* stream) { *stream << attack.name; }

class MdxMultiplication : public testing::TestWithParam<Multiplication> {};

TEST_P(MdxMultiplication, ConvertsAtABoundedCost) {
  const RawBytes file = GetParam().make(200'000);
  const test::HeapMeter meter;
  EXPECT_EQ(read_and_convert(file.view()), "");
  RecordProperty("megabytes", std::to_string(meter.peak() >> 20U));
  // A product of two counts of this file would be beyond it by orders of magnitude.
  EXPECT_LT(meter.peak(), std::size_t{1} << 28U);
}

INSTANTIATE_TEST_SUITE_P(Attacks, MdxMultiplication, testing::ValuesIn(kMultiplications),
                         [](const auto& attack) { return std::string(attack.param.name); });

}  // namespace
}  // namespace thaw
