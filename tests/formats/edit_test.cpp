// Documents from their dumps, edited by path, patched and merged: for the files of every format, also damaged
// ones.
#include <thaw/edit.hpp>
#include <thaw/validate.hpp>

#include "support/files.hpp"
#include "support/mutate.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace thaw {
namespace {

std::vector<std::filesystem::path> sample_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::samples_dir())) {
    if (entry.is_regular_file() && identify(test::load(entry.path())).readable) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

AnyDocument sample(const std::string& name) {
  return read_any(test::load(test::samples_dir() / name)).value();
}

/// Builds what a document's dump says and compares it with the document, bit for bit.
void expect_built_again(ByteView bytes, const std::string& name) {
  const auto document = read_any(bytes);
  if (!document) {
    return;
  }
  const auto built = build_any(dump_any(*document));
  ASSERT_TRUE(built) << name << ": " << built.error().message << " [" << built.error().path << "]";
  EXPECT_TRUE(same_content(*document, *built)) << name;
  if (!document->identity().format.is_text()) {
    const Bytes again = write_any(*built);
    EXPECT_TRUE(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) << name;
  }
}

TEST(Build, MakesEverySampleAgain) {
  for (const auto& path : sample_files()) {
    expect_built_again(test::load(path), path.string());
  }
}

TEST(Build, MakesDamagedFilesAgain) {
  std::mt19937 random(27);
  for (const auto& path : sample_files()) {
    const Bytes whole = test::load(path);
    constexpr std::size_t kLarge = 200'000;
    if (whole.size() > kLarge || whole.empty()) {
      continue;
    }
    for (int i = 0; i < 12; ++i) {
      Bytes bytes = whole;
      for (int changes = 1 + i % 4; changes > 0; --changes) {
        bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      }
      if (i % 3 == 0) {
        bytes.resize(1 + random() % bytes.size());
      }
      expect_built_again(bytes, path.string() + " damaged, " + std::to_string(i));
    }
  }
}

TEST(Build, MakesTheCorpusAgain) {
  THAW_REQUIRE_CORPUS("");
  std::map<std::string, std::size_t> seen;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::corpus_dir())) {
    constexpr std::uintmax_t kLarge = 1'000'000;
    if (!entry.is_regular_file() || entry.file_size() > kLarge) {
      continue;
    }
    const Bytes bytes = test::load(entry.path());
    // A spread: the whole is for scripts/build-report.
    constexpr std::size_t kOfEach = 25;
    const Identity identity = identify(bytes);
    if (identity.readable && ++seen[std::string(identity.format.id())] <= kOfEach) {
      expect_built_again(bytes, entry.path().string());
    }
  }
}

/// The sample's dump with one text in place of another.
Result<AnyDocument> built_with(const std::string& name, const std::string& text, const std::string& other) {
  std::string json = dump_any(sample(name));
  const auto at = json.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  json.replace(at, text.size(), other);
  return build_any(json);
}

TEST(Build, ReportsLineColumnAndPathOfWhatCannotBe) {
  const auto large = built_with("knight.mdx", "\"version\": 800", "\"version\": 4294967296");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, codes::kBuildValue);
  EXPECT_EQ(large.error().path, "VERS.version");
  EXPECT_EQ(large.error().message.substr(0, 2), "5:") << large.error().message;
  const auto missing = built_with("knight.mdx", "\"version\": 800", "\"edition\": 800");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, codes::kBuildMember);
  const auto broken = built_with("knight.mdx", "\"version\": 800", "\"version\" 800");
  ASSERT_FALSE(broken);
  const auto word = built_with("knight.mdx", "\"version\": 800", "\"version\": \"nan\"");
  ASSERT_FALSE(word);
  EXPECT_EQ(word.error().code, codes::kBuildValue);
  const auto bare = build_any("{\"chunks\": []}");
  ASSERT_FALSE(bare);
  EXPECT_EQ(bare.error().code, codes::kBuildLayout);
  const auto cut = build_any("{\"chunks\": [");
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, codes::kJsonMalformed);
}

TEST(Build, TakesNoMemoryByWhatATextSays) {
  const auto claimed = build_any(
      R"({"byte": 1, "$layout": {"format": "mrf", "document": {"byte": "u8", "#repeated": "repeated"},
      "exceptions": {"#1": {"$repeated": 4000000000000}}}})");
  ASSERT_FALSE(claimed);
  EXPECT_EQ(claimed.error().code, codes::kInputTooLarge);
  const auto apart = build_any(
      R"({"byte": 1, "$layout": {"format": "mrf", "document": {"byte": "u8"},
      "exceptions": {"byte": {"$at": 4000000000000}}}})");
  ASSERT_FALSE(apart);
  EXPECT_EQ(apart.error().code, codes::kBuildGap);
}

TEST(Build, SaysWhereTheResultWouldHoldSomethingElse) {
  // The count of a track is a field of its own.
  const auto counted = built_with("knight.mdx", "\"count\": 2", "\"count\": 1");
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().code, codes::kBuildDiffers);
}

/// The paths that differ.
std::vector<std::string> differing(const AnyDocument& a, const AnyDocument& b) {
  std::vector<std::string> paths;
  for (const auto& difference : diff(inspection_of(a), inspection_of(b))) {
    paths.push_back(difference.path);
  }
  return paths;
}

using Paths = std::vector<std::string>;

TEST(Editor, ChangesOneFieldAndNothingElse) {
  const AnyDocument model = sample("knight.mdx");
  Editor editor(model);
  ASSERT_TRUE(editor.edit("SEQS[0].name=Stand - 2"));
  auto changed = editor.document();
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(differing(model, *changed), Paths{"SEQS[0].name"});
  EXPECT_EQ(editor.get("SEQS[Stand - 2].name").value().front().value, "\"Stand - 2\"");
  EXPECT_TRUE(editor.undo());
  EXPECT_FALSE(editor.undo());
  EXPECT_TRUE(same_content(model, *editor.document()));
}

TEST(Editor, CalculatesForAllItemsOfAList) {
  const AnyDocument model = sample("knight.mdx");
  Editor editor(model);
  const auto done = editor.edit("MTLS[*].layers[0].shadingFlags|=16");
  ASSERT_TRUE(done) << done.error().message;
  const auto fields = editor.get("MTLS[*].layers[0].shadingFlags");
  ASSERT_TRUE(fields);
  for (const auto& field : *fields) {
    EXPECT_NE(std::stoul(field.value) & 16U, 0U) << field.path;
  }
  EXPECT_TRUE(editor.document());
}

TEST(Editor, AddsCopiesMovesAndRemovesItems) {
  const AnyDocument model = sample("knight.mdx");
  Editor editor(model);
  const std::size_t count = editor.get("SEQS[*]").value().size();
  ASSERT_TRUE(editor.edit("copy SEQS[0] SEQS[+]"));
  EXPECT_EQ(editor.get("SEQS[*]").value().size(), count + 1);
  ASSERT_TRUE(editor.edit("SEQS[" + std::to_string(count) + "].name=Another"));
  ASSERT_TRUE(editor.edit("move SEQS[Another] SEQS[0]"));
  EXPECT_EQ(editor.get("SEQS[0].name").value().front().value, "\"Another\"");
  const auto more = editor.document();
  ASSERT_TRUE(more) << more.error().message << more.error().path;
  EXPECT_EQ(summarize(*more).clips.size(), count + 1);
  ASSERT_TRUE(editor.edit("remove SEQS[Another]"));
  EXPECT_TRUE(same_content(model, *editor.document()));
}

TEST(Editor, LetsCountsFollow) {
  const AnyDocument model = sample("knight.mdx");
  Editor editor(model);
  const auto places = editor.get("BONE[*].node.tracks[KGRT].keys");
  ASSERT_TRUE(places) << places.error().message;
  const std::string& keys = places->front().path;
  ASSERT_TRUE(editor.copy(keys + "[0]", keys + "[0]"));
  const auto longer = editor.document();
  ASSERT_TRUE(longer) << longer.error().message << " " << longer.error().path;
}

TEST(Editor, SaysWhatIsWrongWithAnEdit) {
  const AnyDocument model = sample("knight.mdx");
  Editor editor(model);
  for (const char* edit : {"SEQS[99].name=a", "NONE.name=a", "SEQS[0].title=a", "nothing", "SEQS[0.name=a",
                           "remove SEQS[99]", "add VERS.version 3", "SEQS[0].name|=a"}) {
    const auto done = editor.edit(edit);
    ASSERT_FALSE(done) << edit;
    EXPECT_EQ(done.error().code, codes::kEditPath) << edit;
    EXPECT_FALSE(done.error().message.empty());
  }
  EXPECT_EQ(editor.edits(), 0U);
  ASSERT_TRUE(editor.edit("VERS.version=-1"));
  const auto negative = editor.document();
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().code, codes::kBuildValue);
}

TEST(Patch, MakesTheOtherFileOfOne) {
  const auto files = sample_files();
  std::map<std::string, std::vector<AnyDocument>> by_format;
  for (const auto& path : files) {
    const auto document = read_any(test::load(path));
    if (document) {
      by_format[std::string(document->identity().format.id())].push_back(*document);
    }
  }
  for (const auto& [format, documents] : by_format) {
    for (std::size_t i = 0; i + 1 < documents.size() && i < 4; ++i) {
      Editor editor(documents[i]);
      if (!documents[i].same_type(documents[i + 1])) {
        continue;
      }
      const auto done = editor.patch(diff_patch(documents[i], documents[i + 1]));
      ASSERT_TRUE(done) << format << ": " << done.error().message;
      const auto built = editor.document();
      ASSERT_TRUE(built) << format << ": " << built.error().message << " " << built.error().path;
      EXPECT_TRUE(same_content(*built, documents[i + 1])) << format;
    }
  }
}

TEST(Patch, IsThatOfTheStandard) {
  const AnyDocument model = sample("knight.mdx");
  Editor editor(model);
  const auto applied = editor.patch(R"([
    {"op": "test", "path": "/chunks/0/version", "value": 800},
    {"op": "replace", "path": "/chunks/0/version", "value": 801},
    {"op": "add", "path": "/chunks/0/version", "value": 800},
    {"op": "copy", "from": "/chunks/0", "path": "/chunks/-"},
    {"op": "move", "from": "/chunks/0", "path": "/chunks/1"},
    {"op": "move", "from": "/chunks/1", "path": "/chunks/0"},
    {"op": "remove", "path": "/chunks/0"},
    {"op": "move", "from": "/chunks/9", "path": "/chunks/0"}])");
  EXPECT_TRUE(applied || applied.error().code == codes::kEditPatch);
  Editor other(model);
  for (const char* wrong :
       {"{}", "[{}]", R"([{"op": "add", "path": "/chunks/01", "value": 1}])",
        R"([{"op": "remove", "path": "/nothing"}])",
        R"([{"op": "test", "path": "/chunks/0/version", "value": 1}])",
        R"([{"op": "bend", "path": "/chunks"}])", R"([{"op": "replace", "path": "/chunks"}])",
        R"([{"op": "move", "from": "/chunks", "path": "/chunks/0"}])"}) {
    const auto done = other.patch(wrong);
    ASSERT_FALSE(done) << wrong;
    EXPECT_EQ(done.error().code, codes::kEditPatch) << wrong;
  }
  EXPECT_TRUE(same_content(model, *other.document()));
}

AnyDocument edited(const AnyDocument& document, const std::vector<std::string>& edits) {
  Editor editor(document);
  for (const std::string& edit : edits) {
    const auto done = editor.edit(edit);
    EXPECT_TRUE(done) << edit << ": " << (done ? "" : done.error().message);
  }
  auto changed = editor.document();
  EXPECT_TRUE(changed) << (changed ? "" : changed.error().message + changed.error().path);
  return changed ? *changed : document;
}

TEST(Merge, JoinsWhatTwoPeopleChanged) {
  const AnyDocument base = sample("knight.mdx");
  const AnyDocument ours = edited(base, {"SEQS[0].name=Ours", "GEOS[0].positions[1]=[1, 2, 3]"});
  const AnyDocument theirs =
      edited(base, {"MTLS[0].priorityPlane=7", "GEOS[0].positions[2]=[4, 5, 6]", "copy SEQS[0] SEQS[+]"});
  const auto merged = merge_documents(base, ours, theirs);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_TRUE(merged->conflicts.empty());
  const AnyDocument requested =
      edited(base, {"copy SEQS[0] SEQS[+]", "SEQS[0].name=Ours", "GEOS[0].positions[1]=[1, 2, 3]",
                    "MTLS[0].priorityPlane=7", "GEOS[0].positions[2]=[4, 5, 6]"});
  EXPECT_EQ(differing(*merged->document, requested), Paths{});
}

TEST(Merge, NamesWhatBothChanged) {
  const AnyDocument base = sample("knight.mdx");
  const AnyDocument ours = edited(base, {"GEOS[0].positions[1]=[1, 2, 3]"});
  const AnyDocument theirs = edited(base, {"GEOS[0].positions[1]=[1, 2, 4]"});
  const auto merged = merge_documents(base, ours, theirs);
  ASSERT_TRUE(merged) << merged.error().message;
  ASSERT_EQ(merged->conflicts.size(), 1U);
  EXPECT_EQ(merged->conflicts.front().code, codes::kMergeConflict);
  EXPECT_EQ(merged->conflicts.front().path, "GEOS[0].positions[1]");
  EXPECT_TRUE(same_content(*merged->document, ours));
}

TEST(Fields, AreListedWithTypesAndRanges) {
  const auto fields = settable_fields(sample("knight.mdx"));
  const auto find = [&](const std::string& path) {
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.path == path; });
    return found == fields.end() ? SettableField{} : *found;
  };
  EXPECT_EQ(find("SEQS[*].name").type, "text 80");
  EXPECT_EQ(find("SEQS[*].name").range, "at most 80 bytes");
  EXPECT_EQ(find("VERS.version").type, "u32");
  EXPECT_EQ(find("VERS.version").range, "0 to 4294967295");
  EXPECT_EQ(find("VERS.version").value, "800");
}

/// Codes of what the reader and the rules say, each as often as it comes.
std::map<std::string, std::size_t> codes_of(const AnyDocument& document) {
  std::map<std::string, std::size_t> codes;
  Diagnostics reading;
  EXPECT_TRUE(read_any(write_any(document), {}, reading));
  for (const auto& finding : reading.items()) {
    ++codes[std::string(finding.code.id)];
  }
  const Diagnostics findings = validate(document);
  for (const auto& finding : findings.items()) {
    ++codes[std::string(finding.code.id)];
  }
  return codes;
}

struct Longer {
  const char* sample;
  std::vector<const char*> edits;
  std::vector<std::string> differ;  ///< how paths begin that may differ
  bool valid = true;                ///< the rules say what they said
};

void PrintTo(const Longer& longer, std::ostream* out) {
  *out << longer.sample << ": " << longer.edits.front();
}

class Offsets : public testing::TestWithParam<Longer> {};

TEST_P(Offsets, FollowWhereThingsBecomeLongerAndShorter) {
  const auto& [name, edits, differ, valid] = GetParam();
  const AnyDocument document = sample(name);
  Editor editor(document);
  for (const char* edit : edits) {
    const auto done = editor.edit(edit);
    ASSERT_TRUE(done) << edit << ": " << done.error().message;
  }
  const auto changed = editor.document();
  ASSERT_TRUE(changed) << changed.error().message << " [" << changed.error().path << "]";
  EXPECT_FALSE(same_content(*changed, document));
  for (const auto& path : differing(document, *changed)) {
    EXPECT_TRUE(std::any_of(differ.begin(), differ.end(), [&](const std::string& begin) {
      return path.substr(0, begin.size()) == begin;
    })) << path;
  }
  if (valid) {
    EXPECT_EQ(codes_of(*changed), codes_of(document));
  }
  while (editor.undo()) {
  }
  EXPECT_TRUE(same_content(document, *editor.document()));
}

const Longer kLonger[] = {
    {"banner.mrf",
     {"texturePath.texts[0]=Textures/ABannerWithAMuchLongerName.blp"},
     {"texturePath.texts[0]", "header.faceOffset", "header.uvOffset", "frameOffsets", "gaps"}},
    {"banner.mrf",
     {"texturePath.texts[0]=a.blp"},
     {"texturePath.texts[0]", "header.faceOffset", "header.uvOffset", "frameOffsets", "gaps"}},
    {"banner.mrf",
     {"remove frames[3]", "remove frameOffsets[3]"},
     {"header.frameCount", "frameOffsets", "frames", "gaps"}},
    {"banner.mrf",
     {"copy frames[3] frames[4]", "copy frameOffsets[3] frameOffsets[4]"},
     {"header", "frameOffsets", "frames", "gaps"}},
    {"World/Maps/Island/Island.wdt",
     {"MONM.names[0]=World\\wmo\\Another\\LongerName.wmo"},
     {"MONM.names[0]", "MAIN.tiles", "tiles[0].MCIN.chunks", "tiles[1].MCIN.chunks"}},
    {"World/Maps/Island/Island.wdt",
     {"tiles[0].MTEX.names[0]=Tileset\\Thaw\\LongerGrass.blp"},
     {"tiles[0].MTEX.names[0]", "tiles[0].MHDR", "MAIN.tiles", "tiles[0].MCIN.chunks",
      "tiles[1].MCIN.chunks"}},
    {"World/Maps/Island/Island.wdt",
     {"copy tiles[0].MDDF[0] tiles[0].MDDF[+]"},
     {"tiles[0].MDDF[3]", "tiles[0].MHDR", "MAIN.tiles", "tiles[0].MCIN.chunks", "tiles[1].MCIN.chunks"},
     false},
    {"World/Maps/Island/Island.wdl", {"remove areas[0]"}, {"areas", "MAOF.offsets"}},
    {"Textures/banner.blp", {"remove level0.data[0]"}, {"level0", "offsets", "sizes", "gaps"}, false},
    {"forgelight/Human_Walk.nsa",
     {"copy staticTranslationChannels.channels[0] staticTranslationChannels.channels[+]"},
     {"header", "staticTranslationChannels", "fill"},
     false},
    {"forgelight/human.mrn",
     {"packets[5].data.names.strings.values[3]=ALongerNameOfABoneThanAnyOther"},
     {"packets[5]"}},
    {"house.wmo",
     {"MOMO.MOTX.texts[0]=Textures\\a_longer_name_of_a_texture.blp"},
     {"MOMO.MOTX.texts[0]", "MOMO.MOMT", "MOMO.MOGI"}},
};
INSTANTIATE_TEST_SUITE_P(Samples, Offsets, testing::ValuesIn(kLonger));

TEST(Offsets, SaysWhyAPartCannotMove) {
  Editor editor(sample("banner.mrf"));
  ASSERT_TRUE(editor.edit("copy frames[3] frames[4]"));  // without an offset that leads to it
  const auto changed = editor.document();
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, codes::kBuildDiffers);
}

TEST(Editor, ChecksumsFollow) {
  for (const auto& [name, edit] : {std::pair("forgelight/Human_Walk.nsa", "header.duration=2"),
                                   std::pair("forgelight/human.mrn", "packets[0].data.header.duration=2")}) {
    const AnyDocument document = sample(name);
    Editor editor(document);
    ASSERT_TRUE(editor.edit(edit)) << name;
    const auto changed = editor.document();
    ASSERT_TRUE(changed) << name;
    auto codes = codes_of(*changed);
    EXPECT_EQ(codes.count("nsa.crc"), 0U) << name;
    EXPECT_EQ(codes.count("mrn.crc-list"), 0U) << name;
  }
}

TEST(Editor, TakesItemsIntoAnEmptyListAsAnotherFileHasThem) {
  const AnyDocument model = sample("knight.mdx");
  const AnyDocument other = sample("everything_v800.mdx");
  Editor editor(model);
  while (editor.edit("remove SEQS[0]")) {
  }
  const auto empty = editor.document();
  ASSERT_TRUE(empty) << empty.error().message;
  Editor fresh(*empty);
  const std::string item = Editor(other).get("SEQS[0]").value().front().value;
  ASSERT_TRUE(fresh.add("SEQS[+]", item));
  const auto unknown = fresh.document();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, codes::kBuildMember);
  ASSERT_TRUE(fresh.learn(other));
  const auto full = fresh.document();
  ASSERT_TRUE(full) << full.error().message;
  EXPECT_EQ(summarize(*full).clips.size(), 1U);
  EXPECT_FALSE(fresh.learn(sample("banner.mrf")));
}

/// The path of a single number or text at or in a field, and another value for it; nothing of bytes.
std::optional<std::pair<std::string, std::string>> another_value(Editor& editor, std::string path) {
  for (auto at = path.find("[*]"); at != std::string::npos; at = path.find("[*]")) {
    path.replace(at, 3, "[0]");
  }
  for (;;) {
    const auto found = editor.get(path);
    if (!found || found->empty() || found->front().value.empty() || found->front().value == "[]") {
      return std::nullopt;
    }
    std::string value = found->front().value;
    if (value.front() == '[') {
      path += "[0]";
      continue;
    }
    if (value.front() == '"' && value.size() > 3 && value.find('\\') == std::string::npos) {
      value[value.size() - 2] = value[value.size() - 2] == 'x' ? 'y' : 'x';
      return std::pair(path, value);
    }
    const bool number = value.front() == '-' || (value.front() >= '0' && value.front() <= '9');
    return number ? std::optional(std::pair(path, value == "1" ? "2" : "1")) : std::nullopt;
  }
}

using FilesByFormat = std::map<std::string, std::filesystem::path>;

/// Of formats without a sample the largest of the fuzzers' seeds.
FilesByFormat seeds_of_other_formats(const FilesByFormat& known) {
  FilesByFormat seeds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::root_dir() / "fuzz/corpus")) {
    Diagnostics reading;
    const auto document = entry.is_regular_file() ? read_any(test::load(entry.path()), {}, reading)
                                                  : fail(codes::kInputUnreadable, "");
    if (!document || reading.count(Severity::warning) > 0) {
      continue;
    }
    const Format found = document->identity().format;
    const std::string format(found.id());
    if (found.is_interchange() || known.count(format) > 0) {
      continue;
    }
    auto& best = seeds[format];
    best = best.empty() || entry.file_size() > std::filesystem::file_size(best) ? entry.path() : best;
  }
  return seeds;
}

TEST(Editor, ChangesAFieldOfEveryTypeOfEveryFormat) {
  FilesByFormat smallest;
  for (const auto& path : sample_files()) {
    const Bytes bytes = test::load(path);
    auto& best = smallest[std::string(identify(bytes).format.id())];
    best = best.empty() || bytes.size() < std::filesystem::file_size(best) ? path : best;
  }
  for (const auto& seed : seeds_of_other_formats(smallest)) {
    smallest.insert(seed);
  }
  EXPECT_GE(smallest.size(), 22U);
  for (const auto& [format, path] : smallest) {
    const auto document = read_any(test::load(path));
    ASSERT_TRUE(document) << path;
    const auto before = codes_of(*document);
    std::map<std::string, std::string> outcome;  // of each type: "good", or what came of the last try
    std::size_t as_valid = 0;
    // Of a large document not every type: each takes time.
    constexpr std::uintmax_t kMostBytes = 4'000'000;
    std::uintmax_t tries = std::max<std::uintmax_t>(3, kMostBytes / (1 + std::filesystem::file_size(path)));
    Editor editor(*document);
    for (const auto& field : settable_fields(*document)) {
      const auto other = another_value(editor, field.path);
      std::string& reported = outcome.try_emplace(field.type, other ? "" : "skipped").first->second;
      if (!other || reported == "good" || tries == 0) {
        reported = tries == 0 && reported.empty() ? "skipped" : reported;
        continue;
      }
      --tries;
      ASSERT_TRUE(editor.set(other->first, other->second)) << other->first;
      const auto changed = editor.document();
      editor.undo();
      if (!changed) {
        EXPECT_FALSE(changed.error().message.empty());
        reported = other->first + ": " + changed.error().message;  // it counts or leads to something
        continue;
      }
      auto paths = differing(*document, *changed);
      std::erase_if(paths, [&](const std::string& one) {  // checksums follow, also each other
        return one.find("crc") != one.npos && other->first.substr(0, one.size()) != one;
      });
      // What `diff` calls a chunk may be the last of its tags.
      const auto below = [](const std::string& one) {
        return one.substr(std::min(one.find('.'), one.size()));
      };
      const bool alone = paths.size() == 1 &&
                         below(other->first).substr(0, below(paths.front()).size()) == below(paths.front());
      reported = alone ? "good" : other->first + ": " + testing::PrintToString(paths);
      as_valid += alone && as_valid == 0 && codes_of(*changed) == before ? 1U : 0U;
    }
    const bool decodes = format == "png" || format == "jpeg";  // any number in it changes what does
    EXPECT_TRUE(as_valid > 0 || decodes) << format;
    for (const auto& [type, reported] : outcome) {
      // Of some types there are only numbers that lead to something or count it.
      const bool leads = reported.find("would read differently") != reported.npos ||
                         reported.find("cannot be read") != reported.npos;
      EXPECT_TRUE(leads || reported == "good" || reported == "skipped")
          << format << ' ' << type << ": " << reported;
    }
  }
}

TEST(Merge, JoinsWhereOneSideMadeAPartLonger) {
  const AnyDocument base = sample("banner.mrf");
  const AnyDocument ours = edited(base, {"header.radius=200"});
  const AnyDocument theirs = edited(base, {"texturePath.texts[0]=Textures/ABannerWithAMuchLongerName.blp"});
  const auto merged = merge_documents(base, ours, theirs);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_TRUE(merged->conflicts.empty());
  const AnyDocument requested =
      edited(base, {"header.radius=200", "texturePath.texts[0]=Textures/ABannerWithAMuchLongerName.blp"});
  EXPECT_EQ(differing(*merged->document, requested), Paths{});
}

TEST(Merge, JoinsWhereBothSidesMadePartsLonger) {
  const std::string longer = "World/AnotherFolder/WithALongerName/ThanBefore.mdx";
  const std::vector<std::array<std::string, 3>> sides = {
      {"World/Maps/Island/Island.wdt", "MDNM.names[0]=" + longer, "tiles[0].MTEX.names[0]=" + longer},
      {"World/Maps/Island/Island.wdt", "tiles[0].MTEX.names[0]=" + longer,
       "tiles[1].MTEX.names[0]=" + longer},
      {"house.wmo", "MOMO.MOTX.texts[0]=" + longer, "MOMO.MOGN.texts[1]=" + longer},
  };
  for (const auto& [name, our_edit, their_edit] : sides) {
    const AnyDocument base = sample(name);
    const auto merged = merge_documents(base, edited(base, {our_edit}), edited(base, {their_edit}));
    ASSERT_TRUE(merged) << our_edit << ", " << their_edit << ": " << merged.error().message;
    EXPECT_EQ(merged->conflicts.size(), 0U) << our_edit << ", " << their_edit;
    EXPECT_EQ(differing(*merged->document, edited(base, {our_edit, their_edit})), Paths{}) << our_edit;
  }
}

TEST(Merge, SaysWhereOneSideRefersToWhatTheOtherTookAway) {
  const AnyDocument base = edited(sample("knight.mdx"), {"copy MTLS[0] MTLS[+]"});
  const std::size_t last = Editor(base).get("MTLS[*].priorityPlane")->size() - 1;
  const AnyDocument ours = edited(base, {"GEOS[0].materialId=" + std::to_string(last)});
  const AnyDocument theirs = edited(base, {"remove MTLS[" + std::to_string(last) + "]"});
  const auto merged = merge_documents(base, ours, theirs);
  ASSERT_TRUE(merged) << merged.error().message;
  ASSERT_EQ(merged->conflicts.size(), 1U);
  EXPECT_EQ(merged->conflicts.front().path.substr(0, 7), "GEOS[0]");
}

}  // namespace
}  // namespace thaw
