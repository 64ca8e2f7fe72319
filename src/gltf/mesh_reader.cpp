#include "gltf/scene_reader.hpp"

#include <thaw/control.hpp>

#include "bytes/number_text.hpp"
#include "bytes/order.hpp"
#include "gltf/document.hpp"
#include "gltf/extras_visitors.hpp"
#include "gltf/part_source.hpp"
#include "gltf/soundness.hpp"
#include "scene/math.hpp"
#include "scene/normals.hpp"
#include "scene/weights.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

namespace thaw::gltf {

using scene::Index;
using scene::kNone;

namespace {

/// A file may use one mesh many times; what comes out of it must stay in proportion.
constexpr std::size_t kMaxMeshes = 65536;

template <std::size_t size>
void append(Array<std::array<float, size>>& to, const Elements& from) {
  for (std::size_t i = 0; i < from.count; ++i) {
    std::array<float, size> value{};
    std::copy_n(from.values.begin() + static_cast<std::ptrdiff_t>(i * from.components),
                std::min<std::size_t>(size, from.components), value.begin());
    to.push_back(value);
  }
}

/// What a value takes when copied, in numbers.
std::size_t size_of_value(const Value& value) {
  std::size_t size = sizeof(Value) / sizeof(double);
  if (const auto* text = std::get_if<std::string>(&value.storage())) {
    size += text->size() / sizeof(double);
  } else if (const auto* items = std::get_if<Value::List>(&value.storage())) {
    for (const Value& item : *items) {
      size += size_of_value(item);
    }
  } else if (const auto* object = std::get_if<Value::Object>(&value.storage())) {
    for (const auto& [name, inside] : *object) {
      size += (sizeof(std::string) + name.size()) / sizeof(double) + size_of_value(inside);
    }
  }
  return size;
}

/// Of a part of a mesh.
constexpr std::size_t kPartNumbers = 2;

constexpr Index kFan = 6;

std::vector<std::uint32_t> triangles(const std::vector<std::uint32_t>& corners, Index mode) {
  if (mode == kTriangles) {
    auto result = corners;
    result.resize(result.size() / 3 * 3);
    return result;
  }
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i + 2 < corners.size(); ++i) {
    if (mode == kFan) {
      result.insert(result.end(), {corners[0], corners[i + 1], corners[i + 2]});
    } else {
      result.insert(result.end(), {corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]});
    }
  }
  return result;
}

/// Builds one mesh of the scene from the primitives of one of glTF's.
class MeshAssembler {
 public:
  /// The skin has `joints`; 0 without one.
  MeshAssembler(Input& input, Diagnostics& diagnostics, scene::Mesh& mesh, std::size_t joints,
                std::string path)
      : input_(input), diagnostics_(diagnostics), mesh_(mesh), joints_(joints), path_(std::move(path)) {}

  /// The error is one with which the file is refused.
  Result<void> add(const Value& primitive, std::size_t number) {
    if (auto added = try_add(primitive); !added) {
      refuse(std::move(added.error()));
    }
    if (refused_) {
      refused_->path = path_ + ".primitives[" + std::to_string(number) + "]";
      return tl::unexpected<Error>(std::move(*refused_));
    }
    return {};
  }

  /// All arrays get as long as there are vertices, or empty where there is no room for that.
  void finish() {
    const std::size_t count = mesh_.positions.size();
    fill_streams(count);
    const auto trim = [&](auto& values, std::size_t per_vertex) {
      if (values.size() != count * per_vertex) {
        values.clear();
      }
    };
    trim(mesh_.normals, 1);
    trim(mesh_.tangents, 1);
    trim(mesh_.colors, 1);
    trim(mesh_.joints, mesh_.influences);
    trim(mesh_.weights, mesh_.influences);
    for (auto& set : mesh_.uv_sets) {
      trim(set, 1);
    }
    while (!mesh_.uv_sets.empty() && mesh_.uv_sets.back().empty()) {
      mesh_.uv_sets.pop_back();
    }
    if (lacks_normals_ && !mesh_.normals.empty()) {
      const auto computed = scene::smooth_normals(mesh_);
      std::transform(mesh_.normals.begin(), mesh_.normals.end(), computed.begin(), mesh_.normals.begin(),
                     [](const Vec3& value, const Vec3& other) { return value == Vec3{} ? other : value; });
    }
    settle_skin();
    for (auto& target : mesh_.morph_targets) {
      fill(target.positions, count);
      if (!target.normals.empty()) {
        fill(target.normals, count);
      }
      trim(target.positions, 1);
      trim(target.normals, 1);
    }
  }

  /// Of streams that some vertices have, with what the others look like without.
  void fill_streams(std::size_t count) {
    if (!mesh_.normals.empty()) {
      lacks_normals_ = lacks_normals_ || mesh_.normals.size() < count;
      fill(mesh_.normals, count);
    }
    if (!mesh_.tangents.empty()) {
      fill(mesh_.tangents, count, {1, 0, 0, 1});
    }
    if (!mesh_.colors.empty()) {
      fill(mesh_.colors, count, {1, 1, 1, 1});
    }
    for (auto& set : mesh_.uv_sets) {
      fill(set, count);
    }
    if (const std::size_t whole = count * mesh_.influences;
        mesh_.joints.size() < whole && input_.spend(2 * (whole - mesh_.joints.size()))) {
      mesh_.joints.resize(whole, 0);
      mesh_.weights.resize(whole, 0);
    }
  }

  void name_targets(const Value& source) {
    const auto& names = list(member(&source, "extras"), "targetNames");
    for (std::size_t i = 0; i < std::min(names.size(), mesh_.morph_targets.size()); ++i) {
      if (const auto* name = std::get_if<std::string>(&names[i].storage())) {
        mesh_.morph_targets[i].name = *name;
      }
    }
  }

 private:
  static constexpr unsigned kInfluencesOfSet = 4;
  /// More sets than any exporter writes cost time only.
  static constexpr unsigned kMaxInfluenceSets = 16;

  void settle_skin() {
    if (joints_ == 0 || mesh_.joints.empty() || mesh_.weights.empty()) {
      mesh_.influences = 0;
      mesh_.joints.clear();
      mesh_.weights.clear();
      mesh_.skin = kNone;
    } else if (const std::size_t changed = scene::settle_weights(mesh_, joints_); changed > 0) {
      diagnostics_.add(codes::kGltfReference,
                       "missing joints or invalid weights removed from " + counted(changed, "vertex"), {},
                       path_);
    }
    scene::equalise_weights(mesh_);
  }

  struct Vertices {
    Index first = 0;
    Index count = 0;
  };

  /// How coordinates come of whole numbers: offset + scale · number.
  struct Unpacking {
    Vec2 offset{};
    Vec2 scale{1, 1};
    friend bool operator==(const Unpacking&, const Unpacking&) = default;
  };

  struct Streams {
    std::vector<Index> attributes;
    std::vector<Index> targets;
    Vec3 tint{1, 1, 1};  ///< linear
    Unpacking unpacking;
    friend bool operator<(const Streams& a, const Streams& b) {
      const ListOrder before;
      if (a.tint != b.tint) {
        return std::lexicographical_compare(a.tint.begin(), a.tint.end(), b.tint.begin(), b.tint.end());
      }
      if (!(a.unpacking == b.unpacking)) {
        return std::tie(a.unpacking.offset[0], a.unpacking.offset[1], a.unpacking.scale[0],
                        a.unpacking.scale[1]) < std::tie(b.unpacking.offset[0], b.unpacking.offset[1],
                                                         b.unpacking.scale[0], b.unpacking.scale[1]);
      }
      return a.attributes == b.attributes ? before(a.targets, b.targets) : before(a.attributes, b.attributes);
    }
  };
  /// What the primitive's material multiplies its picture by; only vertices can say that in a scene.
  [[nodiscard]] Vec3 tint_of(const Value& primitive) const {
    if (!input_.base_colors()) {
      return {1, 1, 1};
    }
    std::array<float, 4> factor{1, 1, 1, 1};
    const Value* material = input_.item("materials", index(&primitive, "material"));
    if (input_.keeps_materials() && shows_written(material)) {
      return {1, 1, 1};  // the mesh has its own colour
    }
    numbers(member(material, "pbrMetallicRoughness"), "baseColorFactor", factor);
    Vec3 tint{};
    std::transform(factor.begin(), factor.begin() + 3, tint.begin(),
                   [](float part) { return std::clamp(part, 0.0F, 1.0F); });
    return tint;
  }
  /// What some primitives have and others lack; vertices that a target does not name stay where they are. A
  /// file can request far more of these than it has bytes.
  template <std::size_t size>
  void fill(Array<std::array<float, size>>& values, std::size_t count,
            const std::array<float, size>& usual = {}) {
    if (values.size() < count && input_.spend((count - values.size()) * size)) {
      values.resize(count, usual);
    }
  }

  /// Primitives that share their vertices, as layers over each other do, share them here too.
  Result<Vertices> vertices_of(const Value& primitive) {
    const Value* attributes = member(&primitive, "attributes");
    const Index positions = index(attributes, "POSITION");
    auto requested = std::pair(positions, streams_of(primitive));
    if (const auto known = known_.find(requested); known != known_.end()) {
      return known->second;
    }
    if (const auto known = wire_vertices(primitive, requested); known) {
      return *known;
    }
    const std::size_t base = mesh_.positions.size();
    auto read = input_.floats(positions);
    if (!read || read->components != 3) {
      return read ? fail(codes::kGltfReference, "positions are not three-component vectors")
                  : tl::unexpected<Error>(read.error());
    }
    append(mesh_.positions, *read);
    lacks_normals_ = lacks_normals_ || mesh_.normals.size() < base;
    add_attribute(attributes, "NORMAL", 3, base, mesh_.normals);
    add_attribute(attributes, "TANGENT", 4, base, mesh_.tangents, {1, 0, 0, 1});
    add_colors(attributes, base, requested.second.tint);
    add_uv_sets(attributes, base, requested.second.unpacking);
    add_influences(attributes, base);
    add_targets(primitive, base);
    const Vertices vertices{static_cast<Index>(base), static_cast<Index>(read->count)};
    known_.emplace(std::move(requested), vertices);
    return vertices;
  }

  /// Points and lines need no tangents: they share the vertices of triangles that have them.
  [[nodiscard]] std::optional<Vertices> wire_vertices(const Value& primitive,
                                                      const std::pair<Index, Streams>& requested) const {
    if (index(&primitive, "mode") >= kTriangles) {  // also where there is none
      return std::nullopt;
    }
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const auto& known) {
      const auto& [positions, streams] = known.first;
      return positions == requested.first && streams.tint == requested.second.tint &&
             streams.unpacking == requested.second.unpacking && streams.targets == requested.second.targets &&
             std::equal(streams.attributes.begin(), streams.attributes.end(),
                        requested.second.attributes.begin(),
                        [](Index value, Index other) { return other == kNone || value == other; });
    });
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  /// The accessors of all that vertices have in addition to positions.
  [[nodiscard]] Streams streams_of(const Value& primitive) const {
    static constexpr std::array<std::string_view, 15> kNames = {
        "NORMAL",     "TANGENT",    "COLOR_0",    "JOINTS_0",   "WEIGHTS_0",
        "JOINTS_1",   "WEIGHTS_1",  "TEXCOORD_0", "TEXCOORD_1", "TEXCOORD_2",
        "TEXCOORD_3", "TEXCOORD_4", "TEXCOORD_5", "TEXCOORD_6", "TEXCOORD_7"};
    Streams streams;
    streams.tint = tint_of(primitive);
    streams.unpacking = unpacking_of(primitive);
    const Value* attributes = member(&primitive, "attributes");
    for (const auto name : kNames) {
      streams.attributes.push_back(index(attributes, name));
    }
    for (const Value& target : list(&primitive, "targets")) {
      streams.targets.push_back(index(&target, "POSITION"));
      streams.targets.push_back(index(&target, "NORMAL"));
    }
    return streams;
  }

  template <std::size_t size>
  void add_attribute(const Value* attributes, std::string_view name, unsigned components, std::size_t base,
                     Array<std::array<float, size>>& to, const std::array<float, size>& usual = {}) {
    const Index accessor = index(attributes, name);
    if (accessor == kNone) {
      return;
    }
    fill(to, base, usual);
    if (to.size() != base) {
      return;
    }
    const auto read = input_.floats(accessor);
    if (!read) {
      refuse(read.error());
    } else if (read->components == components && base + read->count == mesh_.positions.size()) {
      append(to, *read);
    } else {
      diagnostics_.add(codes::kGltfReference,
                       std::string(name) + " left out; it needs one vector of " +
                           counted(components, "component") + " per position",
                       {}, path_);
    }
  }

  /// In glTF colours are linear, in a scene as the games have them.
  void add_colors(const Value* attributes, std::size_t base, const Vec3& tint) {
    const Index accessor = index(attributes, "COLOR_0");
    if (accessor == kNone && tint == Vec3{1, 1, 1}) {
      return;
    }
    fill(mesh_.colors, base, {1, 1, 1, 1});
    if (mesh_.colors.size() != base) {
      return;
    }
    const auto read = accessor == kNone ? fail(codes::kGltfReference, "") : input_.floats(accessor);
    if (!read && accessor != kNone) {
      refuse(read.error());
    } else if (read && base + read->count == mesh_.positions.size()) {
      append(mesh_.colors, *read);
      for (std::size_t i = base; read->components == 3 && i < mesh_.colors.size(); ++i) {
        mesh_.colors[i][3] = 1;
      }
    } else if (tint != Vec3{1, 1, 1}) {
      fill(mesh_.colors, mesh_.positions.size(), {1, 1, 1, 1});
    }
    for (std::size_t i = base; i < mesh_.colors.size(); ++i) {
      for (std::size_t part = 0; part < 3; ++part) {
        const double linear = double{mesh_.colors[i][part]} * double{tint[part]};
        mesh_.colors[i][part] = static_cast<float>(scene::linear_to_srgb(linear));
      }
    }
  }

  [[nodiscard]] bool has_whole_numbers(Index accessor) const {
    constexpr Index kFloats = 5126;
    return index(input_.item("accessors", accessor), "componentType") != kFloats;
  }

  /// Packers write coordinates in whole numbers, and put what undoes them into the material. Where the
  /// material comes from extras, which know nothing of it, it goes into the coordinates.
  [[nodiscard]] Unpacking unpacking_of(const Value& primitive) const {
    const Value* material = input_.item("materials", index(&primitive, "material"));
    const bool written = shows_written(material);
    if (!input_.keeps_materials() || !written ||
        !has_whole_numbers(index(member(&primitive, "attributes"), "TEXCOORD_0"))) {
      return {};
    }
    const Value* use = member(member(material, "pbrMetallicRoughness"), "baseColorTexture");
    use = use == nullptr ? member(material, "emissiveTexture") : use;
    const Value* transform = member(member(use, "extensions"), "KHR_texture_transform");
    Unpacking unpacking;
    numbers(transform, "offset", unpacking.offset);
    numbers(transform, "scale", unpacking.scale);
    return unpacking;
  }

  void add_uv_sets(const Value* attributes, std::size_t base, const Unpacking& unpacking) {
    constexpr std::size_t kMaxSets = 8;
    for (std::size_t set = 0; set < kMaxSets; ++set) {
      const std::string name = "TEXCOORD_" + std::to_string(set);
      if (index(attributes, name) == kNone) {
        return;
      }
      if (mesh_.uv_sets.size() <= set) {
        mesh_.uv_sets.emplace_back();
      }
      auto& coordinates = mesh_.uv_sets[set];
      add_attribute(attributes, name, 2, base, coordinates);
      for (std::size_t i = base; i < coordinates.size() && !(unpacking == Unpacking{}); ++i) {
        for (std::size_t axis = 0; axis < 2; ++axis) {
          coordinates[i].at(axis) =
              unpacking.offset.at(axis) + unpacking.scale.at(axis) * coordinates[i].at(axis);
        }
      }
    }
  }

  /// The sets of four that follow each other.
  [[nodiscard]] static unsigned influence_sets(const Value* attributes) {
    unsigned sets = 0;
    while (sets < kMaxInfluenceSets && index(attributes, "JOINTS_" + std::to_string(sets)) != kNone &&
           index(attributes, "WEIGHTS_" + std::to_string(sets)) != kNone) {
      ++sets;
    }
    return sets;
  }

  /// Makes room for more influences of each vertex so far; false if there is none.
  bool widen_influences(unsigned influences, std::size_t vertices) {
    const unsigned before = mesh_.influences;
    if (before >= influences && mesh_.joints.size() >= vertices * before) {
      return true;
    }
    const unsigned width = std::max(before, influences);
    if (!input_.spend(std::size_t{2} * width * vertices)) {
      return false;
    }
    Array<std::uint16_t> joints;
    Array<float> weights;
    joints.resize(width * vertices, 0);
    weights.resize(width * vertices, 0);
    for (std::size_t i = 0; i < mesh_.joints.size(); ++i) {
      joints[i / before * width + i % before] = mesh_.joints[i];
      weights[i / before * width + i % before] = mesh_.weights[i];
    }
    mesh_.joints = std::move(joints);
    mesh_.weights = std::move(weights);
    mesh_.influences = width;
    return true;
  }

  /// Of vertices in sets of four; those of the others stay 0.
  void add_influences(const Value* attributes, std::size_t base) {
    const unsigned sets = influence_sets(attributes);
    const std::size_t vertices = mesh_.positions.size();
    if (sets == 0 || !widen_influences(sets * kInfluencesOfSet, base)) {
      return;
    }
    const std::size_t width = mesh_.influences;
    if (!input_.spend(2 * (vertices - base) * width)) {
      return;
    }
    mesh_.joints.resize(vertices * width, 0);
    mesh_.weights.resize(vertices * width, 0);
    for (unsigned set = 0; set < sets; ++set) {
      const std::string number = std::to_string(set);
      const auto joints = input_.integers(index(attributes, "JOINTS_" + number));
      const auto weights = input_.floats(index(attributes, "WEIGHTS_" + number));
      const std::size_t requested = (vertices - base) * kInfluencesOfSet;
      if (!joints || !weights) {
        refuse(joints ? weights.error() : joints.error());
        return;
      }
      if (joints->size() != requested || weights->values.size() != requested) {
        diagnostics_.add(codes::kGltfReference,
                         "JOINTS_" + number + " and WEIGHTS_" + number +
                             " left out; they need one vector of 4 components per position",
                         {}, path_);
        continue;
      }
      for (std::size_t i = 0; i < requested; ++i) {
        const std::size_t at = (base + i / kInfluencesOfSet) * width + std::size_t{set} * kInfluencesOfSet +
                               i % kInfluencesOfSet;
        mesh_.joints[at] = static_cast<std::uint16_t>(std::min<std::uint32_t>((*joints)[i], 0xFFFF));
        mesh_.weights[at] = weights->values[i];
      }
    }
  }

  void add_targets(const Value& primitive, std::size_t base) {
    const auto& targets = list(&primitive, "targets");
    if (!input_.spend(targets.size() * sizeof(scene::MorphTarget) / sizeof(double))) {
      refuse({codes::kGltfReference,
              {},
              {},
              "the mesh has more morph targets than a file of this size can contain"});
      return;
    }
    if (mesh_.morph_targets.size() < targets.size()) {
      mesh_.morph_targets.resize(targets.size());
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      auto& target = mesh_.morph_targets[i];
      fill(target.positions, base);
      add_attribute(&targets[i], "POSITION", 3, base, target.positions);
      if (index(&targets[i], "NORMAL") != kNone) {
        fill(target.normals, base);
        add_attribute(&targets[i], "NORMAL", 3, base, target.normals);
      }
    }
  }

  Result<void> try_add(const Value& primitive) {
    const Index mode = member(&primitive, "mode") == nullptr ? kTriangles : index(&primitive, "mode");
    if (mode > kFan) {
      return fail(codes::kGltfReference, "unknown primitive mode " + std::to_string(mode));
    }
    if (index(member(&primitive, "attributes"), "POSITION") == kNone) {
      diagnostics_.add(codes::kGltfUnsupported, "primitive without positions left out", {}, path_);
      return {};
    }
    const auto vertices = vertices_of(primitive);
    if (!vertices) {
      return tl::unexpected<Error>(vertices.error());
    }
    std::vector<std::uint32_t> corners;
    if (const Index accessor = index(&primitive, "indices"); accessor != kNone) {
      auto read = input_.integers(accessor);
      if (!read) {
        return tl::unexpected<Error>(std::move(read.error()));
      }
      corners = std::move(*read);
    } else {
      if (auto allowed = input_.spend(vertices->count); !allowed) {
        return allowed;
      }
      corners.resize(vertices->count);
      std::iota(corners.begin(), corners.end(), 0U);
    }
    if (mode < kTriangles) {
      return add_wire(static_cast<scene::Wire::Mode>(mode), corners, *vertices,
                      index(&primitive, "material"));
    }
    return add_faces(triangles(corners, mode), *vertices, index(&primitive, "material"));
  }

  Index known_material(Index material) {
    if (material == kNone || input_.item("materials", material) != nullptr) {
      return material;
    }
    diagnostics_.add(codes::kGltfReference, "the material does not exist; the primitive has none instead", {},
                     path_);
    return kNone;
  }

  Result<void> add_wire(scene::Wire::Mode mode, const std::vector<std::uint32_t>& corners,
                        const Vertices& vertices, Index material) {
    using Mode = scene::Wire::Mode;
    scene::Wire wire{mode, {}, known_material(material)};
    const std::size_t count = mode == Mode::lines ? corners.size() / 2 * 2 : corners.size();
    if (count < (mode == Mode::points ? 1 : 2)) {
      return {};
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (corners[i] >= vertices.count) {
        return fail(codes::kGltfReference, "points or lines refer to vertices that do not exist");
      }
      wire.indices.push_back(vertices.first + corners[i]);
    }
    mesh_.wires.push_back(std::move(wire));
    return {};
  }

  Result<void> add_faces(const std::vector<std::uint32_t>& corners, const Vertices& vertices,
                         Index material) {
    const auto first = static_cast<Index>(mesh_.indices.size());
    for (const std::uint32_t corner : corners) {
      if (corner >= vertices.count) {
        return fail(codes::kGltfReference, "triangles refer to vertex " + std::to_string(corner) +
                                               "; the count is " + std::to_string(vertices.count));
      }
      mesh_.indices.push_back(vertices.first + corner);
    }
    mesh_.parts.push_back(
        {first, static_cast<Index>(mesh_.indices.size()) - first, known_material(material)});
    return {};
  }

  void refuse(Error error) {
    if (!refused_) {
      refused_ = std::move(error);
    }
  }

  Input& input_;
  Diagnostics& diagnostics_;
  scene::Mesh& mesh_;
  std::size_t joints_;
  std::string path_;
  std::map<std::pair<Index, Streams>, Vertices> known_;  ///< by the accessors of positions and all else
  bool lacks_normals_ = false;                           ///< some vertices, which others have
  std::optional<Error> refused_;
};

/// What a mesh takes when copied, in numbers.
std::size_t size_of_mesh(const scene::Mesh& mesh) {
  std::size_t numbers = kPartNumbers * mesh.parts.size() + mesh.indices.size() +
                        3 * (mesh.positions.size() + mesh.normals.size()) +
                        4 * (mesh.tangents.size() + mesh.colors.size()) + mesh.joints.size() +
                        mesh.weights.size();
  for (const auto& wire : mesh.wires) {
    numbers += kPartNumbers + wire.indices.size();
  }
  for (const auto& set : mesh.uv_sets) {
    numbers += 2 * set.size();
  }
  for (const auto& target : mesh.morph_targets) {
    numbers += sizeof(target) / sizeof(double) + 3 * (target.positions.size() + target.normals.size());
  }
  return numbers;
}

}  // namespace

/// The name and the extras of a mesh, counted in numbers.
std::size_t SceneReader::size_of_words(Index source_mesh, const Value& source) {
  const auto [known, fresh] = words_.emplace(source_mesh, 0);
  if (fresh) {
    const Value* extras = member(&source, "extras");
    // Names of targets stand in the extras and become names, too.
    known->second =
        text(&source, "name").size() / sizeof(double) + (extras == nullptr ? 0 : 2 * size_of_value(*extras));
  }
  return known->second;
}

/// Each problem of it is reported once.
bool SceneReader::assemble_mesh(Index source_mesh, const Value& source, std::size_t joints,
                                scene::Mesh& mesh) {
  MeshAssembler assembler(input_, diagnostics_, mesh, joints, "meshes[" + std::to_string(source_mesh) + "]");
  const auto& primitives = list(&source, "primitives");
  bool room = true;
  for (std::size_t i = 0; i < primitives.size() && room; ++i) {
    room = input_.spend(kPartNumbers).has_value();
    if (auto added = room ? assembler.add(primitives[i], i) : Result<void>(); !added) {
      refused_ = refused_ ? std::move(refused_) : std::move(added.error());
      return true;
    }
  }
  room = room && input_.spend(size_of_words(source_mesh, source));
  if (room) {
    mesh.name = text(&source, "name");
    assembler.name_targets(source);
    take_extras(&source, "mesh", mesh);
    if (input_.keeps_materials()) {
      FieldReader fields(thaw_extras(&source));
      fields.field("color", mesh.color);
      fields.field("alpha", mesh.alpha);
    }
  }
  assembler.finish();
  return room;
}

void SceneReader::read_mesh(Index source_mesh, Index node, Index skin) {
  const Value* source = input_.item("meshes", source_mesh);
  const std::string path = "meshes[" + std::to_string(source_mesh) + "]";
  if (source == nullptr || scene_.meshes.size() >= kMaxMeshes) {
    refuse({codes::kGltfReference,
            {},
            {},
            source == nullptr ? "the mesh does not exist"
                              : "the scene has more than " + std::to_string(kMaxMeshes) + " meshes"},
           path);
    return;
  }
  scene::Mesh mesh;
  mesh.node = node;
  mesh.skin = skin < scene_.skins.size() ? skin : kNone;
  const std::size_t joints = mesh.skin == kNone ? 0 : scene_.skins[mesh.skin].joints.size();
  // Where a skin has fewer joints, weights become others.
  const auto [entry, fresh] = known_meshes_.emplace(std::pair(source_mesh, joints), KnownMesh{});
  KnownMesh& known = entry->second;
  const bool room = fresh ? assemble_mesh(source_mesh, *source, joints, mesh)
                          : input_.spend_copy(known.numbers).has_value();
  if (fresh) {
    known = {static_cast<Index>(scene_.meshes.size()),
             size_of_mesh(mesh) + size_of_words(source_mesh, *source)};
  } else if (room) {
    mesh = scene_.meshes[known.first];
    mesh.node = node;
    mesh.skin = mesh.skin == kNone ? kNone : skin;
  }
  if (!room) {
    refuse({codes::kGltfReference,
            {},
            {},
            "the mesh is used by more nodes than a file of this size can contain"},
           path);
  }
  mesh_of_node_[node] = static_cast<Index>(scene_.meshes.size());
  scene_.meshes.push_back(std::move(mesh));
}

/// Where the instances of a mesh stand; none where their lists are of different lengths.
Result<std::vector<scene::Transform>> SceneReader::places_of(const Value* attributes) {
  constexpr std::size_t kNumbersOfNode = sizeof(scene::Node) / sizeof(float);
  std::array<std::optional<Elements>, 3> lists;
  constexpr std::array<std::string_view, 3> kNames = {"TRANSLATION", "ROTATION", "SCALE"};
  std::size_t count = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const Index accessor = index(attributes, kNames.at(i));
    if (accessor == kNone) {
      continue;
    }
    auto read = input_.floats(accessor);
    if (!read || read->components != (i == 1 ? 4U : 3U) || (count > 0 && read->count != count)) {
      return read ? fail(codes::kGltfReference, read->components != (i == 1 ? 4U : 3U)
                                                    ? "an instance attribute has an invalid type"
                                                    : "instance attributes have different lengths")
                  : tl::unexpected<Error>(std::move(read.error()));
    }
    count = read->count;
    lists.at(i) = std::move(*read);
  }
  if (auto room = input_.spend_copy(count * kNumbersOfNode); !room) {
    return tl::unexpected<Error>(std::move(room.error()));
  }
  std::vector<scene::Transform> places(count);
  const auto take = [&](std::size_t i, std::size_t list, auto& part) {
    if (lists.at(list)) {
      std::copy_n(lists.at(list)->values.begin() + static_cast<std::ptrdiff_t>(i * part.size()), part.size(),
                  part.begin());
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    take(i, 0, places[i].translation);
    take(i, 1, places[i].rotation);
    take(i, 2, places[i].scale);
    places[i].rotation = scene::narrow(scene::normalized(scene::widen(places[i].rotation)));
  }
  return places;
}

/// Each instance is a node of its own below the one that has them (EXT_mesh_gpu_instancing).
void SceneReader::read_instances(Index source, const Value& instances) {
  const std::string path = "nodes[" + std::to_string(source) + "]";
  const Value* attributes = member(&instances, "attributes");
  auto places = places_of(attributes);
  if (!places) {
    refuse(std::move(places.error()), path);
    return;
  }
  const Index parent = node_of_[source];
  const Index mesh = index(input_.item("nodes", source), "mesh");
  scene_.nodes[parent].kind = scene::NodeKind::helper;
  for (std::size_t i = 0; i < places->size() && !refused_; ++i) {
    scene::Node node;
    node.name = scene_.nodes[parent].name + "_" + std::to_string(i + 1);
    node.parent = parent;
    node.rest = (*places)[i];
    node.kind = scene::NodeKind::mesh;
    scene_.nodes.push_back(std::move(node));
    read_mesh(mesh, static_cast<Index>(scene_.nodes.size() - 1), kNone);
  }
  for (const auto& [name, accessor] : attributes == nullptr ? Value::Object() : attributes->object()) {
    if (name != "TRANSLATION" && name != "ROTATION" && name != "SCALE") {
      diagnostics_.add(codes::kGltfUnsupported, "unsupported instance attribute " + name + " ignored", {},
                       path);
    }
  }
}

void SceneReader::read_meshes() {
  for (Index source = 0; source < node_of_.size(); ++source) {
    if (refused_ || !proceed(control_, "nodes", source, node_of_.size())) {
      return;
    }
    const Value* node = input_.item("nodes", source);
    const Index mesh = index(node, "mesh");
    if (node_of_[source] == kNone || mesh == kNone) {
      continue;
    }
    if (const Value* instances = member(member(node, "extensions"), "EXT_mesh_gpu_instancing")) {
      read_instances(source, *instances);
    } else {
      read_mesh(mesh, node_of_[source], index(node, "skin"));
    }
  }
}

}  // namespace thaw::gltf
