// A network as an archive of its animations.
#include <thaw/archive.hpp>
#include <thaw/bytes.hpp>

#include "mrn/human.hpp"
#include "support/files.hpp"
#include "support/paths.hpp"

#include <algorithm>

namespace thaw::mrn {
namespace {

Bytes human_file() { return test::load(test::samples_dir() / "forgelight" / "human.mrn"); }

TEST(MrnArchive, EveryAnimationIsAFile) {
  const Bytes bytes = human_file();
  const auto opened = open_archive(memory_storage(bytes));
  ASSERT_TRUE(opened) << opened.error().message;
  const Archive& archive = **opened;
  EXPECT_EQ(archive.kind(), ArchiveKind::network);
  EXPECT_EQ(archive.file_size(), bytes.size());
  const auto document = read(bytes);
  ASSERT_TRUE(document);
  const auto all = animations(*document);
  ASSERT_EQ(archive.entries().size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ArchiveEntry& entry = archive.entries()[i];
    EXPECT_EQ(entry.name, all[i].name + ".nsa");
    const auto file = archive.unpack(entry);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->bytes, nsa::write(*all[i].document));
    EXPECT_EQ(file->bytes.size(), entry.size);
    ASSERT_LE(entry.offset + entry.size, bytes.size());
    EXPECT_TRUE(std::equal(file->bytes.begin(), file->bytes.end(),
                           bytes.begin() + static_cast<std::ptrdiff_t>(entry.offset)))
        << "it lies where the entry says";
    EXPECT_EQ(archive.unpack(entry, Diagnostics::discarded(), 16)->bytes.size(), 16U);
  }
  const auto found = archive.find("human_walk.NSA");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "Human_Walk.nsa");
  EXPECT_FALSE(archive.find("Human_Walk"));
}

TEST(MrnArchive, EqualNamesAreReportedApart) {
  auto document = read(human_file());
  ASSERT_TRUE(document);
  for (Packet& packet : document->packets) {
    packet.asset_id = packet.get_if<nsa::Document>() != nullptr ? 0 : packet.asset_id;
  }
  const auto opened = open_archive(memory_storage(write(*document)));
  ASSERT_TRUE(opened);
  const auto entries = (*opened)->entries();
  ASSERT_GT(entries.size(), 1U);
  const std::string first = entries[0].name.substr(0, entries[0].name.size() - 4);
  EXPECT_EQ(entries[1].name, first + " (2).nsa");
}

TEST(MrnArchive, WhatIsTooLargeIsRefused) {
  ArchiveOptions options;
  options.limits.max_input_bytes = 100;
  EXPECT_FALSE(open_archive(memory_storage(human_file()), options));
}

}  // namespace
}  // namespace thaw::mrn
