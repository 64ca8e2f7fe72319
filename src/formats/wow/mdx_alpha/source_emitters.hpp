// Properties of emitters that only this game has, through scenes of other programs and back.
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/mdx_alpha.hpp>
#include <thaw/scene.hpp>

namespace thaw::mdx_alpha {

/// Flags of emitters that Warcraft III does not have.
inline constexpr std::uint32_t kAlphaEmitterFlags =
    node_flag::kProject | node_flag::kInheritScale | node_flag::kInstantVelocity | node_flag::kZeroKill |
    node_flag::kZVelocityOnly | node_flag::kTumbler | node_flag::kTailGrows | node_flag::kExtrude |
    node_flag::kProjectParticles | node_flag::kFollow;

/// Calls `row` with the name that extras give a field, and the field.
template <class Emitter, class Row>
void for_each_alpha_field(Emitter& emitter, Row&& row) {
  row("emitterType", emitter.type);
  row("emitterSize", emitter.emitter_size);
  row("zSource", emitter.z_source);
  row("replaceableId", emitter.replaceable_id);
  row("geometryModel", emitter.geometry_model);
  row("recursionModel", emitter.recursion_model);
  row("twinkleFps", emitter.twinkle_fps);
  row("twinkleOnOff", emitter.twinkle_on_off);
  row("twinkleScale", emitter.twinkle_scale);
  row("instantVelocityScale", emitter.instant_velocity_scale);
  row("tumble", emitter.tumble);
  row("drag", emitter.drag);
  row("spin", emitter.spin);
  row("wind", emitter.wind);
  row("windTime", emitter.wind_time);
  row("follow", emitter.follow);
  row("spline", emitter.spline);
  row("squirts", emitter.squirts);
}

/// Returns the fields that only WoW Alpha has, as extras.
Value alpha_fields(const ParticleEmitter2& emitter);

/// Whether some emitter of the scene was one of these and throws models, which Warcraft III has emitters of
/// another kind for.
bool throws_models(const scene::Scene& scene);
/// These emitters as those that they were.
void as_sprites(scene::Scene& scene);

/// Restores the fields of emitters from the extras of the nodes of the same names. Tracks that only this game
/// has are reported as lost.
void restore_emitters(Document& document, const scene::Scene& scene, Diagnostics& diagnostics);

}  // namespace thaw::mdx_alpha
