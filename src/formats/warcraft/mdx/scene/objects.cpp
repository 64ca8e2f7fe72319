// Lights, attachments, events, collision shapes (mdx.md#lights, mdx.md#attachments, mdx.md#event-objects,
// mdx.md#collision-shapes).
#include "formats/warcraft/mdx/scene/builder.hpp"
#include "formats/warcraft/mdx/scene/values.hpp"

namespace thaw::mdx {
namespace {

using scene::Index;
using scene::Property;
using scene::Target;

scene::Light::Kind light_kind(std::uint32_t type) {
  // Some exporters left the node flag in the upper bytes.
  switch (type & 0xFFU) {
    case 1:
      return scene::Light::Kind::directional;
    case 2:
      return scene::Light::Kind::ambient;
    default:
      return scene::Light::Kind::omni;
  }
}

void bind_light(SceneBuilder& builder, const Light& source, const scene::Light& light,
                const ObjectRef& place) {
  const Target target = {Target::Kind::light, static_cast<Index>(place.index), 0};
  const auto& tracks = source.tracks;
  const auto scalar = [&](FourCC tag, Property property, float rest, double factor = 1) {
    builder.bind_scalar(tracks, tag, place, target, property, rest, factor);
  };
  scalar(FourCC{"KLAS"}, Property::light_attenuation_start, light.attenuation_start, builder.scale());
  scalar(FourCC{"KLAE"}, Property::light_attenuation_end, light.attenuation_end, builder.scale());
  scalar(FourCC{"KLAI"}, Property::light_intensity, light.intensity);
  scalar(FourCC{"KLBI"}, Property::light_ambient_intensity, light.ambient_intensity);
  builder.bind_color(tracks, FourCC{"KLAC"}, place, target, Property::light_color, light.color);
  builder.bind_color(tracks, FourCC{"KLBC"}, place, target, Property::light_ambient_color,
                     light.ambient_color);
  builder.bind_visibility(tracks, FourCC{"KLAV"}, place, light.node);
}

void add_light_extras(const SceneBuilder& builder, const Light& source, Value& extras) {
  static constexpr std::array kRare = {FourCC{"KLSS"}, FourCC{"KLSE"}, FourCC{"KLQF"}, FourCC{"KLLF"},
                                       FourCC{"KLDA"}};
  const std::uint32_t version = builder.document.version();
  extras.set("type", source.type);
  if (version >= 1200) {
    extras.set("shadowIntensity", source.shadow_intensity);
  }
  if (version >= 1300) {
    extras.set("shadowCasting", source.shadow_casting);
    extras.set("shadowCastingStart", source.shadow_casting_start);
    extras.set("shadowCastingEnd", source.shadow_casting_end);
  }
  if (version >= 1600) {
    extras.set("quadraticFalloff", source.quadratic_falloff);
    extras.set("linearFalloff", source.linear_falloff);
    extras.set("damping", source.damping);
  }
  if (Value tracks = rare_tracks(source.tracks, kRare); !tracks.is_null()) {
    extras.set("tracks", std::move(tracks));
  }
}

/// Vertices of a shape stand in model space, as pivots do.
class ShapeBuilder {
 public:
  ShapeBuilder(const SceneBuilder& builder, const CollisionShape& source, Index node)
      : builder_(builder), payload_(source.payload) {
    shape_.node = node;
  }

  scene::CollisionShape make(CollisionShape::Type type);

 private:
  using Kind = scene::CollisionShape::Kind;

  Vec3 vertex(std::size_t at) const;
  float length(std::size_t at) const { return to_length(payload_[at], builder_.scale()); }
  void take_corners(const Vec3& a, const Vec3& b);
  void take_plane_or_cylinder();

  const SceneBuilder& builder_;
  const Array<float>& payload_;
  scene::CollisionShape shape_;
};

Vec3 ShapeBuilder::vertex(std::size_t at) const {
  const Vec3 position = builder_.position({payload_[at], payload_[at + 1], payload_[at + 2]});
  const Vec3& pivot = builder_.pivots[shape_.node];
  return {to_float(double{position[0]} - double{pivot[0]}), to_float(double{position[1]} - double{pivot[1]}),
          to_float(double{position[2]} - double{pivot[2]})};
}

/// Turning the axes exchanges the ends of one of them.
void ShapeBuilder::take_corners(const Vec3& a, const Vec3& b) {
  Vec3 low = a;
  Vec3 high = b;
  for (std::size_t i = 0; i < low.size(); ++i) {
    low[i] = std::min(a[i], b[i]);
    high[i] = std::max(a[i], b[i]);
  }
  shape_.vertices = {low, high};
}

/// mdx.md#collision-shapes: the number of floats states whose layout it is.
void ShapeBuilder::take_plane_or_cylinder() {
  switch (payload_.size()) {
    case 7:  // community cylinder: two vertices, radius
      shape_.vertices = {vertex(0), vertex(3)};
      shape_.radius = length(6);
      break;
    case 6:  // community plane: two vertices
      shape_.vertices = {vertex(0), vertex(3)};
      break;
    case 5: {  // engine cylinder: base, height, radius
      const Vec3 base = vertex(0);
      shape_.vertices = {base, {base[0], to_float(double{base[1]} + double{length(3)}), base[2]}};
      shape_.radius = length(4);
      break;
    }
    case 4:  // one vertex and a radius
      shape_.vertices = {vertex(0)};
      shape_.radius = length(3);
      break;
    case 3:
      shape_.vertices = {vertex(0)};
      break;
    case 2: {  // engine plane: length and width around the node
      const bool front = builder_.dialect.axes == Axes::x_front;
      const float x = length(front ? 1 : 0) / 2;
      const float z = length(front ? 0 : 1) / 2;
      shape_.vertices = {{turned(x), 0, turned(z)}, {x, 0, z}};
      break;
    }
    default:
      break;
  }
}

scene::CollisionShape ShapeBuilder::make(CollisionShape::Type type) {
  const std::size_t size = payload_.size();
  if (type == CollisionShape::Type::box && size >= 6) {
    shape_.kind = Kind::box;
    take_corners(vertex(0), vertex(3));
  } else if (type == CollisionShape::Type::sphere && size >= 4) {
    shape_.kind = Kind::sphere;
    shape_.vertices = {vertex(0)};
    shape_.radius = length(3);
  } else {
    // The two layouts give the numbers 1 and 3 to each other's shapes.
    const bool cylinder = size == 7 || size == 5 || size == 4;
    shape_.kind = cylinder ? Kind::cylinder : Kind::plane;
    take_plane_or_cylinder();
  }
  return std::move(shape_);
}

}  // namespace

void build_lights(SceneBuilder& builder) {
  const auto lights = builder.document.all<Lights>();
  for (std::size_t i = 0; i < lights.size(); ++i) {
    const Light& source = *lights[i];
    scene::Light light;
    light.node = builder.node_of_object.at(&source.node);
    light.kind = light_kind(source.type);
    light.color = finite_or(source.color, 1);
    light.intensity = finite_or(source.intensity, 0);
    light.ambient_color = finite_or(source.ambient_color, 1);
    light.ambient_intensity = finite_or(source.ambient_intensity, 0);
    light.attenuation_start = to_length(source.attenuation_start, builder.scale());
    light.attenuation_end = to_length(source.attenuation_end, builder.scale());
    bind_light(builder, source, light, {FourCC{"LITE"}, i});
    add_light_extras(builder, source, builder.scene.nodes[light.node].extras);
    builder.scene.lights.push_back(light);
  }
}

void build_attachments(SceneBuilder& builder) {
  const auto attachments = builder.document.all<Attachments>();
  for (std::size_t i = 0; i < attachments.size(); ++i) {
    const Attachment& source = *attachments[i];
    scene::Attachment attachment;
    attachment.node = builder.node_of_object.at(&source.node);
    attachment.id = source.attachment_id;
    attachment.path = to_utf8(source.path.view());
    builder.bind_visibility(source.tracks, FourCC{"KATV"}, {FourCC{"ATCH"}, i}, attachment.node);
    builder.scene.attachments.push_back(std::move(attachment));
  }
}

void build_events(SceneBuilder& builder) {
  for (const auto* source : builder.document.all<EventObjects>()) {
    scene::Event event;
    event.node = builder.node_of_object.at(&source->node);
    event.name = to_utf8(source->node.name.view());
    std::optional<std::uint32_t> global;
    if (source->track) {
      event.frames.assign(source->track->frames.begin(), source->track->frames.end());
      const std::int32_t id = source->track->global_sequence;
      if (id >= 0 && static_cast<std::size_t>(id) < builder.global_durations.size()) {
        global = static_cast<std::uint32_t>(id);
      }
    }
    builder.event_globals.push_back(global);
    builder.scene.events.push_back(std::move(event));
  }
}

void build_collision_shapes(SceneBuilder& builder) {
  for (const auto* source : builder.document.all<CollisionShapes>()) {
    const Index node = builder.node_of_object.at(&source->node);
    builder.scene.collision_shapes.push_back(ShapeBuilder(builder, *source, node).make(source->type));
    auto& extras = builder.scene.nodes[node].extras;
    extras.set("shapeType", static_cast<std::uint32_t>(source->type));
    extras.set("shape", Value::List(source->payload.begin(), source->payload.end()));
  }
}

}  // namespace thaw::mdx
