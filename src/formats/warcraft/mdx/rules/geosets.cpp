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
      report.add(geoset.path + ".materialId", say("there is no material ", geoset->material_id));
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
      report.add(geoset.path, skin ? "SKIN is there, but empty" : "TANG is there, but empty");
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
      report.add(geoset.path + ".extent", "all zero, although there are vertices elsewhere");
    }
  }
}

void extent_small(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    const Box box = box_of(*geoset);
    if (geoset->extent != Extent{} && box.valid && !holds(geoset->extent, box)) {
      report.add(geoset.path + ".extent", "does not hold the vertices at rest");
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
      report.add(say("DILG.geosetIds[", i, "]"), say("there is no geoset ", id));
    }
  }
}

constexpr std::array kGeosetRules = {
    ModelRule{{"mdx.geoset-material",
               {kError, kError, kError},
               "a geoset with a material that does not exist",
               "The game may stop. Set the number of a material that exists."},
              material},
    ModelRule{{"mdx.geoset-too-many-vertices",
               {kSevere, kSevere, kSevere},
               "7433 or more vertices in a classic geoset",
               "The classic renderer draws such geosets wrong. Split the geoset."},
              too_many_vertices},
    ModelRule{{"mdx.geoset-too-many-triangles",
               {kWarning, kWarning, kWarning},
               "20,000 or more triangles in a geoset",
               "That is more than whole models of the game have."},
              too_many_triangles},
    ModelRule{{"mdx.geoset-no-vertices",
               {kWarning, kInfo, kWarning},
               "a geoset without vertices",
               "Remove the geoset."},
              no_vertices},
    ModelRule{{"mdx.geoset-no-faces",
               {kWarning, kInfo, kWarning},
               "a geoset without faces",
               "Nothing is drawn, and some tools fail. Remove the geoset."},
              no_faces},
    ModelRule{{"mdx.geoset-sequence-extents",
               {kWarning, kInfo, kInfo},
               "not one extent per sequence",
               "The game does not mind; Magos' editor does not load such models.",
               true},
              sequence_extents},
    ModelRule{{"mdx.geoset-normal-count",
               {kWarning, kSevere, kError},
               "not one normal per vertex",
               "Vertices without a normal are lit wrong, and some tools refuse the model."},
              normal_count},
    ModelRule{{"mdx.geoset-uv-count",
               {kWarning, kSevere, kError},
               "not one texture coordinate per vertex",
               "Vertices without one are textured wrong, and some tools refuse the model."},
              uv_count},
    ModelRule{{"mdx.geoset-no-uv",
               {kWarning, kWarning, kWarning},
               "a geoset without texture coordinates",
               "Its texture cannot be seen."},
              no_uv},
    ModelRule{
        {"mdx.geoset-uv-sets", {kError, kError, kError}, "more than 16 UV sets", "The game stops reading."},
        uv_sets},
    ModelRule{{"mdx.geoset-group-count",
               {kError, kError, kError},
               "not one vertex group per vertex",
               "The game does not show the model."},
              group_count},
    ModelRule{{"mdx.geoset-group-count-hd",
               {kWarning, kInfo, kWarning},
               "vertex groups beside a skin, but not one per vertex",
               "With SKIN the game does not use them; leave them out."},
              group_count_hd},
    ModelRule{{"mdx.geoset-skin-count",
               {kWarning, kError, kError},
               "not one skin entry per vertex",
               "Vertices without one are drawn anywhere."},
              skin_count},
    ModelRule{{"mdx.geoset-tangent-count",
               {kWarning, kWarning, kError},
               "not one tangent per vertex",
               "Normal maps are lit wrong."},
              tangent_count},
    ModelRule{{"mdx.geoset-empty-parts",
               {kError, kError, kError},
               "TANG or SKIN without entries",
               "The game reads on as if there were some. Leave the part out."},
              empty_parts},
    ModelRule{{"mdx.geoset-not-finite",
               {kError, kError, kError},
               "NaN or infinity in geometry",
               "The triangle is drawn across the screen or not at all."},
              vertices_not_finite},
    ModelRule{{"mdx.geoset-normal-length",
               {kInfo, kInfo, kWarning},
               "normals that are not of length 1",
               "They are lit too bright or too dark."},
              normal_length},
    ModelRule{{"mdx.geoset-tangent-handedness",
               {kWarning, kWarning, kWarning},
               "a tangent whose handedness is neither 1 nor -1",
               "Normal maps are lit wrong."},
              tangent_handedness},
    ModelRule{{"mdx.geoset-extent-zero",
               {kInfo, kInfo, kWarning},
               "a geoset's extent is all zero",
               "Picking with the mouse and culling work with it.",
               true},
              extent_zero},
    ModelRule{{"mdx.geoset-extent-small",
               {kInfo, kInfo, kWarning},
               "a geoset's extent does not hold its vertices",
               "Picking with the mouse and culling work with it. Only the rest pose is looked at.",
               true},
              extent_small},
    ModelRule{{"mdx.geoset-lod",
               {kWarning, kWarning, kWarning},
               "a negative level of detail",
               "Some tools write -1 where they mean 0, the most detailed level; the game then shows nothing.",
               true},
              lod},
    ModelRule{{"mdx.pick-geoset",
               {kError, kWarning, kError},
               "the list of pickable geosets names one that does not exist",
               "Remove the entry from DILG."},
              pick_geosets},
};

}  // namespace

std::span<const ModelRule> geoset_rules() { return kGeosetRules; }

}  // namespace thaw::mdx::rules
