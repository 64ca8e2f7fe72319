// A building as one looks at it: its parts with their usual names, whichever version the file has.
#pragma once

#include <thaw/wmo.hpp>

#include <span>
#include <string>
#include <vector>

namespace thaw::wmo {

/// Never null: what a file does not have is empty.
template <class Body>
const Body& part_or_empty(const Body* body) {
  static const Body kEmpty{};
  return body == nullptr ? kEmpty : *body;
}

/// A name as Strings::at, but no longer than paths of the games are: of a text without end each object could
/// name another part.
std::string_view name_at(const Strings& names, std::uint64_t offset);

/// The chunks of a group.
struct GroupParts {
  explicit GroupParts(const Group& group)
      : header(group.header),
        faces(part_or_empty(group.find<Faces>(FourCC{"MOPY"}))),
        positions(part_or_empty(group.find<Points>(FourCC{"MOVT"})).items),
        normals(part_or_empty(group.find<Points>(FourCC{"MONR"})).items),
        coordinates(part_or_empty(group.find<Coordinates>(FourCC{"MOTV"})).items),
        light_coordinates(part_or_empty(group.find<Coordinates>(FourCC{"MOLV"})).items),
        indices(indices_of(group)),
        batches(part_or_empty(group.find<Batches>(FourCC{"MOBA"})).items),
        lights(part_or_empty(group.find<Indices>(FourCC{"MOLR"})).items),
        doodads(part_or_empty(group.find<Indices>(FourCC{"MODR"})).items),
        bsp_nodes(part_or_empty(group.find<BspNodes>(FourCC{"MOBN"})).items),
        bsp_faces(part_or_empty(group.find<Indices>(FourCC{"MOBR"})).items),
        colors(part_or_empty(group.find<Colors>(FourCC{"MOCV"})).items),
        lightmaps(part_or_empty(group.find<Lightmaps>(FourCC{"MOLD"})).items) {
    for (const auto& chunk : group.chunks) {
      if (const auto* list = std::get_if<Liquids>(&chunk.body)) {
        for (const auto& liquid : list->items) {
          liquids.push_back(&liquid);
        }
      } else if (const auto* set = std::get_if<Coordinates>(&chunk.body);
                 set != nullptr && chunk.tag == FourCC{"MOTV"}) {
        coordinate_sets.push_back(&set->items);
      } else if (std::holds_alternative<Colors>(chunk.body) && chunk.tag == FourCC{"MOCV"}) {
        ++color_sets;
      }
    }
  }

  const GroupHeader& header;
  const Faces& faces;
  const Array<Vec3>& positions;
  const Array<Vec3>& normals;
  const Array<Vec2>& coordinates;
  const Array<Vec2>& light_coordinates;
  const Array<std::uint16_t>& indices;
  const std::vector<Batch>& batches;
  const Array<std::uint16_t>& lights;
  const Array<std::uint16_t>& doodads;
  const std::vector<BspNode>& bsp_nodes;
  const Array<std::uint16_t>& bsp_faces;
  const Array<Bgra>& colors;
  const std::vector<Lightmap>& lightmaps;
  std::vector<const Liquid*> liquids;               ///< of all MLIQ chunks
  std::vector<const Array<Vec2>*> coordinate_sets;  ///< of all MOTV chunks, the first is `coordinates`
  std::size_t color_sets = 0;                       ///< MOCV chunks, of which `colors` is the first

 private:
  static const Array<std::uint16_t>& indices_of(const Group& group) {
    const auto* indices = group.find<Indices>(FourCC{"MOIN"});
    return part_or_empty(indices != nullptr ? indices : group.find<Indices>(FourCC{"MOVI"})).items;
  }
};

/// The chunks of the root, and the groups.
struct Building {
  /// `group_files` as for to_scene.
  Building(const Document& document, std::span<const Document* const> group_files);

  std::uint32_t version;
  const Header& header;
  const Strings& texture_names;
  const std::vector<Material>& materials;
  const Strings& group_names;
  const std::vector<GroupInfo>& group_infos;
  const Array<Vec3>& portal_vertices;
  const std::vector<Portal>& portals;
  const std::vector<PortalReference>& portal_references;
  const std::vector<Light>& lights;
  const std::vector<DoodadSet>& doodad_sets;
  const Strings& doodad_names;
  const std::vector<Doodad>& doodads;
  const std::vector<Fog>& fogs;
  std::vector<const Group*> groups;  ///< by number, null where the file is missing

  /// "Set_$DefaultGlobal" and the like, in UTF-8.
  [[nodiscard]] std::string set_name(std::size_t set) const;
  [[nodiscard]] std::string group_name(std::size_t group) const;
};

/// The colour of a lightmap at a coordinate, clamped as the client does (wmo.md#lightmaps): blue, green, red,
/// opaque.
Bgra lightmap_color(const Lightmap& lightmap, const Vec2& coordinate);

/// What the lightmaps of a group say at its vertices; empty if it has none.
Array<Bgra> baked_lightmaps(const GroupParts& group);

}  // namespace thaw::wmo
