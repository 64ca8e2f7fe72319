// Pictures that are embedded in a scene, on their way into files of their own.
#pragma once

#include <thaw/scene.hpp>

#include <set>
#include <string>

namespace thaw::scene {

/// Whether a texture's picture is in the scene, and not a file of the game that is named.
bool is_embedded(const Scene& scene, Index texture);

/// Gives each picture a name that any system takes, after the file that it came from.
class ImageFileNames {
 public:
  /// Without an ending; reported once for each texture.
  std::string take(const Scene& scene, Index texture);

 private:
  std::set<std::string> used_;
};

}  // namespace thaw::scene
