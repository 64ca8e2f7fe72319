// Animation networks: bytes, packets, and what belongs together.
#include <thaw/format.hpp>
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>

#include "support/files.hpp"
#include "support/heap.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"
#include "support/raw_bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace thaw::mrn {
namespace {

using test::RawBytes;

Inspection inspection(const Document& document) {
  return [&](Inspector& inspector) { inspect(document, inspector); };
}

Document read_good(ByteView bytes) {
  Diagnostics diagnostics;
  auto document = read(bytes, {}, diagnostics);
  EXPECT_TRUE(document) << (document ? "" : document.error().message);
  EXPECT_EQ(diagnostics.count(Severity::warning), 0U)
      << (diagnostics.items().empty() ? "" : diagnostics.items().front().message);
  return document ? std::move(*document) : Document{};
}

Bytes synthetic() { return test::load(test::corpus_dir() / "mrn" / "synthetic" / "synth_v26_le64.mrn"); }
Bytes human_bytes() { return test::load(test::samples_dir() / "forgelight" / "human.mrn"); }

Bytes data_of(ByteView file, std::size_t at, std::size_t size) {
  return Bytes(file.begin() + static_cast<std::ptrdiff_t>(at),
               file.begin() + static_cast<std::ptrdiff_t>(at + size));
}

/// No object has two members of one name.
class NameChecker : public Inspector {
 public:
  void begin(std::string_view name, bool /*is_list*/, std::uint64_t /*offset*/) override {
    take(name);
    names_.emplace_back();
  }
  void end(std::uint64_t /*offset*/) override { names_.pop_back(); }
  void leaf(const Leaf& leaf) override {
    if (leaf.role != LeafRole::structure) {
      take(leaf.name);
    }
  }

 private:
  void take(std::string_view name) {
    EXPECT_TRUE(name.empty() || names_.back().insert(std::string(name)).second) << name << " comes twice";
  }
  std::vector<std::set<std::string>> names_ = std::vector<std::set<std::string>>(1);
};

TEST(Mrn, FilesAreExactAndUnderstood) {
  for (const Bytes& bytes :
       {human_bytes(), std::filesystem::exists(test::corpus_dir() / "mrn") ? synthetic() : human_bytes()}) {
    const Document document = read_good(bytes);
    EXPECT_EQ(write(document), bytes);
    EXPECT_EQ(account_bytes(inspection(document)).raw, 0U);
    EXPECT_TRUE(document.rest.empty());
    NameChecker names;
    inspect(document, names);
    for (const Packet& packet : document.packets) {
      EXPECT_FALSE(packet.data.replaces_fields()) << packet_name(packet.type, document.layout);
    }
    EXPECT_EQ(identify(bytes).format, "mrn");
    EXPECT_EQ(identify(bytes).version, 26U);
  }
}

TEST(Mrn, TheSyntheticNetworkSaysWhatThePageSays) {
  THAW_REQUIRE_CORPUS("mrn");
  const Document document = read_good(synthetic());
  ASSERT_EQ(document.packets.size(), 10U);
  const auto clips = animations(document);
  ASSERT_EQ(clips.size(), 3U);
  EXPECT_EQ(clips[1].name, "Male_OneBone");
  EXPECT_EQ(nsa::stated_crc(*clips[2].document), 0x674EE947U);
  const auto bodies = skeletons(document);
  ASSERT_EQ(bodies.size(), 1U);
  EXPECT_EQ(bodies[0].name, "Male");
  Diagnostics diagnostics;
  EXPECT_EQ(parents(*bodies[0].skeleton, diagnostics),
            (std::vector<std::int32_t>{-1, 0, 1, 2, 3, 3, 5, 4, 7, 4, 9}));
  EXPECT_EQ(bodies[0].skeleton->names.text(10), "L_knee");
  const auto tracks = document.all<EventTrack>();
  ASSERT_EQ(tracks.size(), 2U);
  EXPECT_EQ(tracks[0]->text(), "Footstep");
  EXPECT_EQ(tracks[0]->user_data, 7U);
  EXPECT_EQ(tracks[1]->events[0].duration, 0.4F);
  const BoneMap map = bone_map(document, *bodies[0].skeleton, 10, 0, diagnostics);
  EXPECT_EQ(map.origin, BoneMap::Origin::map);
  EXPECT_EQ(map.bones, (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(document.find<Plugins>()->names.text(0), "MorphemeCore");
  EXPECT_TRUE(diagnostics.items().empty());
}

// --- packets that the library makes, beside those of another writer
// -------------------------------------------------------

/// The data of the packets of a kind, one behind the other.
template <class T>
Bytes written_alone(T body, std::uint32_t type, std::uint32_t alignment) {
  Document document;
  Packet& packet = document.packets.emplace_back();
  packet.type = type;
  packet.alignment = alignment;
  packet.body = Boxed<T>(std::move(body));
  lay_out(document);
  const Bytes bytes = write(document);
  return data_of(bytes, alignment == 4 ? 0x28 : 0x30, document.packets[0].size);
}

TEST(Mrn, MadePacketsAreThoseOfTheSample) {
  THAW_REQUIRE_CORPUS("mrn");
  const Bytes file = synthetic();
  const Document document = read_good(file);
  const Skeleton& skeleton = *document.find<Skeleton>();
  std::vector<Bone> bones;
  for (std::size_t i = 0; i < skeleton.bones(); ++i) {
    const Vec4& p = skeleton.bind_pose.positions[i];
    bones.push_back({std::string(skeleton.names.text(i)),
                     skeleton.hierarchy.parents[i],
                     {p[0], p[1], p[2]},
                     skeleton.bind_pose.rotations[i]});
  }
  EXPECT_EQ(written_alone(make_skeleton(bones, 1, 2), 0x01, 16), data_of(file, 0xBE0, 1024));
  const std::vector<std::uint16_t> channels = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(written_alone(make_rig_map(channels, 11), 0x02, 16), data_of(file, 0x1010, 104));
  const std::vector<Event> steps = {{0.25F, 0, 1}, {0.75F, 0, 2}};
  EXPECT_EQ(written_alone(make_event_track("Footstep", 7, 0, steps), 0x03, 4), data_of(file, 0x10A8, 68));
  EXPECT_EQ(written_alone(make_plugins(std::vector<std::string>{"MorphemeCore"}), 0x0C, 16),
            data_of(file, 0x1180, 41));
  EXPECT_EQ(written_alone(make_skeleton_names(std::vector<std::string>{"Male"}), 0x0F, 16),
            data_of(file, 0x1390, 65));
  std::vector<AnimationName> names;
  for (const std::string name : {"Male_Walk", "Male_OneBone", "Male_Pose"}) {
    names.push_back({name + ".nsa", "nsa", "//anims/" + name + ".xmd", name});
  }
  FileNames encoded = make_file_names(names);
  encoded.crcs = document.find<FileNames>()->crcs;
  EXPECT_EQ(written_alone(encoded, 0x0E, 16), data_of(file, 0x11E0, 380));
}

TEST(Mrn, LayingOutChangesNothingThatIsInOrder) {
  const Bytes bytes = human_bytes();
  Document document = read_good(bytes);
  lay_out(document);
  EXPECT_EQ(write(document), bytes);
}

TEST(Mrn, AnAnimationIsReplacedWithItsCrc) {
  Document document = read_good(human_bytes());
  nsa::Clip clip;
  clip.rate = 30;
  clip.channels = 21;
  clip.rotations = {{4, {{0, 0, 0, 1}}}};
  const nsa::Document animation = nsa::from_curves(clip, {}).value().document;
  EXPECT_FALSE(replace_animation(document, 5, animation));
  ASSERT_TRUE(replace_animation(document, 1, animation));
  const Document again = read_good(write(document));
  EXPECT_EQ(*animations(again)[1].document, animation);
  EXPECT_EQ(again.find<FileNames>()->crcs[1], animation.header.crc);
  EXPECT_EQ(*animations(again)[2].document, *animations(document)[2].document);
}

// --- hierarchies and maps
// ------------------------------------------------------------------------------------------

TEST(Mrn, ChainsCountBeforeTheListAndCyclesAreCut) {
  Skeleton skeleton = make_skeleton(std::vector<Bone>{{"a", -1}, {"b", 0}, {"c", 1}}, 0, 0);
  Diagnostics diagnostics;
  skeleton.hierarchy.parents[2] = 0;
  EXPECT_EQ(parents(skeleton, diagnostics), (std::vector<std::int32_t>{-1, 0, 1}));
  EXPECT_EQ(diagnostics.items().back().code, codes::kMrnHierarchy);
  skeleton.chains.clear();
  skeleton.hierarchy.parents = {2, 0, 1};
  const auto cut = parents(skeleton, diagnostics);
  EXPECT_EQ(std::count(cut.begin(), cut.end(), -1), 1);
  skeleton.hierarchy.parents = {-1, 77, 1};
  EXPECT_EQ(parents(skeleton, diagnostics), (std::vector<std::int32_t>{-1, -1, 1}));
}

TEST(Mrn, ChannelsAreTakenInOrderOnlyAsTheLastResort) {
  const Document document = read_good(human_bytes());
  const Skeleton& skeleton = *document.find<Skeleton>();
  Diagnostics diagnostics;
  const BoneMap upper = bone_map(document, skeleton, 11, {}, diagnostics);
  EXPECT_EQ(upper.origin, BoneMap::Origin::map);
  EXPECT_EQ(upper.bones[4], 9) << "the head";
  EXPECT_TRUE(diagnostics.items().empty());
  const BoneMap guess = bone_map(document, skeleton, 20, {}, diagnostics);
  EXPECT_EQ(guess.origin, BoneMap::Origin::offset);
  EXPECT_EQ(guess.bones[0], 2);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kMrnNoRigMap);
}

// --- other platforms
// -----------------------------------------------------------------------------------------------

RawBytes packet_v24(std::uint32_t type, std::uint32_t id, const RawBytes& data) {
  RawBytes packet;
  packet.u32(24).u32(10).u32(type).u32(id).zeros(16).u32(static_cast<std::uint32_t>(data.size())).u32(0);
  packet.u32(16).u32(0).append(data);
  return packet.zeros((16 - packet.size() % 16) % 16);
}

RawBytes& u64(RawBytes& bytes, std::uint32_t value) { return bytes.u32(value).u32(0); }

/// A network of one player: clip 0 by the map 0x77, with the event track 0x99.
RawBytes network_v24() {
  RawBytes data;
  data.u32(9).zeros(0x8C);  // the instance
  u64(data, 1);             // 0x90: nodes
  u64(data, 0x140);         // 0x98
  data.zeros(0x28);         // 0xA0
  u64(data, 0x400);         // 0xC8: names of nodes
  data.zeros(0x140 - data.size());
  u64(data, 0x150);  // 0x140: the node
  data.zeros(8);
  data.u32(104).u16(0).u16(1).u16(0).u16(0).u16(0).u8(0).u8(0).u16(2).zeros(6 + 8 + 8 + 8);
  u64(data, 0x90);                  // attributes
  data.zeros(0x1E0 - data.size());  // 0x1E0: two attributes, from the node
  u64(data, 0xC0);
  u64(data, 0x8C).u32(4).u32(0);
  u64(data, 0x150);
  u64(data, 0x80).u32(4).u32(0);
  data.zeros(8).u16(0xFFFF).u16(21).zeros(0x68).u32(0).u32(0x77).u32(0).f32(0).f32(1).f32(1);  // 0x210
  data.zeros(0x2A0 - data.size());
  data.zeros(8).u16(0xFFFF).u16(23).u32(0);  // 0x2A0
  u64(data, 1);
  u64(data, 0x58);
  u64(data, 0x60);
  data.zeros(0x30);
  u64(data, 0x99).u32(2);
  data.zeros(0x400 - data.size());
  u64(data.u32(1).u32(5), 32);  // 0x400: a table with ids
  u64(data, 36);
  u64(data, 40).u32(3).u32(0).text("Walk", 5);
  return data;
}

TEST(Mrn, Version24IsReadThroughItsNetwork) {
  RawBytes rig;
  rig.f32(0).f32(0).f32(0).f32(1).zeros(16);
  u64(rig, 0x40).u32(1).u32(0);
  u64(rig, 0x60);
  u64(rig, 0);
  u64(rig.u32(2).u32(0), 16).i32(-1).i32(0);  // 0x40
  rig.zeros(8);
  u64(rig.u32(2).u32(5), 32);  // 0x60
  u64(rig, 40);
  u64(rig, 48).u32(0).u32(1).u32(0).u32(2).text("A", 2).text("BC", 3);
  RawBytes map;
  u64(map, 1);
  u64(map, 0x28);
  u64(map, 0x14);
  u64(map, 4);
  u64(map, 0x40);
  map.u32(2).u32(1).u32(3).zeros(12);  // 0x28: which bones
  u64(map.u32(1).u16(1).u16(1), 0x12).u16(0).u16(1);
  RawBytes track;
  u64(track.u32(1).u32(0), 0x2C).u32(4).u32(5);
  u64(track, 0x20).f32(0.5F).f32(0).u32(6).text("Step", 5);
  RawBytes file;
  file.append(packet_v24(1, 1, rig)).append(packet_v24(2, 0x77, map)).append(packet_v24(3, 0x99, track));
  file.append(packet_v24(10, 5, network_v24()));
  const Document document = read_good(file.view());
  EXPECT_EQ(write(document), file.bytes());
  ASSERT_EQ(document.packets.size(), 4U);
  NameChecker names;
  inspect(document, names);
  const auto* network = document.find<Network>();
  ASSERT_NE(network, nullptr);
  ASSERT_EQ(network->nodes.size(), 1U);
  EXPECT_EQ(node_type_name(network->nodes[0].type), "clip");
  EXPECT_EQ(network->tables[0].text(0), "Walk");
  const Skeleton& skeleton = *document.find<Skeleton>();
  EXPECT_EQ(skeleton.names.text(1), "BC") << "a string behind the NUL of another";
  Diagnostics diagnostics;
  const BoneMap bones = bone_map(document, skeleton, 1, 0, diagnostics);
  EXPECT_EQ(bones.origin, BoneMap::Origin::network);
  EXPECT_EQ(bones.bones, (std::vector<std::int32_t>{1}));
  const auto events = events_of(document, 0);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]->text(), "Step");
  EXPECT_TRUE(events_of(document, 1).empty());
}

TEST(MrnGraph, AStateIsJoinedToItsAnimation) {
  RawBytes file;
  file.append(packet_v24(10, 5, network_v24()));
  const Document document = read_good(file.view());
  Diagnostics diagnostics;
  const Graph graph = graph_of(document, diagnostics);
  EXPECT_TRUE(diagnostics.items().empty());
  ASSERT_EQ(graph.nodes.size(), 3U) << "the player, the network itself, an animation";
  EXPECT_EQ(graph.nodes[0].kind, "clip");
  EXPECT_EQ(graph.nodes[1].kind, "network");
  EXPECT_EQ(graph.nodes[2].kind, "animation");
  EXPECT_EQ(graph.nodes[0].parent, 1U);
  ASSERT_EQ(graph.edges.size(), 1U);
  EXPECT_EQ(graph.edges[0].kind, "plays");
  EXPECT_EQ(graph.edges[0].from, 0U);
  EXPECT_EQ(graph.edges[0].to, 2U);
  const std::string dot = to_dot(graph, "a \"name\"");
  EXPECT_EQ(dot.rfind("digraph \"a \\\"name\\\"\" {\n", 0), 0U) << dot;
  EXPECT_NE(dot.find("n0 -> n2"), std::string::npos);
  const std::string json = to_json(graph, "name");
  EXPECT_NE(json.find(R"("source":"n0","target":"n2","relation":"plays")"), std::string::npos) << json;
}

/// Of version 26 the nodes are not known: what moves what is.
TEST(MrnGraph, WithoutANetworkThePacketsAreTheGraph) {
  const Document document = read_good(human_bytes());
  Diagnostics diagnostics;
  const Graph graph = graph_of(document, diagnostics);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kMrnGraph);
  const auto count = [](const auto& list, std::string_view kind) {
    return std::count_if(list.begin(), list.end(), [&](const auto& one) { return one.kind == kind; });
  };
  EXPECT_EQ(count(graph.nodes, "animation"), 5);
  EXPECT_EQ(count(graph.nodes, "skeleton"), 1);
  EXPECT_EQ(count(graph.edges, "moves"), 5);
}

TEST(Mrn, OtherPlatformsAreNamedAndKept) {
  RawBytes small;
  small.u32(24).u32(6).u32(1).u32(7).zeros(16).u32(6).u32(4).text("abcdef", 8);
  small.u32(24).u32(6).u32(0xC).u32(8).zeros(16).u32(0).u32(4);
  Diagnostics diagnostics;
  auto document = read(small.view(), {}, diagnostics);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->packets.size(), 2U);
  EXPECT_EQ(diagnostics.items().back().code, codes::kMrnPlatform);
  EXPECT_EQ(write(*document), small.bytes());
  EXPECT_EQ(identify(small.view()).dialect, "le32");

  RawBytes console;
  console.u8(0).u8(0).u8(0).u8(24).u8(0).u8(0).u8(0).u8(5).text("whatever follows", 16);
  document = read(console.view(), {}, diagnostics);
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->version, 24U);
  EXPECT_EQ(write(*document), console.bytes());
  EXPECT_EQ(identify(console.view()).dialect, "big-endian");
  EXPECT_EQ(identify(console.view()).version, 24U);
}

// --- damage
// -----------------------------------------------------------------------------------------------------------

/// Empty if the mutant is treated right.
std::string check(const Bytes& mutant) {
  for (const bool strict : {false, true}) {
    ReadOptions options;
    options.strict = strict;
    Diagnostics diagnostics;
    const auto document = read(mutant, options, diagnostics);
    if (!document) {
      continue;
    }
    if (write(*document) != mutant) {
      return "writes other bytes";
    }
    if (test::layout_of(inspection(*document)).end != mutant.size()) {
      return "the inspection does not cover the file";
    }
  }
  return "";
}

TEST(Mrn, CutAnywhere) {
  const Bytes bytes = human_bytes();
  const auto layout = test::layout_of(inspection(read_good(bytes)));
  std::size_t turn = 0;
  for (const std::uint64_t at : layout.boundaries) {
    if (turn++ % 3 != 0) {
      continue;
    }
    for (const std::uint64_t size : {at, at + 1}) {
      const auto end = std::min<std::uint64_t>(size, bytes.size());
      ASSERT_EQ(check(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(end))), "") << end;
    }
  }
}

TEST(Mrn, AnyWordMayBeAnything) {
  // Without most of the animations, which have a test of their own.
  Document small = read_good(human_bytes());
  small.packets.erase(small.packets.begin(), small.packets.begin() + 2);
  small.packets.erase(small.packets.begin() + 1, small.packets.begin() + 3);
  const Bytes bytes = write(small);
  const std::array<std::uint32_t, 6> values = {0, 1, 0x30, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  std::size_t turn = 0;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    const std::uint32_t value = values[turn++ % values.size()];
    Bytes mutant = bytes;
    std::memcpy(mutant.data() + at, &value, sizeof value);
    ASSERT_EQ(check(mutant), "") << at << " set to " << value;
  }
}

RawBytes packet_v26(std::uint32_t type, std::size_t size) {
  RawBytes packet;
  packet.u32(26).u32(10).u32(type).u32(0).zeros(16).u32(static_cast<std::uint32_t>(size)).u32(4).zeros(size);
  return packet.zeros((16 - packet.size() % 16) % 16);
}

TEST(Mrn, MemoryStaysWithinSixteenTimesTheInput) {
  constexpr std::size_t kSize = 2'000'000;
  using Attack = std::pair<std::uint32_t, std::size_t>;
  // Empty packets, and the smallest of those whose parts take much memory.
  for (const auto& [type, size] : {Attack{99, 0}, Attack{1, 128}, Attack{14, 40}, Attack{16, 192}}) {
    const RawBytes packet = packet_v26(type, size);
    const RawBytes file = RawBytes().repeat(packet, kSize / packet.size());
    const test::HeapMeter meter;
    Diagnostics diagnostics;
    const auto document = read(file.view(), {}, diagnostics);
    ASSERT_TRUE(document);
    EXPECT_EQ(document->packets.size(), kSize / packet.size());
    EXPECT_LE(meter.peak(), 16 * file.size()) << "type " << type;
    EXPECT_EQ(document->packets.back().data.replaces_fields(), type == 99) << "type " << type;
  }
}

}  // namespace
}  // namespace thaw::mrn
