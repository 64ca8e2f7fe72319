// Version 17 (and 16) to version 14.
#include "bytes/number_text.hpp"
#include "describe/description.hpp"
#include "formats/wow/wmo/convert.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::wmo {
namespace {

constexpr std::size_t kMostCorners = 0xFFFF;
/// Flags that both versions have.
constexpr std::uint32_t kPreservedFlags = GroupHeader::kExterior | GroupHeader::kExteriorLit |
                                          GroupHeader::kUnreachable | GroupHeader::kInterior |
                                          GroupHeader::kAlwaysDraw;

// --- the root
// --------------------------------------------------------------------------------------------------

std::vector<Material> alpha_materials(const std::vector<Material>& materials, Diagnostics& diagnostics) {
  constexpr std::uint32_t kFlags = 0xFF;
  std::vector<Material> result = materials;
  for (std::size_t i = 0; i < result.size(); ++i) {
    Material& material = result[i];
    const std::string place = "MOMT[" + std::to_string(i) + "]";
    if (material.version != 0) {
      note_lost(diagnostics, "shader " + std::to_string(material.version) + " left out", place);
    }
    if ((material.flags & ~kFlags) != 0) {
      note_lost(diagnostics, "flags " + std::to_string(material.flags & ~kFlags) + " left out", place);
    }
    const bool further =
        material.padding != std::array<std::uint8_t, 8>{} ||
        std::any_of(material.later.begin(), material.later.begin() + 4, [](auto b) { return b != 0; });
    if (further) {
      note_lost(diagnostics, "third texture and its settings left out", place);
    }
    material.version = 0;
    material.flags &= kFlags;
    material.padding = {};
    material.later = {};
  }
  return result;
}

std::vector<Light> alpha_lights(std::vector<Light> lights, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < lights.size(); ++i) {
    if (lights[i].rotation != Light{}.rotation) {
      note_lost(diagnostics, "rotation of a light left out", "MOLT[" + std::to_string(i) + "]");
      lights[i].rotation = Light{}.rotation;
    }
  }
  return lights;
}

void note_lost_root(const Document& from, Diagnostics& diagnostics) {
  const auto* skybox = from.find<Strings>(FourCC{"MOSB"});
  if (skybox != nullptr && !skybox->at(0).empty()) {
    note_lost(diagnostics, "skybox left out: " + to_utf8(skybox->at(0)), "MOSB");
  }
  if (!part_or_empty(from.find<Points>(FourCC{"MOVV"})).items.empty() ||
      !part_or_empty(from.find<Runs>(FourCC{"MOVB"})).items.empty()) {
    note_lost(diagnostics, "visible vertex blocks left out", "MOVV");
  }
  const auto* header = from.find<Header>(FourCC{"MOHD"});
  if (header != nullptr && header->flags != 0) {
    note_lost(diagnostics, "flags " + std::to_string(header->flags) + " of MOHD left out", "MOHD");
  }
  note_lost_chunks(from.root_chunks(), {}, "root", diagnostics);
}

void add_alpha_root(const Document& from, const Building& building, std::vector<Chunk>& to,
                    Diagnostics& diagnostics) {
  Header header = building.header;
  header.box = {};
  header.flags = 0;
  add_chunk(to, FourCC{"MOHD"}, header);
  copy_chunk<Strings>(from, to, FourCC{"MOTX"});
  add_list(to, FourCC{"MOMT"}, alpha_materials(building.materials, diagnostics));
  copy_chunk<Strings>(from, to, FourCC{"MOGN"});
  copy_chunk<GroupInfos>(from, to, FourCC{"MOGI"});
  copy_chunk<Points>(from, to, FourCC{"MOPV"});
  copy_chunk<Portals>(from, to, FourCC{"MOPT"});
  copy_chunk<PortalReferences>(from, to, FourCC{"MOPR"});
  add_list(to, FourCC{"MOLT"}, alpha_lights(building.lights, diagnostics));
  copy_chunk<DoodadSets>(from, to, FourCC{"MODS"});
  copy_chunk<Strings>(from, to, FourCC{"MODN"});
  copy_chunk<Doodads>(from, to, FourCC{"MODD"});
  copy_chunk<Fogs>(from, to, FourCC{"MFOG"});
  if (from.find<Planes>(FourCC{"MCVP"}) != nullptr) {
    copy_chunk<Planes>(from, to, FourCC{"MCVP"});
  }
}

// --- groups
// ----------------------------------------------------------------------------------------------------

/// Reports a list that is there and does not fit the vertices.
void note_misfit(std::size_t count, std::size_t vertices, const char* tag, const std::string& place,
                 Diagnostics& diagnostics) {
  if (count != 0 && count != vertices) {
    note_lost(diagnostics,
              std::string(tag) + " left out: it has " + std::to_string(count) + " entries for " +
                  std::to_string(vertices) + " vertices",
              place);
  }
}

/// One element per corner; nothing if the source does not have one per vertex.
template <class T>
Array<T> per_corner(const Array<T>& from, const GroupParts& parts, std::size_t corners) {
  Array<T> result;
  if (from.empty() || from.size() != parts.positions.size()) {
    return result;
  }
  result.reserve(corners);
  for (std::size_t i = 0; i < corners; ++i) {
    const std::size_t vertex = parts.indices[i];
    result.push_back(vertex < from.size() ? from[vertex] : from.front());
  }
  return result;
}

/// A box of whole yards that holds what the batch draws and what its old box held.
std::array<std::int16_t, 6> batch_box(const Batch& batch, const Array<Vec3>& corners) {
  auto box = batch.box;
  const std::size_t end =
      std::min<std::size_t>(std::size_t{batch.first_index} + batch.index_count, corners.size());
  const auto whole = [](double value) {
    return static_cast<std::int16_t>(std::clamp(std::isfinite(value) ? value : 0.0, -32768.0, 32767.0));
  };
  for (std::size_t i = batch.first_index; i < end; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto value = double{corners[i][axis]};
      box[axis] = std::min(box[axis], whole(std::floor(value)));
      box[axis + 3] = std::max(box[axis + 3], whole(std::ceil(value)));
    }
  }
  return box;
}

std::vector<Batch> alpha_batches(const GroupParts& parts, const Array<Vec3>& corners,
                                 const std::string& place, Diagnostics& diagnostics) {
  std::vector<Batch> batches = parts.batches;
  std::size_t beyond = 0;
  std::size_t budget = 4 * corners.size();  // batches that lie over each other must not multiply the work
  for (auto& batch : batches) {
    if (batch.first_index > kMostCorners ||
        std::size_t{batch.first_index} + batch.index_count > kMostCorners + 1) {
      batch.first_index = batch.index_count = batch.first_vertex = batch.last_vertex = 0;
      ++beyond;
    }
    const std::size_t count = batch.index_count;
    if (count > 0 && count <= budget) {
      budget -= count;
      batch.box = batch_box(batch, corners);
      batch.first_vertex = static_cast<std::uint16_t>(batch.first_index);
      batch.last_vertex = static_cast<std::uint16_t>(batch.first_index + count - 1);
    }
    batch.lightmap = batch.padding = 0;
    batch.extra = {};
  }
  if (beyond > 0) {
    diagnostics.add(codes::kWmoGroup,
                    counted(beyond, "batch") + " emptied, because version 14 supports at most 65535 corners",
                    {}, place);
  }
  return batches;
}

/// Corners and batches from one batch to another; the corners of a run are those of its batches.
BatchRun run_of(const std::vector<Batch>& batches, std::size_t first, std::size_t count) {
  first = std::min(first, batches.size());
  count = std::min(count, batches.size() - first);
  if (count == 0) {
    return {};
  }
  std::uint32_t low = ~0U;
  std::uint32_t high = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    if (batches[i].index_count > 0) {
      low = std::min(low, batches[i].first_index);
      high = std::max(high, batches[i].first_index + batches[i].index_count);
    }
  }
  low = std::min(low, high);
  return {static_cast<std::uint16_t>(low), static_cast<std::uint16_t>(high - low),
          static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(count)};
}

Faces alpha_faces(const GroupParts& parts, std::size_t count) {
  Faces faces;
  for (std::size_t i = 0; i < count; ++i) {
    const auto face = i < parts.faces.size() ? parts.faces[i] : Faces::Face{};
    faces.items.push_back({face.flags, Faces::kNoMaterial, face.material, 0});
  }
  return faces;
}

GroupHeader alpha_header(const GroupParts& parts, const std::vector<Batch>& batches, const std::string& place,
                         Diagnostics& diagnostics) {
  GroupHeader header = parts.header;
  header.wide = true;
  if (const std::uint32_t lost = header.flags & ~(kPreservedFlags | kChunkFlags); lost != 0) {
    note_lost(diagnostics, "flags " + std::to_string(lost) + " left out", place);
  }
  header.flags &= kPreservedFlags;
  const std::size_t inside = std::size_t{header.transition_batches} + header.interior_batches;
  header.interior = {run_of(batches, 0, inside)};
  header.exterior = {run_of(batches, inside, batches.size())};
  header.transition_batches = header.interior_batches = header.exterior_batches = header.batch_padding = 0;
  if (header.later != GroupHeader{}.later) {
    note_lost(diagnostics, "the last fields of MOGP left out", place);
    header.later = {};
  }
  return header;
}

/// What WoW Alpha's vertices need and the source may lack.
Array<Vec3> normals_or_up(Array<Vec3> normals, std::size_t corners, const std::string& place,
                          Diagnostics& diagnostics) {
  if (normals.size() != corners) {
    note_generated(diagnostics, "upward normals generated, because the group has no complete normals", place);
    normals.assign(corners, Vec3{0, 0, 1});
  }
  return normals;
}

Result<Group> alpha_group(const Group& source, std::uint32_t version, const std::string& place,
                          Diagnostics& diagnostics) {
  const GroupParts parts(source);
  const std::size_t corners = parts.indices.size() / 3 * 3;
  if (corners > kMostCorners || parts.positions.empty() != (corners == 0)) {
    return fail(codes::kWriteUnsupported,
                corners > kMostCorners ? place + " has " + std::to_string(parts.indices.size()) +
                                             " corners, more than the 65535 of version 14; divide the group"
                                       : place + (corners == 0 ? " has vertices, but no triangles"
                                                               : " has triangles, but no vertices"));
  }
  note_lost_chunks(source.chunks, {}, place, diagnostics);
  const bool broken = std::any_of(parts.indices.begin(), parts.indices.end(),
                                  [&](std::uint16_t index) { return index >= parts.positions.size(); });
  if (broken) {
    diagnostics.add(codes::kWmoGroup, "indices out of range replaced with the first vertex", {}, place);
  }
  note_misfit(parts.coordinates.size(), parts.positions.size(), "MOTV", place, diagnostics);
  note_misfit(parts.colors.size(), parts.positions.size(), "MOCV", place, diagnostics);
  const Array<Vec3> positions = per_corner(parts.positions, parts, corners);
  const std::vector<Batch> batches = alpha_batches(parts, positions, place, diagnostics);
  Group group;
  group.header = alpha_header(parts, batches, place, diagnostics);
  Array<Vec2> coordinates = per_corner(parts.coordinates, parts, corners);
  coordinates.resize(corners, Vec2{});
  Coordinates lightmap;
  lightmap.items.resize(corners, Vec2{});
  Indices indices;
  for (std::size_t i = 0; i < corners; ++i) {
    indices.items.push_back(static_cast<std::uint16_t>(i));
  }
  add_chunk(group.chunks, FourCC{"MOPY"}, alpha_faces(parts, corners / 3));
  add_chunk(group.chunks, FourCC{"MOVT"}, Points{positions});
  add_chunk(group.chunks, FourCC{"MONR"},
            Points{normals_or_up(per_corner(parts.normals, parts, corners), corners, place, diagnostics)});
  add_chunk(group.chunks, FourCC{"MOTV"}, Coordinates{std::move(coordinates)});
  add_chunk(group.chunks, FourCC{"MOLV"}, std::move(lightmap));
  add_chunk(group.chunks, FourCC{"MOIN"}, std::move(indices));
  add_list(group.chunks, FourCC{"MOBA"}, batches);
  std::vector<Liquid> liquids;
  liquids.reserve(parts.liquids.size());
  for (const auto* liquid : parts.liquids) {
    liquids.push_back(version < 17 ? *liquid : transposed(*liquid, false));
  }
  add_optional_chunks(parts, per_corner(parts.colors, parts, corners), std::move(liquids), group);
  return group;
}

}  // namespace

Result<Document> to_alpha(const Document& root, std::span<const Document* const> group_files,
                          Diagnostics& diagnostics) {
  const Building building(root, group_files);
  if (auto complete = require_groups(building); !complete) {
    return tl::unexpected<Error>(std::move(complete.error()));
  }
  note_lost_root(root, diagnostics);
  Document document;
  add_chunk(document.chunks, FourCC{"MVER"}, Version{kAlphaVersion});
  Root momo;
  add_alpha_root(root, building, momo.chunks, diagnostics);
  add_chunk(document.chunks, FourCC{"MOMO"}, std::move(momo));
  for (std::size_t i = 0; i < building.groups.size(); ++i) {
    auto group = alpha_group(*building.groups[i], building.version, group_place(i), diagnostics);
    if (!group) {
      return tl::unexpected<Error>(std::move(group.error()));
    }
    add_chunk(document.chunks, FourCC{"MOGP"}, std::move(*group));
  }
  lay_out(document);
  return document;
}

namespace {

struct Extent {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;  ///< with the head
};

/// Where the groups of a written building lie.
std::vector<Extent> group_extents(ByteView bytes) {
  constexpr std::size_t kHead = 8;
  std::vector<Extent> places;
  for (std::size_t at = 0; bytes.size() - at >= kHead;) {
    const auto size = load_plain<std::uint32_t>(bytes.data() + at + 4);
    if (std::memcmp(bytes.data() + at, "PGOM", 4) == 0) {
      places.push_back({static_cast<std::uint32_t>(at), size + static_cast<std::uint32_t>(kHead)});
    }
    at += std::min<std::size_t>(std::size_t{size} + kHead, bytes.size() - at);
  }
  return places;
}

std::uint32_t count_names(const Strings& names) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < names.text.size(); ++i) {
    count += names.begins_at(i) && names.text[i] != '\0' ? 1U : 0U;
  }
  return count;
}

template <class ListBody>
std::uint32_t size_of(const std::vector<Chunk>& chunks, FourCC tag) {
  return static_cast<std::uint32_t>(part_or_empty(find_chunk<ListBody>(chunks, tag)).items.size());
}

void set_counts(std::vector<Chunk>& chunks, const std::vector<Extent>& places) {
  for (auto& chunk : chunks) {
    if (auto* infos = std::get_if<GroupInfos>(&chunk.body)) {
      for (std::size_t i = 0; i < std::min(infos->items.size(), places.size()); ++i) {
        infos->items[i].offset = places[i].offset;
        infos->items[i].size = places[i].size;
      }
    } else if (auto* header = std::get_if<Header>(&chunk.body)) {
      header->material_count = size_of<Materials>(chunks, FourCC{"MOMT"});
      header->group_count = static_cast<std::uint32_t>(places.size());
      header->portal_count = size_of<Portals>(chunks, FourCC{"MOPT"});
      header->light_count = size_of<Lights>(chunks, FourCC{"MOLT"});
      header->doodad_name_count = count_names(part_or_empty(find_chunk<Strings>(chunks, FourCC{"MODN"})));
      header->doodad_count = size_of<Doodads>(chunks, FourCC{"MODD"});
      header->doodad_set_count = size_of<DoodadSets>(chunks, FourCC{"MODS"});
    }
  }
}

}  // namespace

void lay_out(Document& document) {
  const auto places = group_extents(write(document));
  for (auto& chunk : document.chunks) {
    if (auto* root = std::get_if<Root>(&chunk.body)) {
      set_counts(root->chunks, places);
    }
  }
}

}  // namespace thaw::wmo
