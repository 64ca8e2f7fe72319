// Merges a WMO that was edited elsewhere into the original: what was not edited is preserved.
#include "formats/wow/wmo/from_scene/from_scene.hpp"
#include "formats/wow/wmo/from_scene/sorted.hpp"

#include <thaw/wmo.hpp>

#include "formats/wow/wmo/building.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace thaw::wmo {
namespace {

/// A building of either version.
struct Whole {
  std::vector<Chunk> root;
  std::vector<Group> groups;
};

std::vector<Group> copies(const std::vector<const Group*>& groups) {
  std::vector<Group> all;
  for (const Group* group : groups) {
    all.push_back(*group);
  }
  return all;
}

/// Some writers put groups among the chunks of the root.
Whole whole_of(const Document& document) {
  Whole whole{document.root_chunks(), copies(document.groups())};
  std::erase_if(whole.root, [](const Chunk& chunk) { return std::holds_alternative<Group>(chunk.body); });
  return whole;
}

Whole whole_of(const SplitBuilding& building) {
  Whole whole{building.root.chunks, {}};
  for (const Document& group : building.groups) {
    const auto found = copies(group.groups());
    whole.groups.push_back(found.empty() ? Group() : found.front());
  }
  return whole;
}

/// Puts groups into a file where it has some.
void put_groups(std::vector<Chunk>& chunks, std::vector<Group>::iterator next) {
  for (Chunk& chunk : chunks) {
    if (auto* group = std::get_if<Group>(&chunk.body)) {
      *group = std::move(*next++);
    }
  }
}

const Chunk* find(const std::vector<Chunk>& chunks, FourCC tag) {
  const auto found =
      std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.tag == tag; });
  return found == chunks.end() ? nullptr : &*found;
}

/// A rotation comes back by a product where the model is there, and so with other last bits, or turned
/// around.
bool alike(const Vec4& a, const Vec4& b) {
  constexpr float kNear = 1e-5F;
  float apart = 0;
  float around = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart = std::max(apart, std::abs(a.at(i) - b.at(i)));
    around = std::max(around, std::abs(a.at(i) + b.at(i)));
  }
  return std::min(apart, around) <= kNear;
}

bool alike_size(float a, float b) { return std::abs(a - b) <= 1e-5F * std::abs(a); }

/// The original with each field of `edited` that differs from `before`.
Doodad merged(Doodad original, const Doodad& before, const Doodad& edited) {
  const auto take = [](auto& to, const auto& was, const auto& now) {
    if (!(was == now)) {
      to = now;
    }
  };
  take(original.flags, before.flags, edited.flags);
  take(original.position, before.position, edited.position);
  take(original.color, before.color, edited.color);
  if (!alike(before.rotation, edited.rotation)) {
    original.rotation = edited.rotation;
  }
  if (!alike_size(before.scale, edited.scale)) {
    original.scale = edited.scale;
  }
  return original;
}

bool alike(const Doodad& a, Doodad b) {
  if (!alike(a.rotation, b.rotation) || !alike_size(a.scale, b.scale)) {
    return false;
  }
  b.rotation = a.rotation;
  b.scale = a.scale;
  return a == b;
}

bool alike(const Doodads& a, const Doodads& b) {
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
                    [](const Doodad& one, const Doodad& other) { return alike(one, other); });
}

bool alike(const Chunk* a, const Chunk* b) {
  if (a == nullptr || b == nullptr) {
    return a == b;
  }
  const auto* doodads = std::get_if<Doodads>(&a->body);
  const auto* others = std::get_if<Doodads>(&b->body);
  return doodads != nullptr && others != nullptr ? alike(*doodads, *others) : *a == *b;
}

bool alike(const std::vector<Chunk>& a, const std::vector<Chunk>& b, std::span<const FourCC> tags) {
  return std::all_of(tags.begin(), tags.end(), [&](FourCC tag) { return alike(find(a, tag), find(b, tag)); });
}

/// Chunks of these tags as the other has them; none where it has none.
void take(std::vector<Chunk>& to, const std::vector<Chunk>& from, std::span<const FourCC> tags) {
  for (const FourCC tag : tags) {
    const Chunk* source = find(from, tag);
    const auto same_tag = [&](const Chunk& chunk) { return chunk.tag == tag; };
    auto at = std::find_if(to.begin(), to.end(), same_tag);
    if (source != nullptr && at != to.end()) {
      *at = *source;
      ++at;
    } else if (source != nullptr) {
      to.push_back(*source);
      at = to.end();
    }
    // A second chunk of the same tag, as later versions have, belonged to the replaced one.
    to.erase(std::remove_if(at, to.end(), same_tag), to.end());
  }
}

constexpr std::array kMaterials = {FourCC{"MOTX"}, FourCC{"MOMT"}};
constexpr std::array kPortals = {FourCC{"MOPV"}, FourCC{"MOPT"}, FourCC{"MOPR"}};
constexpr std::array kLights = {FourCC{"MOLT"}};
constexpr std::array kDoodads = {FourCC{"MODS"}, FourCC{"MODN"}, FourCC{"MODD"}};
constexpr std::array kDoodadNames = {FourCC{"MODS"}, FourCC{"MODN"}};
constexpr std::array kFogs = {FourCC{"MFOG"}};
constexpr std::array kGroupNames = {FourCC{"MOGN"}};

constexpr std::array kGeometry = {
    FourCC{"MOPY"}, FourCC{"MOVI"}, FourCC{"MOVT"}, FourCC{"MONR"}, FourCC{"MOTV"}, FourCC{"MOLV"},
    FourCC{"MOIN"}, FourCC{"MOBA"}, FourCC{"MOBN"}, FourCC{"MOBR"}, FourCC{"MPBV"}, FourCC{"MPBP"},
    FourCC{"MPBI"}, FourCC{"MPBG"}, FourCC{"MOCV"}, FourCC{"MOLM"}, FourCC{"MOLD"}};
constexpr std::array kLightNumbers = {FourCC{"MOLR"}};
constexpr std::array kDoodadNumbers = {FourCC{"MODR"}};
constexpr std::array kLiquids = {FourCC{"MLIQ"}};

/// Chunks of a group in the order that WoW Alpha's client reads them in, and later ones have.
void sort_chunks(Group& group) {
  constexpr std::array kOrder = {FourCC{"MOPY"}, FourCC{"MOVI"}, FourCC{"MOVT"}, FourCC{"MONR"},
                                 FourCC{"MOTV"}, FourCC{"MOLV"}, FourCC{"MOIN"}, FourCC{"MOBA"},
                                 FourCC{"MOLR"}, FourCC{"MODR"}, FourCC{"MOBN"}, FourCC{"MOBR"},
                                 FourCC{"MPBV"}, FourCC{"MPBP"}, FourCC{"MPBI"}, FourCC{"MPBG"},
                                 FourCC{"MOCV"}, FourCC{"MOLM"}, FourCC{"MOLD"}, FourCC{"MLIQ"}};
  sort_by(group.chunks, [&](const Chunk& chunk) {
    return std::find(kOrder.begin(), kOrder.end(), chunk.tag) - kOrder.begin();
  });
}

/// Which parts of the root stay as they were, so that numbers in groups mean the same.
struct Stays {
  bool materials = false;
  bool lights = false;
  bool doodads = false;
  bool portals = false;
  bool names = false;
};

const std::vector<Doodad>* doodads_of(const std::vector<Chunk>& root) {
  const auto* list = find_chunk<Doodads>(root, FourCC{"MODD"});
  return list == nullptr ? nullptr : &list->items;
}

/// Doodads that were moved, of the same names and in the same sets, where they were in the original's list.
bool merge_doodads(const std::vector<Chunk>& before_root, const std::vector<Chunk>& edited_root,
                   std::vector<Chunk>& root) {
  if (alike(before_root, edited_root, kDoodads)) {
    return true;
  }
  const auto* before = doodads_of(before_root);
  const auto* edited = doodads_of(edited_root);
  const auto* original = doodads_of(root);
  const bool same_names = alike(before_root, edited_root, kDoodadNames) && before != nullptr &&
                          edited != nullptr && original != nullptr && before->size() == edited->size() &&
                          original->size() == edited->size() &&
                          std::equal(before->begin(), before->end(), edited->begin(),
                                     [](const Doodad& a, const Doodad& b) { return a.name == b.name; });
  for (Chunk& chunk : root) {
    auto* list = std::get_if<Doodads>(&chunk.body);
    for (std::size_t i = 0; same_names && list != nullptr && i < list->items.size(); ++i) {
      list->items[i] = merged(list->items[i], (*before)[i], (*edited)[i]);
    }
  }
  return same_names;
}

std::uint32_t chunk_flags(const Group& group) {
  const auto flag = [&](FourCC tag, std::uint32_t bit) {
    return find(group.chunks, tag) != nullptr ? bit : 0;
  };
  return flag(FourCC{"MOBN"}, GroupHeader::kBsp) | flag(FourCC{"MOLM"}, GroupHeader::kLightmaps) |
         flag(FourCC{"MOCV"}, GroupHeader::kVertexColors) | flag(FourCC{"MOLR"}, GroupHeader::kLights) |
         flag(FourCC{"MPBV"}, GroupHeader::kPortalBatches) | flag(FourCC{"MODR"}, GroupHeader::kDoodads) |
         flag(FourCC{"MLIQ"}, GroupHeader::kLiquid);
}

Group merged(const Group& original, const Group& before, const Group& edited, const Stays& stays,
             Rewritten& rewritten) {
  Group result = original;
  const bool geometry = stays.materials && alike(before.chunks, edited.chunks, kGeometry);
  rewritten.geometry = rewritten.geometry || !geometry;
  if (!geometry) {
    take(result.chunks, edited.chunks, kGeometry);
    result.header.box = edited.header.box;
    result.header.interior = edited.header.interior;
    result.header.exterior = edited.header.exterior;
    result.header.transition_batches = edited.header.transition_batches;
    result.header.interior_batches = edited.header.interior_batches;
    result.header.exterior_batches = edited.header.exterior_batches;
  }
  if (!stays.lights || !alike(before.chunks, edited.chunks, kLightNumbers)) {
    take(result.chunks, edited.chunks, kLightNumbers);
  }
  if (!stays.doodads || !alike(before.chunks, edited.chunks, kDoodadNumbers)) {
    take(result.chunks, edited.chunks, kDoodadNumbers);
  }
  if (!stays.materials || !alike(before.chunks, edited.chunks, kLiquids)) {
    take(result.chunks, edited.chunks, kLiquids);
  }
  if (!stays.portals) {
    result.header.first_portal = edited.header.first_portal;
    result.header.portal_count = edited.header.portal_count;
  }
  if (!stays.names) {
    result.header.name = edited.header.name;
    result.header.description = edited.header.description;
  }
  if (before.header.flags != edited.header.flags) {
    result.header.flags = edited.header.flags;
  }
  constexpr std::uint32_t kOfChunks =
      GroupHeader::kBsp | GroupHeader::kLightmaps | GroupHeader::kVertexColors | GroupHeader::kLights |
      GroupHeader::kPortalBatches | GroupHeader::kDoodads | GroupHeader::kLiquid;
  if (!(result == original)) {
    result.header.flags = (result.header.flags & ~kOfChunks) | chunk_flags(result);
    sort_chunks(result);
  }
  return result;
}

/// Each number that is not as before.
void merge_header(Header& header, const Header& before, const Header& edited) {
  const auto take_field = [&](auto field) {
    if (!(before.*field == edited.*field)) {
      header.*field = edited.*field;
    }
  };
  take_field(&Header::material_count);
  take_field(&Header::group_count);
  take_field(&Header::portal_count);
  take_field(&Header::light_count);
  take_field(&Header::doodad_name_count);
  take_field(&Header::doodad_count);
  take_field(&Header::doodad_set_count);
  take_field(&Header::box);
}

void merge_groups(const Whole& original, const Whole& before, const Stays& unchanged, Whole& edited,
                  Rewritten& rewritten) {
  for (std::size_t i = 0; i < edited.groups.size(); ++i) {
    edited.groups[i] = merged(original.groups[i], before.groups[i], edited.groups[i], unchanged, rewritten);
  }
}

/// What the root says of groups that are not the original's any more.
void update_infos(const Whole& original, const std::vector<Group>& groups, std::vector<Chunk>& root) {
  for (Chunk& chunk : root) {
    auto* infos = std::get_if<GroupInfos>(&chunk.body);
    for (std::size_t i = 0; infos != nullptr && i < std::min(infos->items.size(), groups.size()); ++i) {
      const GroupHeader& now = groups[i].header;
      if (!(groups[i] == original.groups[i])) {
        infos->items[i].box = now.box;
      }
      if (now.flags != original.groups[i].header.flags) {
        infos->items[i].flags = now.flags;
      }
      if (now.name != original.groups[i].header.name) {
        infos->items[i].name = static_cast<std::int32_t>(now.name);
      }
    }
  }
}

Rewritten merge(const Whole& original, const Whole& before, Whole& edited) {
  const auto stays = [&](std::span<const FourCC> tags) { return alike(before.root, edited.root, tags); };
  const bool same_groups =
      original.groups.size() == before.groups.size() && original.groups.size() == edited.groups.size();
  std::vector<Chunk> root = original.root;
  const Stays unchanged{stays(kMaterials), stays(kLights), merge_doodads(before.root, edited.root, root),
                        stays(kPortals), stays(kGroupNames)};
  Rewritten rewritten{true, false, !unchanged.doodads};
  const auto renew = [&](bool stay, std::span<const FourCC> tags) {
    if (!stay || !same_groups) {
      take(root, edited.root, tags);
    }
  };
  // Where groups differ, their numbers refer to the parts of the edited WMO.
  renew(unchanged.materials, kMaterials);
  renew(unchanged.lights, kLights);
  renew(unchanged.doodads, kDoodads);
  renew(unchanged.portals, kPortals);
  renew(unchanged.names, kGroupNames);
  if (!stays(kFogs)) {
    take(root, edited.root, kFogs);
  }
  if (same_groups) {
    merge_groups(original, before, unchanged, edited, rewritten);
    update_infos(original, edited.groups, root);
  } else {
    rewritten = {true, true, true};
    constexpr std::array kInfos = {FourCC{"MOGI"}};
    take(root, edited.root, kInfos);
  }
  for (Chunk& chunk : root) {
    if (auto* header = std::get_if<Header>(&chunk.body)) {
      merge_header(*header, part_or_empty(find_chunk<Header>(before.root, FourCC{"MOHD"})),
                   part_or_empty(find_chunk<Header>(edited.root, FourCC{"MOHD"})));
    }
  }
  edited.root = std::move(root);
  return rewritten;
}

}  // namespace

Rewritten merge_onto(const Document& original, const Document& before, Document& edited) {
  if (before == edited) {
    edited = original;
    return {};
  }
  Whole result = whole_of(edited);
  const Rewritten rewritten = merge(whole_of(original), whole_of(before), result);
  for (Chunk& chunk : edited.chunks) {
    if (auto* root = std::get_if<Root>(&chunk.body)) {
      root->chunks = result.root;
    }
  }
  put_groups(edited.chunks, result.groups.begin());
  lay_out(edited);
  // Differences that change no byte do not count.
  return write(edited) == write(original) ? Rewritten() : rewritten;
}

Rewritten merge_onto(const SplitBuilding& original, const SplitBuilding& before, SplitBuilding& edited) {
  if (before.root == edited.root && before.groups == edited.groups) {
    edited = original;
    return {};
  }
  Whole result = whole_of(edited);
  const Rewritten rewritten = merge(whole_of(original), whole_of(before), result);
  if (original.groups.size() == edited.groups.size()) {
    edited.groups = original.groups;
  }
  edited.root.chunks = std::move(result.root);
  edited.root.tail = original.root.tail;
  for (std::size_t i = 0; i < edited.groups.size(); ++i) {
    put_groups(edited.groups[i].chunks, result.groups.begin() + static_cast<std::ptrdiff_t>(i));
  }
  const auto same = [](const Document& a, const Document& b) { return write(a) == write(b); };
  return same(edited.root, original.root) && std::equal(edited.groups.begin(), edited.groups.end(),
                                                        original.groups.begin(), original.groups.end(), same)
             ? Rewritten()
             : rewritten;
}

}  // namespace thaw::wmo
