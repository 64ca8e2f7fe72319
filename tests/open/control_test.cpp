// A program that shows progress, stops at each stage and goes on to use the library.
#include <thaw/blp.hpp>
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/convert.hpp>
#include <thaw/dds.hpp>
#include <thaw/gltf.hpp>
#include <thaw/image.hpp>
#include <thaw/inspect.hpp>
#include <thaw/load.hpp>
#include <thaw/mdx.hpp>
#include <thaw/raster.hpp>
#include <thaw/validate.hpp>
#include <thaw/wdt.hpp>

#include "formats/list.hpp"
#include "support/effort.hpp"
#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <algorithm>
#include <functional>
#include <set>
#include <thread>

namespace thaw {
namespace {

using testing::Contains;
using testing::IsSubsetOf;

Bytes sample_bytes(const std::string& name) { return read_file(test::samples_dir() / name, {}).value(); }

/// What a piece of work says of itself: a text that is the same for the same result, or why it ended.
using Work = std::function<std::string(const Control* control)>;

const std::string kEnded = "limit.stopped";

template <class T, class F>
std::string reported(const Result<T>& result, F&& report) {
  return result ? report(*result) : std::string(result.error().code.id);
}

/// Short, so that a failure can be read.
std::string text_of_bytes(ByteView bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::to_string(bytes.size()) + " bytes, " + std::to_string(std::hash<std::string_view>()(text));
}

/// Runs the work once to learn its stages, then stops it at each of them, and at once; each time it ends so,
/// and afterwards the same work gives what it gave before. Returns the stages.
std::set<std::string> stop_everywhere(const Work& work) {
  const std::string whole = work(nullptr);
  EXPECT_NE(whole, kEnded);
  std::set<std::string> stages;
  Control listening([&](const Progress& progress) {
    stages.emplace(progress.stage);
    EXPECT_TRUE(progress.total == 0 || progress.done <= progress.total) << progress.stage;
  });
  EXPECT_EQ(work(&listening), whole) << "listening changes nothing";
  for (const std::string& stage : stages) {
    Control* self = nullptr;
    Control control([&](const Progress& progress) {
      if (progress.stage == stage) {
        self->stop();
      }
    });
    self = &control;
    EXPECT_EQ(work(&control), kEnded) << "stopped at " << stage;
    EXPECT_EQ(work(nullptr), whole) << "after it was stopped at " << stage;
  }
  Control stopped;
  stopped.stop();
  EXPECT_EQ(work(&stopped), kEnded);
  return stages;
}

ReadOptions with(const Control* control) {
  ReadOptions options;
  options.control = control;
  return options;
}

/// A model that is large enough to be told of while it is read.
Bytes large_model() {
  auto model = read_any(sample_bytes("knight.mdx")).value();
  mdx::Document document = *model.get_if<mdx::Document>();
  auto& geosets = document.find<mdx::Geosets>()->items;
  const auto some = geosets;
  while (geosets.size() < 2000) {
    geosets.insert(geosets.end(), some.begin(), some.end());
  }
  return mdx::write(document);
}

TEST(Control, StopsReading) {
  const Bytes bytes = large_model();
  EXPECT_THAT(stop_everywhere([&](const Control* control) {
                return reported(read_any(bytes, with(control)), [](const AnyDocument& document) {
                  return text_of_bytes(write_any(document));
                });
              }),
              Contains("bytes"));
}

TEST(Control, StopsScenesAndWhatBecomesOfThem) {
  const AnyDocument knight = read_any(sample_bytes("knight.mdx")).value();
  const Sources sources = model_sources(test::samples_dir() / "knight.mdx", {});
  const auto stages = stop_everywhere([&](const Control* control) -> std::string {
    OpenSceneOptions request;
    request.path = "knight.mdx";
    request.read = with(control);
    const auto opened = open_scene(knight, sources, request);
    if (!opened) {
      return std::string(opened.error().code.id);
    }
    GltfOptions options;
    options.control = control;
    return reported(write_gltf(opened->scene, options),
                    [](const std::vector<OutputFile>& files) { return text_of_bytes(files.front().bytes); });
  });
  EXPECT_THAT((std::vector<std::string>{"pictures", "meshes", "clips"}), IsSubsetOf(stages));
}

TEST(Control, StopsGltf) {
  const AnyDocument knight = read_any(sample_bytes("knight.mdx")).value();
  const auto opened = open_scene(knight, Sources(), {}).value();
  const auto files = write_gltf(opened.scene).value();
  stop_everywhere([&](const Control* control) {
    GltfReadOptions options;
    options.control = control;
    return reported(read_gltf(files.front().bytes, options), [](const scene::Scene& scene) {
      return text_of_bytes(write_gltf(scene).value().front().bytes);
    });
  });
}

TEST(Control, StopsScenesOnTheirWayIntoGames) {
  const AnyDocument knight = read_any(sample_bytes("knight.mdx")).value();
  const auto opened = open_scene(knight, Sources(), {}).value();
  GltfReadOptions reading;
  reading.kept_materials = true;
  const auto scene = read_gltf(write_gltf(opened.scene).value().front().bytes, reading).value();
  std::set<std::string> writers;
  for (const FormatDescriptor* format : formats_of_scenes()) {
    const SceneWriter* writer = format->from_scene;
    if (writer == nullptr || (writer->network && !writer->new_network)) {
      continue;
    }
    SCOPED_TRACE(format->id);
    writers.emplace(format->id);
    const auto stages = stop_everywhere([&](const Control* control) {
      Diagnostics findings;
      ConvertOptions options;
      options.scene.read.control = control;
      WriteContext context{scene, options, findings, "scene"};
      for (const auto& clip : scene.clips) {
        context.clips.push_back(clip.name);
      }
      return reported(writer->write(context),
                      [](const Outputs& outputs) { return text_of_bytes(outputs.files.front().bytes); });
    });
    EXPECT_FALSE(stages.empty()) << "says how far it is";
  }
  EXPECT_GE(writers.size(), 7U);
}

TEST(Control, StopsRules) {
  const AnyDocument document = read_any(sample_bytes("World/Maps/Island/Island.wdt")).value();
  EXPECT_THAT(stop_everywhere([&](const Control* control) {
                ValidateOptions options;
                options.target = ValidateTarget::strict;
                options.read = with(control);
                const Diagnostics findings = validate(document, options);
                return is_stopped(control) ? kEnded : std::to_string(findings.items().size());
              }),
              Contains("rules"));
}

TEST(Control, StopsLooking) {
  const AnyDocument document = read_any(large_model()).value();
  const Inspection inspection = inspection_of(document);
  Control stopped;
  stopped.stop();
  std::string text;
  const TextSink sink = [&](std::string_view piece) {
    text += piece;
    return true;
  };
  EXPECT_FALSE(dump_json(inspection, sink, &stopped));
  EXPECT_LT(text.size(), 100000U);
  EXPECT_FALSE(walk_tree(inspection, 64, [](const TreeNode&) { return true; }, &stopped));
  EXPECT_TRUE(
      diff(inspection, inspection_of(read_any(sample_bytes("chest.mdx")).value()), 10, &stopped).empty());
  text.clear();
  EXPECT_TRUE(dump_json(inspection, sink));
  EXPECT_EQ(text, dump_json(inspection)) << "in pieces as at once";
  std::size_t pieces = 0;
  EXPECT_FALSE(dump_json(inspection, [&](std::string_view) { return ++pieces < 3; })) << "the sink ends it";
  EXPECT_EQ(pieces, 3U);
  std::string tree;
  EXPECT_TRUE(walk_tree(inspection, 64, [&](const TreeNode& node) {
    tree += tree_line(node);
    return true;
  }));
  EXPECT_EQ(tree, print_tree(inspection));
}

TEST(Control, StopsPictures) {
  Image image{256, 256, {}};
  for (std::uint32_t i = 0; i < 256 * 256 * 4; ++i) {
    image.rgba.push_back(static_cast<std::uint8_t>(i * 2654435761U >> 24U));
  }
  const std::vector<Image> images(3, image);
  const auto bytes_or_end = [](const Bytes& bytes) { return bytes.empty() ? kEnded : text_of_bytes(bytes); };
  stop_everywhere([&](const Control* control) { return bytes_or_end(encode_png(image, 1, control)); });
  EXPECT_THAT(stop_everywhere(
                  [&](const Control* control) { return bytes_or_end(encode_apng(images, 50, 1, control)); }),
              Contains("pictures"));
  EXPECT_THAT(
      stop_everywhere([&](const Control* control) { return bytes_or_end(encode_gif(images, 50, control)); }),
      Contains("pictures"));
  EXPECT_THAT(stop_everywhere([&](const Control* control) {
                EncodeOptions options;
                options.encoding = PixelEncoding::bc3;
                options.control = control;
                return reported(dds::encode(image, options), [](const dds::Document& document) {
                  return text_of_bytes(dds::write(document));
                });
              }),
              Contains("scan lines"));
  EXPECT_THAT(stop_everywhere([&](const Control* control) {
                EncodeOptions options;
                options.encoding = PixelEncoding::bc3;
                options.control = control;
                return reported(
                    blp::encode(image, blp::Variant::blp2, options),
                    [](const blp::Document& document) { return text_of_bytes(blp::write(document)); });
              }),
              Contains("scan lines"));
}

TEST(Control, StopsFromAnotherThread) {
  const Bytes bytes = large_model();
  Control control;
  std::thread button([&] { control.stop(); });
  bool ended = false;
  for (int i = 0; i < 100000 && !ended; ++i) {
    const auto document = read_any(bytes, with(&control));
    ended = !document && document.error().code == codes::kStopped;
  }
  button.join();
  EXPECT_TRUE(ended);
  EXPECT_TRUE(read_any(bytes).has_value());
}

// --- maps, tile by tile

void expect_same(const std::vector<Difference>& left, const std::vector<Difference>& right,
                 std::size_t seed) {
  ASSERT_EQ(left.size(), right.size()) << seed;
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].path, right[i].path) << seed;
    EXPECT_EQ(left[i].left, right[i].left) << seed;
    EXPECT_EQ(left[i].right, right[i].right) << seed;
  }
}

class Streams : public testing::Test {
 protected:
  static wdt::Stream stream_of_tile(const Bytes& bytes, const wdt::TilePosition& requested) {
    return wdt::Stream::open(memory_storage(bytes), {}, Diagnostics::discarded(),
                             [&](const wdt::TilePosition& place) { return place == requested; })
        .value();
  }
  static wdt::Stream open(const Bytes& bytes, const Control* control = nullptr) {
    return wdt::Stream::open(memory_storage(bytes), with(control)).value();
  }
  Bytes island_ = sample_bytes("World/Maps/Island/Island.wdt");
};

TEST_F(Streams, ReportWhatTheDocumentReports) {
  const AnyDocument document = read_any(island_).value();
  const wdt::Stream stream = open(island_);
  EXPECT_EQ(dump_json(stream.inspection()), dump_json(inspection_of(document)));
  EXPECT_EQ(print_tree(stream.inspection()), print_tree(inspection_of(document)));
  EXPECT_EQ(account_bytes(stream.inspection()).raw, account_bytes(inspection_of(document)).raw);
  EXPECT_EQ(account_bytes(stream.inspection()).understood, account_bytes(inspection_of(document)).understood);
  EXPECT_EQ(stream.first_difference(), std::nullopt);
  EXPECT_EQ(stream.failure(), std::nullopt);
}

void expect_same(const Diagnostics& left, const Diagnostics& right, std::size_t seed) {
  ASSERT_EQ(left.items().size(), right.items().size()) << seed;
  EXPECT_EQ(left.suppressed(), right.suppressed()) << seed;
  for (std::size_t i = 0; i < left.items().size(); ++i) {
    const Diagnostic& a = left.items()[i];
    const Diagnostic& b = right.items()[i];
    EXPECT_EQ(a.code.id, b.code.id) << seed;
    EXPECT_EQ(a.path, b.path) << seed << ' ' << a.code.id;
    EXPECT_EQ(a.offset, b.offset) << seed << ' ' << a.code.id << ' ' << a.path;
    EXPECT_EQ(a.message, b.message) << seed << ' ' << a.code.id;
  }
}

/// A whole file read in steps.
Result<wdt::Document> in_steps(const Bytes& bytes, const ReadOptions& options, Diagnostics& findings) {
  auto reading = wdt::Reading::begin(memory_storage(bytes), options, findings);
  if (!reading) {
    return tl::unexpected<Error>(reading.error());
  }
  for (std::size_t steps = 0;; ++steps) {
    EXPECT_EQ(reading->done(), steps);
    EXPECT_LE(steps, reading->count());
    const auto more = reading->step(findings);
    if (!more) {
      return tl::unexpected<Error>(more.error());
    }
    if (!*more) {
      EXPECT_EQ(steps, reading->count());
      return reading->take();
    }
  }
}

/// Broken maps, too: in all ways the same findings, errors, events, rules and differences.
TEST_F(Streams, AreTheDocumentWhateverIsBroken) {
  std::uint32_t state = 1;
  const auto next = [&](std::size_t below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(state >> 8U) % below;
  };
  for (std::size_t seed = 0; seed < 24; ++seed) {
    Bytes bytes = island_;
    if (seed % 4 == 3) {
      bytes.resize(bytes.size() / 2 + next(bytes.size() / 2));
    }
    for (std::size_t i = 0; i < seed % 8; ++i) {
      // The map's own part is small and decides most.
      const std::size_t at =
          i % 2 == 0 ? next(bytes.size()) : next(std::min<std::size_t>(bytes.size(), 70000));
      bytes[at] = static_cast<std::uint8_t>(next(256));
    }
    if (!wdt::is_wdt(bytes) || seed % test::one_in() != seed / 6 % test::one_in()) {
      continue;
    }
    for (const bool strict : {false, true}) {
      ReadOptions options;
      options.strict = strict;
      Diagnostics of_document;
      Diagnostics of_stream;
      const auto document = wdt::read(bytes, options, of_document);
      const auto stream = wdt::Stream::open(memory_storage(bytes), options, of_stream);
      Diagnostics of_steps;
      const auto stepped = in_steps(bytes, options, of_steps);
      ASSERT_EQ(document.has_value(), stream.has_value()) << seed;
      ASSERT_EQ(document.has_value(), stepped.has_value()) << seed;
      if (!document) {
        EXPECT_EQ(document.error().path, stepped.error().path) << seed;
        EXPECT_EQ(document.error().offset, stepped.error().offset) << seed;
        EXPECT_EQ(document.error().code.id, stream.error().code.id) << seed;
        EXPECT_EQ(document.error().path, stream.error().path) << seed;
        EXPECT_EQ(document.error().offset, stream.error().offset) << seed;
        continue;
      }
      expect_same(of_document, of_stream, seed);
      expect_same(of_document, of_steps, seed);
      EXPECT_TRUE(*document == *stepped) << seed;
      if (strict) {
        continue;
      }
      const AnyDocument any(identify(bytes), *document);
      EXPECT_TRUE(dump_json(stream->inspection()) == dump_json(inspection_of(any))) << seed;
      EXPECT_EQ(stream->first_difference(), std::nullopt) << seed;
      for (const std::size_t limit : {2U, 1000U}) {
        ValidateOptions rules;
        rules.target = ValidateTarget::strict;
        rules.limit_per_rule = limit;
        expect_same(validate(any, rules), wdt::validate(*stream, rules), seed);
      }
      const AnyDocument other = read_any(island_).value();
      expect_same(diff(inspection_of(other), inspection_of(any), 1000),
                  wdt::diff(open(island_), *stream, 1000), seed);
      if (document->tiles.size() != other.get_if<wdt::Document>()->tiles.size()) {
        expect_same(diff(inspection_of(any), inspection_of(other), 1000),
                    wdt::diff(*stream, open(island_), 1000), seed);
      }
    }
  }
}

/// The map without its last tile, and with more in the tile that is the last then.
TEST_F(Streams, ReportDifferencesInOrderWhereOneMapHasMoreTiles) {
  auto map = wdt::read(island_).value();
  ASSERT_GE(map.tiles.size(), 2U);
  const AnyDocument whole(identify(island_), map);
  map.map.tiles[map.tiles.back().index] = {};
  map.tiles.pop_back();
  map.gaps.clear();
  auto& last = map.tiles.back();
  last.doodads.push_back({});
  last.chunks.push_back(last.chunks.back());
  const Bytes fewer_bytes = wdt::write(map);
  const AnyDocument fewer = read_any(fewer_bytes).value();
  ASSERT_EQ(wdt::Stream::open(memory_storage(fewer_bytes)).value().world().tiles().size(), map.tiles.size());
  for (const std::size_t limit : {1U, 3U, 4U, 5U, 1000U}) {
    expect_same(diff(inspection_of(whole), inspection_of(fewer), limit),
                wdt::diff(open(island_), open(fewer_bytes), limit), limit);
    expect_same(diff(inspection_of(fewer), inspection_of(whole), limit),
                wdt::diff(open(fewer_bytes), open(island_), limit), limit);
  }
}

TEST_F(Streams, LookAtWhatIsRequestedOnly) {
  const wdt::Stream whole = open(island_);
  const auto tiles = whole.world().tiles();
  ASSERT_GE(tiles.size(), 2U);
  const std::size_t last = tiles.size() - 1;
  const wdt::Stream stream = stream_of_tile(island_, tiles[last]);
  EXPECT_EQ(stream.chosen(), std::vector<std::size_t>{last});
  EXPECT_FALSE(stream.is_whole());
  auto one = wdt::read(island_).value();
  one.tiles.erase(one.tiles.begin(), one.tiles.end() - 1);
  EXPECT_EQ(dump_json(stream.inspection()), dump_json(inspection_of(AnyDocument(identify(island_), one))));

  // Numbered as in the whole map.
  Bytes changed = island_;
  for (std::size_t at = changed.size() / 64; at < changed.size(); at += changed.size() / 64) {
    changed[at] ^= 1U;
  }
  std::vector<std::string> paths;
  const std::string requested = "tiles[" + std::to_string(last) + "]";
  for (const auto& difference : wdt::diff(whole, open(changed), 1000)) {
    if (difference.path.substr(0, 6) != "tiles[" ||
        difference.path.substr(0, requested.size()) == requested) {
      paths.push_back(difference.path);
    }
  }
  EXPECT_FALSE(paths.empty());
  const auto differences = wdt::diff(stream, stream_of_tile(changed, tiles[last]), 1000);
  ASSERT_EQ(differences.size(), paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ(differences[i].path, paths[i]);
  }
  ValidateOptions rules;
  rules.target = ValidateTarget::strict;
  const Diagnostics findings = wdt::validate(stream, rules);
  const Diagnostics of_all = wdt::validate(whole, rules);
  for (const auto& finding : findings.items()) {
    EXPECT_THAT(of_all.items(), Contains(testing::Field(&Diagnostic::path, finding.path)));
  }
}

TEST_F(Streams, Stop) {
  EXPECT_THAT(stop_everywhere([&](const Control* control) {
                return reported(wdt::Stream::open(memory_storage(island_), with(control)),
                                [&](const wdt::Stream& stream) {
                                  const std::string text = dump_json(stream.inspection());
                                  const auto difference = stream.first_difference();
                                  return is_stopped(control) ? kEnded : text + (difference ? "differs" : "");
                                });
              }),
              Contains("tiles"));
}

// --- how much pictures may take

class PictureStore : public Source {
 public:
  explicit PictureStore(Bytes picture) : picture_(std::move(picture)) {}
  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    return name.substr(0, 4) == "wall" ? std::optional(picture_) : std::nullopt;
  }
  [[nodiscard]] std::string description() const override { return "shelf"; }

 private:
  Bytes picture_;
};

TEST(Pixels, AreBoundedByScene) {
  Image image{64, 64, Bytes(64 * 64 * 4, std::uint8_t{200})};
  Sources sources;
  sources.add(std::make_shared<PictureStore>(encode_png(image)));
  scene::Scene scene;
  for (const char* name : {"wall1.png", "wall2.png", "wall3.png"}) {
    scene.textures.emplace_back().path = name;
  }
  const scene::Scene empty = scene;
  scene::ImageOptions options;
  options.read.limits.max_pixel_bytes = std::uint64_t{64} * 64 * 4 * 3;
  EXPECT_TRUE(scene::load_images(scene, sources, options).has_value());
  EXPECT_EQ(scene::pixel_bytes(scene), options.read.limits.max_pixel_bytes);
  scene = empty;
  --options.read.limits.max_pixel_bytes;
  const auto refused = scene::load_images(scene, sources, options);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, codes::kTooManyPixels);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("wall3.png"));
  EXPECT_EQ(refused.error().path, "textures[2]");
}

TEST(Scenes, AreBounded) {
  const AnyDocument knight = read_any(sample_bytes("knight.mdx")).value();
  OpenSceneOptions request;
  EXPECT_TRUE(open_scene(knight, Sources(), request).has_value());
  request.max_scene_bytes = 1000;
  const auto refused = open_scene(knight, Sources(), request);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code.id, "limit.scene");
  EXPECT_THAT(refused.error().message, testing::ContainsRegex("largest part, (clip|mesh) [0-9]+"));

  scene::Scene scene;
  scene.clips.emplace_back().name = "Walk";
  scene.clips[0].channels.emplace_back().curve.times = Array<float>(1000, 0.0F);
  scene.meshes.emplace_back().positions = Array<Vec3>(10, Vec3{});
  EXPECT_TRUE(resolve_dependencies(scene, Sources(), OpenSceneOptions()).has_value());
  const auto walk = resolve_dependencies(scene, Sources(), request);
  ASSERT_FALSE(walk.has_value());
  EXPECT_THAT(walk.error().message, testing::HasSubstr("largest part, clip 0 Walk"));
  scene.meshes[0].name = "Body";
  scene.meshes[0].positions.resize(10000);
  EXPECT_THAT(resolve_dependencies(scene, Sources(), request).error().message,
              testing::HasSubstr("largest part, mesh 0 Body"));
}

}  // namespace
}  // namespace thaw
