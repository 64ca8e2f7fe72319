// The library for web pages: functions of plain numbers and texts, which page/module.js wraps. Tables are
// arrays of 32-bit words whose layout stands here and there. What a function returns is valid until the next
// call.
#include <thaw/archive.hpp>
#include <thaw/bytes.hpp>
#include <thaw/edit.hpp>
#include <thaw/frame.hpp>
#include <thaw/load.hpp>
#include <thaw/mdl.hpp>
#include <thaw/raster.hpp>
#include <thaw/validate.hpp>
#include <thaw/value.hpp>
#include <thaw/version.hpp>
#include <thaw/wdt.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "downloads.hpp"
#include "pick.hpp"
#include "sources/path_fit.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>

namespace {

using namespace thaw;

// --- files in memory
// -------------------------------------------------------------------------------------------

/// The bytes of a file, in the memory that the page filled or as they were unpacked. Whoever reads them
/// shares them: copies of what may be half of the memory of a page have no place in it.
class FileBytes : public Storage {
 public:
  /// Takes `data`, which malloc gave.
  FileBytes(std::uint8_t* data, std::size_t size) : holder_(data, std::free), view_(data, size) {}
  explicit FileBytes(Bytes bytes) {
    auto held = std::make_shared<const Bytes>(std::move(bytes));
    view_ = *held;
    holder_ = std::move(held);
  }

  [[nodiscard]] std::uint64_t size() const override { return view_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    if (offset > view_.size() || out.size() > view_.size() - offset) {
      return false;
    }
    std::copy_n(view_.data() + offset, out.size(), out.data());
    return true;
  }
  [[nodiscard]] ByteView view() const { return view_; }

 private:
  std::shared_ptr<const void> holder_;
  ByteView view_;
};

using SharedBytes = std::shared_ptr<const FileBytes>;

/// Files that the page knows by name, with bytes as far as it has read them. What is looked for without being
/// read yet is remembered, so that the page can read it and try again: a folder of a whole game costs what is
/// shown of it.
///
/// Of several files that answer to a name the one counts that `fit_of` prefers. In World of Warcraft's alpha
/// `x` may lie in a one-file archive `x.mpq`.
class FileStore : public Source {
 public:
  /// The file may be known already and have changed since: what was read of it counts no more.
  void know(const std::string& name) {
    const auto [at, is_new] = files_.try_emplace(name);
    at->second.reset();
    if (is_new) {
      by_last_part_[std::string(last_part(name))].push_back(name);
    }
  }
  void put(const std::string& name, SharedBytes bytes) {
    know(name);
    files_[name] = std::move(bytes);
  }
  /// A file that cannot be read after all.
  void drop(const std::string& name) {
    files_.erase(name);
    auto& same = by_last_part_[std::string(last_part(name))];
    same.erase(std::remove(same.begin(), same.end(), name), same.end());
  }
  void set_asking(std::string_view model) { asking_ = normalize_game_path(model); }
  std::vector<std::string> take_unread() const { return std::exchange(unread_, {}); }
  std::set<std::string> take_looked_up() const { return std::exchange(looked_up_, {}); }

  /// The bytes of a file, at the same place as long as they are the same; null if nobody has read them.
  [[nodiscard]] SharedBytes share(std::string_view name) const {
    if (const std::string* path = locate(name)) {
      return bytes_of(*path);
    }
    const std::string* path = locate(std::string(name) + ".mpq");
    const SharedBytes archive = path == nullptr ? nullptr : bytes_of(*path);
    if (archive == nullptr) {
      return nullptr;
    }
    if (unpacked_.archive != archive) {
      auto bytes = only_file(archive, name);
      if (!bytes) {
        return nullptr;
      }
      unpacked_ = {archive, std::make_shared<const FileBytes>(std::move(*bytes))};
    }
    return unpacked_.bytes;
  }
  [[nodiscard]] std::optional<Bytes> read(std::string_view name) const override {
    const auto bytes = share(name);
    return bytes == nullptr ? std::nullopt : std::optional(Bytes(bytes->view().begin(), bytes->view().end()));
  }
  [[nodiscard]] std::string description() const override { return "files of the page"; }
  [[nodiscard]] std::vector<std::string> files_in(std::string_view folder) const override {
    const std::string start = folder.empty() ? "" : std::string(folder) + "/";
    std::vector<std::string> names;
    for (auto at = files_.lower_bound(start); at != files_.end() && at->first.starts_with(start); ++at) {
      if (at->first.find('/', start.size()) == std::string::npos) {
        names.push_back(at->first);
      }
    }
    return names;
  }

 private:
  /// Null if the page has not read it yet.
  [[nodiscard]] SharedBytes bytes_of(const std::string& path) const {
    const auto& file = files_.at(path);
    if (file == nullptr && std::find(unread_.begin(), unread_.end(), path) == unread_.end()) {
      unread_.push_back(path);
    }
    return file;
  }

  static std::optional<Bytes> only_file(SharedBytes archive, std::string_view name) {
    Diagnostics ignored;
    const auto opened = mpq::Archive::open(std::move(archive), {}, ignored);
    const auto entry = opened ? opened->find_single(name) : std::nullopt;
    auto unpacked = entry ? opened->unpack(*entry, ignored) : fail(codes::kMpqNoEntry, "");
    return unpacked ? std::optional(std::move(unpacked->bytes)) : std::nullopt;
  }

  [[nodiscard]] const std::string* locate(std::string_view name) const {
    looked_up_.emplace(name);
    const auto same = by_last_part_.find(std::string(last_part(name)));
    if (same == by_last_part_.end()) {
      return nullptr;
    }
    const std::string* best = nullptr;
    PathFit best_fit;
    for (const std::string& path : same->second) {
      const PathFit fit = fit_of(path, name, asking_);
      if (best == nullptr || best_fit < fit || (best_fit == fit && path < *best)) {
        best = &path;
        best_fit = fit;
      }
    }
    return best;
  }

  std::map<std::string, SharedBytes> files_;  ///< null of what is only known
  std::map<std::string, std::vector<std::string>> by_last_part_;
  std::string asking_;
  /// What was unpacked last of the archives of one file, which may be large.
  struct Unpacked {
    SharedBytes archive;
    SharedBytes bytes;
  };
  mutable Unpacked unpacked_;
  mutable std::vector<std::string> unread_;
  mutable std::set<std::string> looked_up_;
};

/// The structure of a document, in file order: what lies in the part i has the numbers from i + 1 to ends[i].
struct Tree {
  std::vector<TreeNode> nodes;
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> around;  ///< kNone of what lies in nothing else
  bool complete = true;
};

/// The beginning of a model's text, as far as somebody has read.
struct Text {
  std::string characters;
  std::vector<std::uint32_t> lines;  ///< where they begin
  bool complete = false;
};

/// A file as it was read. Whoever opens it again, with other options or with textures that have come since,
/// does not read it again.
struct ReadFile {
  std::string path;
  SharedBytes bytes;
  Identity identity;
  std::shared_ptr<const AnyDocument> document;  ///< none of glTF
  Diagnostics findings;
};

/// A map that is read in steps, and how far.
struct MapReading {
  std::unique_ptr<ReadFile> file;
  std::optional<wdt::Reading> rest;
};

/// What a frame shows.
struct Requested {
  frame::PlayTime moment;
  frame::Camera camera;
  frame::Options options;
};

struct Model {
  SharedBytes bytes;
  std::string path;       ///< normalised
  std::string file_name;  ///< without extension
  Identity identity;
  std::shared_ptr<const AnyDocument> document;  ///< none of glTF
  Diagnostics reading;
  Diagnostics converting;
  scene::Scene scene;
  std::unique_ptr<frame::Evaluator> evaluator;
  std::unique_ptr<raster::Textures> textures;
  std::vector<frame::RestMesh> rest_meshes;
  Requested requested;
  frame::Frame frame;
  frame::Frame posed;  ///< the same with vertices, once somebody has asked for them
  bool is_posed = false;
  raster::Picture picture;
  std::optional<Tree> tree;
  Text text;
  Value opening;  ///< the options that it was opened with
};

/// A file that is changed field by field.
struct EditedFile {
  std::unique_ptr<Editor> editor;
  SharedBytes bytes;  ///< with the edits; null without
};

struct Session {
  std::shared_ptr<FileStore> store = std::make_shared<FileStore>();
  std::map<std::string, std::shared_ptr<const Archive>> archives;  ///< by normalised path
  std::map<std::string, EditedFile> edited;                        ///< by normalised path
  std::vector<std::unique_ptr<Model>> models;
  std::unique_ptr<ReadFile> last;       ///< that was read
  std::unique_ptr<MapReading> reading;  ///< of a large map, until all of it is read
  Outputs download;
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

std::uint32_t address(const void* pointer) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

Model* model_at(int id) {
  auto& models = session().models;
  return id >= 0 && static_cast<std::size_t>(id) < models.size() ? models[static_cast<std::size_t>(id)].get()
                                                                 : nullptr;
}

// --- helpers

/// JSON that the page gives; nothing if it is none.
Value parse_text(const char* json) {
  const auto parsed = parse_json(ByteView(reinterpret_cast<const std::uint8_t*>(json), std::strlen(json)));
  return parsed ? *parsed : Value();
}

Sources sources_of_page() {
  Sources sources;
  for (const auto& [path, archive] : session().archives) {
    sources.add(archive_source(archive, path));
  }
  sources.add(session().store);
  return sources;
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
  if (!model.document) {
    return list;
  }
  const Sources sources = sources_of_page();
  ValidateOptions options;
  options.sources = &sources;
  const Diagnostics found = validate(*model.document, options);
  for (const auto& finding : found.items()) {
    list.push(finding_value(finding));
  }
  return list;
}

Value info_value(const Model& model) {
  const Facts facts = model.document ? summarize(*model.document) : Facts();
  const Identity& identity = model.identity;
  Value value;
  value.set("format", identity.name).set("dialect", identity.dialect).set("name", facts.name);
  value.set("version", identity.version ? Value(*identity.version) : Value());
  value.set("size", static_cast<std::int64_t>(model.bytes->view().size())).set("in_game", facts.in_game);
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

std::string_view blend_of(scene::BlendMode mode) {
  constexpr std::array<std::string_view, 7> kNames = {"none",      "transparent", "blend",      "additive",
                                                      "add alpha", "modulate",    "modulate 2x"};
  return kNames.at(static_cast<std::size_t>(mode));
}

Value node_index(scene::Index index) { return index == scene::kNone ? Value() : Value(index); }

/// Of a map: "x,y" as the option `tile` takes it.
Value tiles_value(const Model& model) {
  Value list = Value::List();
  if (const auto* map = model.document ? model.document->get_if<wdt::Document>() : nullptr) {
    for (const auto& tile : map->tiles) {
      list.push(std::to_string(tile.x()) + "," + std::to_string(tile.y()));
    }
  }
  return list;
}

/// Of a building, the names of its doodad sets.
Value doodad_sets_value(const scene::Scene& scene) {
  return list_of(scene.object_sets, [](const scene::ObjectSet& set) { return Value(set.name); });
}

/// As rules call the chunk of a building's group, MOGP#2; of a liquid the one in it. Empty where groups lie
/// in files of their own.
std::string place_in_building(const scene::Scene& scene, const scene::Mesh& mesh) {
  constexpr std::int64_t kFirstWithGroupFiles = 16;
  if (scene.extras["version"].integer().value_or(0) >= kFirstWithGroupFiles) {
    return "";
  }
  std::string_view below;
  for (scene::Index node = mesh.node; node < scene.nodes.size(); node = scene.nodes[node].parent) {
    const Value& extras = scene.nodes[node].extras;
    if (const auto group = extras["group"].integer()) {
      return (*group == 0 ? "MOGP" : "MOGP#" + std::to_string(*group + 1)).append(below);
    }
    below = extras.find("tiles") != nullptr ? ".MLIQ" : below;
  }
  return "";
}

/// Where in its document a mesh stands, as findings name places; empty where that is not one thing.
std::string place_of(const Model& model, const scene::Mesh& mesh) {
  if (model.identity.format == "wmo") {
    return place_in_building(model.scene, mesh);
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kLists = {
      {{"mdx", "GEOS"}, {"mdl", "GEOS"}, {"dme", "meshes"}, {"m3", "MES3.VGEO.geosets"}}};
  const auto list = std::find_if(kLists.begin(), kLists.end(),
                                 [&](const auto& known) { return model.identity.format == known.first; });
  if (list == kLists.end()) {
    return "";
  }
  // Of M3 not every geoset becomes a mesh.
  const auto number = mesh.extras["geoset"].integer().value_or(&mesh - model.scene.meshes.data());
  return std::string(list->second) + "[" + std::to_string(number) + "]";
}

/// Whether something moves while no clip plays. What is placed in a scene plays its own.
bool moves_by_itself(const scene::Scene& scene, bool is_placed) {
  const auto plays = [&](const scene::Clip& clip) {
    return clip.global || (is_placed && clip.duration > 0 && !clip.channels.empty());
  };
  return !scene.emitters.empty() || !scene.ribbons.empty() || !scene.splats.empty() ||
         std::any_of(scene.clips.begin(), scene.clips.end(), plays) ||
         std::any_of(scene.models.begin(), scene.models.end(),
                     [](const auto& model) { return model != nullptr && moves_by_itself(*model, true); });
}

Value scene_value(const Model& model) {
  const auto& scene = model.scene;
  Value value;
  value.set("clips", list_of(scene.clips, [](const scene::Clip& clip) {
              return Value()
                  .set("name", clip.name)
                  .set("duration", clip.duration)
                  .set("looping", clip.looping)
                  .set("global", clip.global);
            }));
  value.set("nodes", list_of(scene.nodes, [](const scene::Node& node) {
              return Value()
                  .set("name", node.name)
                  .set("kind", scene::node_kind_name(node.kind))
                  .set("parent", node_index(node.parent));
            }));
  value.set("meshes", list_of(scene.meshes, [&](const scene::Mesh& mesh) {
              return Value()
                  .set("name", mesh.name)
                  .set("vertices", static_cast<std::int64_t>(mesh.positions.size()))
                  .set("triangles", static_cast<std::int64_t>(mesh.indices.size() / 3))
                  .set("place", place_of(model, mesh))
                  .set("materials", list_of(mesh.parts, [](const scene::MeshPart& part) {
                         return node_index(part.material);
                       }));
            }));
  value.set("materials", list_of(scene.materials, [](const scene::Material& material) {
              return Value()
                  .set("name", material.name)
                  .set("layers", list_of(material.layers, [](const scene::Layer& layer) {
                         return Value()
                             .set("blend", blend_of(layer.blend))
                             .set("texture", node_index(layer.texture))
                             .set("twoSided", layer.two_sided);
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
  value.set("cameras", list_of(scene.cameras,
                               [](const scene::Camera& camera) { return Value().set("name", camera.name); }));
  value.set("emitters",
            list_of(scene.emitters, [](const scene::Emitter& emitter) { return node_index(emitter.node); }));
  value.set("ribbons",
            list_of(scene.ribbons, [](const scene::Ribbon& ribbon) { return node_index(ribbon.node); }));
  value.set("moves", moves_by_itself(scene, false));
  value.set("tiles", tiles_value(model));
  value.set("doodadSets", doodad_sets_value(scene));
  const auto portrait = frame::portrait_camera(scene);
  value.set("portrait", portrait ? Value(*portrait) : Value());
  value.set("isPortrait", frame::is_portrait(scene, model.file_name));
  value.set("defaultClip", node_index(frame::default_clip(scene, model.file_name)));
  return value;
}

// --- the tree
// -------------------------------------------------------------------------------------------------------

const Tree& tree_of(Model& model) {
  constexpr std::size_t kMost = 700000;  // beyond that browsers have no room for rows
  if (model.tree) {
    return *model.tree;
  }
  Tree& tree = model.tree.emplace();
  const auto take = [&tree](const TreeNode& node) {
    tree.nodes.push_back(node);
    return tree.nodes.size() < kMost;
  };
  tree.complete = !model.document || walk_tree(inspection_of(*model.document), 64, take);
  tree.ends.resize(tree.nodes.size());
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i <= tree.nodes.size(); ++i) {
    while (!open.empty() &&
           (i == tree.nodes.size() || tree.nodes[open.back()].depth >= tree.nodes[i].depth)) {
      tree.ends[open.back()] = i - 1;
      open.pop_back();
    }
    tree.around.push_back(open.empty() ? scene::kNone : open.back());
    open.push_back(i);
  }
  return tree;
}

/// How a part is called below the path of what it lies in.
std::string path_below(const std::string& around, const std::string& name) {
  return around.empty() || name.starts_with("[") ? around + name : around + "." + name;
}

std::string path_of(const Tree& tree, std::uint32_t index) {
  const std::uint32_t around = tree.around[index];
  return path_below(around == scene::kNone ? std::string() : path_of(tree, around), tree.nodes[index].name);
}

/// The parts, outermost first, that lead to something, which `leads` knows of a part and its path.
template <class Leads>
std::vector<std::uint32_t> way_to(const Tree& tree, const Leads& leads) {
  std::vector<std::uint32_t> way;
  std::string around;
  std::uint32_t end = static_cast<std::uint32_t>(tree.nodes.size());
  for (std::uint32_t i = 0; i < end;) {
    std::string path = path_below(around, tree.nodes[i].name);
    if (leads(tree.nodes[i], path)) {
      way.push_back(i);
      around = std::move(path);
      end = tree.ends[i] + 1;
      ++i;
    } else {
      i = tree.ends[i] + 1;
    }
  }
  return way;
}

/// Whether a path leads to a place or to something in it.
bool is_at_or_below(std::string_view path, std::string_view place) {
  return path.starts_with(place) &&
         (path.size() == place.size() || path[place.size()] == '.' || path[place.size()] == '[');
}

/// Depth, name, offset, size, count, label and path of each.
Value rows_value(const Tree& tree, const Value& numbers) {
  Value rows = Value::List();
  for (const Value& number : numbers.list()) {
    const auto index = static_cast<std::uint32_t>(number.integer().value_or(0));
    if (index >= tree.nodes.size()) {
      continue;
    }
    const TreeNode& node = tree.nodes[index];
    rows.push(Value::List{Value(static_cast<std::int64_t>(node.depth)), Value(node.name),
                          Value(static_cast<std::int64_t>(node.offset)),
                          Value(static_cast<std::int64_t>(node.size)),
                          node.count ? Value(static_cast<std::int64_t>(*node.count)) : Value(),
                          Value(node.label), Value(path_of(tree, index))});
  }
  return rows;
}

// --- text
// -------------------------------------------------------------------------------------------------------

/// The model as text, where the format has one, else its fields; of large ones as much as is asked for.
void take_text(Model& model, std::size_t most) {
  constexpr std::size_t kLarge = 4 << 20;
  Text& text = model.text;
  if (text.complete || !model.document) {
    return;
  }
  text = {{}, {0}, true};
  const auto* document = model.document->get_if<mdx::Document>();
  if (document != nullptr && model.bytes->view().size() <= kLarge) {
    const Bytes bytes = mdl::write(*document);
    text.characters.assign(bytes.begin(), bytes.end());
  } else {
    text.complete = dump_json(inspection_of(*model.document), [&](std::string_view piece) {
      text.characters += piece;
      return text.characters.size() < most;
    });
  }
  for (std::uint32_t i = 0; i < text.characters.size(); ++i) {
    if (text.characters[i] == '\n') {
      text.lines.push_back(i + 1);
    }
  }
}

// --- picking
// ----------------------------------------------------------------------------------------------------

/// The node that has the most say in where a vertex of a mesh is.
scene::Index mover_of(const scene::Scene& scene, const scene::Mesh& mesh, std::uint32_t vertex) {
  if (mesh.skin >= scene.skins.size() || mesh.influences == 0) {
    return mesh.node;
  }
  const std::size_t first = std::size_t{vertex} * mesh.influences;
  const float* weights = mesh.weights.data() + first;
  const auto most = static_cast<std::size_t>(std::max_element(weights, weights + mesh.influences) - weights);
  return scene.skins[mesh.skin].joints[mesh.joints[first + most]];
}

/// The last frame with its vertices.
const frame::Frame& posed(Model& model) {
  if (!model.requested.options.at_rest) {
    return model.frame;
  }
  if (!model.is_posed) {
    frame::Options options = model.requested.options;
    options.at_rest = false;
    model.evaluator->evaluate(model.requested.moment, model.requested.camera, options, model.posed);
    model.is_posed = true;
  }
  return model.posed;
}

/// The part of the scene's own mesh that a draw shows; none of a model that hangs in the scene.
std::optional<scene::Index> own_part(const Model& model, const frame::Frame& frame, const frame::Draw& draw) {
  const auto& meshes = model.scene.meshes;
  if (draw.origin != frame::Origin::mesh || draw.object >= meshes.size() ||
      draw.vertex_count != meshes[draw.object].positions.size()) {
    return std::nullopt;
  }
  const scene::Mesh& mesh = meshes[draw.object];
  const std::uint32_t* drawn = frame.indices.data() + draw.first_index;
  for (scene::Index i = 0; i < mesh.parts.size(); ++i) {
    const scene::MeshPart& part = mesh.parts[i];
    if (part.index_count / 3 * 3 == draw.index_count &&
        std::equal(drawn, drawn + draw.index_count, mesh.indices.data() + part.first_index)) {
      return i;
    }
  }
  return std::nullopt;
}

Value hit_value(const Model& model, const frame::Frame& frame, const page::Hit& hit) {
  const frame::Draw& draw = frame.draws[hit.draw];
  const std::string_view kind = draw.origin == frame::Origin::mesh      ? "mesh"
                                : draw.origin == frame::Origin::emitter ? "emitter"
                                : draw.origin == frame::Origin::ribbon  ? "ribbon"
                                                                        : "splat";
  Value value;
  value.set("kind", kind).set("object", draw.object).set("layer", draw.layer);
  const auto part = own_part(model, frame, draw);
  value.set("within", draw.origin == frame::Origin::mesh && !part);
  if (part) {
    const auto nearest = std::max_element(hit.shares.begin(), hit.shares.end()) - hit.shares.begin();
    const std::uint32_t vertex = hit.corners.at(static_cast<std::size_t>(nearest));
    value.set("part", *part).set("vertex", vertex);
    value.set("node", node_index(mover_of(model.scene, model.scene.meshes[draw.object], vertex)));
  }
  return value;
}

// --- comparing
// --------------------------------------------------------------------------------------------------

/// Path, left and right of each difference, as `thaw diff` tells them.
Value compared(const Model& left, const Model& right) {
  constexpr std::size_t kMost = 20000;
  Value rows = Value::List();
  if (!left.document || !right.document || !left.document->same_type(*right.document)) {
    rows.push(Value::List{"format", left.identity.name, right.identity.name});
    return Value().set("rows", std::move(rows)).set("more", false);
  }
  const auto found = diff(inspection_of(*left.document), inspection_of(*right.document), kMost + 1);
  for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i) {
    rows.push(Value::List{found[i].path, found[i].left, found[i].right});
  }
  return Value().set("rows", std::move(rows)).set("more", found.size() > kMost);
}

// --- opening
// ---------------------------------------------------------------------------------------------------

/// Files in the folder of a path, of those that the page knows.
std::vector<std::string> files_adjacent(std::string_view path) {
  const std::string name = normalize_game_path(path);
  const auto slash = name.find_last_of('/');
  return session().store->files_in(slash == std::string::npos ? "" : name.substr(0, slash));
}

/// As the command asks for it.
OpenSceneOptions plain_request(std::string_view path, const Value& options) {
  OpenSceneOptions request;
  request.path = normalize_game_path(path);
  request.adjacent = files_adjacent(path);
  request.doodad_set = options["doodadSet"].text();
  if (const auto color = scene::parse_team_color(options["teamColor"].text())) {
    request.team_color = *color;
  }
  const std::string_view tile = options["tile"].text();
  const std::size_t comma = std::min(tile.find(','), tile.size());
  const auto x = parse_whole(tile.substr(0, comma));
  const auto y = parse_whole(tile.substr(std::min(comma + 1, tile.size())));
  if (x && y && std::max(*x, *y) < 64) {
    request.tiles = {{static_cast<std::uint8_t>(*x), static_cast<std::uint8_t>(*y)}};
  }
  return request;
}

OpenSceneOptions request_of(std::string_view path, const Value& options) {
  OpenSceneOptions request = plain_request(path, options);
  request.emitter_pictures = true;
  request.bones = true;  // a skeleton without a character has nothing else to show
  return request;
}

/// Of a one-file archive, what is in it.
std::string name_within(std::string_view path) {
  std::string name = normalize_game_path(path);
  std::string stem = name.substr(0, name.find_last_of('.'));
  return name.ends_with(".mpq") && last_part(stem).find('.') != std::string_view::npos ? stem : name;
}

/// Of a file of the page or of its edits; those in archives are unpacked when they are opened.
SharedBytes bytes_at_hand(const std::string& name) {
  if (const auto edited = session().edited.find(name);
      edited != session().edited.end() && edited->second.bytes != nullptr) {
    return edited->second.bytes;
  }
  return session().store->share(name);
}

Result<SharedBytes> bytes_of(std::string_view path, const Sources& sources) {
  const std::string name = name_within(path);
  if (auto bytes = bytes_at_hand(name)) {
    return bytes;
  }
  if (auto found = sources.find(name)) {
    return std::make_shared<const FileBytes>(std::move(found->bytes));
  }
  return fail(codes::kInputUnreadable, std::string(path) + " does not exist");
}

/// Of which nothing is read yet.
std::unique_ptr<ReadFile> unread_file(std::string_view path, const SharedBytes& bytes) {
  auto file = std::make_unique<ReadFile>();
  file->path = path;
  file->bytes = bytes;
  file->identity = identify(bytes->view());
  return file;
}

/// Whether this is what was read last. What comes out of an archive comes anew each time.
bool is_last(const SharedBytes& bytes) {
  if (session().last == nullptr || session().last->bytes == bytes) {
    return session().last != nullptr;
  }
  const ByteView last = session().last->bytes->view();
  return std::equal(last.begin(), last.end(), bytes->view().begin(), bytes->view().end());
}

/// Reads on in a large map until the time is over; false if there is nothing more to read.
bool read_on(MapReading& reading, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  ReadFile& file = *reading.file;
  if (!reading.rest) {
    auto begun = wdt::Reading::begin(file.bytes, {}, file.findings);
    if (!begun) {
      return false;
    }
    reading.rest = std::move(*begun);
  }
  do {
    const auto more = reading.rest->step(file.findings);
    if (!more) {
      return false;
    }
    if (!*more) {
      file.document = std::make_shared<const AnyDocument>(file.identity, reading.rest->take());
      return false;
    }
  } while (std::chrono::steady_clock::now() < end);
  return true;
}

/// Whether the file is a map that is large.
bool takes_steps(const SharedBytes& bytes) {
  constexpr std::size_t kAtOnce = 8 << 20;
  return bytes->view().size() > kAtOnce && wdt::is_wdt(bytes->view());
}

/// Makes a file the last that was read.
Result<void> read_at_once(std::string_view path, const SharedBytes& bytes) {
  if (is_last(bytes)) {
    return {};
  }
  auto file = unread_file(path, bytes);
  return read_any(bytes->view(), {}, file->findings).map([&](AnyDocument&& document) {
    file->document = std::make_shared<const AnyDocument>(std::move(document));
    session().last = std::move(file);
  });
}

Result<void> read_model(Model& model, const Sources& sources, const OpenSceneOptions& request) {
  if (auto done = read_at_once(model.path, model.bytes); !done) {
    return done;
  }
  const ReadFile& file = *session().last;
  model.bytes = file.bytes;
  model.identity = file.identity;
  model.document = file.document;
  model.reading = file.findings;
  auto opened = open_scene(*model.document, sources, request, model.converting);
  if (!opened) {
    return tl::unexpected<Error>(std::move(opened.error()));
  }
  model.scene = std::move(opened->scene);
  return {};
}

Result<std::unique_ptr<Model>> open_model(std::string_view path, const Value& options) {
  auto model = std::make_unique<Model>();
  session().store->set_asking(path);
  const Sources sources = sources_of_page();
  auto bytes = bytes_of(path, sources);
  if (!bytes) {
    return tl::unexpected<Error>(std::move(bytes.error()));
  }
  model->bytes = std::move(*bytes);
  const std::string name = normalize_game_path(path);
  model->path = name;
  model->file_name = std::string(last_part(name).substr(0, last_part(name).find('.')));
  model->opening = options;
  const OpenSceneOptions request = request_of(path, options);
  if (auto done = read_model(*model, sources, request); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  model->evaluator = std::make_unique<frame::Evaluator>(
      model->scene, models_within(model->scene, sources, request).value_or(std::vector<frame::NamedModel>()));
  model->rest_meshes = model->evaluator->rest_meshes();
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
  floats.insert(floats.end(),
                {camera.field_of_view, camera.height, camera.near_clip, camera.far_clip, 0, 0, 0});
  return floats.data();
}

// --- texture coordinates

bool shows_image(const scene::Scene& scene, scene::Index material, scene::Index image) {
  if (material >= scene.materials.size()) {
    return false;
  }
  const auto& layers = scene.materials[material].layers;
  return std::any_of(layers.begin(), layers.end(), [&](const scene::Layer& layer) {
    return layer.texture < scene.textures.size() && scene.textures[layer.texture].image == image;
  });
}

/// Corners of the triangles that a picture is put on: u and v, three to a triangle.
void append_corners(const scene::Mesh& mesh, const scene::MeshPart& part, std::vector<float>& corners) {
  constexpr std::size_t kMost = 6 * 20000;  // more is a grey area
  for (std::size_t i = part.first_index; i < part.first_index + part.index_count && corners.size() < kMost;
       ++i) {
    const Vec2& uv = mesh.uv_sets.front()[mesh.indices[i]];
    corners.insert(corners.end(), {uv[0], uv[1]});
  }
}

// --- the table of a frame
// --------------------------------------------------------------------------------------

constexpr std::size_t kDrawWords = 48;

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
  const std::uint32_t flags = (draw.depth_test ? 1U : 0U) | (draw.depth_write ? 2U : 0U) |
                              (draw.two_sided ? 4U : 0U) | (draw.fogged ? 8U : 0U) |
                              (draw.physically_based ? 16U : 0U) | (draw.normal_in_alpha ? 32U : 0U) |
                              (draw.lit ? 64U : 0U) | (draw.sphere_map ? 128U : 0U);
  words.insert(words.end(), {static_cast<std::uint32_t>(draw.topology), draw.first_index, draw.index_count,
                             draw.vertex_count, draw.base_position, draw.base_uv, draw.base_color, flags,
                             static_cast<std::uint32_t>(draw.blend), static_cast<std::uint32_t>(draw.origin),
                             draw.object, draw.layer});
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
  words.insert(words.end(), {draw.base_normal, draw.base_tangent});
  append_sampler(words, draw.normal);
  append_sampler(words, draw.environment);
  append_float(words, draw.environment_gain);
  for (const float value : {draw.rim[0], draw.rim[1], draw.rim[2], draw.rim_opacity, draw.rim_team}) {
    append_float(words, value);
  }
  words.insert(words.end(), {draw.rest_mesh, draw.base_matrix, draw.uv_set});
  append_float(words, draw.bare_color);
  words.resize(start + kDrawWords, 0);
}

void append_illumination(std::vector<float>& floats, const frame::Illumination& light) {
  floats.insert(floats.end(), light.viewer.begin(), light.viewer.end());
  for (const auto* color : {&light.ambient, &light.surroundings}) {
    floats.insert(floats.end(), color->begin(), color->end());
  }
  floats.push_back(light.most);
  for (const auto& source : light.lights) {
    floats.insert(floats.end(), source.place.begin(), source.place.end());
    floats.push_back(source.near ? 1.0F : 0.0F);
    floats.insert(floats.end(), source.color.begin(), source.color.end());
    floats.insert(floats.end(), {source.start, source.end});
  }
}

const std::uint32_t* give_frame(const frame::Frame& frame) {
  auto& words = session().words;
  auto& floats = session().floats;
  floats = {frame.fog.enabled ? 1.0F : 0.0F,
            frame.fog.color[0],
            frame.fog.color[1],
            frame.fog.color[2],
            frame.fog.start,
            frame.fog.end};
  append_illumination(floats, frame.illumination);
  constexpr std::size_t kTableWords = 24;
  words.assign(kTableWords, 0);
  words.reserve(kTableWords + frame.draws.size() * kDrawWords);
  for (const auto& draw : frame.draws) {
    append_draw(words, draw);
  }
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  const std::array<std::uint32_t, kTableWords> table = {address(frame.positions.data()),
                                                        count(frame.positions),
                                                        address(frame.uvs.data()),
                                                        count(frame.uvs),
                                                        address(frame.colors.data()),
                                                        count(frame.colors),
                                                        address(frame.indices.data()),
                                                        count(frame.indices),
                                                        address(words.data() + kTableWords),
                                                        count(frame.draws),
                                                        address(frame.view.data()),
                                                        address(frame.projection.data()),
                                                        address(floats.data()),
                                                        frame.triangles,
                                                        frame.particles,
                                                        frame.complete ? 1U : 0U,
                                                        address(frame.normals.data()),
                                                        count(frame.normals),
                                                        address(frame.tangents.data()),
                                                        count(frame.tangents),
                                                        count(frame.illumination.lights),
                                                        address(frame.matrices.data()),
                                                        count(frame.matrices)};
  std::copy(table.begin(), table.end(), words.begin());
  return words.data();
}

/// Vertices, normals, tangents, colours, indices with their number, groups, influences (a joint and a weight
/// each) with their number and how many move a vertex, number of sets of coordinates and each of them. What
/// is not there is 0.
void take_rest_mesh(const frame::RestMesh& mesh, std::vector<float>& floats,
                    std::vector<std::uint32_t>& words) {
  for (const std::uint32_t vertex : mesh.representatives) {
    for (std::size_t i = 0; i < mesh.influences; ++i) {
      const std::size_t at = std::size_t{vertex} * mesh.influences + i;
      floats.insert(floats.end(), {static_cast<float>(mesh.joints[at]), mesh.weights[at]});
    }
  }
  const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  const auto place = [](const auto& list) { return list.empty() ? 0 : address(list.data()); };
  words = {count(mesh.positions), place(mesh.positions), place(mesh.normals), place(mesh.tangents),
           place(mesh.colors),    place(mesh.indices),   count(mesh.indices), place(mesh.groups),
           place(floats),         count(floats) / 2,     mesh.influences,     count(mesh.uv_sets)};
  for (const auto& set : mesh.uv_sets) {
    words.push_back(place(set));
  }
}

// --- editing
// ---------------------------------------------------------------------------------------------------

/// Null of what has no fields, or too many for a page.
EditedFile* editing(const Model* model) {
  constexpr std::size_t kMost = 32 << 20;
  if (model == nullptr || !model->document || model->bytes->view().size() > kMost) {
    return nullptr;
  }
  EditedFile& file = session().edited[model->path];
  if (file.editor == nullptr) {
    file.editor = std::make_unique<Editor>(*model->document);
  }
  return &file;
}

/// The file with its edits, for whoever opens it next.
Result<void> settle(EditedFile& file) {
  if (file.editor->edits() == 0) {
    file.bytes.reset();
    return {};
  }
  return file.editor->document().map([&](const AnyDocument& document) {
    file.bytes = std::make_shared<const FileBytes>(write_any(document));
  });
}

}  // namespace

// The linker keeps these for the page.
#define THAW_PAGE __attribute__((used, visibility("default")))

extern "C" {

THAW_PAGE const char* thaw_version() { return give(std::string(version())); }
THAW_PAGE void* thaw_allocate(std::uint32_t size) { return std::malloc(size); }
THAW_PAGE void thaw_release(void* pointer) { std::free(pointer); }
THAW_PAGE const char* thaw_error() { return session().text.c_str(); }

/// Makes a name known whose bytes may be asked for, anew if it was known.
THAW_PAGE void thaw_know_file(const char* path) {
  const std::string name = normalize_game_path(path);
  session().archives.erase(name);
  session().edited.erase(name);
  session().store->know(name);
}

/// Takes `data`, which thaw_allocate gave.
THAW_PAGE void thaw_add_file(const char* path, std::uint8_t* data, std::uint32_t size) {
  const std::string name = normalize_game_path(path);
  auto bytes = std::make_shared<const FileBytes>(data, size);
  session().archives.erase(name);
  if (identify(bytes->view()).format.is_archive()) {
    Diagnostics ignored;
    if (auto archive = open_archive(bytes, {}, ignored)) {
      session().archives[name] = std::move(*archive);
    }
  }
  session().store->put(name, std::move(bytes));
}

THAW_PAGE void thaw_drop_file(const char* path) {
  const std::string name = normalize_game_path(path);
  session().archives.erase(name);
  session().edited.erase(name);
  session().store->drop(name);
}

/// Files that were looked for since the last call and are known, but not there.
THAW_PAGE const char* thaw_wanted() {
  Value names = Value::List();
  for (auto& name : session().store->take_unread()) {
    names.push(std::move(name));
  }
  return give(to_json(names));
}

/// All names that were looked for since the last call: a page that does not know every file asks its server
/// for them.
THAW_PAGE const char* thaw_asked() {
  Value names = Value::List();
  for (const auto& name : session().store->take_looked_up()) {
    names.push(name);
  }
  return give(to_json(names));
}

THAW_PAGE const char* thaw_list(const char* path) {
  Value names = Value::List();
  const auto archive = session().archives.find(normalize_game_path(path));
  if (archive != session().archives.end()) {
    for (const auto& entry : archive->second->entries()) {
      if (!entry.name.empty()) {
        names.push(normalize_game_path(entry.name));
      }
    }
  }
  return give(to_json(names));
}

/// Reads on in a large file: a map for about so many milliseconds, others as a whole. How much of it is read,
/// in thousandths; 1000 of all that `thaw_open` need not wait for, or complains about; 0 as long as another
/// large map is being read.
THAW_PAGE int thaw_read(const char* path, int milliseconds) {
  constexpr int kAll = 1000;
  constexpr std::size_t kWorthATask = 1 << 20;
  session().store->set_asking(path);
  const std::string name = name_within(path);
  const SharedBytes bytes = bytes_at_hand(name);
  auto& reading = session().reading;
  const bool is_same = reading != nullptr && reading->file->path == name;
  if (is_same && reading->file->bytes != bytes) {
    reading.reset();  // the file has gone, or come anew
  }
  if (bytes == nullptr || bytes->view().size() < kWorthATask || is_last(bytes)) {
    return kAll;
  }
  if (!takes_steps(bytes)) {
    return read_at_once(name, bytes) ? kAll - 1 : kAll;
  }
  if (reading == nullptr) {
    reading = std::make_unique<MapReading>();
    reading->file = unread_file(name, bytes);
  } else if (!is_same) {
    return 0;
  }
  if (read_on(*reading, std::chrono::milliseconds(milliseconds))) {
    return static_cast<int>(reading->rest->done() * (kAll - 1) /
                            std::max<std::size_t>(1, reading->rest->count()));
  }
  if (reading->file->document != nullptr) {
    session().last = std::move(reading->file);
  }
  reading.reset();
  return kAll;
}

THAW_PAGE int thaw_open(const char* path, const char* options) {
  auto model = open_model(path, parse_text(options));
  if (!model) {
    give(model.error().message);
    return -1;
  }
  auto& models = session().models;
  models.push_back(std::move(*model));
  return static_cast<int>(models.size() - 1);
}

THAW_PAGE void thaw_close(int id) {
  if (model_at(id) != nullptr) {
    session().models[static_cast<std::size_t>(id)].reset();
  }
}

THAW_PAGE const char* thaw_report(int id, const char* kind) {
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
  if (what == "findings") {
    return give(to_json(findings_value(*model)));
  }
  return give(what == "ways" && model->document ? to_json(page::downloads_of(*model->document)) : "null");
}

/// Number of parts, where `ends` lies (Tree), and 1 if that is all.
THAW_PAGE const std::uint32_t* thaw_tree(int id) {
  Model* model = model_at(id);
  session().words = {0, 0, 1};
  if (model != nullptr) {
    const Tree& tree = tree_of(*model);
    session().words = {static_cast<std::uint32_t>(tree.nodes.size()), address(tree.ends.data()),
                       tree.complete ? 1U : 0U};
  }
  return session().words.data();
}

/// Rows of the tree, of parts with these numbers.
THAW_PAGE const char* thaw_rows(int id, const char* numbers) {
  Model* model = model_at(id);
  const auto parsed = parse_text(numbers);
  return give(model == nullptr ? "[]" : to_json(rows_value(tree_of(*model), parsed)));
}

/// Numbers of the parts on the way to {"offset"} or {"path"}, as far as it leads.
THAW_PAGE const char* thaw_way(int id, const char* place) {
  Model* model = model_at(id);
  if (model == nullptr) {
    return give("[]");
  }
  const Value requested = parse_text(place);
  const std::string path = requested["path"].text();
  const auto offset = static_cast<std::uint64_t>(requested["offset"].integer().value_or(0));
  const auto way = way_to(tree_of(*model), [&](const TreeNode& node, const std::string& at) {
    return path.empty()
               ? offset >= node.offset && offset < node.offset + std::max<std::uint64_t>(1, node.size)
               : is_at_or_below(path, at);
  });
  return give(to_json(list_of(way, [](std::uint32_t index) { return Value(index); })));
}

/// Address and size of the text, of at least so many characters if it has them, number of lines and where
/// their beginnings are, and 1 if that is all.
THAW_PAGE const std::uint32_t* thaw_text(int id, std::uint32_t most) {
  Model* model = model_at(id);
  session().words = {0, 0, 0, 0, 1};
  if (model != nullptr) {
    take_text(*model, most);
    const Text& text = model->text;
    session().words = {address(text.characters.data()), static_cast<std::uint32_t>(text.characters.size()),
                       static_cast<std::uint32_t>(text.lines.size()), address(text.lines.data()),
                       text.complete ? 1U : 0U};
  }
  return session().words.data();
}

/// What the last frame shows at a place, −1 to 1 from left to right and from bottom to top; null if nothing.
THAW_PAGE const char* thaw_pick(int id, float x, float y) {
  Model* model = model_at(id);
  if (model == nullptr) {
    return give("null");
  }
  const frame::Frame& frame = posed(*model);
  const auto hit = page::pick(frame, model->evaluator->images(), x, y);
  return give(hit ? to_json(hit_value(*model, frame, *hit)) : "null");
}

THAW_PAGE const char* thaw_compare(int id, int other) {
  const Model* left = model_at(id);
  const Model* right = model_at(other);
  return give(left == nullptr || right == nullptr ? "null" : to_json(compared(*left, *right)));
}

/// Makes files of a model; which, says page::make_download. {"error"}, or {"files": [[name, address, size],
/// …], "note", "findings", "fixed"}; the bytes stay until the next call.
THAW_PAGE const char* thaw_make(int id, const char* how) {
  const Model* model = model_at(id);
  if (model == nullptr || !model->document) {
    return give(R"({"error": "there is no document"})");
  }
  const Value requested = parse_text(how);
  const Sources sources = sources_of_page();
  const OpenSceneOptions request = plain_request(model->path, model->opening);
  const std::string name(requested["name"].text());
  page::DownloadReport report;
  auto made = page::make_download({model->bytes->view(), name, &*model->document}, requested, request,
                                  sources, report);
  if (!made) {
    return give(to_json(Value().set("error", made.error().message)));
  }
  session().download = std::move(*made);
  const Outputs& download = session().download;
  Value value;
  value.set("note", download.note);
  value.set("files", list_of(download.files, [](const OutputFile& file) {
              return Value(Value::List{file.name, address(file.bytes.data()),
                                       static_cast<std::int64_t>(file.bytes.size())});
            }));
  value.set("findings", list_of(report.findings.items(), finding_value));
  value.set("fixed", list_of(report.fixed, [](const AppliedFix& fix) {
              return Value().set("code", fix.code).set("path", fix.path).set("message", fix.message);
            }));
  return give(to_json(value));
}

/// What stands at a path, as JSON; null if that is not one place, or nothing that could be edited.
THAW_PAGE const char* thaw_field(int id, const char* path) {
  const EditedFile* file = editing(model_at(id));
  auto fields = file == nullptr ? Result<std::vector<Editor::Field>>() : file->editor->get(path);
  return give(fields && fields->size() == 1 ? std::move(fields->front().value) : "null");
}

/// Changes a field, as `thaw set` does; nothing, or why not. What is opened by this path next has the change.
THAW_PAGE const char* thaw_edit(int id, const char* edit) {
  EditedFile* file = editing(model_at(id));
  if (file == nullptr) {
    return give("this file cannot be edited here");
  }
  auto done = file->editor->edit(edit);
  if (done) {
    done = settle(*file);
    if (!done) {
      file->editor->undo();
    }
  }
  return give(done                        ? ""
              : done.error().path.empty() ? done.error().message
                                          : done.error().path + ": " + done.error().message);
}

THAW_PAGE std::uint32_t thaw_edits(int id) {
  const Model* model = model_at(id);
  const auto edited = model == nullptr ? session().edited.end() : session().edited.find(model->path);
  return edited == session().edited.end() || edited->second.editor == nullptr
             ? 0
             : static_cast<std::uint32_t>(edited->second.editor->edits());
}

THAW_PAGE void thaw_undo(int id) {
  if (EditedFile* file = editing(model_at(id)); file != nullptr && file->editor->undo()) {
    (void)settle(*file);  // it could be built before
  }
}

/// Address and size of the file as it is shown.
THAW_PAGE const std::uint32_t* thaw_bytes(int id) {
  const Model* model = model_at(id);
  session().words = {0, 0};
  if (model != nullptr) {
    const ByteView bytes = model->bytes->view();
    session().words = {address(bytes.data()), static_cast<std::uint32_t>(bytes.size())};
  }
  return session().words.data();
}

THAW_PAGE const std::uint32_t* thaw_evaluate(int id, int clip, double time, double clock,
                                             const float* request, const std::uint32_t* hidden,
                                             std::uint32_t hidden_count) {
  Model* model = model_at(id);
  if (model == nullptr) {
    return nullptr;
  }
  frame::Options& options = model->requested.options;
  options = {};
  options.lighting = static_cast<frame::Lighting>(request[14]);
  const auto flags = static_cast<unsigned>(request[15]);
  options.wireframe = (flags & 1U) != 0;
  options.bones = (flags & 2U) != 0;
  options.collision = (flags & 4U) != 0;
  options.extents = (flags & 8U) != 0;
  options.surfaces = (flags & 16U) == 0;
  options.emitters = (flags & 32U) == 0;
  options.attachments = (flags & 64U) == 0;
  options.grid = (flags & 128U) != 0;
  options.at_rest = (flags & 256U) != 0;
  options.marked_node = request[16] < 0 ? frame::kNone : static_cast<frame::Index>(request[16]);
  options.fog = {request[17] != 0, {request[20], request[21], request[22]}, request[18], request[19]};
  for (std::uint32_t i = 0; i < hidden_count; ++i) {
    if (hidden[i] < model->scene.meshes.size()) {
      options.hidden_meshes.resize(model->scene.meshes.size());
      options.hidden_meshes[hidden[i]] = true;
    }
  }
  model->requested.moment = {clip < 0 ? frame::kNone : static_cast<frame::Index>(clip), time, clock};
  model->requested.camera = camera_of(request);
  model->is_posed = false;
  model->evaluator->evaluate(model->requested.moment, model->requested.camera, options, model->frame);
  return give_frame(model->frame);
}

THAW_PAGE std::uint32_t thaw_rest_mesh_count(int id) {
  const Model* model = model_at(id);
  return model == nullptr ? 0 : static_cast<std::uint32_t>(model->rest_meshes.size());
}

/// The arrays of a mesh that stay the same (take_rest_mesh).
THAW_PAGE const std::uint32_t* thaw_rest_mesh(int id, std::uint32_t index) {
  const Model* model = model_at(id);
  auto& floats = session().floats;
  floats.clear();
  const bool is_there = model != nullptr && index < model->rest_meshes.size();
  take_rest_mesh(is_there ? model->rest_meshes[index] : frame::RestMesh(), floats, session().words);
  return session().words.data();
}

THAW_PAGE const float* thaw_auto_camera(int id, int clip, float azimuth, float elevation, float distance,
                                        float aspect) {
  const Model* model = model_at(id);
  const frame::Index index = clip < 0 ? frame::kNone : static_cast<frame::Index>(clip);
  return model == nullptr
             ? nullptr
             : give_camera(frame::auto_camera(*model->evaluator, model->scene, index,
                                              frame::View{azimuth, elevation, distance}, aspect));
}

THAW_PAGE const float* thaw_own_camera(int id, std::uint32_t camera, int clip, double time, float aspect) {
  const Model* model = model_at(id);
  if (model == nullptr) {
    return nullptr;
  }
  const frame::PlayTime moment{clip < 0 ? frame::kNone : static_cast<frame::Index>(clip), time, 0};
  const auto found = frame::scene_camera(model->scene, camera, moment, aspect);
  return found ? give_camera(*found) : nullptr;
}

THAW_PAGE std::uint32_t thaw_image_count(int id) {
  const Model* model = model_at(id);
  return model == nullptr ? 0 : static_cast<std::uint32_t>(model->evaluator->images().size());
}

THAW_PAGE const std::uint32_t* thaw_image(int id, std::uint32_t index) {
  const Model* model = model_at(id);
  auto& words = session().words;
  words = {0, 0, 0};
  if (model != nullptr && index < model->evaluator->images().size()) {
    const Image& image = *model->evaluator->images()[index];
    words = {image.width, image.height, address(image.rgba.data())};
  }
  return words.data();
}

/// Address and number of floats.
THAW_PAGE const std::uint32_t* thaw_uvs(int id, std::uint32_t image) {
  const Model* model = model_at(id);
  auto& floats = session().floats;
  floats.clear();
  if (model != nullptr) {
    for (const auto& mesh : model->scene.meshes) {
      for (const auto& part : mesh.parts) {
        if (!mesh.uv_sets.empty() && shows_image(model->scene, part.material, image)) {
          append_corners(mesh, part, floats);
        }
      }
    }
  }
  session().words = {address(floats.data()), static_cast<std::uint32_t>(floats.size())};
  return session().words.data();
}

THAW_PAGE const std::uint8_t* thaw_rasterise(int id, std::uint32_t width, std::uint32_t height,
                                             unsigned samples, std::uint32_t background) {
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
  for (unsigned i = 0; i < 4; ++i) {
    options.background.at(i) = static_cast<std::uint8_t>(background >> (8 * i) & 255U);
  }
  model->picture = raster::draw(posed(*model), *model->textures, options);
  return model->picture.image.rgba.data();
}

}  // extern "C"
