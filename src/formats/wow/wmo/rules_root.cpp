// See wmo.md#checks: the root, and what its groups refer to.
#include "formats/wow/texture_files.hpp"
#include "formats/wow/wmo/document.hpp"
#include "formats/wow/wmo/rules_common.hpp"

#include <algorithm>

namespace thaw::wmo {
namespace {

// --- order
// -----------------------------------------------------------------------------------------------------

constexpr std::array kRootOrder = {FourCC{"MOHD"}, FourCC{"MOTX"}, FourCC{"MOMT"}, FourCC{"MOGN"},
                                   FourCC{"MOGI"}, FourCC{"MOPV"}, FourCC{"MOPT"}, FourCC{"MOPR"},
                                   FourCC{"MOLT"}, FourCC{"MODS"}, FourCC{"MODN"}, FourCC{"MODD"},
                                   FourCC{"MFOG"}, FourCC{"MCVP"}};
constexpr std::size_t kRootNeeds = 13;
constexpr std::array kGroupOrder = {FourCC{"MOPY"}, FourCC{"MOVT"}, FourCC{"MONR"}, FourCC{"MOTV"},
                                    FourCC{"MOLV"}, FourCC{"MOIN"}, FourCC{"MOBA"}, FourCC{"MOLR"},
                                    FourCC{"MODR"}, FourCC{"MOBN"}, FourCC{"MOBR"}, FourCC{"MPBV"},
                                    FourCC{"MPBP"}, FourCC{"MPBI"}, FourCC{"MPBG"}, FourCC{"MOCV"},
                                    FourCC{"MOLM"}, FourCC{"MOLD"}, FourCC{"MLIQ"}};
constexpr std::size_t kGroupNeeds = 7;

void check_order(const std::vector<Chunk>& chunks, std::span<const FourCC> order, std::size_t needs,
                 const std::string& path, Report& report) {
  std::size_t reached = 0;
  for (const auto& chunk : chunks) {
    const auto place =
        static_cast<std::size_t>(std::find(order.begin(), order.end(), chunk.tag) - order.begin());
    if (place < order.size()) {
      if (place < reached) {
        report.add(say(path, ".", chunk.tag.text()),
                   say(chunk.tag.text(), " comes after ", order[reached].text()));
      }
      reached = std::max(reached, place);
    }
  }
  for (const FourCC tag : order.first(needs)) {
    if (std::none_of(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.tag == tag; })) {
      report.add(path, say(tag.text(), " is missing"));
    }
  }
}

void order(const Subject& subject, Report& report) {
  const Document& document = subject.document;
  if (!is_alpha(document.version())) {
    return;
  }
  if (find_chunk<Root>(document.chunks, FourCC{"MOMO"}) == nullptr) {
    report.add("", "MOMO is missing");
  }
  check_order(document.root_chunks(), kRootOrder, kRootNeeds, "MOMO", report);
  for_each_group(document, [&](const std::string& path, const Group& group) {
    check_order(group.chunks, kGroupOrder, kGroupNeeds, path, report);
    if (path.substr(0, 5) == "MOMO.") {
      report.add(path, "the group is inside MOMO instead of after it");
    }
  });
}

// --- counts
// ----------------------------------------------------------------------------------------------------

void group_count(const Subject& subject, Report& report) {
  constexpr std::size_t kMost = 384;
  const Document& document = subject.document;
  if (!has_root(document)) {
    return;
  }
  const Building building(document, {});
  const std::size_t infos = building.group_infos.size();
  if (building.header.group_count != infos) {
    report.add(root_path(subject, "MOHD.nGroups"),
               say("MOHD states ", counted_noun(building.header.group_count, "group"), ", but MOGI has ",
                   infos, infos == 1 ? " entry" : " entries"));
  }
  if (is_alpha(document.version()) && building.groups.size() != infos) {
    report.add(root_path(subject, "MOGI"), say("MOGI has ", infos, infos == 1 ? " entry" : " entries",
                                               " for ", counted_noun(building.groups.size(), "group")));
  }
  if (is_alpha(document.version()) && infos > kMost) {
    report.add(root_path(subject, "MOHD.nGroups"),
               say(infos, " groups; the client supports at most ", kMost));
  }
}

void counts(const Subject& subject, Report& report) {
  if (!has_root(subject.document)) {
    return;
  }
  const Building building(subject.document, {});
  const auto check = [&](const char* field, std::string_view noun, std::uint32_t stated, std::size_t found) {
    if (stated != found) {
      report.add(root_path(subject, say("MOHD.", field)),
                 say("MOHD states ", counted_noun(stated, noun), ", but the file has ", found));
    }
  };
  check("nMaterials", "material", building.header.material_count, building.materials.size());
  check("nPortals", "portal", building.header.portal_count, building.portals.size());
  check("nLights", "light", building.header.light_count, building.lights.size());
  check("nDoodadDefs", "doodad", building.header.doodad_count, building.doodads.size());
  check("nDoodadSets", "doodad set", building.header.doodad_set_count, building.doodad_sets.size());
  std::size_t names = 0;
  const auto& text = building.doodad_names.text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    names += building.doodad_names.begins_at(i) && text[i] != '\0' ? 1U : 0U;
  }
  check("nDoodadNames", "doodad name", building.header.doodad_name_count, names);
}

// --- MOGI
// ------------------------------------------------------------------------------------------------------

/// Bytes of a chunk's head and content.
std::uint64_t written_size(const Chunk& chunk, std::uint32_t version) {
  Document alone;
  alone.chunks.push_back({FourCC{"MVER"}, Version{version}, {}, {}});
  constexpr std::uint64_t kUsualVersionChunk = 12;
  alone.chunks.push_back(chunk);
  return write(alone).size() - kUsualVersionChunk;
}

void group_offset(const Subject& subject, Report& report) {
  const Document& document = subject.document;
  if (!is_alpha(document.version()) || !has_root(document)) {
    return;
  }
  const auto& infos = Building(document, {}).group_infos;
  std::uint64_t at = 0;
  std::size_t number = 0;
  for (const auto& chunk : document.chunks) {
    const std::uint64_t size = written_size(chunk, document.version());
    if (std::holds_alternative<Group>(chunk.body) && number < infos.size()) {
      const std::string path = root_path(subject, thaw::at("MOGI", number));
      if (infos[number].offset != at) {
        report.add(path + ".offset",
                   say("MOGI states the offset ", infos[number].offset, ", but the group is at ", at));
      }
      if (infos[number].size != size) {
        report.add(path + ".size",
                   say("MOGI states ", infos[number].size, " bytes, but the group has ", size));
      }
      ++number;
    }
    at += size;
  }
}

void group_box(const Subject& subject, Report& report) {
  if (!is_whole(subject.document)) {
    return;
  }
  const Building building(subject.document, {});
  for (std::size_t i = 0; i < std::min(building.groups.size(), building.group_infos.size()); ++i) {
    if (!(building.group_infos[i].box == building.groups[i]->header.box)) {
      report.add(root_path(subject, thaw::at("MOGI", i) + ".box"),
                 "the bounding box differs from that of the group");
    }
  }
}

// --- names
// -----------------------------------------------------------------------------------------------------

void check_name(Report& report, const std::string& path, const Strings& strings, std::uint64_t offset,
                const char* table) {
  if (!strings.begins_at(offset)) {
    report.add(path, say("no string of ", table, " begins at ", offset));
  }
}

void texture_files(const Subject& subject, Report& report) {
  const Building building(subject.document, {});
  wow::TextureFiles files(subject.options, report);
  for (std::size_t i = 0; building.version < 16 && i < building.materials.size(); ++i) {
    const std::string path = root_path(subject, at("MOMT", i));
    files.look(path + ".texture1", name_at(building.texture_names, building.materials[i].texture1));
    files.look(path + ".texture2", name_at(building.texture_names, building.materials[i].texture2));
  }
}

void names(const Subject& subject, Report& report) {
  if (!has_root(subject.document)) {
    return;
  }
  const Building building(subject.document, {});
  for (std::size_t i = 0; i < building.materials.size(); ++i) {
    const std::string path = root_path(subject, at("MOMT", i));
    check_name(report, path + ".texture1", building.texture_names, building.materials[i].texture1, "MOTX");
    check_name(report, path + ".texture2", building.texture_names, building.materials[i].texture2, "MOTX");
  }
  for (std::size_t i = 0; i < building.doodads.size(); ++i) {
    check_name(report, root_path(subject, at("MODD", i)) + ".name", building.doodad_names,
               building.doodads[i].name_offset(), "MODN");
  }
  for (std::size_t i = 0; i < building.group_infos.size(); ++i) {
    const std::int32_t name = building.group_infos[i].name;
    if (name != -1) {
      check_name(report, root_path(subject, at("MOGI", i)) + ".name", building.group_names,
                 static_cast<std::uint32_t>(name), "MOGN");
    }
  }
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    check_name(report, path + ".header.name", building.group_names, group.header.name, "MOGN");
    check_name(report, path + ".header.description", building.group_names, group.header.description, "MOGN");
  });
}

// --- references
// ------------------------------------------------------------------------------------------------

void doodad_sets(const Subject& subject, Report& report) {
  const Building building(subject.document, {});
  for (std::size_t i = 0; i < building.doodad_sets.size(); ++i) {
    const auto& set = building.doodad_sets[i];
    if (std::uint64_t{set.first} + set.count > building.doodads.size()) {
      report.add(root_path(subject, at("MODS", i)),
                 say("the set uses ", counted_noun(set.count, "doodad"), " starting at index ", set.first,
                     "; the WMO has ", building.doodads.size()));
    }
  }
}

void references(const Subject& subject, Report& report) {
  if (!is_whole(subject.document)) {
    return;
  }
  const Building building(subject.document, {});
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    const GroupParts parts(group);
    const auto check = [&](const char* list, const char* noun, const Array<std::uint16_t>& indices,
                           std::size_t count) {
      for (std::size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] >= count) {
          report.add(say(path, ".", list, ".indices[", i, "]"),
                     say(noun, " ", indices[i], " does not exist; the count is ", count));
        }
      }
    };
    check("MODR", "doodad", parts.doodads, building.doodads.size());
    check("MOLR", "light", parts.lights, building.lights.size());
    for (std::size_t i = 0; i < group.header.fogs.size(); ++i) {
      if (group.header.fogs.at(i) >= building.fogs.size()) {
        report.add(say(path, ".header.fogs"), say("fog ", group.header.fogs.at(i),
                                                  " does not exist; the count is ", building.fogs.size()));
      }
    }
  });
}

void portal_references(const Subject& subject, Report& report) {
  if (!has_root(subject.document)) {
    return;
  }
  const Building building(subject.document, {});
  for (std::size_t i = 0; i < building.portal_references.size(); ++i) {
    const auto& reference = building.portal_references[i];
    const std::string path = root_path(subject, at("MOPR", i));
    if (reference.portal >= building.portals.size()) {
      report.add(path + ".portal",
                 say("portal ", reference.portal, " does not exist; the count is ", building.portals.size()));
    }
    if (reference.group >= building.group_infos.size()) {
      report.add(path + ".group", say("group ", reference.group, " does not exist; the count is ",
                                      building.group_infos.size()));
    }
  }
  if (!is_whole(subject.document)) {
    return;
  }
  std::uint64_t total = 0;
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    const std::uint64_t end = std::uint64_t{group.header.first_portal} + group.header.portal_count;
    total += group.header.portal_count;
    if (group.header.portal_count > 0 && end > building.portal_references.size()) {
      report.add(path + ".header.firstPortal",
                 say("the group uses ", counted(group.header.portal_count, "portal reference"),
                     " starting at index ", group.header.first_portal, "; MOPR has ",
                     building.portal_references.size()));
    }
  });
  if (total != building.portal_references.size()) {
    report.add(root_path(subject, "MOPR"), say("the groups use ", counted(total, "portal reference"),
                                               "; MOPR has ", building.portal_references.size()));
  }
}

void portal_vertices(const Subject& subject, Report& report) {
  const Building building(subject.document, {});
  for (std::size_t i = 0; i < building.portals.size(); ++i) {
    const auto& portal = building.portals[i];
    const std::size_t end = std::size_t{portal.first_vertex} + portal.vertex_count;
    if (end > building.portal_vertices.size()) {
      report.add(root_path(subject, at("MOPT", i)),
                 say("the portal uses ", counted(portal.vertex_count, "vertex"), " starting at index ",
                     portal.first_vertex, "; MOPV has ", building.portal_vertices.size()));
    }
  }
}

void attenuation(const Subject& subject, Report& report) {
  const Building building(subject.document, {});
  for (std::size_t i = 0; i < building.lights.size(); ++i) {
    const auto& light = building.lights[i];
    if (!(light.attenuation_end >= light.attenuation_start)) {
      report.add(
          root_path(subject, at("MOLT", i)) + ".attenuationEnd",
          say("the attenuation starts at ", light.attenuation_start, " and ends at ", light.attenuation_end));
    }
  }
}

// --- structures of later versions
// -------------------------------------------------------------------------------

void check_later_sizes(const Chunk& chunk, const std::string& path, Report& report) {
  const bool unread = !chunk.remainder.bytes.empty();
  const auto later_size = [&](FourCC tag, std::size_t alpha, std::size_t later, std::size_t items) {
    const std::size_t size = chunk.remainder.replaces_fields() ? chunk.remainder.bytes.size()
                                                               : items * alpha + chunk.remainder.bytes.size();
    if (chunk.tag == tag && unread && size % later == 0) {
      report.add(path, say(tag.text(), " has entries of ", later, " bytes instead of ", alpha));
    }
  };
  if (const auto* materials = std::get_if<Materials>(&chunk.body)) {
    later_size(FourCC{"MOMT"}, 44, 64, materials->items.size());
  } else if (const auto* infos = std::get_if<GroupInfos>(&chunk.body)) {
    later_size(FourCC{"MOGI"}, 40, 32, infos->items.size());
  } else if (const auto* lights = std::get_if<Lights>(&chunk.body)) {
    later_size(FourCC{"MOLT"}, 32, 48, lights->items.size());
  }
}

void later_structures(const Subject& subject, Report& report) {
  static constexpr std::array kLaterChunks = {FourCC{"MOSB"}, FourCC{"MOVV"}, FourCC{"MOVB"}};
  if (!is_alpha(subject.document.version())) {
    return;
  }
  for (const auto& chunk : subject.document.root_chunks()) {
    const std::string path = root_path(subject, chunk.tag.text());
    if (std::find(kLaterChunks.begin(), kLaterChunks.end(), chunk.tag) != kLaterChunks.end()) {
      report.add(path, say(chunk.tag.text(), " belongs to later versions"));
    }
    check_later_sizes(chunk, path, report);
  }
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    if (!group.header.wide) {
      report.add(path + ".header", "the header has 68 bytes instead of 128");
    }
    if (group.find<Indices>(FourCC{"MOVI"}) != nullptr) {
      report.add(path + ".MOVI", "the group has MOVI instead of MOIN");
    }
    const GroupParts parts(group);
    const std::size_t faces = parts.indices.size() / 3;
    if (faces > 0 && parts.faces.size() * 2 == faces) {
      report.add(path + ".MOPY", "MOPY has entries of 2 bytes instead of 4");
    }
  });
}

constexpr std::array kRootRules = {
    BuildingRule("wmo.order", always(kError), "chunks missing, out of order or in the wrong place",
                 "The WoW Alpha client reads the chunks in a fixed order, including empty ones, and the "
                 "groups after MOMO; otherwise it fails. Export the WMO again.",
                 order),
    BuildingRule(
        "wmo.later-structure", always(kError), "structures of later versions in a version 14 file",
        "The WoW Alpha client cannot read them. Convert the original file with `thaw convert FILE --to "
        "wmo-v14` instead of changing its version field.",
        later_structures),
    BuildingRule("wmo.counts", {kWarning, kInfo, kWarning},
                 "number in MOHD differs from the entries of the chunk",
                 "Readers use the chunk sizes; later files of the game differ, too. Set the number in MOHD "
                 "to that of the entries.",
                 counts),
    BuildingRule("wmo.group-count", always(kError),
                 "number of groups too large, or different in MOHD, MOGI and the file",
                 "The client reads the number in MOHD; WoW Alpha supports at most 384. Make the numbers "
                 "equal, or split the WMO.",
                 group_count),
    BuildingRule("wmo.group-offset", always(kError), "MOGI offset or size does not match the group",
                 "The client seeks to the offset and reads that many bytes. Update both.", group_offset),
    BuildingRule("wmo.group-box", always(kWarning), "bounding boxes of MOGI and the group differ",
                 "One box controls loading, the other drawing. Make them equal.", group_box),
    BuildingRule("wmo.name-offset", always(kWarning), "name offset not at the start of a string",
                 "Names are found by byte offset, so that another name is read here. Set the offset of the "
                 "start of a name.",
                 names),
    BuildingRule("wmo.texture-file", always(kError), "texture not supported by the version 14 client",
                 "WoW Alpha loads BLP2 up to 256 × 256. Run `thaw convert FILE --to blp2 --max-size 256`.",
                 texture_files),
    BuildingRule("wmo.doodad-range", always(kError), "doodad set out of range",
                 "The client reads unrelated memory instead. Export the WMO again.", doodad_sets),
    BuildingRule("wmo.reference", always(kError), "group refers to a missing doodad, light or fog",
                 "The client reads unrelated memory instead. Export the WMO again.", references),
    BuildingRule("wmo.portal-reference", {kWarning, kError, kWarning},
                 "portal reference out of range, or wrong number of references",
                 "The area beyond a portal may never be drawn, or always. Each entry of MOPR belongs "
                 "to one group. Export the WMO again.",
                 portal_references),
    BuildingRule("wmo.portal-vertices", always(kError), "portal vertices out of range",
                 "The client reads unrelated memory instead. Export the WMO again.", portal_vertices),
    BuildingRule(
        "wmo.attenuation", always(kWarning), "invalid light attenuation",
        "Start and end must be numbers, and the end must not be before the start. Swap or correct them.",
        attenuation),
};

}  // namespace

std::span<const BuildingRule> root_rules() { return kRootRules; }

}  // namespace thaw::wmo
