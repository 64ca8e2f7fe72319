// Particle emitters and ribbons.
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

/// Calls `use(emitter, path)` for PRE2.
template <class F>
void for_each_emitter2(const Model& model, F&& use) {
  for (const auto& item : model.particle_emitters2) {
    use(*item.value, item.path);
  }
}

void emitter_without_sequences(const Model& model, Report& report) {
  if (model.has_emitters() && model.sequences.empty()) {
    report.add("", "the model has emitters but no sequences");
  }
}

void model_path(const Model& model, Report& report) {
  for (const auto& emitter : model.particle_emitters) {
    if (!names_what_it_throws(*emitter)) {
      report.add(emitter.path + ".path",
                 say("\"", emitter->path.view(), "\" is not a ",
                     (emitter->node.flags & node_flag::kPremUsesTga) != 0 ? "texture" : "model"));
    }
  }
}

void texture(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    if (!index_in(emitter.texture_id, model.textures.size())) {
      report.add(path + ".textureId", say("texture ", emitter.texture_id, " does not exist"));
    }
  });
}

void filter(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    if (emitter.filter > ParticleEmitter2::Filter::alpha_key) {
      report.add(path + ".filterMode", say("filter mode ", static_cast<std::uint32_t>(emitter.filter)));
    }
  });
}

void shape(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    if (emitter.shape > ParticleEmitter2::Shape::both) {
      report.add(path + ".headOrTail", say("shape ", static_cast<std::uint32_t>(emitter.shape)));
    }
  });
}

void replaceable(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    if (!is_replaceable(emitter.replaceable_id)) {
      report.add(path + ".replaceableId", say("unknown replaceable id ", emitter.replaceable_id));
    }
  });
}

void xy_quad(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    const bool quad = (emitter.node.flags & node_flag::kPre2XyQuad) != 0;
    if (quad && (emitter.speed == 0 || emitter.latitude == 0)) {
      report.add(path + ".speed", say("speed ", emitter.speed, ", latitude ", emitter.latitude));
    }
  });
}

void middle(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    if (!(emitter.middle >= 0 && emitter.middle <= 1)) {
      report.add(path + ".time", say("the middle of the life span is at ", emitter.middle));
    }
  });
}

void squirt(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    if (emitter.squirt != 0 && find_track(emitter.tracks, FourCC{"KP2E"}) == nullptr) {
      report.add(path + ".squirt", "the emission rate has no track");
    }
  });
}

bool is_power_of_two(std::uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

void grid(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    if (!is_power_of_two(emitter.rows) || !is_power_of_two(emitter.columns)) {
      report.add(path + ".rows", say(emitter.rows, " rows and ", emitter.columns, " columns"));
    }
  });
}

void life(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    if (!(emitter.life_span > 0)) {
      report.add(path + ".lifeSpan", say("particles live ", emitter.life_span, " s"));
    }
  });
}

void rate(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    if (!(emitter.emission_rate >= 0)) {
      report.add(path + ".emissionRate", say("emission rate ", emitter.emission_rate));
    }
  });
}

void transparent(const Model& model, Report& report) {
  constexpr std::uint8_t kLeast = 10;
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    const auto& alphas = emitter.segment_alphas;
    if (*std::max_element(alphas.begin(), alphas.end()) <= kLeast) {
      report.add(path + ".segmentAlphas",
                 say("alphas ", +alphas[0], ", ", +alphas[1], " and ", +alphas[2], " of 255"));
    }
  });
}

void cells(const Model& model, Report& report) {
  for_each_emitter2(model, [&](const ParticleEmitter2& emitter, const std::string& path) {
    const std::uint64_t count = std::uint64_t{emitter.rows} * emitter.columns;
    for (const auto& run : {emitter.head_life, emitter.head_decay, emitter.tail_life, emitter.tail_decay}) {
      if (std::max(run.start, run.end) >= std::max<std::uint64_t>(count, 1)) {
        report.add(path + ".rows", say("cell ", std::max(run.start, run.end), " of ", count));
        break;
      }
    }
  });
}

void guide_empty(const Model& model, Report& report) {
  for (const auto& emitter : model.popcorns) {
    if (emitter->visibility_guide.view().empty()) {
      report.add(emitter.path + ".animVisibilityGuide",
                 say("\"", emitter->node.name.view(), "\" is always active"));
    }
  }
}

void popcorn_path(const Model& model, Report& report) {
  for (const auto& emitter : model.popcorns) {
    if (!ends_with_any(emitter->path.view(), {".pkfx", ".pkb"})) {
      report.add(emitter.path + ".path", say("\"", emitter->path.view(), "\" is not a PopcornFX effect"));
    }
  }
}

void ribbon_material(const Model& model, Report& report) {
  for (const auto& ribbon : model.ribbons) {
    if (!index_in(ribbon->material_id, model.materials.size())) {
      report.add(ribbon.path + ".materialId", say("material ", ribbon->material_id, " does not exist"));
    }
  }
}

void ribbon_grid(const Model& model, Report& report) {
  for (const auto& ribbon : model.ribbons) {
    if (ribbon->rows == 0 || ribbon->columns == 0) {
      report.add(ribbon.path + ".rows", say(ribbon->rows, " rows and ", ribbon->columns, " columns"));
    }
  }
}

void ribbon_life(const Model& model, Report& report) {
  for (const auto& ribbon : model.ribbons) {
    if (!(ribbon->life_span > 0)) {
      report.add(ribbon.path + ".lifeSpan", say("edges live ", ribbon->life_span, " s"));
    }
  }
}

void ribbon_height(const Model& model, Report& report) {
  for (const auto& ribbon : model.ribbons) {
    const bool keyed = find_track(ribbon->tracks, FourCC{"KRHA"}) != nullptr ||
                       find_track(ribbon->tracks, FourCC{"KRHB"}) != nullptr;
    if (!keyed && !(ribbon->height_above + ribbon->height_below > 0)) {
      report.add(ribbon.path + ".heightAbove", "the ribbon has no height");
    }
  }
}

constexpr std::array kEmitterRules = {
    ModelRule{{"mdx.emitter-no-sequences",
               {kError, kWarning, kError},
               "emitters in a model without sequences",
               "They may never emit. Add a Stand sequence."},
              emitter_without_sequences},
    ModelRule{{"mdx.particle-model-path",
               {kError, kWarning, kError},
               "model emitter path does not match its flags",
               "It emits a model (.mdl, .mdx), or with the flag 0x10000 (EmitterUsesTGA) a texture (.tga, "
               ".blp, .tif, .dds).",
               true},
              model_path},
    ModelRule{{"mdx.particle-texture",
               {kError, kError, kError},
               "particle emitter texture out of range",
               "The game reads past the texture list and may crash."},
              texture},
    ModelRule{{"mdx.particle-filter-mode",
               {kWarning, kWarning, kError},
               "unknown particle filter mode",
               "Known modes are 0 Blend, 1 Additive, 2 Modulate, 3 Modulate2x and 4 AlphaKey."},
              filter},
    ModelRule{{"mdx.particle-shape",
               {kWarning, kWarning, kError},
               "unknown particle shape",
               "Known shapes are 0 head, 1 tail and 2 both."},
              shape},
    ModelRule{{"mdx.particle-replaceable-unknown",
               {kError, kSevere, kError},
               "unknown replaceable id of particles",
               "Known ids are 1 team colour, 2 team glow, 11 cliff, 21 cursor and 31 to 37 trees."},
              replaceable},
    ModelRule{{"mdx.particle-xy-quad",
               {kSevere, kSevere, kSevere},
               "XYQuad particles without speed or latitude",
               "They are oriented by their direction of flight; without one they are invisible."},
              xy_quad},
    ModelRule{{"mdx.particle-middle",
               {kSevere, kSevere, kError},
               "middle of a particle's life outside 0 to 1",
               "The colours and sizes of its segments are wrong.",
               true},
              middle},
    ModelRule{{"mdx.particle-squirt",
               {kSevere, kWarning, kWarning},
               "squirting particles without an emission rate track",
               "Squirt emits at each key of the emission rate; without keys it emits at most once."},
              squirt},
    ModelRule{{"mdx.particle-grid",
               {kSevere, kSevere, kError},
               "rows or columns not a power of two",
               "The game computes cells by bit shifts and shows the wrong ones."},
              grid},
    ModelRule{{"mdx.particle-life",
               {kWarning, kWarning, kWarning},
               "particle life span not positive",
               "Nothing is emitted. A life span of 0 is used to switch an emitter off."},
              life},
    ModelRule{{"mdx.particle-rate",
               {kWarning, kWarning, kWarning},
               "negative emission rate",
               "Nothing is emitted."},
              rate},
    ModelRule{{"mdx.particle-transparent",
               {kWarning, kWarning, kWarning},
               "nearly invisible particles",
               "All three segments have an alpha of 10 of 255 or less."},
              transparent},
    ModelRule{{"mdx.particle-cells",
               {kInfo, kInfo, kInfo},
               "particle cell outside the texture's grid",
               "The game shows the last cell."},
              cells},
    ModelRule{{"mdx.popcorn-guide-empty",
               {kSevere, kInfo, kInfo},
               "PopcornFX emitter without visibility guide",
               "It is active in every sequence, Death and Decay included."},
              guide_empty},
    ModelRule{{"mdx.popcorn-path",
               {kWarning, kWarning, kWarning},
               "unexpected extension of a PopcornFX effect",
               "The path must end in .pkfx or .pkb."},
              popcorn_path},
    ModelRule{{"mdx.ribbon-material",
               {kError, kError, kError},
               "ribbon material out of range",
               "The game may crash."},
              ribbon_material},
    ModelRule{{"mdx.ribbon-grid",
               {kWarning, kWarning, kError},
               "ribbon without rows or columns",
               "Use at least 1."},
              ribbon_grid},
    ModelRule{{"mdx.ribbon-life",
               {kWarning, kWarning, kWarning},
               "ribbon life span not positive",
               "Nothing is drawn."},
              ribbon_life},
    ModelRule{{"mdx.ribbon-height",
               {kInfo, kInfo, kInfo},
               "ribbon without height",
               "Nothing is drawn. Set a height above or below."},
              ribbon_height},
};

}  // namespace

std::span<const ModelRule> emitter_rules() { return kEmitterRules; }

}  // namespace thaw::mdx::rules
