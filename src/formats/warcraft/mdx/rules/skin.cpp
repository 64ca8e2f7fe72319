// GEOS: which bones move which vertices, by matrix groups or by skin weights.
#include "formats/warcraft/mdx/rules/skin.hpp"

#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>
#include <numeric>

namespace thaw::mdx::rules {
namespace {

template <class F>
void for_each_skin_entry(const Geoset& geoset, F&& use) {
  const auto walk = [&](const auto& skin) {
    for (std::size_t i = 0; i < skin.size(); ++i) {
      use(i, skin[i]);
    }
  };
  if (geoset.skin) {
    walk(*geoset.skin);
  } else if (geoset.wide_skin) {
    walk(*geoset.wide_skin);
  }
}

bool uses_skin(const Geoset& geoset) {
  return (geoset.skin && !geoset.skin->empty()) || (geoset.wide_skin && !geoset.wide_skin->empty());
}

/// Reports where a geoset refers to nodes that fail a test: once for MATS, once for SKIN.
template <class F>
void report_nodes(const Model& model, Report& report, std::string_view what, F&& is_wrong) {
  for (const auto& geoset : model.geosets) {
    if (uses_skin(*geoset)) {
      std::size_t wrong = 0;
      std::size_t first = 0;
      std::int64_t id = 0;
      for_each_skin_entry(*geoset, [&](std::size_t vertex, const auto& entry) {
        for (std::size_t i = 0; i < 4; ++i) {
          if (entry.at(i + 4) > 0 && is_wrong(entry.at(i))) {
            first = wrong == 0 ? vertex : first;
            id = wrong++ == 0 ? entry.at(i) : id;
          }
        }
      });
      if (wrong > 0) {
        report.add(at(geoset.path + ".skin", first),
                   say("vertices are attached to object ", id, ", which ", what, "; the geoset has ",
                       counted_noun(wrong, "such influence")));
      }
      continue;
    }
    for (std::size_t i = 0; i < geoset->matrix_indices.size(); ++i) {
      if (is_wrong(geoset->matrix_indices[i])) {
        report.add(at(geoset.path + ".matrixIndices", i),
                   say("a matrix group contains object ", geoset->matrix_indices[i], ", which ", what));
        break;
      }
    }
  }
}

void node_missing(const Model& model, Report& report) {
  if (!model.bones.empty()) {
    report_nodes(model, report, "does not exist",
                 [&](std::int64_t id) { return model.node_by_id(id) == nullptr; });
  }
}

void not_a_bone(const Model& model, Report& report) {
  report_nodes(model, report, "is not a bone", [&](std::int64_t id) {
    const NodeItem* node = model.node_by_id(id);
    return node != nullptr && node->kind != NodeKind::bone;
  });
}

void beyond_bones(const Model& model, Report& report) {
  if (!model.bones.empty()) {
    report_nodes(model, report, say("has an id not below the number of bones, ", model.bones.size()),
                 [&](std::int64_t id) { return static_cast<std::uint64_t>(id) >= model.bones.size(); });
  }
}

/// Vertices with group 255, in an empty group, or whose weights are all zero.
void unattached(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    std::size_t wrong = 0;
    std::size_t first = 0;
    const auto count = [&](std::size_t vertex) { first = wrong++ == 0 ? vertex : first; };
    if (uses_skin(*geoset)) {
      for_each_skin_entry(*geoset, [&](std::size_t vertex, const auto& entry) {
        if (weight_sum(entry) == 0) {
          count(vertex);
        }
      });
    } else if (!model.bones.empty()) {
      for (std::size_t i = 0; i < geoset->vertex_groups.size(); ++i) {
        const std::size_t group = geoset->vertex_groups[i];
        const bool exists = group < geoset->matrix_groups.size();
        if (exists ? geoset->matrix_groups[group] == 0 : group == kNoGroup) {
          count(i);
        }
      }
    }
    if (wrong > 0) {
      report.add(at(say(geoset.path, uses_skin(*geoset) ? ".skin" : ".vertexGroups"), first),
                 say(counted(wrong, "vertex"), " not attached to any object"));
    }
  }
}

/// By index of the bone: some vertex is attached to it.
std::vector<bool> used_bones(const Model& model) {
  std::set<std::int64_t> ids;
  for (const auto& geoset : model.geosets) {
    if (!uses_skin(*geoset)) {
      add_used_groups(*geoset, ids);
    }
    for_each_skin_entry(*geoset, [&](std::size_t /*vertex*/, const auto& entry) {
      for (std::size_t i = 0; i < 4; ++i) {
        if (entry.at(i + 4) > 0) {
          ids.insert(entry.at(i));
        }
      }
    });
  }
  std::vector<bool> used;
  used.reserve(model.bones.size());
  for (const auto& bone : model.bones) {
    used.push_back(ids.contains(bone->node.object_id));
  }
  return used;
}

void bone_unused(const Model& model, Report& report) {
  const auto used = used_bones(model);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) {
      report.add(model.bones[i].path,
                 say("no vertex is attached to bone \"", model.bones[i]->node.name.view(), "\""));
    }
  }
}

constexpr std::array kSkinRules = {
    ModelRule("mdx.skin-node-missing", always(kError), "vertices attached to a missing object",
              "The game may crash. Attach them to a bone.", node_missing),
    ModelRule("mdx.skin-not-bone", always(kSevere), "vertices attached to an object other than a bone",
              "Only bones move vertices in the game. Attach them to a bone, or convert the object to one.",
              not_a_bone),
    ModelRule("mdx.skin-beyond-bones", {kSevere, kError, kError},
              "vertices attached to an object id not below the number of bones",
              "With N bones the game moves vertices only by the object ids 0 to N - 1. Give the bones the "
              "first ids.",
              beyond_bones),
    ModelRule("mdx.skin-weights", always(kSevere), "skin weights do not sum to 255",
              "The vertices are drawn too near to the origin or too far from it. Normalise the weights.",
              kFixable, each<&Model::geosets, "skin">([](const Geoset& geoset) {
                FaultCount wrong;
                for_each_skin_entry(geoset, [&](std::size_t vertex, const auto& entry) {
                  const unsigned sum = weight_sum(entry);
                  if (sum != kFullWeight && sum != 0) {
                    wrong.add(vertex);
                  }
                });
                return wrong.count > 0 ? Fault(say("the weights of ", counted(wrong.count, "vertex"),
                                                   " do not sum to 255"))
                                             .at(wrong.first)
                                       : "";
              })),
    ModelRule("mdx.skin-unattached", {kSevere, kSevere, kError}, "vertices not attached to any object",
              "They stay at the origin or vanish. Attach them to a bone.", unattached),
    ModelRule("mdx.geoset-group-missing", {kSevere, kError, kError}, "matrix group out of range",
              "The game reads past the list of groups. Export the model again.",
              each<&Model::geosets, "vertexGroups">([](const Geoset& geoset, const Model& model) {
                return first_of(uses_skin(geoset) ? 0 : geoset.vertex_groups.size(), [&](std::size_t vertex) {
                  const std::size_t group = geoset.vertex_groups[vertex];
                  const bool missing =
                      group >= geoset.matrix_groups.size() && (group != kNoGroup || model.bones.empty());
                  return missing ? say("matrix group ", group, " does not exist") : "";
                });
              })),
    ModelRule("mdx.geoset-no-groups", {kSevere, kWarning, kSevere}, "geoset without matrix groups",
              "No bone moves it. Attach its vertices to a bone.",
              each<&Model::geosets, "matrixGroups">([](const Geoset& geoset) {
                return geoset.matrix_groups.empty() && !uses_skin(geoset) && !geoset.positions.empty()
                           ? "no bone moves any vertex of the geoset"
                           : "";
              })),
    ModelRule("mdx.geoset-too-many-groups", {kWarning, kWarning, kError}, "more than 255 matrix groups",
              "A vertex stores its group in one byte, and 255 means none. Split the geoset.",
              each<&Model::geosets, "matrixGroups">([](const Geoset& geoset) {
                return geoset.matrix_groups.size() > kNoGroup
                           ? say("the geoset has ", geoset.matrix_groups.size(),
                                 " matrix groups; vertices can refer to 255 of them")
                           : "";
              })),
    ModelRule("mdx.geoset-group-empty", {kSevere, kError, kError}, "matrix group without bones",
              "The game divides by the number of bones, which is 0. Add a bone, or remove the group.",
              each<&Model::geosets, "matrixGroups">([](const Geoset& geoset) {
                return first_of(geoset.matrix_groups.size(), [&](std::size_t group) {
                  return geoset.matrix_groups[group] == 0 ? "the matrix group has no bones" : "";
                });
              })),
    ModelRule("mdx.geoset-group-sizes", always(kError),
              "sizes of matrix groups do not match the list of bones",
              "The sum of MTGC must equal the length of MATS. Export the model again.",
              each<&Model::geosets, "matrixGroups">([](const Geoset& geoset) {
                const auto& groups = geoset.matrix_groups;
                const auto sum = std::accumulate(groups.begin(), groups.end(), std::uint64_t{0});
                return sum != geoset.matrix_indices.size()
                           ? say("the matrix groups refer to ", counted(sum, "bone"),
                                 ", but the geoset lists ", counted(geoset.matrix_indices.size(), "bone"))
                           : "";
              })),
    ModelRule("mdx.geoset-group-large", always(kInfo), "matrix group of more than four bones",
              "Newer programs support at most four bones per vertex. Bind each vertex to at most four bones.",
              each<&Model::geosets, "matrixGroups">([](const Geoset& geoset) {
                constexpr std::uint32_t kMost = 4;
                return first_of(uses_skin(geoset) ? 0 : geoset.matrix_groups.size(), [&](std::size_t group) {
                  const auto size = geoset.matrix_groups[group];
                  return size > kMost ? say("a matrix group of ", size, " bones; newer programs support four")
                                      : "";
                });
              })),
    ModelRule("mdx.skin-and-groups", {kWarning, kInfo, kWarning}, "skin together with vertex groups",
              "The game uses the skin. Some tools write both on purpose, for older programs.",
              each<&Model::geosets, "vertexGroups">([](const Geoset& geoset) {
                // Groups of 255 name none: that is how models of the game say that there is a skin
                // (mdx.md#weights).
                const auto& groups = geoset.vertex_groups;
                const bool named =
                    std::any_of(groups.begin(), groups.end(), [](auto group) { return group != kNoGroup; });
                return uses_skin(geoset) && named
                           ? "the geoset has both a skin and vertex groups; the game uses the skin"
                           : "";
              })),
    ModelRule(
        "mdx.skin-bone-limit", always(kError), "more than 256 bones in a skinned model",
        "Below version 1400 a skin stores bone indices in one byte. Use a later version, or remove bones.",
        once<"BONE">([](const Model& model) {
          constexpr std::size_t kMost = 256;
          const bool skinned = std::any_of(model.geosets.begin(), model.geosets.end(),
                                           [](const Item<Geoset>& geoset) { return uses_skin(*geoset); });
          return skinned && model.version < 1400 && model.bones.size() > kMost
                     ? say(model.bones.size(), " bones; below version 1400 a skin can refer to 256")
                     : "";
        })),
    ModelRule("mdx.bone-unused", {kWarning, kInfo, kInfo}, "bone without vertices",
              "It may move other objects. --fix leaves it where a matrix group without vertices lists it. "
              "Otherwise convert it to a helper or remove it.",
              kFixable, bone_unused),
};

}  // namespace

std::span<const ModelRule> skin_rules() { return kSkinRules; }

}  // namespace thaw::mdx::rules
