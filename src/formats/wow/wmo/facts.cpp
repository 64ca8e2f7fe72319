#include "formats/wow/wmo/facts.hpp"

#include "formats/wow/wmo/building.hpp"

#include <algorithm>
#include <set>

namespace thaw::wmo {
namespace {

struct GroupTotals {
  std::size_t vertices = 0;
  std::size_t faces = 0;
  std::size_t batches = 0;
  std::size_t liquids = 0;
  std::size_t bsp_nodes = 0;
};

GroupTotals totals_of(const Document& document) {
  GroupTotals totals;
  const auto size = [](const auto* chunk) { return chunk == nullptr ? 0 : chunk->items.size(); };
  for (const auto* group : document.groups()) {
    totals.vertices += size(group->find<Points>(FourCC{"MOVT"}));
    const auto* faces = group->find<Faces>(FourCC{"MOPY"});
    totals.faces += faces == nullptr ? 0 : faces->size();
    totals.batches += size(group->find<Batches>(FourCC{"MOBA"}));
    totals.liquids += size(group->find<Liquids>(FourCC{"MLIQ"}));
    totals.bsp_nodes += size(group->find<BspNodes>(FourCC{"MOBN"}));
  }
  return totals;
}

void count_parts(const Document& document, Facts& facts) {
  const auto add = [&](std::string_view kind, std::size_t count) {
    if (count > 0) {
      facts.counts.push_back({kind, count});
    }
  };
  const auto add_list = [&](std::string_view kind, const auto* list) {
    add(kind, list == nullptr ? 0 : list->items.size());
  };
  const GroupTotals totals = totals_of(document);
  const auto* infos = document.find<GroupInfos>(FourCC{"MOGI"});
  add("group", std::max(document.groups().size(), infos == nullptr ? 0 : infos->items.size()));
  add("vertex", totals.vertices);
  add("triangle", totals.faces);
  add("batch", totals.batches);
  add_list("material", document.find<Materials>(FourCC{"MOMT"}));
  add_list("portal", document.find<Portals>(FourCC{"MOPT"}));
  add_list("light", document.find<Lights>(FourCC{"MOLT"}));
  add_list("doodad", document.find<Doodads>(FourCC{"MODD"}));
  add_list("doodad set", document.find<DoodadSets>(FourCC{"MODS"}));
  add_list("fog", document.find<Fogs>(FourCC{"MFOG"}));
  add("liquid", totals.liquids);
  add("BSP node", totals.bsp_nodes);
}

void list_textures(const Document& document, Facts& facts) {
  const auto* names = document.find<Strings>(FourCC{"MOTX"});
  const auto* materials = document.find<Materials>(FourCC{"MOMT"});
  if (names == nullptr || materials == nullptr) {
    return;
  }
  std::set<std::string> seen;
  for (const auto& material : materials->items) {
    for (const auto offset : {material.texture1, material.texture2}) {
      std::string path = to_utf8(name_at(*names, offset));
      if (!path.empty() && seen.insert(path).second) {
        facts.textures.push_back({std::move(path), 0});
      }
    }
  }
}

}  // namespace

Facts facts_of(const Document& document) {
  Facts facts;
  const auto* names = document.find<Strings>(FourCC{"MOGN"});
  const auto* infos = document.find<GroupInfos>(FourCC{"MOGI"});
  const auto add_box = [&](const Box& box) {
    if (!facts.bounds) {
      facts.bounds = Facts::Box{box.minimum, box.maximum, 0};
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      facts.bounds->minimum[axis] = std::min(facts.bounds->minimum[axis], box.minimum[axis]);
      facts.bounds->maximum[axis] = std::max(facts.bounds->maximum[axis], box.maximum[axis]);
    }
  };
  if (infos != nullptr) {
    for (const auto& info : infos->items) {
      add_box(info.box);
      if (facts.name.empty() && names != nullptr && info.name >= 0) {
        facts.name = to_utf8(name_at(*names, static_cast<std::uint64_t>(info.name)));
      }
    }
  } else {
    for (const auto* group : document.groups()) {
      add_box(group->header.box);
    }
  }
  count_parts(document, facts);
  list_textures(document, facts);
  return facts;
}

}  // namespace thaw::wmo
