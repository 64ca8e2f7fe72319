// Replays fail_points.tsv: each line's file, damaged as it says, gives the findings that it names, at the
// places that it names. And every code of the catalogue and of the rules is reached by a line, or stands
// below with the reason why no file alone can reach it.
#include "hostile/fail_points.hpp"

#include <thaw/validate.hpp>

#include "bytes/text.hpp"

#include "support/effort.hpp"
#include "support/files.hpp"
#include "support/heap.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <set>

namespace thaw::test {
namespace {

std::vector<FailPoint> load_table() {
  const Bytes text = load(root_dir() / "tests" / "hostile" / "fail_points.tsv");
  return parse_table({reinterpret_cast<const char*>(text.data()), text.size()});
}

class FailPoints : public testing::TestWithParam<const char*> {
 protected:
  static std::vector<FailPoint> points() {
    auto all = load_table();
    all.erase(
        std::remove_if(all.begin(), all.end(), [](const auto& point) { return point.format != GetParam(); }),
        all.end());
    return all;
  }

  const Sample& sample(const FailPoint& point) {
    const auto [found, fresh] = samples_.try_emplace(point.sample);
    if (fresh) {
      found->second = load_sample(point.sample, point.format);
    }
    return found->second;
  }

 private:
  std::map<std::string, Sample> samples_;
};

void replay(const FailPoint& point, const Sample& sample) {
  const auto mutation = parse_mutation(point.mutation);
  ASSERT_TRUE(mutation) << point.mutation;
  EXPECT_EQ(text_of(*mutation), point.mutation);
  ReadOptions options;
  const Bytes mutant = apply(*mutation, sample.bytes, options);
  const HeapMeter meter;
  const Outcome outcome = run(sample, mutant, options, operation_bit(point.operation) | kPromises);
  EXPECT_LE(meter.peak(), 16 * mutant.size() + (std::size_t{64} << 20U));
  EXPECT_TRUE(outcome.rewritten);
  EXPECT_EQ(outcome.broken, std::vector<std::string>());
  const auto& findings = outcome.by_operation.at(static_cast<std::size_t>(point.operation));
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->size(), point.findings);
  std::multiset<std::string> seen;
  for (const auto& finding : *findings) {
    EXPECT_FALSE(finding.message.empty()) << finding.code;
    seen.insert(text_of(finding));
  }
  for (const auto& reached : point.reached) {
    EXPECT_EQ(seen.count(reached) > 0, true) << reached;
  }
}

TEST_P(FailPoints, AreWhereTheTableSays) {
  const auto all = points();
  ASSERT_FALSE(all.empty());
  for (const auto& point : all) {
    SCOPED_TRACE(text_of(point));
    replay(point, sample(point));
  }
}

/// Fails the k-th allocation of all operations, for each of the first three hundred and then for ever fewer.
/// How many there are.
std::size_t fail_each_allocation(const Sample& sample) {
  const auto attempt = [&] { (void)run(sample, sample.bytes, {}, kAllOperations); };
  attempt();  // what is made once and kept
  for (std::size_t failed = 0;; failed += test::one_in() * (1 + failed / 300)) {
    const HeapMeter meter;
    bool ended = false;
    {
      const FailingAllocation failure(failed);
      try {
        attempt();
        ended = true;
      } catch (const std::bad_alloc&) {
      }
    }
    EXPECT_EQ(meter.current(), 0U) << "after allocation " << failed;
    if (ended || testing::Test::HasFailure()) {
      return failed;
    }
  }
}

/// An allocation that fails comes out as std::bad_alloc, and nothing is leaked.
TEST_P(FailPoints, LeakNothingWhenMemoryEnds) {
  constexpr std::size_t kLargest = 12288;  // a thousand runs of these take no time
  std::size_t most = 0;
  for (const auto& [name, format] : sample_names()) {
    if (format != GetParam()) {
      continue;
    }
    SCOPED_TRACE(name);
    const Sample sample = load_sample(name, format);
    if (sample.bytes.size() <= kLargest || most == 0) {
      most = std::max(most, fail_each_allocation(sample));
    }
  }
  EXPECT_GT(most, 10U);
}

/// Whatever is cut off and whatever is set, what is still made keeps its promises.
class Damage {
 public:
  explicit Damage(const Sample& sample) : sample_(sample), layout_(layout_of(sample)) {}

  /// At each place where a part begins or ends, and one byte off in both directions.
  void cut() const {
    const auto& places = layout_.boundaries;
    for (std::size_t i = 0; i < places.size(); i += step(places.size() * 3)) {
      for (const std::uint64_t at :
           {places[i] - std::min<std::uint64_t>(places[i], 1), places[i], places[i] + 1}) {
        const std::uint64_t length = std::min<std::uint64_t>(at, sample_.bytes.size());
        try_bytes(ByteView(sample_.bytes).first(length), "cut at " + std::to_string(length));
      }
    }
  }
  /// Each tag, size, count and index.
  void set_words() const {
    constexpr std::size_t kValues = 8;
    const auto& words = layout_.words;
    for (std::size_t i = 0; i < words.size(); i += step(words.size() * kValues)) {
      for (const std::uint32_t value : hostile_values(sample_.bytes, words[i])) {
        try_bytes(
            with_word(sample_.bytes, words[i], value),
            words[i].name + " at " + std::to_string(words[i].offset) + " set to " + std::to_string(value));
      }
    }
  }

 private:
  /// Every so many of them, so that large samples take no minute.
  [[nodiscard]] std::size_t step(std::size_t runs) const {
    constexpr std::size_t kMostBytes = std::size_t{6} << 20U;
    const std::size_t most = std::clamp<std::size_t>(kMostBytes / sample_.bytes.size(), 24, 3000);
    return (1 + runs / most) * one_in();
  }
  void try_bytes(ByteView bytes, const std::string& damage) const {
    constexpr unsigned kOperations = operation_bit(Operation::unpack) | operation_bit(Operation::scene) |
                                     operation_bit(Operation::decode) | kPromises;
    const Outcome outcome = run(sample_, bytes, {}, kOperations);
    ASSERT_TRUE(outcome.rewritten) << damage;
    ASSERT_EQ(outcome.broken, std::vector<std::string>()) << damage;
  }

  const Sample& sample_;
  Layout layout_;
};

TEST_P(FailPoints, DamagedSamplesKeepTheirPromises) {
  constexpr std::size_t kLargest = 65536;
  std::size_t tried = 0;
  for (const auto& [name, format] : sample_names()) {
    if (format == GetParam()) {
      SCOPED_TRACE(name);
      const Sample sample = load_sample(name, format);
      if (sample.bytes.size() <= kLargest || tried == 0) {
        const Damage damage(sample);
        damage.cut();
        damage.set_words();
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, FailPoints,
                         testing::Values("adr", "adt", "blp", "dds", "dma", "dme", "gltf", "jpeg", "lit",
                                         "m3", "mdl", "mdx", "mdx_alpha", "mpq", "mrf", "mrn", "nsa", "pack",
                                         "png", "tga", "wdl", "wdt", "wmo"),
                         [](const auto& format) { return std::string(format.param); });

// --- every code is reached

/// A code that no file alone brings about, and the test that does.
struct Unreached {
  std::string_view code;
  std::string_view reason;
  std::string_view test;
};

constexpr std::string_view kOtherFiles = "of what is read beside the file";
constexpr std::string_view kOfCaller = "of what the caller asks for";
constexpr std::string_view kOutput = "of what is written";
constexpr std::string_view kManyValues = "of several values at once";
constexpr std::string_view kWholeModel = "of several values of a whole model at once";

constexpr std::string_view kModelRules = "tests/validate/rules_test.cpp";
constexpr std::string_view kTextureRules = "tests/validate/texture_rules_test.cpp";
constexpr std::string_view kVersions = "tests/mdx_convert/versions_test.cpp";

constexpr std::array kUnreached = {
    Unreached{"archive.full", kOutput, "tests/mpq/write_test.cpp"},
    Unreached{"archive.hash-name", kOutput, "tests/mpq/write_test.cpp"},
    Unreached{"archive.kind", kOutput, "tests/mpq/write_test.cpp"},
    Unreached{"archive.map-info", kOutput, "tests/mpq/write_test.cpp"},
    Unreached{"archive.name", kOutput, "tests/mpq/write_test.cpp"},
    Unreached{"archive.refused", kOutput, "tests/mpq/write_test.cpp"},
    Unreached{"archive.signature", kOutput, "tests/mpq/write_test.cpp"},
    Unreached{"archive.unlisted", kOutput, "tests/mpq/write_test.cpp"},
    Unreached{"build.differs", kOfCaller, "tests/formats/edit_test.cpp"},
    Unreached{"build.gap", kOfCaller, "tests/formats/edit_test.cpp"},
    Unreached{"build.layout", kOfCaller, "tests/formats/edit_test.cpp"},
    Unreached{"build.member", kOfCaller, "tests/formats/edit_test.cpp"},
    Unreached{"build.value", kOfCaller, "tests/formats/edit_test.cpp"},
    Unreached{"edit.inexact", kOutput, "tests/mdx_edit/place_test.cpp"},
    Unreached{"edit.nothing", kOfCaller, "tests/mdx_edit/edit_test.cpp"},
    Unreached{"edit.refused", kOfCaller, "tests/mdx_edit/edit_test.cpp"},
    Unreached{"gltf.required", "of a name, not of a number", "tests/gltf/read_test.cpp"},
    Unreached{"mrn.no-definition", kOutput, "tests/mrn/new_network_test.cpp"},
    Unreached{"edit.patch", kOfCaller, "tests/formats/edit_test.cpp"},
    Unreached{"edit.path", kOfCaller, "tests/formats/edit_test.cpp"},
    Unreached{"merge.conflict", kOfCaller, "tests/formats/edit_test.cpp"},
    Unreached{"casc.absent", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.checksum", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.choice", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.data", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.encrypted", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.index", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.installation", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.locale", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.names", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.no-entry", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.table", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"casc.unsupported", kOtherFiles, "tests/casc/installation_test.cpp"},
    Unreached{"limit.output", kOfCaller, "tests/scripts/cli_stop.sh"},
    Unreached{"limit.scene", kOfCaller, "tests/open/control_test.cpp"},
    Unreached{"limit.pixels", kOfCaller, "tests/scripts/cli_stop.sh"},
    Unreached{"limit.stopped", kOfCaller, "tests/open/control_test.cpp"},
    Unreached{"mrn.graph", kOfCaller, "tests/mrn/document_test.cpp"},
    Unreached{"scene.added", kOutput, "tests/mdx_from_scene/from_scene_test.cpp"},
    Unreached{"scene.edited", kOutput, "tests/scripts/clips_back.py"},
    Unreached{"scene.game-file", kOutput, "tests/scripts/field_kinds.py"},
    Unreached{"mdx.camera-order", kWholeModel, kModelRules},
    Unreached{"mdx.track-needless", kWholeModel, kModelRules},
    Unreached{"mdx.collision-none", kWholeModel, kModelRules},
    Unreached{"mdx.collision-payload", kWholeModel, kModelRules},
    Unreached{"mdx.geoset-empty-parts", kWholeModel, kModelRules},
    Unreached{"mdx.geoset-extent-zero", kWholeModel, kModelRules},
    Unreached{"mdx.geoset-isolated-triangle", kWholeModel, kModelRules},
    Unreached{"mdx.geoset-no-vertices", kWholeModel, kModelRules},
    Unreached{"mdx.geoset-too-many-groups", kWholeModel, kModelRules},
    Unreached{"mdx.geoset-too-many-triangles", kWholeModel, kModelRules},
    Unreached{"mdx.geoset-too-many-vertices", kWholeModel, kModelRules},
    Unreached{"mdx.geoset-uv-sets", kWholeModel, kModelRules},
    Unreached{"mdx.model-extent-zero", kWholeModel, kModelRules},
    Unreached{"mdx.ribbon-height", kWholeModel, kModelRules},
    Unreached{"mdx.sequence-missing-walk", kWholeModel, kModelRules},
    Unreached{"mdx.skin-bone-limit", kWholeModel, kModelRules},
    Unreached{"mdx.track-constant-run", kWholeModel, kModelRules},
    Unreached{"mdx.track-empty", kWholeModel, kModelRules},
    Unreached{"convert.split", "of more groups than any sample has", kVersions},
    Unreached{"convert.verify", "of documents that no reader gives", kVersions},
    Unreached{"convert.version", kOfCaller, kVersions},
    Unreached{"adr.bones", kOtherFiles, "tests/dme/model_test.cpp"},
    Unreached{"input.unreadable", kOtherFiles, "tests/scripts/cli_faults.sh"},
    Unreached{"m3.facing", kManyValues, "tests/m3/rules_test.cpp"},
    Unreached{"mcnk.shadow-size", kManyValues, "tests/wdt/rules_test.cpp"},
    Unreached{"mpq.no-entry", kOfCaller, "tests/scripts/cli_archives.sh"},
    Unreached{"pack.no-entry", kOfCaller, "tests/scripts/cli_forgelight.sh"},
    Unreached{"isolate.died", kOfCaller, "tests/scripts/cli_isolate.sh"},
    Unreached{"limit.memory", kOfCaller, "tests/scripts/cli_memory.sh"},
    Unreached{"limit.time", kOfCaller, "tests/scripts/cli_time.sh"},
    Unreached{"scene.no-clip", kOfCaller, "tests/scripts/cli_animation.sh"},
    Unreached{"mrn.other-skeleton", kManyValues, "tests/mrn/scene_test.cpp"},
    Unreached{"mrn.skeleton-choice", kOtherFiles, "tests/mrn/scene_test.cpp"},
    Unreached{"scene.changed", kOutput, "tests/mrn/scene_test.cpp"},
    Unreached{"scene.empty-picture", kOutput, "tests/scripts/cli_render.sh"},
    Unreached{"names.code-page", kManyValues, "tests/scripts/cli_names.py"},
    Unreached{"option.effect", kOfCaller, "tests/scripts/cli_render.sh"},
    Unreached{"option.value", kOfCaller, "tests/convert/named_options_test.cpp"},
    Unreached{"source.outside", kOfCaller, "tests/scripts/cli_strangers.py"},
    Unreached{"scene.no-camera", kOfCaller, "tests/scripts/cli_thumb.sh"},
    Unreached{"scene.no-level", kOfCaller, "tests/scripts/cli_m3.sh"},
    Unreached{"terrain.edge", "of chunks of two maps", "tests/scripts/terrain.py"},
    Unreached{"terrain.references", "of more references than any sample has", "tests/adt/convert_test.cpp"},
    Unreached{"mdx-alpha.texture-file", kOtherFiles, kTextureRules},
    Unreached{"wmo.texture-file", kOtherFiles, kTextureRules},
    Unreached{"texture.problems", kOtherFiles, kTextureRules},
    Unreached{"texture.undecodable", kOtherFiles, kTextureRules},
    Unreached{"texture.unsuitable", kOtherFiles, kTextureRules},
    Unreached{"wmo.doodad-set", kOfCaller, "tests/scripts/cli_wmo.sh"},
    Unreached{"world.no-tile", kOfCaller, "tests/scripts/cli_world.sh"},
    Unreached{"world.too-large", kOutput, "tests/scripts/cli_maps.sh"},
    Unreached{"fix.damaged", "of a fix", "tests/validate/rules_test.cpp"},
    Unreached{"optimize.tracks", "of a model that is optimised", "tests/mdx_optimize/optimize_test.cpp"},
    Unreached{"write.changed", kOutput, "tests/scripts/cli_strangers.py"},
    Unreached{"write.exists", kOutput, "tests/scripts/cli_convert.sh"},
    Unreached{"write.failed", kOutput, "tests/scripts/cli_disk.sh"},
    Unreached{"write.name", kOutput, "tests/scripts/cli_archives.sh"},
    Unreached{"bug", "of an error in the command itself, of which none is known", ""},
};

std::set<std::string, std::less<>> codes_in_table() {
  std::set<std::string, std::less<>> codes;
  for (const auto& point : load_table()) {
    for (std::string reached : point.reached) {
      reached.erase(0, reached.front() == '!' ? 1 : 0);
      codes.insert(reached.substr(0, reached.find_first_of("@ ")));
    }
  }
  return codes;
}

std::set<std::string_view> codes_that_exist() {
  std::set<std::string_view> codes;
  for (const auto& code : codes::all()) {
    codes.insert(code.id);
  }
  for (const auto& rule : validation_rules()) {
    codes.insert(rule.code);
  }
  return codes;
}

bool has_reason(std::string_view code) {
  return std::any_of(kUnreached.begin(), kUnreached.end(),
                     [&](const auto& item) { return item.code == code; });
}

/// "mpq.no-entry" → "kMpqNoEntry".
std::string constant_of(std::string_view code) {
  std::string name = "k";
  bool first = true;
  for (const char c : code) {
    const bool letter = c != '.' && c != '-';
    if (letter) {
      name += first ? static_cast<char>(c - 'a' + 'A') : c;
    }
    first = !letter;
  }
  return name;
}

TEST(FailPointTable, TheRestHaveTestsThatNameThem) {
  for (const auto& item : kUnreached) {
    if (item.test.empty()) {
      continue;
    }
    std::string text(as_text(load(root_dir() / item.test)));
    text.erase(std::remove(text.begin(), text.end(), '\\'), text.end());  // of patterns
    EXPECT_TRUE(text.find(item.code) != std::string::npos ||
                text.find(constant_of(item.code)) != std::string::npos)
        << item.test << " has nothing of " << item.code;
  }
}

TEST(FailPointTable, ReachesEveryCode) {
  const auto reached = codes_in_table();
  for (const auto code : codes_that_exist()) {
    EXPECT_EQ(reached.count(code) + (has_reason(code) ? 1U : 0U), 1U)
        << code << (has_reason(code) ? " is reached, so its reason is none" : " is reached by nothing");
  }
}

TEST(FailPointTable, HasNoCodeThatDoesNotExist) {
  const auto known = codes_that_exist();
  for (const auto& code : codes_in_table()) {
    EXPECT_EQ(known.count(code), 1U) << code;
  }
  for (const auto& item : kUnreached) {
    EXPECT_EQ(known.count(item.code), 1U) << item.code;
    EXPECT_FALSE(item.reason.empty()) << item.code;
  }
}

TEST(FailPointMutations, AreReadAsTheyAreWritten) {
  const Bytes bytes = {1, 2, 3, 4};
  const auto mutated = [&](std::string_view text) {
    ReadOptions options;
    const auto mutation = parse_mutation(text);
    EXPECT_TRUE(mutation) << text;
    return mutation ? apply(*mutation, bytes, options) : Bytes();
  };
  EXPECT_EQ(mutated("-"), bytes);
  EXPECT_EQ(mutated("set@1=FF0A"), (Bytes{1, 0xFF, 0x0A, 4}));
  EXPECT_EQ(mutated("set@3=0102"), (Bytes{1, 2, 3, 1}));
  EXPECT_EQ(mutated("drop@1+2"), (Bytes{1, 4}));
  EXPECT_EQ(mutated("twice@1+2"), (Bytes{1, 2, 3, 2, 3, 4}));
  EXPECT_EQ(mutated("cut@1,twice@0+1"), (Bytes{1, 1}));
  EXPECT_EQ(mutated("set@9=01"), bytes);
  for (const char* broken : {"", "set", "set@x", "set@1=0", "set@1=0G", "drop@1", "jump@1", "cut@x"}) {
    EXPECT_FALSE(parse_mutation(broken)) << broken;
  }
  ReadOptions options;
  (void)apply(*parse_mutation("input<7,pixels<9"), bytes, options);
  EXPECT_EQ(options.limits.max_input_bytes, 7U);
  EXPECT_EQ(options.limits.max_image_pixels, 9U);
}

}  // namespace
}  // namespace thaw::test
