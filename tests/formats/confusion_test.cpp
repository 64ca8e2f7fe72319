// What content is recognised as, beside what files are called: for all files of the corpus and the samples.
#include <thaw/format.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

namespace thaw {
namespace {

using Table = std::map<std::string, std::map<std::string, std::size_t>>;

std::string extension_of(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text.empty() ? "(none)" : text;
}

/// Content whose name says something else, and rightly so: StarCraft's models, World of Warcraft's files of
/// later versions, and the like share extensions.
bool goes_by(const Format& format, const std::string& extension) {
  const std::string all = " " + std::string(format.extensions()) + " ";
  return all.find(" " + extension + " ") != std::string::npos;
}

void look(const std::filesystem::path& directory, Table& table, std::vector<std::string>& wrong) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) {
      continue;
    }
    const std::string extension = extension_of(entry.path());
    const Format format = identify(test::load(entry.path())).format;
    ++table[extension][std::string(format.id())];
    const bool structured = format == "nsa" || format == "mrn" || format == "m3" || format == "mtl3lib";
    const bool named = extension == ".nsa" || extension == ".mrn" || extension == ".nmb" ||
                       extension == ".m3" || extension == ".mtl3lib";
    if ((structured || named) && !goes_by(format, extension)) {
      wrong.push_back(entry.path().string() + " is taken for " + std::string(format.id()));
    }
  }
}

TEST(Confusion, NoFileIsTakenForAnAnimationOrAModelThatItIsNot) {
  Table table;
  std::vector<std::string> wrong;
  look(test::samples_dir(), table, wrong);
  if (std::filesystem::exists(test::corpus_dir())) {
    look(test::corpus_dir(), table, wrong);
    EXPECT_EQ(table[".nsa"]["nsa"], 1U + 3U);
    EXPECT_EQ(table[".m3"]["m3-starcraft"], 1U);
  }
  for (const auto& [extension, formats] : table) {
    std::cout << extension;
    for (const auto& [format, count] : formats) {
      std::cout << "  " << format << ' ' << count;
    }
    std::cout << '\n';
  }
  EXPECT_TRUE(wrong.empty()) << wrong.front();
}

}  // namespace
}  // namespace thaw
