// See wmo.md#checks: geometry of groups, BSP trees, liquids.
#include "formats/wow/wmo/document.hpp"
#include "formats/wow/wmo/rules_common.hpp"

#include <algorithm>

namespace thaw::wmo {
namespace {

void vertex_counts(const Subject& subject, Report& report) {
  const bool alpha = is_alpha(subject.document.version());
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    const GroupParts parts(group);
    const std::size_t count = parts.positions.size();
    const auto check = [&](const char* tag, std::size_t found) {
      if (found != count) {
        report.add(say(path, ".", tag), say(tag, " has ", found, " entries for ", counted(count, "vertex")));
      }
    };
    check("MONR", parts.normals.size());
    check("MOTV", parts.coordinates.size());
    if (alpha) {
      check("MOLV", parts.light_coordinates.size());
    }
    if (group.find<Colors>(FourCC{"MOCV"}) != nullptr) {
      check("MOCV", parts.colors.size());
    }
  });
}

void indices(const Subject& subject, Report& report) {
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    const GroupParts parts(group);
    const std::string list = path + (group.find<Indices>(FourCC{"MOIN"}) != nullptr ? ".MOIN" : ".MOVI");
    for (std::size_t i = 0; i < parts.indices.size(); ++i) {
      if (parts.indices[i] >= parts.positions.size()) {
        report.add(
            say(list, ".indices[", i, "]"),
            say("vertex ", parts.indices[i], " does not exist; the count is ", parts.positions.size()));
      }
    }
    if (parts.faces.size() * 3 != parts.indices.size()) {
      report.add(list, say(parts.indices.size(), " indices for ", counted(parts.faces.size(), "face"),
                           " of MOPY; expected ", parts.faces.size() * 3));
    }
  });
}

/// Does the batch's range of vertices hold what its indices say?
bool covers(const Batch& batch, const Array<std::uint16_t>& indices) {
  const auto* begin = indices.data() + batch.first_index;
  return std::all_of(begin, begin + batch.index_count, [&](std::uint16_t vertex) {
    return vertex >= batch.first_vertex && vertex <= batch.last_vertex;
  });
}

void batches(const Subject& subject, Report& report) {
  const Building building(subject.document, {});
  const bool known_materials = has_root(subject.document);
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    const GroupParts parts(group);
    std::size_t budget = 4 * parts.indices.size();  // batches over each other must not multiply the work
    for (std::size_t i = 0; i < parts.batches.size(); ++i) {
      const Batch& batch = parts.batches[i];
      const std::string place = say(path, ".MOBA[", i, "]");
      const std::uint64_t end = std::uint64_t{batch.first_index} + batch.index_count;
      if (end > parts.indices.size()) {
        report.add(place, say("the batch uses ", batch.index_count, " indices starting at index ",
                              batch.first_index, "; the group has ", parts.indices.size()));
      } else if (batch.index_count <= budget) {
        budget -= batch.index_count;
        if (!covers(batch, parts.indices)) {
          report.add(place, say("the batch uses vertices outside of its range from ", batch.first_vertex,
                                " to ", batch.last_vertex));
        }
      }
      if (batch.index_count > 0 &&
          std::max(batch.first_vertex, batch.last_vertex) >= parts.positions.size()) {
        report.add(place,
                   say("the batch uses vertices up to ", std::max(batch.first_vertex, batch.last_vertex),
                       "; the group has ", parts.positions.size()));
      }
      if (known_materials && batch.material >= building.materials.size()) {
        report.add(place + ".material", say("material ", batch.material, " does not exist; the count is ",
                                            building.materials.size()));
      }
    }
  });
}

// --- BSP
// -------------------------------------------------------------------------------------------------------

/// Follows children from the root node; a node that is met twice on the way down is its own ancestor, one
/// that is met from two sides belongs to two trees.
bool is_tree(const std::vector<BspNode>& nodes) {
  std::vector<bool> met(nodes.size());
  std::vector<std::size_t> open = {0};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (met[at]) {
      return false;
    }
    met[at] = true;
    if ((nodes[at].flags & BspNode::kLeaf) == 0) {
      for (const std::int16_t child : {nodes[at].negative, nodes[at].positive}) {
        if (child >= 0 && static_cast<std::size_t>(child) < nodes.size()) {
          open.push_back(static_cast<std::size_t>(child));
        }
      }
    }
  }
  return true;
}

void bsp(const Subject& subject, Report& report) {
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    const GroupParts parts(group);
    const auto& nodes = parts.bsp_nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::string place = say(path, ".MOBN[", i, "]");
      for (const std::int16_t child : {nodes[i].negative, nodes[i].positive}) {
        if (child < -1 || (child >= 0 && static_cast<std::size_t>(child) >= nodes.size())) {
          report.add(place, say("child node ", child, " does not exist; the count is ", nodes.size()));
        }
      }
      const std::uint64_t end = std::uint64_t{nodes[i].first_face} + nodes[i].face_count;
      if (nodes[i].face_count > 0 && end > parts.bsp_faces.size()) {
        report.add(place, say("the node uses ", nodes[i].face_count, " faces starting at index ",
                              nodes[i].first_face, "; MOBR has ", parts.bsp_faces.size()));
      }
    }
    if (!nodes.empty() && !is_tree(nodes)) {
      report.add(path + ".MOBN", "the nodes are not a tree: one is reached twice");
    }
    for (std::size_t i = 0; i < parts.bsp_faces.size(); ++i) {
      if (parts.bsp_faces[i] >= parts.faces.size()) {
        report.add(say(path, ".MOBR.indices[", i, "]"),
                   say("face ", parts.bsp_faces[i], " does not exist; the count is ", parts.faces.size()));
      }
    }
  });
}

// --- flags, liquids, boxes
// -------------------------------------------------------------------------------------

struct FlagOfChunk {
  std::uint32_t flag;
  FourCC tag;
  bool alpha_only;
};
constexpr std::array kFlags = {
    FlagOfChunk{GroupHeader::kBsp, FourCC{"MOBN"}, false},
    FlagOfChunk{GroupHeader::kLightmaps, FourCC{"MOLM"}, true},
    FlagOfChunk{GroupHeader::kVertexColors, FourCC{"MOCV"}, false},
    FlagOfChunk{GroupHeader::kLights, FourCC{"MOLR"}, false},
    FlagOfChunk{GroupHeader::kPortalBatches, FourCC{"MPBV"}, true},
    FlagOfChunk{GroupHeader::kDoodads, FourCC{"MODR"}, false},
    FlagOfChunk{GroupHeader::kLiquid, FourCC{"MLIQ"}, false},
};

void flags(const Subject& subject, Report& report) {
  const bool alpha = is_alpha(subject.document.version());
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    for (const auto& row : kFlags) {
      const bool flag = (group.header.flags & row.flag) != 0;
      const bool chunk = std::any_of(group.chunks.begin(), group.chunks.end(),
                                     [&](const Chunk& other) { return other.tag == row.tag; });
      if (flag != chunk && (alpha || !row.alpha_only)) {
        report.add(
            path + ".header.flags",
            say("flag ", row.flag, flag ? " is set without " : " is not set despite ", row.tag.text()));
      }
    }
  });
}

void liquids(const Subject& subject, Report& report) {
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    for (const auto& chunk : group.chunks) {
      const auto* list = std::get_if<Liquids>(&chunk.body);
      if (list == nullptr) {
        continue;
      }
      if (!chunk.remainder.bytes.empty()) {
        report.add(path + ".MLIQ",
                   say(counted(chunk.remainder.bytes.size(), "byte"), " after the last liquid"));
      }
      for (std::size_t i = 0; i < list->items.size(); ++i) {
        const Liquid& liquid = list->items[i];
        if (liquid.x_tiles != liquid.x_vertices - 1 || liquid.y_tiles != liquid.y_vertices - 1) {
          report.add(
              say(path, ".MLIQ[", i, "]"),
              say("the liquid has ", liquid.x_tiles, " × ", liquid.y_tiles, " tiles, but ", liquid.x_vertices,
                  " × ", liquid.y_vertices, " vertices; each side needs one vertex more than tiles"));
        }
      }
    }
  });
}

void outside(const Subject& subject, Report& report) {
  constexpr float kTolerance = 0.03F;
  for_each_group(subject.document, [&](const std::string& path, const Group& group) {
    const GroupParts parts(group);
    const Box& box = group.header.box;
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < parts.positions.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float value = parts.positions[i][axis];
        if (!(value >= box.minimum[axis] - kTolerance && value <= box.maximum[axis] + kTolerance)) {
          first = count == 0 ? i : first;
          ++count;
          break;
        }
      }
    }
    if (count > 0) {
      report.add(say(path, ".MOVT.points[", first, "]"),
                 say(count, " of ", parts.positions.size(), " vertices outside the bounding box"));
    }
  });
}

constexpr std::array kGroupRules = {
    BuildingRule("wmo.vertex-counts", always(kError), "vertex arrays differ in length",
                 "MONR and MOTV need one entry per vertex, and so do MOCV (if it exists) and, in version 14, "
                 "MOLV. Export the WMO again.",
                 vertex_counts),
    BuildingRule(
        "wmo.vertex-outside", always(kWarning), "vertices outside their group's bounding box",
        "The group may disappear while these vertices are in view. Boxes are 1/36 yard larger than their "
        "content. Recalculate the box.",
        outside),
    BuildingRule(
        "wmo.index", always(kError), "vertex index out of range, or wrong number of indices",
        "MOPY needs three indices per face, each below the number of vertices. Export the WMO again.",
        indices),
    BuildingRule("wmo.batch", always(kError), "batch out of range",
                 "The batch's indices, vertices and material must exist, and its range must contain its "
                 "vertices. Export the WMO again.",
                 batches),
    BuildingRule(
        "wmo.bsp", always(kError), "invalid BSP tree",
        "Players fall through the floor, or the client hangs. Export the WMO again, which makes a new tree.",
        bsp),
    BuildingRule("wmo.flags", always(kError), "group flags do not match the chunks of the group",
                 "The client reads the chunks that the flags announce. Set the flags of the chunks that "
                 "exist, and no others.",
                 flags),
    BuildingRule("wmo.liquid", always(kError), "liquid size does not match its vertices or its chunk",
                 "Each side needs one vertex more than tiles, and MLIQ must end after the last liquid. "
                 "Export the WMO again.",
                 liquids),
};

}  // namespace

std::span<const BuildingRule> group_rules() { return kGroupRules; }

}  // namespace thaw::wmo
