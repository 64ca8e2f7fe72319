// See m3.md#checks. What the reader tells (unknown chunks, formats, versions and layouts) is not repeated
// here.
#include "formats/wow/m3/rules.hpp"

#include "bytes/finite.hpp"

#include <algorithm>
#include <span>

namespace thaw::m3 {
namespace {

using Subject = DocumentSubject<Document>;

/// Runs over the meshes of a file; there is one.
template <class F>
void for_each_mesh(const Subject& subject, F&& check) {
  for (const auto& chunk : subject.document.chunks) {
    if (const auto* mesh = std::get_if<Mesh>(&chunk.body)) {
      check(*mesh);
    }
  }
}
constexpr auto kMeshes = [](const Subject& subject, const auto& use) {
  for_each_mesh(subject, [&](const Mesh& mesh) { use(mesh, "MES3"); });
};

const Geosets& geosets_of(const Mesh& mesh) {
  static const Geosets kNoGeosets;
  const auto* found = mesh.find<Geosets>(FourCC{"VGEO"});
  return found == nullptr ? kNoGeosets : *found;
}

std::size_t elements_of(const Mesh& mesh, FourCC tag) {
  const auto* buffer = mesh.find<Buffer>(tag);
  return buffer == nullptr ? 0 : buffer->size();
}

Array<std::uint32_t> indices_of(const Mesh& mesh) {
  const auto* buffer = mesh.find<Buffer>(FourCC{"VINX"});
  return buffer == nullptr ? Array<std::uint32_t>() : decode_indices(*buffer);
}

std::string mesh_path(FourCC tag) { return say("MES3.", tag.text()); }
std::string geoset_path(std::size_t index) { return say("MES3.VGEO.geosets[", index, "]"); }

bool is_required(FourCC tag) { return tag == FourCC{"VPOS"} || tag == FourCC{"VINX"}; }

bool is_per_vertex(FourCC tag) { return tag != FourCC{"VINX"} && tag != FourCC{"VIBP"}; }

// --- buffers

void required(const Subject& subject, Report& report) {
  for_each_mesh(subject, [&](const Mesh& mesh) {
    for (const FourCC tag : {FourCC{"VPOS"}, FourCC{"VINX"}, FourCC{"VGEO"}, FourCC{"LODS"}}) {
      const bool there = std::any_of(mesh.chunks.begin(), mesh.chunks.end(),
                                     [&](const MeshChunk& chunk) { return chunk.tag == tag; });
      if (!there) {
        report.add("MES3", say("the mesh has no ", tag.text()));
      }
    }
  });
}

void broken_buffers(const Subject& subject, Report& report, bool of_required) {
  for_each_mesh(subject, [&](const Mesh& mesh) {
    for (const auto& chunk : mesh.chunks) {
      if (std::holds_alternative<Buffer>(chunk.body) && is_required(chunk.tag) == of_required &&
          !chunk.remainder.empty()) {
        report.add(mesh_path(chunk.tag),
                   chunk.remainder.replaces_fields()
                       ? std::string("the buffer cannot be read with its element format")
                       : say(counted(chunk.remainder.bytes.size(), "byte"), " after the last element"));
      }
    }
  });
}
void required_buffer(const Subject& subject, Report& report) { broken_buffers(subject, report, true); }
void other_buffer(const Subject& subject, Report& report) { broken_buffers(subject, report, false); }

void stream_length(const Subject& subject, Report& report) {
  for_each_mesh(subject, [&](const Mesh& mesh) {
    const std::size_t vertices = elements_of(mesh, FourCC{"VPOS"});
    for (const auto& chunk : mesh.chunks) {
      const auto* buffer = std::get_if<Buffer>(&chunk.body);
      if (buffer != nullptr && is_per_vertex(chunk.tag) && !chunk.remainder.replaces_fields() &&
          buffer->size() != vertices) {
        report.add(mesh_path(chunk.tag),
                   say(counted(buffer->size(), "element"), " for ", counted(vertices, "vertex")));
      }
    }
  });
}

void values(const Subject& subject, Report& report) {
  for_each_mesh(subject, [&](const Mesh& mesh) {
    for (const auto& chunk : mesh.chunks) {
      const auto* buffer = std::get_if<Buffer>(&chunk.body);
      if (buffer == nullptr || chunk.remainder.replaces_fields()) {
        continue;
      }
      const Array<float> numbers = decode(*buffer, Range::as_stored);
      const auto bad =
          std::count_if(numbers.begin(), numbers.end(), [](float n) { return !std::isfinite(n); });
      if (bad > 0) {
        report.add(mesh_path(chunk.tag), say(bad, " of ", numbers.size(), " numbers not finite"));
      }
    }
  });
  if (const auto* header = subject.document.find<ModelHeader>()) {
    for (const Box* box : {&header->box, &header->box2}) {
      for (const Vec3* corner : {&box->minimum, &box->maximum}) {
        if (!all_finite(*corner)) {
          report.add("M3DT", "a corner of a bounding box is not finite");
        }
      }
    }
  }
}

void normals(const Subject& subject, Report& report) {
  constexpr double kTolerance = 0.02;
  for_each_mesh(subject, [&](const Mesh& mesh) {
    const auto* buffer = mesh.find<Buffer>(FourCC{"VNML"});
    if (buffer == nullptr || element_components(buffer->format()) < 3) {
      return;
    }
    const std::size_t components = element_components(buffer->format());
    const Array<float> numbers = decode(*buffer, Range::direction);
    std::size_t bad = 0;
    for (std::size_t at = 0; at + components <= numbers.size(); at += components) {
      double square = 0;
      for (std::size_t i = at; i < at + 3; ++i) {
        square += double{numbers[i]} * double{numbers[i]};
      }
      bad += std::fabs(std::sqrt(square) - 1) <= kTolerance ? 0U : 1U;
    }
    if (bad > 0) {
      report.add("MES3.VNML", say(counted(bad, "normal"), " not of unit length"));
    }
  });
}

// --- geosets

/// A geoset, and what exists of its part of the indices.
struct Part {
  const Geoset& geoset;
  std::span<const std::uint32_t> indices;
  std::size_t available = 0;  ///< in the mesh
};

/// The parts together are bounded, whatever they claim.
constexpr auto kParts = [](const Subject& subject, const auto& use) {
  for_each_mesh(subject, [&](const Mesh& mesh) {
    const auto indices = indices_of(mesh);
    std::size_t budget = indices.size() * 4;
    const auto& items = geosets_of(mesh).items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t from = std::min<std::size_t>(items[i].index_start, indices.size());
      const std::size_t count = std::min({std::size_t{items[i].index_count}, indices.size() - from, budget});
      budget -= count;
      use(Part{items[i], {indices.data() + from, count}, indices.size()}, geoset_path(i));
    }
  });
};

void names(const Subject& subject, Report& report) {
  for_each_mesh(subject, [&](const Mesh& mesh) {
    const auto* text = mesh.find<Names>(FourCC{"VSTR"});
    const std::size_t size = text == nullptr ? 0 : text->text.size();
    const auto& items = geosets_of(mesh).items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (std::uint64_t{items[i].name_start} + items[i].name_size > size) {
        report.add(geoset_path(i), say("the name exceeds the ", size, " bytes of VSTR"));
      }
    }
  });
}

void facing(const Subject& subject, Report& report) {
  for_each_mesh(subject, [&](const Mesh& mesh) {
    const auto* positions = mesh.find<Buffer>(FourCC{"VPOS"});
    const auto* normals = mesh.find<Buffer>(FourCC{"VNML"});
    if (positions == nullptr || normals == nullptr || positions->size() != normals->size() ||
        positions->format() != ElementFormat::f32x3 || normals->format() != ElementFormat::f32x3) {
      return;
    }
    const auto& p = std::get<Array<Vec3>>(positions->elements);
    const auto& n = std::get<Array<Vec3>>(normals->elements);
    const auto indices = indices_of(mesh);
    std::size_t against = 0;
    std::size_t with = 0;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      const auto* c = indices.data() + i;
      if (std::max({c[0], c[1], c[2]}) >= p.size()) {
        continue;
      }
      std::array<double, 3> a{};
      std::array<double, 3> b{};
      std::array<double, 3> sum{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        a.at(axis) = double{p[c[1]].at(axis)} - double{p[c[0]].at(axis)};
        b.at(axis) = double{p[c[2]].at(axis)} - double{p[c[0]].at(axis)};
        sum.at(axis) = double{n[c[0]].at(axis)} + double{n[c[1]].at(axis)} + double{n[c[2]].at(axis)};
      }
      const double side = (a[1] * b[2] - a[2] * b[1]) * sum[0] + (a[2] * b[0] - a[0] * b[2]) * sum[1] +
                          (a[0] * b[1] - a[1] * b[0]) * sum[2];
      with += side > 0 ? 1U : 0U;
      against += side < 0 ? 1U : 0U;
    }
    if (against > with) {
      report.add("MES3.VINX",
                 say(against, " of ", with + against, " triangles facing against their normals"));
    }
  });
}

// --- levels and batches

void levels(const Subject& subject, Report& report) {
  for_each_mesh(subject, [&](const Mesh& mesh) {
    const auto* lods = mesh.find<Lods>(FourCC{"LODS"});
    if (lods == nullptr) {
      return;
    }
    const std::uint64_t stated = std::uint64_t{lods->properties.extra_levels} + 1;
    const std::uint64_t geosets = geosets_of(mesh).items.size();
    if (lods->items.size() != stated) {
      report.add("MES3.LODS",
                 say("LODS has ", counted(lods->items.size(), "record"), " for ", counted(stated, "level")));
    }
    if (geosets != stated * lods->properties.geosets_per_level) {
      report.add("MES3.LODS",
                 say("the mesh has ", counted(geosets, "geoset"), "; expected ",
                     lods->properties.geosets_per_level, " in each of ", counted(stated, "level")));
    }
  });
}

void level_sums(const Subject& subject, Report& report) {
  for_each_mesh(subject, [&](const Mesh& mesh) {
    const auto* lods = mesh.find<Lods>(FourCC{"LODS"});
    const auto layout = level_layout(mesh);
    const auto& items = geosets_of(mesh).items;
    for (std::size_t level = 0; lods != nullptr && level < std::min(layout.levels, lods->items.size());
         ++level) {
      std::uint64_t vertices = 0;
      std::uint64_t indices = 0;
      for (std::size_t i = level * layout.per_level; i < (level + 1) * layout.per_level; ++i) {
        vertices += items[i].vertex_count;
        indices += items[i].index_count;
      }
      if (vertices != lods->items[level].vertex_count || indices != lods->items[level].index_count) {
        report.add(say("MES3.LODS.levels[", level, "]"),
                   say("the level states ", lods->items[level].vertex_count, " vertices and ",
                       lods->items[level].index_count, " indices, but its geosets have ", vertices, " and ",
                       indices));
      }
    }
  });
}

void batches(const Subject& subject, Report& report) {
  const auto* materials = subject.document.find<Materials>();
  for_each_mesh(subject, [&](const Mesh& mesh) {
    const auto* found = mesh.find<Batches>(FourCC{"RBAT"});
    const std::size_t geosets = geosets_of(mesh).items.size();
    for (std::size_t i = 0; found != nullptr && i < found->items.size(); ++i) {
      const Batch& batch = found->items[i];
      const std::string path = say("MES3.RBAT.batches[", i, "]");
      if (batch.geoset >= geosets) {
        report.add(path, say("geoset ", batch.geoset, " does not exist; the count is ", geosets));
      }
      if (materials != nullptr && batch.material >= materials->instances.size()) {
        report.add(path, say("material instance ", batch.material, " does not exist; the count is ",
                             materials->instances.size()));
      }
    }
    if (found != nullptr && found->items.size() != found->properties.count) {
      report.add("MES3.RBAT", say("RBAT states ", counted(found->properties.count, "batch"), ", but has ",
                                  found->items.size()));
    }
  });
}

// --- materials

void materials_size(const Subject& subject, Report& report) {
  for (const auto& chunk : subject.document.chunks) {
    const auto* materials = std::get_if<Materials>(&chunk.body);
    if (materials == nullptr || chunk.remainder.replaces_fields()) {
      continue;
    }
    constexpr std::size_t kStreamHeader = 16;
    Document alone;
    alone.chunks.push_back(chunk);
    const std::size_t size = write(alone).size() - kStreamHeader;
    if (size != std::uint64_t{materials->total_dwords} * 4) {
      report.add("M3SI.totalDwords",
                 say("M3SI states ", materials->total_dwords, " units of 4 bytes, but has ", size, " bytes"));
    }
  }
}

void uniforms(const Subject& subject, Report& report) {
  const auto* materials = subject.document.find<Materials>();
  for (std::size_t i = 0; materials != nullptr && i < materials->instances.size(); ++i) {
    const Instance& instance = materials->instances[i];
    const std::string path = say("M3SI.instances[", i, "]");
    const auto unknown = std::find_if(instance.uniform_types.begin(), instance.uniform_types.end(),
                                      [](std::uint16_t type) { return uniform_size(type) == 0; });
    if (unknown != instance.uniform_types.end()) {
      report.add(path, say("unknown uniform type ", *unknown));
    } else if (instance.uniform_data.size() * sizeof(float) !=
               static_cast<std::uint64_t>(std::max(0, instance.uniform_data_size))) {
      report.add(path, say("the uniforms' values need ", instance.uniform_data.size() * sizeof(float),
                           " bytes, but ", instance.uniform_data_size, " are stated"));
    }
    if (instance.uniform_count < 0 || instance.sampler_count < 0 || instance.unknown_count < 0) {
      report.add(path, instance.uniform_count < 0   ? "the number of uniforms is negative"
                       : instance.sampler_count < 0 ? "the number of samplers is negative"
                                                    : "the count of unknown data is negative");
    }
  }
}

// --- the rest

void bounds(const Subject& subject, Report& report) {
  const auto* header = subject.document.find<ModelHeader>();
  const Mesh* mesh = subject.document.find<Mesh>();
  const auto* buffer = mesh == nullptr ? nullptr : mesh->find<Buffer>(FourCC{"VPOS"});
  if (header == nullptr || header->present < ModelHeader::kSize || buffer == nullptr ||
      buffer->format() != ElementFormat::f32x3) {
    return;
  }
  std::size_t outside = 0;
  double farthest = 0;
  for (const Vec3& position : std::get<Array<Vec3>>(buffer->elements)) {
    bool in = true;
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float slack = 1e-3F + 1e-5F * std::fabs(position.at(axis));
      const auto low = double{header->box.minimum.at(axis)};
      const auto high = double{header->box.maximum.at(axis)};
      in = in && position.at(axis) >= header->box.minimum.at(axis) - slack &&
           position.at(axis) <= header->box.maximum.at(axis) + slack;
      const double away = double{position.at(axis)} - (low + high) / 2;
      square += away * away;
    }
    outside += in ? 0U : 1U;
    farthest = std::max(farthest, square);
  }
  if (outside > 0) {
    report.add("M3DT.boxMinimum", say(counted(outside, "vertex"), " outside the bounding box"));
  }
  if (std::sqrt(farthest) > double{header->radius} * 1.001 + 1e-3) {
    report.add("M3DT.radius", say("a vertex is ", static_cast<float>(std::sqrt(farthest)),
                                  " from the centre of the box, but the radius is ", header->radius));
  }
}

void header_size(const Subject& subject, Report& report) {
  for (const auto& chunk : subject.document.chunks) {
    const auto* header = std::get_if<ModelHeader>(&chunk.body);
    if (header != nullptr && (header->present != ModelHeader::kSize || !chunk.remainder.empty())) {
      report.add("M3DT", say("the header has ", header->present + chunk.remainder.bytes.size(),
                             " bytes instead of 88"));
    }
  }
}

void collision(const Subject& subject, Report& report) {
  const auto* found = subject.document.find<Collision>();
  const auto* points = found == nullptr ? nullptr : found->points(FourCC{"CPOS"});
  const auto* corners = found == nullptr ? nullptr : found->corners();
  if (points == nullptr || corners == nullptr) {
    return;
  }
  const auto bad = std::count_if(corners->begin(), corners->end(),
                                 [&](std::uint16_t corner) { return corner >= points->size(); });
  if (bad > 0 || corners->size() % 3 != 0) {
    report.add("M3CL.CINX",
               bad > 0 ? say(bad, bad == 1 ? " index" : " indices", " beyond ", points->size(), " positions")
                       : say("the index count ", corners->size(), " is not a multiple of 3"));
  }
}

constexpr std::array kRules = {
    ModelRule("m3.missing", always(kError), "required mesh chunk missing",
              "A mesh needs VPOS, VINX, VGEO and LODS. Export the model again.", required),
    ModelRule("m3.buffer", always(kError), "positions or indices do not match their format",
              "The size must be a multiple of the element size, and the format must be known. Export the "
              "model again.",
              required_buffer),
    ModelRule("m3.buffer-optional", always(kWarning), "buffer does not match its format",
              "The size must be a multiple of the element size, and the format must be known; otherwise the "
              "buffer is not read. Export the model again.",
              other_buffer),
    ModelRule("m3.stream-length", always(kError), "stream length differs from the number of vertices",
              "Every stream needs one element per vertex. Export the model again.", stream_length),
    ModelRule("m3.index", always(kError), "vertex index out of range",
              "Indices are absolute and count over all vertices of the model. Export the model again.",
              each<kMeshes, "VINX">([](const Mesh& mesh) {
                const std::size_t vertices = elements_of(mesh, FourCC{"VPOS"});
                const auto indices = indices_of(mesh);
                const auto bad = std::count_if(indices.begin(), indices.end(),
                                               [&](std::uint32_t index) { return index >= vertices; });
                return bad > 0 ? say(bad, bad == 1 ? " index" : " indices", " beyond the ",
                                     counted(vertices, "vertex"), " of the model")
                               : "";
              })),
    ModelRule("m3.index-foreign", always(kWarning), "triangle with vertices outside the range of its geoset",
              "A geoset states its vertex range; viewers that load only this range show holes. Export the "
              "model again.",
              each<kParts>([](const Part& part) {
                const std::uint64_t start = part.geoset.vertex_start;
                const std::uint64_t end = start + part.geoset.vertex_count;
                const auto bad =
                    std::count_if(part.indices.begin(), part.indices.end(),
                                  [&](std::uint32_t index) { return index < start || index >= end; });
                return bad > 0 ? say(bad, " of ", part.indices.size(),
                                     " indices outside the vertex range of the geoset")
                               : "";
              })),
    ModelRule("m3.index-range", always(kError), "geoset index range out of bounds",
              "Start and count must be within VINX, counted in indices. Export the model again.",
              each<kParts>([](const Part& part) {
                const Geoset& geoset = part.geoset;
                return std::uint64_t{geoset.index_start} + geoset.index_count > part.available
                           ? say(geoset.index_count, " indices starting at index ", geoset.index_start,
                                 " exceed the available ", part.available)
                           : "";
              })),
    ModelRule("m3.triangles", always(kError), "index count not a multiple of 3",
              "Each triangle needs three indices. Export the model again.",
              each<kParts>([](const Part& part) {
                return part.geoset.index_count % 3 != 0
                           ? say("the index count ", part.geoset.index_count, " is not a multiple of 3")
                           : "";
              })),
    ModelRule("m3.levels", always(kError), "levels of detail do not match the geosets",
              "Every level needs the same number of geosets, and LODS one record per level. Export the model "
              "again.",
              levels),
    ModelRule("m3.level-sums", always(kWarning), "counts of a level differ from those of its geosets",
              "A level's counts must be the sums of its geosets' counts. Export the model again.",
              level_sums),
    ModelRule("m3.name", always(kWarning), "geoset name past the end of VSTR",
              "Names are stored as a start and a length in VSTR. The geoset has no readable name. Export the "
              "model again.",
              names),
    ModelRule("m3.batch", always(kWarning),
              "batch geoset or material out of range, or wrong number of batches",
              "Batches refer by index to geosets in VGEO and material instances in M3SI; their stated number "
              "must match. Export the model again.",
              batches),
    ModelRule("m3.materials-size", always(kWarning), "material instances state a wrong size",
              "M3SI states its size in units of four bytes, including its magic. Programs that trust it read "
              "too little or too much. Export the model again.",
              materials_size),
    ModelRule(
        "m3.uniforms", always(kWarning), "uniforms of unknown type or wrong size, or a negative count",
        "Please share the file if it comes from a game, because the list of types is based on few files; "
        "otherwise export the model again.",
        uniforms),
    ModelRule(
        "m3.value", always(kError), "vertex data or bounding box not finite",
        "Such vertices cannot be drawn, and such a box cannot be used for culling. Export the model again.",
        values),
    ModelRule("m3.normal", always(kWarning), "normals not of unit length",
              "Their vertices are shaded too dark or too bright. Normalise the normals.", normals),
    ModelRule("m3.facing", always(kWarning), "triangles facing against their normals",
              "Most triangles show their back on the side of their normals. Conversion flips them.", facing),
    ModelRule("m3.bounds", always(kWarning), "bounding box or radius too small",
              "The game may stop drawing the model while it is still in view. Recalculate both.", bounds),
    ModelRule("m3.header-size", always(kInfo), "header size other than 88 bytes",
              "Please share the file if it comes from a game, because it may be a later version.",
              header_size),
    ModelRule("m3.collision", always(kWarning), "invalid collision mesh indices",
              "The number of indices must be a multiple of 3, and each must refer to a position of CPOS. "
              "Export the model again.",
              collision),
};

}  // namespace

std::span<const ModelRule> rules() { return kRules; }

}  // namespace thaw::m3
