#include "formats/wow/m3/onto.hpp"

#include <thaw/codes.hpp>

#include "bytes/number_text.hpp"

#include <algorithm>
#include <span>

namespace thaw::m3 {
namespace {

template <class Chunk>
const Chunk* find(const std::vector<Chunk>& chunks, FourCC tag) {
  const auto found =
      std::find_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) { return chunk.tag == tag; });
  return found == chunks.end() ? nullptr : &*found;
}

template <class Chunk>
bool alike(const std::vector<Chunk>& a, const std::vector<Chunk>& b, FourCC tag) {
  const Chunk* one = find(a, tag);
  const Chunk* other = find(b, tag);
  return one == nullptr || other == nullptr ? one == other : *one == *other;
}

/// The chunk as the other list has it; none where it has none.
template <class Chunk>
void take(std::vector<Chunk>& to, const std::vector<Chunk>& from, FourCC tag) {
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

// What depends on each other. The version of the mesh stays: the program requires it.
constexpr std::array kWeights = {FourCC{"VWTS"}, FourCC{"VIBP"}};
constexpr std::array kGeosets = {FourCC{"VSTR"}, FourCC{"VGEO"}, FourCC{"LODS"}};
constexpr std::array kAlone = {FourCC{"VPOS"}, FourCC{"VNML"}, FourCC{"VTAN"}, FourCC{"VUV0"}, FourCC{"VUV1"},
                               FourCC{"VUV2"}, FourCC{"VUV3"}, FourCC{"VUV4"}, FourCC{"VUV5"}, FourCC{"VCL0"},
                               FourCC{"VCL1"}, FourCC{"VINX"}, FourCC{"RBAT"}};

/// Where the geosets' vertices and indices are, and how many there are of each.
std::vector<std::array<std::size_t, 4>> ranges_of(const Mesh& mesh) {
  std::vector<std::array<std::size_t, 4>> ranges;
  if (const auto* geosets = mesh.find<Geosets>(FourCC{"VGEO"})) {
    for (const Geoset& geoset : geosets->items) {
      ranges.push_back({geoset.vertex_start, geoset.vertex_count, geoset.index_start, geoset.index_count});
    }
  }
  const auto count = [&](FourCC tag) -> std::size_t {
    const auto* buffer = mesh.find<Buffer>(tag);
    return buffer == nullptr ? 0 : buffer->size();
  };
  ranges.push_back({count(FourCC{"VPOS"}), count(FourCC{"VINX"}), 0, 0});
  return ranges;
}

class Merger {
 public:
  Merger(const Mesh& original, const Mesh& before, const Mesh& edited, Diagnostics& diagnostics)
      : before_(before),
        edited_(edited),
        diagnostics_(diagnostics),
        same_places_(ranges_of(original) == ranges_of(before) && ranges_of(before) == ranges_of(edited)),
        result_(original) {}

  Mesh merge() {
    const std::size_t levels = level_layout(result_).levels;
    renew(kWeights);
    renew(kGeosets);
    for (const FourCC tag : kAlone) {
      renew({&tag, 1});
    }
    if (changed_) {
      report(levels);
    }
    return std::move(result_);
  }

 private:
  void renew(std::span<const FourCC> tags) {
    const bool same = same_places_ && std::all_of(tags.begin(), tags.end(), [&](FourCC tag) {
                        return alike(before_.chunks, edited_.chunks, tag);
                      });
    for (const FourCC tag : tags) {
      if (!same) {
        take(result_.chunks, edited_.chunks, tag);
        changed_ = true;
      }
    }
  }

  void report(std::size_t levels) const {
    if (const std::size_t left = level_layout(result_).levels; left < levels) {
      diagnostics_.add(codes::kSceneLost, counted(levels - left, "coarser level") +
                                              " left out; convert the model with --lod all to preserve them");
    }
    for (const MeshChunk& chunk : result_.chunks) {
      if (std::holds_alternative<Opaque>(chunk.body) || chunk.remainder.replaces_fields()) {
        diagnostics_.add(codes::kSceneChanged,
                         "chunk " + chunk.tag.text() + " not changed; it may not match the edited mesh");
      }
    }
  }

  const Mesh& before_;
  const Mesh& edited_;
  Diagnostics& diagnostics_;
  bool same_places_;
  bool changed_ = false;
  Mesh result_;
};

/// Copies the bounds if they differ.
void take_bounds(ModelHeader& to, const ModelHeader& before, const ModelHeader& edited) {
  if (!(before == edited) && to.present == ModelHeader::kSize) {
    to.box = edited.box;
    to.radius = edited.radius;
    to.box2 = edited.box2;
    to.radius2 = edited.radius2;
  }
}

void take_materials(Materials& to, const Materials& edited) {
  const Materials original = std::move(to);
  to = edited;
  to.properties = original.properties;
  to.magic = original.magic;
  to.unknown = original.unknown;
}

}  // namespace

/// To `==`, a not-a-number is unlike itself.
bool is_unedited(const Document& before, const Document& edited) {
  return before == edited || write(before) == write(edited);
}

Document merge_onto(const Document& original, const Document& before, const Document& edited,
                    Diagnostics& diagnostics) {
  Document result = original;
  if (is_unedited(before, edited)) {
    return result;
  }
  for (const FourCC tag : {FourCC{"M3CL"}, FourCC{"M3XF"}, FourCC{"MES3"}, FourCC{"M3SI"}}) {
    const bool merged = tag == FourCC{"MES3"} || tag == FourCC{"M3SI"};
    if (!alike(before.chunks, edited.chunks, tag) && !(merged && find(result.chunks, tag) != nullptr)) {
      take(result.chunks, edited.chunks, tag);
    }
  }
  for (Chunk& chunk : result.chunks) {
    const bool reads = !chunk.remainder.replaces_fields();
    if (auto* header = std::get_if<ModelHeader>(&chunk.body); header != nullptr && reads) {
      take_bounds(*header, *before.find<ModelHeader>(), *edited.find<ModelHeader>());
    } else if (auto* mesh = std::get_if<Mesh>(&chunk.body); mesh != nullptr && reads) {
      *mesh = Merger(*mesh, *before.find<Mesh>(), *edited.find<Mesh>(), diagnostics).merge();
    } else if (auto* materials = std::get_if<Materials>(&chunk.body);
               materials != nullptr && reads && !(*before.find<Materials>() == *edited.find<Materials>())) {
      take_materials(*materials, *edited.find<Materials>());
    }
  }
  return result;
}

}  // namespace thaw::m3
