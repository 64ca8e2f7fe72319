#include "formats/warcraft/mdx/renumbering.hpp"

namespace thaw::mdx {
namespace {

void each_frame(Track& flipbook, const std::function<void(std::int32_t&, bool)>& visit) {
  for (std::size_t k = 0; k < flipbook.size(); ++k) {
    std::int32_t id = flipbook.integer(k);
    visit(id, true);
    flipbook.words[k * flipbook.stride() + 1] = static_cast<std::uint32_t>(id);
  }
}

}  // namespace

void each_layer(Document& document, const std::function<void(Layer&)>& visit) {
  for_each<Materials>(document, [&](Material& material, std::size_t) {
    std::for_each(material.layers.begin(), material.layers.end(), visit);
  });
}

void each_texture_id(Document& document, const std::function<void(std::int32_t& id, bool counts)>& visit) {
  each_layer(document, [&](Layer& layer) {
    // From 1100 on the old field is dead (mdx.md#texture-slots).
    visit(layer.texture_id, layer.slots.empty());
    for (auto& track : layer.tracks) {
      if (track.tag == FourCC{"KMTF"}) {
        each_frame(track, visit);
      }
    }
    for (auto& slot : layer.slots) {
      visit(slot.texture_id, true);
      if (slot.flipbook) {
        each_frame(*slot.flipbook, visit);
      }
    }
  });
  for_each<ParticleEmitters2>(
      document, [&](ParticleEmitter2& emitter, std::size_t) { visit(emitter.texture_id, true); });
}

void keep_geosets(Document& document, const Renumbering& geosets) {
  std::vector<std::int32_t> shown;  // by animation: what it is of now
  std::vector<bool> left;           // that became a part of another
  Renumbering animations(document.all<GeosetAnimations>().size());
  for_each<GeosetAnimations>(document, [&](GeosetAnimation& animation, std::size_t index) {
    const auto id = animation.geoset_id;
    const bool known = geosets.known(id);
    if (!known || geosets.used(static_cast<std::size_t>(id))) {
      animations.use(static_cast<std::int64_t>(index));
    }
    left.push_back(known && !geosets.stays(static_cast<std::size_t>(id)));
    geosets.apply(animation.geoset_id, kNothing);
    shown.push_back(animation.geoset_id);
  });
  animations.number([&](std::size_t earlier, std::size_t i) {
    return (left[earlier] || left[i]) && shown[earlier] == shown[i];
  });
  for_each<Bones>(document, [&](Bone& bone, std::size_t) {
    geosets.apply(bone.geoset_id, kNothing);
    animations.apply(bone.geoset_animation_id, kNothing);
  });
  if (auto* picked = document.find<PickGeosets>()) {
    Array<std::uint32_t> ids;
    for (std::uint32_t id : picked->geoset_ids) {
      if (!geosets.known(id) || geosets.stays(id)) {
        geosets.apply(id, std::uint32_t{0});
        ids.push_back(id);
      }
    }
    picked->geoset_ids = std::move(ids);
  }
  keep<Geosets>(document, geosets);
  keep<GeosetAnimations>(document, animations);
}

}  // namespace thaw::mdx
