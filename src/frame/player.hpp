// What the channels of a scene say at a moment of one clip and of the loops that run beside it.
#pragma once

#include <thaw/frame.hpp>

#include "scene/curve.hpp"

#include <span>
#include <vector>

namespace thaw::frame {

/// Seconds beyond which a float no longer tells frames apart.
inline constexpr double kFarthest = 1e9;

/// A moment as the curves count it.
struct Times {
  double clip = 0;      ///< within the clip, 0 to its duration
  double clock = 0;     ///< of the global loops, not yet wrapped
  bool running = true;  ///< false before a clip that does not loop begins and after it has ended
};

/// `time` modulo `period`, from 0 up to but not including it; 0 without a period.
double wrapped(double time, double period);

class Player {
 public:
  /// The scene must outlive the player. A clip that does not exist is the rest pose; loops still run.
  Player(const scene::Scene& scene, Index clip);

  /// The moment that lies `age` seconds before.
  [[nodiscard]] Times times(const PlayTime& moment, double age = 0) const;

  [[nodiscard]] scene::Transform local(Index node, const Times& times) const;
  [[nodiscard]] bool visible(Index node, const Times& times) const;
  [[nodiscard]] bool moves(Index node) const;
  /// Writes what the channel says; leaves `out` as it is where there is none of that many components.
  void read(const scene::Target& target, scene::Property property, const Times& times,
            std::span<float> out) const;
  [[nodiscard]] float scalar(const scene::Target& target, scene::Property property, float rest,
                             const Times& times) const;

  /// A curve with the length of its loop; `global` says whether the clock drives it.
  struct Timed {
    const scene::Curve* curve = nullptr;
    double period = 0;
    bool global = false;
    [[nodiscard]] double at(const Times& times) const {
      return global ? wrapped(times.clock, period) : times.clip;
    }
  };
  /// Null curve where there is none.
  [[nodiscard]] Timed find(const scene::Target& target, scene::Property property) const;

 private:
  struct NodeCurves {
    Timed translation;
    Timed rotation;
    Timed scale;
    Timed visibility;
  };
  struct Entry {
    scene::Target target;
    scene::Property property{};
    Timed timed;
    std::uint32_t order = 0;
  };

  void play(const scene::Clip& clip);
  void sort();

  const scene::Scene& scene_;
  const scene::Clip* clip_ = nullptr;
  std::vector<NodeCurves> nodes_;
  std::vector<Entry> entries_;
};

}  // namespace thaw::frame
