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
  each<Materials>(document, [&](Material& material, std::size_t) {
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
  each<ParticleEmitters2>(document,
                          [&](ParticleEmitter2& emitter, std::size_t) { visit(emitter.texture_id, true); });
}

}  // namespace thaw::mdx
