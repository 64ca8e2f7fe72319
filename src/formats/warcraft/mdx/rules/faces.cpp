// GEOS: faces and the vertices that they use.
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

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

void face_count(const Model& model, Report& report) {
  for (const auto& geoset : model.geosets) {
    for (std::size_t group = 0; group < geoset->primitive_counts.size(); ++group) {
      const bool triangular = group < geoset->primitive_types.size() &&
                              geoset->primitive_types[group] == PrimitiveType::triangles;
      if (triangular && geoset->primitive_counts[group] % 3 != 0) {
        report.add(at(geoset.path + ".primitiveCounts", group),
                   say("the index count of face group ", group, ", ", geoset->primitive_counts[group],
                       ", is not a multiple of 3"));
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

std::vector<std::uint32_t> uses_of_vertices(const Geoset& geoset) {
  std::vector<std::uint32_t> uses(geoset.positions.size());
  for (const auto index : geoset.indices) {
    if (index < uses.size()) {
      ++uses[index];
    }
  }
  return uses;
}

constexpr std::array kFaceRules = {
    ModelRule("mdx.geoset-face-index", always(kError), "face vertex out of range",
              "The game reads past the vertex list and may crash. Export the model again.",
              each<&Model::geosets, "indices">([](const Geoset& geoset) {
                const auto& indices = geoset.indices;
                const auto wrong = count_faults(
                    indices.size(), [&](auto i) { return indices[i] >= geoset.positions.size(); });
                return wrong.count > 0 ? Fault(say(wrong.count, " of ", indices.size(),
                                                   " vertex indices out of range; the geoset has ",
                                                   counted(geoset.positions.size(), "vertex")))
                                             .at(wrong.first)
                                       : "";
              })),
    ModelRule("mdx.geoset-face-count", {kWarning, kWarning, kError},
              "index count of a face group not a multiple of 3",
              "The index count of a group of triangles must be a multiple of 3. Export the model again.",
              face_count),
    ModelRule("mdx.geoset-primitive-counts", always(kError), "face groups do not match the indices",
              "PTYP and PCNT need one entry per face group, and PCNT must sum to the number of indices in "
              "PVTX. Export the model again.",
              each<&Model::geosets, "primitiveCounts">([](const Geoset& geoset) {
                const auto& types = geoset.primitive_types;
                const auto& counts = geoset.primitive_counts;
                const auto sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
                return sum != geoset.indices.size() || types.size() != counts.size()
                           ? say("the face groups do not match: PTYP has ", counted(types.size(), "type"),
                                 ", PCNT ", counted(counts.size(), "count"), " with a sum of ", sum,
                                 ", PVTX ", geoset.indices.size(),
                                 geoset.indices.size() == 1 ? " index" : " indices")
                           : "";
              })),
    ModelRule("mdx.geoset-primitive-type", always(kWarning), "faces other than triangles",
              "The game's models use triangles only (type 4); other types are drawn as triangles or not at "
              "all. Triangulate the mesh.",
              each<&Model::geosets, "primitiveTypes">([](const Geoset& geoset) {
                return first_of(geoset.primitive_types.size(), [&](std::size_t group) {
                  const auto type = geoset.primitive_types[group];
                  return type != PrimitiveType::triangles
                             ? say("faces of type ", static_cast<std::uint32_t>(type),
                                   " are not triangles (type 4)")
                             : "";
                });
              })),
    ModelRule("mdx.geoset-degenerate", {kUnused, kOff, kUnused}, "triangles without area",
              "Two corners coincide; nothing is drawn. Remove the triangles.",
              each<&Model::geosets, "indices">([](const Geoset& geoset) {
                const auto triangles = triangles_of(geoset);
                const auto flat =
                    std::count_if(triangles.begin(), triangles.end(),
                                  [&](const Triangle& triangle) { return has_no_area(geoset, triangle); });
                return flat > 0
                           ? say(flat, " of ", counted_noun(triangles.size(), "triangle"), " without area")
                           : "";
              })),
    ModelRule("mdx.geoset-duplicate-triangle", {kWarning, kInfo, kWarning}, "duplicate triangles",
              "Blended surfaces are drawn twice. For two-sided surfaces use the layer flag TwoSided.",
              each<&Model::geosets, "indices">([](const Geoset& geoset) {
                auto triangles = triangles_of(geoset);
                for (auto& triangle : triangles) {
                  std::sort(triangle.begin(), triangle.end());
                }
                std::sort(triangles.begin(), triangles.end());
                const auto last = std::unique(triangles.begin(), triangles.end());
                const auto repeated = static_cast<std::size_t>(triangles.end() - last);
                return repeated > 0 ? say(counted_noun(repeated, "triangle"), " duplicated") : "";
              })),
    ModelRule("mdx.geoset-isolated-triangle", {kInfo, kOff, kInfo}, "isolated triangles",
              "Often intended, sometimes left over from editing. Remove leftovers.",
              each<&Model::geosets, "indices">([](const Geoset& geoset) {
                const auto uses = uses_of_vertices(geoset);
                const auto triangles = triangles_of(geoset);
                const auto alone =
                    std::count_if(triangles.begin(), triangles.end(), [&](const Triangle& triangle) {
                      return std::all_of(triangle.begin(), triangle.end(),
                                         [&](auto vertex) { return uses[vertex] == 1; });
                    });
                return alone > 0 ? say(alone, " of ", counted_noun(triangles.size(), "triangle"),
                                       " without a vertex shared with another")
                                 : "";
              })),
    ModelRule("mdx.geoset-unused-vertices", always(kUnused), "unused vertices",
              "They cost memory and count towards the limits. Remove them.",
              each<&Model::geosets, "positions">([](const Geoset& geoset) {
                const auto uses = uses_of_vertices(geoset);
                const auto unused = std::count(uses.begin(), uses.end(), 0U);
                return unused > 0 && !geoset.indices.empty()
                           ? say(unused, " of ", uses.size(), " vertices not used by any face")
                           : "";
              })),
};

}  // namespace

std::span<const ModelRule> face_rules() { return kFaceRules; }

}  // namespace thaw::mdx::rules
