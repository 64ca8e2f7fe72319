// What is worked out once of a scene that will be shown many times.
#pragma once

#include "frame/pose.hpp"
#include "frame/surface.hpp"

#include <memory>
#include <string>
#include <vector>

namespace thaw::frame {

/// Vertices that the same nodes move with the same weights share one matrix.
struct MeshData {
  bool sound = false;                    ///< all indices are in range
  Array<Vec3> normals;                   ///< of meshes that bring none
  Array<Vec4> tangents;                  ///< of meshes that bring none and show a picture of normals
  Array<std::uint32_t> groups;           ///< per vertex
  Array<std::uint32_t> representatives;  ///< per group, a vertex that has its joints and weights
};

struct ModelData {
  explicit ModelData(std::shared_ptr<const scene::Scene> source);

  std::shared_ptr<const scene::Scene> scene;
  Skeleton skeleton;
  std::vector<MeshData> meshes;
  Index clip = kNone;       ///< as default_clip
  Index first_image = 0;    ///< where the scene's pictures begin among all
  Index first_mesh = 0;     ///< and its meshes
  Index soft_spot = kNone;  ///< for what has lost its picture
  Index surroundings = kNone;
  std::vector<SurfacePicture> surface_pictures;
  /// Index of the model that hangs at an attachment or comes out of an emitter, kNone without.
  std::vector<Index> attachment_models;
  std::vector<Index> emitter_models;
  std::vector<Index> placed_models;  ///< per placement
  std::vector<Index> event_models;   ///< that events spawn
  std::vector<double> event_lives;   ///< how long those are there: as long as their clip, in seconds
  /// Coarser forms of what other nodes show, and all below them.
  std::vector<bool> hidden_nodes;
};

}  // namespace thaw::frame
