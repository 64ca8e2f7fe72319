// Alpha models for the tools of Warcraft III, with a list of what these cannot say.
#include <thaw/mdx_alpha_scene.hpp>

#include "formats/mdx_alpha/lift.hpp"

#include <algorithm>

namespace thaw::mdx_alpha {
namespace {

class Losses {
 public:
  Losses(const Document& document, Diagnostics& diagnostics)
      : document_(document), diagnostics_(diagnostics) {}

  void tell() {
    tell_model();
    tell_sequences();
    tell_materials();
    tell_emitters();
  }

 private:
  void add(const Code& code, std::string message, std::string path) {
    diagnostics_.add(code, std::move(message), {}, std::move(path));
  }
  static std::string place(std::string_view chunk, std::size_t index) {
    return std::string(chunk) + "[" + std::to_string(index) + "]";
  }

  void tell_model();
  void tell_sequences();
  void tell_materials();
  void tell_emitters();
  void tell_emitter(const ParticleEmitter2& emitter, const std::string& path);

  const Document& document_;
  Diagnostics& diagnostics_;
};

void Losses::tell_model() {
  const auto* model = document_.find<Model>();
  if (model != nullptr && model->flags != 0) {
    add(codes::kConvertFlag, "how the model follows the ground, and that it is always animated",
        "MODL.flags");
  }
  if (const auto* mesh = document_.find<CollisionMesh>(); mesh != nullptr && !mesh->indices.empty()) {
    add(codes::kConvertChunk, "a collision mesh", "CLID");
  }
  const auto textures = document_.all<Textures>();
  for (std::size_t i = 0; i < textures.size(); ++i) {
    if (textures[i]->replaceable_id != 0) {
      add(codes::kConvertTexture,
          "replaceable id " + std::to_string(textures[i]->replaceable_id) + " is another texture there",
          place("TEXS", i));
    }
  }
}

void Losses::tell_sequences() {
  const auto sequences = document_.all<Sequences>();
  const bool chosen = std::any_of(sequences.begin(), sequences.end(), [](const Sequence* sequence) {
    return sequence->frequency != 1 || sequence->replay_max != 0 || sequence->blend_time != 0;
  });
  if (chosen) {
    add(codes::kConvertField, "how often sequences are chosen and repeated, and how they blend", "SEQS");
  }
}

void Losses::tell_materials() {
  const auto materials = document_.all<Materials>();
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const auto& layers = materials[i]->layers;
    if (std::any_of(layers.begin(), layers.end(),
                    [](const Layer& layer) { return layer.texture_id == -1; })) {
      add(codes::kConvertMaterial, "a layer without texture", place("MTLS", i));
    }
    if (std::any_of(layers.begin(), layers.end(),
                    [](const Layer& layer) { return (layer.flags & Layer::kNoFallback) != 0; })) {
      add(codes::kConvertFlag, "a layer without fallback", place("MTLS", i));
    }
  }
}

void Losses::tell_emitter(const ParticleEmitter2& emitter, const std::string& path) {
  constexpr std::uint32_t kOwnFlags =
      node_flag::kProject | node_flag::kInheritScale | node_flag::kInstantVelocity | node_flag::kZeroKill |
      node_flag::kZVelocityOnly | node_flag::kTumbler | node_flag::kTailGrows | node_flag::kExtrude |
      node_flag::kProjectParticles | node_flag::kFollow;
  if ((emitter.node.flags & kOwnFlags) != 0) {
    add(codes::kConvertFlag, "ways to move and to draw that only this game has", path);
  }
  const bool shaped = emitter.type != ParticleEmitter2::Type::plane || emitter.z_source != 0 ||
                      emitter.longitude != 0 || !emitter.spline.empty();
  const bool models = !emitter.geometry_model.view().empty() || !emitter.recursion_model.view().empty();
  const bool moved = emitter.twinkle_scale[0] != emitter.twinkle_scale[1] || emitter.drag != 0 ||
                     emitter.spin != 0 || emitter.wind != Vec3{} || emitter.tumble != std::array<Vec2, 3>{} ||
                     emitter.follow != std::array<Vec2, 2>{};
  if (shaped || models || moved) {
    add(codes::kConvertField,
        std::string("the emitter's ") + (models   ? "models"
                                         : shaped ? "shape"
                                                  : "twinkling, drag, spin or wind"),
        path);
  }
  for (const FourCC tag : {FourCC{"KPLN"}, FourCC{"KLIF"}, FourCC{"KP2Z"}}) {
    if (find_track(emitter.tracks, tag) != nullptr) {
      add(codes::kConvertTrack, tag.text(), path);
    }
  }
}

void Losses::tell_emitters() {
  const auto emitters = document_.all<ParticleEmitters2>();
  for (std::size_t i = 0; i < emitters.size(); ++i) {
    tell_emitter(*emitters[i], place("PRE2", i));
  }
}

/// Those that only help on the way to a scene.
void drop_helper_tracks(mdx::Document& model) {
  const auto helps = [](const mdx::Track& track) {
    return track.tag == FourCC{"KPLN"} || track.tag == kLiftedLife;
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
  Losses(document, diagnostics).tell();
  mdx::Document model = lift(document);
  drop_helper_tracks(model);
  return model;
}

}  // namespace thaw::mdx_alpha
