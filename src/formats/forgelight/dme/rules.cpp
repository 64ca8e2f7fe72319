// See dme.md#checks. What cannot be read, and lengths that do not fit, are the reader's to tell.
#include "formats/forgelight/dme/rules.hpp"

#include <thaw/adr.hpp>
#include <thaw/dme.hpp>
#include <thaw/forgelight.hpp>

#include "bytes/finite.hpp"
#include "formats/forgelight/dme/vertices.hpp"

#include <algorithm>

namespace thaw::dme {
namespace {

using Model = DocumentSubject<Document>;
using Palette = DocumentSubject<dma::Document>;
using Xml = DocumentSubject<xml::Document>;

constexpr auto kMeshes = [](const Model& subject, const auto& use) {
  walk(subject.document.meshes, "meshes", use);
};
constexpr auto kCalls = [](const Model& subject, const auto& use) {
  walk(subject.document.draw_calls, "drawCalls", use);
};

bool has_calls(const Model& subject) { return subject.document.version >= kDrawCallVersion; }

std::uint32_t definition_of(const Document& document, std::size_t mesh) {
  const auto& materials = document.palette.materials;
  return mesh < materials.size() ? materials[mesh].definition : 0;
}

/// Calls `use(call, index)` for the draw calls that a mesh has.
template <class F>
void each_call(const Document& document, const Mesh& mesh, F&& use) {
  const std::size_t count = document.draw_calls.size();
  const std::size_t first = std::min<std::size_t>(mesh.first_draw_call, count);
  const std::size_t end = first + std::min<std::size_t>(mesh.draw_call_count, count - first);
  for (std::size_t i = first; i < end; ++i) {
    use(document.draw_calls[i], i);
  }
}

// --- triangles

void call_ranges(const Model& subject, Report& report) {
  const Document& document = subject.document;
  for (std::size_t m = 0; has_calls(subject) && m < document.meshes.size(); ++m) {
    const Mesh& mesh = document.meshes[m];
    if (std::uint64_t{mesh.first_draw_call} + mesh.draw_call_count > document.draw_calls.size()) {
      report.add(at("meshes", m) + ".firstDrawCall",
                 say("the mesh uses ", counted(mesh.draw_call_count, "draw call"), " starting at index ",
                     mesh.first_draw_call, "; the model has ", document.draw_calls.size()));
    }
    each_call(document, mesh, [&](const DrawCall& call, std::size_t i) {
      if (std::uint64_t{call.first_vertex} + call.vertex_count > mesh.vertex_count) {
        report.add(at("drawCalls", i) + ".firstVertex",
                   say("the call uses ", counted(call.vertex_count, "vertex"), " starting at index ",
                       call.first_vertex, "; the mesh has ", mesh.vertex_count));
      }
      if (std::uint64_t{call.first_index} + call.index_count > mesh.index_count()) {
        report.add(at("drawCalls", i) + ".firstIndex",
                   say("the call uses ", call.index_count, " indices starting at index ", call.first_index,
                       "; the mesh has ", mesh.index_count()));
      }
    });
  }
}

// --- bones

void bones(const Model& subject, Report& report) {
  const Document& document = subject.document;
  for (std::size_t i = 0; i < document.bone_map.size(); ++i) {
    if (document.bone_map[i][0] >= document.bone_hashes.size()) {
      report.add("boneMap", say("entry ", i, " refers to bone ", document.bone_map[i][0], "; the model has ",
                                counted(document.bone_hashes.size(), "bone")));
    }
  }
}

/// Calls `use(vertex, palette size)` for every vertex of a draw call's range.
template <class F>
void each_vertex(const Document& document, const Mesh& mesh, F&& use) {
  std::uint64_t room = mesh.vertex_count;  // honest calls do not share vertices
  each_call(document, mesh, [&](const DrawCall& call, std::size_t index) {
    const std::uint64_t from = std::min(call.first_vertex, mesh.vertex_count);
    const std::uint64_t count = std::min({std::uint64_t{call.vertex_count}, mesh.vertex_count - from, room});
    room -= count;
    for (std::uint64_t i = from; i < from + count; ++i) {
      use(static_cast<std::size_t>(i), call, index);
    }
  });
}

void blend_indices(const Model& subject, Report& report) {
  const Document& document = subject.document;
  for (std::size_t m = 0; m < document.meshes.size(); ++m) {
    const Mesh& mesh = document.meshes[m];
    const auto layout = mesh_layout(mesh, definition_of(document, m), document.version, nullptr).layout;
    const Attribute weights(mesh, layout, materials::Usage::blend_weight);
    const Attribute places(mesh, layout, materials::Usage::blend_indices);
    std::size_t wrong = 0;
    if (weights && places) {
      each_vertex(document, mesh, [&](std::size_t vertex, const DrawCall& call, std::size_t /*index*/) {
        const auto shares = weights.at(vertex);
        const auto bytes = places.bytes(vertex);
        for (std::size_t k = 0; k < bytes.size(); ++k) {
          wrong += shares[k] > 0 && bytes[k] >= call.bone_count ? 1U : 0U;
        }
      });
    }
    if (wrong > 0) {
      report.add(at("meshes", m), say(counted_noun(wrong, "weight"), " of bones outside the palette"));
    }
  }
}

void weight_sums(const Model& subject, Report& report) {
  constexpr unsigned kWhole = 255;
  const Document& document = subject.document;
  for (std::size_t m = 0; m < document.meshes.size(); ++m) {
    const Mesh& mesh = document.meshes[m];
    const auto layout = mesh_layout(mesh, definition_of(document, m), document.version, nullptr).layout;
    const Attribute weights(mesh, layout, materials::Usage::blend_weight);
    if (!weights || weights.type() != materials::Type::ubyte4_normalized) {
      continue;
    }
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < mesh.vertex_count; ++i) {
      unsigned sum = 0;
      for (const auto byte : weights.bytes(i)) {
        sum += byte;
      }
      wrong += sum != kWhole ? 1U : 0U;
    }
    if (wrong > 0) {
      report.add(at("meshes", m), say("the weights of ", counted(wrong, "vertex"), " do not sum to 255"));
    }
  }
}

void bind_matrices(const Model& subject, Report& report) {
  const auto& matrices = subject.document.bone_inverse_binds;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const auto& m = matrices[i];
    if (!all_finite(m)) {
      report.add("boneInverseBinds", say("the matrix of bone ", i, " is not finite"));
      continue;
    }
    const auto d = [&](std::size_t k) { return double{m.at(k)}; };
    const double determinant = d(0) * (d(4) * d(8) - d(5) * d(7)) - d(1) * (d(3) * d(8) - d(5) * d(6)) +
                               d(2) * (d(3) * d(7) - d(4) * d(6));
    if (std::fabs(determinant - 1) > 0.01) {
      report.add("boneInverseBinds", say("the matrix of bone ", i, " scales or mirrors: its determinant is ",
                                         static_cast<float>(determinant), " instead of 1"));
    }
  }
}

// --- vertices

void layout_strides(const Model& subject, Report& report) {
  const Document& document = subject.document;
  for (std::size_t m = 0; m < document.meshes.size(); ++m) {
    const auto found = mesh_layout(document.meshes[m], definition_of(document, m), document.version, nullptr);
    if (found.guessed || found.cut) {
      report.add(at("meshes", m) + ".streams",
                 found.cut ? say("vertices are smaller than the layout ", found.layout.name,
                                 "; its last parts are missing")
                           : say("no known layout has this vertex size and material definition; ",
                                 found.layout.name, " is used"));
    }
  }
}

void bounds(const Model& subject, Report& report) {
  const Document& document = subject.document;
  const Box& box = document.bounds;
  if (!all_finite(box[0]) || !all_finite(box[1])) {
    report.add("bounds", "a corner of the bounding box is not finite");
    return;
  }
  for (std::size_t m = 0; m < document.meshes.size(); ++m) {
    const Mesh& mesh = document.meshes[m];
    const auto layout = mesh_layout(mesh, definition_of(document, m), document.version, nullptr).layout;
    const Attribute positions(mesh, layout, materials::Usage::position);
    std::size_t outside = 0;
    for (std::size_t i = 0; positions && i < mesh.vertex_count; ++i) {
      const auto p = positions.at(i);
      bool inside = true;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        constexpr float kSlack = 1e-4F;
        inside = inside && p[axis] >= box[0][axis] - kSlack && p[axis] <= box[1][axis] + kSlack;
      }
      outside += inside ? 0U : 1U;
    }
    if (outside > 0) {
      report.add("bounds", say(counted(outside, "vertex"), " of mesh ", m, " outside the bounding box"));
    }
  }
}

// --- materials

void check_textures(const dma::Document& palette, const std::string& path, Report& report) {
  std::vector<std::uint32_t> hashes;
  for (const auto name : palette.texture_names()) {
    hashes.push_back(forgelight::hash_upper(name));
  }
  std::sort(hashes.begin(), hashes.end());
  for (std::size_t m = 0; m < palette.materials.size(); ++m) {
    const auto& parameters = palette.materials[m].parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const std::uint32_t hash = parameters[p].is_texture() ? parameters[p].word() : 0;
      if (hash != 0 && !std::binary_search(hashes.begin(), hashes.end(), hash)) {
        report.add(path + at(at("materials", m) + ".parameters", p),
                   "the texture of the parameter is not in the name list");
      }
    }
  }
}

void textures(const Model& subject, Report& report) {
  check_textures(subject.document.palette, "palette.", report);
}
void palette_textures(const Palette& subject, Report& report) {
  check_textures(subject.document, "", report);
}

// --- actors

void actor_lods(const Xml& subject, Report& report) {
  const auto actor = adr::read_actor(subject.document);
  for (std::size_t i = 1; actor && i < actor->lods.size(); ++i) {
    if (actor->lods[i].distance <= actor->lods[i - 1].distance) {
      report.add("",
                 say("level ", i + 1, " begins at ", actor->lods[i].distance, " m; expected more than the ",
                     actor->lods[i - 1].distance, " m of the previous one"));
    }
  }
}

constexpr std::array kModelRules = {
    ModelRule("dme.index", always(kError), "triangle vertex out of range",
              "The triangle refers to a vertex that the mesh does not have. Export the model again.",
              each<kMeshes>([](const Mesh& mesh) {
                const auto wrong = count_faults(
                    mesh.index_count(), [&](std::size_t i) { return mesh.index(i) >= mesh.vertex_count; });
                return wrong.count > 0
                           ? say(wrong.count, wrong.count == 1 ? " index" : " indices", " beyond ",
                                 mesh.vertex_count, " vertices, such as ", mesh.index(wrong.first))
                           : "";
              })),
    ModelRule("dme.triangles", always(kWarning), "index count not a multiple of 3",
              "The last indices are not drawn. Export the model again.",
              each<kCalls, "indexCount">([](const DrawCall& call) {
                return call.index_count % 3 != 0
                           ? say("the index count ", call.index_count, " is not a multiple of 3")
                           : "";
              })),
    ModelRule("dme.draw-call", always(kError), "draw call out of range",
              "The draw calls of a mesh must exist, and their vertices and indices must be within the mesh. "
              "Export the model again.",
              call_ranges),
    ModelRule("dme.palette", always(kError), "bone palette out of range",
              "The first bone and count of a draw call must be within the bone map. Export the model again.",
              each<kCalls, "firstBone">([](const DrawCall& call, const Document& document) {
                const std::size_t size = document.bone_map.size();
                return std::uint64_t{call.first_bone} + call.bone_count > size
                           ? say("palette of ", counted(call.bone_count, "bone"), " starting at index ",
                                 call.first_bone, " exceeds the bone map of size ", size)
                           : "";
              })),
    ModelRule("dme.bone", always(kError), "bone map refers to a missing bone",
              "The bone map contains indices of the model's bones. Export the model again.", bones),
    ModelRule("dme.blend-index", {kSevere, kSevere, kError}, "weights of bones outside the palette",
              "Vertex bone indices refer to the palette of their draw call. Export the model again.",
              blend_indices),
    ModelRule("dme.weights", always(kWarning), "weights do not sum to 255",
              "Vertices shrink towards the origin or grow away from it. Normalise the weights.", weight_sums),
    ModelRule("dme.bind-matrix", always(kWarning), "bind matrix not a rotation",
              "The game's bind matrices only rotate and move. Apply scale and mirroring to bones and mesh, "
              "then export the model again.",
              bind_matrices),
    ModelRule("dme.layout-stride", always(kInfo), "vertex layout unknown or larger than the vertices",
              "The vertex size of the file is used. If the layout is unknown, a likely one is assumed; if it "
              "is larger, its last parts are missing.",
              layout_strides),
    ModelRule("dme.bounds", always(kWarning), "vertices outside the bounds, or bounds not finite",
              "The game may cull the model while it is in view. Recalculate the bounds.", bounds),
    ModelRule("dme.texture-name", always(kWarning), "texture missing from the name list",
              "Parameters contain the hash of a name in the list. Add the texture's name to it.", textures),
    ModelRule("dme.material-count", always(kWarning), "fewer materials than meshes",
              "Every mesh uses the material with the same index. Add a material for each mesh.",
              once<"palette">([](const Document& document) {
                const std::size_t materials = document.palette.materials.size();
                return materials < document.meshes.size() ? say(counted(document.meshes.size(), "mesh"),
                                                                ", but only ", counted(materials, "material"))
                                                          : "";
              })),
};

constexpr std::array kPaletteRules = {
    PaletteRule("dma.texture-name", always(kWarning), "texture missing from the name list",
                "Parameters contain the hash of a name in the list. Add the texture's name to it.",
                palette_textures),
};

constexpr std::array kActorRules = {
    XmlRule("adr.no-model", always(kSevere), "actor without a model",
            "The element Base must name the finest model. Add the name.",
            once([](const xml::Document& document) {
              const auto actor = adr::read_actor(document);
              return actor && actor->base.model.empty() ? "the element Base with a fileName is missing" : "";
            })),
    XmlRule("adr.lod-order", always(kWarning), "levels of detail not in order",
            "Distances must increase from level to level. Sort the levels.", actor_lods),
};

}  // namespace

std::span<const ModelRule> model_rules() { return kModelRules; }
std::span<const PaletteRule> palette_rules() { return kPaletteRules; }
std::span<const XmlRule> actor_rules() { return kActorRules; }

}  // namespace thaw::dme
