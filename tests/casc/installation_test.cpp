// Installations in memory: everything that was put in comes out, by every name that it has.
#include <thaw/casc.hpp>
#include <thaw/codes.hpp>

#include "bytes/text.hpp"
#include "casc/opened.hpp"
#include "formats/archives/casc/encoding.hpp"
#include "formats/archives/casc/index.hpp"
#include "formats/archives/casc/lookup3.hpp"
#include "formats/archives/casc/names.hpp"

#include <gmock/gmock.h>

#include <random>
#include <thread>

namespace thaw {
namespace {

using namespace testing;

const std::map<std::string, std::string>& requested_of_warcraft() {
  static std::map<std::string, std::string> requested;
  return requested;
}

const samples::InstallationFiles& warcraft() {
  static const auto files = samples::warcraft_installation(
      const_cast<std::map<std::string, std::string>&>(requested_of_warcraft()));
  return files;
}

TEST(Casc, hashes_are_those_of_their_author) {
  EXPECT_EQ(casc::lookup3(as_bytes("Four score and seven years ago"), 0), 0x17770551U);
  EXPECT_EQ(casc::lookup3(as_bytes("Four score and seven years ago"), 1), 0xCD628161U);
  EXPECT_EQ(casc::lookup3({}, 0), 0xDEADBEEFU);
  EXPECT_EQ(casc::path_hash("Interface/Icons/INV_Misc_QuestionMark.blp"), 0x9EB59E3C76124837U);
}

TEST(Casc, every_file_of_a_tree_comes_out) {
  const auto opened = open(warcraft(), {}, {}, true);
  ASSERT_NE(opened.archive, nullptr) << opened.error;
  EXPECT_TRUE(opened.findings.items().empty()) << opened.findings.items().front().message;
  std::map<std::string, std::string> found;
  for (const auto& entry : opened.archive->entries()) {
    const auto file = opened.archive->unpack(entry);
    ASSERT_TRUE(file) << entry.name << ": " << file.error().message;
    EXPECT_EQ(file->bytes.size(), entry.size) << entry.name;
    found[entry.name] = as_text(file->bytes);
  }
  EXPECT_EQ(found, requested_of_warcraft());
}

TEST(Casc, layers_are_looked_through_in_the_order_of_the_variant) {
  EXPECT_EQ(content(*open(warcraft()).archive, "Shared.TXT"), "_locales/enus.w3mod");
  EXPECT_EQ(content(*open(warcraft(), {"frFR"}).archive, "shared.txt"), "SD");
  EXPECT_EQ(content(*open(warcraft(), {"HD"}).archive, "shared.txt"), "_hd.w3mod");
  EXPECT_EQ(content(*open(warcraft(), {"dede"}).archive, "shared.txt"), "_locales/dede.w3mod");
  EXPECT_EQ(content(*open(warcraft(), {"teen,frFR"}).archive, "shared.txt"), "_teen.w3mod");
  const auto plain = open(warcraft());
  EXPECT_EQ(content(*plain.archive, "war3.w3mod:shared.txt"), "SD");
  EXPECT_EQ(content(*plain.archive, "war3.w3mod:_hd.w3mod:Shared.txt"), "_hd.w3mod");
  EXPECT_EQ(content(*plain.archive, "_hd.w3mod\\shared.txt"), "_hd.w3mod");
  EXPECT_EQ(content(*plain.archive, "units/gone.txt"), "(casc.no-entry)");
  EXPECT_THAT(content(*plain.archive, "war3.w3mod:_hd.w3mod:"), StartsWith("TVFS"));
  EXPECT_THAT(content(*plain.archive, "ENCODING"), StartsWith("EN\x01"));
}

TEST(Casc, a_source_of_a_models_layer_prefers_it) {
  const auto opened = open(warcraft());
  const auto text = [&](std::string_view near) {
    const auto bytes = casc::source(opened.archive, "W3", near)->read("shared.txt");
    return bytes ? std::string(as_text(*bytes)) : "";
  };
  EXPECT_EQ(text(""), "_locales/enus.w3mod");
  EXPECT_EQ(text("_hd.w3mod/units/a.mdx"), "_hd.w3mod");
  const auto source = casc::source(opened.archive, "W3", "_hd.w3mod/units/a.mdx");
  EXPECT_EQ(source->place("shared.txt"), "W3//_hd.w3mod/shared.txt");
  EXPECT_THAT(source->files_in("units"), Contains("units/halves.txt"));
  EXPECT_THAT(source->files_in(""), ElementsAre("shared.txt"));
}

TEST(Casc, what_is_encrypted_is_reported_with_its_key) {
  const auto opened = open(warcraft());
  Diagnostics findings;
  EXPECT_EQ(content(*opened.archive, "units/hidden.txt", findings), "shown" + std::string(5, '\0'));
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].code, codes::kCascEncrypted);
  EXPECT_THAT(findings.items()[0].message, HasSubstr("1122334455667788"));
}

TEST(Casc, words_that_choose_nothing_are_refused) {
  EXPECT_THAT(open(warcraft(), {"w3t"}).error,
              AllOf(HasSubstr("casc.choice"), HasSubstr("w3 (9.9.9.99999)")));
  EXPECT_THAT(open(warcraft(), {"tileset:"}).error, HasSubstr("casc.choice"));
}

TEST(Casc, numbered_files_of_all_generations_come_out) {
  for (const std::string_view generation : {"6.0", "8.2", "10.1.7", "11.1"}) {
    std::map<std::uint32_t, std::string> requested;
    const auto files = samples::world_installation(generation, requested);
    EXPECT_THAT(open(files).error, AllOf(HasSubstr("casc.choice"), HasSubstr("wow_classic")));
    const auto opened = open(files, {"wow"}, "5;dir/nameless.txt\r\n1000;no/longer.txt\na.txt\n77;c.txt\n");
    ASSERT_NE(opened.archive, nullptr) << generation << opened.error;
    std::map<std::uint32_t, std::string> found;
    for (const auto& entry : opened.archive->entries()) {
      found[static_cast<std::uint32_t>(entry.hash)] = content(*opened.archive, std::to_string(entry.hash));
      EXPECT_EQ(content(*opened.archive, entry.name), found[static_cast<std::uint32_t>(entry.hash)]);
    }
    EXPECT_EQ(found, requested) << generation;
    EXPECT_EQ(opened.archive->find("1000.blp")->hash, 1000U);
    // Of a number that has changed hands the hash decides.
    const auto entries = opened.archive->entries();
    const auto renamed = std::find_if(entries.begin(), entries.end(),
                                      [](const ArchiveEntry& entry) { return entry.hash == 1000; });
    EXPECT_EQ(renamed->name, "a.txt");
    EXPECT_EQ(content(*opened.archive, "interface/icons/INV_misc_QuestionMark.BLP"), "icon");
    EXPECT_EQ(opened.findings.items().front().code, codes::kCascLocale);
    EXPECT_EQ(content(*open(files, {"wow", "deDE"}).archive, "77"), "nur deutsch");
    EXPECT_EQ(content(*open(files, {"wow", "deDE"}).archive, "a.txt"), "deutsch");
  }
}

TEST(Casc, unnamed_numbers_are_reported) {
  std::map<std::uint32_t, std::string> requested;
  const auto files = samples::world_installation("11.1", requested);
  const auto opened = open(files, {"wow"});
  EXPECT_EQ(opened.findings.items().back().code, codes::kCascNames);
  EXPECT_EQ(opened.archive->entries().front().name, "unknown/5");
}

TEST(Casc, damage_has_a_place_and_leaves_the_rest) {
  auto files = warcraft();
  files.erase("data/data/0300000001.idx");
  const auto without = open(files);
  ASSERT_NE(without.archive, nullptr);
  EXPECT_EQ(without.findings.items().front().code, codes::kCascIndex);
  EXPECT_FALSE(open(files, {}, {}, true).error.empty());  // strict takes no such installation
  files = warcraft();
  files.erase("data/data/data.000");
  EXPECT_EQ(content(*open(files).archive, "units/stored.txt"), "(casc.absent)");
  EXPECT_TRUE(open(files).archive->find("units/stored.txt")->has(ArchiveEntry::kAbsent));
  EXPECT_FALSE(open(warcraft()).archive->find("units/stored.txt")->has(ArchiveEntry::kAbsent));
  files = warcraft();
  files.erase(".build.info");
  EXPECT_THAT(open(files).error, AllOf(HasSubstr("casc.installation"), HasSubstr(".build.info")));
  files["data/.build.config"] = to_bytes("# Static Build Configuration\n");
  EXPECT_THAT(open(files).error, HasSubstr("casc.unsupported"));
}

TEST(Casc, an_older_index_takes_the_place_of_a_damaged_one) {
  auto files = warcraft();
  auto newer = files["data/data/0400000001.idx"];
  newer.resize(30);
  files["data/data/0400000002.idx"] = newer;
  const auto opened = open(files);
  ASSERT_NE(opened.archive, nullptr);
  EXPECT_EQ(opened.findings.items().size(), 1U);
  for (const auto& entry : opened.archive->entries()) {
    EXPECT_TRUE(opened.archive->unpack(entry)) << entry.name;
  }
}

TEST(Casc, changes_after_an_index_count_for_more) {
  constexpr std::size_t kEntries = 0x28;
  constexpr std::size_t kEntry = 18;
  constexpr std::size_t kPage = 512;
  const auto fullest =
      std::max_element(warcraft().begin(), warcraft().end(), [](const auto& a, const auto& b) {
        const auto entries = [](const auto& file) {
          return file.first.ends_with(".idx") ? file.second[0x20] : 0;
        };
        return entries(a) < entries(b);
      });
  Bytes index = fullest->second;
  ASSERT_GE(index[0x20], 2 * kEntry);
  const auto key_of = [&](std::size_t i) { return casc::key_at<9>(index.data() + kEntries + kEntry * i); };
  const casc::ShortKey moved = key_of(0);
  const casc::ShortKey deleted = key_of(1);
  const casc::ShortKey fresh = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  index.resize(0x10000);
  Bytes page;
  const auto add = [&](const casc::ShortKey& key, std::uint8_t status) {
    Bytes record(key.begin(), key.end());
    for (const int byte : {1, 0xC0, 0, 1, 0x23, 99, 0, 0, 0}) {  // archive 7, 0x123, 99 bytes
      record.push_back(static_cast<std::uint8_t>(byte));
    }
    record.push_back(status);
    const std::uint32_t hash = casc::lookup3(record, 0) | 0x80000000U;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      page.push_back(static_cast<std::uint8_t>(hash >> shift));
    }
    page.insert(page.end(), record.begin(), record.end());
    page.push_back(0);
  };
  add(moved, 0);
  add(deleted, 3);
  add(fresh, 0);
  page.resize(2 * kPage);
  index.insert(index.end(), page.begin(), page.end());
  casc::Bucket bucket;
  std::string fault;
  ASSERT_TRUE(bucket.read({index, nullptr}, index[0x0A], fault)) << fault;
  EXPECT_EQ(fault, "");
  for (const auto& key : {moved, fresh}) {
    const auto place = bucket.find(key);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->archive, 7U);
    EXPECT_EQ(place->offset, 0x123U);
    EXPECT_EQ(place->size, 99U);
  }
  EXPECT_FALSE(bucket.find(deleted));
}

TEST(Casc, a_flipped_byte_is_reported) {
  std::map<std::string, std::string> ignored;
  auto files = samples::warcraft_installation(ignored);
  const auto opened = open(warcraft());
  const auto entry = opened.archive->find("units/stored.txt");
  const auto offset = static_cast<std::size_t>(entry->offset & 0x3FFFFFFF);
  files["data/data/data.000"][offset + 30 + 12 + 24 + 50] ^= 1U;
  const auto broken = open(files);
  Diagnostics findings;
  EXPECT_THAT(content(*broken.archive, "units/stored.txt", findings), Not(IsEmpty()));
  ASSERT_FALSE(findings.items().empty());
  EXPECT_EQ(findings.items()[0].code, codes::kCascChecksum);
}

TEST(Casc, a_wrong_sum_of_zlib_is_reported_and_the_data_read) {
  auto files = warcraft();
  const auto entry = open(files).archive->find("units/packed.txt");
  const auto end = static_cast<std::size_t>((entry->offset & 0x3FFFFFFF) + 30 + entry->packed_size);
  auto& data = files["data/data/data.000"];
  data[end - 1] ^= 1U;
  Diagnostics findings;
  EXPECT_EQ(content(*open(files).archive, "units/packed.txt", findings),
            requested_of_warcraft().at("units/packed.txt"));
  ASSERT_FALSE(findings.items().empty());
  EXPECT_EQ(findings.items().back().code, codes::kCascChecksum);
  EXPECT_NE(findings.items().back().message.find("Adler-32"), std::string::npos);
}

TEST(Casc, zeros_are_a_file_that_was_never_downloaded) {
  auto files = warcraft();
  const auto entry = open(files).archive->find("units/packed.txt");
  auto& data = files["data/data/data.000"];
  const auto at = static_cast<std::ptrdiff_t>(entry->offset & 0x3FFFFFFF);
  std::fill_n(data.begin() + at, entry->packed_size + 30, std::uint8_t{0});
  EXPECT_EQ(content(*open(files).archive, "units/packed.txt"), "(casc.absent)");
}

TEST(Casc, what_does_not_begin_as_it_should_is_damaged) {
  auto files = warcraft();
  const auto entry = open(files).archive->find("units/packed.txt");
  const auto at = static_cast<std::size_t>(entry->offset & 0x3FFFFFFF);
  files["data/data/data.000"][at + 30] = 'b';
  EXPECT_EQ(content(*open(files).archive, "units/packed.txt"), "(" + std::string(codes::kCascData.id) + ")");
  Diagnostics findings;
  const auto table = casc::Encoding::read(to_bytes("no table of encodings at all"), false, findings);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, codes::kCascTable);
}

TEST(Casc, chunks_that_are_no_chunks_are_refused) {
  const auto blte = [](std::string_view text) { return casc::read_part("blte", as_bytes(text)); };
  EXPECT_EQ(blte(std::string_view("BLTE\0\0\0\0Nhello", 14)), 5U);
  EXPECT_EQ(blte(std::string_view("BLTE\0\0\0\0"
                                  "4\1\0\0\0",
                                  13)),
            0U);
  EXPECT_EQ(blte(std::string_view("BLTE\0\0\0\x24\x0F\xFF\xFF\xFF", 12)), 0U);
  EXPECT_EQ(blte(std::string_view("BLTE\xFF\xFF\xFF\xFF\x0F\0\0\1", 12)), 0U);
}

TEST(Casc, a_tree_of_its_own_manifests_ends) {
  // A manifest that is said to lie within itself is one of the names, and nothing more.
  const Bytes tree = samples::casc_tree({{"a", {samples::CascFile{}}}, {"b/c", {samples::CascFile{}}}});
  EXPECT_LE(casc::read_part("tvfs", tree), 100U);
}

TEST(Casc, many_threads_read_the_same) {
  const auto opened = open(warcraft());
  std::vector<std::thread> threads;
  std::array<int, 4> good{};
  for (std::size_t i = 0; i < good.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int turn = 0; turn < 20; ++turn) {
        good.at(i) +=
            content(*opened.archive, "units/mixed.txt") == requested_of_warcraft().at("units/mixed.txt");
        good.at(i) += opened.archive->entries().size() == requested_of_warcraft().size();
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_THAT(good, Each(40));
}

TEST(Casc, damaged_parts_are_read_or_refused) {
  std::mt19937 dice(2);
  std::map<std::uint32_t, std::string> ignored;
  std::map<std::string, Bytes> parts;
  const auto opened = open(warcraft());
  parts["encoding"] = to_bytes(content(*opened.archive, "encoding"));
  parts["tvfs"] = to_bytes(content(*opened.archive, "war3.w3mod:"));
  parts["index"] = warcraft().at("data/data/0500000001.idx");
  parts["index"].resize(600);
  parts["info"] = warcraft().at(".build.info");
  std::size_t header = 0;
  parts["blte"] =
      samples::casc_encode(as_bytes(requested_of_warcraft().at("units/mixed.txt")), "NZFE", header);
  parts["root"] =
      to_bytes(content(*open(samples::world_installation("11.1", ignored), {"wow"}).archive, "root"));
  for (const auto& [name, bytes] : parts) {
    for (std::size_t size = 0; size < std::min<std::size_t>(bytes.size(), 700); ++size) {
      (void)casc::read_part(name, ByteView(bytes).first(size));
    }
    for (int turn = 0; turn < 1000; ++turn) {
      Bytes changed = bytes;
      for (auto change = 1 + dice() % 6; change-- > 0;) {
        changed[dice() % std::min<std::size_t>(changed.size(), 900)] = static_cast<std::uint8_t>(dice());
      }
      (void)casc::read_part(name, changed);
    }
  }
}

}  // namespace
}  // namespace thaw
