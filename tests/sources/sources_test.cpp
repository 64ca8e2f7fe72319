// Where bytes come from, and where they go.

#include <thaw/codes.hpp>
#include <thaw/sources.hpp>

#include "bytes/text.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>

namespace thaw {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A folder that goes with the test.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "thaw-sources-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  Scratch(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    std::error_code error;
    fs::remove_all(root_, error);
  }

  [[nodiscard]] const fs::path& root() const { return root_; }
  fs::path file(const std::string& name, const std::string& content) const {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  /// A file that begins as a texture does.
  fs::path texture(const std::string& name, const std::string& content) const {
    return file(name, "BLP1" + content);
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(root_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  fs::path root_;
};

std::string text(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

/// What stands in a texture of Scratch.
std::string content_of(const std::optional<FoundFile>& file) {
  const std::string all = file ? text(file->bytes) : "nothing";
  return all.starts_with("BLP1") ? all.substr(4) : all;
}

std::string found(const Sources& sources, std::string_view name, FileKind kind = FileKind::any) {
  return content_of(sources.find(name, kind));
}

std::string found_texture(const Sources& sources, std::string_view name) {
  return content_of(sources.find_texture(name));
}

TEST(GamePath, IsNormalised) {
  EXPECT_EQ(normalize_game_path("Textures\\Foo.BLP"), "textures/foo.blp");
  EXPECT_EQ(normalize_game_path("/a//b/./../C"), "a/b/c");
  EXPECT_EQ(normalize_game_path("..\\..\\etc/passwd"), "etc/passwd");
  EXPECT_EQ(normalize_game_path("...\\x"), ".../x");
  EXPECT_EQ(normalize_game_path(""), "");
  EXPECT_EQ(normalize_game_path("caf\xE9.blp"), "caf\xC3\xA9.blp");
}

TEST(Sources, FindsWithoutRegardToCase) {
  const Scratch scratch;
  scratch.texture("Textures/Sub Folder/Foo.BLP", "foo");
  Sources sources;
  sources.add_folder(scratch.root());
  EXPECT_EQ(found(sources, "TEXTURES\\sub folder\\foo.blp"), "foo");
  EXPECT_EQ(found(sources, "textures/foo.blp"), "nothing");
  EXPECT_EQ(found(sources, "textures"), "nothing");
  EXPECT_EQ(found(sources, ""), "nothing");
  const auto file = sources.find("textures\\sub folder\\foo.blp");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->name, "textures/sub folder/foo.blp");
  EXPECT_EQ(file->where, (scratch.root() / "Textures/Sub Folder/Foo.BLP").string());
}

TEST(Sources, LooksIntoFoldersThatDifferInCaseOnly) {
  const Scratch scratch;
  scratch.texture("Textures/a.blp", "a");
  scratch.texture("textures/b.blp", "b");
  Sources sources;
  sources.add_folder(scratch.root());
  EXPECT_EQ(found(sources, "Textures/A.blp"), "a");
  EXPECT_EQ(found(sources, "Textures/B.blp"), "b");
}

TEST(Sources, TheLastLayerWins) {
  const Scratch scratch;
  scratch.texture("base/x.blp", "base");
  scratch.texture("base/only.blp", "only");
  scratch.texture("mod/X.blp", "mod");
  Sources sources;
  sources.add_folder(scratch.root() / "base");
  sources.add_folder(scratch.root() / "mod");
  sources.add_folder(scratch.root() / "missing");
  EXPECT_EQ(found(sources, "x.blp"), "mod");
  EXPECT_EQ(found(sources, "only.blp"), "only");
  EXPECT_TRUE(Sources().empty());
  EXPECT_FALSE(sources.empty());
}

TEST(Sources, TriesTheExtensionsOfTheGame) {
  const Scratch scratch;
  scratch.texture("both.dds", "dds");
  scratch.texture("both.png", "png");
  scratch.texture("exact.tif", "tif");
  scratch.texture("exact.dds", "dds");
  scratch.texture("odd.name/last.tga", "tga");
  Sources sources;
  sources.add_folder(scratch.root());
  EXPECT_EQ(found_texture(sources, "both.blp"), "dds");
  EXPECT_EQ(found_texture(sources, "both.tif"), "dds");
  EXPECT_EQ(found_texture(sources, "both"), "dds");
  EXPECT_EQ(found_texture(sources, "exact.tif"), "tif");
  EXPECT_EQ(found_texture(sources, "odd.name\\last"), "tga");
  EXPECT_EQ(found_texture(sources, "neither.blp"), "nothing");
  EXPECT_EQ(sources.find_texture("both.blp")->name, "both.dds");
}

TEST(Sources, NeverLeavesTheFolder) {
  const Scratch scratch;
  scratch.texture("secret.blp", "secret");
  scratch.texture("game/inside.blp", "inside");
  fs::create_symlink(scratch.root() / "secret.blp", scratch.root() / "game/link.blp");
  fs::create_directory_symlink(scratch.root(), scratch.root() / "game/up");
  fs::create_directory_symlink(".", scratch.root() / "game/loop");
  fs::create_symlink("self.blp", scratch.root() / "game/self.blp");
  fs::create_symlink("inside.blp", scratch.root() / "game/alias.blp");
  Sources sources;
  sources.add_folder(scratch.root() / "game");
  EXPECT_EQ(found(sources, "../secret.blp"), "nothing");
  EXPECT_EQ(found(sources, (scratch.root() / "secret.blp").string()), "nothing");
  EXPECT_EQ(found(sources, "link.blp"), "nothing");
  EXPECT_EQ(found(sources, "up/secret.blp"), "nothing");
  EXPECT_EQ(found(sources, "self.blp"), "nothing");
  EXPECT_EQ(found(sources, "loop/loop/loop/inside.blp"), "inside");
  EXPECT_EQ(found(sources, "alias.blp"), "inside");
}

TEST(Sources, CanBeSharedBetweenThreads) {
  const Scratch scratch;
  for (int i = 0; i < 20; ++i) {
    scratch.texture(std::to_string(i) + "d/File.blp", std::to_string(i));
  }
  Sources sources;
  sources.add_folder(scratch.root());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        wrong += found(sources, std::to_string(i) + "D\\file.BLP") == std::to_string(i) ? 0 : 1;
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST(ModelSources, OwnFolderParentsAndBareName) {
  const Scratch scratch;
  scratch.texture("Textures/far.blp", "parent");
  scratch.texture("Units/Human/Textures/far.blp", "own");
  scratch.texture("Textures/parent.blp", "parent");
  scratch.texture("Units/Human/bare.blp", "bare");
  scratch.texture("Named/Textures/far.blp", "named");
  const fs::path model = scratch.file("Units/Human/Footman.mdx", "");
  const Sources sources = model_sources(model, {});
  EXPECT_EQ(found(sources, "Textures\\far.blp"), "own");
  EXPECT_EQ(found(sources, "Textures\\parent.blp"), "parent");
  EXPECT_EQ(found(sources, "Any\\Where\\Bare.blp"), "bare");
  const Sources named = model_sources(model, {open_folder(scratch.root() / "Named")});
  EXPECT_EQ(found(named, "Textures\\far.blp"), "named");
}

TEST(ModelSources, LooksFourLevelsUp) {
  const Scratch scratch;
  scratch.texture("a/Textures/four.blp", "four");
  scratch.texture("Textures/five.blp", "five");
  const Sources sources = model_sources(scratch.file("a/b/c/d/e/model.mdx", ""), {});
  EXPECT_EQ(found(sources, "textures/four.blp"), "four");
  EXPECT_EQ(found(sources, "textures/five.blp"), "nothing");
}

TEST(ModelSources, LooksAboveTheModelOnlyInGamesAndInWhatWasNamed) {
  const Scratch scratch;
  scratch.texture("home/Pictures/passport.png", "private");
  scratch.texture("home/Downloads/near.blp", "near");
  const fs::path model = scratch.file("home/Downloads/model/model.mdx", "");
  EXPECT_EQ(found(model_sources(model, {}), "Pictures/passport.png"), "nothing");
  EXPECT_EQ(found(model_sources(model, {}), "near.blp"), "nothing");
  const Sources stated = model_sources(model, {}, open_folder, {{}, {scratch.root() / "home/Downloads"}});
  EXPECT_EQ(found(stated, "near.blp"), "near");
  EXPECT_EQ(found(stated, "Pictures/passport.png"), "nothing");
  scratch.file("home/Downloads/war3mapImported/x", "");
  EXPECT_EQ(found(model_sources(model, {}), "near.blp"), "near");
  EXPECT_EQ(found(model_sources(model, {}), "Pictures/passport.png"), "nothing");
}

TEST(ModelSources, AMapThatIsAFolderIsAGame) {
  const Scratch scratch;
  scratch.texture("Pines.w3x/near.blp", "near");
  EXPECT_EQ(found(model_sources(scratch.file("Pines.w3x/Models/model.mdx", ""), {}), "near.blp"), "near");
}

TEST(ModelSources, AHomeFolderIsNoGame) {
  const Scratch scratch;
  scratch.texture("home/Pictures/passport.png", "private");
  scratch.texture("home/Textures/x.blp", "x");
  const fs::path model = scratch.file("home/Downloads/model.mdx", "");
  EXPECT_TRUE(looks_like_game(scratch.root() / "home"));
  EXPECT_EQ(found(model_sources(model, {}), "Pictures/passport.png"), "private");
  scratch.file("home/.ssh/id_rsa", "key");
  EXPECT_FALSE(looks_like_game(scratch.root() / "home"));
  EXPECT_EQ(found(model_sources(model, {}), "Pictures/passport.png"), "nothing");
}

TEST(ModelSources, TheFolderOfAnArchiveIsAParent) {
  const Scratch scratch;
  scratch.texture("maps/passport.blp", "private");
  const fs::path map = scratch.file("maps/map.w3x", "");
  const ModelLocation place{{open_folder(scratch.root() / "empty")}, {}};
  EXPECT_EQ(found(model_sources(map, {}, open_folder, place), "passport.blp"), "nothing");
  scratch.file("maps/war3.mpq", "");
  EXPECT_EQ(found(model_sources(map, {}, open_folder, place), "passport.blp"), "private");
}

TEST(ModelSources, KnowsWhatWasUsedFromOutside) {
  const Scratch scratch;
  scratch.texture("game/Textures/far.blp", "far");
  scratch.texture("game/units/near.blp", "near");
  scratch.texture("more/named.blp", "named");
  scratch.file("more/table.slk", "ID;PWXL");
  const fs::path model = scratch.file("game/units/model.mdx", "");
  const Sources sources = model_sources(model, {open_folder(scratch.root() / "more")});
  EXPECT_EQ(found(sources, "near.blp"), "near");
  EXPECT_EQ(found(sources, "table.slk"), "ID;PWXL");
  EXPECT_TRUE(sources.used_outside().empty());
  EXPECT_EQ(found(sources, "textures/far.blp"), "far");
  EXPECT_EQ(found(sources, "named.blp"), "named");
  EXPECT_THAT(sources.used_outside(), ElementsAre((scratch.root() / "game/Textures/far.blp").string(),
                                                  (scratch.root() / "more/named.blp").string()));
}

TEST(Sources, GiveOnlyWhatAModelCanUse) {
  const Scratch scratch;
  scratch.file("id_rsa", "-----BEGIN OPENSSH PRIVATE KEY-----");
  scratch.file("key.blp", "-----BEGIN OPENSSH PRIVATE KEY-----");
  scratch.file("passwords.xml", "<?xml version=\"1.0\"?><KeePassFile/>");
  scratch.file("model.mdx", std::string("MDLXVERS\4\0\0\0\x20\3\0\0", 16));
  scratch.file("sound.wav", "RIFF");
  scratch.file("buffer.bin", "bytes");
  scratch.texture("texture.blp", "texture");
  Sources sources;
  sources.add_folder(scratch.root());
  for (const auto* name : {"id_rsa", "key.blp", "passwords.xml", "buffer.bin"}) {
    EXPECT_EQ(found(sources, name), "nothing") << name;
    EXPECT_EQ(found_texture(sources, name), "nothing") << name;
  }
  EXPECT_EQ(found_texture(sources, "texture.blp"), "texture");
  EXPECT_EQ(found(sources, "texture.blp", FileKind::model), "nothing");
  EXPECT_NE(found(sources, "model.mdx", FileKind::model), "nothing");
  EXPECT_EQ(found_texture(sources, "model.mdx"), "nothing");
  EXPECT_EQ(found(sources, "sound.wav", FileKind::sound), "RIFF");
  EXPECT_EQ(found(sources, "texture.blp", FileKind::sound), "nothing");
  EXPECT_EQ(found(sources, "buffer.bin", FileKind::data), "bytes");
}

TEST(Sources, GiveNothingThatIsHidden) {
  const Scratch scratch;
  scratch.texture(".secret/a.blp", "a");
  scratch.texture("open/.b.blp", "b");
  fs::create_symlink("../.secret/a.blp", scratch.root() / "open/link.blp");
  fs::create_directory_symlink(".secret", scratch.root() / "folder");
  Sources sources;
  sources.add_folder(scratch.root());
  for (const auto* name : {".secret/a.blp", "open/.b.blp", "open/link.blp", "folder/a.blp"}) {
    EXPECT_EQ(found(sources, name), "nothing") << name;
    EXPECT_TRUE(open_whole_folder(scratch.root())->read(name)) << name;
  }
  EXPECT_TRUE(open_folder(scratch.root() / ".secret")->read("a.blp"));  // named by the user
}

#ifdef __unix__
TEST(WriteFile, ChangesNothingWhileAnotherRunHasTheFile) {
  const Scratch scratch;
  const fs::path path = scratch.file("file", "read");
  const int other = ::open(path.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const auto mine = write_file(path, as_bytes("mine"), true, stamp_of(path));
  ASSERT_FALSE(mine);
  EXPECT_EQ(mine.error().code, codes::kWriteChanged);
  EXPECT_EQ(text(*read_file(path, Limits{})), "read");
  ::close(other);
  EXPECT_TRUE(write_file(path, as_bytes("mine"), true, stamp_of(path)));
}
#endif

TEST(WriteFile, LeavesFilesThatAreKnownAsAbandoned) {
  const Scratch scratch;
  auto output = open_output(scratch.root() / "knight.glb", false);
  ASSERT_TRUE(output);
  EXPECT_THAT(scratch.names(), ElementsAre(".knight.glb.0.tmp"));
  EXPECT_THAT(abandoned_files(scratch.root()), IsEmpty());  // somebody is writing it
  const fs::path left = scratch.file(".knight.glb.1.tmp", "half");
  for (const auto* other : {".hidden", "knight.glb.0.tmp", ".knight.tmp", ".knight.glb.x.tmp"}) {
    scratch.file(other, "another's");
  }
  EXPECT_THAT(abandoned_files(scratch.root()), ElementsAre(left));
}

TEST(WriteFile, SeesThatTheFileIsNotTheOneThatWasRead) {
  const Scratch scratch;
  const fs::path path = scratch.file("file", "read");
  const auto before = stamp_of(path);
  ASSERT_TRUE(before);
  EXPECT_TRUE(write_file(path, as_bytes("mine"), true, before));
  const auto second = write_file(path, as_bytes("yours"), true, before);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, codes::kWriteChanged);
  EXPECT_EQ(text(*read_file(path, Limits{})), "mine");
  EXPECT_THAT(scratch.names(), ElementsAre("file"));
  EXPECT_TRUE(write_file(path, as_bytes("yours"), true, stamp_of(path)));
  EXPECT_FALSE(stamp_of(scratch.root()));
}

TEST(MapFile, StaysWhenTheFileShrinks) {
  const Scratch scratch;
  const fs::path path = scratch.file("index", std::string(1U << 20U, 'x'));
  const auto file = map_file(path);
  ASSERT_TRUE(file);
  fs::resize_file(path, 0);
  EXPECT_EQ(file->bytes.size(), 1U << 20U);
  EXPECT_EQ(std::count(file->bytes.begin(), file->bytes.end(), 'x'), 1 << 20);
}

TEST(ReadFile, ReadsAllOrSaysWhyNot) {
  const Scratch scratch;
  const Limits limits;
  EXPECT_EQ(text(*read_file(scratch.file("a", "content"), limits)), "content");
  EXPECT_TRUE(read_file(scratch.file("empty", ""), limits)->empty());
  EXPECT_EQ(read_file(scratch.root() / "missing", limits).error().code, codes::kInputUnreadable);
  EXPECT_EQ(read_file(scratch.root(), limits).error().message, "is a folder");
  ASSERT_EQ(::mkfifo((scratch.root() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(scratch.root() / "pipe", limits).error().message, "is not a regular file");
  EXPECT_EQ(read_file("/dev/zero", limits).error().code, codes::kInputUnreadable);
  Limits small;
  small.max_input_bytes = 6;
  EXPECT_EQ(read_file(scratch.root() / "a", small).error().code, codes::kInputTooLarge);
  small.max_input_bytes = 7;
  EXPECT_TRUE(read_file(scratch.root() / "a", small));
}

TEST(WriteFile, ReplacesOnlyWhenReportedTo) {
  const Scratch scratch;
  const fs::path path = scratch.root() / "out";
  EXPECT_TRUE(write_file(path, to_bytes("one"), false));
  EXPECT_EQ(write_file(path, to_bytes("two"), false).error().code, codes::kWriteExists);
  EXPECT_EQ(text(*read_file(path, {})), "one");
  EXPECT_TRUE(write_file(path, to_bytes("two"), true));
  EXPECT_EQ(text(*read_file(path, {})), "two");
  EXPECT_TRUE(write_file(scratch.root() / "empty", {}, false));
  EXPECT_THAT(scratch.names(), ElementsAre("empty", "out"));
}

TEST(WriteFile, GivesANameToOneOfManyAtOnce) {
  const Scratch scratch;
  constexpr int kRounds = 20;
  constexpr std::size_t kWriters = 8;
  for (int round = 0; round < kRounds; ++round) {
    const fs::path path = scratch.root() / std::to_string(round);
    std::array<bool, kWriters> won{};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kWriters; ++i) {
      threads.emplace_back([&, i] {
        const auto written = write_file(path, to_bytes(std::to_string(i)), false);
        won.at(i) = written.has_value();
        EXPECT_TRUE(written || written.error().code == codes::kWriteExists);
      });
    }
    for (auto& thread : threads) {
      thread.join();
    }
    const auto* const winner = std::find(won.begin(), won.end(), true);
    ASSERT_EQ(std::count(won.begin(), won.end(), true), 1);
    EXPECT_EQ(text(*read_file(path, {})), std::to_string(winner - won.begin()));
  }
  EXPECT_EQ(scratch.names().size(), static_cast<std::size_t>(kRounds));  // and nothing else is left
}

TEST(WriteFile, KeepsTheModeOfWhatItReplaces) {
  const Scratch scratch;
  for (const auto mode : {fs::perms(0600), fs::perms(0640), fs::perms(0444), fs::perms(0755)}) {
    const fs::path path = scratch.root() / "out";
    EXPECT_TRUE(write_file(path, to_bytes("one"), true));
    fs::permissions(path, mode);
    EXPECT_TRUE(write_file(path, to_bytes("two"), true));
    EXPECT_EQ(fs::status(path).permissions(), mode);
    EXPECT_EQ(text(*read_file(path, {})), "two");
  }
}

TEST(WriteFile, FollowsLinks) {
  const Scratch scratch;
  fs::create_directory(scratch.root() / "far");
  const fs::path real = scratch.root() / "far" / "real";
  EXPECT_TRUE(write_file(real, to_bytes("one"), false));
  fs::create_symlink("far/real", scratch.root() / "link");
  fs::create_symlink("link", scratch.root() / "second");
  EXPECT_TRUE(write_file(scratch.root() / "second", to_bytes("two"), true));
  EXPECT_EQ(text(*read_file(real, {})), "two");
  EXPECT_TRUE(fs::is_symlink(scratch.root() / "link"));
  EXPECT_TRUE(fs::is_symlink(scratch.root() / "second"));
  EXPECT_EQ(write_file(scratch.root() / "link", to_bytes("x"), false).error().code, codes::kWriteExists);
  // A link that leads nowhere gives way only where that is asked for.
  fs::create_symlink("nowhere", scratch.root() / "dangling");
  EXPECT_FALSE(write_file(scratch.root() / "dangling", to_bytes("three"), false));
  EXPECT_TRUE(fs::is_symlink(scratch.root() / "dangling"));
  EXPECT_TRUE(write_file(scratch.root() / "dangling", to_bytes("three"), true));
  EXPECT_EQ(text(*read_file(scratch.root() / "dangling", {})), "three");
}

TEST(WriteFile, LeavesNothingAfterWhenItFails) {
  const Scratch scratch;
  EXPECT_EQ(write_file(scratch.root() / "no/such/folder", to_bytes("x"), true).error().code,
            codes::kWriteFailed);
  fs::create_directory(scratch.root() / "folder");
  EXPECT_EQ(write_file(scratch.root() / "folder", to_bytes("x"), true).error().code, codes::kWriteFailed);
  EXPECT_THAT(scratch.names(), ElementsAre("folder"));
}

TEST(WriteFile, DoesNotReplaceDevices) {
  EXPECT_TRUE(write_file("/dev/null", to_bytes("x"), true));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  // A device that is always full.
  if (fs::is_character_file("/dev/full")) {
    const auto written = write_file("/dev/full", to_bytes("x"), true);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, codes::kWriteFailed);
  }
}

TEST(WriteFile, GoesAroundLeftTemporaryFiles) {
  const Scratch scratch;
  scratch.file(".out.0.tmp", "left by someone");
  EXPECT_TRUE(write_file(scratch.root() / "out", to_bytes("x"), false));
  EXPECT_THAT(scratch.names(), ElementsAre(".out.0.tmp", "out"));
}

}  // namespace
}  // namespace thaw
