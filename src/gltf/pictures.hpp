// The pictures of a glTF document: each distinct one has its place at once, and is made and encoded at the
// end.
#pragma once

#include <thaw/gltf.hpp>

#include "gltf/buffer.hpp"
#include "scene/unique_names.hpp"

#include <map>
#include <memory>
#include <set>
#include <tuple>

namespace thaw::gltf {

/// How a picture is made of pictures of the scene.
struct Recipe {
  enum class Kind : std::uint8_t {
    plain,    ///< the first step's picture
    stack,    ///< the steps drawn over each other; the first one's mode says how the result is used
    light,    ///< the sum of the steps, for adding
    glow,     ///< the same, to be blended
    filter,   ///< the first step's picture, to be blended instead of multiplied
    normals,  ///< the first step's picture, Z rebuilt
    opaque,   ///< the first step's picture without alpha
    team,     ///< the first step's picture, coloured with the second through the alpha of the third
    below,    ///< white, opaque where the first step's picture is not
    share,    ///< the first step's picture, opaque where the second's alpha is
  };
  struct Step {
    Index image = kNone;
    scene::BlendMode mode = scene::BlendMode::opaque;
    float alpha = 1;
    friend bool operator<(const Step& a, const Step& b) {
      return std::tie(a.image, a.mode, a.alpha) < std::tie(b.image, b.mode, b.alpha);
    }
  };
  Kind kind = Kind::plain;
  std::vector<Step> steps;
  friend bool operator<(const Recipe& a, const Recipe& b) {
    return std::tie(a.kind, a.steps) < std::tie(b.kind, b.steps);
  }
};

class Pictures {
 public:
  Pictures(const scene::Scene& scene, const GltfOptions& options, Asset& document, Buffer& buffer)
      : scene_(scene), options_(options), document_(document), buffer_(buffer) {}

  /// What a scene's texture shows, in a variant unless that is null; kNone if it has no picture.
  [[nodiscard]] Index image_of(Index texture, const scene::ImageVariant* variant = nullptr) const;
  [[nodiscard]] bool is_placeholder(Index image) const { return scene_.images[image].placeholder; }
  [[nodiscard]] bool is_uniform(Index image);
  [[nodiscard]] const thaw::Image& pixels(Index image) const { return scene_.images[image].image; }

  /// Index into the document's textures.
  Index texture(const Recipe& recipe, bool wrap_u, bool wrap_v);

  /// Encodes what `texture` requests. Of the scene, unless it is null, pixels go once nothing needs
  /// them.
  void encode(scene::Scene* spent);

  /// Pictures that stand in files of their own.
  std::vector<OutputFile>& files() { return files_->list; }
  /// How many have another format than was requested.
  void report(Diagnostics& diagnostics) const;
  /// Adds its files to those of another, so that their names differ, and counts with it.
  void share_files(Pictures& other) { files_ = other.files_; }

 private:
  struct Files {
    std::set<std::string> names;
    std::vector<OutputFile> list;
    std::size_t as_requested = 0;
    std::size_t translucent = 0;  ///< PNG instead of JPEG because of their alpha
    std::size_t others = 0;       ///< other PNG instead of what was requested
  };

  struct Pending {
    Recipe recipe;
    Index place = kNone;  ///< a view of the buffer, or one of the files
  };

  Index image(const Recipe& recipe);
  /// The file of a picture, in the requested format where it can have that.
  [[nodiscard]] Bytes file_of(const Recipe& recipe);
  [[nodiscard]] Bytes encoded(const thaw::Image& image);
  Index sampler(bool wrap_u, bool wrap_v);
  [[nodiscard]] thaw::Image make(const Recipe& recipe) const;
  [[nodiscard]] thaw::Image make_stack(const Recipe& recipe) const;
  [[nodiscard]] thaw::Image make_light(const Recipe& recipe) const;
  [[nodiscard]] std::string name_of(const Recipe& recipe) const;
  /// Names the place of a picture that is encoded later.
  Index reserve(Image& image);

  const scene::Scene& scene_;
  const GltfOptions& options_;
  Asset& document_;
  Buffer& buffer_;
  scene::UniqueNames names_;
  std::map<Recipe, Index> images_;
  std::vector<Pending> pending_;
  std::map<Index, bool> uniform_;
  std::map<std::pair<Index, Index>, Index> textures_;
  std::map<std::pair<bool, bool>, Index> samplers_;
  std::shared_ptr<Files> files_ = std::make_shared<Files>();
};

}  // namespace thaw::gltf
