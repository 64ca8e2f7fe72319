// Archives as layers, and one-file archives in folders.
#include <thaw/sources.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <fstream>

#include "support/mpq_packer.hpp"

namespace thaw {
namespace {

namespace fs = std::filesystem;
using namespace test;

class Archives {
 public:
  Archives() : root_(fs::temp_directory_path() / ("thaw-archives-" + std::to_string(::getpid()))) {
    fs::create_directories(root_);
  }
  Archives(const Archives&) = delete;
  Archives(Archives&&) = delete;
  Archives& operator=(const Archives&) = delete;
  Archives& operator=(Archives&&) = delete;
  ~Archives() {
    std::error_code error;
    fs::remove_all(root_, error);
  }
  [[nodiscard]] const fs::path& root() const { return root_; }
  fs::path archive(const std::string& name, const std::vector<PackedFile>& files) const {
    const Bytes bytes = pack_mpq(files);
    fs::create_directories((root_ / name).parent_path());
    EXPECT_TRUE(write_file(root_ / name, bytes, true));
    return root_ / name;
  }

 private:
  fs::path root_;
};

std::string text_of(const std::optional<FoundFile>& found) {
  return found ? std::string(found->bytes.begin(), found->bytes.end()) : "not found";
}

std::shared_ptr<const Source> open(const fs::path& path) {
  Diagnostics findings;
  auto archive = open_archive(*open_storage(path), {}, findings);
  EXPECT_TRUE(archive);
  return archive_source(*archive, path.filename().string());
}

TEST(ArchiveSource, IsALayerLikeAFolder) {
  const Archives scratch;
  Sources sources;
  sources.add(open(scratch.archive("a.mpq", {{"Textures\\Stone.blp", "below"}, {"only.txt", "here"}})));
  sources.add(open(scratch.archive("b.mpq", {{"textures\\STONE.blp", "above"}, {"B\xE4r.blp", "bear"}})));
  EXPECT_EQ(text_of(sources.find("Textures/stone.BLP")), "above");
  EXPECT_EQ(text_of(sources.find("only.txt")), "here");
  EXPECT_EQ(sources.find("only.txt")->where, "a.mpq//only.txt");
  EXPECT_EQ(text_of(sources.find_texture("textures\\stone.tif")), "above");
  EXPECT_EQ(text_of(sources.find("b\xC3\xA4r.blp")), "bear");
  EXPECT_EQ(text_of(sources.find("nothing")), "not found");
}

TEST(ArchiveSource, OneFileArchivesStandForTheirFile) {
  const Archives scratch;
  scratch.archive("World/wmo/Inn.wmo.MPQ", {{"Inn.wmo", "BLP1 building"},
                                            {"Inn.wmo.md5", "0123456789abcdef"},
                                            {"(attributes)", "long enough to be more"}});
  scratch.archive("World/Maps/K/K.wdt.MPQ", {{"unknown", "BLP1, the largest file of all"}, {"x", "small"}});
  Sources sources;
  sources.add_folder(scratch.root());
  EXPECT_EQ(text_of(sources.find("world\\WMO\\inn.wmo")), "BLP1 building");
  EXPECT_EQ(text_of(sources.find("World/Maps/K/K.wdt")), "BLP1, the largest file of all");
  EXPECT_EQ(text_of(sources.find("World/Maps/K/K.wdl")), "not found");
}

TEST(OpenStorage, ReadsWhereItIsRequestedTo) {
  const Archives scratch;
  std::ofstream(scratch.root() / "file", std::ios::binary) << "0123456789";
  const auto storage = open_storage(scratch.root() / "file");
  ASSERT_TRUE(storage);
  EXPECT_EQ((*storage)->size(), 10U);
  Bytes bytes(3);
  EXPECT_TRUE((*storage)->read(7, bytes));
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "789");
  EXPECT_FALSE((*storage)->read(8, bytes));
  EXPECT_TRUE((*storage)->read(0, bytes));
  EXPECT_FALSE(open_storage(scratch.root()));
  EXPECT_FALSE(open_storage(scratch.root() / "nothing"));
}

}  // namespace
}  // namespace thaw
