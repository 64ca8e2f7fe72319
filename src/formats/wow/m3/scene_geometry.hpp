// Vertices and triangles of a mesh as a scene has them.
#pragma once

#include "formats/wow/m3/scene_parts.hpp"

#include <map>
#include <vector>

namespace thaw::m3 {

/// All vertex streams of a mesh, whatever their formats, in the axes of the scene. Streams that are shorter
/// or longer than the positions are left out with a finding.
class Streams {
 public:
  Streams(const Mesh& mesh, float scale, Diagnostics& diagnostics);

  [[nodiscard]] const Array<Vec3>& positions() const { return positions_; }
  [[nodiscard]] const Array<Vec3>& normals() const { return normals_; }
  [[nodiscard]] const Array<Vec4>& tangents() const { return tangents_; }
  [[nodiscard]] const Array<Vec4>& colors() const { return colors_; }
  [[nodiscard]] const Array<Vec4>& second_colors() const { return second_colors_; }
  [[nodiscard]] const std::vector<Array<Vec2>>& uv_sets() const { return uv_sets_; }
  [[nodiscard]] const Array<std::uint32_t>& indices() const { return indices_; }

 private:
  template <std::size_t N>
  Array<std::array<float, N>> load(const Mesh& mesh, FourCC tag, Range range,
                                   const std::array<float, N>& fill, Diagnostics& diagnostics) const;
  void load_uv_sets(const Mesh& mesh, Diagnostics& diagnostics);

  Array<Vec3> positions_;
  Array<Vec3> normals_;
  Array<Vec4> tangents_;
  Array<Vec4> colors_;
  Array<Vec4> second_colors_;
  std::vector<Array<Vec2>> uv_sets_;
  Array<std::uint32_t> indices_;
};

/// Do more triangles face against their normals than with them?
bool faces_inward(const Streams& streams);

/// Geosets as meshes. Their sizes together stay in proportion to the buffers, whatever they claim.
class GeosetBuilder {
 public:
  GeosetBuilder(const Mesh& mesh, const Streams& streams, const Rig& rig, Diagnostics& diagnostics);

  /// None for a geoset without triangles.
  std::optional<scene::Mesh> make(const Geoset& geoset, std::size_t index);

 private:
  [[nodiscard]] std::vector<std::uint32_t> corners(const Geoset& geoset, const std::string& path);
  [[nodiscard]] std::vector<std::uint32_t> vertices(const Geoset& geoset,
                                                    const std::vector<std::uint32_t>& corners);
  void copy_vertices(const std::vector<std::uint32_t>& vertices, scene::Mesh& to) const;
  [[nodiscard]] scene::Index material(std::size_t geoset) const;
  [[nodiscard]] Value extras(const Geoset& geoset, std::size_t index) const;

  const Mesh& mesh_;
  const Streams& streams_;
  const Rig& rig_;
  Diagnostics& diagnostics_;
  LevelLayout levels_;
  std::map<std::size_t, std::size_t> materials_;  ///< by geoset, of its last batch
  bool turn_ = false;
  std::uint64_t index_budget_ = 0;
  std::uint64_t vertex_budget_ = 0;
};

/// The collision mesh; none without triangles.
std::optional<scene::Mesh> collision_mesh(const Collision& collision, float scale, Diagnostics& diagnostics);

/// The elements of a buffer as they stand in the file.
Bytes element_bytes(const Buffer& buffer);

}  // namespace thaw::m3
