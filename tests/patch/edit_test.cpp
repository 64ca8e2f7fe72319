// Models of other games renamed, repathed, scaled and moved: what was asked for changes, and what they show
// goes along.

#include <gtest/gtest.h>
#include <thaw/adr.hpp>
#include <thaw/codes.hpp>
#include <thaw/m3.hpp>
#include <thaw/mrn.hpp>

#include "m3/sample.hpp"
#include "support/edits.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <cmath>

namespace thaw {
namespace {

using test::Log, test::expect_there_and_back, test::kMove, test::placement_of, test::warnings;

// --- M3

TEST(M3Edit, NumbersOfPicturesAreItsPaths) {
  const m3::Document before = m3::sample();
  m3::Document document = before;
  Log log;
  ASSERT_TRUE(m3::repath(document, "9001*", "77*", log.log));
  EXPECT_EQ(log.log.changes.size(), 2U);
  EXPECT_EQ(document.find<m3::Materials>()->instances[0].sampler_textures.back(), 7700);
  ASSERT_TRUE(m3::repath(document, "77*", "9001*", log.log));
  EXPECT_EQ(document, before);
  EXPECT_TRUE(log.findings.items().empty());
  ASSERT_TRUE(m3::repath(document, "textures\\*", "x*", log.log));
  EXPECT_TRUE(log.has(codes::kEditNothing));
  const auto refused = m3::repath(document, "900100", "house.blp", log.log);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code.id, codes::kEditRefused.id);
  EXPECT_EQ(document, before);
}

Array<float> numbers(const m3::Document& document, FourCC tag) {
  return decode(*document.find<m3::Mesh>()->find<m3::Buffer>(tag), m3::Range::as_stored);
}

TEST(M3Edit, AllThatHasAPlaceGoesAlong) {
  for (const unsigned version : {2U, 3U, 4U}) {
    const m3::Document before = m3::sample(version);
    expect_there_and_back(before, m3::place);
    m3::Document document = before;
    Log log;
    ASSERT_TRUE(m3::place(document, placement_of(2, kMove[0], kMove[1], kMove[2]), log.log));
    const auto was = numbers(before, FourCC{"VPOS"});
    const auto is = numbers(document, FourCC{"VPOS"});
    ASSERT_EQ(was.size(), is.size());
    for (std::size_t i = 0; i < was.size(); ++i) {
      EXPECT_FLOAT_EQ(is[i], was[i] * 2 + static_cast<float>(kMove.at(i % 3)));
    }
    EXPECT_EQ(numbers(before, FourCC{"VNML"}), numbers(document, FourCC{"VNML"}));
    const auto& box = document.find<m3::ModelHeader>()->box;
    EXPECT_FLOAT_EQ(box.maximum[2], before.find<m3::ModelHeader>()->box.maximum[2] * 2 + 2);
    EXPECT_FLOAT_EQ(document.find<m3::ModelHeader>()->radius, before.find<m3::ModelHeader>()->radius * 2);
    EXPECT_LE(warnings(document), warnings(before));
  }
}

/// A vertex stands in its bone's frame where it stood, but for the size.
TEST(M3Edit, BindPosesTakeTheWayBack) {
  const m3::Document before = m3::sample();
  const auto poses = m3::inverse_bind_poses(*before.find<m3::Mesh>());
  ASSERT_TRUE(poses) << "the sample is made with bind poses";
  m3::Document document = before;
  Log log;
  Placement placement = placement_of(2, kMove[0], kMove[1], kMove[2]);
  placement.turn = {0, 0, 1, 0};
  ASSERT_TRUE(m3::place(document, placement, log.log));
  EXPECT_TRUE(log.has(codes::kEditInexact));
  const auto now = m3::inverse_bind_poses(*document.find<m3::Mesh>());
  ASSERT_TRUE(now);
  const auto was = numbers(before, FourCC{"VPOS"});
  const auto is = numbers(document, FourCC{"VPOS"});
  const auto in_frame = [](const std::array<float, 16>& pose, const Array<float>& points, std::size_t vertex,
                           std::size_t row) {
    return pose.at(row) * points[vertex * 3] + pose.at(4 + row) * points[vertex * 3 + 1] +
           pose.at(8 + row) * points[vertex * 3 + 2] + pose.at(12 + row);
  };
  for (std::size_t bone = 0; bone < poses->size(); ++bone) {
    for (std::size_t vertex = 0; vertex < was.size() / 3; vertex += 97) {
      for (std::size_t row = 0; row < 3; ++row) {
        EXPECT_NEAR(in_frame((*now)[bone], is, vertex, row), 2 * in_frame((*poses)[bone], was, vertex, row),
                    1e-4);
      }
    }
  }
}

// --- Forgelight

TEST(AdrEdit, NamesOfFilesChangeInTheTextAndNothingElse) {
  const Bytes bytes = test::load(test::samples_dir() / "forgelight/Human.adr");
  auto document = xml::read(bytes).value();
  Log log;
  ASSERT_TRUE(adr::repath(document, "human_*", "Elf & \"Co\"_*", log.log));
  ASSERT_EQ(log.log.changes.size(), 3U);
  EXPECT_EQ(log.log.changes[0].path, "ActorRuntime.Base.fileName");
  const auto actor = adr::read_actor(document);
  ASSERT_TRUE(actor);
  EXPECT_EQ(actor->base.model, "Elf & \"Co\"_LOD0.dme");
  EXPECT_EQ(actor->aliases.front().texture, "Elf & \"Co\"_C.dds");
  EXPECT_EQ(actor->network, "Human.mrn");
  ASSERT_TRUE(adr::repath(document, "Elf & \"Co\"_*", "Human_*", log.log));
  EXPECT_EQ(xml::write(document), bytes);
  EXPECT_TRUE(log.findings.items().empty());
}

TEST(MrnEdit, AnimationsAreRenamedWithTheirFiles) {
  const Bytes bytes = test::load(test::samples_dir() / "forgelight/human.mrn");
  const auto before = mrn::read(bytes).value();
  mrn::Document document = before;
  const std::string name = mrn::animations(document).front().name;
  const std::string file(document.find<mrn::FileNames>()->files.text(0));
  Log log;
  ASSERT_TRUE(mrn::rename_animations(document, name, "A name that is longer", log.log));
  ASSERT_EQ(log.log.changes.size(), 1U);
  EXPECT_TRUE(log.findings.items().empty());
  ReadOptions strict;
  strict.strict = true;
  const auto again = mrn::read(mrn::write(document), strict);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, document);
  EXPECT_EQ(mrn::animations(*again).front().name, "A name that is longer");
  EXPECT_EQ(mrn::animations(*again).size(), mrn::animations(before).size());
  EXPECT_EQ(warnings(*again), warnings(before));
  ASSERT_TRUE(mrn::rename_animations(document, "a name that*", name, log.log));
  EXPECT_EQ(document.find<mrn::FileNames>()->files.text(0), file);
  EXPECT_EQ(mrn::write(document), bytes);
  ASSERT_TRUE(mrn::rename_animations(document, "none", "x", log.log));
  EXPECT_TRUE(log.has(codes::kEditNothing));
  std::erase_if(document.packets,
                [](const mrn::Packet& packet) { return packet.get_if<mrn::FileNames>() != nullptr; });
  EXPECT_EQ(mrn::rename_animations(document, "*", "x", log.log).error().code.id, codes::kEditRefused.id);
}

}  // namespace
}  // namespace thaw
