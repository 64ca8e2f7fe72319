// A building that was edited elsewhere, onto the one that it was: what was not edited stays.
#include "formats/wow/wmo/from_scene/from_scene.hpp"
#include "formats/wow/wmo/from_scene/sorted.hpp"

#include <thaw/wmo_convert.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace thaw::wmo {
namespace {

std::vector<Chunk>& root_of(Document& document) {
  for (Chunk& chunk : document.chunks) {
    if (auto* root = std::get_if<Root>(&chunk.body)) {
      return root->chunks;
    }
  }
  return document.chunks;
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

/// Each part of `made` that is not as before, on what the original has.
Doodad merged(Doodad original, const Doodad& before, const Doodad& made) {
  const auto take = [](auto& to, const auto& was, const auto& now) {
    if (!(was == now)) {
      to = now;
    }
  };
  take(original.flags, before.flags, made.flags);
  take(original.position, before.position, made.position);
  take(original.color, before.color, made.color);
  if (!alike(before.rotation, made.rotation)) {
    original.rotation = made.rotation;
  }
  if (!alike_size(before.scale, made.scale)) {
    original.scale = made.scale;
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
    const auto at = std::find_if(to.begin(), to.end(), [&](const Chunk& chunk) { return chunk.tag == tag; });
    if (source != nullptr && at != to.end()) {
      *at = *source;
    } else if (source != nullptr) {
      to.push_back(*source);
    } else if (at != to.end()) {
      to.erase(at);
    }
  }
}

constexpr std::array kMaterials = {FourCC{"MOTX"}, FourCC{"MOMT"}};
constexpr std::array kPortals = {FourCC{"MOPV"}, FourCC{"MOPT"}, FourCC{"MOPR"}};
constexpr std::array kLights = {FourCC{"MOLT"}};
constexpr std::array kDoodads = {FourCC{"MODS"}, FourCC{"MODN"}, FourCC{"MODD"}};
constexpr std::array kDoodadNames = {FourCC{"MODS"}, FourCC{"MODN"}};
constexpr std::array kFogs = {FourCC{"MFOG"}};

constexpr std::array kGeometry = {FourCC{"MOPY"}, FourCC{"MOVT"}, FourCC{"MONR"}, FourCC{"MOTV"},
                                  FourCC{"MOLV"}, FourCC{"MOIN"}, FourCC{"MOBA"}, FourCC{"MOBN"},
                                  FourCC{"MOBR"}, FourCC{"MPBV"}, FourCC{"MPBP"}, FourCC{"MPBI"},
                                  FourCC{"MPBG"}, FourCC{"MOCV"}, FourCC{"MOLM"}, FourCC{"MOLD"}};
constexpr std::array kLightNumbers = {FourCC{"MOLR"}};
constexpr std::array kDoodadNumbers = {FourCC{"MODR"}};
constexpr std::array kLiquids = {FourCC{"MLIQ"}};

/// Chunks of a group in the order that the alpha's client reads them in.
void sort_chunks(Group& group) {
  constexpr std::array kOrder = {FourCC{"MOPY"}, FourCC{"MOVT"}, FourCC{"MONR"}, FourCC{"MOTV"},
                                 FourCC{"MOLV"}, FourCC{"MOIN"}, FourCC{"MOBA"}, FourCC{"MOLR"},
                                 FourCC{"MODR"}, FourCC{"MOBN"}, FourCC{"MOBR"}, FourCC{"MPBV"},
                                 FourCC{"MPBP"}, FourCC{"MPBI"}, FourCC{"MPBG"}, FourCC{"MOCV"},
                                 FourCC{"MOLM"}, FourCC{"MOLD"}, FourCC{"MLIQ"}};
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
};

const std::vector<Doodad>* doodads_of(const std::vector<Chunk>& root) {
  const auto* list = find_chunk<Doodads>(root, FourCC{"MODD"});
  return list == nullptr ? nullptr : &list->items;
}

/// Doodads that were moved, of the same names and in the same sets, where they were in the original's list.
bool merge_doodads(const std::vector<Chunk>& before_root, const std::vector<Chunk>& made_root,
                   std::vector<Chunk>& root) {
  if (alike(before_root, made_root, kDoodads)) {
    return true;
  }
  const auto* before = doodads_of(before_root);
  const auto* made = doodads_of(made_root);
  const auto* original = doodads_of(root);
  const bool same_names = alike(before_root, made_root, kDoodadNames) && before != nullptr &&
                          made != nullptr && original != nullptr && before->size() == made->size() &&
                          original->size() == made->size() &&
                          std::equal(before->begin(), before->end(), made->begin(),
                                     [](const Doodad& a, const Doodad& b) { return a.name == b.name; });
  for (Chunk& chunk : root) {
    auto* list = std::get_if<Doodads>(&chunk.body);
    for (std::size_t i = 0; same_names && list != nullptr && i < list->items.size(); ++i) {
      list->items[i] = merged(list->items[i], (*before)[i], (*made)[i]);
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

Group merged(const Group& original, const Group& before, const Group& made, const Stays& stays,
             Taken& taken) {
  Group result = original;
  const bool geometry = stays.materials && alike(before.chunks, made.chunks, kGeometry);
  taken.geometry = taken.geometry || !geometry;
  if (!geometry) {
    take(result.chunks, made.chunks, kGeometry);
    result.header.box = made.header.box;
    result.header.interior = made.header.interior;
    result.header.exterior = made.header.exterior;
  }
  if (!stays.lights || !alike(before.chunks, made.chunks, kLightNumbers)) {
    take(result.chunks, made.chunks, kLightNumbers);
  }
  if (!stays.doodads || !alike(before.chunks, made.chunks, kDoodadNumbers)) {
    take(result.chunks, made.chunks, kDoodadNumbers);
  }
  if (!stays.materials || !alike(before.chunks, made.chunks, kLiquids)) {
    take(result.chunks, made.chunks, kLiquids);
  }
  if (!stays.portals) {
    result.header.first_portal = made.header.first_portal;
    result.header.portal_count = made.header.portal_count;
  }
  if (before.header.flags != made.header.flags) {
    result.header.flags = made.header.flags;
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

}  // namespace

Taken merge_onto(const Document& original, const Document& before, Document& made) {
  if (before == made) {
    made = original;
    return {};
  }
  const auto& old_root = original.root_chunks();
  const auto& before_root = before.root_chunks();
  auto& root = root_of(made);
  const auto stays = [&](std::span<const FourCC> tags) { return alike(before_root, root, tags); };
  const auto old_groups = original.groups();
  const auto before_groups = before.groups();
  const bool same_groups =
      old_groups.size() == before_groups.size() && old_groups.size() == made.groups().size();
  std::vector<Chunk> merged_root = old_root;
  const Stays kept{stays(kMaterials), stays(kLights), merge_doodads(before_root, root, merged_root),
                   stays(kPortals)};
  Taken taken{false, !kept.doodads};
  const auto renew = [&](bool stay, std::span<const FourCC> tags) {
    if (!stay) {
      take(merged_root, root, tags);
    }
  };
  renew(kept.materials, kMaterials);
  renew(kept.lights, kLights);
  renew(kept.doodads, kDoodads);
  renew(kept.portals, kPortals);
  renew(stays(kFogs), kFogs);
  if (!same_groups) {
    taken = {true, true};
    constexpr std::array kNames = {FourCC{"MOGN"}, FourCC{"MOGI"}};
    take(merged_root, root, kNames);
    // Numbers that stay mean what they meant: parts that the groups name are those that were made with them.
    take(merged_root, root, kMaterials);
    take(merged_root, root, kLights);
    take(merged_root, root, kDoodads);
    take(merged_root, root, kPortals);
  } else {
    std::size_t number = 0;
    for (Chunk& chunk : made.chunks) {
      if (auto* group = std::get_if<Group>(&chunk.body)) {
        *group = merged(*old_groups[number], *before_groups[number], *group, kept, taken);
        ++number;
      }
    }
    for (Chunk& chunk : merged_root) {
      auto* infos = std::get_if<GroupInfos>(&chunk.body);
      for (std::size_t i = 0; infos != nullptr && i < std::min(infos->items.size(), old_groups.size()); ++i) {
        const Group& now = *made.groups()[i];
        if (!(now == *old_groups[i])) {
          infos->items[i].box = now.header.box;
        }
      }
    }
  }
  root = std::move(merged_root);
  lay_out(made);
  return taken;
}

}  // namespace thaw::wmo
