// Blood, footprints and other marks that events lay on the ground (warcraft3-rendering.md#events).
#include "frame/builder.hpp"
#include "frame/cells.hpp"
#include "frame/random.hpp"
#include "frame/stand_in.hpp"
#include "scene/axes.hpp"
#include "scene/game_rules.hpp"

#include <algorithm>
#include <cmath>

namespace thaw::frame {
namespace {

constexpr int kUnderAll = -0x7FFFFFFF;
constexpr std::uint32_t kMostMarks = 1024;  // of one splat at a moment

/// Calls `use` with how long ago the event happened, for each time within a life in seconds. A clip that
/// loops is taken to have run for ever.
template <class Use>
void each_age(Builder& builder, const Instance& instance, const scene::Event& event, double life,
              const Use& use) {
  const auto& clips = instance.model.scene->clips;
  const PlayTime& moment = instance.moment;
  const bool looped = event.global_loop < clips.size();
  if (!looped && moment.clip >= clips.size()) {
    return;
  }
  const scene::Clip& clip = clips[looped ? event.global_loop : moment.clip];
  const double now = looped ? moment.clock : moment.time;
  const auto period = double{clip.duration};
  const bool loops = clip.looping && period > 0;
  for (const std::int32_t frame : event.frames) {
    const std::int64_t first = !looped && clip.interval ? clip.interval->first : 0;
    if (!looped && !(clip.interval && frame >= first && frame <= clip.interval->last)) {
      continue;
    }
    const double since = now - static_cast<double>(frame - first) / 1000;
    double age = loops ? wrapped(since, period) : since;
    for (std::uint32_t i = 0; i < kMostMarks && age >= 0 && age < life; ++i) {
      if (!builder.take_nodes(instance.model.skeleton.depth(event.node))) {
        builder.frame.complete = false;
        return;
      }
      use(age);
      if (!loops) {
        break;
      }
      age += period;
    }
  }
}

class SplatBuilder {
 public:
  SplatBuilder(Builder& builder, const Instance& instance, Index index)
      : builder_(builder),
        instance_(instance),
        splat_(instance.model.scene->splats[index]),
        event_(instance.model.scene->events[splat_.event]),
        index_(index),
        life_(double{splat_.birth} + double{splat_.pause} + double{splat_.decay}) {}

  void build() {
    each_age(builder_, instance_, event_, life_, [this](double age) { add_mark(age); });
  }

 private:
  [[nodiscard]] Vec4 color_at(double age) const {
    const double birth{splat_.birth};
    const double decayed = age - birth - double{splat_.pause};
    const std::size_t from = decayed > 0 ? 1 : 0;
    const double share = from == 1   ? decayed / double{splat_.decay}
                         : birth > 0 ? std::min(age / birth, 1.0)
                                     : 1;
    Vec4 color{};
    for (std::size_t i = 0; i < color.size(); ++i) {
      const double first{splat_.colors.at(from).at(i)};
      color.at(i) = scene::to_float(first + (double{splat_.colors.at(from + 1).at(i)} - first) * share);
    }
    return color;
  }

  [[nodiscard]] Vec4 cell(double age) const {
    const double birth{splat_.birth};
    const double rest = life_ - birth;
    return age < birth ? cell_at(splat_.birth_cells, splat_.rows, splat_.columns, age / birth)
                       : cell_at(splat_.decay_cells, splat_.rows, splat_.columns,
                                 rest > 0 ? (age - birth) / rest : 0);
  }

  void add_mark(double age) {
    const Vec4 color = color_at(age);
    if (!(color[3] > scene::kInvisible)) {
      return;
    }
    const Frame& frame = builder_.frame;
    Draw draw;
    draw.first_index = static_cast<std::uint32_t>(frame.indices.size());
    draw.base_position = static_cast<std::uint32_t>(frame.positions.size());
    draw.base_uv = static_cast<std::uint32_t>(frame.uvs.size());
    draw.index_count = 6;
    draw.vertex_count = 4;
    draw.color = color;
    set_blend(draw, splat_.blend);
    draw.depth_write = false;
    draw.two_sided = true;
    draw.texture = sampler_of(instance_.model, splat_.texture);
    draw.origin = Origin::splat;
    draw.object = index_;
    const bool lost = is_missing(instance_.model, splat_.texture);
    add_square(instance_.player.times(instance_.moment, age), lost ? Vec4{0, 0, 1, 1} : cell(age));
    if (lost) {
      set_soft(builder_, instance_.model, draw);
    }
    builder_.add(draw, {true, kUnderAll, 0});
  }

  /// As the node stood when the event happened, laid flat: the ground is where up is 0.
  void add_square(const Times& then, const Vec4& cell) {
    constexpr float kAbove = 0.005F;  // of the ground's own squares
    Frame& frame = builder_.frame;
    const WorldTransform node = instance_.pose.place(event_.node, then);
    const double half{splat_.scale};
    for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
      const Vec3d corner = scene::to_y_up(Vec3d{x * half, y * half, 0}, instance_.model.scene->axes);
      Vec3 place = scene::narrow(scene::transform_point(node.world, corner));
      place[1] = kAbove;
      frame.positions.push_back(place);
      frame.uvs.push_back({x < 0 ? cell[0] : cell[2], y < 0 ? cell[3] : cell[1]});
    }
    for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U}) {
      frame.indices.push_back(corner);
    }
  }

  Builder& builder_;
  const Instance& instance_;
  const scene::Splat& splat_;
  const scene::Event& event_;
  Index index_;
  double life_;
};

}  // namespace

void add_spawned(Builder& builder, const Instance& instance, std::vector<Thrown>& thrown) {
  const ModelData& model = instance.model;
  for (std::size_t i = 0; i < model.event_models.size(); ++i) {
    const scene::Event& event = model.scene->events[i];
    if (model.event_models[i] == kNone || event.node >= model.scene->nodes.size()) {
      continue;
    }
    each_age(builder, instance, event, model.event_lives[i], [&](double age) {
      const WorldTransform place =
          instance.pose.place(event.node, instance.player.times(instance.moment, age));
      thrown.push_back({model.event_models[i], place, age, mixed(instance.seed + i)});
    });
  }
}

void add_splats(Builder& builder, const Instance& instance) {
  const scene::Scene& scene = *instance.model.scene;
  for (Index i = 0; i < scene.splats.size(); ++i) {
    const Index event = scene.splats[i].event;
    if (event < scene.events.size() && scene.events[event].node < scene.nodes.size()) {
      SplatBuilder(builder, instance, i).build();
    }
  }
}

}  // namespace thaw::frame
