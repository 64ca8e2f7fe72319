#include "formats/warcraft/mdx/scene/builder.hpp"

namespace thaw::mdx {
namespace {

SceneOptions checked(SceneOptions options) {
  const SceneOptions defaults;
  if (!(options.scale > 0) || !std::isfinite(options.scale)) {
    options.scale = defaults.scale;
  }
  if (!(options.rotation_tolerance > 0) || !std::isfinite(options.rotation_tolerance)) {
    options.rotation_tolerance = defaults.rotation_tolerance;
  }
  return options;
}

}  // namespace

SceneBuilder::SceneBuilder(const Document& document_, const SceneOptions& options_, Diagnostics& diagnostics_,
                           const Dialect& dialect_)
    : document(document_), options(checked(options_)), dialect(dialect_), diagnostics(diagnostics_) {
  for (const auto& chunk : document.chunks) {
    if (const auto* globals = std::get_if<GlobalSequences>(&chunk.body)) {
      global_durations.insert(global_durations.end(), globals->durations.begin(), globals->durations.end());
    }
  }
}

void SceneBuilder::report(const Code& code, const ObjectRef& place, std::string_view message) {
  if (diagnostics.has_room()) {
    diagnostics.add(code, std::string(message), {}, place.text());
  } else {
    diagnostics.add(code, {});
  }
}

void SceneBuilder::report(const Code& code, FourCC chunk, std::string_view message) {
  diagnostics.add(code, std::string(message), {}, chunk.text());
}

void SceneBuilder::add(Binding binding) {
  binding.use.axes = dialect.axes;
  binding.use.holds = dialect.holds;
  bindings.push_back(binding);
}

bool SceneBuilder::bind(const Tracks& tracks, FourCC tag, const ObjectRef& place, const Binding& binding) {
  const Track* track = find_track(tracks, tag);
  if (track == nullptr) {
    return false;
  }
  Binding bound = binding;
  bound.use.track = track;
  bound.place = place;
  add(bound);
  return true;
}

void SceneBuilder::bind_scalar(const Tracks& tracks, FourCC tag, const ObjectRef& place,
                               const scene::Target& target, scene::Property property, float rest,
                               double factor) {
  Binding binding;
  binding.target = target;
  binding.property = property;
  binding.use.factor = factor;
  binding.use.rest[0] = double{rest};
  bind(tracks, tag, place, binding);
}

void SceneBuilder::bind_color(const Tracks& tracks, FourCC tag, const ObjectRef& place,
                              const scene::Target& target, scene::Property property, const Vec3& rest,
                              Conversion order) {
  Binding binding;
  binding.target = target;
  binding.property = property;
  binding.use.conversion = order;
  binding.use.rest = {double{rest[0]}, double{rest[1]}, double{rest[2]}, 0};
  bind(tracks, tag, place, binding);
}

void SceneBuilder::bind_visibility(const Tracks& tracks, FourCC tag, const ObjectRef& place,
                                   scene::Index node) {
  Binding binding;
  binding.target = {scene::Target::Kind::node, node, 0};
  binding.property = scene::Property::visibility;
  binding.use.conversion = Conversion::visibility;
  binding.use.rest[0] = 1;
  bind(tracks, tag, place, binding);
}

std::optional<std::uint32_t> SceneBuilder::global_of(const Track& track) const {
  const auto id = static_cast<std::uint32_t>(track.global_sequence);
  if (track.global_sequence < 0 || id >= global_durations.size()) {
    return std::nullopt;
  }
  return id;
}

void build_parts(SceneBuilder& builder) {
  build_nodes(builder);
  build_textures(builder);
  build_uv_animations(builder);
  build_materials(builder);
  build_meshes(builder);
  build_geoset_animations(builder);
  build_lights(builder);
  build_attachments(builder);
  build_emitters(builder);
  build_ribbons(builder);
  build_events(builder);
  build_collision_shapes(builder);
  build_cameras(builder);
}

scene::Scene to_scene(const Document& document, const SceneOptions& options, Diagnostics& diagnostics) {
  SceneBuilder builder(document, options, diagnostics);
  build_parts(builder);
  build_clips(builder);
  build_extras(builder);
  return std::move(builder.scene);
}

}  // namespace thaw::mdx
