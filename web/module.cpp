// The library for web pages: functions of plain numbers and texts, which page/module.js wraps. Tables are arrays
// of 32-bit words whose layout stands here and there. What a function returns is valid until the next call.
#include <thaw/frame.hpp>
#include <thaw/gltf.hpp>
#include <thaw/open_scene.hpp>
#include <thaw/raster.hpp>
#include <thaw/thaw.hpp>
#include <thaw/validate.hpp>
#include <thaw/version.hpp>

#include "document/json_reader.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

namespace {

using namespace thaw;

// --- files in memory
// -------------------------------------------------------------------------------------------

/// Everything that the page knows, by normalised path. A model finds companions by their full path, by their
/// path below any folder above the model, and of last resort by their bare name.
class Shelf : public Source {
 public:
  void add(std::string_view path, Bytes bytes) {
    const std::string name = normalize_game_path(path);
    const auto slash = name.find_last_of('/');
    by_name_[slash == std::string::npos ? name : name.substr(slash + 1)] = name;
    files_[name] = std::move(bytes);
  }
  void clear() {
    files_.clear();
    by_name_.clear();
  }
  [[nodiscard]] const Bytes* find(std::string_view path) const {
    const auto found = files_.find(normalize_game_path(path));
    return found == files_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    if (const auto exact = files_.find(std::string(name)); exact != files_.end()) {
      return exact->second;
    }
    const std::string tail = "/" + std::string(name);
    for (const auto& [path, bytes] : files_) {
      if (path.size() > tail.size() && path.compare(path.size() - tail.size(), tail.size(), tail) == 0) {
        return bytes;
      }
    }
    const auto slash = name.find_last_of('/');
    const auto bare = by_name_.find(std::string(slash == std::string_view::npos ? name : name.substr(slash + 1)));
    return bare == by_name_.end() ? std::nullopt : std::optional(files_.at(bare->second));
  }
  [[nodiscard]] std::string description() const override { return "files of the page"; }

 private:
  std::map<std::string, Bytes> files_;
  std::map<std::string, std::string> by_name_;
};

struct Model {
  Bytes bytes;
  std::optional<AnyDocument> document;
  Diagnostics reading;
  Diagnostics converting;
  scene::Scene scene;
  std::unique_ptr<frame::Evaluator> evaluator;
  std::unique_ptr<raster::Textures> textures;
  frame::Frame frame;
  raster::Picture picture;
  Bytes output;
  std::string error;
};

struct Session {
  std::shared_ptr<Shelf> shelf = std::make_shared<Shelf>();
  std::map<std::string, std::shared_ptr<const Source>> archives;
  std::vector<std::unique_ptr<Model>> models;
  std::string text;
  std::vector<std::uint32_t> words;
  std::vector<float> floats;
};

Session& session() {
  static Session the_session;  // a page has one
  return the_session;
}

const char* give(std::string text) {
  session().text = std::move(text);
  return session().text.c_str();
}

std::uint32_t address(const void* pointer) { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer)); }

Model* model_at(int id) {
  auto& models = session().models;
  return id >= 0 && static_cast<std::size_t>(id) < models.size() ? models[static_cast<std::size_t>(id)].get() : nullptr;
}

// --- reports
// ---------------------------------------------------------------------------------------------------

Value finding_value(const Diagnostic& finding) {
  Value value;
  value.set("code", finding.code.id).set("severity", severity_name(finding.code.severity));
  value.set("summary", finding.code.summary).set("path", finding.path).set("message", finding.message);
  value.set("offset", finding.offset ? Value(static_cast<std::int64_t>(*finding.offset)) : Value());
  return value;
}

Value findings_value(const Model& model) {
  Value list = Value::List();
  for (const auto* findings : {&model.reading, &model.converting}) {
    for (const auto& finding : findings->items()) {
      list.push(finding_value(finding));
    }
  }
  ValidateOptions options;
  Sources sources;
  sources.add(session().shelf);
  options.sources = &sources;
  for (const auto& finding : validate(*model.document, options).items()) {
    list.push(finding_value(finding));
  }
  return list;
}

Value info_value(const Model& model) {
  const Facts facts = summarize(*model.document);
  const Identity& identity = model.document->identity();
  Value value;
  value.set("format", identity.name).set("dialect", identity.dialect).set("name", facts.name);
  value.set("version", identity.version ? Value(*identity.version) : Value());
  value.set("size", static_cast<std::int64_t>(model.bytes.size())).set("in_game", facts.in_game);
  Value counts = Value::Object();
  for (const auto& count : facts.counts) {
    counts.set(count.kind, static_cast<std::int64_t>(count.count));
  }
  return value.set("counts", std::move(counts));
}

template <class Items, class Convert>
Value list_of(const Items& items, const Convert& convert) {
  Value list = Value::List();
  for (const auto& item : items) {
    list.push(convert(item));
  }
  return list;
}

std::string_view kind_of(scene::NodeKind kind) {
  constexpr std::array<std::string_view, 12> kNames = {"root",   "bone",  "helper",    "light",  "attachment", "emitter",
                                                       "ribbon", "event", "collision", "camera", "target",     "mesh"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::string_view blend_of(scene::BlendMode mode) {
  constexpr std::array<std::string_view, 7> kNames = {"none",      "transparent", "blend",     "additive",
                                                      "add alpha", "modulate",    "modulate 2x"};
  return kNames.at(static_cast<std::size_t>(mode));
}

Value node_index(scene::Index index) { return index == scene::kNone ? Value() : Value(index); }

Value scene_value(const Model& model) {
  const auto& scene = model.scene;
  Value value;
  value.set("clips", list_of(scene.clips, [](const scene::Clip& clip) {
              return Value().set("name", clip.name).set("duration", clip.duration).set("looping", clip.looping).set("global", clip.global);
            }));
  value.set("nodes", list_of(scene.nodes, [](const scene::Node& node) {
              return Value().set("name", node.name).set("kind", kind_of(node.kind)).set("parent", node_index(node.parent));
            }));
  value.set("meshes", list_of(scene.meshes, [](const scene::Mesh& mesh) {
              return Value()
                  .set("name", mesh.name)
                  .set("vertices", static_cast<std::int64_t>(mesh.positions.size()))
                  .set("triangles", static_cast<std::int64_t>(mesh.indices.size() / 3))
                  .set("material", mesh.parts.empty() ? Value() : node_index(mesh.parts.front().material))
                  .set("uv", list_of(mesh.uv_sets.empty() ? Array<Vec2>() : Array<Vec2>(), [](const Vec2&) { return Value(); }));
            }));
  value.set("materials", list_of(scene.materials, [](const scene::Material& material) {
              return Value().set("name", material.name).set("layers", list_of(material.layers, [](const scene::Layer& layer) {
                return Value().set("blend", blend_of(layer.blend)).set("texture", node_index(layer.texture)).set("twoSided", layer.two_sided);
              }));
            }));
  value.set("textures", list_of(scene.textures, [&](const scene::Texture& texture) {
              const bool there = texture.image < scene.images.size();
              return Value()
                  .set("path", texture.path)
                  .set("replaceable", texture.replaceable_id)
                  .set("image", node_index(texture.image))
                  .set("missing", !there || scene.images[texture.image].placeholder)
                  .set("source", there ? Value(scene.images[texture.image].source) : Value());
            }));
  value.set("cameras", list_of(scene.cameras, [](const scene::Camera& camera) { return Value().set("name", camera.name); }));
  const auto portrait = frame::portrait_camera(scene);
  value.set("portrait", portrait ? Value(*portrait) : Value());
  value.set("defaultClip", node_index(frame::default_clip(scene)));
  return value;
}

Value tree_value(const Model& model) {
  constexpr std::size_t kMost = 200000;  // beyond that nobody scrolls
  Value list = Value::List();
  std::size_t count = 0;
  for (const auto& node : list_tree(inspection_of(*model.document))) {
    if (++count > kMost) {
      break;
    }
    list.push(Value::List{Value(static_cast<std::int64_t>(node.depth)), Value(node.name),
                          Value(static_cast<std::int64_t>(node.offset)), Value(static_cast<std::int64_t>(node.size)),
                          node.count ? Value(static_cast<std::int64_t>(*node.count)) : Value(), Value(node.label)});
  }
  return list;
}

/// The model as text, where the format has one; else its fields.
std::string text_of(const Model& model) {
  if (const auto* document = model.document->get_if<mdx::Document>()) {
    const Bytes text = mdl::write(*document);
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  return dump_json(inspection_of(*model.document));
}

// --- opening
// ---------------------------------------------------------------------------------------------------

std::string text_option(const Value& options, std::string_view name) {
  const Value* value = options.find(name);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(&value->storage());
  return text == nullptr ? std::string() : *text;
}

Sources sources_of_page() {
  Sources sources;
  for (const auto& [path, archive] : session().archives) {
    sources.add(archive);
  }
  sources.add(session().shelf);
  return sources;
}

Result<std::unique_ptr<Model>> open_model(std::string_view path, const Value& options) {
  auto model = std::make_unique<Model>();
  const Sources sources = sources_of_page();
  if (const Bytes* bytes = session().shelf->find(path)) {
    model->bytes = *bytes;
  } else if (auto found = sources.find(path)) {
    model->bytes = std::move(found->bytes);
  } else {
    return fail(codes::kInputUnreadable, std::string(path) + " is not there");
  }
  auto document = read_any(model->bytes, {}, model->reading);
  if (!document) {
    return tl::unexpected<Error>(std::move(document.error()));
  }
  model->document = std::move(*document);
  SceneRequest request;
  request.name = std::string(path);
  if (const auto color = scene::parse_team_color(text_option(options, "teamColor"))) {
    request.images.team_color = *color;
  }
  auto scene = open_scene(*model->document, sources, request, model->converting);
  if (!scene) {
    return tl::unexpected<Error>(std::move(scene.error()));
  }
  model->scene = std::move(*scene);
  model->evaluator = std::make_unique<frame::Evaluator>(model->scene);
  return model;
}

frame::Camera camera_of(const float* values) {
  frame::Camera camera;
  for (std::size_t i = 0; i < 3; ++i) {
    camera.eye[i] = values[i];
    camera.target[i] = values[3 + i];
    camera.up[i] = values[6 + i];
  }
  camera.field_of_view = values[9];
  camera.height = values[10];
  camera.near_clip = values[11];
  camera.far_clip = values[12];
  camera.aspect = values[13];
  return camera;
}

const float* give_camera(const frame::Camera& camera) {
  auto& floats = session().floats;
  floats.clear();
  for (const auto* vector : {&camera.eye, &camera.target, &camera.up}) {
    floats.insert(floats.end(), vector->begin(), vector->end());
  }
  floats.insert(floats.end(), {camera.field_of_view, camera.height, camera.near_clip, camera.far_clip, 0, 0, 0});
  return floats.data();
}

// --- the table of a frame
// --------------------------------------------------------------------------------------

constexpr std::size_t kDrawWords = 40;

void append_sampler(std::vector<std::uint32_t>& words, const frame::Sampler& sampler) {
  words.push_back(sampler.image);
  words.push_back((sampler.wrap_u ? 1U : 0U) | (sampler.wrap_v ? 2U : 0U));
}

void append_float(std::vector<std::uint32_t>& words, float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  words.push_back(bits);
}

void append_draw(std::vector<std::uint32_t>& words, const frame::Draw& draw) {
  const std::size_t start = words.size();
  const std::uint32_t flags = (draw.depth_test ? 1U : 0U) | (draw.depth_write ? 2U : 0U) | (draw.two_sided ? 4U : 0U) |
                              (draw.fogged ? 8U : 0U) | (draw.physically_based ? 16U : 0U);
  words.insert(words.end(), {static_cast<std::uint32_t>(draw.topology), draw.first_index, draw.index_count, draw.vertex_count,
                             draw.base_position, draw.base_uv, draw.base_color, flags, static_cast<std::uint32_t>(draw.blend),
                             static_cast<std::uint32_t>(draw.origin), draw.object, draw.layer});
  for (const auto* sampler : {&draw.texture, &draw.orm, &draw.emissive, &draw.team_color}) {
    append_sampler(words, *sampler);
  }
  for (const float value : draw.uv_matrix) {
    append_float(words, value);
  }
  for (const float value : draw.color) {
    append_float(words, value);
  }
  append_float(words, draw.alpha_cutoff);
  append_float(words, draw.emissive_gain);
  words.resize(start + kDrawWords, 0);
}

const std::uint32_t* give_frame(const frame::Frame& frame) {
  auto& words = session().words;
  auto& floats = session().floats;
  floats = {frame.fog.enabled ? 1.0F : 0.0F, frame.fog.color[0], frame.fog.color[1],
            frame.fog.color[2],              frame.fog.start,    frame.fog.end};
  constexpr std::size_t kTableWords = 16;
  words.assign(kTableWords, 0);
  words.reserve(kTableWords + frame.draws.size() * kDrawWords);
  for (const auto& draw : frame.draws) {
    append_draw(words, draw);
  }
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  const std::array<std::uint32_t, kTableWords> table = {
      address(frame.positions.data()), count(frame.positions), address(frame.uvs.data()),
      count(frame.uvs),                address(frame.colors.data()), count(frame.colors),
      address(frame.indices.data()),   count(frame.indices),   address(words.data() + kTableWords),
      count(frame.draws),              address(frame.view.data()), address(frame.projection.data()),
      address(floats.data()),          frame.triangles,        frame.particles,
      frame.complete ? 1U : 0U};
  std::copy(table.begin(), table.end(), words.begin());
  return words.data();
}

}  // namespace

extern "C" {

const char* thaw_version() { return give(std::string(version())); }
void* thaw_allocate(std::uint32_t size) { return std::malloc(size); }
void thaw_release(void* pointer) { std::free(pointer); }
const char* thaw_error() { return session().text.c_str(); }

/// Takes `data`, which thaw_allocate gave.
void thaw_add_file(const char* path, std::uint8_t* data, std::uint32_t size) {
  Bytes bytes(data, data + size);
  std::free(data);
  if (auto archive = open_archive_bytes(bytes, path)) {
    session().archives[path] = std::move(archive);
  }
  session().shelf->add(path, std::move(bytes));
}

void thaw_forget_files() {
  session().shelf->clear();
  session().archives.clear();
}

const char* thaw_identify(const char* path) {
  const Bytes* bytes = session().shelf->find(path);
  const Identity identity = identify(bytes == nullptr ? ByteView() : ByteView(*bytes));
  return give(to_json(Value()
                          .set("format", format_id(identity.format))
                          .set("name", identity.name)
                          .set("readable", identity.readable)
                          .set("explanation", identity.explanation)));
}

int thaw_open(const char* path, const char* options) {
  const auto* text = reinterpret_cast<const std::uint8_t*>(options);
  const auto parsed = parse_json(ByteView(text, std::strlen(options)));
  auto model = open_model(path, parsed ? *parsed : Value());
  if (!model) {
    give(model.error().message);
    return -1;
  }
  auto& models = session().models;
  models.push_back(std::move(*model));
  return static_cast<int>(models.size() - 1);
}

void thaw_close(int id) {
  if (model_at(id) != nullptr) {
    session().models[static_cast<std::size_t>(id)].reset();
  }
}

const char* thaw_report(int id, const char* kind) {
  const Model* model = model_at(id);
  const std::string_view what = kind;
  if (model == nullptr) {
    return give("null");
  }
  if (what == "info") {
    return give(to_json(info_value(*model)));
  }
  if (what == "scene") {
    return give(to_json(scene_value(*model)));
  }
  if (what == "tree") {
    return give(to_json(tree_value(*model)));
  }
  if (what == "findings") {
    return give(to_json(findings_value(*model)));
  }
  if (what == "text") {
    return give(text_of(*model));
  }
  return give(what == "error" ? model->error : "null");
}

const std::uint32_t* thaw_evaluate(int id, int clip, double time, double clock, const float* request,
                                   const std::uint32_t* hidden, std::uint32_t hidden_count) {
  Model* model = model_at(id);
  if (model == nullptr) {
    return nullptr;
  }
  frame::Options options;
  options.lighting = static_cast<frame::Lighting>(request[14]);
  const auto flags = static_cast<unsigned>(request[15]);
  options.wireframe = (flags & 1U) != 0;
  options.bones = (flags & 2U) != 0;
  options.collision = (flags & 4U) != 0;
  options.extents = (flags & 8U) != 0;
  options.surfaces = (flags & 16U) == 0;
  options.emitters = (flags & 32U) == 0;
  options.attachments = (flags & 64U) == 0;
  for (std::uint32_t i = 0; i < hidden_count; ++i) {
    if (hidden[i] < model->scene.meshes.size()) {
      options.hidden_meshes.resize(model->scene.meshes.size());
      options.hidden_meshes[hidden[i]] = true;
    }
  }
  const frame::Moment moment{clip < 0 ? frame::kNone : static_cast<frame::Index>(clip), time, clock};
  model->evaluator->evaluate(moment, camera_of(request), options, model->frame);
  return give_frame(model->frame);
}

const float* thaw_auto_camera(int id, int clip, float azimuth, float elevation, float distance, float aspect) {
  const Model* model = model_at(id);
  const frame::Index index = clip < 0 ? frame::kNone : static_cast<frame::Index>(clip);
  return model == nullptr ? nullptr
                          : give_camera(frame::auto_camera(*model->evaluator, model->scene, index,
                                                           frame::View{azimuth, elevation, distance}, aspect));
}

const float* thaw_own_camera(int id, std::uint32_t camera, int clip, double time, float aspect) {
  const Model* model = model_at(id);
  if (model == nullptr) {
    return nullptr;
  }
  const frame::Moment moment{clip < 0 ? frame::kNone : static_cast<frame::Index>(clip), time, 0};
  const auto found = frame::scene_camera(model->scene, camera, moment, aspect);
  return found ? give_camera(*found) : nullptr;
}

std::uint32_t thaw_image_count(int id) {
  const Model* model = model_at(id);
  return model == nullptr ? 0 : static_cast<std::uint32_t>(model->evaluator->images().size());
}

const std::uint32_t* thaw_image(int id, std::uint32_t index) {
  const Model* model = model_at(id);
  auto& words = session().words;
  words = {0, 0, 0};
  if (model != nullptr && index < model->evaluator->images().size()) {
    const Image& image = *model->evaluator->images()[index];
    words = {image.width, image.height, address(image.rgba.data())};
  }
  return words.data();
}

const std::uint8_t* thaw_rasterise(int id, std::uint32_t width, std::uint32_t height, unsigned samples) {
  Model* model = model_at(id);
  if (model == nullptr) {
    return nullptr;
  }
  if (model->textures == nullptr) {
    model->textures = std::make_unique<raster::Textures>(model->evaluator->images());
  }
  raster::Options options;
  options.width = width;
  options.height = height;
  options.samples = samples;
  model->picture = raster::draw(model->frame, *model->textures, options);
  return model->picture.image.rgba.data();
}

const std::uint32_t* thaw_export(int id) {
  Model* model = model_at(id);
  auto& words = session().words;
  words = {0, 0};
  if (model == nullptr) {
    return words.data();
  }
  Diagnostics findings;
  auto files = write_gltf(model->scene, {}, findings);
  if (!files) {
    model->error = files.error().message;
    return words.data();
  }
  model->output = std::move(files->front().bytes);
  words = {address(model->output.data()), static_cast<std::uint32_t>(model->output.size())};
  return words.data();
}

}  // extern "C"
