// GEOS: counts that have to agree, limits, values.
#include "bytes/finite.hpp"
#include "formats/warcraft/mdx/rules/extents.hpp"
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

std::size_t skin_size(const Geoset& geoset) {
  return geoset.skin ? geoset.skin->size() : geoset.wide_skin ? geoset.wide_skin->size() : 0;
}
bool has_skin(const Geoset& geoset) { return skin_size(geoset) > 0; }

bool is_hd(const Model& model, const Geoset& geoset) {
  const Material* material = model.material_of(geoset);
  return material != nullptr && model.is_hd(*material);
}

void uv_count(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    for (std::size_t i = 0; i < geoset->uv_sets.size(); ++i) {
      if (const auto count = geoset->uv_sets[i].coordinates.size(); count != geoset->positions.size()) {
        report.add(say(geoset.path, ".uvSets[", i, "]"),
                   say("UV set ", i, " has ", counted(count, "texture coordinate"), " for ",
                       counted(geoset->positions.size(), "vertex")));
      }
    }
  }
}

/// Reports the first element that is not finite.
template <class Values>
void finite(const Item<Geoset>& geoset, std::string_view name, const Values& values, Report& report) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!all_finite(values[i])) {
      report.add(at(say(geoset.path, ".", name), i), say("a value in ", name, " is NaN or infinite"));
      return;
    }
  }
}

void vertices_not_finite(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    finite(geoset, "positions", geoset->positions, report);
    finite(geoset, "normals", geoset->normals, report);
    if (geoset->tangents) {
      finite(geoset, "tangents", *geoset->tangents, report);
    }
    for (std::size_t i = 0; i < geoset->uv_sets.size(); ++i) {
      finite(geoset, say("uvSets[", i, "].coordinates"), geoset->uv_sets[i].coordinates, report);
    }
  }
}

void pick_geosets(const Model& model, Report& report) {
  for (std::size_t i = 0; model.pick_geosets != nullptr && i < model.pick_geosets->geoset_ids.size(); ++i) {
    if (const auto id = model.pick_geosets->geoset_ids[i]; !index_in(id, model.geosets.size())) {
      report.add(say("DILG.geosetIds[", i, "]"), say("geoset ", id, " does not exist"));
    }
  }
}

constexpr std::array kGeosetRules = {
    ModelRule("mdx.geoset-material", always(kError), "geoset material out of range",
              "The game may crash. Use the index of an existing material.",
              each<&Model::geosets, "materialId">([](const Geoset& geoset, const Model& model) {
                return model.material_of(geoset) == nullptr
                           ? say("material ", geoset.material_id, " does not exist")
                           : "";
              })),
    ModelRule("mdx.geoset-too-many-vertices", always(kSevere), "7433 or more vertices in a classic geoset",
              "The classic renderer draws such geosets incorrectly. Split the geoset.",
              each<&Model::geosets, "positions">([](const Geoset& geoset, const Model& model) {
                constexpr std::size_t kLimit = 7433;
                return geoset.positions.size() >= kLimit && !is_hd(model, geoset)
                           ? say("the geoset has ", geoset.positions.size(),
                                 " vertices; the classic renderer draws at most ", kLimit - 1, " correctly")
                           : "";
              })),
    ModelRule("mdx.geoset-too-many-triangles", always(kWarning), "20,000 or more triangles in a geoset",
              "No model of the game has that many in total. Simplify or split the geoset.",
              each<&Model::geosets, "indices">([](const Geoset& geoset) {
                constexpr std::size_t kLimit = 20000;
                return geoset.indices.size() / 3 >= kLimit
                           ? say("the geoset has ", geoset.indices.size() / 3,
                                 " triangles, more than any whole model of the game")
                           : "";
              })),
    ModelRule("mdx.geoset-no-vertices", {kWarning, kInfo, kWarning}, "geoset without vertices",
              "Remove the geoset.", each<&Model::geosets>([](const Geoset& geoset) {
                return geoset.positions.empty() ? "the geoset has no vertices" : "";
              })),
    ModelRule("mdx.geoset-no-faces", {kWarning, kInfo, kWarning}, "geoset without faces",
              "Nothing is drawn, and some tools fail. Remove the geoset.",
              each<&Model::geosets>([](const Geoset& geoset) {
                return geoset.indices.empty() ? "the geoset has no faces" : "";
              })),
    ModelRule("mdx.geoset-sequence-extents", {kWarning, kInfo, kInfo},
              "number of sequence extents differs from sequences",
              "The game ignores it; Magos' editor does not load such models.", kFixable,
              each<&Model::geosets, "sequenceExtents">([](const Geoset& geoset, const Model& model) {
                return model.version == 800 && geoset.sequence_extents.size() != model.sequences.size()
                           ? say("the geoset has ",
                                 counted_noun(geoset.sequence_extents.size(), "sequence extent"), " for ",
                                 counted_noun(model.sequences.size(), "sequence"))
                           : "";
              })),
    ModelRule("mdx.geoset-normal-count", {kWarning, kSevere, kError},
              "number of normals differs from vertices",
              "Vertices without a normal are lit incorrectly, and some tools refuse the model. Export the "
              "model again.",
              each<&Model::geosets, "normals">([](const Geoset& geoset) {
                return geoset.normals.size() != geoset.positions.size()
                           ? say("the geoset has ", counted(geoset.normals.size(), "normal"), " for ",
                                 counted(geoset.positions.size(), "vertex"))
                           : "";
              })),
    ModelRule("mdx.geoset-uv-count", {kWarning, kSevere, kError},
              "number of texture coordinates differs from vertices",
              "Vertices without one are textured incorrectly, and some tools refuse the model. Export the "
              "model again.",
              uv_count),
    ModelRule("mdx.geoset-no-uv", always(kWarning), "geoset without texture coordinates",
              "Its texture is not visible. Add texture coordinates.",
              each<&Model::geosets, "uvSets">([](const Geoset& geoset) {
                return geoset.uv_sets.empty() && !geoset.positions.empty()
                           ? "the geoset has no texture coordinates"
                           : "";
              })),
    ModelRule("mdx.geoset-uv-sets", always(kError), "more than 16 UV sets",
              "The game stops reading. Remove the excess sets.",
              each<&Model::geosets, "uvSets">([](const Geoset& geoset) {
                constexpr std::size_t kMost = 16;
                return geoset.uv_sets.size() > kMost ? say("the geoset has ", geoset.uv_sets.size(),
                                                           " UV sets; the game reads at most ", kMost)
                                                     : "";
              })),
    ModelRule("mdx.geoset-group-count", always(kError), "number of vertex groups differs from vertices",
              "The game does not show the model. Export the model again.",
              each<&Model::geosets, "vertexGroups">([](const Geoset& geoset) {
                return !has_skin(geoset) && geoset.vertex_groups.size() != geoset.positions.size()
                           ? say("the geoset has ", counted(geoset.vertex_groups.size(), "vertex group"),
                                 " for ", counted(geoset.positions.size(), "vertex"))
                           : "";
              })),
    ModelRule("mdx.geoset-group-count-hd", {kWarning, kInfo, kWarning},
              "number of vertex groups next to a skin differs from vertices",
              "With SKIN the game ignores them. Remove them.",
              each<&Model::geosets, "vertexGroups">([](const Geoset& geoset) {
                const auto count = geoset.vertex_groups.size();
                return has_skin(geoset) && count > 0 && count != geoset.positions.size()
                           ? say("the geoset has ", counted(count, "vertex group"), " next to its skin for ",
                                 counted(geoset.positions.size(), "vertex"), "; the game ignores the groups")
                           : "";
              })),
    ModelRule("mdx.geoset-skin-count", {kWarning, kError, kError},
              "number of skin entries differs from vertices",
              "Vertices without an entry are drawn at arbitrary positions. Export the model again.",
              each<&Model::geosets, "skin">([](const Geoset& geoset) {
                return has_skin(geoset) && skin_size(geoset) != geoset.positions.size()
                           ? say("the skin has entries for ", counted(skin_size(geoset), "vertex"),
                                 ", but the geoset has ", counted(geoset.positions.size(), "vertex"))
                           : "";
              })),
    ModelRule("mdx.geoset-tangent-count", {kWarning, kWarning, kError},
              "number of tangents differs from vertices",
              "Normal maps are lit incorrectly. Recalculate the tangents.",
              each<&Model::geosets, "tangents">([](const Geoset& geoset) {
                return geoset.tangents && !geoset.tangents->empty() &&
                               geoset.tangents->size() != geoset.positions.size()
                           ? say("the geoset has ", counted(geoset.tangents->size(), "tangent"), " for ",
                                 counted(geoset.positions.size(), "vertex"))
                           : "";
              })),
    ModelRule("mdx.geoset-empty-parts", always(kError), "TANG or SKIN without entries",
              "The game reads past it. Remove the empty TANG or SKIN.",
              each<&Model::geosets>([](const Geoset& geoset) {
                const bool skin =
                    (geoset.skin && geoset.skin->empty()) || (geoset.wide_skin && geoset.wide_skin->empty());
                const bool tangents = geoset.tangents && geoset.tangents->empty();
                return skin ? "SKIN is empty" : tangents ? "TANG is empty" : "";
              })),
    ModelRule("mdx.geoset-not-finite", always(kError), "NaN or infinity in geometry",
              "Triangles are drawn across the screen, with wrong light or texture, or not at all. Export the "
              "model again.",
              vertices_not_finite),
    ModelRule("mdx.geoset-normal-length", {kInfo, kInfo, kWarning}, "normals not of length 1",
              "Surfaces are lit too brightly or too darkly. Normalise the normals.",
              each<&Model::geosets, "normals">([](const Geoset& geoset) {
                constexpr float kTolerance = 0.05F;
                const auto wrong = count_faults(geoset.normals.size(), [&](std::size_t i) {
                  const auto& normal = geoset.normals[i];
                  const float length =
                      std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
                  return all_finite(normal) && std::abs(length - 1) > kTolerance;
                });
                return wrong.count > 0 ? Fault(say(wrong.count, " of ", geoset.normals.size(),
                                                   " normals not of length 1"))
                                             .at(wrong.first)
                                       : "";
              })),
    ModelRule("mdx.geoset-tangent-handedness", always(kWarning), "tangent handedness neither 1 nor -1",
              "Normal maps are lit incorrectly. Recalculate the tangents.",
              each<&Model::geosets, "tangents">([](const Geoset& geoset) {
                return first_of(geoset.tangents ? geoset.tangents->size() : 0, [&](std::size_t i) {
                  const float w = (*geoset.tangents)[i][3];
                  return w != 1 && w != -1 ? say("the handedness ", w, " is neither 1 nor -1") : "";
                });
              })),
    ModelRule("mdx.geoset-extent-zero", {kInfo, kInfo, kWarning}, "geoset extent all zero",
              "Mouse picking and culling use it. Recalculate it.", kFixable,
              each<&Model::geosets, "extent">([](const Geoset& geoset) {
                const Box box = box_of(geoset);
                return geoset.extent == Extent{} && box.valid && extent_of(box) != Extent{}
                           ? "the geoset's extent is all zero, although vertices lie elsewhere"
                           : "";
              })),
    ModelRule("mdx.geoset-extent-small", {kInfo, kInfo, kWarning},
              "geoset extent does not contain its vertices",
              "Mouse picking and culling use it. Only the rest pose is checked. Recalculate the extent.",
              kFixable, each<&Model::geosets, "extent">([](const Geoset& geoset) {
                const Box box = box_of(geoset);
                return geoset.extent != Extent{} && box.valid && !holds(geoset.extent, box)
                           ? "the geoset's extent does not contain its vertices in rest pose"
                           : "";
              })),
    ModelRule("mdx.geoset-lod", always(kWarning), "negative level of detail",
              "Some tools write -1 instead of 0, the most detailed level; the game then does not show the "
              "geoset. Use 0.",
              kFixable, each<&Model::geosets, "lod">([](const Geoset& geoset, const Model& model) {
                return model.version >= 900 && geoset.lod < 0
                           ? say("level of detail ", geoset.lod,
                                 " is negative; the game does not show the geoset")
                           : "";
              })),
    ModelRule("mdx.pick-geoset", {kError, kWarning, kError}, "pickable geoset out of range",
              "Remove the entry from DILG (Glider in MDL).", pick_geosets),
};

}  // namespace

std::span<const ModelRule> geoset_rules() { return kGeosetRules; }

}  // namespace thaw::mdx::rules
