// Version 14 (and 16) to version 17.
#include "bytes/number_text.hpp"
#include "formats/wow/wmo/convert.hpp"
#include "formats/wow/wmo/document.hpp"

#include <algorithm>
#include <map>

namespace thaw::wmo {
namespace {

/// Of a face that no batch draws.
constexpr std::size_t kNoBatch = ~std::size_t{0};

// --- the root
// --------------------------------------------------------------------------------------------------

Box union_of(const std::vector<GroupInfo>& infos) {
  Box box;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float low = infos[i].box.minimum[axis];
      const float high = infos[i].box.maximum[axis];
      box.minimum[axis] = i == 0 ? low : std::min(box.minimum[axis], low);
      box.maximum[axis] = i == 0 ? high : std::max(box.maximum[axis], high);
    }
  }
  return box;
}

std::uint32_t later_flags(std::uint32_t flags) {
  flags &= ~(GroupHeader::kLightmaps | GroupHeader::kPortalBatches);
  return (flags & GroupHeader::kExterior) == 0 ? flags | GroupHeader::kInterior : flags;
}

std::vector<Material> later_materials(const std::vector<Material>& materials, Diagnostics& diagnostics) {
  std::vector<Material> result = materials;
  for (std::size_t i = 0; i < result.size(); ++i) {
    Material& material = result[i];
    const std::string place = "MOMT[" + std::to_string(i) + "]";
    if (material.version != 0) {
      note_lost(diagnostics,
                "material version " + std::to_string(material.version) +
                    " left out; later versions store the shader in this field",
                place);
      material.version = 0;
    }
    if (material.padding != std::array<std::uint8_t, 8>{}) {
      note_lost(diagnostics, "padding bytes with values other than 0 left out", place);
      material.padding = {};
    }
  }
  return result;
}

void add_later_root(const Document& from, const Building& building, std::vector<Chunk>& to,
                    Diagnostics& diagnostics) {
  Header header = building.header;
  if (header.padding != Header{}.padding) {
    note_lost(diagnostics, "padding bytes with values other than 0 left out", "MOHD");
    header.padding = {};
  }
  if (is_alpha(building.version)) {
    header.box = union_of(building.group_infos);
    header.flags = 0;
  }
  add_chunk(to, FourCC{"MOHD"}, header);
  copy_chunk<Strings>(from, to, FourCC{"MOTX"});
  add_list(to, FourCC{"MOMT"}, later_materials(building.materials, diagnostics));
  copy_chunk<Strings>(from, to, FourCC{"MOGN"});
  std::vector<GroupInfo> infos = building.group_infos;
  for (auto& info : infos) {
    info.offset = info.size = 0;
    info.flags = later_flags(info.flags);
  }
  add_list(to, FourCC{"MOGI"}, std::move(infos));
  const auto* skybox = from.find<Strings>(FourCC{"MOSB"});
  add_chunk(to, FourCC{"MOSB"}, skybox != nullptr ? *skybox : Strings{Array<char>{'\0', '\0', '\0', '\0'}});
  copy_chunk<Points>(from, to, FourCC{"MOPV"});
  copy_chunk<Portals>(from, to, FourCC{"MOPT"});
  copy_chunk<PortalReferences>(from, to, FourCC{"MOPR"});
  copy_chunk<Points>(from, to, FourCC{"MOVV"});
  copy_chunk<Runs>(from, to, FourCC{"MOVB"});
  copy_chunk<Lights>(from, to, FourCC{"MOLT"});
  copy_chunk<DoodadSets>(from, to, FourCC{"MODS"});
  copy_chunk<Strings>(from, to, FourCC{"MODN"});
  copy_chunk<Doodads>(from, to, FourCC{"MODD"});
  copy_chunk<Fogs>(from, to, FourCC{"MFOG"});
  if (from.find<Planes>(FourCC{"MCVP"}) != nullptr) {
    copy_chunk<Planes>(from, to, FourCC{"MCVP"});
  }
}

// --- geometry
// --------------------------------------------------------------------------------------------------

struct Geometry {
  Array<Vec3> positions;
  Array<Vec3> normals;
  Array<Vec2> coordinates;
  Array<Bgra> colors;
  Array<std::uint16_t> indices;
};

/// The batch that draws each face; kNoBatch for those that none draws.
std::vector<std::size_t> batches_of_faces(const GroupParts& parts) {
  std::vector<std::size_t> owner(parts.indices.size() / 3, kNoBatch);
  std::size_t budget = 2 * owner.size();  // batches that lie over each other must not multiply the work
  for (std::size_t b = 0; b < parts.batches.size(); ++b) {
    const Batch& batch = parts.batches[b];
    const std::size_t end =
        std::min<std::size_t>((std::size_t{batch.first_index} + batch.index_count) / 3, owner.size());
    for (std::size_t face = batch.first_index / 3; face < end && budget > 0; ++face, --budget) {
      owner[face] = b;
    }
  }
  return owner;
}

/// Makes one of equal corners, batch by batch, so that the vertices of a batch stay together.
class Welder {
 public:
  Welder(const GroupParts& parts, const Array<Bgra>& colors) : parts_(parts), colors_(colors) {}

  Geometry run(const std::vector<std::size_t>& owner) {
    for (std::size_t face = 0; face < owner.size(); ++face) {
      if (face == 0 || owner[face] != owner[face - 1]) {
        known_.clear();
      }
      for (std::size_t corner = 3 * face; corner < 3 * face + 3; ++corner) {
        add(parts_.indices[corner]);
      }
    }
    return std::move(result_);
  }

 private:
  /// All that makes a vertex, by its bits.
  using Key = std::array<std::uint32_t, 9>;

  template <class T>
  static void pack(Key& key, std::size_t at, const Array<T>& values, std::size_t vertex) {
    if (vertex < values.size()) {
      std::memcpy(&key[at], &values[vertex], sizeof(T));
    }
  }

  template <class T>
  static void copy(const Array<T>& from, Array<T>& to, std::size_t vertex) {
    if (!from.empty()) {
      to.push_back(from[vertex]);
    }
  }

  void add(std::size_t vertex) {
    Key key{};
    pack(key, 0, parts_.positions, vertex);
    pack(key, 3, parts_.normals, vertex);
    pack(key, 6, parts_.coordinates, vertex);
    pack(key, 8, colors_, vertex);
    const auto [entry, fresh] = known_.emplace(key, static_cast<std::uint16_t>(result_.positions.size()));
    if (fresh) {
      copy(parts_.positions, result_.positions, vertex);
      copy(parts_.normals, result_.normals, vertex);
      copy(parts_.coordinates, result_.coordinates, vertex);
      copy(colors_, result_.colors, vertex);
    }
    result_.indices.push_back(entry->second);
  }

  const GroupParts& parts_;
  const Array<Bgra>& colors_;
  Geometry result_;
  std::map<Key, std::uint16_t> known_;
};

/// Arrays that fit each other, one corner per vertex as WoW Alpha has them, and no more than indices can
/// name.
bool can_weld(const GroupParts& parts, const Array<Bgra>& colors) {
  const std::size_t count = parts.positions.size();
  const auto fits = [&](std::size_t size) { return size == 0 || size == count; };
  constexpr std::size_t kMostVertices = 0x10000;
  return count == parts.indices.size() && count <= kMostVertices && count % 3 == 0 &&
         fits(parts.normals.size()) && fits(parts.coordinates.size()) && fits(colors.size()) &&
         std::all_of(parts.indices.begin(), parts.indices.end(), [&](std::uint16_t i) { return i < count; });
}

Geometry geometry_of(const GroupParts& parts, const Array<Bgra>& colors,
                     const std::vector<std::size_t>& owner) {
  if (can_weld(parts, colors)) {
    return Welder(parts, colors).run(owner);
  }
  return {parts.positions, parts.normals, parts.coordinates, colors, parts.indices};
}

// --- groups
// ----------------------------------------------------------------------------------------------------

/// The order in which version 17 requires batches: interior ones, then exterior ones. What no run of the head
/// names goes with the kind of the group.
struct BatchOrder {
  std::vector<std::size_t> batches;
  std::uint16_t interior = 0;
  std::uint16_t exterior = 0;
};

BatchOrder order_batches(const GroupParts& parts) {
  const std::size_t count = parts.batches.size();
  std::vector<bool> assigned(count);
  std::array<std::vector<std::size_t>, 2> kinds;
  const auto take = [&](const std::array<BatchRun, 4>& runs, std::vector<std::size_t>& kind) {
    for (const auto& run : runs) {
      for (std::size_t i = run.first_batch;
           i < std::min<std::size_t>(run.first_batch + run.batch_count, count); ++i) {
        if (!assigned[i]) {
          assigned[i] = true;
          kind.push_back(i);
        }
      }
    }
  };
  take(parts.header.interior, kinds[0]);
  take(parts.header.exterior, kinds[1]);
  const bool outside = (parts.header.flags & GroupHeader::kExterior) != 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!assigned[i]) {
      kinds.at(outside ? 1 : 0).push_back(i);
    }
  }
  BatchOrder order;
  order.interior = static_cast<std::uint16_t>(std::min<std::size_t>(kinds[0].size(), 0xFFFF));
  order.exterior = static_cast<std::uint16_t>(std::min<std::size_t>(kinds[1].size(), 0xFFFF));
  order.batches = std::move(kinds[0]);
  order.batches.insert(order.batches.end(), kinds[1].begin(), kinds[1].end());
  return order;
}

Batch later_batch(const Batch& source, const Geometry& geometry) {
  Batch batch = source;
  batch.lightmap = batch.padding = 0;
  batch.extra = {};
  const std::size_t end =
      std::min<std::size_t>(std::size_t{batch.first_index} + batch.index_count, geometry.indices.size());
  if (batch.first_index < end) {
    const auto [low, high] =
        std::minmax_element(geometry.indices.data() + batch.first_index, geometry.indices.data() + end);
    batch.first_vertex = *low;
    batch.last_vertex = *high;
  }
  return batch;
}

Faces later_faces(const GroupParts& parts, const std::vector<std::size_t>& owner) {
  Faces faces;
  for (std::size_t i = 0; i < parts.faces.size(); ++i) {
    const auto face = parts.faces[i];
    const bool drawn = i < owner.size() && owner[i] != kNoBatch;
    faces.later.push_back({face.flags, drawn ? parts.batches[owner[i]].material : face.material});
  }
  return faces;
}

Array<Bgra> later_colors(const GroupParts& parts, const std::string& place, Diagnostics& diagnostics) {
  if (parts.lightmaps.empty()) {
    return parts.colors;
  }
  if (!parts.colors.empty()) {
    note_lost(diagnostics, "lightmaps left out; the vertex colours remain", place);
    return parts.colors;
  }
  Array<Bgra> baked = baked_lightmaps(parts);
  note_lost(diagnostics,
            baked.empty() ? "lightmaps left out, because they have not one coordinate per vertex"
                          : "lightmaps, assumed to be DXT1, reduced to vertex colours",
            place);
  return baked;
}

std::uint32_t short_or_most(std::uint32_t value, const char* what, const std::string& place,
                            Diagnostics& diagnostics) {
  constexpr std::uint32_t kMost = 0xFFFF;
  if (value > kMost) {
    note_lost(diagnostics,
              std::string(what) + " " + std::to_string(value) + " reduced to 65535, the limit of its field",
              place);
  }
  return std::min(value, kMost);
}

GroupHeader later_header(const GroupParts& parts, const BatchOrder& order, const std::string& place,
                         Diagnostics& diagnostics) {
  GroupHeader header = parts.header;
  header.wide = false;
  header.flags = later_flags(header.flags) & ~kChunkFlags;
  header.first_portal = short_or_most(header.first_portal, "first portal", place, diagnostics);
  header.portal_count = short_or_most(header.portal_count, "portal count", place, diagnostics);
  header.interior = {};
  header.exterior = {};
  if (header.padding != GroupHeader{}.padding) {
    note_lost(diagnostics, "padding bytes with values other than 0 left out", place);
    header.padding = {};
  }
  header.transition_batches = 0;
  header.interior_batches = order.interior;
  header.exterior_batches = order.exterior;
  return header;
}

Group later_group(const Group& source, std::uint32_t version, const std::string& place,
                  Diagnostics& diagnostics) {
  static constexpr std::array kDropped = {FourCC{"MOLV"}, FourCC{"MOLM"}, FourCC{"MPBV"},
                                          FourCC{"MPBP"}, FourCC{"MPBI"}, FourCC{"MPBG"}};
  const GroupParts parts(source);
  // Lightmap coordinates without lightmaps say nothing: nearly every file of WoW Alpha has them.
  const bool idle = parts.lightmaps.empty();
  note_lost_chunks(source.chunks, std::span(kDropped).subspan(idle ? 1 : 0), place, diagnostics);
  const auto owner = batches_of_faces(parts);
  const Geometry geometry = geometry_of(parts, later_colors(parts, place, diagnostics), owner);
  const BatchOrder order = order_batches(parts);
  Group group;
  group.header = later_header(parts, order, place, diagnostics);
  if (group.header.flags != parts.header.flags &&
      (group.header.flags & ~parts.header.flags) == GroupHeader::kInterior) {
    note_generated(diagnostics, "interior flag added, because the group is not exterior", place);
  }
  add_chunk(group.chunks, FourCC{"MOPY"}, later_faces(parts, owner));
  add_chunk(group.chunks, FourCC{"MOVI"}, Indices{geometry.indices});
  add_chunk(group.chunks, FourCC{"MOVT"}, Points{geometry.positions});
  add_chunk(group.chunks, FourCC{"MONR"}, Points{geometry.normals});
  add_chunk(group.chunks, FourCC{"MOTV"}, Coordinates{geometry.coordinates});
  std::vector<Batch> batches;
  batches.reserve(order.batches.size());
  for (const std::size_t b : order.batches) {
    batches.push_back(later_batch(parts.batches[b], geometry));
  }
  add_list(group.chunks, FourCC{"MOBA"}, std::move(batches));
  std::vector<Liquid> liquids;
  if (!parts.liquids.empty()) {
    liquids.push_back(transposed(*parts.liquids.front(), true));
  }
  add_optional_chunks(parts, geometry.colors, std::move(liquids), group);
  if (parts.liquids.size() > 1) {
    note_lost(diagnostics, counted(parts.liquids.size() - 1, "liquid") + " left out; a group has only one",
              place);
  }
  if (!parts.liquids.empty() && version < 17) {
    note_generated(diagnostics, "liquid grid transposed, because the versions order it differently", place);
  }
  return group;
}

}  // namespace

Result<SplitBuilding> to_later(const Document& document, std::span<const Document* const> group_files,
                               Diagnostics& diagnostics) {
  const Building building(document, group_files);
  if (auto complete = require_groups(building); !complete) {
    return tl::unexpected<Error>(std::move(complete.error()));
  }
  note_lost_chunks(document.root_chunks(), {}, "root", diagnostics);
  SplitBuilding result;
  add_chunk(result.root.chunks, FourCC{"MVER"}, Version{kLaterVersion});
  add_later_root(document, building, result.root.chunks, diagnostics);
  for (std::size_t i = 0; i < building.groups.size(); ++i) {
    auto& chunks = result.groups.emplace_back().chunks;
    add_chunk(chunks, FourCC{"MVER"}, Version{kLaterVersion});
    add_chunk(chunks, FourCC{"MOGP"},
              later_group(*building.groups[i], building.version, group_place(i), diagnostics));
  }
  return result;
}

}  // namespace thaw::wmo
