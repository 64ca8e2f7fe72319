// Curves to quantised channels. See nsa.md#quantising.
#include "formats/forgelight/nsa/quantise.hpp"

#include "bytes/finite.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace thaw::nsa {
namespace {

using Vec = std::array<double, 3>;
using Limits3 = std::array<std::uint32_t, 3>;

constexpr std::size_t kMostSets = 256;  // the index is a byte

/// The lowest and highest value per axis.
struct Span {
  Vec low{};
  Vec high{};
  bool empty = true;

  void take(const Vec& value) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = empty ? value[axis] : std::min(low[axis], value[axis]);
      high[axis] = empty ? value[axis] : std::max(high[axis], value[axis]);
    }
    empty = false;
  }
};

/// Minimum and step as floats such that no value within the range lies more than half a step from one that
/// the integers can say: the minimum is not above `low`, and the last integer reaches `high`.
void set_factors(double low, double high, std::uint32_t most, float& minimum, float& step) {
  minimum = static_cast<float>(low);
  step = 0;
  if (!(high > low)) {
    return;
  }
  if (double{minimum} > low) {
    minimum = std::nextafter(minimum, -std::numeric_limits<float>::infinity());
  }
  step = static_cast<float>((high - double{minimum}) / most);
  while (double{minimum} + double{step} * most < high) {
    step = std::nextafter(step, std::numeric_limits<float>::infinity());
  }
}

Factors factors_of(const Span& span, const Limits3& most) {
  Factors factors{};
  for (std::size_t axis = 0; axis < 3 && !span.empty; ++axis) {
    set_factors(span.low[axis], span.high[axis], most[axis], factors[0][axis], factors[1][axis]);
  }
  return factors;
}

Limits3 quantised(const Vec& value, const Scale& scale, const Limits3& most) {
  Limits3 integers{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (scale.step[axis] > 0) {
      const double steps = std::floor((value[axis] - scale.minimum[axis]) / scale.step[axis] + 0.5);
      // NaN becomes 0.
      integers[axis] =
          steps > 0 ? static_cast<std::uint32_t>(std::min(steps, static_cast<double>(most[axis]))) : 0;
    }
  }
  return integers;
}

/// One channel on its way into the dynamic segment.
struct LaneWriter {
  std::uint16_t channel = 0;
  std::array<std::uint8_t, 3> initial{};
  std::vector<Vec> residuals;
  Span span;
  Scale scale;
  Info info{};
};

/// Shares out the sets of factors. With more channels than an index can address, channels of alike range
/// share: per axis, because each axis takes component k of a set of its own.
Array<Factors> share_factors(std::vector<LaneWriter>& lanes, const Limits3& most) {
  const std::size_t sets = std::min(lanes.size(), kMostSets);
  Array<Factors> factors(sets, Factors{});
  std::vector<std::size_t> order(lanes.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
    }
    const auto extent = [&](std::size_t i) { return lanes[i].span.high[axis] - lanes[i].span.low[axis]; };
    if (lanes.size() > kMostSets) {
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return extent(a) != extent(b) ? extent(a) < extent(b) : a < b;
      });
    }
    for (std::size_t set = 0; set < sets; ++set) {
      const std::size_t from = set * order.size() / sets;
      const std::size_t to = (set + 1) * order.size() / sets;
      double low = lanes[order[from]].span.low[axis];
      double high = lanes[order[from]].span.high[axis];
      for (std::size_t i = from; i < to; ++i) {
        low = std::min(low, lanes[order[i]].span.low[axis]);
        high = std::max(high, lanes[order[i]].span.high[axis]);
        lanes[order[i]].info[3 + axis] = static_cast<std::uint8_t>(set);
      }
      set_factors(low, high, most[axis], factors[set][0][axis], factors[set][1][axis]);
    }
  }
  for (LaneWriter& lane : lanes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lane.info[axis] = lane.initial[axis];
      lane.scale.minimum[axis] = double{factors[lane.info[3 + axis]][0][axis]};
      lane.scale.step[axis] = double{factors[lane.info[3 + axis]][1][axis]};
    }
  }
  return factors;
}

class Quantiser {
 public:
  Quantiser(const Clip& clip, const QuantiseOptions& options) : clip_(clip), options_(options) {}

  Quantised run() {
    StaticSegment still;
    DynamicSegment moving;
    moving.samples = clip_.samples;
    document_.moving.resize(1);
    std::vector<const VectorTrack*> translations = split(clip_.translations, kTranslation, still);
    std::vector<const RotationTrack*> rotations = split(clip_.rotations, kRotation, still);
    std::vector<const VectorTrack*> scales = split(clip_.scales, kScale, still);
    add_packed(translations, kTranslation, document_.header.translation_means, moving);
    add_rotations(rotations, moving);
    if (!scales.empty()) {
      add_packed(scales, kScale, document_.scale_means.emplace(), moving);
    }
    document_.still = std::move(still);
    if (!translations.empty() || !rotations.empty() || !scales.empty()) {
      document_.moving.front().segment = std::move(moving);
    }
    if (clip_.root && !(clip_.root->translations.empty() && clip_.root->rotations.empty())) {
      add_root(*clip_.root);
    }
    set_header();
    lay_out(document_);
    return {std::move(document_), std::move(errors_)};
  }

 private:
  // --- moving channels

  [[nodiscard]] bool stays(const VectorTrack& track) const {
    return std::all_of(track.values.begin(), track.values.end(), [&](const Vec3& value) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(std::abs(value[axis] - track.values.front()[axis]) <= options_.still)) {
          return false;
        }
      }
      return true;
    });
  }
  [[nodiscard]] bool stays(const RotationTrack& track) const {
    const Vec first = to_rotation_vector(scene::widen(track.values.front()));
    const auto back = scene::conjugate(from_rotation_vector(first));
    return std::all_of(track.values.begin(), track.values.end(), [&](const Vec4& value) {
      const Vec rotation = to_rotation_vector(scene::quaternion_product(back, scene::widen(value)));
      return std::abs(rotation[0]) <= double{options_.still} &&
             std::abs(rotation[1]) <= double{options_.still} &&
             std::abs(rotation[2]) <= double{options_.still};
    });
  }

  static Vec first_value(const VectorTrack& track) { return scene::widen(track.values.front()); }
  static Vec first_value(const RotationTrack& track) {
    return to_rotation_vector(scene::widen(track.values.front()));
  }

  /// Stores the channels that stay, and gives back those that move.
  template <class Track>
  std::vector<const Track*> split(const std::vector<Track>& tracks, Kind kind, StaticSegment& segment) {
    ChannelList still;
    ChannelList moving;
    std::vector<const Track*> left;
    std::vector<Vec> values;
    Span span;
    for (const Track& track : tracks) {
      if (stays(track)) {
        still.channels.push_back(track.channel);
        values.push_back(first_value(track));
        span.take(values.back());
      } else {
        moving.channels.push_back(track.channel);
        left.push_back(&track);
      }
    }
    store_static(kind, still, values, factors_of(span, kWordMost), segment);
    still.count = static_cast<std::uint16_t>(still.channels.size());
    moving.count = static_cast<std::uint16_t>(moving.channels.size());
    document_.static_lists[kind] = std::move(still);
    document_.moving.front().lists[kind] = std::move(moving);
    return left;
  }

  void store_static(Kind kind, const ChannelList& list, const std::vector<Vec>& values,
                    const Factors& factors, StaticSegment& segment) {
    segment.counts[kind] = static_cast<std::uint32_t>(values.size());
    const Scale scale(factors);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Limits3 integers = quantised(values[i], scale, kWordMost);
      segment.values[kind].push_back({static_cast<std::uint16_t>(integers[0]),
                                      static_cast<std::uint16_t>(integers[1]),
                                      static_cast<std::uint16_t>(integers[2])});
      ChannelError& error = add_error(kind, list.channels[i], scale);
      note_error(error, values[i], scale.value(integers));
    }
    if (kind == kTranslation) {
      segment.translation_factors = factors;
    } else if (kind == kRotation) {
      segment.rotation_factors = factors;
    } else if (!values.empty()) {
      segment.scale_factors = factors;
    }
  }

  // --- rows

  void add_packed(const std::vector<const VectorTrack*>& tracks, Kind kind, Factors& means,
                  DynamicSegment& segment) {
    std::vector<Span> spans(tracks.size());
    Span middles;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      for (const Vec3& value : tracks[i]->values) {
        spans[i].take(scene::widen(value));
      }
      middles.take(middle(spans[i]));
    }
    means = factors_of(middles, kByteMost);
    const Scale mean_scale(means);
    std::vector<LaneWriter> lanes(tracks.size());
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const Limits3 initial = quantised(middle(spans[i]), mean_scale, kByteMost);
      const Vec mean = mean_scale.value(initial);
      set_lane(lanes[i], tracks[i]->channel, initial);
      for (const Vec3& value : tracks[i]->values) {
        const Vec wide = scene::widen(value);
        add_residual(lanes[i], {wide[0] - mean[0], wide[1] - mean[1], wide[2] - mean[2]});
      }
    }
    finish(kind, lanes, kPackedMost, segment);
    auto& rows = kind == kScale ? segment.scales : segment.translations;
    each_sample(
        kind, lanes, kPackedMost, [&](const Limits3& integers) { rows.push_back(packed(integers)); }, [] {});
  }

  void add_rotations(const std::vector<const RotationTrack*>& tracks, DynamicSegment& segment) {
    std::vector<LaneWriter> lanes(tracks.size());
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const Vec first = first_value(*tracks[i]);
      Limits3 initial{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double steps = std::floor((first[axis] + 1) * 128 + 0.5);
        initial[axis] = static_cast<std::uint32_t>(std::clamp(steps, 0.0, 255.0));
      }
      set_lane(lanes[i], tracks[i]->channel, initial);
      const auto back = scene::conjugate(initial_rotation(lanes[i].initial));
      for (const Vec4& value : tracks[i]->values) {
        add_residual(lanes[i], to_rotation_vector(scene::quaternion_product(back, scene::widen(value))));
      }
    }
    finish(kRotation, lanes, kWordMost, segment);
    // Each row takes whole words of 32 bits.
    const bool padded = lanes.size() % 2 == 1;
    each_sample(
        kRotation, lanes, kWordMost,
        [&](const Limits3& integers) {
          for (const std::uint32_t integer : integers) {
            segment.rotations.push_back(static_cast<std::uint16_t>(integer));
          }
        },
        [&] {
          if (padded) {
            segment.rotations.push_back(0);
          }
        });
  }

  static Vec middle(const Span& span) {
    return {(span.low[0] + span.high[0]) / 2, (span.low[1] + span.high[1]) / 2,
            (span.low[2] + span.high[2]) / 2};
  }

  static void set_lane(LaneWriter& lane, std::uint16_t channel, const Limits3& initial) {
    lane.channel = channel;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lane.initial[axis] = static_cast<std::uint8_t>(initial[axis]);
    }
  }

  static void add_residual(LaneWriter& lane, const Vec& residual) {
    lane.residuals.push_back(residual);
    lane.span.take(residual);
  }

  /// Factors and infos, the last of which is repeated up to a multiple of four.
  void finish(Kind kind, std::vector<LaneWriter>& lanes, const Limits3& most, DynamicSegment& segment) {
    document_.factors[kind] = share_factors(lanes, most);
    segment.counts[kind] = static_cast<std::uint32_t>(lanes.size());
    auto& infos = segment.infos[kind];
    for (const LaneWriter& lane : lanes) {
      infos.push_back(lane.info);
    }
    while (infos.size() % 4 != 0) {
      const Info last = infos.back();
      infos.push_back(last);
    }
  }

  template <class Add, class EndRow>
  void each_sample(Kind kind, const std::vector<LaneWriter>& lanes, const Limits3& most, const Add& add,
                   const EndRow& end_row) {
    if (lanes.empty()) {
      return;
    }
    const std::size_t first = errors_.size();
    for (const LaneWriter& lane : lanes) {
      add_error(kind, lane.channel, lane.scale);
    }
    for (std::size_t sample = 0; sample < clip_.samples; ++sample) {
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Vec& residual = lanes[i].residuals[sample];
        const Limits3 integers = quantised(residual, lanes[i].scale, most);
        note_error(errors_[first + i], residual, lanes[i].scale.value(integers));
        add(integers);
      }
      end_row();
    }
  }

  // --- the character's way

  void add_root(const RootMotion& motion) {
    RootSegment& root = document_.root.emplace();
    root.version = 1;
    root.alignment = 16;
    root.rate = motion.rate > 0 ? motion.rate : clip_.rate;
    const bool turns = motion.rotations.size() > 1;
    const std::size_t samples =
        std::max<std::size_t>(motion.translations.size(), turns ? motion.rotations.size() : 1);
    root.samples = static_cast<std::uint32_t>(samples);
    add_root_translations(motion, samples, root);
    if (turns) {
      add_root_rotations(motion, root);
      return;
    }
    root.rotation[3] = 1;
    for (std::size_t i = 0; i < 4 && !motion.rotations.empty(); ++i) {
      root.rotation[i] = motion.rotations.front()[i];
    }
  }

  void add_root_translations(const RootMotion& motion, std::size_t samples, RootSegment& root) {
    if (motion.translations.empty()) {
      return;
    }
    Span span;
    for (const Vec3& value : motion.translations) {
      span.take(scene::widen(value));
    }
    root.translation_factors = factors_of(span, kPackedMost);
    const Scale scale(root.translation_factors);
    ChannelError& error = add_error(kTranslation, 0, scale);
    error.root = true;
    for (std::size_t i = 0; i < samples; ++i) {
      const Vec value = scene::widen(motion.translations[std::min(i, motion.translations.size() - 1)]);
      const Limits3 integers = quantised(value, scale, kPackedMost);
      note_error(error, value, scale.value(integers));
      root.translations.push_back(packed(integers));
    }
  }

  void add_root_rotations(const RootMotion& motion, RootSegment& root) {
    Span span;
    std::vector<Vec> vectors;
    for (const Vec4& value : motion.rotations) {
      vectors.push_back(to_rotation_vector(scene::widen(value)));
      span.take(vectors.back());
    }
    const Factors factors = factors_of(span, kWordMost);
    std::copy_n(factors[0].begin(), 3, root.rotation.begin());
    std::copy_n(factors[1].begin(), 3, root.rotation.begin() + 3);
    const Scale scale(factors);
    ChannelError& error = add_error(kRotation, 0, scale);
    error.root = true;
    for (const Vec& vector : vectors) {
      const Limits3 integers = quantised(vector, scale, kWordMost);
      note_error(error, vector, scale.value(integers));
      root.rotations.push_back({static_cast<std::uint16_t>(integers[0]),
                                static_cast<std::uint16_t>(integers[1]),
                                static_cast<std::uint16_t>(integers[2])});
    }
  }

  // --- the rest

  void set_header() {
    Header& header = document_.header;
    header.version = options_.version;
    header.static_size = static_cast<std::uint32_t>(kHeaderBytes);
    header.alignment = 16;
    header.duration = clip_.duration;
    header.rate = clip_.rate;
    header.channels = clip_.channels;
    std::vector<bool> named(clip_.channels, false);
    for (const auto& track : clip_.translations) {
      named[track.channel] = true;
    }
    for (const auto& track : clip_.rotations) {
      named[track.channel] = true;
    }
    for (const auto& track : clip_.scales) {
      named[track.channel] = true;
    }
    header.animated_channels = static_cast<std::uint32_t>(std::count(named.begin(), named.end(), true));
  }

  ChannelError& add_error(Kind kind, std::uint16_t channel, const Scale& scale) {
    ChannelError& error = errors_.emplace_back();
    error.kind = kind;
    error.channel = channel;
    error.step = scene::narrow(scale.step);
    return error;
  }

  static void note_error(ChannelError& error, const Vec& requested, const Vec& got) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      error.worst[axis] =
          std::max(error.worst[axis], static_cast<float>(std::abs(requested[axis] - got[axis])));
    }
  }

  static constexpr std::uint64_t kHeaderBytes = 0xC0;

  const Clip& clip_;
  const QuantiseOptions& options_;
  Document document_;
  std::vector<ChannelError> errors_;
};

// --- checks
// ---------------------------------------------------------------------------------------

template <class Values>
bool all_components_finite(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](const auto& value) { return all_finite(value); });
}

bool is_unit(const Vec4& q) {
  constexpr double kTolerance = 1e-3;
  const auto wide = scene::widen(q);
  const double square = wide[0] * wide[0] + wide[1] * wide[1] + wide[2] * wide[2] + wide[3] * wide[3];
  return std::abs(square - 1) <= kTolerance;
}

template <class Track>
std::string problem(const Clip& clip, const std::vector<Track>& tracks) {
  std::int64_t last = -1;
  for (const Track& track : tracks) {
    const std::string name = "channel " + std::to_string(track.channel);
    if (track.channel >= clip.channels) {
      return name + " does not exist; the count is " + std::to_string(clip.channels);
    }
    if (std::int64_t{track.channel} <= last) {
      return name + (std::int64_t{track.channel} == last ? " occurs twice" : " is out of order");
    }
    last = track.channel;
    if (track.values.size() != 1 && track.values.size() != clip.samples) {
      return name + " has " + std::to_string(track.values.size()) + " samples instead of " +
             std::to_string(clip.samples);
    }
    if (!all_components_finite(track.values)) {
      return name + " has values that are not finite";
    }
    if constexpr (std::is_same_v<Track, RotationTrack>) {
      if (!std::all_of(track.values.begin(), track.values.end(), is_unit)) {
        return name + " has rotations that are not unit quaternions";
      }
    }
  }
  return "";
}

std::string problem(const RootMotion& root) {
  if (!all_components_finite(root.translations) || !all_components_finite(root.rotations)) {
    return "the root motion has values that are not finite";
  }
  if (!std::all_of(root.rotations.begin(), root.rotations.end(), is_unit)) {
    return "the root motion has rotations that are not unit quaternions";
  }
  const std::size_t translations = root.translations.size();
  const std::size_t rotations = root.rotations.size();
  return translations > 1 && rotations > 1 && translations != rotations
             ? "the root motion has " + std::to_string(translations) + " translations and " +
                   std::to_string(rotations) + " rotations; their numbers must be equal"
             : "";
}

std::string problem(const Clip& clip) {
  constexpr float kFastest = 1e4F;
  if (clip.channels == 0 || clip.channels > kMostChannels) {
    return "the animation has " + std::to_string(clip.channels) + " channels; 1 to 65535 are possible";
  }
  if (clip.samples == 0) {
    return "the animation has no sample";
  }
  if (!(clip.rate > 0 && clip.rate <= kFastest)) {
    return "the rate of the animation must be above 0 and at most 10000 Hz";
  }
  if (!std::isfinite(clip.duration) || clip.duration < 0) {
    return "the duration of the animation is negative or not finite";
  }
  for (const std::string& why :
       {problem(clip, clip.translations), problem(clip, clip.rotations), problem(clip, clip.scales)}) {
    if (!why.empty()) {
      return why;
    }
  }
  return clip.root ? problem(*clip.root) : "";
}

}  // namespace

Result<Quantised> from_curves(const Clip& clip, const QuantiseOptions& options) {
  if (std::string why = problem(clip); !why.empty()) {
    return fail(codes::kWriteUnsupported, std::move(why));
  }
  return Quantiser(clip, options).run();
}

}  // namespace thaw::nsa
