// Conventions of artists, by names and by properties that they type (docs/user/to-warcraft.md), as parts of
// the scene.
#include "formats/warcraft/mdx/from_scene/conventions.hpp"

#include "bytes/text.hpp"
#include "scene/pose.hpp"

#include <thaw/image.hpp>
#include <thaw/value.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace thaw::mdx {
namespace {

using scene::Index;
using scene::kNone;
using scene::Scene;
using scene::Vec3d;

/// Blender distinguishes equal names by ".001".
std::string_view without_number(std::string_view name) {
  const std::size_t dot = name.size() < 4 ? std::string_view::npos : name.size() - 4;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return dot != std::string_view::npos && name[dot] == '.' &&
                 std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot + 1), name.end(), digit)
             ? name.substr(0, dot)
             : name;
}

bool is_reference(std::string_view name) {
  while (!name.empty() && name.back() == ' ') {
    name.remove_suffix(1);
  }
  constexpr std::string_view kEnd = " ref";
  return name.size() > kEnd.size() && ascii::same(name.substr(name.size() - kEnd.size()), kEnd);
}

/// Three letters of a family, one of any kind, four of an id.
bool is_event(std::string_view name) {
  constexpr std::array<std::string_view, 8> kFamilies = {"SND", "SPN", "SPL", "FPT",
                                                         "FTP", "UBR", "MRF", "MRD"};
  constexpr std::size_t kLength = 8;
  return name.size() == kLength &&
         std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return name.substr(0, 3) == family; });
}

enum class ShapeName : std::uint8_t { none, box, sphere };

ShapeName shape_named(std::string_view name) {
  const auto begins = [&](std::string_view word) { return ascii::begins_with(name, word); };
  if (begins("collisionsphere") || begins("collision sphere") || begins("collision_sphere")) {
    return ShapeName::sphere;
  }
  return begins("collision") || begins("b_kgs_") ? ShapeName::box : ShapeName::none;
}

class Convention {
 public:
  Convention(Scene& scene, Diagnostics& diagnostics) : scene_(scene), diagnostics_(diagnostics) {}

  void apply_to_new_nodes() {
    find_used_nodes();
    for (Index i = 0; i < scene_.nodes.size(); ++i) {
      if (!scene_.nodes[i].source.stated && !used_nodes_.contains(i)) {
        take_flags(scene_.nodes[i]);
        take_node(i);
      }
    }
  }

  void apply() {
    name_clips();
    take_clip_list();
    find_used_nodes();
    for (Index i = 0; i < scene_.nodes.size(); ++i) {
      take_flags(scene_.nodes[i]);
      if (!used_nodes_.contains(i)) {
        take_node(i);
      }
    }
    for (auto& material : scene_.materials) {
      take_material(material);
    }
  }

 private:
  void name_clips();
  void take_clip_list();
  void find_used_nodes();
  static void take_flags(scene::Node& node);
  void take_node(Index index);
  void take_event(Index node, std::string_view name);
  void take_shape(Index node, ShapeName shape);
  void take_material(scene::Material& material);
  void take_team_color(const scene::Layer& layer);

  Scene& scene_;
  Diagnostics& diagnostics_;
  std::set<Index> used_nodes_;  ///< nodes that are something already
};

/// Clips of equal names get the next number, as the game's artists write it; all get a place in time, which
/// events are identified by.
void Convention::name_clips() {
  std::set<std::string> names;
  constexpr std::int64_t kGap = 1000;
  std::int64_t at = 0;
  for (auto& clip : scene_.clips) {
    std::string name(without_number(clip.name));
    for (int i = 2; !names.insert(name).second; ++i) {
      name = std::string(without_number(clip.name)) + " - " + std::to_string(i);
    }
    clip.name = name;
    if (clip.interval) {
      at = std::max(at, clip.interval->last + kGap);
    }
  }
  for (auto& clip : scene_.clips) {
    const double length = std::min(std::round(double{clip.duration} * 1000), 1e9);
    if (!clip.interval && !clip.global && at < 1000000000) {
      clip.interval = {at, at + static_cast<std::int64_t>(std::max(0.0, length))};
      at = (clip.interval->last / kGap + 2) * kGap;
    }
  }
}

void Convention::take_clip_list() {
  const std::string& text = scene_.properties["wc3_clips"].text();
  if (text.empty()) {
    return;
  }
  const auto list = parse_json(as_bytes(text));
  if (!list) {
    diagnostics_.add(codes::kSceneLost, "property wc3_clips left out: it is not JSON");
    return;
  }
  for (const Value& entry : list->list()) {
    for (auto& clip : scene_.clips) {
      if (!ascii::same(clip.name, entry["name"].text())) {
        continue;
      }
      for (const auto& [from, to] :
           {std::pair("moveSpeed", "wc3_move_speed"), std::pair("rarity", "wc3_rarity"),
            std::pair("looping", "wc3_looping")}) {
        if (const Value* stated = entry.find(from)) {
          clip.properties.set(to, *stated);
        }
      }
      clip.global = clip.global || entry["global"] == Value(true);
    }
  }
}

void Convention::find_used_nodes() {
  const auto take = [&](const auto& list) {
    for (const auto& item : list) {
      used_nodes_.insert(item.node);
    }
  };
  take(scene_.attachments);
  take(scene_.events);
  take(scene_.collision_shapes);
  take(scene_.emitters);
  take(scene_.ribbons);
  take(scene_.lights);
  take(scene_.cameras);
  for (const auto& skin : scene_.skins) {
    used_nodes_.insert(skin.joints.begin(), skin.joints.end());
  }
}

void Convention::take_flags(scene::Node& node) {
  const std::string& turn = node.properties["wc3_billboard"].text();
  using scene::Billboard;
  node.billboard = turn == "full"    ? Billboard::full
                   : turn == "lockX" ? Billboard::lock_x
                   : turn == "lockY" ? Billboard::lock_y
                   : turn == "lockZ" ? Billboard::lock_z
                                     : node.billboard;
  const std::string& letters = node.properties["wc3_dont_inherit"].text();
  const auto has = [&](char letter) { return letters.find(letter) != std::string::npos; };
  node.inherit_translation = node.inherit_translation && !has('T');
  node.inherit_rotation = node.inherit_rotation && !has('R');
  node.inherit_scale = node.inherit_scale && !has('S');
}

void Convention::take_event(Index node, std::string_view name) {
  scene::Event event;
  event.node = node;
  event.name = name;
  if (event.name.substr(0, 3) == "FTP") {
    event.name.replace(0, 3, "FPT");  // as exporters spell what the game calls so
  }
  const std::string& text = scene_.nodes[node].properties["wc3_times"].text();
  const auto times = text.empty() ? Result<Value>(Value()) : parse_json(as_bytes(text));
  if (!times) {
    diagnostics_.add(codes::kSceneLost,
                     "property wc3_times of \"" + scene_.nodes[node].name + "\" left out: it is not JSON");
  }
  for (const auto& clip : scene_.clips) {
    const Value* moments = times ? times->find(clip.name) : nullptr;
    for (const Value& moment : moments == nullptr ? Value::List() : moments->list()) {
      const double frame = std::round(moment.number().value_or(0) * 1000);
      if (clip.interval && frame >= 0 &&
          frame <= static_cast<double>(clip.interval->last - clip.interval->first)) {
        event.frames.push_back(
            static_cast<std::int32_t>(clip.interval->first + static_cast<std::int64_t>(frame)));
      }
    }
  }
  if (event.frames.empty()) {
    diagnostics_.add(codes::kSceneLost,
                     "event \"" + event.name + "\" left out: it has no time within an animation (wc3_times)");
    return;
  }
  std::sort(event.frames.begin(), event.frames.end());
  scene_.events.push_back(std::move(event));
}

/// As large as the mesh at the node, which no one sees, or as the node where it has none.
void Convention::take_shape(Index node, ShapeName shape) {
  Vec3d low{-1, -1, -1};
  Vec3d high{1, 1, 1};
  for (auto& mesh : scene_.meshes) {
    if (mesh.node != node || mesh.positions.empty()) {
      continue;
    }
    low = high = scene::widen(mesh.positions.front());
    for (const Vec3& position : mesh.positions) {
      for (std::size_t i = 0; i < 3; ++i) {
        low.at(i) = std::min(low.at(i), double{position.at(i)});
        high.at(i) = std::max(high.at(i), double{position.at(i)});
      }
    }
    mesh.indices.clear();
    mesh.parts.clear();
  }
  const auto world = scene::Poser(scene_, nullptr).world_matrices(0)[node];
  const Vec3d place = scene::translation_of(world);
  Vec3d least{1e30, 1e30, 1e30};
  Vec3d most{-1e30, -1e30, -1e30};
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Vec3d at = scene::subtract(scene::transform_point(world, {(corner & 1U) != 0 ? high[0] : low[0],
                                                                    (corner & 2U) != 0 ? high[1] : low[1],
                                                                    (corner & 4U) != 0 ? high[2] : low[2]}),
                                     place);
    for (std::size_t i = 0; i < 3; ++i) {
      least.at(i) = std::min(least.at(i), at.at(i));
      most.at(i) = std::max(most.at(i), at.at(i));
    }
  }
  scene::CollisionShape collision_shape;
  collision_shape.node = node;
  if (shape == ShapeName::box) {
    collision_shape.kind = scene::CollisionShape::Kind::box;
    collision_shape.vertices = {scene::narrow(least), scene::narrow(most)};
  } else {
    collision_shape.kind = scene::CollisionShape::Kind::sphere;
    collision_shape.vertices = {scene::narrow(scene::scaled(scene::add(least, most), 0.5))};
    const Vec3d sides = scene::subtract(most, least);
    collision_shape.radius = static_cast<float>(std::max({sides[0], sides[1], sides[2]}) / 2);
  }
  scene_.nodes[node].kind = scene::NodeKind::collision;
  scene_.collision_shapes.push_back(std::move(collision_shape));
}

void Convention::take_node(Index index) {
  scene::Node& node = scene_.nodes[index];
  const std::string& kind = node.properties["wc3_kind"].text();
  const std::string name(without_number(node.name));
  if (kind == "attachment" || (kind.empty() && is_reference(name))) {
    node.name = name;
    scene_.attachments.push_back(
        {index, static_cast<std::int32_t>(scene_.attachments.size()), node.properties["wc3_path"].text()});
  } else if (kind == "event" || (kind.empty() && is_event(name))) {
    node.name = name;
    take_event(index, name);
  } else if (kind == "collision" || (kind.empty() && shape_named(name) != ShapeName::none)) {
    const ShapeName shape = shape_named(name);
    take_shape(index, shape == ShapeName::none ? ShapeName::box : shape);
  } else if (kind == "bone" || (kind.empty() && ascii::begins_with(name, "bone_"))) {
    node.kind = scene::NodeKind::bone;
  } else if (kind == "helper") {
    node.kind = scene::NodeKind::helper;
  } else if (!kind.empty()) {
    diagnostics_.add(codes::kSceneLost, "\"" + node.name + "\" becomes a helper, because its wc3_kind, " +
                                            kind + ", is not attachment, event, collision, bone or helper");
  }
}

void Convention::take_material(scene::Material& material) {
  const Value& typed = material.properties;
  if (material.layers.empty()) {
    return;
  }
  scene::Layer& layer = material.layers.front();
  constexpr std::array<std::string_view, 7> kFilters = {"none",     "transparent", "blend",     "additive",
                                                        "addalpha", "modulate",    "modulate2x"};
  for (std::size_t i = 0; i < kFilters.size(); ++i) {
    if (ascii::same(typed["wc3_filter"].text(), kFilters.at(i))) {
      layer.blend = static_cast<scene::BlendMode>(i);
    }
  }
  if (const auto plane = typed["wc3_priority"].number()) {
    material.draw_order = static_cast<int>(std::clamp(*plane, -10000.0, 10000.0));
  }
  layer.unshaded = layer.unshaded || is_on(typed, "wc3_unshaded");
  layer.unfogged = layer.unfogged || is_on(typed, "wc3_unfogged");
  layer.no_depth_test = layer.no_depth_test || is_on(typed, "wc3_no_depth_test");
  layer.no_depth_write = layer.no_depth_write || is_on(typed, "wc3_no_depth_set");
  if (is_on(typed, "wc3_team_color")) {
    take_team_color(layer);
  }
  const std::string& path = typed["wc3_texture"].text();
  const auto replaceable = typed["wc3_replaceable"].number();
  if (!path.empty() || replaceable) {
    scene::Texture texture;
    texture.path = path;
    texture.replaceable_id = static_cast<std::uint32_t>(std::clamp(replaceable.value_or(0), 0.0, 1000.0));
    texture.wrap_u = texture.wrap_v = true;
    layer.texture = static_cast<Index>(scene_.textures.size());
    scene_.textures.push_back(std::move(texture));
  }
}

/// HD has a mask for it next to occlusion, roughness and metal: where the picture lets through. In SD it lies
/// below the picture (MaterialBuilder).
void Convention::take_team_color(const scene::Layer& layer) {
  const auto& textures = scene_.textures;
  if (layer.orm >= textures.size() || textures[layer.orm].image >= scene_.images.size() ||
      layer.texture >= textures.size() || !textures[layer.texture].content) {
    return;
  }
  const auto picture = decode_texture(*textures[layer.texture].content, {}, diagnostics_);
  if (!picture || picture->pixels() == 0) {
    return;
  }
  Image& mask = scene_.images[textures[layer.orm].image].image;
  const auto nearest = [](std::uint32_t at, std::uint32_t side, std::uint32_t other) {
    return static_cast<std::size_t>(std::uint64_t{at} * other / side);
  };
  for (std::uint32_t y = 0; y < mask.height; ++y) {
    for (std::uint32_t x = 0; x < mask.width; ++x) {
      const std::size_t from =
          nearest(y, mask.height, picture->height) * picture->width + nearest(x, mask.width, picture->width);
      const std::size_t to = std::size_t{y} * mask.width + x;
      mask.rgba[to * 4 + 3] = static_cast<std::uint8_t>(255 - picture->rgba[from * 4 + 3]);
    }
  }
}

}  // namespace

bool is_on(const Value& extras, const char* key) {
  const Value& value = extras[key];
  return value == Value(true) || value.number().value_or(0) != 0;
}

bool names_collision_mesh(const scene::Node& node) {
  const std::string& kind = node.properties["wc3_kind"].text();
  const ShapeName shape = shape_named(without_number(node.name));
  return kind == "collision" ? shape != ShapeName::sphere : kind.empty() && shape == ShapeName::box;
}

void apply_conventions(scene::Scene& scene, Diagnostics& diagnostics) {
  Convention(scene, diagnostics).apply();
}

void apply_conventions_to_new_nodes(scene::Scene& scene, Diagnostics& diagnostics) {
  Convention(scene, diagnostics).apply_to_new_nodes();
}

}  // namespace thaw::mdx
