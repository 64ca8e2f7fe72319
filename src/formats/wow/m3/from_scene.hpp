// The parts of a scene on their way into a model.
#pragma once

#include "formats/wow/m3/skin_writer.hpp"

#include <vector>

namespace thaw::m3 {

/// A part of a mesh that becomes a geoset.
struct Piece {
  scene::Index mesh = 0;
  std::size_t part = 0;
  std::size_t slot = 0;  ///< which geoset of its level
};

/// The pieces of each level.
std::vector<std::vector<Piece>> sort_pieces(const scene::Scene& scene);

/// Places of all nodes at rest, in a space that `base` leads to.
std::vector<scene::Mat4d> rest_places(const scene::Scene& scene, const scene::Mat4d& base);

/// Gathers vertices and triangles in the axes and units of the game. Streams that any mesh has are filled up
/// for the others.
class VertexWriter {
 public:
  /// `world` are the places of all nodes in the model's own space; `skins` receives each vertex, if not
  /// null.
  VertexWriter(const scene::Scene& scene, const std::vector<scene::Mat4d>& world, float scale,
               SkinWriter* skins = nullptr);

  /// Triangles with corners that do not exist are left out.
  void add(const scene::Mesh& mesh, const scene::MeshPart& part);

  [[nodiscard]] const Array<Vec3>& positions() const { return positions_; }
  [[nodiscard]] const Array<Vec3>& normals() const { return normals_; }
  [[nodiscard]] const Array<std::uint32_t>& indices() const { return indices_; }
  /// VPOS, VNML, VUV0 and on, VTAN, VWTS, VIBP and VCL0, as far as there are any.
  void add_streams(Mesh& mesh) const;

 private:
  void begin(const scene::Mesh& mesh);
  void add_uvs(const scene::Mesh& mesh, const scene::MeshPart& part, std::size_t vertex);
  void add_color(const scene::Mesh& mesh, const scene::MeshPart& part, std::size_t vertex);
  [[nodiscard]] std::vector<std::uint32_t> vertices_of(const scene::Mesh& mesh, std::size_t begin_index,
                                                       std::size_t end);
  void add_vertex(const scene::Mesh& mesh, const Array<Vec3>& normals, std::size_t vertex,
                  const scene::Mat4d& world, const scene::Mat4d& directions);

  const scene::Scene& scene_;
  double units_;
  const std::vector<scene::Mat4d>& world_;
  SkinWriter* skins_;
  std::size_t uv_count_ = 0;
  bool tangents_used_ = false;
  bool colors_used_ = false;
  Array<Vec3> positions_;
  Array<Vec3> normals_;
  Array<Vec4> tangents_;
  Array<Vec4> colors_;
  std::array<Array<Vec2>, 6> uv_sets_;
  Array<std::uint32_t> indices_;
  // Of the mesh whose parts are added.
  const scene::Mesh* mesh_ = nullptr;
  bool bound_ = false;  ///< all of its bones stand where they were bound
  Array<Vec3> normals_of_mesh_;
  std::vector<std::uint32_t> place_;  ///< of each vertex in the part
};

}  // namespace thaw::m3
