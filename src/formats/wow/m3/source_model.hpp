// Extras that a scene keeps of its source model besides what its fields say (docs/user/m3.md#as-gltf).
#pragma once

#include "formats/wow/m3/scene_parts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace thaw::m3 {

/// Which geoset a mesh was.
struct SourceGeoset {
  std::size_t number = 0;
  Geoset record;               ///< what is not understood of it, and where its vertices began
  bool same_vertices = false;  ///< it has those that it had
};

/// The source geoset of a mesh that is still one geoset.
std::optional<SourceGeoset> source_geoset(const scene::Scene& scene, const scene::Mesh& mesh);

/// The number by which it is seen that a mesh has the vertices that it had.
std::string vertex_sum(const scene::Mesh& mesh);

/// What stands in the scene's extras.
struct SourceModel {
  /// `scale` as from_scene has it: a transform in another unit is no longer the root's.
  SourceModel(const scene::Scene& scene, float scale);

  /// Material `number` of the model in the scene, or none.
  [[nodiscard]] scene::Index material(std::size_t number) const {
    return number < materials.size() ? materials[number] : scene::kNone;
  }
  /// The material that a geoset showed: its last batch, or that of the finest level.
  [[nodiscard]] scene::Index shown(std::size_t geoset) const;

  std::uint32_t mesh_version = 3;
  ModelHeader header;                       ///< version and flags
  std::optional<ModelTransform> transform;  ///< while the root stands as it says
  scene::Mat4d base = scene::kIdentity;     ///< takes what the transform does away
  std::vector<Batch> batches;
  std::size_t per_level = 0;
  std::vector<scene::Index> materials;  ///< by their numbers in the model
  const Value* streams = nullptr;       ///< hexadecimal, by tag; never null
  std::vector<std::string> unread;      ///< chunks that nobody understands
};

/// Stores in the scene what SourceModel reads.
void keep_model(const Document& document, scene::Scene& scene);

/// Restores streams that a scene cannot hold, for vertices that did not change.
class SourceStreams {
 public:
  SourceStreams(const SourceModel& model, bool weights);

  /// `count` vertices of a geoset come next; none if it is new or was changed.
  void add(const std::optional<SourceGeoset>& geoset, std::size_t count);
  void add_chunks(Mesh& mesh) const;
  /// Those that cannot come back, as tags.
  [[nodiscard]] std::vector<std::string> lost() const;

 private:
  struct Stream {
    FourCC tag;
    MeshBody body;
    Bytes from;
    Bytes to;
    std::size_t stride = 0;  ///< per vertex; 0: it is not of vertices
    bool whole = true;
  };
  std::vector<Stream> streams_;
};

}  // namespace thaw::m3
