#include "formats/wow/m3/facts.hpp"

#include <algorithm>

namespace thaw::m3 {
namespace {

template <class Body>
std::size_t elements(const Mesh& mesh, FourCC tag) {
  const auto* body = mesh.find<Body>(tag);
  if constexpr (std::is_same_v<Body, Buffer>) {
    return body == nullptr ? 0 : body->size();
  } else {
    return body == nullptr ? 0 : body->items.size();
  }
}

/// The table of levels, where there is more than one; batches of a coarser level are those of its own.
void add_levels(const Mesh& mesh, const LevelLayout& layout, Facts& facts) {
  const auto* geosets = mesh.find<Geosets>(FourCC{"VGEO"});
  if (layout.levels < 2 || geosets == nullptr) {
    return;
  }
  facts.levels.resize(layout.levels);
  for (std::size_t i = 0; i < std::min(layout.per_level * layout.levels, geosets->items.size()); ++i) {
    Facts::Level& level = facts.levels[i / layout.per_level];
    ++level.geosets;
    level.vertices += geosets->items[i].vertex_count;
    level.triangles += geosets->items[i].index_count / 3;
  }
  if (const auto* batches = mesh.find<Batches>(FourCC{"RBAT"})) {
    for (const Batch& batch : batches->items) {
      const std::size_t level = batch.geoset / layout.per_level;
      if (level < facts.levels.size()) {
        ++facts.levels[level].batches;
      }
    }
  }
}

/// Triangles and vertices are those of the first level.
void add_mesh(const Mesh& mesh, Facts& facts) {
  const LevelLayout levels = level_layout(mesh);
  std::size_t vertices = 0;
  std::size_t indices = 0;
  if (const auto* geosets = mesh.find<Geosets>(FourCC{"VGEO"})) {
    for (std::size_t i = 0; i < std::min(levels.per_level, geosets->items.size()); ++i) {
      vertices += geosets->items[i].vertex_count;
      indices += geosets->items[i].index_count;
    }
  }
  add_levels(mesh, levels, facts);
  const auto poses = inverse_bind_poses(mesh);
  for (const auto& [kind, count] : {std::pair<std::string_view, std::size_t>{"geoset", levels.per_level},
                                    {"vertex", vertices},
                                    {"triangle", indices / 3},
                                    {"level", levels.levels},
                                    {"batch", elements<Batches>(mesh, FourCC{"RBAT"})},
                                    {"bone", poses ? poses->size() : 0}}) {
    if (count > 0) {
      facts.counts.push_back({kind, count});
    }
  }
}

void add_materials(const Materials& materials, Facts& facts) {
  facts.counts.push_back({"material", materials.instances.size()});
  std::vector<std::uint32_t> libraries;
  for (const Instance& instance : materials.instances) {
    if (std::find(libraries.begin(), libraries.end(), instance.library) == libraries.end()) {
      libraries.push_back(instance.library);
      facts.references.push_back({"material library", std::to_string(instance.library) + ".mtl3lib"});
    }
  }
  std::vector<std::int32_t> seen;
  for (const Instance& instance : materials.instances) {
    seen.insert(seen.end(), instance.sampler_textures.begin(), instance.sampler_textures.end());
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  for (const std::int32_t id : seen) {
    facts.textures.push_back({std::to_string(id) + ".blp", 0});
  }
}

void add_strings(const Strings& strings, Facts& facts) {
  std::string_view rest(strings.text.data(), strings.text.size());
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('\0'));
    if (!one.empty()) {
      facts.stated.push_back({"string", std::string(one)});
    }
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
}

}  // namespace

Facts facts_of(const Document& document) {
  Facts facts;
  if (const auto* header = document.find<ModelHeader>()) {
    facts.bounds = Facts::Box{header->box.minimum, header->box.maximum, header->radius};
  }
  if (const auto* mesh = document.find<Mesh>()) {
    add_mesh(*mesh, facts);
  }
  if (const auto* materials = document.find<Materials>()) {
    add_materials(*materials, facts);
  }
  for (const Chunk& chunk : document.chunks) {
    if (const auto* strings = std::get_if<Strings>(&chunk.body)) {
      add_strings(*strings, facts);
    }
  }
  if (const auto* collision = document.find<Collision>(); collision != nullptr && collision->corners()) {
    facts.counts.push_back({"collision triangle", collision->corners()->size() / 3});
  }
  return facts;
}

}  // namespace thaw::m3
