// Reading of extras.thaw back into the fields of a scene.
#include "bytes/text.hpp"
#include "gltf/channels.hpp"
#include "gltf/extras_description.hpp"
#include "gltf/part_source.hpp"
#include "gltf/scene_reader.hpp"
#include "gltf/superseded.hpp"
#include "gltf/surface.hpp"
#include "scene/curve.hpp"
#include "scene/math.hpp"

#include <thaw/codes.hpp>
#include <thaw/image.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace thaw::gltf {
namespace {

using scene::Index;
using scene::kNone;

/// Where the items of a list went, by the numbers that they had in the scene that was written.
using Places = std::map<Index, Index>;

Index place_of(const Places& places, Index number) {
  const auto found = places.find(number);
  return found == places.end() ? kNone : found->second;
}

/// What a property belongs to.
Target::Kind kind_of(Property property) {
  using Kind = Target::Kind;
  constexpr std::array kLast = {
      std::pair{Property::visibility, Kind::node},
      std::pair{Property::mesh_alpha, Kind::mesh},
      std::pair{Property::layer_fresnel_team_color, Kind::layer},
      std::pair{Property::uv_scale, Kind::uv_animation},
      std::pair{Property::light_attenuation_end, Kind::light},
      std::pair{Property::camera_roll, Kind::camera},
      std::pair{Property::emitter_color, Kind::emitter},
  };
  const auto* found =
      std::find_if(kLast.begin(), kLast.end(), [&](const auto& entry) { return property <= entry.first; });
  return found == kLast.end() ? Kind::ribbon : found->second;
}

/// One of the numbers of each key, stepped.
scene::Curve column_of(const scene::Curve& curve, std::size_t column) {
  scene::Curve result;
  result.mode = scene::CurveMode::step;
  result.times = curve.times;
  const bool cubic = curve.mode == scene::CurveMode::cubic;
  const std::size_t per_key = std::size_t{curve.components} * (cubic ? 3 : 1);
  for (std::size_t key = 0; key < curve.times.size(); ++key) {
    result.values.push_back(curve.values[key * per_key + (cubic ? curve.components : 0) + column]);
  }
  return result;
}

Surface written_surface(const Value& extras) {
  Surface surface;
  FieldReader fields(extras["surface"]);
  describe(fields, surface);
  return surface;
}

bool changed(float now, float written) {
  constexpr float kRounding = 2e-3F;  // programs turn colours back and forth
  return std::abs(now - written) > kRounding;
}

/// Whether the file has all that the writer kept, and is as it was written.
bool is_whole(const Value& stated) {
  return !stated.is_null() && stated["options"].find("extras") == nullptr;
}

class ExtrasReader {
 public:
  ExtrasReader(Input& input, const std::vector<Index>& node_of, const Value& extras, scene::Scene& scene)
      : input_(input),
        node_of_(node_of),
        extras_(extras),
        whole_(is_whole(thaw_extras(member(&input.json(), "asset")))),
        scene_(scene) {
    find_numbers();
  }

  /// How many textures that something shows have neither a picture here nor a name that the game knows.
  std::size_t read() {
    read_scene();
    read_materials();
    if (input_.keeps_materials()) {
      restore_materials();
      restore_meshes();
    }
    read_nodes();
    read_clips();
    if (input_.keeps_materials()) {
      restore_switches();
      if (!input_.keeps_names(scene_.source_format)) {
        return take_pictures();
      }
      drop_superseded(scene_, input_.count("materials"), input_.count("images"));
    }
    return 0;
  }

 private:
  template <class T>
  using Numbered = std::vector<std::pair<Index, T>>;

  /// Takes the room for something that stands in few bytes.
  template <class T>
  [[nodiscard]] bool has_room(std::size_t count = 1) {
    constexpr std::size_t kBytes = sizeof(T);
    return input_.spend(count * (kBytes / sizeof(double) + 1)).has_value();
  }

  void find_numbers();
  void read_scene();
  void read_materials();
  void restore_materials();
  [[nodiscard]] Surface surface_of(Index source) const;
  [[nodiscard]] Index further_texture(Index picture);
  void take_edits(Index source, const Value& extras, scene::Material& material);
  void keep_picture(Index texture, Index picture, std::string_view shown);
  [[nodiscard]] std::size_t take_pictures();
  void take_pictures(Index source, scene::Material& material, std::vector<bool>& baked);
  void take_picture(const Value* use, Index& texture);
  [[nodiscard]] bool is_missing(Index texture) const;
  void drop_layers(Index material, const std::vector<bool>& dropped);
  void restore_meshes();
  void recolor(scene::Mesh& mesh, Index source) const;
  void restore_parts(scene::Mesh& mesh);
  void restore_hiding(Index number);
  void restore_switches();
  [[nodiscard]] static std::size_t size_of(const scene::Material& material);
  void read_nodes();
  void read_node(const Value& extras, Index source);
  void read_lists(const Value& extras, Index node);
  template <class T>
  void read_list(const Value& extras, std::string_view key, Index node, Numbered<T>& list);
  template <class T>
  static Places settle(Numbered<T>& list, std::vector<T>& to);
  void settle_lists();
  void read_clips();
  void read_clip(const Value& extras, scene::Clip& clip);
  void restore_name(scene::Clip& clip) const;
  void take_shown(const Value& extras, scene::Clip& clip, Index number);
  void take_events(const Value& extras, scene::Clip& clip);
  void read_channels(const Value& extras, scene::Clip& clip);
  [[nodiscard]] std::optional<scene::Channel> read_channel(const Value& extras);
  [[nodiscard]] bool find_target(Target& target) const;

  // What emitters and ribbons show comes with them.
  [[nodiscard]] Index texture(Index number);
  [[nodiscard]] Index material(Index number);
  [[nodiscard]] Index uv_animation(Index number);

  /// Of a number in the scene that was written: a file that nothing has changed since still has them, and
  /// nodes may state theirs.
  [[nodiscard]] Index node_at(Index number) const {
    return !numbers_.empty()                    ? place_of(numbers_, number)
           : whole_ && number < node_of_.size() ? node_of_[number]
                                                : kNone;
  }
  /// Whether extras of clips can be assigned to what they belong to.
  [[nodiscard]] bool has_places() const { return whole_ || !numbers_.empty(); }
  [[nodiscard]] bool moves_as_written(Index node, Index number) const;
  [[nodiscard]] bool as_written(Index clip, std::string_view kind, Index number,
                                const scene::Curve& states) const;

  Input& input_;
  const std::vector<Index>& node_of_;
  const Value& extras_;                           ///< of the scene
  bool whole_;                                    ///< the file is as it was written
  Places numbers_;                                ///< nodes by the numbers that they state
  std::map<Index, std::vector<Index>> shown_by_;  ///< materials of the file, by the one that was written
  Places further_;                                ///< textures, by the picture that somebody put in
  std::set<Index> pictured_;                      ///< textures whose picture is among the scene's
  std::set<Index> moved_;                         ///< nodes that clips move otherwise than they were written
  scene::Scene& scene_;
  Numbered<scene::Light> lights_;
  Numbered<scene::Camera> cameras_;
  Numbered<scene::Attachment> attachments_;
  Numbered<scene::Event> events_;
  Numbered<scene::CollisionShape> shapes_;
  Numbered<scene::Emitter> emitters_;
  Numbered<scene::Ribbon> ribbons_;
  Places event_places_;
  Places light_places_, camera_places_, emitter_places_, ribbon_places_;
  Places texture_places_, material_places_, uv_places_, clip_places_, mesh_places_;
};

/// Of copies the first counts.
void ExtrasReader::find_numbers() {
  for (Index source = 0; source < node_of_.size(); ++source) {
    const Index number = index(&thaw_extras(input_.item("nodes", source)), "node");
    if (number != kNone && node_of_[source] != kNone) {
      numbers_.emplace(number, node_of_[source]);
    }
  }
}

/// Whether a clip still shows and hides something when it did (ClipWriter::shown). Editors move keys by what
/// floats lose.
bool ExtrasReader::as_written(Index clip, std::string_view kind, Index number,
                              const scene::Curve& states) const {
  for (const Value& entry : thaw_extras(input_.item("animations", clip))["shown"].list()) {
    if (index(&entry, kind) != number) {
      continue;
    }
    const auto& times = entry["times"].list();
    std::size_t at = 0;
    for (std::size_t key = 0; key < states.times.size(); ++key) {
      const bool again = key > 0 && states.values[key] == states.values[key - 1];
      if (again) {
        continue;  // holds what was
      }
      constexpr double kTick = 1.5e-3;
      const bool same = at < times.size() &&
                        std::abs(times[at].number().value_or(-1) - double{states.times[key]}) <= kTick &&
                        entry["states"][at].number() == double{states.values[key]};
      if (!same) {
        return false;
      }
      ++at;
    }
    return at == times.size();
  }
  return false;
}

/// Whether no clip moves a node otherwise than it was written (ClipWriter::baked).
bool ExtrasReader::moves_as_written(Index node, Index number) const {
  const double rounding = whole_ ? 1e-7 : 1e-4;  // what came through an editor lost more
  for (Index clip = 0; clip < scene_.clips.size(); ++clip) {
    for (const Value& entry : thaw_extras(input_.item("animations", clip))["baked"].list()) {
      for (const auto& move : kMoves) {
        const auto& channels = scene_.clips[clip].channels;
        const auto channel = std::find_if(channels.begin(), channels.end(), [&](const scene::Channel& other) {
          return other.property == move.second && other.target == Target{Target::Kind::node, node, 0};
        });
        const double stated = entry[move.first].number().value_or(0);
        const double found = channel == channels.end() ? 0 : fingerprint(channel->curve);
        if (index(&entry, "node") == number && std::abs(found - stated) > rounding * (1 + stated)) {
          return false;
        }
      }
    }
  }
  return true;
}

void ExtrasReader::read_scene() {
  const Value& stated = thaw_extras(member(&input_.json(), "asset"));
  const std::string& format = (stated.is_null() ? extras_["file"] : stated)["format"].text();
  FieldReader(extras_).field("name", scene_.name);
  if (!extras_.is_null() && !format.empty()) {
    scene_.source_format = format;  // it decides what replaceable pictures are
  }
  FieldReader(extras_).group("bounds", [&](FieldReader& in) { describe(in, scene_.bounds); });
  FieldReader fields(extras_);
  describe_source(fields, scene_);
}

/// What a copy takes, in numbers.
std::size_t ExtrasReader::size_of(const scene::Material& material) {
  std::size_t size = 1;
  if (material.shader) {
    size += 2 * (material.shader->samplers.size() + material.shader->unknown_data.size());
    for (const auto& uniform : material.shader->uniforms) {
      const auto* floats = std::get_if<std::vector<float>>(&uniform.value);
      size += sizeof uniform / sizeof(double) + (floats == nullptr ? 0 : floats->size());
    }
  }
  return size;
}

/// A material of glTF draws some layers of one that was written.
void ExtrasReader::read_materials() {
  std::map<Index, scene::Material> known;
  for (Index i = 0; i < input_.count("materials"); ++i) {
    const Index number = index(&thaw_extras(input_.item("materials", i)), "material");
    const auto& all = extras_["materials"].list();
    if (number >= all.size()) {
      continue;
    }
    shown_by_[number].push_back(i);
    const auto [entry, fresh] = known.try_emplace(number);
    if (fresh && has_room<scene::Layer>(all[number]["layers"].list().size())) {
      FieldReader fields(all[number]);
      describe(fields, entry->second);
    }
    if (input_.spend(size_of(entry->second))) {
      scene_.materials[i].draw_order = entry->second.draw_order;
      scene_.materials[i].shader = entry->second.shader;
    }
  }
}

/// Of a material of glTF as it is.
Surface ExtrasReader::surface_of(Index source) const {
  const Value* stated = input_.item("materials", source);
  const Value* base = member(stated, "pbrMetallicRoughness");
  Surface surface;
  if (const std::string& mode = text(stated, "alphaMode"); !mode.empty()) {
    surface.mode = mode;
  }
  surface.two_sided = scene_.materials[source].layers.front().two_sided;
  surface.unlit = scene_.materials[source].layers.front().unshaded;
  numbers(base, "baseColorFactor", surface.color);
  const Value* picture = input_.item("textures", index(member(base, "baseColorTexture"), "index"));
  surface.picture = without_extension(text(input_.item("images", image_of(picture)), "name"));
  return surface;
}

/// A picture of the file after all that were written, whose numbers stay.
Index ExtrasReader::further_texture(Index picture) {
  const auto [entry, fresh] = further_.try_emplace(picture, kNone);
  if (fresh && picture < scene_.textures.size() && has_room<scene::Texture>()) {
    entry->second = static_cast<Index>(scene_.textures.size());
    scene_.textures.emplace_back(scene_.textures[picture]);
  }
  return entry->second;
}

/// What somebody changed of a surface that was written is changed in the layer that it shows.
void ExtrasReader::take_edits(Index source, const Value& extras, scene::Material& material) {
  const Index first = index_of(extras["layers"][0]);
  if (first >= material.layers.size() || extras.find("surface") == nullptr) {
    return;
  }
  const Surface written = written_surface(extras);
  const Surface now = surface_of(source);
  const scene::Layer& edited = scene_.materials[source].layers.front();
  scene::Layer& layer = material.layers[first];
  if (now.mode != written.mode) {
    layer.blend = edited.blend;
  }
  if (now.picture != written.picture) {
    layer.texture = further_texture(edited.texture);
  } else {
    keep_picture(layer.texture, edited.texture, now.picture);
  }
  for (const Value& number : extras["layers"].list()) {
    if (const Index at = index_of(number); at < material.layers.size()) {
      scene::Layer& drawn = material.layers[at];
      drawn.two_sided = now.two_sided == written.two_sided ? drawn.two_sided : now.two_sided;
      drawn.unshaded = now.unlit == written.unlit ? drawn.unshaded : now.unlit;
    }
  }
  if (changed(now.color[3], written.color[3]) && now.mode == "BLEND") {
    layer.alpha = written.color[3] > 0 ? layer.alpha * now.color[3] / written.color[3] : now.color[3];
  }
}

/// A texture that the game knows by its path stays that. Its picture comes after all others under the same
/// path, shown by nothing, so that whoever writes the model can write the file, too. Pictures that were made
/// of several textures are none's own; a glow has its brightness in its alpha.
void ExtrasReader::keep_picture(Index texture, Index picture, std::string_view shown) {
  const auto& all = scene_.textures;
  const bool glow = shown.ends_with(" glow");
  const bool single =
      glow || !(shown.ends_with(" baked") || shown.ends_with(" light") || shown.ends_with(" filter") ||
                shown.ends_with(" normals") || shown.ends_with(" team"));
  if (!single || texture >= all.size() || picture >= all.size() || all[texture].path.empty() ||
      all[texture].content != nullptr || all[picture].content == nullptr || is_missing(texture) ||
      !has_room<scene::Texture>() || !pictured_.insert(texture).second) {
    return;
  }
  scene::Texture copy = all[texture];
  copy.content = all[picture].content;
  if (glow) {
    auto image = decode_texture(*copy.content, {});
    if (!image) {
      return;
    }
    for (std::size_t at = 0; at + 3 < image->rgba.size(); at += 4) {
      for (std::size_t i = 0; i < 3; ++i) {
        image->rgba[at + i] = static_cast<std::uint8_t>(image->rgba[at + i] * image->rgba[at + 3] / 255);
      }
      image->rgba[at + 3] = 255;
    }
    copy.content = nullptr;
    copy.image = static_cast<Index>(scene_.images.size());
    scene_.images.push_back({copy.path + "#" + std::to_string(copy.image), copy.path, std::move(*image)});
  }
  scene_.textures.push_back(std::move(copy));
}

/// Whether the picture was not found when the file was made, and is a grey one there.
bool ExtrasReader::is_missing(Index texture) const {
  const auto known = std::find_if(texture_places_.begin(), texture_places_.end(),
                                  [&](const auto& entry) { return entry.second == texture; });
  return texture != kNone && known != texture_places_.end() &&
         extras_["textures"][known->first]["placeholder"] == Value(true);
}

void ExtrasReader::take_picture(const Value* use, Index& texture) {
  const Index picture = image_of(input_.item("textures", index(use, "index")));
  if (picture < input_.count("images") && !is_missing(texture)) {
    texture = further_texture(picture);
  }
}

/// What a material of the file shows of the one that it was made of; `baked` layers are in the picture of
/// another.
void ExtrasReader::take_pictures(Index source, scene::Material& material, std::vector<bool>& baked) {
  const Value* stated = input_.item("materials", source);
  const auto& shown = thaw_extras(stated)["layers"].list();
  const bool known = std::all_of(shown.begin(), shown.end(), [&](const Value& number) {
    return index_of(number) < material.layers.size();
  });
  if (shown.empty() || !known) {
    return;
  }
  const Value* base = member(stated, "pbrMetallicRoughness");
  scene::Layer& layer = material.layers[index_of(shown.front())];
  take_picture(member(base, "baseColorTexture"), layer.texture);
  const Value* light = member(stated, "emissiveTexture");
  if (layer.physically_based) {
    take_picture(member(stated, "normalTexture"), layer.normal);
    take_picture(member(base, "metallicRoughnessTexture"), layer.orm);
    take_picture(light, layer.emissive);
    light = nullptr;
  } else if (layer.blend == scene::BlendMode::additive) {
    layer.blend = scene::BlendMode::add_alpha;  // its brightness is in the picture's alpha
  } else if (layer.blend == scene::BlendMode::modulate || layer.blend == scene::BlendMode::modulate2x) {
    layer.blend = scene::BlendMode::blend;  // of a picture that was made for it
  }
  const std::size_t lights = light != nullptr && shown.size() > 1 ? 1 : 0;
  if (lights > 0) {
    take_picture(light, material.layers[index_of(shown.back())].texture);
  }
  for (std::size_t i = 1; i + lights < shown.size(); ++i) {
    baked[index_of(shown[i])] = true;
  }
}

void ExtrasReader::drop_layers(Index material, const std::vector<bool>& dropped) {
  const auto before = [&](Index layer) {
    return static_cast<Index>(
        std::count(dropped.begin(), dropped.begin() + static_cast<std::ptrdiff_t>(layer), true));
  };
  const auto is_of = [&](const scene::Channel& channel) {
    return channel.target.kind == Target::Kind::layer && channel.target.index == material;
  };
  for (auto& clip : scene_.clips) {
    auto& channels = clip.channels;
    channels.erase(
        std::remove_if(channels.begin(), channels.end(),
                       [&](const auto& channel) { return is_of(channel) && dropped[channel.target.sub]; }),
        channels.end());
    for (auto& channel : channels) {
      channel.target.sub -= is_of(channel) ? before(channel.target.sub) : 0;
    }
  }
  auto& layers = scene_.materials[material].layers;
  for (std::size_t i = layers.size(); i-- > 0;) {
    if (dropped[i]) {
      layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

/// For a game that does not have the files which the textures are named after.
std::size_t ExtrasReader::take_pictures() {
  for (const auto& [number, place] : material_places_) {
    std::vector<bool> baked(scene_.materials[place].layers.size());
    for (const Index source : shown_by_[number]) {
      take_pictures(source, scene_.materials[place], baked);
    }
    drop_layers(place, baked);
  }
  drop_superseded(scene_, input_.count("materials"), scene_.textures.size());
  return static_cast<std::size_t>(std::count_if(
      scene_.textures.begin(), scene_.textures.end(),
      [](const scene::Texture& texture) { return texture.content == nullptr && texture.image == kNone; }));
}

/// All that the file keeps, used or not, in their order.
void ExtrasReader::restore_materials() {
  for (Index i = 0; i < extras_["textures"].list().size(); ++i) {
    static_cast<void>(texture(i));
  }
  for (Index i = 0; i < extras_["uvAnimations"].list().size(); ++i) {
    static_cast<void>(uv_animation(i));
  }
  for (Index i = 0; i < extras_["materials"].list().size(); ++i) {
    static_cast<void>(material(i));
  }
}

void ExtrasReader::restore_meshes() {
  for (Index i = 0; i < scene_.meshes.size(); ++i) {
    scene::Mesh& mesh = scene_.meshes[i];
    const Index shown = mesh.parts.empty() ? kNone : mesh.parts.front().material;
    restore_parts(mesh);
    if (!mesh.source.stated) {
      continue;
    }
    if (mesh.source.number != kNone) {
      mesh_places_.emplace(mesh.source.number, i);
    }
    recolor(mesh, shown);
    restore_hiding(i);
  }
}

/// What somebody changed of the colour of a surface changes that of its mesh.
void ExtrasReader::recolor(scene::Mesh& mesh, Index source) const {
  const Value& extras = thaw_extras(input_.item("materials", source));
  if (extras.find("surface") == nullptr) {
    return;
  }
  const Surface written = written_surface(extras);
  const Surface now = surface_of(source);
  for (std::size_t i = 0; i < mesh.color.size(); ++i) {
    const double before = written.color.at(i);
    if (changed(now.color.at(i), written.color.at(i))) {
      const double base = before > 0 ? scene::srgb_to_linear(double{mesh.color.at(i)}) / before : 1;
      mesh.color.at(i) =
          scene::to_float(scene::linear_to_srgb(std::clamp(base * double{now.color.at(i)}, 0.0, 1.0)));
    }
  }
}

/// Several passes over one surface were parts of their own; the first of them stands for all.
void ExtrasReader::restore_parts(scene::Mesh& mesh) {
  std::map<Index, const Value*> first_pass;
  std::vector<scene::MeshPart> parts;
  Array<std::uint32_t> indices;
  for (const auto& part : mesh.parts) {
    const Value& extras = thaw_extras(input_.item("materials", part.material));
    const Index number = index(&extras, "material");
    const Index restored = number == kNone ? kNone : material(number);
    scene::MeshPart next = part;
    if (restored != kNone) {
      next.material = restored;
      const auto [known, fresh] = first_pass.try_emplace(number, &extras["layers"]);
      if (!fresh && !(*known->second == extras["layers"])) {
        continue;
      }
    }
    next.first_index = static_cast<Index>(indices.size());
    const std::uint32_t* from = mesh.indices.data() + part.first_index;
    indices.insert(indices.end(), from, from + part.index_count);
    parts.push_back(next);
  }
  mesh.parts = std::move(parts);
  mesh.indices = std::move(indices);
}

/// Skinned meshes are hidden by a morph target; where the file was changed since, it says when.
void ExtrasReader::restore_hiding(Index number) {
  scene::Mesh& mesh = scene_.meshes[number];
  auto& targets = mesh.morph_targets;
  const auto found = std::find_if(targets.begin(), targets.end(),
                                  [](const scene::MorphTarget& target) { return target.name == "hidden"; });
  if (found == targets.end()) {
    return;
  }
  const auto at = static_cast<std::size_t>(found - targets.begin());
  const std::size_t count = targets.size();
  targets.erase(found);
  const bool shown_by_curve = !whole_;
  const Index stated = mesh.source.number;
  for (Index i = 0; i < scene_.clips.size(); ++i) {
    auto& clip = scene_.clips[i];
    for (auto channel = clip.channels.begin(); channel != clip.channels.end();) {
      const bool hides = channel->property == Property::weights && channel->target.index == number &&
                         channel->curve.components == count;
      if (!hides || (count == 1 && !shown_by_curve)) {
        channel = hides ? clip.channels.erase(channel) : channel + 1;
        continue;
      }
      const scene::Curve weights = std::move(channel->curve);
      channel->curve = column_of(weights, at);
      if (shown_by_curve) {
        channel->property = Property::mesh_alpha;
        for (float& value : channel->curve.values) {
          value = value > 0.5F ? 0.0F : 1.0F;
        }
        if (count == 1 && as_written(i, "mesh", stated, channel->curve)) {
          channel = clip.channels.erase(channel);  // what is kept says it exactly
          continue;
        }
      }
      ++channel;
    }
  }
}

/// Nodes with a visibility of their own got a child that is scaled to nothing.
void ExtrasReader::restore_switches() {
  std::vector<Index> hides(scene_.nodes.size(), kNone);
  for (Index i = 0; i < scene_.nodes.size(); ++i) {
    const scene::Node& node = scene_.nodes[i];
    if (node.source.switches_parent && node.parent < i) {
      hides[i] = node.parent;
    }
  }
  for (Index i = 0; i < scene_.clips.size(); ++i) {
    auto& clip = scene_.clips[i];
    for (auto channel = clip.channels.begin(); channel != clip.channels.end();) {
      const bool of_switch =
          channel->target.kind == Target::Kind::node && hides[channel->target.index] != kNone;
      if (!of_switch) {
        ++channel;
      } else if (whole_ || channel->property != Property::scale) {
        channel = clip.channels.erase(channel);
      } else {
        channel->target.index = hides[channel->target.index];
        channel->property = Property::visibility;
        channel->curve = column_of(channel->curve, 0);
        for (float& value : channel->curve.values) {
          value = value > 0.5F ? 1.0F : 0.0F;
        }
        const Index stated = scene_.nodes[channel->target.index].source.number;
        if (as_written(i, "node", stated, channel->curve)) {
          channel = clip.channels.erase(channel);
          continue;
        }
        const auto known = std::find_if(clip.channels.begin(), clip.channels.end(), [&](const auto& other) {
          return &other != &*channel && other.property == Property::visibility &&
                 other.target == channel->target;
        });
        if (known != clip.channels.end()) {
          known->curve = std::move(channel->curve);  // edited since
          channel = clip.channels.erase(channel);
          continue;
        }
        ++channel;
      }
    }
  }
}

void ExtrasReader::read_nodes() {
  for (Index source = 0; source < node_of_.size(); ++source) {
    const Value& extras = thaw_extras(input_.item("nodes", source));
    if (node_of_[source] != kNone && !extras.is_null()) {
      read_node(extras, source);
      read_lists(extras, node_of_[source]);
    }
  }
  settle_lists();
}

void ExtrasReader::read_node(const Value& extras, Index source) {
  const Index at = node_of_[source];
  scene::Node& node = scene_.nodes[at];
  scene::Node read;
  read.kind = node.kind;
  FieldReader fields(extras);
  describe(fields, read);
  const std::string& written = extras["written"].text();
  if (written.empty() || node.name == written.substr(0, kLongestName)) {  // else someone gave it another
    fields.field("name", node.name);
  }
  node.kind = read.kind;
  node.billboard = read.billboard;
  node.camera_anchored = read.camera_anchored;
  const Index number = whole_ ? source : index(&extras, "node");
  if (inherits_all(read) || number == kNone) {
    return;
  }
  if (!moves_as_written(at, number)) {
    moved_.insert(at);  // its keys are those of a node that inherits everything
  } else {
    node.inherit_translation = read.inherit_translation;
    node.inherit_rotation = read.inherit_rotation;
    node.inherit_scale = read.inherit_scale;
    node.rest = read.rest;
    node.rest.rotation = scene::narrow(scene::normalized(scene::widen(read.rest.rotation)));
  }
}

void ExtrasReader::read_lists(const Value& extras, Index node) {
  read_list(extras, "lights", node, lights_);
  read_list(extras, "cameras", node, cameras_);
  read_list(extras, "attachments", node, attachments_);
  read_list(extras, "events", node, events_);
  read_list(extras, "collisionShapes", node, shapes_);
  read_list(extras, "emitters", node, emitters_);
  read_list(extras, "ribbons", node, ribbons_);
}

template <class T>
void ExtrasReader::read_list(const Value& extras, std::string_view key, Index node, Numbered<T>& list) {
  for (const Value& item : extras[key].list()) {
    if (!has_room<T>()) {
      return;
    }
    auto& [number, read] = list.emplace_back(kNone, T());
    FieldReader fields(item);
    fields.field("index", number);
    describe(fields, read);
    read.node = node;
  }
}

/// In the order that they had; of equal numbers the first counts.
template <class T>
Places ExtrasReader::settle(Numbered<T>& list, std::vector<T>& to) {
  std::vector<std::pair<Index, std::size_t>> order;
  order.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    order.emplace_back(list[i].first, i);
  }
  std::sort(order.begin(), order.end());
  Places places;
  for (const auto& [number, at] : order) {
    places.emplace(number, static_cast<Index>(to.size()));
    to.push_back(std::move(list[at].second));
  }
  return places;
}

void ExtrasReader::settle_lists() {
  light_places_ = settle(lights_, scene_.lights);
  camera_places_ = settle(cameras_, scene_.cameras);
  settle(attachments_, scene_.attachments);
  event_places_ = settle(events_, scene_.events);
  settle(shapes_, scene_.collision_shapes);
  emitter_places_ = settle(emitters_, scene_.emitters);
  ribbon_places_ = settle(ribbons_, scene_.ribbons);
  for (auto& camera : scene_.cameras) {
    camera.target_node = node_at(camera.target_node);
  }
  for (auto& emitter : scene_.emitters) {
    emitter.texture = texture(emitter.texture);
  }
  for (auto& ribbon : scene_.ribbons) {
    ribbon.material = material(ribbon.material);
  }
}

Index ExtrasReader::texture(Index number) {
  const auto& all = extras_["textures"].list();
  if (number >= all.size() || !has_room<scene::Texture>()) {
    return kNone;
  }
  const auto [entry, fresh] = texture_places_.try_emplace(number, kNone);
  if (fresh) {
    scene::Texture read;
    FieldReader fields(all[number]);
    describe(fields, read);
    if (!read.path.empty() || read.replaceable_id != 0) {  // else it had a picture without a file
      entry->second = static_cast<Index>(scene_.textures.size());
      scene_.textures.push_back(std::move(read));
    }
  }
  return entry->second;
}

Index ExtrasReader::uv_animation(Index number) {
  const auto& all = extras_["uvAnimations"].list();
  if (number >= all.size() || !has_room<scene::UvAnimation>()) {
    return kNone;
  }
  const auto [entry, fresh] = uv_places_.try_emplace(number, static_cast<Index>(scene_.uv_animations.size()));
  if (fresh) {
    FieldReader fields(all[number]);
    describe(fields, scene_.uv_animations.emplace_back());
  }
  return entry->second;
}

Index ExtrasReader::material(Index number) {
  const auto& all = extras_["materials"].list();
  if (number >= all.size()) {
    return kNone;
  }
  const auto [entry, fresh] =
      material_places_.try_emplace(number, static_cast<Index>(scene_.materials.size()));
  if (!fresh) {
    return entry->second;
  }
  scene::Material& read = scene_.materials.emplace_back();
  if (has_room<scene::Layer>(1 + all[number]["layers"].list().size())) {
    FieldReader fields(all[number]);
    describe(fields, read);
  }
  for (scene::Layer& layer : read.layers) {
    for (Index* of_layer : {&layer.texture, &layer.normal, &layer.orm, &layer.emissive, &layer.team_color,
                            &layer.environment}) {
      *of_layer = texture(*of_layer);
    }
    layer.uv_animation = uv_animation(layer.uv_animation);
  }
  for (const Index source : shown_by_[number]) {
    take_edits(source, thaw_extras(input_.item("materials", source)), read);
  }
  if (input_.keeps_materials()) {
    take_source(all[number], "", read);  // each once, so no more than the file says
    for (std::size_t i = 0; i < read.layers.size(); ++i) {
      take_source(all[number]["layers"][i], "", read.layers[i]);
    }
  }
  return entry->second;
}

void ExtrasReader::read_clips() {
  for (Index i = 0; i < scene_.clips.size(); ++i) {
    const Value& extras = thaw_extras(input_.item("animations", i));
    if (!extras.is_null()) {
      const bool again = !clip_places_.emplace(index(&extras, "clip"), i).second;
      read_clip(extras, scene_.clips[i]);
      scene_.clips[i].source.copy |= again;
      take_shown(extras, scene_.clips[i], i);
      take_events(extras, scene_.clips[i]);
    }
  }
  for (auto& event : scene_.events) {
    event.global_loop = has_places() ? place_of(clip_places_, event.global_loop) : kNone;
  }
}

/// Equal names were distinguished: "Attack (2)".
void ExtrasReader::restore_name(scene::Clip& clip) const {
  const std::size_t open = clip.name.rfind(" (");
  if (open == std::string::npos || clip.name.back() != ')') {
    return;
  }
  const std::string base = clip.name.substr(0, open);
  const bool digits = std::all_of(clip.name.begin() + static_cast<std::ptrdiff_t>(open + 2),
                                  clip.name.end() - 1, [](char c) { return c >= '0' && c <= '9'; });
  const bool known = std::any_of(scene_.clips.begin(), scene_.clips.end(),
                                 [&](const scene::Clip& other) { return other.name == base; });
  if (digits && known) {
    clip.name = base;
  }
}

/// Nothing after the end, where it has a key.
void cut(scene::Curve& curve, float end) {
  if (curve.times.empty() || curve.times.back() <= end) {
    return;
  }
  const std::size_t parts = curve.mode == scene::CurveMode::cubic ? 3 : 1;
  const std::size_t width = std::size_t{curve.components} * parts;
  std::vector<float> last(width);
  const std::size_t value = parts == 3 ? curve.components : 0;
  scene::evaluate(curve, end, std::span(last).subspan(value, curve.components));
  const auto count = static_cast<std::size_t>(std::lower_bound(curve.times.begin(), curve.times.end(), end) -
                                              curve.times.begin());
  curve.times.resize(count);
  curve.values.resize(count * width);
  curve.times.push_back(end);
  curve.values.insert(curve.values.end(), last.begin(), last.end());
}

/// Where the animation was made longer since, it stays so.
void ExtrasReader::read_clip(const Value& extras, scene::Clip& clip) {
  const float length = std::exchange(clip.duration, 0.0F);
  FieldReader fields(extras);
  describe(fields, clip);
  describe_source(fields, clip);
  clip.duration = std::max(length, clip.duration);
  if ((has_places() || extras.find("clip") != nullptr) && input_.keeps_materials()) {
    restore_name(clip);
  }
  if (has_places()) {
    read_channels(extras, clip);
  }
  if (const auto stated = extras["now"]["duration"].number()) {
    clip.duration = static_cast<float>(std::max(0.0, *stated));
    for (scene::Channel& channel : clip.channels) {
      cut(channel.curve, clip.duration);
    }
  }
}

/// When meshes are seen, as the animation states by itself (`now`): programs that know no morph target that
/// hides write it there.
void ExtrasReader::take_shown(const Value& extras, scene::Clip& clip, Index number) {
  for (const Value& entry : extras["now"]["shown"].list()) {
    scene::Channel channel;
    channel.target = {Target::Kind::mesh, index(&entry, "mesh"), 0};
    channel.property = Property::mesh_alpha;
    channel.curve.mode = scene::CurveMode::step;
    for (const Value& time : entry["times"].list()) {
      channel.curve.times.push_back(static_cast<float>(time.number().value_or(0)));
    }
    for (const Value& state : entry["states"].list()) {
      channel.curve.values.push_back(state.number().value_or(0) > 0.5 ? 1.0F : 0.0F);
    }
    const bool sound = !channel.curve.empty() && channel.curve.times.size() == channel.curve.values.size();
    if (!sound || as_written(number, "mesh", channel.target.index, channel.curve) ||
        !find_target(channel.target)) {
      continue;
    }
    channel.curve = scene::cleaned(channel.curve, false);
    std::erase_if(clip.channels, [&](const scene::Channel& other) {
      return other.property == channel.property && other.target == channel.target;
    });
    clip.channels.push_back(std::move(channel));
  }
}

bool are_alike(const Value::List& a, const Value::List& b) {
  constexpr double kTick = 1.5e-3;  // seconds
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Value& x, const Value& y) {
    return std::abs(x.number().value_or(-1) - y.number().value_or(-1)) <= kTick;
  });
}

/// When events happen, as the animation states by itself.
void ExtrasReader::take_events(const Value& extras, scene::Clip& clip) {
  if (!clip.interval || extras.find("copy") != nullptr) {
    return;
  }
  for (const Value& entry : extras["now"]["events"].list()) {
    const Index at = place_of(event_places_, index(&entry, "event"));
    const auto& was = extras["events"].list();
    const auto same = std::find_if(was.begin(), was.end(), [&](const Value& other) {
      return index(&other, "event") == index(&entry, "event");
    });
    const Value::List none;
    if (at == kNone || !input_.spend(scene_.events[at].frames.size() + was.size()) ||
        are_alike(entry["times"].list(), same == was.end() ? none : (*same)["times"].list())) {
      continue;
    }
    auto& frames = scene_.events[at].frames;
    std::erase_if(frames, [&](std::int32_t frame) {
      return frame >= clip.interval->first && frame <= clip.interval->last;
    });
    for (const Value& time : entry["times"].list()) {
      const double moment = std::round(time.number().value_or(-1) * 1000);
      if (moment >= 0 && moment <= static_cast<double>(clip.interval->last - clip.interval->first)) {
        frames.push_back(static_cast<std::int32_t>(clip.interval->first + static_cast<std::int64_t>(moment)));
      }
    }
    std::sort(frames.begin(), frames.end());
  }
}

/// Nodes that leave out part of what their parents do were written with other keys than they have.
void ExtrasReader::read_channels(const Value& extras, scene::Clip& clip) {
  const auto moves_such = [&](const scene::Channel& channel) {
    return channel.target.kind == Target::Kind::node && !inherits_all(scene_.nodes[channel.target.index]);
  };
  auto& channels = clip.channels;
  channels.erase(std::remove_if(channels.begin(), channels.end(), moves_such), channels.end());
  using Key = std::tuple<Target::Kind, Index, Index, Property>;
  const auto key_of = [](const scene::Channel& channel) {
    return Key{channel.target.kind, channel.target.index, channel.target.sub, channel.property};
  };
  std::set<Key> known;
  for (const auto& channel : channels) {
    known.insert(key_of(channel));
  }
  for (const Value& item : extras["channels"].list()) {
    auto channel = read_channel(item);
    // Where they were changed since, nodes have the keys that glTF says.
    const bool of_gltf = channel && channel->target.kind == Target::Kind::node &&
                         channel->property != Property::visibility &&
                         inherits_all(scene_.nodes[channel->target.index]) &&
                         (!whole_ || moved_.contains(channel->target.index));
    if (channel && !of_gltf && known.insert(key_of(*channel)).second) {
      clip.duration = std::max(clip.duration, channel->curve.times.back());
      channels.push_back(std::move(*channel));
    }
  }
}

/// None for those of meshes and their materials where glTF's own stay: they are made of them.
std::optional<scene::Channel> ExtrasReader::read_channel(const Value& extras) {
  if (!input_.spend(16 + extras["times"].list().size() + extras["values"].list().size())) {
    return std::nullopt;
  }
  scene::Channel channel;
  FieldReader fields(extras);
  describe(fields, channel);
  const bool known = extras["target"].text() == target_name(channel.target.kind) &&
                     extras["property"].text() == scene::property_name(channel.property) &&
                     kind_of(channel.property) == channel.target.kind && find_target(channel.target);
  channel.curve.components = components_of(channel.property);
  const std::size_t per_key =
      std::size_t{channel.curve.components} * (channel.curve.mode == scene::CurveMode::cubic ? 3 : 1);
  if (!known || per_key == 0 || channel.curve.values.size() != channel.curve.times.size() * per_key) {
    return std::nullopt;
  }
  if (channel.property == Property::layer_texture) {
    for (float& value : channel.curve.values) {
      const Index shown = value >= 0 && value < 65536 ? texture(static_cast<Index>(value)) : kNone;
      if (shown == kNone) {
        return std::nullopt;
      }
      value = static_cast<float>(shown);
    }
  }
  channel.curve = scene::cleaned(channel.curve, channel.property == Property::rotation);
  return channel.curve.empty() ? std::nullopt : std::optional(std::move(channel));
}

/// From its number in the scene that was written to that in this one; false for what did not come along.
bool ExtrasReader::find_target(Target& target) const {
  const auto place = [&] {
    switch (target.kind) {
      case Target::Kind::node:
        return node_at(target.index);
      case Target::Kind::mesh:
        return place_of(mesh_places_, target.index);
      case Target::Kind::layer:
        return place_of(material_places_, target.index);
      case Target::Kind::uv_animation:
        return place_of(uv_places_, target.index);
      case Target::Kind::light:
        return place_of(light_places_, target.index);
      case Target::Kind::camera:
        return place_of(camera_places_, target.index);
      case Target::Kind::emitter:
        return place_of(emitter_places_, target.index);
      case Target::Kind::ribbon:
        return place_of(ribbon_places_, target.index);
    }
    return kNone;
  };
  target.index = place();
  return target.index != kNone &&
         (target.kind != Target::Kind::layer || target.sub < scene_.materials[target.index].layers.size());
}

}  // namespace

void SceneReader::read_extras(const Value* source) {
  const std::size_t elsewhere = ExtrasReader(input_, node_of_, thaw_extras(source), scene_).read();
  if (elsewhere > 0) {
    diagnostics_.add(codes::kSceneLost,
                     "textures without an image left out, because their paths belong to another game: " +
                         std::to_string(elsewhere));
  }
}

}  // namespace thaw::gltf
