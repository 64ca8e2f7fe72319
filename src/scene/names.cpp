#include <thaw/scene.hpp>

namespace thaw::scene {

std::string_view property_name(Property property) {
  constexpr std::array<std::string_view, 39> kNames = {
      "translation",
      "rotation",
      "scale",
      "visibility",
      "weights",
      "meshColor",
      "meshAlpha",
      "layerAlpha",
      "layerEmissive",
      "layerTexture",
      "layerFresnelColor",
      "layerFresnelOpacity",
      "layerFresnelTeamColor",
      "uvOffset",
      "uvRotation",
      "uvScale",
      "lightColor",
      "lightIntensity",
      "lightAmbientColor",
      "lightAmbientIntensity",
      "lightAttenuationStart",
      "lightAttenuationEnd",
      "cameraRoll",
      "emitterRate",
      "emitterGravity",
      "emitterLongitude",
      "emitterLatitude",
      "emitterLifeSpan",
      "emitterSpeed",
      "emitterVariation",
      "emitterLength",
      "emitterWidth",
      "emitterAlpha",
      "emitterColor",
      "ribbonHeightAbove",
      "ribbonHeightBelow",
      "ribbonAlpha",
      "ribbonColor",
      "ribbonTextureSlot",
  };
  static_assert(kNames.size() == static_cast<std::size_t>(Property::ribbon_texture_slot) + 1);
  return kNames.at(static_cast<std::size_t>(property));
}

std::string_view node_kind_name(NodeKind kind) {
  constexpr std::array<std::string_view, 12> kNames = {"root",       "bone",    "helper", "light",
                                                       "attachment", "emitter", "ribbon", "event",
                                                       "collision",  "camera",  "target", "mesh"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace thaw::scene
