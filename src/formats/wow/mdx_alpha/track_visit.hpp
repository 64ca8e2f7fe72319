// Every track of an alpha model, with the path of the object that has it.
#pragma once

#include <thaw/mdx_alpha.hpp>

#include <string>

namespace thaw::mdx_alpha {

/// "BONE[3].node"
inline std::string path_of(const NodeEntry& entry) {
  return entry.chunk.text() + "[" + std::to_string(entry.index) + "].node";
}

template <class Body, class F>
void visit_items(const Document& document, FourCC chunk, const F& visit) {
  const auto items = document.all<Body>();
  for (std::size_t i = 0; i < items.size(); ++i) {
    visit(items[i]->tracks, chunk.text() + "[" + std::to_string(i) + "]");
  }
}

/// Calls `visit(tracks, path)` for each list of tracks.
template <class F>
void for_each_tracks(const Document& document, const F& visit) {
  for (const auto& entry : all_nodes(document)) {
    visit(entry.node->tracks, path_of(entry));
  }
  const auto materials = document.all<Materials>();
  for (std::size_t i = 0; i < materials.size(); ++i) {
    for (std::size_t k = 0; k < materials[i]->layers.size(); ++k) {
      visit(materials[i]->layers[k].tracks,
            "MTLS[" + std::to_string(i) + "].layers[" + std::to_string(k) + "]");
    }
  }
  visit_items<TextureAnimations>(document, FourCC{"TXAN"}, visit);
  visit_items<GeosetAnimations>(document, FourCC{"GEOA"}, visit);
  visit_items<Lights>(document, FourCC{"LITE"}, visit);
  visit_items<Attachments>(document, FourCC{"ATCH"}, visit);
  visit_items<ParticleEmitters>(document, FourCC{"PREM"}, visit);
  visit_items<ParticleEmitters2>(document, FourCC{"PRE2"}, visit);
  visit_items<RibbonEmitters>(document, FourCC{"RIBB"}, visit);
  visit_items<Cameras>(document, FourCC{"CAMS"}, visit);
}

}  // namespace thaw::mdx_alpha
