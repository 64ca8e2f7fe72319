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

void material(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (model.material_of(*geoset) == nullptr) {
      report.add(geoset.path + ".materialId", say("material ", geoset->material_id, " does not exist"));
    }
  }
}

void too_many_vertices(const Model& model, Report& report) {
  constexpr std::size_t kLimit = 7433;
  for (const auto& geoset : model.geosets) {
    if (geoset->positions.size() >= kLimit && !is_hd(model, *geoset)) {
      report.add(geoset.path + ".positions", say(geoset->positions.size(), " vertices"));
    }
  }
}

void too_many_triangles(const Model& model, Report& report) {
  constexpr std::size_t kLimit = 20000;
  for (const auto& geoset : model.geosets) {
    if (geoset->indices.size() / 3 >= kLimit) {
      report.add(geoset.path + ".indices", say(geoset->indices.size() / 3, " triangles"));
    }
  }
}

void no_vertices(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (geoset->positions.empty()) {
      report.add(geoset.path, "the geoset has no vertices");
    }
  }
}

void no_faces(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (geoset->indices.empty()) {
      report.add(geoset.path, "the geoset has no faces");
    }
  }
}

void sequence_extents(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (model.version == 800 && geoset->sequence_extents.size() != model.sequences.size()) {
      report.add(geoset.path + ".sequenceExtents",
                 say(counted_noun(geoset->sequence_extents.size(), "extent"), " for ",
                     counted_noun(model.sequences.size(), "sequence")));
    }
  }
}

void normal_count(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (geoset->normals.size() != geoset->positions.size()) {
      report.add(geoset.path + ".normals",
                 say(geoset->normals.size(), " normals, ", geoset->positions.size(), " vertices"));
    }
  }
}

void uv_count(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    for (std::size_t i = 0; i < geoset->uv_sets.size(); ++i) {
      if (const auto count = geoset->uv_sets[i].coordinates.size(); count != geoset->positions.size()) {
        report.add(say(geoset.path, ".uvSets[", i, "]"),
                   say(count, " coordinates, ", geoset->positions.size(), " vertices"));
      }
    }
  }
}

void no_uv(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (geoset->uv_sets.empty() && !geoset->positions.empty()) {
      report.add(geoset.path + ".uvSets", "the geoset has no texture coordinates");
    }
  }
}

void uv_sets(const Model& model, Report& report) {
  constexpr std::size_t kMost = 16;
  for (const auto& geoset : model.geosets) {
    if (geoset->uv_sets.size() > kMost) {
      report.add(geoset.path + ".uvSets", say(geoset->uv_sets.size(), " sets"));
    }
  }
}

void group_count(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (!has_skin(*geoset) && geoset->vertex_groups.size() != geoset->positions.size()) {
      report.add(geoset.path + ".vertexGroups", say(geoset->vertex_groups.size(), " vertex groups, ",
                                                    geoset->positions.size(), " vertices"));
    }
  }
}

void group_count_hd(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    const auto count = geoset->vertex_groups.size();
    if (has_skin(*geoset) && count > 0 && count != geoset->positions.size()) {
      report.add(geoset.path + ".vertexGroups",
                 say(count, " vertex groups, ", geoset->positions.size(), " vertices"));
    }
  }
}

void skin_count(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (has_skin(*geoset) && skin_size(*geoset) != geoset->positions.size()) {
      report.add(geoset.path + ".skin",
                 say(skin_size(*geoset), " skin entries, ", geoset->positions.size(), " vertices"));
    }
  }
}

void tangent_count(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (geoset->tangents && !geoset->tangents->empty() &&
        geoset->tangents->size() != geoset->positions.size()) {
      report.add(geoset.path + ".tangents",
                 say(geoset->tangents->size(), " tangents, ", geoset->positions.size(), " vertices"));
    }
  }
}

void empty_parts(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    const bool skin =
        (geoset->skin && geoset->skin->empty()) || (geoset->wide_skin && geoset->wide_skin->empty());
    if (skin || (geoset->tangents && geoset->tangents->empty())) {
      report.add(geoset.path, skin ? "SKIN is empty" : "TANG is empty");
    }
  }
}

/// Reports the first element that is not finite.
template <class Values>
void finite(const Item<Geoset>& geoset, std::string_view name, const Values& values, Report& report) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!all_finite(values[i])) {
      report.add(at(say(geoset.path, ".", name), i), "a value is NaN or infinite");
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

void normal_length(const Model& model, Report& report) {
  constexpr float kTolerance = 0.05F;
  for (const auto& geoset : model.geosets) {
    std::size_t wrong = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < geoset->normals.size(); ++i) {
      const auto& normal = geoset->normals[i];
      const float length = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      if (all_finite(normal) && std::abs(length - 1) > kTolerance) {
        first = wrong++ == 0 ? i : first;
      }
    }
    if (wrong > 0) {
      report.add(at(geoset.path + ".normals", first),
                 say(wrong, " of ", geoset->normals.size(), " are not of length 1"));
    }
  }
}

void tangent_handedness(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    for (std::size_t i = 0; geoset->tangents && i < geoset->tangents->size(); ++i) {
      if (const float w = (*geoset->tangents)[i][3]; w != 1 && w != -1) {
        report.add(at(geoset.path + ".tangents", i), say("the handedness is ", w));
        break;
      }
    }
  }
}

void extent_zero(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    const Box box = box_of(*geoset);
    if (geoset->extent == Extent{} && box.valid && extent_of(box) != Extent{}) {
      report.add(geoset.path + ".extent", "all zero, although vertices lie elsewhere");
    }
  }
}

void extent_small(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    const Box box = box_of(*geoset);
    if (geoset->extent != Extent{} && box.valid && !holds(geoset->extent, box)) {
      report.add(geoset.path + ".extent", "does not contain the vertices in rest pose");
    }
  }
}

void lod(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    if (model.version >= 900 && geoset->lod < 0) {
      report.add(geoset.path + ".lod", say("level of detail ", geoset->lod));
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
    ModelRule{{"mdx.geoset-material",
               {kError, kError, kError},
               "geoset material out of range",
               "The game may crash. Use the index of an existing material."},
              material},
    ModelRule{{"mdx.geoset-too-many-vertices",
               {kSevere, kSevere, kSevere},
               "7433 or more vertices in a classic geoset",
               "The classic renderer draws such geosets incorrectly. Split the geoset."},
              too_many_vertices},
    ModelRule{{"mdx.geoset-too-many-triangles",
               {kWarning, kWarning, kWarning},
               "20,000 or more triangles in a geoset",
               "No model of the game has that many in total."},
              too_many_triangles},
    ModelRule{{"mdx.geoset-no-vertices",
               {kWarning, kInfo, kWarning},
               "geoset without vertices",
               "Remove the geoset."},
              no_vertices},
    ModelRule{{"mdx.geoset-no-faces",
               {kWarning, kInfo, kWarning},
               "geoset without faces",
               "Nothing is drawn, and some tools fail. Remove the geoset."},
              no_faces},
    ModelRule{{"mdx.geoset-sequence-extents",
               {kWarning, kInfo, kInfo},
               "number of extents differs from sequences",
               "The game ignores it; Magos' editor does not load such models.",
               true},
              sequence_extents},
    ModelRule{{"mdx.geoset-normal-count",
               {kWarning, kSevere, kError},
               "number of normals differs from vertices",
               "Vertices without a normal are lit incorrectly, and some tools refuse the model."},
              normal_count},
    ModelRule{{"mdx.geoset-uv-count",
               {kWarning, kSevere, kError},
               "number of texture coordinates differs from vertices",
               "Vertices without one are textured incorrectly, and some tools refuse the model."},
              uv_count},
    ModelRule{{"mdx.geoset-no-uv",
               {kWarning, kWarning, kWarning},
               "geoset without texture coordinates",
               "Its texture is not visible."},
              no_uv},
    ModelRule{
        {"mdx.geoset-uv-sets", {kError, kError, kError}, "more than 16 UV sets", "The game stops reading."},
        uv_sets},
    ModelRule{{"mdx.geoset-group-count",
               {kError, kError, kError},
               "number of vertex groups differs from vertices",
               "The game does not show the model."},
              group_count},
    ModelRule{{"mdx.geoset-group-count-hd",
               {kWarning, kInfo, kWarning},
               "vertex groups next to a skin, in a different number",
               "With SKIN the game ignores them. Remove them."},
              group_count_hd},
    ModelRule{{"mdx.geoset-skin-count",
               {kWarning, kError, kError},
               "number of skin entries differs from vertices",
               "Vertices without an entry are drawn at arbitrary positions."},
              skin_count},
    ModelRule{{"mdx.geoset-tangent-count",
               {kWarning, kWarning, kError},
               "number of tangents differs from vertices",
               "Normal maps are lit incorrectly."},
              tangent_count},
    ModelRule{{"mdx.geoset-empty-parts",
               {kError, kError, kError},
               "TANG or SKIN without entries",
               "The game reads past the empty part. Remove it."},
              empty_parts},
    ModelRule{{"mdx.geoset-not-finite",
               {kError, kError, kError},
               "NaN or infinity in geometry",
               "The triangle is drawn across the screen or not at all."},
              vertices_not_finite},
    ModelRule{{"mdx.geoset-normal-length",
               {kInfo, kInfo, kWarning},
               "normals not of length 1",
               "They are lit too bright or too dark."},
              normal_length},
    ModelRule{{"mdx.geoset-tangent-handedness",
               {kWarning, kWarning, kWarning},
               "tangent handedness neither 1 nor -1",
               "Normal maps are lit incorrectly."},
              tangent_handedness},
    ModelRule{{"mdx.geoset-extent-zero",
               {kInfo, kInfo, kWarning},
               "geoset extent all zero",
               "Mouse picking and culling use it.",
               true},
              extent_zero},
    ModelRule{{"mdx.geoset-extent-small",
               {kInfo, kInfo, kWarning},
               "geoset extent does not contain its vertices",
               "Mouse picking and culling use it. Only the rest pose is checked.",
               true},
              extent_small},
    ModelRule{{"mdx.geoset-lod",
               {kWarning, kWarning, kWarning},
               "negative level of detail",
               "Some tools write -1 instead of 0, the most detailed level; the game then shows nothing.",
               true},
              lod},
    ModelRule{{"mdx.pick-geoset",
               {kError, kWarning, kError},
               "pickable geoset out of range",
               "Remove the entry from DILG."},
              pick_geosets},
};

}  // namespace

std::span<const ModelRule> geoset_rules() { return kGeosetRules; }

}  // namespace thaw::mdx::rules
