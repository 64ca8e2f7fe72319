// Scenes as models of Forgelight. See dme.md#writing.
#include "formats/forgelight/dme/from_scene.hpp"

#include <thaw/codes.hpp>
#include <thaw/forgelight.hpp>
#include <thaw/materials.hpp>

#include "bytes/half.hpp"
#include "bytes/number_text.hpp"
#include "formats/forgelight/dme/palette_builder.hpp"
#include "formats/forgelight/dme/placed_mesh.hpp"
#include "scene/losses.hpp"
#include "scene/roles.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace thaw::dme {
namespace {

using materials::Type;
using materials::Usage;
using scene::Index;

/// As the published model has them.
constexpr std::size_t kMostInPalette = 64;
constexpr std::size_t kMostBones = 0xFFFF;
constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

/// The layout that holds what a material's vertices have: those are names of definitions, too.
std::string_view definition_for(bool skinned, bool colored) {
  return skinned ? (colored ? "TankTread" : "Character") : colored ? "Object" : "Structure";
}

materials::Layout layout_named(std::string_view name) {
  const auto known = materials::known_layouts();
  return *std::find_if(known.begin(), known.end(), [&](const auto& layout) { return layout.name == name; });
}

std::uint8_t signed_byte(double value) {
  return static_cast<std::uint8_t>(std::lround((std::clamp(value, -1.0, 1.0) + 1) * 127.5));
}
std::uint8_t share_byte(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

/// Puts attributes of one vertex where its layout has them.
class VertexPacker {
 public:
  explicit VertexPacker(const materials::Layout& layout) : layout_(layout) {
    for (unsigned stream = 0; stream < streams_.size(); ++stream) {
      streams_.at(stream).stride = static_cast<std::uint32_t>(layout.stride(stream));
    }
  }

  void add(const PlacedVertex& vertex, const std::array<std::uint8_t, kMostInfluences>& places) {
    for (Stream& stream : streams_) {
      stream.data.resize(stream.data.size() + stream.stride, 0);
    }
    for (const auto& entry : layout_.entries) {
      Stream& stream = streams_.at(entry.stream);
      std::uint8_t* to = stream.data.data() + stream.data.size() - stream.stride + entry.offset;
      put(entry, vertex, places, to);
    }
  }
  [[nodiscard]] std::vector<Stream> take() { return {std::move(streams_[0]), std::move(streams_[1])}; }

 private:
  static void put(const materials::Entry& entry, const PlacedVertex& vertex,
                  const std::array<std::uint8_t, kMostInfluences>& places, std::uint8_t* to) {
    const bool first = entry.usage_index == 0;
    switch (entry.usage) {
      case Usage::position:
        if (first && entry.type == Type::float3) {
          std::memcpy(to, vertex.position.data(), sizeof vertex.position);
        }
        return;
      case Usage::blend_weight:
        std::copy(vertex.weights.begin(), vertex.weights.end(), to);
        return;
      case Usage::blend_indices:
        std::copy(places.begin(), places.end(), to);
        return;
      case Usage::tangent:
        put_direction(vertex.tangent, vertex.side < 0 ? 0 : 255, to);
        return;
      case Usage::binormal:
        put_direction(scene::scaled(scene::cross(vertex.normal, vertex.tangent), vertex.side), 255, to);
        return;
      case Usage::texcoord:
        for (std::size_t i = 0; i < 2; ++i) {
          const std::uint16_t half = float_to_half(vertex.uvs.at(entry.usage_index).at(i));
          std::memcpy(to + 2 * i, &half, sizeof half);
        }
        return;
      case Usage::color:
        for (std::size_t i = 0; i < 4; ++i) {
          to[i] = share_byte(double{vertex.color.at(i)});
        }
        return;
      default:
        return;
    }
  }
  static void put_direction(const scene::Vec3d& direction, std::uint8_t last, std::uint8_t* to) {
    for (std::size_t i = 0; i < 3; ++i) {
      to[i] = signed_byte(direction.at(i));
    }
    to[3] = last;
  }

  const materials::Layout& layout_;
  std::array<Stream, 2> streams_;
};

/// One mesh of the file: what one material draws, in calls whose palettes suffice.
class FileMeshBuilder {
 public:
  FileMeshBuilder(const materials::Layout& layout, Document& document)
      : skinned_(std::any_of(layout.entries.begin(), layout.entries.end(),
                             [](const auto& entry) { return entry.usage == Usage::blend_indices; })),
        packer_(layout),
        document_(document) {
    mesh_.first_draw_call = static_cast<std::uint32_t>(document.draw_calls.size());
    begin_call();
  }

  /// Triangles with corners that are counter-clockwise from outside; those of the file are clockwise.
  void add(const PlacedMesh& mesh) {
    place_.assign(mesh.vertices.size(), kUnknown);
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      const std::array<std::uint32_t, 3> corners = {mesh.indices[i], mesh.indices[i + 2],
                                                    mesh.indices[i + 1]};
      if (skinned_ && !fits(mesh, corners)) {
        end_call();
        begin_call();
        place_.assign(mesh.vertices.size(), kUnknown);
      }
      for (const std::uint32_t corner : corners) {
        place_[corner] = place_[corner] == kUnknown ? add_vertex(mesh.vertices[corner]) : place_[corner];
        mesh_.indices32.push_back(place_[corner]);
      }
    }
  }

  void finish() {
    constexpr std::uint32_t kMostShort = 0xFFFF;
    end_call();
    mesh_.streams = packer_.take();
    mesh_.draw_call_count = static_cast<std::uint32_t>(document_.draw_calls.size()) - mesh_.first_draw_call;
    if (mesh_.vertex_count <= kMostShort) {
      for (const std::uint32_t index : mesh_.indices32) {
        mesh_.indices16.push_back(static_cast<std::uint16_t>(index));
      }
      mesh_.indices32 = {};
    } else {
      mesh_.index_format = 4;
    }
    for (std::uint32_t i = 0; i < mesh_.draw_call_count; ++i) {
      document_.draw_calls[mesh_.first_draw_call + i].unknown_count = mesh_.bone_transform_count;
    }
    document_.meshes.push_back(std::move(mesh_));
  }

 private:
  void begin_call() {
    palette_.clear();
    call_ = {};
    call_.first_bone = static_cast<std::uint32_t>(document_.bone_map.size());
    call_.first_vertex = mesh_.vertex_count;
    call_.first_index = static_cast<std::uint32_t>(mesh_.indices32.size());
  }

  void end_call() {
    call_.bone_count = static_cast<std::uint32_t>(palette_.size());
    call_.vertex_count = mesh_.vertex_count - call_.first_vertex;
    call_.index_count = static_cast<std::uint32_t>(mesh_.indices32.size()) - call_.first_index;
    std::vector<std::uint16_t> bones(palette_.size());
    for (const auto& [bone, place] : palette_) {
      bones[place] = bone;
    }
    for (std::size_t place = 0; place < bones.size(); ++place) {
      document_.bone_map.push_back({bones[place], static_cast<std::uint16_t>(place)});
    }
    mesh_.bone_transform_count = std::max(mesh_.bone_transform_count, call_.bone_count);
    document_.draw_calls.push_back(call_);
  }

  [[nodiscard]] bool fits(const PlacedMesh& mesh, const std::array<std::uint32_t, 3>& corners) const {
    std::set<std::uint16_t> fresh;
    for (const std::uint32_t corner : corners) {
      const PlacedVertex& vertex = mesh.vertices[corner];
      for (std::size_t i = 0; i < kMostInfluences; ++i) {
        if (vertex.weights.at(i) > 0 && !palette_.contains(vertex.bones.at(i))) {
          fresh.insert(vertex.bones.at(i));
        }
      }
    }
    return palette_.size() + fresh.size() <= kMostInPalette;
  }

  std::uint32_t add_vertex(const PlacedVertex& vertex) {
    std::array<std::uint8_t, kMostInfluences> places{};
    for (std::size_t i = 0; skinned_ && i < kMostInfluences; ++i) {
      if (vertex.weights.at(i) > 0) {
        const auto next = static_cast<std::uint8_t>(palette_.size());
        places.at(i) = palette_.try_emplace(vertex.bones.at(i), next).first->second;
      }
    }
    packer_.add(vertex, places);
    return mesh_.vertex_count++;
  }

  bool skinned_;
  VertexPacker packer_;
  Document& document_;
  Mesh mesh_;
  DrawCall call_;
  std::map<std::uint16_t, std::uint8_t> palette_;
  std::vector<std::uint32_t> place_;
};

// --- the whole

/// One level of detail.
class LevelBuilder {
 public:
  LevelBuilder(const scene::Scene& scene, TextureList& textures, Diagnostics& diagnostics)
      : scene_(scene), textures_(textures), diagnostics_(diagnostics), bones_(scene, diagnostics) {}

  Result<Document> run(std::size_t level, const Control* control) {
    if (bones_.count() > kMostBones) {
      return fail(codes::kWriteUnsupported,
                  "the scene has " + counted(bones_.count(), "bone") + "; a model supports at most 65535");
    }
    place_meshes(level);
    if (by_material_.empty()) {
      return fail(codes::kWriteUnsupported, "the scene has no triangles");
    }
    PaletteBuilder palette(scene_, textures_, document_.palette);
    std::size_t done = 0;
    for (const auto& [key, meshes] : by_material_) {
      if (!proceed(control, "draw calls", done++, by_material_.size())) {
        return fail(codes::kStopped, "");
      }
      const auto& [material, skinned] = key;
      add_mesh(material, skinned, meshes, palette);
    }
    bones_.describe(meshes_, document_);
    document_.unknown_count = 0;
    set_bounds();
    report_losses();
    return std::move(document_);
  }

 private:
  using Key = std::pair<Index, bool>;  ///< material, and whether it is skinned

  /// What has fewer levels than others keeps its coarsest one.
  void place_meshes(std::size_t level) {
    const auto levels = scene::levels_of_detail(scene_);
    for (const auto& mesh : scene_.meshes) {
      const auto lod = mesh.node < levels.size() ? levels[mesh.node] : scene::LevelOfDetail();
      if (lod.owner < levels.size() && lod.level != std::min(level, scene_.nodes[lod.owner].lods.size())) {
        continue;
      }
      auto placed = bones_.placed(mesh);
      for (std::size_t i = 0; i < placed.size(); ++i) {
        if (!placed[i].indices.empty()) {
          by_material_[{mesh.parts[i].material, placed[i].skinned}].push_back(meshes_.size());
          meshes_.push_back(std::move(placed[i]));
        }
      }
    }
  }

  void add_mesh(Index material, bool skinned, const std::vector<std::size_t>& meshes,
                PaletteBuilder& palette) {
    const bool colored =
        std::any_of(meshes.begin(), meshes.end(), [&](std::size_t i) { return meshes_[i].colored; });
    const std::string_view definition = definition_for(skinned, colored);
    const materials::Layout layout = layout_named(definition);
    const auto layout_uvs = static_cast<std::size_t>(
        std::count_if(layout.entries.begin(), layout.entries.end(),
                      [](const auto& entry) { return entry.usage == Usage::texcoord; }));
    FileMeshBuilder builder(layout, document_);
    for (const std::size_t i : meshes) {
      lost_uvs_ += meshes_[i].uv_sets > layout_uvs ? 1U : 0U;
      builder.add(meshes_[i]);
    }
    builder.finish();
    palette.add(material, definition);
  }

  void set_bounds() {
    Box& box = document_.bounds;
    bool first = true;
    for (const auto& mesh : meshes_) {
      for (const std::uint32_t index : mesh.indices) {
        const Vec3& position = mesh.vertices[index].position;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          box[0].at(axis) = first ? position.at(axis) : std::min(box[0].at(axis), position.at(axis));
          box[1].at(axis) = first ? position.at(axis) : std::max(box[1].at(axis), position.at(axis));
        }
        first = false;
      }
    }
  }

  void report_losses() {
    const auto lose = [&](const std::string& what) { diagnostics_.add(codes::kSceneLost, what); };
    const auto count = [&](const auto& test) {
      return static_cast<std::size_t>(std::count_if(scene_.meshes.begin(), scene_.meshes.end(), test));
    };
    const auto meshes = [](std::size_t number) {
      return std::to_string(number) + (number == 1 ? " mesh" : " meshes");
    };
    if (lost_uvs_ > 0) {
      lose("UV sets that the layout cannot store left out of " + meshes(lost_uvs_));
    }
    if (const std::size_t cut = bones_.cut(); cut > 0) {
      lose(counted(cut, "vertex") + " reduced to the four strongest influences");
    }
    for (const std::string& loss : scene::surface_losses(scene_, {})) {
      lose(loss);
    }
    if (!scene_.clips.empty()) {
      lose(counted(scene_.clips.size(), "animation") +
           " left out; convert the scene to .mrn as well to preserve them");
    }
    if (const auto morphing = count([](const auto& mesh) { return !mesh.morph_targets.empty(); });
        morphing > 0) {
      lose("morph targets left out of " + meshes(morphing));
    }
    if (const auto wired = count([](const auto& mesh) { return !mesh.wires.empty(); }); wired > 0) {
      lose("points and lines left out of " + meshes(wired));
    }
    for (const std::string& loss : scene::object_losses(scene_)) {
      lose(loss);
    }
  }

  const scene::Scene& scene_;
  TextureList& textures_;
  Diagnostics& diagnostics_;
  ModelBones bones_;
  Document document_;
  std::vector<PlacedMesh> meshes_;
  std::map<Key, std::vector<std::size_t>> by_material_;
  std::size_t lost_uvs_ = 0;
};

/// Coarser levels lose what the finest did.
void report_new(const Diagnostics& findings, std::size_t level, Diagnostics& reported) {
  const auto& known = reported.items();
  for (const Diagnostic& finding : findings.items()) {
    const bool again = std::any_of(known.begin(), known.end(), [&](const Diagnostic& other) {
      return other.code == finding.code && other.message == finding.message;
    });
    if (!again) {
      reported.add(finding.code, finding.message, {},
                   level == 0 ? finding.path : "level " + std::to_string(level));
    }
  }
}

}  // namespace

Result<ModelOfScene> from_scene(const scene::Scene& scene, Diagnostics& diagnostics, const Control* control) {
  std::size_t levels = 1;
  for (const auto& node : scene.nodes) {
    levels = std::max(levels, node.lods.size() + 1);
  }
  TextureList textures(scene, diagnostics);
  ModelOfScene model;
  for (std::size_t level = 0; level < levels; ++level) {
    Diagnostics findings;
    auto built = LevelBuilder(scene, textures, findings).run(level, control);
    report_new(findings, level, diagnostics);
    if (!built) {
      return tl::unexpected<Error>(std::move(built.error()));
    }
    model.levels.push_back(std::move(*built));
  }
  model.pictures = textures.take();
  return model;
}

}  // namespace thaw::dme
