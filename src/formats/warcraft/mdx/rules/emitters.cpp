// Particle emitters and ribbons.
#include "formats/warcraft/mdx/rules/table.hpp"

#include <algorithm>

namespace thaw::mdx::rules {
namespace {

bool is_power_of_two(std::uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

constexpr std::array kEmitterRules = {
    ModelRule("mdx.emitter-no-sequences", {kError, kWarning, kError}, "emitters in a model without sequences",
              "They may never emit. Add a Stand sequence.", once([](const Model& model) {
                return model.has_emitters() && model.sequences.empty()
                           ? "the model has emitters but no sequences"
                           : "";
              })),
    ModelRule("mdx.particle-model-path", {kError, kWarning, kError},
              "model emitter path does not match its flags",
              "It emits a model (.mdl, .mdx), or with the flag 0x10000 (EmitterUsesTGA) a texture (.tga, "
              ".blp, .tif, .dds). Correct the path or the flag.",
              kFixable, each<&Model::particle_emitters, "path">([](const ParticleEmitter& emitter) {
                return !names_what_it_throws(emitter)
                           ? say("the emitter's path \"", emitter.path.view(), "\" is not a ",
                                 (emitter.node.flags & node_flag::kPremUsesTga) != 0 ? "texture" : "model")
                           : "";
              })),
    ModelRule("mdx.particle-texture", always(kError), "particle emitter texture out of range",
              "The game reads past the texture list and may crash. Use the index of an existing texture.",
              each<&Model::particle_emitters2, "textureId">(
                  [](const ParticleEmitter2& emitter, const Model& model) {
                    return !index_in(emitter.texture_id, model.textures.size())
                               ? say("texture ", emitter.texture_id, " does not exist")
                               : "";
                  })),
    ModelRule(
        "mdx.particle-filter-mode", {kWarning, kWarning, kError}, "unknown particle filter mode",
        "Known modes are 0 Blend, 1 Additive, 2 Modulate, 3 Modulate2x and 4 AlphaKey. Use one of these.",
        each<&Model::particle_emitters2, "filterMode">([](const ParticleEmitter2& emitter) {
          return emitter.filter > ParticleEmitter2::Filter::alpha_key
                     ? say("unknown filter mode ", static_cast<std::uint32_t>(emitter.filter))
                     : "";
        })),
    ModelRule("mdx.particle-shape", {kWarning, kWarning, kError}, "unknown particle shape",
              "Known shapes are 0 head, 1 tail and 2 both. Use one of these.",
              each<&Model::particle_emitters2, "headOrTail">([](const ParticleEmitter2& emitter) {
                return emitter.shape > ParticleEmitter2::Shape::both
                           ? say("unknown particle shape ", static_cast<std::uint32_t>(emitter.shape))
                           : "";
              })),
    ModelRule(
        "mdx.particle-replaceable-unknown", {kError, kSevere, kError}, "unknown replaceable id of particles",
        "Known ids are 1 team colour, 2 team glow, 11 cliff, 21 cursor and 31 to 37 trees. Use 0 for none.",
        each<&Model::particle_emitters2, "replaceableId">([](const ParticleEmitter2& emitter) {
          return !is_replaceable(emitter.replaceable_id)
                     ? say("unknown replaceable id ", emitter.replaceable_id)
                     : "";
        })),
    ModelRule("mdx.particle-xy-quad", always(kSevere), "XYQuad particles without speed or latitude",
              "They are oriented by their direction of flight; without one they are invisible. Set both.",
              each<&Model::particle_emitters2, "speed">([](const ParticleEmitter2& emitter) {
                const bool quad = (emitter.node.flags & node_flag::kPre2XyQuad) != 0;
                return quad && (emitter.speed == 0 || emitter.latitude == 0)
                           ? say("XYQuad particles with speed ", emitter.speed, " and latitude ",
                                 emitter.latitude, " are invisible")
                           : "";
              })),
    ModelRule("mdx.particle-middle", {kSevere, kSevere, kError}, "middle of a particle's life outside 0 to 1",
              "The colours and sizes of its segments are wrong. Set a value from 0 to 1.", kFixable,
              each<&Model::particle_emitters2, "time">([](const ParticleEmitter2& emitter) {
                return !(emitter.middle >= 0 && emitter.middle <= 1)
                           ? say("the middle of the life span is at ", emitter.middle, ", outside 0 to 1")
                           : "";
              })),
    ModelRule(
        "mdx.particle-squirt", {kSevere, kWarning, kWarning},
        "squirting particles without an emission rate track",
        "Squirt emits at each key of the emission rate; without keys it emits at most once. Add the track.",
        each<&Model::particle_emitters2, "squirt">([](const ParticleEmitter2& emitter) {
          return emitter.squirt != 0 && find_track(emitter.tracks, FourCC{"KP2E"}) == nullptr
                     ? "the emission rate has no track; a squirting emitter then emits at most once"
                     : "";
        })),
    ModelRule("mdx.particle-grid", {kSevere, kSevere, kError},
              "rows or columns of a particle texture not a power of two",
              "The game computes cells by bit shifts and shows the wrong ones. Use powers of two.",
              each<&Model::particle_emitters2, "rows">([](const ParticleEmitter2& emitter) {
                return !is_power_of_two(emitter.rows) || !is_power_of_two(emitter.columns)
                           ? say(counted_noun(emitter.rows, "row"), " and ",
                                 counted_noun(emitter.columns, "column"), " are not both powers of two")
                           : "";
              })),
    ModelRule("mdx.particle-life", always(kWarning), "particle life span not positive",
              "Nothing is emitted. Set a life span above 0, unless the emitter is meant to be off.",
              each<&Model::particle_emitters2, "lifeSpan">([](const ParticleEmitter2& emitter) {
                return !(emitter.life_span > 0)
                           ? say("particles live ", emitter.life_span, " s; nothing is emitted")
                           : "";
              })),
    ModelRule("mdx.particle-rate", always(kWarning), "particle emission rate not 0 or more",
              "Nothing is emitted, unless a track sets the rate. Set a rate of 0 or more.",
              each<&Model::particle_emitters2, "emissionRate">([](const ParticleEmitter2& emitter) {
                return !(emitter.emission_rate >= 0)
                           ? say("the emission rate, ", emitter.emission_rate, ", is not 0 or more")
                           : "";
              })),
    ModelRule("mdx.particle-transparent", always(kWarning), "nearly invisible particles",
              "All three segments have an alpha of 10 of 255 or less. Raise one, or remove the emitter.",
              each<&Model::particle_emitters2, "segmentAlphas">([](const ParticleEmitter2& emitter) {
                constexpr std::uint8_t kLeast = 10;
                const auto& alphas = emitter.segment_alphas;
                return *std::max_element(alphas.begin(), alphas.end()) <= kLeast
                           ? say("the particles are nearly invisible: alphas ", +alphas[0], ", ", +alphas[1],
                                 " and ", +alphas[2], " of 255")
                           : "";
              })),
    ModelRule("mdx.particle-cells", always(kInfo), "particle cell outside the texture's grid",
              "The game shows the last cell. Use a cell of the grid.",
              each<&Model::particle_emitters2, "rows">([](const ParticleEmitter2& emitter) -> Fault {
                const std::uint64_t count = std::uint64_t{emitter.rows} * emitter.columns;
                for (const auto& run :
                     {emitter.head_life, emitter.head_decay, emitter.tail_life, emitter.tail_decay}) {
                  if (std::max(run.start, run.end) >= std::max<std::uint64_t>(count, 1)) {
                    return say("cell ", std::max(run.start, run.end), " does not exist; the grid has ",
                               counted(count, "cell"));
                  }
                }
                return {};
              })),
    ModelRule(
        "mdx.popcorn-guide-empty", {kSevere, kInfo, kInfo}, "PopcornFX emitter without visibility guide",
        "It is active in every sequence, Death and Decay included. Set the guide.",
        each<&Model::popcorns, "animVisibilityGuide">([](const PopcornEmitter& emitter) {
          return emitter.visibility_guide.view().empty()
                     ? say("\"", emitter.node.name.view(), "\" has no visibility guide and is always active")
                     : "";
        })),
    ModelRule("mdx.popcorn-path", always(kWarning), "unexpected extension of a PopcornFX effect",
              "The path must end in .pkfx or .pkb.",
              each<&Model::popcorns, "path">([](const PopcornEmitter& emitter) {
                return !ends_with_any(emitter.path.view(), {".pkfx", ".pkb"})
                           ? say("\"", emitter.path.view(), "\" does not end in .pkfx or .pkb")
                           : "";
              })),
    ModelRule("mdx.ribbon-material", always(kError), "ribbon material out of range",
              "The game may crash. Use the index of an existing material.",
              each<&Model::ribbons, "materialId">([](const RibbonEmitter& ribbon, const Model& model) {
                return !index_in(ribbon.material_id, model.materials.size())
                           ? say("material ", ribbon.material_id, " does not exist")
                           : "";
              })),
    ModelRule("mdx.ribbon-grid", {kWarning, kWarning, kError}, "ribbon without rows or columns",
              "Use at least one of each.", each<&Model::ribbons, "rows">([](const RibbonEmitter& ribbon) {
                return ribbon.rows == 0 || ribbon.columns == 0
                           ? say("the ribbon has ", counted_noun(ribbon.rows, "row"), " and ",
                                 counted_noun(ribbon.columns, "column"), "; it needs at least one of each")
                           : "";
              })),
    ModelRule("mdx.ribbon-life", always(kWarning), "ribbon life span not positive",
              "Nothing is drawn. Set a life span above 0.",
              each<&Model::ribbons, "lifeSpan">([](const RibbonEmitter& ribbon) {
                return !(ribbon.life_span > 0)
                           ? say("the ribbon's edges live ", ribbon.life_span, " s; nothing is drawn")
                           : "";
              })),
    ModelRule("mdx.ribbon-height", always(kInfo), "ribbon height not above 0",
              "Nothing is drawn. Set a height above or below the ribbon's node.",
              each<&Model::ribbons, "heightAbove">([](const RibbonEmitter& ribbon) {
                const bool keyed = find_track(ribbon.tracks, FourCC{"KRHA"}) != nullptr ||
                                   find_track(ribbon.tracks, FourCC{"KRHB"}) != nullptr;
                return !keyed && !(ribbon.height_above + ribbon.height_below > 0)
                           ? say("the ribbon's height, ", ribbon.height_above + ribbon.height_below,
                                 ", is not above 0")
                           : "";
              })),
};

}  // namespace

std::span<const ModelRule> emitter_rules() { return kEmitterRules; }

}  // namespace thaw::mdx::rules
