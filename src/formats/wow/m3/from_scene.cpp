// A scene as a model (m3.md#writing).
#include "formats/wow/m3/from_scene.hpp"

#include <thaw/codes.hpp>
#include <thaw/control.hpp>

#include "bytes/number_text.hpp"
#include "bytes/text.hpp"
#include "formats/wow/m3/decide.hpp"
#include "formats/wow/m3/scene_geometry.hpp"
#include "formats/wow/m3/source_model.hpp"
#include "scene/losses.hpp"
#include "scene/roles.hpp"
#include "scene/uv.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace thaw::m3 {
namespace {

using scene::Index;
using scene::is_collision;
using scene::kNone;
using scene::level_in_name;

constexpr std::size_t kShortIndices = 65536;                     // vertices that 16 bits can address
constexpr std::size_t kMostGeosets = 65535;                      // which batches number, as materials
constexpr std::uint64_t kMostIndices = std::uint64_t{1} << 26U;  // parts may show the same ones again

}  // namespace

/// Finds out which part of which mesh is which geoset of which level.
std::vector<std::vector<Piece>> sort_pieces(const scene::Scene& scene) {
  const auto known = scene::levels_of_detail(scene);
  const auto level_of = [&](const scene::Mesh& mesh) {
    return mesh.node < known.size() ? known[mesh.node] : scene::LevelOfDetail{};
  };
  std::map<std::string, Index> by_name;
  for (const auto& mesh : scene.meshes) {
    if (mesh.node < scene.nodes.size() && level_of(mesh).level == 0) {
      by_name.emplace(mesh.name, mesh.node);
    }
  }
  std::map<std::pair<Index, std::size_t>, std::size_t> slots;
  std::map<std::pair<Index, std::size_t>, std::size_t> parts;  // so far, of an owner's level
  std::vector<std::vector<Piece>> levels;
  for (Index m = 0; m < scene.meshes.size(); ++m) {
    const auto& mesh = scene.meshes[m];
    if (is_collision(scene, mesh)) {
      continue;
    }
    auto [owner, level] = level_of(mesh);
    const auto [base, stated] = level_in_name(mesh.name);
    if (owner == kNone) {
      owner = mesh.node;
    }
    if (level == 0 && stated > 0) {
      // Without a finest one, a mesh that is called like a coarser level is what there is.
      if (const auto finest = by_name.find(base); finest != by_name.end()) {
        owner = finest->second;
        level = stated;
      }
    }
    std::size_t& before = parts[{owner, level}];
    for (std::size_t part = 0; part < mesh.parts.size(); ++part, ++before) {
      if (mesh.parts[part].index_count < 3) {
        continue;
      }
      const auto slot = slots.try_emplace({owner, before}, slots.size()).first->second;
      levels.resize(std::max(levels.size(), level + 1));
      levels[level].push_back({m, part, slot});
    }
  }
  return levels;
}

namespace {

std::uint32_t blend_number(scene::BlendMode mode) {
  switch (mode) {
    case scene::BlendMode::opaque:
      return 0;
    case scene::BlendMode::mask:
      return 1;
    case scene::BlendMode::additive:
    case scene::BlendMode::add_alpha:
      return 3;
    case scene::BlendMode::modulate:
      return 4;
    case scene::BlendMode::modulate2x:
      return 5;
    default:
      return 2;
  }
}

/// "900100.blp" and "5569152_900100.blp" name a FileDataID.
std::optional<std::int32_t> file_data_id(std::string_view path) {
  path = last_part(path);
  path = path.substr(0, path.find('.'));
  path = path.substr(path.find('_') + 1);
  std::int64_t id = 0;
  for (const char c : path) {
    if (c < '0' || c > '9' || id > 200000000) {
      return std::nullopt;
    }
    id = id * 10 + (c - '0');
  }
  return path.empty() || id == 0 ? std::nullopt : std::optional(static_cast<std::int32_t>(id));
}

class ModelBuilder {
 public:
  ModelBuilder(const scene::Scene& scene, const FromSceneOptions& options, Diagnostics& diagnostics)
      : scene_(scene),
        options_(options),
        diagnostics_(diagnostics),
        source_(scene, options.scale),
        world_(rest_places(scene, source_.base)),
        skins_(scene, world_, options.scale),
        streams_(source_, skins_.used()) {}

  Result<Document> make() {
    if (version_ < 2 || version_ > 4) {
      return fail(codes::kWriteUnsupported,
                  "mesh version " + std::to_string(version_) + " is not supported; choose 2, 3 or 4");
    }
    auto levels = sort_pieces(scene_);
    VertexWriter writer(scene_, world_, options_.scale, &skins_);
    std::size_t per_level = 0;
    std::uint64_t indices = 0;
    for (const auto& level : levels) {
      for (const Piece& piece : level) {
        per_level = std::max(per_level, piece.slot + 1);
        indices += scene_.meshes[piece.mesh].parts[piece.part].index_count;
      }
    }
    if (indices > kMostIndices) {
      return fail(codes::kWriteUnsupported, "the scene has " + std::to_string(indices) +
                                                " indices; an M3 model supports at most " +
                                                std::to_string(kMostIndices));
    }
    // Empty geosets fill what a level lacks; more of them than meshes can be no model.
    if (per_level * levels.size() > kMostGeosets) {
      return fail(codes::kWriteUnsupported,
                  "the scene needs " + std::to_string(per_level * levels.size()) +
                      " geosets over all levels; an M3 model supports at most 65535");
    }
    add_geosets(levels, per_level, writer);
    if (is_stopped(options_.control)) {
      return fail(codes::kStopped, "");
    }
    if (writer.indices().empty()) {
      return fail(codes::kWriteUnsupported, "the scene has no triangles");
    }
    add_batches();
    if (std::max(materials_.instances.size(), batches_.items.size()) > kMostGeosets) {
      return fail(codes::kWriteUnsupported,
                  "the scene needs " +
                      std::to_string(std::max(materials_.instances.size(), batches_.items.size())) +
                      " materials or batches; an M3 model supports at most 65535 of each");
    }
    report_losses();
    Document document;
    document.chunks.push_back({FourCC{"M3DT"}, header(writer), {}, {}});
    lay_out(materials_);
    document.chunks.push_back({FourCC{"M3SI"}, std::move(materials_), {}, {}});
    document.chunks.push_back({FourCC{"MES3"}, mesh(writer), {}, {}});
    if (is_stopped(options_.control)) {
      return fail(codes::kStopped, "");
    }
    if (auto collision = make_collision()) {
      document.chunks.push_back({FourCC{"M3CL"}, std::move(*collision), {}, {}});
    }
    document.chunks.push_back({FourCC{"M3XF"}, source_.transform.value_or(ModelTransform()), {}, {}});
    return document;
  }

 private:
  void add_geosets(const std::vector<std::vector<Piece>>& levels, std::size_t per_level,
                   VertexWriter& writer) {
    materials_.version = version_ >= 4 ? 4 : 2;
    for (const auto& level : levels) {
      std::vector<const Piece*> row(per_level);
      for (const Piece& piece : level) {
        row[piece.slot] = row[piece.slot] == nullptr ? &piece : row[piece.slot];
      }
      Lod& lod = lods_.items.emplace_back();
      for (const Piece* piece : row) {
        if (!proceed(options_.control, "meshes", geosets_.items.size(), per_level * levels.size())) {
          return;
        }
        const Geoset geoset = piece == nullptr ? empty_geoset(writer) : add_geoset(*piece, writer);
        lod.vertex_count += geoset.vertex_count;
        lod.index_count += geoset.index_count;
        geosets_.items.push_back(geoset);
      }
      empty_ += static_cast<std::size_t>(std::count(row.begin(), row.end(), nullptr));
    }
    lods_.properties = {static_cast<std::uint32_t>(std::max<std::size_t>(1, levels.size()) - 1),
                        static_cast<std::uint32_t>(per_level)};
  }

  static Geoset empty_geoset(const VertexWriter& writer) {
    Geoset geoset;
    geoset.index_start = static_cast<std::uint32_t>(writer.indices().size());
    geoset.vertex_start = static_cast<std::uint32_t>(writer.positions().size());
    return geoset;
  }

  Geoset add_geoset(const Piece& piece, VertexWriter& writer) {
    const scene::Mesh& mesh = scene_.meshes[piece.mesh];
    Geoset geoset = empty_geoset(writer);
    writer.add(mesh, mesh.parts[piece.part]);
    geoset.index_count = static_cast<std::uint32_t>(writer.indices().size()) - geoset.index_start;
    geoset.vertex_count = static_cast<std::uint32_t>(writer.positions().size()) - geoset.vertex_start;
    std::string name = mesh.name;
    name += mesh.parts.size() > 1 ? "_" + std::to_string(piece.part) : "";
    geoset.name_start = static_cast<std::uint32_t>(names_.text.size());
    geoset.name_size = static_cast<std::uint32_t>(name.size());
    names_.text.insert(names_.text.end(), name.begin(), name.end());
    note_geoset(mesh, mesh.parts[piece.part].material, geoset);
    return geoset;
  }

  /// What it was, if it came of a model, and what it shows.
  void note_geoset(const scene::Mesh& mesh, Index material, Geoset& geoset) {
    const auto source = source_geoset(scene_, mesh);
    streams_.add(source, geoset.vertex_count);
    const auto number = static_cast<std::uint16_t>(geosets_.items.size());
    if (source && new_number_.try_emplace(source->number, number).second) {
      geoset.unknown = source->record.unknown;
      geoset.extra = version_ >= 4 ? source->record.extra : geoset.extra;
      if (material < scene_.materials.size() && source_.shown(source->number) == material) {
        unchanged_.push_back({source->number, number, material});
        return;
      }
      changed_.insert(source->number);
    }
    if (material < scene_.materials.size()) {
      shown_.emplace_back(number, material);
    }
  }

  /// Those of the model that the scene was made of, as far as its geosets still show them; then one for each
  /// pass of what the others show.
  void add_batches() {
    for (const Index material : source_.materials) {
      if (material != kNone && scene_.materials[material].shader) {
        instance_of(material, 0);
      }
    }
    for (const Batch& batch : source_.batches) {
      const auto geoset = new_number_.find(batch.geoset);
      const Index material = source_.material(batch.material);
      if (geoset != new_number_.end() && !changed_.contains(batch.geoset) && material != kNone) {
        batches_.items.push_back({{}, geoset->second, instance_of(material, 0)});
      }
    }
    for (const Unchanged& geoset : unchanged_) {
      if (!has_batch(geoset.source_number)) {
        shown_.emplace_back(geoset.number, geoset.material);
      }
    }
    for (const auto& [geoset, material] : shown_) {
      const std::size_t passes = std::max<std::size_t>(1, scene_.materials[material].layers.size());
      for (std::size_t pass = 0; pass < (scene_.materials[material].shader ? 1 : passes); ++pass) {
        batches_.items.push_back({{}, geoset, instance_of(material, pass)});
      }
    }
  }

  /// A batch of its own, or of the finest level, which is there still.
  [[nodiscard]] bool has_batch(std::size_t geoset) const {
    const auto names = [&](std::size_t requested) {
      return std::any_of(source_.batches.begin(), source_.batches.end(),
                         [&](const Batch& batch) { return batch.geoset == requested; });
    };
    const std::size_t finest = source_.per_level > 0 ? geoset % source_.per_level : geoset;
    return names(geoset) || (new_number_.contains(finest) && !changed_.contains(finest));
  }

  std::uint16_t instance_of(Index material, std::size_t pass) {
    const auto [entry, fresh] =
        instances_.try_emplace({material, pass}, static_cast<std::uint16_t>(instances_.size()));
    if (fresh) {
      materials_.instances.push_back(make_instance(scene_.materials[material], pass));
    }
    return entry->second;
  }

  Instance make_instance(const scene::Material& material, std::size_t pass) {
    if (material.shader) {
      Instance known = instance_from(*material.shader);
      if (materials_.version < 4 && known.version4 != Instance{}.version4) {
        known.version4 = {};
        ++shortened_;
      }
      return known;
    }
    Instance instance;
    const scene::Layer layer = material.layers.empty() ? scene::Layer() : material.layers[pass];
    instance.blend_mode = blend_number(layer.blend);
    if (layer.texture < scene_.textures.size()) {
      if (const auto id = file_data_id(scene_.textures[layer.texture].path)) {
        instance.sampler_hashes.push_back(0);
        instance.sampler_textures.push_back(*id);
      } else {
        ++unnumbered_;
      }
    }
    other_coordinates_ += layer.uv_set > 0 ? 1U : 0U;
    // Vertices have the transform of the first layer.
    const bool other = pass > 0 && layer.uv_animation != material.layers.front().uv_animation;
    moved_ += other || scene::is_moved(scene_, layer.uv_animation) ? 1U : 0U;
    ++generated_;
    return instance;
  }

  void report_losses() {
    const auto report = [&](const std::string& what) { diagnostics_.add(codes::kSceneApproximated, what); };
    if (generated_ > 0) {
      report(counted(generated_, "material instance") + " written without a shader library");
    }
    if (shortened_ > 0) {
      report(counted(shortened_, "material instance") +
             " written without the last two fields, which need --format-version 4");
    }
    if (empty_ > 0) {
      report(counted(empty_, "empty geoset") + " added, because all levels need the same number");
    }
    report_what_is_left_out();
  }

  void report_what_is_left_out() {
    const auto lose = [&](const std::string& what) { diagnostics_.add(codes::kSceneLost, what); };
    const auto count = [&](const auto& test) {
      return static_cast<std::size_t>(std::count_if(scene_.meshes.begin(), scene_.meshes.end(), test));
    };
    const auto meshes = [](std::size_t number) {
      return std::to_string(number) + (number == 1 ? " mesh" : " meshes");
    };
    skins_.report(diagnostics_);
    for (const std::string& stream : streams_.lost()) {
      lose("stream " + stream + " left out; its vertices no longer exist, or its layout is unknown");
    }
    report_materials(lose);
    if (const std::size_t clips = scene_.clips.size(); clips > 0) {
      lose(counted(clips, "animation") + " left out; the format has no known animations");
    }
    if (const auto morphing = count([](const auto& mesh) { return !mesh.morph_targets.empty(); });
        morphing > 0) {
      lose("morph targets of " + meshes(morphing) + " left out");
    }
    const std::size_t most = std::size(kUvTags);
    if (const auto mapped = count([&](const auto& mesh) { return mesh.uv_sets.size() > most; }); mapped > 0) {
      lose("UV sets after the first " + std::to_string(most) + " left out of " + meshes(mapped));
    }
    if (const auto wired = count([](const auto& mesh) { return !mesh.wires.empty(); }); wired > 0) {
      lose("points and lines of " + meshes(wired) + " left out");
    }
    for (const std::string& loss : scene::object_losses(scene_)) {
      lose(loss);
    }
  }

  template <class Lose>
  void report_materials(const Lose& lose) const {
    const auto report = [&](std::size_t number, const char* noun, const char* what) {
      if (number > 0) {
        lose(counted(number, noun) + what);
      }
    };
    report(unnumbered_, "texture",
           " without a FileDataID in the name left out; name the files like 123456.blp");
    report(other_coordinates_, "material instance", " changed to use the first UV set");
    report(moved_, "texture transform", " left out");
    for (const std::string& loss : scene::surface_losses(scene_, {.blend = true, .layers = true})) {
      lose(loss);
    }
  }

  [[nodiscard]] ModelHeader header(const VertexWriter& writer) const {
    ModelHeader header = source_.header;
    const auto& positions = writer.positions();
    Box box{positions.front(), positions.front()};
    for (const Vec3& position : positions) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.minimum.at(axis) = std::min(box.minimum.at(axis), position.at(axis));
        box.maximum.at(axis) = std::max(box.maximum.at(axis), position.at(axis));
      }
    }
    header.box = header.box2 = box;
    const double diagonal =
        scene::length(scene::subtract(scene::widen(box.maximum), scene::widen(box.minimum)));
    header.radius = header.radius2 = static_cast<float>(diagonal / 2);
    return header;
  }

  static Buffer index_buffer(const VertexWriter& writer) {
    Buffer buffer;
    if (writer.positions().size() > kShortIndices) {
      buffer.properties.format = element_tag(ElementFormat::u32x1);
      buffer.elements = Array<std::uint32_t>(writer.indices().begin(), writer.indices().end());
      return buffer;
    }
    buffer.properties.format = element_tag(ElementFormat::u16x1);
    auto& words = buffer.elements.emplace<Array<std::uint16_t>>();
    for (const std::uint32_t index : writer.indices()) {
      words.push_back(static_cast<std::uint16_t>(index));
    }
    return buffer;
  }

  Mesh mesh(VertexWriter& writer) {
    Mesh mesh;
    const auto add = [&](FourCC tag, MeshBody body) {
      mesh.chunks.push_back({tag, std::move(body), {}, {}});
    };
    add(FourCC{"M3VR"}, MeshVersion{{version_, 0}});
    writer.add_streams(mesh);
    streams_.add_chunks(mesh);
    add(FourCC{"VSTR"}, std::move(names_));
    add(FourCC{"VINX"}, index_buffer(writer));
    geosets_.long_records = version_ >= 4;
    geosets_.properties.count = static_cast<std::uint32_t>(geosets_.items.size());
    if (new_number_.empty() && !geosets_.items.empty()) {
      // As in the files that were seen (m3.md#geosets).
      geosets_.items.front().unknown = geosets_.properties.count;
    }
    add(FourCC{"VGEO"}, std::move(geosets_));
    add(FourCC{"LODS"}, std::move(lods_));
    batches_.properties.count = static_cast<std::uint32_t>(batches_.items.size());
    add(FourCC{"RBAT"}, std::move(batches_));
    if (proceed(options_.control, "levels", 0, 0)) {
      report_of(mesh);
    }
    return mesh;
  }

  /// What who reads the file will take for something else.
  void report_of(Mesh& mesh) const {
    Diagnostics discarded(0);
    decide(mesh, discarded);
    for (const auto& chunk : mesh.chunks) {
      if (std::holds_alternative<Weights>(chunk.body) && !chunk.remainder.empty()) {
        diagnostics_.add(codes::kM3Weights,
                         "the written weights are ambiguous, because both possible layouts give a sum of 1; "
                         "readers may choose the wrong one",
                         {}, "VWTS");
      }
    }
    if (faces_inward(Streams(mesh, options_.scale, discarded))) {
      diagnostics_.add(codes::kSceneChanged,
                       "most triangles face against their normals; the format does not define the front "
                       "side, so readers may flip them");
    }
  }

  /// All collision meshes as one.
  [[nodiscard]] std::optional<Collision> make_collision() const {
    VertexWriter writer(scene_, world_, options_.scale);
    for (const auto& mesh : scene_.meshes) {
      if (is_collision(scene_, mesh)) {
        for (std::size_t i = 0; i < mesh.parts.size() && writer.positions().size() <= kShortIndices; ++i) {
          writer.add(mesh, mesh.parts[i]);
        }
      }
    }
    if (writer.indices().empty()) {
      return std::nullopt;
    }
    if (writer.positions().size() > kShortIndices) {
      diagnostics_.add(codes::kSceneLost, "collision mesh of more than 65536 vertices left out; simplify it");
      return std::nullopt;
    }
    Collision collision;
    collision.chunks.push_back({FourCC{"CPOS"}, {}, Points{writer.positions()}, {}});
    collision.chunks.push_back({FourCC{"CNML"}, {}, Points{writer.normals()}, {}});
    Corners corners;
    for (const std::uint32_t index : writer.indices()) {
      corners.items.push_back(static_cast<std::uint16_t>(index));
    }
    collision.chunks.push_back({FourCC{"CINX"}, {}, std::move(corners), {}});
    return collision;
  }

  const scene::Scene& scene_;
  const FromSceneOptions& options_;
  Diagnostics& diagnostics_;
  const SourceModel source_;
  const std::uint32_t version_ = options_.version.value_or(source_.mesh_version);
  const std::vector<scene::Mat4d> world_;
  SkinWriter skins_;
  SourceStreams streams_;
  Names names_;
  Geosets geosets_;
  Lods lods_;
  Batches batches_;
  Materials materials_;
  std::map<std::pair<Index, std::size_t>, std::uint16_t> instances_;  ///< by material and pass
  std::map<std::size_t, std::uint16_t> new_number_;                   ///< of geosets, by the one that was
  /// A geoset that shows what it showed.
  struct Unchanged {
    std::size_t source_number = 0;  ///< in the source model
    std::uint16_t number = 0;
    Index material = kNone;
  };
  std::vector<Unchanged> unchanged_;
  std::set<std::size_t> changed_;                       ///< geosets that show something else
  std::vector<std::pair<std::uint16_t, Index>> shown_;  ///< by geosets without batches yet
  std::size_t generated_ = 0;
  std::size_t unnumbered_ = 0;
  std::size_t other_coordinates_ = 0;
  std::size_t moved_ = 0;
  std::size_t shortened_ = 0;  ///< instances of version 4 in a blob of version 2
  std::size_t empty_ = 0;
};

}  // namespace

Result<Document> from_scene(const scene::Scene& scene, const FromSceneOptions& options,
                            Diagnostics& diagnostics) {
  return ModelBuilder(scene, options, diagnostics).make();
}

}  // namespace thaw::m3
