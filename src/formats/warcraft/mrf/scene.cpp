#include "bytes/finite.hpp"
#include "formats/warcraft/mrf/scene_parts.hpp"
#include "scene/axes.hpp"
#include "scene/bounds.hpp"

#include <cmath>
#include <string>

namespace thaw::mrf {
namespace {

/// Each morph target is a set of accessors and a column of the weights, so their number is bounded, far above
/// what viewers take.
constexpr std::size_t kMaxFrames = 1024;

/// Frames that one interpolation may stand for: bounds the work of looking for the next frame to keep.
constexpr std::size_t kMaxGap = 256;

/// Z up to Y up.
Vec3 turned(float x, float y, float z) {
  return scene::to_y_up(Vec3{finite_or_zero(x), finite_or_zero(y), finite_or_zero(z)});
}

Vec3 position(const Vertex& vertex, float scale) {
  const auto metres = [scale](float units) { return scene::to_float(double{units} * double{scale}); };
  return turned(metres(vertex[0]), metres(vertex[1]), metres(vertex[2]));
}

Vec3 normal(const Vertex& vertex) { return turned(vertex[3], vertex[4], vertex[5]); }

Vec3 difference(const Vec3& a, const Vec3& b) {
  const auto along = [&](std::size_t axis) { return scene::to_float(double{a[axis] - b[axis]}); };
  return {along(0), along(1), along(2)};
}

/// How far the frames between two selected ones lie from their linear interpolation, in units of the game.
double gap_error(const Document& document, std::size_t from, std::size_t to) {
  double worst = 0;
  for (std::size_t frame = from + 1; frame < to; ++frame) {
    const double t = static_cast<double>(frame - from) / static_cast<double>(to - from);
    for (std::size_t v = 0; v < document.frames[frame].vertices.size(); ++v) {
      double squared = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double a = finite_or_zero(document.frames[from].vertices[v][axis]);
        const double b = finite_or_zero(document.frames[to].vertices[v][axis]);
        const double there = finite_or_zero(document.frames[frame].vertices[v][axis]);
        const double error = a + (b - a) * t - there;
        squared += error * error;
      }
      worst = std::max(worst, squared);
    }
  }
  return std::sqrt(worst);
}

/// Frames to keep, the first and the last always among them.
std::vector<std::size_t> selected_frames(const Document& document, const SceneOptions& options) {
  const std::size_t count = document.frames.size();
  const std::size_t fewest = (count + kMaxFrames - 1) / kMaxFrames;
  const auto step = std::max({std::size_t{options.every}, std::size_t{1}, fewest});
  std::vector<std::size_t> candidates;
  for (std::size_t frame = 0; frame < count; frame += step) {
    candidates.push_back(frame);
  }
  if (candidates.back() != count - 1) {
    candidates.push_back(count - 1);
  }
  if (!(options.max_error >= 0)) {
    return candidates;
  }
  const double bound = double{options.max_error} / double{options.scale};
  std::vector<std::size_t> selected = {0};
  for (std::size_t i = 1; i + 1 < candidates.size(); ++i) {
    const std::size_t next = candidates[i + 1];
    if (next - selected.back() > kMaxGap || gap_error(document, selected.back(), next) > bound) {
      selected.push_back(candidates[i]);
    }
  }
  if (selected.back() != count - 1) {
    selected.push_back(count - 1);
  }
  return selected;
}

void add_faces(const Document& document, scene::Mesh& mesh, Diagnostics& diagnostics) {
  std::size_t dropped = document.indices.size() % 3;
  for (std::size_t i = 0; i + 2 < document.indices.size(); i += 3) {
    const auto* face = &document.indices[i];
    const std::size_t highest = std::max({face[0], face[1], face[2]});
    if (highest >= mesh.positions.size()) {
      dropped += 3;
      continue;
    }
    mesh.indices.insert(mesh.indices.end(), {face[0], face[1], face[2]});
  }
  if (dropped > 0) {
    diagnostics.add(codes::kSceneGeoset,
                    std::to_string(dropped) + (dropped == 1 ? " index" : " indices") +
                        " of incomplete triangles, or of triangles with missing vertices, left out",
                    {}, "indices");
  }
  mesh.parts.push_back({0, static_cast<scene::Index>(mesh.indices.size()), 0});
}

void add_base(const Document& document, std::size_t frame, float scale, scene::Mesh& mesh) {
  for (const auto& vertex : document.frames[frame].vertices) {
    mesh.positions.push_back(position(vertex, scale));
    mesh.normals.push_back(normal(vertex));
  }
  auto& uvs = mesh.uv_sets.emplace_back();
  for (const auto& uv : document.uvs) {
    uvs.push_back({finite_or_zero(uv[0]), finite_or_zero(uv[1])});
  }
}

void add_targets(const Document& document, const std::vector<std::size_t>& selected, float scale,
                 scene::Mesh& mesh) {
  for (std::size_t i = 1; i < selected.size(); ++i) {
    auto& target = mesh.morph_targets.emplace_back();
    target.name = "frame " + std::to_string(selected[i]);
    const auto& vertices = document.frames[selected[i]].vertices;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      target.positions.push_back(difference(position(vertices[v], scale), mesh.positions[v]));
      target.normals.push_back(difference(normal(vertices[v]), mesh.normals[v]));
    }
  }
}

/// Key i has weight 1 for target i and 0 for all others, so that viewers blend neighbouring frames as the
/// game does.
scene::Curve weights_curve(const Header& header, const std::vector<std::size_t>& selected) {
  scene::Curve curve;
  curve.components = static_cast<unsigned>(selected.size() - 1);
  curve.values.resize(selected.size() * (selected.size() - 1), 0.0F);
  for (std::size_t i = 0; i < selected.size(); ++i) {
    curve.times.push_back(header.frame_duration * static_cast<float>(selected[i]));
    if (i > 0) {
      curve.values[i * (selected.size() - 1) + i - 1] = 1.0F;
    }
  }
  return curve;
}

scene::VertexAnimation vertex_animation(const Document& document) {
  const Header& header = document.header;
  const std::string_view stored(document.texture_path.data(), document.texture_path.size());
  return {header.frame_duration, header.frame_count, header.elapsed,
          header.radius,         header.pivot,       to_utf8(stored.substr(0, stored.find('\0')))};
}

/// The clip shows what the game does from the event on (mrf.md#playback): a positive time is into the frames,
/// a negative one waits at the first.
void begin_at(float elapsed, scene::Curve& weights) {
  if (weights.empty() || elapsed == 0) {
    return;
  }
  constexpr float kLongestWait = 1e6F;
  if (!(elapsed > -kLongestWait)) {
    weights = {};  // it never begins
    return;
  }
  weights = weights_played(weights, {{0, weights.times.back() - elapsed}}, elapsed);
}

}  // namespace

Morph make_morph(const Document& document, const SceneOptions& options, Diagnostics& diagnostics) {
  const Playback shown = playback(document.header);
  if (shown == Playback::nothing) {
    diagnostics.add(codes::kSceneApproximated,
                    "the frame duration is 0, so the game draws nothing; the mesh is transparent", {},
                    "frameDuration");
  }
  Morph morph;
  morph.mesh.name = "Morph";
  morph.mesh.alpha = shown == Playback::nothing ? 0.0F : 1.0F;
  add_base(document, shown == Playback::last_frame ? document.frames.size() - 1 : 0, options.scale,
           morph.mesh);
  add_faces(document, morph.mesh, diagnostics);
  const auto selected = selected_frames(document, options);
  if (document.frames.size() > kMaxFrames) {
    diagnostics.add(codes::kSceneApproximated,
                    std::to_string(document.frames.size()) + " frames exceed thaw's limit of " +
                        std::to_string(kMaxFrames) + " morph targets; reduced to " +
                        std::to_string(selected.size() - 1),
                    {}, "frames");
  }
  if (shown == Playback::plays && selected.size() > 1) {
    add_targets(document, selected, options.scale, morph.mesh);
    morph.weights = weights_curve(document.header, selected);
  }
  return morph;
}

scene::Index add_material(const Document& document, scene::Scene& scene) {
  scene::Texture texture;
  texture.path = to_utf8(document.texture_stem()) + ".blp";
  scene.textures.push_back(texture);
  scene::Material material;
  material.name = "Morph";
  material.layers.emplace_back().texture = static_cast<scene::Index>(scene.textures.size() - 1);
  scene.materials.push_back(material);
  return static_cast<scene::Index>(scene.materials.size() - 1);
}

scene::Scene to_scene(const Document& document, std::string_view name, const SceneOptions& options,
                      Diagnostics& diagnostics) {
  scene::Scene scene;
  scene.name = std::string(name);
  scene.source_format = "mrf";
  add_material(document, scene);
  scene.vertex_animation = vertex_animation(document);
  scene::Node root;
  root.name = scene.name;
  root.kind = scene::NodeKind::root;
  scene.nodes.push_back(root);
  if (document.frames.empty()) {
    return scene;
  }
  scene::Node node;
  node.name = "Morph";
  node.parent = 0;
  node.kind = scene::NodeKind::mesh;
  scene.nodes.push_back(node);

  Morph morph = make_morph(document, options, diagnostics);
  morph.mesh.node = 1;
  begin_at(document.header.elapsed, morph.weights);
  if (!morph.weights.empty()) {
    scene::Clip& clip = scene.clips.emplace_back();
    clip.name = "Morph";
    clip.looping = false;
    clip.duration = morph.weights.times.back();
    clip.channels.push_back(
        {{scene::Target::Kind::mesh, 0, 0}, scene::Property::weights, std::move(morph.weights)});
  }
  scene.meshes.push_back(std::move(morph.mesh));
  scene.bounds = scene::bounds_of_meshes(scene);
  return scene;
}

}  // namespace thaw::mrf
