#include <thaw/frame.hpp>

#include "capi/handles.hpp"

#include <algorithm>

namespace thaw::capi {
namespace {

std::uint32_t size_of(const auto& list) { return static_cast<std::uint32_t>(list.size()); }

/// The numbers of an array of vectors; NULL for an empty one.
template <class T>
const float* floats(const Array<T>& values) {
  return values.empty() ? nullptr : reinterpret_cast<const float*>(values.data());
}
template <class T>
const T* numbers(const Array<T>& values) {
  return values.empty() ? nullptr : values.data();
}

template <class List, class Make>
auto views(const List& list, Make&& make) {
  std::vector<decltype(make(list.front()))> result;
  result.reserve(list.size());
  for (const auto& one : list) {
    result.push_back(make(one));
  }
  return result;
}

template <class T>
const T* at(const std::vector<T>& list, std::size_t index) {
  return index < list.size() ? &list[index] : nullptr;
}

constexpr std::array kBlends = {"opaque", "mask", "blend", "additive", "add-alpha", "modulate", "modulate2x"};
constexpr std::array kTargets = {"node",  "mesh",   "layer",   "uvAnimation",
                                 "light", "camera", "emitter", "ribbon"};
constexpr std::array kModes = {"step", "linear", "cubic"};

/// Place of a mesh in a WMO as rules name group chunks, MOGP#2; of a liquid the chunk within. Empty if groups
/// are files of their own.
std::string place_in_building(const scene::Scene& scene, const scene::Mesh& mesh) {
  constexpr std::int64_t kFirstWithGroupFiles = 16;
  if (scene.extras["version"].integer().value_or(0) >= kFirstWithGroupFiles) {
    return "";
  }
  std::string_view below;
  for (scene::Index node = mesh.node; node < scene.nodes.size(); node = scene.nodes[node].parent) {
    const Value& extras = scene.nodes[node].extras;
    if (const auto group = extras["group"].integer()) {
      return (*group == 0 ? "MOGP" : "MOGP#" + std::to_string(*group + 1)).append(below);
    }
    below = extras.find("tiles") != nullptr ? ".MLIQ" : below;
  }
  return "";
}

/// Place of a mesh in its document, as findings name places; empty if it was made of several parts.
std::string place_of(std::string_view format, const scene::Scene& scene, const scene::Mesh& mesh) {
  if (format == "wmo") {
    return place_in_building(scene, mesh);
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kLists = {
      {{"mdx", "GEOS"}, {"mdl", "GEOS"}, {"dme", "meshes"}, {"m3", "MES3.VGEO.geosets"}}};
  const auto list =
      std::find_if(kLists.begin(), kLists.end(), [&](const auto& known) { return format == known.first; });
  if (list == kLists.end()) {
    return "";
  }
  // Of M3 not every geoset becomes a mesh.
  const auto number = mesh.extras["geoset"].integer().value_or(&mesh - scene.meshes.data());
  return std::string(list->second) + "[" + std::to_string(number) + "]";
}

/// Whether the scene moves while no clip plays. Placed models play clips of their own.
bool moves_by_itself(const scene::Scene& scene, bool is_placed) {
  const auto plays = [&](const scene::Clip& clip) {
    return clip.global || (is_placed && clip.duration > 0 && !clip.channels.empty());
  };
  return !scene.emitters.empty() || !scene.ribbons.empty() || !scene.splats.empty() ||
         std::any_of(scene.clips.begin(), scene.clips.end(), plays) ||
         std::any_of(scene.models.begin(), scene.models.end(),
                     [](const auto& model) { return model != nullptr && moves_by_itself(*model, true); });
}

template <std::size_t N, class Choice>
const char* word_of(const std::array<const char*, N>& words, Choice choice) {
  return words.at(static_cast<std::size_t>(choice));
}

class Viewer {
 public:
  Viewer(thaw_scene& seen, std::string_view format) : seen_(seen), scene_(seen.scene), format_(format) {}

  void run() {
    seen_.nodes = views(scene_.nodes, [&](const scene::Node& node) { return view(node); });
    std::size_t parts = 0;
    for (const auto& mesh : scene_.meshes) {
      parts += mesh.parts.size();
    }
    seen_.parts.reserve(parts);
    seen_.meshes = views(scene_.meshes, [&](const scene::Mesh& mesh) { return view(mesh); });
    seen_.skins = views(scene_.skins, [](const scene::Skin& skin) {
      return thaw_skin{sizeof(thaw_skin), skin.joints.data(),
                       reinterpret_cast<const float*>(skin.inverse_bind.data()), size_of(skin.joints)};
    });
    seen_.layers = views(scene_.materials, [](const scene::Material& material) {
      return views(material.layers, [](const scene::Layer& layer) { return view(layer); });
    });
    seen_.textures = views(scene_.textures, [](const scene::Texture& texture) {
      return thaw_texture{sizeof(thaw_texture), texture.path.c_str(),   texture.replaceable_id,
                          texture.image,        texture.wrap_u ? 1 : 0, texture.wrap_v ? 1 : 0};
    });
    seen_.images = views(scene_.images, [](const scene::NamedImage& image) {
      return thaw_pixels{sizeof(thaw_pixels),      image.name.c_str(), image.source.c_str(),
                         image.image.rgba.data(),  image.image.width,  image.image.height,
                         image.placeholder ? 1 : 0};
    });
    seen_.clips = views(scene_.clips, [](const scene::Clip& clip) {
      return thaw_clip{sizeof(thaw_clip),      clip.name.c_str(),    clip.duration,
                       size_of(clip.channels), clip.looping ? 1 : 0, clip.global ? 1 : 0};
    });
    seen_.channels = views(scene_.clips, [&](const scene::Clip& clip) {
      return views(clip.channels, [&](const scene::Channel& channel) { return view(channel); });
    });
    seen_.cameras = views(scene_.cameras, [](const scene::Camera& camera) {
      return thaw_camera{sizeof(thaw_camera),  camera.name.c_str(), camera.node,    camera.target_node,
                         camera.field_of_view, camera.near_clip,    camera.far_clip};
    });
    describe_whole();
  }

 private:
  const char* word(std::string_view text) {
    const auto found = std::find(seen_.words.begin(), seen_.words.end(), text);
    return found != seen_.words.end() ? found->c_str() : seen_.words.emplace_back(text).c_str();
  }

  thaw_node view(const scene::Node& node) {
    thaw_node result{};
    result.size = sizeof(result);
    result.name = node.name.c_str();
    result.kind = word(scene::node_kind_name(node.kind));
    result.parent = node.parent;
    std::copy(node.rest.translation.begin(), node.rest.translation.end(), result.translation);
    std::copy(node.rest.rotation.begin(), node.rest.rotation.end(), result.rotation);
    std::copy(node.rest.scale.begin(), node.rest.scale.end(), result.scale);
    return result;
  }

  thaw_mesh view(const scene::Mesh& mesh) {
    thaw_mesh result{};
    result.size = sizeof(result);
    result.name = mesh.name.c_str();
    result.positions = floats(mesh.positions);
    result.normals = floats(mesh.normals);
    result.tangents = floats(mesh.tangents);
    result.colors = floats(mesh.colors);
    result.joints = numbers(mesh.joints);
    result.weights = numbers(mesh.weights);
    result.indices = numbers(mesh.indices);
    result.parts = seen_.parts.data() + seen_.parts.size();
    for (const scene::MeshPart& part : mesh.parts) {
      seen_.parts.push_back({part.first_index, part.index_count, part.material});
    }
    result.vertices = size_of(mesh.positions);
    result.index_count = size_of(mesh.indices);
    result.part_count = size_of(mesh.parts);
    result.influences = mesh.influences;
    result.normal_count = size_of(mesh.normals);
    result.uv_sets = size_of(mesh.uv_sets);
    result.morph_targets = size_of(mesh.morph_targets);
    result.skin = mesh.skin;
    result.node = mesh.node;
    std::copy(mesh.color.begin(), mesh.color.end(), result.color);
    result.alpha = mesh.alpha;
    result.place = seen_.places.emplace_back(place_of(format_, scene_, mesh)).c_str();
    return result;
  }

  static thaw_layer view(const scene::Layer& layer) {
    return {sizeof(thaw_layer),
            word_of(kBlends, layer.blend),
            layer.texture,
            layer.uv_set,
            layer.alpha,
            layer.unshaded ? 1 : 0,
            layer.two_sided ? 1 : 0,
            layer.physically_based ? 1 : 0};
  }

  thaw_channel view(const scene::Channel& channel) {
    const scene::Curve& curve = channel.curve;
    return {sizeof(thaw_channel),
            word(scene::property_name(channel.property)),
            word_of(kTargets, channel.target.kind),
            word_of(kModes, curve.mode),
            numbers(curve.times),
            numbers(curve.values),
            size_of(curve.times),
            curve.components,
            channel.target.index,
            channel.target.sub};
  }

  void describe_whole() {
    thaw_scene_info& about = seen_.about;
    about.size = sizeof(about);
    about.name = scene_.name.c_str();
    about.nodes = size_of(scene_.nodes);
    about.meshes = size_of(scene_.meshes);
    about.skins = size_of(scene_.skins);
    about.materials = size_of(scene_.materials);
    about.textures = size_of(scene_.textures);
    about.images = size_of(scene_.images);
    about.clips = size_of(scene_.clips);
    about.cameras = size_of(scene_.cameras);
    std::copy(scene_.bounds.minimum.begin(), scene_.bounds.minimum.end(), about.minimum);
    std::copy(scene_.bounds.maximum.begin(), scene_.bounds.maximum.end(), about.maximum);
    about.radius = scene_.bounds.radius;
    about.emitters = size_of(scene_.emitters);
    about.ribbons = size_of(scene_.ribbons);
    about.object_sets = size_of(scene_.object_sets);
  }

  thaw_scene& seen_;
  const scene::Scene& scene_;
  std::string_view format_;
};

}  // namespace
}  // namespace thaw::capi

thaw_scene::thaw_scene(thaw::scene::Scene opened, const thaw_document& document)
    : scene(std::move(opened)),
      stem(thaw::normalize_game_path(document.file_name.substr(0, document.file_name.find('.')))) {
  thaw::capi::Viewer(*this, document.format.id).run();
}

#pragma GCC visibility push(default)
namespace thaw {
extern "C" {

thaw_scene* thaw_document_scene(const thaw_document* document, const thaw_request* request,
                                thaw_error** error) {
  return capi::give<thaw_scene>(error, [&] {
    const thaw_request requested = capi::request_of(request);
    return capi::convert_options(*document, requested).and_then([&](const ConvertOptions& options) {
      OpenSceneOptions scene_options = options.scene;
      scene_options.longest_side = options.texture.longest_side;
      Diagnostics found;
      auto opened =
          open_scene(document->document, capi::sources_of(*document, requested), scene_options, found);
      capi::hand_over(requested, found);
      return std::move(opened).map(
          [&](OpenedScene whole) { return std::make_unique<thaw_scene>(std::move(whole.scene), *document); });
    });
  });
}

void thaw_scene_free(thaw_scene* scene) { delete scene; }

const thaw_scene_info* thaw_scene_about(const thaw_scene* scene) { return &scene->about; }

const thaw_node* thaw_scene_node(const thaw_scene* scene, size_t index) {
  return capi::at(scene->nodes, index);
}

const thaw_mesh* thaw_scene_mesh(const thaw_scene* scene, size_t index) {
  return capi::at(scene->meshes, index);
}

const float* thaw_scene_uvs(const thaw_scene* scene, size_t mesh, size_t set) {
  const auto& meshes = scene->scene.meshes;
  return mesh < meshes.size() && set < meshes[mesh].uv_sets.size() ? capi::floats(meshes[mesh].uv_sets[set])
                                                                   : nullptr;
}

const float* thaw_scene_morph(const thaw_scene* scene, size_t mesh, size_t target, const char** name) {
  const auto& meshes = scene->scene.meshes;
  if (mesh >= meshes.size() || target >= meshes[mesh].morph_targets.size()) {
    return nullptr;
  }
  const auto& morph = meshes[mesh].morph_targets[target];
  if (name != nullptr) {
    *name = morph.name.c_str();
  }
  return capi::floats(morph.positions);
}

const thaw_skin* thaw_scene_skin(const thaw_scene* scene, size_t index) {
  return capi::at(scene->skins, index);
}

size_t thaw_scene_layers(const thaw_scene* scene, size_t material) {
  return material < scene->layers.size() ? scene->layers[material].size() : 0;
}

const thaw_layer* thaw_scene_layer(const thaw_scene* scene, size_t material, size_t layer) {
  return material < scene->layers.size() ? capi::at(scene->layers[material], layer) : nullptr;
}

const thaw_texture* thaw_scene_texture(const thaw_scene* scene, size_t index) {
  return capi::at(scene->textures, index);
}

const thaw_pixels* thaw_scene_image(const thaw_scene* scene, size_t index) {
  return capi::at(scene->images, index);
}

const thaw_clip* thaw_scene_clip(const thaw_scene* scene, size_t index) {
  return capi::at(scene->clips, index);
}

const thaw_channel* thaw_scene_channel(const thaw_scene* scene, size_t clip, size_t channel) {
  return clip < scene->channels.size() ? capi::at(scene->channels[clip], channel) : nullptr;
}

const thaw_camera* thaw_scene_camera(const thaw_scene* scene, size_t index) {
  return capi::at(scene->cameras, index);
}

const char* thaw_scene_material_name(const thaw_scene* scene, size_t material) {
  const auto& materials = scene->scene.materials;
  return material < materials.size() ? materials[material].name.c_str() : nullptr;
}

const char* thaw_scene_object_set(const thaw_scene* scene, size_t index) {
  const auto& sets = scene->scene.object_sets;
  return index < sets.size() ? sets[index].name.c_str() : nullptr;
}

uint32_t thaw_scene_emitter(const thaw_scene* scene, size_t index) {
  const auto& emitters = scene->scene.emitters;
  return index < emitters.size() ? emitters[index].node : THAW_NONE;
}

uint32_t thaw_scene_ribbon(const thaw_scene* scene, size_t index) {
  const auto& ribbons = scene->scene.ribbons;
  return index < ribbons.size() ? ribbons[index].node : THAW_NONE;
}

uint32_t thaw_scene_default_clip(const thaw_scene* scene) {
  try {
    return frame::default_clip(scene->scene, scene->stem);
  } catch (...) {
    return THAW_NONE;  // no memory to look into the clips
  }
}

uint32_t thaw_scene_portrait(const thaw_scene* scene, int* is_portrait) {
  if (is_portrait != nullptr) {
    *is_portrait = frame::is_portrait(scene->scene, scene->stem) ? 1 : 0;
  }
  return frame::portrait_camera(scene->scene).value_or(THAW_NONE);
}

int thaw_scene_moves(const thaw_scene* scene) { return capi::moves_by_itself(scene->scene, false) ? 1 : 0; }

}  // extern "C"
}  // namespace thaw
#pragma GCC visibility pop
