#include <thaw.h>

#include <thaw/archive.hpp>
#include <thaw/load.hpp>

#include "support/files.hpp"
#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <thread>

namespace thaw {
namespace {

using Document = std::unique_ptr<thaw_document, decltype(&thaw_document_free)>;
using Fields = std::unique_ptr<thaw_fields, decltype(&thaw_fields_free)>;
using Blob = std::unique_ptr<thaw_blob, decltype(&thaw_blob_free)>;
using Failure = std::unique_ptr<thaw_error, decltype(&thaw_error_free)>;

std::string sample(const std::string& name) { return (test::samples_dir() / name).string(); }

Document open_sample(const std::string& name) {
  return {thaw_open(sample(name).c_str(), nullptr, nullptr), thaw_document_free};
}

/// What an inspection shows, as fields have it.
class Shown : public Inspector {
 public:
  struct One {
    std::string name;
    Bytes bytes;
    friend bool operator==(const One&, const One&) = default;
  };
  void begin(std::string_view /*name*/, bool /*is_list*/, std::uint64_t /*offset*/) override {}
  void end(std::uint64_t /*offset*/) override {}
  void leaf(const Leaf& leaf) override {
    if (leaf.role != LeafRole::structure) {
      const auto* data = static_cast<const std::uint8_t*>(leaf.data);
      all.push_back({std::string(leaf.name), Bytes(data, data + leaf.size)});
    }
  }
  std::vector<One> all;
};

TEST(CFields, HaveTheBytesOfEverySampleWithoutItsDocument) {
  std::size_t values = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::samples_dir())) {
    const std::filesystem::path& path = entry.path();
    SCOPED_TRACE(path);
    if (!entry.is_regular_file()) {
      continue;
    }
    const Bytes bytes = test::load(path);
    const auto document = read_any(bytes);
    if (!document) {
      continue;
    }
    Shown shown;
    inspect_any(*document, shown);
    Fields fields(nullptr, thaw_fields_free);
    {
      const Document opened(
          thaw_open_bytes(bytes.data(), bytes.size(), path.filename().string().c_str(), nullptr, nullptr),
          thaw_document_free);
      ASSERT_NE(opened, nullptr);
      fields.reset(thaw_document_fields(opened.get(), nullptr));
    }
    std::size_t count = 0;
    std::size_t stride = 0;
    const thaw_field* all = thaw_fields_all(fields.get(), &count, &stride);
    ASSERT_EQ(stride, sizeof(thaw_field));
    std::vector<Shown::One> held;
    for (std::size_t i = 0; i < count; ++i) {
      const thaw_field& field = all[i];
      EXPECT_TRUE(field.parent < i || (i == 0 && field.parent == THAW_NONE));
      if (field.kind >= THAW_VALUE) {
        const auto* data = static_cast<const std::uint8_t*>(field.data);
        held.push_back({field.name, Bytes(data, data + field.bytes)});
      }
    }
    EXPECT_TRUE(held == shown.all);
    values += held.size();
  }
  EXPECT_GT(values, 10000U);
}

TEST(CFields, LeadFromEachPartToTheNext) {
  const Document model = open_sample("knight.mdx");
  const Fields fields(thaw_document_fields(model.get(), nullptr), thaw_fields_free);
  std::size_t count = 0;
  std::size_t stride = 0;
  const thaw_field* all = thaw_fields_all(fields.get(), &count, &stride);
  for (std::size_t i = 0; i < count; ++i) {
    if (all[i].kind > THAW_LIST) {
      continue;
    }
    std::size_t children = 0;
    for (std::size_t child = i + 1; all[i].count > 0 && child != THAW_NONE; child = all[child].next) {
      EXPECT_EQ(all[child].parent, i);
      ++children;
    }
    EXPECT_EQ(children, all[i].count);
  }
}

TEST(CErrors, AreValuesAndMayBeIgnored) {
  EXPECT_EQ(thaw_open("/nowhere/at/all.mdx", nullptr, nullptr), nullptr);
  thaw_error* error = nullptr;
  EXPECT_EQ(thaw_open_bytes("what is this", 12, "x.mdx", nullptr, &error), nullptr);
  const Failure unknown(error, thaw_error_free);
  ASSERT_NE(unknown, nullptr);
  EXPECT_STREQ(unknown->code, "format.unknown");
  EXPECT_EQ(unknown->size, sizeof(thaw_error));
  const Document model = open_sample("knight.mdx");
  const thaw_option wrong = {"team-colour", "3"};
  thaw_request request{};
  request.size = sizeof(request);
  request.options = &wrong;
  request.option_count = 1;
  EXPECT_EQ(thaw_convert(model.get(), "glb", nullptr, &request, &error), nullptr);
  const Failure option(error, thaw_error_free);
  EXPECT_STREQ(option->code, "option.value");
  EXPECT_THAT(option->message, testing::HasSubstr("team-colour"));
  EXPECT_EQ(thaw_open(sample("knight.mdx").c_str(), &request, nullptr), nullptr);
  EXPECT_EQ(thaw_convert(model.get(), "png", nullptr, nullptr, &error), nullptr);
  const Failure target(error, thaw_error_free);
  EXPECT_STREQ(target->code, "format.unsupported");
}

TEST(CErrors, FreeingNothingDoesNothing) {
  thaw_error_free(nullptr);
  thaw_document_free(nullptr);
  thaw_blob_free(nullptr);
  thaw_scene_free(nullptr);
  thaw_control_free(nullptr);
}

TEST(CRequests, OfAnOlderProgramAreShorter) {
  const Document model = open_sample("knight.mdx");
  thaw_request request{};
  std::memset(&request, 0xFF, sizeof(request));
  request.size = offsetof(thaw_request, sources);
  request.options = nullptr;
  request.option_count = 0;
  thaw_outputs* made = thaw_convert(model.get(), "glb", nullptr, &request, nullptr);
  ASSERT_NE(made, nullptr);
  EXPECT_STREQ(thaw_outputs_name(made, 0), "knight.glb");
  thaw_outputs_free(made);
}

TEST(CArchives, HaveNamesInAStatedPageOrAGuessedOne) {
  mpq::CreateOptions create;
  create.code_page = CodePage::gbk;
  std::vector<mpq::NewFile> files;
  for (const char* name : {"单位模型.txt", "英雄技能.txt", "火焰.txt"}) {
    files.push_back({name, []() -> Result<Bytes> { return Bytes(3); }});
  }
  MemorySink made;
  ASSERT_TRUE(mpq::create(files, create, made));
  const Bytes bytes = made.bytes();
  thaw_option page{"encoding-of-names", "gbk"};
  thaw_findings* found = nullptr;
  thaw_request request{};
  request.size = sizeof(request);
  request.options = &page;
  request.option_count = 1;
  request.findings = &found;
  const auto names = [&] {
    thaw_error* error = nullptr;
    thaw_archive* archive = thaw_archive_open_bytes_with(bytes.data(), bytes.size(), &request, &error);
    const Failure failure(error, thaw_error_free);
    std::string text = archive == nullptr ? failure->code : "";
    for (size_t i = 0; archive != nullptr && i < thaw_archive_count(archive); ++i) {
      text += std::string(thaw_archive_name(archive, i)) + ' ';
    }
    thaw_archive_free(archive);
    return text;
  };
  EXPECT_THAT(names(), testing::HasSubstr("英雄技能.txt"));
  EXPECT_EQ(thaw_findings_count(found), 0U);
  thaw_findings_free(found);
  page.value = "cp1251";
  EXPECT_THAT(names(), testing::Not(testing::HasSubstr("英雄技能.txt")));
  thaw_findings_free(found);
  page.value = "latin";
  EXPECT_EQ(names(), "option.value");
  request.option_count = 0;
  EXPECT_THAT(names(), testing::HasSubstr("英雄技能.txt"));
  ASSERT_EQ(thaw_findings_count(found), 1U);
  EXPECT_STREQ(thaw_findings_at(found, 0)->code, "names.code-page");
  thaw_findings_free(found);
}

TEST(CSources, GiveBackWhatTheyAreGiven) {
  struct Files {
    Bytes texture = test::load(test::samples_dir() / "Textures/knight.blp");
    int reads = 0;
    int releases = 0;
  } files;
  thaw_source source{};
  source.size = sizeof(source);
  source.user = &files;
  source.read = [](void* user, const char* name, size_t* size) -> const void* {
    auto* own = static_cast<Files*>(user);
    if (std::string_view(name) != "textures/knight.blp") {
      return nullptr;
    }
    ++own->reads;
    *size = own->texture.size();
    return own->texture.data();
  };
  source.release = [](void* user, const void* data, size_t size) {
    auto* own = static_cast<Files*>(user);
    own->releases += data == own->texture.data() && size == own->texture.size() ? 1 : 0;
  };
  thaw_sources* sources = thaw_sources_new(nullptr);
  ASSERT_EQ(thaw_sources_add_callbacks(sources, &source, nullptr), 1);
  const Bytes bytes = test::load(sample("knight.mdx"));
  const Document model(thaw_open_bytes(bytes.data(), bytes.size(), "Units\\Knight.mdx", nullptr, nullptr),
                       thaw_document_free);
  thaw_request request{};
  request.size = sizeof(request);
  request.sources = sources;
  thaw_scene* scene = thaw_document_scene(model.get(), &request, nullptr);
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(thaw_scene_image(scene, 0)->placeholder, 0);
  EXPECT_GT(files.reads, 0);
  EXPECT_EQ(files.reads, files.releases);
  thaw_scene_free(scene);
  thaw_sources_free(sources);
}

TEST(CScenes, LookIntoTheSceneThatCppHas) {
  const auto document = read_any(test::load(sample("knight.mdx")));
  OpenSceneOptions options;
  options.path = "knight.mdx";
  const auto scene = open_scene(*document, model_sources(sample("knight.mdx"), {}), options)->scene;
  const Document model = open_sample("knight.mdx");
  thaw_scene* seen = thaw_document_scene(model.get(), nullptr, nullptr);
  ASSERT_NE(seen, nullptr);
  ASSERT_EQ(thaw_scene_about(seen)->meshes, scene.meshes.size());
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    const thaw_mesh* mesh = thaw_scene_mesh(seen, i);
    const auto& own = scene.meshes[i];
    ASSERT_EQ(mesh->vertices, own.positions.size());
    EXPECT_EQ(std::memcmp(mesh->positions, own.positions.data(), own.positions.size() * sizeof(Vec3)), 0);
    EXPECT_EQ(std::memcmp(mesh->indices, own.indices.data(), own.indices.size() * sizeof(std::uint32_t)), 0);
    EXPECT_EQ(std::memcmp(mesh->weights, own.weights.data(), own.weights.size() * sizeof(float)), 0);
    EXPECT_EQ(
        std::memcmp(thaw_scene_uvs(seen, i, 0), own.uv_sets[0].data(), own.uv_sets[0].size() * sizeof(Vec2)),
        0);
    ASSERT_EQ(mesh->part_count, own.parts.size());
    for (std::size_t part = 0; part < own.parts.size(); ++part) {
      EXPECT_EQ(mesh->parts[part].first_index, own.parts[part].first_index);
      EXPECT_EQ(mesh->parts[part].material, own.parts[part].material);
    }
  }
  ASSERT_EQ(thaw_scene_about(seen)->clips, scene.clips.size());
  for (std::size_t i = 0; i < scene.clips.size(); ++i) {
    ASSERT_EQ(thaw_scene_clip(seen, i)->channels, scene.clips[i].channels.size());
    for (std::size_t c = 0; c < scene.clips[i].channels.size(); ++c) {
      const auto& own = scene.clips[i].channels[c];
      const thaw_channel* channel = thaw_scene_channel(seen, i, c);
      EXPECT_EQ(channel->property, scene::property_name(own.property));
      ASSERT_EQ(channel->keys, own.curve.times.size());
      EXPECT_EQ(
          std::memcmp(channel->values, own.curve.values.data(), own.curve.values.size() * sizeof(float)), 0);
    }
  }
  EXPECT_EQ(thaw_scene_mesh(seen, scene.meshes.size()), nullptr);
  EXPECT_EQ(thaw_scene_channel(seen, scene.clips.size(), 0), nullptr);
  thaw_scene_free(seen);
}

thaw_viewpoint all_of(const thaw_view* view) {
  thaw_viewpoint from{};
  from.size = sizeof(from);
  EXPECT_EQ(thaw_view_frame_clip(view, 0, 0.6F, 0.3F, 1, 1, &from, nullptr), 1);
  return from;
}

TEST(CViews, GiveTheFramesThatCppHas) {
  const Document model = open_sample("knight.mdx");
  thaw_view* view = thaw_document_view(model.get(), nullptr, nullptr);
  ASSERT_NE(view, nullptr);
  const thaw_viewpoint from = all_of(view);
  thaw_frame_request request{};
  request.size = sizeof(request);
  request.from = &from;
  request.show = THAW_SHOW_SURFACES | THAW_SHOW_EMITTERS;
  request.marked_node = THAW_NONE;
  thaw_frame* frame = thaw_frame_new(view, nullptr);
  const thaw_frame_data* data = thaw_frame_evaluate(frame, &request, 0.25, 0.25, nullptr);
  ASSERT_NE(data, nullptr);

  const auto document = read_any(test::load(sample("knight.mdx")));
  OpenSceneOptions options;
  options.path = "knight.mdx";
  options.emitter_pictures = true;
  options.bones = true;
  const auto scene = open_scene(*document, model_sources(sample("knight.mdx"), {}), options)->scene;
  const frame::Evaluator evaluator(scene);
  frame::View side;
  side.azimuth = 0.6F;
  side.elevation = 0.3F;
  const frame::Frame expected =
      evaluator.evaluate({0, 0.25, 0.25}, frame::auto_camera(evaluator, scene, 0, side, 1));
  ASSERT_EQ(data->draw_count, expected.draws.size());
  ASSERT_EQ(data->position_count, expected.positions.size());
  EXPECT_EQ(std::memcmp(data->positions, expected.positions.data(), expected.positions.size() * sizeof(Vec3)),
            0);
  for (std::size_t i = 0; i < expected.draws.size(); ++i) {
    EXPECT_EQ(data->draws[i].index_count, expected.draws[i].index_count);
    EXPECT_EQ(data->draws[i].texture, expected.draws[i].texture.image);
    EXPECT_EQ((data->draws[i].wraps & 1U) != 0, expected.draws[i].texture.wrap_u);
    EXPECT_EQ(data->draws[i].alpha_cutoff, expected.draws[i].alpha_cutoff);
  }
  EXPECT_EQ(data->triangles, expected.triangles);
  thaw_frame_free(frame);
  thaw_view_free(view);
}

TEST(CViews, PickAndDrawWhatTheCardPoses) {
  const Document model = open_sample("knight.mdx");
  thaw_view* view = thaw_document_view(model.get(), nullptr, nullptr);
  ASSERT_NE(view, nullptr);
  const thaw_viewpoint from = all_of(view);
  thaw_frame_request request{};
  request.size = sizeof(request);
  request.from = &from;
  request.show = THAW_SHOW_SURFACES | THAW_SHOW_REST_MESHES;
  request.marked_node = THAW_NONE;
  thaw_frame* frame = thaw_frame_new(view, nullptr);
  const thaw_frame_data* data = thaw_frame_evaluate(frame, &request, 0, 0, nullptr);
  ASSERT_NE(data, nullptr);
  ASSERT_GT(data->matrix_count, 0U);
  const thaw_rest_mesh* rest = thaw_view_rest_mesh(view, data->draws[0].rest_mesh);
  ASSERT_NE(rest, nullptr);
  EXPECT_EQ(rest->vertices, data->draws[0].vertex_count);
  EXPECT_NE(thaw_view_rest_uvs(view, data->draws[0].rest_mesh, 0), nullptr);
  thaw_hit hit{};
  hit.size = sizeof(hit);
  ASSERT_EQ(thaw_frame_pick(frame, 0, 0, &hit), 1);
  const thaw_scene* scene = thaw_view_scene(view);
  ASSERT_EQ(hit.origin, static_cast<std::uint32_t>(THAW_OF_MESH));
  ASSERT_LT(hit.object, thaw_scene_about(scene)->meshes);
  EXPECT_LT(hit.part, thaw_scene_mesh(scene, hit.object)->part_count);
  EXPECT_LT(hit.node, thaw_scene_about(scene)->nodes);
  EXPECT_EQ(thaw_frame_pick(frame, 0.99F, 0.99F, &hit), 0) << "a corner shows nothing";
  thaw_image* image = thaw_frame_draw(frame, 32, 32, 1, 0, nullptr);
  ASSERT_NE(image, nullptr);
  const thaw_pixels* pixels = thaw_image_pixels(image);
  EXPECT_EQ(pixels->rgba[(std::size_t{16} * 32 + 16) * 4 + 3], 255) << "the knight is in the middle";
  EXPECT_EQ(pixels->rgba[3], 0);
  EXPECT_EQ(thaw_frame_draw(frame, 0, 32, 1, 0, nullptr), nullptr);
  thaw_image_free(image);
  thaw_frame_free(frame);
  thaw_view_free(view);
}

TEST(CScenes, KnowWhatToShowFirst) {
  const Document model = open_sample("knight.mdx");
  thaw_scene* scene = thaw_document_scene(model.get(), nullptr, nullptr);
  ASSERT_NE(scene, nullptr);
  EXPECT_STREQ(thaw_scene_clip(scene, thaw_scene_default_clip(scene))->name, "Stand");
  EXPECT_STREQ(thaw_scene_mesh(scene, 1)->place, "GEOS[1]");
  int is_portrait = 1;
  (void)thaw_scene_portrait(scene, &is_portrait);
  EXPECT_EQ(is_portrait, 0);
  EXPECT_EQ(thaw_scene_emitter(scene, thaw_scene_about(scene)->emitters), THAW_NONE);
  EXPECT_EQ(thaw_scene_object_set(scene, 0), nullptr);
  EXPECT_NE(thaw_scene_material_name(scene, 0), nullptr);
  thaw_scene_free(scene);
}

TEST(CTrees, HaveTheNodesOfTheTree) {
  const Document model = open_sample("knight.mdx");
  const auto nodes = list_tree(inspection_of(*read_any(test::load(sample("knight.mdx")))));
  thaw_tree* tree = thaw_document_tree(model.get(), nodes.size(), nullptr);
  std::size_t count = 0;
  std::size_t stride = 0;
  int complete = 0;
  const thaw_tree_node* all = thaw_tree_all(tree, &count, &stride, &complete);
  ASSERT_EQ(count, nodes.size());
  EXPECT_EQ(stride, sizeof(thaw_tree_node));
  EXPECT_EQ(complete, 1);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(all[i].name, nodes[i].name);
    EXPECT_EQ(all[i].label, nodes[i].label);
    EXPECT_EQ(all[i].offset, nodes[i].offset);
    EXPECT_EQ(all[i].count, nodes[i].count ? *nodes[i].count : THAW_NO_OFFSET);
    const bool is_within = i + 1 < count && nodes[i + 1].depth > nodes[i].depth;
    EXPECT_EQ(all[i].last > i, is_within);
    EXPECT_EQ(all[i].parent == THAW_NONE, nodes[i].depth == 0);
    EXPECT_TRUE(all[i].last + 1 == count || nodes[all[i].last + 1].depth <= nodes[i].depth);
  }
  thaw_tree_free(tree);
  tree = thaw_document_tree(model.get(), 3, nullptr);
  thaw_tree_all(tree, &count, &stride, &complete);
  EXPECT_EQ(count, 3U);
  EXPECT_EQ(complete, 0);
  thaw_tree_free(tree);
}

TEST(CDocuments, AreComparedAndReadInSteps) {
  const Document knight = open_sample("knight.mdx");
  const Document house = open_sample("house.wmo");
  thaw_error* error = nullptr;
  EXPECT_EQ(thaw_document_compare(knight.get(), house.get(), 9, &error), nullptr);
  const Failure foreign(error, thaw_error_free);
  EXPECT_STREQ(foreign->code, "format.foreign");
  thaw_editor* editor = thaw_editor_new(knight.get(), nullptr);
  ASSERT_EQ(thaw_editor_edit(editor, "SEQS[0].name=Rest", nullptr), 1);
  const Document edited(thaw_editor_document(editor, nullptr), thaw_document_free);
  thaw_editor_free(editor);
  const Blob found(thaw_document_compare(knight.get(), edited.get(), 9, nullptr), thaw_blob_free);
  const auto text = [](const Blob& blob) {
    return std::string(reinterpret_cast<const char*>(thaw_blob_data(blob.get())));
  };
  EXPECT_THAT(text(found), testing::StartsWith(R"([{"path":"SEQS[0].name")"));
  const Blob targets(thaw_document_targets(knight.get(), nullptr), thaw_blob_free);
  EXPECT_THAT(text(targets),
              testing::HasSubstr(R"({"to":"glb","extension":".glb","versions":[],"needs":""})"));
  int complete = 1;
  const Blob start(thaw_document_dump_start(knight.get(), 1000, &complete, nullptr), thaw_blob_free);
  EXPECT_EQ(complete, 0);
  EXPECT_LT(thaw_blob_size(start.get()), 70000U);

  const std::string map = sample("World/Maps/Island/Island.wdt");
  const Bytes bytes = test::load(map);
  thaw_reader* reader = thaw_reader_new(bytes.data(), bytes.size(), "sample.wdt", nullptr, nullptr);
  int steps = 0;
  while (thaw_reader_step(reader) != 0) {
    EXPECT_LT(thaw_reader_share(reader), 1.01F);
    ++steps;
  }
  EXPECT_GT(steps, 1);
  EXPECT_EQ(thaw_reader_share(reader), 1.0F);
  const Document in_steps(thaw_reader_document(reader, nullptr), thaw_document_free);
  thaw_reader_free(reader);
  ASSERT_NE(in_steps, nullptr);
  const Blob same(thaw_document_write(in_steps.get(), nullptr), thaw_blob_free);
  ASSERT_EQ(thaw_blob_size(same.get()), bytes.size());
  EXPECT_EQ(std::memcmp(thaw_blob_data(same.get()), bytes.data(), bytes.size()), 0);
  std::uint32_t x = 99;
  std::uint32_t y = 99;
  EXPECT_EQ(thaw_document_tile(in_steps.get(), 0, &x, &y), 1);
  EXPECT_LT(std::max(x, y), 64U);
  EXPECT_EQ(thaw_document_tile(knight.get(), 0, &x, &y), 0);
}

TEST(CSources, ListTheFolderOfADocumentAndTakeBackWhatTheyHold) {
  std::string folder = "none";
  thaw_source source{};
  source.size = sizeof(source);
  source.user = &folder;
  source.read = [](void* /*user*/, const char* /*name*/, size_t* /*size*/) -> const void* { return nullptr; };
  source.list = [](void* user, const char* of, thaw_take_name take, void* context) {
    *static_cast<std::string*>(user) = of;
    take(context, "units/knight.blp");
  };
  thaw_sources* sources = thaw_sources_new(nullptr);
  ASSERT_EQ(thaw_sources_add_callbacks(sources, &source, nullptr), 1);
  const Bytes bytes = test::load(sample("knight.mdx"));
  const Document model(thaw_open_bytes(bytes.data(), bytes.size(), "Units\\Knight.mdx", nullptr, nullptr),
                       thaw_document_free);
  thaw_request request{};
  request.size = sizeof(request);
  request.sources = sources;
  thaw_scene_free(thaw_document_scene(model.get(), &request, nullptr));
  EXPECT_EQ(folder, "units");
  source.size = offsetof(thaw_source, list);
  EXPECT_EQ(thaw_sources_add_callbacks(sources, &source, nullptr), 1) << "of an older program";
  thaw_sources_free(sources);

  int releases = 0;
  const auto count = [](void* user, const void* /*data*/, size_t /*size*/) { ++*static_cast<int*>(user); };
  EXPECT_EQ(thaw_archive_open_memory(bytes.data(), bytes.size(), count, &releases, nullptr, nullptr),
            nullptr);
  EXPECT_EQ(releases, 1);
}

TEST(CThreads, ShareADocument) {
  const Document model = open_sample("knight.mdx");
  const Blob expected(thaw_document_write(model.get(), nullptr), thaw_blob_free);
  thaw_control* control = thaw_control_new(nullptr, nullptr, nullptr);
  std::atomic<int> same = 0;
  std::vector<std::thread> threads;
  threads.reserve(16);
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      thaw_request request{};
      request.size = sizeof(request);
      request.control = control;
      const Blob bytes(thaw_document_write(model.get(), nullptr), thaw_blob_free);
      thaw_findings* found = thaw_document_validate(model.get(), &request, nullptr);
      const Fields fields(thaw_document_fields(model.get(), nullptr), thaw_fields_free);
      thaw_outputs* made = thaw_convert(model.get(), "glb", nullptr, &request, nullptr);
      const bool equal = thaw_blob_size(bytes.get()) == thaw_blob_size(expected.get()) &&
                         std::memcmp(thaw_blob_data(bytes.get()), thaw_blob_data(expected.get()),
                                     thaw_blob_size(bytes.get())) == 0;
      same += equal && found != nullptr && fields != nullptr && made != nullptr ? 1 : 0;
      thaw_outputs_free(made);
      thaw_findings_free(found);
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  thaw_control_free(control);
  EXPECT_EQ(same, 16);
}

TEST(CEditors, UndoAndSayWhatDoesNotFit) {
  const Document model = open_sample("knight.mdx");
  thaw_editor* editor = thaw_editor_new(model.get(), nullptr);
  ASSERT_EQ(thaw_editor_set(editor, "SEQS[0].name", std::string(100, 'x').c_str(), nullptr), 1);
  thaw_error* error = nullptr;
  EXPECT_EQ(thaw_editor_document(editor, &error), nullptr);
  EXPECT_STREQ(error->code, "build.value");
  EXPECT_STREQ(error->path, "SEQS[0].name");
  thaw_error_free(error);
  EXPECT_EQ(thaw_editor_undo(editor), 1);
  EXPECT_EQ(thaw_editor_undo(editor), 0);
  ASSERT_EQ(
      thaw_editor_add(editor, "SEQS[+]", R"({"name":"Spell","start":9600,"end":9700,"moveSpeed":0,"flags":0,
      "rarity":0,"syncPoint":0,"extent":{"boundsRadius":1,"minimum":[0,0,0],"maximum":[1,1,1]}})",
                      nullptr),
      1);
  ASSERT_EQ(thaw_editor_remove(editor, "SEQS[0]", nullptr), 1);
  const Blob names(thaw_editor_get(editor, "SEQS[*].name", nullptr), thaw_blob_free);
  EXPECT_STREQ(reinterpret_cast<const char*>(thaw_blob_data(names.get())),
               R"({"SEQS[0].name":"Walk","SEQS[1].name":"Attack","SEQS[2].name":"Death",)"
               R"("SEQS[3].name":"Portrait","SEQS[4].name":"Spell"})");
  const Document edited(thaw_editor_document(editor, nullptr), thaw_document_free);
  ASSERT_NE(edited, nullptr);
  thaw_editor_free(editor);
}

}  // namespace
}  // namespace thaw
