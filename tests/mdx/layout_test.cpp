// Layout decisions that only the bytes can make, on random chunks in every known layout: EVTS with and
// without global sequence ids, CLID in the layouts of the community, of the engine and of tools that write
// one vertex.

#include <gtest/gtest.h>
#include <thaw/mdx.hpp>

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

}  // namespace
}  // namespace thaw::mdx
