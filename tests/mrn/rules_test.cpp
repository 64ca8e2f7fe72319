// Rules of networks and animations: each finds the fault that it is about, and nothing else does.
#include <thaw/mrn.hpp>
#include <thaw/nsa.hpp>
#include <thaw/validate.hpp>

#include "mrn/human.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace thaw::mrn {
namespace {

std::vector<std::string> findings(Document document) {
  std::vector<std::string> found;
  const Bytes bytes = write(document);
  const AnyDocument any(identify(bytes), std::move(document));
  const Diagnostics report = validate(any, {});
  for (const auto& finding : report.items()) {
    found.emplace_back(finding.code.id);
    EXPECT_TRUE(finding.offset) << finding.code.id << ' ' << finding.path;
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

using Codes = std::vector<std::string>;

template <class T>
T& first(Document& document) {
  for (Packet& packet : document.packets) {
    if (T* body = packet.get_if<T>()) {
      return *body;
    }
  }
  ADD_FAILURE() << "no such packet";
  std::abort();
}

Codes spoiled(void (*spoil)(Document&)) {
  Document document = human();
  spoil(document);
  return findings(std::move(document));
}

TEST(MrnRules, TheSampleBreaksOnlyWhatItIsMadeFor) {
  EXPECT_EQ(findings(human()), (Codes{"nsa.root-timing", "nsa.scale"}));
}

TEST(MrnRules, EachFindsItsFault) {
  const auto with = [](std::initializer_list<const char*> added) {
    Codes codes = {"nsa.root-timing", "nsa.scale"};
    codes.insert(codes.end(), added.begin(), added.end());
    std::sort(codes.begin(), codes.end());
    return codes;
  };
  EXPECT_EQ(spoiled([](Document& d) { d.packets[5].alignment = 8; }), with({"mrn.alignment"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Skeleton>(d).names.strings.back() = 'x'; }),
            with({"mrn.string"}));
  EXPECT_EQ(spoiled([](Document& d) { first<FileNames>(d).takes.count = 4; }), with({"mrn.name-count"}));
  EXPECT_EQ(spoiled([](Document& d) { d.packets[2].asset_id = 9; }), with({"mrn.asset-id"}));
  EXPECT_EQ(spoiled([](Document& d) { first<FileNames>(d).crcs[1][0] ^= 1; }), with({"mrn.crc-list"}));
  EXPECT_EQ(spoiled([](Document& d) { first<SkeletonNames>(d).names.count = 2; }),
            with({"mrn.skeleton-count", "mrn.string"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Skeleton>(d).bind_pose.count = 3; }), with({"mrn.bone-count"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Skeleton>(d).chains[1].parent = 0; }), with({"mrn.hierarchy"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Skeleton>(d).bind_pose.rotations[4][3] = 2; }),
            with({"mrn.quaternion"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Skeleton>(d).names.strings[0] = 'X'; }), with({"mrn.bone-zero"}));
  EXPECT_EQ(spoiled([](Document& d) { first<RigMap>(d).bones[3] = 1; }), with({"mrn.map-bone"}));
  EXPECT_EQ(spoiled([](Document& d) { first<RigMap>(d).used_size[0] = 77; }),
            with({"mrn.map-bits", "mrn.map-count"}));
  EXPECT_EQ(spoiled([](Document& d) { first<EventTrack>(d).events[1].start = 1.5F; }),
            with({"mrn.event-time"}));
  EXPECT_EQ(spoiled([](Document& d) { first<EventTrack>(d).name.back() = 'x'; }), with({"mrn.event-name"}));
  using Nsa = nsa::Document;
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).header.version = 4; }), with({"nsa.crc"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).header.channels = 20; }),
            with({"nsa.channel-range", "nsa.crc", "nsa.header"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).header.alignment = 64; }),
            with({"nsa.crc", "nsa.header"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).header.reserved = 1; }), with({"nsa.crc", "nsa.header"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).still->counts[0] = 3; }),
            with({"nsa.crc", "nsa.list-count"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).moving[0].lists[1]->channels[0] = 0; }),
            with({"nsa.channel-twice", "nsa.crc"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).moving[0].segment->infos[1][0][4] = 200; }),
            with({"nsa.crc", "nsa.factor-index"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).header.duration = 9; }),
            with({"nsa.crc", "nsa.samples"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).header.rate = -30; }),
            with({"nsa.crc", "nsa.samples", "nsa.timing"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).factors[1][0][0][0] = INFINITY; }),
            with({"nsa.crc", "nsa.factors"}));
  EXPECT_EQ(spoiled([](Document& d) { first<Nsa>(d).moving[0].segment->at[0][1] = 0x44; }),
            with({"nsa.crc", "nsa.rows"}));
}

TEST(MrnRules, FaultsThatBringOthersWithThem) {
  const auto expect = [](const char* code, void (*spoil)(Document&)) {
    const Codes codes = spoiled(spoil);
    EXPECT_TRUE(std::binary_search(codes.begin(), codes.end(), code))
        << code << " among " << ::testing::PrintToString(codes);
  };
  expect("mrn.packet-unknown", [](Document& d) { d.packets.back().type = 0x7777; });
  expect("mrn.animation-count", [](Document& d) {
    const auto last = std::find_if(d.packets.rbegin(), d.packets.rend(),
                                   [](Packet& packet) { return packet.get_if<nsa::Document>() != nullptr; });
    d.packets.erase(std::next(last).base());
  });
  expect("mrn.parent-order", [](Document& d) { first<Skeleton>(d).hierarchy.parents[1] = 3; });
  expect("nsa.infos", [](Document& d) { first<nsa::Document>(d).moving[0].segment->counts[0] += 50; });
}

}  // namespace
}  // namespace thaw::mrn
