// See mdx_alpha.md#checks. What cannot be read at all is the reader's to tell.
#include "formats/wow/mdx_alpha/rules.hpp"

#include "formats/warcraft/mdx/convert/missing_chunks.hpp"
#include "formats/wow/mdx_alpha/track_visit.hpp"
#include "formats/wow/texture_files.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace thaw::mdx_alpha {
namespace {

using Subject = DocumentSubject<Document>;

constexpr std::size_t kMostItems = 255;

// --- chunks
// ------------------------------------------------------------------------------------------------------

void version(const Subject& subject, Report& report) {
  const auto* stated = subject.document.find<Version>();
  if (stated == nullptr) {
    report.add("", "no VERS chunk");
  } else if (stated->value != 1300 && stated->value != 1400 && stated->value != 1500) {
    report.add("VERS", say("unknown version ", stated->value));
  }
}

void missing(const Subject& subject, Report& report) {
  for (const auto& chunk : mdx::missing_chunks(subject.document)) {
    report.add(chunk.tag.text(), chunk.message());
  }
}

void limits(const Subject& subject, Report& report) {
  const Document& document = subject.document;
  const auto check = [&](std::string_view chunk, std::size_t count, std::string_view noun) {
    if (count > kMostItems) {
      report.add(std::string(chunk),
                 say(counted_noun(count, noun), "; the client supports at most ", kMostItems));
    }
  };
  check("GEOS", document.all<Geosets>().size(), "geoset");
  check("SEQS", document.all<Sequences>().size(), "sequence");
  check("MTLS", document.all<Materials>().size(), "material");
  const auto geosets = document.all<Geosets>();
  for (std::size_t i = 0; i < geosets.size(); ++i) {
    if (geosets[i]->positions.size() > 0xFFFF) {
      report.add(at("GEOS", i),
                 say(geosets[i]->positions.size(), " vertices; the client supports at most 65535"));
    }
  }
  for (const auto& chunk : document.chunks) {
    if (std::holds_alternative<Textures>(chunk.body) && !chunk.remainder.empty()) {
      report.add("TEXS", "the size of TEXS is not a multiple of 268");
    }
  }
}

// --- sequences
// ---------------------------------------------------------------------------------------------------

void sequence_order(const Subject& subject, Report& report) {
  const auto sequences = subject.document.all<Sequences>();
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (sequences[i]->start > sequences[i]->end) {
      report.add(at("SEQS", i),
                 say("the sequence starts at ", sequences[i]->start, " and ends at ", sequences[i]->end));
    }
  }
}

void sequence_overlap(const Subject& subject, Report& report) {
  const auto sequences = subject.document.all<Sequences>();
  std::vector<std::size_t> order(sequences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(sequences[a]->start, a) < std::pair(sequences[b]->start, b);
  });
  std::uint32_t end = 0;
  for (const std::size_t i : order) {
    if (sequences[i]->start < end) {
      report.add(at("SEQS", i), say("the sequence begins at ", sequences[i]->start,
                                    ", inside another one that ends at ", end));
    }
    end = std::max(end, sequences[i]->end);
  }
}

/// "Stand - Var1" and "Stand" are of one type.
std::string type_of(const Sequence& sequence) {
  std::string name = to_utf8(sequence.name.view());
  name = name.substr(0, name.find(" - "));
  while (!name.empty() && (name.back() == ' ' || (name.back() >= '0' && name.back() <= '9'))) {
    name.pop_back();
  }
  return name;
}

void sequence_frequency(const Subject& subject, Report& report) {
  constexpr float kTolerance = 0.01F;
  std::map<std::string, float> sums;
  std::map<std::string, std::size_t> first;
  const auto sequences = subject.document.all<Sequences>();
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const std::string type = type_of(*sequences[i]);
    sums[type] += sequences[i]->frequency;
    first.emplace(type, i);
  }
  for (const auto& [type, sum] : sums) {
    if (!(std::abs(sum - 1) <= kTolerance)) {
      report.add(at("SEQS", first.at(type)) + ".frequency",
                 say("the frequencies of all \"", type, "\" sequences sum to ", sum, " instead of 1"));
    }
  }
}

// --- geosets
// -----------------------------------------------------------------------------------------------------

constexpr auto kGeosets = [](const Subject& subject, const auto& use) {
  const auto geosets = subject.document.all<Geosets>();
  for (std::size_t i = 0; i < geosets.size(); ++i) {
    use(*geosets[i], at("GEOS", i));
  }
};

std::uint64_t sum_of(const Array<std::uint32_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

void geoset_counts(const Subject& subject, Report& report) {
  kGeosets(subject, [&](const Geoset& geoset, const std::string& path) {
    const std::size_t vertices = geoset.positions.size();
    const auto expect = [&](const char* name, const char* noun, std::size_t count) {
      if (count != vertices) {
        report.add(path + "." + name, say(counted(count, noun), " for ", counted(vertices, "vertex")));
      }
    };
    expect("normals", "normal", geoset.normals.size());
    expect("vertexGroups", "vertex group", geoset.vertex_groups.size());
    if (geoset.primitive_counts.size() != geoset.primitive_types.size()) {
      report.add(path + ".primitiveCounts",
                 say(geoset.primitive_counts.size(), " counts and ", geoset.primitive_types.size(),
                     " types of primitive groups; their numbers must be equal"));
    }
    if (sum_of(geoset.primitive_counts) != geoset.indices.size()) {
      report.add(path + ".primitiveCounts", say("the primitive groups need ", sum_of(geoset.primitive_counts),
                                                " indices, but the geoset has ", geoset.indices.size()));
    }
  });
}

void geoset_groups(const Subject& subject, Report& report) {
  kGeosets(subject, [&](const Geoset& geoset, const std::string& path) {
    const auto broken =
        std::find_if(geoset.vertex_groups.begin(), geoset.vertex_groups.end(),
                     [&](std::uint8_t group) { return group >= geoset.matrix_groups.size(); });
    if (broken != geoset.vertex_groups.end()) {
      report.add(path + ".vertexGroups",
                 say("group ", *broken, " does not exist; the count is ", geoset.matrix_groups.size()));
    }
    if (sum_of(geoset.matrix_groups) != geoset.matrix_indices.size()) {
      report.add(path + ".matrixGroups", say("the matrix groups need ", sum_of(geoset.matrix_groups),
                                             " bones, but the geoset lists ", geoset.matrix_indices.size()));
    }
  });
}

void geoset_bones(const Subject& subject, Report& report) {
  std::set<std::uint32_t> ids;
  for (const auto& entry : all_nodes(subject.document)) {
    ids.insert(static_cast<std::uint32_t>(entry.node->object_id));
  }
  kGeosets(subject, [&](const Geoset& geoset, const std::string& path) {
    const auto broken = std::find_if(geoset.matrix_indices.begin(), geoset.matrix_indices.end(),
                                     [&](std::uint32_t id) { return !ids.contains(id); });
    if (broken != geoset.matrix_indices.end()) {
      report.add(path + ".matrixIndices", say("object ", *broken, " does not exist"));
    }
  });
}

/// The bones of a group in any order, those of BIDX by weight; none for a group that is not there or too
/// large.
std::optional<std::vector<std::uint32_t>> bones_of(const Geoset& geoset, std::size_t group) {
  constexpr std::size_t kMost = 4;
  const std::uint64_t first =
      std::accumulate(geoset.matrix_groups.begin(),
                      geoset.matrix_groups.begin() + static_cast<std::ptrdiff_t>(group), std::uint64_t{0});
  const std::size_t count = geoset.matrix_groups[group];
  if (count > kMost || first + count > geoset.matrix_indices.size()) {
    return std::nullopt;
  }
  const auto* bones = geoset.matrix_indices.data() + first;
  std::vector<std::uint32_t> result(bones, bones + count);
  std::sort(result.begin(), result.end());
  return result;
}

std::size_t differing_bones(const Geoset& geoset) {
  std::vector<std::optional<std::vector<std::uint32_t>>> groups;
  for (std::size_t group = 0; group < std::min<std::size_t>(geoset.matrix_groups.size(), 256); ++group) {
    groups.push_back(bones_of(geoset, group));
  }
  auto sorted = geoset.vertex_groups;
  std::sort(sorted.begin(), sorted.end());
  std::size_t differing = 0;
  for (std::size_t i = 0; i < std::min(sorted.size(), geoset.bone_indices.size()); ++i) {
    if (sorted[i] >= groups.size() || !groups[sorted[i]]) {
      continue;
    }
    std::vector<std::uint32_t> stored;
    for (unsigned k = 0; k < 4 && i < geoset.bone_weights.size(); ++k) {
      if ((geoset.bone_weights[i] >> (8 * (3 - k)) & 0xFFU) != 0) {
        stored.push_back(geoset.bone_indices[i] >> (8 * k) & 0xFFU);
      }
    }
    std::sort(stored.begin(), stored.end());
    differing += stored == *groups[sorted[i]] ? 0U : 1U;
  }
  return differing;
}

void geoset_weights(const Subject& subject, Report& report) {
  // A sort that is not stable swaps a few inside a group, as in the game's own files.
  kGeosets(subject, [&](const Geoset& geoset, const std::string& path) {
    if (geoset.bone_indices.size() != geoset.positions.size() ||
        geoset.bone_weights.size() != geoset.positions.size()) {
      report.add(path + ".boneIndices",
                 say(geoset.bone_indices.size(), " bone indices and ", geoset.bone_weights.size(),
                     " weights for ", counted(geoset.positions.size(), "vertex")));
    } else if (const std::size_t differing = differing_bones(geoset); differing > 0) {
      report.add(path + ".boneIndices", say("the bones of ", differing, " of ", geoset.positions.size(),
                                            " vertices differ from those of their groups"));
    }
  });
}

// --- nodes
// -------------------------------------------------------------------------------------------------------

void node_ids(const Subject& subject, Report& report) {
  const auto* pivots = subject.document.find<Pivots>();
  const std::size_t count = pivots == nullptr ? 0 : pivots->points.size();
  std::set<std::int32_t> seen;
  for (const auto& entry : all_nodes(subject.document)) {
    const std::int32_t id = entry.node->object_id;
    if (id < 0 || static_cast<std::size_t>(id) >= count) {
      report.add(path_of(entry) + ".objectId",
                 say("object id ", id, " has no pivot point; PIVT has ", counted_noun(count, "point")));
    } else if (!seen.insert(id).second) {
      report.add(path_of(entry) + ".objectId", say("object id ", id, " is used twice"));
    }
  }
}

void node_order(const Subject& subject, Report& report) {
  std::int32_t next = 0;
  for (const auto& entry : all_nodes(subject.document)) {
    if (entry.node->object_id != next++) {
      report.add(path_of(entry) + ".objectId",
                 say("object id ", entry.node->object_id, " instead of ", next - 1));
      return;
    }
  }
}

void node_parents(const Subject& subject, Report& report) {
  enum class State : std::uint8_t { unknown, on_walk, sound };
  struct Entry {
    std::int32_t parent = -1;
    State state = State::unknown;
  };
  std::map<std::int32_t, Entry> objects;
  for (const auto& entry : all_nodes(subject.document)) {
    objects.emplace(entry.node->object_id, Entry{entry.node->parent_id, State::unknown});
  }
  std::vector<Entry*> walk;
  for (const auto& entry : all_nodes(subject.document)) {
    const std::int32_t parent = entry.node->parent_id;
    if (parent != -1 && objects.find(parent) == objects.end()) {
      report.add(path_of(entry) + ".parentId", say("object ", parent, " does not exist"));
      continue;
    }
    walk.clear();
    auto at = objects.find(entry.node->object_id);
    while (at != objects.end() && at->second.state == State::unknown) {
      at->second.state = State::on_walk;
      walk.push_back(&at->second);
      at = at->second.parent == -1 ? objects.end() : objects.find(at->second.parent);
    }
    if (at != objects.end() && at->second.state == State::on_walk) {
      report.add(path_of(entry) + ".parentId", "the parents form a cycle");
    }
    for (Entry* seen : walk) {
      seen->state = State::sound;
    }
  }
}

// --- tracks
// ------------------------------------------------------------------------------------------------------

constexpr auto kTracks = [](const Subject& subject, const auto& use) {
  for_each_tracks(subject.document, [&](const Tracks& tracks, const std::string& path) {
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      use(tracks[i], at(path + ".tracks", i));
    }
  });
};

void track_globals(const Subject& subject, Report& report) {
  const auto* globals = subject.document.find<GlobalSequences>();
  const std::size_t count = globals == nullptr ? 0 : globals->durations.size();
  const auto missing = [&](std::int32_t id) {
    return id < -1 || (id >= 0 && static_cast<std::size_t>(id) >= count);
  };
  kTracks(subject, [&](const Track& track, const std::string& path) {
    if (missing(track.global_sequence)) {
      report.add(path, say("global sequence ", track.global_sequence, " does not exist"));
    }
  });
  const auto events = subject.document.all<EventObjects>();
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i]->track && missing(events[i]->track->global_sequence)) {
      report.add(at("EVTS", i) + ".track",
                 say("global sequence ", events[i]->track->global_sequence, " does not exist"));
    }
  }
}

// --- references
// --------------------------------------------------------------------------------------------------

/// Tells of ids that are neither −1 nor below a count.
void texture_files(const Subject& subject, Report& report) {
  wow::TextureFiles files(subject.options, report);
  const auto textures = subject.document.all<Textures>();
  for (std::size_t i = 0; i < textures.size(); ++i) {
    files.look(at("TEXS", i) + ".path", textures[i]->path.view());
  }
}

class References {
 public:
  References(const Subject& subject, Report& report) : document_(subject.document), report_(report) {}

  void check() {
    check_layers();
    check_parts();
    const auto geosets = document_.all<Geosets>();
    for (std::size_t i = 0; i < geosets.size(); ++i) {
      expect(at("GEOS", i) + ".materialId", geosets[i]->material_id, materials_, "material", false);
    }
    const auto* sections = document_.find<Sections>();
    for (std::size_t i = 0; sections != nullptr && i < sections->sections.size(); ++i) {
      expect(at("GEOS.sections", i) + ".materialId", sections->sections[i].material_id, materials_,
             "material", false);
    }
  }

 private:
  void expect(const std::string& path, std::int32_t id, std::size_t count, std::string_view noun,
              bool none = true) {
    if (id < 0 ? !none || id != -1 : static_cast<std::size_t>(id) >= count) {
      report_.add(path, say(noun, " ", id, " does not exist"));
    }
  }
  void check_layers();
  void check_parts();
  [[nodiscard]] std::size_t geoset_count() const {
    const auto* sections = document_.find<Sections>();
    return document_.all<Geosets>().size() + (sections == nullptr ? 0 : sections->sections.size());
  }

  const Document& document_;
  Report& report_;
  std::size_t materials_ = document_.all<Materials>().size();
  std::size_t textures_ = document_.all<Textures>().size();
};

void References::check_layers() {
  const auto materials = document_.all<Materials>();
  const std::size_t animations = document_.all<TextureAnimations>().size();
  for (std::size_t i = 0; i < materials.size(); ++i) {
    for (std::size_t k = 0; k < materials[i]->layers.size(); ++k) {
      const Layer& layer = materials[i]->layers[k];
      const std::string path = at(at("MTLS", i) + ".layers", k);
      expect(path + ".textureId", layer.texture_id, textures_, "texture");
      expect(path + ".textureAnimationId", layer.texture_animation_id, animations, "texture animation");
    }
  }
}

void References::check_parts() {
  const std::size_t geosets = geoset_count();
  const auto animations = document_.all<GeosetAnimations>();
  for (std::size_t i = 0; i < animations.size(); ++i) {
    expect(at("GEOA", i) + ".geosetId", animations[i]->geoset_id, geosets, "geoset");
  }
  const auto bones = document_.all<Bones>();
  for (std::size_t i = 0; i < bones.size(); ++i) {
    expect(at("BONE", i) + ".geosetId", bones[i]->geoset_id, geosets, "geoset");
    expect(at("BONE", i) + ".geosetAnimationId", bones[i]->geoset_animation_id, animations.size(),
           "geoset animation");
  }
  const auto emitters = document_.all<ParticleEmitters2>();
  for (std::size_t i = 0; i < emitters.size(); ++i) {
    expect(at("PRE2", i) + ".textureId", emitters[i]->texture_id, textures_, "texture");
  }
  const auto ribbons = document_.all<RibbonEmitters>();
  for (std::size_t i = 0; i < ribbons.size(); ++i) {
    expect(at("RIBB", i) + ".materialId", ribbons[i]->material_id, materials_, "material", false);
  }
}

void references(const Subject& subject, Report& report) { References(subject, report).check(); }

// --- collision, bounds
// -------------------------------------------------------------------------------------------

void collision(const Subject& subject, Report& report) {
  const auto* mesh = subject.document.find<CollisionMesh>();
  if (mesh == nullptr) {
    return;
  }
  if (mesh->indices.size() != 3 * mesh->normals.size()) {
    report.add("CLID.normals", say(counted(mesh->normals.size(), "normal"), " for ", mesh->indices.size(),
                                   " indices; a triangle has 1 normal and 3 indices"));
  }
  const auto broken = std::find_if(mesh->indices.begin(), mesh->indices.end(),
                                   [&](std::uint16_t index) { return index >= mesh->positions.size(); });
  if (broken != mesh->indices.end()) {
    report.add("CLID.indices",
               say("vertex ", *broken, " does not exist; the count is ", mesh->positions.size()));
  }
}

constexpr std::array kRules = {
    AlphaRule("mdx-alpha.version", always(kError), "version missing or unknown",
              "The 0.5.3 client reads version 1300; 1400 and 1500 belong to later builds. Use `thaw convert "
              "FILE --to mdx-alpha`.",
              version),
    AlphaRule("mdx-alpha.chunk-missing", always(kError), "required chunk missing",
              "Geosets need materials, materials need textures, and nodes need pivots. The file is probably "
              "truncated.",
              missing),
    AlphaRule("mdx-alpha.limit", always(kError), "client limit exceeded, or wrong size of texture records",
              "The client supports at most 255 geosets, sequences and materials, 65535 vertices in a geoset, "
              "and texture records of 268 bytes. Split or simplify the model, and export it again.",
              limits),
    AlphaRule("mdx-alpha.sequence-order", always(kWarning), "sequence ends before it starts",
              "The sequence cannot be played. Swap start and end.", sequence_order),
    AlphaRule("mdx-alpha.sequence-overlap", always(kWarning), "overlapping sequences",
              "All sequences share one time line and must not overlap. Move one of them.", sequence_overlap),
    AlphaRule("mdx-alpha.sequence-frequency", always(kInfo), "sequence frequencies do not sum to 1",
              "The game chooses among the sequences of a type by frequency. Set frequencies with a sum of 1.",
              sequence_frequency),
    AlphaRule("mdx-alpha.geoset-counts", always(kError), "geoset arrays differ in length",
              "Every vertex needs a normal and a group. Every primitive group needs a type and a count, and "
              "the counts must add up to the number of indices. Export the model again.",
              geoset_counts),
    AlphaRule("mdx-alpha.geoset-index", always(kError), "face vertex out of range",
              "The client reads unrelated memory instead. Export the model again.",
              each<kGeosets, "indices">([](const Geoset& geoset) {
                const auto broken =
                    std::find_if(geoset.indices.begin(), geoset.indices.end(),
                                 [&](std::uint16_t index) { return index >= geoset.positions.size(); });
                return broken != geoset.indices.end()
                           ? say("vertex ", *broken, " does not exist; the count is ",
                                 geoset.positions.size())
                           : "";
              })),
    AlphaRule("mdx-alpha.geoset-groups", always(kError),
              "matrix group out of range, or wrong number of bones",
              "Every vertex needs a matrix group, and the sizes of the groups must add up to the number of "
              "matrix indices. Export the model again.",
              geoset_groups),
    AlphaRule("mdx-alpha.geoset-bones", always(kError), "geoset attached to a missing object",
              "Each matrix index must be the object id of a bone or helper. Export the model again.",
              geoset_bones),
    AlphaRule(
        "mdx-alpha.geoset-weights", always(kInfo), "BIDX or BWGT does not match the vertices or groups",
        "BIDX and BWGT have one entry per vertex: its bones and weights, in the order of the groups. "
        "Programs that read them show other poses than those that read the groups. Export the model again.",
        geoset_weights),
    AlphaRule("mdx-alpha.node-id", always(kError), "object id duplicate or without a pivot point",
              "Every object needs a unique id, counted from 0, and a point in PIVT. Export the model again.",
              node_ids),
    AlphaRule("mdx-alpha.node-order", always(kError), "object ids out of order",
              "Bones, lights, helpers, attachments, emitters, ribbons, events and hit tests are numbered "
              "consecutively in this order. Export the model again.",
              node_order),
    AlphaRule("mdx-alpha.node-parent", always(kError), "parent missing, or cycle of parents",
              "A parent must be an existing object and no descendant. Use -1 for none.", node_parents),
    AlphaRule("mdx-alpha.track-order", always(kWarning), "keys out of order",
              "The client expects ascending keys. Sort them.", each<kTracks>([](const Track& track) -> Fault {
                for (std::size_t key = 1; key < track.size(); ++key) {
                  if (track.time(key) < track.time(key - 1)) {
                    return say(track.tag.view(), ": key ", key, " at ", track.time(key), " comes after ",
                               track.time(key - 1));
                  }
                }
                return {};
              })),
    AlphaRule("mdx-alpha.track-global", always(kError), "global sequence of a track out of range",
              "Use the index of an existing global sequence, or -1 for none.", track_globals),
    AlphaRule("mdx-alpha.track-interpolation", always(kError), "unknown interpolation",
              "Known values are 0 none, 1 linear, 2 Hermite and 3 Bezier. Set one that fits the keys: only 2 "
              "and 3 have tangents.",
              each<kTracks>([](const Track& track) {
                return track.interpolation > Interpolation::bezier
                           ? say("unknown interpolation ", static_cast<std::uint32_t>(track.interpolation))
                           : "";
              })),
    AlphaRule("mdx-alpha.reference", always(kError), "texture, material, animation or geoset out of range",
              "The index must be that of an existing entry. Use -1 for none, except for the material of a "
              "geoset or ribbon.",
              references),
    AlphaRule("mdx-alpha.collision", always(kWarning),
              "collision mesh vertex out of range, or wrong number of normals",
              "Each triangle needs one normal and three existing vertices. Export the model again.",
              collision),
    AlphaRule("mdx-alpha.texture-file", always(kError), "texture not supported by the client",
              "WoW Alpha loads BLP2 up to 256 × 256. Run `thaw convert FILE --to blp2 --max-size 256`.",
              texture_files),
    AlphaRule("mdx-alpha.bounds", {kWarning, kInfo, kWarning}, "vertices outside their geoset's bounds",
              "The client may cull the model while only these vertices are in view. Recalculate the bounds.",
              each<kGeosets, "extent">([](const Geoset& geoset) {
                constexpr float kTolerance = 0.01F;
                const auto outside = [&](const Vec3& position) {
                  for (std::size_t i = 0; i < 3; ++i) {
                    if (!(position[i] >= geoset.extent.minimum[i] - kTolerance) ||
                        !(position[i] <= geoset.extent.maximum[i] + kTolerance)) {
                      return true;
                    }
                  }
                  return false;
                };
                const auto count = std::count_if(geoset.positions.begin(), geoset.positions.end(), outside);
                return count > 0 ? say(count, " of ", geoset.positions.size(), " vertices outside the extent")
                                 : "";
              })),
};

}  // namespace

std::span<const AlphaRule> rules() { return kRules; }

}  // namespace thaw::mdx_alpha
