// Any scene as a morph model: what it looks like, frame by frame. See mrf.md#structure.
#include <thaw/codes.hpp>
#include <thaw/control.hpp>
#include <thaw/mrf.hpp>

#include "bytes/number_text.hpp"
#include "formats/warcraft/mrf/shown_texture.hpp"
#include "scene/axes.hpp"
#include "scene/losses.hpp"
#include "scene/normals.hpp"
#include "scene/pose.hpp"
#include "scene/roles.hpp"
#include "scene/uv.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace thaw::mrf {
namespace {

using scene::Index;
using scene::kNone;
using scene::Vec3d;

constexpr std::size_t kMaxVertices = 65536;
constexpr double kMaxOutputFrames = 4096;
/// Bytes of all frames together.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30U;
constexpr float kUsualFrameDuration = 1.0F / 30;

/// The distance of the keys that have the most, if it is the same everywhere.
float key_distance(const scene::Clip& clip) {
  const Array<float>* times = nullptr;
  for (const auto& channel : clip.channels) {
    if (times == nullptr || channel.curve.times.size() > times->size()) {
      times = &channel.curve.times;
    }
  }
  if (times == nullptr || times->size() < 2) {
    return 0;
  }
  const float mean = (times->back() - times->front()) / static_cast<float>(times->size() - 1);
  for (std::size_t i = 1; i < times->size(); ++i) {
    constexpr float kTolerance = 0.01F;
    if (std::fabs((*times)[i] - (*times)[i - 1] - mean) > kTolerance * mean) {
      return 0;
    }
  }
  return mean;
}

float frame_duration(const scene::Scene& scene, const scene::Clip* clip, const FromSceneOptions& options) {
  if (options.frame_duration > 0) {
    return options.frame_duration;
  }
  const float known = scene.vertex_animation ? scene.vertex_animation->frame_duration : 0;
  if (known != 0 && std::isfinite(known)) {
    return known;
  }
  const float distance = clip != nullptr ? key_distance(*clip) : 0;
  return distance > 0 ? distance : kUsualFrameDuration;
}

/// In the axes of the file, as floats.
Vec3 turned(const Vec3d& v) { return scene::narrow(scene::to_z_up(v)); }

/// Where the vertices of a mesh are at one moment: all at its node, or each where its joints are.
class Placement {
 public:
  Placement(const scene::Mesh& mesh, const scene::Skin* skin, const std::vector<scene::Mat4d>& world)
      : mesh_(mesh),
        skin_(skin),
        world_(world),
        matrix_(mesh.node < world.size() ? world[mesh.node] : scene::kIdentity),
        directions_(scene::directions_of(matrix_)) {}

  void go_to(std::size_t vertex) {
    if (skin_ == nullptr) {
      return;
    }
    matrix_ = {};
    for (std::size_t i = vertex * mesh_.influences; i < (vertex + 1) * mesh_.influences; ++i) {
      const auto weight = double{mesh_.weights[i]};
      if (weight == 0) {
        continue;
      }
      // Not of all joints in advance: a skin may have many more of them than its meshes have vertices.
      const scene::Mat4d joint = scene::multiply(world_[skin_->joints[mesh_.joints[i]]],
                                                 scene::widen(skin_->inverse_bind[mesh_.joints[i]]));
      for (std::size_t e = 0; e < joint.size(); ++e) {
        matrix_[e] += joint[e] * weight;
      }
    }
    directions_ = scene::directions_of(matrix_);
  }

  [[nodiscard]] const scene::Mat4d& matrix() const { return matrix_; }
  [[nodiscard]] const scene::Mat4d& directions() const { return directions_; }

 private:
  const scene::Mesh& mesh_;
  const scene::Skin* skin_;
  const std::vector<scene::Mat4d>& world_;
  scene::Mat4d matrix_;
  scene::Mat4d directions_;
};

/// One mesh of the scene at any time.
class MorphingMesh {
 public:
  /// `weights`: those of its targets, or null.
  MorphingMesh(const scene::Mesh& mesh, const scene::Skin* skin, const scene::Curve* weights)
      : mesh_(mesh),
        skin_(skin),
        normals_(mesh.normals.size() == mesh.positions.size() ? mesh.normals : scene::smooth_normals(mesh)) {
    weights_.assign(mesh.morph_targets.size(), 0.0F);
    if (weights != nullptr) {
      curve_ = *weights;
    }
  }

  [[nodiscard]] const scene::Mesh& mesh() const { return mesh_; }
  /// The joints of a skin alone say where a mesh is, its node does not.
  [[nodiscard]] bool hangs_mirrored(const std::vector<scene::Mat4d>& world) const {
    return skin_ == nullptr && mesh_.node < world.size() && scene::mirrors(world[mesh_.node]);
  }

  void add_vertices(const std::vector<scene::Mat4d>& world, float time, double units, Array<Vertex>& to) {
    if (!curve_.empty()) {
      scene::evaluate(curve_, time, weights_);
    }
    Placement placement(mesh_, skin_, world);
    for (std::size_t v = 0; v < mesh_.positions.size(); ++v) {
      Vec3d position = scene::widen(mesh_.positions[v]);
      Vec3d normal = scene::widen(normals_[v]);
      for (std::size_t t = 0; t < weights_.size(); ++t) {
        if (weights_[t] == 0) {
          continue;
        }
        const auto& target = mesh_.morph_targets[t];
        const auto weight = double{weights_[t]};
        if (v < target.positions.size()) {
          position = scene::add(position, scene::scaled(scene::widen(target.positions[v]), weight));
        }
        if (v < target.normals.size()) {
          normal = scene::add(normal, scene::scaled(scene::widen(target.normals[v]), weight));
        }
      }
      placement.go_to(v);
      const Vec3d direction = scene::transform_point(placement.directions(), normal);
      const double size = scene::length(direction);
      const Vec3 place = turned(scene::scaled(scene::transform_point(placement.matrix(), position), units));
      const Vec3 up = turned(size > 0 ? scene::scaled(direction, 1 / size) : Vec3d{0, 1, 0});
      to.push_back({place[0], place[1], place[2], up[0], up[1], up[2]});
    }
  }

 private:
  const scene::Mesh& mesh_;
  const scene::Skin* skin_;
  Array<Vec3> normals_;
  scene::Curve curve_;
  std::vector<float> weights_;
};

/// What materials do to the coordinates of each vertex, by the first part that shows it; null: nothing.
std::vector<const scene::UvTransform*> transforms_of(const scene::Scene& scene, const scene::Mesh& mesh) {
  std::vector<const scene::UvTransform*> transforms(mesh.positions.size());
  for (const auto& part : mesh.parts) {
    const bool layered =
        part.material < scene.materials.size() && !scene.materials[part.material].layers.empty();
    const auto* moved =
        layered ? scene::rest_transform(scene, scene.materials[part.material].layers.front()) : nullptr;
    const std::size_t first = std::min<std::size_t>(part.first_index, mesh.indices.size());
    const std::size_t count = std::min<std::size_t>(part.index_count, mesh.indices.size() - first);
    for (std::size_t i = first; moved != nullptr && i < first + count; ++i) {
      auto& transform = transforms[mesh.indices[i]];
      transform = transform == nullptr ? moved : transform;
    }
  }
  return transforms;
}

/// Faces are the same in all frames: a mesh that its node mirrors is turned as the first frame has it.
void add_faces(const scene::Scene& scene, const scene::Clip* clip, const std::vector<MorphingMesh>& meshes,
               Document& document) {
  const auto world = scene::Poser(scene, clip).world_matrices(0, scene::Axes::x_right);
  std::size_t base = 0;
  for (const auto& morphing : meshes) {
    const auto& mesh = morphing.mesh();
    const bool turn = morphing.hangs_mirrored(world);
    for (std::size_t i = 0; i + 3 <= mesh.indices.size(); i += 3) {
      for (const std::size_t corner : {i, i + (turn ? 2U : 1U), i + (turn ? 1U : 2U)}) {
        document.indices.push_back(static_cast<std::uint16_t>(base + mesh.indices[corner]));
      }
    }
    const auto transforms = transforms_of(scene, mesh);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const bool mapped = !mesh.uv_sets.empty() && v < mesh.uv_sets[0].size();
      const Vec2 uv = mapped ? mesh.uv_sets[0][v] : Vec2{};
      document.uvs.push_back(mapped && transforms[v] != nullptr ? scene::transformed(uv, *transforms[v])
                                                                : uv);
    }
    base += mesh.positions.size();
  }
}

/// By mesh, the curve of the weights of its targets; null without one.
std::vector<const scene::Curve*> weight_curves(const scene::Scene& scene, const scene::Clip* clip) {
  std::vector<const scene::Curve*> curves(scene.meshes.size());
  // A span: the other side of `?:` would be a copy of all channels, which is gone after the line.
  for (const auto& channel :
       clip != nullptr ? std::span(clip->channels) : std::span<const scene::Channel>()) {
    const Index mesh = channel.target.index;
    if (channel.target.kind == scene::Target::Kind::mesh && mesh < curves.size() &&
        channel.property == scene::Property::weights && !channel.curve.empty() &&
        channel.curve.components == scene.meshes[mesh].morph_targets.size()) {
      curves[mesh] = &channel.curve;
    }
  }
  return curves;
}

/// Meshes whose triangles are whole, of the finest level of detail.
std::vector<MorphingMesh> usable_meshes(const scene::Scene& scene, const scene::Clip* clip,
                                        Diagnostics& diagnostics) {
  std::vector<MorphingMesh> meshes;
  const auto levels = scene::levels_of_detail(scene);
  const auto curves = weight_curves(scene, clip);
  for (Index i = 0; i < scene.meshes.size(); ++i) {
    const auto& mesh = scene.meshes[i];
    const bool whole = std::all_of(mesh.indices.begin(), mesh.indices.end(),
                                   [&](std::uint32_t index) { return index < mesh.positions.size(); });
    if (mesh.indices.size() < 3 || mesh.indices.size() % 3 != 0 || !whole) {
      continue;
    }
    const bool coarse = mesh.node < levels.size() && levels[mesh.node].level > 0;
    if (coarse || scene::is_collision(scene, mesh)) {
      diagnostics.add(codes::kSceneLost,
                      coarse ? "mesh of a coarser level of detail left out" : "collision mesh left out", {},
                      "meshes[" + std::to_string(i) + "]");
      continue;
    }
    const scene::Skin* skin = scene::sound_skin(scene, mesh);
    if (mesh.skin != kNone && skin == nullptr) {
      diagnostics.add(codes::kSceneReference, "skin ignored: it does not match its mesh", {},
                      "meshes[" + std::to_string(i) + "]");
    }
    meshes.emplace_back(mesh, skin, curves[i]);
  }
  return meshes;
}

Array<char> texture_path(const scene::Scene& scene, const FromSceneOptions& options,
                         Diagnostics& diagnostics) {
  std::string path = options.texture;
  if (path.empty() && scene.vertex_animation) {
    path = scene.vertex_animation->texture;
  }
  if (const Index shown = shown_texture(scene, options); shown != kNone) {
    path = scene.textures[shown].path;
    if (const std::size_t dot = path.find_last_of("./\\"); dot != std::string::npos && path[dot] == '.') {
      path.resize(dot);
    }
    std::replace(path.begin(), path.end(), '.', '_');
  } else if (options.texture.empty() && !scene.vertex_animation) {
    path = "Textures\\white.blp";
    diagnostics.add(codes::kSceneAdded, "the game's white texture added, because no material has one");
  }
  // The game cuts the path at its first dot and needs one to end it (mrf.md#texture).
  if (path.find('.') == std::string::npos) {
    path += ".blp";
  }
  Array<char> result;
  result.assign(path.begin(), path.end());
  result.push_back('\0');
  return result;
}

/// The clip of a scene that was a morph model begins at this time of the frames.
double elapsed_of(const scene::Scene& scene) {
  constexpr float kLongestWait = 1e6F;
  const float elapsed = scene.vertex_animation ? scene.vertex_animation->elapsed : 0;
  return elapsed > -kLongestWait && elapsed < kLongestWait ? double{elapsed} : 0;
}

/// False if it was stopped.
bool add_frames(const scene::Scene& scene, const scene::Clip* clip, std::size_t count,
                std::vector<MorphingMesh>& meshes, const FromSceneOptions& options, Document& document) {
  const double units = 1 / double{options.scale};
  const scene::Poser poser(scene, clip);
  for (std::size_t frame = 0; frame < count; ++frame) {
    if (!proceed(options.control, "frames", frame, count)) {
      return false;
    }
    const auto time = static_cast<float>(double{document.header.frame_duration} * static_cast<double>(frame) -
                                         elapsed_of(scene));
    const auto world = poser.world_matrices(time, scene::Axes::x_right);
    Frame& output = document.frames.emplace_back();
    for (auto& mesh : meshes) {
      mesh.add_vertices(world, time, units, output.vertices);
    }
  }
  return true;
}

void add_header(const scene::Scene& scene, Document& document) {
  if (scene.vertex_animation) {
    document.header.elapsed = scene.vertex_animation->elapsed;
    document.header.radius = scene.vertex_animation->radius;
    return;
  }
  double radius = 0;
  for (const auto& vertex : document.frames.front().vertices) {
    const Vec3d place = {double{vertex[0]}, double{vertex[1]}, double{vertex[2]}};
    radius = std::max(radius, scene::length(place));
  }
  document.header.radius = static_cast<float>(radius);
}

std::string time_text(double value) {
  std::string text;
  append_number(text, std::round(value * 1e4) / 1e4);
  return text + " s";
}

/// What a morph model has no place for, once for all meshes.
void report_losses(const scene::Scene& scene, const std::vector<MorphingMesh>& meshes, double length,
                   double written, Diagnostics& diagnostics) {
  const auto lose = [&](const std::string& what) { diagnostics.add(codes::kSceneLost, what); };
  const auto any = [&](const auto& test) {
    return std::any_of(meshes.begin(), meshes.end(),
                       [&](const MorphingMesh& morphing) { return test(morphing.mesh()); });
  };
  if (any([](const scene::Mesh& mesh) { return mesh.uv_sets.size() > 1; })) {
    lose("all UV sets except the first left out");
  }
  if (any([](const scene::Mesh& mesh) { return !mesh.colors.empty() || mesh.color != Vec3{1, 1, 1}; })) {
    lose("vertex and base colours left out");
  }
  const auto wired = [](const scene::Mesh& mesh) { return !mesh.wires.empty(); };
  if (std::any_of(scene.meshes.begin(), scene.meshes.end(), wired)) {
    lose("points and lines left out");
  }
  for (const std::string& loss : scene::surface_losses(scene, {})) {
    lose(loss);
  }
  for (const std::string& loss : scene::object_losses(scene)) {
    lose(loss);
  }
  if (scene.clips.size() > 1) {
    lose("animations after the first left out: " + std::to_string(scene.clips.size() - 1));
  }
  if (elapsed_of(scene) > 0) {
    diagnostics.add(
        codes::kSceneChanged,
        "frames before the start time, which the game never shows, copied from the first visible frame");
  }
  constexpr double kTolerance = 1e-4;
  if (std::abs(written - length) > kTolerance) {
    diagnostics.add(codes::kSceneChanged, "animation length changed from " + time_text(length) + " to " +
                                              time_text(written) + ", a whole number of frames");
  }
}

}  // namespace

Index shown_texture(const scene::Scene& scene, const FromSceneOptions& options) {
  if (!options.texture.empty() || (scene.vertex_animation && !scene.vertex_animation->texture.empty())) {
    return kNone;
  }
  for (const auto& mesh : scene.meshes) {
    for (const auto& part : mesh.parts) {
      const auto* material =
          part.material < scene.materials.size() ? &scene.materials[part.material] : nullptr;
      if (material != nullptr && !material->layers.empty() &&
          material->layers.front().texture < scene.textures.size()) {
        return material->layers.front().texture;
      }
    }
  }
  // If no material has a colour texture, the remaining textures are roughness, normal and other maps.
  return scene.materials.empty() && !scene.textures.empty() ? 0 : kNone;
}

double largest_deviation(const scene::Scene& scene, const FromSceneOptions& options,
                         const Document& converted) {
  const scene::Clip* clip = scene.clips.empty() ? nullptr : &scene.clips.front();
  Diagnostics discarded(0);
  auto meshes = usable_meshes(scene, clip, discarded);
  const scene::Poser poser(scene, clip);
  double largest = 0;
  for (std::size_t frame = 0; frame + 1 < converted.frames.size() && !is_stopped(options.control); ++frame) {
    const double middle = double{converted.header.frame_duration} * (static_cast<double>(frame) + 0.5);
    const auto time = static_cast<float>(middle - elapsed_of(scene));
    const auto world = poser.world_matrices(time, scene::Axes::x_right);
    Array<Vertex> exact;
    for (auto& mesh : meshes) {
      mesh.add_vertices(world, time, 1 / double{options.scale}, exact);
    }
    for (std::size_t v = 0; v < exact.size(); ++v) {
      Vec3d off{};
      for (std::size_t i = 0; i < 3; ++i) {
        const double shown = double{converted.frames[frame].vertices[v].at(i)} / 2 +
                             double{converted.frames[frame + 1].vertices[v].at(i)} / 2;
        off.at(i) = double{exact[v].at(i)} - shown;
      }
      largest = std::max(largest, scene::length(off));
    }
  }
  return largest;
}

Result<Document> from_scene(const scene::Scene& scene, const FromSceneOptions& options,
                            Diagnostics& diagnostics) {
  const scene::Clip* clip = scene.clips.empty() ? nullptr : &scene.clips.front();
  auto meshes = usable_meshes(scene, clip, diagnostics);
  std::size_t vertices = 0;
  for (const auto& mesh : meshes) {
    vertices += mesh.mesh().positions.size();
  }
  if (vertices == 0 || vertices > kMaxVertices) {
    return fail(
        codes::kWriteUnsupported,
        vertices == 0
            ? "no mesh has valid triangles; collision meshes and coarser levels of detail do not count"
            : std::to_string(vertices) +
                  " vertices exceed the morph model's limit of 65536; simplify the mesh");
  }
  Document document;
  document.header.frame_duration = frame_duration(scene, clip, options);
  if (const auto& source = scene.vertex_animation;
      source && !(options.frame_duration > 0) && source->frame_duration != document.header.frame_duration) {
    diagnostics.add(codes::kSceneChanged, "frame duration changed from " +
                                              time_text(double{source->frame_duration}) + " to " +
                                              time_text(double{document.header.frame_duration}));
  }
  const double before = elapsed_of(scene);
  const double length = clip != nullptr ? std::max(0.0, double{clip->duration} + before) : 0;
  const double steps = std::max(0.0, std::floor(length / double{document.header.frame_duration} + 0.5));
  const std::string frames = counted(static_cast<std::uint64_t>(std::min(steps, 1e15)) + 1, "frame");
  if (steps >= kMaxOutputFrames) {
    return fail(codes::kWriteUnsupported,
                "the animation needs " + frames +
                    ", more than thaw's limit of 4096; shorten it, or place its keys further apart");
  }
  if ((steps + 1) * static_cast<double>(vertices * sizeof(Vertex)) > static_cast<double>(kMaxBytes)) {
    return fail(codes::kWriteUnsupported,
                frames + " of " + counted(vertices, "vertex") +
                    " exceed thaw's limit of 1 GiB; shorten the animation, or simplify the mesh");
  }
  if (scene.materials.size() > 1) {
    diagnostics.add(codes::kSceneLost,
                    std::to_string(scene.materials.size()) + " materials reduced to one texture");
  }
  report_losses(scene, meshes, length, steps * double{document.header.frame_duration}, diagnostics);
  add_faces(scene, clip, meshes, document);
  if (!add_frames(scene, clip, static_cast<std::size_t>(steps) + 1, meshes, options, document)) {
    return fail(codes::kStopped, "");
  }
  document.texture_path = texture_path(scene, options, diagnostics);
  add_header(scene, document);
  lay_out(document);
  return document;
}

}  // namespace thaw::mrf
