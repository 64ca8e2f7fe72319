#include "scene/embedded_images.hpp"

#include "bytes/text.hpp"

namespace thaw::scene {

bool is_embedded(const Scene& scene, Index texture) {
  const auto& textures = scene.textures;
  return texture < textures.size() &&
         (textures[texture].content || textures[texture].image < scene.images.size());
}

std::string ImageFileNames::take(const Scene& scene, Index texture) {
  std::string name(last_part(scene.textures[texture].path));
  name = name.substr(0, name.find_last_of('.'));
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    c = byte < 0x20 || byte > 0x7E || std::string_view("\\/:*?\"<>|").find(c) != std::string_view::npos ? '_'
                                                                                                        : c;
  }
  if (name.empty()) {
    name = "texture" + std::to_string(texture);
  }
  constexpr std::size_t kMost = 200;
  name = name.substr(0, kMost);
  std::string unique = name;
  for (int i = 2; !used_.insert(unique).second; ++i) {
    unique = name + "_" + std::to_string(i);
  }
  return unique;
}

}  // namespace thaw::scene
