#include "formats/forgelight/nsa/numbers.hpp"

#include <algorithm>
#include <string>

namespace thaw::nsa {
namespace {

constexpr std::array<std::string_view, kKinds> kLists = {"translations", "rotations", "scales"};

/// Where a channel of a segment goes, and what its integers mean.
struct Lane {
  std::size_t column = 0;
  std::uint16_t channel = 0;
  std::array<std::uint8_t, 3> initial{};
  Scale scale;
};

std::string place(std::string_view segment, Kind kind, std::size_t column) {
  return std::string(segment) + '.' + std::string(kLists[kind]) + '[' + std::to_string(column) + ']';
}

class Decoder {
 public:
  Decoder(const Document& document, Diagnostics& diagnostics)
      : document_(document), diagnostics_(diagnostics) {}

  Clip run() {
    clip_.duration = static_cast<float>(finite(document_.duration()));
    clip_.rate = static_cast<float>(finite(document_.rate()));
    clip_.channels = document_.channels();
    clip_.samples = document_.samples();
    if (document_.still) {
      decode_static(*document_.still);
    } else {
      miss(document_.static_lists, "static");
    }
    for (std::size_t i = 0; i < document_.moving.size(); ++i) {
      const DynamicSet& set = document_.moving[i];
      set_ = document_.layout == Layout::v24 ? "sets[" + std::to_string(i) + "].dynamic" : "dynamic";
      if (set.segment) {
        decode_dynamic(set, *set.segment);
      } else {
        miss(set.lists, set_);
      }
    }
    if (document_.root) {
      clip_.root = decode_root(*document_.root);
    }
    arrange(clip_.translations, kTranslation);
    arrange(clip_.rotations, kRotation);
    arrange(clip_.scales, kScale);
    return std::move(clip_);
  }

 private:
  void report(std::string message, std::string path) {
    if (diagnostics_.has_room()) {
      diagnostics_.add(codes::kNsaChannel, std::move(message), {}, std::move(path));
    }
  }

  /// How many channels of a segment have all that they need: list entry and data.
  std::size_t usable(std::string_view segment, Kind kind, const std::optional<ChannelList>& list,
                     std::size_t stated, std::size_t stored) {
    const std::size_t listed = list ? list->channels.size() : 0;
    const std::size_t count = std::min({listed, stated, stored});
    if (count < std::max(listed, stated)) {
      report(std::to_string(listed) + " channels listed, " + std::to_string(stated) + " stated, " +
                 std::to_string(stored) + " stored; the first " + std::to_string(count) + " are read",
             std::string(segment) + '.' + std::string(kLists[kind]));
    }
    return count;
  }

  /// Channels of a segment that is not there.
  void miss(const std::array<std::optional<ChannelList>, kKinds>& lists, std::string_view segment) {
    for (const Kind kind : {kTranslation, kRotation, kScale}) {
      usable(segment, kind, lists[kind], 0, 0);
    }
  }

  // --- one value per channel

  void decode_static(const StaticSegment& segment) {
    const Scale translation(segment.translation_factors);
    const Scale rotation(segment.rotation_factors);
    each_static(segment, kTranslation, [&](std::uint16_t channel, const auto& integers) {
      clip_.translations.push_back({channel, {scene::narrow(translation.value(integers))}});
    });
    each_static(segment, kRotation, [&](std::uint16_t channel, const auto& integers) {
      clip_.rotations.push_back({channel, {scene::narrow(rotation_of(rotation.value(integers)))}});
    });
    if (segment.counts[kScale] == 0) {
      return;
    }
    if (!segment.scale_factors) {
      report("scales without known factors left out", "static.scales");
      return;
    }
    report_unproven("static.scales");
    const Scale scale(*segment.scale_factors);
    each_static(segment, kScale, [&](std::uint16_t channel, const auto& integers) {
      clip_.scales.push_back({channel, {scene::narrow(scale.value(integers))}});
    });
  }

  template <class F>
  void each_static(const StaticSegment& segment, Kind kind, const F& add) {
    const auto& list = document_.static_lists[kind];
    const auto& values = segment.values[kind];
    const std::size_t count = usable("static", kind, list, segment.counts[kind], values.size());
    for (std::size_t i = 0; i < count; ++i) {
      add(list->channels[i], values[i]);
    }
  }

  void report_unproven(std::string path) {
    diagnostics_.add(
        codes::kUnproven,
        "scales are read like translations, which no published file confirms; please share the file", {},
        std::move(path));
  }

  // --- one value per sample

  void decode_dynamic(const DynamicSet& set, const DynamicSegment& segment) {
    const Scale means(document_.layout == Layout::v26 ? document_.header.translation_means
                                                      : document_.header_v24.translation_means);
    const std::size_t samples = segment.samples;
    decode_packed(set, segment, kTranslation, segment.translations, means, clip_.translations);
    const auto words = static_cast<std::size_t>(rotation_row(segment) / 2);
    for (const Lane& lane : lanes(set, segment, kRotation, segment.rotations.size(), words)) {
      RotationTrack& track = clip_.rotations.emplace_back();
      track.channel = lane.channel;
      track.values.resize(samples);
      decode_rotations(segment.rotations.data() + 3 * lane.column, words, lane, track.values);
    }
    if (segment.counts[kScale] > 0) {
      if (!document_.scale_means) {
        report("scales without known factors left out", set_ + ".scales");
        return;
      }
      report_unproven(set_ + ".scales");
      decode_packed(set, segment, kScale, segment.scales, Scale(*document_.scale_means), clip_.scales);
    }
  }

  void decode_packed(const DynamicSet& set, const DynamicSegment& segment, Kind kind,
                     const Array<std::uint32_t>& rows, const Scale& means, std::vector<VectorTrack>& tracks) {
    const std::size_t width = segment.counts[kind];
    for (const Lane& lane : lanes(set, segment, kind, rows.size(), width)) {
      VectorTrack& track = tracks.emplace_back();
      track.channel = lane.channel;
      track.values.resize(segment.samples);
      Scale scale = lane.scale;
      const auto mean = means.value(lane.initial);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        scale.minimum[axis] += mean[axis];
      }
      const std::uint32_t* from = rows.data() + lane.column;
      for (Vec3& value : track.values) {
        value = scene::narrow(scale.value(unpacked(*from)));
        from += width;
      }
    }
  }

  static void decode_rotations(const std::uint16_t* from, std::size_t words, const Lane& lane,
                               Array<Vec4>& values) {
    const auto initial = initial_rotation(lane.initial);
    Vec4 last = scene::narrow(initial);
    for (Vec4& value : values) {
      const auto rotation = rotation_of(lane.scale.value(std::array{from[0], from[1], from[2]}));
      value = scene::on_side_of(last, scene::narrow(scene::quaternion_product(initial, rotation)));
      last = value;
      from += words;
    }
  }

  /// The channels of one kind that can be decoded. `stored` elements in rows of `width`.
  std::vector<Lane> lanes(const DynamicSet& set, const DynamicSegment& segment, Kind kind, std::size_t stored,
                          std::size_t width) {
    std::vector<Lane> lanes;
    const std::uint32_t stated = segment.counts[kind];
    if (stated == 0 && !(set.lists[kind] && !set.lists[kind]->channels.empty())) {
      return lanes;
    }
    const bool complete = width > 0 && segment.samples > 0 && stored / width >= segment.samples;
    const auto& infos = segment.infos[kind];
    const std::size_t count = usable(set_, kind, set.lists[kind], stated, complete ? infos.size() : 0);
    for (std::size_t i = 0; i < count; ++i) {
      Lane lane;
      lane.column = i;
      lane.channel = set.lists[kind]->channels[i];
      std::copy_n(infos[i].begin(), 3, lane.initial.begin());
      if (take_factors(kind, infos[i], lane.scale)) {
        lanes.push_back(lane);
      } else {
        report("factor set out of range; the channel stays in bind pose", place(set_, kind, i));
      }
    }
    return lanes;
  }

  bool take_factors(Kind kind, const Info& info, Scale& scale) const {
    const auto& factors = document_.factors[kind];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (info[3 + axis] >= factors.size()) {
        return false;
      }
      const Factors& set = factors[info[3 + axis]];
      scale.minimum[axis] = finite(set[0][axis]);
      scale.step[axis] = finite(set[1][axis]);
    }
    return true;
  }

  // --- the character's way

  static RootMotion decode_root(const RootSegment& segment) {
    RootMotion root;
    root.rate = static_cast<float>(finite(segment.rate));
    const Scale translation(segment.translation_factors);
    for (const std::uint32_t word : segment.translations) {
      root.translations.push_back(scene::narrow(translation.value(unpacked(word))));
    }
    if (segment.rotations_at != 0) {
      const auto& f = segment.rotation;
      const Scale rotation(Factors{Vec3{f[0], f[1], f[2]}, Vec3{f[3], f[4], f[5]}});
      for (const auto& integers : segment.rotations) {
        root.rotations.push_back(scene::narrow(rotation_of(rotation.value(integers))));
      }
      keep_side(root.rotations);
      return root;
    }
    std::array<double, 4> constant{};
    double square = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      constant[i] = finite(segment.rotation[i]);
      square += constant[i] * constant[i];
    }
    if (square > 0) {
      for (double& component : constant) {
        component /= std::sqrt(square);
      }
      root.rotations.push_back(scene::narrow(constant));
    }
    return root;
  }

  // --- the result

  /// By channel, each once; what moves comes before what does not.
  template <class Track>
  void arrange(std::vector<Track>& tracks, Kind kind) {
    std::vector<std::size_t> order(tracks.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (tracks[a].channel != tracks[b].channel) {
        return tracks[a].channel < tracks[b].channel;
      }
      const bool still_a = tracks[a].values.size() < 2;
      const bool still_b = tracks[b].values.size() < 2;
      return still_a != still_b ? still_b : a < b;
    });
    std::vector<Track> arranged;
    arranged.reserve(tracks.size());
    for (const std::size_t i : order) {
      const std::uint16_t channel = tracks[i].channel;
      if (channel >= clip_.channels) {
        report("channel " + std::to_string(channel) + " left out; the animation has " +
                   std::to_string(clip_.channels) + " channels",
               std::string(kLists[kind]));
      } else if (!arranged.empty() && arranged.back().channel == channel) {
        report("channel " + std::to_string(channel) + " occurs twice; an animated one is preferred",
               std::string(kLists[kind]));
      } else {
        arranged.push_back(std::move(tracks[i]));
      }
    }
    tracks = std::move(arranged);
  }

  const Document& document_;
  Diagnostics& diagnostics_;
  Clip clip_;
  std::string set_;  ///< the path of the segment that is decoded
};

}  // namespace

Clip decode(const Document& document, Diagnostics& diagnostics) {
  return Decoder(document, diagnostics).run();
}

std::array<double, 3> to_rotation_vector(const std::array<double, 4>& rotation) {
  const double side = rotation[3] < 0 ? -1.0 : 1.0;
  const double below = 1.0 + side * rotation[3];
  return {side * rotation[0] / below, side * rotation[1] / below, side * rotation[2] / below};
}

std::array<double, 4> from_rotation_vector(const std::array<double, 3>& vector) {
  return rotation_of(vector);
}

}  // namespace thaw::nsa
