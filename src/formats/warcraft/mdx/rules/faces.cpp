// GEOS: faces and the vertices that they use.
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>
#include <cstdint>

namespace thaw::mdx::rules {
namespace {

using Triangle = std::array<std::uint16_t, 3>;

/// The triangles of the groups of triangles whose vertices exist.
std::vector<Triangle> triangles_of(const Geoset& geoset) {
  std::vector<Triangle> triangles;
  std::size_t first = 0;
  for (std::size_t group = 0; group < geoset.primitive_counts.size(); ++group) {
    const bool known = group < geoset.primitive_types.size();
    const bool triangular = known && geoset.primitive_types[group] == PrimitiveType::triangles;
    const std::size_t end =
        std::min<std::size_t>(geoset.indices.size(), first + geoset.primitive_counts[group]);
    for (std::size_t i = first; triangular && i + 2 < end; i += 3) {
      const Triangle triangle = {geoset.indices[i], geoset.indices[i + 1], geoset.indices[i + 2]};
      if (std::all_of(triangle.begin(), triangle.end(),
                      [&](auto v) { return v < geoset.positions.size(); })) {
        triangles.push_back(triangle);
      }
    }
    first = end;
  }
  return triangles;
}

void face_index(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    std::size_t wrong = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < geoset->indices.size(); ++i) {
      if (geoset->indices[i] >= geoset->positions.size()) {
        first = wrong++ == 0 ? i : first;
      }
    }
    if (wrong > 0) {
      report.add(at(geoset.path + ".indices", first), say(wrong, wrong == 1 ? " index" : " indices", " of ",
                                                          geoset->indices.size(), " past the last vertex"));
    }
  }
}

void face_count(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    for (std::size_t group = 0; group < geoset->primitive_counts.size(); ++group) {
      const bool triangular = group < geoset->primitive_types.size() &&
                              geoset->primitive_types[group] == PrimitiveType::triangles;
      if (triangular && geoset->primitive_counts[group] % 3 != 0) {
        report.add(at(geoset.path + ".primitiveCounts", group),
                   say(geoset->primitive_counts[group], " indices are not a multiple of 3"));
      }
    }
  }
}

void primitive_counts(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    std::uint64_t sum = 0;
    for (const auto count : geoset->primitive_counts) {
      sum += count;
    }
    if (sum != geoset->indices.size() || geoset->primitive_types.size() != geoset->primitive_counts.size()) {
      report.add(geoset.path + ".primitiveCounts",
                 say(geoset->primitive_types.size(), " types, ", geoset->primitive_counts.size(),
                     " counts with a sum of ", sum, " indices of ", geoset->indices.size()));
    }
  }
}

void primitive_type(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    for (std::size_t group = 0; group < geoset->primitive_types.size(); ++group) {
      if (geoset->primitive_types[group] != PrimitiveType::triangles) {
        report.add(at(geoset.path + ".primitiveTypes", group),
                   say("type ", static_cast<std::uint32_t>(geoset->primitive_types[group])));
        break;
      }
    }
  }
}

bool has_no_area(const Geoset& geoset, const Triangle& triangle) {
  const auto& a = geoset.positions[triangle[0]];
  const auto& b = geoset.positions[triangle[1]];
  const auto& c = geoset.positions[triangle[2]];
  return a == b || b == c || a == c;
}

void degenerate(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    const auto triangles = triangles_of(*geoset);
    const auto flat = std::count_if(triangles.begin(), triangles.end(),
                                    [&](const Triangle& triangle) { return has_no_area(*geoset, triangle); });
    if (flat > 0) {
      report.add(geoset.path + ".indices",
                 say(flat, " of ", counted_noun(triangles.size(), "triangle"), " without area"));
    }
  }
}

void triangle_duplicate(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    auto triangles = triangles_of(*geoset);
    for (auto& triangle : triangles) {
      std::sort(triangle.begin(), triangle.end());
    }
    std::sort(triangles.begin(), triangles.end());
    std::size_t repeated = 0;
    for (std::size_t i = 1; i < triangles.size(); ++i) {
      repeated += triangles[i] == triangles[i - 1] ? 1U : 0U;
    }
    if (repeated > 0) {
      report.add(geoset.path + ".indices", say(counted_noun(repeated, "triangle"), " duplicated"));
    }
  }
}

std::vector<std::uint32_t> uses_of_vertices(const Geoset& geoset) {
  std::vector<std::uint32_t> uses(geoset.positions.size());
  for (const auto index : geoset.indices) {
    if (index < uses.size()) {
      ++uses[index];
    }
  }
  return uses;
}

void isolated(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    const auto uses = uses_of_vertices(*geoset);
    const auto triangles = triangles_of(*geoset);
    const auto alone = std::count_if(triangles.begin(), triangles.end(), [&](const Triangle& triangle) {
      return std::all_of(triangle.begin(), triangle.end(), [&](auto vertex) { return uses[vertex] == 1; });
    });
    if (alone > 0) {
      report.add(geoset.path + ".indices", say(alone, " of ", counted_noun(triangles.size(), "triangle"),
                                               " share no vertex with another"));
    }
  }
}

void unused_vertices(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    const auto uses = uses_of_vertices(*geoset);
    const auto unused = std::count(uses.begin(), uses.end(), 0U);
    if (unused > 0 && !geoset->indices.empty()) {
      report.add(geoset.path + ".positions", say(unused, " of ", uses.size(), " vertices are unused"));
    }
  }
}

constexpr std::array kFaceRules = {
    ModelRule{{"mdx.geoset-face-index",
               {kError, kError, kError},
               "face vertex out of range",
               "The game reads past the vertex list and may crash."},
              face_index},
    ModelRule{{"mdx.geoset-face-count",
               {kWarning, kWarning, kError},
               "index count not a multiple of 3",
               "The index count of a group of triangles must be a multiple of 3."},
              face_count},
    ModelRule{{"mdx.geoset-primitive-counts",
               {kError, kError, kError},
               "face groups disagree with the indices",
               "PTYP, PCNT and PVTX must agree."},
              primitive_counts},
    ModelRule{
        {"mdx.geoset-primitive-type",
         {kWarning, kWarning, kWarning},
         "faces other than triangles",
         "The game's models use triangles only (type 4); other types are drawn as triangles or not at all."},
        primitive_type},
    ModelRule{{"mdx.geoset-degenerate",
               {kUnused, kOff, kUnused},
               "triangles without area",
               "Two corners coincide; nothing is drawn."},
              degenerate},
    ModelRule{{"mdx.geoset-duplicate-triangle",
               {kWarning, kInfo, kWarning},
               "duplicate triangles",
               "Blended surfaces are drawn twice. For two-sided surfaces use the layer flag TwoSided."},
              triangle_duplicate},
    ModelRule{{"mdx.geoset-isolated-triangle",
               {kInfo, kOff, kInfo},
               "isolated triangles",
               "Often intended; sometimes left over from editing."},
              isolated},
    ModelRule{{"mdx.geoset-unused-vertices",
               {kUnused, kUnused, kUnused},
               "unused vertices",
               "They cost memory and count towards the limits."},
              unused_vertices},
};

}  // namespace

std::span<const ModelRule> face_rules() { return kFaceRules; }

}  // namespace thaw::mdx::rules
