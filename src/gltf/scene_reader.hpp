// From the parts of a glTF file to those of a scene.
#pragma once

#include "gltf/input.hpp"

#include <thaw/diagnostics.hpp>
#include <thaw/gltf.hpp>
#include <thaw/scene.hpp>

#include <map>
#include <string>
#include <vector>

namespace thaw::gltf {

class SceneReader {
 public:
  SceneReader(Input& input, const GltfReadOptions& options, Diagnostics& diagnostics)
      : input_(input), diagnostics_(diagnostics), control_(options.control), front_(options.front) {}

  Result<scene::Scene> read();

 private:
  // scene_reader.cpp
  void read_source(const Value* from, const Value& options);
  void read_nodes();
  void add_node(scene::Index source, scene::Index parent);
  void read_lods(scene::Index source, std::vector<scene::Index>& open);
  void read_joints(const Value* source, scene::Skin& skin);
  void read_skins();
  void read_materials();
  // surface_reader.cpp
  [[nodiscard]] scene::Index picture_of(const Value* use);
  [[nodiscard]] std::optional<thaw::Image> pixels(scene::Index texture);
  scene::Index add_picture(thaw::Image image, std::string name, scene::Index like);
  scene::Index orm_of(const Value& material, const std::string& name);
  scene::Index emission_of(const Value& material, const std::string& name);
  void settle_mask(const Value& material, const std::string& name, scene::Layer& layer);
  void read_surface(const Value& source, scene::Material& material);
  void face_front();
  void read_lights();
  void read_cameras();
  void report_unread();
  void refuse_empty();
  // mesh_reader.cpp
  void read_meshes();
  Result<std::vector<scene::Transform>> places_of(const Value* attributes);
  void read_instances(scene::Index source, const Value& instances);
  void read_mesh(scene::Index source_mesh, scene::Index node, scene::Index skin);
  /// False if there is no room for all of it.
  bool assemble_mesh(scene::Index source_mesh, const Value& source, std::size_t joints, scene::Mesh& mesh);
  std::size_t size_of_words(scene::Index source_mesh, const Value& source);
  // extras_reader.cpp
  /// What the writer kept in extras; of the scene and all its parts.
  void read_extras(const Value* source);
  // animation_reader.cpp
  void read_animations();
  void read_channel(const Value& animation, const Value& channel, scene::Clip& clip, const std::string& path);
  void cover_keys(const Value& sampler, scene::Clip& clip);

  void report(const Error& error, std::string path) {
    diagnostics_.add(error.code, error.message, error.offset, std::move(path));
  }
  /// What is left of a file with such a fault is not what was meant: nothing is made of it.
  void refuse(Error error, std::string path) {
    if (!refused_) {
      error.path = std::move(path);
      refused_ = std::move(error);
    }
  }

  Input& input_;
  Diagnostics& diagnostics_;
  const Control* control_;
  std::optional<GltfAxis> front_;  ///< GltfReadOptions::front
  std::optional<Error> refused_;   ///< the first fault that does not pass
  scene::Scene scene_;
  std::size_t pointed_ = 0;                            ///< channels of KHR_animation_pointer that are left
  std::size_t brighter_ = 0;                           ///< materials that shine more than a layer can
  std::vector<scene::Index> node_of_;                  ///< by glTF's index
  std::map<scene::Index, scene::Index> mesh_of_node_;  ///< by the scene's node
  std::map<scene::Index, std::size_t> words_;          ///< see size_of_words
  struct KnownMesh {
    scene::Index first = 0;   ///< of those of the scene that are made of it
    std::size_t numbers = 0;  ///< what a copy takes
  };
  std::map<std::pair<scene::Index, std::size_t>, KnownMesh> known_meshes_;  ///< by glTF's index, and joints
};

}  // namespace thaw::gltf
