// Files built as their dumps come, through a window that is far smaller than the text: the same as of the
// text as a whole.
#include <thaw/bytes.hpp>
#include <thaw/edit.hpp>

#include "formats/list.hpp"
#include "patch/build.hpp"

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace thaw {
namespace {

constexpr std::size_t kPiece = 300;

/// The dump with its layout in front.
std::string dump_to_stream(const AnyDocument& document) {
  const FormatDescriptor& format = descriptor_of(document);
  std::string text;
  dump_any(inspection_of(document), *memory_storage(format.document.content(document)), format.id,
           [&](std::string_view piece) {
             text += piece;
             return true;
           });
  return text;
}

/// A few bytes at a time.
JsonSource source_of(const std::string& text) {
  return [&text, at = std::size_t{0}](std::span<char> buffer) mutable -> Result<std::size_t> {
    constexpr std::size_t kAtOnce = 77;
    const std::size_t size = std::min({kAtOnce, buffer.size(), text.size() - at});
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), size, buffer.begin());
    at += size;
    return size;
  };
}

bool shares_bytes(const Error& error) {
  return error.code == codes::kBuildDiffers && error.message.find("share bytes") != std::string::npos;
}

std::vector<std::filesystem::path> small_samples() {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : {test::samples_dir(), test::root_dir() / "fuzz/corpus"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      constexpr std::uintmax_t kLarge = 12'000;
      if (entry.is_regular_file() && entry.file_size() <= kLarge) {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  files.push_back(test::samples_dir() / "World/Maps/Island/Island.wdt");
  return files;
}

TEST(BuildAsItComes, GivesTheSameFile) {
  std::size_t built_again = 0;
  for (const auto& path : small_samples()) {
    const auto document = read_any(test::load(path));
    if (!document || document->identity().format.is_interchange()) {
      continue;
    }
    const FormatDescriptor& format = descriptor_of(*document);
    const std::string text = dump_to_stream(*document);
    ASSERT_EQ(format_of_layout_in_front(text), format.id) << path;
    MemorySink out;
    const auto leaves = build_as_it_comes(source_of(text), out, kPiece);
    ASSERT_TRUE(leaves || shares_bytes(leaves.error())) << path << leaves.error().message;
    if (leaves) {
      EXPECT_EQ(out.bytes(), format.document.content(*document)) << path;
      EXPECT_EQ(first_strange_leaf(inspection_of(*document), *leaves), std::nullopt) << path;
      ++built_again;
    }
  }
  EXPECT_GT(built_again, 50U);
}

TEST(BuildAsItComes, RefusesWhatTheWholeTextIsRefusedFor) {
  std::mt19937 random(27);
  std::size_t refused = 0;
  for (const auto& path : small_samples()) {
    const auto document = read_any(test::load(path));
    if (!document || document->identity().format.is_interchange() || random() % 8 != 0) {
      continue;
    }
    const std::string whole = dump_to_stream(*document);
    for (int i = 0; i < 12; ++i) {
      std::string text = whole;
      const std::size_t at = random() % text.size();
      constexpr std::string_view kLetters = "{}[],:\"0-x ";
      switch (i % 3) {
        case 0:
          text.resize(at);
          break;
        case 1:
          text[at] = kLetters[random() % kLetters.size()];
          break;
        default:
          text.erase(at, 1 + random() % 20);
          break;
      }
      const auto expected = lay_bytes(text).and_then(assemble);
      MemorySink out;
      const auto leaves = build_as_it_comes(source_of(text), out, kPiece);
      EXPECT_TRUE(leaves.has_value() == expected.has_value() || shares_bytes(leaves.error()))
          << path << ' ' << i << ' ' << at << ": " << (leaves ? "" : leaves.error().message) << " / "
          << (expected ? "" : expected.error().message);
      if (leaves && expected) {
        EXPECT_EQ(out.bytes(), expected->bytes) << path << ' ' << i;
      } else if (!leaves && !expected && leaves.error().code == expected.error().code &&
                 leaves.error().code != codes::kBuildGap && leaves.error().code != codes::kBuildLayout) {
        // A layout that lacks its format does not stand in front, to those who read no further.
        EXPECT_EQ(leaves.error().path, expected.error().path) << path << ' ' << leaves.error().message;
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 20U);
}

TEST(BuildAsItComes, TakesMembersInAnyOrderAndReportsOfWhatIsWrong) {
  const std::string layout =
      R"({"$layout": {"format": "wdt", "document": {"#n": "u8 count of list", "a": "u8", "list": [{"b": "u16"}]}})";
  const auto built = [&](const std::string& rest) {
    const std::string text = layout + rest;
    MemorySink out;
    return build_as_it_comes(source_of(text), out, kPiece).map([&](const PackedLeaves&) {
      return out.bytes();
    });
  };
  const std::string items = "[" + std::string(2000, ' ') + R"({"b": 258}, {"b": 3}])";
  EXPECT_EQ(built(R"(, "a": 7, "list": )" + items + "}"), (Bytes{2, 7, 2, 1, 3, 0}));
  EXPECT_EQ(built(R"(, "list": )" + items + R"(, "$of": "none", "a": 7})"), (Bytes{2, 7, 2, 1, 3, 0}));
  const auto unknown = built(R"(, "a": 7, "list": [], "c": 1})");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, codes::kBuildMember);
  const auto large = built(",\n \"a\": 7,\n \"list\": [" + std::string(3000, '\n') + R"({"b": 65536}]})");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().path, "list[0].b");
  EXPECT_EQ(large.error().message.substr(0, 7), "3003:7:") << large.error().message;
  std::string other = layout;
  other.insert(other.size() - 1, R"(, "exceptions": {"a": {"$at": 4000000000000}})");
  const std::string far = other + R"(, "a": 7, "list": []})";
  MemorySink out;
  const auto apart = build_as_it_comes(source_of(far), out, kPiece);
  ASSERT_FALSE(apart);
  EXPECT_EQ(apart.error().code, codes::kBuildGap);
  EXPECT_LT(out.size(), 10U);
}

TEST(BuildAsItComes, EndsWhereTheSourceFails) {
  MemorySink out;
  const auto failed = build_as_it_comes(
      [](std::span<char> /*buffer*/) { return fail(codes::kInputUnreadable, "gone"); }, out, kPiece);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, codes::kInputUnreadable);
}

}  // namespace
}  // namespace thaw
