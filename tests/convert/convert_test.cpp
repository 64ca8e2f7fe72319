#include <thaw/bytes.hpp>
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/convert.hpp>
#include <thaw/image.hpp>
#include <thaw/load.hpp>
#include <thaw/mdx.hpp>

#include "bytes/text.hpp"
#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

namespace thaw {
namespace {

namespace fs = std::filesystem;

Bytes sample(const std::string& name) { return read_file(test::samples_dir() / name, {}).value(); }

Sources adjacent(const std::string& name) { return model_sources(test::samples_dir() / name, {}); }

Result<Outputs> converted(const std::string& name, std::string_view word, const ConvertOptions& options = {},
                          Diagnostics& findings = Diagnostics::discarded()) {
  const Bytes bytes = sample(name);
  return convert({bytes, fs::path(name).filename().string()}, {word, {}}, options, adjacent(name), findings);
}

constexpr const char* kMap = "World/Maps/Island/Island.wdt";

/// The plan for the sample map, which need not stay in memory.
Result<std::unique_ptr<const ConvertPlan>> planned(std::string_view word, const MapOptions& map,
                                                   Diagnostics& findings = Diagnostics::discarded()) {
  ConvertInput input{{}, "Island.wdt"};
  input.storage = open_storage(test::samples_dir() / kMap).value();
  ConvertOptions options;
  options.map = map;
  return plan(input, {word, {}}, options, adjacent(kMap), findings);
}

std::vector<std::string> names_of(const ConvertPlan& plan) {
  std::vector<std::string> names;
  for (const PlannedOutput& output : plan.outputs()) {
    names.push_back(output.file_name);
  }
  return names;
}

/// A folder that is there as long as this is.
class Scratch {
 public:
  Scratch() {
    path_ = fs::temp_directory_path() /
            ("thaw-convert-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Scratch() { fs::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

TEST(Convert, EveryWordOfEverySampleMakesAFileOfItsKind) {
  std::set<std::string> words;
  for (const char* name :
       {"knight.mdx", "banner.mrf", "waystone_v4.m3", "house.wmo", "Creature/Beetle/Beetle.mdx",
        "Creature/Beetle/BeetleSkin.blp", "forgelight/human.mrn", "forgelight/Human.adr"}) {
    const Bytes bytes = sample(name);
    const Format format = identify(bytes, name).format;
    for (const TargetInfo& target : convert_targets()) {
      const auto known = find_target(format, target.word);
      SCOPED_TRACE(std::string(name) + " to " + std::string(target.word));
      ConvertOptions options;
      options.scene.clips.requested = [](std::string_view clip) { return clip == "Human_Walk"; };
      if (target.word == "glb" || target.word == "gltf") {
        options.scene.clips.requested = {};
      }
      const auto outputs = converted(name, target.word, options);
      EXPECT_EQ(known.has_value(), format.converts_to(target.word));
      if (!known || known->of_maps) {
        ASSERT_FALSE(outputs);
        EXPECT_EQ(outputs.error().code, codes::kFormatUnsupported);
        continue;
      }
      const bool refuses = target.word == "wmo-v14" || target.word == "wmo";  // the house is of that version
      if (!outputs) {
        EXPECT_TRUE(refuses) << outputs.error().message;
        continue;
      }
      EXPECT_EQ(fs::path(outputs->files.front().name).extension(), known->extension);
      EXPECT_FALSE(outputs->files.front().bytes.empty());
      EXPECT_TRUE(outputs->files.size() == 1 || known->has_sidecars);
      words.emplace(target.word);
    }
  }
  EXPECT_THAT(words, testing::IsSupersetOf({"glb", "gltf", "mdx", "mdl", "mdx-alpha", "png", "blp", "blp2",
                                            "dds", "wmo-v17", "nsa", "dot"}));
}

TEST(Convert, Blp2IsOfASizeThatTheAlphaLoads) {
  const auto size_of = [](std::uint32_t width, std::string_view word, std::uint32_t longest,
                          Diagnostics& findings) {
    Image image{width, 128, Bytes(std::size_t{width} * 128 * 4, std::uint8_t{255})};
    ConvertOptions options;
    options.texture.longest_side = longest;
    const auto outputs = convert({encode_png(image), "big.png"}, {word, {}}, options, Sources(), findings);
    EXPECT_TRUE(outputs);
    const Image again = decode_texture(outputs.value().files.front().bytes).value();
    return std::array{again.width, again.height};
  };
  using Sides = std::array<std::uint32_t, 2>;
  Diagnostics findings;
  EXPECT_EQ(size_of(512, "blp2", 0, findings), (Sides{256, 64}));
  ASSERT_EQ(findings.items().size(), 1U);
  EXPECT_EQ(findings.items()[0].code, codes::kConvertTexture);
  EXPECT_TRUE(findings.items()[0].message.starts_with("512 × 128 reduced to 256 × 64"));
  Diagnostics none;
  EXPECT_EQ(size_of(512, "blp2", 512, none), (Sides{512, 128})) << "asked for";
  EXPECT_EQ(size_of(512, "blp2", 128, none), (Sides{128, 32}));
  EXPECT_EQ(size_of(256, "blp2", 0, none), (Sides{256, 128}));
  EXPECT_EQ(size_of(512, "blp", 0, none), (Sides{512, 128})) << "of Warcraft III";
  EXPECT_TRUE(none.items().empty());
}

TEST(Convert, UneditedGltfGivesTheBytesOfTheOriginal) {
  for (const char* name : {"knight.mdx", "chest.mdx", "waystone_v4.m3", "house.wmo"}) {
    SCOPED_TRACE(name);
    const Bytes original = sample(name);
    const auto glb = converted(name, "glb");
    ASSERT_TRUE(glb) << glb.error().message;
    ConvertOptions options;
    options.model.onto = std::make_shared<AnyDocument>(read_any(original).value());
    const auto back = convert({glb->files.front().bytes, "edited.glb"},
                              {fs::path(name).extension().string().substr(1), {}}, options, Sources());
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_TRUE(back->files.front().bytes == original);
  }
}

TEST(Convert, PathsAreBothEndsOfIt) {
  const Scratch scratch;
  Diagnostics findings;
  const auto outputs = convert(test::samples_dir() / "knight.mdx", scratch / "knight.gltf", {}, findings);
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_GT(outputs->files.size(), 1U);
  for (const OutputFile& file : outputs->files) {
    EXPECT_EQ(read_file(scratch / file.name, {}).value(), file.bytes) << file.name;
  }
  EXPECT_EQ(convert(test::samples_dir() / "knight.mdx", scratch / "knight.gltf").error().code,
            codes::kWriteExists);
  EXPECT_TRUE(
      convert(test::samples_dir() / "knight.mdx", scratch / "knight.gltf", {}, findings, Overwrite::yes));
  // What lies beside a glTF file is read again.
  const auto back = convert(scratch / "knight.gltf", scratch / "back.mdx");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(fs::exists(scratch / "back.mdx"));
  EXPECT_EQ(converted("knight.mdx", "gltf")->files.front().bytes, outputs->files.front().bytes);
}

TEST(Convert, RefusesWhatDoesNotBecomeThat) {
  const Scratch scratch;
  EXPECT_EQ(convert(test::samples_dir() / "knight.mdx", scratch / "knight.wmo").error().code,
            codes::kFormatUnsupported);
  EXPECT_EQ(convert(test::samples_dir() / "knight.mdx", scratch / "knight.none").error().code,
            codes::kFormatUnsupported);
  EXPECT_FALSE(fs::exists(scratch / "knight.wmo"));
  EXPECT_EQ(convert(scratch / "absent.mdx", scratch / "absent.glb").error().code, codes::kInputUnreadable);
  // A map becomes many files, or one of several maps.
  EXPECT_EQ(converted(kMap, "adt-lk").error().code, codes::kFormatUnsupported);
  EXPECT_EQ(converted(kMap, "wdt").error().code, codes::kFormatUnsupported);
}

TEST(Convert, ReportsWhatAnOptionCannotDo) {
  ConvertOptions options;
  options.scene.every = 3;
  Diagnostics findings;
  ASSERT_TRUE(converted("knight.mdx", "glb", options, findings));
  const auto reported = [&](const Code& code) {
    return std::count_if(findings.items().begin(), findings.items().end(),
                         [&](const Diagnostic& finding) { return finding.code == code; });
  };
  EXPECT_EQ(reported(codes::kOptionEffect), 1);
  options = {};
  options.model.classic = true;
  EXPECT_EQ(converted("knight.mdx", "mdx", options).error().code, codes::kWriteUnsupported);
}

TEST(Convert, NamesTheAnimationsThereAre) {
  const auto glb = converted("forgelight/human.mrn", "glb");
  ASSERT_TRUE(glb) << glb.error().message;
  ConvertOptions options;
  const auto of_glb = [&](std::string_view word) {
    return convert({glb->files.front().bytes, "human.glb"}, {word, {}}, options, Sources());
  };
  EXPECT_EQ(of_glb("nsa").error().code, codes::kMrnSkeleton);
  options.scene.clips.requested = [](std::string_view) { return false; };
  EXPECT_THAT(of_glb("mrn").error().message, testing::HasSubstr("Human_Walk"));
}

TEST(Convert, SaysWhatAPipeCannotHold) {
  const auto glb = converted("knight.mdx", "glb");
  ASSERT_TRUE(glb);
  Diagnostics findings;
  ConvertTarget target{"dme", "knight.dme"};
  target.alone = true;
  const auto outputs = convert({glb->files.front().bytes, "knight.glb"}, target, {}, Sources(), findings);
  ASSERT_TRUE(outputs) << outputs.error().message;
  EXPECT_EQ(outputs->files.size(), 1U);
  EXPECT_TRUE(std::any_of(findings.items().begin(), findings.items().end(), [](const Diagnostic& finding) {
    return finding.message.find("sidecar files left out") != std::string::npos;
  }));
}

TEST(ConvertPlan, NamesAnOutputOfEachTile) {
  MapOptions map;
  map.by_tile = true;
  using testing::ElementsAre;
  EXPECT_THAT(names_of(*planned("glb", map).value()), ElementsAre("Island_31_48.glb", "Island_32_48.glb"));
  EXPECT_THAT(names_of(*planned("maps", map).value()),
              ElementsAre("Island_31_48_alpha.png", "Island_32_48_alpha.png"));
  const auto later = planned("adt-lk", map).value();
  EXPECT_THAT(names_of(*later), ElementsAre("Island_31_48.adt", "Island_32_48.adt", "Island.wdt"));
  EXPECT_TRUE(later->outputs().back().last);
  map.tiles = {32, 32, 48, 48};
  EXPECT_THAT(names_of(*planned("minimap", map).value()), ElementsAre("Island_32_48_map.png"));
  map.by_tile = false;
  const auto together = planned("heightmap", {}).value();
  EXPECT_THAT(names_of(*together), ElementsAre("Island_height.png"));
  EXPECT_EQ(together->outputs().front().tiles.size(), 2U);
  EXPECT_THAT(together->sidecars(0, "Land.png"), ElementsAre("Land.raw", "Land.json"));
  map.tiles = {0, 1, 0, 1};
  EXPECT_EQ(planned("glb", map).error().code, codes::kWorldNoTile);
}

TEST(ConvertPlan, MakesOutputsInAnyOrderAtOnce) {
  MapOptions map;
  map.by_tile = true;
  for (const char* word : {"glb", "heightmap", "maps", "minimap", "adt-lk"}) {
    SCOPED_TRACE(word);
    const auto plan = planned(word, map).value();
    const std::size_t count = plan->outputs().size();
    std::vector<std::vector<OutputFile>> contents(count);
    std::vector<std::thread> threads;
    for (std::size_t i = count; i-- > 0;) {
      threads.emplace_back([&, i] { contents[i] = plan->make(i).value().files; });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    const auto again = planned(word, map).value();
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(contents[i], again->make(i).value().files);
      EXPECT_EQ(contents[i].size(), 1 + plan->sidecars(i, plan->outputs()[i].file_name).size());
    }
  }
}

TEST(ConvertPlan, OfAllTilesIsWhatConvertMakes) {
  const auto converted_glb = converted(kMap, "glb");
  ASSERT_TRUE(converted_glb) << converted_glb.error().message;
  EXPECT_EQ(converted_glb->files, planned("glb", {}).value()->make(0).value().files);
  EXPECT_EQ(converted_glb->json.front().first, "triangles");
}

TEST(ConvertPlan, OfOneFileIsThatFile) {
  const Bytes bytes = sample("knight.mdx");
  const ConvertInput input{bytes, "knight.mdx"};
  const Sources sources = adjacent("knight.mdx");
  const auto plan = thaw::plan(input, {"glb", {}}, {}, sources).value();
  EXPECT_THAT(names_of(*plan), testing::ElementsAre("knight.glb"));
  EXPECT_EQ(plan->make(0).value().files, converted("knight.mdx", "glb").value().files);
  EXPECT_EQ(plan->make(0, "other.glb").value().files.front().name, "other.glb");
  EXPECT_EQ(thaw::plan(input, {"wmo", {}}, {}, sources).error().code, codes::kFormatUnsupported);
}

TEST(ConvertPlan, StopsBetweenTiles) {
  Control control;
  control.stop();
  for (const char* word : {"glb", "heightmap", "adt-lk"}) {
    EXPECT_EQ(planned(word, {}).value()->make(0, {}, &control).error().code, codes::kStopped);
  }
}

}  // namespace
}  // namespace thaw
