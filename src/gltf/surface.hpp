// Look of a glTF material, as far as other programs edit it. It is kept in addition to what the material is
// made of: where the two differ, somebody has changed it since.
#pragma once

#include "gltf/document.hpp"
#include "gltf/extras_visitors.hpp"

namespace thaw::gltf {

struct Surface {
  std::string mode = "OPAQUE";  ///< alphaMode
  bool two_sided = false;
  bool unlit = false;
  std::array<float, 4> color{1, 1, 1, 1};  ///< baseColorFactor
  std::string picture;                     ///< name of the base colour's, without an ending
};

template <class V>
void describe(V& v, Extras<V, Surface>& surface) {
  v.unless("alphaMode", surface.mode, "OPAQUE");
  v.unless("doubleSided", surface.two_sided, false);
  v.unless("unlit", surface.unlit, false);
  v.unless("baseColorFactor", surface.color, {1, 1, 1, 1});
  v.unless("picture", surface.picture, {});
}

}  // namespace thaw::gltf
