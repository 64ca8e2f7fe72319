// Packs byte by byte: what a table may say, where it ends, and what is written.
#include <thaw/archive.hpp>
#include <thaw/codes.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libdeflate.h>

#include <algorithm>
#include <memory>

#include "bytes/text.hpp"

namespace thaw {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Numbers of either byte order, one behind the other.
class Words {
 public:
  Words& big(std::uint32_t value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
      bytes_.push_back(static_cast<std::uint8_t>(value >> shift));
    }
    return *this;
  }
  Words& little(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) {
      bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    return *this;
  }
  Words& text(std::string_view text) {
    const ByteView bytes = as_bytes(text);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Words& up_to(std::size_t size) {
    bytes_.resize(std::max(size, bytes_.size()), 0);
    return *this;
  }
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

/// An entry of PACK1.
struct Entry {
  std::string name = "a";
  std::uint32_t offset = 64;
  std::uint32_t size = 1;
};

Words table(std::uint32_t next, const std::vector<Entry>& entries, std::uint32_t more = 0) {
  Words words;
  words.big(next).big(static_cast<std::uint32_t>(entries.size()) + more);
  for (const Entry& entry : entries) {
    words.big(static_cast<std::uint32_t>(entry.name.size())).text(entry.name);
    words.big(entry.offset).big(entry.size).big(0);
  }
  return words;
}

std::vector<std::string> messages(const Diagnostics& findings) {
  std::vector<std::string> messages;
  for (const auto& finding : findings.items()) {
    messages.push_back(std::string(finding.code.id) + ": " + finding.message);
  }
  return messages;
}

TEST(Pack1Layout, ATableHasToMakeSense) {
  const auto is = [](const Words& words) { return pack::is_pack1(words.bytes()); };
  EXPECT_TRUE(is(table(0, {{}})));
  EXPECT_TRUE(is(table(25, {{}})));
  EXPECT_FALSE(is(table(24, {{}}))) << "the next table would lie in this one";
  EXPECT_FALSE(is(table(0, {}).up_to(64))) << "no file";
  EXPECT_TRUE(is(table(0, {{}}, 0xFFFFFE)));
  EXPECT_FALSE(is(table(0, {{}}, 0xFFFFFF))) << "more files than any pack has";
  EXPECT_FALSE(is(table(0, {{""}}).up_to(64))) << "a name is not empty";
  EXPECT_TRUE(is(table(0, {{std::string(1024, 'n')}}))) << "the longest name";
  EXPECT_FALSE(is(table(0, {{std::string(1025, 'n')}})));
  EXPECT_TRUE(is(table(0, {{" ~\x80\xFF"}})));
  EXPECT_FALSE(is(table(0, {{"a\x1F"}})));
  EXPECT_FALSE(is(table(0, {{"a\x7F"}})));
  EXPECT_TRUE(is(table(0, {{"a", 24, 1}})));
  EXPECT_FALSE(is(table(0, {{"a", 23, 1}}))) << "its content would lie in the table";
  EXPECT_TRUE(is(table(0, {{"a", 0, 0}}))) << "it has none";
}

TEST(Pack1Layout, OfATableFourFilesAreLookedAtAsFarAsTheyAreThere) {
  const Entry bad = {"\x01", 64, 1};
  EXPECT_FALSE(pack::is_pack1(table(0, {{}, bad}).bytes()));
  EXPECT_FALSE(pack::is_pack1(table(0, {{}, {}, {}, bad}).bytes()));
  EXPECT_TRUE(pack::is_pack1(table(0, {{}, {}, {}, {}, bad}).bytes()));
  const Bytes whole = table(0, {{"ab"}, {"cd"}}).bytes();
  EXPECT_FALSE(pack::is_pack1(ByteView(whole).first(23))) << "less than any entry";
  EXPECT_TRUE(pack::is_pack1(ByteView(whole).first(26 + 15))) << "the second is cut off";
  EXPECT_FALSE(pack::is_pack1(ByteView(whole).first(26 + 16))) << "its name has to fit";
}

TEST(Pack1Layout, NumbersAreBigEndianAndTablesFollowEachOther) {
  const Bytes bytes = table(0x00010200, {{"one", 0x00010100, 0x0000000A}})
                          .up_to(0x10200)
                          .big(0)
                          .big(1)
                          .big(3)
                          .text("two")
                          .big(0x10100)
                          .big(0x101)
                          .big(0x12345678)
                          .up_to(0x10300)
                          .bytes();
  Diagnostics findings;
  const auto pack = pack::open_pack1(memory_storage(bytes), {}, findings);
  ASSERT_TRUE(pack);
  EXPECT_THAT(messages(findings), IsEmpty());
  const auto& entries = (*pack)->entries();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].offset, 0x10100U);
  EXPECT_EQ(entries[0].size, 10U);
  EXPECT_EQ(entries[1].name, "two");
  EXPECT_EQ(entries[1].size, 0x101U);
  EXPECT_EQ(entries[1].crc32, 0x12345678U);
  EXPECT_EQ((*pack)->summary(), "PACK1, 2 tables");
  const auto one = pack::open_pack1(memory_storage(table(0, {{"a", 8, 1}}).bytes()));
  EXPECT_EQ((*one)->summary(), "PACK1, 1 table");
}

TEST(Pack1Layout, ReportsOfTablesAndFilesThatAreNotThere) {
  const auto reported = [](const Bytes& bytes) {
    Diagnostics findings;
    EXPECT_TRUE(pack::open_pack1(memory_storage(bytes), {}, findings));
    return messages(findings);
  };
  // The table ends at 25; what comes next has to begin there or behind it, and its head has to fit.
  EXPECT_THAT(reported(table(25, {{"a", 8, 1}}).up_to(33).bytes()), IsEmpty());
  EXPECT_THAT(
      reported(table(26, {{"a", 8, 1}}).up_to(33).bytes()),
      ElementsAre(
          "pack.table: the offset of the next table (26) is outside the file; later tables were not read"));
  EXPECT_THAT(reported(table(24, {{"a", 8, 1}}).up_to(99).bytes()),
              ElementsAre("pack.table: the offset of the next table (24) is before the end of this table; "
                          "later tables were not "
                          "read"));
  EXPECT_THAT(reported(table(0, {{"a", 8, 17}, {"b", 8, 1}}).bytes()), IsEmpty());
  EXPECT_THAT(reported(table(0, {{"a", 8, 18}}).bytes()),
              ElementsAre("pack.table: 1 file outside the pack left out"));
  EXPECT_THAT(reported(table(0, {{"a", 25, 0}}).bytes()), IsEmpty()) << "nothing, at the end";
  EXPECT_THAT(reported(table(0, {{"a", 43, 0}, {"b", 99, 0}}).bytes()),
              ElementsAre("pack.table: 2 files outside the pack left out"));
  EXPECT_THAT(
      reported(table(0, {{"a", 8, 1}}, 1).bytes()),
      ElementsAre(
          "pack.table: a table ends after the end of the file; its further files and later tables are left "
          "out"));
  const auto short_file = pack::open_pack1(memory_storage(Bytes(7, 0)));
  ASSERT_FALSE(short_file);
  EXPECT_EQ(short_file.error().code, codes::kPackHeader);
  EXPECT_TRUE(pack::open_pack1(memory_storage(Bytes(8, 0))));
}

/// A PACK2 of files with a hash each, their map behind them.
struct Blob {
  std::uint64_t hash = 0;
  Bytes bytes;
  std::uint32_t packing = 0;
};
Bytes pack2(const std::vector<Blob>& blobs, std::int64_t length_off = 0, std::uint32_t more = 0) {
  Words map;
  Bytes content;
  for (const Blob& blob : blobs) {
    map.little(blob.hash, 8).little(0x20 + content.size(), 8).little(blob.bytes.size(), 8);
    map.little(blob.packing, 4).little(0, 4);
    content.insert(content.end(), blob.bytes.begin(), blob.bytes.end());
  }
  const std::uint64_t size = 0x20 + content.size() + map.bytes().size();
  Words words;
  words.text("PAK\x01").little(blobs.size() + more, 4);
  words.little(size + static_cast<std::uint64_t>(length_off), 8).little(0x20 + content.size(), 8).up_to(0x20);
  Bytes bytes = words.bytes();
  bytes.insert(bytes.end(), content.begin(), content.end());
  bytes.insert(bytes.end(), map.bytes().begin(), map.bytes().end());
  return bytes;
}

Bytes zipped(const Bytes& plain, std::uint32_t stated) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(9), libdeflate_free_compressor);
  Bytes packed(libdeflate_zlib_compress_bound(compressor.get(), plain.size()));
  packed.resize(
      libdeflate_zlib_compress(compressor.get(), plain.data(), plain.size(), packed.data(), packed.size()));
  Bytes blob = Words().big(0xA1B2C3D4).big(stated).bytes();
  blob.insert(blob.end(), packed.begin(), packed.end());
  return blob;
}

struct Opened2 {
  explicit Opened2(const Bytes& bytes) {
    archive = pack::open_pack2(memory_storage(bytes), {}, findings).value_or(nullptr);
  }
  [[nodiscard]] Result<UnpackedFile> unpack(std::size_t entry, std::uint64_t most = ~std::uint64_t{0}) const {
    Diagnostics discarded;
    return archive->unpack(archive->entries()[entry], discarded, most);
  }
  Diagnostics findings;
  std::shared_ptr<const Archive> archive;
};

const std::uint64_t kName = pack::name_hash("a.txt");

TEST(Pack2Layout, ReportsOfASizeAndAMapThatAreNotRight) {
  const auto reported = [](const Bytes& bytes) {
    const Opened2 pack(bytes);
    std::vector<std::string> lines;
    for (const auto& finding : pack.findings.items()) {
      if (finding.code != codes::kPackNames) {
        lines.push_back(std::string(severity_name(finding.code.severity)) + " " + finding.message);
      }
    }
    return lines;
  };
  const std::vector<Blob> one = {{kName, {1, 2, 3}}};
  EXPECT_THAT(reported(pack2(one)), IsEmpty());
  EXPECT_THAT(reported(pack2(one, 1)),
              ElementsAre("severe the header states a pack of 68 bytes; the file has 67"));
  const auto less = reported(pack2(one, -1));
  ASSERT_EQ(less.size(), 1U);
  EXPECT_EQ(less[0], std::string(severity_name(codes::kPackHeader.severity)) +
                         " the header states a pack of 66 bytes; the file has 67");
  EXPECT_NE(less[0].substr(0, 6), "severe");
  EXPECT_THAT(reported(pack2(one, 0, 1)),
              ElementsAre("severe the pack states 2 files, but its map has 1; the others are left out"));
  Bytes outside = pack2(one);
  outside[0x23 + 16] = 0x24;  // longer than what is left
  EXPECT_THAT(reported(outside), ElementsAre("severe 1 file outside the pack left out"));
  EXPECT_FALSE(pack::open_pack2(memory_storage(Bytes(31, 0))));
  EXPECT_TRUE(pack::open_pack2(memory_storage(Bytes(32, 0))));
}

TEST(Pack2Layout, WhatIsPackedSaysSoTwice) {
  const Bytes plain(1000, 'x');
  const Bytes packed = zipped(plain, 1000);
  Bytes other = packed;
  other[3] ^= 1U;
  const Opened2 pack(
      pack2({{1, packed, 1}, {2, packed, 0x11}, {3, packed, 0}, {4, packed, 2}, {5, other, 1}}));
  ASSERT_EQ(pack.archive->entries().size(), 5U);
  std::vector<std::string> methods;
  for (std::size_t i = 0; i < 5; ++i) {
    const auto file = pack.unpack(i);
    ASSERT_TRUE(file);
    methods.push_back(file->method);
    EXPECT_EQ(file->bytes, i < 2 ? plain : i < 4 ? packed : other) << i;
  }
  EXPECT_THAT(methods, ElementsAre("zlib", "zlib", "stored", "stored", "stored"));
  EXPECT_EQ(pack.archive->summary().substr(pack.archive->summary().find(", 2")), ", 2 files compressed");
}

TEST(Pack2Layout, StatedSizesAreHeldTo) {
  const Bytes plain(100000, 'x');
  const Opened2 pack(pack2({{1, zipped(plain, 100000), 1},
                            {2, zipped(plain, 99999), 1},
                            {3, zipped(plain, 100001), 1},
                            {4, Words().big(0xA1B2C3D4).big(5000).big(0x789C0000).big(0).bytes(), 1},
                            {5, Words().big(0xA1B2C3D4).big(0).bytes(), 1}}));
  const auto why = [&](std::size_t entry) {
    const auto file = pack.unpack(entry);
    return file ? "" : std::string(file.error().code.id) + ": " + file.error().message;
  };
  EXPECT_EQ(why(0), "");
  EXPECT_EQ(why(1), "pack.data: zlib data is longer than stated");
  EXPECT_EQ(why(2), "pack.data: zlib data is shorter than stated");
  EXPECT_EQ(why(3), "pack.data: damaged zlib data");
  EXPECT_EQ(pack.unpack(3).error().offset, pack.archive->entries()[3].offset);
  EXPECT_EQ(why(4), "pack.data: damaged zlib data");
  const auto part = pack.unpack(0, 10);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->bytes.size(), 10U) << "no more than was asked for";
}

TEST(Pack2Layout, NoFileUnpacksToMoreThanDeflateCanHold) {
  constexpr std::uint32_t kMost = 1032;
  const auto stated = [&](std::uint32_t size) {
    Bytes blob = Words().big(0xA1B2C3D4).big(size).up_to(16).bytes();
    const auto file = Opened2(pack2({{1, blob, 1}})).unpack(0);
    return file ? "" : std::string(file.error().code.id);
  };
  EXPECT_EQ(stated(kMost * 16), "pack.data");
  EXPECT_EQ(stated(kMost * 16 + 1), "input.too-large");
}

TEST(Pack1Written, TablesAreOf8KiBEachBeforeItsFiles) {
  std::vector<pack::NewFile> files;
  // 16 + 48 bytes for each: 127 fill a table but for 56 bytes, and with a longer name for the last, to the
  // byte.
  for (int i = 0; i < 130; ++i) {
    std::string name = "file" + std::to_string(1000 + i);
    name.resize(i == 127 ? 40 : 48, '_');
    files.push_back({name, [i] { return Result<Bytes>(Bytes(static_cast<std::size_t>(i % 3), 7)); }});
  }
  std::reverse(files.begin(), files.end());
  MemorySink out;
  ASSERT_TRUE(pack::create_pack1(std::move(files), out));
  EXPECT_TRUE(pack::is_pack1(out.bytes()));
  Diagnostics findings;
  const auto pack = pack::open_pack1(memory_storage(out.bytes()), {}, findings);
  ASSERT_TRUE(pack);
  EXPECT_THAT(messages(findings), IsEmpty());
  EXPECT_EQ((*pack)->summary(), "PACK1, 2 tables");
  const auto& entries = (*pack)->entries();
  ASSERT_EQ(entries.size(), 130U);
  EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  EXPECT_EQ(entries[0].offset, 0x2000U);
  EXPECT_EQ(entries[128].offset, 0x4000U + 127)
      << "128 entries of the first table, whose files are 127 bytes";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto file = (*pack)->unpack(entries[i], findings);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->bytes, Bytes(i % 3, 7));
    EXPECT_EQ(entries[i].crc32 == 0, i % 3 == 0);
  }
  EXPECT_THAT(messages(findings), IsEmpty()) << "checksums";
  EXPECT_EQ(out.size(), 0x4000U + 127 + 2) << "the last two hold 2 and 0 bytes";
}

std::string refusal(const std::vector<std::string>& names) {
  std::vector<pack::NewFile> files;
  for (const std::string& name : names) {
    files.push_back({name, [] { return Result<Bytes>(Bytes{1}); }});
  }
  MemorySink out;
  const auto made = pack::create_pack1(std::move(files), out);
  return made ? "" : std::string(made.error().code.id) + ": " + made.error().message;
}

TEST(Pack1Written, NamesHaveToBeOnesThatAPackHolds) {
  EXPECT_EQ(refusal({"b", "A", "c"}), "");
  EXPECT_EQ(refusal({std::string(1024, 'n')}), "");
  EXPECT_NE(refusal({std::string(1025, 'n')}), "");
  EXPECT_EQ(refusal({""}), "archive.name: an empty name is not valid in a pack");
  EXPECT_EQ(refusal({" "}), "");
  EXPECT_NE(refusal({"a\x1F"}), "");
  EXPECT_EQ(refusal({"b", "A", "a"}), "archive.name: a: two files have this name (ignoring case)");
}

/// Takes so many pieces, and no other.
class FullSink : public MemorySink {
 public:
  explicit FullSink(int pieces) : left_(pieces) {}
  [[nodiscard]] bool append(ByteView bytes) override { return left_-- > 0 && MemorySink::append(bytes); }
  [[nodiscard]] bool patch(std::uint64_t offset, ByteView bytes) override {
    return left_-- > 0 && MemorySink::patch(offset, bytes);
  }

 private:
  int left_;
};

TEST(Pack1Written, AFullDiskAndAFileThatIsGoneAreErrors) {
  const pack::NewFile file = {"a", [] { return Result<Bytes>(Bytes{1}); }};
  for (int pieces = 0; pieces < 3; ++pieces) {
    FullSink out(pieces);
    const auto made = pack::create_pack1({file}, out);
    ASSERT_FALSE(made) << pieces;
    EXPECT_EQ(made.error().code, codes::kWriteFailed);
  }
  FullSink enough(3);
  EXPECT_TRUE(pack::create_pack1({file}, enough));
  MemorySink out;
  const auto made = pack::create_pack1({{"a", [] { return fail(codes::kInputUnreadable, "gone"); }}}, out);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "gone");
}

}  // namespace
}  // namespace thaw
