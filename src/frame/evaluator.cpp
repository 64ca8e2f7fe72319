#include <thaw/frame.hpp>
#include <thaw/sources.hpp>

#include "frame/builder.hpp"
#include "frame/random.hpp"
#include "frame/stand_in.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace thaw::frame {
namespace {

constexpr unsigned kDeepest = 3;  ///< models within models

Mat4 view_matrix(const Viewer& viewer) {
  Mat4 view{};
  const std::array<Vec3d, 3> rows = {viewer.right, viewer.up, viewer.back};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      view[column * 4 + row] = scene::to_float(rows.at(row)[column]);
    }
    view[12 + row] = scene::to_float(-scene::dot(rows.at(row), viewer.eye));
  }
  view[15] = 1;
  return view;
}

float bounded(float value, float least, float most, float otherwise) {
  return std::isfinite(value) ? std::clamp(value, least, most) : otherwise;
}

Mat4 projection_matrix(const Camera& camera) {
  const auto near = double{bounded(camera.near_clip, 1e-6F, 1e9F, 0.05F)};
  const double far = std::max(double{bounded(camera.far_clip, 1e-6F, 1e12F, 1000)}, near * 1.0001);
  const auto aspect = double{bounded(camera.aspect, 1e-3F, 1e3F, 1)};
  std::array<double, 16> m{};
  if (camera.height > 0) {
    const auto size = double{bounded(camera.height, 1e-9F, 1e12F, 1)};
    m[0] = 2 / (size * aspect);
    m[5] = 2 / size;
    m[10] = -2 / (far - near);
    m[14] = -(far + near) / (far - near);
    m[15] = 1;
  } else {
    const double angle = double{bounded(camera.field_of_view, 1e-4F, 3.1F, 0.61F)} / 2;
    const double slope = scene::sine(angle) / scene::cosine(angle);
    m[0] = 1 / (slope * aspect);
    m[5] = 1 / slope;
    m[10] = -(far + near) / (far - near);
    m[14] = -2 * far * near / (far - near);
    m[11] = -1;
  }
  Mat4 result{};
  std::transform(m.begin(), m.end(), result.begin(), [](double value) { return static_cast<float>(value); });
  return result;
}

void clear(Frame& frame) {
  frame.positions.clear();
  frame.uvs.clear();
  frame.colors.clear();
  frame.normals.clear();
  frame.tangents.clear();
  frame.indices.clear();
  frame.matrices.clear();
  frame.draws.clear();
  frame.triangles = 0;
  frame.particles = 0;
  frame.stand_ins = 0;
  frame.complete = true;
}

std::shared_ptr<const scene::Scene> borrowed(const scene::Scene& scene) {
  return {std::shared_ptr<const scene::Scene>(), &scene};
}

}  // namespace

struct Evaluator::Impl {
  using Keys = std::vector<std::pair<std::string, Index>>;

  std::vector<ModelData> models;  ///< the scene itself first
  std::vector<const Image*> images;

  Impl(const scene::Scene& scene, std::vector<NamedModel> named) {
    models.emplace_back(borrowed(scene));
    Keys keys;
    for (auto& model : named) {
      if (model.scene != nullptr) {
        keys.emplace_back(model.path, static_cast<Index>(models.size()));
        models.emplace_back(std::move(model.scene));
      }
    }
    std::sort(keys.begin(), keys.end());
    add_placed_models();
    Index mesh_count = 0;
    for (auto& model : models) {
      connect(model, keys);
      model.first_mesh = mesh_count;
      mesh_count += static_cast<Index>(model.meshes.size());
      model.first_image = static_cast<Index>(images.size());
      for (const auto& image : model.scene->images) {
        images.push_back(&image.image);
      }
    }
    for (auto& model : models) {
      model.surroundings = static_cast<Index>(images.size());
      model.soft_spot = model.surroundings + 1;
    }
    images.push_back(&surroundings());
    images.push_back(&soft_spot());
  }

  /// A model is worked out once, in however many scenes it stands.
  void add_placed_models() {
    std::map<const scene::Scene*, Index> known;
    for (std::size_t m = 0; m < models.size(); ++m) {
      const auto scene = models[m].scene;
      for (std::size_t i = 0; i < scene->placements.size(); ++i) {
        const Index requested = scene->placements[i].model;
        if (requested >= scene->models.size() || scene->models[requested] == nullptr) {
          continue;
        }
        const auto [at, fresh] =
            known.emplace(scene->models[requested].get(), static_cast<Index>(models.size()));
        if (fresh) {
          models.emplace_back(scene->models[requested]);
        }
        models[m].placed_models[i] = at->second;
      }
    }
  }

  static Index find(const Keys& keys, const std::string& path) {
    if (path.empty()) {
      return kNone;
    }
    const std::string key = game_path_without_extension(path);
    const auto at = std::lower_bound(keys.begin(), keys.end(), std::pair(key, Index{0}));
    return at != keys.end() && at->first == key ? at->second : kNone;
  }

  void connect(ModelData& model, const Keys& keys) const {
    for (std::size_t i = 0; i < model.attachment_models.size(); ++i) {
      model.attachment_models[i] = find(keys, model.scene->attachments[i].path);
    }
    for (std::size_t i = 0; i < model.emitter_models.size(); ++i) {
      model.emitter_models[i] = find(keys, model.scene->emitters[i].path);
    }
    for (std::size_t i = 0; i < model.event_models.size(); ++i) {
      const Index spawned = find(keys, model.scene->events[i].model);
      const auto* scene = spawned == kNone ? nullptr : models[spawned].scene.get();
      model.event_models[i] = spawned;
      model.event_lives[i] = scene != nullptr && models[spawned].clip < scene->clips.size()
                                 ? double{scene->clips[models[spawned].clip].duration}
                                 : 0;
    }
  }

  void show(Builder& builder, Index index, const PlayTime& moment, const WorldTransform& place,
            std::uint64_t seed, unsigned depth) const {
    if (builder.instances_left == 0) {
      builder.frame.complete = false;
      return;
    }
    --builder.instances_left;
    const ModelData& model = models[index];
    if (depth > 0 && !builder.take_nodes(model.scene->nodes.size())) {
      return;
    }
    const Player player(*model.scene, moment.clip);
    const Pose pose(model.skeleton, player, builder.viewer, place);
    Instance instance{model, player, pose, moment, player.times(moment), {}, seed, depth};
    instance.places = pose.places(instance.now);
    for (const auto& light : model.scene->lights) {
      const bool shines = light.node < instance.places.size() && player.visible(light.node, instance.now);
      if (shines) {
        builder.lights.add(light, instance.places[light.node]);
      }
    }
    add_meshes(builder, instance);
    if (depth == 0) {
      if (builder.options.emitters) {
        add_splats(builder, instance);
      }
      add_overlays(builder, instance);
    }
    if (depth < kDeepest) {
      show_attached_models(builder, instance);
    }
  }

  /// What hangs in the model and what comes out of it.
  void show_attached_models(Builder& builder, const Instance& instance) const {
    const ModelData& model = instance.model;
    for (std::size_t i = 0; i < model.placed_models.size(); ++i) {
      const Index attached = model.placed_models[i];
      const Index node = model.scene->placements[i].node;
      if (attached != kNone && node < instance.places.size()) {
        show(builder, attached, moment_of(attached, instance.moment.clock), instance.places[node],
             mixed(instance.seed + i), instance.depth + 1);
      }
    }
    if (builder.options.attachments) {
      for (std::size_t i = 0; i < model.attachment_models.size(); ++i) {
        const Index attached = model.attachment_models[i];
        const Index node = model.scene->attachments[i].node;
        if (attached != kNone && node < instance.places.size() &&
            instance.player.visible(node, instance.now)) {
          show(builder, attached, moment_of(attached, instance.moment.clock), instance.places[node],
               mixed(instance.seed + i), instance.depth + 1);
        }
      }
    }
    if (!builder.options.emitters) {
      return;
    }
    std::vector<Thrown> thrown;
    add_particles(builder, instance, thrown);
    add_spawned(builder, instance, thrown);
    add_ribbons(builder, instance);
    for (const Thrown& one : thrown) {
      show(builder, one.model, moment_of(one.model, one.age), one.place, one.seed, instance.depth + 1);
    }
  }

  [[nodiscard]] PlayTime moment_of(Index model, double time) const {
    return {models[model].clip, time, time};
  }
};

Evaluator::Evaluator(const scene::Scene& scene, std::vector<NamedModel> models)
    : impl_(std::make_unique<const Impl>(scene, std::move(models))) {}
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;
Evaluator::~Evaluator() = default;

std::span<const Image* const> Evaluator::images() const& { return impl_->images; }

std::vector<RestMesh> Evaluator::rest_meshes() const& {
  std::vector<RestMesh> meshes;
  for (const ModelData& model : impl_->models) {
    for (std::size_t i = 0; i < model.meshes.size(); ++i) {
      meshes.push_back(rest_mesh(model.scene->meshes[i], model.meshes[i]));
    }
  }
  return meshes;
}

void Evaluator::evaluate(const PlayTime& moment, const Camera& camera, const Options& options,
                         Frame& frame) const {
  clear(frame);
  const Viewer viewer = viewer_of(camera);
  frame.view = view_matrix(viewer);
  frame.projection = projection_matrix(camera);
  frame.fog = options.fog;
  Builder builder(frame, options, viewer);
  impl_->show(builder, 0, moment, {}, mixed(options.seed), 0);
  builder.finish();
  builder.lights.describe(frame.illumination);
  const bool parallel = camera.height > 0;
  const Vec3 viewed_from = scene::narrow(parallel ? viewer.back : viewer.eye);
  frame.illumination.viewer = {viewed_from[0], viewed_from[1], viewed_from[2], parallel ? 0.0F : 1.0F};
}

Frame Evaluator::evaluate(const PlayTime& moment, const Camera& camera, const Options& options) const {
  Frame frame;
  evaluate(moment, camera, options, frame);
  return frame;
}

Frame evaluate(const scene::Scene& scene, const PlayTime& moment, const Camera& camera,
               const Options& options) {
  return Evaluator(scene).evaluate(moment, camera, options);
}

}  // namespace thaw::frame
