// Frames for programs that draw themselves: views of a scene, and their frames as structs of <thaw.h>.
#include <thaw/codes.hpp>
#include <thaw/frame.hpp>

#include "capi/handles.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

/// A scene with what hangs in it, ready to be shown.
struct thaw_view {
  thaw_view(thaw::scene::Scene opened, const thaw_document& document,
            std::vector<thaw::frame::NamedModel> models);
  thaw_view(const thaw_view&) = delete;
  thaw_view(thaw_view&&) = delete;
  thaw_view& operator=(const thaw_view&) = delete;
  thaw_view& operator=(thaw_view&&) = delete;
  ~thaw_view() = default;

  thaw_scene scene;
  thaw::frame::Evaluator evaluator;
  std::vector<thaw::frame::RestMesh> rest;
  std::vector<thaw_rest_mesh> rest_meshes;
  std::vector<thaw_pixels> images;
};

/// A frame and its request. Vertices that the graphics card poses are posed here on demand, for picking.
struct thaw_frame {
  explicit thaw_frame(const thaw_view& shown) : view(shown) {}

  const thaw_view& view;
  thaw::frame::PlayTime moment;
  thaw::frame::Camera camera;
  thaw::frame::Options options;
  thaw::frame::Frame frame;
  thaw::frame::Frame posed;
  bool is_posed = false;
  std::unique_ptr<thaw::raster::Textures> textures;
  std::vector<thaw_draw> draws;
  std::vector<thaw_light> lights;
  thaw_frame_data data{};
};

namespace thaw::capi {
namespace {

using frame::Draw;
using frame::Frame;

std::uint32_t length_of(const auto& list) { return static_cast<std::uint32_t>(list.size()); }

/// The numbers of a list; NULL for an empty one.
template <class Number>
const Number* numbers_of(const auto& list) {
  return list.empty() ? nullptr : reinterpret_cast<const Number*>(list.data());
}

void put(float* target, const auto& values) { std::copy(values.begin(), values.end(), target); }

thaw_rest_mesh rest_view(const frame::RestMesh& mesh) {
  return {sizeof(thaw_rest_mesh),
          numbers_of<float>(mesh.positions),
          numbers_of<float>(mesh.normals),
          numbers_of<float>(mesh.tangents),
          numbers_of<float>(mesh.colors),
          numbers_of<std::uint32_t>(mesh.indices),
          numbers_of<std::uint32_t>(mesh.groups),
          numbers_of<std::uint32_t>(mesh.representatives),
          numbers_of<std::uint16_t>(mesh.joints),
          numbers_of<float>(mesh.weights),
          length_of(mesh.positions),
          length_of(mesh.indices),
          length_of(mesh.uv_sets),
          length_of(mesh.representatives),
          mesh.influences};
}

std::uint32_t flags_of(const Draw& draw) {
  const std::pair<bool, std::uint32_t> flags[] = {{draw.depth_test, THAW_DRAW_DEPTH_TEST},
                                                  {draw.depth_write, THAW_DRAW_DEPTH_WRITE},
                                                  {draw.two_sided, THAW_DRAW_TWO_SIDED},
                                                  {draw.fogged, THAW_DRAW_FOGGED},
                                                  {draw.physically_based, THAW_DRAW_PHYSICALLY_BASED},
                                                  {draw.normal_in_alpha, THAW_DRAW_NORMAL_IN_ALPHA},
                                                  {draw.lit, THAW_DRAW_LIT},
                                                  {draw.sphere_map, THAW_DRAW_SPHERE_MAP}};
  std::uint32_t all = 0;
  for (const auto& [is_set, flag] : flags) {
    all |= is_set ? flag : 0;
  }
  return all;
}

thaw_draw draw_view(const Draw& draw) {
  thaw_draw view{};
  view.size = sizeof(view);
  view.topology = static_cast<std::uint32_t>(draw.topology);
  view.first_index = draw.first_index;
  view.index_count = draw.index_count;
  view.vertex_count = draw.vertex_count;
  view.base_position = draw.base_position;
  view.base_uv = draw.base_uv;
  view.base_color = draw.base_color;
  view.base_normal = draw.base_normal;
  view.base_tangent = draw.base_tangent;
  view.flags = flags_of(draw);
  view.blend = static_cast<std::uint32_t>(draw.blend);
  view.origin = static_cast<std::uint32_t>(draw.origin);
  view.object = draw.object;
  view.layer = draw.layer;
  view.rest_mesh = draw.rest_mesh;
  view.base_matrix = draw.base_matrix;
  view.uv_set = draw.uv_set;
  const std::pair<std::uint32_t*, const frame::Sampler*> samplers[] = {
      {&view.texture, &draw.texture},   {&view.orm, &draw.orm},
      {&view.emissive, &draw.emissive}, {&view.team_color, &draw.team_color},
      {&view.normal, &draw.normal},     {&view.environment, &draw.environment}};
  unsigned bit = 0;
  for (const auto& [image, sampler] : samplers) {
    *image = sampler->image;
    view.wraps |= (sampler->wrap_u ? 1U : 0U) << bit | (sampler->wrap_v ? 2U : 0U) << bit;
    bit += 2;
  }
  put(view.uv_matrix, draw.uv_matrix);
  put(view.color, draw.color);
  view.alpha_cutoff = draw.alpha_cutoff;
  view.emissive_gain = draw.emissive_gain;
  view.environment_gain = draw.environment_gain;
  put(view.rim, draw.rim);
  view.rim_opacity = draw.rim_opacity;
  view.rim_team = draw.rim_team;
  view.bare_color = draw.bare_color;
  return view;
}

thaw_light light_view(const frame::Light& light) {
  thaw_light view{};
  view.size = sizeof(view);
  put(view.place, light.place);
  put(view.color, light.color);
  view.start = light.start;
  view.end = light.end;
  view.local = light.near ? 1 : 0;
  return view;
}

void describe_arrays(const Frame& frame, thaw_frame_data& data) {
  data.positions = numbers_of<float>(frame.positions);
  data.uvs = numbers_of<float>(frame.uvs);
  data.colors = numbers_of<std::uint8_t>(frame.colors);
  data.normals = numbers_of<float>(frame.normals);
  data.tangents = numbers_of<float>(frame.tangents);
  data.indices = numbers_of<std::uint32_t>(frame.indices);
  data.matrices = numbers_of<float>(frame.matrices);
  data.position_count = length_of(frame.positions);
  data.uv_count = length_of(frame.uvs);
  data.color_count = length_of(frame.colors);
  data.normal_count = length_of(frame.normals);
  data.tangent_count = length_of(frame.tangents);
  data.index_count = length_of(frame.indices);
  data.matrix_count = length_of(frame.matrices);
}

const thaw_frame_data* describe(thaw_frame& handle) {
  const Frame& frame = handle.frame;
  thaw_frame_data& data = handle.data;
  data = {};
  data.size = sizeof(data);
  describe_arrays(frame, data);
  handle.draws.resize(frame.draws.size());
  std::transform(frame.draws.begin(), frame.draws.end(), handle.draws.begin(), draw_view);
  data.draws = numbers_of<thaw_draw>(handle.draws);
  data.draw_count = length_of(handle.draws);
  data.draw_stride = sizeof(thaw_draw);
  const frame::Illumination& light = frame.illumination;
  handle.lights.resize(light.lights.size());
  std::transform(light.lights.begin(), light.lights.end(), handle.lights.begin(), light_view);
  data.lights = numbers_of<thaw_light>(handle.lights);
  data.light_count = length_of(handle.lights);
  data.light_stride = sizeof(thaw_light);
  put(data.viewer, light.viewer);
  put(data.ambient, light.ambient);
  put(data.surroundings, light.surroundings);
  data.most = light.most;
  data.triangles = frame.triangles;
  data.particles = frame.particles;
  data.complete = frame.complete ? 1 : 0;
  put(data.view, frame.view);
  put(data.projection, frame.projection);
  data.fogged = frame.fog.enabled ? 1 : 0;
  put(data.fog_color, frame.fog.color);
  data.fog_start = frame.fog.start;
  data.fog_end = frame.fog.end;
  return &data;
}

/// A struct that the caller fills, with 0 for members that its program does not know.
template <class Struct>
Struct known(const Struct* given) {
  Struct all{};
  if (given != nullptr) {
    std::memcpy(&all, given, std::min(given->size, sizeof(Struct)));
  }
  return all;
}

/// Fills as much of a struct as its program knows.
template <class Struct>
void fill_known(Struct* target, Struct values) {
  values.size = std::min(target->size, sizeof(Struct));
  std::memcpy(target, &values, values.size);
}

frame::Camera camera_of(const thaw_viewpoint& from) {
  frame::Camera camera;
  std::copy_n(from.eye, 3, camera.eye.begin());
  std::copy_n(from.target, 3, camera.target.begin());
  std::copy_n(from.up, 3, camera.up.begin());
  camera.field_of_view = from.field_of_view;
  camera.height = from.height;
  camera.near_clip = from.near_clip;
  camera.far_clip = from.far_clip;
  camera.aspect = from.aspect;
  return camera;
}

thaw_viewpoint viewpoint_of(const frame::Camera& camera) {
  thaw_viewpoint view{};
  put(view.eye, camera.eye);
  put(view.target, camera.target);
  put(view.up, camera.up);
  view.field_of_view = camera.field_of_view;
  view.height = camera.height;
  view.near_clip = camera.near_clip;
  view.far_clip = camera.far_clip;
  view.aspect = camera.aspect;
  return view;
}

frame::Options options_of(const thaw_frame_request& request, std::size_t meshes) {
  frame::Options options;
  const auto shows = [&](std::uint32_t flag) { return (request.show & flag) != 0; };
  options.lighting = static_cast<frame::Lighting>(std::min(request.lighting, std::uint32_t{THAW_LIGHT_NONE}));
  options.surfaces = shows(THAW_SHOW_SURFACES);
  options.emitters = shows(THAW_SHOW_EMITTERS);
  options.attachments = shows(THAW_SHOW_ATTACHMENTS);
  options.wireframe = shows(THAW_SHOW_WIREFRAME);
  options.bones = shows(THAW_SHOW_BONES);
  options.collision = shows(THAW_SHOW_COLLISION);
  options.extents = shows(THAW_SHOW_EXTENTS);
  options.grid = shows(THAW_SHOW_GRID);
  options.at_rest = shows(THAW_SHOW_REST_MESHES);
  options.marked_node = request.marked_node;
  options.fog = {shows(THAW_SHOW_FOG),
                 {request.fog_color[0], request.fog_color[1], request.fog_color[2]},
                 request.fog_start,
                 request.fog_end};
  for (std::uint32_t i = 0; i < request.hidden_count; ++i) {
    if (request.hidden_meshes[i] < meshes) {
      options.hidden_meshes.resize(meshes);
      options.hidden_meshes[request.hidden_meshes[i]] = true;
    }
  }
  return options;
}

/// The last frame with its vertices.
const Frame& posed(thaw_frame& handle) {
  if (!handle.options.at_rest) {
    return handle.frame;
  }
  if (!handle.is_posed) {
    frame::Options options = handle.options;
    options.at_rest = false;
    handle.view.evaluator.evaluate(handle.moment, handle.camera, options, handle.posed);
    handle.is_posed = true;
  }
  return handle.posed;
}

}  // namespace
}  // namespace thaw::capi

thaw_view::thaw_view(thaw::scene::Scene opened, const thaw_document& document,
                     std::vector<thaw::frame::NamedModel> models)
    : scene(std::move(opened), document),
      evaluator(scene.scene, std::move(models)),
      rest(evaluator.rest_meshes()),
      images(scene.images) {
  std::transform(rest.begin(), rest.end(), std::back_inserter(rest_meshes), thaw::capi::rest_view);
  for (const thaw::Image* image :
       evaluator.images().subspan(std::min(images.size(), evaluator.images().size()))) {
    images.push_back({sizeof(thaw_pixels), "", "", image->rgba.data(), image->width, image->height, 0});
  }
}

#pragma GCC visibility push(default)
namespace thaw {
extern "C" {

thaw_view* thaw_document_view(const thaw_document* document, const thaw_request* request,
                              thaw_error** error) {
  return capi::give<thaw_view>(error, [&] {
    const thaw_request requested = capi::request_of(request);
    return capi::convert_options(*document, requested).and_then([&](const ConvertOptions& options) {
      const Sources sources = capi::sources_of(*document, requested);
      Diagnostics found;
      OpenSceneOptions drawn;
      auto opened = capi::open_to_draw(*document, sources, options, drawn, found);
      auto view = std::move(opened).map([&](OpenedScene whole) {
        auto models = models_within(whole.scene, sources, drawn);
        if (!models) {  // too large, for example: the scene is shown without them
          found.add(models.error());
        }
        return std::make_unique<thaw_view>(std::move(whole.scene), *document,
                                           models ? std::move(*models) : std::vector<frame::NamedModel>());
      });
      capi::hand_over(requested, found);
      return view;
    });
  });
}

void thaw_view_free(thaw_view* view) { delete view; }

const thaw_scene* thaw_view_scene(const thaw_view* view) { return &view->scene; }

const thaw_pixels* thaw_view_image(const thaw_view* view, size_t index) {
  return index < view->images.size() ? &view->images[index] : nullptr;
}

int thaw_view_frame_clip(const thaw_view* view, uint32_t clip, float azimuth, float elevation, float distance,
                         float aspect, thaw_viewpoint* from, thaw_error** error) {
  return capi::carry_out(error, [&]() -> Result<void> {
    frame::View side;
    side.azimuth = azimuth;
    side.elevation = elevation;
    side.distance = distance;
    capi::fill_known(
        from, capi::viewpoint_of(frame::auto_camera(view->evaluator, view->scene.scene, clip, side, aspect)));
    return {};
  });
}

int thaw_view_camera(const thaw_view* view, uint32_t camera, uint32_t clip, double time, float aspect,
                     thaw_viewpoint* from) {
  return capi::carry_out(nullptr, [&]() -> Result<void> {
    const auto found = frame::scene_camera(view->scene.scene, camera, {clip, time, 0}, aspect);
    if (!found) {
      return fail(codes::kSceneNoCamera, "");
    }
    capi::fill_known(from, capi::viewpoint_of(*found));
    return {};
  });
}

const thaw_rest_mesh* thaw_view_rest_mesh(const thaw_view* view, size_t index) {
  return index < view->rest_meshes.size() ? &view->rest_meshes[index] : nullptr;
}

const float* thaw_view_rest_uvs(const thaw_view* view, size_t mesh, size_t set) {
  return mesh < view->rest.size() && set < view->rest[mesh].uv_sets.size()
             ? capi::numbers_of<float>(view->rest[mesh].uv_sets[set])
             : nullptr;
}

thaw_frame* thaw_frame_new(const thaw_view* view, thaw_error** error) {
  return capi::give<thaw_frame>(
      error, [&]() -> Result<std::unique_ptr<thaw_frame>> { return std::make_unique<thaw_frame>(*view); });
}

const thaw_frame_data* thaw_frame_evaluate(thaw_frame* frame, const thaw_frame_request* request, double time,
                                           double clock, thaw_error** error) {
  const thaw_frame_data* data = nullptr;
  capi::carry_out(error, [&]() -> Result<void> {
    const thaw_frame_request requested = capi::known(request);
    if (requested.from == nullptr) {
      return fail(codes::kOptionValue, "thaw_frame_request: size is not set, or from is null");
    }
    frame->moment = {requested.clip, time, clock};
    frame->camera = capi::camera_of(capi::known(requested.from));
    frame->options = capi::options_of(requested, frame->view.scene.scene.meshes.size());
    frame->is_posed = false;
    frame->view.evaluator.evaluate(frame->moment, frame->camera, frame->options, frame->frame);
    data = capi::describe(*frame);
    return {};
  });
  return data;
}

int thaw_frame_pick(thaw_frame* frame, float x, float y, thaw_hit* hit) {
  bool is_hit = false;
  capi::carry_out(nullptr, [&]() -> Result<void> {
    const frame::Frame& posed = capi::posed(*frame);
    if (const auto found = frame::pick(posed, frame->view.evaluator.images(), x, y)) {
      const frame::Draw& draw = posed.draws[found->draw];
      const frame::HitPart part = frame::hit_part(frame->view.scene.scene, posed, *found);
      capi::fill_known(hit, {0, static_cast<std::uint32_t>(draw.origin), draw.object, draw.layer, part.part,
                             part.vertex, part.node});
      is_hit = true;
    }
    return {};
  });
  return is_hit ? 1 : 0;
}

thaw_image* thaw_frame_draw(thaw_frame* frame, uint32_t width, uint32_t height, uint32_t samples,
                            uint32_t background, thaw_error** error) {
  return capi::give<thaw_image>(error, [&]() -> Result<std::unique_ptr<thaw_image>> {
    constexpr std::uint32_t kLargest = 16384;
    if (width - 1 >= kLargest || height - 1 >= kLargest) {
      return fail(codes::kOptionValue, "width and height must be from 1 to 16384");
    }
    if (frame->textures == nullptr) {
      frame->textures = std::make_unique<raster::Textures>(frame->view.evaluator.images());
    }
    raster::Options options;
    options.width = width;
    options.height = height;
    options.samples = samples;
    for (unsigned i = 0; i < options.background.size(); ++i) {
      options.background.at(i) = static_cast<std::uint8_t>(background >> (8 * i) & 255U);
    }
    return std::make_unique<thaw_image>(raster::draw(capi::posed(*frame), *frame->textures, options).image);
  });
}

void thaw_frame_free(thaw_frame* frame) { delete frame; }

}  // extern "C"
}  // namespace thaw
#pragma GCC visibility pop
