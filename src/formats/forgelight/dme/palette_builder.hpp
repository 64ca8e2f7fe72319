// Materials of scenes as a model's list, and the textures that it names (dma.md).
#pragma once

#include <thaw/diagnostics.hpp>
#include <thaw/dma.hpp>

#include "formats/forgelight/dme/from_scene.hpp"

#include <map>
#include <set>

namespace thaw::dme {

/// Textures of all levels of a model, each once and under a name of its own.
class TextureList {
 public:
  TextureList(const scene::Scene& scene, Diagnostics& diagnostics)
      : scene_(scene), diagnostics_(diagnostics) {}

  /// Names of the scene's materials' textures; empty where there is none.
  const std::string& color(scene::Index material);
  const std::string& normals(scene::Index material);
  const std::string& surface(scene::Index material);
  /// Reports what could not be said.
  std::vector<ModelTexture> take();

 private:
  [[nodiscard]] const scene::Layer& layer_of(scene::Index material) const;
  [[nodiscard]] std::string stem_of(scene::Index material);
  [[nodiscard]] std::optional<Image> pixels(scene::Index texture) const;
  [[nodiscard]] std::string free_name(const std::string& stem);
  const std::string& add(std::string& name, const std::string& stem, Image image);

  const scene::Scene& scene_;
  Diagnostics& diagnostics_;
  std::vector<ModelTexture> textures_;
  std::set<std::string> used_names_;
  std::map<scene::Index, std::string> colors_;    ///< by texture of the scene
  std::map<scene::Index, std::string> normals_;   ///< the same
  std::map<scene::Index, std::string> surfaces_;  ///< by material
  std::set<scene::Index> shaded_;                 ///< materials with occlusion
  std::set<scene::Index> lit_;                    ///< that shine in a colour of their own
};

class PaletteBuilder {
 public:
  PaletteBuilder(const scene::Scene& scene, TextureList& textures, dma::Document& palette)
      : scene_(scene), textures_(textures), palette_(palette) {}

  void add(scene::Index index, std::string_view definition);

 private:
  void add_texture(dma::Material& material, std::string_view semantic, const std::string& name);

  const scene::Scene& scene_;
  TextureList& textures_;
  dma::Document& palette_;
  std::set<std::string> listed_;
};

}  // namespace thaw::dme
