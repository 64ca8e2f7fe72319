// Nodes that move the vertices of a geoset (mdx.md#matrix-groups, warcraft3-rendering.md#skinning).
#pragma once

#include "formats/warcraft/mdx/scene/builder.hpp"

namespace thaw::mdx {

struct SkinBinding {
  unsigned influences = 0;  ///< 0: all vertices follow the root
  Array<std::uint16_t> joints;
  Array<float> weights;
  std::vector<scene::Index> nodes;  ///< the joints

  bool missing_nodes = false;   ///< ids without node were ignored
  bool without_group = false;   ///< vertices that follow the root because nothing else is said
  bool ragged = false;          ///< counts disagree
  bool too_many = false;        ///< a group was cut to kMaxInfluences
  bool not_normalized = false;  ///< weights that do not sum to 255
};

/// Groups of more nodes are cut: vertices × group size could otherwise be millions of times the file.
inline constexpr unsigned kMaxInfluences = 64;

SkinBinding bind_skin(const SceneBuilder& builder, const Geoset& geoset);

}  // namespace thaw::mdx
