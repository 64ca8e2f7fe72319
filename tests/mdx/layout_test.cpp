// Layout decisions that only the bytes can make, on random chunks in every known layout: EVTS with and
// without global sequence ids, CLID in the layouts of the community, of the engine and of tools that write
// one vertex.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

#include "formats/warcraft/mdx/layout.hpp"
#include "support/mdx_raw.hpp"

#include <random>

namespace thaw::mdx {
namespace {

constexpr int kRounds = 5000;

class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed) {}

  unsigned below(unsigned limit) { return std::uniform_int_distribution<unsigned>(0, limit - 1)(random_); }
  float coordinate() { return std::uniform_real_distribution<float>(-500.0F, 500.0F)(random_); }

  Node node() {
    Node node;
    node.name.assign("Node" + std::to_string(below(1000)));
    node.object_id = static_cast<std::int32_t>(below(200)) - 1;
    node.parent_id = static_cast<std::int32_t>(below(200)) - 1;
    if (below(4) == 0) {
      Track track;
      track.tag = FourCC{"KGTR"};
      track.words.resize(track.stride() * (1 + below(3)), 7);
      node.tracks.push_back(track);
    }
    return node;
  }

  EventObjects events(bool global) {
    EventObjects events;
    const unsigned count = 1 + below(6);
    for (unsigned i = 0; i < count; ++i) {
      EventObject event;
      event.node = node();
      if (below(5) != 0) {
        event.track.emplace();
        event.track->has_global_sequence = global;
        event.track->global_sequence = -1;
        const unsigned frames = below(5);
        for (unsigned frame = 0; frame < frames; ++frame) {
          event.track->frames.push_back(static_cast<std::int32_t>(below(60000)));
        }
      }
      events.items.push_back(event);
    }
    return events;
  }

  /// Floats of the payload by type, for boxes, type 1, spheres and type 3.
  CollisionShapes shapes(const std::array<unsigned, 4>& floats) {
    CollisionShapes shapes;
    const unsigned count = 1 + below(6);
    for (unsigned i = 0; i < count; ++i) {
      CollisionShape shape;
      shape.node = node();
      const unsigned type = below(4);
      shape.type = static_cast<CollisionShape::Type>(type);
      for (unsigned value = 0; value < floats.at(type); ++value) {
        shape.payload.push_back(coordinate());
      }
      shapes.items.push_back(shape);
    }
    return shapes;
  }

 private:
  std::mt19937 random_;
};

template <class Body>
Document document_of(FourCC tag, Body body) {
  Document document;
  document.chunks.push_back({FourCC{"VERS"}, Version{800}, {}, {}});
  document.chunks.push_back({tag, std::move(body), {}, {}});
  return document;
}

void expect_read_back(const Document& document, int round) {
  const Bytes bytes = write(document);
  Diagnostics diagnostics;
  const auto again = read(bytes, {}, diagnostics);
  ASSERT_TRUE(again);
  ASSERT_EQ(*again, document) << "round " << round;
}

TEST(MdxLayout, EventsWithGlobalSequenceIds) {
  RandomModel random(1);
  for (int round = 0; round < kRounds; ++round) {
    expect_read_back(document_of(FourCC{"EVTS"}, random.events(true)), round);
  }
}

TEST(MdxLayout, SoundTracksInBothLayouts) {
  RandomModel random(8);
  for (std::size_t count = 1; count <= 70; ++count) {  // 7 long ones have the size of 34 short ones
    SoundTracks tracks;
    for (std::size_t i = 0; i < count; ++i) {
      SoundTrack track;
      track.path.assign("Sound\\Track" + std::to_string(i) + ".wav");
      track.volume = random.coordinate();
      track.pitch = random.coordinate();
      track.flags = random.below(8);
      tracks.tracks.push_back(track);
    }
    expect_read_back(document_of(FourCC{"SNDS"}, tracks), static_cast<int>(count));
    SoundTracks brief;
    for (const auto& track : tracks.tracks) {
      brief.short_tracks.push_back(
          {FixedText<44>(track.path.view()), track.volume, track.pitch, track.flags});
    }
    expect_read_back(document_of(FourCC{"SNDS"}, brief), static_cast<int>(count));
  }
}

TEST(MdxLayout, SoundTracksOfNeitherSizeKeepTheirBytes) {
  for (const std::uint32_t size : {1U, 55U, 57U, 271U, 273U, 1905U}) {
    const Bytes bytes = test::mdx_file(800).chunk("SNDS", test::RawBytes().text("a.wav", size)).bytes();
    const auto document = read(bytes);
    ASSERT_TRUE(document);
    EXPECT_EQ(write(*document), bytes) << size;
  }
}

TEST(MdxLayout, EventsOfWritersThatOmitGlobalSequenceIds) {
  RandomModel random(2);
  for (int round = 0; round < kRounds; ++round) {
    auto events = random.events(false);
    expect_read_back(document_of(FourCC{"EVTS"}, events), round);
  }
}

TEST(MdxLayout, CollisionShapesOfTheCommunity) {
  RandomModel random(3);
  for (int round = 0; round < kRounds; ++round) {
    expect_read_back(document_of(FourCC{"CLID"}, random.shapes({6, 6, 4, 7})), round);
  }
}

TEST(MdxLayout, CollisionShapesOfTheEngine) {
  RandomModel random(4);
  for (int round = 0; round < kRounds; ++round) {
    expect_read_back(document_of(FourCC{"CLID"}, random.shapes({6, 5, 4, 2})), round);
  }
}

TEST(MdxLayout, CollisionShapesWithOneVertex) {
  RandomModel random(5);
  for (int round = 0; round < kRounds; ++round) {
    expect_read_back(document_of(FourCC{"CLID"}, random.shapes({6, 3, 4, 4})), round);
  }
}

TEST(MdxLayout, ShapesInTheUsualLayoutAreNoFinding) {
  RandomModel random(7);
  Diagnostics diagnostics;
  ASSERT_TRUE(read(write(document_of(FourCC{"CLID"}, random.shapes({6, 6, 4, 7}))), {}, diagnostics));
  EXPECT_TRUE(diagnostics.items().empty());
}

TEST(MdxLayout, AShapeInTheEngineLayoutIsReported) {
  RandomModel random(6);
  CollisionShapes shapes;
  shapes.items.push_back({random.node(), CollisionShape::Type::cylinder, {100.0F, 100.0F}});
  Diagnostics diagnostics;
  const auto document = read(write(document_of(FourCC{"CLID"}, shapes)), {}, diagnostics);
  ASSERT_TRUE(document);
  ASSERT_EQ(diagnostics.items().size(), 1U);
  EXPECT_EQ(diagnostics.items()[0].code, codes::kCollisionLayout);
  EXPECT_EQ(diagnostics.items()[0].path, "CLID[0].type");
  EXPECT_EQ(diagnostics.items()[0].message,
            "the collision shape has an unusual size; it is read with 8 bytes of values");
}

/// Version 900: sources disagree whether layers have fresnel fields; both forms must read.
TEST(MdxLayout, FresnelFieldsAtVersion900AreDecidedFromTheBytes) {
  for (const bool fresnel : {false, true}) {
    for (const bool tracks : {false, true}) {
      Layer layer;
      layer.has_fresnel = fresnel;
      if (tracks) {
        Track alpha;
        alpha.tag = FourCC{"KMTA"};
        alpha.words.resize(alpha.stride() * 2, 0);
        layer.tracks.push_back(alpha);
      }
      Material material;
      material.layers.push_back(layer);
      auto document = document_of(FourCC{"MTLS"}, Materials{{material}});
      std::get<Version>(document.chunks[0].body).value = 900;
      expect_read_back(document, 0);
    }
  }
}

// --- the decisions by themselves, each at the edge

ByteView view(const test::RawBytes& bytes) { return bytes.view(); }

TEST(MdxLayout, FresnelFieldsNeedTheirBytesAndNoTrackInFront) {
  EXPECT_TRUE(fresnel_fields_follow(view(test::RawBytes().zeros(20))));
  EXPECT_FALSE(fresnel_fields_follow(view(test::RawBytes().zeros(19))));
  EXPECT_FALSE(fresnel_fields_follow(view(test::RawBytes())));
  for (const char* track : {"KMTF", "KMTA", "KMTE", "KFC3", "KFCA", "KFTC"}) {
    EXPECT_FALSE(fresnel_fields_follow(view(test::RawBytes().tag(track).zeros(30)))) << track;
  }
  EXPECT_TRUE(fresnel_fields_follow(view(test::RawBytes().tag("KGTR").zeros(16))));
}

/// A node of 96 bytes, or with a track in so many more.
test::RawBytes plain_node(std::string_view track = {}, std::uint32_t more = 0, std::int32_t id = -1,
                          std::int32_t parent = -1, std::size_t name = 4) {
  test::RawBytes node;
  node.u32(96 + more).text(std::string(name, 'n'), 80).i32(id).i32(parent).u32(0);
  return track.empty() ? node.zeros(more) : node.tag(track).zeros(more - 4);
}

/// Bytes that begin a word after the node do not look like one, so that the answer is by this node alone.
bool looks_like_a_node(const test::RawBytes& bytes) {
  return !event_has_global_sequence(view(test::RawBytes().u32(100).append(bytes)), 1);
}

TEST(MdxLayout, WhatBeginsANodeHasItsSizeNameAndIds) {
  EXPECT_TRUE(looks_like_a_node({})) << "the end of the chunk";
  EXPECT_TRUE(looks_like_a_node(plain_node()));
  EXPECT_TRUE(looks_like_a_node(plain_node().zeros(7))) << "with something behind it";
  for (const char* tag : {"KGTR", "KGRT", "KGSC"}) {
    EXPECT_TRUE(looks_like_a_node(plain_node(tag, 4))) << tag;
  }
  EXPECT_FALSE(looks_like_a_node(plain_node("KATV", 4)));
  EXPECT_FALSE(looks_like_a_node(plain_node("", 3)));
  EXPECT_TRUE(looks_like_a_node(plain_node("", 0, -1, -1, 79)));
  EXPECT_FALSE(looks_like_a_node(plain_node("", 0, -1, -1, 80))) << "a name without an end";
  EXPECT_TRUE(looks_like_a_node(plain_node("", 0, 0, 0x7FFFFFFF)));
  EXPECT_FALSE(looks_like_a_node(plain_node("", 0, -2, -1)));
  EXPECT_FALSE(looks_like_a_node(plain_node("", 0, -1, -2)));
  EXPECT_FALSE(looks_like_a_node(test::RawBytes().zeros(95)));
  for (const std::uint32_t size : {0U, 95U, 97U}) {
    const auto node = plain_node();
    test::RawBytes other;
    other.u32(size);
    for (std::size_t i = 4; i < node.size(); ++i) {
      other.u8(node.bytes()[i]);
    }
    EXPECT_FALSE(looks_like_a_node(other)) << size;
  }
}

TEST(MdxLayout, AnIdIsThereWhereANodeFollowsItOrNothingElseFits) {
  const auto words = [](std::size_t count) { return test::RawBytes().zeros(4 * count); };
  EXPECT_TRUE(event_has_global_sequence(view(words(3).append(plain_node())), 2));
  EXPECT_FALSE(event_has_global_sequence(view(words(2).append(plain_node())), 2));
  EXPECT_TRUE(event_has_global_sequence(view(words(3)), 2));
  EXPECT_FALSE(event_has_global_sequence(view(words(2)), 2));
  EXPECT_TRUE(event_has_global_sequence(view(words(1)), 2)) << "as the game writes it";
  EXPECT_TRUE(event_has_global_sequence(view(words(9)), 2));
  EXPECT_TRUE(event_has_global_sequence(view(words(9)), 0xFFFFFFFFU));
}

TEST(MdxLayout, PayloadsAreThoseOfTheCommunityWhereTheyFit) {
  for (const auto& [type, size] :
       {std::pair(0U, 24U), std::pair(1U, 24U), std::pair(2U, 16U), std::pair(3U, 28U)}) {
    EXPECT_EQ(usual_collision_payload(type, size), size) << type;
    EXPECT_EQ(usual_collision_payload(type, size - 1), 0U) << type;
  }
  EXPECT_EQ(usual_collision_payload(4, 1000), 0U);
}

TEST(MdxLayout, ShapesArePlannedSoThatAllOfThemFit) {
  using Plan = std::vector<std::uint32_t>;
  const auto shape = [](std::uint32_t type, std::size_t payload) {
    return plain_node().u32(type).zeros(payload);
  };
  const auto plan = [](std::initializer_list<test::RawBytes> shapes) {
    test::RawBytes chunk;
    for (const auto& one : shapes) {
      chunk.append(one);
    }
    return plan_collision_payloads(view(chunk));
  };
  EXPECT_EQ(plan({}), Plan{});
  EXPECT_EQ(plan({shape(0, 24)}), Plan{24});
  EXPECT_EQ(plan({shape(1, 20), shape(3, 8), shape(2, 16)}), (Plan{20, 8, 16}));
  EXPECT_EQ(plan({shape(1, 12), shape(3, 16), shape(1, 24), shape(3, 28)}), (Plan{12, 16, 24, 28}));
  EXPECT_EQ(plan({shape(0, 20)}), Plan{}) << "a box has one layout";
  EXPECT_EQ(plan({shape(2, 20)}), Plan{});
  EXPECT_EQ(plan({shape(4, 24)}), Plan{});
  EXPECT_EQ(plan({shape(0, 24), plain_node()}), Plan{}) << "no word for the type";
  EXPECT_EQ(plan({shape(0, 24), test::RawBytes().zeros(3)}), Plan{});
}

}  // namespace
}  // namespace thaw::mdx
