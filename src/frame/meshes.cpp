// Meshes at a moment: morphs, skins, light, layers.
#include <thaw/control.hpp>

#include "frame/stand_in.hpp"
#include "scene/game_rules.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::frame {
namespace {

using scene::Property;
using scene::Target;

/// Rows of an affine matrix.
using Matrix = std::array<float, 12>;

Matrix narrowed(const scene::Mat4d& m) {
  Matrix result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      result[row * 4 + column] = scene::to_float(m[column * 4 + row]);
    }
  }
  return result;
}

Vec3 moved(const Matrix& m, const Vec3& p) {
  const Vec3 v = {m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3],
                  m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
                  m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]};
  const bool sound = std::isfinite(v[0] + v[1] + v[2]);
  return sound ? v : scene::narrow(scene::widen(v));
}

Vec3 turned(const Matrix& m, const Vec3& n) {
  const Vec3 v = {m[0] * n[0] + m[1] * n[1] + m[2] * n[2], m[4] * n[0] + m[5] * n[1] + m[6] * n[2],
                  m[8] * n[0] + m[9] * n[1] + m[10] * n[2]};
  const float size = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(size > 1e-20F) || !std::isfinite(size)) {
    return {};
  }
  const float factor = 1 / size;
  return {v[0] * factor, v[1] * factor, v[2] * factor};
}

/// Of what has neither textures nor colours.
constexpr float kClayGrey = 0.6F;

class MeshBuilder {
 public:
  MeshBuilder(Builder& builder, const Instance& instance, Index index)
      : builder_(builder),
        frame_(builder.frame),
        instance_(instance),
        scene_(*instance.model.scene),
        mesh_(scene_.meshes[index]),
        data_(instance.model.meshes[index]),
        index_(index),
        target_{Target::Kind::mesh, index, 0} {}

  void build() {
    color_ = mesh_.color;
    instance_.player.read(target_, Property::mesh_color, instance_.now, color_);
    alpha_ = instance_.player.scalar(target_, Property::mesh_alpha, mesh_.alpha, instance_.now);
    if (!(alpha_ > scene::kInvisible)) {
      return;
    }
    at_rest_ = may_rest();
    if (at_rest_) {
      base_matrix_ = static_cast<std::uint32_t>(frame_.matrices.size());
      const std::vector<Matrix> matrices = joint_matrices();
      frame_.matrices.insert(frame_.matrices.end(), matrices.begin(), matrices.end());
    } else {
      base_ = static_cast<std::uint32_t>(frame_.positions.size());
      first_index_ = static_cast<std::uint32_t>(frame_.indices.size());
      pose_vertices();
      frame_.indices.insert(frame_.indices.end(), mesh_.indices.begin(), mesh_.indices.end());
    }
    if (builder_.options.surfaces) {
      uv_bases_.assign(mesh_.uv_sets.size(), kNone);
      for (const auto& part : mesh_.parts) {
        add_part(part);
      }
      for (const auto& wire : mesh_.wires) {
        add_wire(wire);
      }
    }
    if (builder_.options.wireframe) {
      add_edges();
    }
  }

 private:
  // --- vertices
  // -------------------------------------------------------------------------------------------

  /// Whether matrices and the light of the whole frame say all of how the vertices look.
  [[nodiscard]] bool may_rest() const {
    constexpr std::size_t kMostMatrices = std::size_t{1} << 20U;
    const std::size_t count = data_.groups.empty() ? 1 : scene_.skins[mesh_.skin].joints.size();
    return builder_.options.at_rest && !builder_.options.wireframe && builder_.lights.is_the_same_for_all() &&
           mesh_.morph_targets.empty() && mesh_.wires.empty() &&
           frame_.matrices.size() + count <= kMostMatrices;
  }

  void pose_vertices() {
    const Array<Vec3>& normals = mesh_.normals.empty() ? data_.normals : mesh_.normals;
    const Array<Vec3>* from = &mesh_.positions;
    const Array<Vec3>* directions = &normals;
    Array<Vec3> morphed;
    Array<Vec3> morphed_normals;
    if (morph(normals, morphed, morphed_normals)) {
      from = &morphed;
      directions = &morphed_normals;
    }
    const std::vector<Matrix> matrices = group_matrices();
    const std::size_t count = from->size();
    frame_.positions.resize(base_ + count);
    normals_.resize(count);
    for (std::size_t v = 0; v < count; ++v) {
      const Matrix& matrix = matrices[data_.groups.empty() ? 0 : data_.groups[v]];
      frame_.positions[base_ + v] = moved(matrix, (*from)[v]);
      normals_[v] = turned(matrix, (*directions)[v]);
    }
  }

  bool morph(const Array<Vec3>& rest_normals, Array<Vec3>& positions, Array<Vec3>& normals) const {
    std::vector<float> weights(mesh_.morph_targets.size());
    if (weights.empty()) {
      return false;
    }
    instance_.player.read(target_, Property::weights, instance_.now, weights);
    positions = mesh_.positions;
    normals = rest_normals;
    const auto apply = [](Array<Vec3>& to, const Array<Vec3>& differences, float weight) {
      for (std::size_t v = 0; v < differences.size(); ++v) {
        for (std::size_t i = 0; i < 3; ++i) {
          to[v][i] += differences[v][i] * weight;
        }
      }
    };
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] != 0) {
        apply(positions, mesh_.morph_targets[i].positions, weights[i]);
        apply(normals, mesh_.morph_targets[i].normals, weights[i]);
      }
    }
    return true;
  }

  /// Of a mesh without groups, the one that moves all of it.
  [[nodiscard]] std::vector<Matrix> joint_matrices() const {
    if (data_.groups.empty()) {
      const bool placed = mesh_.node < instance_.places.size();
      return {narrowed(placed ? instance_.places[mesh_.node].world : scene::kIdentity)};
    }
    const scene::Skin& skin = scene_.skins[mesh_.skin];
    std::vector<Matrix> joints(skin.joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const scene::Mat4d bind = scene::widen(skin.inverse_bind[i]);
      joints[i] = narrowed(scene::multiply(instance_.places[skin.joints[i]].world, bind));
    }
    return joints;
  }

  [[nodiscard]] std::vector<Matrix> group_matrices() const {
    std::vector<Matrix> joints = joint_matrices();
    if (data_.groups.empty()) {
      return joints;
    }
    std::vector<Matrix> groups(data_.representatives.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::size_t first = std::size_t{data_.representatives[g]} * mesh_.influences;
      for (std::size_t i = first; i < first + mesh_.influences; ++i) {
        const float weight = mesh_.weights[i];
        if (weight != 0) {
          const Matrix& joint = joints[mesh_.joints[i]];
          for (std::size_t e = 0; e < joint.size(); ++e) {
            groups[g][e] += joint[e] * weight;
          }
        }
      }
    }
    return groups;
  }

  // --- streams
  // ------------------------------------------------------------------------------------------

  /// Vertex colours times light; made when the first layer asks for them.
  /// Neither textures nor colours of its own: in white, light would leave nothing to see of its form.
  [[nodiscard]] bool is_bare() const {
    const auto has_texture = [](const scene::Layer& layer) { return layer.texture != kNone; };
    return mesh_.colors.empty() && mesh_.color == Vec3{1, 1, 1} &&
           std::none_of(mesh_.parts.begin(), mesh_.parts.end(), [&](const scene::MeshPart& part) {
             if (part.material == kNone) {
               return false;
             }
             const auto& layers = scene_.materials[part.material].layers;
             return std::any_of(layers.begin(), layers.end(), has_texture);
           });
  }

  void set_colors(Draw& draw, bool lit) {
    if (!at_rest_) {
      draw.base_color = lit ? lit_colors() : plain_colors();
      return;
    }
    draw.lit = lit;
    draw.base_color = mesh_.colors.empty() ? kNone : 0;
    draw.bare_color = lit && is_bare() ? kClayGrey : 1;
  }

  std::uint32_t lit_colors() {
    constexpr Vec4 kWhite = {1, 1, 1, 1};
    constexpr Vec4 kClay = {kClayGrey, kClayGrey, kClayGrey, 1};
    if (lit_base_ == kNone) {
      const Vec4 usual = is_bare() ? kClay : kWhite;
      lit_base_ = static_cast<std::uint32_t>(frame_.colors.size());
      frame_.colors.resize(lit_base_ + normals_.size());
      for (std::size_t v = 0; v < normals_.size(); ++v) {
        const Vec3 light = builder_.lights.at(frame_.positions[base_ + v], normals_[v]);
        const Vec4 color = mesh_.colors.empty() ? usual : mesh_.colors[v];
        frame_.colors[lit_base_ + v] = {to_byte(light[0] * color[0]), to_byte(light[1] * color[1]),
                                        to_byte(light[2] * color[2]), to_byte(color[3])};
      }
    }
    return lit_base_;
  }

  std::uint32_t plain_colors() {
    if (plain_base_ == kNone && !mesh_.colors.empty()) {
      plain_base_ = static_cast<std::uint32_t>(frame_.colors.size());
      for (const Vec4& color : mesh_.colors) {
        frame_.colors.push_back({to_byte(color[0]), to_byte(color[1]), to_byte(color[2]), to_byte(color[3])});
      }
    }
    return plain_base_;
  }

  /// Of draws that are lit pixel by pixel.
  std::uint32_t surface_normals() {
    if (at_rest_) {
      return 0;
    }
    if (normal_base_ == kNone) {
      normal_base_ = static_cast<std::uint32_t>(frame_.normals.size());
      frame_.normals.insert(frame_.normals.end(), normals_.begin(), normals_.end());
    }
    return normal_base_;
  }

  std::uint32_t surface_tangents() {
    const Array<Vec4>& tangents = mesh_.tangents.empty() ? data_.tangents : mesh_.tangents;
    if (at_rest_) {
      return tangents.empty() ? kNone : 0;
    }
    if (tangent_base_ == kNone && !tangents.empty()) {
      const std::vector<Matrix> matrices = group_matrices();
      tangent_base_ = static_cast<std::uint32_t>(frame_.tangents.size());
      for (std::size_t v = 0; v < tangents.size(); ++v) {
        const Matrix& matrix = matrices[data_.groups.empty() ? 0 : data_.groups[v]];
        const Vec3 along = turned(matrix, {tangents[v][0], tangents[v][1], tangents[v][2]});
        frame_.tangents.push_back({along[0], along[1], along[2], tangents[v][3] < 0 ? -1.0F : 1.0F});
      }
    }
    return tangent_base_;
  }

  void set_uvs(Draw& draw, const scene::Layer& layer) {
    // A layer that names a set that is not there is drawn with the first, as the game does.
    const std::size_t set = layer.uv_set < mesh_.uv_sets.size() ? layer.uv_set : 0;
    const bool is_there = layer.sphere_map || (set < mesh_.uv_sets.size() && !mesh_.uv_sets[set].empty());
    if (at_rest_) {
      draw.sphere_map = layer.sphere_map;
      draw.uv_set = static_cast<Index>(set);
      draw.base_uv = is_there ? 0 : kNone;
    } else if (is_there) {
      draw.base_uv = layer.sphere_map ? sphere_uvs() : uvs(set);
    }
  }

  std::uint32_t uvs(std::size_t at) {
    if (uv_bases_[at] == kNone) {
      uv_bases_[at] = static_cast<std::uint32_t>(frame_.uvs.size());
      frame_.uvs.insert(frame_.uvs.end(), mesh_.uv_sets[at].begin(), mesh_.uv_sets[at].end());
    }
    return uv_bases_[at];
  }

  /// Texture coordinates from the normal as the viewer sees it.
  std::uint32_t sphere_uvs() {
    if (sphere_base_ == kNone) {
      const Vec3 right = scene::narrow(builder_.viewer.right);
      const Vec3 up = scene::narrow(builder_.viewer.up);
      const auto along = [](const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
      sphere_base_ = static_cast<std::uint32_t>(frame_.uvs.size());
      for (const Vec3& normal : normals_) {
        frame_.uvs.push_back({0.5F + 0.5F * along(normal, right), 0.5F - 0.5F * along(normal, up)});
      }
    }
    return sphere_base_;
  }

  // --- draws
  // --------------------------------------------------------------------------------------------

  Draw basic_draw(const scene::MeshPart& part) const {
    Draw draw;
    draw.topology = topology_;
    draw.first_index = first_index_ + part.first_index;
    draw.index_count = part.index_count / corners_of(topology_) * corners_of(topology_);
    draw.vertex_count = static_cast<std::uint32_t>(mesh_.positions.size());
    draw.base_position = base_;
    draw.rest_mesh = at_rest_ ? instance_.model.first_mesh + index_ : kNone;
    draw.base_matrix = base_matrix_;
    draw.color = {color_[0], color_[1], color_[2], alpha_};
    draw.origin = Origin::mesh;
    draw.object = index_;
    return draw;
  }

  void add_wire(const scene::Wire& wire) {
    using Mode = scene::Wire::Mode;
    topology_ = wire.mode == Mode::points ? Topology::points : Topology::lines;
    scene::MeshPart part;
    part.material = wire.material;
    part.first_index = static_cast<std::uint32_t>(frame_.indices.size()) - first_index_;
    const auto& corners = wire.indices;
    if (wire.mode == Mode::points || wire.mode == Mode::lines) {
      frame_.indices.insert(frame_.indices.end(), corners.begin(), corners.end());
    } else {
      for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
        frame_.indices.insert(frame_.indices.end(), {corners[i], corners[i + 1]});
      }
      if (wire.mode == Mode::line_loop && corners.size() > 2) {
        frame_.indices.insert(frame_.indices.end(), {corners.back(), corners.front()});
      }
    }
    part.index_count = static_cast<std::uint32_t>(frame_.indices.size()) - first_index_ - part.first_index;
    add_part(part);
    topology_ = Topology::triangles;
  }

  /// Points and lines have no light of their own where they have no normals.
  [[nodiscard]] bool takes_light() const {
    return topology_ == Topology::triangles || !mesh_.normals.empty();
  }

  void add_part(const scene::MeshPart& part) {
    if (part.material == kNone || scene_.materials[part.material].layers.empty()) {
      Draw draw = basic_draw(part);
      set_colors(draw, takes_light());
      builder_.add(draw, {});
      return;
    }
    const scene::Material& material = scene_.materials[part.material];
    for (std::size_t i = 0; i < material.layers.size(); ++i) {
      add_layer(part, material, static_cast<Index>(i));
    }
  }

  void add_layer(const scene::MeshPart& part, const scene::Material& material, Index index) {
    const scene::Layer& layer = material.layers[index];
    const Target target{Target::Kind::layer, part.material, index};
    const float alpha = instance_.player.scalar(target, Property::layer_alpha, layer.alpha, instance_.now);
    if (!(alpha > scene::kInvisible)) {
      return;
    }
    Draw draw = basic_draw(part);
    draw.layer = index;
    draw.color[3] *= alpha;
    set_blend(draw, layer.blend);
    draw.depth_test = !layer.no_depth_test;
    draw.depth_write = draw.depth_write && !layer.no_depth_write;
    draw.two_sided = layer.two_sided;
    draw.fogged = !layer.unfogged;
    const Index shown = texture(layer, target);
    // In one grey without light, nothing would be left to see of its form.
    const bool flat = (layer.unshaded && !is_missing(instance_.model, shown)) || !takes_light();
    const bool by_pixel = layer.physically_based && !flat && builder_.options.lighting != Lighting::none;
    set_colors(draw, !flat && !by_pixel);
    set_uvs(draw, layer);
    draw.uv_matrix = uv_matrix(layer);
    draw.texture = sampler_of(instance_.model, shown);
    if (layer.physically_based) {
      set_physical(draw, layer, target);
    }
    if (by_pixel) {
      light_by_pixel(draw, layer);
    }
    const bool blended = draw.blend != Blend::none;
    if (blended && draw.blend != Blend::alpha && is_missing(instance_.model, shown) &&
        !stand_in(draw, layer, material)) {
      return;
    }
    builder_.add(draw, {blended, material.draw_order, static_cast<unsigned>(layer.blend)});
    if (builder_.options.night > 0 && layer.night_color != Vec3{}) {
      add_night_glow(draw, layer, material);
    }
  }

  /// The same picture once more, in its own light.
  void add_night_glow(Draw draw, const scene::Layer& layer, const scene::Material& material) {
    draw.blend = Blend::add;
    draw.depth_write = false;
    draw.base_color = kNone;
    draw.lit = false;
    draw.bare_color = 1;
    for (std::size_t i = 0; i < layer.night_color.size(); ++i) {
      draw.color.at(i) = layer.night_color.at(i) * builder_.options.night;
    }
    builder_.add(draw, {true, material.draw_order, static_cast<unsigned>(scene::BlendMode::additive)});
  }

  /// For a glow without its picture, where nothing else is to be seen of the part: false if it is better left
  /// out.
  bool stand_in(Draw& draw, const scene::Layer& layer, const scene::Material& material) {
    constexpr float kFaint = 0.3F;
    if (layer.sphere_map || draw.blend != Blend::add || !is_lost_glow(instance_.model, material)) {
      return false;
    }
    const std::size_t set = layer.uv_set < mesh_.uv_sets.size() ? layer.uv_set : 0;
    const bool spot = set < mesh_.uv_sets.size() && show_one_picture(mesh_.uv_sets[set]);
    if (!spot && !is_all_lost(instance_.model)) {
      return false;  // a bright box beside what is to be seen
    }
    set_soft(builder_, instance_.model, draw);
    if (!spot) {
      draw.texture = {};
      draw.color[3] *= kFaint;
    }
    return true;
  }

  /// Flip-books step through textures.
  [[nodiscard]] Index texture(const scene::Layer& layer, const Target& target) const {
    const Player::Timed timed = instance_.player.find(target, Property::layer_texture);
    if (timed.curve == nullptr || timed.curve->components != 1) {
      return layer.texture;
    }
    const float value = scene::evaluate_scalar(*timed.curve, static_cast<float>(timed.at(instance_.now)));
    const bool inside = value >= 0 && value < static_cast<float>(scene_.textures.size());
    return inside ? static_cast<Index>(value) : layer.texture;
  }

  void set_physical(Draw& draw, const scene::Layer& layer, const Target& target) const {
    draw.physically_based = true;
    // A grey box in their place would glow and wear the team's colour all over.
    if (!is_missing(instance_.model, layer.orm)) {
      draw.orm = sampler_of(instance_.model, layer.orm);
    }
    if (!is_missing(instance_.model, layer.emissive)) {
      draw.emissive = sampler_of(instance_.model, layer.emissive);
    }
    draw.team_color = sampler_of(instance_.model, layer.team_color);
    const auto scalar = [&](Property property, float rest) {
      return instance_.player.scalar(target, property, rest, instance_.now);
    };
    draw.emissive_gain = scalar(Property::layer_emissive, layer.emissive_gain);
    draw.rim = layer.fresnel_color;
    instance_.player.read(target, Property::layer_fresnel_color, instance_.now, draw.rim);
    draw.rim_opacity = scalar(Property::layer_fresnel_opacity, layer.fresnel_opacity);
    draw.rim_team = scalar(Property::layer_fresnel_team_color, layer.fresnel_team_color);
  }

  void light_by_pixel(Draw& draw, const scene::Layer& layer) {
    const ModelData& model = instance_.model;
    draw.base_normal = surface_normals();
    for (std::size_t i = 0; i < 3 && is_bare(); ++i) {
      draw.color[i] *= kClayGrey;
    }
    const Sampler normal = sampler_of(model, layer.normal);
    if (normal.image != kNone && !is_missing(model, layer.normal)) {
      draw.normal = normal;
      draw.normal_in_alpha = model.surface_pictures[normal.image - model.first_image].x_in_alpha;
      draw.base_tangent = surface_tangents();
    }
    const Index around = sampler_of(model, layer.environment).image;
    const bool reported = around != kNone && !is_missing(model, layer.environment);
    static const float kGain = environment_gain(surroundings());
    draw.environment = {reported ? around : model.surroundings, true, false};
    draw.environment_gain =
        reported ? model.surface_pictures[around - model.first_image].environment_gain : kGain;
  }

  /// Offset, then rotation, then scale, both about the centre.
  [[nodiscard]] std::array<float, 6> uv_matrix(const scene::Layer& layer) const {
    if (layer.uv_animation >= scene_.uv_animations.size()) {
      return {1, 0, 0, 1, 0, 0};
    }
    scene::UvTransform uv = scene_.uv_animations[layer.uv_animation].rest;
    const Target target{Target::Kind::uv_animation, layer.uv_animation, 0};
    instance_.player.read(target, Property::uv_offset, instance_.now, uv.offset);
    instance_.player.read(target, Property::uv_scale, instance_.now, uv.scale);
    uv.rotation = instance_.player.scalar(target, Property::uv_rotation, uv.rotation, instance_.now);
    const double c = scene::cosine(double{uv.rotation});
    const double s = scene::sine(double{uv.rotation});
    const auto sx = double{uv.scale[0]};
    const auto sy = double{uv.scale[1]};
    const double x = double{uv.offset[0]} - 0.5;
    const double y = double{uv.offset[1]} - 0.5;
    const std::array<double, 6> m = {
        sx * c, -sx * s, sy * s, sy * c, sx * (c * x - s * y) + 0.5, sy * (s * x + c * y) + 0.5};
    std::array<float, 6> result{};
    std::transform(m.begin(), m.end(), result.begin(), scene::to_float);
    return result;
  }

  void add_edges() {
    Draw draw = basic_draw({});
    draw.topology = Topology::lines;
    draw.origin = Origin::wireframe;
    draw.first_index = static_cast<std::uint32_t>(frame_.indices.size());
    draw.index_count = static_cast<std::uint32_t>(mesh_.indices.size() / 3 * 6);
    draw.color = builder_.options.surfaces ? Vec4{0, 0, 0, 1} : Vec4{0.85F, 0.9F, 1, 1};
    draw.depth_write = false;
    draw.fogged = false;
    for (std::size_t i = 0; i + 2 < mesh_.indices.size(); i += 3) {
      for (std::size_t corner = 0; corner < 3; ++corner) {
        frame_.indices.push_back(mesh_.indices[i + corner]);
        frame_.indices.push_back(mesh_.indices[i + (corner + 1) % 3]);
      }
    }
    builder_.add(draw, {true, kOverlayPriority - 1, 0});
  }

  Builder& builder_;
  Frame& frame_;
  const Instance& instance_;
  const scene::Scene& scene_;
  const scene::Mesh& mesh_;
  const MeshData& data_;
  Index index_;
  Target target_;
  Vec3 color_{};
  float alpha_ = 1;
  Topology topology_ = Topology::triangles;  ///< of the draws that are added
  bool at_rest_ = false;                     ///< the vertices are not posed here
  std::uint32_t base_matrix_ = 0;
  std::uint32_t base_ = 0;
  std::uint32_t first_index_ = 0;
  std::uint32_t lit_base_ = kNone;
  std::uint32_t plain_base_ = kNone;
  std::uint32_t sphere_base_ = kNone;
  std::uint32_t normal_base_ = kNone;
  std::uint32_t tangent_base_ = kNone;
  std::vector<std::uint32_t> uv_bases_;
  Array<Vec3> normals_;
};

/// Vertices that no triangle uses must not take more than triangles may.
bool has_room(const Builder& builder, const scene::Mesh& mesh) {
  const std::size_t most = std::size_t{builder.options.max_triangles} * 3;
  std::size_t indices = mesh.indices.size();
  for (const auto& wire : mesh.wires) {
    indices += wire.indices.size() * 2;
  }
  return builder.frame.positions.size() + mesh.positions.size() <= most &&
         builder.frame.indices.size() + indices <= most;
}

}  // namespace

RestMesh rest_mesh(const scene::Mesh& mesh, const MeshData& data) {
  RestMesh rest;
  if (!data.sound) {
    return rest;
  }
  rest.positions = mesh.positions;
  rest.normals = mesh.normals.empty() ? data.normals : mesh.normals;
  rest.tangents = mesh.tangents.empty() ? data.tangents : mesh.tangents;
  rest.colors = mesh.colors;
  rest.uv_sets.assign(mesh.uv_sets.begin(), mesh.uv_sets.end());
  rest.indices = mesh.indices;
  if (!data.groups.empty()) {
    rest.groups = data.groups;
    rest.representatives = data.representatives;
    rest.joints = mesh.joints;
    rest.weights = mesh.weights;
    rest.influences = mesh.influences;
  }
  return rest;
}

void add_meshes(Builder& builder, const Instance& instance) {
  const scene::Scene& scene = *instance.model.scene;
  const auto& hidden = builder.options.hidden_meshes;
  for (Index i = 0; i < scene.meshes.size(); ++i) {
    const bool shown = instance.depth > 0 || i >= hidden.size() || !hidden[i];
    const Index node = scene.meshes[i].node;
    const bool coarser = node < scene.nodes.size() && instance.model.hidden_nodes[node];
    if (!shown || coarser || !instance.model.meshes[i].sound) {
      continue;
    }
    if (is_stopped(builder.options.control) || !has_room(builder, scene.meshes[i])) {
      builder.frame.complete = false;
      return;
    }
    MeshBuilder(builder, instance, i).build();
  }
}

}  // namespace thaw::frame
