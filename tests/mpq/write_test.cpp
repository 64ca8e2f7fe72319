// Archives that are written and changed: what was not touched stays, what cannot be kept is refused.

#include <thaw/archive.hpp>
#include <thaw/codes.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "bytes/text.hpp"
#include "formats/archives/mpq/crypt.hpp"
#include "support/archive_tally.hpp"
#include "support/files.hpp"
#include "support/mpq_packer.hpp"
#include "support/paths.hpp"

namespace thaw::mpq {
namespace {

using namespace test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using TestFile = test::PackedFile;

NewFile file(const std::string& name, const std::string& content) {
  return {name, [content]() -> Result<Bytes> {
            const ByteView bytes = as_bytes(content);
            return Bytes(bytes.begin(), bytes.end());
          }};
}

void append(Bytes& bytes, const std::string& more) {
  const ByteView view = as_bytes(more);
  bytes.insert(bytes.end(), view.begin(), view.end());
}

std::string text(std::size_t size) {
  std::string result;
  while (result.size() < size) {
    result += "line " + std::to_string(result.size() % 977) + "\r\n";
  }
  return result;
}

std::string content_of(const Archive& archive, std::string_view name) {
  const auto entry = archive.find(name);
  const auto unpacked = entry ? archive.unpack(*entry) : Result<Unpacked>(fail(codes::kMpqNoEntry, ""));
  return unpacked ? std::string(unpacked->bytes.begin(), unpacked->bytes.end()) : "(none)";
}

Archive opened(const Bytes& bytes) {
  Diagnostics findings;
  auto archive = Archive::open(memory_storage(bytes), {}, findings);
  EXPECT_TRUE(archive) << archive.error().message;
  for (const auto& finding : findings.items()) {
    EXPECT_EQ(finding.code.severity, Severity::info) << finding.message;
  }
  return std::move(*archive);
}

Bytes created(std::vector<NewFile> files, const CreateOptions& options = {}) {
  MemorySink out;
  const auto done = create(std::move(files), options, out);
  EXPECT_TRUE(done) << done.error().message;
  return out.bytes();
}

Result<Edited> changed(const Bytes& bytes, const Changes& changes, MemorySink& out,
                       Diagnostics& findings = Diagnostics::discarded(), const EditOptions& options = {}) {
  return edit(memory_storage(bytes), changes, options, out, findings);
}

/// Three files with a list, encrypted or not, behind `before`.
Bytes made(std::uint32_t flags = 0, const std::string& before = {}, std::uint32_t places = 64) {
  PackOptions options;
  options.before = before;
  options.sector_shift = 1;
  options.hash_count = places;
  std::vector<TestFile> files;
  for (const char* name : {"Units\\a.mdx", "b.blp", "war3map.w3i"}) {
    files.push_back({name, text(3000 + files.size() * 700), test::MpqPacking::zlib, flags});
  }
  return pack_mpq(files, options);
}

std::string_view code_of(const Result<Edited>& result) { return result ? "" : result.error().code.id; }

TEST(Write, MakesWhatReads) {
  for (const bool single : {false, true}) {
    for (const bool compress : {false, true}) {
      CreateOptions options;
      options.packing = {compress, single, compress && !single};
      const Bytes bytes =
          created({file("b/empty.txt", ""), file("one.txt", "x"), file("Text.txt", text(20000))}, options);
      const Archive archive = opened(bytes);
      EXPECT_EQ(content_of(archive, "text.TXT"), text(20000));
      EXPECT_EQ(content_of(archive, "b\\empty.txt"), "");
      EXPECT_EQ(content_of(archive, "(listfile)"), "b\\empty.txt\r\none.txt\r\nText.txt\r\n");
      EXPECT_EQ(archive.find("Text.txt")->has(kSectorChecksums), compress && !single);
      EXPECT_EQ(archive.find("Text.txt")->has(kSingleUnit), single);
      EXPECT_NE(archive.find("Text.txt")->crc32, 0U);
      EXPECT_EQ(bytes.size() < 20000, compress);
    }
  }
}

TEST(Write, OneFileArchivesHaveTheDigestAdjacentTheFile) {
  MemorySink out;
  ASSERT_TRUE(create_single(file("dir/house.wmo", text(9000)), {}, out));
  const Archive archive = opened(out.bytes());
  EXPECT_EQ(archive.entries().size(), 3U);
  EXPECT_FALSE(archive.has_listfile());
  EXPECT_EQ(content_of(archive, "house.wmo"), text(9000));
  EXPECT_EQ(content_of(archive, "house.wmo.md5").size(), 16U);
  MemorySink other;
  const auto edited = changed(out.bytes(), {{file("house.wmo", "new")}, {}}, other);
  ASSERT_TRUE(edited);
  EXPECT_THAT(edited->updated, ElementsAre("house.wmo.md5"));
  EXPECT_NE(content_of(opened(other.bytes()), "house.wmo.md5"), content_of(archive, "house.wmo.md5"));
}

TEST(Write, NamesThatNoArchiveCanHold) {
  const auto code = [](std::vector<NewFile> files) {
    MemorySink out;
    const auto done = create(std::move(files), {}, out);
    return done ? std::string_view() : done.error().code.id;
  };
  EXPECT_EQ(code({file("", "x")}), "archive.name");
  EXPECT_EQ(code({file(std::string(260, 'a'), "x")}), "archive.name");
  EXPECT_EQ(code({file("a;b", "x")}), "archive.name");
  EXPECT_EQ(code({file("a.txt", "x"), file("A.TXT", "y")}), "archive.name");
  EXPECT_EQ(code({file("a/b.txt", "x"), file("a_b.txt", "y")}), "");
}

TEST(Write, FilesThatAreCalledByAHashAreReported) {
  MemorySink out;
  Diagnostics findings;
  ASSERT_TRUE(create({file("2f956fc4bb076a5d.blp", "x"), file("(signature)", "y")}, {}, out, findings));
  ASSERT_EQ(findings.items().size(), 2U);
  EXPECT_EQ(findings.items()[0].code, codes::kArchiveHashName);
  EXPECT_EQ(findings.items()[1].code, codes::kArchiveSignature);
}

/// Keeps what is written after a gap of `far` bytes, so that offsets beyond 4 GiB can be had.
class FarSink : public Sink {
 public:
  explicit FarSink(std::uint64_t far) : far_(far) {}
  bool append(ByteView bytes) override {
    pieces_[end_].assign(bytes.begin(), bytes.end());
    end_ += bytes.size() + (pieces_.size() == 2 ? far_ : 0);  // behind the header, which comes second
    return true;
  }
  bool patch(std::uint64_t offset, ByteView bytes) override {
    pieces_[offset].assign(bytes.begin(), bytes.end());
    return true;
  }
  std::uint64_t size() const override { return end_; }
  const std::map<std::uint64_t, Bytes>& pieces() const { return pieces_; }

 private:
  std::uint64_t far_;
  std::uint64_t end_ = 0;
  std::map<std::uint64_t, Bytes> pieces_;
};

class FarStorage : public Storage {
 public:
  explicit FarStorage(const FarSink& sink) : sink_(sink) {}
  std::uint64_t size() const override { return sink_.size(); }
  bool read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    for (const auto& [at, bytes] : sink_.pieces()) {
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (at + i >= offset && at + i < offset + out.size()) {
          out[static_cast<std::size_t>(at + i - offset)] = bytes[i];
        }
      }
    }
    return offset <= size() && out.size() <= size() - offset;
  }

 private:
  const FarSink& sink_;
};

TEST(Write, BeyondFourGigabytesTakesVersionTwo) {
  constexpr std::uint64_t kFar = std::uint64_t{5} << 30U;
  CreateOptions options;
  options.prefix.resize(512, 0);
  FarSink refused(kFar);
  const auto done = create({file("a.txt", text(9000))}, options, refused);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, codes::kArchiveFull);
  options.version = 2;
  FarSink sink(kFar);
  ASSERT_TRUE(create({file("a.txt", text(9000)), file("b.txt", "b")}, options, sink));
  OpenOptions open;
  open.limits.max_input_bytes = ~std::uint64_t{0};
  auto storage = std::make_shared<FarStorage>(sink);
  const auto archive = Archive::open(storage, open);
  ASSERT_TRUE(archive) << archive.error().message;
  EXPECT_GT(archive->header().high_block_offset, kFar);
  EXPECT_GT(archive->find("a.txt")->offset, kFar);
  EXPECT_EQ(content_of(*archive, "a.txt"), text(9000));
  EXPECT_EQ(content_of(*archive, "b.txt"), "b");
}

TEST(Edit, LeavesTheOthersWhereTheyAre) {
  for (const std::uint32_t flags : {0U, kEncrypted | kKeyAdjusted, std::uint32_t{kSectorChecksums}}) {
    for (const std::string& before : {std::string(), map_prefix("A map"), std::string(1024, 'x')}) {
      Bytes original = made(flags, before);
      const std::string after = "something behind";
      append(original, after);
      MemorySink out;
      const auto edited = changed(original, {{file("new\\c.txt", text(5000))}, {}}, out);
      ASSERT_TRUE(edited) << edited.error().message;
      EXPECT_THAT(edited->added, ElementsAre("new\\c.txt"));
      const Archive old = opened(original);
      const Archive now = opened(out.bytes());
      EXPECT_EQ(now.entries().size(), old.entries().size() + 2);  // with war3map.imp
      for (const char* name : {"units\\a.mdx", "b.blp", "war3map.w3i"}) {
        EXPECT_EQ(content_of(now, name), content_of(old, name));
        EXPECT_EQ(now.find(name)->offset, old.find(name)->offset);
      }
      EXPECT_EQ(content_of(now, "new/c.txt"), text(5000));
      EXPECT_THAT(content_of(now, "(listfile)"), HasSubstr("new\\c.txt"));
      EXPECT_EQ(content_of(now, "war3map.imp"), std::string("\1\0\0\0\1\0\0\0\x0Dnew\\c.txt\0", 19));
      EXPECT_TRUE(std::equal(before.begin(), before.end(), out.bytes().begin()));
      EXPECT_EQ(std::string(out.bytes().end() - 16, out.bytes().end()), after);
      MemorySink back;
      ASSERT_TRUE(changed(out.bytes(), {{}, {entry_hash("new\\c.txt")}}, back));
      const Archive again = opened(back.bytes());
      EXPECT_EQ(content_of(again, "(listfile)"), content_of(old, "(listfile)") + "war3map.imp\r\n");
      EXPECT_EQ(content_of(again, "new/c.txt"), "(none)");
      EXPECT_LT(back.bytes().size(), original.size() + 300);
    }
  }
}

TEST(Edit, ReplacesAndReusesThePlace) {
  const Bytes original = created({file("a.txt", "one"), file("b.txt", text(8000))});
  Bytes bytes = original;
  for (int i = 0; i < 5; ++i) {
    MemorySink out;
    const auto edited = changed(bytes, {{file("A.TXT", text(4000))}, {}}, out);
    ASSERT_TRUE(edited);
    EXPECT_THAT(edited->replaced, ElementsAre("A.TXT"));
    EXPECT_TRUE(edited->updated.empty());
    bytes = out.bytes();
  }
  EXPECT_EQ(content_of(opened(bytes), "a.txt"), text(4000));
  EXPECT_LT(bytes.size(), original.size() + 4000);
  EXPECT_EQ(opened(bytes).counts().blocks, opened(original).counts().blocks);
}

/// The indices of the hash table, with `bits` set in those of places that are used.
std::vector<std::uint32_t> indices_with(std::uint32_t bits, Bytes& bytes) {
  constexpr std::uint32_t kPlaces = 64;
  const std::size_t table = get_u32(bytes, 16);
  const auto places = std::span(bytes).subspan(table, std::size_t{kPlaces} * 16);
  decrypt(places, hash_name("(hash table)", 3));
  std::vector<std::uint32_t> indices;
  for (std::size_t at = table + 12; at < table + places.size(); at += 16) {
    if (get_u32(bytes, at) < kPlaces) {
      put_u32(bytes, at, get_u32(bytes, at) | bits);
    }
    indices.push_back(get_u32(bytes, at));
  }
  encrypt(places.data(), places.size(), hash_name("(hash table)", 3));
  return indices;
}

TEST(Edit, TakesIndicesAsGamesDoAndKeepsTheirOtherBits) {
  Bytes bytes = made();
  const auto before = indices_with(0x50000000, bytes);
  MemorySink out;
  ASSERT_TRUE(changed(bytes, {{file("b.blp", "new")}, {}}, out));
  EXPECT_EQ(content_of(opened(out.bytes()), "b.blp"), "new");
  EXPECT_EQ(content_of(opened(out.bytes()), "units/a.mdx"), text(3000));
  Bytes after = out.bytes();
  EXPECT_EQ(indices_with(0, after), before);
}

TEST(Edit, GrowsTheTableIfAllNamesAreKnown) {
  Changes changes;
  for (int i = 0; i < 40; ++i) {
    changes.add.push_back(file("f" + std::to_string(i), std::to_string(i)));
  }
  MemorySink out;
  ASSERT_TRUE(changed(made(0, {}, 8), changes, out));
  const Archive archive = opened(out.bytes());
  EXPECT_EQ(archive.counts().hashes, 64U);
  EXPECT_EQ(content_of(archive, "f39"), "39");
  EXPECT_EQ(content_of(archive, "units/a.mdx"), text(3000));
  PackOptions nameless;
  nameless.listfile = false;
  nameless.hash_count = 4;
  const Bytes full = pack_mpq({{"secret", "1"}, {"secret2", "2"}}, nameless);
  MemorySink other;
  EXPECT_EQ(code_of(changed(full, changes, other)), "archive.full");
}

TEST(Edit, RefusesWhatItCannotKeep) {
  const Bytes good = made();
  const auto refused = [&](std::size_t at, std::uint32_t value) {
    Bytes bytes = good;
    put_u32(bytes, at, value);
    MemorySink out;
    return std::string(code_of(changed(bytes, {{file("x", "y")}, {}}, out)));
  };
  EXPECT_EQ(refused(0x0C, 7 | 1U << 16U), "archive.refused");  // version
  EXPECT_EQ(refused(0x04, 99), "archive.refused");             // header's size
  EXPECT_EQ(refused(0x0C, 33U << 16U), "archive.refused");     // sectors
  EXPECT_EQ(refused(0x18, 0x10000040), "archive.refused");     // counts with upper bits
  EXPECT_EQ(refused(0x18, 63), "archive.refused");             // no power of two
  EXPECT_EQ(refused(0x1C, 2), "archive.refused");              // places that point nowhere
  MemorySink out;
  EXPECT_EQ(code_of(changed(good, {{file("(listfile)", "y")}, {}}, out)), "archive.name");
  EXPECT_EQ(code_of(changed(good, {{file("x", "y"), file("X", "y")}, {}}, out)), "archive.name");
  EXPECT_EQ(code_of(changed(good, {{}, {entry_hash("not there")}}, out)), "mpq.no-entry");
  PackOptions later;
  later.version = 3;
  EXPECT_EQ(code_of(changed(pack_mpq({{"a", "b"}}, later), {{file("x", "y")}, {}}, out)), "archive.kind");
  EditOptions single;
  single.packing.single_unit = true;
  const Bytes map = made(0, map_prefix("map"));
  EXPECT_EQ(code_of(changed(map, {{file("x", "y")}, {}}, out, Diagnostics::discarded(), single)),
            "archive.kind");
}

TEST(Edit, RefusesDamagedLists) {
  for (const auto& [name, content] : std::map<std::string, std::string>{
           {"(attributes)", "no such thing"}, {"war3map.imp", std::string("\1\0\0\0\5\0\0\0\x0D", 9)}}) {
    const Bytes bytes = pack_mpq({{"a", "b"}, {"war3map.w3i", "c"}, {name, content}});
    MemorySink out;
    const auto edited = changed(bytes, {{file("x", "y")}, {}}, out);
    EXPECT_EQ(code_of(edited), "archive.refused") << name;
  }
}

TEST(Edit, ReportsOfSignaturesAndMissingLists) {
  PackOptions options;
  options.listfile = false;
  Bytes bytes = pack_mpq({{"a", "b"}, {"(signature)", "signed"}}, options);
  const std::string strong = "NGIS" + std::string(256, 's') + "rest";
  append(bytes, strong);
  MemorySink out;
  Diagnostics findings;
  ASSERT_TRUE(changed(bytes, {{file("x", "y")}, {}}, out, findings));
  ASSERT_EQ(findings.items().size(), 2U);
  EXPECT_EQ(findings.items()[0].code, codes::kArchiveUnlisted);
  EXPECT_EQ(findings.items()[1].code, codes::kArchiveSignature);
  EXPECT_FALSE(opened(out.bytes()).find("(signature)"));
  EXPECT_EQ(std::string(out.bytes().end() - 4, out.bytes().end()), "rest");
}

TEST(Edit, OnlyTheNeutralLanguageIsReplaced) {
  const Bytes bytes =
      pack_mpq({{"a.txt", "german", test::MpqPacking::stored, 0, 0x407}, {"a.txt", "neutral"}});
  MemorySink out;
  ASSERT_TRUE(changed(bytes, {{file("a.txt", "new")}, {}}, out));
  const Archive archive = opened(out.bytes());
  std::map<std::uint16_t, std::string> found;
  for (const auto& entry : archive.entries()) {
    if (entry.name == "a.txt") {
      const auto unpacked = archive.unpack(entry);
      ASSERT_TRUE(unpacked);
      found[entry.locale].assign(unpacked->bytes.begin(), unpacked->bytes.end());
    }
  }
  EXPECT_EQ(found, (std::map<std::uint16_t, std::string>{{0, "new"}, {0x407, "german"}}));
}

TEST(MapHeader, SaysWhatTheMapSays) {
  Diagnostics findings;
  const Bytes plain = map_header("My map", {}, {}, findings);
  EXPECT_EQ(plain.size(), 512U);
  EXPECT_EQ(std::string(plain.begin(), plain.begin() + 23),
            std::string("HM3W\0\0\0\0My map\0\0\0\0\0\1\0\0\0", 23));
  EXPECT_EQ(findings.items().size(), 2U);
  EXPECT_EQ(findings.items()[0].code, codes::kArchiveMapInfo);
  std::string info("\x12\0\0\0", 4);  // version 18
  info += std::string(8, '\0') + "TRIGSTR_012" + std::string(1, '\0') + std::string(3, '\0') +
          std::string(56, '\0');
  info += std::string("\x10\x40\0\0", 4) + "A" + std::string(4, '\0') + std::string(3, '\0') +
          std::string(4, '\0') + std::string(3, '\0');
  info += std::string("\2\0\0\0", 4);
  for (const char kind : {'\1', '\2'}) {
    info += std::string(4, '\0') + kind + std::string(3 + 8, '\0') + "Player" + std::string(1 + 16, '\0');
  }
  const std::string strings = "STRING 1\r\n{\r\nno\r\n}\r\nSTRING 12\r\n{\r\nThe name\r\n}\r\n";
  Diagnostics none;
  const Bytes reported = map_header("file", as_bytes(info), as_bytes(strings), none);
  EXPECT_TRUE(none.items().empty());
  EXPECT_EQ(std::string(reported.begin() + 8, reported.begin() + 25),
            std::string("The name\0\x10\x40\0\0\1\0\0\0", 17));
}

// --- damage
// -----------------------------------------------------------------------------------------------

Bytes damaged(Bytes bytes, std::mt19937& dice) {
  if (dice() % 16 == 0) {
    bytes.resize(dice() % bytes.size());
    return bytes;
  }
  const std::size_t header = bytes[0] == 'H' ? 512 : 0;
  const std::size_t from =
      std::array<std::size_t, 3>{header, bytes.size() - bytes.size() / 4, 0}.at(dice() % 3);
  const std::size_t count = from == header ? 32 : bytes.size() - from;
  for (unsigned i = 0; i <= dice() % 4; ++i) {
    bytes[from + dice() % count] = test::damaged_byte(dice);
  }
  return bytes;
}

/// True if the archive was changed; then whatever could be read before can be read now.
bool change_and_compare(const Bytes& bytes) {
  const auto storage = memory_storage(bytes);
  const auto before = Archive::open(storage);
  MemorySink out;
  const auto edited = edit(storage, {{file("war3mapImported\\x.mdx", text(6000))}, {}}, {}, out);
  if (!edited) {
    return false;
  }
  const auto after = Archive::open(memory_storage(out.bytes()));
  EXPECT_TRUE(after);
  EXPECT_EQ(content_of(*after, "war3mapImported\\x.mdx"), text(6000));
  for (const auto& entry : before->entries()) {
    if (entry.name.starts_with('(') || entry.name == "war3map.imp") {
      continue;
    }
    const auto old = before->unpack(entry);
    const auto now = after->find(entry.name.empty() ? hash_text(entry.hash) : entry.name);
    EXPECT_TRUE(now);
    const auto unpacked = now ? after->unpack(*now) : old;
    EXPECT_EQ(old.has_value(), unpacked.has_value());
    EXPECT_TRUE(!old || !unpacked || old->bytes == unpacked->bytes) << entry.name;
  }
  return true;
}

std::vector<Bytes> archives_of_all_kinds() {
  return {made(), made(kEncrypted | kKeyAdjusted, map_prefix("map")), made(kSectorChecksums),
          created({file("a.txt", text(9000)), file("b.txt", "b")})};
}

TEST(Edit, ChangesArchivesWithDamagedFiles) {
  for (Bytes bytes : archives_of_all_kinds()) {
    const std::size_t header = bytes[0] == 'H' ? 512 : 0;
    // Behind the header and the first file's table of sectors lies its data.
    bytes[header + 32 + 64] ^= 0xFF;
    EXPECT_TRUE(change_and_compare(bytes));
  }
}

TEST(Edit, RefusesArchivesWithoutTables) {
  for (Bytes bytes : archives_of_all_kinds()) {
    bytes.resize((bytes[0] == 'H' ? 512 : 0) + 20);
    EXPECT_FALSE(change_and_compare(bytes));
  }
}

TEST(Edit, NeverMakesDamageWorse) {
  std::vector<Bytes> archives = archives_of_all_kinds();
  const auto real = corpus_dir() / "alpha";
  for (const char* extension : {".w3m", ".mpq"}) {
    for (const auto& path : std::filesystem::exists(real) ? files_below(real, extension)
                                                          : std::vector<std::filesystem::path>()) {
      archives.push_back(load(path));
    }
  }
  std::mt19937 dice(40);
  constexpr std::size_t kMutants = 240;
  for (std::size_t i = 0; i < kMutants; ++i) {
    change_and_compare(damaged(archives[i % archives.size()], dice));
  }
}

}  // namespace
}  // namespace thaw::mpq
