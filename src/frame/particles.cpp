// Particle emitters of both kinds (warcraft3-rendering.md#sprite-particles,
// warcraft3-rendering.md#thrown-models). A particle's place follows from its birth in closed form, so nothing
// has to be simulated step by step.
#include "frame/cells.hpp"
#include "frame/emission.hpp"
#include "frame/random.hpp"
#include "frame/stand_in.hpp"
#include "scene/axes.hpp"
#include "scene/game_rules.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::frame {
namespace {

using scene::add;
using scene::Emitter;
using scene::Property;
using scene::scaled;
using scene::Target;

struct Particle {
  double age = 0;
  Vec3d position{};  ///< in world space, or in the node's with ModelSpace
  Vec3d velocity{};
  double size = 1;  ///< of its node at birth
  float alpha = 1;
  std::uint64_t seed = 0;
};

class EmitterBuilder {
 public:
  /// `sprites`: the emitter as sprites, where it throws a picture or something that was not found.
  EmitterBuilder(Builder& builder, const Instance& instance, Index index, const Emitter* sprites)
      : builder_(builder),
        instance_(instance),
        source_(instance.model.scene->emitters[index]),
        emitter_(sprites != nullptr ? *sprites : source_),
        soft_((sprites != nullptr && sprites->texture == kNone) ||
              is_missing(instance.model, source_.texture)),
        index_(index),
        target_{Target::Kind::emitter, index, 0},
        ticks_(instance.moment, life(instance.now)),
        moving_(instance.pose.moves(emitter_.node)),
        depth_(instance.model.skeleton.depth(emitter_.node)) {}

  void build(std::vector<Thrown>& thrown) {
    if (source_.kind == Emitter::Kind::effect) {
      glow();
    } else {
      emit();
    }
    if (emitter_.kind == Emitter::Kind::models) {
      throw_models(thrown);
    } else if (!particles_.empty()) {
      add_sprites();
    }
  }

 private:
  /// Of the source's axes.
  [[nodiscard]] Vec3d from_source(double x, double y, double z) const {
    return scene::to_y_up(Vec3d{x, y, z}, instance_.model.scene->axes);
  }

  [[nodiscard]] float value(Property property, float rest, const Times& times) const {
    return instance_.player.scalar(target_, property, rest, times);
  }
  [[nodiscard]] double life(const Times& times) const {
    return std::max(0.0, double{value(Property::emitter_life_span, emitter_.life_span, times)});
  }

  // --- births
  // -------------------------------------------------------------------------------------------

  void emit() {
    for (std::int64_t tick = ticks_.last(); tick >= ticks_.first(); --tick) {
      if (builder_.ticks_left == 0 || !has_room()) {
        builder_.frame.complete = false;
        break;
      }
      --builder_.ticks_left;
      emit(tick);
    }
    std::reverse(particles_.begin(), particles_.end());  // the oldest first
  }

  [[nodiscard]] bool has_room() const {
    return builder_.frame.particles + particles_.size() < builder_.options.max_particles;
  }

  /// One particle that stays with its node while the effect is on: the larger the farther its own would fly,
  /// the fainter the fewer of them there would be. An effect's numbers are multipliers.
  void glow() {
    constexpr double kLargest = 4;
    const Times& now = instance_.now;
    const double span = life(now);
    const double there = double{value(Property::emitter_rate, emitter_.rate, now)} * span;
    const double distance = double{value(Property::emitter_speed, emitter_.speed, now)} * span;
    const bool on = now.running && instance_.player.visible(emitter_.node, now) && there > 0 &&
                    value(Property::emitter_alpha, emitter_.alpha, now) > scene::kInvisible;
    if (on && has_room()) {
      const WorldTransform& node = place(now);
      Particle particle;
      particle.position = scene::translation_of(node.world);
      particle.size = std::fabs(node.scale[0]) * std::clamp((1 + std::fabs(distance)) / 2, 0.0, kLargest);
      particle.alpha = static_cast<float>(std::min(1.0, there));
      particles_.push_back(particle);
    }
  }

  void emit(std::int64_t tick) {
    const double start = static_cast<double>(tick) * kTick;
    const Times times = instance_.player.times(instance_.moment, ticks_.age(start));
    if (!times.running || !instance_.player.visible(emitter_.node, times)) {
      return;
    }
    constexpr std::uint32_t kMostPerTick = 2048;
    const float rate = value(Property::emitter_rate, emitter_.rate, times);
    const Births births = emitter_.burst ? burst_at(tick, instance_.player, instance_, ticks_, target_,
                                                    emitter_.rate, kMostPerTick)
                                         : births_at(tick, double{rate}, kMostPerTick);
    for (std::uint32_t i = births.count; i-- > 0;) {
      const double age = ticks_.age(births.start + births.step * i);
      if (age >= 0 && has_room() && (!moving_ || builder_.take_nodes(depth_))) {
        bear(tick, i, age);
      }
    }
  }

  void bear(std::int64_t tick, std::uint32_t ordinal, double age) {
    const Times times = instance_.player.times(instance_.moment, age);
    const double span = life(times);
    if (!(age < span)) {
      return;
    }
    Particle particle;
    particle.age = age;
    particle.seed = mixed(mixed(mixed(instance_.seed + index_) + static_cast<std::uint64_t>(tick)) + ordinal);
    if (soft_ && is_one_too_many(particle.seed, times, span)) {
      return;
    }
    Random random(particle.seed);
    const WorldTransform& node = place(times);
    const bool local = emitter_.model_space && emitter_.kind == Emitter::Kind::sprites;
    particle.position = birth_place(random, times);
    particle.velocity = birth_velocity(random, times);
    auto gravity = double{value(Property::emitter_gravity, emitter_.gravity, times)};
    particle.size = std::fabs(node.scale[0]);
    if (!local) {
      particle.position = scene::transform_point(node.world, particle.position);
      particle.velocity = scene::multiply(rotated(node.rotation, particle.velocity), node.scale);
      gravity *= node.scale[1];
    }
    particle.position = add(particle.position, scaled(particle.velocity, age));
    particle.position[1] -= gravity * age * age / 2;
    particle.velocity[1] -= gravity * age;
    particles_.push_back(particle);
  }

  /// Many spots over each other are nothing but white, and cost as much as pictures would.
  [[nodiscard]] bool is_one_too_many(std::uint64_t seed, const Times& times, double span) const {
    constexpr double kEnough = 80;
    const double all =
        emitter_.burst ? 0 : double{value(Property::emitter_rate, emitter_.rate, times)} * span;
    return Random(seed ^ 1U).between(0, all) > kEnough;
  }

  const WorldTransform& place(const Times& times) {
    place_ = moving_ ? instance_.pose.place(emitter_.node, times) : instance_.places[emitter_.node];
    return place_;
  }

  Vec3d birth_place(Random& random, const Times& times) const {
    if (source_.kind == Emitter::Kind::models) {
      return {};
    }
    const double x = double{value(Property::emitter_length, emitter_.length, times)} / 2;
    const double y = double{value(Property::emitter_width, emitter_.width, times)} / 2;
    const double along = random.between(-x, x);
    return from_source(along, random.between(-y, y), 0);
  }

  /// Up, turned at random within the latitude; around all sides unless it emits along a line.
  Vec3d birth_velocity(Random& random, const Times& times) const {
    const auto latitude = double{value(Property::emitter_latitude, emitter_.latitude, times)};
    const auto variation = double{value(Property::emitter_variation, emitter_.variation, times)};
    const auto speed = double{value(Property::emitter_speed, emitter_.speed, times)};
    const double a = random.between(-latitude, latitude);
    Vec3d direction{};
    if (source_.kind == Emitter::Kind::models) {
      const double turn = random.between(-scene::kPi, scene::kPi);
      const double flat = scene::sine(a);
      direction = from_source(flat * scene::cosine(turn), flat * scene::sine(turn), scene::cosine(a));
      return scaled(direction, speed);
    }
    const double b = emitter_.line ? 0 : random.between(-latitude, latitude);
    direction =
        from_source(scene::sine(b), scene::cosine(b) * scene::sine(a), scene::cosine(b) * scene::cosine(a));
    return scaled(direction, speed * (1 + random.between(-variation, variation)));
  }

  void throw_models(std::vector<Thrown>& thrown) const {
    const Index model = instance_.model.emitter_models[index_];
    for (const Particle& particle : particles_) {
      Random random(mixed(particle.seed));
      const double turn = random.between(-scene::kPi, scene::kPi);
      Thrown one;
      one.model = model;
      one.place.rotation = {0, scene::sine(turn / 2), 0, scene::cosine(turn / 2)};
      one.place.scale = {particle.size, particle.size, particle.size};
      one.place.world = scene::compose(particle.position, one.place.rotation, one.place.scale);
      one.age = particle.age;
      one.seed = particle.seed;
      thrown.push_back(one);
    }
  }

  // --- sprites
  // ------------------------------------------------------------------------------------------

  struct Appearance {
    Vec4 color{};
    double scale = 0;
    unsigned half = 0;  ///< of life
    double part = 0;    ///< of the half
  };

  [[nodiscard]] Appearance look(double age, double span) const {
    const double factor = age / span;
    const auto middle = double{emitter_.middle};
    Appearance look;
    look.half = factor < middle ? 0 : 1;
    const double rest = 1 - middle;
    double part = look.half == 0 ? factor / middle : (rest != 0 ? (factor - middle) / rest : 1);
    part = std::isfinite(part) ? std::clamp(part, 0.0, 1.0) : 1;
    look.part = part;
    const auto between = [&](float from, float to) {
      return static_cast<float>(double{from} + (double{to} - double{from}) * part);
    };
    const auto& from = emitter_.colors.at(look.half);
    const auto& to = emitter_.colors.at(look.half + 1);
    look.color = {between(from[0], to[0]), between(from[1], to[1]), between(from[2], to[2]),
                  between(emitter_.alphas[look.half], emitter_.alphas[look.half + 1])};
    look.scale = double{between(emitter_.scales[look.half], emitter_.scales[look.half + 1])};
    return look;
  }

  /// Left, top, right and bottom of the cell that is shown.
  [[nodiscard]] Vec4 cell(const Appearance& look, bool tail) const {
    constexpr std::uint32_t kTeamGlow = 2;
    if (soft_ || emitter_.replaceable_id == 1 || emitter_.replaceable_id == kTeamGlow) {
      return {0, 0, 1, 1};
    }
    const scene::CellRun& run = tail ? (look.half == 0 ? emitter_.tail_life : emitter_.tail_decay)
                                     : (look.half == 0 ? emitter_.head_life : emitter_.head_decay);
    return cell_at(run, emitter_.rows, emitter_.columns, look.part);
  }

  void add_sprites() {
    const Times& now = instance_.now;
    if (emitter_.sort_far_z) {
      sort_by_distance();
    }
    Draw draw = begin();
    const bool head = emitter_.shape != Emitter::Shape::tail;
    const bool tail = emitter_.shape != Emitter::Shape::head;
    const double span = std::max(life(now), 1e-9);
    for (const Particle& particle : particles_) {
      Appearance shown = look(std::min(particle.age, span), span);
      shown.color[3] *= particle.alpha;
      if (head) {
        add_head(particle, shown);
      }
      if (tail) {
        add_tail(particle, shown);
      }
    }
    builder_.frame.particles += static_cast<std::uint32_t>(particles_.size());
    draw.index_count = static_cast<std::uint32_t>(builder_.frame.indices.size()) - draw.first_index;
    draw.vertex_count = static_cast<std::uint32_t>(builder_.frame.positions.size()) - draw.base_position;
    builder_.add(draw, {true, emitter_.draw_order, kModeOfEmitters});
  }

  Draw begin() {
    const Frame& frame = builder_.frame;
    Draw draw;
    draw.first_index = static_cast<std::uint32_t>(frame.indices.size());
    draw.base_position = static_cast<std::uint32_t>(frame.positions.size());
    draw.base_uv = static_cast<std::uint32_t>(frame.uvs.size());
    draw.base_color = static_cast<std::uint32_t>(frame.colors.size());
    set_blend(draw, emitter_.blend);
    draw.alpha_cutoff = emitter_.alpha_key ? scene::kKeyCutoff : draw.alpha_cutoff;
    draw.depth_write = false;
    draw.two_sided = true;
    draw.fogged = !emitter_.unfogged;
    draw.texture = sampler_of(instance_.model, emitter_.texture);
    draw.origin = Origin::emitter;
    draw.object = index_;
    if (soft_) {
      set_soft(builder_, instance_.model, draw);
    }
    return draw;
  }

  [[nodiscard]] Vec3d in_world(const Vec3d& position) const {
    return emitter_.model_space ? scene::transform_point(instance_.places[emitter_.node].world, position)
                                : position;
  }

  void sort_by_distance() {
    const auto depth = [&](const Particle& particle) {
      return scene::dot(in_world(particle.position), builder_.viewer.back);
    };
    std::vector<std::pair<double, std::size_t>> keys;
    keys.reserve(particles_.size());
    for (std::size_t i = 0; i < particles_.size(); ++i) {
      keys.emplace_back(depth(particles_[i]), i);
    }
    std::sort(keys.begin(), keys.end());  // what is furthest away lies least far along `back`
    std::vector<Particle> sorted;
    sorted.reserve(keys.size());
    for (const auto& key : keys) {
      sorted.push_back(particles_[key.second]);
    }
    particles_ = std::move(sorted);
  }

  void add_head(const Particle& particle, const Appearance& shown) {
    Vec3d right = builder_.viewer.right;
    Vec3d up = builder_.viewer.up;
    if (emitter_.xy_quad) {
      // It lies flat and is turned by the direction in which it flies.
      const Vec3d flight = scene::to_z_up(particle.velocity, instance_.model.scene->axes);
      const double angle = scene::arc_tangent(flight[1], flight[0]) - scene::kPi + scene::kPi / 8;
      const double c = scene::cosine(angle);
      const double s = scene::sine(angle);
      right = from_source(c, s, 0);
      up = from_source(-s, c, 0);
    }
    const double half = shown.scale * particle.size;
    const Vec3d middle = in_world(particle.position);
    right = scaled(right, half);
    up = scaled(up, half);
    const Vec3d low = scene::subtract(middle, up);
    const Vec3d high = add(middle, up);
    add_quad({scene::subtract(low, right), scene::subtract(high, right), add(high, right), add(low, right)},
             shown, false);
  }

  /// From behind the particle to it, turned to the viewer about its flight.
  void add_tail(const Particle& particle, const Appearance& shown) {
    const Vec3d from =
        in_world(scene::subtract(particle.position, scaled(particle.velocity, double{emitter_.tail_length})));
    const Vec3d to = in_world(particle.position);
    const Vec3d flight = scene::subtract(to, from);
    const double length = scene::length(flight);
    if (!(length > 1e-12)) {
      return;
    }
    const Vec3d normal = scene::cross(builder_.viewer.back, scaled(flight, 1 / length));
    const Vec3d edge = scaled(normal, shown.scale * particle.size);
    add_quad({scene::subtract(from, edge), scene::subtract(to, edge), add(to, edge), add(from, edge)}, shown,
             true);
  }

  void add_quad(const std::array<Vec3d, 4>& corners, const Appearance& shown, bool tail) {
    Frame& frame = builder_.frame;
    const auto first = static_cast<std::uint32_t>(frame.positions.size()) - base();
    const Vec4 rect = cell(shown, tail);
    const std::array<std::uint8_t, 4> color = {to_byte(shown.color[0]), to_byte(shown.color[1]),
                                               to_byte(shown.color[2]), to_byte(shown.color[3])};
    const std::array<Vec2, 4> uvs = {
        {{rect[2], rect[1]}, {rect[0], rect[1]}, {rect[0], rect[3]}, {rect[2], rect[3]}}};
    for (std::size_t i = 0; i < corners.size(); ++i) {
      frame.positions.push_back(scene::narrow(corners.at(i)));
      frame.uvs.push_back(uvs.at(i));
      frame.colors.push_back(color);
    }
    for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U}) {
      frame.indices.push_back(first + corner);
    }
  }

  std::uint32_t base() {
    if (base_ == kNone) {
      base_ = static_cast<std::uint32_t>(builder_.frame.positions.size());
    }
    return base_;
  }

  Builder& builder_;
  const Instance& instance_;
  const Emitter& source_;
  const Emitter& emitter_;  ///< as which it is drawn
  bool soft_;               ///< as spots
  Index index_;
  Target target_;
  Ticks ticks_;
  bool moving_;
  std::size_t depth_;
  WorldTransform place_;
  std::uint32_t base_ = kNone;
  std::vector<Particle> particles_;
};

}  // namespace

void add_particles(Builder& builder, const Instance& instance, std::vector<Thrown>& thrown) {
  const scene::Scene& scene = *instance.model.scene;
  for (Index i = 0; i < scene.emitters.size(); ++i) {
    const Emitter& emitter = scene.emitters[i];
    if (emitter.node >= scene.nodes.size()) {
      continue;
    }
    // Effects are programs of a foreign engine, of which a model holds only the name.
    const bool redrawn = emitter.kind == Emitter::Kind::effect ||
                         (emitter.kind == Emitter::Kind::models && instance.model.emitter_models[i] == kNone);
    const Emitter sprites = redrawn ? as_sprites(scene, emitter) : Emitter();
    EmitterBuilder(builder, instance, i, redrawn ? &sprites : nullptr).build(thrown);
  }
}

}  // namespace thaw::frame
