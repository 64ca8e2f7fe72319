// Alpha models for the tools of Warcraft III, with a list of what these cannot say.
#include <thaw/mdx_alpha.hpp>

#include "bytes/number_text.hpp"
#include "formats/warcraft/mdx/track_visit.hpp"
#include "formats/wow/mdx_alpha/document.hpp"
#include "formats/wow/mdx_alpha/source_emitters.hpp"
#include "formats/wow/mdx_alpha/upgrade.hpp"

#include <algorithm>
#include <limits>

namespace thaw::mdx_alpha {
namespace {

class Losses {
 public:
  Losses(const Document& document, Diagnostics& diagnostics)
      : document_(document), diagnostics_(diagnostics) {}

  void report() {
    report_model();
    report_sequences();
    report_materials();
    report_emitters();
  }

 private:
  void add(const Code& code, std::string message, std::string path) {
    diagnostics_.add(code, std::move(message), {}, std::move(path));
  }
  static std::string place(std::string_view chunk, std::size_t index) {
    return std::string(chunk) + "[" + std::to_string(index) + "]";
  }

  void report_model();
  void report_sequences();
  void report_materials();
  void report_emitters();
  void report_emitter(const ParticleEmitter2& emitter, const std::string& path);

  const Document& document_;
  Diagnostics& diagnostics_;
};

void Losses::report_model() {
  const auto* model = document_.find<Model>();
  if (model != nullptr && model->flags != 0) {
    add(codes::kConvertFlag, "model flags left out, such as ground-following or always-animated",
        "MODL.flags");
  }
  if (const auto* mesh = document_.find<CollisionMesh>(); mesh != nullptr && !mesh->indices.empty()) {
    add(codes::kConvertChunk, "collision mesh left out", "CLID");
  }
  const auto textures = document_.all<Textures>();
  for (std::size_t i = 0; i < textures.size(); ++i) {
    if (textures[i]->replaceable_id != 0) {
      add(codes::kConvertTexture,
          "replaceable id " + std::to_string(textures[i]->replaceable_id) +
              " written unchanged; it is a different texture in the target game",
          place("TEXS", i));
    }
  }
}

void Losses::report_sequences() {
  const auto sequences = document_.all<Sequences>();
  const bool chosen = std::any_of(sequences.begin(), sequences.end(), [](const Sequence* sequence) {
    return sequence->frequency != 1 || sequence->replay_max != 0 || sequence->blend_time != 0;
  });
  if (chosen) {
    add(codes::kConvertField, "frequencies, repetitions or blend times of sequences left out", "SEQS");
  }
}

void Losses::report_materials() {
  const auto materials = document_.all<Materials>();
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const auto& layers = materials[i]->layers;
    if (std::any_of(layers.begin(), layers.end(),
                    [](const Layer& layer) { return layer.texture_id == -1; })) {
      add(codes::kConvertMaterial,
          "layer without a texture written unchanged; Warcraft III expects a texture", place("MTLS", i));
    }
    if (std::any_of(layers.begin(), layers.end(),
                    [](const Layer& layer) { return (layer.flags & Layer::kNoFallback) != 0; })) {
      add(codes::kConvertFlag, "no-fallback flag of a layer left out", place("MTLS", i));
    }
  }
}

void Losses::report_emitter(const ParticleEmitter2& emitter, const std::string& path) {
  if ((emitter.node.flags & kAlphaEmitterFlags) != 0) {
    add(codes::kConvertFlag, "movement and drawing flags without an equivalent left out", path);
  }
  const bool shaped = emitter.type != ParticleEmitter2::Type::plane || emitter.z_source != 0 ||
                      emitter.longitude != 0 || !emitter.spline.empty();
  const bool models = !emitter.geometry_model.view().empty() || !emitter.recursion_model.view().empty();
  const bool moved = emitter.twinkle_scale[0] != emitter.twinkle_scale[1] || emitter.drag != 0 ||
                     emitter.spin != 0 || emitter.wind != Vec3{} || emitter.tumble != std::array<Vec2, 3>{} ||
                     emitter.follow != std::array<Vec2, 2>{};
  if (shaped || models || moved) {
    std::string lost = models ? "models" : "";
    lost += shaped ? lost.empty() ? "shape" : " and shape" : "";
    lost += moved ? lost.empty() ? "movement" : " and movement" : "";
    add(codes::kConvertField,
        "the emitter's " + lost + " left out" +
            (moved ? " (twinkling, drag, spin, wind, tumbling or following)" : ""),
        path);
  }
  for (const FourCC tag : {FourCC{"KPLN"}, FourCC{"KLIF"}, FourCC{"KP2Z"}}) {
    if (find_track(emitter.tracks, tag) != nullptr) {
      add(codes::kConvertTrack, "track " + tag.text() + " left out", path);
    }
  }
}

void Losses::report_emitters() {
  const auto emitters = document_.all<ParticleEmitters2>();
  for (std::size_t i = 0; i < emitters.size(); ++i) {
    report_emitter(*emitters[i], place("PRE2", i));
  }
}

std::size_t keys_before(const mdx::Track& track, std::int32_t frame) {
  std::size_t low = 0;
  std::size_t high = track.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (track.frame(middle) < frame) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The keys of a track within a sequence that lie apart from its start or its end: before the first and
/// after the last, WoW Alpha holds (mdx_alpha.md#animation), the other game runs on from the last to the
/// first.
bool plays_otherwise(const mdx::Track& track, const mdx::Sequence& sequence) {
  const auto start = static_cast<std::int32_t>(sequence.start);
  const auto end = static_cast<std::int32_t>(sequence.end);
  const std::size_t first = keys_before(track, start);
  const std::size_t after =
      end == std::numeric_limits<std::int32_t>::max() ? track.size() : keys_before(track, end + 1);
  if (after < first + 2) {
    return false;
  }
  const std::size_t last = after - 1;
  return (track.frame(first) != start || track.frame(last) != end) && track.value(first) != track.value(last);
}

void report_holding_tracks(const mdx::Document& model, Diagnostics& diagnostics) {
  constexpr std::size_t kMostPairs = std::size_t{1} << 22U;  // of tracks and sequences
  const auto* sequences = model.find<mdx::Sequences>();
  std::size_t count = 0;
  std::size_t pairs = 0;
  mdx::visit_tracks(model, [&](const mdx::Track& track, const mdx::TrackFacts&) {
    if (sequences == nullptr || track.global_sequence >= 0 ||
        track.interpolation == mdx::Interpolation::none) {
      return;
    }
    const bool otherwise =
        std::any_of(sequences->items.begin(), sequences->items.end(), [&](const mdx::Sequence& sequence) {
          ++pairs;
          return pairs <= kMostPairs && plays_otherwise(track, sequence);
        });
    count += otherwise ? 1U : 0U;
  });
  if (count > 0) {
    diagnostics.add(codes::kConvertTrack, (pairs > kMostPairs ? "at least " : "") + counted(count, "track") +
                                              " changed outside the first and last keys of a sequence: "
                                              "WoW Alpha holds these keys, Warcraft III interpolates "
                                              "between them");
  }
}

/// Does its beginning distinguish it from the end of the shape before it (mdx/layout.hpp)?
bool begins_a_shape(const mdx::Node& node) {
  constexpr std::array kMoves = {FourCC{"KGTR"}, FourCC{"KGRT"}, FourCC{"KGSC"}};
  const bool moves =
      node.tracks.empty() || std::find(kMoves.begin(), kMoves.end(), node.tracks.front().tag) != kMoves.end();
  return moves && node.name.terminated() && node.object_id >= -1 && node.parent_id >= -1;
}

/// Shapes do not state their size there: one that is not what its kind has makes its neighbours unreadable.
void drop_broken_shapes(mdx::Document& model, Diagnostics& diagnostics) {
  std::size_t dropped = 0;
  for (auto& chunk : model.chunks) {
    if (auto* shapes = std::get_if<mdx::CollisionShapes>(&chunk.body)) {
      dropped += std::erase_if(shapes->items, [](const mdx::CollisionShape& shape) {
        return !begins_a_shape(shape.node) || shape.payload.empty() ||
               shape.payload.size() != shape_payload(static_cast<HitTest::Shape>(shape.type), 0);
      });
    }
  }
  if (dropped > 0) {
    diagnostics.add(codes::kConvertField,
                    counted(dropped, "damaged or unknown collision shape") + " left out", {}, "HTST");
  }
}

/// Those that only help on the way to a scene.
void drop_helper_tracks(mdx::Document& model) {
  const auto helps = [](const mdx::Track& track) {
    return track.tag == FourCC{"KPLN"} || track.tag == kUpgradedLife;
  };
  for (auto& chunk : model.chunks) {
    if (auto* emitters = std::get_if<mdx::ParticleEmitters2>(&chunk.body)) {
      for (auto& emitter : emitters->items) {
        auto& tracks = emitter.tracks;
        tracks.erase(std::remove_if(tracks.begin(), tracks.end(), helps), tracks.end());
      }
    }
  }
}

}  // namespace

mdx::Document to_warcraft(const Document& document, Diagnostics& diagnostics) {
  Losses(document, diagnostics).report();
  mdx::Document model = upgrade(document);
  drop_helper_tracks(model);
  drop_broken_shapes(model, diagnostics);
  report_holding_tracks(model, diagnostics);
  return model;
}

}  // namespace thaw::mdx_alpha
