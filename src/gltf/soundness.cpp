#include "gltf/soundness.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"
#include "gltf/draco.hpp"
#include "gltf/input.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

namespace thaw::gltf {
namespace {

using scene::Index;
using scene::kNone;

constexpr std::size_t kMostFaults = 1000;

/// Members of the JSON that name an item of a list: lists on the way are gone through, `*` is every member.
struct Reference {
  std::string_view from;
  std::string_view to;
};

constexpr std::array kReferences = {
    Reference{"scene", "scenes"},
    Reference{"scenes/nodes", "nodes"},
    Reference{"nodes/children", "nodes"},
    Reference{"nodes/mesh", "meshes"},
    Reference{"nodes/skin", "skins"},
    Reference{"nodes/camera", "cameras"},
    Reference{"nodes/extensions/EXT_mesh_gpu_instancing/attributes/*", "accessors"},
    Reference{"skins/joints", "nodes"},
    Reference{"skins/inverseBindMatrices", "accessors"},
    Reference{"meshes/primitives/attributes/*", "accessors"},
    Reference{"meshes/primitives/extensions/KHR_draco_mesh_compression/bufferView", "bufferViews"},
    Reference{"meshes/primitives/indices", "accessors"},
    Reference{"meshes/primitives/material", "materials"},
    Reference{"meshes/primitives/targets/*", "accessors"},
    Reference{"accessors/bufferView", "bufferViews"},
    Reference{"accessors/sparse/indices/bufferView", "bufferViews"},
    Reference{"accessors/sparse/values/bufferView", "bufferViews"},
    Reference{"bufferViews/buffer", "buffers"},
    Reference{"bufferViews/extensions/EXT_meshopt_compression/buffer", "buffers"},
    Reference{"images/bufferView", "bufferViews"},
    Reference{"textures/source", "images"},
    Reference{"textures/extensions/EXT_texture_webp/source", "images"},
    Reference{"textures/sampler", "samplers"},
    Reference{"materials/pbrMetallicRoughness/baseColorTexture/index", "textures"},
    Reference{"materials/pbrMetallicRoughness/metallicRoughnessTexture/index", "textures"},
    Reference{"materials/normalTexture/index", "textures"},
    Reference{"materials/occlusionTexture/index", "textures"},
    Reference{"materials/emissiveTexture/index", "textures"},
    Reference{"animations/channels/target/node", "nodes"},
    Reference{"animations/samplers/input", "accessors"},
    Reference{"animations/samplers/output", "accessors"}};

using Visit = std::function<void(const Value& value, const std::string& path)>;

void each(const Value& value, std::string_view pattern, const std::string& path, const Visit& visit) {
  if (const auto* items = std::get_if<Value::List>(&value.storage())) {
    for (std::size_t i = 0; i < items->size(); ++i) {
      each((*items)[i], pattern, path + "[" + std::to_string(i) + "]", visit);
    }
    return;
  }
  if (pattern.empty()) {
    if (!value.is_null()) {
      visit(value, path);
    }
    return;
  }
  const std::string_view name = pattern.substr(0, pattern.find('/'));
  const std::string_view rest = pattern.substr(std::min(pattern.size(), name.size() + 1));
  const std::string begin = path.empty() ? "" : path + ".";
  if (name == "*") {
    for (const auto& [member, inside] : value.object()) {
      each(inside, rest, begin + member, visit);
    }
  } else if (const Value* inside = value.find(name)) {
    each(*inside, rest, begin + std::string(name), visit);
  }
}

class Faults {
 public:
  explicit Faults(const Value& json) : json_(json) {}

  std::vector<Fault> find() {
    references();
    views();
    accessors();
    tree();
    return std::move(found_);
  }

 private:
  using Kind = Fault::Kind;

  void add(Kind kind, std::string path, std::string message) {
    if (++counts_.at(static_cast<std::size_t>(kind)) <= kMostFaults) {
      found_.push_back({kind, std::move(path), std::move(message)});
    }
  }

  [[nodiscard]] const Value::List& all(std::string_view array) const { return list(&json_, array); }

  void references() {
    for (const Reference& reference : kReferences) {
      const std::size_t count = all(reference.to).size();
      each(json_, reference.from, {}, [&](const Value& value, const std::string& path) {
        const auto named = value.integer();
        if (!named || *named < 0 || static_cast<std::uint64_t>(*named) >= count) {
          add(Kind::index, path,
              named ? path + " is " + std::to_string(*named) + "; the number of " +
                          std::string(reference.to) + " is " + std::to_string(count)
                    : path + " is not a whole number");
        }
      });
    }
  }

  void views() {
    const auto check = [&](const Value& part, const std::string& path) {
      const Index buffer = index(&part, "buffer");
      if (buffer >= all("buffers").size()) {
        return;
      }
      const double offset = number(&part, "byteOffset", 0);
      const double length = number(&part, "byteLength", -1);
      const double size = number(&all("buffers")[buffer], "byteLength", 0);
      if (!(offset >= 0) || !(length >= 0)) {
        add(Kind::view, path, path + ": byteOffset or byteLength is missing or invalid");
      } else if (offset + length > size) {
        add(Kind::view, path,
            path + " ends at byte " + whole(offset + length) + ", but buffers[" + std::to_string(buffer) +
                "] has " + whole(size) + " bytes");
      }
    };
    each(json_, "bufferViews", {}, check);
    each(json_, "bufferViews/extensions/EXT_meshopt_compression", {}, check);
  }

  static std::string whole(double value) {
    constexpr double kMost = 1e15;
    return std::abs(value) < kMost ? std::to_string(static_cast<std::int64_t>(value)) : "more than 10^15";
  }

  void accessors() {
    double empty = 0;
    each(json_, "accessors", {}, [&](const Value& accessor, const std::string& path) {
      const std::size_t component = component_size(index(&accessor, "componentType"));
      const unsigned components = components_of(text(&accessor, "type"));
      const double count = number(&accessor, "count", -1);
      if (component == 0 || components == 0 || index(&accessor, "count") == kNone) {
        add(Kind::accessor, path, path + ": componentType, type or count is missing or invalid");
        return;
      }
      empty += member(&accessor, "bufferView") == nullptr ? count * components : 0;
      const double size = static_cast<double>(component) * components;
      elements(accessor, path, count, size, true);
      if (const Value* sparse = member(&accessor, "sparse")) {
        check_sparse(*sparse, path + ".sparse", count, size);
      }
    });
    auto room = static_cast<double>(kFreeNumbers);
    for (const Value& buffer : all("buffers")) {
      room += static_cast<double>(kNumbersPerByte) * number(&buffer, "byteLength", 0);
    }
    room += static_cast<double>(kNumbersPerByte * kUsualTimes) * packed_primitives();
    if (empty > room) {
      add(Kind::accessor, "accessors", "the accessors refer to far more data than the file contains");
    }
  }

  /// Bytes of the views that primitives are packed in, each once.
  [[nodiscard]] double packed_primitives() const {
    std::set<Index> views;
    each(json_, "meshes/primitives/extensions/KHR_draco_mesh_compression", {},
         [&](const Value& packed, const std::string&) { views.insert(index(&packed, "bufferView")); });
    double sum = 0;
    for (const Index view : views) {
      sum += view < all("bufferViews").size() ? number(&all("bufferViews")[view], "byteLength", 0) : 0;
    }
    return sum;
  }

  /// Elements that lie in a view, if they lie in any.
  void elements(const Value& part, const std::string& path, double count, double size, bool strides) {
    const Index view = index(&part, "bufferView");
    if (view >= all("bufferViews").size()) {
      return;
    }
    const Value& stated = all("bufferViews")[view];
    const double stride = strides ? number(&stated, "byteStride", 0) : 0;
    const double step = stride >= 1 ? stride : size;
    const double offset = number(&part, "byteOffset", 0);
    const double end = offset + (count - 1) * step + size;
    if (!(offset >= 0)) {
      add(Kind::accessor, path, path + ": byteOffset is invalid");
    } else if (count > 0 && !(end <= number(&stated, "byteLength", 0))) {
      add(Kind::accessor, path,
          path + " ends at byte " + whole(end) + ", but bufferViews[" + std::to_string(view) + "] has " +
              whole(number(&stated, "byteLength", 0)) + " bytes");
    }
  }

  void check_sparse(const Value& sparse, const std::string& path, double elements_of, double size) {
    const Value* where = member(&sparse, "indices");
    const Value* what = member(&sparse, "values");
    const double count = number(&sparse, "count", -1);
    const std::size_t component = component_size(index(where, "componentType"));
    if (where == nullptr || what == nullptr || component == 0 || !(count >= 0 && count <= elements_of)) {
      add(Kind::accessor, path,
          where == nullptr || what == nullptr || component == 0
              ? path + ": indices, their componentType or values are missing or invalid"
          : count < 0
              ? path + ": count is missing or invalid"
              : path + " replaces " + whole(count) + " elements, but the accessor has " + whole(elements_of));
      return;
    }
    elements(*where, path + ".indices", count, static_cast<double>(component), false);
    elements(*what, path + ".values", count, size, false);
  }

  /// Nodes form trees: each has one parent, and none is below itself.
  void tree() {
    const auto& nodes = all("nodes");
    std::vector<Index> parent(nodes.size(), kNone);
    for (Index i = 0; i < nodes.size(); ++i) {
      for (const Value& child : list(&nodes[i], "children")) {
        const Index at = index_of(child);
        if (at >= nodes.size()) {
          continue;
        }
        if (parent[at] != kNone) {
          add(Kind::tree, "nodes[" + std::to_string(at) + "]",
              "nodes[" + std::to_string(at) + "] is " +
                  (parent[at] == i ? "listed twice as a child of nodes[" + std::to_string(i) + "]"
                                   : "a child of two nodes: nodes[" + std::to_string(parent[at]) +
                                         "] and nodes[" + std::to_string(i) + "]"));
        } else {
          parent[at] = i;
        }
      }
    }
    std::vector<Index> met(nodes.size(), kNone);  // by the walk that began at this node
    for (Index first = 0; first < nodes.size(); ++first) {
      Index at = first;
      while (at != kNone && met[at] == kNone) {
        met[at] = first;
        at = parent[at];
      }
      if (at != kNone && met[at] == first) {
        add(Kind::tree, "nodes[" + std::to_string(at) + "]",
            "nodes[" + std::to_string(at) + "] is its own ancestor");
      }
    }
  }

  const Value& json_;
  std::vector<Fault> found_;
  std::array<std::size_t, 4> counts_{};
};

/// Extensions that are read, or of which nothing is lost where they are not.
constexpr std::array<std::string_view, 11> kRead = {
    "EXT_mesh_gpu_instancing", "EXT_meshopt_compression",
    "EXT_texture_webp",        "KHR_animation_pointer",
    "KHR_lights_punctual",     "KHR_materials_emissive_strength",
    "KHR_materials_unlit",     "KHR_mesh_quantization",
    "KHR_texture_transform",   "MSFT_lod",
    "MSFT_screencoverage"};

/// What makes files without an extension of such that have it.
struct Remedy {
  std::string_view extension;
  std::string_view command;
};
constexpr std::array kRemedies = {Remedy{kDraco, "copy"}, Remedy{"KHR_texture_basisu", "ktxdecompress"},
                                  Remedy{"EXT_texture_avif", "png --formats '*'"},
                                  Remedy{"KHR_materials_pbrSpecularGlossiness", "metalrough"}};

}  // namespace

std::vector<Fault> faults_of(const Value& json) { return Faults(json).find(); }

Error required(std::string_view extension, std::string path) {
  std::string message = "the file requires ";
  message += extension;
  message += ", which is not supported";
  const std::size_t without_remedy = message.size();
  for (const Remedy& remedy : kRemedies) {
    if (remedy.extension == extension) {
      message += "; convert it with `gltf-transform ";
      message += remedy.command;
      message += " IN OUT`";
    }
  }
  message += message.size() == without_remedy ? "; export the file without it" : "";
  return {codes::kGltfRequired, {}, std::move(path), std::move(message)};
}

std::optional<Error> unread_requirement(const Value& json) {
  for (const Value& extension : list(&json, "extensionsRequired")) {
    const std::string& name = extension.text();
    const bool read =
        name == kDraco ? reads_draco() : std::find(kRead.begin(), kRead.end(), name) != kRead.end();
    if (!read) {
      return required(name, "extensionsRequired");
    }
  }
  return std::nullopt;
}

std::optional<Error> refusal_of(const Value& json) {
  if (auto unread = unread_requirement(json)) {
    return unread;
  }
  auto faults = faults_of(json);
  if (faults.empty()) {
    return std::nullopt;
  }
  Fault& first = faults.front();
  const std::size_t more = faults.size() - 1;
  first.message += more > 0 ? ", and " + counted(more, "more fault") : "";
  return Error{codes::kGltfReference, {}, {}, std::move(first.message)};
}

}  // namespace thaw::gltf
