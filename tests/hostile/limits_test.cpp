// Each limit, hit: bombs, tables of a million entries, towers of a million levels, pictures of four thousand
// million pixels, clips of no length, names that lead out of a folder. A result or the right error, within
// the memory that is stated.
#include <thaw/archive.hpp>
#include <thaw/frame.hpp>
#include <thaw/gltf.hpp>
#include <thaw/mdx.hpp>
#include <thaw/validate.hpp>
#include <thaw/value.hpp>

#include "bytes/text.hpp"
#include "formats/archives/mpq/crypt.hpp"
#include "image/texture_files.hpp"
#include "support/heap.hpp"
#include "support/mdx_raw.hpp"
#include "support/mpq_packer.hpp"
#include "support/paths.hpp"
#include "support/promises.hpp"

#include <gmock/gmock.h>
#include <libdeflate.h>

#include <fstream>

namespace thaw {
namespace {

using namespace test;

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;
constexpr std::size_t kBomb = 16 * kMegabyte;

const Bytes& packed_zeros() {
  static const Bytes packed = [] {
    const std::string zeros(kBomb, '\0');
    auto* compressor = libdeflate_alloc_compressor(1);
    Bytes result(libdeflate_zlib_compress_bound(compressor, zeros.size()));
    result.resize(
        libdeflate_zlib_compress(compressor, zeros.data(), zeros.size(), result.data(), result.size()));
    libdeflate_free_compressor(compressor);
    return result;
  }();
  return packed;
}

/// Peak memory of the process, those libraries included that do not use operator new. Linux forgets the last
/// peak when asked to. 0 where it cannot be told: not Linux, or a sanitizer, whose own memory would count.
class ResidentMeter {
 public:
  ResidentMeter() {
    std::ofstream("/proc/self/clear_refs") << 5;
    base_ = read();
  }
  [[nodiscard]] std::size_t peak() const {
#if defined(__SANITIZE_ADDRESS__)
    return 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return 0;
#endif
#endif
    return read() - base_;
  }

 private:
  static std::size_t read() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      if (word == "VmHWM:") {
        std::size_t kilobytes = 0;
        status >> kilobytes;
        return kilobytes * 1024;
      }
    }
    return 0;
  }

  std::size_t base_ = 0;
};

template <class F>
void expect_within(std::size_t most, F&& work) {
  const HeapMeter heap;
  const ResidentMeter resident;
  std::forward<F>(work)();
  EXPECT_LE(heap.peak(), most);
  EXPECT_LE(resident.peak(), most + 2 * kMegabyte);  // pages of code that were not there before
}

// --- pictures
// ---------------------------------------------------------------------------------------------------------

RawBytes big_endian(std::size_t value) {
  RawBytes word;
  for (unsigned shift = 32; shift > 0; shift -= 8) {
    word.u8(static_cast<std::uint8_t>(value >> (shift - 8)));
  }
  return word;
}

void put_png_chunk(RawBytes& file, std::string_view type, const Bytes& data) {
  RawBytes body;
  body.tag(type).append(raw(data));
  file.append(big_endian(data.size())).append(body);
  file.append(big_endian(libdeflate_crc32(0, body.bytes().data(), body.size())));
}

/// Eight bits of grey; `extra` stands before the picture.
Bytes png_file(std::uint32_t side, const Bytes& packed, std::string_view extra = {}, const Bytes& data = {}) {
  RawBytes header = big_endian(side).append(big_endian(side));
  header.u8(8).u8(0).zeros(3);
  RawBytes file = raw({0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
  put_png_chunk(file, "IHDR", header.bytes());
  if (!extra.empty()) {
    put_png_chunk(file, extra, data);
  }
  put_png_chunk(file, "IDAT", packed);
  put_png_chunk(file, "IEND", {});
  return file.bytes();
}

TEST(Limits, PngThatUnpacksToMoreThanItsPixels) {
  const Bytes file = png_file(16, packed_zeros());
  expect_within(4 * kMegabyte, [&] {
    const auto image = decode_png(file, {});
    EXPECT_TRUE(!image || problems_of(*image).empty());
  });
}

TEST(Limits, PngWithAColourProfileThatUnpacksToMuch) {
  RawBytes profile;
  profile.text("bomb", 5).u8(0).append(raw(packed_zeros()));
  for (const char* type : {"iCCP", "zTXt"}) {
    const Bytes file =
        png_file(1, Bytes{0x78, 0x01, 0x01, 2, 0, 0xFD, 0xFF, 0, 0, 0, 2, 0, 1}, type, profile.bytes());
    expect_within(4 * kMegabyte, [&] {
      const auto image = decode_png(file, {});
      EXPECT_TRUE(!image || problems_of(*image).empty());
    });
  }
}

TEST(Limits, PicturesOfFourThousandMillionPixels) {
  const std::uint32_t side = 65535;
  DdsHeader dds{static_cast<std::uint32_t>(side), side, 0, 1, four_cc(FourCC{"DXT1"}), 0};
  RawBytes tga = raw({0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 32, 8});
  tga.repeat(raw({0xFF, 1, 2, 3, 4}), 100);
  const std::vector<LevelPlace> blp1 = {{kBlp1Tables + kPaletteSize, 1000}};
  const std::vector<LevelPlace> blp2 = {{kBlp2Tables, 1000}};
  struct Case {
    const char* name;
    Bytes file;
    Code code = codes::kInputTooLarge;
  };
  const std::vector<Case> cases = {
      {"png", png_file(side, packed_zeros())},
      {"dds", dds_file(dds, RawBytes().zeros(1000))},
      {"tga", tga.bytes(), codes::kImageMalformed},  // as soon as there are fewer pixels than stated
      {"blp1", blp1_header(1, 8, side, side, blp1).append(palette()).zeros(1000).bytes()},
      {"blp2", blp2_header(2, 8, 7, side, side, blp2).zeros(1000).bytes()},
  };
  for (const auto& trial : cases) {
    SCOPED_TRACE(trial.name);
    expect_within(4 * kMegabyte, [&] {
      Diagnostics diagnostics;
      const auto image = decode_texture(trial.file, {}, diagnostics);
      ASSERT_FALSE(image);
      EXPECT_EQ(image.error().code.id, trial.code.id) << image.error().message;
    });
  }
}

// --- archives
// ---------------------------------------------------------------------------------------------------------

/// Sets a word of the block table, which is enciphered.
void set_in_block_table(Bytes& archive, std::size_t word, std::uint32_t value) {
  const std::size_t at = get_u32(archive, 20);
  const std::size_t size = std::size_t{get_u32(archive, 28)} * 16;
  const std::uint32_t key = mpq::hash_name("(block table)", 3);
  mpq::decrypt(std::span(archive).subspan(at, size), key);
  put_u32(archive, at + word * 4, value);
  encrypt(archive.data() + at, size, key);
}

/// One unit of four megabytes that says it is one of four kilobytes, or of four gigabytes.
TEST(Limits, MpqSectorsThatUnpackToMoreThanTheyMay) {
  const std::string zeros(4 * kMegabyte, '\0');
  PackOptions unlisted;
  unlisted.listfile = false;
  for (const MpqPacking packing :
       {MpqPacking::zlib, MpqPacking::bzip2, MpqPacking::lzma, MpqPacking::sparse}) {
    const Bytes file = test::pack_mpq({{"a", zeros, packing, mpq::kSingleUnit}}, unlisted);
    for (const std::uint32_t stated : {4096U, 0xFFFFFFFFU}) {
      Bytes lying = file;
      set_in_block_table(lying, 2, stated);
      Diagnostics findings;
      const auto archive = mpq::Archive::open(memory_storage(std::move(lying)), {}, findings);
      ASSERT_TRUE(archive);
      expect_within(2 * file.size() + kMegabyte, [&] {
        const auto entry = archive->find("a");
        ASSERT_TRUE(entry);
        const auto unpacked = archive->unpack(*entry, findings);
        EXPECT_TRUE(!unpacked || (stated == 4096 && unpacked->bytes.size() == stated));
      });
    }
  }
}

TEST(Limits, MpqThatStatesAMillionEntries) {
  Bytes file = test::pack_mpq({{"a", "x"}});
  put_u32(file, 24, 1U << 20U);
  put_u32(file, 28, 1U << 20U);
  expect_within(4 * kMegabyte, [&] {
    Diagnostics findings;
    const auto archive = mpq::Archive::open(memory_storage(file), {}, findings);
    EXPECT_TRUE(!archive || archive->entries().size() < 100);
  });
}

/// All of one byte, without names.
Bytes archive_of(std::uint32_t entries) {
  Bytes hashes(std::size_t{entries} * 16);
  Bytes blocks(std::size_t{entries} * 16);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t at = std::size_t{i} * 16;
    put_u32(hashes, at, i * 2654435761U);
    put_u32(hashes, at + 4, i);
    put_u32(hashes, at + 8, 0);
    put_u32(hashes, at + 12, i);
    put_u32(blocks, at, 32);
    put_u32(blocks, at + 4, 1);
    put_u32(blocks, at + 8, 1);
    put_u32(blocks, at + 12, mpq::kExists);
  }
  encrypt(hashes.data(), hashes.size(), mpq::hash_name("(hash table)", 3));
  encrypt(blocks.data(), blocks.size(), mpq::hash_name("(block table)", 3));
  const auto table = static_cast<std::uint32_t>(hashes.size());
  RawBytes header;
  header.tag("MPQ\x1A")
      .u32(32)
      .u32(36 + 2 * table)
      .u16(0)
      .u16(3)
      .u32(36)
      .u32(36 + table)
      .u32(entries)
      .u32(entries)
      .zeros(4);
  Bytes file = header.bytes();
  file.insert(file.end(), hashes.begin(), hashes.end());
  file.insert(file.end(), blocks.begin(), blocks.end());
  return file;
}

TEST(Limits, MpqOfAMillionEntries) {
  const std::uint32_t entries = 1U << 20U;
  auto storage = memory_storage(archive_of(entries));
  // An entry, its place in the order of hashes, and the two tables.
  expect_within(entries * (sizeof(mpq::Entry) + 4 + 2 * 16) + 16 * kMegabyte, [&] {
    Diagnostics findings;
    const auto archive = mpq::Archive::open(storage, {}, findings);
    ASSERT_TRUE(archive) << archive.error().message;
    EXPECT_EQ(archive->entries().size(), entries);
    EXPECT_FALSE(archive->find("not there"));
    const auto unpacked = archive->unpack(archive->entries().back(), findings);
    EXPECT_TRUE(unpacked && unpacked->bytes.size() == 1);
  });
}

/// A pack of one file that is packed, which states its size twice: in the table and before the packed bytes.
Bytes pack2_of(const Bytes& packed, std::uint32_t unpacked_size) {
  RawBytes file;
  file.tag(std::string_view("PAK\1", 4)).u32(1).u32(0).u32(0).u32(64).u32(0).u32(0).u32(0);
  RawBytes body;
  body.append(raw({0xA1, 0xB2, 0xC3, 0xD4})).append(big_endian(unpacked_size)).append(raw(packed));
  const auto size = static_cast<std::uint32_t>(body.size());
  file.zeros(32).u32(1).u32(0).u32(128).u32(0).u32(size).u32(0).u32(1).u32(0).zeros(32).append(body);
  Bytes bytes = file.bytes();
  put_u32(bytes, 8, static_cast<std::uint32_t>(bytes.size()));
  return bytes;
}

TEST(Limits, Pack2ThatUnpacksToMoreThanItMay) {
  for (const std::uint32_t stated : {5U, static_cast<std::uint32_t>(kBomb), 0xFFFFFFFFU}) {
    SCOPED_TRACE(stated);
    const Bytes file = pack2_of(packed_zeros(), stated);
    Diagnostics findings;
    const auto archive = pack::open_pack2(memory_storage(file), {}, findings);
    ASSERT_TRUE(archive) << archive.error().message;
    ASSERT_EQ((*archive)->entries().size(), 1U);
    const std::size_t may = 16 * file.size() + 48 * kMegabyte;
    expect_within(may + 4 * kMegabyte, [&] {
      const auto unpacked = (*archive)->unpack((*archive)->entries()[0], findings);
      EXPECT_EQ(unpacked.has_value(), stated == kBomb && stated <= may);
      EXPECT_TRUE(unpacked || !unpacked.error().message.empty());
    });
  }
}

// --- towers
// ---------------------------------------------------------------------------------------------------------

constexpr std::size_t kDeep = 1'000'000;

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) {
    text += part;
  }
  return text;
}

/// Chunks within chunks, each with the size of what it holds and `rest` between size and content.
Bytes nested_chunks(const Bytes& head, std::string_view tag, std::size_t rest) {
  const std::size_t frame = 8 + rest;
  const std::size_t levels = rest <= 8 ? kDeep : kDeep / 10;
  std::string text(levels * frame, '\0');
  for (std::size_t i = 0; i < levels; ++i) {
    text.replace(i * frame, tag.size(), tag);
    for (std::size_t byte = 0; byte < 4; ++byte) {
      text[i * frame + 4 + byte] = static_cast<char>(((levels - 1 - i) * frame) >> (8 * byte));
    }
  }
  Bytes file = head;
  const Bytes rest_of_file = to_bytes(text);
  file.insert(file.end(), rest_of_file.begin(), rest_of_file.end());
  return file;
}

struct Tower {
  const char* name;
  Bytes (*make)();
  bool reads;  ///< with the tower kept as it is
};

void PrintTo(const Tower& tower, std::ostream* out) { *out << tower.name; }

class LimitsTower : public testing::TestWithParam<Tower> {};

TEST_P(LimitsTower, OfAMillionLevels) {
  const Bytes file = GetParam().make();
  expect_within(20 * file.size() + 4 * kMegabyte, [&] {
    Diagnostics findings;
    const auto document = read_any(file, {}, findings);
    EXPECT_EQ(document.has_value(), GetParam().reads) << (document ? "" : document.error().message);
    if (document) {
      EXPECT_FALSE(list_tree(inspection_of(*document)).empty());
    } else {
      EXPECT_FALSE(document.error().message.empty());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(
    Limits, LimitsTower,
    testing::Values(
        Tower{"Wmo",
              [] { return nested_chunks(RawBytes().chunk("REVM", RawBytes().u32(14)).bytes(), "OMOM", 0); },
              true},
        Tower{"WmoGroups",
              [] { return nested_chunks(RawBytes().chunk("REVM", RawBytes().u32(17)).bytes(), "PGOM", 68); },
              true},
        Tower{"M3", [] { return nested_chunks(RawBytes().tag("M3DT").u32(0).zeros(8).bytes(), "MES3", 8); },
              true},
        Tower{"Mdx", [] { return nested_chunks(mdx_file(800).bytes(), "MTLS", 0); }, true},
        Tower{"Xml",
              [] {
                return to_bytes("<ActorRuntime>" + repeated("<a>", kDeep) + repeated("</a>", kDeep) +
                                "</ActorRuntime>");
              },
              false},
        Tower{"Mdl",
              [] {
                return to_bytes("Version {\n\tFormatVersion 800,\n}\nModel \"a\" {\n" +
                                repeated("a {", kDeep) + repeated("}", kDeep) + "\n}\n");
              },
              true},
        Tower{
            "MdlOpen",
            [] { return to_bytes("Version {\n\tFormatVersion 800,\n}\nBone \"a\" " + repeated("{", kDeep)); },
            true}),
    [](const auto& tower) { return std::string(tower.param.name); });

TEST(Limits, JsonOfAMillionLevels) {
  for (const std::string& text :
       {repeated("[", kDeep), repeated("[", kDeep) + repeated("]", kDeep), repeated("{\"a\":", kDeep)}) {
    const Bytes file = to_bytes(text);
    expect_within(4 * file.size() + 4 * kMegabyte, [&] {
      const auto value = parse_json(file);
      ASSERT_FALSE(value);
      EXPECT_EQ(value.error().code.id, codes::kJsonMalformed.id);
      Diagnostics findings;
      EXPECT_FALSE(read_gltf(file, {}, findings));
    });
  }
}

TEST(Limits, GltfWhoseNodesAreAChain) {
  constexpr std::size_t kNodes = 100'000;
  std::string text = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)";
  for (std::size_t i = 1; i < kNodes; ++i) {
    text.append("{\"children\":[").append(std::to_string(i)).append("]},");
  }
  const Bytes file = to_bytes(text + "{}]}");
  expect_within(400 * file.size(), [&] {
    Diagnostics findings;
    const auto scene = read_gltf(file, {}, findings);
    ASSERT_TRUE(!scene || problems_of(*scene).empty());
    if (scene) {
      EXPECT_EQ(problems_of_frames(*scene), Problems());
      EXPECT_TRUE(write_gltf(*scene, {}, findings));
    }
  });
}

TEST(Limits, NodesThatAreAChain) {
  RawBytes bones;
  constexpr std::int32_t kNodes = 100'000;
  for (std::int32_t id = 0; id < kNodes; ++id) {
    bones.u32(96).text("b", 80).i32(id).i32(id - 1).u32(0).zeros(8);
  }
  const Bytes file = mdx_file(800).chunk("BONE", bones).bytes();
  expect_within(64 * file.size(), [&] {
    Diagnostics findings;
    const auto document = mdx::read(file, {}, findings);
    ASSERT_TRUE(document);
    const auto scene = mdx::to_scene(*document, {}, findings);
    EXPECT_EQ(problems_of(scene), Problems());
    EXPECT_EQ(problems_of_frames(scene), Problems());
  });
}

// --- time
// ---------------------------------------------------------------------------------------------------------

RawBytes turning_bone() {
  RawBytes tracks = mdx_track("KGTR", 2, 1);
  tracks.u32(1000).f32(0).f32(0).f32(0).u32(1000).f32(1).f32(1).f32(1);
  return mdx_node("bone", 0, tracks).zeros(8);
}

TEST(Limits, ClipsOfNoLengthAndOfNegativeLength) {
  RawBytes sequences;
  for (const auto& [start, end] : {std::pair(1000U, 1000U), std::pair(1000U, 500U), std::pair(0U, 0U),
                                   std::pair(0xFFFFFFFFU, 0xFFFFFFFFU), std::pair(0U, 0xFFFFFFFFU)}) {
    for (const std::uint32_t looping : {0U, 1U}) {
      sequences.text("Stand", 80).u32(start).u32(end).f32(0).u32(looping).zeros(8 + 28);
    }
  }
  const Bytes file = mdx_file(800)
                         .chunk("SEQS", sequences)
                         .chunk("GLBS", RawBytes().u32(0).u32(0xFFFFFFFF))
                         .chunk("BONE", turning_bone())
                         .bytes();
  expect_within(8 * kMegabyte, [&] {
    Diagnostics findings;
    const auto document = mdx::read(file, {}, findings);
    ASSERT_TRUE(document);
    const auto scene = mdx::to_scene(*document, {}, findings);
    EXPECT_EQ(problems_of(scene), Problems());
    const frame::Evaluator evaluator(scene);
    for (scene::Index clip = 0; clip < scene.clips.size(); ++clip) {
      for (const double time : {0.0, -1.0, 1e300, 0.5}) {
        const auto camera = frame::auto_camera(evaluator, scene, clip, {}, 1);
        const auto frame = evaluator.evaluate({clip, time, time}, camera, {});
        EXPECT_EQ(problems_of(frame, evaluator.images()), Problems()) << clip << " at " << time;
      }
    }
    EXPECT_TRUE(write_gltf(scene, {}, findings));
  });
}

}  // namespace
}  // namespace thaw
