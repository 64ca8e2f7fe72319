// PACK1 and PACK2: the published packs, those of the samples, and damage.
#include <thaw/archive.hpp>
#include <thaw/codes.hpp>
#include <thaw/format.hpp>
#include <thaw/sources.hpp>

#include <gtest/gtest.h>
#include <algorithm>
#include <random>

#include "support/files.hpp"
#include "support/heap.hpp"
#include "support/paths.hpp"

namespace thaw {
namespace {

using namespace test;

struct Opened {
  Diagnostics findings;
  std::shared_ptr<const Archive> archive;

  explicit Opened(Bytes bytes, const ArchiveOptions& options = {}) {
    auto result = open_archive(memory_storage(std::move(bytes)), options, findings);
    archive = result ? *result : nullptr;
  }
  [[nodiscard]] bool found(const Code& code) const {
    const auto& items = findings.items();
    return std::any_of(items.begin(), items.end(), [&](const Diagnostic& d) { return d.code == code; });
  }
};

Bytes corpus_pack(const std::string& name) { return load(corpus_dir() / "mrn" / "forgelight-packs" / name); }
Bytes sample(const std::string& name) { return load(samples_dir() / "forgelight" / name); }

TEST(Pack1, ThePublishedPackHasRightChecksums) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-packs");
  const Opened pack(corpus_pack("sample.pack"));
  ASSERT_NE(pack.archive, nullptr);
  EXPECT_EQ(pack.archive->kind(), ArchiveKind::pack1);
  ASSERT_EQ(pack.archive->entries().size(), 235U);
  Diagnostics findings;
  std::size_t empty = 0;
  for (const auto& entry : pack.archive->entries()) {
    const auto file = pack.archive->unpack(entry, findings);
    ASSERT_TRUE(file) << entry.name;
    EXPECT_EQ(file->bytes.size(), entry.size);
    empty += entry.size == 0 && entry.crc32 == 0 ? 1U : 0U;
  }
  EXPECT_EQ(empty, 2U);
  EXPECT_TRUE(findings.items().empty()) << "235 checksums of 235";
  EXPECT_TRUE(pack.findings.items().empty());
  EXPECT_EQ(pack.archive->find("ABILITYCLASSES.txt")->size, 149U);
  EXPECT_EQ(identify(corpus_pack("sample.pack")).format, "pack1");
}

TEST(Pack1, AWrongChecksumIsReported) {
  Bytes bytes = sample("human.pack");
  const Opened before(bytes);
  ASSERT_NE(before.archive, nullptr);
  const ArchiveEntry entry = before.archive->entries()[0];
  bytes[entry.offset] ^= 1U;
  const Opened after(std::move(bytes));
  Diagnostics findings;
  EXPECT_TRUE(after.archive->unpack(entry, findings));
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].code, codes::kPackChecksum);
}

TEST(Pack1, APartOfAFileHasNoChecksum) {
  const Opened pack(sample("human.pack"));
  ASSERT_NE(pack.archive, nullptr);
  Diagnostics findings;
  const auto part = pack.archive->unpack(pack.archive->entries()[0], findings, 3);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->bytes.size(), 3U);
  EXPECT_TRUE(findings.items().empty());
}

TEST(Packs, OfTheLargestAllowedSizeOpen) {
  for (const std::string name : {"human.pack", "human.pack2"}) {
    ArchiveOptions options;
    options.limits.max_input_bytes = sample(name).size();
    EXPECT_NE(Opened(sample(name), options).archive, nullptr) << name;
    options.limits.max_input_bytes -= 1;
    EXPECT_EQ(Opened(sample(name), options).archive, nullptr) << name;
  }
}

TEST(Pack2, StatesItsVersionAndWhereItsMapIs) {
  const Opened pack(sample("human.pack2"));
  ASSERT_NE(pack.archive, nullptr);
  const Value details = pack.archive->details();
  EXPECT_EQ(details["version"].integer(), 2);
  const auto map = details["map_offset"].integer().value();
  // A count of files and, of each, hash, offset, size, whether it is packed, and a checksum.
  EXPECT_EQ(static_cast<std::size_t>(map) + pack.archive->entries().size() * 32,
            sample("human.pack2").size());
}

TEST(Pack2, ThePublishedPackUnpacksUnderItsNames) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-packs");
  ArchiveOptions options;
  options.names = parse_listfile(corpus_pack("example_namelist.txt"));
  const Opened pack(corpus_pack("example_pack2.pack2"), options);
  ASSERT_NE(pack.archive, nullptr);
  ASSERT_EQ(pack.archive->entries().size(), 51U);
  Diagnostics findings;
  std::size_t zipped = 0;
  for (const auto& entry : pack.archive->entries()) {
    EXPECT_FALSE(entry.name.empty()) << hash_text(entry.hash);
    const auto file = pack.archive->unpack(entry, findings);
    ASSERT_TRUE(file) << entry.name;
    EXPECT_EQ(file->bytes.size(), entry.size);
    zipped += file->method == "zlib" ? 1U : 0U;
    if (entry.name.ends_with(".dds")) {
      EXPECT_EQ(identify(file->bytes).format, "dds") << entry.name;
    }
    const auto part = pack.archive->unpack(entry, findings, 100);
    ASSERT_TRUE(part);
    ASSERT_GE(part->bytes.size(), std::min<std::size_t>(100, file->bytes.size()));
    EXPECT_TRUE(std::equal(part->bytes.begin(), part->bytes.end(), file->bytes.begin())) << entry.name;
  }
  EXPECT_EQ(zipped, 35U);
  EXPECT_FALSE(pack.found(codes::kPackNames));
}

TEST(Pack2, FilesWithoutANameHaveTheirHash) {
  THAW_REQUIRE_CORPUS("mrn/forgelight-packs");
  const Opened pack(corpus_pack("example_pack2.pack2"));
  ASSERT_NE(pack.archive, nullptr);
  EXPECT_TRUE(pack.found(codes::kPackNames));
  const auto entry = pack.archive->find("sanctuary_-1_0.TOME");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->name, "sanctuary_-1_0.TOME");
  EXPECT_EQ(pack.archive->find(hash_text(entry->hash) + ".tome")->offset, entry->offset);
  EXPECT_EQ(display_name(pack.archive->entries()[0], ".x"),
            hash_text(pack.archive->entries()[0].hash) + ".x");
  EXPECT_FALSE(pack.archive->find("no such file"));
}

TEST(Pack2, TheHashOfANameIsCrc64) {
  // Of digits, which have no case: bit by bit with the reflected polynomial 0x95AC9329AC4BC9B5.
  EXPECT_EQ(pack::name_hash("123456789"), 0x3558E8E979F60D7EU);
  EXPECT_EQ(pack::name_hash("Human_c.DDS"), pack::name_hash("HUMAN_C.dds"));
}

TEST(Packs, OfTheSamplesHoldTheFilesAdjacentThem) {
  for (const std::string name : {"human.pack", "human.pack2"}) {
    const Opened pack(sample(name));
    ASSERT_NE(pack.archive, nullptr);
    EXPECT_TRUE(pack.findings.items().empty()) << name;
    for (const std::string file : {"Human.adr", "Human_LOD0.dme", "Human_S.dds"}) {
      Diagnostics findings;
      const auto entry = pack.archive->find(file);
      ASSERT_TRUE(entry) << file;
      const auto unpacked = pack.archive->unpack(*entry, findings);
      ASSERT_TRUE(unpacked) << file;
      EXPECT_EQ(unpacked->bytes, sample(file)) << name << ' ' << file;
      EXPECT_TRUE(findings.items().empty());
    }
    const auto source = archive_source(pack.archive, name);
    EXPECT_TRUE(source->read("human_lod0.dme"));
    EXPECT_FALSE(source->read("human_lod1.dme"));
  }
}

/// What may be asked of an archive that opened.
void use(const Archive& archive, std::size_t file_size) {
  Diagnostics findings;
  std::uint64_t together = 0;
  for (const auto& entry : archive.entries()) {
    if (const auto file = archive.unpack(entry, findings, 4096)) {
      EXPECT_LE(file->bytes.size(), std::max<std::uint64_t>(entry.size, 4096));
      together += file->bytes.size();
    }
    EXPECT_FALSE(display_name(entry, ".bin").empty());
  }
  EXPECT_LE(together, archive.entries().size() * 70000 + file_size);
}

TEST(Packs, DamageEndsInFindings) {
  std::mt19937 dice(7);
  for (const std::string name : {"human.pack", "human.pack2"}) {
    Bytes original = sample(name);
    // Tables lie in the first 8 KiB of a PACK1 and at the end of a PACK2.
    const std::size_t from = name == "human.pack" ? 0 : original.size() - 8 * 32;
    const std::size_t reach = name == "human.pack" ? 400 : 8 * 32;
    for (int round = 0; round < 300; ++round) {
      Bytes bytes = original;
      for (unsigned i = 0; i <= dice() % 6; ++i) {
        const bool header = dice() % 4 == 0;
        bytes[header ? dice() % 32 : from + dice() % reach] = static_cast<std::uint8_t>(dice());
      }
      if (round % 10 == 0) {
        bytes.resize(dice() % bytes.size());
      }
      const std::size_t size = bytes.size();
      const HeapMeter meter;
      const Opened pack(std::move(bytes));
      if (pack.archive != nullptr) {
        use(*pack.archive, size);
      }
      EXPECT_LE(meter.peak(), 16 * size + (std::size_t{64} << 20U));
    }
  }
}

TEST(Packs, TablesThatLeadInCirclesEnd) {
  Bytes bytes(4096, 0);
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    bytes[at + 3] = 16;  // the next table is at 16, and holds a file or so
    bytes[at + 7] = 1;
  }
  const auto storage = memory_storage(bytes);
  Diagnostics findings;
  const auto pack = pack::open_pack1(storage, {}, findings);
  ASSERT_TRUE(pack);
  EXPECT_FALSE(findings.items().empty());
}

TEST(Packs, AWrongSumOfZlibIsReportedAndTheDataRead) {
  Bytes bytes = sample("human.pack2");
  const Opened before(bytes);
  ASSERT_NE(before.archive, nullptr);
  const auto entries = before.archive->entries();
  const auto entry = std::find_if(entries.begin(), entries.end(), [&](const ArchiveEntry& each) {
    Diagnostics none;
    return before.archive->unpack(each, none)->method == "zlib";
  });
  ASSERT_NE(entry, entries.end());
  Diagnostics sound;
  const Bytes content = before.archive->unpack(*entry, sound)->bytes;
  EXPECT_TRUE(sound.items().empty());
  bytes[entry->offset + entry->packed_size - 1] ^= 1U;
  Diagnostics findings;
  const auto file = Opened(std::move(bytes)).archive->unpack(*entry, findings);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->bytes, content);
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].code, codes::kPackChecksum);
}

TEST(Packs, AFileThatStatesMoreThanItCanBeIsRefused) {
  Bytes bytes = sample("human.pack2");
  const Opened before(bytes);
  ASSERT_NE(before.archive, nullptr);
  for (const auto& entry : before.archive->entries()) {
    if (bytes[entry.offset] == 0xA1 && bytes[entry.offset + 1] == 0xB2) {
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(entry.offset) + 4, 4, std::uint8_t{0xFF});
    }
  }
  const Opened after(std::move(bytes));
  Diagnostics findings;
  std::size_t refused = 0;
  for (const auto& entry : after.archive->entries()) {
    const auto file = after.archive->unpack(entry, findings);
    refused += !file && file.error().code == codes::kInputTooLarge ? 1U : 0U;
  }
  EXPECT_GE(refused, 4U);
}

}  // namespace
}  // namespace thaw
